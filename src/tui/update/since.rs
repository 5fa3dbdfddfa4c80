//! What has changed since a round was sent, shown in the place of the review and by the same means. It is a model of its
//! own, which is looked at and commented on: what it asks for beyond that comes to nothing.

use std::sync::Arc;

use super::super::command::Command;
use super::super::effect::Effect;
use super::super::input::Event;
use super::super::model::{Mode, Model, Review, Tone};
use super::super::msg::Msg;
use super::super::records::{RecordFile, Records};
use super::super::since::Since;
use super::super::talk::{Errand, Talk, Told};
use super::super::walk::ScreenPos;
use super::{adopt, settle, talking, update};
use crate::markback::Markback;

/// The first number that a search or a change there has, so that its answers are told from those for the review.
const FIRST: u64 = 1 << 32;

/// What is said to whoever wants to do more there.
fn way_back(model: &Model) -> String {
    format!("this only shows what has changed: {} or esc goes back to the review", model.key(Command::Since))
}

/// Have it found out what has changed since this round, or else the last one that was answered or sent.
pub(super) fn ask(model: &mut Model, round: Option<u32>, effects: &mut Vec<Effect>) {
    if model.talk.state.is_none() && !talking::is_open(model) {
        return;
    }
    match model.talk.since(round) {
        Some(since) => {
            model.mode = Mode::Review;
            effects.push(Effect::Agent(Box::new(Errand::Since(since))));
        }
        None => {
            let (since, rounds) = (model.key(Command::Since), model.key(Command::Rounds));
            model.say(
                Tone::Problem,
                match round {
                    Some(round) => format!("there is no round {round}: {rounds} lists them"),
                    None => format!("nothing has been sent yet: {since} shows what has changed since the last round"),
                },
            );
        }
    }
}

/// It is known. Whoever is busy, here or there, is not interrupted.
pub(super) fn found(model: &mut Model, since: Since) {
    let front = model.above.as_deref().unwrap_or(model);
    let is_unsaved = front.since.is_some() && !front.outbox.is_empty();
    if is_unsaved || front.is_away || !matches!(front.mode, Mode::Review) {
        return model.say(Tone::Info, format!("what has changed since round {} can be shown now", since.round));
    }
    let mut above = model_of(model, since);
    std::mem::swap(&mut above.message, &mut model.message);
    model.above = Some(Box::new(above));
}

fn model_of(model: &Model, since: Since) -> Model {
    let Since { round, document, readings, asides } = since;
    let parts = document.parts().to_vec();
    let own = RecordFile { place: model.review.records.own().place.clone(), text: Markback::parse("") };
    let review = Review {
        document,
        scope: format!("since round {round}"),
        shown_path: model.review.scope.clone(),
        read_only: Some(way_back(model)),
        passages: None,
        on_disk: true,
        basis: None,
        state_files: Vec::new(),
        missing: 0,
        unmerged: Default::default(),
        records: Records::new(own),
        tests: Default::default(),
        ..model.review.clone()
    };
    let mut above = Model::new(review, Arc::clone(&model.keymap), model.display, model.size);
    above.since = Some(round);
    (above.scans, above.ticket) = (FIRST, FIRST);
    (above.files, above.panes, above.clipboard) = (model.files, model.panes, model.clipboard);
    above.has_mouse = model.has_mouse;
    (above.wrap, above.split, above.intraline) = (model.wrap, model.split, model.intraline);
    (above.theme, above.kept_theme) = (model.theme.clone(), model.kept_theme.clone());
    above.themes.clone_from(&model.themes);
    above.searched.clone_from(&model.searched);
    above.problems.clone_from(&model.problems);
    above.talk = Talk { keeping: Vec::new(), ..model.talk.clone() };
    for (part, ((section, reading), mut aside)) in parts.into_iter().zip(readings).zip(asides).enumerate() {
        let path = section.tree().file.as_ref().map(|file| &file.path);
        let known = model.parts.iter().find(|part| part.section.tree().file.as_ref().map(|file| &file.path) == path);
        aside.tab_width = known.and_then(|part| part.aside.tab_width);
        adopt::fill(&mut above, part, section, reading, aside);
    }
    // It begins with what is said of all of it.
    above.top = ScreenPos::default();
    above
}

