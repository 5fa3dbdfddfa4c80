//! The conversation with an agent: comments written, queued, sent and taken back.

use std::sync::Arc;

use bstr::BString;

use crate::anchor;
use crate::document::{Document, FileStatus, NoteRef, Section, Selector, Side, named_lines};
use crate::session::MOST_NOTE;
use crate::text::Span;

use super::super::command::Command;
use super::super::draft::About;
use super::super::effect::Effect;
use super::super::form::{Field, Form, FormKind, Target};
use super::super::model::{Focus, Mode, Model, Question, Tone};
use super::super::part::{self, Subject as Card};
use super::super::talk::{Comment, Errand, Subject};
use super::{adopt, selection, sending, writing};

/// Have something done on disk.
pub(super) fn errand(effects: &mut Vec<Effect>, errand: Errand) {
    effects.push(Effect::Agent(Box::new(errand)));
}

/// Have what is not sent kept as it is now.
pub(super) fn keep(model: &Model, effects: &mut Vec<Effect>) {
    errand(effects, Errand::Keep { ticket: None, comments: model.talk.unsent.clone() });
}

/// What is said of a comment that may be in a round already.
pub(super) const IN_FLIGHT: &str = "this comment is being sent: it cannot be changed or taken back just now";

/// Say why nothing can be sent, where that is so. Whether something can.
pub(super) fn is_open(model: &mut Model) -> bool {
    let Some(reason) = model.talk.closed.clone() else { return true };
    model.say(Tone::Problem, reason);
    false
}

/// Open the form of a comment on the cursor or the selection, or on nothing in particular.
pub(super) fn write(model: &mut Model, command: Command, effects: &mut Vec<Effect>) {
    if !is_open(model) {
        return;
    }
    let targets = match command {
        Command::Chat => Ok(vec![Target::doc()]),
        _ => selection::targets(model, FormKind::Comment),
    };
    match targets {
        Ok(targets) => {
            if targets[0].quote.is_some() && model.talk.is_held() {
                let neighbours = selection::neighbours(model, &targets[0]);
                let probe = Comment::new(String::new(), &targets[0], neighbours, String::new());
                let subject = subject(model, &probe);
                errand(effects, Errand::Count(Box::new((probe, subject))));
            }
            if let Some(words) = selection::one_sided(model, &targets[0]) {
                model.say(Tone::Info, words);
            }
            writing::show(model, Form::new(FormKind::Comment, targets, model.display));
        }
        Err(reason) => model.say(Tone::Problem, reason),
    }
}

/// Ask for a test of the line or the selection: a comment that waits to be sent at once.
pub(super) fn ask_for_test(model: &mut Model, effects: &mut Vec<Effect>) {
    write(model, Command::Comment, effects);
    // What was put aside comes back with its own words.
    if let Some(form) = model.form.as_mut().filter(|form| !form.says_something()) {
        form.set_text(Field::Ask, "This needs a test.");
        sending::save(model, effects);
    }
}

/// Why a text cannot be sent, where that is so.
pub(super) fn fault(text: &str) -> Option<String> {
    if text.trim().is_empty() {
        return Some("nothing is written yet: say what should change".to_owned());
    }
    (text.len() > MOST_NOTE).then(|| format!("{} bytes, and {MOST_NOTE} at most", text.len()))
}

/// A comment has been written: it waits to be sent as soon as it is on disk. Until then its form is in the outbox.
pub(super) fn queue(model: &mut Model, form: &Form, ticket: u64) -> Effect {
    let target = form.target();
    let neighbours = selection::neighbours(model, target);
    let is_it = |comment: &Comment| form.amends.as_ref().is_some_and(|known| known.text == comment.id.as_str());
    let known = model.talk.unsent.iter().position(is_it);
    let before = known.map(|index| model.talk.unsent[index].clone());
    let now = match &before {
        Some(before) if before.target() == (Target { part: 0, is_lost: false, ..target.clone() }) => {
            Comment { text: form.comment(), ..before.clone() }
        }
        Some(before) => {
            let (about, is_lost) = (About::of(target), target.is_lost);
            Comment { text: form.comment(), about, neighbours, is_lost, ..before.clone() }
        }
        None => {
            let comment = Comment::new(model.talk.new_id(), target, neighbours, form.comment());
            Comment { is_lost: target.is_lost, ..comment }
        }
    };
    model.talk.keeping.push((ticket, now.id.clone(), before));
    change(model, |unsent| match known {
        Some(index) => unsent[index] = now,
        None => unsent.push(now),
    });
    Effect::Agent(Box::new(Errand::Keep { ticket: Some(ticket), comments: model.talk.unsent.clone() }))
}

