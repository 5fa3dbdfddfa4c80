//! The conversation with an agent: comments written, queued, sent and taken back, and what came of it.

use std::sync::Arc;

use bstr::BString;

use crate::anchor;
use crate::document::{Document, NoteRef, Section, Selector, Side, named_lines};
use crate::session::{MOST_NOTE, State};
use crate::text::counted::counted;

use super::super::command::Command;
use super::super::desk::Opened;
use super::super::draft::About;
use super::super::effect::Effect;
use super::super::form::{Form, FormKind, Target};
use super::super::model::{Focus, Mode, Model, Question, Tone};
use super::super::part::{self, Part, Subject as Card};
use super::super::talk::{Comment, Errand, ListRow, Shown, Subject, Told};
use super::{adopt, drafts, existing, motion, selection, sending, settle, since, writing};

/// Have something done on disk.
fn errand(effects: &mut Vec<Effect>, errand: Errand) {
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
            writing::show(model, Form::new(FormKind::Comment, targets, model.display));
        }
        Err(reason) => model.say(Tone::Problem, reason),
    }
}

/// What the open form is about is in its file so often that it is hard to find: offer more lines.
fn offer_more(model: &mut Model, matches: usize, about: &Target) {
    let Some(form) = model.form.as_ref().filter(|form| form.kind == FormKind::Comment && form.amends.is_none()) else {
        return;
    };
    if (Target { part: 0, ..form.targets[0].clone() }) != *about {
        return;
    }
    let wider = selection::widened(model, &form.targets[0]);
    let Some(form) = &mut model.form else { return };
    // Short enough for the pane beside the diff.
    let mut words = format!("{matches} times in the file");
    if let Some(wider) = wider {
        words += &format!("; tab right: {}", wider.words());
        form.targets.insert(1, wider);
        form.target += usize::from(form.target > 0);
    }
    form.problem = Some(words);
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
    match model.talk.unsent.iter().position(is_it) {
        Some(index) => {
            let before = model.talk.unsent[index].clone();
            let mut after = Comment { text: form.comment(), ..before.clone() };
            if before.target() != (Target { part: 0, ..target.clone() }) {
                (after.about, after.neighbours, after.is_lost) = (About::of(target), neighbours, false);
            }
            model.talk.changing.push((ticket, before));
            change(model, |unsent| unsent[index] = after);
        }
        None => {
            let comment = Comment::new(model.talk.new_id(), target, neighbours, form.comment());
            change(model, |unsent| unsent.push(comment));
        }
    }
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
        if Arc::ptr_eq(old, new) || old.text() == new.text() || !is_there {
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
        return model.say(Tone::Problem, "no note is open that could be queued: J and K go from note to note");
    };
    let index = model.talk.unsent.iter().position(|comment| comment.repeats.as_deref() == Some(&*name));
    match index {
        Some(index) if model.talk.is_in_flight(&model.talk.unsent[index].id) => {
            return model.say(Tone::Problem, IN_FLIGHT);
        }
        Some(index) => {
            change(model, |unsent| drop(unsent.remove(index)));
            model.say(Tone::Info, "taken back: it is not sent to the agent");
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
        }
    }
    errand(effects, Errand::Keep { ticket: None, comments: model.talk.unsent.clone() });
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
        true => model.say(Tone::Info, "nothing to send: c comments on a line, C on the whole, Q queues a note"),
        false => model.mode = Mode::Confirm(Question::Send),
    }
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
fn files(model: &Model) -> Vec<BString> {
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
    let id = |span: Option<crate::text::Span>| {
        span.map(|span| String::from_utf8_lossy(span.of(section.text())).into_owned())
    };
    let line = named_lines(tree, selector).map(|(first, _)| first);
    let hunk = line.and_then(|line| tree.hunk_at(line)).map(|hunk| &tree.hunks[hunk]);
    Subject {
        old_path: file.old_path.as_ref().unwrap_or(&file.path).to_vec(),
        is_deleted: file.status == crate::document::FileStatus::Deleted,
        ids: [id(file.old_sha), id(file.new_sha)],
        heading: hunk.map(|hunk| String::from_utf8_lossy(hunk.heading.of(section.text())).trim().to_owned()),
    }
}

