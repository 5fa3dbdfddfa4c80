//! The globs of `%covers` (section 9 of the format), component by component. A general library reads braces, backslashes
//! and leading dots differently.

/// A pattern for paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob {
    /// Whether it counts from the root.
    pub(super) is_absolute: bool,
    /// What stands between its slashes.
    pub(super) parts: Vec<Part>,
}

/// A component of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// A name, `.` or `..`.
    Name(String),
    /// A name with wildcards.
    Wild(Vec<Token>),
    /// `**`.
    AnyFolders,
}

/// A piece of a name with wildcards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// This character.
    Char(char),
    /// `?`: any one.
    One,
    /// `*`: any number of any.
    Any,
    /// `[…]`: one of these ranges, or with `!` none of them.
    Set { ranges: Vec<(char, char)>, is_negated: bool },
}

impl Glob {
    /// Read `pattern`. Total: what is no wildcard stands for itself.
    #[must_use]
    pub fn parse(pattern: &str) -> Self {
        let parts = pattern.split('/').filter(|part| !part.is_empty()).map(Part::parse).collect();
        Self { is_absolute: pattern.starts_with('/'), parts }
    }
}

impl Part {
    fn parse(text: &str) -> Self {
        if text == "**" {
            return Self::AnyFolders;
        }
        let mut tokens = Vec::new();
        let mut chars = text.chars();
        while let Some(char) = chars.next() {
            tokens.push(match char {
                '?' => Token::One,
                '*' if tokens.last() == Some(&Token::Any) => continue,
                '*' => Token::Any,
                '[' => match set(chars.as_str()) {
                    Some((set, rest)) => {
                        chars = rest.chars();
                        set
                    }
                    None => Token::Char(char),
                },
                char => Token::Char(char),
            });
        }
        let is_name = tokens.iter().all(|token| matches!(token, Token::Char(_)));
        if is_name { Self::Name(text.to_owned()) } else { Self::Wild(tokens) }
    }
}

/// The set that follows a `[`, and what follows its `]`; `None` when there is none.
fn set(text: &str) -> Option<(Token, &str)> {
    let (is_negated, inner) = text.strip_prefix('!').map_or((false, text), |inner| (true, inner));
    // A `]` at the start stands for itself.
    let first = inner.chars().next()?.len_utf8();
    let end = first + inner[first..].find(']')?;
    let chars: Vec<char> = inner[..end].chars().collect();
    let mut ranges = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let is_range = at + 2 < chars.len() && chars[at + 1] == '-';
        ranges.push((chars[at], if is_range { chars[at + 2] } else { chars[at] }));
        at += if is_range { 3 } else { 1 };
    }
    Some((Token::Set { ranges, is_negated }, &inner[end + 1..]))
}

/// Whether a name with wildcards matches; none of these stands for a dot at the start.
pub(super) fn matches(tokens: &[Token], name: &str) -> bool {
    if name.starts_with('.') && tokens.first() != Some(&Token::Char('.')) {
        return false;
    }
    let name: Vec<char> = name.chars().collect();
    // Where to go on when the last `*` has to take one character more.
    let mut retry = None;
    let (mut token, mut at) = (0, 0);
    loop {
        let is_match = match tokens.get(token) {
            None => at == name.len(),
            Some(Token::Any) => {
                retry = Some((token, at));
                token += 1;
                continue;
            }
            Some(one) => name.get(at).is_some_and(|char| one.takes(*char)),
        };
        match (is_match, retry) {
            (true, _) if token == tokens.len() => return true,
            (true, _) => (token, at) = (token + 1, at + 1),
            (false, Some((star, from))) if from < name.len() => {
                retry = Some((star, from + 1));
                (token, at) = (star + 1, from + 1);
            }
            (false, _) => return false,
        }
    }
}

impl Token {
    /// Whether it stands for `char`, as long as it stands for one character.
    fn takes(&self, char: char) -> bool {
        match self {
            Self::Char(own) => *own == char,
            Self::One | Self::Any => true,
            Self::Set { ranges, is_negated } => {
                ranges.iter().any(|(first, last)| (*first..=*last).contains(&char)) != *is_negated
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_match(pattern: &str, name: &str) -> bool {
        match &Glob::parse(pattern).parts[..] {
            [Part::Wild(tokens)] => matches(tokens, name),
            [Part::Name(own)] => own == name,
            parts => panic!("{pattern} is one component, not {parts:?}"),
        }
    }

    #[test]
    fn names() {
        for (pattern, matching, others) in [
            ("*.py", &["a.py", "a.b.py"][..], &[".a.py", "py", "a.pyc", "a.py/"][..]),
            ("?", &["a", "\u{e9}"], &["", "ab", "."]),
            ("a*b*c", &["abc", "a-b-b-c"], &["ab", "acb", "abcd"]),
            ("[a-c]x", &["ax", "cx"], &["dx", "x"]),
            ("[!a-c]x", &["dx"], &["ax", ".x"]),
            ("[]x]", &["]", "x"], &["[", "a"]),
            ("[a-]", &["a", "-"], &["b"]),
            ("[a", &["[a"], &["a"]),
            ("*[", &["x["], &["x"]),
            (".*", &[".a"], &["a"]),
            ("{a,b}\\*", &["{a,b}\\x"], &["a", "{a,b}*"]),
            ("**a", &["xa"], &["x"]),
        ] {
            for name in matching {
                assert!(is_match(pattern, name), "{pattern} matches {name}");
            }
            for name in others {
                assert!(!is_match(pattern, name), "{pattern} does not match {name}");
            }
        }
    }

    #[test]
    fn many_stars_take_no_exponential_time() {
        assert!(!is_match(&("a*".repeat(100) + "b"), &"a".repeat(2000)));
    }
}