/// The review is another document, whose part `now[n]` is what was part `n`: what is not sent goes along with its lines.
pub(super) fn carry(model: &mut Model, before: &Document, after: &Document, now: &[Option<usize>]) {
    let mut unsent = std::mem::take(&mut model.talk.unsent);
    for comment in unsent.iter_mut().filter(|comment| !comment.is_lost) {
        let target = comment.target();
        let is_its = |section: &&Arc<Section>| {
            target.quote.is_some() && section.tree().file.as_ref().map(|file| &file.path) == target.file.as_ref()
        };
        let Some((index, old)) = before.parts().iter().enumerate().skip(1).find(|(_, section)| is_its(section)) else {
            continue;
        };
        // Where the file has left the review, it is looked for when the comment is sent.
        let Some(new) = now.get(index).copied().flatten().map(|index| &after.parts()[index]) else { continue };
        // What is not where it says, or not read yet, is looked for when it is shown or sent.
        let is_there = selection::quoted(old, target.selector) == target.quote;
        if old.has_text_of(new) || !is_there {
            continue;
        }
        match anchor::carried(old, new, target.selector) {
            Some(selector) => {
                comment.neighbours = part::neighbours(new, selector);
                comment.about = About::of(&Target { selector, ..target });
            }
            None => comment.is_lost = true,
        }
    }
    model.talk.unsent = unsent;
    model.talk.settle();
}

/// Change what is not sent, and show that.
pub(super) fn change(model: &mut Model, change: impl FnOnce(&mut Vec<Comment>)) {
    let before = model.talk.shown.clone();
    change(&mut model.talk.unsent);
    model.talk.settle();
    adopt::take_comments(model, &before);
}

/// Queue the open note for the agent too, or take it back.
pub(super) fn repeat(model: &mut Model, effects: &mut Vec<Effect>) {
    if !is_open(model) {
        return;
    }
    let Some((name, target, text)) = open_note(model) else {
        return model.say(
            Tone::Problem,
            format!("no note is open that could be queued: {} from note to note", model.note_keys()),
        );
    };
    let index = model.talk.unsent.iter().position(|comment| comment.repeats.as_deref() == Some(&*name));
    match index {
        Some(index) => {
            let id = model.talk.unsent[index].id.clone();
            match model.talk.is_in_flight(&id) {
                true => model.say(Tone::Problem, IN_FLIGHT),
                false => take_back(model, &id, effects),
            }
        }
        None => {
            if let Some(reason) = fault(&text) {
                return model.say(Tone::Problem, reason);
            }
            let id = model.talk.new_id();
            let neighbours = selection::neighbours(model, &target);
            let comment = Comment { repeats: Some(name), ..Comment::new(id, &target, neighbours, text) };
            change(model, |unsent| unsent.push(comment));
            model.say(Tone::Info, "queued for the agent");
            keep(model, effects);
        }
    }
}

/// The open note or record: its name, what it is about, and what an agent is told.
fn open_note(model: &Model) -> Option<(String, Target, String)> {
    let (part, annotation) = model.focused()?;
    let index = model.focus?.part;
    let file = part.section.tree().file.as_ref().map(|file| file.path.clone());
    let target = |selector: Selector| {
        let is_lines = matches!(selector.side, Side::New | Side::Old);
        let quote = is_lines.then(|| selection::quoted(&part.section, selector)).flatten();
        let selector = if is_lines && quote.is_none() { Selector::FILE } else { selector };
        Target::new(index, selector, file.clone(), quote)
    };
    match annotation.subject {
        Card::Note(note) => {
            let view = part.note(note);
            let selector = view.note().selector;
            let id = model.review.document.note_id(NoteRef { part: index, note: note as usize });
            let target = if selector.side == Side::Doc { Target::doc() } else { target(selector) };
            Some((format!("note {id}"), target, view.asked()))
        }
        Card::Record(record) => {
            let known = model.review.records.get(record)?;
            let path = &model.review.records.file(record)?.place.path;
            let name = format!("record {} of {}", record.record, path.display());
            let tree = part.section.tree();
            let selector = annotation.lines.and_then(|(first, last)| {
                let number = |line: u32| {
                    let hunk = &tree.hunks[tree.hunk_at(line)?];
                    tree.lines[line as usize].new_line(hunk).map(|number| number.0)
                };
                Some(Selector { side: Side::New, start: number(first)?, end: number(last)? })
            });
            Some((name, target(selector.unwrap_or(Selector::FILE)), known.feedback.into_owned()))
        }
        Card::Comment(_) => None,
    }
}

/// Whether nothing is being sent; it is said where something is.
fn is_idle(model: &mut Model) -> bool {
    if model.talk.is_sending() {
        model.say(Tone::Info, "the last round is still being sent");
    }
    !model.talk.is_sending()
}

