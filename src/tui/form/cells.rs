//! Where the fields of a form are on the screen: what the view draws, and what the mouse looks up.

use std::ops::Range;

use super::super::layout::{Position, Rect};
use super::super::text_input::TextInput;
use super::{Field, Form, LABEL, text_width};

/// The columns between two fields that share a row.
const GAP: usize = 2;

/// The pieces of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cells {
    /// The typed fields that have rows, labels included.
    pub texts: Rect,
    /// The other fields.
    pub others: Rect,
    /// What went wrong, where it has no room on the border.
    pub problem: Rect,
    /// The rows of the typed fields.
    pub rows: Vec<TextRow>,
    /// The first of them that is shown.
    pub first: usize,
    /// Those of the other fields that there is room for.
    pub slots: Vec<Slot>,
}

/// A field that has no row of its own: one that is chosen, or a typed one that is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// The field.
    pub field: Field,
    /// What is chosen; `None`: it is typed.
    pub value: Option<String>,
    /// Which of the rows of such fields it is in, counted from 0.
    pub row: usize,
    /// The columns that it takes there.
    pub columns: Range<usize>,
}

/// A row of a field that is typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextRow {
    /// The field.
    pub field: Field,
    /// Which of its rows it is.
    pub nth: usize,
    /// The bytes of its text that stand there.
    pub text: Range<usize>,
    /// The column of the cursor, if it is there.
    pub cursor: Option<usize>,
}

impl Cells {
    /// How many rows of the typed fields are hidden above those that are shown, and below them.
    #[must_use]
    pub fn hidden(&self) -> (usize, usize) {
        let left = self.rows.len() - self.first;
        (self.first, left.saturating_sub(usize::from(self.texts.height)))
    }
}

/// The rows that these take.
fn rows_of(slots: &[Slot]) -> usize {
    slots.last().map_or(0, |slot| slot.row + 1)
}

impl Form {
    /// Where its pieces are inside these borders. When there is no room for all of it, what is around the cursor is there.
    #[must_use]
    pub fn cells(&self, inside: Rect) -> Cells {
        let short = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
        let width = usize::from(inside.width);
        let mut slots = self.slots(width);
        let room = inside.height.saturating_sub(1);
        let taken = short(rows_of(&slots)).min(room);
        let problem = short(self.problem_rows(width).len()).min(room - taken);
        let texts = Rect { height: inside.height - taken - problem, ..inside };
        let others = Rect { y: texts.bottom(), height: taken, ..inside };
        let problem = Rect { y: others.bottom(), height: problem, ..inside };
        let chosen = slots.iter().find(|slot| slot.field == self.focus).map_or(0, |slot| slot.row);
        let hidden = (chosen + 1).saturating_sub(usize::from(taken));
        slots.retain_mut(|slot| {
            let row = slot.row.checked_sub(hidden).filter(|row| *row < usize::from(taken));
            slot.row = row.unwrap_or_default();
            row.is_some()
        });
        let rows = self.text_rows(text_width(width));
        let height = usize::from(texts.height);
        let at = rows.iter().position(|row| row.cursor.is_some()).unwrap_or(0);
        let first = (at + 1).saturating_sub(height).min(rows.len().saturating_sub(height));
        Cells { texts, others, problem, rows, first, slots }
    }

    /// Whether a typed field has rows of its own: the first one always, another with the cursor or with text in it.
    fn has_rows(&self, field: Field) -> bool {
        let is_first = self.texts.first().is_some_and(|(first, _)| *first == field);
        let is_filled = |(other, input): &(Field, TextInput)| *other == field && !input.text().is_empty();
        is_first || self.focus == field || self.texts.iter().any(is_filled)
    }

    /// The rows of the typed fields that have some.
    pub(super) fn text_rows(&self, columns: usize) -> Vec<TextRow> {
        let rows = self.texts.iter().filter(|(field, _)| self.has_rows(*field)).flat_map(|(field, input)| {
            let cursor = (self.focus == *field).then(|| input.cursor_cell(columns));
            let rows = input.rows(columns).into_iter().enumerate();
            rows.map(move |(nth, text)| {
                let cursor = cursor.filter(|(row, _)| *row == nth).map(|(_, column)| column);
                TextRow { field: *field, nth, text, cursor }
            })
        });
        rows.collect()
    }

    /// The fields without rows of their own, in the order in which the cursor goes through them.
    fn slots(&self, width: usize) -> Vec<Slot> {
        let empty = self.texts.iter().map(|(field, _)| *field).filter(|field| !self.has_rows(*field));
        let chosen = self.choices().into_iter().map(|(field, value)| (field, Some(value)));
        let fields: Vec<(Field, Option<String>)> = empty.map(|field| (field, None)).chain(chosen).collect();
        // What it is about says the title, but for the words that are meant.
        let is_said = |field: Field| field == Field::About && field != self.focus && self.target().slice.is_none();
        if fields.len() == 1 && is_said(fields[0].0) {
            return Vec::new();
        }
        let (mut row, mut end, mut was_text) = (0, 0, false);
        let slots = fields.into_iter().map(|(field, value)| {
            let columns =
                self.display.width(field.label()) + value.as_ref().map_or(1, |value| 3 + self.display.width(value));
            let start = if end == 0 { 0 } else { end + GAP };
            // What can be added stands in rows of its own, and so does what is chosen.
            let is_other = std::mem::replace(&mut was_text, value.is_none()) && value.is_some();
            let is_over = start > 0 && (is_other || start + columns > width);
            row += usize::from(is_over);
            let start = if is_over { 0 } else { start };
            end = start + columns;
            Slot { field, value, row, columns: start..end }
        });
        slots.collect()
    }

    /// The rows that the fields without rows of their own take.
    pub(super) fn slot_rows(&self, width: usize) -> usize {
        rows_of(&self.slots(width))
    }

    /// Go to the field at a cell of the screen, and in one that is typed to the character there. A click on the choice
    /// with the cursor chooses its next value.
    pub fn press(&mut self, inside: Rect, (column, row): (u16, u16)) {
        let cells = self.cells(inside);
        let at = Position::new(column, row);
        let (column, nth) = (usize::from(column - inside.x.min(column)), usize::from(row - inside.y.min(row)));
        if cells.others.contains(at) {
            let nth = nth - usize::from(cells.others.y - inside.y);
            // The gap behind a field is part of it.
            let is_it =
                |slot: &&Slot| slot.row == nth && slot.columns.start <= column && column < slot.columns.end + GAP;
            match cells.slots.iter().find(is_it).map(|slot| slot.field) {
                Some(field) if field == self.focus => self.choose(true),
                Some(field) => self.focus = field,
                None => {}
            }
        } else if cells.texts.contains(at)
            && let Some(TextRow { field, nth, .. }) = cells.rows.get(cells.first + nth)
        {
            self.focus = *field;
            let columns = text_width(usize::from(inside.width));
            if let Some((_, input)) = self.texts.iter_mut().find(|(other, _)| other == field) {
                input.go_to((*nth, column.saturating_sub(LABEL)), columns);
            }
        }
    }
}
