//! The fences around the frontmatter: what is between them, and what their lack means.

use std::ops::Range;

use super::{Finding, Meta};
use crate::document::Section;
use crate::document::parse::directive::is_fence;
use crate::document::parse::split;
use crate::text::Span;

/// The bytes between the fences of the frontmatter at `span`.
pub(super) fn between_fences(head: &Section, span: Span) -> Range<usize> {
    let bytes = span.of(&head.text);
    let first = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |at| at + 1);
    let last = memchr::memrchr(b'\n', bytes.strip_suffix(b"\n").unwrap_or(bytes)).map_or(first, |at| at + 1);
    let start = span.start as usize;
    start + first..start + last.max(first)
}

/// Where line `index`, counted from 0, starts.
pub(super) fn nth_line(text: &[u8], index: usize) -> usize {
    let before = index.checked_sub(1);
    before.and_then(|before| memchr::memchr_iter(b'\n', text).nth(before)).map_or(0, |at| at + 1)
}

/// The metadata of a head without frontmatter: none, and why.
pub(super) fn unfenced(head: &Section) -> Meta {
    let start = split::bom_len(&head.text);
    let line = head.text[start..].split(|byte| *byte == b'\n').next().unwrap_or_default();
    let (code, message) = if is_fence(line) {
        ("frontmatter-unterminated", "The frontmatter has no closing `---`: close it behind its last key.")
    } else {
        ("frontmatter-missing", "The first line must be `---`, with the metadata below it: `whymark: 1` and a title.")
    };
    let finding = Finding { code, at: 0, message: message.to_owned(), fix: None };
    Meta { findings: vec![finding], ..Meta::default() }
}
