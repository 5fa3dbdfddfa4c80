//! What theme files say, and those that come with the program.

use ratatui::style::Modifier;
use toml::{Table, Value};

use super::super::colour::{Colour, UnknownColour};
use super::{Look, Role, Shade};

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

/// The files of a theme, itself first, `base16` last.
pub(super) fn chain(
    name: &str,
    find: &impl Fn(&str) -> Option<String>,
    warnings: &mut Vec<String>,
) -> Vec<(String, Table)> {
    let built_in = |name: &str| BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned());
    let mut chain = Vec::new();
    let mut next = name.to_owned();
    while chain.len() < MAX_CHAIN {
        let table = match find(&format!("{next}.toml")).or_else(|| built_in(&next)).map(|text| text.parse::<Table>()) {
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
pub(super) fn look_in(file: &str, table: &Table, role: &str, warnings: &mut Vec<String>) -> Option<Look> {
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
    fn a_theme_of_a_reader_inherits_and_is_never_refused() {
        let file = "inherits = \"dark\"\n[roles]\nadded = { fg = \"#102030\", bold = true, blink = true }\n\
                    removed = { fg = \"crimson\" }\nnew-role = {}\nkey = 3\n";
        let find = |name: &str| (name == "mine.toml").then(|| file.to_owned());
        let (theme, warnings) = Theme::load("mine", Depth::True, find);
        assert_eq!(warnings.len(), 4, "{warnings:?}");
        assert_eq!(theme.style(Role::Added).fg, Some(Color::Rgb(16, 32, 48)));
        assert_eq!(theme.style(Role::Key), built_in("dark", Depth::True).style(Role::Key));
        assert_eq!(theme.style(Role::Text), Theme::load("dark", Depth::True, |_| None).0.style(Role::Text));
        for (file, warning) in [("inherits = \"mine\"", "circle"), ("inherits = \"x\"", "no theme x"), ("[", "mine:")] {
            let (theme, warnings) =
                Theme::load("mine", Depth::Ansi16, |name| (name == "mine.toml").then(|| file.into()));
            assert!(warnings.iter().any(|line| line.contains(warning)), "{warnings:?}");
            assert_eq!(theme.style(Role::Added), built_in("base16", Depth::Ansi16).style(Role::Added), "{file}");
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
