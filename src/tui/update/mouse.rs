//! The mouse: the wheel scrolls what is under it, a click puts the cursor there, dragging selects lines or moves a border.

use super::super::command::Command;
use super::super::effect::Effect;
use super::super::help;
use super::super::input::MouseAction;
use super::super::layout::{Border, Position, Rect, halves};
use super::super::model::{Caret, Focus, Help, Mode, Model, Pos, Tone, on_character};
use super::super::place::{card_at, file_at};
use super::super::rows::Row;
use super::{checking, files, looking, motion, picking, settle};

/// Rows that one notch of the wheel scrolls.
const WHEEL: i8 = 3;

/// Columns that a key moves a border.
const STEP: u16 = 4;

/// Leave the mouse to the terminal, or take it again.
pub(super) fn toggle(model: &mut Model, effects: &mut Vec<Effect>) {
    model.has_mouse = !model.has_mouse;
    let key = model.key(Command::Mouse);
    let said = match model.has_mouse {
        true => "the mouse is whymark's: it scrolls, goes to lines and selects them".to_owned(),
        false => format!("the mouse is the terminal's, and selects text: {key} takes it again"),
    };
    model.say(Tone::Info, said);
    effects.push(Effect::UseMouse(model.has_mouse));
}

/// Let the mouse do something.
pub(super) fn handle(model: &mut Model, action: MouseAction, (column, row): (u16, u16), effects: &mut Vec<Effect>) {
    if let Some(border) = model.dragged {
        match action {
            MouseAction::Drag => return move_border(model, border, column),
            MouseAction::Release => return model.dragged = None,
            _ => model.dragged = None,
        }
    }
    match (&mut model.mode, action) {
        (Mode::Help(at), MouseAction::ScrollUp) => at.scrolled = at.scrolled.saturating_sub(3),
        (Mode::Help(at), MouseAction::ScrollDown) => {
            let at = Help { scrolled: at.scrolled.saturating_add(3), ..*at };
            model.mode = Mode::Help(Help { scrolled: at.scrolled.min(help::end(model)), ..at });
        }
        (Mode::Help(_), MouseAction::Press) => model.mode = Mode::Review,
        (Mode::Checkup, MouseAction::ScrollUp) => checking::scroll(model, -3),
        (Mode::Checkup, MouseAction::ScrollDown) => checking::scroll(model, 3),
        (Mode::Pick, _) => picking::mouse(model, action, (column, row), effects),
        (Mode::Help(_) | Mode::Checkup | Mode::Acting | Mode::Rounds | Mode::Confirm(_), _) => {}
        (_, MouseAction::ScrollUp) => wheel(model, column, row, -1),
        (_, MouseAction::ScrollDown) => wheel(model, column, row, 1),
        (Mode::Review | Mode::Files(_), MouseAction::Press) => press(model, column, row),
        (Mode::Review | Mode::Files(_), MouseAction::Drag) => drag(model, column, row),
        (_, MouseAction::ScrollLeft | MouseAction::ScrollRight) if model.wrap => {}
        (_, MouseAction::ScrollLeft) => model.left = model.left.saturating_sub(4),
        (_, MouseAction::ScrollRight) => {
            motion::further_right(model, 4);
        }
        (Mode::Form, MouseAction::Press) => press_form(model, column, row),
        (Mode::Review | Mode::Files(_), MouseAction::Release) | (Mode::Form | Mode::Prompt, _) => {}
    }
}

/// Go to the field of the form that is under the mouse.
fn press_form(model: &mut Model, column: u16, row: u16) {
    let Some(area) = model.layout.and_then(|layout| layout.form) else { return };
    if let Some(form) = &mut model.form {
        let (width, height) = (area.width.saturating_sub(2), area.height.saturating_sub(2));
        form.press(Rect::new(area.x + 1, area.y + 1, width, height), (column, row));
    }
}

/// Scroll what is under the mouse: the open card, or the diff. The cursor stays where it is unless it would leave the
/// screen.
fn wheel(model: &mut Model, column: u16, row: u16, notches: i8) {
    let Some(layout) = model.layout else { return };
    if layout.files.is_some_and(|list| list.contains(Position::new(column, row))) {
        return files::go(model, isize::from(notches));
    }
    if model.focus.is_some() && card_at(model, column, row) == model.focus {
        return settle::scroll_card(model, isize::from(notches * WHEEL));
    }
    model.wheeled = true;
    let rows = i64::from(notches * WHEEL);
    let height = i64::from(layout.diff.height);
    motion::scroll_view(model, rows);
    let margin = (height / 8).min(3);
    let (first, last) = (model.scrolled(model.top, margin).pos, model.scrolled(model.top, height - 1 - margin).pos);
    let cursor = model.cursor.clamp(first.min(last), last);
    if cursor != model.cursor {
        motion::place_towards(model, cursor, rows > 0);
    }
}

