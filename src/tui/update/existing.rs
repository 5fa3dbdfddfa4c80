//! What is done about notes and records that are there: changed, given a claim, deleted. Each is known again by its lines.

use bstr::ByteSlice as _;

use crate::document::{NoteRef, Selector, Side};
use crate::markback::Record;
use crate::skeleton;

use super::super::change::{Change, Known, RecordChange, ReviewChange};
use super::super::command::{Command, Context};
use super::super::form::{Amended, Field, Form, FormKind, Target, note_label};
use super::super::model::{Deletion, Focus, Mode, Model, Question, Tone};
use super::super::part::Subject;
use super::super::records::{RecordFile, RecordRef};
use super::super::talk::{Comment, Progress};
use super::{selection, talking, writing};

/// Why a form of something that is there comes to nothing.
pub(super) const CHANGED: &str = "what it changes is no longer there as it was: somebody has changed it since";

/// Why a comment is not changed.
pub(super) fn is_sent(model: &Model) -> String {
    let (rounds, recall) = (model.key(Command::Rounds), model.key_in(Context::Popup, Command::Recall));
    format!("this comment is sent: {rounds} lists the rounds, and {recall} there takes back one that no agent has")
}

/// The open note or record, and its part.
fn open_subject(model: &Model) -> Result<Focus, String> {
    model.focused().and(model.focus).ok_or_else(|| format!("no note is open: {} from note to note", model.note_keys()))
}

/// The form that changes what is open.
pub(super) fn form(model: &Model) -> Result<Form, String> {
    let Focus { part, subject } = open_subject(model)?;
    match subject {
        Subject::Note(note) => note_form(model, part, note),
        Subject::Record(record) => record_form(model, part, record),
        Subject::Comment(comment) => comment_form(model, comment as usize),
    }
}

/// Whether the open card is that of a comment for an agent.
pub(super) fn is_comment(model: &Model) -> bool {
    model.focused().is_some_and(|(_, annotation)| matches!(annotation.subject, Subject::Comment(_)))
}

/// The form that changes the comment with this index in what the conversation shows.
pub(super) fn comment_form(model: &Model, index: usize) -> Result<Form, String> {
    if let Some(reason) = &model.talk.closed {
        return Err(reason.clone());
    }
    let comment = unsent(model, index).ok_or_else(|| is_sent(model))?;
    if model.talk.is_in_flight(&comment.id) {
        return Err(talking::IN_FLIGHT.to_owned());
    }
    let target = comment.target();
    let part = writing::part_of(model, target.file.as_ref(), 1).filter(|_| target.file.is_some());
    let mut targets = vec![Target { part: part.unwrap_or_default(), ..target.clone() }];
    if let (Some(part), false) = (part, target.selector == Selector::FILE) {
        targets.push(Target::new(part, Selector::FILE, target.file, None));
    }
    if targets[0].selector != Selector::DOC {
        targets.push(Target::doc());
    }
    let mut form = Form::new(FormKind::Comment, targets, model.display);
    form.set_text(Field::Ask, &comment.text);
    form.amends = Some(Amended { index: 0, text: comment.id.as_str().into(), file: None });
    Ok(form)
}

/// The comment with this index in what the conversation shows, if it is not sent.
fn unsent(model: &Model, index: usize) -> Option<&Comment> {
    let shown = model.talk.shown.get(index).filter(|shown| shown.progress == Progress::Unsent)?;
    Some(&shown.comment)
}

fn note_form(model: &Model, part: usize, note: u32) -> Result<Form, String> {
    let view = model.parts[part].note(note);
    let own = target_of(model, part, view.note().selector);
    // To be about something else in the same file: the line or the selection, or the file itself.
    let others = selection::targets(model, FormKind::Note).unwrap_or_default();
    let mut targets = vec![own];
    targets.extend(others.into_iter().filter(|target| target.part == part));
    if part > 0 {
        targets.push(target_of(model, part, Selector::FILE));
    }
    let mut seen: Vec<Selector> = Vec::new();
    targets.retain(|target| !seen.contains(&target.selector) && (seen.push(target.selector), true).1);
    let mut form = Form::of_note(view, targets, model.display);
    form.amends = Some(amended(model, part, note));
    Ok(form)
}

fn record_form(model: &Model, part: usize, record: RecordRef) -> Result<Form, String> {
    let known = model.review.records.file(record).zip(model.review.records.get(record));
    let (file, known) = known.ok_or("the record is gone")?;
    let selector = if part == 0 { Selector::DOC } else { Selector::FILE };
    let mut form = Form::new(FormKind::Record, vec![target_of(model, part, selector)], model.display);
    form.set_text(Field::Feedback, &known.feedback);
    form.amends = Some(amended_record(file, record.record));
    Ok(form)
}

