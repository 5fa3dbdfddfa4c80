//! Where drafts are kept between runs: a file for each review, below the folder of what outlives a run. It exists only
//! while something is unsaved, and only its owner can read it.
//!
//! A thread of its own writes, so that no key waits for the disk. It never asks what the text says. What could not be
//! written goes to the normal screen when the program ends: there it is not lost.

pub(super) mod looks;
mod shelf;

use std::io::{self, Write as _};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use self::shelf::Shelf;
use super::draft::Draft;
use super::msg::Msg;
use super::on_demand::OnDemand;
use super::surviving::surviving;

/// The least time between two writes.
const PAUSE: Duration = Duration::from_millis(500);
/// How long leaving waits for the disk.
const PATIENCE: Duration = Duration::from_secs(1);

/// Why nothing is on disk where there is no folder for it.
pub(super) const NO_FOLDER: &str = "there is no folder that drafts are kept in";
/// Why something may not be, where nothing has been heard of it.
const NO_ANSWER: &str = "the disk does not answer";

/// The thread that keeps the draft, as others see it. Without a folder nothing is kept.
#[derive(Debug, Clone)]
pub(super) struct Keeper {
    jobs: Option<OnDemand<Job>>,
    /// What was to be kept last; `None`: nothing is unsaved.
    last: Arc<Mutex<Option<Arc<Draft>>>>,
}

#[derive(Debug)]
enum Job {
    Keep(Option<Arc<Draft>>),
    /// Have it said whether everything before this is on disk, or why not.
    Answer(Answer),
}

/// Whoever is told whether all is on disk.
#[derive(Debug)]
enum Answer {
    /// Somebody who waits for it.
    Here(Sender<Result<(), String>>),
    /// The reviewer, as a message.
    Message(Sender<Msg>),
}

impl Answer {
    /// Nobody may listen any more.
    fn give(self, kept: Result<(), String>) {
        match self {
            Self::Here(to) => drop(to.send(kept)),
            Self::Message(to) => drop(to.send(Msg::DraftSettled(kept))),
        }
    }
}

impl Keeper {
    /// Start to keep the draft of the review at `review` below `folder`, and hand back what is there of runs that have
    /// ended. Until something changes, nothing is written. What goes wrong is said to `answers`.
    pub(super) fn start(folder: Option<&Path>, review: &Path, answers: &Sender<Msg>) -> (Self, Draft) {
        let last = Arc::default();
        let Some(folder) = folder else { return (Self { jobs: None, last }, Draft::default()) };
        let mut shelf = Shelf::new(&folder.join("drafts"), review);
        let draft = shelf.take();
        let answers = answers.clone();
        let jobs = OnDemand::new(move |jobs| keep_all(&mut shelf, jobs, &answers));
        (Self { jobs: Some(jobs), last }, draft)
    }

    /// Keep `draft` in the place of the one before.
    pub(super) fn keep(&self, draft: Option<Arc<Draft>>) {
        self.last().clone_from(&draft);
        if let Some(jobs) = &self.jobs {
            // Without that thread whoever asks gets no answer, and takes it as one.
            let _ = jobs.send(Job::Keep(draft));
        }
    }

    fn last(&self) -> MutexGuard<'_, Option<Arc<Draft>>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Have it said to `answers` whether the last draft is on disk.
    pub(super) fn settle(&self, answers: &Sender<Msg>) {
        let asked = |jobs: &OnDemand<Job>| jobs.send(Job::Answer(Answer::Message(answers.clone()))).is_ok();
        if !self.jobs.as_ref().is_some_and(asked) {
            let reason = if self.jobs.is_none() { NO_FOLDER } else { NO_ANSWER };
            Answer::Message(answers.clone()).give(Err(reason.to_owned()));
        }
    }

    /// Wait until the last draft is on disk; not forever. When it is not, what is to be said on the normal screen: why, and
    /// the texts themselves.
    pub(super) fn wait(&self) -> Option<String> {
        let (answer, answered) = channel();
        let kept = match &self.jobs {
            None => Err(NO_FOLDER.to_owned()),
            Some(jobs) if jobs.send_if_started(Job::Answer(Answer::Here(answer))) => {
                answered.recv_timeout(PATIENCE).unwrap_or_else(|_| Err(NO_ANSWER.to_owned()))
            }
            Some(_) => Err(NO_ANSWER.to_owned()),
        };
        let (reason, draft) = kept.err().zip(self.last().clone())?;
        Some(draft.last_words(&reason))
    }
}

/// Waits for the last draft when it goes, whatever makes it go; what is nowhere else goes to the normal screen then.
#[derive(Debug)]
pub(super) struct Last(pub(super) Keeper);

impl Drop for Last {
    fn drop(&mut self) {
        if let Some(words) = self.0.wait() {
            // Nobody is left to tell when this fails.
            let _ = io::stderr().lock().write_all(words.as_bytes());
        }
    }
}

