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

/// The time of a poll.
trait Pace {
    /// How long it has lasted.
    fn lasted(&self) -> Duration;
    /// Let so much of it go by.
    fn rest(&mut self, long: Duration);
}

/// The time that everybody has, since a poll began.
struct Real(Instant);

impl Pace for Real {
    fn lasted(&self) -> Duration {
        self.0.elapsed()
    }

    fn rest(&mut self, long: Duration) {
        thread::sleep(long);
    }
}

/// What a poll remembers of the session that it waits in.
struct Watch {
    id: String,
    hold: Option<Hold>,
    /// The takeovers that were there when it came.
    before: BTreeSet<String>,
    /// Since when in the life of the poll the reviewer who was there has been gone.
    gone: Option<Duration>,
    /// Whether one was there.
    was_held: bool,
}

impl Poll {
    /// Look until there is something to say, or the time is up.
    ///
    /// # Errors
    /// When there is no such session, another poll waits in it or has taken over, or it cannot be read.
    pub fn run(&self, store: &Store) -> Result<Looked, Refusal> {
        self.run_in(store, &mut Real(Instant::now()))
    }

    fn run_in(&self, store: &Store, pace: &mut impl Pace) -> Result<Looked, Refusal> {
        let mut watch: Option<Watch> = None;
        loop {
            let found = store.find(self.session.as_deref())?;
            let now = pace.lasted();
            let Some(found) = found else {
                watch = None;
                if self.wait.is_over(now) {
                    return Ok(Looked { outcome: Outcome::Idle(None, Standing::Closed), _hold: None });
                }
                pace.rest(self.wait.until_next_look(now));
                continue;
            };
            let Some(mut current) = watch.take().filter(|watch| watch.id == found.state.id) else {
                // What is found by now counts, not what was there before the lock.
                watch = Some(self.enter(&found)?);
                continue;
            };
            if let Some(answer) = current.answer(&found, self.wait, now)? {
                let outcome = match answer {
                    Answer::Round(round) => Outcome::Round(found, round),
                    Answer::Ended(by) => Outcome::Ended(found, by),
                    Answer::Idle(standing) => Outcome::Idle(Some(found), standing),
                };
                return Ok(Looked { outcome, _hold: current.hold });
            }
            watch = Some(current);
            pace.rest(self.wait.until_next_look(now));
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
    fn answer(&mut self, found: &Found, wait: Wait, now: Duration) -> Result<Option<Answer>, Refusal> {
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
            return Ok(wait.is_over(now).then_some(Answer::Idle(Standing::Waiting)));
        }
        let gone = self.was_held && now.saturating_sub(*self.gone.get_or_insert(now)) >= GONE;
        Ok((gone || wait.is_over(now)).then_some(Answer::Idle(Standing::Closed)))
    }
}

impl Wait {
    /// Whether so much time is all of it.
    fn is_over(self, lasted: Duration) -> bool {
        matches!(self, Self::For(long) if lasted >= long)
    }

    /// The time to the next look.
    fn until_next_look(self, lasted: Duration) -> Duration {
        match self {
            Self::For(long) => long.saturating_sub(lasted).min(LOOK),
            Self::Forever => LOOK,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::on_nothing;
    use crate::session::{Note, Review};

    /// Time that goes by as fast as the program does; at some moments something happens.
    struct Scaled<F: FnMut(Duration)> {
        now: Duration,
        rests: Vec<Duration>,
        happen: F,
    }

    impl<F: FnMut(Duration)> Pace for Scaled<F> {
        fn lasted(&self) -> Duration {
            self.now
        }

        fn rest(&mut self, long: Duration) {
            self.rests.push(long);
            self.now += long;
            (self.happen)(self.now);
        }
    }

    const TEN_MINUTES: Duration = Duration::from_secs(600);

    /// What a poll of ten minutes says, when, and how long it rests between two looks.
    fn polled(happen: impl FnMut(&Store, &mut Option<Hold>, Duration)) -> (String, Duration, Vec<Duration>) {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::of(Some(dir.path()), dir.path(), None).unwrap();
        let spool = store.create(Some("r1")).unwrap();
        let review = Review { label: "r1".to_owned(), scope: "r1".to_owned() };
        let mut reviewer = spool.open(&review).unwrap();
        let mut happen = happen;
        let mut pace =
            Scaled { now: Duration::ZERO, rests: Vec::new(), happen: |now| happen(&store, &mut reviewer, now) };
        let poll = Poll { session: None, wait: Wait::For(TEN_MINUTES), agent: "a".to_owned(), takeover: false };
        let said = match poll.run_in(&store, &mut pace).unwrap().outcome {
            Outcome::Round(_, round) => format!("round {}", round.number),
            Outcome::Ended(..) => "ended".to_owned(),
            Outcome::Idle(found, standing) => format!("{standing:?} {}", found.is_some()),
        };
        (said, pace.now, pace.rests)
    }

    #[test]
    fn a_wait_of_ten_minutes_is_that_long_and_rests_between_looks() {
        let (said, now, rests) = polled(|_, _, _| {});
        assert_eq!((said.as_str(), now), ("Waiting true", TEN_MINUTES));
        assert!(rests.iter().all(|rest| *rest == LOOK), "{rests:?}");
    }

    #[test]
    fn what_is_sent_is_printed_at_the_next_look() {
        let sent = TEN_MINUTES / 2;
        let note = Note { id: "1".to_owned(), item: on_nothing("now"), place: None, draft: None };
        let (said, now, rests) = polled(|store, _, now| {
            if now == sent {
                assert!(store.spool("r1").send(std::slice::from_ref(&note)).failed.is_none());
            }
        });
        assert_eq!((said.as_str(), now), ("round 1", sent), "no rest lies between the two");
        // Whoever sends between two looks waits no longer than one rest.
        assert!(rests.iter().all(|rest| *rest < Duration::from_secs(1)), "{rests:?}");
    }

    #[test]
    fn a_reviewer_who_leaves_is_waited_for_a_little_only() {
        let left = Duration::from_secs(60);
        let (said, now, _) = polled(|_, reviewer, now| {
            if now == left {
                drop(reviewer.take());
            }
        });
        assert_eq!((said.as_str(), now), ("Closed true", left + GONE));
    }
}
