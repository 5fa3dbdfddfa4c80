//! Roles and what they look like: a theme names what a thing is, never a widget.
//!
//! A theme file sets what it wants to look different; the rest comes from the theme it inherits, in the end from
//! `base16`. Nothing in a theme file is an error: what is not understood is a warning.

mod file;
#[cfg(test)]
mod legible;

use std::fmt;

use ratatui::style::{Color, Modifier, Style};

use super::colour::{Colour, Depth};
use super::highlight::Palette;
use file::{PLAIN, chain};

pub use file::BUILT_IN;

macro_rules! roles {
    ($($role:ident $name:literal $doc:literal)*) => {
        /// What a thing on the screen is.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Role {
            $(#[doc = $doc] $role,)*
        }

        impl Role {
            /// All of them, with their names in a theme file.
            pub const ALL: &[(Self, &str)] = &[$((Self::$role, $name),)*];
        }
    };
}

roles! {
    Text "text" "Ordinary text."
    Dim "dim" "Text that may be passed over."
    Border "border" "A frame."
    BorderFocus "border-focus" "The frame of what has the keyboard."
    Header "header" "The line at the top."
    Path "path" "A path."
    Heading "heading" "The heading of a hunk."
    Added "added" "An added line."
    Removed "removed" "A removed line."
    AddedWord "added-word" "What is new inside an added line."
    RemovedWord "removed-word" "What is gone inside a removed line."
    Context "context" "A line on both sides."
    LineNumber "line-number" "A line number."
    Control "control" "A symbol that stands for a character that cannot be printed."
    CursorLine "cursor-line" "The line that the cursor is on."
    Selection "selection" "A line of the selection."
    Match "match" "What a search has found."
    CoveredPass "covered-pass" "Mark: a note with a passing claim."
    CoveredUnknown "covered-unknown" "Mark: a note whose claim is unknown, skipped or missing."
    CoveredFail "covered-fail" "Mark: a note with a failing claim."
    CoveredInference "covered-inference" "Mark: a note that rests on inference alone."
    Uncovered "uncovered" "Mark: an added line without a note."
    Markback "markback" "Mark: a Markback note."
    Note "note" "A note."
    NoteFocus "note-focus" "The note that is open."
    ClaimPass "claim-pass" "A claim that passed."
    ClaimFail "claim-fail" "A claim that failed."
    ClaimUnknown "claim-unknown" "A claim that nobody has checked."
    ClaimSkipped "claim-skipped" "A claim that was skipped."
    Inference "inference" "A source that is the writer's inference."
    Evidence "evidence" "A source outside of the writer's head."
    Gauge "gauge" "The filled part of a gauge."
    GaugeRest "gauge-rest" "The empty part of a gauge."
    Field "field" "A field to write in."
    Key "key" "A key in a hint."
    Error "error" "Something failed."
    Warning "warning" "Something needs a look."
    Stale "stale" "Something is about text that has changed since."
}

/// What a role looks like before the terminal's colours are considered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Look {
    fg: Shade,
    bg: Shade,
    modifiers: Modifier,
}

/// A colour, and those to take where there are fewer and the nearest would not do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Shade {
    colour: Colour,
    of_256: Option<Colour>,
    of_16: Option<Colour>,
}

/// A theme, fitted to a terminal.
#[derive(Debug, Clone)]
pub struct Theme {
    name: String,
    palette: Palette,
    depth: Depth,
    looks: Vec<Look>,
}

