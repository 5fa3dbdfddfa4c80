//! The view-model: what stands on which row of a part. The only walk over files, hunks, lines and notes in screen
//! order; cursor, scrolling, drawing and the mouse all read it.
//!
//! Rows are kept as runs, so a hunk of a hundred thousand lines costs one entry and only visible rows cost anything. How
//! many rows of the screen a row takes is found while the screen is walked ([`super::walk`]).

mod build;

use std::ops::Range;

use super::part::LineEnds;

pub use build::{Contents, Inset, separators};

/// A line of the diff: the indices of its hunk and of itself.
pub type LineAt = (u32, u32);

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
    /// A removed line and beside it an added one, where the sides stand next to each other.
    Pair {
        /// The index into the tree's hunks.
        hunk: u32,
        /// The line of the old side, as an index into the tree's lines.
        old: u32,
        /// The line of the new side, likewise.
        new: u32,
    },
    /// An unfolded line of the file around the hunks; no part of the diff.
    Around {
        /// The gap it lies in: before the hunk with this index.
        gap: u32,
        /// Its index in the file.
        line: u32,
    },
    /// How many lines of the file follow the last hunk and are hidden.
    Rest,
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
    /// The lines that changed end in another way than before.
    LineEnds(LineEnds),
    /// There is nothing to show: an empty file.
    Empty,
}

impl Row {
    /// The row `steps` further down in the same run.
    fn advanced(self, steps: u32) -> Self {
        match self {
            Self::Prose(at) => Self::Prose(at + steps),
            Self::Line { hunk, line } => Self::Line { hunk, line: line + steps },
            Self::Pair { hunk, old, new } => Self::Pair { hunk, old: old + steps, new: new + steps },
            Self::Around { gap, line } => Self::Around { gap, line: line + steps },
            Self::Card { annotation, row } => Self::Card { annotation, row: row + steps },
            other => other,
        }
    }

    /// The lines of the diff that it shows, each with its hunk; of two the one of the old side first.
    pub fn lines(self) -> impl Iterator<Item = LineAt> {
        let lines = match self {
            Self::Line { hunk, line } => [Some((hunk, line)), None],
            Self::Pair { hunk, old, new } => [Some((hunk, old)), Some((hunk, new))],
            _ => [None, None],
        };
        lines.into_iter().flatten()
    }

    /// Whether the cursor may stand on it.
    #[must_use]
    pub fn is_stop(self) -> bool {
        !matches!(self, Self::Card { .. } | Self::Gap)
    }
}

/// How much of a file or a hunk is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Show {
    /// All of it.
    #[default]
    Whole,
    /// All of it but its heading.
    Body,
    /// One row that stands for it.
    Head,
    /// Nothing.
    Nothing,
}

/// How much is shown of a file, and of each of its hunks where that is less than all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Folding {
    /// The file.
    pub file: Show,
    /// Its hunks, in order; one that is not there is shown whole.
    pub hunks: Vec<Show>,
}

impl Folding {
    fn hunk(&self, hunk: u32) -> Show {
        self.hunks.get(hunk as usize).copied().unwrap_or_default()
    }

    /// Whether something is not shown.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        let is_less = |show: &Show| !matches!(show, Show::Whole | Show::Body);
        is_less(&self.file) || self.hunks.iter().any(is_less)
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
    /// Where each run of lines starts, and each row that stands for lines which are not shown: (line, row), ascending.
    lines: Vec<(u32, u32)>,
    /// The rows that stand for lines which are not shown: first line, row, and the line behind the last, ascending.
    folded: Vec<(u32, u32, u32)>,
    /// Where the hunk headers stand: (hunk, row), ascending.
    hunks: Vec<(u32, u32)>,
}

impl Rows {
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

    /// Where the line with index `line` stands; the nearest line above it when it has no row of its own, and the heading of
    /// a hunk that is folded.
    #[must_use]
    pub fn row_of_line(&self, line: u32) -> Option<u32> {
        let next = self.lines.partition_point(|(first, _)| *first <= line);
        let (first, at) = *self.lines.get(next.checked_sub(1)?)?;
        // Lines that are left out stand nowhere.
        let end = self.runs.get(self.runs.partition_point(|run| run.at <= at)).map_or(self.len, |run| run.at);
        Some((at + (line - first)).min(end - 1))
    }

