//! Waiting for notes: looks at what there is until there is something to say.

use std::collections::BTreeSet;
use std::thread;
use std::time::{Duration, Instant};

use super::Refusal;
use super::find::{Found, Store};
use super::hold::Hold;
use super::page::Standing;
use super::period::since;
use super::state::{By, RoundState};
use crate::clock;

/// The time between two looks.
const LOOK: Duration = Duration::from_millis(250);
/// How long a reviewer may be gone before nobody waits for it.
const GONE: Duration = Duration::from_secs(5);
/// How long a poll that takes over waits for the other to go.
const TAKING_OVER: Duration = Duration::from_secs(5);

/// How long to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// So long.
    For(Duration),
    /// Until there is something.
    Forever,
}

/// How a poll is asked for.
#[derive(Debug, Clone)]
pub struct Poll {
    /// The session that is named.
    pub session: Option<String>,
    /// How long to wait.
    pub wait: Wait,
    /// Who polls.
    pub agent: String,
    /// Whether to replace the poll that waits.
    pub takeover: bool,
}

/// What a poll has found. While it lives, no other poll waits in the session.
#[derive(Debug)]
pub struct Looked {
    /// What there is for an agent.
    pub outcome: Outcome,
    _hold: Option<Hold>,
}

/// What there is for an agent.
#[derive(Debug)]
pub enum Outcome {
    /// A round of a session.
    Round(Found, Box<RoundState>),
    /// The end of a session.
    Ended(Found, By),
    /// Nothing yet, or no session.
    Idle(Option<Found>, Standing),
}

/// The same before it is said of which session.
enum Answer {
    Round(Box<RoundState>),
    Ended(By),
    Idle(Standing),
}

/// What a poll remembers of the session that it waits in.
struct Watch {
    id: String,
    hold: Option<Hold>,
    /// The takeovers that were there when it came.
    before: BTreeSet<String>,
    /// Since when the reviewer who was there has been gone.
    gone: Option<Instant>,
    /// Whether one was there.
    was_held: bool,
}

impl Poll {
    /// Look until there is something to say, or the time is up.
    ///
    /// # Errors
    /// When there is no such session, another poll waits in it or has taken over, or it cannot be read.
    pub fn run(&self, store: &Store) -> Result<Looked, Refusal> {
        let end = match self.wait {
            Wait::For(long) => Instant::now().checked_add(long),
            Wait::Forever => None,
        };
        let mut watch: Option<Watch> = None;
        loop {
            let found = store.find(self.session.as_deref())?;
            let Some(found) = found else {
                watch = None;
                if is_over(end) {
                    return Ok(Looked { outcome: Outcome::Idle(None, Standing::Closed), _hold: None });
                }
                rest(end);
                continue;
            };
            let Some(mut current) = watch.take().filter(|watch| watch.id == found.state.id) else {
                // What is found by now counts, not what was there before the lock.
                watch = Some(self.enter(&found)?);
                continue;
            };
            if let Some(answer) = current.answer(&found, end)? {
                let outcome = match answer {
                    Answer::Round(round) => Outcome::Round(found, round),
                    Answer::Ended(by) => Outcome::Ended(found, by),
                    Answer::Idle(standing) => Outcome::Idle(Some(found), standing),
                };
                return Ok(Looked { outcome, _hold: current.hold });
            }
            watch = Some(current);
            rest(end);
        }
    }

    /// Be the poll that waits in this session.
    fn enter(&self, found: &Found) -> Result<Watch, Refusal> {
        let spool = &found.spool;
        if self.takeover {
            spool.take_over(&self.agent);
        }
        let Some(hold) = spool.wait_as(&self.agent, self.takeover.then_some(TAKING_OVER))? else {
            let by = spool.state()?.waiting.and_then(|waiting| {
                let long = since(&waiting.since?, &clock::now())?;
                Some((waiting.agent?, long))
            });
            return Err(Refusal::AnotherPoll { by });
        };
        let state = spool.state()?;
        Ok(Watch {
            id: state.id.clone(),
            hold: Some(hold),
            before: state.takeovers,
            gone: None,
            was_held: state.is_held,
        })
    }
}

impl Watch {
    /// What there is to say about the session; `None`: nothing yet.
    fn answer(&mut self, found: &Found, end: Option<Instant>) -> Result<Option<Answer>, Refusal> {
        let state = &found.state;
        if !state.takeovers.is_subset(&self.before) {
            return Err(Refusal::Replaced);
        }
        if let Some(round) = state.unanswered().next() {
            return Ok(Some(Answer::Round(Box::new(round.clone()))));
        }
        if let Some(by) = state.ended {
            return Ok(Some(Answer::Ended(by)));
        }
        if state.is_held {
            (self.was_held, self.gone) = (true, None);
            return Ok(is_over(end).then_some(Answer::Idle(Standing::Waiting)));
        }
        let gone = self.was_held && self.gone.get_or_insert_with(Instant::now).elapsed() >= GONE;
        Ok((gone || is_over(end)).then_some(Answer::Idle(Standing::Closed)))
    }
}

fn is_over(end: Option<Instant>) -> bool {
    end.is_some_and(|end| Instant::now() >= end)
}

/// Wait until it is time for the next look.
fn rest(end: Option<Instant>) {
    let left = end.map_or(LOOK, |end| end.saturating_duration_since(Instant::now()));
    thread::sleep(left.min(LOOK));
}
