//! What theme files say, and those that come with the program.

use std::collections::HashMap;

use ratatui::style::Modifier;
use toml::de::{DeTable, DeValue};

use super::super::colour::{Colour, UnknownColour};
use super::{Look, Role, Shade};
use crate::config::Problem;
use crate::text::near::did_you_mean;

/// The themes that come with the program: name and file.
pub const BUILT_IN: &[(&str, &str)] = &[
    ("base16", include_str!("../../../themes/base16.toml")),
    ("dark", include_str!("../../../themes/dark.toml")),
    ("light", include_str!("../../../themes/light.toml")),
    ("high-contrast", include_str!("../../../themes/high-contrast.toml")),
    ("colour-blind", include_str!("../../../themes/colour-blind.toml")),
    ("colour-blind-light", include_str!("../../../themes/colour-blind-light.toml")),
    ("solarized-dark", include_str!("../../../themes/solarized-dark.toml")),
    ("solarized-light", include_str!("../../../themes/solarized-light.toml")),
    ("gruvbox", include_str!("../../../themes/gruvbox.toml")),
    ("catppuccin-mocha", include_str!("../../../themes/catppuccin-mocha.toml")),
    ("catppuccin-latte", include_str!("../../../themes/catppuccin-latte.toml")),
    (PLAIN, include_str!("../../../themes/plain.toml")),
];

pub(super) const ROOT: &str = "base16";
/// What is used where no colour may be sent.
pub(super) const PLAIN: &str = "plain";
/// A chain of inherited themes ends here at the latest.
const MAX_CHAIN: usize = 8;

/// What a file says, as far as it can be read.
#[derive(Debug, Default)]
pub(super) struct ThemeFile {
    inherits: Option<String>,
    /// The theme that the colours of code are taken from.
    pub(super) syntax: Option<String>,
    looks: HashMap<&'static str, Look>,
}

impl ThemeFile {
    /// What the file says about a role, if it does.
    pub(super) fn look(&self, role: &str) -> Option<Look> {
        self.looks.get(role).copied()
    }

    /// Read the file of the theme `name`. What is wrong is left out, one entry after the other, and warned about.
    fn read(name: &str, text: &str, warnings: &mut Vec<String>) -> Self {
        let mut file = Self::default();
        let (table, errors) = DeTable::parse_recoverable(text);
        let at = |error: &toml::de::Error| error.span().map_or(0, |span| span.start);
        let mut faults: Vec<(usize, String)> =
            errors.iter().map(|error| (at(error), error.message().to_owned())).collect();
        for (key, value) in table.get_ref() {
            let word = || value.get_ref().as_str().map(ToOwned::to_owned);
            let (place, key) = (value.span().start, key.get_ref().as_ref());
            match (key, value.get_ref()) {
                ("inherits", DeValue::String(_)) => file.inherits = word(),
                ("syntax", DeValue::String(_)) => file.syntax = word(),
                ("roles", DeValue::Table(roles)) => file.read_roles(roles, &mut faults),
                ("inherits" | "syntax", _) => faults.push((place, format!("`{key}` is the name of a theme"))),
                ("roles", _) => faults.push((place, "`roles` is a table: write `[roles]`".to_owned())),
                _ => faults.push((place, format!("there is no `{key}` in a theme: use inherits, syntax, [roles]"))),
            }
        }
        faults.sort_by_key(|(place, _)| *place);
        // What is no TOML is no look either; once is enough.
        faults.dedup_by_key(|(place, _)| *place);
        let problems = faults.into_iter().map(|(place, message)| Problem::at(text, place, message));
        warnings.extend(problems.map(|problem| format!("theme {name}: {problem}")));
        file
    }

    fn read_roles(&mut self, roles: &DeTable<'_>, faults: &mut Vec<(usize, String)>) {
        for (key, value) in roles {
            let name = key.get_ref();
            let Some((_, role)) = Role::ALL.iter().find(|(_, known)| known == name) else {
                let hint = did_you_mean(name, Role::ALL.iter().map(|(_, known)| *known));
                faults.push((key.span().start, format!("there is no role `{name}`.{hint}")));
                continue;
            };
            match value.get_ref().as_table() {
                Some(stated) => self.looks.extend(look(role, stated, faults).map(|look| (*role, look))),
                None => {
                    let message = format!("`{role}` should be like {{ fg = \"red\", bold = true }}");
                    faults.push((value.span().start, message));
                }
            }
        }
    }
}

/// The files of a theme, itself first, `base16` last.
pub(super) fn chain(name: &str, find: &impl Fn(&str) -> Option<String>, warnings: &mut Vec<String>) -> Vec<ThemeFile> {
    let built_in = |name: &str| BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned());
    let mut chain = Vec::new();
    let mut next = name.to_owned();
    while chain.len() < MAX_CHAIN {
        let file = match find(&format!("{next}.toml")).or_else(|| built_in(&next)) {
            Some(text) => ThemeFile::read(&next, &text, warnings),
            None => {
                warnings.push(format!("there is no theme {next}; {ROOT} is used"));
                ThemeFile::default()
            }
        };
        let parent = file.inherits.clone().unwrap_or_else(|| ROOT.to_owned());
        chain.push(file);
        if next == ROOT {
            return chain;
        }
        next = parent;
    }
    warnings.push(format!("theme {name} inherits in a circle; {ROOT} ends it"));
    chain.extend(built_in(ROOT).map(|text| ThemeFile::read(ROOT, &text, warnings)));
    chain
}

