//! The commands of the review: asking, running, and what becomes of what came out.

use super::super::change::{Change, ReviewChange, ReviewFile};
use super::super::checkup::{Checkup, Stage};
use super::super::command::Command;
use super::super::effect::{Effect, Verify};
use super::super::model::{Doing, Mode, Model, Tone};
use super::super::msg::Msg;
use super::super::place::checkup_rows;
use super::{sending, writing};
use crate::text::counted::counted;
use crate::verify::{Left, Plan};

/// Show the commands and ask whether to run them; or show those that run.
pub(super) fn open(model: &mut Model) {
    if model.checkup.as_ref().is_some_and(|checkup| !matches!(checkup.stage, Stage::Asking | Stage::Over(_))) {
        model.mode = Mode::Checkup;
        return;
    }
    if model.pending > 0 {
        return model.say(Tone::Problem, "not all files have been read yet: try again in a moment");
    }
    let plan = Plan::of(&model.review.document, |_| true);
    if plan.commands.is_empty() {
        return model.say(Tone::Info, "nothing to verify: no check or claim names a command");
    }
    let folder = model.review.folder.display().to_string();
    let read_only = model.review.read_only.clone();
    model.checkup = Some(Checkup::new(model.review.document.clone(), plan, folder, read_only));
    model.mode = Mode::Checkup;
}

/// A command while the pane is open.
pub(super) fn run(model: &mut Model, command: Command, effects: &mut Vec<Effect>) {
    let Some(checkup) = &mut model.checkup else {
        model.mode = Mode::Review;
        return;
    };
    let half = isize::try_from(model.layout.map_or(10, |layout| layout.diff.height / 2)).unwrap_or(1);
    match (command, &checkup.stage) {
        (Command::Accept, Stage::Asking) => {
            checkup.stage = Stage::Running;
            checkup.scrolled = None;
            let job = Verify { plan: checkup.plan.clone(), folder: model.review.folder.clone() };
            effects.push(Effect::Verify(Box::new(job)));
        }
        (Command::Accept, Stage::Doubting) => {
            checkup.stage = Stage::Ending;
            effects.push(Effect::EndCommands);
        }
        (Command::Cancel, Stage::Running) => checkup.stage = Stage::Doubting,
        (Command::Cancel, Stage::Doubting) => checkup.stage = Stage::Running,
        (Command::Cancel, Stage::Asking | Stage::Over(_)) => {
            model.checkup = None;
            model.mode = Mode::Review;
        }
        (Command::Down, _) => scroll(model, 1),
        (Command::Up, _) => scroll(model, -1),
        (Command::HalfPageDown, _) => scroll(model, half),
        (Command::HalfPageUp, _) => scroll(model, -half),
        (Command::PageDown, _) => scroll(model, 2 * half),
        (Command::PageUp, _) => scroll(model, -2 * half),
        (Command::Top, _) => scroll(model, isize::MIN),
        (Command::Bottom, _) => scroll(model, isize::MAX),
        (Command::Redraw, _) => effects.push(Effect::Redraw),
        _ => other_key(model),
    }
}

/// Any other key is a no where the question is whether to end what runs.
pub(super) fn other_key(model: &mut Model) {
    if let Some(checkup) = model.checkup.as_mut().filter(|checkup| checkup.stage == Stage::Doubting) {
        checkup.stage = Stage::Running;
    }
}

/// Scroll the pane, as far as there is something to see.
pub(super) fn scroll(model: &mut Model, rows: isize) {
    let (first, last) = checkup_rows(model);
    if let Some(checkup) = &mut model.checkup {
        checkup.scrolled = Some(first.saturating_add_signed(rows).min(last));
    }
}

/// Something has become of the commands.
pub(super) fn happen(model: &mut Model, msg: Msg, effects: &mut Vec<Effect>) {
    let Some(checkup) = &mut model.checkup else { return };
    match msg {
        Msg::CommandStarted(index) => checkup.started(index),
        Msg::CommandWrote(index, tail) => checkup.wrote(index, tail),
        Msg::CommandEnded(index, ran) => checkup.ended(index, *ran),
        Msg::CommandsOver => over(model, effects),
        _ => {}
    }
}

/// Nothing runs any more: what came out goes to disk.
fn over(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(checkup) = &mut model.checkup else { return };
    let runs = checkup.plan.commands.iter().zip(checkup.runs());
    let seen = runs.filter_map(|(command, ran)| Some((command, ran.as_ref()?)));
    let seen =
        seen.filter(|(_, ran)| ran.unavailable().is_none()).map(|(command, ran)| (command.clone(), ran.status()));
    // What they ran on may be other code than what is shown.
    let is_of_this =
        checkup.document.has_text_of(&model.review.document) && !model.parts.iter().any(|part| part.is_stale);
    model.witnessed.extend(seen.filter(|_| is_of_this));
    // It says so too.
    model.open_card = None;
    let is_learned = checkup.plan.verdicts(checkup.runs()).iter().any(|verdict| verdict.reason.is_none());
    if let Some(reason) = checkup.read_only() {
        let sentence = format!("{}; not written, because {reason}", checkup.summary());
        return finish(model, sentence, Tone::Info, Vec::new());
    }
    if !is_learned {
        let sentence = format!("{}; there is nothing to be written", checkup.summary());
        return finish(model, sentence, Tone::Info, Vec::new());
    }
    checkup.stage = Stage::Writing;
    let file = ReviewFile { document: checkup.document.clone(), ..writing::review_file(model) };
    let Some(checkup) = &model.checkup else { return };
    let change = ReviewChange::Outcomes(checkup.plan.clone(), checkup.runs().to_vec());
    sending::commit(model, Doing::Outcomes, Change::Review(file, change), effects);
}

/// What came out is on disk.
pub(super) fn written(model: &mut Model, count: usize, left: Vec<Left>, place: &str) {
    let Some(checkup) = &model.checkup else { return };
    let what = counted(count, "outcome");
    let sentence = format!("{}; {what} written to {place}", checkup.summary());
    finish(model, sentence, Tone::Info, left);
}

/// What came out could not be written.
pub(super) fn failed(model: &mut Model, reason: &str) {
    let Some(checkup) = &model.checkup else { return model.say(Tone::Problem, reason.to_owned()) };
    let sentence = format!("{}; not written: {reason}", checkup.summary());
    finish(model, sentence, Tone::Problem, Vec::new());
}

fn finish(model: &mut Model, sentence: String, tone: Tone, left: Vec<Left>) {
    if !matches!(model.mode, Mode::Checkup) {
        model.say(tone, sentence.clone());
    }
    if let Some(checkup) = &mut model.checkup {
        checkup.finish(sentence, left);
    }
}