/// How the record of `file` with this index is known again.
pub(super) fn amended_record(file: &RecordFile, index: usize) -> Amended {
    let text = file.text.span(&file.text.entries()[index]).of(file.text.text()).into();
    Amended { index, text, file: Some(file.place.path.clone()) }
}

/// The form of what is open with all of its lines.
pub(super) fn whole(model: &Model) -> Result<Form, String> {
    let Focus { part, subject } = open_subject(model)?;
    let Subject::Note(note) = subject else { return form(model) };
    let selector = model.parts[part].note(note).note().selector;
    let mut form = Form::new(FormKind::Text, vec![target_of(model, part, selector)], model.display);
    let amended = amended(model, part, note);
    let edit = model.key(Command::EditNote);
    let text = std::str::from_utf8(&amended.text)
        .map_err(|_| format!("the note is not UTF-8: {edit} changes what can be changed"))?;
    form.set_text(Field::Text, text);
    form.amends = Some(amended);
    Ok(form)
}

/// The form of a claim about the open note.
pub(super) fn claim_form(model: &Model) -> Result<Form, String> {
    let Focus { part, subject } = open_subject(model)?;
    let Subject::Note(note) = subject else {
        return Err(format!("a Markback note makes no claims: {} to the others", model.note_keys()));
    };
    let selector = model.parts[part].note(note).note().selector;
    let mut form = Form::new(FormKind::Claim, vec![target_of(model, part, selector)], model.display);
    form.amends = Some(amended(model, part, note));
    Ok(form)
}

/// The form of the reviewer's decision and of the summary, as they are.
pub(super) fn decision_form(model: &Model) -> Form {
    let mut form = Form::new(FormKind::Decision, vec![Target::doc()], model.display);
    let summary = model.review.document.meta().summary.as_deref().unwrap_or_default();
    form.choose_shown(Field::State, model.review_status().as_str());
    // A placeholder is written over.
    form.set_text(Field::Summary, if summary == skeleton::SUMMARY { "" } else { summary });
    form.amends = Some(Amended { index: 0, text: summary.into(), file: None });
    form
}

fn target_of(model: &Model, part: usize, selector: Selector) -> Target {
    let section = &model.parts[part].section;
    let file = section.tree().file.as_ref().map(|file| file.path.clone());
    let quote = selection::quoted(section, selector).filter(|_| matches!(selector.side, Side::New | Side::Old));
    Target::new(part, selector, file, quote)
}

fn amended(model: &Model, part: usize, note: u32) -> Amended {
    let Known { at, text } = known(model, part, note);
    Amended { index: at.note, text, file: None }
}

fn known(model: &Model, part: usize, note: u32) -> Known {
    Known::of(&model.review.document, NoteRef { part, note: note as usize })
}

/// The form of what `form` changes, as nobody has touched it; `None` when it is not there any more.
pub(super) fn as_read(model: &Model, part: usize, form: &Form) -> Option<Form> {
    let amended = form.amends.as_ref()?;
    if form.kind == FormKind::Decision {
        return Some(decision_form(model));
    }
    if form.kind == FormKind::Comment {
        let comment = model.talk.unsent.iter().find(|comment| comment.id.as_bytes() == amended.text.as_slice())?;
        let mut read = Form::new(FormKind::Comment, vec![comment.target()], model.display);
        read.set_text(Field::Ask, &comment.text);
        return Some(read);
    }
    if form.kind == FormKind::Record {
        let mut read = Form::new(FormKind::Record, form.targets.clone(), model.display);
        read.set_text(Field::Feedback, &record_of(model, form)?.1.feedback);
        return Some(read);
    }
    if form.kind == FormKind::Reply {
        return record_of(model, form).map(|_| Form::new(FormKind::Reply, form.targets.clone(), model.display));
    }
    let section = &model.parts.get(part)?.section;
    let note = amended.known(part).in_section(section)?;
    Some(Form::of_note(section.note_view(&section.tree().notes[note]), form.targets[..1].to_vec(), model.display))
}

/// The file and the record that `form` changes, or answers: then it may have been given an id since.
pub(super) fn record_of<'a>(model: &'a Model, form: &Form) -> Option<(RecordRef, Record<'a>)> {
    let Amended { index, text, file } = form.amends.as_ref()?;
    let path = file.as_ref()?;
    let at = model.review.records.index_of(path)?;
    let file = model.review.records.at(path)?;
    let is_it = |record: &usize| {
        let entry = file.text.entries().get(*record);
        entry.is_some_and(|entry| {
            let now = file.text.span(entry).of(file.text.text());
            now == text.as_slice() || (form.kind == FormKind::Reply && without_id(now) == without_id(text))
        })
    };
    let record = Some(*index).filter(is_it).or_else(|| (0..file.text.entries().len()).find(is_it))?;
    Some((RecordRef { file: at, record }, file.text.record(record)?))
}

