//! The parts of a unified diff: what kind a line is, the numbers of a hunk, the words that differ between two lines, and
//! the line numbers of both sides, which no code can mix up.

mod heading;
mod hunk_header;
pub mod words;

pub use heading::{Headings, Rules};
pub use hunk_header::HunkHeader;

/// A line number of the old side, as git counts them: from 1. Saturates instead of overflowing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OldLine(pub u64);

/// A line number of the new side, as git counts them: from 1. Saturates instead of overflowing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NewLine(pub u64);

/// What a line of a hunk says about the two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LineKind {
    /// On both sides.
    Context,
    /// On the new side only: `+`.
    Added,
    /// On the old side only: `-`.
    Removed,
    /// `\ No newline at end of file`: says something about the line before it.
    NoNewline,
}
