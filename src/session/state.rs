//! What the files of a session say: a function of them and of nothing else.

use std::collections::{BTreeMap, BTreeSet};

use super::hold::Waiting;
use super::record::{Event, Note, NoteStatus, Review, Round, What};

/// A session as its files were read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Files {
    /// Its name.
    pub(super) id: String,
    /// What is reviewed, once a reviewer has opened it.
    pub(super) review: Option<Review>,
    /// What is known of each round, by number.
    pub(super) rounds: BTreeMap<u32, RoundFiles>,
    /// What agents did, in order.
    pub(super) events: Vec<(String, Event)>,
    /// Whether the reviewer has ended it.
    pub(super) has_ended: bool,
    /// Whether a reviewer holds it.
    pub(super) is_held: bool,
    /// Who waits for notes.
    pub(super) waiting: Option<Waiting>,
    /// When it was last used, in nanoseconds.
    pub(super) used: u128,
}

/// The files of one round.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct RoundFiles {
    pub(super) round: Option<Round>,
    pub(super) is_recalled: bool,
    pub(super) is_closed: bool,
}

/// A session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// Its name.
    pub id: String,
    /// What is reviewed; its name until a reviewer has said so.
    pub label: String,
    /// The same for the program.
    pub scope: Option<String>,
    /// Its rounds, in order. Numbers may be missing.
    pub rounds: Vec<RoundState>,
    /// What agents said that answers no round, in order.
    pub messages: Vec<Said>,
    /// Who has ended it; when both have, the reviewer.
    pub ended: Option<By>,
    /// Whether a reviewer holds it.
    pub is_held: bool,
    /// Who waits for notes.
    pub waiting: Option<Waiting>,
    /// When it was last used, in nanoseconds.
    pub used: u128,
    /// The events by which polls took over.
    pub(super) takeovers: BTreeSet<String>,
    /// The greatest number that a round has had.
    pub(super) newest: Option<u32>,
}

/// One of the two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The person.
    Reviewer,
    /// The program that reads the notes.
    Agent,
}

impl By {
    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Reviewer => "reviewer",
            Self::Agent => "agent",
        }
    }
}

/// A round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundState {
    /// Its number, from 1.
    pub number: u32,
    /// When it was sent.
    pub time: String,
    /// Its notes.
    pub notes: Vec<Note>,
    /// To whom it was handed out.
    pub handed: Vec<Handing>,
    /// What an agent answered.
    pub answer: Option<Said>,
    /// The last that was said of each note.
    pub said: Vec<Option<(NoteStatus, Said)>>,
    /// Whether the reviewer has taken it back.
    pub is_recalled: bool,
    /// Whether the reviewer has closed it.
    pub is_closed: bool,
}

/// That a round was handed out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handing {
    /// To whom.
    pub agent: String,
    /// When.
    pub time: String,
}

/// What an agent said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// Who.
    pub agent: String,
    /// When.
    pub time: String,
    /// What.
    pub text: String,
}

impl RoundState {
    /// Whether it is still to be printed by polls. A round that was handed out before the reviewer took it back is out.
    #[must_use]
    pub fn is_unanswered(&self) -> bool {
        self.answer.is_none() && !self.is_closed && !(self.is_recalled && self.handed.is_empty())
    }

    /// Whether the reviewer has taken it back in time, so that nobody has it.
    #[must_use]
    pub fn is_withdrawn(&self) -> bool {
        self.is_recalled && self.handed.is_empty() && self.answer.is_none()
    }

    /// Whether it is with an agent, as far as is recorded.
    #[must_use]
    pub fn is_out(&self) -> bool {
        self.is_unanswered() && !self.handed.is_empty()
    }
}

impl State {
    /// What the files say.
    #[must_use]
    pub fn of(files: &Files) -> Self {
        let rounds = files.rounds.iter().filter_map(|(number, found)| {
            let round = found.round.as_ref()?;
            Some(RoundState {
                number: *number,
                time: round.time.clone(),
                notes: round.notes.clone(),
                handed: Vec::new(),
                answer: None,
                said: vec![None; round.notes.len()],
                is_recalled: found.is_recalled,
                is_closed: found.is_closed,
            })
        });
        let review = files.review.as_ref();
        let mut state = Self {
            id: files.id.clone(),
            label: review.map_or_else(|| files.id.clone(), |review| review.label.clone()),
            scope: review.map(|review| review.scope.clone()),
            rounds: rounds.collect(),
            messages: Vec::new(),
            ended: None,
            is_held: files.is_held,
            waiting: files.waiting.clone(),
            used: files.used,
            takeovers: BTreeSet::new(),
            newest: files.rounds.keys().next_back().copied(),
        };
        for (name, event) in &files.events {
            state.apply(name, event);
        }
        if files.has_ended {
            state.ended = Some(By::Reviewer);
        }
        state
    }

    fn apply(&mut self, name: &str, event: &Event) {
        let said = |text: &str| Said { agent: event.agent.clone(), time: event.time.clone(), text: text.to_owned() };
        match &event.what {
            What::Handed { round } => {
                let handing = Handing { agent: event.agent.clone(), time: event.time.clone() };
                self.rounds
                    .iter_mut()
                    .filter(|known| known.number == *round)
                    .for_each(|known| known.handed.push(handing.clone()));
            }
            What::Reply { round, text } => {
                let open = self.rounds.iter_mut().find(|known| Some(known.number) == *round && !known.is_settled());
                match open {
                    Some(round) => round.answer = Some(said(text)),
                    None => self.messages.push(said(text)),
                }
            }
            What::Note { round, row, status, text } => {
                let place = self.rounds.iter_mut().find(|known| known.number == *round);
                if let Some(place) = place.and_then(|round| round.said.get_mut(*row)) {
                    *place = Some((*status, said(text)));
                }
            }
            What::End => self.ended = Some(By::Agent),
            What::Takeover => drop(self.takeovers.insert(name.to_owned())),
        }
    }