impl Theme {
    /// The theme `name` for a terminal of `depth`, and warnings about what was left out of its files. `find` gives the
    /// text of a reader's own file, `NAME.toml` or `NAME.tmTheme`; without one what comes with the program is taken.
    #[must_use]
    pub fn load(name: &str, depth: Depth, find: impl Fn(&str) -> Option<String>) -> (Self, Vec<String>) {
        let mut warnings = Vec::new();
        let name = if depth == Depth::None { PLAIN } else { name };
        let theme = name.to_owned();
        let chain = chain(name, &find, &mut warnings);
        let looks = Role::ALL.iter().map(|(_, role)| {
            let mut stated = chain.iter().filter_map(|file| file.look(role));
            // Backgrounds and shades made for many colours say nothing with sixteen: take what was made for those.
            stated.find(|look| depth > Depth::Ansi16 || look.is_ansi()).unwrap_or_default()
        });
        let looks = looks.collect();
        let stated = chain.iter().find_map(|file| file.syntax.as_deref());
        let name = match depth {
            Depth::None => "none",
            Depth::Ansi16 => "ansi",
            Depth::Ansi256 | Depth::True => stated.unwrap_or("ansi"),
        };
        let palette = match find(&format!("{name}.tmTheme")) {
            Some(text) if depth > Depth::Ansi16 => Palette::read(name, &text),
            _ => Palette::named(name),
        };
        let palette = palette.unwrap_or_else(|error| {
            warnings.push(error);
            Palette::default()
        });
        (Self { name: theme, palette, depth, looks }, warnings)
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many colours the terminal has that it is for.
    #[must_use]
    pub fn depth(&self) -> Depth {
        self.depth
    }

    /// The colours of code.
    #[must_use]
    pub fn palette(&self) -> &Palette {
        &self.palette
    }

    /// What `role` looks like.
    #[must_use]
    pub fn style(&self, role: Role) -> Style {
        self.fitted(self.look(role))
    }

    /// What `role` looks like with others laid over it, the last one on top: a line under the cursor, selected. The line
    /// keeps a background of its own, shaded where the terminal has the colours.
    #[must_use]
    pub fn layered(&self, role: Role, over: &[Role]) -> Style {
        self.fitted(over.iter().fold(self.look(role), |look, role| look.under(self.look(*role))))
    }

    /// `style` with the colour of a piece of code, which is brought nearer to black or white where it would not be read on
    /// that ground: it was chosen for another one.
    #[must_use]
    pub fn coloured(&self, style: Style, colour: Colour) -> Style {
        let ground = style.bg.or(self.style(Role::Text).bg).and_then(known);
        match ground.map_or(colour, |ground| colour.readable_on(ground)).reduced(self.depth) {
            Colour::Default => style,
            colour => style.fg(shown(colour)),
        }
    }

    fn look(&self, role: Role) -> Look {
        self.looks[role as usize]
    }

    fn fitted(&self, look: Look) -> Style {
        let mut style = Style::default().add_modifier(look.modifiers);
        let fit = |shade: Shade| {
            let stated = match self.depth {
                Depth::Ansi256 => shade.of_256,
                Depth::Ansi16 => shade.of_16,
                Depth::None | Depth::True => None,
            };
            stated.unwrap_or(shade.colour).reduced(self.depth)
        };
        if fit(look.fg) != Colour::Default {
            style = style.fg(shown(fit(look.fg)));
        }
        if fit(look.bg) != Colour::Default {
            style = style.bg(shown(fit(look.bg)));
        }
        style
    }
}

/// Gives the text of a reader's own file, by its name.
type Find = dyn Fn(&str) -> Option<String>;

/// The themes that there are, for a terminal.
pub struct Themes {
    depth: Depth,
    names: Vec<String>,
    find: Box<Find>,
}

impl fmt::Debug for Themes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Themes").field("depth", &self.depth).finish_non_exhaustive()
    }
}

impl Themes {
    /// Those of these names, for a terminal of `depth`; `find` as for [`Theme::load`].
    #[must_use]
    pub fn new(depth: Depth, names: Vec<String>, find: impl Fn(&str) -> Option<String> + 'static) -> Self {
        let mut themes = Self { depth, names, find: Box::new(find) };
        if depth == Depth::Ansi16 {
            // Most are made for more colours, and fall back on those that the terminal has itself.
            let mut looks = Vec::new();
            let all = std::mem::take(&mut themes.names);
            let is_other = |name: &String| {
                let look = themes.load(name).0.looks;
                let is_other = !looks.contains(&look);
                looks.extend(is_other.then_some(look));
                is_other
            };
            themes.names = all.into_iter().filter(is_other).collect();
        }
        themes
    }

    /// The names of those that look different from each other: none where no colour is shown.
    #[must_use]
    pub fn names(&self) -> &[String] {
        if self.depth == Depth::None { &[] } else { &self.names }
    }

    /// The theme of that name, and what is wrong with it.
    #[must_use]
    pub fn load(&self, name: &str) -> (Theme, Vec<String>) {
        Theme::load(name, self.depth, &self.find)
    }
}

/// The themes among which the background of the terminal decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ByBackground {
    /// On a dark one.
    pub dark: String,
    /// On a light one.
    pub light: String,
}

impl Look {
    fn is_ansi(self) -> bool {
        [self.fg, self.bg].iter().all(|shade| shade.of_16.is_some() || shade.colour.is_ansi())
    }

    fn under(self, over: Self) -> Self {
        let bg = match (self.bg.colour, over.bg.colour) {
            (Colour::Default, _) => over.bg,
            (own, other) => match own.mixed(other) {
                Some(colour) => Shade { colour, ..self.bg },
                None => self.bg,
            },
        };
        let fg = if over.fg.colour == Colour::Default { self.fg } else { over.fg };
        Self { fg, bg, modifiers: self.modifiers | over.modifiers }
    }
}

