//! What outlives the program: the draft of all that is unsaved, and what becomes of it when the review is opened again.

use std::path::Path;
use std::sync::Arc;

use crate::document::edit::{NewNote, append_notes};
use crate::document::{Selector, Side, named_lines};
use crate::markback::Record;
use crate::text::counted::counted;

use super::super::command::Command;
use super::super::draft::{Draft, Unsaved};
use super::super::effect::Effect;
use super::super::form::{Field, Form, FormKind, Target};
use super::super::model::{Doing, Mode, Model, Outgoing, Pos, Question, Sending, Tone};
use super::super::talk::Errand;
use super::{answers, existing, lines, sending, settle, writing};

/// What a form from an earlier run says.
const UNSAVED: &str = "this was not saved last time";

/// Have the unsaved texts kept, if they are not those that are kept already. It comes first of all, so that a text is
/// kept before anything else is tried with it. What is shown in the place of the review leaves that to the review.
pub(super) fn keep(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.since.is_some() {
        return;
    }
    if !model.kept.is_of(unsaved(model, false)) {
        look_beside(model);
        model.kept = Arc::new(Draft::of(unsaved(model, false)));
        let draft = (!model.kept.forms.is_empty()).then(|| Arc::clone(&model.kept));
        effects.insert(0, Effect::KeepDraft(draft));
    }
    if !model.talk.typed.is_of(unsaved(model, true)) {
        model.talk.typed = Arc::new(Draft::of(unsaved(model, true)));
        effects.insert(0, Effect::Agent(Box::new(Errand::Type(Arc::clone(&model.talk.typed)))));
    }
}

/// Remember what stands next to the lines of what is about to be kept.
fn look_beside(model: &mut Model) {
    let Model { form, outbox, parts, .. } = model;
    for form in form.iter_mut().chain(outbox.iter_mut().filter_map(Outgoing::form_mut)) {
        let part = parts.get(form.target().part).filter(|part| !part.pending);
        if let Some(part) = part {
            lines::look_beside(&part.section, form);
        }
    }
}

/// A part has been read: forms from an earlier run that are about its lines are told where those are.
pub(super) fn find_lines(model: &mut Model, part: usize) {
    let Model { form, outbox, parts, .. } = model;
    let forms = form.iter_mut().chain(outbox.iter_mut().filter_map(Outgoing::form_mut));
    for form in forms.filter(|form| form.is_old && form.target().part == part) {
        lines::find_again(&parts[part].section, form);
    }
}

/// The forms whose text is not known to be on disk: the open one, and what was accepted; first those of what is shown in
/// the place of the review. Comments for the agent are kept in its session, where there is one, and all others with the
/// review.
fn unsaved(model: &Model, is_for_agent: bool) -> impl Iterator<Item = &Form> {
    let models = model.above.as_deref().into_iter().chain([model]);
    let forms = models.flat_map(|model| model.form.iter().chain(model.outbox.iter().filter_map(Outgoing::form)));
    let goes_there = move |form: &&Form| (form.kind == FormKind::Comment && model.talk.is_held()) == is_for_agent;
    forms.filter(|form| form.has_text()).filter(goes_there)
}

/// Bring back comments that were being typed: the first is open unless something else is, the others come one after the
/// other.
pub(super) fn offer(model: &mut Model, typed: &Draft) {
    let forms: Vec<Form> = typed.forms.iter().filter_map(|unsaved| form(model, unsaved)).collect();
    open_one_by_one(model, forms);
}

fn open_one_by_one(model: &mut Model, forms: Vec<Form>) {
    let mut forms = forms.into_iter();
    if model.form.is_none()
        && let Some(form) = forms.next()
    {
        model.cursor = place(model, form.target());
        model.say(Tone::Info, form.problem.clone().unwrap_or_default());
        model.form = Some(form);
        model.mode = Mode::Form;
    }
    for form in forms {
        sending::put(model, Doing::Save(form), Sending::Failed);
    }
}

