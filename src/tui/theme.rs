//! Roles and what they look like: a theme names what a thing is, never a widget.
//!
//! A theme file sets what it wants to look different; the rest comes from the theme it inherits, in the end from
//! `base16`. Nothing in a theme file is an error: what is not understood is a warning.

use ratatui::style::{Color, Modifier, Style};
use toml::{Table, Value};

use super::colour::{Colour, Depth};

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

/// The themes that come with the program: name and file.
pub const BUILT_IN: &[(&str, &str)] = &[
    ("base16", include_str!("../../themes/base16.toml")),
    ("dark", include_str!("../../themes/dark.toml")),
    ("light", include_str!("../../themes/light.toml")),
    ("high-contrast", include_str!("../../themes/high-contrast.toml")),
    (PLAIN, include_str!("../../themes/plain.toml")),
];

const ROOT: &str = "base16";
/// What is used where no colour may be sent.
const PLAIN: &str = "plain";
/// A chain of inherited themes ends here at the latest.
const MAX_CHAIN: usize = 8;

/// What a role looks like before the terminal's colours are considered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Look {
    fg: Shade,
    bg: Shade,
    modifiers: Modifier,
}

/// A colour, and the one to take from the palette of 256 where the nearest would not do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Shade {
    colour: Colour,
    of_256: Option<Colour>,
}

/// A theme, fitted to a terminal.
#[derive(Debug, Clone)]
pub struct Theme {
    syntax: String,
    depth: Depth,
    looks: Vec<Look>,
}

impl Theme {
    /// The theme `name` for a terminal of `depth`, and warnings about what was left out of its files. `find` gives the
    /// text of a reader's own theme; without one the theme that comes with the program is taken.
    #[must_use]
    pub fn load(name: &str, depth: Depth, find: impl Fn(&str) -> Option<String>) -> (Self, Vec<String>) {
        let mut warnings = Vec::new();
        let name = if depth == Depth::None { PLAIN } else { name };
        let chain = chain(name, find, &mut warnings);
        let looks = Role::ALL.iter().map(|(_, role)| {
            let stated = chain.iter().filter_map(|(file, table)| look_in(file, table, role, &mut warnings));
            let mut stated = stated.collect::<Vec<_>>().into_iter();
            // Backgrounds and shades made for many colours say nothing with sixteen: take what was made for those.
            stated.find(|look| depth > Depth::Ansi16 || look.is_ansi()).unwrap_or_default()
        });
        let looks = looks.collect();
        let syntax = chain.iter().find_map(|(_, table)| Some(table.get("syntax")?.as_str()?.to_owned()));
        let syntax = match depth {
            Depth::None => "none".to_owned(),
            Depth::Ansi16 => "ansi".to_owned(),
            Depth::Ansi256 | Depth::True => syntax.unwrap_or_else(|| "ansi".to_owned()),
        };
        (Self { syntax, depth, looks }, warnings)
    }

