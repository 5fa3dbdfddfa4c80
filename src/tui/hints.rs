//! The keys that help most where the reader is, with a word for each. Pure; the view draws them.

use super::checkup::Stage;
use super::command::{Command, Context};
use super::form::{Field, Form};
use super::model::{Mode, Model};
use super::pick::PickKind;
use super::place::listed_here;
use super::talk::ListRow;
use crate::text::width::Display;

/// What weighs so much is said in fewer words before it goes.
pub const ESSENTIAL: u8 = 3;
/// What weighs so much stays in sight whatever is said beside it.
pub const VITAL: u8 = 7;

/// The commands a newcomer needs first, with the word the footer has for each and its weight.
const REVIEW_HINTS: &[(Command, &str, u8)] = &[
    (Command::NextUncovered, "next unexplained", 7),
    (Command::Note, "write a note", 4),
    (Command::NextNote, "next note", 1),
    (Command::Select, "select", 0),
    (Command::Palette, "commands", 0),
    (Command::Help, "help", 8),
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
    (Command::CloseFolder, "close folder", 2),
    (Command::Cancel, "back", 3),
];
const CLOSED_FOLDER_HINTS: &[(Command, &str, u8)] = &[
    (Command::GoToFile, "find", 1),
    (Command::ToggleFolders, "all folders", 0),
    (Command::OpenFolder, "open folder", 2),
    (Command::Cancel, "back", 3),
];
const PROMPT_HINTS: &[(Command, &str, u8)] = &[(Command::Save, "keep", 1), (Command::Cancel, "back", 2)];
/// What comes in front where something is searched for.
const SEARCH_HINTS: &[(Command, &str, u8)] = &[(Command::NextHit, "next", 6), (Command::PrevHit, "previous", 2)];
const PICK_HINTS: &[(Command, &str, u8)] =
    &[(Command::CursorDown, "next", 0), (Command::Save, "choose", 1), (Command::Cancel, "back", 2)];

const KEYS_HINTS: &[(Command, &str, u8)] =
    &[(Command::CursorDown, "next", 0), (Command::Save, "show it in the help", 1), (Command::Cancel, "back", 2)];

const FILTER_HINTS: &[(Command, &str, u8)] =
    &[(Command::CursorDown, "next", 0), (Command::Save, "tick", 1), (Command::Cancel, "done", 2)];

/// A key and what it does, or a number and what it counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    /// The key, or the number.
    pub keys: String,
    /// What it does, or counts.
    pub word: String,
    /// The hints that weigh least go first when there is no room.
    pub weight: u8,
}

impl Hint {
    /// The columns that it takes when it says `word`, those to the next one included.
    #[must_use]
    pub fn columns(&self, word: &str, display: Display) -> usize {
        display.width(&self.keys) + display.width(word) + 3
    }
}

/// What a hint says where there is little room.
#[must_use]
pub fn short(word: &str) -> &str {
    match word {
        "next unexplained" => "unexplained",
        "write a note" => "note",
        other => other,
    }
}

/// The columns that the hints of `model` that weigh at least so much take, in few words.
#[must_use]
pub fn least_columns(model: &Model, weight: u8) -> usize {
    let hints = hints(model).into_iter().filter(|hint| hint.weight >= weight);
    hints.map(|hint| hint.columns(short(&hint.word), model.display)).sum()
}

