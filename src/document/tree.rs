//! The tree of one section: spans over its text, and the typed reading of them.
//!
//! A tree never holds a copy of what is in the text, and every byte of the text belongs to exactly one leaf
//! ([`Tree::leaves`]): broken lines, comments and blank lines included.

use std::iter;
use std::ops::Range;

use bstr::BString;

use super::hunk_lines::HunkLines;
use super::selector::Selector;
use crate::diff::{LineKind, NewLine, OldLine};
use crate::text::Span;

/// One section, read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree {
    /// What stands in the section, in the order of the text.
    pub blocks: Vec<Block>,
    /// The `@file` line; `None` in the head, and in a section that a hunk without `@file` opened.
    pub file: Option<FileHeader>,
    /// The hunks, in order.
    pub hunks: Vec<Hunk>,
    /// The lines of all hunks, in order; [`Hunk::lines`] are ranges of it.
    pub lines: HunkLines,
    /// The notes, in order.
    pub notes: Vec<Note>,
    /// The `@check` lines, in order.
    pub checks: Vec<Span>,
}

impl Tree {
    /// The lines of `hunk`.
    #[must_use]
    pub fn hunk_lines(&self, hunk: &Hunk) -> &[HunkLine] {
        &self.lines[hunk.lines.start as usize..hunk.lines.end as usize]
    }

    /// The changed lines, as ascending indices into [`Tree::lines`].
    pub fn changes(&self) -> impl Iterator<Item = u32> + '_ {
        (0u32..).zip(self.lines.iter()).filter(|(_, line)| line.is_change()).map(|(index, _)| index)
    }

    /// The hunk, by index, that the line with index `line` is in.
    #[must_use]
    pub fn hunk_at(&self, line: u32) -> Option<usize> {
        let at = self.hunks.partition_point(|hunk| hunk.lines.end <= line);
        self.hunks.get(at).filter(|hunk| hunk.lines.contains(&line)).map(|_| at)
    }

    /// The smallest spans, in order: joined they are the text, byte for byte.
    pub fn leaves(&self) -> impl Iterator<Item = Span> + '_ {
        self.blocks.iter().flat_map(move |block| {
            let (first, lines, note) = match *block {
                Block::Bom(span)
                | Block::Frontmatter(span)
                | Block::File(span)
                | Block::Comment(span)
                | Block::Blank(span)
                | Block::Stray(span) => (span, &[][..], &[][..]),
                Block::Check(index) => (self.checks[index as usize], &[][..], &[][..]),
                Block::Hunk(index) => {
                    let hunk = &self.hunks[index as usize];
                    (hunk.header, self.hunk_lines(hunk), &[][..])
                }
                Block::Note(index) => {
                    let note = &self.notes[index as usize];
                    (note.header, &[][..], &note.lines[..])
                }
            };
            iter::once(first).chain(lines.iter().map(|line| line.span)).chain(note.iter().map(|line| line.span))
        })
    }

    /// The span of `block`, everything in it included.
    #[must_use]
    pub fn span(&self, block: Block) -> Span {
        match block {
            Block::Bom(span)
            | Block::Frontmatter(span)
            | Block::File(span)
            | Block::Comment(span)
            | Block::Blank(span)
            | Block::Stray(span) => span,
            Block::Check(index) => self.checks[index as usize],
            Block::Note(index) => self.notes[index as usize].span,
            Block::Hunk(index) => {
                let hunk = &self.hunks[index as usize];
                self.hunk_lines(hunk).last().map_or(hunk.header, |line| hunk.header.to(line.span))
            }
        }
    }
}

/// A part of a section. Together, in order, the blocks tile the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Block {
    /// A byte order mark at the start of the document.
    Bom(Span),
    /// The frontmatter with both fences; only in the head.
    Frontmatter(Span),
    /// The `@file` line.
    File(Span),
    /// An index into [`Tree::hunks`].
    Hunk(u32),
    /// An index into [`Tree::notes`].
    Note(u32),
    /// An index into [`Tree::checks`].
    Check(u32),
    /// A line that begins with `#`.
    Comment(Span),
    /// A line of white space.
    Blank(Span),
    /// A line that belongs to nothing.
    Stray(Span),
}

/// The status word of an `@file` line (section 3 of the format).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum FileStatus {
    /// The file is new.
    Added,
    /// The file was changed in place.
    #[default]
    Modified,
    /// The file is gone.
    Deleted,
    /// The file has another path than before.
    Renamed,
    /// The file is shown for background, nothing in it changed.
    Context,
}

impl FileStatus {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Added, Self::Modified, Self::Deleted, Self::Renamed, Self::Context];

    /// The word in the file.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Modified => "modified",
            Self::Deleted => "deleted",
            Self::Renamed => "renamed",
            Self::Context => "context",
        }
    }

    /// The status that `word` names; words are exact.
    #[must_use]
    pub fn from_word(word: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str().as_bytes() == word)
    }
}

/// An `@file` line (section 3). Of a repeated item the last one counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileHeader {
    /// The line, terminator included.
    pub span: Span,
    /// The path, unquoted; `(unknown)` when there is none.
    pub path: BString,
    /// The path before a rename, unquoted.
    pub old_path: Option<BString>,
    /// The status, as read.
    pub status: FileStatus,
    /// The abbreviated blob id of the old side.
    pub old_sha: Option<Span>,
    /// The abbreviated blob id of the new side.
    pub new_sha: Option<Span>,
    /// The language, where the file says it.
    pub lang: Option<Span>,
    /// Whether the content is not text.
    pub binary: bool,
    /// The mode before, in git's octal notation, where it is not plain 100644.
    pub old_mode: Option<u32>,
    /// The mode after, likewise.
    pub new_mode: Option<u32>,
}

