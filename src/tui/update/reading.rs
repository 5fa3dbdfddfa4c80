//! How the diff is read: long lines wrapped, sides next to each other, words marked.

use super::super::command::Command;
use super::super::layout::{Layout, SPLIT};
use super::super::model::{Model, OpenCard, Tone};
use super::settle;

/// Turn one of them on or off.
pub(super) fn toggle(model: &mut Model, command: Command) {
    match command {
        Command::Wrap => {
            model.wrap = !model.wrap;
            model.left = 0;
            model.say(Tone::Info, if model.wrap { "long lines are wrapped" } else { "long lines are scrolled" });
        }
        Command::Intraline => {
            model.intraline = !model.intraline;
            let text = if model.intraline { "the words that differ are marked" } else { "no words are marked" };
            model.say(Tone::Info, text);
        }
        Command::Split => split(model),
        _ => {}
    }
}

fn split(model: &mut Model) {
    model.split = !model.split;
    let has_room = Layout::of(model.size, model.wants(None)).is_some_and(|layout| layout.is_split);
    if model.split && !has_room {
        let text = format!("side by side needs {SPLIT} columns beside the files: it comes when the window has them");
        model.say(Tone::Problem, text);
    }
}

/// Scroll the open card by a row.
pub(super) fn step_card(model: &mut Model, command: Command) {
    let before = model.card_top;
    settle::scroll_card(model, if command == Command::CardDown { 1 } else { -1 });
    let hidden = model.open_card.as_ref().map(OpenCard::hidden);
    let reason = match (hidden, command) {
        _ if model.card_top != before => return,
        (None, _) => "no note is open here",
        (Some(0), _) => "all of the note is shown",
        (Some(_), Command::CardDown) => "this is the end of the note",
        (Some(_), _) => "this is the start of the note",
    };
    model.say(Tone::Info, reason);
}
