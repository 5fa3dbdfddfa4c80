//! The list of comments and rounds.

use super::super::command::{Command, Context};
use super::super::effect::Effect;
use super::super::model::{Mode, Model, Tone};
use super::super::place::popup_area;
use super::super::talk::{Errand, ListRow, Shown};
use super::talking::{ask_to_take_back, errand, files, is_open};
use super::{existing, motion, since, talking, writing};

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
        _ => Err(existing::is_sent(model)),
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
        if matches!(current, Some(ListRow::Message(..))) {
            return model.say(Tone::Problem, "an agent has said this: it is no note of yours");
        }
        if !is_open(model) {
            return;
        }
    }
    let page = usize::from(popup_area(model).height.saturating_sub(2));
    if let Some(row) = motion::scrolled(command, model.talk.row, last, page) {
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
            _ => model.say(Tone::Problem, format!("this is not sent yet: {} sends it", model.key(Command::Send))),
        },
        Command::CloseRound => match current.and_then(ListRow::round) {
            Some(round) => errand(effects, Errand::Close(round)),
            _ => {
                let recall = model.key_in(Context::Popup, Command::Recall);
                model.say(Tone::Problem, format!("this is not sent yet: {recall} takes it back"));
            }
        },
        Command::Since => since::ask(model, current.and_then(ListRow::round), effects),
        Command::GoThere | Command::Cancel => {
            model.mode = Mode::Review;
            if command == Command::GoThere
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
        ListRow::Message(..) => false,
        ListRow::Round(round) => {
            let state = model.talk.state.as_ref().and_then(|state| state.round(round));
            state.is_some_and(|round| round.notes.iter().any(|note| note.id == shown.comment.id))
        }
    };
    let shown = model.talk.shown.iter().find(|shown| is_it(shown));
    if let Some(focus) = shown.and_then(|shown| talking::card_of(model, &shown.comment.id)) {
        motion::open(model, focus);
    }
}
