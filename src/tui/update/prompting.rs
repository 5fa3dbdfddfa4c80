//! The line at the bottom: every letter has its effect at once, esc takes all of it back.

use super::super::command::Command;
use super::super::effect::Effect;
use super::super::key::Key;
use super::super::model::{Mode, Model};
use super::super::prompt::Prompt;
use super::super::text_input::Input;
use super::searching;

/// The patterns that are remembered.
const MOST_REMEMBERED: usize = 200;

/// Ask for a pattern.
pub(super) fn open(model: &mut Model) {
    let before = model.search.take();
    model.prompt = Some(Prompt::new(model.standpoint(), before, model.display));
    model.mode = Mode::Prompt;
}

/// A command while something is asked for.
pub(super) fn run(model: &mut Model, command: Command, effects: &mut Vec<Effect>) {
    match command {
        Command::Save | Command::Newline => accept(model),
        Command::Cancel => cancel(model),
        Command::CursorUp | Command::CursorDown => recall(model, command == Command::CursorUp),
        Command::NextField => searching::go_on(model, true, 1),
        Command::PrevField => searching::go_on(model, false, 1),
        Command::Redraw => effects.push(Effect::Redraw),
        _ => {
            if let Some(input) = command.input() {
                edit(model, input);
            }
        }
    }
}

/// A key that is text.
pub(super) fn type_key(model: &mut Model, key: Key) {
    if let Some(char) = key.text() {
        edit(model, Input::Insert(char.to_string()));
    }
}

/// Pasted text; never keys.
pub(super) fn paste(model: &mut Model, text: &str) {
    edit(model, Input::Insert(text.to_owned()));
}

fn edit(model: &mut Model, input: Input) {
    if model.prompt.as_mut().is_some_and(|prompt| prompt.edit(input)) {
        searching::typed(model);
    }
}

/// Call back an older line, or a newer one.
fn recall(model: &mut Model, is_older: bool) {
    let Some(prompt) = &mut model.prompt else { return };
    if prompt.recall(&model.searched, is_older) {
        searching::typed(model);
    }
}

fn accept(model: &mut Model) {
    let Some(prompt) = model.prompt.take_if(|prompt| prompt.problem.is_none()) else { return };
    model.mode = Mode::Review;
    if prompt.text().is_empty() {
        return searching::again(model, prompt.before);
    }
    let history = &mut model.searched;
    history.retain(|line| line != prompt.text());
    history.push(prompt.text().to_owned());
    if history.len() > MOST_REMEMBERED {
        history.remove(0);
    }
    searching::say_if_nothing(model);
}

fn cancel(model: &mut Model) {
    let Some(prompt) = model.prompt.take() else { return };
    model.mode = Mode::Review;
    model.stand(prompt.from);
    model.search = prompt.before;
}
