//! A thread that starts with its first job: what nobody asks for takes neither memory nor time.

use std::fmt;
use std::io;
use std::sync::mpsc::{Receiver, SendError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

/// What the thread does with its jobs, until no more come.
type Work<Job> = Box<dyn FnMut(&Receiver<Job>) + Send>;

/// A thread that starts with its first job, as others see it. It is told that no more will come when the last of its clones
/// goes.
pub(super) struct OnDemand<Job>(Arc<Mutex<State<Job>>>);

enum State<Job> {
    /// Nothing has been asked for, or there could be no thread for it.
    Idle(Work<Job>),
    Running(Sender<Job>),
}

impl<Job: Send + 'static> OnDemand<Job> {
    /// A thread that will do `work`.
    pub(super) fn new(work: impl FnMut(&Receiver<Job>) + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(State::Idle(Box::new(work)))))
    }

    /// Have `job` done: here and now where there can be no thread, since something may be lost that nobody does.
    ///
    /// # Errors
    /// The thread has ended, and the job comes back.
    pub(super) fn send(&self, job: Job) -> Result<(), SendError<Job>> {
        self.send_by(job, |body| thread::Builder::new().spawn(body).map(drop))
    }

    fn send_by(
        &self,
        job: Job,
        spawn: impl FnOnce(Box<dyn FnOnce() + Send>) -> io::Result<()>,
    ) -> Result<(), SendError<Job>> {
        let mut state = self.state();
        let work = match &mut *state {
            State::Running(jobs) => return jobs.send(job),
            State::Idle(work) => work,
        };
        let (to, jobs) = channel();
        to.send(job)?;
        // What a thread that does not start has been given is gone with it.
        let (hand_over, handed) = channel::<(Work<Job>, Receiver<Job>)>();
        let body = move || {
            if let Ok((mut work, jobs)) = handed.recv() {
                work(&jobs);
            }
        };
        if spawn(Box::new(body)).is_err() {
            drop(to);
            // Whoever else has a job waits at the lock meanwhile. That is no deadlock: what does the jobs sends none here.
            work(&jobs);
            return Ok(());
        }
        let work = std::mem::replace(work, Box::new(|_| ()));
        *state = State::Running(to);
        // It waits for nothing else.
        let _ = hand_over.send((work, jobs));
        Ok(())
    }

    /// Send `job` unless no thread was ever started; whether it was sent.
    pub(super) fn send_if_started(&self, job: Job) -> bool {
        matches!(&*self.state(), State::Running(jobs) if jobs.send(job).is_ok())
    }

    fn state(&self) -> MutexGuard<'_, State<Job>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<Job> Clone for OnDemand<Job> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<Job> fmt::Debug for OnDemand<Job> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnDemand").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_starts_with_its_first_job_and_ends_with_the_last_that_knows_it() {
        let (to, done) = channel();
        let doubled = OnDemand::new(move |jobs: &Receiver<u8>| jobs.iter().for_each(|job| to.send(job * 2).unwrap()));
        assert!(!doubled.send_if_started(7), "nothing was asked for");
        let other = doubled.clone();
        doubled.send(1).unwrap();
        other.send(2).unwrap();
        drop(doubled);
        assert!(other.send_if_started(3));
        drop(other);
        assert_eq!(done.iter().collect::<Vec<_>>(), [2, 4, 6]);
    }

    #[test]
    fn where_there_can_be_no_thread_it_is_done_at_once() {
        let (to, done) = channel();
        let doubled = OnDemand::new(move |jobs: &Receiver<u8>| jobs.iter().for_each(|job| to.send(job * 2).unwrap()));
        for job in [1, 2] {
            doubled.send_by(job, |_| Err(io::ErrorKind::WouldBlock.into())).unwrap();
            assert_eq!(done.try_recv(), Ok(2 * job));
            assert!(!doubled.send_if_started(7), "nothing is left to wait for");
        }
        // There may be one later.
        doubled.send(3).unwrap();
        assert!(doubled.send_if_started(4));
        drop(doubled);
        assert_eq!(done.iter().collect::<Vec<_>>(), [6, 8]);
    }
}
