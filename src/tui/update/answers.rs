//! What is done about Markback records that are there: answers, and whether they are resolved.

use crate::document::Selector;
use crate::markback::Record;

use super::super::change::{Change, RecordChange};
use super::super::effect::Effect;
use super::super::form::{Form, FormKind, Parent, Target};
use super::super::model::{Doing, Focus, Model, Tone};
use super::super::part::Subject;
use super::super::records::RecordRef;
use super::{existing, sending, writing};

/// Open the form of a reply to the open record.
pub(super) fn reply(model: &mut Model) {
    if !writing::takes_forms(model) {
        return;
    }
    match reply_form(model) {
        Ok(form) => {
            if form.parent.is_none() {
                model.say(Tone::Info, "no reply could name this note: when yours is saved, the note is given an @id");
            }
            writing::show(model, form);
        }
        Err(reason) => model.say(Tone::Problem, reason),
    }
}

fn reply_form(model: &Model) -> Result<Form, String> {
    let (part, record) = open_record(model)?;
    let known = model.review.records.file(record).zip(model.review.records.get(record));
    let (file, answered) = known.ok_or("the record is gone")?;
    let path = model.parts[part].section.tree().file.as_ref().map(|file| file.path.clone());
    let selector = if part == 0 { Selector::DOC } else { Selector::FILE };
    let target = Target::new(part, selector, path, None);
    let mut form = Form::new(FormKind::Reply, vec![target], model.display);
    match answered.id {
        Some(id) => form.parent = Some(Parent { file: file.place.path.clone(), id: id.into_owned() }),
        // Without an id no reply can name it: it is given one with the reply, and the form says so.
        None => form.amends = Some(existing::amended_record(file, record.record)),
    }
    Ok(form)
}

/// The reply that `form` stands for. What it is about is known when it is written.
pub(super) fn change(model: &Model, form: &Form) -> Result<Change, String> {
    let answer = Record { feedback: form.feedback().into(), ..Record::default() };
    let Some(parent) = &form.parent else {
        let (at, known) = existing::record_of(model, form).ok_or(existing::CHANGED)?;
        let place = model.review.records.file(at).ok_or(existing::CHANGED)?.place.clone();
        let known = Record { id: None, ..known.into_owned() };
        return Ok(Change::Records(place, RecordChange::AnswerNameless(at.record, Box::new([known, answer]))));
    };
    let file = model.review.records.at(&parent.file).ok_or("the Markback file with what it answers is not there")?;
    let answer = Record { reply_to: Some(parent.id.clone().into()), ..answer };
    Ok(Change::Records(file.place.clone(), RecordChange::Append(answer)))
}

/// Whether the reply that `form` stands for is in its file.
pub(super) fn is_written(model: &Model, form: &Form) -> bool {
    let named = form.parent.as_ref().map(|Parent { file, id }| (file.clone(), id.clone()));
    let answered = named.or_else(|| {
        let (at, known) = existing::record_of(model, form)?;
        Some((model.review.records.file(at)?.place.path.clone(), known.id?.into_owned()))
    });
    let said = answered.and_then(|(file, id)| Some((model.review.records.at(&file)?, id)));
    said.is_some_and(|(file, id)| {
        let is_it = |record: Record<'_>| {
            record.reply_to.as_deref() == Some(&*id) && record.feedback.trim() == form.feedback().trim()
        };
        file.text.records().any(is_it)
    })
}

/// Resolve the open record, or what it answers, or open it again when it is resolved.
pub(super) fn resolve(model: &mut Model, effects: &mut Vec<Effect>) {
    match resolution(model) {
        Ok((is_resolved, change)) => sending::commit(model, Doing::Resolve(is_resolved), change, effects),
        Err(reason) => model.say(Tone::Problem, reason),
    }
}

fn resolution(model: &Model) -> Result<(bool, Change), String> {
    if let Some(reason) = model.review.read_only_words() {
        return Err(reason);
    }
    let (_, open) = open_record(model)?;
    let is_own = model.review.records.get(open).is_some_and(|record| record.is_resolved());
    // An answer is no matter of its own: what is settled is what it answers.
    let record = if is_own { open } else { model.review.records.root_of(open) };
    let known = model.review.records.file(record).zip(model.review.records.get(record));
    let (file, known) = known.ok_or("the record is gone")?;
    let is_resolved = !known.is_resolved();
    let change = RecordChange::Resolve(record.record, known.into_owned(), is_resolved);
    Ok((is_resolved, Change::Records(file.place.clone(), change)))
}

/// The record whose card is open, and its part; or why nothing can be done about it.
fn open_record(model: &Model) -> Result<(usize, RecordRef), String> {
    match model.focus {
        Some(Focus { part, subject: Subject::Record(record) }) => Ok((part, record)),
        Some(_) => Err(format!("the open note is no Markback note: {} to the others", model.note_keys())),
        None => Err(format!("no Markback note is open: {} from note to note", model.note_keys())),
    }
}

/// A record is resolved or open on disk, perhaps because somebody else has seen to it: say so. What it is called.
pub(super) fn resolved(model: &mut Model, record: RecordRef, is_resolved: bool, is_new: bool, place: &str) -> String {
    focus(model, record);
    let id = model.review.records.get(record).and_then(|record| record.id).unwrap_or("the record".into()).into_owned();
    let state = if is_resolved { "resolved" } else { "open again" };
    let text = format!("{} is {state}{} in {place}", model.display.visible(&id), if is_new { "" } else { " already" });
    model.say(Tone::Info, text);
    id
}

/// Open the card of a record, where it has one.
pub(super) fn focus(model: &mut Model, record: RecordRef) {
    let subject = Subject::Record(record);
    if let Some(part) = model.parts.iter().position(|part| part.index_of(subject).is_some()) {
        model.focus = Some(Focus { part, subject });
    }
}
