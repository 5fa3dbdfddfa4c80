//! Which paths an argument of `--path` means: git's pathspecs, matched as git matches them. Pure.
//!
//! A spec that begins with a colon has magic: `:(top,icase,glob,exclude)…`, or in short `:/…` and `:!…`. Any other means
//! a file, what lies below a folder, or a pattern whose `*` goes over slashes too.

use bstr::{BStr, BString, ByteSlice as _};

use crate::error::Error;

/// One spec. Its pattern counts from the top of the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pathspec {
    pattern: BString,
    magic: Magic,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Magic {
    /// Counts from the top, wherever one is.
    top: bool,
    /// Leaves out what it matches.
    exclude: bool,
    /// Upper and lower case of ASCII are the same.
    icase: bool,
    /// `*` stops at a slash, and `**` goes over it.
    glob: bool,
    /// No character is special.
    literal: bool,
}

impl Pathspec {
    /// Read `spec`, which counts from the top.
    ///
    /// # Errors
    /// When it has magic that is not understood.
    pub(super) fn parse(spec: &[u8]) -> Result<Self, Error> {
        let (magic, pattern) = split(spec)?;
        Ok(Self { pattern: pattern.into(), magic })
    }

    /// `spec`, which counts from `folder` of the repository, as one that counts from the top.
    ///
    /// # Errors
    /// When it has magic that is not understood, or leads out of the repository.
    pub(super) fn from_folder(spec: &[u8], folder: &[u8]) -> Result<BString, Error> {
        let (magic, pattern) = split(spec)?;
        let is_special = |byte: &u8| !magic.literal && b"*?[\\".contains(byte);
        let mut names: Vec<BString> = Vec::new();
        if !magic.top {
            let escaped = |name: &[u8]| -> BString {
                name.iter()
                    .flat_map(|byte| is_special(byte).then_some(b'\\').into_iter().chain([*byte]))
                    .collect::<Vec<u8>>()
                    .into()
            };
            names.extend(folder.split(|byte| *byte == b'/').filter(|name| !name.is_empty()).map(escaped));
        }
        for name in pattern.split(|byte| *byte == b'/') {
            match name {
                b"" | b"." => {}
                b".." => {
                    let leads_out = || Error::OutsideRepository {
                        path: spec.to_str_lossy().into_owned().into(),
                        root: "its top".into(),
                    };
                    names.pop().ok_or_else(leads_out)?;
                }
                name => names.push(name.into()),
            }
        }
        let end = if pattern.ends_with(b"/") && !names.is_empty() { "/" } else { "" };
        Ok([magic.written().as_bytes(), &bstr::join("/", names), end.as_bytes()].concat().into())
    }

    /// As git reads it, wherever it runs.
    pub(super) fn written(&self) -> BString {
        let magic = Magic { top: true, ..self.magic };
        [magic.written().as_bytes(), &self.pattern].concat().into()
    }

    /// Whether this is a path, not that of the top, and nothing more.
    pub(super) fn is_plain(&self) -> bool {
        !self.pattern.is_empty() && self.magic == Magic::default() && !self.has_pattern()
    }

    fn has_pattern(&self) -> bool {
        !self.magic.literal && self.pattern.iter().any(|byte| b"*?[\\".contains(byte))
    }

    fn matches(&self, path: &BStr) -> bool {
        let pattern = self.pattern.as_slice();
        let start = path.get(..pattern.len()).is_some_and(|start| match self.magic.icase {
            true => start.eq_ignore_ascii_case(pattern),
            false => start == pattern,
        });
        let is_below = pattern.is_empty()
            || start && (pattern.ends_with(b"/") || matches!(path.get(pattern.len()), None | Some(b'/')));
        is_below || self.has_pattern() && Pattern { magic: self.magic }.matches(pattern, path)
    }
}

impl Magic {
    /// The long form; nothing without magic.
    fn written(self) -> String {
        let words = [
            (self.top, "top"),
            (self.exclude, "exclude"),
            (self.icase, "icase"),
            (self.glob, "glob"),
            (self.literal, "literal"),
        ];
        let words: Vec<&str> = words.into_iter().filter(|(is_set, _)| *is_set).map(|(_, word)| word).collect();
        if words.is_empty() { String::new() } else { format!(":({})", words.join(",")) }
    }
}

