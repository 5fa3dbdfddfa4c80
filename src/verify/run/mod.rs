//! Commands, run: the only part of the program that starts what a review names. Nothing calls it but what a person or a script has
//! asked for by the name of `verify`.
//!
//! Each command gets a shell, no input, and a watcher (`watch.rs`), which is this program once more: it ends all that the
//! command has started when the command has ended, when it takes too long, when somebody cancels it, and when we end
//! ourselves, however that comes about.

mod capture;
#[cfg(not(unix))]
mod direct;
#[cfg(unix)]
mod watch;
#[cfg(unix)]
mod watched;

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

#[cfg(not(unix))]
use direct as shell;
#[cfg(unix)]
pub use watch::watch;
#[cfg(unix)]
use watched as shell;

use super::Ran;

/// The argument that makes a watcher of the program; behind it stands the command.
pub const WATCHER: &str = "watch-over";
/// What a command finds in its environment besides what we have in ours.
const ENVIRONMENT: [(&str, &str); 3] = [("CI", "1"), ("NO_COLOR", "1"), ("FORCE_COLOR", "0")];

/// How long a command may take where nobody says otherwise.
pub const TIMEOUT: Duration = Duration::from_secs(600);

/// How commands are run.
#[derive(Debug, Clone)]
pub struct Runner {
    /// This program, which is its own watcher.
    #[cfg_attr(not(unix), expect(dead_code, reason = "there are no watchers"))]
    program: PathBuf,
    /// The folder to run in.
    pub folder: PathBuf,
    /// How long a command may take.
    pub timeout: Duration,
    /// How many run at once; at least one does.
    pub jobs: usize,
}

/// Something that happens while commands run; each names its command by index.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    /// It has begun.
    Started(usize),
    /// It has written something: the last of all that it has written so far, some lines of it.
    Wrote(usize, &'a [u8]),
    /// It is over.
    Ended(usize, &'a Ran),
}

impl Runner {
    /// Run commands in `folder`, one at a time.
    #[must_use]
    pub fn new(folder: PathBuf, timeout: Duration) -> Self {
        Self { program: this_program(), folder, timeout, jobs: 1 }
    }

    /// The same with another program as the watcher: for tests, which are not the program themselves.
    #[must_use]
    pub fn watched_by(self, program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), ..self }
    }

    /// Run `commands`; what comes out of each, in their order, and nothing of those that had not begun when they were
    /// cancelled. `on` is called from several threads.
    pub fn run(&self, commands: &[String], cancel: &Cancel, on: &(dyn Fn(Event<'_>) + Sync)) -> Vec<Option<Ran>> {
        let next = AtomicUsize::new(0);
        let runs: Vec<Mutex<Option<Ran>>> = commands.iter().map(|_| Mutex::new(None)).collect();
        let work = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(command) = commands.get(index).filter(|_| !cancel.is_cancelled()) else { return };
                on(Event::Started(index));
                let ran = shell::run(self, command, cancel, &mut |tail| on(Event::Wrote(index, tail)));
                on(Event::Ended(index, &ran));
                *locked(&runs[index]) = Some(ran);
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.clamp(1, commands.len().max(1)) {
                scope.spawn(work);
            }
        });
        runs.into_iter().map(|run| run.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
    }
}

/// The file that this program was started from, even if another version has taken its place since.
fn this_program() -> PathBuf {
    const OWN: &str = "/proc/self/exe";
    if cfg!(target_os = "linux") && PathBuf::from(OWN).exists() {
        return OWN.into();
    }
    std::env::current_exe().unwrap_or_else(|_| "whymark".into())
}

/// Ends commands that run, from any thread. Clones are the same.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<(Mutex<Running>, Condvar)>);

#[derive(Debug, Default)]
struct Running {
    is_cancelled: bool,
    next: usize,
    lines: Vec<(usize, shell::Line)>,
}

impl Cancel {
    /// End what runs and let nothing more begin. It takes a moment until all is over: see [`Cancel::wait`].
    pub fn cancel(&self) {
        let mut running = locked(&self.0.0);
        running.is_cancelled = true;
        running.lines.iter().for_each(|(_, line)| shell::hang_up(line));
    }

    /// Whether somebody has cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        locked(&self.0.0).is_cancelled
    }

    /// Wait until nothing runs any more, but no longer than `limit`.
    pub fn wait(&self, limit: Duration) {
        let (running, changed) = &*self.0;
        // Whether it has ended or the time is over: there is nothing more to do.
        drop(changed.wait_timeout_while(locked(running), limit, |running| !running.lines.is_empty()));
    }

    /// Let [`Cancel::cancel`] reach a command over `line`, until the result is dropped.
    fn register(&self, line: shell::Line) -> Registered<'_> {
        let mut running = locked(&self.0.0);
        if running.is_cancelled {
            shell::hang_up(&line);
        }
        let id = running.next;
        running.next += 1;
        running.lines.push((id, line));
        Registered { cancel: self, id }
    }
}

/// A command that can be cancelled.
struct Registered<'a> {
    cancel: &'a Cancel,
    id: usize,
}

impl Drop for Registered<'_> {
    fn drop(&mut self) {
        let (running, changed) = &*self.cancel.0;
        locked(running).lines.retain(|(id, _)| *id != self.id);
        changed.notify_all();
    }
}

/// What a lock guards; a panic elsewhere has not broken it.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
