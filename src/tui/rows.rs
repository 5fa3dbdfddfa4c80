//! The view-model: what stands on which row of a part. The only walk over files, hunks, lines and notes in screen
//! order; cursor, scrolling, drawing and the mouse all read it.
//!
//! Rows are kept as runs, so a hunk of a hundred thousand lines costs one entry and only visible rows cost anything.

use crate::document::tree::{Block, HunkLineKind, Tree};

/// What one row of the diff pane shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// A line of the review's own summary, by index.
    Prose(u32),
    /// The header of a file.
    File,
    /// Something about a file that no diff line says.
    Fact(Fact),
    /// A hunk header, by index.
    Hunk(u32),
    /// A line of a hunk, both by index.
    Line {
        /// The index into the tree's hunks.
        hunk: u32,
        /// The index into the tree's lines.
        line: u32,
    },
    /// A comment, a stray line or a check, by the index of its block.
    Text(u32),
    /// A row of a note's card that stands below its lines.
    Card {
        /// The index into the part's annotations.
        annotation: u32,
        /// The row of the card.
        row: u32,
    },
    /// An empty row between two parts.
    Gap,
}

/// What there is to say about a file besides its lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// The diff is still being computed.
    Pending,
    /// The diff could not be computed.
    Unread,
    /// The file has another path than before.
    Renamed,
    /// The mode has changed, or is not that of a plain file.
    Mode,
    /// The content is not text.
    Binary,
    /// There is nothing to show: an empty file.
    Empty,
}

impl Row {
    /// The row `steps` further down in the same run.
    fn advanced(self, steps: u32) -> Self {
        match self {
            Self::Prose(at) => Self::Prose(at + steps),
            Self::Line { hunk, line } => Self::Line { hunk, line: line + steps },
            Self::Card { annotation, row } => Self::Card { annotation, row: row + steps },
            other => other,
        }
    }

    /// Whether the cursor may stand on it.
    #[must_use]
    pub fn is_stop(self) -> bool {
        !matches!(self, Self::Card { .. } | Self::Gap)
    }
}

#[derive(Debug, Clone, Copy)]
struct Run {
    at: u32,
    first: Row,
}

/// The rows of one part.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    runs: Vec<Run>,
    len: u32,
    /// Where each run of lines starts: (line, row), ascending.
    lines: Vec<(u32, u32)>,
    /// Where the hunk headers stand: (hunk, row), ascending.
    hunks: Vec<(u32, u32)>,
}

/// What is put below the rows it belongs to: the cards of the narrow layout.
#[derive(Debug, Clone, Copy)]
pub struct Inset {
    /// The index of the line it stands below; `None` for the top of the part.
    pub after: Option<u32>,
    /// The annotation.
    pub annotation: u32,
    /// The number of rows.
    pub height: u32,
}

impl Rows {
    /// The rows of `tree`. `prose` is the number of summary rows, `facts` what is said about the file, and `insets`
    /// the cards to put in, ordered by where they stand. Hunks are left out where `hidden` says so.
    #[must_use]
    pub fn of(tree: &Tree, prose: u32, facts: &[Fact], insets: &[Inset], hidden: &[bool]) -> Self {
        let mut rows = Self::default();
        rows.push(Row::Prose(0), prose);
        if prose == 0 {
            rows.push(Row::File, 1);
        }
        for fact in facts {
            rows.push(Row::Fact(*fact), 1);
        }
        let split = insets.iter().take_while(|inset| inset.after.is_none()).count();
        let (top, mut below) = insets.split_at(split);
        for inset in top {
            rows.push_card(inset);
        }
        for (index, block) in (0u32..).zip(&tree.blocks) {
            match *block {
                Block::Hunk(hunk) if hidden.get(hunk as usize).is_some_and(|is_hidden| *is_hidden) => {}
                Block::Hunk(hunk) => {
                    rows.push(Row::Hunk(hunk), 1);
                    rows.push_lines(tree, hunk, &mut below);
                }
                Block::Comment(_) | Block::Stray(_) | Block::Check(_) => rows.push(Row::Text(index), 1),
                Block::Bom(_) | Block::Frontmatter(_) | Block::File(_) | Block::Note(_) | Block::Blank(_) => {}
            }
        }
        if !facts.contains(&Fact::Pending) && rows.len > 0 {
            rows.push(Row::Gap, 1);
        }
        rows
    }

