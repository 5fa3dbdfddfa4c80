//! What comes back from the session: what it says, what was kept and sent, and what agents have answered.

use std::sync::Arc;

use crate::session::{NoteStatus, Said, State};
use crate::text::counted::counted;

use super::super::command::Command;
use super::super::desk::Opened;
use super::super::effect::Effect;
use super::super::form::{FormKind, Target};
use super::super::model::{Mode, Model, Tone};
use super::super::talk::{ListRow, Progress, Shown, Told};
use super::talking::{change, keep};
use super::{adopt, drafts, selection, sending, settle, since, talking};

/// Something was done, or has happened.
pub(super) fn told(model: &mut Model, told: Told, effects: &mut Vec<Effect>) {
    match told {
        Told::State(state, line) => stated(model, state, line),
        Told::Kept(Some(ticket), Ok(())) => kept(model, ticket, effects),
        Told::Kept(Some(ticket), Err(reason)) => not_kept(model, ticket, &reason, effects),
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
                "notes work; comments to the agent: another reviewer has taken the session, :take-over takes it back";
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
    let before = model.talk.shown.clone();
    let known = model.talk.state.as_ref().map_or(0, |state| state.messages.len());
    let message = state.messages.get(known..).and_then(<[_]>::last).cloned();
    let row = model.talk.list().get(model.talk.row).copied();
    model.talk.state = Some(state);
    model.talk.settle();
    // What comes in above moves nobody to another row of the list.
    let is_it = |other: &ListRow| Some(*other) == row;
    model.talk.row = model.talk.list().iter().position(is_it).unwrap_or(model.talk.row);
    if before != model.talk.shown {
        adopt::take_comments(model, &before);
    }
    if is_heard(model) {
        let unheard = model.talk.unheard.take();
        model.message = model.message.take().filter(|(_, said)| Some(said) != unheard.as_ref());
    }
    let rounds = model.key(Command::Rounds);
    // Nothing but this line and the list says it: it stands above all but a problem.
    let is_free = model.message.as_ref().is_none_or(|(tone, _)| *tone != Tone::Problem);
    if let Some(said) = message.filter(|_| is_free) {
        let said = message_words(model, &said, "");
        model.say(Tone::Info, said);
    } else if let Some(does) = news(&before, &model.talk.shown).filter(|_| model.message.is_none()) {
        model.say(Tone::Info, format!("the agent {does}: {rounds} lists the rounds"));
    }
}

/// Whether an agent is there, or has taken all that was sent.
fn is_heard(model: &Model) -> bool {
    let is_taken = |state: &Arc<State>| state.unanswered().all(|round| !round.handed.is_empty());
    model.talk.state.as_ref().is_some_and(|state| state.waiting.is_some() || is_taken(state))
}

/// What the form with this ticket says is on disk.
fn kept(model: &mut Model, ticket: u64, effects: &mut Vec<Effect>) {
    let keeping = model.talk.keeping.iter().position(|(kept, ..)| *kept == ticket);
    let id = keeping.map(|index| model.talk.keeping.remove(index).1);
    model.outbox.retain(|outgoing| outgoing.ticket != ticket);
    if let Some(focus) = id.and_then(|id| talking::card_of(model, &id)).filter(|_| matches!(model.mode, Mode::Review)) {
        model.focus = Some(focus);
    }
    let count = model.talk.unsent.len();
    let (comments, wait) = (counted(count, "comment"), if count == 1 { "waits" } else { "wait" });
    if !matches!(model.mode, Mode::Confirm(_)) {
        let send = model.key(Command::Send);
        model.say(Tone::Info, format!("{comments} {wait} for the agent: {send} sends"));
    }
    sending::reopen_failed(model);
    sending::leave_when_done(model, effects);
}

/// What the form with this ticket says cannot be kept: the comments are as before, and the text is in its form again.
fn not_kept(model: &mut Model, ticket: u64, reason: &str, effects: &mut Vec<Effect>) {
    let Some(index) = model.talk.keeping.iter().position(|(kept, ..)| *kept == ticket) else {
        return model.say(Tone::Problem, format!("not kept: {reason}"));
    };
    let (_, id, before) = model.talk.keeping.remove(index);
    change(model, |unsent| match (before, unsent.iter().position(|comment| comment.id == id)) {
        (Some(before), Some(index)) => unsent[index] = before,
        (None, Some(index)) => drop(unsent.remove(index)),
        (_, None) => {}
    });
    sending::failed(model, ticket, reason, false, effects);
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
        None => {
            let said = format!("{names}; no agent is listening: it gets them with `whymark poll`");
            model.talk.unheard = Some(said.clone());
            model.say(Tone::Info, said);
        }
    }
}

/// What an agent does by saying what it has not said `before`.
fn news(before: &[Shown], now: &[Shown]) -> Option<&'static str> {
    let said_before = |shown: &Shown| {
        let known = before.iter().find(|known| known.comment.id == shown.comment.id);
        known.map_or(&[][..], |known| &known.said)
    };
    let news = now.iter().map(|shown| (shown, said_before(shown))).filter(|(shown, known)| shown.said != *known);
    // What is said of the note itself comes first.
    let asks = |(shown, known): (&Shown, &[_])| {
        shown.progress == Progress::Status(NoteStatus::Question) && shown.said.first() != known.first()
    };
    let asked = news.map(asks).reduce(|one, other| one || other)?;
    Some(if asked { "asks" } else { "has answered" })
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

/// What agents have said since the last round was sent, and perhaps while nobody was here; else only the list says it.
fn unanswered_words(model: &Model) -> Option<String> {
    let state = model.talk.state.as_ref()?;
    let sent = state.rounds.iter().map(|round| &round.time).max();
    let mut messages = state.messages.iter().filter(|said| sent.is_none_or(|sent| said.time >= *sent));
    let (count, last) = (messages.clone().count(), messages.next_back()?);
    let more = if count > 1 { format!(" and {} more", count - 1) } else { String::new() };
    Some(message_words(model, last, &more))
}

/// What an agent says, in one line; the list has all of it, and what there is `more`.
fn message_words(model: &Model, said: &Said, more: &str) -> String {
    let rounds = model.key(Command::Rounds);
    let text = said.text.trim().lines().next().unwrap_or_default();
    model.display.visible(format!("{} says ({rounds} lists it{more}): {text}", said.agent))
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
    } else if let Some(said) = unanswered_words(model).filter(|_| model.message.is_none()) {
        model.say(Tone::Info, said);
    }
    settle::settle(model, &mut effects);
    effects
}
