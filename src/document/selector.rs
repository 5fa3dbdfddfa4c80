//! What a note is about: lines of one side, a file, or the whole change (section 5 of the format).

/// The side of the diff, or the whole, that a note names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// Lines of the new side.
    New,
    /// Lines of the old side.
    Old,
    /// The file as a whole.
    File,
    /// The whole change.
    Doc,
}

/// What a note is about. `start` and `end` are 0 for a file and for the whole change; numbers saturate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Selector {
    /// Which lines, or what else.
    pub side: Side,
    /// The first line, counted from 1.
    pub start: u64,
    /// The last line; not before `start`.
    pub end: u64,
}