/// Bring back what an earlier run could not save: its first form is open, the others come one after the other. What is
/// in the review nevertheless is left out.
pub fn restore(model: &mut Model, draft: Draft) -> Vec<Effect> {
    let forms: Vec<Form> = draft.forms.iter().filter_map(|unsaved| form(model, unsaved)).collect();
    model.kept = Arc::new(draft);
    if let Some(reason) = model.review.read_only_words().filter(|_| !forms.is_empty()) {
        let (texts, were) = (counted(forms.len(), "text"), if forms.len() == 1 { "was" } else { "were" });
        let kept = model.key(Command::Kept);
        model.say(Tone::Problem, format!("{reason}; {texts} {were} not saved last time: {kept} opens it"));
        forms.into_iter().for_each(|form| sending::put_aside(model, form));
        return kept_again(model);
    }
    open_one_by_one(model, forms);
    kept_again(model)
}

/// Open a text that was put aside, the one that has waited longest, at what it is about.
pub(super) fn open_kept(model: &mut Model) {
    match writing::take_aside(model, |_| true) {
        Some(form) => {
            let target = form.target();
            let part = writing::part_of(model, target.file.as_ref(), target.part);
            if let Some(part) = part {
                model.cursor = place(model, &Target { part, ..target.clone() });
            }
            writing::show_own(model, form);
        }
        None => model.say(Tone::Problem, "no text is kept that could not be saved"),
    }
}

/// What is kept is on disk, or is not, from here on.
pub(super) fn kept(model: &mut Model, kept: Result<(), String>) {
    model.unkept = kept.err();
    if let Some(reason) = &model.unkept {
        let text = format!("what is typed and not saved is kept only until you quit: {reason}");
        model.say(Tone::Problem, text);
    }
}

/// Whoever leaves knows now whether what is kept is on disk, and can go, or is asked.
pub(super) fn settled(model: &mut Model, kept: Result<(), String>, effects: &mut Vec<Effect>) {
    model.unkept = kept.err();
    let is_asked = matches!(model.mode, Mode::Confirm(Question::Leave(_)));
    if model.unkept.is_none() && is_asked {
        model.mode = Mode::Review;
        model.leaving = true;
    }
    if model.unkept.is_none() && model.leaving && !sending::is_waiting(model) {
        effects.push(Effect::Quit);
    } else if !is_asked && model.leaving && matches!(model.mode, Mode::Review) {
        sending::quit(model, effects);
    } else if !is_asked && model.leaving && model.unkept.is_some() {
        // Whoever does something else meanwhile stays.
        model.leaving = false;
        let kept = model.kept_words();
        model.say(Tone::Problem, kept);
    }
}

/// The texts that are kept go.
pub(super) fn let_go(model: &mut Model) {
    model.outbox.retain(|outgoing| outgoing.state != Sending::Aside);
}

fn kept_again(model: &mut Model) -> Vec<Effect> {
    let mut effects = Vec::new();
    settle::settle(model, &mut effects);
    keep(model, &mut effects);
    effects
}

/// The form as it was, if it is not in the review. One whose file has gone from the review becomes a note on the whole
/// change: that can be saved in any case.
fn form(model: &Model, unsaved: &Unsaved) -> Option<Form> {
    let mut target = unsaved.target();
    let part =
        if target.selector.side == Side::Doc { Some(0) } else { writing::part_of(model, target.file.as_ref(), 1) };
    let Some(part) = part else {
        let kind = if unsaved.kind() == FormKind::Comment { FormKind::Comment } else { FormKind::Note };
        let mut form = unsaved.form(kind, vec![Target::doc()], model.display);
        form.amends = None;
        let file = target.file.map_or("its file".to_owned(), |path| path.to_string());
        form.problem = Some(format!("{UNSAVED}; {file} is gone"));
        return Some(form);
    };
    target.part = part;
    let is_change = unsaved.amended().is_some();
    let mut targets = vec![target.clone()];
    if part > 0 && matches!(unsaved.kind(), FormKind::Note | FormKind::Record | FormKind::Comment) {
        targets.push(Target::new(part, Selector::FILE, target.file, None));
    }
    if matches!(unsaved.kind(), FormKind::Note | FormKind::Comment) && !is_change {
        targets.push(Target::doc());
    }
    targets.dedup();
    let mut form = unsaved.form(unsaved.kind(), targets.clone(), model.display);
    form.problem = Some(UNSAVED.to_owned());
    form.is_old = true;
    if is_written(model, &form) {
        return None;
    }
    if is_change && existing::as_read(model, part, &form).is_none() {
        // What it was about to change is another one by now, or gone; its text is not.
        if let Some(claim) = form.claim().filter(|_| form.kind == FormKind::Claim) {
            form = Form::new(FormKind::Note, targets.clone(), model.display);
            form.set_text(Field::Verify, &claim);
            form.is_old = true;
        }
        if form.kind == FormKind::Reply {
            form = unsaved.form(FormKind::Record, targets, model.display);
            form.is_old = true;
        }
        form.amends = None;
        let to_it = if unsaved.kind() == FormKind::Reply { "it answers" } else { "it changes" };
        form.problem = Some(format!("{UNSAVED}; the note that {to_it} has been changed since"));
    }
    // What has not been read yet is told when it is.
    if !model.parts[part].pending {
        lines::find_again(&model.parts[part].section, &mut form);
    }
    Some(form)
}