/// The position under the mouse, when it is over the diff.
fn under(model: &Model, column: u16, row: u16) -> Option<Pos> {
    let diff = model.layout?.diff;
    if !diff.contains(Position::new(column, row)) {
        return None;
    }
    model.screen_rows(model.top).nth(usize::from(row - diff.top())).map(|(at, _)| at.pos)
}

/// The character under the mouse, when it is over the text of a line: its row, and where it begins. Behind the text it is
/// the last one.
fn text_under(model: &Model, column: u16, row: u16) -> Option<(Pos, usize)> {
    let diff = model.layout?.diff;
    let (at, row) = model.screen_rows(model.top).nth(usize::from(row.checked_sub(diff.top())?))?;
    let text = model.text_at(at.pos)?;
    let columns = model.text_columns(&model.parts[at.pos.part], row);
    let left = usize::from(model.text_edge()).checked_sub(columns)?;
    let column = usize::from(column).checked_sub(left).filter(|column| *column < columns)?;
    let display = model.display_of(&model.parts[at.pos.part]);
    let (start, shown, skip) = if model.wrap {
        let shown = model.wrapped.rows_from(display, text.as_bytes(), columns, at.nth).next()?;
        (shown.start, &text[shown.clone()], 0)
    } else {
        (0, text, model.left)
    };
    let found = display.source_at(shown.as_bytes(), column + skip);
    let at_end = start + shown.len();
    Some((at.pos, on_character(text, found.map_or(at_end.saturating_sub(1).max(start), |source| start + source.start))))
}

/// The cursor is on the side that the mouse is over.
fn take_side(model: &mut Model, column: u16) {
    if let Some(layout) = model.layout.filter(|layout| layout.is_split) {
        model.on_old = column <= halves(layout.diff).1;
    }
}

/// Put a border into a column, as near as the panes allow.
fn move_border(model: &mut Model, border: Border, column: u16) {
    if let Some(layout) = model.layout {
        model.panes = layout.moved(model.panes, border, column);
    }
}

/// Move the border beside the notes a few columns, or that of the list of files where no notes stand beside the diff.
pub(super) fn step_border(model: &mut Model, is_right: bool) {
    let borders = [Border::Notes, Border::Files];
    let found = model
        .layout
        .and_then(|layout| borders.into_iter().find_map(|border| Some((border, layout.column_of(border)?))));
    match found {
        Some((border, column)) if is_right => move_border(model, border, column.saturating_add(STEP)),
        Some((border, column)) => move_border(model, border, column.saturating_sub(STEP)),
        None if model.has_notes() => model.say(Tone::Problem, "there is no border: notes stand under their lines"),
        None => model.say(Tone::Problem, "there is no border: it comes with the first note"),
    }
}

fn press(model: &mut Model, column: u16, row: u16) {
    model.wheeled = false;
    model.dragged = model.layout.and_then(|layout| layout.border_at(column, row));
    if model.dragged.is_some() {
        return;
    }
    if let Some(entry) = file_at(model, column, row) {
        return files::press(model, entry);
    }
    model.mode = Mode::Review;
    if let Some(focus) = card_at(model, column, row) {
        open(model, focus);
    } else if let Some(pos) = under(model, column, row) {
        model.anchor = None;
        take_side(model, column);
        model.pressed = text_under(model, column, row);
        model.caret = match (model.caret, model.pressed) {
            (Some(_), Some((_, at))) => Some(Caret { at, ..Caret::default() }),
            _ => None,
        };
        match model.row(pos) {
            Some(Row::Card { annotation, .. }) => {
                let subject = model.parts[pos.part].annotations[annotation as usize].subject;
                open(model, Focus { part: pos.part, subject });
            }
            _ => motion::place(model, pos),
        }
    }
}

/// Open a card and go to its lines.
fn open(model: &mut Model, focus: Focus) {
    model.focus = Some(focus);
    if let Some(index) = model.parts[focus.part].index_of(focus.subject) {
        looking::open(model, focus.part);
        model.cursor = model.position_of((focus.part, index));
    }
}

fn drag(model: &mut Model, column: u16, row: u16) {
    if let (Some(from), Some(to)) = (model.pressed, text_under(model, column, row)) {
        let is_moved = from != to || model.caret.is_some();
        if is_moved && (from.0 == to.0 || model.review.passages.is_some()) {
            model.anchor = Some(from.0);
            motion::place(model, to.0);
            return model.caret = Some(Caret { at: to.1, from: from.1, goal: None });
        }
    }
    let Some(pos) = under(model, column, row).filter(|pos| *pos != model.cursor) else { return };
    model.caret = None;
    if model.anchor.is_none() {
        model.anchor = Some(model.cursor);
    }
    motion::place(model, pos);
}