/// Something was done, or has happened.
pub(super) fn told(model: &mut Model, told: Told, effects: &mut Vec<Effect>) {
    match told {
        Told::State(state, line) => stated(model, state, line),
        Told::Kept(Some(ticket), Ok(())) => kept(model, ticket, effects),
        Told::Kept(Some(ticket), Err(reason)) => not_kept(model, ticket, &reason),
        Told::Kept(None, Ok(())) => {}
        Told::Kept(None, Err(reason)) => model.say(Tone::Problem, format!("not kept: {reason}")),
        Told::Sent { rounds, ids, is_awaited, failed } => {
            model.talk.sending.clear();
            if !ids.is_empty() {
                change(model, |unsent| unsent.retain(|comment| !ids.contains(&comment.id)));
                keep(model, effects);
            }
            sent(model, &rounds, is_awaited, failed);
        }
        Told::Recalled(round, Some(comments)) => {
            change(model, |unsent| unsent.extend(comments));
            keep(model, effects);
            model.say(Tone::Info, format!("round {round} is taken back: its comments are not sent"));
        }
        Told::Recalled(round, None) => {
            model.say(Tone::Problem, format!("too late: an agent has round {round}"));
        }
        Told::Since(since) => since::found(model, *since),
        Told::Often(matches, about) => offer_more(model, matches, &about),
        Told::Opened(opened) => {
            let is_whole = opened.left.is_empty();
            effects.extend(begin(model, *opened));
            if is_whole {
                model.say(Tone::Info, "the agent's session is with this reviewer now");
            }
        }
        Told::GivenUp => {
            let reason =
                "read-only for the agent: another reviewer has taken the session over, :take-over takes it back";
            model.talk.closed = Some(reason.to_owned());
            // They are in the session, and so the other's.
            change(model, Vec::clear);
            model.say(Tone::Problem, reason);
        }
        Told::Done(sentence) => model.say(Tone::Info, sentence),
        Told::Failed(reason) => model.say(Tone::Problem, reason),
    }
}

/// The session says something else now, or the line of the header is another one.
fn stated(model: &mut Model, state: Arc<State>, line: String) {
    model.talk.line = line;
    if model.talk.state.as_ref() == Some(&state) {
        return;
    }
    let said = answers(&model.talk.shown);
    let before = model.talk.shown.clone();
    model.talk.state = Some(state);
    model.talk.settle();
    if before != model.talk.shown {
        adopt::take_comments(model, &before);
    }
    if answers(&model.talk.shown) > said && model.message.is_none() {
        model.say(Tone::Info, "the agent has answered: L lists the rounds");
    }
}

/// What the form with this ticket says is on disk.
fn kept(model: &mut Model, ticket: u64, effects: &mut Vec<Effect>) {
    model.talk.changing.retain(|(changed, _)| *changed != ticket);
    model.outbox.retain(|outgoing| outgoing.ticket != ticket);
    let count = model.talk.unsent.len();
    let (comments, wait) = (counted(count, "comment"), if count == 1 { "waits" } else { "wait" });
    if !matches!(model.mode, Mode::Confirm(_)) {
        model.say(Tone::Info, format!("{comments} {wait} for the agent: S sends"));
    }
    sending::reopen_failed(model);
    sending::leave_when_done(model, effects);
}

/// What the form with this ticket says cannot be kept: the comments are as before, and the text is in its form again.
fn not_kept(model: &mut Model, ticket: u64, reason: &str) {
    let Some(outgoing) = model.outbox.iter().find(|outgoing| outgoing.ticket == ticket) else {
        return model.say(Tone::Problem, format!("not kept: {reason}"));
    };
    let form = outgoing.form().cloned();
    let is_it = |comment: &Comment| form.as_ref().is_some_and(|form| form.comment() == comment.text);
    let changed = model.talk.changing.iter().position(|(changed, _)| *changed == ticket);
    if let Some((_, before)) = changed.map(|index| model.talk.changing.remove(index)) {
        change(model, |unsent| {
            unsent.iter_mut().filter(|comment| comment.id == before.id).for_each(|now| *now = before.clone());
        });
    } else if let Some(index) = model.talk.unsent.iter().rposition(is_it) {
        change(model, |unsent| drop(unsent.remove(index)));
    }
    sending::failed(model, ticket, reason, false);
}

fn sent(model: &mut Model, rounds: &[u32], is_awaited: bool, failed: Option<String>) {
    let names = match rounds {
        [] => String::new(),
        [only] => format!("sent as round {only}"),
        [first, .., last] => format!("sent as rounds {first}-{last}"),
    };
    match failed {
        Some(reason) if rounds.is_empty() => model.say(Tone::Problem, format!("not sent: {reason}")),
        Some(reason) => model.say(Tone::Problem, format!("{names}; the rest is not sent: {reason}")),
        None if is_awaited => model.say(Tone::Info, names),
        None => model.say(Tone::Info, format!("{names}; no agent is listening: it gets them with `whymark poll`")),
    }
}

/// How much agents have said.
fn answers(shown: &[Shown]) -> usize {
    shown.iter().map(|shown| shown.said.len()).sum()
}

