//! Findings about reviews, written for people and for the programs that collect them.

mod github;
mod json;
mod sarif;
mod text;

pub(super) use github::github;
pub(super) use json::json;
pub(super) use sarif::sarif;
pub(super) use text::text;

use bstr::ByteSlice;

use super::validate::Checked;
use crate::document::LineMap;
use crate::document::check::Located;

/// Where a finding is in its file.
struct Place {
    /// The line, from 1.
    line: u64,
    /// The column of its first character, from 1.
    column: u64,
    /// The column behind its last character in that line; at least one further.
    end_column: u64,
    /// The bytes of the line, without what ends it.
    text: std::ops::Range<usize>,
    /// The bytes of the line that it is about, counted from the start of the line; empty for the rest of it.
    range: std::ops::Range<usize>,
}

/// The places of a review's findings, in order.
fn places(checked: &Checked) -> impl Iterator<Item = (&Located, Place)> {
    let lines = LineMap::of(&checked.review.document);
    checked.found.iter().map(move |found| (found, place(checked, &lines, found)))
}

fn place(checked: &Checked, lines: &LineMap, found: &Located) -> Place {
    let (text, document) = (&checked.review.text[..], &checked.review.document);
    let range = &found.diagnostic.range;
    let at = range.start.min(text.len());
    let mut start = memchr::memrchr(b'\n', &text[..at]).map_or(0, |end| end + 1);
    if start == 0 && text.starts_with("\u{feff}".as_bytes()) {
        // A byte order mark is no part of the first line.
        start = "\u{feff}".len();
    }
    let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |len| at + len);
    let end = start.max(if text[..end].ends_with(b"\r") { end - 1 } else { end });
    let from = at.clamp(start, end);
    let until = if range.is_empty() { end } else { range.end.clamp(from, end) };
    let column = lines.column(document, at);
    Place {
        line: lines.line(at).0,
        column,
        end_column: column + (text[from..until].trim_ascii_end().chars().count() as u64).max(1),
        text: start..end,
        range: from - start..if range.is_empty() { from } else { until } - start,
    }
}
