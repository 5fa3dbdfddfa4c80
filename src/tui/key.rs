//! A key as the program knows it, and how it is written. Terminals and their protocols are `decode`'s business.

use std::fmt;
use std::str::FromStr;

/// A key with its modifiers. One key has one value: [`Key::new`] folds what terminals cannot tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    code: Code,
    modifiers: Modifiers,
}

/// Which key it is, modifiers apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names on the keys")]
pub enum Code {
    /// What the key types, upper case when it does.
    Char(char),
    Enter,
    Esc,
    Tab,
    BackTab,
    Backspace,
    Delete,
    Insert,
    Left,
    Right,
    Up,
    Down,
    Home,
    End,
    PageUp,
    PageDown,
    /// F1 to F12 (more where a keyboard has them).
    F(u8),
}

/// The modifier keys held down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[expect(missing_docs, reason = "the names on the keys")]
pub struct Modifiers {
    pub ctrl: bool,
    pub alt: bool,
    pub shift: bool,
}

const NAMES: [(&str, Code); 16] = [
    ("space", Code::Char(' ')),
    ("enter", Code::Enter),
    ("esc", Code::Esc),
    ("tab", Code::Tab),
    ("backtab", Code::BackTab),
    ("backspace", Code::Backspace),
    ("delete", Code::Delete),
    ("insert", Code::Insert),
    ("left", Code::Left),
    ("right", Code::Right),
    ("up", Code::Up),
    ("down", Code::Down),
    ("home", Code::Home),
    ("end", Code::End),
    ("pgup", Code::PageUp),
    ("pgdn", Code::PageDown),
];

impl Key {
    /// The key, in the one form that it has here: shift is part of a letter, ctrl ignores it, the control letters that are
    /// a key of their own to a terminal (`ctrl-i`, `ctrl-m`, `ctrl-[`, `ctrl-h`) are that key, and those that send the
    /// same (`ctrl-]` and `ctrl-5`) are one.
    #[must_use]
    pub fn new(code: Code, modifiers: Modifiers) -> Self {
        let mut key = Self { code, modifiers };
        match code {
            Code::Char(c) if modifiers.ctrl => {
                key.code = Code::Char(match c {
                    '@' | '2' => ' ',
                    '4' => '\\',
                    '5' => ']',
                    '6' | '~' => '^',
                    '7' | '/' => '_',
                    '-' if modifiers.shift => '_',
                    c => single(c.to_lowercase()).unwrap_or(c),
                });
                key.modifiers.shift = false;
            }
            Code::Char(c) if modifiers.shift => {
                key.code = Code::Char(single(c.to_uppercase()).unwrap_or(c));
                key.modifiers.shift = false;
            }
            Code::Tab if modifiers.shift => key.code = Code::BackTab,
            _ => {}
        }
        if key.code == Code::BackTab {
            key.modifiers.shift = false;
        }
        let alias = match key.code {
            Code::Char('i') => Code::Tab,
            Code::Char('m') => Code::Enter,
            Code::Char('[') => Code::Esc,
            Code::Char('h') => Code::Backspace,
            _ => return key,
        };
        if key.modifiers.ctrl {
            Self { code: alias, modifiers: Modifiers { ctrl: false, ..key.modifiers } }
        } else {
            key
        }
    }

    /// The key without modifiers.
    #[must_use]
    pub fn plain(code: Code) -> Self {
        Self::new(code, Modifiers::default())
    }

    /// Which key it is.
    #[must_use]
    pub fn code(self) -> Code {
        self.code
    }

    /// The modifiers.
    #[must_use]
    pub fn modifiers(self) -> Modifiers {
        self.modifiers
    }

    /// What it types into a text, if it is a key that types.
    #[must_use]
    pub fn text(self) -> Option<char> {
        match self.code {
            Code::Char(c) if !self.modifiers.ctrl && !self.modifiers.alt => Some(c),
            _ => None,
        }
    }