/// Keep the latest draft: the first at once, those that follow soon after it together.
fn keep_all(shelf: &mut Shelf, jobs: &Receiver<Job>, answers: &Sender<Msg>) {
    let mut kept = Ok(());
    let mut put = |kept: &mut Result<(), String>, draft: Option<Arc<Draft>>| {
        let outcome = surviving(|| shelf.put(draft.as_deref()).map_err(|error| error.to_string()));
        let before = std::mem::replace(kept, outcome.and_then(|outcome| outcome));
        if before.is_ok() != kept.is_ok() {
            // Nobody listens any more when the reviewer has been left.
            let _ = answers.send(Msg::DraftKept(kept.clone()));
        }
    };
    let (mut waiting, mut last) = (None, None);
    let mut next = Instant::now();
    loop {
        let job = match &waiting {
            None => jobs.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(_) => jobs.recv_timeout(next.saturating_duration_since(Instant::now())),
        };
        let is_due = match &job {
            // There is no haste to write, but a file that is not needed any more should not be found.
            Ok(Job::Keep(draft)) => draft.is_none(),
            Ok(Job::Answer(_)) | Err(_) => true,
        };
        if let Ok(Job::Keep(draft)) = &job {
            waiting = Some(draft.clone());
            last.clone_from(draft);
        }
        if let Some(draft) = waiting.take_if(|_| is_due || Instant::now() >= next) {
            put(&mut kept, draft);
            next = Instant::now() + PAUSE;
        }
        match job {
            Ok(Job::Answer(answer)) => {
                if kept.is_err() {
                    put(&mut kept, last.clone());
                }
                answer.give(kept.clone());
            }
            Err(RecvTimeoutError::Disconnected) => return,
            Ok(Job::Keep(_)) | Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::text::width::Display;
    use crate::tui::form::{Field, Form, FormKind, Target};

    /// What is kept of a note on the whole change.
    pub(super) fn draft(text: &str) -> Draft {
        let mut form = Form::new(FormKind::Note, vec![Target::doc()], Display::default());
        form.set_text(Field::Why, text);
        Draft::of([form].iter())
    }

    #[test]
    fn the_latest_draft_is_on_disk_when_it_is_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let (to, _from) = channel();
        let review = Path::new("/r/x.whymark");
        let (keeper, before) = Keeper::start(Some(dir.path()), review, &to);
        assert_eq!(before, Draft::default());
        for number in 0..100 {
            keeper.keep(Some(Arc::new(draft(&number.to_string()))));
        }
        keeper.wait();
        let file = Shelf::new(&dir.path().join("drafts"), review).path(0);
        assert!(fs::read_to_string(&file).unwrap().contains(r#""why":"99""#));
        keeper.keep(None);
        keeper.wait();
        assert!(!file.exists());
        let (nowhere, _) = Keeper::start(None, review, &to);
        nowhere.keep(Some(Arc::new(draft("x"))));
        nowhere.wait();
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_fault_takes_nothing_along() {
        let dir = tempfile::tempdir().unwrap();
        let (to, _from) = channel();
        let review = Path::new("/r/x.whymark");
        let (keeper, _) = Keeper::start(Some(dir.path()), review, &to);
        let fault = std::panic::catch_unwind(|| {
            let last = Last(keeper);
            for text in ["a", "ab", "abc"] {
                last.0.keep(Some(Arc::new(draft(text))));
            }
            std::panic::resume_unwind(Box::new(()));
        });
        assert!(fault.is_err());
        let file = Shelf::new(&dir.path().join("drafts"), review).path(0);
        assert!(fs::read_to_string(file).unwrap().contains(r#""why":"abc""#));
    }

    #[test]
    fn where_nothing_can_be_kept_it_is_said_once() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("drafts"), "in the way").unwrap();
        let (to, from) = channel();
        let (keeper, _) = Keeper::start(Some(dir.path()), Path::new("/r/x.whymark"), &to);
        for text in ["a", "b"] {
            keeper.keep(Some(Arc::new(draft(text))));
            keeper.wait();
        }
        let said: Vec<Msg> = from.try_iter().collect();
        let [Msg::DraftKept(Err(reason))] = said.as_slice() else { panic!("{said:?}") };
        assert!(reason.starts_with("cannot create the folder "), "{reason}");
        let words = keeper.wait().expect("it is nowhere");
        assert!(words.contains(reason) && words.contains("\n  why: b\n"), "{words}");
        keeper.settle(&to);
        assert!(matches!(from.recv(), Ok(Msg::DraftSettled(Err(_)))));
        fs::remove_file(dir.path().join("drafts")).unwrap();
        keeper.keep(Some(Arc::new(draft("c"))));
        assert_eq!(keeper.wait(), None, "it is on disk");
        let said: Vec<Msg> = from.try_iter().collect();
        assert!(matches!(said.as_slice(), [Msg::DraftKept(Ok(()))]), "{said:?}");
    }

    #[test]
    fn what_is_kept_nowhere_goes_to_the_normal_screen() {
        let (to, from) = channel();
        let (keeper, _) = Keeper::start(None, Path::new("/r/x.whymark"), &to);
        assert_eq!(keeper.wait(), None, "nothing is unsaved");
        keeper.keep(Some(Arc::new(draft("one\ntwo \u{1b}[31m"))));
        let words = keeper.wait().expect("it is nowhere");
        assert!(words.ends_with("\nnote on the whole change\n  why: one\n       two [31m\n"), "{words:?}");
        keeper.settle(&to);
        assert!(matches!(from.try_recv(), Ok(Msg::DraftSettled(Err(_)))));
        keeper.keep(None);
        assert_eq!(keeper.wait(), None, "nothing is unsaved any more");
    }
}