/// The hints for what has the keyboard.
#[must_use]
pub fn hints(model: &Model) -> Vec<Hint> {
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
        // What can be done is said in a sentence.
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
    let stubs = if rest > 0 || model.review.passages.is_some() { 0 } else { model.totals().stubs };
    if matches!(model.mode, Mode::Review) && model.anchor.is_none() && model.since.is_none() && stubs > 0 {
        hints.push(Hint {
            keys: stubs.to_string(),
            word: if stubs == 1 { "note to write" } else { "notes to write" }.to_owned(),
            weight: 2,
        });
    }
    let outer = (context == Context::Text).then_some(Context::Review);
    let key_in = |context, command| model.keymap.key_of(context, command);
    let shortest = |command| key_in(context, command).or_else(|| key_in(outer?, command));
    let is_searched = matches!(model.mode, Mode::Review) && model.search.is_some();
    let search = SEARCH_HINTS.iter().filter(|_| is_searched);
    let is_of_use = |command: Command| command != Command::NextUncovered || rest + stubs > 0;
    let commands = commands.iter().filter(|(command, ..)| is_of_use(*command));
    let next = model.form.as_ref().filter(|_| matches!(model.mode, Mode::Form)).map(next_field);
    hints.extend(search.chain(commands).filter_map(|(command, word, weight)| {
        let word = next.filter(|_| *command == Command::NextField).unwrap_or(Some(word))?;
        let word = if *command == Command::NextUncovered && stubs > 0 { "next to write" } else { word };
        Some(Hint { keys: shortest(*command)?, word: word.to_owned(), weight: *weight })
    }));
    hints
}

/// What the key for the next field is for; `None` where there is only one.
fn next_field(form: &Form) -> Option<&'static str> {
    match form.next() {
        Some(Field::About) if form.texts().len() == 1 => Some("lines or file"),
        Some(_) if form.is_at_first() => Some("more fields"),
        next => next.map(|_| "next field"),
    }
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

/// What can be done where a pane above the rest has the keyboard, as a sentence.
#[must_use]
pub fn choices(model: &Model) -> Option<String> {
    match model.mode {
        Mode::Acting => {
            Some(format!("{} does it, any other key does not", model.key_in(Context::Popup, Command::Accept)))
        }
        Mode::Checkup => of_checkup(model, &model.checkup.as_ref()?.stage),
        Mode::Rounds => Some(of_rounds(model)),
        _ => None,
    }
}

/// What is asked, or can be done.
fn of_checkup(model: &Model, stage: &Stage) -> Option<String> {
    match stage {
        Stage::Asking => Some(format!("{} runs them, esc goes back", model.key_in(Context::Popup, Command::Accept))),
        Stage::Running => Some("esc ends them".to_owned()),
        Stage::Doubting => Some(format!("End what runs? {}", model.answers())),
        Stage::Ending | Stage::Writing => None,
        Stage::Over(_) => Some("esc goes back".to_owned()),
    }
}

/// What can be done with the row at the cursor.
fn of_rounds(model: &Model) -> String {
    let list = model.talk.list();
    let row = list.get(model.talk.row).copied();
    let round = row.and_then(ListRow::round).zip(model.talk.state.as_ref());
    let round = round.and_then(|(number, state)| state.round(number));
    let is_held = model.talk.is_held();
    let mut words = vec![(Command::GoThere, "goes there")];
    match (row, round) {
        (None | Some(ListRow::Message(..)), _) => return "esc goes back".to_owned(),
        _ if !is_held => {}
        (Some(ListRow::Unsent(_)), _) => {
            words.extend([(Command::EditNote, "changes it"), (Command::Recall, "takes it back")]);
        }
        (_, Some(round)) if round.is_unanswered() && round.handed.is_empty() => {
            words.extend([(Command::Recall, "takes it back"), (Command::Since, "what has changed")]);
        }
        (_, Some(round)) if round.is_unanswered() => {
            words.extend([(Command::CloseRound, "closes it"), (Command::Since, "what has changed")]);
        }
        _ => words.extend([(Command::HandOutAgain, "hands it out again"), (Command::Since, "what has changed")]),
    }
    let keys = words.into_iter().map(|(command, word)| format!("{} {word}", model.key_in(Context::Popup, command)));
    let start = if is_held { "" } else { "another reviewer has the session: " };
    format!("{start}{}, esc goes back", keys.collect::<Vec<_>>().join(", "))
}
