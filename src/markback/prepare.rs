//! A record from outside, as it will be read once it is written: what cannot be read back is refused.

use std::borrow::Cow;

use super::grammar;
use super::headers::{self, Unwritable};
use super::line::{self, LineClass, trim_end};
use super::record::Record;

/// `record` as it will be read, if it can be written: LF, no blank lines around the content, a path that fits its place.
///
/// # Errors
/// When a header would be read as something else, a line of the content as structure, or the path as more than a path.
pub(super) fn prepared<'a>(record: &'a Record<'_>) -> Result<Record<'a>, Unwritable> {
    headers::check(record)?;
    let content = record.content.as_deref().map(content).transpose()?.filter(|content| !content.is_empty());
    let path = record.file.as_deref().filter(|path| path.contains("<<<"));
    match path.filter(|path| content.is_some() || !is_compact_path(path)) {
        Some(path) => Err(Unwritable::Path(path.to_owned())),
        None => Ok(Record { content, feedback: unified(&record.feedback), ..record.clone() }),
    }
}

/// Whether the compact form gives `path` back.
fn is_compact_path(path: &str) -> bool {
    grammar::compact(&format!("@file {path} <<< x")).is_some_and(|compact| compact.path == path)
}

/// `text` as content is read: LF, without blank lines at its ends, the others empty.
fn content(text: &str) -> Result<Cow<'_, str>, Unwritable> {
    let text = unified(text);
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let trimmed = trim_end(line);
        match line::classify(trimmed, false) {
            LineClass::Blank if lines.is_empty() => {}
            LineClass::Blank => lines.push(""),
            LineClass::Content | LineClass::Header => lines.push(line),
            _ => return Err(Unwritable::Structure(trimmed.to_owned())),
        }
    }
    let kept = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    Ok(Cow::Owned(lines[..kept].join("\n")))
}

/// `text` with LF as its only line end.
pub(super) fn unified(text: &str) -> Cow<'_, str> {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n").into() } else { text.into() }
}