/// Let what is shown in the place of the review have what is its own of `msg`; what is left is the review's.
pub(super) fn take(model: &mut Model, msg: Msg, effects: &mut Vec<Effect>) -> Option<Msg> {
    let above = model.above.as_ref()?;
    let is_its = match &msg {
        Msg::Input(_) | Msg::ThemeKept(_) | Msg::Agent(Told::Often(..)) => true,
        Msg::Looked(_) | Msg::Edited { .. } => above.is_away,
        Msg::Paused(ticket) | Msg::Scanned { ticket, .. } | Msg::Agent(Told::Kept(Some(ticket), _)) => *ticket >= FIRST,
        Msg::Colored { part, section, .. } | Msg::WholeRead { part, section, .. } => {
            above.parts.get(*part).is_some_and(|part| Arc::ptr_eq(&part.section, section))
        }
        _ => false,
    };
    let Msg::Input(events) = msg else {
        if is_its {
            happen(model, msg, effects);
            return None;
        }
        return Some(msg);
    };
    let mut events = events.into_iter();
    while model.above.is_some() {
        let event = events.next()?;
        if let Event::Resize { columns, rows } = event {
            settle::resize(&mut model.size, (columns, rows));
        }
        happen(model, Msg::Input(vec![event]), effects);
    }
    let rest: Vec<Event> = events.collect();
    (!rest.is_empty()).then_some(Msg::Input(rest))
}

/// Let `msg` happen there. There is one list of what is not sent, and what is changed there is changed below.
fn happen(model: &mut Model, msg: Msg, effects: &mut Vec<Effect>) {
    let Some(above) = &mut model.above else { return };
    let asked = update(above, msg);
    if above.talk.unsent != model.talk.unsent {
        let now = above.talk.unsent.clone();
        talking::change(model, |unsent| *unsent = now);
    }
    pass(model, asked, effects);
}

/// Whether a command is for the review alone; it is said how to go back there, then.
pub(super) fn refuses(model: &mut Model, command: Command) -> bool {
    let is_for_review = matches!(
        command,
        Command::Queue
            | Command::Send
            | Command::Rounds
            | Command::EndSession
            | Command::TakeOver
            | Command::Stage
            | Command::Unstage
            | Command::Discard
            | Command::Undo
            | Command::Redo
            | Command::Verify
            | Command::Refresh
            | Command::Evidence
            | Command::Kept
    );
    let refuses = model.since.is_some() && is_for_review;
    if refuses {
        model.say(Tone::Problem, way_back(model));
    }
    refuses
}

/// What it asks for: to look at something, or to go back.
fn pass(model: &mut Model, asked: Vec<Effect>, effects: &mut Vec<Effect>) {
    for effect in asked {
        match effect {
            Effect::Quit => {
                let said = model.above.take().and_then(|above| above.message);
                model.message = said.or(model.message.take());
                // The screen may have another size by now.
                settle::settle(model, effects);
            }
            Effect::UseTheme(name) => settle::use_theme(model, name, effects),
            Effect::UseMouse(is_ours) => {
                model.has_mouse = is_ours;
                effects.push(Effect::UseMouse(is_ours));
            }
            Effect::KeepTheme(name) => {
                model.kept_theme.clone_from(&name);
                effects.push(Effect::KeepTheme(name));
            }
            Effect::Agent(_)
            | Effect::Pause(_)
            | Effect::EditText(_)
            | Effect::OpenSource(_)
            | Effect::Color { .. }
            | Effect::Scan(_)
            | Effect::ReadWhole(_)
            | Effect::Copy(_)
            | Effect::Suspend
            | Effect::Redraw => effects.push(effect),
            Effect::Write(_)
            | Effect::KeepDraft(_)
            | Effect::SettleDraft
            | Effect::Verify(_)
            | Effect::EndCommands
            | Effect::Act(_)
            | Effect::Preview(_)
            | Effect::FindOdd(_)
            | Effect::Restore(_)
            | Effect::Remember(_)
            | Effect::Watch(_)
            | Effect::Reread(_)
            | Effect::Compare(_)
            | Effect::Refresh(_)
            | Effect::EndRefresh
            | Effect::Carry(_)
            | Effect::Prioritize(_) => {}
        }
    }
}

/// What has been said below it is said above, too.
pub(super) fn follow(model: &mut Model) {
    let Some(above) = &mut model.above else { return };
    model.talk.news().clone_into(&mut above.talk.line);
    above.talk.closed.clone_from(&model.talk.closed);
    above.talk.sending.clone_from(&model.talk.sending);
    if above.talk.state != model.talk.state || above.talk.unsent != model.talk.unsent {
        above.talk.state.clone_from(&model.talk.state);
        talking::change(above, |unsent| unsent.clone_from(&model.talk.unsent));
    }
    if let Some(message) = model.message.take() {
        above.message = Some(message);
    }
}