    /// The name of its syntax theme; `none` where code has one colour.
    #[must_use]
    pub fn syntax_theme(&self) -> &str {
        &self.syntax
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

    /// `style` with the colour of a piece of code.
    #[must_use]
    pub fn coloured(&self, style: Style, colour: Colour) -> Style {
        match colour.reduced(self.depth) {
            Colour::Default => style,
            colour => style.fg(shown(colour)),
        }
    }

    fn look(&self, role: Role) -> Look {
        self.looks[role as usize]
    }

    fn fitted(&self, look: Look) -> Style {
        let mut style = Style::default().add_modifier(look.modifiers);
        let fit = |shade: Shade| match shade.of_256 {
            Some(colour) if self.depth == Depth::Ansi256 => colour,
            _ => shade.colour.reduced(self.depth),
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

impl Look {
    fn is_ansi(self) -> bool {
        self.fg.colour.is_ansi() && self.bg.colour.is_ansi()
    }

    fn under(self, over: Self) -> Self {
        let bg = match (self.bg.colour, over.bg.colour) {
            (Colour::Default, _) => over.bg,
            (own, other) => match own.mixed(other) {
                Some(colour) => Shade { colour, of_256: self.bg.of_256 },
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

/// The files of a theme, itself first, `base16` last.
fn chain(name: &str, find: impl Fn(&str) -> Option<String>, warnings: &mut Vec<String>) -> Vec<(String, Table)> {
    let built_in = |name: &str| BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned());
    let mut chain = Vec::new();
    let mut next = name.to_owned();
    while chain.len() < MAX_CHAIN {
        let table = match find(&next).or_else(|| built_in(&next)).map(|text| text.parse::<Table>()) {
            Some(Ok(table)) => table,
            Some(Err(error)) => {
                warnings.push(format!("theme {next}: {}", error.message()));
                Table::new()
            }
            None => {
                warnings.push(format!("there is no theme {next}; {ROOT} is used"));
                Table::new()
            }
        };
        let parent = table.get("inherits").and_then(Value::as_str).unwrap_or(ROOT).to_owned();
        let is_root = next == ROOT;
        chain.push((next, table));
        if is_root {
            return chain;
        }
        next = parent;
    }
    warnings.push(format!("theme {name} inherits in a circle; {ROOT} ends it"));
    chain.extend(built_in(ROOT).and_then(|text| text.parse().ok()).map(|table| (ROOT.to_owned(), table)));
    chain
}

/// What a file says about a role, if it does.
fn look_in(file: &str, table: &Table, role: &str, warnings: &mut Vec<String>) -> Option<Look> {
    let roles = table.get("roles")?.as_table()?;
    if role == Role::ALL[0].1 {
        let is_known = |name: &str| Role::ALL.iter().any(|(_, known)| *known == name);
        let unknown = roles.keys().filter(|name| !is_known(name));
        warnings.extend(unknown.map(|name| format!("theme {file}: there is no role `{name}`")));
    }
    let mut look = Look::default();
    let Some(stated) = roles.get(role)?.as_table() else {
        warnings.push(format!("theme {file}: `{role}` should be like {{ fg = \"red\", bold = true }}"));
        return None;
    };
    for (name, value) in stated {
        match (name.as_str(), value) {
            ("fg" | "bg", Value::String(word)) => match shade(word) {
                Ok(shade) if name == "fg" => look.fg = shade,
                Ok(shade) => look.bg = shade,
                Err(error) => warnings.push(format!("theme {file}: {role}.{name}: {error}")),
            },
            (name, Value::Boolean(is_set)) if modifier(name).is_some() => {
                look.modifiers.set(modifier(name).unwrap_or_default(), *is_set);
            }
            _ => warnings.push(format!(
                "theme {file}: `{role}.{name}` is not understood: there are fg, bg, bold, dim, italic, underline, reverse"
            )),
        }
    }
    Some(look)
}

/// A colour, perhaps followed by the one of the palette of 256 that stands for it.
fn shade(text: &str) -> Result<Shade, super::colour::UnknownColour> {
    let (colour, of_256) = text.split_once(' ').map_or((text, None), |(colour, rest)| (colour, Some(rest.trim())));
    Ok(Shade { colour: colour.parse()?, of_256: of_256.map(str::parse).transpose()? })
}

fn modifier(name: &str) -> Option<Modifier> {
    Some(match name {
        "bold" => Modifier::BOLD,
        "dim" => Modifier::DIM,
        "italic" => Modifier::ITALIC,
        "underline" => Modifier::UNDERLINED,
        "reverse" => Modifier::REVERSED,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built_in(name: &str, depth: Depth) -> Theme {
        let (theme, warnings) = Theme::load(name, depth, |_| None);
        assert_eq!(warnings, [""; 0], "{name}");
        theme
    }

    fn colours(style: Style) -> [Option<Color>; 2] {
        [style.fg, style.bg]
    }

    #[test]
    fn themes_that_come_with_the_program_are_right_at_every_depth() {
        for (name, text) in BUILT_IN {
            let table: Table = text.parse().expect("a theme is TOML");
            if *name == ROOT {
                let missing = Role::ALL.iter().filter(|(_, role)| table["roles"].get(*role).is_none());
                assert_eq!(missing.count(), 0, "the root says everything");
            }
            for depth in [Depth::None, Depth::Ansi16, Depth::Ansi256, Depth::True] {
                let theme = built_in(name, depth);
                for (role, _) in Role::ALL {
                    for colour in colours(theme.style(*role)).into_iter().flatten() {
                        match depth {
                            Depth::None => panic!("{name} {role:?} has a colour"),
                            Depth::Ansi16 => assert!(matches!(colour, Color::Indexed(0..=15)), "{name} {role:?}"),
                            Depth::Ansi256 => assert!(matches!(colour, Color::Indexed(_)), "{name} {role:?}"),
                            Depth::True => {}
                        }
                    }
                }
            }
        }
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
    fn a_theme_of_a_reader_inherits_and_is_never_refused() {
        let file = "inherits = \"dark\"\n[roles]\nadded = { fg = \"#102030\", bold = true, blink = true }\n\
                    removed = { fg = \"crimson\" }\nnew-role = {}\nkey = 3\n";
        let find = |name: &str| (name == "mine").then(|| file.to_owned());
        let (theme, warnings) = Theme::load("mine", Depth::True, find);
        assert_eq!(warnings.len(), 4, "{warnings:?}");
        assert_eq!(theme.style(Role::Added).fg, Some(Color::Rgb(16, 32, 48)));
        assert_eq!(theme.style(Role::Key), built_in("dark", Depth::True).style(Role::Key));
        assert_eq!(theme.style(Role::Text), Theme::load("dark", Depth::True, |_| None).0.style(Role::Text));
        for (file, warning) in [("inherits = \"mine\"", "circle"), ("inherits = \"x\"", "no theme x"), ("[", "mine:")] {
            let (theme, warnings) = Theme::load("mine", Depth::Ansi16, |name| (name == "mine").then(|| file.into()));
            assert!(warnings.iter().any(|line| line.contains(warning)), "{warnings:?}");
            assert_eq!(theme.style(Role::Added), built_in("base16", Depth::Ansi16).style(Role::Added), "{file}");
        }
    }

    #[test]
    fn code_has_the_colours_that_the_terminal_has() {
        let blue = Colour::Rgb(0, 0, 255);
        let style = |depth| {
            let theme = built_in("dark", depth);
            (theme.coloured(Style::default(), blue).fg, theme.syntax_theme().to_owned())
        };
        assert_eq!(style(Depth::None), (None, "none".into()));
        assert_eq!(style(Depth::Ansi16), (Some(Color::Indexed(4)), "ansi".into()));
        assert_eq!(style(Depth::Ansi256).0, Some(Color::Indexed(21)));
        assert_eq!(style(Depth::True).0, Some(Color::Rgb(0, 0, 255)));
    }
}
