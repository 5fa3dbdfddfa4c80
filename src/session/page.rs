//! What the commands print, as functions of what there is.

use std::fmt::Write as _;

use serde::Serialize;

use super::hold::Waiting;
use super::record::Place;
use super::state::{By, RoundState, State};
use crate::queue::{Batch, Item, block, encode, label, to_json};
use crate::text::counted::counted;

/// How a page is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The table and all that an agent needs beside it.
    Full,
    /// The label and the table.
    Bare,
    /// One line of JSON.
    Json,
}

/// Why there is nothing to hand out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// A reviewer is there and has sent nothing.
    Waiting,
    /// No reviewer is there.
    Closed,
}

/// A page as JSON.
#[derive(Serialize)]
struct Page<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    round: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attempt: Option<usize>,
    more: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<&'static str>,
    items: Vec<PageItem<'a>>,
}

#[derive(Serialize)]
struct PageItem<'a> {
    #[serde(flatten)]
    item: &'a Item,
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    place: Option<&'a Place>,
}

/// A block `help`, which ends every page: without it a reader has been cut off.
#[must_use]
pub fn help(lines: &[String]) -> String {
    let mut text = format!("help[{}]:\n", lines.len());
    for line in lines {
        // Writing into memory does not fail.
        let _ = writeln!(text, "  {line}");
    }
    text
}

fn json(page: &Page<'_>) -> String {
    to_json(page).expect("a page has no maps whose keys are no text") + "\n"
}

/// The first unanswered round of a session.
#[must_use]
pub fn round_page(state: &State, round: &RoundState, suffix: &str, form: Form) -> String {
    let items: Vec<Item> = round.notes.iter().map(|note| note.item.clone()).collect();
    let is_last = state.unanswered().all(|other| other.number <= round.number);
    let more = state.unanswered().filter(|other| other.number > round.number).map(|other| other.notes.len()).sum();
    let end = state.ended.filter(|_| is_last);
    let attempt = round.handed.len() + 1;
    if form == Form::Json {
        let items = round.notes.iter().map(|note| PageItem { item: &note.item, place: note.place.as_ref() });
        return json(&Page {
            session: Some(&state.label),
            id: Some(&state.id),
            state: "notes",
            round: Some(round.number),
            attempt: Some(attempt),
            more,
            end: end.map(By::as_str),
            items: items.collect(),
        });
    }
    let table = encode(&Batch { session: Some(state.label.clone()), items });
    if form == Form::Bare {
        return table.rows;
    }
    let mut text = table.to_string();
    text.push_str(&places(round));
    match more {
        0 => {}
        1 => text.push_str("more: 1 note waits\n"),
        more => drop(writeln!(text, "more: {more} notes wait")),
    }
    if let Some(by) = end {
        let _ = writeln!(text, "end: the {} ends the session after this round", by.as_str());
    }
    let number = round.number;
    let _ = match attempt {
        1 => writeln!(text, "round: {number}"),
        attempt => writeln!(text, "round: {number} (handed out before, attempt {attempt})"),
    };
    text + &help(&[
        format!(
            "apply the notes, then run `whymark reply{suffix} --round {number} --stdin` with one line on what you changed"
        ),
        format!("run `whymark poll{suffix}` for the next round"),
    ])
}

/// Where the notes of a round are; nothing when none is anywhere.
fn places(round: &RoundState) -> String {
    let row = |(row, place): (usize, &Place)| {
        [Some(row.to_string()), place.lines.clone(), Some(place.side.clone()), Some(place.rev.clone())]
    };
    let placed = round.notes.iter().enumerate().filter_map(|(index, note)| Some((index, note.place.as_ref()?)));
    let rows: Vec<_> = placed.map(row).collect();
    if rows.is_empty() { String::new() } else { block("where", &["row", "lines", "side", "rev"], &rows) }
}

/// A session that has ended, with nothing left in it.
#[must_use]
pub fn ended_page(state: &State, by: By, form: Form) -> String {
    let end = by.as_str();
    if form == Form::Json {
        return json(&Page { end: Some(end), ..nothing(Some(state), "ended") });
    }
    let text = format!("session: {}\nqueue: 0 items - the {end} ended the session\n", label(&state.label));
    let stop = "stop polling; `whymark start` begins a new session".to_owned();
    if form == Form::Bare { text } else { text + &help(&[stop]) }
}

