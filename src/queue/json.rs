//! The same queue as JSON: what a program gives and takes.

use std::collections::BTreeMap;
use std::io;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::ser::{CharEscape, Formatter, Serializer};

use super::cell::{escape, is_risky};
use super::item::{Batch, Item};

/// One line of JSON, without its end. What may not stand in the table is `\u` and four digits here, too, so that it can
/// be printed.
///
/// # Errors
/// When `value` cannot be JSON: a map whose keys are no text.
pub fn to_json(value: &impl Serialize) -> Result<String, serde_json::Error> {
    let mut text = Vec::new();
    value.serialize(&mut Serializer::with_formatter(&mut text, Printable))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Read a queue from JSON. Other keys are passed over.
///
/// # Errors
/// What is not of this shape: cells that are neither text nor null, an occurrence that is no number from 0 to 4294967295,
/// a key that is there twice.
pub fn from_json(text: &[u8]) -> Result<Batch, serde_json::Error> {
    let BatchObject { session, items, .. } = serde_json::from_slice(text)?;
    Ok(Batch { session, items: items.into_iter().map(ItemObject::into_item).collect() })
}

/// A batch as an object. Flattened structs take nothing else, while others can also be lists.
#[derive(Deserialize)]
struct BatchObject {
    #[serde(default)]
    session: Option<String>,
    items: Vec<ItemObject>,
    #[serde(flatten)]
    _others: BTreeMap<String, IgnoredAny>,
}

/// An item as an object.
#[derive(Deserialize)]
struct ItemObject {
    #[serde(default)]
    kind: Option<String>,
    #[serde(default)]
    file: Option<String>,
    #[serde(default)]
    heading: Option<String>,
    #[serde(default)]
    occurrence: Option<u32>,
    #[serde(default)]
    quote: Option<String>,
    #[serde(default)]
    note: Option<String>,
    #[serde(flatten)]
    _others: BTreeMap<String, IgnoredAny>,
}

impl ItemObject {
    fn into_item(self) -> Item {
        let Self { kind, file, heading, occurrence, quote, note, .. } = self;
        Item { kind, file, heading, occurrence: occurrence.unwrap_or_default(), quote, note }
    }
}

/// `json`, the text of any JSON value, with what a terminal would obey as escapes: it reads the same.
#[must_use]
pub fn printable(json: &str) -> String {
    // Outside of strings only line ends are risky, and inside no line ends.
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        if c != '\n' && is_risky(c) {
            text.push_str(&escape(c));
        } else {
            text.push(c);
        }
    }
    text
}

/// Writes no blanks between tokens, and escapes what a terminal would obey.
struct Printable;

impl Formatter for Printable {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| is_risky(*c)) {
            writer.write_all(&rest.as_bytes()[..at])?;
            writer.write_all(escape(c).as_bytes())?;
            rest = &rest[at + c.len_utf8()..];
        }
        writer.write_all(rest.as_bytes())
    }

    fn write_char_escape<W: ?Sized + io::Write>(&mut self, writer: &mut W, escaped: CharEscape) -> io::Result<()> {
        match escaped {
            CharEscape::Quote => writer.write_all(b"\\\""),
            CharEscape::ReverseSolidus => writer.write_all(b"\\\\"),
            CharEscape::Tab => writer.write_all(b"\\t"),
            CharEscape::Solidus => writer.write_all(b"/"),
            CharEscape::Backspace => writer.write_all(escape('\x08').as_bytes()),
            CharEscape::FormFeed => writer.write_all(escape('\x0c').as_bytes()),
            CharEscape::LineFeed => writer.write_all(escape('\n').as_bytes()),
            CharEscape::CarriageReturn => writer.write_all(escape('\r').as_bytes()),
            CharEscape::AsciiControl(byte) => writer.write_all(escape(byte.into()).as_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_cells_are_left_out() {
        let item = Item { kind: Some("chat".into()), note: Some(String::new()), ..Item::default() };
        for (session, want) in [
            (None, r#"{"items":[{"kind":"chat","occurrence":0,"note":""}]}"#),
            (Some("é".to_owned()), r#"{"session":"é","items":[{"kind":"chat","occurrence":0,"note":""}]}"#),
        ] {
            assert_eq!(to_json(&Batch { session, items: vec![item.clone()] }).unwrap(), want);
        }
    }

    #[test]
    fn nothing_that_a_terminal_obeys_is_printed() {
        let text = "\"\\/\t\n\r\u{8}\u{c}\u{1b}\0é\u{7f}\u{9b}\u{2028}\u{202e}x\u{2066}\u{200f}";
        let want =
            "\"\\\"\\\\/\\t\\u000a\\u000d\\u0008\\u000c\\u001b\\u0000é\\u007f\\u009b\\u2028\\u202ex\\u2066\u{200f}\"";
        let json = to_json(&text).unwrap();
        assert_eq!(json, want);
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }

    #[test]
    fn only_this_shape_is_read() {
        for text in [
            "",
            "null",
            "[]",
            "[null,[]]",
            "{}",
            r#"{"items":null}"#,
            r#"{"items":[["chat",null,null,0,null,null]]}"#,
            r#"{"items":{}}"#,
            r#"{"items":[],"items":[]}"#,
            r#"{"items":[]} x"#,
            r#"{"items":[],"session":1}"#,
            r#"{"items":[{"note":1}]}"#,
            r#"{"items":[{"note":["a"]}]}"#,
            r#"{"items":[{"note":"a","note":"b"}]}"#,
            r#"{"items":[{"note":"\ud800"}]}"#,
            r#"{"items":[{"occurrence":"0"}]}"#,
            r#"{"items":[{"occurrence":-1}]}"#,
            r#"{"items":[{"occurrence":1.5}]}"#,
            r#"{"items":[{"occurrence":4294967296}]}"#,
        ] {
            assert!(from_json(text.as_bytes()).is_err(), "{text}");
        }
        assert!(from_json(b"{\"items\":[{\"note\":\"\xff\"}]}").is_err());
    }

    #[test]
    fn other_keys_are_passed_over() {
        let text = r#" {"v":[1,{"items":2}],"items":[{"note":"a","where":{"lines":"1-2"},"file":null},{"occurrence":null}],
            "session":null}"#;
        let items = vec![Item { note: Some("a".into()), ..Item::default() }, Item::default()];
        assert_eq!(from_json(text.as_bytes()).unwrap(), Batch { session: None, items });
    }
}
