//! Where drafts are kept between runs: a file for each review, below the folder of what outlives a run. It exists only
//! while something is unsaved, and only its owner can read it.
//!
//! A thread of its own writes, so that no key waits for the disk. It never asks what the text says.

pub(super) mod looks;
mod shelf;

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
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

/// The thread that keeps the draft, as others see it. Without a folder nothing is kept.
#[derive(Debug, Clone)]
pub(super) struct Keeper(Option<OnDemand<Job>>);

#[derive(Debug)]
enum Job {
    Keep(Option<Arc<Draft>>),
    /// Say when everything before this is on disk.
    Answer(Sender<()>),
}

impl Keeper {
    /// Start to keep the draft of the review at `review` below `folder`, and hand back what is there of runs that have
    /// ended. Until something changes, nothing is written. What goes wrong is said to `answers`.
    pub(super) fn start(folder: Option<&Path>, review: &Path, answers: &Sender<Msg>) -> (Self, Draft) {
        let Some(folder) = folder else { return (Self(None), Draft::default()) };
        let mut shelf = Shelf::new(&folder.join("drafts"), review);
        let draft = shelf.take();
        let answers = answers.clone();
        (Self(Some(OnDemand::new(move |jobs| keep_all(&mut shelf, jobs, &answers)))), draft)
    }

    /// Keep `draft` in the place of the one before.
    pub(super) fn keep(&self, draft: Option<Arc<Draft>>) {
        if let Some(jobs) = &self.0 {
            // Without that thread the screen has said why nothing is kept.
            let _ = jobs.send(Job::Keep(draft));
        }
    }

    /// Wait until the last draft is on disk; not forever.
    pub(super) fn wait(&self) {
        let (answer, answered) = channel();
        if self.0.as_ref().is_some_and(|jobs| jobs.send_if_started(Job::Answer(answer))) {
            let _ = answered.recv_timeout(PATIENCE);
        }
    }
}

/// Waits for the last draft when it goes, whatever makes it go.
#[derive(Debug)]
pub(super) struct Last(pub(super) Keeper);

impl Drop for Last {
    fn drop(&mut self) {
        self.0.wait();
    }
}

/// Keep the latest draft: the first at once, those that follow soon after it together.
fn keep_all(shelf: &mut Shelf, jobs: &Receiver<Job>, answers: &Sender<Msg>) {
    let mut has_failed = false;
    let mut put = |draft: Option<Arc<Draft>>| {
        let outcome = surviving(|| shelf.put(draft.as_deref()).map_err(|error| error.to_string()));
        let reason = outcome.and_then(|outcome| outcome).err();
        if let Some(reason) = reason.filter(|_| !std::mem::replace(&mut has_failed, true)) {
            // Nobody listens any more when the reviewer has been left.
            let _ = answers.send(Msg::WorkerFailed(format!("what is not saved is kept nowhere else: {reason}")));
        }
    };
    let mut waiting = None;
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
        }
        if let Some(draft) = waiting.take_if(|_| is_due || Instant::now() >= next) {
            put(draft);
            next = Instant::now() + PAUSE;
        }
        match job {
            Ok(Job::Answer(answer)) => drop(answer.send(())),
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
        let [Msg::WorkerFailed(reason)] = said.as_slice() else { panic!("{said:?}") };
        assert!(reason.starts_with("what is not saved is kept nowhere else: cannot create the folder "), "{reason}");
    }
}
