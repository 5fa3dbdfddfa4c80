//! The `@file` line made to say what another one says, in place: what git does not decide stays (section 3).

use std::borrow::Cow;

use crate::document::parse::file::{is_count, tokens};
use crate::document::parse::token::{Token, unquote};
use crate::document::{FileHeader, FileStatus, Section};
use crate::text::Span;
use crate::text::edit::Splice;
use crate::text::lines::Newline;

/// What git decides on an `@file` line, besides the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Item {
    Status,
    Added,
    Removed,
    From,
    OldSha,
    NewSha,
    OldMode,
    NewMode,
    Binary,
}

const ITEMS: [Item; 9] = [
    Item::Status,
    Item::Added,
    Item::Removed,
    Item::From,
    Item::OldSha,
    Item::NewSha,
    Item::OldMode,
    Item::NewMode,
    Item::Binary,
];

impl Item {
    fn of(text: &[u8], token: Token) -> Option<Self> {
        let word = token.span.of(text);
        match token.pair().map(|(key, _)| key.of(text)) {
            Some(b"from") => Some(Self::From),
            Some(b"oldsha") => Some(Self::OldSha),
            Some(b"newsha") => Some(Self::NewSha),
            Some(b"oldmode") => Some(Self::OldMode),
            Some(b"newmode") => Some(Self::NewMode),
            None if FileStatus::from_word(word).is_some() => Some(Self::Status),
            None if word == b"binary" => Some(Self::Binary),
            None if is_count(word) => Some(if word.starts_with(b"+") { Self::Added } else { Self::Removed }),
            Some(_) | None => None,
        }
    }
}

/// The words of an `@file` line.
struct Words<'a> {
    text: &'a [u8],
    path: Option<Span>,
    words: Vec<(Option<Item>, Token)>,
}

impl<'a> Words<'a> {
    fn of(section: &'a Section, header: &FileHeader) -> Self {
        let text = section.text().as_ref();
        let mut tokens = tokens(text, header.span);
        let path = tokens.path();
        Self { text, path, words: tokens.map(|token| (Item::of(text, token), token)).collect() }
    }

    fn all(&self, item: Item) -> impl Iterator<Item = Token> {
        self.words.iter().filter(move |(one, _)| *one == Some(item)).map(|(_, token)| *token)
    }

    /// The one that counts.
    fn last(&self, item: Item) -> Option<Token> {
        self.all(item).last()
    }

    /// What `token` says, without quotes.
    fn value(&self, token: Token) -> Cow<'a, [u8]> {
        unquote(token.pair().map_or(token.span, |(_, value)| value).of(self.text))
    }
}

/// Whether the `@file` line of `section` says something that git does not: a language, or a word of somebody's own.
pub(crate) fn says_more(section: &Section) -> bool {
    let is_other = |header: &FileHeader| Words::of(section, header).words.iter().any(|(item, _)| item.is_none());
    section.tree().file.as_ref().is_some_and(is_other)
}

/// A section of the same file as `section`, in which nothing changes.
pub(crate) fn without_diff(section: &Section) -> Section {
    let path = section.tree().file.as_ref().and_then(|header| Words::of(section, header).path);
    let path = path.map_or(&b""[..], |path| path.of(section.text()));
    Section::file([b"@file ", path, b" context\n"].concat(), Newline::Lf)
}

/// The splices, in offsets of `section`, after which its `@file` line says what that of `wanted` says. Counts are only
/// brought up to date where they stand; ids of another length stay as long as they agree.
pub(crate) fn file_line(section: &Section, wanted: &Section) -> Vec<Splice> {
    let (Some(header), Some(want)) = (&section.tree().file, &wanted.tree().file) else { return Vec::new() };
    let (is, shall) = (Words::of(section, header), Words::of(wanted, want));
    let mut splices = Vec::new();
    if header.path != want.path
        && let (Some(old), Some(new)) = (is.path, shall.path)
    {
        splices.push(Splice { range: old.range(), with: new.of(shall.text).to_vec() });
    }
    let last = is.words.last().map(|(_, token)| token.span).or(is.path).unwrap_or(header.span);
    let mut further = Vec::new();
    for item in ITEMS {
        match (is.last(item), shall.last(item)) {
            (None, None) => {}
            (None, Some(_)) if item == Item::Status && header.status == want.status => {}
            (None, Some(_)) if matches!(item, Item::Added | Item::Removed) => {}
            (None, Some(new)) => {
                further.push(b' ');
                further.extend_from_slice(new.span.of(shall.text));
            }
            (Some(old), Some(new)) => {
                let (old_value, new_value) = (is.value(old), shall.value(new));
                let is_id = matches!(item, Item::OldSha | Item::NewSha);
                if old_value != new_value && !(is_id && ids_agree(&old_value, &new_value)) {
                    splices.push(Splice { range: old.span.range(), with: new.span.of(shall.text).to_vec() });
                }
            }
            (Some(_), None) => splices.extend(is.all(item).map(|token| {
                let start = token.span.start as usize;
                let lead = is.text[..start].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
                Splice { range: start - lead..token.span.end as usize, with: Vec::new() }
            })),
        }
    }
    if !further.is_empty() {
        let end = last.end as usize;
        splices.push(Splice { range: end..end, with: further });
    }
    splices
}

/// Whether two abbreviated ids are of one object: the shorter one, which is long enough to tell, begins the longer.
pub(crate) fn ids_agree(left: &[u8], right: &[u8]) -> bool {
    /// What git never goes below.
    const SHORTEST: usize = 4;
    let is_id = |id: &[u8]| id.len() >= SHORTEST && id.iter().all(u8::is_ascii_hexdigit);
    let shared = left.len().min(right.len());
    is_id(left) && is_id(right) && left[..shared].eq_ignore_ascii_case(&right[..shared])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::edit::Edit;

    #[test]
    fn only_what_git_decides_changes() {
        for (is, shall, want) in [
            ("a modified +1 -2 newsha=1111111", "a modified +3 -4 newsha=2222222", "a modified +3 -4 newsha=2222222"),
            ("a", "a modified +3 -4 oldsha=1111 newsha=2222", "a oldsha=1111 newsha=2222"),
            ("a  newsha=22 lang=c  x=y word", "a added newsha=3333333", "a  newsha=3333333 lang=c  x=y word added"),
            ("a newsha=3333333333", "a modified newsha=3333333", "a newsha=3333333333"),
            ("\"a\" modified", "a modified", "\"a\" modified"),
            ("a from=c oldmode=100755 +1 binary x", "a modified", "a x modified"),
            ("a added added newsha=1111 newsha=2222 x", "a context", "a added context x"),
            ("b modified lang=c", "\"a b\" renamed from=b", "\"a b\" renamed lang=c from=b"),
        ] {
            let section = |text: &str| Section::file(format!("@file {text}\r\n"), Newline::CrLf);
            let (is, shall) = (section(is), section(shall));
            let after = Edit::new(file_line(&is, &shall)).apply(is.text());
            assert_eq!(String::from_utf8_lossy(&after), format!("@file {want}\r\n"));
            let after = section(want);
            assert_eq!(file_line(&after, &shall), [], "{want}: once is enough");
        }
    }

    #[test]
    fn ids() {
        assert!(ids_agree(b"1a2b3c4", b"1A2b3c4d") && !ids_agree(b"1a2b3c4", b"1a2b3c5"));
        assert!(!ids_agree(b"1a", b"1a2b3c4") && !ids_agree(b"", b"") && !ids_agree(b"words", b"words"));
    }
}
