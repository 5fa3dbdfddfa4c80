//! The line at the bottom: what has the keyboard, where the cursor is, a message, and the keys that help most. A message
//! may take several lines.

use std::cmp::Reverse;

use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::super::hints::{ESSENTIAL, Hint, hints, least_columns, short};
use super::super::key::write_sequence;
use super::super::model::{Mode, Model, Tone};
use super::super::prompt::Prompt;
use super::super::search::Search;
use super::super::theme::Role;
use super::canvas::Canvas;
use crate::text::width::Display;

/// The columns that are left for where the cursor is, at the least.
const LEAST_OF_PLACE: usize = 12;

/// Draw the line; where the terminal's cursor stands, if something is asked for there.
pub(super) fn draw(model: &Model, canvas: &mut Canvas<'_>, area: Rect) -> Option<Position> {
    let style = canvas.style(Role::Header);
    canvas.fill(area, style);
    if let Some(prompt) = model.prompt.as_ref().filter(|_| matches!(model.mode, Mode::Prompt)) {
        return Some(draw_prompt(model, canvas, area, prompt));
    }
    let word = Canvas::all_over(style, vec![(canvas.style(Role::Key), model.mode_word().to_owned())]);
    let x = canvas.put(area.x, area.y, area.width, &word);
    let room = area.right().saturating_sub(x);
    let (tone, rows) = model.said();
    if rows.is_empty() {
        let left = Canvas::all_over(style, left(model, canvas, usize::from(room)));
        let end = canvas.put(x, area.y, room, &left);
        draw_hints(model, canvas, area, end);
        return None;
    }
    let role = if tone == Tone::Problem { Role::Warning } else { Role::Text };
    let mut end = x;
    for (y, row) in (area.top()..area.bottom()).zip(&rows) {
        let row = Canvas::all_over(style, vec![(canvas.style(role), format!(" {row}"))]);
        end = canvas.put(x, y, room, &row);
    }
    let last = rows.len() - 1;
    if let Some(y) = (area.top()..area.bottom()).nth(last) {
        draw_hints(model, canvas, Rect { y, height: 1, ..area }, end);
    }
    None
}

/// The keys that help most, as far as there is room for them behind `end`.
fn draw_hints(model: &Model, canvas: &mut Canvas<'_>, area: Rect, end: u16) {
    let style = canvas.style(Role::Header);
    let room = usize::from(area.right().saturating_sub(end + 2));
    let (texts, taken) = hint_texts(model, canvas, room);
    let taken = u16::try_from(taken).unwrap_or(0);
    canvas.put(area.right().saturating_sub(taken), area.y, taken, &Canvas::all_over(style, texts));
}

/// The hints that fit into `room` columns, and the columns that they take. The heaviest come first; where one of them has
/// no room, only what matters comes after it.
fn hint_texts(model: &Model, canvas: &Canvas<'_>, room: usize) -> (Vec<(Style, String)>, usize) {
    let mut hints = hints(model);
    let columns = |hint: &Hint| hint.columns(&hint.word, model.display);
    let matters = |hint: &&Hint| hint.weight >= ESSENTIAL;
    if hints.iter().filter(matters).map(columns).sum::<usize>() > room {
        hints.iter_mut().for_each(|hint| hint.word = short(&hint.word).to_owned());
    }
    let mut order: Vec<usize> = (0..hints.len()).collect();
    order.sort_by_key(|index| Reverse((hints[*index].weight, *index)));
    let (mut kept, mut taken, mut is_full) = (vec![false; hints.len()], 0, false);
    for index in order {
        let more = columns(&hints[index]);
        kept[index] = taken + more <= room && (!is_full || matters(&&hints[index]));
        if kept[index] {
            taken += more;
        } else {
            is_full = true;
        }
    }
    let kept = hints.into_iter().zip(kept).filter_map(|(hint, is_kept)| is_kept.then_some(hint));
    let texts = kept.flat_map(|hint| {
        [(canvas.style(Role::Key), hint.keys), (canvas.style(Role::Dim), format!(" {}  ", hint.word))]
    });
    (texts.collect(), taken)
}