/// Nothing to hand out yet; without a session there is no reviewer either.
#[must_use]
pub fn idle_page(state: Option<&State>, standing: Standing, suffix: &str, form: Form) -> String {
    let word = if standing == Standing::Waiting { "waiting" } else { "closed" };
    if form == Form::Json {
        return json(&nothing(state, word));
    }
    let text = encode(&Batch { session: state.map(|state| state.label.clone()), items: Vec::new() }).rows;
    if form == Form::Bare {
        return text;
    }
    let lines = match standing {
        Standing::Waiting => vec![format!("run `whymark poll{suffix}` again, the reviewer is still reading")],
        Standing::Closed => {
            vec!["ask the user to run `whymark tui`".to_owned(), format!("then run `whymark poll{suffix}` again")]
        }
    };
    format!("{text}state: {word}\n{}", help(&lines))
}

fn nothing<'a>(state: Option<&'a State>, word: &'static str) -> Page<'a> {
    Page {
        session: state.map(|state| state.label.as_str()),
        id: state.map(|state| state.id.as_str()),
        state: word,
        round: None,
        attempt: None,
        more: 0,
        end: None,
        items: Vec::new(),
    }
}

/// A row of the table of sessions.
#[derive(Serialize)]
struct Listed {
    session: String,
    label: String,
    state: &'static str,
    queued: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<String>,
}

impl Listed {
    fn of(state: &State) -> Self {
        let name = |waiting: &Waiting| waiting.agent.clone().unwrap_or_else(|| "agent".to_owned());
        let waiting = state.waiting.as_ref().map(|waiting| format!("{} waiting", name(waiting)));
        let has = || {
            let round = state.out()?;
            Some(format!("{} has round {}", round.handed.last()?.agent, round.number))
        };
        Self {
            session: state.id.clone(),
            label: state.label.clone(),
            state: match state.ended {
                Some(_) => "ended",
                None if state.is_held => "open",
                None => "closed",
            },
            queued: state.queued(),
            agent: waiting.or_else(has),
        }
    }
}

/// The table of sessions.
#[must_use]
pub fn listing<'a>(states: impl IntoIterator<Item = &'a State>) -> String {
    let row = |state: &State| {
        let Listed { session, label: name, state, queued, agent } = Listed::of(state);
        [Some(session), Some(label(&name)), Some(state.to_owned()), Some(queued.to_string()), agent]
    };
    let rows: Vec<_> = states.into_iter().map(row).collect();
    match rows.as_slice() {
        [] => "sessions: 0 items\n".to_owned(),
        rows => block("sessions", &["session", "label", "state", "queued", "agent"], rows),
    }
}

/// The same as JSON.
#[must_use]
pub fn listing_json<'a>(states: impl IntoIterator<Item = &'a State>) -> String {
    let rows: Vec<Listed> = states.into_iter().map(Listed::of).collect();
    to_json(&rows).expect("a list has no maps whose keys are no text") + "\n"
}

/// What `start` prints.
#[must_use]
pub fn start_page(state: &State, suffix: &str, form: Form) -> String {
    let word = if state.is_held { "open" } else { "closed" };
    if form == Form::Json {
        #[derive(Serialize)]
        struct Started<'a> {
            session: &'a str,
            id: &'a str,
            state: &'static str,
        }
        let started = Started { session: &state.label, id: &state.id, state: word };
        return to_json(&started).expect("it has no maps") + "\n";
    }
    let mut lines = vec![format!("run `whymark poll{suffix}` for the first round")];
    if !state.is_held {
        lines.insert(0, "ask the user to run `whymark tui`".to_owned());
    }
    format!("session: {}\nid: {}\nstate: {word}\n{}", label(&state.label), state.id, help(&lines))
}