    /// The key without alt: to most terminals `alt-j` and esc followed quickly by `j` are the same, so that where
    /// `alt-j` means nothing, the two keys were meant.
    #[must_use]
    pub fn after_esc(self) -> Option<Self> {
        self.modifiers.alt.then_some(Self { modifiers: Modifiers { alt: false, ..self.modifiers }, ..self })
    }
}

fn single(mut chars: impl Iterator<Item = char>) -> Option<char> {
    chars.next().filter(|_| chars.next().is_none())
}

/// A name that is no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no key")]
pub struct UnknownKey(pub String);

impl FromStr for Key {
    type Err = UnknownKey;

    fn from_str(name: &str) -> Result<Self, UnknownKey> {
        let mut modifiers = Modifiers::default();
        let mut rest = name;
        loop {
            let (flag, prefix) = match rest {
                _ if rest.starts_with("ctrl-") => (&mut modifiers.ctrl, "ctrl-"),
                _ if rest.starts_with("alt-") => (&mut modifiers.alt, "alt-"),
                _ if rest.starts_with("shift-") => (&mut modifiers.shift, "shift-"),
                _ => break,
            };
            *flag = true;
            rest = &rest[prefix.len()..];
        }
        let named = NAMES.iter().find(|(known, _)| *known == rest).map(|(_, code)| *code);
        let function = || rest.strip_prefix('f')?.parse().ok().filter(|number| (1..=35).contains(number)).map(Code::F);
        let typed = || single(rest.chars()).filter(|c| !c.is_control() && *c != ' ').map(Code::Char);
        let code = named.or_else(function).or_else(typed).ok_or_else(|| UnknownKey(name.to_owned()))?;
        Ok(Self::new(code, modifiers))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Modifiers { ctrl, alt, shift } = self.modifiers;
        for (held, name) in [(ctrl, "ctrl-"), (alt, "alt-"), (shift, "shift-")] {
            f.write_str(if held { name } else { "" })?;
        }
        match self.code {
            Code::F(number) => write!(f, "f{number}"),
            code => match NAMES.iter().find(|(_, known)| *known == code) {
                Some((name, _)) => f.write_str(name),
                None => match code {
                    Code::Char(c) => write!(f, "{c}"),
                    other => write!(f, "{other:?}"),
                },
            },
        }
    }
}

/// Read keys typed one after the other: a key by its name, `gg`, or several of these parted by blanks.
///
/// # Errors
/// When a word is neither a key nor a row of printable keys.
pub fn read_sequence(text: &str) -> Result<Vec<Key>, UnknownKey> {
    let mut keys = Vec::new();
    for word in text.split_ascii_whitespace() {
        match word.parse() {
            Ok(key) => keys.push(key),
            // A word with a modifier is a key misspelled, not a row of keys.
            Err(error) if word.contains('-') || word.chars().count() > 3 => return Err(error),
            Err(_) => keys.extend(word.chars().map(|c| Key::plain(Code::Char(c)))),
        }
    }
    if keys.is_empty() { Err(UnknownKey(text.to_owned())) } else { Ok(keys) }
}

/// Read keys as they are typed: each character is one, and a key that has a name stands in angle brackets, as in
/// `uua<tab>why<enter>` and `<ctrl-d>`. `<lt>` is the key `<`.
///
/// # Errors
/// When brackets hold no name of a key, or a character is none that a key types.
pub fn read_typed(text: &str) -> Result<Vec<Key>, UnknownKey> {
    let mut keys = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        let key = match c {
            '<' => {
                let name = rest.split_once('>').map_or(rest, |(name, _)| name);
                rest = rest.get(name.len() + 1..).ok_or_else(|| UnknownKey(format!("<{name}")))?;
                if name == "lt" { Key::plain(Code::Char('<')) } else { name.parse()? }
            }
            c if c.is_control() => return Err(UnknownKey(c.escape_default().to_string())),
            c => Key::plain(Code::Char(c)),
        };
        keys.push(key);
    }
    Ok(keys)
}