    /// The lines that the row at `at` stands for, which are folded away.
    #[must_use]
    pub fn folded_lines(&self, at: u32) -> Option<Range<u32>> {
        self.folded.iter().find(|(_, row, _)| *row == at).map(|(first, _, end)| *first..*end)
    }

    /// The rows of `range` with their numbers, run by run.
    pub fn within(&self, range: Range<u32>) -> impl DoubleEndedIterator<Item = (u32, Row)> + '_ {
        let first = self.runs.partition_point(|run| run.at <= range.start).saturating_sub(1);
        let last = self.runs.partition_point(|run| run.at < range.end);
        (first..last.max(first)).flat_map(move |index| {
            let run = self.runs[index];
            let end = self.runs.get(index + 1).map_or(self.len, |next| next.at);
            let shown = run.at.max(range.start)..end.min(range.end);
            shown.map(move |at| (at, run.first.advanced(at - run.at)))
        })
    }

    /// Where `row` stands now, after the part was laid out anew.
    #[must_use]
    pub fn find(&self, row: Row) -> Option<u32> {
        match row {
            Row::Line { line, .. } | Row::Pair { new: line, .. } => self.row_of_line(line),
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
            Row::Around { line, .. } => self.row_around(line),
            other => self.runs.iter().find(|run| run.first == other).map(|run| run.at),
        }
    }

    /// Where the unfolded line with this index in the file stands.
    #[must_use]
    pub fn row_around(&self, line: u32) -> Option<u32> {
        let runs = self.runs.iter().enumerate();
        let mut own = runs.filter_map(|(index, run)| match run.first {
            Row::Around { line: first, .. } => {
                let end = self.runs.get(index + 1).map_or(self.len, |next| next.at);
                let at = run.at + line.checked_sub(first)?;
                (at < end).then_some(at)
            }
            _ => None,
        });
        own.next()
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
    use super::super::replaced::Replaced;
    use super::*;
    use crate::document::Document;

    const TEXT: &str =
        "@file a\n# about a\n@@ -1,2 +1,3 @@\n one\n+two\n three\n\n@note +2\nwhy: x\n@@ -9 +10 @@\n-nine\n+ten\n";

    /// Nothing but the lines of the text.
    fn bare(folding: &Folding) -> Contents<'_> {
        Contents { prose: 0, facts: &[], insets: &[], folding, beside: &[], around: None, separators: &[] }
    }

    fn rows(insets: &[Inset]) -> Rows {
        let folding = Folding::default();
        let contents = Contents { facts: &[Fact::Mode], insets, ..bare(&folding) };
        Rows::of(Document::parse(TEXT).parts()[1].tree(), contents)
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
    fn lines_that_separate_have_no_row_and_all_others_have_one() {
        let text = "@file a\n@@ -1 +1,2 @@\n one\n+two\n\t\n# note to self\n\t\n+three\n# end\n";
        let document = Document::parse(text);
        let tree = document.parts()[1].tree();
        let separators = separators(tree);
        assert!(separators.len() > 1, "{:?}", tree.lines);
        let inset = |line| Inset { after: Some(line), annotation: 0, height: 1 };
        for insets in [vec![], vec![inset(0)], vec![inset(separators[0])], vec![inset(2), inset(separators[1])]] {
            let folding = Folding::default();
            let (insets, separators) = (&*insets, &*separators);
            let contents = Contents { insets, separators, ..bare(&folding) };
            let rows = all(&Rows::of(tree, contents));
            let shown: Vec<u32> = rows.iter().flat_map(|row| row.lines().map(|(_, line)| line)).collect();
            let count = u32::try_from(tree.lines.len()).unwrap();
            assert_eq!(shown, (0..count).filter(|line| !separators.contains(line)).collect::<Vec<_>>());
            assert_eq!(rows.iter().filter(|row| matches!(row, Row::Card { .. })).count(), insets.len());
        }
    }

    #[test]
    fn a_hidden_hunk_has_no_rows_and_its_lines_are_looked_for_above() {
        let document = Document::parse(TEXT);
        let shown = |hunks: [Show; 2]| {
            let folding = Folding { hunks: hunks.to_vec(), ..Folding::default() };
            Rows::of(document.parts()[1].tree(), bare(&folding))
        };
        let without_last = shown([Show::Whole, Show::Nothing]);
        let line = |line| Row::Line { hunk: 0, line };
        assert_eq!(all(&without_last), [Row::File, Row::Text(1), Row::Hunk(0), line(0), line(1), line(2), Row::Gap]);
        assert_eq!((without_last.row_of_line(4), without_last.find(Row::Hunk(1))), (Some(5), None));
        let without_first = shown([Show::Nothing, Show::Whole]);
        assert_eq!((without_first.row_of_line(1), without_first.find(Row::Hunk(1))), (None, Some(2)));
        assert_eq!((without_first.next_hunk(None), without_first.previous_hunk(None)), (Some(2), Some(2)));
    }

    #[test]
    fn the_lines_of_hunks_that_are_folded_or_hidden_stand_in_their_order() {
        let mut text = "@file a\n".to_owned();
        for hunk in 0..4 {
            text += &format!("@@ -{0} +{0},2 @@\n-x\n+y\n+z\n", hunk * 10 + 1);
        }
        let document = Document::parse(text);
        let tree = document.parts()[1].tree();
        let kinds = [Show::Whole, Show::Head, Show::Nothing, Show::Body];
        for number in 0..256_usize {
            let hunks: Vec<Show> = [1, 4, 16, 64].iter().map(|digit| kinds[number / digit % 4]).collect();
            let folding = Folding { hunks: hunks.clone(), ..Folding::default() };
            let rows = Rows::of(tree, bare(&folding));
            let at: Vec<Option<u32>> = (0..12).map(|line| rows.row_of_line(line)).collect();
            assert!(at.is_sorted(), "{hunks:?}: {at:?}");
            for (hunk, show) in hunks.iter().enumerate() {
                let head = rows.find(Row::Hunk(u32::try_from(hunk).unwrap()));
                let own = &at[hunk * 3..hunk * 3 + 3];
                match show {
                    Show::Whole => assert_eq!(own, [1, 2, 3].map(|below| head.map(|head| head + below))),
                    Show::Head => assert_eq!(own, [head; 3]),
                    Show::Body => assert!(head.is_none() && own.is_sorted_by(|one, next| one < next), "{own:?}"),
                    Show::Nothing => assert_eq!(head, None),
                }
            }
        }
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
    fn rows_of_a_range_are_those_that_are_got_one_by_one() {
        let rows = rows(&[Inset { after: Some(1), annotation: 0, height: 2 }]);
        for start in 0..=rows.len() {
            for end in start..=rows.len() {
                let want: Vec<(u32, Row)> = (start..end).filter_map(|at| Some((at, rows.get(at)?))).collect();
                assert_eq!(rows.within(start..end).collect::<Vec<_>>(), want);
                let backwards: Vec<(u32, Row)> = rows.within(start..end).rev().collect();
                assert_eq!(backwards, want.into_iter().rev().collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn replaced_lines_stand_beside_each_other() {
        let text = "@file a\n@@ -1,5 +1,4 @@\n one\n-two\n-three\n-four\n+2\n+3\n five\n+six\n";
        let document = Document::parse(text);
        let tree = document.parts()[1].tree();
        let beside = Replaced::all(tree);
        let insets = [
            Inset { after: Some(2), annotation: 0, height: 1 },
            Inset { after: Some(3), annotation: 1, height: 1 },
            Inset { after: Some(4), annotation: 2, height: 1 },
        ];
        let (line, pair) = (|line| Row::Line { hunk: 0, line }, |old, new| Row::Pair { hunk: 0, old, new });
        let card = |annotation| Row::Card { annotation, row: 0 };
        let folding = Folding::default();
        let without = Rows::of(tree, Contents { beside: &beside, ..bare(&folding) });
        let want = [Row::File, Row::Hunk(0), line(0), pair(1, 4), pair(2, 5), line(3), line(6), line(7), Row::Gap];
        assert_eq!(all(&without), want);
        let rows = Rows::of(tree, Contents { insets: &insets, beside: &beside, ..bare(&folding) });
        let want = [line(0), pair(1, 4), card(2), pair(2, 5), card(0), line(3), card(1), line(6), line(7), Row::Gap];
        assert_eq!(all(&rows)[2..], want);
        for rows in [without, rows] {
            for (at, row) in (0u32..).zip(all(&rows)) {
                assert_eq!(rows.find(row), Some(at), "{row:?}");
                assert!(row.lines().all(|(_, line)| rows.row_of_line(line) == Some(at)), "{row:?}");
            }
        }
    }
}
