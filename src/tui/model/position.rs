//! From row to row, across the parts of the review.

use super::super::rows::Row;
use super::{Model, Pos};

impl Model {
    /// The row at `pos`.
    #[must_use]
    pub fn row(&self, pos: Pos) -> Option<Row> {
        self.parts.get(pos.part)?.rows.get(pos.row)
    }

    /// The position after `pos`.
    #[must_use]
    pub fn next(&self, pos: Pos) -> Option<Pos> {
        if pos.row + 1 < self.parts.get(pos.part)?.rows.len() {
            return Some(Pos { part: pos.part, row: pos.row + 1 });
        }
        let part = (pos.part + 1..self.parts.len()).find(|part| !self.parts[*part].rows.is_empty())?;
        Some(Pos { part, row: 0 })
    }

    /// The position before `pos`.
    #[must_use]
    pub fn previous(&self, pos: Pos) -> Option<Pos> {
        if let Some(row) = pos.row.checked_sub(1) {
            return Some(Pos { part: pos.part, row });
        }
        let part = (0..pos.part).rev().find(|part| !self.parts[*part].rows.is_empty())?;
        Some(Pos { part, row: self.parts[part].rows.len() - 1 })
    }

    /// `pos` and what follows it.
    pub fn rows_from(&self, pos: Pos) -> impl Iterator<Item = (Pos, Row)> + '_ {
        let first = self.row(pos).map(|row| (pos, row));
        std::iter::successors(first, |(pos, _)| {
            let next = self.next(*pos)?;
            Some((next, self.row(next)?))
        })
    }

    /// The last position.
    #[must_use]
    pub fn last(&self) -> Pos {
        self.previous(Pos { part: self.parts.len(), row: 0 }).unwrap_or_default()
    }

    /// The lines of the selection, or the cursor's alone: first and last position.
    #[must_use]
    pub fn selected(&self) -> (Pos, Pos) {
        let other = self.anchor.unwrap_or(self.cursor);
        (self.cursor.min(other), self.cursor.max(other))
    }
}
