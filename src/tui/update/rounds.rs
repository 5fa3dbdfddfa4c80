//! The list of comments and rounds.

use super::super::command::Command;
use super::super::effect::Effect;
use super::super::model::{Focus, Mode, Model, Tone};
use super::super::part::{Part, Subject as Card};
use super::super::talk::{Errand, ListRow, Shown};
use super::talking::{ask_to_take_back, errand, files, is_open};
use super::{existing, motion, since, writing};

/// Open the list of comments and rounds.
pub(super) fn open(model: &mut Model) {
    if model.talk.state.is_some() || is_open(model) {
        model.talk.settle();
        model.mode = Mode::Rounds;
    }
}

/// Open the form of the comment in a row of the list, where it is not sent.
fn edit(model: &mut Model, row: Option<ListRow>) {
    let form = match row {
        // What is not sent stands in front of what is.
        Some(ListRow::Unsent(index)) => existing::comment_form(model, index),
        _ => Err(existing::SENT.to_owned()),
    };
    match form {
        Ok(form) => writing::show(model, form),
        Err(reason) => model.say(Tone::Problem, reason),
    }
}

/// A command in the list.
pub(super) fn run(model: &mut Model, command: Command, effects: &mut Vec<Effect>) {
    let list = model.talk.list();
    let last = list.len().saturating_sub(1);
    let current = list.get(model.talk.row).copied();
    if matches!(command, Command::Recall | Command::HandOutAgain | Command::CloseRound | Command::EditNote) {
        if current.is_none() {
            return model.say(Tone::Problem, "there is nothing here");
        }
        if !is_open(model) {
            return;
        }
    }
    if let Some(row) = motion::scrolled(command, model.talk.row, last) {
        model.talk.row = row;
        return;
    }
    match command {
        Command::Redraw => effects.push(Effect::Redraw),
        Command::EditNote => edit(model, current),
        Command::Recall => match (current, current.and_then(ListRow::round)) {
            (Some(ListRow::Unsent(index)), _) => {
                let id = model.talk.unsent[index].id.clone();
                ask_to_take_back(model, id, true);
            }
            (_, Some(round)) => errand(effects, Errand::Recall { round, comments: model.talk.unsent.clone() }),
            _ => {}
        },
        Command::HandOutAgain => match current.and_then(ListRow::round) {
            Some(round) => errand(effects, Errand::Again { round, files: files(model) }),
            _ => model.say(Tone::Problem, "this is not sent yet: S sends it"),
        },
        Command::CloseRound => match current.and_then(ListRow::round) {
            Some(round) => errand(effects, Errand::Close(round)),
            _ => model.say(Tone::Problem, "this is not sent yet: x takes it back"),
        },
        Command::Since => since::ask(model, current.and_then(ListRow::round), effects),
        Command::Accept | Command::Cancel => {
            model.mode = Mode::Review;
            if command == Command::Accept
                && let Some(row) = current
            {
                jump(model, row);
            }
        }
        _ => {}
    }
}

/// Go to what a row of the list is about.
fn jump(model: &mut Model, row: ListRow) {
    let is_it = |shown: &Shown| match row {
        ListRow::Unsent(index) => model.talk.unsent.get(index).is_some_and(|comment| comment.id == shown.comment.id),
        ListRow::Note(round, note) => {
            let state = model.talk.state.as_ref().and_then(|state| state.round(round));
            state.and_then(|round| round.notes.get(note)).is_some_and(|note| note.id == shown.comment.id)
        }
        ListRow::Round(round) => {
            let state = model.talk.state.as_ref().and_then(|state| state.round(round));
            state.is_some_and(|round| round.notes.iter().any(|note| note.id == shown.comment.id))
        }
    };
    let Some(index) = model.talk.shown.iter().position(is_it).and_then(|index| u32::try_from(index).ok()) else {
        return;
    };
    let subject = Card::Comment(index);
    let has_it = |part: &Part| part.index_of(subject).is_some();
    if let Some(part) = model.parts.iter().position(has_it) {
        motion::open(model, Focus { part, subject });
    }
}
