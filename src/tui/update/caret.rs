//! The cursor in the text of a line: it goes in, moves by characters and words as in vim, and selects.

use super::super::command::Command;
use super::super::model::{Caret, Model, Pos, Tone, on_character};
use super::motion;
use crate::text::cursor;

/// Put a cursor into the text of the line: on the first hit of the search, or else on the first character. Of selected
/// lines all characters are selected then.
pub(super) fn enter(model: &mut Model) {
    let Some(text) = model.text_at(model.cursor) else {
        return model.say(Tone::Problem, "there is no text here that a cursor could go into: go to a line of the file");
    };
    let hit = model.search.as_ref().and_then(|search| search.pattern.places(text.as_bytes()).next());
    let first = hit.map_or_else(|| text.len() - text.trim_start().len(), |hit| hit.start);
    let at = on_character(text, first);
    model.caret = Some(Caret { at, ..Caret::default() });
    match model.anchor.filter(|anchor| *anchor != model.cursor) {
        Some(anchor) => {
            let ends = [0, usize::MAX];
            let [from, at] = if anchor < model.cursor { ends } else { [ends[1], ends[0]] };
            model.caret = Some(Caret { at, from, goal: None });
        }
        None => model.anchor = None,
    }
}

/// Leave the text; first what is selected in it.
pub(super) fn leave(model: &mut Model) {
    if model.anchor.take().is_none() {
        model.caret = None;
    }
}

/// Leave the text, and what is selected in it: the reader goes somewhere else.
pub(super) fn give_up(model: &mut Model) {
    if model.caret.take().is_some() {
        model.anchor = None;
    }
}

/// Whether `command` is about the cursor in the text, and there is one.
pub(super) fn is_own(model: &Model, command: Command) -> bool {
    model.caret.is_some()
        && matches!(
            command,
            Command::CursorLeft
                | Command::CursorRight
                | Command::LineStart
                | Command::LineEnd
                | Command::WordLeft
                | Command::WordRight
                | Command::NextWord
                | Command::Select
                | Command::OtherEnd
        )
}

/// Select from here on, or stop selecting.
fn select(model: &mut Model) {
    let Some(caret) = &mut model.caret else { return };
    caret.from = caret.at;
    model.anchor = if model.anchor.is_some() { None } else { Some(model.cursor) };
}

/// Go to the other end of the selection.
fn swap(model: &mut Model) {
    let (Some(caret), Some(anchor)) = (&mut model.caret, &mut model.anchor) else {
        return model.say(Tone::Info, "nothing is selected that could have another end");
    };
    std::mem::swap(&mut caret.at, &mut caret.from);
    caret.goal = None;
    std::mem::swap(anchor, &mut model.cursor);
}

/// Move in the text, or select.
pub(super) fn run(model: &mut Model, command: Command, count: Option<u32>) {
    match command {
        Command::Select => return select(model),
        Command::OtherEnd => return swap(model),
        _ => {}
    }
    for _ in 0..count.unwrap_or(1) {
        let before = (model.cursor, model.caret);
        step(model, command);
        if (model.cursor, model.caret) == before {
            break;
        }
    }
}

fn step(model: &mut Model, command: Command) {
    let (Some(at), Some(text)) = (model.caret_at(model.cursor), model.text_at(model.cursor)) else { return };
    let end = cursor::before(text, text.len());
    let to = match command {
        Command::CursorLeft => Some(if at == 0 { 0 } else { cursor::before(text, at) }),
        Command::CursorRight => Some(cursor::after(text, at).min(end)),
        Command::LineStart => Some(0),
        Command::LineEnd => Some(end),
        Command::WordLeft => Some(cursor::word_left(text, at)).filter(|to| *to < at && !is_blank(text, *to)),
        Command::WordRight => {
            let behind = cursor::word_right(text, cursor::after(text, at));
            Some(cursor::before(text, behind)).filter(|to| *to > at && !is_blank(text, *to))
        }
        Command::NextWord => next_word(text, at),
        _ => return,
    };
    let found = match to {
        Some(to) => Some((model.cursor, to)),
        None if command == Command::WordLeft => words_before(model),
        None => words_behind(model, command),
    };
    let Some((pos, at)) = found else { return };
    if pos != model.cursor {
        motion::place(model, pos);
    }
    if let Some(caret) = &mut model.caret {
        (caret.at, caret.goal) = (at, None);
    }
}

/// Whether a blank begins at `at`, or nothing.
fn is_blank(text: &str, at: usize) -> bool {
    text[at..].chars().next().is_none_or(char::is_whitespace)
}

/// The start of the next word of the line.
fn next_word(text: &str, at: usize) -> Option<usize> {
    let behind = if is_blank(text, at) { at } else { cursor::word_end(text, at) };
    let blanks = text[behind..].len() - text[behind..].trim_start().len();
    Some(behind + blanks).filter(|to| *to < text.len())
}

/// The first word of a line further down: where it begins, or for whoever goes to the ends of words where it ends.
fn words_behind(model: &Model, command: Command) -> Option<(Pos, usize)> {
    let mut below = std::iter::successors(model.next(model.cursor), |pos| model.next(*pos));
    below.find_map(|pos| {
        let text = model.text_at(pos).filter(|text| !text.trim().is_empty())?;
        let start = text.len() - text.trim_start().len();
        let end = || cursor::before(text, cursor::word_right(text, start));
        Some((pos, if command == Command::NextWord { start } else { end() }))
    })
}

/// The start of the last word of a line further up.
fn words_before(model: &Model) -> Option<(Pos, usize)> {
    let mut above = std::iter::successors(model.previous(model.cursor), |pos| model.previous(*pos));
    above.find_map(|pos| {
        let text = model.text_at(pos).filter(|text| !text.trim().is_empty())?;
        Some((pos, cursor::word_left(text, text.len())))
    })
}

/// The reader has gone from the row at `from` to another: the cursor in its text stays in its column, as far as the text
/// goes, or stands on what was searched for.
pub(super) fn follow(model: &mut Model, from: Pos, is_search: bool) {
    let Some(mut caret) = model.caret.filter(|_| from != model.cursor || is_search) else { return };
    let Some(text) = model.text_at(model.cursor) else { return };
    let display = model.display_of(&model.parts[model.cursor.part]);
    let hit = model.search.as_ref().filter(|_| is_search).and_then(|search| {
        let place = search.pattern.places(text.as_bytes()).next()?;
        Some(on_character(text, place.start))
    });
    match hit {
        Some(at) => (caret.at, caret.goal) = (at, None),
        None => {
            let was = model.text_at(from).map(|text| display.column_of(text.as_bytes(), on_character(text, caret.at)));
            let goal = caret.goal.or(was).unwrap_or(0);
            let at = display.source_at(text.as_bytes(), goal).map_or(text.len(), |source| source.start);
            (caret.at, caret.goal) = (on_character(text, at), Some(goal));
        }
    }
    model.caret = Some(caret);
}