/// Magic and pattern of a spec.
fn split(spec: &[u8]) -> Result<(Magic, &[u8]), Error> {
    let refused = || Error::PathspecMagic { spec: spec.to_str_lossy().into_owned() };
    let mut magic = Magic::default();
    let Some(rest) = spec.strip_prefix(b":") else { return Ok((magic, spec)) };
    if let Some(long) = rest.strip_prefix(b"(") {
        let (words, pattern) = long.split_once_str(")").ok_or_else(refused)?;
        for word in words.split(|byte| *byte == b',').filter(|word| !word.is_empty()) {
            match word {
                b"top" => magic.top = true,
                b"exclude" => magic.exclude = true,
                b"icase" => magic.icase = true,
                b"glob" => magic.glob = true,
                b"literal" => magic.literal = true,
                _ => return Err(refused()),
            }
        }
        return if magic.glob && magic.literal { Err(refused()) } else { Ok((magic, pattern)) };
    }
    let mut at = 0;
    loop {
        match rest.get(at) {
            Some(b'/') => magic.top = true,
            Some(b'!' | b'^') => magic.exclude = true,
            Some(b':') => return Ok((magic, &rest[at + 1..])),
            // What could be a sign of later versions is no name.
            Some(byte) if byte.is_ascii_punctuation() && !b"_-.*?[\\".contains(byte) => return Err(refused()),
            _ => return Ok((magic, &rest[at..])),
        }
        at += 1;
    }
}

/// Several specs.
#[derive(Debug, Clone, Default)]
pub(super) struct Pathspecs(Vec<Pathspec>);

impl Pathspecs {
    /// Read `specs`, which count from the top. None means everything.
    ///
    /// # Errors
    /// When one has magic that is not understood.
    pub(super) fn parse(specs: &[BString]) -> Result<Self, Error> {
        specs.iter().map(|spec| Pathspec::parse(spec)).collect::<Result<_, _>>().map(Self)
    }

    /// Whether `path` is meant: by one of the specs, or by none that leaves out where there are only such.
    pub(super) fn matches(&self, path: &BStr) -> bool {
        let (out, wanted): (Vec<&Pathspec>, Vec<&Pathspec>) = self.0.iter().partition(|spec| spec.magic.exclude);
        (wanted.is_empty() || wanted.iter().any(|spec| spec.matches(path)))
            && !out.iter().any(|spec| spec.matches(path))
    }

    /// Each of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Pathspec> {
        self.0.iter()
    }
}

/// git's `wildmatch`.
struct Pattern {
    magic: Magic,
}

impl Pattern {
    /// Whether the whole of `text` is what `pattern` says. Steps back only to the last star of each kind, so the time is
    /// at most the product of the lengths.
    fn matches(&self, pattern: &[u8], text: &[u8]) -> bool {
        // Where the pattern goes on, by how far the text has been read: each star can give one more byte.
        let mut reached = vec![false; text.len() + 1];
        reached[0] = true;
        let mut at = 0;
        while at < pattern.len() {
            let before = at;
            reached = match pattern[at] {
                b'*' => {
                    while pattern.get(at) == Some(&b'*') {
                        at += 1;
                    }
                    self.star(pattern, before, &mut at, text, &reached)
                }
                _ => {
                    let (used, accepts) = self.one(&pattern[at..]);
                    at += used;
                    let step = |end: usize| end > 0 && reached[end - 1] && accepts(text[end - 1]);
                    (0..=text.len()).map(step).collect()
                }
            };
        }
        reached[text.len()]
    }

