//! The terminal as the run loop sees it: frames go out, messages come in, and it can be given away for a while.

use std::io::{self, Write as _};
use std::sync::mpsc::Sender;

use ratatui::layout::Rect;
use ratatui::{Frame, Terminal, TerminalOptions, Viewport};
use ratatui_crossterm::CrosstermBackend;

use crate::error::Error;

use super::background;
use super::colour::Depth;
use super::layout::Size;
use super::msg::Msg;
use super::reader::{Haste, Reader};
use super::terminal::{self, Guard, Options, Output};

/// Forget colours and blank the screen: by command, since the library asks the terminal a question first.
const CLEAR: &[u8] = b"\x1b[0m\x1b[2J";

/// The size that is assumed where the terminal tells none.
const UNKNOWN_SIZE: Size = Size { width: 80, height: 24 };

/// The terminal while the reviewer has it. Dropping it gives the terminal back.
pub(super) struct Screen {
    guard: Guard,
    output: Output,
    frames: Terminal<CrosstermBackend<Output>>,
    size: Size,
    reader: Reader,
}

/// The size of the terminal.
///
/// # Errors
/// When there is none to draw on.
pub(super) fn size() -> Result<Size, Error> {
    if !terminal::is_usable() {
        return Err(Error::NoTerminal);
    }
    let (width, height) = crossterm::terminal::size().map_err(failed)?;
    // Some terminals do not know their size, or not yet.
    Ok(if width == 0 || height == 0 { UNKNOWN_SIZE } else { Size { width, height } })
}

impl Screen {
    /// Take the terminal, and the mouse where it is wanted, and ask about the background if `asks`. What is typed, and signals
    /// to go on, go to `to`; `last` is done when a signal ends or stops the program, and what it says is said on the normal screen
    /// when it ends.
    pub(super) fn enter(
        size: Size,
        depth: Depth,
        mouse: bool,
        asks: bool,
        to: Sender<Msg>,
        last: impl FnMut() -> String + Send + 'static,
    ) -> Result<Self, Error> {
        let guard = Guard::enter(Options { mouse, focus: false, keyboard: true }).map_err(failed)?;
        let output = Output::new(depth);
        let frames = frames(&output, size)?;
        let resumed = to.clone();
        let reader = Reader::start(move |batch| {
            let msg = batch.map_or_else(|error| Msg::TerminalLost(error.to_string()), Msg::Input);
            to.send(msg).is_ok()
        });
        let (reader, haste) = reader.map_err(failed)?;
        watch_signals(resumed, haste, last).map_err(failed)?;
        if asks {
            terminal::send(background::QUESTION.as_bytes()).map_err(failed)?;
        }
        Ok(Self { guard, output, frames, size, reader })
    }

    /// Draw a frame and send what differs from the one before.
    pub(super) fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> Result<(), Error> {
        let frames = &mut self.frames;
        let drawn = self.output.frame(|| frames.draw(draw).map(drop)).map_err(failed)?;
        drawn.map_err(failed)
    }

    /// Take the size that the screen has now.
    pub(super) fn fit(&mut self, size: Size) -> Result<(), Error> {
        if size == self.size {
            return Ok(());
        }
        self.clear(size)
    }

    /// Draw everything again, on a terminal that somebody may have changed.
    pub(super) fn redraw(&mut self, size: Size) -> Result<(), Error> {
        self.guard.renew().map_err(failed)?;
        self.clear(size)
    }

    /// Stop until the shell says to go on; without one, or where there are no signals, nothing stops, and this is false.
    pub(super) fn suspend(&mut self) -> Result<bool, Error> {
        #[cfg(unix)]
        if self.guard.suspend().map_err(failed)? {
            self.clear(self.size)?;
            return Ok(true);
        }
        Ok(false)
    }

    /// Let somebody else have the terminal while `work` is done, and draw everything again.
    pub(super) fn lend<T>(&mut self, work: impl FnOnce() -> T) -> Result<T, Error> {
        let done = self.guard.lend(work).map_err(failed)?;
        self.clear(self.size)?;
        Ok(done)
    }

    /// Have the mouse reported from now on, or leave it to the terminal.
    pub(super) fn use_mouse(&mut self, is_ours: bool) -> Result<(), Error> {
        self.guard.use_mouse(is_ours).map_err(failed)
    }

    /// Put text on the clipboard of the reader's terminal.
    pub(super) fn copy(&self, text: &str) -> Result<(), Error> {
        terminal::copy(text).map_err(failed)
    }

    /// Read what is typed next.
    pub(super) fn read_on(&self) {
        self.reader.go_on();
    }

    fn clear(&mut self, size: Size) -> Result<(), Error> {
        self.size = size;
        self.frames = frames(&self.output, size)?;
        self.output.write_all(CLEAR).map_err(failed)
    }
}

/// Have all that was typed acted on, and do `last`, when a signal ends or stops the program, and say when one lets it go on.
/// What `last` says is said when the program has ended.
#[cfg(unix)]
fn watch_signals(to: Sender<Msg>, haste: Haste, mut last: impl FnMut() -> String + Send + 'static) -> io::Result<()> {
    use super::signals::{Request, watch};
    watch(move |request| match request {
        // Nobody listens any more when the program is about to end.
        Request::Resume => {
            let _ = to.send(Msg::Resumed);
            String::new()
        }
        Request::Die | Request::Stop => {
            // Nothing is typed here while somebody else has the terminal.
            if !terminal::is_lent() {
                haste.hurry();
            }
            last()
        }
    })
}

/// Elsewhere no signal ends the program.
#[cfg(not(unix))]
fn watch_signals(_: Sender<Msg>, _: Haste, _: impl FnMut() -> String + Send + 'static) -> io::Result<()> {
    Ok(())
}

/// A screen of fixed size: the library would ask the terminal where its cursor is whenever the size changes.
fn frames(output: &Output, size: Size) -> Result<Terminal<CrosstermBackend<Output>>, Error> {
    let viewport = Viewport::Fixed(Rect::new(0, 0, size.width, size.height));
    Terminal::with_options(CrosstermBackend::new(output.clone()), TerminalOptions { viewport }).map_err(failed)
}

fn failed(source: io::Error) -> Error {
    Error::UseTerminal { source }
}