/// Write keys so that [`read_sequence`] reads them.
#[must_use]
pub fn write_sequence(keys: &[Key]) -> String {
    let is_typed = |key: &Key| key.text().is_some_and(|c| c != ' ' && c != '-');
    let names: Vec<String> = keys.iter().map(Key::to_string).collect();
    let joined = names.concat();
    let is_short = keys.len() <= 3 && keys.iter().all(is_typed) && (keys.len() == 1 || joined.parse::<Key>().is_err());
    if is_short { joined } else { names.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        let named = NAMES.iter().map(|(_, code)| *code).chain((1..=12).map(Code::F));
        for code in named.chain(['a', 'Z', '-', '?', 'é', '漢', '1'].map(Code::Char)) {
            for bits in 0..8 {
                let modifiers = Modifiers { ctrl: bits & 1 > 0, alt: bits & 2 > 0, shift: bits & 4 > 0 };
                let key = Key::new(code, modifiers);
                assert_eq!(key.to_string().parse(), Ok(key), "{key:?}");
                assert_eq!(read_sequence(&write_sequence(&[key, key])), Ok(vec![key, key]), "{key:?}");
            }
        }
    }

    #[test]
    fn one_key_has_one_value() {
        for (one, other) in [
            ("ctrl-i", "tab"),
            ("ctrl-m", "enter"),
            ("ctrl-[", "esc"),
            ("ctrl-h", "backspace"),
            ("shift-tab", "backtab"),
            ("shift-backtab", "backtab"),
            ("shift-a", "A"),
            ("ctrl-D", "ctrl-d"),
            ("alt-ctrl-x", "ctrl-alt-x"),
            ("ctrl-5", "ctrl-]"),
            ("ctrl-shift-6", "ctrl-^"),
            ("ctrl-/", "ctrl-_"),
            ("ctrl-@", "ctrl-space"),
        ] {
            assert_eq!(one.parse::<Key>(), other.parse(), "{one}");
        }
    }

    #[test]
    fn sequences() {
        for (text, count) in
            [("gg", 2), ("gA", 2), ("up", 1), ("u p", 2), ("ctrl-x ctrl-s", 2), ("-", 1), ("f1", 1), ("space gg", 3)]
        {
            assert_eq!(read_sequence(text).map(|keys| keys.len()), Ok(count), "{text}");
        }
        for text in ["", " ", "ctrl-", "crtl-d", "hyper-x", "return"] {
            assert!(read_sequence(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn keys_are_read_as_they_are_typed() {
        for (text, expected) in [
            ("uuj", &["u", "u", "j"][..]),
            ("a b<enter>", &["a", "space", "b", "enter"]),
            ("<ctrl-d><lt>><a>", &["ctrl-d", "<", ">", "a"]),
            ("漢<alt-enter>", &["漢", "alt-enter"]),
            ("", &[]),
        ] {
            let names = read_typed(text).map(|keys| keys.iter().map(Key::to_string).collect::<Vec<_>>());
            assert_eq!(names, Ok(expected.iter().map(ToString::to_string).collect()), "{text}");
        }
        for (text, fault) in [("a<", "<"), ("<esc", "<esc"), ("<escape>", "escape"), ("<>", ""), ("a\nb", "\\n")] {
            assert_eq!(read_typed(text), Err(UnknownKey(fault.to_owned())), "{text}");
        }
    }

    #[test]
    fn text_is_what_is_typed() {
        let text = |name: &str| name.parse::<Key>().ok().and_then(Key::text);
        assert_eq!((text("A"), text("space"), text("ctrl-a"), text("enter")), (Some('A'), Some(' '), None, None));
        assert_eq!("alt-j".parse::<Key>().ok().and_then(Key::after_esc), "j".parse().ok());
    }
}
