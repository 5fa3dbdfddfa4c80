//! A key that begins a text, and was refused: what is typed on in the same breath is meant as text, and is no command.
//!
//! The breath ends with a pause, with esc, and with any other key that changes no text.

use super::super::command::{Command, Context};
use super::super::effect::Effect;
use super::super::key::Key;
use super::super::keymap::Resolution;
use super::super::model::{Mode, Model, Refused, Tone};

/// Whether what is typed behind `command` is a text.
pub(super) fn begins_text(command: Command) -> bool {
    matches!(
        command,
        Command::Note
            | Command::NoteOnFile
            | Command::NoteOnChange
            | Command::NoteOnUnexplained
            | Command::Markback
            | Command::MarkbackOnFile
            | Command::EditNote
            | Command::EditOutside
            | Command::Claim
            | Command::ReviewState
            | Command::Reply
            | Command::Comment
            | Command::Chat
            | Command::Kept
    )
}

/// Whether nothing takes text where the reader is.
fn takes_no_text(model: &Model) -> bool {
    matches!(model.mode, Mode::Review | Mode::Files(_) | Mode::Rounds)
}

/// After `command` has been run: where it was refused, what is typed on is held back.
pub(super) fn ran(model: &mut Model, command: Command, effects: &mut Vec<Effect>) {
    if !begins_text(command) || !takes_no_text(model) || model.is_away {
        return;
    }
    if let Some((Tone::Problem, reason)) = &model.message {
        let reason = reason.clone();
        wait(model, reason, effects);
    }
}

/// After `keys` have meant nothing where the reader is: they may have been meant for the review.
pub(super) fn meant_nothing(model: &mut Model, keys: &[Key], effects: &mut Vec<Effect>) {
    if let Resolution::Command(command) = model.keymap.resolve(Context::Review, keys) {
        ran(model, command, effects);
    }
}

/// Whether `key` types something in a form, or changes what is typed there.
fn changes_text(model: &Model, key: Key) -> bool {
    const MOVES_ON: [Command; 6] =
        [Command::Cancel, Command::Redraw, Command::CursorUp, Command::CursorDown, Command::PageUp, Command::PageDown];
    match model.keymap.resolve(Context::Form, &[key]) {
        Resolution::Command(command) => !MOVES_ON.contains(&command),
        Resolution::Pending | Resolution::None => key.text().is_some(),
    }
}

fn wait(model: &mut Model, reason: String, effects: &mut Vec<Effect>) {
    model.refused = Some(Refused { ticket: model.ticket, reason, is_typed_on: false });
    effects.push(Effect::Pause(model.ticket));
    model.ticket += 1;
}

/// Whether `key` is typed on behind one that was refused; it is said that it does nothing.
pub(super) fn holds_back(model: &mut Model, key: Key) -> bool {
    let Some(refused) = model.refused.take() else { return false };
    if !changes_text(model, key) || !takes_no_text(model) {
        return false;
    }
    model.say(Tone::Problem, format!("{} (what is typed on does nothing until a pause or esc)", refused.reason));
    model.refused = Some(Refused { is_typed_on: true, ..refused });
    true
}

/// There has been time enough for a pause since `ticket` was given, or last waited for: one is waited for at a time.
pub(super) fn paused(model: &mut Model, ticket: u64, effects: &mut Vec<Effect>) {
    let Some(refused) = model.refused.as_mut().filter(|refused| refused.ticket == ticket) else { return };
    if std::mem::take(&mut refused.is_typed_on) {
        effects.push(Effect::Pause(ticket));
    } else {
        model.refused = None;
    }
}
