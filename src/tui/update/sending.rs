//! The outbox: changes go to disk, and what happens when they are there, or cannot be written.

use std::path::Path;

use super::super::change::{Change, Found, Write};
use super::super::command::Command;
use super::super::effect::{Effect, Restore};
use super::super::form::{Form, FormKind, status_words};
use super::super::history::{Back, Restoration, Step, Way};
use super::super::layout::WIDE;
use super::super::model::{Deletion, Doing, Done, Focus, Mode, Model, Outgoing, Question, Sending, Tone};
use super::super::msg::{SavedState, Written};
use super::super::part::Subject;
use super::super::records::RecordRef;
use super::{acting, adopt, answers, checking, existing, lines, motion, refreshing, talking, writing};
use crate::document::ReviewStatus;
use crate::skeleton;
use crate::text::counted::counted;

/// Send what the form says to disk, now or as soon as the whole diff has been read.
pub(super) fn save(model: &mut Model, effects: &mut Vec<Effect>) {
    let delete = model.key(Command::DeleteNote);
    let Some(form) = &mut model.form else { return };
    if !form.says_something() {
        form.focus = form.texts()[0].0;
        form.problem = Some(nothing_is_written(form, &delete));
        return;
    }
    if let Some(reason) = talking::fault(&form.comment()).filter(|_| form.kind == FormKind::Comment) {
        form.problem = Some(reason);
        return;
    }
    if form.kind == FormKind::Comment && form.amends.as_ref().is_some_and(|known| model.talk.is_in_flight(&known.text))
    {
        form.problem = Some(talking::IN_FLIGHT.to_owned());
        return;
    }
    let Some(mut form) = model.form.take() else { return };
    form.problem = None;
    model.mode = Mode::Review;
    model.anchor = None;
    if form.kind == FormKind::Decision && !existing::is_changed(model, &form) {
        let text = format!("nothing was changed: the review is {}", status_words(model.review_status()));
        model.say(Tone::Info, text);
        return reopen_failed(model);
    }
    // What a reply answers may be read last of all.
    let is_new = form.kind == FormKind::Comment || (form.kind == FormKind::Record && form.amends.is_none());
    let waits = !is_new && model.pending > 0;
    if waits {
        let text =
            format!("the note is saved as soon as the diff has been read ({} to go)", counted(model.pending, "file"));
        model.say(Tone::Info, text);
    }
    let index = put(model, Doing::Save(form), Sending::Waiting);
    if !waits {
        send(model, index, effects);
    }
}

/// What is said of an empty form; `delete` is the key that deletes what is open.
fn nothing_is_written(form: &Form, delete: &str) -> String {
    match form.kind {
        FormKind::Claim => "nothing is written yet: what was done?".to_owned(),
        FormKind::Comment if form.amends.is_some() => {
            format!("nothing is left: leave the form, and {delete} takes the comment back")
        }
        _ if form.amends.is_some() && form.kind != FormKind::Reply => {
            format!("nothing is left: leave the form, and {delete} deletes the note")
        }
        _ => "nothing is written yet: say why".to_owned(),
    }
}

/// Put something into the outbox; its index there.
pub(super) fn put(model: &mut Model, doing: Doing, state: Sending) -> usize {
    model.outbox.push(Outgoing { ticket: model.ticket, doing, state });
    model.ticket += 1;
    model.outbox.len() - 1
}

/// Keep a form that cannot be written until somebody asks for it.
pub(super) fn put_aside(model: &mut Model, form: Form) {
    put(model, Doing::Save(form), Sending::Aside);
}

/// Let a form of the outbox go.
fn send(model: &mut Model, index: usize, effects: &mut Vec<Effect>) {
    model.outbox[index].state = Sending::Sent;
    let Doing::Save(form) = &model.outbox[index].doing else { return };
    if form.kind == FormKind::Comment {
        let (form, ticket) = (form.clone(), model.outbox[index].ticket);
        effects.push(talking::queue(model, &form, ticket));
        return;
    }
    let change = writing::change(model, form);
    let part = writing::part_of(model, form.target().file.as_ref(), form.target().part);
    let told = |part: &usize| {
        change
            .as_ref()
            .err()
            .is_some_and(|reason| lines::refusal(&model.parts[*part].section, form).as_ref() == Some(reason))
    };
    let told_in = part.filter(told);
    let Outgoing { ticket, doing, .. } = &mut model.outbox[index];
    if let Doing::Save(form) = doing {
        form.is_old = false;
        if let Some(part) = told_in {
            lines::settle(&model.parts[part].section, form);
        }
    }
    let ticket = *ticket;
    match change {
        Ok(change) => effects.push(effect(model, ticket, change)),
        Err(reason) => failed(model, ticket, &reason, false, effects),
    }
}