    /// Where the text may be read to behind stars that stand from `start` to `at`; a slash behind two of them is theirs.
    fn star(&self, pattern: &[u8], start: usize, at: &mut usize, text: &[u8], reached: &[bool]) -> Vec<bool> {
        let at_start = start == 0 || pattern[start - 1] == b'/';
        let at_end = matches!(pattern.get(*at), None | Some(b'/'));
        let is_double = *at - start >= 2;
        let over_slashes = !self.magic.glob || is_double && at_start && at_end;
        let mut after = reached.to_vec();
        for end in 1..=text.len() {
            after[end] |= after[end - 1] && (over_slashes || text[end - 1] != b'/');
        }
        if self.magic.glob && over_slashes && pattern.get(*at) == Some(&b'/') {
            // `**/` also means no folder at all: its slash is needed only behind something.
            *at += 1;
            let behind_slash = |end: usize| end > 0 && after[end - 1] && text[end - 1] == b'/';
            return (0..=text.len()).map(|end| reached[end] || behind_slash(end)).collect();
        }
        after
    }

    /// The length of the first element of `pattern`, and which bytes it stands for.
    fn one<'a>(&self, pattern: &'a [u8]) -> (usize, Box<dyn Fn(u8) -> bool + 'a>) {
        let Magic { icase, glob, .. } = self.magic;
        let fold = move |byte: u8| if icase { byte.to_ascii_lowercase() } else { byte };
        match pattern {
            [b'?', ..] => (1, Box::new(move |byte| !glob || byte != b'/')),
            [b'\\', byte, ..] => (2, Box::new(move |other| fold(*byte) == fold(other))),
            [b'[', rest @ ..] => match class(rest) {
                Some((len, class)) => {
                    let has = move |byte: u8| {
                        class.has(byte) || icase && byte.is_ascii_uppercase() && class.has(byte.to_ascii_lowercase())
                    };
                    (len + 1, Box::new(move |byte| has(byte) != class.is_negated && !(glob && byte == b'/')))
                }
                // A bracket that is not closed matches nothing.
                None => (pattern.len(), Box::new(|_| false)),
            },
            [byte, ..] => (1, Box::new(move |other| fold(*byte) == fold(other))),
            [] => (1, Box::new(|_| false)),
        }
    }
}

/// What stands between brackets.
#[derive(Clone, Copy)]
struct Class<'a> {
    is_negated: bool,
    inside: &'a [u8],
}

/// The class behind `[`, and its length with the closing bracket.
fn class(rest: &[u8]) -> Option<(usize, Class<'_>)> {
    let is_negated = matches!(rest.first(), Some(b'!' | b'^'));
    let start = usize::from(is_negated);
    let mut at = start;
    loop {
        match rest.get(at)? {
            b']' if at > start => return Some((at + 1, Class { is_negated, inside: &rest[start..at] })),
            b'\\' => at += 2,
            b'[' if rest.get(at + 1) == Some(&b':') => at += 2 + rest[at + 2..].find(b":]")? + 2,
            _ => at += 1,
        }
    }
}

impl Class<'_> {
    fn has(&self, byte: u8) -> bool {
        let mut rest = self.inside;
        loop {
            rest = match rest {
                [] => return false,
                [b'[', b':', tail @ ..] if tail.find(b":]").is_some() => {
                    let (name, tail) = tail.split_once_str(":]").unwrap_or((tail, b""));
                    if is_of(name, byte) {
                        return true;
                    }
                    tail
                }
                tail => {
                    let (low, tail) = literal(tail);
                    let (high, tail) = match tail {
                        [b'-', high @ ..] if !high.is_empty() => literal(high),
                        tail => (low, tail),
                    };
                    if (low..=high).contains(&byte) {
                        return true;
                    }
                    tail
                }
            };
        }
    }
}

/// The first byte of `text`, which is not empty, without a backslash in front.
fn literal(text: &[u8]) -> (u8, &[u8]) {
    match text {
        [b'\\', byte, rest @ ..] | [byte, rest @ ..] => (*byte, rest),
        [] => (0, text),
    }
}

