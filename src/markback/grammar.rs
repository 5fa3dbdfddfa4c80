//! What a single line says, apart from where it stands: `%` lines, `@` lines, compact records and feedback.
//!
//! Every function takes the text of a line without trailing blanks, and none looks further than that.

use std::borrow::Cow;
use std::iter;

use super::line::{find_blank, is_blank, markers, trim, trim_start};
use super::record::Action;

/// The two `"` triples that open and close a fence.
pub(super) const FENCE: &str = "\"\"\"";

/// `%keyword`, or `%keyword value`: the keyword and the value, which may be empty. `None` when malformed.
pub(super) fn file_header(line: &str) -> Option<(&str, &str)> {
    let (keyword, rest) = keyword(line.strip_prefix('%')?)?;
    (rest.is_empty() || rest.starts_with(is_blank)).then(|| (keyword, trim(rest)))
}

/// `@keyword value`: the keyword and the value, which is not empty. `None` when malformed.
#[inline]
pub(super) fn header(line: &str) -> Option<(&str, &str)> {
    let (keyword, rest) = keyword(line.strip_prefix('@')?)?;
    let value = trim_start(rest);
    (value.len() < rest.len() && !value.is_empty()).then_some((keyword, value))
}

/// Lower-case letters and hyphens, a letter first; and what stands behind them.
#[inline]
fn keyword(text: &str) -> Option<(&str, &str)> {
    let len = text.bytes().take_while(|byte| byte.is_ascii_lowercase() || *byte == b'-').count();
    text.starts_with(|char: char| char.is_ascii_lowercase()).then(|| text.split_at(len))
}

/// Whether `keyword` could be written as a header that the format does not know.
#[inline]
pub(super) fn is_keyword(text: &str) -> bool {
    keyword(text).is_some_and(|(_, rest)| rest.is_empty())
}

/// A compact record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Compact<'a> {
    /// The keyword: `file`, or `source` in files of version 1.
    pub(super) keyword: &'a str,
    /// The path with its range; neither empty nor with blanks at its ends.
    pub(super) path: &'a str,
    /// What stands behind the first `<<<` that is between blanks, without blanks in front.
    pub(super) feedback: &'a str,
}

/// `@file PATH <<< feedback`. `None` when malformed.
pub(super) fn compact(line: &str) -> Option<Compact<'_>> {
    let (keyword, rest) =
        ["@file", "@source"].into_iter().find_map(|sigil| line.strip_prefix(sigil).map(|rest| (&sigil[1..], rest)))?;
    let start = rest.len() - trim_start(rest).len();
    let at = markers(rest).find(|&at| {
        let behind = &rest[at + 3..];
        at > start && rest[..at].ends_with(is_blank) && (behind.is_empty() || behind.starts_with(is_blank))
    })?;
    let path = trim(&rest[..at]);
    (start > 0).then(|| Compact { keyword, path, feedback: trim_start(&rest[at + 3..]) })
}

/// What stands behind the `<<<` at the start of a line.
pub(super) fn feedback(line: &str) -> &str {
    trim_start(line.strip_prefix("<<<").unwrap_or(line))
}

/// A version: ASCII digits, without zeros in front.
pub(super) fn version(value: &str) -> Option<&str> {
    let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let digits = value.trim_start_matches('0');
    let shown = if digits.is_empty() { "0" } else { digits };
    Some(shown).filter(|_| is_number)
}

/// The blank-separated words of a value.
pub(super) fn tokens(value: &str) -> impl Iterator<Item = &str> {
    let mut rest = value;
    iter::from_fn(move || {
        let (token, behind) = first_word(trim_start(rest));
        rest = behind;
        (!token.is_empty()).then_some(token)
    })
}

/// What stands in front of the first blank of `text`, and the rest from there on.
#[inline]
fn first_word(text: &str) -> (&str, &str) {
    text.split_at(find_blank(text).unwrap_or(text.len()))
}

/// `verb timestamp actor`; `None` without a timestamp.
pub(super) fn action(value: &str) -> Option<Action<'_>> {
    let (verb, rest) = first_word(value);
    let (timestamp, actor) = first_word(trim_start(rest));
    let actor = Some(trim_start(actor)).filter(|actor| !actor.is_empty());
    (!rest.is_empty()).then(|| Action {
        verb: verb.into(),
        timestamp: timestamp.into(),
        actor: actor.map(Cow::Borrowed),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_headers() {
        assert_eq!(file_header("%scope  a b"), Some(("scope", "a b")));
        assert_eq!(file_header("%covers\t./a b/*.py"), Some(("covers", "./a b/*.py")));
        assert_eq!(file_header("%x-y"), Some(("x-y", "")));
        for line in ["%", "% x", "%50 off", "%MARKBACK 2", "%markback2", "%-x a"] {
            assert_eq!(file_header(line), None, "{line}");
        }
    }

    #[test]
    fn headers() {
        assert_eq!(header("@id \t a  b"), Some(("id", "a  b")));
        assert_eq!(header("@reply-to\u{a0}x"), Some(("reply-to", "x")));
        for line in ["@", "@id", "@ID x", "@id2 x", "@reply_to x", "@-a x", "@ id x"] {
            assert_eq!(header(line), None, "{line}");
        }
    }

    #[test]
    fn compact_records() {
        let read = |line| compact(line).map(|compact| (compact.keyword, compact.path, compact.feedback));
        assert_eq!(read("@file a <<< b"), Some(("file", "a", "b")));
        assert_eq!(read("@source\ta b \t<<<"), Some(("source", "a b", "")));
        assert_eq!(read("@file my file <<< name.txt <<< fb"), Some(("file", "my file", "name.txt <<< fb")));
        assert_eq!(read("@file a<<<b <<< c"), Some(("file", "a<<<b", "c")));
        assert_eq!(read("@file a <<<< <<< c"), Some(("file", "a <<<<", "c")));
        assert_eq!(read("@file <<< a <<< c"), Some(("file", "<<< a", "c")));
        for line in ["@file a<<< x", "@file <<< x", "@file a <<<x", "@files a <<< x", "@filename x <<< y"] {
            assert_eq!(read(line), None, "{line}");
        }
    }

    #[test]
    fn actions() {
        let read = |value| action(value).map(|action| (action.verb, action.timestamp, action.actor));
        assert_eq!(read("created"), None);
        assert_eq!(read("created \t 2026"), Some(("created".into(), "2026".into(), None)));
        assert_eq!(read("a b  C  D"), Some(("a".into(), "b".into(), Some("C  D".into()))));
    }

    #[test]
    fn feedback_starts_behind_the_blanks() {
        for (line, text) in [("<<<", ""), ("<<<x", "x"), ("<<< \t x", "x"), ("<<<<<<< HEAD", "<<<< HEAD")] {
            assert_eq!(feedback(line), text);
        }
    }
}
