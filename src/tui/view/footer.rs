//! The line at the bottom: what has the keyboard, where the cursor is, a message, and the keys that help most. A message
//! may take several lines.

use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::super::command::{Command, Context};
use super::super::key::write_sequence;
use super::super::model::{Mode, Model, Tone};
use super::super::pick::PickKind;
use super::super::place::listed_here;
use super::super::prompt::Prompt;
use super::super::search::Search;
use super::super::theme::Role;
use super::canvas::Canvas;
use crate::text::width::Display;

/// What weighs so much is said in fewer words before it goes.
const ESSENTIAL: u8 = 3;

/// The columns that are left for where the cursor is, at the least.
const LEAST_OF_PLACE: usize = 12;

/// The commands a newcomer needs first, with the word the footer has for each and its weight.
const REVIEW_HINTS: &[(Command, &str, u8)] = &[
    (Command::NextUncovered, "next unexplained", 3),
    (Command::Note, "write a note", 4),
    (Command::NextNote, "next note", 1),
    (Command::Select, "select", 0),
    (Command::Palette, "commands", 0),
    (Command::Help, "help", 6),
    (Command::Quit, "quit", 5),
];
const PASSAGES_HINTS: &[(Command, &str, u8)] = &[
    (Command::Comment, "comment", 4),
    (Command::Markback, "Markback note", 2),
    (Command::Select, "select", 3),
    (Command::Send, "send", 1),
    (Command::Palette, "commands", 0),
    (Command::Help, "help", 6),
    (Command::Quit, "quit", 5),
];
const SINCE_HINTS: &[(Command, &str, u8)] = &[
    (Command::NextHunk, "next hunk", 2),
    (Command::NextFile, "next file", 1),
    (Command::Comment, "comment on it", 2),
    (Command::Help, "help", 0),
    (Command::Since, "back to the review", 3),
];
const FORM_HINTS: &[(Command, &str, u8)] = &[
    (Command::Save, "save", 4),
    (Command::NextField, "next field", 1),
    (Command::Newline, "new line", 0),
    (Command::Cancel, "close", 3),
];
const CHOICE_HINTS: &[(Command, &str, u8)] = &[
    (Command::CursorRight, "change", 3),
    (Command::NextField, "next field", 1),
    (Command::Save, "save", 4),
    (Command::Cancel, "close", 3),
];
const SELECT_HINTS: &[(Command, &str, u8)] = &[
    (Command::Note, "write a note", 2),
    (Command::Markback, "Markback note", 0),
    (Command::Cancel, "stop selecting", 1),
];
/// The same where there are no notes of a diff.
const LINES_HINTS: &[(Command, &str, u8)] = &[
    (Command::Comment, "comment", 2),
    (Command::Markback, "Markback note", 0),
    (Command::Select, "by characters", 3),
    (Command::Cancel, "stop selecting", 1),
];
const TEXT_HINTS: &[(Command, &str, u8)] = &[
    (Command::Comment, "comment", 4),
    (Command::Select, "select", 5),
    (Command::NextWord, "next word", 2),
    (Command::WordRight, "end of word", 1),
    (Command::OtherEnd, "other end", 0),
    (Command::Cancel, "back", 3),
];
const HELP_HINTS: &[(Command, &str, u8)] = &[(Command::Cancel, "back", 0)];

const FILES_HINTS: &[(Command, &str, u8)] =
    &[(Command::GoToFile, "find", 1), (Command::OpenFile, "go there", 2), (Command::Cancel, "back", 3)];
const FILE_HINTS: &[(Command, &str, u8)] = &[
    (Command::GoToFile, "find", 1),
    (Command::CloseFolder, "close its folder", 0),
    (Command::ToggleFolders, "all folders", 0),
    (Command::OpenFile, "go there", 2),
    (Command::Cancel, "back", 3),
];
const OPEN_FOLDER_HINTS: &[(Command, &str, u8)] = &[
    (Command::GoToFile, "find", 1),
    (Command::ToggleFolders, "all folders", 0),
    (Command::OpenFile, "close folder", 2),
    (Command::Cancel, "back", 3),
];
const CLOSED_FOLDER_HINTS: &[(Command, &str, u8)] = &[
    (Command::GoToFile, "find", 1),
    (Command::ToggleFolders, "all folders", 0),
    (Command::OpenFile, "open folder", 2),
    (Command::Cancel, "back", 3),
];
const PROMPT_HINTS: &[(Command, &str, u8)] = &[(Command::Save, "search", 1), (Command::Cancel, "back", 2)];
const PICK_HINTS: &[(Command, &str, u8)] =
    &[(Command::CursorDown, "next", 0), (Command::Save, "choose", 1), (Command::Cancel, "back", 2)];

const KEYS_HINTS: &[(Command, &str, u8)] =
    &[(Command::CursorDown, "next", 0), (Command::Save, "show it in the help", 1), (Command::Cancel, "back", 2)];

const FILTER_HINTS: &[(Command, &str, u8)] =
    &[(Command::CursorDown, "next", 0), (Command::Save, "tick", 1), (Command::Cancel, "done", 2)];

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
    if rows.len() == 1 {
        draw_hints(model, canvas, area, end);
    }
    None
}

