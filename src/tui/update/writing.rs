//! Writing notes and records: opening the form, saving it, and what happens when a save succeeds or fails.

use bstr::BString;

use crate::document::{Selector, Side};
use crate::markback::Record;

use super::super::command::Command;
use super::super::effect::{AppendNote, AppendRecord, Effect};
use super::super::form::{Form, FormKind, Target};
use super::super::key::Key;
use super::super::model::{Mode, Model, Outgoing, Question, Sending, Tone};
use super::super::msg::{Saved, SavedState};
use super::super::records::Place;
use super::super::text_input::clean;
use super::{answers, selection, settle, talking};

/// Open the form that `command` names, on the cursor or the selection.
pub(super) fn open(model: &mut Model, command: Command) {
    if let Some(reason) = &model.review.read_only {
        let text = format!("read-only: {reason}");
        return model.say(Tone::Problem, text);
    }
    let is_record = matches!(command, Command::Markback | Command::MarkbackOnFile);
    let kind = if is_record { FormKind::Record } else { FormKind::Note };
    if let Some(reason) = model.review.no_notes.filter(|_| kind == FormKind::Note) {
        return model.say(Tone::Problem, reason);
    }
    let targets = match selection::targets(model, kind) {
        Ok(targets) => targets,
        Err(reason) => return model.say(Tone::Problem, reason),
    };
    let wanted = match command {
        Command::NoteOnFile | Command::MarkbackOnFile => Some(Side::File),
        Command::NoteOnChange => Some(Side::Doc),
        _ => None,
    };
    let target = wanted.map_or(Some(0), |side| targets.iter().position(|target| target.selector.side == side));
    let Some(target) = target else { return model.say(Tone::Problem, "there is no file here") };
    let mut form = Form::new(kind, targets, model.display);
    form.target = target;
    show(model, form);
}

/// Open `form`.
pub(super) fn show(model: &mut Model, form: Form) {
    // Whoever writes on has not left.
    model.leaving = false;
    model.form = Some(form);
    model.mode = Mode::Form;
}

/// A command of the form.
pub(super) fn run(model: &mut Model, command: Command, effects: &mut Vec<Effect>) {
    let width = model.form_width();
    let Some(form) = &mut model.form else { return };
    match command {
        Command::Save => save(model, effects),
        Command::NextField => form.turn(true),
        Command::PrevField => form.turn(false),
        Command::Cancel if form.has_text() => model.mode = Mode::Confirm(Question::Discard),
        Command::Cancel => {
            model.form = None;
            model.mode = Mode::Review;
            reopen_failed(model);
        }
        Command::Suspend => effects.push(Effect::Suspend),
        Command::Redraw => effects.push(Effect::Redraw),
        _ => form.edit(command, width),
    }
}

/// A key that is text.
pub(super) fn type_key(model: &mut Model, key: Key) {
    let width = model.form_width();
    if let Some(form) = &mut model.form {
        form.type_key(key, width);
    }
}

/// Pasted text; never keys.
pub(super) fn paste(model: &mut Model, text: &str) {
    let width = model.form_width();
    let (text, left_out) = clean(text);
    if let Some(form) = &mut model.form {
        if form.focus.is_choice() {
            form.focus = form.texts()[0].0;
        }
        form.insert(&text, width);
    }
    match left_out {
        0 => {}
        1 => model.say(Tone::Info, "1 control character was left out"),
        _ => model.say(Tone::Info, format!("{left_out} control characters were left out")),
    }
}

/// Send the form's note to disk, now or as soon as the whole diff has been read.
fn save(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(form) = &mut model.form else { return };
    if !form.has_text() {
        form.focus = form.texts()[0].0;
        form.problem = Some("nothing is written yet: say why".to_owned());
        return;
    }
    if let Some(reason) = talking::fault(&form.comment()).filter(|_| form.kind == FormKind::Comment) {
        form.problem = Some(reason);
        return;
    }
    let Some(mut form) = model.form.take() else { return };
    form.problem = None;
    model.mode = Mode::Review;
    model.anchor = None;
    // What a reply answers may be read last of all.
    let waits = !matches!(form.kind, FormKind::Record | FormKind::Comment) && model.pending > 0;
    let outgoing = Outgoing { ticket: model.ticket, form, state: Sending::Waiting };
    model.ticket += 1;
    if waits {
        let text = format!("the note is saved as soon as the diff has been read ({} files to go)", model.pending);
        model.say(Tone::Info, text);
    }
    model.outbox.push(outgoing);
    if !waits {
        send(model, model.outbox.len() - 1, effects);
    }
}

/// Let a note of the outbox go.
fn send(model: &mut Model, index: usize, effects: &mut Vec<Effect>) {
    model.outbox[index].state = Sending::Sent;
    if model.outbox[index].form.kind == FormKind::Comment {
        let outgoing = model.outbox[index].clone();
        effects.push(talking::queue(model, &outgoing));
        return;
    }
    let effect = effect(model, &model.outbox[index]);
    model.outbox[index].form.is_old = false;
    match effect {
        Ok(effect) => effects.push(effect),
        Err(reason) => failed(model, model.outbox[index].ticket, reason),
    }
}

