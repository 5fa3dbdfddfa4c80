//! Signals that end the program, and those that stop and resume it. Only on Unix.
//!
//! On the way out everything is bounded: what is unsaved is kept, notes that were handed to the thread that writes are
//! waited for, then the terminal is given back, then the program dies by the very signal, so that whoever started it sees
//! how it ended.

use std::io::{self, Write as _};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use super::terminal;

/// How long writing may take, and ending what runs.
pub(crate) const TIME_TO_WRITE: Duration = Duration::from_secs(2);
/// How long giving the terminal back may take.
const TIME_TO_LEAVE: Duration = Duration::from_millis(500);

/// What a signal asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// The program ends when `handle` returns, or soon after: wait for what is being written.
    Die,
    /// The program stops when `handle` returns, or soon after, and may never go on: wait for what is being written.
    Stop,
    /// Somebody stopped the program and lets it go on: take the terminal once more, draw everything.
    Resume,
}

/// Handle the signals on a thread of their own. For TERM, HUP, INT, QUIT and TSTP `handle` has two seconds; then the
/// terminal is given back and the program dies by the signal, or stops; before it dies it says what `handle` has returned.
/// `handle` must not wait for the thread that draws.
///
/// # Errors
/// When the handlers cannot be installed.
pub fn watch(handle: impl FnMut(Request) -> String + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT])?;
    let handle = Arc::new(Mutex::new(handle));
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            let request = match signal {
                SIGCONT if terminal::ends_own_stop() => continue,
                // Meant for the editor that has the terminal, and heard by all that run in it.
                SIGINT | SIGQUIT if terminal::is_lent() => continue,
                SIGCONT => Request::Resume,
                SIGTSTP => Request::Stop,
                _ => Request::Die,
            };
            let handle = Arc::clone(&handle);
            let words =
                run_within(TIME_TO_WRITE, move || (handle.lock().unwrap_or_else(PoisonError::into_inner))(request));
            match request {
                Request::Die => {
                    terminal::leave_within(TIME_TO_LEAVE);
                    if let Some(words) = words.filter(|words| !words.is_empty()) {
                        // The terminal may be gone, or take nothing any more.
                        run_within(TIME_TO_LEAVE, move || drop(io::stderr().write_all(words.as_bytes())));
                    }
                    let _ = emulate_default_handler(signal);
                    // It cannot come to this, unless a debugger holds the signal back.
                    std::process::exit(128 + signal);
                }
                Request::Stop => terminal::stop_within(TIME_TO_LEAVE),
                Request::Resume => {}
            }
        }
    })?;
    Ok(())
}

/// Do `work`, and wait for it no longer than `limit`. What comes of it, if it was done.
fn run_within<T: Send + 'static>(limit: Duration, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (done, is_done) = mpsc::channel();
    let worker = thread::Builder::new().spawn(move || drop(done.send(work())));
    worker.ok().and_then(|_| is_done.recv_timeout(limit).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_is_bounded() {
        let (hold, is_held) = mpsc::channel::<()>();
        assert_eq!(run_within(Duration::ZERO, move || is_held.recv().unwrap_or_default()), None);
        drop(hold);
        assert_eq!(run_within(Duration::from_secs(60), || 1), Some(1));
    }

    #[test]
    fn a_panic_while_writing_does_not_keep_us() {
        let panics = || -> () { std::panic::resume_unwind(Box::new(())) };
        assert_eq!(run_within(Duration::from_secs(60), panics), None);
    }
}
