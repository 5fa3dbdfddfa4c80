//! Writing notes and records: opening a form, what is typed in it, and the change that it stands for.

use bstr::BString;

use crate::document::edit::WrittenNote;
use crate::document::{Selector, Side};
use crate::markback::Record;
use crate::text::counted::counted;

use super::super::change::{Change, RecordChange, ReviewChange, ReviewFile};
use super::super::command::{Command, Context};
use super::super::effect::Effect;
use super::super::form::{Form, FormKind, Target};
use super::super::key::{Key, write_sequence};
use super::super::model::{Doing, Mode, Model, Outgoing, Question, Review, Sending, Tone};
use super::super::records::Place;
use super::super::text_input::clean;
use super::{answers, existing, lines, outside, selection, sending, since, talking};

/// Open the form that `command` names, on the cursor or the selection.
pub(super) fn open(model: &mut Model, command: Command) {
    if !takes_forms(model) {
        return;
    }
    let is_record = matches!(command, Command::Markback | Command::MarkbackOnFile);
    let kind = if is_record { FormKind::Record } else { FormKind::Note };
    if let Some(reason) = model.no_notes().filter(|_| kind == FormKind::Note) {
        return model.say(Tone::Problem, reason);
    }
    let is_on_lines = matches!(command, Command::Note | Command::Markback);
    if let Some(reason) = selection::outside(model).filter(|_| is_on_lines) {
        return model.say(Tone::Problem, reason);
    }
    let targets = match command {
        Command::Note if model.anchor.is_some() => selection::targets_by_hunk(model),
        Command::NoteOnUnexplained => selection::unexplained_targets(model),
        _ => selection::targets(model, kind),
    };
    let targets = match targets {
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
    if let Some(words) = selection::one_sided(model, form.target()).filter(|_| is_on_lines) {
        model.say(Tone::Info, words);
    }
    show(model, form);
}

/// Open `form`, in which nobody has typed yet. What was put aside of the same comes back in its place.
pub(super) fn show(model: &mut Model, form: Form) {
    let is_it = |other: &Form| (other.kind, other.target(), &other.amends) == (form.kind, form.target(), &form.amends);
    let form = take_aside(model, is_it).unwrap_or(form);
    show_own(model, form);
}

/// Open `form`, whatever else is put aside. Where it cannot be saved now it says so, and still takes what is typed, which
/// would be commands otherwise: it is kept until it can be saved.
pub(super) fn show_own(model: &mut Model, mut form: Form) {
    if let Some(reason) = unsaveable(model, form.kind) {
        form.problem = Some(form.problem.map_or(reason.clone(), |own| format!("{own}{AND}{reason}")));
        model.say(Tone::Problem, reason);
    }
    put_up(model, form);
}

/// Between what a form says of itself and why it cannot be saved.
const AND: &str = "; ";

/// Open this form and no other: it may hold what somebody has typed.
fn put_up(model: &mut Model, form: Form) {
    // Whoever writes on has not left.
    model.leaving = false;
    model.form = Some(form);
    model.mode = Mode::Form;
}

/// Why a form of this kind cannot be saved, where that is so. A comment is no part of the review.
pub(super) fn unsaveable(model: &Model, kind: FormKind) -> Option<String> {
    model.review.read_only_words().filter(|_| kind != FormKind::Comment)
}

/// A form that was put aside and is the one that is wanted.
pub(super) fn take_aside(model: &mut Model, is_wanted: impl Fn(&Form) -> bool) -> Option<Form> {
    let is_it = |outgoing: &Outgoing| outgoing.state == Sending::Aside && outgoing.form().is_some_and(&is_wanted);
    let index = model.outbox.iter().position(is_it)?;
    match model.outbox.remove(index).doing {
        Doing::Save(form) => Some(form),
        _ => None,
    }
}

/// Whether forms can be opened. What is shown in the place of the review takes none, and it is said how to go back.
pub(super) fn takes_forms(model: &mut Model) -> bool {
    model.since.is_none() || may_write(model)
}

/// Whether something can be written. When not, it is said why.
pub(super) fn may_write(model: &mut Model) -> bool {
    let Some(reason) = model.review.read_only_words() else { return true };
    model.say(Tone::Problem, reason);
    false
}

/// Open the form of the open note or record, or of a claim about it.
pub(super) fn amend(model: &mut Model, command: Command) {
    // A comment is no part of the review.
    if !existing::is_comment(model) && !takes_forms(model) {
        return;
    }
    let form = match command {
        Command::Claim => existing::claim_form(model),
        _ => existing::form(model),
    };
    match form {
        Ok(form) => show(model, form),
        Err(reason) => model.say(Tone::Problem, reason),
    }
}

/// Open the form of the reviewer's decision and of the summary.
pub(super) fn decide(model: &mut Model) {
    if !takes_forms(model) {
        return;
    }
    match model.no_notes() {
        Some(reason) => model.say(Tone::Problem, reason),
        None => show(model, existing::decision_form(model)),
    }
}

/// Close the form. What is typed goes only after a yes, and what cannot be written is put aside.
fn close(model: &mut Model) {
    let Some(form) = &model.form else { return };
    let is_kept = form.has_text() && existing::is_changed(model, form);
    // A comment is no part of the review, and can be written in any case.
    if is_kept && unsaveable(model, form.kind).is_none() {
        model.mode = Mode::Confirm(Question::Discard);
        return;
    }
    if let Some(mut form) = model.form.take().filter(|_| is_kept) {
        // Why it cannot be saved may be another reason by then; what it says of itself is to be read again.
        let reason = unsaveable(model, form.kind).unwrap_or_default();
        let own = form.problem.as_ref().and_then(|said| said.strip_suffix(&reason)?.strip_suffix(AND));
        form.problem = own.map(str::to_owned);
        sending::put_aside(model, form);
        let kept = model.kept_words();
        model.say(if model.unkept.is_some() { Tone::Problem } else { Tone::Info }, kept);
    }
    model.mode = Mode::Review;
    sending::reopen_failed(model);
}

/// A command of the form.
pub(super) fn run(model: &mut Model, command: Command, effects: &mut Vec<Effect>) {
    let width = model.form_width();
    let Some(form) = &mut model.form else { return };
    match command {
        Command::Save => sending::save(model, effects),
        Command::Send if form.kind == FormKind::Comment => {
            sending::save(model, effects);
            if model.form.is_none() && !since::refuses(model, command) {
                talking::ask(model);
            }
        }
        Command::Send => model.say(Tone::Info, "this is no comment for the agent: save it first"),
        Command::TakeOutside => outside::take(model, effects),
        Command::NextField => form.turn(true),
        Command::PrevField => form.turn(false),
        Command::Cancel => close(model),
        Command::Suspend => effects.push(Effect::Suspend),
        Command::Redraw => effects.push(Effect::Redraw),
        _ => {
            if !form.edit(command, width) {
                let keys = model.key_in(Context::Form, command);
                refuse(model, &keys);
            }
        }
    }
}

/// A key that is text.
pub(super) fn type_key(model: &mut Model, key: Key) {
    let width = model.form_width();
    if model.form.as_mut().is_some_and(|form| !form.type_key(key, width)) {
        refuse(model, &write_sequence(&[key]));
    }
}

/// Say that `keys` mean nothing in this field: nobody is to type on and believe that it is text.
fn refuse(model: &mut Model, keys: &str) {
    let key = |command| model.key_in(Context::Form, command);
    let is_choice = model.form.as_ref().is_some_and(|form| form.focus.is_choice());
    let [left, right, next] = [Command::CursorLeft, Command::CursorRight, Command::NextField].map(key);
    let here = if is_choice { format!("here: {left} and {right} choose, {next} goes on") } else { "here".to_owned() };
    model.say(Tone::Problem, format!("{keys} does nothing {here}"));
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
    say_left_out(model, left_out);
}

/// Say that so many control characters of a text were not taken.
pub(super) fn say_left_out(model: &mut Model, left_out: usize) {
    if left_out > 0 {
        let were = if left_out == 1 { "was" } else { "were" };
        model.say(Tone::Info, format!("{} {were} left out", counted(left_out, "control character")));
    }
}

/// The change that the form stands for, or why there is none.
pub(super) fn change(model: &Model, form: &Form) -> Result<Change, String> {
    let Target { file, part, .. } = form.target();
    let part = part_of(model, file.as_ref(), *part).ok_or("the file is no longer in the review")?;
    let is_record = matches!(form.kind, FormKind::Record | FormKind::Reply);
    if let Some(reason) = model.no_notes().filter(|_| !is_record) {
        return Err(reason);
    }
    if let Some(reason) = lines::refusal(&model.parts[part].section, form) {
        return Err(reason);
    }
    if !is_record && !model.review.on_disk && model.parts.iter().any(|part| part.failure.is_some()) {
        return Err("a file could not be read, and the review would be written without its lines".to_owned());
    }
    let known = form.amends.as_ref().map(|amended| amended.known(part));
    let review = |change| Change::Review(review_file(model), change);
    let append = |(place, record)| Change::Records(place, RecordChange::Append(record));
    Ok(match (form.kind, known) {
        (FormKind::Note, None) => review(ReviewChange::Append(part, form.notes())),
        (FormKind::Note, Some(known)) => {
            let before = existing::as_read(model, part, form).ok_or(existing::CHANGED)?;
            let said = Box::new([before.note(), form.note()]);
            review(ReviewChange::Amend(known, said))
        }
        (FormKind::Text, known) => {
            let note = WrittenNote::read(form.lines_of_note(), &existing::header(form));
            let note = note.map_err(|error| error.to_string())?;
            review(match known {
                Some(known) => ReviewChange::Rewrite(known, note),
                None => ReviewChange::AppendWritten(part, note),
            })
        }
        (FormKind::Claim, known) => {
            let known = known.ok_or(existing::CHANGED)?;
            let claim = form.claim().ok_or("it would not be read as this claim: write it another way")?;
            review(ReviewChange::Claim(known, claim))
        }
        (FormKind::Decision, _) => {
            let (status, summary) = form.decision();
            review(ReviewChange::Decide(status, summary))
        }
        (FormKind::Record, None) => append(record(model, part, form)?),
        (FormKind::Record, Some(_)) => existing::record_change(model, form)?,
        (FormKind::Reply, _) => answers::change(model, form)?,
        (FormKind::Comment, _) => return Err("a comment is no part of the review".to_owned()),
    })
}

/// The review, as it is known.
pub(super) fn review_file(model: &Model) -> ReviewFile {
    let Review { path, within, document, .. } = &model.review;
    ReviewFile { path: path.clone(), within: within.clone(), document: document.clone() }
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

/// The record that `form` stands for, and where it goes.
pub(super) fn record(model: &Model, part: usize, form: &Form) -> Result<(Place, Record<'static>), &'static str> {
    let target = form.target();
    let (place, mut file) = selection::record_place(model, part)?;
    if target.selector.side == Side::New {
        let Selector { start, end, .. } = target.selector;
        file.push_str(&if start == end { format!(":{start}") } else { format!(":{start}-{end}") });
    }
    let (content, feedback) = (target.meant().map(|text| text.to_owned().into()), form.feedback().into());
    Ok((place, Record { file: Some(file.into()), content, feedback, ..Record::default() }))
}