fn effect(model: &Model, ticket: u64, change: Change) -> Effect {
    Effect::Write(Box::new(Write { ticket, author: model.review.author.clone(), change }))
}

/// Make a change that has no form.
pub(super) fn commit(model: &mut Model, doing: Doing, change: Change, effects: &mut Vec<Effect>) {
    let index = put(model, doing, Sending::Sent);
    effects.push(effect(model, model.outbox[index].ticket, change));
}

/// What was asked about goes.
pub(super) fn delete(model: &mut Model, deletion: Deletion, effects: &mut Vec<Effect>) {
    let Deletion { label, change, .. } = deletion;
    commit(model, Doing::Delete(label), change, effects);
}

/// Go a step through the history.
pub(super) fn step(model: &mut Model, way: Way, effects: &mut Vec<Effect>) {
    // What it does is the next step back.
    if let Some(reason) = acting::under_way(model) {
        return model.say(Tone::Problem, reason);
    }
    // An act writes no review.
    let is_act = model.history.next(way).is_some_and(|step| matches!(step.back, Back::Act(_)));
    if !is_act && !writing::may_write(model) {
        return;
    }
    let Some(step) = model.history.take(way) else {
        let text = match way {
            Way::Back => "nothing has been written that could be taken back",
            Way::Again => "nothing has been taken back that could be done again",
        };
        return model.say(Tone::Info, text);
    };
    match &step.back {
        Back::Text(reversal) => {
            let change = Change::taking_back(reversal, || writing::review_file(model));
            commit(model, Doing::Step(way, step), change, effects);
        }
        Back::Act(restoration) => {
            let restoration = (**restoration).clone();
            let index = put(model, Doing::Step(way, step), Sending::Sent);
            effects.push(Effect::Restore(Box::new(Restore { ticket: model.outbox[index].ticket, restoration })));
        }
    }
}

/// Changes that waited for the diff can go now.
pub(super) fn flush(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.pending > 0 {
        return;
    }
    let waiting = model.outbox.iter().filter(|outgoing| outgoing.state == Sending::Waiting);
    let waiting: Vec<u64> = waiting.map(|outgoing| outgoing.ticket).collect();
    for ticket in waiting {
        if let Some(index) = model.outbox.iter().position(|outgoing| outgoing.ticket == ticket) {
            send(model, index, effects);
        }
    }
}

/// A change is on disk.
pub(super) fn written(model: &mut Model, written: Written, effects: &mut Vec<Effect>) {
    let Written { ticket, path, state, found, back } = written;
    let named = if model.size.width < WIDE { path.file_name().map_or(&*path, Path::new) } else { &path };
    let place = model.place_of(named);
    let found_at = model.outbox.iter().position(|outgoing| outgoing.ticket == ticket);
    let doing = found_at.map(|index| model.outbox.remove(index).doing);
    let file = match state {
        SavedState::Review(document) => {
            adopt::adopt(model, document);
            model.review.on_disk = true;
            None
        }
        SavedState::Records(file) => Some(adopt::take_records(model, *file)),
    };
    let is_changed = back.is_some();
    match doing {
        Some(Doing::Save(form)) => {
            remember(model, form.label(), back);
            saved(model, &form, &found, file, &place, is_changed);
        }
        Some(Doing::Delete(label)) => {
            remember(model, format!("deletion of the {label}"), back);
            model.focus = None;
            motion::follow(model);
            let undo = model.key(Command::Undo);
            model.say(Tone::Info, format!("deleted from {place}: {label}; {undo} brings it back"));
        }
        Some(Doing::Resolve(is_resolved)) => {
            if let (Found::Record(record), Some(file)) = (found, file) {
                let record = RecordRef { file, record };
                let id = answers::resolved(model, record, is_resolved, is_changed, &place);
                remember(model, format!("{id} {}", if is_resolved { "resolved" } else { "open again" }), back);
            }
        }
        Some(Doing::Outcomes) => {
            if let Found::Outcomes(count, left) = found {
                remember(model, "outcomes of the commands".to_owned(), back);
                checking::written(model, count, left, &place);
            }
        }
        Some(Doing::Step(way, step)) => {
            went(model, way, step.label, back.map(Back::Text));
            open_found(model, &found, file);
        }
        None => {}
    }
    reopen_failed(model);
    leave_when_done(model, effects);
}

