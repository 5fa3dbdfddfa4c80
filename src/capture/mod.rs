//! From a selection to a note of the queue: the text as it stands in one version of a file, what it stands under, and
//! which of several equal texts it is.
//!
//! An agent opens the file and searches for the quote, so that is an exact slice of it, short enough to be read, and
//! never empty. What cannot be searched for becomes a note on the whole file with the lines beside it.

mod again;
mod heading;
mod quote;

pub use again::{Neighbours, REACH, find_again, reads};
pub use heading::{Heading, is_markdown, outline};

use crate::diff::{NewLine, OldLine};
use crate::document::{Side, patch};
use crate::queue::Item;
use crate::text::lines::line_index;

/// One version of a file, in which something is selected.
#[derive(Debug, Clone, Copy)]
pub struct Version<'a> {
    /// Where it is in this version, from the top of the work tree, with `/` between folders.
    pub path: &'a [u8],
    /// Where the agent finds the file: of a renamed one the new path.
    pub file: &'a [u8],
    /// The side of the diff: [`Side::Old`] for what is only there, else [`Side::New`].
    pub side: Side,
    /// The version's name for the agent: `worktree`, `index`, the digits of a commit, or `patch`.
    pub rev: &'a str,
    /// All of it.
    pub text: &'a [u8],
    /// What the diff has behind the second `@@` of the hunk, for want of something better.
    pub hunk_heading: Option<&'a str>,
}

/// Lines of one version, counted from 1, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lines {
    /// The side of the diff.
    pub side: Side,
    /// The first.
    pub first: u64,
    /// The last.
    pub last: u64,
}

/// What a selection becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Captured {
    /// The note.
    pub item: Item,
    /// All lines that were selected, also where the quote is shorter. A note on no file has none.
    pub lines: Option<Lines>,
    /// How often the quote is in the file; 0 without one.
    pub matches: usize,
}

impl Lines {
    /// What a selection in a diff is about: the lines of the new side, which are adjacent in the file; where there is
    /// none, those of the old side. Takes the numbers of each selected line, in order.
    pub fn selected(lines: impl IntoIterator<Item = (Option<OldLine>, Option<NewLine>)>) -> Option<Self> {
        let (mut old, mut new) = (None, None);
        let extended =
            |found: Option<(u64, u64)>, line: u64| Some(found.map_or((line, line), |(first, _)| (first, line)));
        for line in lines {
            match line {
                (_, Some(NewLine(line))) => new = extended(new, line),
                (Some(OldLine(line)), None) => old = extended(old, line),
                (None, None) => {}
            }
        }
        let of = |side| move |(first, last)| Self { side, first, last };
        new.map(of(Side::New)).or(old.map(of(Side::Old)))
    }

    /// Where these lines are in `text`, without the end of the last; cut where the text ends.
    #[must_use]
    pub fn range(self, text: &[u8]) -> std::ops::Range<usize> {
        let mut ends = std::iter::once(0).chain(memchr::memchr_iter(b'\n', text).map(|at| at + 1));
        let nth = |index: u64| usize::try_from(index).unwrap_or(usize::MAX);
        let skipped = nth(self.first.saturating_sub(1));
        let start = ends.nth(skipped).unwrap_or(text.len());
        let end = match nth(self.last.saturating_sub(self.first)) {
            0 => start,
            more => ends.nth(more - 1).unwrap_or(text.len()),
        };
        start..quote::line_end(text, end)
    }

    /// The lines that the bytes of `range` are in.
    fn around(side: Side, text: &[u8], range: &std::ops::Range<usize>) -> Self {
        let number = |at: usize| line_index(text, at) as u64 + 1;
        // The end of the last line is not in the range: one that ends in it goes on to the line below, which is empty.
        Self { side, first: number(range.start), last: number(range.end) }
    }
}

/// A note on the bytes of `selection` in a version of a file.
///
/// The quote is what is selected, of a long selection its first lines. A selection of blank lines takes a line beside
/// them along, and one whose text overlaps itself where it is found grows by lines until a search from the top finds it.
#[must_use]
pub fn capture(version: &Version<'_>, selection: std::ops::Range<usize>, note: &str) -> Captured {
    let text = version.text;
    let end = selection.end.min(text.len());
    let selection = selection.start.min(end)..end;
    let note = match version.side {
        Side::Old => {
            let rev = if version.rev == "index" { "" } else { version.rev };
            format!("[removed lines, see {rev}:{}] {note}", shown(version.path))
        }
        _ => note.to_owned(),
    };
    let mut item = on_file(version.file, &note);
    if item.file.is_none() {
        return Captured { item, lines: None, matches: 0 };
    }
    let lines = Some(Lines::around(version.side, text, &selection));
    let Some(quote) = quote::find(text, selection) else {
        return Captured { item, lines, matches: 0 };
    };
    item.heading = heading::above(version, quote.range.start);
    item.occurrence = quote.occurrence;
    item.quote = Some(quote.text);
    Captured { item, lines, matches: quote.matches }
}

/// A note on a whole file. One whose path cannot stand in the table names it in its text.
#[must_use]
pub fn on_file(path: &[u8], note: &str) -> Item {
    match plain(path) {
        Some(path) => Item {
            kind: Some(Item::ANNO.to_owned()),
            file: Some(path.to_owned()),
            note: Some(note.to_owned()),
            ..Item::default()
        },
        None => on_nothing(&format!("{}: {note}", shown(path))),
    }
}

/// A general comment.
#[must_use]
pub fn on_nothing(note: &str) -> Item {
    Item { kind: Some(Item::CHAT.to_owned()), note: Some(note.to_owned()), ..Item::default() }
}

/// A path that an agent can open as it is written.
fn plain(path: &[u8]) -> Option<&str> {
    std::str::from_utf8(path).ok().filter(|path| !path.is_empty() && !path.contains(char::is_control))
}

/// A path as somebody can read it, quoted as git does where it is not plain.
fn shown(path: &[u8]) -> String {
    let quoted = || String::from_utf8_lossy(&patch::quoted(b"", path)).into_owned();
    plain(path).map_or_else(quoted, str::to_owned)
}

#[cfg(test)]
mod tests;