/// Open the list of comments and rounds.
pub(super) fn list(model: &mut Model) {
    if model.talk.state.is_some() || is_open(model) {
        model.talk.settle();
        model.mode = Mode::Rounds;
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

/// Open the form of the comment in a row of the list, where it is not sent.
fn edit(model: &mut Model, row: Option<ListRow>) {
    let index = match row {
        // What is not sent stands in front of what is.
        Some(ListRow::Unsent(index)) => index,
        _ => usize::MAX,
    };
    match existing::comment_form(model, index) {
        Ok(form) => writing::show(model, form),
        Err(reason) => model.say(Tone::Problem, reason),
    }
}

/// A command in the list.
pub(super) fn run_list(model: &mut Model, command: Command, effects: &mut Vec<Effect>) {
    let list = model.talk.list();
    let last = list.len().saturating_sub(1);
    let current = list.get(model.talk.row).copied();
    if matches!(command, Command::Recall | Command::HandOutAgain | Command::CloseRound | Command::EditNote) {
        if current.is_none() {
            return model.say(Tone::Problem, "there is nothing here");
        }
        if !is_open(model) {
            return;
        }
    }
    match command {
        Command::Down => model.talk.row = (model.talk.row + 1).min(last),
        Command::Up => model.talk.row = model.talk.row.saturating_sub(1),
        Command::HalfPageDown | Command::PageDown => model.talk.row = (model.talk.row + 10).min(last),
        Command::HalfPageUp | Command::PageUp => model.talk.row = model.talk.row.saturating_sub(10),
        Command::Top => model.talk.row = 0,
        Command::Bottom => model.talk.row = last,
        Command::Redraw => effects.push(Effect::Redraw),
        Command::EditNote => edit(model, current),
        Command::Recall => match (current, current.and_then(ListRow::round)) {
            (Some(ListRow::Unsent(index)), _) => {
                let id = model.talk.unsent[index].id.clone();
                ask_to_take_back(model, id, true);
            }
            (_, Some(round)) => errand(effects, Errand::Recall { round, comments: model.talk.unsent.clone() }),
            _ => {}
        },
        Command::HandOutAgain => match current.and_then(ListRow::round) {
            Some(round) => errand(effects, Errand::Again { round, files: files(model) }),
            _ => model.say(Tone::Problem, "this is not sent yet: S sends it"),
        },
        Command::CloseRound => match current.and_then(ListRow::round) {
            Some(round) => errand(effects, Errand::Close(round)),
            _ => model.say(Tone::Problem, "this is not sent yet: x takes it back"),
        },
        Command::Since => since::ask(model, current.and_then(ListRow::round), effects),
        Command::Accept | Command::Cancel => {
            model.mode = Mode::Review;
            if command == Command::Accept
                && let Some(row) = current
            {
                jump(model, row);
            }
        }
        _ => {}
    }
}

/// Go to what a row of the list is about.
fn jump(model: &mut Model, row: ListRow) {
    let is_it = |shown: &Shown| match row {
        ListRow::Unsent(index) => model.talk.unsent.get(index).is_some_and(|comment| comment.id == shown.comment.id),
        ListRow::Note(round, note) => {
            let state = model.talk.state.as_ref().and_then(|state| state.round(round));
            state.and_then(|round| round.notes.get(note)).is_some_and(|note| note.id == shown.comment.id)
        }
        ListRow::Round(round) => {
            let state = model.talk.state.as_ref().and_then(|state| state.round(round));
            state.is_some_and(|round| round.notes.iter().any(|note| note.id == shown.comment.id))
        }
    };
    let Some(index) = model.talk.shown.iter().position(is_it).and_then(|index| u32::try_from(index).ok()) else {
        return;
    };
    let subject = Card::Comment(index);
    let has_it = |part: &Part| part.index_of(subject).is_some();
    if let Some(part) = model.parts.iter().position(has_it) {
        motion::open(model, Focus { part, subject });
    }
}

/// Bring back what waits to be sent, and what the session says.
pub fn begin(model: &mut Model, opened: Opened) -> Vec<Effect> {
    let Opened { comments, typed, left, state } = opened;
    let mut effects = Vec::new();
    model.talk.closed = None;
    change(model, |unsent| *unsent = comments);
    let message = model.message.take();
    told(model, *state, &mut effects);
    model.talk.typed = Arc::new(typed.clone());
    drafts::offer(model, &typed);
    // What was answered before is no news.
    model.message = message;
    if let Some(reason) = left.into_iter().next() {
        model.say(Tone::Problem, reason);
    }
    settle::settle(model, &mut effects);
    effects
}
