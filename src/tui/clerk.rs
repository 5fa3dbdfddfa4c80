//! The thread that sits at the desk of a session: does what is asked for, in order, and looks now and then whether an agent
//! has done something, or another reviewer wants to sit there.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use super::desk::{Away, Desk};
use super::msg::Msg;
use super::surviving::surviving;
use super::talk::{Errand, Told};

/// The time between two looks.
const LOOK: Duration = Duration::from_millis(500);
/// The least time between two writes of what is typed.
const PAUSE: Duration = Duration::from_millis(250);
/// How long leaving waits for the disk.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long it is waited for what is typed.
const HASTE: Duration = Duration::from_secs(1);

/// The thread, as others see it.
#[derive(Debug, Clone)]
pub(super) struct Clerk(Option<Sender<Job>>);

/// Whether the session is ours.
#[derive(Debug)]
pub(super) enum Seat {
    /// It is.
    Taken(Box<Desk>),
    /// Another reviewer's.
    Away(Box<Away>),
}

#[derive(Debug)]
enum Job {
    Do(Errand),
    /// Bring what is typed to disk, and say when it is.
    Answer(Sender<()>),
    /// Leave, and say when everything before this is on disk.
    Leave(Sender<()>),
}

impl Clerk {
    /// Nobody is there.
    pub(super) fn nobody() -> Self {
        Self(None)
    }

    /// Have a thread on that `seat`; what it finds goes to `answers`.
    pub(super) fn start(seat: Seat, answers: &Sender<Msg>) -> Self {
        let ((to, jobs), answers) = (channel(), answers.clone());
        thread::spawn(move || work(seat, &jobs, &answers));
        Self(Some(to))
    }

    /// Have something done.
    pub(super) fn run(&self, errand: &Errand, answers: &Sender<Msg>) {
        let sent = self.0.as_ref().ok_or(()).and_then(|jobs| jobs.send(Job::Do(errand.clone())).map_err(drop));
        if sent.is_err() {
            let _ = answers.send(Msg::Agent(errand.failed("there is no session".to_owned())));
        }
    }

    /// Wait until what is typed is on disk; not forever.
    pub(super) fn wait(&self) {
        self.ask(Job::Answer, HASTE);
    }

    /// Leave the session when everything that was asked for is done; do not wait forever.
    pub(super) fn leave(&self) {
        self.ask(Job::Leave, PATIENCE);
    }

    fn ask(&self, job: fn(Sender<()>) -> Job, patience: Duration) {
        let (answer, answered) = channel();
        if self.0.as_ref().is_some_and(|jobs| jobs.send(job(answer)).is_ok()) {
            let _ = answered.recv_timeout(patience);
        }
    }
}

/// Waits for what is typed when it goes, whatever makes it go.
#[derive(Debug)]
pub(super) struct Last(pub(super) Arc<OnceLock<Clerk>>);

impl Drop for Last {
    fn drop(&mut self) {
        self.0.get().into_iter().for_each(Clerk::wait);
    }
}

fn work(mut seat: Seat, jobs: &Receiver<Job>, answers: &Sender<Msg>) {
    let mut next_write = Instant::now();
    let mut next_look = Instant::now() + LOOK;
    loop {
        let next = if is_typing_at(&seat) { next_write.min(next_look) } else { next_look };
        let told = match jobs.recv_timeout(next.saturating_duration_since(Instant::now())) {
            Ok(Job::Do(Errand::TakeOver)) if matches!(seat, Seat::Away(_)) => take_over(&mut seat),
            Ok(Job::Do(errand)) => {
                let done = surviving(|| match &mut seat {
                    Seat::Taken(desk) => desk.run(errand.clone()),
                    Seat::Away(away) => away.run(&errand),
                });
                done.unwrap_or_else(|reason| vec![errand.failed(reason)])
            }
            Ok(Job::Answer(answer)) => {
                let told = keep_typed(&mut seat);
                let _ = answer.send(());
                told
            }
            Ok(Job::Leave(answer)) => {
                if let Seat::Taken(desk) = seat {
                    desk.leave();
                }
                let _ = answer.send(());
                return;
            }
            Err(RecvTimeoutError::Timeout) => Vec::new(),
            Err(RecvTimeoutError::Disconnected) => return,
        };
        // The first word is kept at once, those that follow soon after it together.
        let mut kept = Vec::new();
        if is_typing_at(&seat) && Instant::now() >= next_write {
            kept = keep_typed(&mut seat);
            next_write = Instant::now() + PAUSE;
        }
        // Also while job comes after job.
        let mut found = Vec::new();
        if Instant::now() >= next_look {
            found = look(&mut seat);
            next_look = Instant::now() + LOOK;
        }
        for told in told.into_iter().chain(kept).chain(found) {
            if answers.send(Msg::Agent(told)).is_err() {
                return;
            }
        }
        seat = match seat {
            Seat::Taken(desk) if desk.is_wanted() => {
                let _ = answers.send(Msg::Agent(Told::GivenUp));
                Seat::Away(Box::new(desk.give_up()))
            }
            seat => seat,
        };
    }
}

fn is_typing_at(seat: &Seat) -> bool {
    matches!(seat, Seat::Taken(desk) if desk.is_typing())
}

fn look(seat: &mut Seat) -> Vec<Told> {
    let told = match seat {
        Seat::Taken(desk) => desk.look(),
        Seat::Away(away) => away.look(),
    };
    told.into_iter().collect()
}

fn keep_typed(seat: &mut Seat) -> Vec<Told> {
    match seat {
        Seat::Taken(desk) => desk.keep_typed().into_iter().collect(),
        Seat::Away(_) => Vec::new(),
    }
}

/// Sit down where another reviewer sits.
fn take_over(seat: &mut Seat) -> Vec<Told> {
    let Seat::Away(away) = seat else { return Vec::new() };
    match surviving(|| away.take_over()).and_then(|taken| taken) {
        Ok((desk, opened)) => {
            *seat = Seat::Taken(Box::new(desk));
            vec![Told::Opened(Box::new(opened))]
        }
        Err(reason) => vec![Told::Failed(reason)],
    }
}