/// What is asked for and typed, and at the right what comes of it.
fn draw_prompt(model: &Model, canvas: &mut Canvas<'_>, area: Rect, prompt: &Prompt) -> Position {
    let style = canvas.style(Role::Header);
    let mut right = Vec::new();
    if let Some(problem) = &prompt.problem {
        right.push((canvas.over(style, Role::Warning), format!(" {} ", model.display.visible(problem))));
    } else if let Some(search) = &model.search {
        // That there is nothing says the number.
        let message = model.message.as_ref().filter(|_| search.count().1 > 0).map_or("", |(_, text)| text.as_str());
        right.push((canvas.over(style, Role::Dim), format!(" {message}  {} ", count_words(search))));
    }
    let most = area.width * 2 / 3;
    let room = usize::from(most.saturating_sub(canvas.width(&right)));
    right.extend(Canvas::all_over(style, hint_texts(model, canvas, room).0));
    let taken = canvas.width(&right).min(most);
    canvas.put(area.right() - taken, area.y, taken, &right);
    let sign = [(canvas.over(style, Role::Key), " /")];
    let x = canvas.put(area.x, area.y, area.width - taken, &sign);
    let room = area.right().saturating_sub(taken + x);
    let rows = prompt.input().rows(usize::from(room));
    let (row, column) = prompt.input().cursor_cell(usize::from(room));
    canvas.put(x, area.y, room, &[(style, &prompt.text()[rows[row].clone()])]);
    let column = u16::try_from(column).unwrap_or(u16::MAX);
    Position::new(x.saturating_add(column).min(area.right().saturating_sub(1)), area.y)
}

/// Which hit of how many; an ellipsis says that not everything has been looked through yet.
fn count_words(search: &Search) -> String {
    let (number, all, is_whole) = search.count();
    match (number, all, is_whole) {
        (None, 0, true) => "not found".to_owned(),
        (number, all, is_whole) => {
            let number = number.map_or("–".to_owned(), |number| number.to_string());
            format!("{number}/{all}{}", if is_whole { "" } else { "…" })
        }
    }
}

/// What stands at the left of `room` columns when nothing is said: where the cursor is, what is searched for, keys of a
/// longer sequence. The first gives way to the hints that matter.
fn left(model: &Model, canvas: &Canvas<'_>, room: usize) -> Vec<(Style, String)> {
    let search = model.search.as_ref().map_or(String::new(), |search| {
        format!("  /{} {}", model.display.visible(search.pattern.text()), count_words(search))
    });
    let others = least_columns(model, ESSENTIAL) + model.display.width(&search);
    // Whoever writes knows where they are, but not how to save.
    let least = if matches!(model.mode, Mode::Form) { 0 } else { LEAST_OF_PLACE };
    let columns = room.saturating_sub(others + 3).max(least);
    let mut texts = Vec::new();
    if let Some(place) = model.location().filter(|_| columns >= LEAST_OF_PLACE) {
        texts.push((canvas.style(Role::Text), format!(" {}", end_of(&place, columns, model.display))));
    }
    texts.push((canvas.style(Role::Note), search));
    let pending: String = model.count.map(|count| count.to_string()).unwrap_or_default() + &write_sequence(&model.keys);
    if !pending.is_empty() {
        texts.push((canvas.style(Role::Key), format!("  {pending}")));
    }
    texts
}

/// The end of `text`, in at most so many columns.
fn end_of(text: &str, columns: usize, display: Display) -> String {
    if display.width(text) <= columns {
        return text.to_owned();
    }
    let mark = display.glyphs().ellipsis();
    let room = columns.saturating_sub(display.width(mark));
    let rest = text.char_indices().map(|(at, _)| &text[at..]).find(|rest| display.width(rest) <= room);
    format!("{mark}{}", rest.unwrap_or_default())
}