/// Whether the note or record of `form` is on disk: the program may have ended right after it was written.
fn is_written(model: &Model, form: &Form) -> bool {
    let part = form.target().part;
    // A reply gives an id to what it answers, and is a record of its own.
    let is_change = form.amends.is_some() && form.kind != FormKind::Reply;
    if is_change && existing::as_read(model, part, form).is_some() {
        return !existing::is_changed(model, form);
    }
    let mut notes = model.parts[part].section.note_views();
    match form.kind {
        FormKind::Note if is_change => notes.any(|note| {
            let read = Form::of_note(note, form.targets.clone(), model.display);
            NewNote { selector: note.note().selector, ..read.note() } == form.note()
        }),
        FormKind::Claim => {
            let claim = form.claim();
            notes.any(|note| note.claims().into_iter().any(|known| Some(known.raw) == claim))
        }
        FormKind::Text => {
            let text = form.lines_of_note().trim_end().as_bytes();
            notes.any(|note| note.raw() == text)
        }
        FormKind::Record if is_change => {
            let file = form.amends.as_ref().and_then(|amended| amended.file.clone()).unwrap_or_default();
            has_record(model, &file, |record| record.feedback.trim() == form.feedback().trim())
        }
        FormKind::Note => {
            let document = &model.review.document;
            let after = document.edited(&append_notes(document, part, &form.notes()));
            let (before, after) = (&document.parts()[part], &after.parts()[part]);
            let [before, after] =
                [before, after].map(|part| part.note_views().map(|note| note.raw()).collect::<Vec<_>>());
            let added = after.get(before.len()..).unwrap_or_default();
            added.len() == form.notes().len() && added.iter().all(|note| before.contains(note))
        }
        FormKind::Record => {
            let Ok((place, record)) = writing::record(model, part, form) else { return false };
            let said = |record: &Record<'_>| {
                (record.file.as_ref().map(ToString::to_string), record.feedback.trim().to_owned())
            };
            has_record(model, &place.path, |other| said(other) == said(&record))
        }
        // What was answered may be asked for once more.
        FormKind::Comment => model.talk.unsettled().any(|comment| {
            let target = Target { part: 0, is_lost: false, ..form.target().clone() };
            comment.text == form.comment() && comment.target() == target
        }),
        FormKind::Decision => {
            let (status, summary) = form.decision();
            let there = model.review.document.meta().summary.as_deref().unwrap_or_default();
            status == model.review_status() && summary.is_none_or(|summary| summary.text == there)
        }
        FormKind::Reply => answers::is_written(model, form),
    }
}

/// Whether the Markback file at `path` has such a record.
fn has_record(model: &Model, path: &Path, is_it: impl Fn(&Record<'_>) -> bool) -> bool {
    model.review.records.at(path).is_some_and(|file| file.text.records().any(|record| is_it(&record)))
}

/// Where `target` stands, as far as its file has been read.
fn place(model: &Model, target: &Target) -> Pos {
    let part = &model.parts[target.part];
    let line = named_lines(part.section.tree(), target.selector).map(|(first, _)| first);
    Pos { part: target.part, row: line.and_then(|line| part.rows.row_of_line(line)).unwrap_or(0) }
}
