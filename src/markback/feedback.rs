//! The convention by which a feedback may be more than prose (section 8 of the format): a label, attributes and a comment
//! between semicolons, or JSON.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::de::IgnoredAny;

use super::line::{trim, trim_end};

/// Between two parts.
const SEPARATOR: &str = "; ";

/// A feedback by its parts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Structured<'a> {
    /// The first part that is no attribute.
    pub label: Option<&'a str>,
    /// The parts of the form `key=value`; of two with the same key the last one counts.
    pub attributes: BTreeMap<&'a str, Cow<'a, str>>,
    /// The other parts, joined as they were separated.
    pub comment: Option<String>,
}

impl<'a> Structured<'a> {
    /// Take `feedback` apart. Total and linear: prose is a label, and perhaps a comment.
    #[must_use]
    pub fn parse(feedback: &'a str) -> Self {
        let mut structured = Self::default();
        for part in parts(feedback) {
            match part {
                Part::Attribute { key, value, .. } => drop(structured.attributes.insert(key, value)),
                Part::Text(text) if structured.label.is_none() => structured.label = Some(text),
                Part::Text(text) => match &mut structured.comment {
                    None => structured.comment = Some(text.to_owned()),
                    Some(comment) => {
                        comment.push_str(SEPARATOR);
                        comment.push_str(text);
                    }
                },
            }
        }
        structured
    }
}

/// What follows `json:` in a feedback that says it is JSON.
pub(super) fn json(feedback: &str) -> Option<&str> {
    feedback.strip_prefix("json:")
}

/// Whether `text` is one JSON text by RFC 8259, however deep and however large its numbers.
#[must_use]
pub fn is_json(text: &str) -> bool {
    // To ignore a value is to look at its grammar alone, and that without recursion.
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// Whether the quoted value of an attribute is never closed (E008).
pub(super) fn has_open_quote(feedback: &str) -> bool {
    let quotes = memchr::memchr_iter(b'"', feedback.as_bytes());
    let has_one = quotes.into_iter().any(|at| feedback[..at].ends_with('='));
    has_one && parts(feedback).any(|part| matches!(part, Part::Attribute { is_open: true, .. }))
}

enum Part<'a> {
    Attribute { key: &'a str, value: Cow<'a, str>, is_open: bool },
    Text(&'a str),
}

/// The parts of `text` that are not empty. No byte is looked at more often than a few times.
fn parts(text: &str) -> impl Iterator<Item = Part<'_>> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        loop {
            let (part, behind) = next_part(rest?);
            rest = behind;
            if part.is_some() {
                return part;
            }
        }
    })
}

/// The part that `text` begins with (`None`: an empty one), and what stands behind its separator, if there is one.
fn next_part(text: &str) -> (Option<Part<'_>>, Option<&str>) {
    let end = separator(text).unwrap_or(text.len());
    let Some(equals) = memchr::memchr(b'=', &text.as_bytes()[..end]) else {
        let part = trim(&text[..end]);
        return ((!part.is_empty()).then_some(Part::Text(part)), text.get(end + SEPARATOR.len()..));
    };
    let key = trim(&text[..equals]);
    let value = &text[equals + 1..];
    if !value.starts_with('"') {
        let (value, behind) = (trim_end(&text[equals + 1..end]), text.get(end + SEPARATOR.len()..));
        return (Some(Part::Attribute { key, value: value.into(), is_open: false }), behind);
    }
    let Some(quoted) = quoted_len(value) else {
        let value = trim_end(value).into();
        return (Some(Part::Attribute { key, value, is_open: true }), None);
    };
    let end = separator(&value[quoted..]).map_or(value.len(), |at| quoted + at);
    let behind = value.get(end + SEPARATOR.len()..);
    let whole = trim_end(&value[..end]);
    let value = if whole.len() == quoted { unquoted(whole) } else { whole.into() };
    (Some(Part::Attribute { key, value, is_open: false }), behind)
}