/// What was done can be taken back.
fn remember(model: &mut Model, label: String, back: Option<super::super::history::Reversal>) {
    if let Some(reversal) = back {
        model.history.push(Step { label, back: Back::Text(reversal) });
    }
}

/// A step of the history has been gone.
fn went(model: &mut Model, way: Way, label: String, back: Option<Back>) -> String {
    let done = match way {
        Way::Back => "undone",
        Way::Again => "done again",
    };
    let said = format!("{done}: {}", model.display.visible(&label));
    model.say(Tone::Info, said.clone());
    model.focus = None;
    motion::follow(model);
    if let Some(back) = back {
        model.history.put(way.reversed(), Step { label, back });
    }
    said
}

/// What has come back, or is another one now, is open.
fn open_found(model: &mut Model, found: &Found, file: Option<usize>) {
    match (found, file) {
        _ if !matches!(model.mode, Mode::Review) => {}
        (Found::Note(note), None) => motion::open(model, (*note).into()),
        (Found::Record(record), Some(file)) => answers::focus(model, RecordRef { file, record: *record }),
        _ => {}
    }
}

/// An act was taken back, or done again: the review follows.
pub(super) fn restored(model: &mut Model, ticket: u64, back: Box<Restoration>, effects: &mut Vec<Effect>) {
    let index = model.outbox.iter().position(|outgoing| outgoing.ticket == ticket);
    if let Some(Doing::Step(way, step)) = index.map(|index| model.outbox.remove(index).doing) {
        acting::mark(model, &back.marks);
        let marks = (way == Way::Back).then(|| back.marks.clone());
        let said = went(model, way, step.label, Some(Back::Act(back)));
        refreshing::follow(model, Done { said, back: marks }, effects);
    }
    reopen_failed(model);
    leave_when_done(model, effects);
}

/// What a form says is on disk.
fn saved(model: &mut Model, form: &Form, found: &Found, file: Option<usize>, place: &str, is_changed: bool) {
    if form.kind == FormKind::Decision {
        let (status, summary) = form.decision();
        let is_unwritten = model.review.document.meta().summary.as_deref() == Some(skeleton::SUMMARY);
        let also = match summary {
            Some(_) => ", its summary saved",
            None if is_unwritten && status != ReviewStatus::Pending => " without a summary",
            None => "",
        };
        let undo = model.key(Command::Undo);
        let text = format!("the review is {}{also} in {place}; {undo} takes that back", status_words(status));
        return model.say(Tone::Info, text);
    }
    match (found, file) {
        (Found::Note(note), None) => {
            if matches!(model.mode, Mode::Review) {
                model.focus = Some((*note).into());
            }
            let id = model.display.visible(model.review.document.note_id(*note));
            let text = match form.kind {
                _ if !is_changed => format!("{id} says so already in {place}"),
                FormKind::Claim => format!("claim of {id} saved to {place}"),
                _ if form.target().count() > 1 => format!("{} notes saved to {place}", form.target().count()),
                _ => format!("{id} saved to {place}"),
            };
            model.say(Tone::Info, text + &hidden_words(model, (*note).into()));
        }
        (Found::Record(record), Some(file)) => {
            let record = RecordRef { file, record: *record };
            answers::focus(model, record);
            let part = form.target().part;
            let hidden = hidden_words(model, Focus { part, subject: Subject::Record(record) });
            model.say(Tone::Info, format!("Markback note saved to {place}{hidden}"));
        }
        _ => {}
    }
}

