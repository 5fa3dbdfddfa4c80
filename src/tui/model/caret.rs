//! A cursor in the text of a line, and what is selected by its characters. Only lines of the new side have one: what is
//! quoted by characters is looked for in the file as it is now.

use std::ops::Range;

use crate::document::{Hunk, HunkLine};
use crate::text::cursor;

use super::super::rows::LineAt;
use super::{Model, Pos};

/// A cursor in the text of the line that the reader is on. When lines are selected too, so are their characters from
/// `from` to the one that it is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Caret {
    /// Where the character begins that it is on, in bytes of the text of the line.
    pub at: usize,
    /// The same of the other end of the selection, which is on the line of the model's anchor.
    pub from: usize,
    /// The column that going up and down aims at.
    pub goal: Option<usize>,
}

impl Model {
    /// The line of the new side at `pos`: its hunk and itself, by index.
    #[must_use]
    pub fn text_line(&self, pos: Pos) -> Option<LineAt> {
        let part = self.parts.get(pos.part)?;
        let at = part.sides(part.rows.get(pos.row)?).1?;
        let (hunk, line): (&Hunk, &HunkLine) = part.line(at.0, at.1);
        line.new_line(hunk).is_some().then_some(at)
    }

    /// The text of that line without its end; of one that is not UTF-8 nothing can be selected, and it counts as empty.
    #[must_use]
    pub fn text_at(&self, pos: Pos) -> Option<&str> {
        let (hunk, line) = self.text_line(pos)?;
        let part = &self.parts[pos.part];
        let text = part.section.line_text(part.line(hunk, line).1);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        Some(std::str::from_utf8(text).unwrap_or_default())
    }

    /// Where the character begins that the cursor in the text is on, if there is one on this row.
    #[must_use]
    pub fn caret_at(&self, pos: Pos) -> Option<usize> {
        let caret = self.caret.filter(|_| pos == self.cursor)?;
        Some(on_character(self.text_at(pos)?, caret.at))
    }

    /// Both ends of what is selected by characters, in order: rows, and bytes of their texts; the second is the end of the
    /// last character.
    #[must_use]
    pub fn chosen(&self) -> Option<[(Pos, usize); 2]> {
        let (caret, anchor) = (self.caret?, self.anchor?);
        let mut ends = [(anchor, caret.from), (self.cursor, caret.at)];
        ends.sort_unstable();
        let [(first, start), (last, end)] = ends;
        let start = self.text_at(first).map_or(0, |text| on_character(text, start));
        let end = self.text_at(last).map_or(0, |text| cursor::after(text, on_character(text, end)));
        Some([(first, start), (last, end)])
    }

    /// The bytes of the text at `pos` that are selected by characters.
    #[must_use]
    pub fn chosen_at(&self, pos: Pos) -> Option<Range<usize>> {
        let [(first, start), (last, end)] = self.chosen()?;
        let text = self.text_at(pos).filter(|_| (first..=last).contains(&pos))?;
        Some(if pos == first { start } else { 0 }..if pos == last { end } else { text.len() })
    }
}

/// The start of the character that `at` is in; behind the last one that.
#[must_use]
pub fn on_character(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    if at == text.len() || !cursor::is_boundary(text, at) { cursor::before(text, at) } else { at }
}