/// Where the first separator of `text` stands.
fn separator(text: &str) -> Option<usize> {
    let text = text.as_bytes();
    memchr::memchr_iter(b';', text).find(|at| text[*at..].starts_with(SEPARATOR.as_bytes()))
}

/// The length of the quoted string that `text` begins with, both quotes included; `None` when it is never closed.
fn quoted_len(text: &str) -> Option<usize> {
    let mut bytes = text.bytes().enumerate().skip(1);
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => return Some(at + 1),
            b'\\' if text[at + 1..].starts_with(['"', '\\']) => drop(bytes.next()),
            _ => {}
        }
    }
    None
}

/// What stands between the quotes of `text`, escapes resolved.
fn unquoted(text: &str) -> Cow<'_, str> {
    let inner = &text[1..text.len() - 1];
    if !inner.contains('\\') {
        return inner.into();
    }
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.chars().peekable();
    while let Some(char) = chars.next() {
        let escaped = chars.next_if(|next| char == '\\' && ['"', '\\'].contains(next));
        out.push(escaped.unwrap_or(char));
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `label|comment|key=value,…`.
    fn read(feedback: &str) -> String {
        let Structured { label, attributes, comment } = Structured::parse(feedback);
        let attributes: Vec<String> = attributes.iter().map(|(key, value)| format!("{key}={value}")).collect();
        format!("{}|{}|{}", label.unwrap_or(""), comment.unwrap_or_default(), attributes.join(","))
    }

    #[test]
    fn labels_attributes_and_comments() {
        for (feedback, expected) in [
            ("positive", "positive||"),
            ("negative; use more formal language", "negative|use more formal language|"),
            ("good; quality=high", "good||quality=high"),
            ("bad; tone=casual; needs more; detail", "bad|needs more; detail|tone=casual"),
            ("a;b", "a;b||"),
            ("; ; a ;  b; ", "a|b|"),
            ("x=1; x=2; y=", "||x=2,y="),
            (" k =v ", "||k=v"),
            ("k= \"a; b\"", "b\"||k= \"a"),
            ("note=\"a; b=c\"; z=1", "||note=a; b=c,z=1"),
            ("note=\"say \\\"hi\\\" \\\\ \\n\"", "||note=say \"hi\" \\ \\n"),
            ("note=\"q\" tail; y", "y||note=\"q\" tail"),
            ("note=\"open; y", "||note=\"open; y"),
            ("it is 5\" wide; a", "it is 5\" wide|a|"),
            ("one\ntwo; a=b\nc", "one\ntwo||a=b\nc"),
            ("", "||"),
        ] {
            assert_eq!(read(feedback), expected, "{feedback}");
        }
    }

    #[test]
    fn a_quote_is_open_only_where_a_value_begins() {
        for (feedback, is_open) in [
            ("a=\"b", true),
            ("a=\"b\\\"", true),
            ("a=\"b\\\\\"", false),
            ("a=\"b\"; c=\"d; e", true),
            ("a=\"b\"", false),
            ("5\" and a=b\"", false),
            ("say \"a; b=c", false),
            ("a=b=\"c", false),
        ] {
            assert_eq!(has_open_quote(feedback), is_open, "{feedback}");
        }
    }

    #[test]
    fn json_is_what_the_standard_says() {
        let deep = "[".repeat(200_000) + &"]".repeat(200_000);
        for text in ["{}", " [1, 2] ", "1e999999", "\"\\ud800\"", "-0", &deep] {
            assert!(is_json(text), "{}", &text[..text.len().min(20)]);
        }
        for text in
            ["", "NaN", "Infinity", "{a:1}", "[1,]", "01", "1 2", "'a'", "\u{a0}{}", "\"a\tb\"", "[".repeat(9).as_str()]
        {
            assert!(!is_json(text), "{text}");
        }
    }
}
