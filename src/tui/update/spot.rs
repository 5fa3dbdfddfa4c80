//! A place in the review, remembered by what stands there, to be found again when the text is another one.

use std::sync::Arc;

use bstr::ByteSlice as _;

use super::super::history::Marks;
use super::super::model::{Focus, Mode, Model, Pos, Standpoint};
use super::super::part::{Part, Subject};
use super::super::rows::Row;
use super::super::walk::ScreenPos;
use super::motion;
use crate::document::{HunkLine, Section};

/// Lines above and below that tell lines of the same text apart.
const AROUND: usize = 3;

/// What stood at a position.
pub(super) struct Spot {
    pos: Pos,
    row: Option<Row>,
    section: Option<Arc<Section>>,
}

impl Spot {
    /// What stands at `pos`.
    pub(super) fn of(model: &Model, pos: Pos) -> Self {
        let section = model.parts.get(pos.part).map(|part| Arc::clone(&part.section));
        Self { pos, row: model.row(pos), section }
    }

    /// Where that is now; part `n` is part `now[n]`, or gone: then the next one that is not, which stands in its
    /// place, or else the one before.
    pub(super) fn find(&self, model: &Model, now: &[Option<usize>]) -> Pos {
        let of = |part: usize| now.get(part).copied().flatten().filter(|part| *part < model.parts.len());
        let Some(index) = of(self.pos.part) else {
            let mut near = (self.pos.part..now.len()).chain((0..self.pos.part).rev());
            return Pos { part: near.find_map(of).unwrap_or_default(), row: 0 };
        };
        let part = &model.parts[index];
        let row = match (self.row, &self.section) {
            (Some(row), Some(section)) if !Arc::ptr_eq(section, &part.section) => match row {
                Row::Line { line, .. } | Row::Pair { new: line, .. } => {
                    line_again(section, line, &part.section).and_then(|line| part.rows.row_of_line(line))
                }
                Row::Hunk(hunk) => section.tree().hunks.get(hunk as usize).and_then(|was| {
                    let line = line_again(section, was.lines.start, &part.section)?;
                    let hunk = part.section.tree().hunk_at(line)?;
                    part.rows.find(Row::Hunk(u32::try_from(hunk).ok()?))
                }),
                other => part.rows.find(other),
            },
            (Some(row), _) => part.rows.find(row),
            (None, _) => Some(self.pos.row),
        };
        Pos { part: index, row: row.unwrap_or_else(|| self.pos.row.min(part.rows.len().saturating_sub(1))) }
    }
}

/// Go to the lines that are back in the review, wherever they stand in it by now.
pub(super) fn go_back_to(model: &mut Model, marks: &Marks) {
    let is_it = |part: &Part| part.section.path() == marks.section.path();
    let Some(part) = model.parts.iter().position(is_it) else { return };
    let now = &model.parts[part];
    let line = marks.chosen.first().and_then(|line| line_again(&marks.section, *line, &now.section));
    let row = line.and_then(|line| now.rows.row_of_line(line)).unwrap_or(0);
    model.anchor = None;
    motion::jump_to(model, Pos { part, row });
}

/// The line of `after` that the line `at` of `before` is: of the same kind and text, of several the one with the most
/// neighbours in common, then the nearest. Without one, the line that has its number now.
fn line_again(before: &Section, at: u32, after: &Section) -> Option<u32> {
    let (old, new) = (before.tree(), after.tree());
    let wanted = old.lines.get(at as usize)?;
    if new.lines.is_empty() {
        return None;
    }
    let is_same = |left: &HunkLine, right: &HunkLine| {
        left.kind == right.kind && before.line_text(left).as_bstr() == after.line_text(right).as_bstr()
    };
    let neighbours = |index: usize| {
        let pairs = (1..=AROUND).flat_map(|step| {
            let above = (at as usize).checked_sub(step).zip(index.checked_sub(step));
            [above, Some((at as usize + step, index + step))]
        });
        let pairs = pairs.flatten().filter_map(|(left, right)| Some((old.lines.get(left)?, new.lines.get(right)?)));
        pairs.filter(|(left, right)| is_same(left, right)).count()
    };
    let same = new.lines.iter().enumerate().filter(|(_, line)| is_same(wanted, line)).map(|(index, _)| index);
    let best = same.max_by_key(|index| (neighbours(*index), std::cmp::Reverse(index.abs_diff(at as usize))));
    let found = best.unwrap_or_else(|| (at as usize).min(new.lines.len() - 1));
    u32::try_from(found).ok()
}

/// The open card, remembered by what it says.
pub(super) struct Card {
    focus: Focus,
    /// The id that a note states, and its text.
    note: Option<(Option<String>, Vec<u8>)>,
}