/// What is stated about a role; `None` when nothing of it can be read, and the role is as if nobody had named it.
fn look(role: &str, stated: &DeTable<'_>, faults: &mut Vec<(usize, String)>) -> Option<Look> {
    let mut look = Look::default();
    let known = faults.len();
    for (key, value) in stated {
        let name = key.get_ref().as_ref();
        match (name, value.get_ref()) {
            ("fg" | "bg", DeValue::String(word)) => match shade(word) {
                Ok(shade) if name == "fg" => look.fg = shade,
                Ok(shade) => look.bg = shade,
                Err(error) => faults.push((value.span().start, format!("{role}.{name}: {error}"))),
            },
            (name, DeValue::Boolean(is_set)) if modifier(name).is_some() => {
                look.modifiers.set(modifier(name).unwrap_or_default(), *is_set);
            }
            ("fg" | "bg", _) => faults.push((value.span().start, format!("`{role}.{name}` is a colour, like \"red\""))),
            (name, _) if modifier(name).is_some() => {
                faults.push((value.span().start, format!("`{role}.{name}` is true or false")));
            }
            _ => faults.push((
                key.span().start,
                format!("`{role}.{name}` is not understood: there are fg, bg, bold, dim, italic, underline, reverse"),
            )),
        }
    }
    (stated.is_empty() || faults.len() - known < stated.len()).then_some(look)
}

/// A colour, perhaps followed by the ones of the palette of 256 and of the sixteen that stand for it.
fn shade(text: &str) -> Result<Shade, UnknownColour> {
    let mut words = text.split_ascii_whitespace();
    let colour = words.next().unwrap_or_default().parse()?;
    let (of_256, of_16) = (words.next().map(str::parse).transpose()?, words.next().map(str::parse).transpose()?);
    match (of_16, words.next()) {
        (Some(Colour::Indexed(16..) | Colour::Rgb(..)), _) | (_, Some(_)) => Err(UnknownColour(text.to_owned())),
        _ => Ok(Shade { colour, of_256, of_16 }),
    }
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
    use ratatui::style::{Color, Style};

    use super::super::super::colour::Depth;
    use super::super::Theme;
    use super::super::tests::built_in;
    use super::*;

    fn colours(style: Style) -> [Option<Color>; 2] {
        [style.fg, style.bg]
    }

    #[test]
    fn themes_that_come_with_the_program_are_right_at_every_depth() {
        for (name, text) in BUILT_IN {
            if *name == ROOT {
                let file = ThemeFile::read(name, text, &mut Vec::new());
                let missing = Role::ALL.iter().filter(|(_, role)| file.look(role).is_none());
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
    fn a_theme_of_a_reader_inherits_and_is_never_refused() {
        let file = "inherits = \"dark\"\n[roles]\nadded = { fg = \"#102030\", bold = true, blink = true }\n\
                    removed = { fg = \"crimson\" }\nnew-role = {}\nkey = 3\n";
        let find = |name: &str| (name == "mine.toml").then(|| file.to_owned());
        let (theme, warnings) = Theme::load("mine", Depth::True, find);
        assert_eq!(warnings.len(), 4, "{warnings:?}");
        assert_eq!(theme.style(Role::Added).fg, Some(Color::Rgb(16, 32, 48)));
        assert_eq!(theme.style(Role::Key), built_in("dark", Depth::True).style(Role::Key));
        assert_eq!(theme.style(Role::Text), Theme::load("dark", Depth::True, |_| None).0.style(Role::Text));
        for (file, warning) in [
            ("inherits = \"mine\"", "circle"),
            ("inherits = \"x\"", "no theme x"),
            ("[", "mine: line 1, column"),
            ("\ninherits = 3", "theme mine: line 2, column 12: `inherits` is the name"),
            ("rolls = 3", "no `rolls` in a theme"),
            ("[roles]\nadedd = {}", "Did you mean `added`?"),
            ("[roles]\nadded = { fg = 3 }", "line 2, column 16: `added.fg` is a colour"),
            ("[roles]\nadded = { bold = 3 }", "`added.bold` is true or false"),
        ] {
            let (theme, warnings) =
                Theme::load("mine", Depth::Ansi16, |name| (name == "mine.toml").then(|| file.into()));
            assert!(warnings.iter().any(|line| line.contains(warning)), "{warnings:?}");
            assert_eq!(theme.style(Role::Added), built_in("base16", Depth::Ansi16).style(Role::Added), "{file}");
        }
    }

    #[test]
    fn an_entry_that_is_wrong_falls_alone() {
        for wrong in ["removed = 3", "removed = { fg = 3 }", "= 3", "removed = { fg = \"crimson\" }"] {
            let file = format!("[roles]\nadded = {{ fg = \"#102030\" }}\n{wrong}\nnote = {{ fg = \"#010203\" }}\n");
            let (theme, warnings) =
                Theme::load("mine", Depth::True, |name| (name == "mine.toml").then(|| file.clone()));
            assert!(warnings.len() == 1 && warnings[0].contains("line 3, column "), "{warnings:?}");
            assert_eq!(theme.style(Role::Added).fg, Some(Color::Rgb(16, 32, 48)), "{wrong}");
            assert_eq!(theme.style(Role::Note).fg, Some(Color::Rgb(1, 2, 3)), "{wrong}");
        }
    }

    #[test]
    fn sixteen_colours_can_be_named_too() {
        let theme = built_in("colour-blind", Depth::Ansi16);
        assert_eq!(theme.style(Role::Added).bg, Some(Color::Indexed(4)));
        assert_eq!(theme.style(Role::ClaimFail).fg, Some(Color::Indexed(11)));
        assert!(shade("#102030 22 green").is_ok());
        for word in ["#102030 22 30", "#102030 22 green red", "#102030 crimson", ""] {
            assert!(shade(word).is_err(), "{word}");
        }
    }
}