fn shown(colour: Colour) -> Color {
    match colour {
        Colour::Default => Color::Reset,
        Colour::Indexed(index) => Color::Indexed(index),
        Colour::Rgb(red, green, blue) => Color::Rgb(red, green, blue),
    }
}

/// The colour of a cell, where it is not the terminal's own business.
fn known(colour: Color) -> Option<Colour> {
    match colour {
        Color::Rgb(red, green, blue) => Some(Colour::Rgb(red, green, blue)),
        Color::Indexed(index @ 16..) => Some(Colour::Indexed(index)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn built_in(name: &str, depth: Depth) -> Theme {
        let (theme, warnings) = Theme::load(name, depth, |_| None);
        assert_eq!(warnings, [""; 0], "{name}");
        theme
    }

    #[test]
    fn what_must_be_told_apart_is_different_in_every_theme() {
        let lines = [Role::Context, Role::Added, Role::Removed];
        let over: [&[Role]; 4] = [&[], &[Role::CursorLine], &[Role::Selection], &[Role::Selection, Role::CursorLine]];
        for (name, _) in BUILT_IN {
            for depth in [Depth::None, Depth::Ansi16, Depth::Ansi256, Depth::True] {
                let theme = built_in(name, depth);
                let mut seen = Vec::new();
                for (role, over) in lines.iter().flat_map(|role| over.iter().map(move |over| (role, over))) {
                    let style = theme.layered(*role, over);
                    assert!(!seen.contains(&style), "{name} {depth:?} {role:?} under {over:?}");
                    seen.push(style);
                }
            }
        }
    }

    #[test]
    fn added_and_removed_keep_their_background_under_the_cursor() {
        for name in ["dark", "light"] {
            let theme = built_in(name, Depth::Ansi256);
            for role in [Role::Added, Role::Removed] {
                let under = theme.layered(role, &[Role::CursorLine, Role::Selection]);
                assert_eq!(under.bg, theme.style(role).bg, "{name} {role:?}");
            }
        }
    }

    #[test]
    fn with_sixteen_colours_only_themes_that_look_different_are_chosen_from() {
        let names = || ["dark", "light", "own"].map(str::to_owned).to_vec();
        let own = |file: &str| (file == "own.toml").then(|| "[roles]\ncursor-line = { bg = \"red\" }".to_owned());
        assert_eq!(Themes::new(Depth::Ansi16, names(), own).names(), ["dark", "own"]);
        assert_eq!(Themes::new(Depth::True, names(), own).names(), names());
    }

    #[test]
    fn code_has_the_colours_that_the_terminal_has() {
        let blue = Colour::Rgb(0, 0, 255);
        let style = |depth| {
            let theme = built_in("dark", depth);
            (theme.coloured(Style::default(), blue).fg, theme.palette().name().to_owned())
        };
        assert_eq!(style(Depth::None), (None, "none".into()));
        assert_eq!(style(Depth::Ansi16), (Some(Color::Indexed(4)), "ansi".into()));
        let light = |depth| built_in("light", depth).coloured(Style::default(), blue).fg;
        assert_eq!(light(Depth::Ansi256), Some(Color::Indexed(21)));
        assert_eq!(light(Depth::True), Some(Color::Rgb(0, 0, 255)));
    }

    #[test]
    fn a_syntax_theme_of_a_reader_lies_beside_their_themes() {
        let plist = |body: &str| {
            format!(
                "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>name</key><string>Own</string>\
                 <key>settings</key><array>{body}</array></dict></plist>"
            )
        };
        let load = |text: String| {
            Theme::load("mine", Depth::True, |name| match name {
                "mine.toml" => Some("inherits = \"dark\"\nsyntax = \"own\"\n".to_owned()),
                "own.tmTheme" => Some(text.clone()),
                _ => None,
            })
        };
        let (theme, warnings) =
            load(plist("<dict><key>settings</key><dict><key>foreground</key><string>#112233</string></dict></dict>"));
        assert_eq!((theme.palette().name(), warnings), ("own", vec![]));
        let (theme, warnings) = load("<plist".to_owned());
        assert_eq!((theme.palette().name(), warnings.len()), ("none", 1), "{warnings:?}");
        let (_, warnings) =
            Theme::load("mine", Depth::True, |name| (name == "mine.toml").then(|| "syntax = \"nope\"".to_owned()));
        assert!(warnings[0].contains("no syntax theme `nope`"), "{warnings:?}");
    }
}
