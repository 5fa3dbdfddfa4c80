//! The terminal as bytes: what is typed, and that the window has another size. Only on Unix.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use crossterm::terminal;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use signal_hook::consts::SIGWINCH;
use signal_hook::low_level::pipe;

use super::super::decode::Decoder;
use super::super::input::Event;

/// How much is read at once.
const BYTES: usize = 16 << 10;

/// Where keys come from.
#[derive(Debug)]
pub(super) struct Tty {
    /// The terminal, where what is read at the standard input is something else.
    own: Option<File>,
    /// Has a byte for each time that the window has changed.
    resized: UnixStream,
    decoder: Decoder,
}

impl Tty {
    /// The terminal at the standard input, or else the one that controls the program.
    ///
    /// # Errors
    /// When there is none, or changes of its size cannot be heard of.
    pub(super) fn open() -> io::Result<Self> {
        let own = if io::stdin().is_terminal() { None } else { Some(File::open("/dev/tty")?) };
        let (resized, changed) = UnixStream::pair()?;
        resized.set_nonblocking(true)?;
        changed.set_nonblocking(true)?;
        pipe::register(SIGWINCH, changed)?;
        Ok(Self { own, resized, decoder: Decoder::default() })
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
        let [has_keys, is_resized] = waiting.map(|fd| !fd.revents().is_empty());
        if has_keys {
            let mut bytes = vec![0; BYTES];
            match rustix::io::read(tty, &mut bytes) {
                Ok(0) => return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the terminal is gone")),
                Ok(len) => self.decoder.feed(&bytes[..len], events),
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

fn timespec(duration: Duration) -> Timespec {
    Timespec::try_from(duration).unwrap_or(Timespec { tv_sec: 1, tv_nsec: 0 })
}