    /// The rounds that polls are still to print, in order.
    pub fn unanswered(&self) -> impl Iterator<Item = &RoundState> {
        self.rounds.iter().filter(|round| round.is_unanswered())
    }

    /// How many notes these have.
    #[must_use]
    pub fn queued(&self) -> usize {
        self.unanswered().map(|round| round.notes.len()).sum()
    }

    /// Whether a reviewer holds it, or a round is unanswered.
    #[must_use]
    pub fn is_live(&self) -> bool {
        self.is_held || self.unanswered().next().is_some()
    }

    /// The newest round that was handed out and not answered.
    #[must_use]
    pub fn out(&self) -> Option<&RoundState> {
        self.rounds.iter().rev().find(|round| round.is_out())
    }

    /// The greatest number that a round has had.
    #[must_use]
    pub fn newest(&self) -> Option<u32> {
        self.newest
    }

    /// The round with this number.
    #[must_use]
    pub fn round(&self, number: u32) -> Option<&RoundState> {
        self.rounds.iter().find(|round| round.number == number)
    }
}

impl RoundState {
    /// Whether a further reply is only a message.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.answer.is_some() || self.is_closed
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::queue::Item;

    pub(in super::super) fn note(id: &str) -> Note {
        let item = Item { kind: Some(Item::CHAT.into()), note: Some(format!("do {id}")), ..Item::default() };
        Note { id: id.into(), item, place: None, draft: None }
    }

    /// A session with so many rounds of two notes each, to which `events` happened.
    pub(in super::super) fn files(rounds: u32, events: Vec<What>) -> Files {
        let round = |number: u32| {
            let notes = vec![note(&format!("{number}a")), note(&format!("{number}b"))];
            let round = Some(Round { time: "2026-11-01T14:00:00Z".into(), notes });
            (number, RoundFiles { round, ..RoundFiles::default() })
        };
        let event = |(index, what)| {
            let event = Event { agent: "codex".into(), time: "2026-11-01T14:01:00Z".into(), folder: 0, what };
            (format!("{index:06}"), event)
        };
        Files {
            id: "r1".into(),
            review: Some(Review { label: "staged".into(), scope: "staged".into() }),
            rounds: (1..=rounds).map(round).collect(),
            events: events.into_iter().enumerate().map(event).collect(),
            has_ended: false,
            is_held: false,
            waiting: None,
            used: 0,
        }
    }

    fn open(files: &Files) -> Vec<(u32, bool)> {
        State::of(files).unanswered().map(|round| (round.number, round.is_out())).collect()
    }

    fn reply(round: Option<u32>) -> What {
        What::Reply { round, text: "did it".into() }
    }

    #[test]
    fn rounds_are_open_until_they_are_answered() {
        assert_eq!(open(&files(2, vec![])), [(1, false), (2, false)]);
        let handed = What::Handed { round: 1 };
        assert_eq!(open(&files(2, vec![handed.clone(), handed.clone()])), [(1, true), (2, false)]);
        assert_eq!(open(&files(2, vec![handed.clone(), reply(Some(1))])), [(2, false)]);
        assert_eq!(open(&files(2, vec![reply(Some(1)), handed, reply(Some(1)), reply(Some(2))])), []);
        assert_eq!(open(&files(1, vec![reply(None), reply(Some(7))])), [(1, false)]);
    }

    #[test]
    fn the_first_reply_answers_and_the_others_are_messages() {
        let mut files =
            files(2, vec![reply(Some(1)), What::Reply { round: Some(1), text: "again".into() }, reply(Some(2))]);
        files.rounds.get_mut(&2).unwrap().is_closed = true;
        let state = State::of(&files);
        assert_eq!(state.rounds[0].answer.as_ref().unwrap().text, "did it");
        assert_eq!(state.messages.iter().map(|said| said.text.as_str()).collect::<Vec<_>>(), ["again", "did it"]);
        assert!(state.unanswered().next().is_none());
    }

    #[test]
    fn a_round_that_was_handed_out_is_out_although_it_was_taken_back() {
        let mut files = files(1, vec![]);
        files.rounds.get_mut(&1).unwrap().is_recalled = true;
        assert_eq!(open(&files), []);
        files.events = self::files(1, vec![What::Handed { round: 1 }]).events;
        assert_eq!(open(&files), [(1, true)]);
    }

    #[test]
    fn the_last_word_about_a_note_counts() {
        let note = |row, status| What::Note { round: 1, row, status, text: String::new() };
        let events = vec![note(1, NoteStatus::Question), note(1, NoteStatus::Done), note(9, NoteStatus::Done)];
        let said = State::of(&files(1, events)).rounds[0].said.clone();
        assert_eq!(
            said.iter().map(|said| said.as_ref().map(|(status, _)| *status)).collect::<Vec<_>>(),
            [None, Some(NoteStatus::Done)]
        );
    }

    #[test]
    fn the_reviewers_end_counts_before_the_agents() {
        let mut files = files(0, vec![What::End]);
        assert_eq!(State::of(&files).ended, Some(By::Agent));
        files.has_ended = true;
        assert_eq!(State::of(&files).ended, Some(By::Reviewer));
    }
}