/// The lines of a record but for those that name it.
fn without_id(record: &[u8]) -> Vec<&[u8]> {
    record.lines().filter(|line| !line.starts_with(b"@id ")).collect()
}

/// The change of a record that `form` stands for.
pub(super) fn record_change(model: &Model, form: &Form) -> Result<Change, String> {
    let (at, record) = record_of(model, form).ok_or(CHANGED)?;
    let place = model.review.records.file(at).ok_or(CHANGED)?.place.clone();
    Ok(Change::Records(place, RecordChange::Amend(at.record, record.into_owned(), form.feedback())))
}

/// Whether `form` says something else than what is there; a new one always does.
pub(super) fn is_changed(model: &Model, form: &Form) -> bool {
    let Target { file, part, .. } = form.target();
    let read = writing::part_of(model, file.as_ref(), *part).and_then(|part| as_read(model, part, form));
    read.is_none_or(|read| match form.kind {
        FormKind::Note => read.note() != form.note(),
        FormKind::Record => read.feedback() != form.feedback(),
        FormKind::Text => form.amends.as_ref().is_some_and(|amended| amended.text != form.lines_of_note().trim_end()),
        FormKind::Decision => {
            let (status, summary) = form.decision();
            status != read.decision().0 || summary.is_some()
        }
        FormKind::Comment => {
            read.comment() != form.comment() || Target { part: 0, ..form.target().clone() } != *read.target()
        }
        FormKind::Claim | FormKind::Reply => true,
    })
}

/// The `@note` line of the note that `form` changes, or that a new one is given.
pub(super) fn header(form: &Form) -> String {
    match &form.amends {
        Some(Amended { text, .. }) => {
            String::from_utf8_lossy(text).lines().next().unwrap_or_default().trim_end().into()
        }
        None => format!("@note {} kind=intent", form.target().selector),
    }
}

/// Ask whether what is open is to go.
pub(super) fn ask_to_delete(model: &mut Model) {
    if let Some(Subject::Comment(index)) = model.focused().map(|(_, annotation)| annotation.subject) {
        let id = unsent(model, index as usize).map(|comment| comment.id.clone());
        return match id {
            Some(id) => talking::ask_to_take_back(model, id, false),
            None => model.say(Tone::Problem, is_sent(model)),
        };
    }
    if !writing::may_write(model) {
        return;
    }
    match deletion(model) {
        Ok(deletion) => model.mode = Mode::Confirm(Question::Delete(Box::new(deletion))),
        Err(reason) => model.say(Tone::Problem, reason),
    }
}

fn deletion(model: &Model) -> Result<Deletion, String> {
    let Focus { part, subject } = open_subject(model)?;
    Ok(match subject {
        Subject::Note(note) => {
            let view = model.parts[part].note(note);
            let change = ReviewChange::Delete(known(model, part, note));
            Deletion {
                label: note_label(view.note().selector),
                words: model.parts[part].face(note).teaser.clone(),
                left: String::new(),
                change: Change::Review(writing::review_file(model), change),
            }
        }
        Subject::Comment(_) => return Err(is_sent(model)),
        Subject::Record(record) => {
            let found = model.review.records.file(record).zip(model.review.records.get(record));
            let (file, known) = found.ok_or("the record is gone")?;
            let id = known.id.as_ref().map_or(String::new(), |id| format!(" {id}"));
            Deletion {
                label: format!("Markback note{id}"),
                words: known.feedback.lines().next().unwrap_or_default().to_owned(),
                left: left_behind(&model.review.records.answers(record)),
                change: Change::Records(file.place.clone(), RecordChange::Delete(record.record, known.into_owned())),
            }
        }
    })
}

/// What becomes of the answers to a record that goes. One that names no file stood where the other does.
fn left_behind(answers: &[Record<'_>]) -> String {
    let lost = answers.iter().filter(|answer| answer.file.is_none()).count();
    let place = match (lost, answers.len()) {
        (0, _) => "",
        (lost, all) if lost == all => " at the top",
        _ => " (those without a file at the top)",
    };
    match answers.len() {
        0 => String::new(),
        1 => format!("its reply stays, as a note of its own{place}"),
        count => format!("its {count} replies stay, as notes of their own{place}"),
    }
}
