//! The thread that reads what is typed. It acts on nothing, and it never ends without saying so.

use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use super::input::Event;

#[cfg(any(test, not(unix)))]
mod library;
#[cfg(unix)]
mod tty;

#[cfg(not(unix))]
pub(super) use library::Haste;
#[cfg(not(unix))]
use library::Library as Source;
#[cfg(unix)]
pub(super) use tty::Haste;
#[cfg(unix)]
use tty::Tty as Source;

/// Reads what the terminal reports, and holds back until what was read has been acted on.
#[derive(Debug)]
pub(super) struct Reader {
    go_on: Sender<()>,
}

impl Reader {
    /// Read on a thread of its own. Events come in batches, what is there at once together; after each batch nothing is
    /// read until [`Reader::go_on`], so that the shell that a key goes back to gets the keys meant for it. Reading ends with
    /// an error, or when `deliver` returns false.
    ///
    /// # Errors
    /// When there can be no thread.
    pub(super) fn start(
        deliver: impl Fn(io::Result<Vec<Event>>) -> bool + Send + 'static,
    ) -> io::Result<(Self, Haste)> {
        let (go_on, may_go_on) = mpsc::channel();
        let (mut source, haste) = Source::open()?;
        let read = move |batch: &mut Vec<Event>| read_batch(batch, &mut source);
        let reading = move || read_on(read, deliver, &may_go_on);
        thread::Builder::new().name("terminal".to_owned()).spawn(reading)?;
        Ok((Self { go_on }, haste))
    }

    /// Read the next batch; to be called once for each one that was delivered.
    pub(super) fn go_on(&self) {
        // When the reader has ended it has said so.
        let _ = self.go_on.send(());
    }
}

/// Deliver what `read` adds to a batch until it fails; a panic is a failure too, since it must not leave a screen that no
/// key ends. What was read before the failure is delivered before it.
fn read_on(
    mut read: impl FnMut(&mut Vec<Event>) -> io::Result<()>,
    deliver: impl Fn(io::Result<Vec<Event>>) -> bool,
    may_go_on: &Receiver<()>,
) {
    loop {
        let mut batch = Vec::new();
        let panicked = "whymark itself is at fault: reading the keyboard has panicked";
        let outcome = panic::catch_unwind(AssertUnwindSafe(|| read(&mut batch)))
            .unwrap_or_else(|_| Err(io::Error::other(panicked)));
        let is_read = outcome.is_ok() || !batch.is_empty();
        if is_read && (!deliver(Ok(batch)) || may_go_on.recv().is_err()) {
            return;
        }
        if let Err(error) = outcome {
            deliver(Err(error));
            return;
        }
    }
}

fn read_batch(batch: &mut Vec<Event>, source: &mut Source) -> io::Result<()> {
    while batch.is_empty() {
        source.read(batch)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_that_fails_says_so_behind_what_was_read() {
        let focus = || Event::Focus(true);
        for (panics, reason) in [(true, "whymark itself is at fault: "), (false, "gone")] {
            let (go_on, may_go_on) = mpsc::channel();
            let (to, delivered) = mpsc::channel();
            let mut times = 0;
            let read = move |batch: &mut Vec<Event>| {
                batch.push(focus());
                times += 1;
                match times {
                    1 => Ok(()),
                    _ if panics => panic::resume_unwind(Box::new(())),
                    _ => Err(io::Error::other("gone")),
                }
            };
            go_on.send(()).and_then(|()| go_on.send(())).expect("the other end is below");
            read_on(read, |batch| to.send(batch.map_err(|error| error.to_string())).is_ok(), &may_go_on);
            let delivered: Vec<_> = delivered.try_iter().collect();
            assert_eq!(delivered[..2], [Ok(vec![focus()]), Ok(vec![focus()])]);
            assert!(delivered[2].as_ref().is_err_and(|error| error.starts_with(reason)), "{delivered:?}");
        }
    }
}