/// That the filter hides what was written, and how it is seen, where that is so.
fn hidden_words(model: &Model, written: Focus) -> String {
    match model.parts.get(written.part) {
        Some(part) if model.filter.is_on() && part.index_of(written.subject).is_none() => {
            format!("; the filter hides it, {} shows all", model.key(Command::ClearFilter))
        }
        _ => String::new(),
    }
}

/// A write failed: the text comes back into the form, with the reason.
pub(super) fn failed(model: &mut Model, ticket: u64, reason: &str, is_gone: bool, effects: &mut Vec<Effect>) {
    let Some(index) = model.outbox.iter().position(|outgoing| outgoing.ticket == ticket) else { return };
    if let Doing::Save(form) = &mut model.outbox[index].doing {
        model.leaving = false;
        // What comes next stands first: it is another thing than what the form was opened for.
        let next = match form.kind {
            _ if !is_gone || form.amends.is_none() => None,
            FormKind::Note | FormKind::Text => Some("saved again, this is a new note"),
            FormKind::Decision => Some("saved again, yours replaces it"),
            _ => None,
        };
        if next.is_some() {
            form.amends = None;
        }
        let next = next.map_or(String::new(), |next| format!("{next}; "));
        form.problem = Some(format!("{next}not saved: {reason}"));
        model.outbox[index].state = Sending::Failed;
        model.say(Tone::Problem, format!("not saved: {reason}"));
        return reopen_failed(model);
    }
    let said = match model.outbox.remove(index).doing {
        Doing::Step(way, step) => {
            let said = if way == Way::Back { "not undone" } else { "not done again" };
            let said = format!("{said}: {}: {reason}", model.display.visible(&step.label));
            if !is_gone {
                model.history.put(way, step);
            }
            said
        }
        Doing::Outcomes => {
            model.leaving = false;
            return checking::failed(model, reason);
        }
        Doing::Delete(_) => format!("not deleted: {reason}"),
        Doing::Save(_) | Doing::Resolve(_) => format!("not written: {reason}"),
    };
    last_word(model, &said);
    model.say(Tone::Problem, said);
    leave_when_done(model, effects);
}

/// What has failed, and no text waits for an answer: whoever has left reads it on the normal screen.
pub(super) fn last_word(model: &mut Model, said: &str) {
    if model.leaving {
        model.last_words.push(said.to_owned());
    }
}

/// Bring back a note whose write failed, unless another one is being written.
pub(super) fn reopen_failed(model: &mut Model) {
    if model.form.is_some() {
        return;
    }
    let failed = model.outbox.iter().position(|outgoing| outgoing.state == Sending::Failed);
    if let Some(Doing::Save(form)) = failed.map(|index| model.outbox.remove(index).doing) {
        model.form = Some(form);
        model.mode = Mode::Form;
    }
}

/// Leave, but not before everything that was written is on disk.
pub(super) fn quit(model: &mut Model, effects: &mut Vec<Effect>) {
    if !model.leaving {
        // Whoever stayed after all has read them on the screen.
        model.last_words.clear();
    }
    reopen_failed(model);
    if let Some(reason) = model.unkept.clone().filter(|_| model.kept_texts() > 0 && model.form.is_none()) {
        model.leaving = false;
        model.mode = Mode::Confirm(Question::Leave(reason));
        // It may be possible by now.
        effects.push(Effect::SettleDraft);
        return;
    }
    model.leaving = model.form.is_none();
    if model.leaving && is_waiting(model) {
        model.say(Tone::Info, "leaving as soon as the last note is on disk");
    }
    leave_when_done(model, effects);
}

/// Whether something is on its way to disk.
pub(super) fn is_waiting(model: &Model) -> bool {
    model.outbox.iter().any(|outgoing| outgoing.state != Sending::Aside)
}

/// Leave if nothing is on its way any more. What is only kept has to be on disk: when it is, comes in an answer.
pub(super) fn leave_when_done(model: &Model, effects: &mut Vec<Effect>) {
    if model.leaving && !is_waiting(model) && model.form.is_none() {
        effects.push(if model.kept_texts() > 0 { Effect::SettleDraft } else { Effect::Quit });
    }
}