impl FileHeader {
    /// The mode of a plain file, in git's notation: the one that is not written down.
    pub const PLAIN: u32 = 0o100_644;
}

/// A hunk (section 4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// The `@@` line, terminator included.
    pub header: Span,
    /// The text behind the ranges, trimmed.
    pub heading: Span,
    /// Whether the header has no ranges, so that the numbers continue from the hunk before.
    pub loose: bool,
    /// First line of the old side as the header says, or as continued.
    pub old_start: u64,
    /// Number of lines of the old side as the header says; 0 when loose.
    pub old_lines: u64,
    /// First line of the new side as the header says, or as continued.
    pub new_start: u64,
    /// Number of lines of the new side as the header says; 0 when loose.
    pub new_lines: u64,
    /// The number that the first counted line of the old side has (behind an empty side this is `old_start + 1`).
    pub first_old: u64,
    /// The number that the first counted line of the new side has.
    pub first_new: u64,
    /// The lines, as indices into [`Tree::lines`].
    pub lines: Range<u32>,
    /// Lines of kind added that are really there.
    pub added: u32,
    /// Lines of kind removed that are really there.
    pub removed: u32,
    /// Context lines that are really there.
    pub context: u32,
}

impl Hunk {
    /// How many lines of the old and of the new side are really there.
    #[must_use]
    pub fn sides(&self) -> (u64, u64) {
        let context = u64::from(self.context);
        (context + u64::from(self.removed), context + u64::from(self.added))
    }

    /// The numbers of the first lines behind it, of the old and of the new side.
    #[must_use]
    pub fn end(&self) -> (u64, u64) {
        let (old, new) = self.sides();
        (self.first_old.saturating_add(old), self.first_new.saturating_add(new))
    }

    /// The ranges as git writes them, both numbers of a side always there; `@@` when there are none.
    #[must_use]
    pub fn ranges(&self) -> String {
        if self.loose {
            return "@@".to_owned();
        }
        format!("@@ -{},{} +{},{} @@", self.old_start, self.old_lines, self.new_start, self.new_lines)
    }
}

/// What a line inside a hunk is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HunkLineKind {
    /// A line with its prefix, or (`Context` only) an empty line that stands for an empty context line.
    Diff(LineKind),
    /// A context line that lost its prefix: the whole line is its text.
    Unprefixed,
    /// A blank line that separates; not content.
    Separator,
    /// A comment in the midst of a hunk.
    Comment,
    /// A line that belongs to nothing, in the midst of a hunk.
    Stray,
}

/// A line of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HunkLine {
    /// The line, prefix and terminator included.
    pub span: Span,
    /// Lines of the old side that the hunk has before this one.
    pub old: u32,
    /// Lines of the new side that the hunk has before this one.
    pub new: u32,
    /// What it is.
    pub kind: HunkLineKind,
}

impl HunkLine {
    /// What it says about the sides; `None` for a line that is no content.
    #[must_use]
    pub fn diff_kind(&self) -> Option<LineKind> {
        match self.kind {
            HunkLineKind::Diff(kind) => Some(kind),
            HunkLineKind::Unprefixed => Some(LineKind::Context),
            HunkLineKind::Separator | HunkLineKind::Comment | HunkLineKind::Stray => None,
        }
    }

    /// Whether it is a changed line: on one side alone.
    #[must_use]
    pub fn is_change(&self) -> bool {
        matches!(self.diff_kind(), Some(LineKind::Added | LineKind::Removed))
    }

    /// Its number on the old side of `hunk`, for context and removed lines.
    #[must_use]
    pub fn old_line(&self, hunk: &Hunk) -> Option<OldLine> {
        matches!(self.diff_kind()?, LineKind::Context | LineKind::Removed)
            .then(|| OldLine(hunk.first_old.saturating_add(u64::from(self.old))))
    }

    /// Its number on the new side of `hunk`, for context and added lines.
    #[must_use]
    pub fn new_line(&self, hunk: &Hunk) -> Option<NewLine> {
        matches!(self.diff_kind()?, LineKind::Context | LineKind::Added)
            .then(|| NewLine(hunk.first_new.saturating_add(u64::from(self.new))))
    }
}

/// An annotation (section 5): its header line, its fields and its body, as lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// From the `@note` to the last line before the next block; blank lines behind the last line of text are not in it.
    pub span: Span,
    /// The `@note` line, terminator included.
    pub header: Span,
    /// What it is about, as read.
    pub selector: Selector,
    /// The lines below the header, in order; they tile the rest of `span`.
    pub lines: Vec<NoteLine>,
}

/// A line of a note below its header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoteLine {
    /// The line, terminator included.
    pub span: Span,
    /// What it is.
    pub kind: NoteLineKind,
}

/// What a line of a note is (section 5.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteLineKind {
    /// `name: value`, the first line of a field.
    Field,
    /// A further line of the field above.
    Continuation,
    /// Free text.
    Body,
    /// White space; inside a body it is part of it.
    Blank,
}
