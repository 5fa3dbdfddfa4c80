//! The terminal as bytes: what is typed, and that the window has another size. Only on Unix.

use std::ffi::{CStr, CString};
use std::io::{self, IsTerminal, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

use crossterm::terminal;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::termios::{tcgetpgrp, ttyname};
use signal_hook::consts::SIGWINCH;
use signal_hook::low_level::pipe;

use super::super::decode::Decoder;
use super::super::input::Event;

/// How much is read at once. Linux keeps no more of it.
const BYTES: usize = 4096;
/// Whatever terminal controls the program.
const CONTROLLING: &CStr = c"/dev/tty";
/// How long it is waited for what has been read to be acted on.
const HASTE: Duration = Duration::from_millis(500);
/// How long it is waited then for more of what has come already.
const NEXT: Duration = Duration::from_millis(20);

/// Where keys come from.
#[derive(Debug)]
pub(super) struct Tty {
    /// The terminal, where the standard input is something else, or cannot be waited for.
    own: Option<OwnedFd>,
    /// Has a byte for each time that the window has changed.
    resized: UnixStream,
    /// Has a byte when there is haste.
    hurried: UnixStream,
    /// Hears that there is nothing left to hurry with.
    done: Sender<()>,
    is_done_soon: bool,
    decoder: Decoder,
    bytes: Box<[u8; BYTES]>,
}

impl Tty {
    /// The terminal at the standard input, or else the one that controls the program.
    ///
    /// # Errors
    /// When there is none, or changes of its size cannot be heard of.
    pub(super) fn open() -> io::Result<(Self, Haste)> {
        let stdin = io::stdin();
        let is_named = ttyname(&stdin, Vec::new()).map_or(true, |name| name.as_c_str() != CONTROLLING);
        let own = if stdin.is_terminal() && is_named { None } else { Some(controlling()?) };
        let (resized, changed) = wakers()?;
        pipe::register(SIGWINCH, changed)?;
        let (hurried, hurry) = wakers()?;
        let (done, is_done) = mpsc::channel();
        let (decoder, bytes) = (Decoder::default(), Box::new([0; BYTES]));
        Ok((Self { own, resized, hurried, done, is_done_soon: false, decoder, bytes }, Haste { hurry, is_done }))
    }

    /// Wait until something happens, and add it to `events`, which may come to nothing.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub(super) fn read(&mut self, events: &mut Vec<Event>) -> io::Result<()> {
        // What was given up has been acted on by now.
        if std::mem::take(&mut self.is_done_soon) {
            let _ = self.done.send(());
        }
        let stdin = io::stdin();
        let tty: BorrowedFd<'_> = self.own.as_ref().map_or_else(|| stdin.as_fd(), AsFd::as_fd);
        let mut waiting = [
            PollFd::from_borrowed_fd(tty, PollFlags::IN),
            PollFd::new(&self.resized, PollFlags::IN),
            PollFd::new(&self.hurried, PollFlags::IN),
        ];
        let patience = self.decoder.patience().map(timespec);
        match poll(&mut waiting, patience.as_ref()) {
            Ok(0) => self.decoder.give_up(events),
            Ok(_) => {}
            Err(Errno::INTR) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
        if waiting[0].revents().contains(PollFlags::NVAL) {
            let reason = "this terminal cannot be waited for; start whymark with the terminal as its standard input";
            return Err(io::Error::new(io::ErrorKind::Unsupported, reason));
        }
        let [has_keys, is_resized, is_hurried] = waiting.map(|fd| !fd.revents().is_empty());
        if has_keys {
            let gone = match rustix::io::read(tty, &mut self.bytes[..]) {
                Ok(0) => Some(io::Error::new(io::ErrorKind::UnexpectedEof, "the terminal is gone")),
                Ok(len) => {
                    self.decoder.feed(&self.bytes[..len], events);
                    None
                }
                Err(Errno::INTR | Errno::AGAIN) => None,
                Err(error) => Some(error.into()),
            };
            if let Some(error) = gone {
                // The rest will not come.
                self.decoder.give_up(events);
                return Err(error);
            }
        }
        if is_hurried {
            drain(&self.hurried);
            read_rest(tty, |bytes| self.decoder.feed(bytes, events));
            self.decoder.give_up(events);
            self.is_done_soon = true;
        }
        if is_resized {
            drain(&self.resized);
            let (columns, rows) = terminal::size()?;
            events.push(Event::Resize { columns, rows });
        }
        Ok(())
    }
}

/// Asks for what has come of a paste before the program ends.
#[derive(Debug)]
pub(in crate::tui) struct Haste {
    hurry: UnixStream,
    is_done: Receiver<()>,
}

impl Haste {
    /// Have what has begun to come taken as it is, and wait until it has been acted on; not forever.
    pub(in crate::tui) fn hurry(&self) {
        // An answer may have come too late the last time.
        while self.is_done.try_recv().is_ok() {}
        if (&self.hurry).write(&[0]).is_ok() {
            let _ = self.is_done.recv_timeout(HASTE);
        }
    }
}

/// Two ends, the first of which can be waited for; neither keeps anybody.
fn wakers() -> io::Result<(UnixStream, UnixStream)> {
    let (woken, wakes) = UnixStream::pair()?;
    woken.set_nonblocking(true)?;
    wakes.set_nonblocking(true)?;
    Ok((woken, wakes))
}

/// Have `take` take all that has come before the program ends: the system hands on little at a time.
fn read_rest(tty: BorrowedFd<'_>, mut take: impl FnMut(&[u8])) {
    let (start, mut bytes) = (Instant::now(), [0; BYTES]);
    while start.elapsed() < HASTE / 2 {
        match poll(&mut [PollFd::from_borrowed_fd(tty, PollFlags::IN)], Some(&timespec(NEXT))) {
            Ok(1..) => match rustix::io::read(tty, &mut bytes[..]) {
                Ok(len) if len > 0 => take(&bytes[..len]),
                Err(Errno::INTR | Errno::AGAIN) => {}
                Ok(_) | Err(_) => return,
            },
            Err(Errno::INTR) => {}
            Ok(0) | Err(_) => return,
        }
    }
}

fn drain(mut woken: &UnixStream) {
    while woken.read(&mut [0; 64]).is_ok_and(|len| len > 0) {}
}

/// The terminal that controls the program, by its own name where one of the standard streams tells it: macOS cannot wait
/// for the name that stands for whichever it is.
fn controlling() -> rustix::io::Result<OwnedFd> {
    let open = |name: &CStr| rustix::fs::open(name, OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY, Mode::empty());
    let named = [name(&io::stdout()), name(&io::stderr())];
    named.iter().flatten().find_map(|name| open(name).ok()).map_or_else(|| open(CONTROLLING), Ok)
}

/// The name of the terminal that is open there, if it controls the program.
fn name(stream: &impl AsFd) -> Option<CString> {
    tcgetpgrp(stream).ok()?;
    ttyname(stream, Vec::new()).ok()
}

fn timespec(duration: Duration) -> Timespec {
    Timespec::try_from(duration).unwrap_or(Timespec { tv_sec: 1, tv_nsec: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_haste_all_is_read_that_has_come() {
        let (terminal, mut typed) = UnixStream::pair().unwrap();
        let (resized, _changed) = wakers().unwrap();
        let (hurried, hurry) = wakers().unwrap();
        let (done, is_done) = mpsc::channel();
        let (decoder, bytes) = (Decoder::default(), Box::new([0; BYTES]));
        let own = Some(terminal.into());
        let mut tty = Tty { own, resized, hurried, done, is_done_soon: false, decoder, bytes };
        let text = "long ".repeat(4_000);
        write!(typed, "\x1b[200~{text}").unwrap();
        (&hurry).write_all(&[0]).unwrap();
        let mut events = Vec::new();
        tty.read(&mut events).unwrap();
        assert!(events == [Event::Paste(text)], "only a part of it has come: {}", events.len());
        assert!(is_done.try_recv().is_err(), "it has not been acted on yet");
    }
}
