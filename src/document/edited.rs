//! A document after an edit: only the parts that the edit could have changed are split and read again.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;

use super::{Document, Place, Section, parse};
use crate::text::edit::{Edit, Splice};
use crate::text::lines::Newline;

/// The bytes at the start of a section that make it one: `@file` and what follows.
const OPENING: usize = 6;

/// The document after `edit`.
pub(super) fn edited(document: &Document, edit: &Edit) -> Document {
    if edit.is_empty() {
        return document.clone();
    }
    let starts = starts(document);
    let groups = groups(&starts, edit.splices());
    let mut parts = Vec::with_capacity(document.parts.len());
    let mut done = 0;
    for group in groups {
        parts.extend_from_slice(&document.parts[done..group.parts.start]);
        let base = starts[group.parts.start];
        let text = Bytes::from(spliced(&document.parts[group.parts.clone()], base, group.splices));
        if group.parts.start == 0 && newline_after(document, &text, group.parts.end) != Some(document.newline) {
            return Document::parse(edit.apply(&document.to_bytes()));
        }
        let ranges = if group.parts.start == 0 {
            parse::split::document(&text, document.newline)
        } else {
            parse::split::sections(&text)
        };
        let is_end = group.parts.end == document.parts.len();
        let last = ranges.len() - 1;
        for (at, range) in ranges.into_iter().enumerate() {
            let place = Place { is_head: parts.is_empty(), is_last: is_end && at == last };
            parts.push(Arc::new(Section::placed(text.slice(range), document.newline, place)));
        }
        done = group.parts.end;
    }
    parts.extend_from_slice(&document.parts[done..]);
    Document { parts, newline: document.newline, ids: OnceLock::new() }
}

/// How lines end when the document begins with `text`; `None` when the first line lies further on.
fn newline_after(document: &Document, text: &[u8], parts_end: usize) -> Option<Newline> {
    let is_whole = parts_end == document.parts.len();
    (is_whole || text.contains(&b'\n')).then(|| Newline::detect(text))
}

/// Where each part starts, and where the last one ends.
fn starts(document: &Document) -> Vec<usize> {
    let mut at = 0;
    let mut starts = vec![0];
    starts.extend(document.parts.iter().map(|part| {
        at += part.text.len();
        at
    }));
    starts
}

/// Neighbouring parts and the splices that touch them.
struct Group<'a> {
    parts: Range<usize>,
    splices: &'a [Splice],
}

/// Which parts to read again. A splice touches the parts that hold or border its range; near the start of a section it
/// may take that section's opening away, so the one before belongs to it; and the head stays with what follows it,
/// because a hunk may have opened that.
fn groups<'a>(starts: &[usize], splices: &'a [Splice]) -> Vec<Group<'a>> {
    let count = starts.len() - 1;
    let mut groups: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for (at, splice) in splices.iter().enumerate() {
        let opening = splice.range.start.saturating_sub(OPENING);
        let mut first = starts[..count].partition_point(|start| *start < opening).saturating_sub(1);
        let mut end = starts[..count].partition_point(|start| *start <= splice.range.end);
        if first <= 1 {
            first = 0;
            end = end.max(2).min(count);
        }
        match groups.last_mut() {
            Some((parts, range)) if first < parts.end => {
                parts.end = parts.end.max(end);
                range.end = at + 1;
            }
            _ => groups.push((first..end, at..at + 1)),
        }
    }
    groups.into_iter().map(|(parts, range)| Group { parts, splices: &splices[range] }).collect()
}

/// The text of `parts`, which begins at `base`, after `splices`.
fn spliced(parts: &[Arc<Section>], base: usize, splices: &[Splice]) -> Vec<u8> {
    let text: Vec<u8> = parts.iter().flat_map(|part| part.text.once()).collect();
    let local = |splice: &Splice| Splice {
        range: splice.range.start - base..splice.range.end - base,
        with: splice.with.clone(),
    };
    Edit::new(splices.iter().map(local).collect()).apply(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "---\ntitle: x\n---\n@file a\n@@ -1 +1,2 @@\n a\n+b\n\n@file b\n@note file\nwhy: x\n@file c\n";

    /// The parts after `with` took the place of the first `old`, and how many of them are shared.
    fn edit(text: &str, old: &str, with: &str) -> (Vec<String>, usize) {
        let document = Document::parse(text.to_owned());
        let at = text.find(old).expect("the example holds it");
        let edit = Edit::replace(at..at + old.len(), with);
        let after = document.edited(&edit);
        let whole = Document::parse(edit.apply(text.as_bytes()));
        let texts = |document: &Document| {
            let parts = document.parts.iter();
            parts.map(|part| (String::from_utf8_lossy(&part.text).into_owned(), part.place)).collect::<Vec<_>>()
        };
        assert_eq!(texts(&after), texts(&whole), "{old:?} -> {with:?}");
        let shared = after.parts.iter().filter(|part| document.parts.iter().any(|old| Arc::ptr_eq(old, part))).count();
        (texts(&after).into_iter().map(|part| part.0).collect(), shared)
    }

    #[test]
    fn only_what_is_touched_is_read_again() {
        assert_eq!(edit(TEXT, "why: x", "why: y").1, 3);
        assert_eq!(edit(TEXT, "+b\n", "+b\n+c\n").1, 2);
        assert_eq!(edit(TEXT, "@file b", "file b").0.len(), 3);
        assert_eq!(edit(TEXT, "\n\n@file b", "@file b").0.len(), 3);
        assert_eq!(edit(TEXT, "@note file", "@file d").0.len(), 5);
        assert_eq!(edit(TEXT, TEXT, "").0, [""]);
        assert_eq!(edit(TEXT, "---\n@file a", "--\n@@\n@file a").0.len(), 5);
        assert_eq!(edit("@@ x\n+a\n", "@@ x", "x").0, ["x\n+a\n"]);
        assert_eq!(edit(TEXT, "---\n", "---\r\n").1, 0);
    }
}