/// Ask whether to send what waits.
pub(super) fn ask(model: &mut Model) {
    if !is_open(model) || !is_idle(model) {
        return;
    }
    match model.talk.unsent.is_empty() {
        true => model.say(Tone::Info, format!("nothing to send: {}", model.ways_to_queue())),
        false => model.mode = Mode::Confirm(Question::Send),
    }
}

/// The card of the comment with this id, where it is shown.
pub(super) fn card_of(model: &Model, id: &str) -> Option<Focus> {
    let index = model.talk.shown.iter().position(|shown| shown.comment.id == id)?;
    let subject = Card::Comment(u32::try_from(index).ok()?);
    let part = model.parts.iter().position(|part| part.index_of(subject).is_some())?;
    Some(Focus { part, subject })
}

/// Ask what is to become of the session.
pub(super) fn ask_for_end(model: &mut Model) {
    if !is_open(model) || !is_idle(model) {
        return;
    }
    match model.talk.state.as_ref().is_some_and(|state| state.ended.is_some()) {
        true => model.say(Tone::Info, "the session has ended"),
        false => model.mode = Mode::Confirm(Question::End),
    }
}

/// Send what waits; end the session then, if that is wanted.
pub(super) fn send(model: &mut Model, end: bool, effects: &mut Vec<Effect>) {
    let subject = |comment: &Comment| subject(model, comment);
    let comments: Vec<_> = model.talk.unsent.iter().map(|comment| (comment.clone(), subject(comment))).collect();
    model.talk.sending = model.talk.unsent.iter().map(|comment| comment.id.clone()).collect();
    errand(effects, Errand::Send { comments, files: files(model), end });
}

/// The paths of the reviewed files.
pub(super) fn files(model: &Model) -> Vec<BString> {
    let files = model.review.document.parts().iter().filter_map(|part| part.tree().file.as_ref());
    files.map(|file| file.path.clone()).collect()
}

/// End the session, with what is not sent kept.
pub(super) fn end(effects: &mut Vec<Effect>) {
    errand(effects, Errand::End);
}

/// What is known of the file that a comment is about.
fn subject(model: &Model, comment: &Comment) -> Subject {
    let Target { selector, file, .. } = comment.target();
    let Some(part) = writing::part_of(model, file.as_ref(), 1).filter(|_| file.is_some()) else {
        return Subject::default();
    };
    let section = &model.parts[part].section;
    let tree = section.tree();
    let Some(file) = &tree.file else { return Subject::default() };
    let id = |span: Option<Span>| span.map(|span| String::from_utf8_lossy(span.of(section.text())).into_owned());
    let line = named_lines(tree, selector).map(|(first, _)| first);
    let hunk = line.and_then(|line| tree.hunk_at(line)).map(|hunk| &tree.hunks[hunk]);
    Subject {
        old_path: file.old_path.as_ref().unwrap_or(&file.path).to_vec(),
        is_deleted: file.status == FileStatus::Deleted,
        ids: [id(file.old_sha), id(file.new_sha)],
        heading: hunk.map(|hunk| String::from_utf8_lossy(hunk.heading.of(section.text())).trim().to_owned()),
    }
}

/// Have the session, which another reviewer has.
pub(super) fn take_over(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.talk.closed.is_some() {
        model.say(Tone::Info, "the other reviewer is asked to let the session go");
    }
    errand(effects, Errand::TakeOver);
}

/// Ask whether a comment that is not sent is to go.
pub(super) fn ask_to_take_back(model: &mut Model, id: String, is_listed: bool) {
    if !is_open(model) {
        return;
    }
    if model.talk.is_in_flight(&id) {
        return model.say(Tone::Problem, IN_FLIGHT);
    }
    let comment = model.talk.unsent.iter().find(|comment| comment.id == id);
    let words = comment.and_then(|comment| comment.text.lines().next()).unwrap_or_default().to_owned();
    model.mode = Mode::Confirm(Question::TakeBack { id, words, is_listed });
}

/// A comment that is not sent goes.
pub(super) fn take_back(model: &mut Model, id: &str, effects: &mut Vec<Effect>) {
    change(model, |unsent| unsent.retain(|comment| comment.id != id));
    keep(model, effects);
    model.say(Tone::Info, "taken back: it is not sent to the agent");
}

/// Whoever goes on from the list of rounds, or from the open card of a comment, has seen what agents answered.
pub(super) fn see_answers(model: &mut Model) {
    let is_on_card = || match model.focused().map(|(_, annotation)| annotation.subject) {
        Some(Card::Comment(index)) => model.talk.shown.get(index as usize).is_some_and(|shown| !shown.said.is_empty()),
        _ => false,
    };
    if matches!(model.mode, Mode::Rounds) || is_on_card() {
        model.talk.seen = model.talk.answers();
    }
}