    fn push(&mut self, first: Row, count: u32) {
        if count == 0 {
            return;
        }
        match first {
            Row::Line { line, .. } => self.lines.push((line, self.len)),
            Row::Hunk(hunk) => self.hunks.push((hunk, self.len)),
            _ => {}
        }
        self.runs.push(Run { at: self.len, first });
        self.len += count;
    }

    fn push_card(&mut self, inset: &Inset) {
        self.push(Row::Card { annotation: inset.annotation, row: 0 }, inset.height);
    }

    /// The lines of a hunk without its separators, cards below the lines they end at.
    fn push_lines(&mut self, tree: &Tree, hunk: u32, insets: &mut &[Inset]) {
        let lines = tree.hunks[hunk as usize].lines.clone();
        let mut start = lines.start;
        for line in lines.clone() {
            let separator = tree.lines[line as usize].kind == HunkLineKind::Separator;
            let card = insets.first().is_some_and(|inset| inset.after == Some(line));
            if !separator && !card {
                continue;
            }
            let end = if separator { line } else { line + 1 };
            self.push(Row::Line { hunk, line: start }, end - start);
            start = line + 1;
            while let Some((inset, rest)) = insets.split_first().filter(|(inset, _)| inset.after == Some(line)) {
                self.push_card(inset);
                *insets = rest;
            }
        }
        self.push(Row::Line { hunk, line: start }, lines.end - start);
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The row at `at`.
    #[must_use]
    pub fn get(&self, at: u32) -> Option<Row> {
        if at >= self.len {
            return None;
        }
        let run = self.runs[self.runs.partition_point(|run| run.at <= at) - 1];
        Some(run.first.advanced(at - run.at))
    }

    /// Where the line with index `line` stands; the nearest line above it when it has no row of its own.
    #[must_use]
    pub fn row_of_line(&self, line: u32) -> Option<u32> {
        let next = self.lines.partition_point(|(first, _)| *first <= line);
        let (first, at) = *self.lines.get(next.checked_sub(1)?)?;
        let end = self.runs.get(self.runs.partition_point(|run| run.at <= at)).map_or(self.len, |run| run.at);
        Some((at + (line - first)).min(end - 1))
    }

    /// The first line that stands below the row at `row`; a number past the last line when there is none.
    #[must_use]
    pub fn first_line_below(&self, row: u32) -> u32 {
        let next = self.lines.partition_point(|(_, at)| *at <= row);
        let inside = next.checked_sub(1).map_or(0, |run| self.lines[run].0 + (row - self.lines[run].1) + 1);
        self.lines.get(next).map_or(inside, |(first, _)| inside.min(*first))
    }

    /// Where `row` stands now, after the part was laid out anew.
    #[must_use]
    pub fn find(&self, row: Row) -> Option<u32> {
        match row {
            Row::Line { line, .. } => self.row_of_line(line),
            Row::Prose(at) => Some(at.min(self.len.saturating_sub(1))),
            Row::Hunk(hunk) => {
                let at = self.hunks.binary_search_by_key(&hunk, |(hunk, _)| *hunk).ok()?;
                Some(self.hunks[at].1)
            }
            Row::Card { annotation, row } => {
                let is_it = |run: &Run| matches!(run.first, Row::Card { annotation: other, .. } if other == annotation);
                let index = self.runs.iter().position(is_it)?;
                let end = self.runs.get(index + 1).map_or(self.len, |run| run.at);
                Some((self.runs[index].at + row).min(end - 1))
            }
            other => self.runs.iter().find(|run| run.first == other).map(|run| run.at),
        }
    }

    /// The first hunk header below row `at`; from the top with `None`.
    #[must_use]
    pub fn next_hunk(&self, at: Option<u32>) -> Option<u32> {
        let next = at.map_or(0, |at| self.hunks.partition_point(|(_, row)| *row <= at));
        self.hunks.get(next).map(|(_, row)| *row)
    }

    /// The last hunk header above row `at`; from the bottom with `None`.
    #[must_use]
    pub fn previous_hunk(&self, at: Option<u32>) -> Option<u32> {
        let next = at.map_or(self.hunks.len(), |at| self.hunks.partition_point(|(_, row)| *row < at));
        self.hunks.get(next.checked_sub(1)?).map(|(_, row)| *row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;

    const TEXT: &str =
        "@file a\n# about a\n@@ -1,2 +1,3 @@\n one\n+two\n three\n\n@note +2\nwhy: x\n@@ -9 +10 @@\n-nine\n+ten\n";

    fn rows(insets: &[Inset]) -> Rows {
        Rows::of(Document::parse(TEXT).parts()[1].tree(), 0, &[Fact::Mode], insets, &[])
    }

    fn all(rows: &Rows) -> Vec<Row> {
        (0..rows.len()).filter_map(|at| rows.get(at)).collect()
    }

    #[test]
    fn rows_stand_in_the_order_of_the_text_without_notes_and_separators() {
        let line = |hunk, line| Row::Line { hunk, line };
        let want = [
            Row::File,
            Row::Fact(Fact::Mode),
            Row::Text(1),
            Row::Hunk(0),
            line(0, 0),
            line(0, 1),
            line(0, 2),
            Row::Hunk(1),
            line(1, 3),
            line(1, 4),
            Row::Gap,
        ];
        assert_eq!(all(&rows(&[])), want);
        assert_eq!(rows(&[]).get(11), None);
    }

    #[test]
    fn a_hidden_hunk_has_no_rows_and_its_lines_are_looked_for_above() {
        let document = Document::parse(TEXT);
        let shown = |hidden: &[bool]| Rows::of(document.parts()[1].tree(), 0, &[], &[], hidden);
        let without_last = shown(&[false, true]);
        let line = |line| Row::Line { hunk: 0, line };
        assert_eq!(all(&without_last), [Row::File, Row::Text(1), Row::Hunk(0), line(0), line(1), line(2), Row::Gap]);
        assert_eq!((without_last.row_of_line(4), without_last.find(Row::Hunk(1))), (Some(5), None));
        let without_first = shown(&[true, false]);
        assert_eq!((without_first.row_of_line(1), without_first.find(Row::Hunk(1))), (None, Some(2)));
        assert_eq!((without_first.next_hunk(None), without_first.previous_hunk(None)), (Some(2), Some(2)));
    }

    #[test]
    fn cards_stand_under_the_lines_they_end_at() {
        let top = Inset { after: None, annotation: 1, height: 1 };
        let below = Inset { after: Some(1), annotation: 0, height: 2 };
        let rows = rows(&[top, below]);
        assert_eq!(rows.get(2), Some(Row::Card { annotation: 1, row: 0 }));
        assert_eq!(rows.get(7), Some(Row::Card { annotation: 0, row: 0 }));
        assert_eq!(rows.get(8), Some(Row::Card { annotation: 0, row: 1 }));
        assert_eq!(rows.row_of_line(2), Some(9));
    }

    #[test]
    fn every_row_is_found_again() {
        let rows = rows(&[Inset { after: Some(0), annotation: 0, height: 3 }]);
        for (at, row) in (0u32..).zip(all(&rows)) {
            assert_eq!(rows.find(row), Some(at), "{row:?}");
        }
        assert_eq!(rows.find(Row::Card { annotation: 0, row: 9 }), rows.find(Row::Card { annotation: 0, row: 2 }));
        assert_eq!(rows.find(Row::Card { annotation: 1, row: 0 }), None);
    }

    #[test]
    fn the_first_line_below_a_row() {
        let rows = rows(&[Inset { after: Some(1), annotation: 0, height: 2 }]);
        let below: Vec<u32> = (0..rows.len()).map(|row| rows.first_line_below(row).min(5)).collect();
        let want: Vec<u32> = (0..rows.len())
            .map(|row| {
                let lines = (row + 1..rows.len()).filter_map(|at| match rows.get(at) {
                    Some(Row::Line { line, .. }) => Some(line),
                    _ => None,
                });
                lines.min().unwrap_or(5)
            })
            .collect();
        assert_eq!(below, want);
    }
}
