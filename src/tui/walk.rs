//! From rows to the rows of the screen.
//!
//! A row is a position that no window changes: cursor, selection, marks and cards hold on to it. With long lines wrapped,
//! a row takes several rows of the screen. How many is never kept: it is found while the screen is walked, from a place
//! near it, so that a million lines that nobody sees cost nothing, and another width or mode leaves nothing to be mended.

use super::layout::halves;
use super::model::{Model, Pos};
use super::part::Part;
use super::rows::Row;

/// A row of the screen: which one of those that a row takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct ScreenPos {
    /// The row.
    pub pos: Pos,
    /// How many of its rows on the screen stand above this one.
    pub nth: usize,
}

impl From<Pos> for ScreenPos {
    fn from(pos: Pos) -> Self {
        Self { pos, nth: 0 }
    }
}

impl Model {
    /// The columns that the text of `row` has, which is one of `part`.
    #[must_use]
    pub fn text_columns(&self, part: &Part, row: Row) -> usize {
        let Some(layout) = self.layout else { return 1 };
        let is_whole = matches!(row, Row::Line { line, .. } if part.is_on_no_side(line));
        let (width, numbers) = match layout.is_split && !is_whole {
            true => (halves(layout.diff).0.width, 1),
            false if self.review.passages.is_some() => (layout.diff.width, 1),
            false => (layout.diff.width, 2),
        };
        usize::from(width).saturating_sub(gutter(numbers, part.reading.digits)).max(1)
    }

    /// The columns that can be scrolled out on the left so that the end of the longest line on the screen still shows.
    #[must_use]
    pub fn most_left(&self) -> usize {
        const END: usize = 8;
        let height = self.layout.map_or(0, |layout| usize::from(layout.diff.height));
        let widths = self.screen_rows(self.top).take(height).flat_map(|(at, row)| {
            let part = &self.parts[at.pos.part];
            let display = self.display_of(part);
            part.texts(row).into_iter().flatten().map(move |text| display.width(text))
        });
        widths.max().unwrap_or(0).saturating_sub(END)
    }

    /// The column behind the last one that the text of a line of the new side has.
    #[must_use]
    pub fn text_edge(&self) -> u16 {
        let Some(layout) = self.layout else { return 0 };
        if layout.is_split { halves(layout.diff).2.right() } else { layout.diff.right() }
    }

    /// How many rows of the screen the row at `pos` takes; at most `most` are counted.
    #[must_use]
    pub fn height(&self, pos: Pos, most: usize) -> usize {
        let Some(row) = self.row(pos).filter(|_| self.wrap) else { return 1 };
        let part = &self.parts[pos.part];
        let columns = self.text_columns(part, row);
        let display = self.display_of(part);
        let texts = part.texts(row).into_iter().flatten();
        texts.map(|text| self.wrapped.count(display, text, columns, most)).max().unwrap_or(1).max(1)
    }

    /// The last row on the screen of the row at `pos`.
    #[must_use]
    pub fn end_of(&self, pos: Pos) -> ScreenPos {
        ScreenPos { pos, nth: self.height(pos, usize::MAX) - 1 }
    }

    /// The row of the screen `rows` below `from` (above, when negative), or as far as it goes.
    #[must_use]
    pub fn scrolled(&self, from: ScreenPos, rows: i64) -> ScreenPos {
        let mut left = usize::try_from(rows.unsigned_abs()).unwrap_or(usize::MAX);
        let ScreenPos { mut pos, mut nth } = from;
        if rows < 0 {
            while left > nth {
                let Some(previous) = self.previous(pos) else { return ScreenPos { pos, nth: 0 } };
                left -= nth + 1;
                ScreenPos { pos, nth } = self.end_of(previous);
            }
            return ScreenPos { pos, nth: nth - left };
        }
        loop {
            let wanted = nth.saturating_add(left);
            let height = self.height(pos, wanted.saturating_add(1));
            if wanted < height {
                return ScreenPos { pos, nth: wanted };
            }
            let Some(next) = self.next(pos) else { return ScreenPos { pos, nth: height - 1 } };
            left -= height.saturating_sub(nth).min(left);
            (pos, nth) = (next, 0);
        }
    }

    /// The rows of the screen from `from` down to `to`, 0 when `to` is not below, at most `limit`.
    #[must_use]
    pub fn rows_between(&self, from: ScreenPos, to: ScreenPos, limit: usize) -> usize {
        if to <= from {
            return 0;
        }
        let (mut pos, mut rows) = (from.pos, 0);
        while pos < to.pos && rows < limit + from.nth {
            rows += self.height(pos, limit + from.nth + 1);
            let Some(next) = self.next(pos) else { break };
            pos = next;
        }
        (rows + to.nth).saturating_sub(from.nth).min(limit)
    }

    /// The rows of the screen from `from` on.
    pub fn screen_rows(&self, from: ScreenPos) -> impl Iterator<Item = (ScreenPos, Row)> + '_ {
        self.rows_from(from.pos).flat_map(move |(pos, row)| {
            let first = if pos == from.pos { from.nth } else { 0 };
            // Nobody looks further than a screen.
            let height = self.height(pos, first + usize::from(self.size.height) + 1);
            (first..height.max(first + 1)).map(move |nth| (ScreenPos { pos, nth }, row))
        })
    }

    /// The last row of the screen that the review has.
    #[must_use]
    pub fn end(&self) -> ScreenPos {
        self.end_of(self.last())
    }
}

/// The columns in front of the text of a line: cursor, so many numbers of so many digits, each with a blank behind it,
/// coverage mark, sign.
#[must_use]
pub fn gutter(numbers: usize, digits: usize) -> usize {
    5 + numbers * (digits + 1)
}