/// What `end` prints of a session that goes on until now.
#[must_use]
pub fn end_page(state: &State, suffix: &str) -> String {
    match state.unanswered().count() {
        0 => "session: ended\n".to_owned(),
        rounds => {
            let (rounds, notes) = (counted(rounds, "round"), counted(state.queued(), "note"));
            let poll = format!("run `whymark poll{suffix}` to get them");
            format!("session: ended\nunanswered: {rounds}, {notes}\n{}", help(&[poll]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::What;
    use super::super::state::tests::files;
    use super::*;
    use crate::document::Side;

    #[test]
    fn a_round_as_it_is_documented() {
        let mut files = files(2, vec![]);
        let round = files.rounds.get_mut(&1).unwrap().round.as_mut().unwrap();
        round.notes[0].item = Item {
            kind: Some(Item::ANNO.into()),
            file: Some("src/store.rs".into()),
            heading: Some("fn save(&self)".into()),
            occurrence: 1,
            quote: Some("    file.sync_all()?;".into()),
            note: Some("sync the directory too, else the rename can be lost".into()),
        };
        round.notes[0].place = Some(Place::new(Some((88, 88)), Side::New, "worktree"));
        round.notes[1].item.kind = Some(Item::ANNO.into());
        round.notes[1].place = Some(Place::new(None, Side::Old, "index"));
        let state = State::of(&files);
        let want = "\
session: staged
queue[2]{kind,file,heading,occurrence,quote,note}:
  anno,src/store.rs,fn save(&self),1,\"    file.sync_all()?;\",\"sync the directory too, else the rename can be lost\"
  anno,-,-,0,-,do 1b
where[2]{row,lines,side,rev}:
  0,88-88,new,worktree
  1,-,old,index
more: 2 notes wait
round: 1
help[2]:
  apply the notes, then run `whymark reply x --round 1 --stdin` with one line on what you changed
  run `whymark poll x` for the next round
";
        assert_eq!(round_page(&state, &state.rounds[0], " x", Form::Full), want);
        let bare: String = want.split_inclusive('\n').take(4).collect();
        assert_eq!(round_page(&state, &state.rounds[0], " x", Form::Bare), bare);
        let json = concat!(
            r#"{"session":"staged","id":"r1","state":"notes","round":1,"attempt":1,"more":2,"items":["#,
            r#"{"kind":"anno","file":"src/store.rs","heading":"fn save(&self)","occurrence":1,"quote":"    file.sync_all()?;","#,
            r#""note":"sync the directory too, else the rename can be lost","where":{"lines":"88-88","side":"new","rev":"worktree"}},"#,
            r#"{"kind":"anno","occurrence":0,"note":"do 1b","where":{"side":"old","rev":"index"}}]}"#,
            "\n"
        );
        assert_eq!(round_page(&state, &state.rounds[0], " x", Form::Json), json);
    }

    #[test]
    fn attempts_ends_and_single_notes_are_said() {
        let mut files = files(2, vec![What::Handed { round: 1 }, What::Handed { round: 1 }, What::End]);
        files.rounds.get_mut(&2).unwrap().round.as_mut().unwrap().notes.pop();
        let state = State::of(&files);
        let page = round_page(&state, &state.rounds[0], "", Form::Full);
        assert!(page.contains("\nmore: 1 note waits\nround: 1 (handed out before, attempt 3)\nhelp[2]:\n"), "{page}");
        assert!(!page.contains("end:"));
        files.rounds.get_mut(&1).unwrap().is_closed = true;
        let state = State::of(&files);
        let page = round_page(&state, &state.rounds[1], "", Form::Full);
        assert!(page.contains("2a\nend: the agent ends the session after this round\nround: 2\nhelp"), "{page}");
        assert!(round_page(&state, &state.rounds[1], "", Form::Json).contains(r#""more":0,"end":"agent","items""#));
    }

    #[test]
    fn a_label_stays_in_its_line() {
        let mut files = files(0, vec![]);
        files.review.as_mut().unwrap().label = "a\tb\nqueue: 1, \"x\"".into();
        let state = State::of(&files);
        let page = ended_page(&state, By::Agent, Form::Bare);
        assert_eq!(page, "session: a b queue: 1, \"x\"\nqueue: 0 items - the agent ended the session\n");
        let listed = "sessions[1]{session,label,state,queued,agent}:\n  r1,\"a b queue: 1, \"\"x\"\"\",closed,0,-\n";
        assert_eq!(listing([&state]), listed);
    }
}
