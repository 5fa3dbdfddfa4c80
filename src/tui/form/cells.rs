//! Where the fields of a form are on the screen: what the view draws, and what the mouse looks up.

use std::ops::Range;

use super::super::layout::{Position, Rect};
use super::{Field, Form, LABEL, text_width};

/// The column of the second choice in a row.
pub const SECOND_CHOICE: u16 = 26;

/// The pieces of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cells {
    /// The fields that are chosen.
    pub choices: Rect,
    /// The fields that are typed, labels included.
    pub texts: Rect,
    /// What went wrong, where it has no room on the border.
    pub problem: Rect,
    /// The rows of the typed fields.
    pub rows: Vec<TextRow>,
    /// The first of them that is shown.
    pub first: usize,
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

impl Form {
    /// Where its pieces are inside these borders. When there is no room for all typed fields, those around the cursor are
    /// there.
    #[must_use]
    pub fn cells(&self, inside: Rect) -> Cells {
        let short = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
        let taken = short(self.choice_rows().len()).min(inside.height);
        let problem = short(self.problem_rows(usize::from(inside.width)).len());
        let below = problem.min((inside.height - taken).saturating_sub(1));
        let choices = Rect { height: taken, ..inside };
        let texts = Rect { y: choices.bottom(), height: inside.height - taken - below, ..inside };
        let problem = Rect { y: texts.bottom(), height: below, ..inside };
        let rows = self.text_rows(text_width(usize::from(inside.width)));
        let height = usize::from(texts.height);
        let at = rows.iter().position(|row| row.cursor.is_some()).unwrap_or(0);
        let first = (at + 1).saturating_sub(height).min(rows.len().saturating_sub(height));
        Cells { choices, texts, problem, rows, first }
    }

    fn text_rows(&self, columns: usize) -> Vec<TextRow> {
        let rows = self.texts.iter().flat_map(|(field, input)| {
            let cursor = (self.focus == *field).then(|| input.cursor_cell(columns));
            let rows = input.rows(columns).into_iter().enumerate();
            rows.map(move |(nth, text)| {
                let cursor = cursor.filter(|(row, _)| *row == nth).map(|(_, column)| column);
                TextRow { field: *field, nth, text, cursor }
            })
        });
        rows.collect()
    }

    /// Go to the field at a cell of the screen, and in one that is typed to the character there. A click on the choice
    /// with the cursor chooses its next value.
    pub fn press(&mut self, inside: Rect, (column, row): (u16, u16)) {
        let cells = self.cells(inside);
        let at = Position::new(column, row);
        if cells.choices.contains(at) {
            let fields = self.choice_rows().swap_remove(usize::from(row - cells.choices.y));
            let nth = usize::from((column - cells.choices.x) / SECOND_CHOICE).min(fields.len() - 1);
            match fields[nth].0 {
                field if field == self.focus => self.choose(true),
                field => self.focus = field,
            }
        } else if cells.texts.contains(at)
            && let Some(TextRow { field, nth, .. }) = cells.rows.get(cells.first + usize::from(row - cells.texts.y))
        {
            self.focus = *field;
            let column = usize::from(column - cells.texts.x).saturating_sub(LABEL);
            let columns = text_width(usize::from(inside.width));
            if let Some((_, input)) = self.texts.iter_mut().find(|(other, _)| other == field) {
                input.go_to((*nth, column), columns);
            }
        }
    }
}