fn is_of(class: &[u8], byte: u8) -> bool {
    match class {
        b"alnum" => byte.is_ascii_alphanumeric(),
        b"alpha" => byte.is_ascii_alphabetic(),
        b"blank" => matches!(byte, b' ' | b'\t'),
        b"cntrl" => byte.is_ascii_control(),
        b"digit" => byte.is_ascii_digit(),
        b"graph" => byte.is_ascii_graphic(),
        b"lower" => byte.is_ascii_lowercase(),
        b"print" => byte.is_ascii_graphic() || byte == b' ',
        b"punct" => byte.is_ascii_punctuation(),
        b"space" => byte.is_ascii_whitespace() || byte == 0x0b,
        b"upper" => byte.is_ascii_uppercase(),
        b"xdigit" => byte.is_ascii_hexdigit(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(specs: &[&str], path: &str) -> bool {
        let specs: Vec<BString> = specs.iter().map(|spec| BString::from(*spec)).collect();
        Pathspecs::parse(&specs).unwrap().matches(path.into())
    }

    #[test]
    fn paths_folders_and_patterns() {
        for (spec, path, is) in [
            ("", "any/thing", true),
            ("src", "src/a/b.rs", true),
            ("src/", "src/a", true),
            ("src/", "src", false),
            ("src", "src2/a", false),
            ("*.rs", "src/a.rs", true),
            ("*.rs", "src/a.md", false),
            ("[a].txt", "[a].txt", true),
            ("[a].txt", "a.txt", true),
            (r"\[a].txt", "[a].txt", true),
            ("a?c", "a/c", true),
            (":(glob)a?c", "a/c", false),
            (":(glob)*.rs", "src/a.rs", false),
            (":(glob)*.rs", "a.rs", true),
            (":(glob)**/*.rs", "a.rs", true),
            (":(glob)**/*.rs", "x/y/a.rs", true),
            (":(glob)src/**", "src/a/b", true),
            (":(glob)src/**/b", "src/b", true),
            (":(glob)src/**/b", "src/x/y/b", true),
            (":(glob)src/**/b", "srcx/b", false),
            (":(glob)a**b", "a/b", false),
            (":(icase)SRC/*.RS", "src/a.rs", true),
            (":(icase)Src", "sRC/a", true),
            (":(literal)*.rs", "a.rs", false),
            (":(literal)*.rs", "*.rs", true),
            (":/src", "src/a", true),
            ("[[:digit:]x-z]", "5", true),
            ("[[:digit:]x-z]", "y", true),
            ("[!a]", "b", true),
            ("[^a]", "a", false),
            ("[]a]", "]", true),
            ("[a", "[a", true),
            ("[a*", "[ab", false),
            ("a*b*c", "aXbYc", true),
            ("a*b*c", "aXbY", false),
        ] {
            assert_eq!(matches(&[spec], path), is, "{spec} {path}");
        }
    }

    #[test]
    fn what_is_left_out() {
        assert!(matches(&[":!docs"], "src/a") && !matches(&[":!docs"], "docs/a"));
        assert!(!matches(&["src", ":(exclude)*.md"], "src/a.md") && !matches(&["src", ":^*.md"], "b"));
        assert!(matches(&["src", ":!/src/x"], "src/y") && !matches(&["src", ":!/src/x"], "src/x"));
    }

    #[test]
    fn from_a_folder() {
        for (spec, want) in [
            (":(glob)*.rs", ":(glob)s*b/*.rs".replace("s*b", r"s\*b")),
            (":!../x/", ":(exclude)x/".to_owned()),
            (":/x", ":(top)x".to_owned()),
            (":(literal)x", ":(literal)s*b/x".to_owned()),
            (":x", r"s\*b/x".to_owned()),
        ] {
            assert_eq!(Pathspec::from_folder(spec.as_bytes(), b"s*b").unwrap(), want, "{spec}");
        }
        assert!(Pathspec::from_folder(b":!../../x", b"s*b").is_err());
    }

    #[test]
    fn other_magic_is_refused() {
        for spec in [":(attr:x)a", ":(glob", ":(glob,literal)a", ":%x"] {
            assert!(matches!(Pathspec::parse(spec.as_bytes()), Err(Error::PathspecMagic { .. })), "{spec}");
        }
    }
}