impl Card {
    /// The one that has the focus, if one has.
    pub(super) fn of(model: &Model, focus: Option<Focus>) -> Option<Self> {
        let focus = focus?;
        let section = &model.parts.get(focus.part)?.section;
        let note = match focus.subject {
            Subject::Note(note) => {
                let note = section.tree().notes.get(note as usize)?;
                let view = section.note_view(note);
                Some((view.explicit_id(), note.span.of(section.text()).to_vec()))
            }
            Subject::Record(_) | Subject::Comment(_) => None,
        };
        Some(Self { focus, note })
    }

    /// Which one it is now: the note of the same text, or else of the same id.
    pub(super) fn find(&self, model: &Model, now: &[Option<usize>]) -> Option<Focus> {
        let part = now.get(self.focus.part).copied().flatten()?;
        let Some((id, text)) = &self.note else { return Some(Focus { part, ..self.focus }) };
        let section = &model.parts.get(part)?.section;
        let mut notes = section.tree().notes.iter();
        let same = notes.position(|note| note.span.of(section.text()) == text.as_slice());
        let of_id = || section.note_views().position(|view| id.is_some() && view.explicit_id() == *id);
        let note = u32::try_from(same.or_else(of_id)?).ok()?;
        Some(Focus { part, subject: Subject::Note(note) })
    }
}

/// Where the reader was, to come back to.
pub(super) struct Stood {
    cursor: Spot,
    top: Spot,
    card: Option<Card>,
}

impl Stood {
    /// What stands there.
    pub(super) fn of(model: &Model, at: Standpoint) -> Self {
        Self { cursor: Spot::of(model, at.cursor), top: Spot::of(model, at.top.pos), card: Card::of(model, at.focus) }
    }

    /// Where that is now; part `n` is part `now[n]`, or gone.
    pub(super) fn find(&self, model: &Model, now: &[Option<usize>]) -> Standpoint {
        let focus = self.card.as_ref().and_then(|card| card.find(model, now));
        Standpoint { cursor: self.cursor.find(model, now), top: self.top.find(model, now).into(), focus }
    }
}

/// What is on the screen, remembered by what stands there, while the review becomes another one.
pub(super) struct View {
    here: Stood,
    anchor: Option<Spot>,
    /// The rows between the top of the screen and the cursor, as far as they are on it.
    above: usize,
    is_at_top: bool,
    /// Whether the open card is about what the cursor is on.
    is_read: bool,
    /// Where the prompt, the list and the files panel go back to.
    back: [Option<Stood>; 3],
}

impl View {
    /// What is there now.
    pub(super) fn of(model: &Model) -> Self {
        let files = if let Mode::Files(from) = model.mode { Some(from) } else { None };
        let back = [model.prompt.as_ref().map(|prompt| prompt.from), model.pick.as_ref().map(|pick| pick.from), files];
        Self {
            here: Stood::of(model, model.standpoint()),
            anchor: model.anchor.map(|anchor| Spot::of(model, anchor)),
            above: model.rows_between(model.top, model.cursor.into(), usize::from(model.size.height)),
            is_at_top: model.top == ScreenPos::default(),
            is_read: motion::is_open_at_cursor(model),
            back: back.map(|from| from.map(|from| Stood::of(model, from))),
        }
    }

    /// Show that again; part `n` is part `now[n]`, or gone. Of what has gone the place stays.
    pub(super) fn restore(&self, model: &mut Model, now: &[Option<usize>]) {
        let Standpoint { cursor, top, focus } = self.here.find(model, now);
        let anchor = self.anchor.as_ref().map(|anchor| anchor.find(model, now));
        (model.cursor, model.anchor, model.top.pos) = (cursor, anchor, top.pos);
        if self.is_at_top {
            model.top = ScreenPos::default();
        } else if self.above < usize::from(model.size.height) {
            model.top = model.scrolled(model.cursor.into(), -i64::try_from(self.above).unwrap_or(0));
        }
        model.focus = focus;
        if self.is_read && !motion::is_open_at_cursor(model) {
            // A card whose lines have gone does not take the reader along.
            model.focus = None;
        }
        let [prompt, pick, files] = self.back.each_ref().map(|from| from.as_ref().map(|from| from.find(model, now)));
        model.prompt.iter_mut().zip(prompt).for_each(|(prompt, from)| prompt.from = from);
        model.pick.iter_mut().zip(pick).for_each(|(pick, from)| pick.from = from);
        if let (Mode::Files(_), Some(from)) = (&model.mode, files) {
            model.mode = Mode::Files(from);
        }
    }
}
