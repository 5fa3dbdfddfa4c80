//! A thread that starts with its first job: what nobody asks for takes neither memory nor time.

use std::fmt;
use std::sync::mpsc::{Receiver, SendError, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

/// What the thread does with its jobs.
type Work<Job> = Box<dyn FnOnce(Receiver<Job>) + Send>;

/// A thread that starts with its first job, as others see it. It is told that no more will come when the last of its clones
/// goes.
pub(super) struct OnDemand<Job>(Arc<Inner<Job>>);

struct Inner<Job> {
    jobs: OnceLock<Sender<Job>>,
    /// Gone when the thread has started.
    work: Mutex<Option<Work<Job>>>,
}

impl<Job: Send + 'static> OnDemand<Job> {
    /// A thread that will do `work`.
    pub(super) fn new(work: impl FnOnce(Receiver<Job>) + Send + 'static) -> Self {
        Self(Arc::new(Inner { jobs: OnceLock::new(), work: Mutex::new(Some(Box::new(work))) }))
    }

    /// Have `job` done.
    ///
    /// # Errors
    /// The thread has ended, or there can be none, and the job comes back.
    pub(super) fn send(&self, job: Job) -> Result<(), SendError<Job>> {
        let start = || {
            let (to, jobs) = channel();
            let work = self.0.work.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(work) = work {
                // Where there can be no thread, its end of the channel goes with it, and the job comes back.
                let _ = thread::Builder::new().spawn(move || work(jobs));
            }
            to
        };
        self.0.jobs.get_or_init(start).send(job)
    }

    /// Send `job` unless nothing was ever asked for; whether it was sent.
    pub(super) fn send_if_started(&self, job: Job) -> bool {
        self.0.jobs.get().is_some_and(|jobs| jobs.send(job).is_ok())
    }
}

impl<Job> Clone for OnDemand<Job> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<Job> fmt::Debug for OnDemand<Job> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OnDemand").field(&self.0.jobs.get().is_some()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_starts_with_its_first_job_and_ends_with_the_last_that_knows_it() {
        let (to, done) = channel();
        let doubled = OnDemand::new(move |jobs: Receiver<u8>| jobs.iter().for_each(|job| to.send(job * 2).unwrap()));
        assert!(!doubled.send_if_started(7), "nothing was asked for");
        let other = doubled.clone();
        doubled.send(1).unwrap();
        other.send(2).unwrap();
        drop(doubled);
        assert!(other.send_if_started(3));
        drop(other);
        assert_eq!(done.iter().collect::<Vec<_>>(), [2, 4, 6]);
    }
}