/// The keys that help most, as far as there is room for them behind `end`.
fn draw_hints(model: &Model, canvas: &mut Canvas<'_>, area: Rect, end: u16) {
    let style = canvas.style(Role::Header);
    let mut hints = hints(model);
    let room = usize::from(area.right().saturating_sub(end + 2));
    let columns = |hint: &Hint| hint.columns(&hint.word, model.display);
    while hints.iter().map(columns).sum::<usize>() > room {
        let Some(least) = (0..hints.len()).min_by_key(|index| hints[*index].weight) else { break };
        let is_long = |hint: &Hint| short(&hint.word) != hint.word;
        if hints[least].weight >= ESSENTIAL && hints.iter().any(is_long) {
            hints.iter_mut().for_each(|hint| hint.word = short(&hint.word).to_owned());
        } else {
            hints.remove(least);
        }
    }
    let taken: usize = hints.iter().map(columns).sum();
    let texts = hints.into_iter().flat_map(|hint| {
        [(canvas.style(Role::Key), hint.keys), (canvas.style(Role::Dim), format!(" {}  ", hint.word))]
    });
    let texts = Canvas::all_over(style, texts.collect());
    let taken = u16::try_from(taken).unwrap_or(0);
    canvas.put(area.right().saturating_sub(taken), area.y, taken, &texts);
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
    let taken = canvas.width(&right).min(area.width * 2 / 3);
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

/// A key and what it does, or a number and what it counts.
struct Hint {
    keys: String,
    word: String,
    /// The hints that weigh least go first when there is no room.
    weight: u8,
}

impl Hint {
    /// The columns that it takes when it says `word`.
    fn columns(&self, word: &str, display: Display) -> usize {
        display.width(&self.keys) + display.width(word) + 3
    }
}

/// What a hint says where there is little room.
fn short(word: &str) -> &str {
    match word {
        "next unexplained" => "unexplained",
        "write a note" => "note",
        other => other,
    }
}

/// The hints for what has the keyboard.
fn hints(model: &Model) -> Vec<Hint> {
    let (context, commands): (Context, &[(Command, &str, u8)]) = match model.mode {
        Mode::Review if model.caret.is_some() => (Context::Text, TEXT_HINTS),
        Mode::Review if model.anchor.is_some() && model.review.passages.is_some() => (Context::Review, LINES_HINTS),
        Mode::Review if model.anchor.is_some() => (Context::Review, SELECT_HINTS),
        Mode::Review if model.since.is_some() => (Context::Review, SINCE_HINTS),
        Mode::Review if model.review.passages.is_some() => (Context::Review, PASSAGES_HINTS),
        Mode::Review => (Context::Review, REVIEW_HINTS),
        Mode::Form if model.form.as_ref().is_some_and(|form| form.focus.is_choice()) => (Context::Form, CHOICE_HINTS),
        Mode::Form => (Context::Form, FORM_HINTS),
        Mode::Help(_) => (Context::Popup, HELP_HINTS),
        Mode::Files(_) => (Context::Files, files_hints(model)),
        Mode::Prompt => (Context::Form, PROMPT_HINTS),
        Mode::Pick => match model.pick.as_ref().map(|pick| pick.kind) {
            Some(PickKind::Filters) => (Context::Form, FILTER_HINTS),
            Some(PickKind::Keys) => (Context::Form, KEYS_HINTS),
            _ => (Context::Form, PICK_HINTS),
        },
        // What can be done stands in the pane.
        Mode::Confirm(_) | Mode::Checkup | Mode::Acting | Mode::Rounds => return Vec::new(),
    };
    let mut hints = Vec::new();
    let rest = model.uncovered();
    if matches!(model.mode, Mode::Review) && model.anchor.is_none() && model.since.is_none() && rest > 0 {
        hints.push(Hint {
            keys: rest.to_string(),
            word: if rest == 1 { "line unexplained" } else { "lines unexplained" }.to_owned(),
            weight: 2,
        });
    }
    let outer = (context == Context::Text).then_some(Context::Review);
    let key_in = |context, command| model.keymap.key_of(context, command);
    let shortest = |command| key_in(context, command).or_else(|| key_in(outer?, command));
    hints.extend(commands.iter().filter_map(|(command, word, weight)| {
        Some(Hint { keys: shortest(*command)?, word: (*word).to_owned(), weight: *weight })
    }));
    hints
}

/// The hints for the row of the list of files that the cursor is on.
fn files_hints(model: &Model) -> &'static [(Command, &'static str, u8)] {
    let folder = listed_here(model).and_then(|here| model.tree[here].folder.as_ref());
    match folder {
        Some(folder) if model.closed.contains(folder) => CLOSED_FOLDER_HINTS,
        Some(_) => OPEN_FOLDER_HINTS,
        None if model.tree.iter().any(|row| row.folder.is_some()) => FILE_HINTS,
        None => FILES_HINTS,
    }
}

/// What stands at the left of `room` columns when nothing is said: where the cursor is, what is searched for, keys of a
/// longer sequence. The first gives way to the hints that matter.
fn left(model: &Model, canvas: &Canvas<'_>, room: usize) -> Vec<(Style, String)> {
    let hints = hints(model);
    let essential = hints.iter().filter(|hint| hint.weight >= ESSENTIAL);
    let essential: usize = essential.map(|hint| hint.columns(short(&hint.word), model.display)).sum();
    // Whoever writes knows where they are, but not how to save.
    let least = if matches!(model.mode, Mode::Form) { 0 } else { LEAST_OF_PLACE };
    let columns = room.saturating_sub(essential + 3).max(least);
    let mut texts = Vec::new();
    if let Some(place) = model.location().filter(|_| columns >= LEAST_OF_PLACE) {
        texts.push((canvas.style(Role::Text), format!(" {}", end_of(&place, columns, model.display))));
    }
    if let Some(search) = &model.search {
        let text = format!("  /{} {}", model.display.visible(search.pattern.text()), count_words(search));
        texts.push((canvas.style(Role::Note), text));
    }
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
