//! Text that knows no format: byte ranges, lines with their terminators, edits as values, display width.
//!
//! Text is bytes. Nothing here assumes UTF-8, and nothing here does I/O.

pub mod carry;
pub mod counted;
pub mod cursor;
pub mod edit;
mod glyph;
pub mod hash;
pub mod held;
pub mod lines;
pub mod near;
pub mod width;
mod wrap;
pub mod wrapped;

use std::ops::Range;

/// A half-open byte range `start..end` of one text.
///
/// Offsets are 32 bits: a text is a section of a document, and [`crate::store`] refuses files of 4 GiB and more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end`.
    #[must_use]
    #[inline]
    pub fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end, "a span runs forward");
        let offset = |at: usize| u32::try_from(at).expect("a text is smaller than 4 GiB");
        Self { start: offset(start), end: offset(end) }
    }

    /// The number of bytes.
    #[must_use]
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether there are no bytes in it.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The range as the standard library writes it.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The bytes of `text` in this range.
    #[must_use]
    pub fn of(self, text: &[u8]) -> &[u8] {
        &text[self.range()]
    }

    /// The smallest range that holds both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A line of a document, counted from 1. Not a line of either side of a diff: those are
/// [`OldLine`](crate::diff::OldLine) and [`NewLine`](crate::diff::NewLine).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineNo(pub u64);