/// What writes the form to disk, or why that can't be done.
fn effect(model: &Model, outgoing: &Outgoing) -> Result<Effect, &'static str> {
    let Outgoing { ticket, form, .. } = outgoing;
    let part =
        part_of(model, form.target().file.as_ref(), form.target().part).ok_or("the file is no longer in the review")?;
    if let Some(reason) = model.review.no_notes.filter(|_| form.kind == FormKind::Note) {
        return Err(reason);
    }
    if has_other_lines(model, part, form) {
        return Err("other lines have these numbers now: save again if the text is about them");
    }
    if form.kind == FormKind::Note && !model.review.on_disk && model.parts.iter().any(|part| part.failure.is_some()) {
        return Err("a file could not be read, and the review would be written without its lines");
    }
    let append = |(place, record)| {
        let author = model.review.author.clone();
        Effect::AppendRecord(Box::new(AppendRecord { ticket: *ticket, place, author, record }))
    };
    Ok(match form.kind {
        FormKind::Note => Effect::AppendNote(Box::new(AppendNote {
            ticket: *ticket,
            path: model.review.path.clone(),
            within: model.review.within.clone(),
            document: model.review.document.clone(),
            part,
            note: form.note(),
        })),
        FormKind::Record => append(record(model, part, form)?),
        FormKind::Reply => append(answers::record(model, form)?),
        FormKind::Comment => return Err("a comment is no part of the review"),
    })
}

/// The part about the file at `path`, wherever it stands by now: somebody else may have added files to the review. It is
/// looked for at `first` first.
pub(super) fn part_of(model: &Model, path: Option<&BString>, first: usize) -> Option<usize> {
    let is_it = |part: &usize| {
        let part = model.parts.get(*part);
        part.is_some_and(|part| part.section.tree().file.as_ref().map(|file| &file.path) == path)
    };
    std::iter::once(first).chain(1..model.parts.len()).find(is_it)
}

/// Whether the lines of a form from an earlier run are not those that have their numbers now.
fn has_other_lines(model: &Model, part: usize, form: &Form) -> bool {
    let Target { selector, quote, .. } = form.target();
    form.is_old && quote.is_some() && *quote != selection::quoted(&model.parts[part].section, *selector)
}

/// The record that `form` stands for, and where it goes.
pub(super) fn record(model: &Model, part: usize, form: &Form) -> Result<(Place, Record<'static>), &'static str> {
    let target = form.target();
    let (place, mut file) = selection::record_place(model, part)?;
    if target.selector.side == Side::New {
        let Selector { start, end, .. } = target.selector;
        file.push_str(&if start == end { format!(":{start}") } else { format!(":{start}-{end}") });
    }
    let (content, feedback) = (target.quote.clone().map(Into::into), form.feedback().into());
    Ok((place, Record { file: Some(file.into()), content, feedback, ..Record::default() }))
}

/// Notes that waited for the diff can go now.
pub(super) fn flush(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.pending > 0 {
        return;
    }
    let waiting: Vec<u64> = model
        .outbox
        .iter()
        .filter(|outgoing| outgoing.state == Sending::Waiting)
        .map(|outgoing| outgoing.ticket)
        .collect();
    for ticket in waiting {
        if let Some(index) = model.outbox.iter().position(|outgoing| outgoing.ticket == ticket) {
            send(model, index, effects);
        }
    }
}

/// A note or record is on disk.
pub(super) fn saved(model: &mut Model, saved: Saved, effects: &mut Vec<Effect>) {
    model.outbox.retain(|outgoing| outgoing.ticket != saved.ticket);
    match saved.state {
        SavedState::Review { document, note } => {
            settle::adopt(model, document);
            model.review.on_disk = true;
            if matches!(model.mode, Mode::Review) {
                model.focus = Some(note.into());
            }
            let id = model.review.document.note_id(note);
            model.say(Tone::Info, format!("{} saved to {}", model.display.visible(id), saved.place));
        }
        SavedState::Records(records) => {
            let file = settle::take_records(model, records);
            answers::focus(model, model.review.records.last(file).unwrap_or_default());
            model.say(Tone::Info, format!("Markback note saved to {}", saved.place));
        }
    }
    reopen_failed(model);
    leave_when_done(model, effects);
}

/// A write failed: the text comes back into the form, with the reason.
pub(super) fn failed(model: &mut Model, ticket: u64, reason: &str) {
    model.leaving = false;
    let Some(outgoing) = model.outbox.iter_mut().find(|outgoing| outgoing.ticket == ticket) else { return };
    outgoing.form.problem = Some(format!("not saved: {reason}"));
    outgoing.state = Sending::Failed;
    model.say(Tone::Problem, format!("not saved: {reason}"));
    reopen_failed(model);
}

/// Bring back a note whose write failed, unless another one is being written.
pub(super) fn reopen_failed(model: &mut Model) {
    if model.form.is_some() {
        return;
    }
    if let Some(index) = model.outbox.iter().position(|outgoing| outgoing.state == Sending::Failed) {
        model.form = Some(model.outbox.remove(index).form);
        model.mode = Mode::Form;
    }
}

/// Leave, but not before everything that was written is on disk.
pub(super) fn quit(model: &mut Model, effects: &mut Vec<Effect>) {
    reopen_failed(model);
    model.leaving = model.form.is_none();
    if model.leaving && !model.outbox.is_empty() {
        model.say(Tone::Info, "leaving as soon as the last note is on disk");
    }
    leave_when_done(model, effects);
}

pub(super) fn leave_when_done(model: &Model, effects: &mut Vec<Effect>) {
    if model.leaving && model.outbox.is_empty() && model.form.is_none() {
        effects.push(Effect::Quit);
    }
}
