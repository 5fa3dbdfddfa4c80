//! The terminal as bytes: what is typed, and that the window has another size. Only on Unix.

use std::ffi::{CStr, CString};
use std::io::{self, IsTerminal, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

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

/// Where keys come from.
#[derive(Debug)]
pub(super) struct Tty {
    /// The terminal, where the standard input is something else, or cannot be waited for.
    own: Option<OwnedFd>,
    /// Has a byte for each time that the window has changed.
    resized: UnixStream,
    decoder: Decoder,
    bytes: Box<[u8; BYTES]>,
}

impl Tty {
    /// The terminal at the standard input, or else the one that controls the program.
    ///
    /// # Errors
    /// When there is none, or changes of its size cannot be heard of.
    pub(super) fn open() -> io::Result<Self> {
        let stdin = io::stdin();
        let is_named = ttyname(&stdin, Vec::new()).map_or(true, |name| name.as_c_str() != CONTROLLING);
        let own = if stdin.is_terminal() && is_named { None } else { Some(controlling()?) };
        let (resized, changed) = UnixStream::pair()?;
        resized.set_nonblocking(true)?;
        changed.set_nonblocking(true)?;
        pipe::register(SIGWINCH, changed)?;
        Ok(Self { own, resized, decoder: Decoder::default(), bytes: Box::new([0; BYTES]) })
    }

    /// Wait until something happens, and add it to `events`, which may come to nothing.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub(super) fn read(&mut self, events: &mut Vec<Event>) -> io::Result<()> {
        let stdin = io::stdin();
        let tty: BorrowedFd<'_> = self.own.as_ref().map_or_else(|| stdin.as_fd(), AsFd::as_fd);
        let mut waiting = [PollFd::from_borrowed_fd(tty, PollFlags::IN), PollFd::new(&self.resized, PollFlags::IN)];
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
        let [has_keys, is_resized] = waiting.map(|fd| !fd.revents().is_empty());
        if has_keys {
            match rustix::io::read(tty, &mut self.bytes[..]) {
                Ok(0) => return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the terminal is gone")),
                Ok(len) => self.decoder.feed(&self.bytes[..len], events),
                Err(Errno::INTR | Errno::AGAIN) => {}
                Err(error) => return Err(error.into()),
            }
        }
        if is_resized {
            while (&self.resized).read(&mut [0; 64]).is_ok_and(|len| len > 0) {}
            let (columns, rows) = terminal::size()?;
            events.push(Event::Resize { columns, rows });
        }
        Ok(())
    }
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
