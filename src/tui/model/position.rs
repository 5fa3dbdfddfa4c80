//! From row to row, across the parts of the review.

use std::ops::RangeInclusive;

use super::super::rows::Row;
use super::{Model, Pos};
use crate::document::named_lines;

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

    /// The rows that what is being written is about, where a form is open: first and last position. What is about a file is
    /// about its name, and what is about the whole change about what stands above the files.
    #[must_use]
    pub fn form_rows(&self) -> Option<RangeInclusive<Pos>> {
        let target = self.form.as_ref()?.target();
        let part = target.part;
        let rows = &self.parts.get(part)?.rows;
        let tree = self.parts[part].section.tree();
        let is_it = target.file.as_ref() == tree.file.as_ref().map(|file| &file.path);
        let lines = named_lines(tree, target.selector).filter(|_| is_it);
        let at = |line: u32| rows.row_of_line(line);
        let prose = || rows.find(Row::Prose(u32::try_from(self.parts[part].prose.len()).ok()?.checked_sub(1)?));
        let (first, last) = match lines.and_then(|(first, last)| Some((at(first)?, at(last)?))) {
            Some(lines) => lines,
            None if part == 0 => (0, prose().unwrap_or_default()),
            None => (0, 0),
        };
        Some(Pos { part, row: first }..=Pos { part, row: last })
    }

    /// The lines of the selection, or the cursor's alone: first and last position.
    #[must_use]
    pub fn selected(&self) -> (Pos, Pos) {
        let other = self.anchor.unwrap_or(self.cursor);
        (self.cursor.min(other), self.cursor.max(other))
    }
}
