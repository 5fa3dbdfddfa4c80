//! The terminal: taken over when the reviewer starts, given back whatever happens.
//!
//! Returning, panicking, being stopped or killed all end in [`leave`], which undoes everything that [`Guard::enter`] has
//! done, and works from any thread, more than once, and on a terminal that is gone. Nothing here waits for an answer of the
//! terminal, because not every terminal answers.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::{self, ThreadId};
use std::time::Duration;

use crossterm::clipboard::CopyToClipboard;
use crossterm::{Command, terminal};

use super::colour::{Depth, in_sixteen};

/// Alternate screen, no cursor, bracketed paste.
const ENTER: &str = "\x1b[?1049h\x1b[?25l\x1b[?2004h";
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1002h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1002l\x1b[?1000l";
const FOCUS_ON: &str = "\x1b[?1004h";
/// Report keys without ambiguity; the alternate screen has a stack of its own for this.
const KEYBOARD_ON: &str = "\x1b[>1u";
const KEYBOARD_OFF: &str = "\x1b[<1u";
/// End of frame, focus, mouse and paste off, plain text, cursor, main screen: right whatever was switched on.
const LEAVE: &str = "\x1b[?2026l\x1b[?1004l\x1b[?1006l\x1b[?1002l\x1b[?1000l\x1b[?2004l\x1b[0m\x1b[?25h\x1b[?1049l";
const FRAME_BEGIN: &[u8] = b"\x1b[?2026h";
const FRAME_END: &[u8] = b"\x1b[?2026l";
/// How long leaving waits for a frame that another thread is writing.
const PATIENCE: Duration = Duration::from_millis(200);

static IS_ENTERED: AtomicBool = AtomicBool::new(false);
static HAS_KEYBOARD: AtomicBool = AtomicBool::new(false);
/// We have stopped ourselves, and take the terminal back without being told.
#[cfg(unix)]
static IS_STOPPED: AtomicBool = AtomicBool::new(false);
/// Somebody else has it, to whom Ctrl-C speaks.
static IS_LENT: AtomicBool = AtomicBool::new(false);
/// Held while bytes go to the terminal, so that leaving does not cut a sequence in two.
static WRITING: Mutex<()> = Mutex::new(());
static OWNER: Mutex<Option<ThreadId>> = Mutex::new(None);
static BACKGROUND_PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// What to take from the terminal beyond the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Clicks, drags and the wheel are reported; text is then selected with shift held.
    pub mouse: bool,
    /// The window says when it gets or loses the keyboard.
    pub focus: bool,
    /// Keys are reported without ambiguity, where the terminal can.
    pub keyboard: bool,
}

/// Whether a screen can be drawn and keys can be read.
#[must_use]
pub fn is_usable() -> bool {
    io::stdout().is_terminal() && (io::stdin().is_terminal() || has_controlling_terminal())
}

#[cfg(unix)]
fn has_controlling_terminal() -> bool {
    use rustix::fs::{Mode, OFlags};
    rustix::fs::open("/dev/tty", OFlags::RDWR | OFlags::CLOEXEC | OFlags::NOCTTY, Mode::empty()).is_ok()
}

#[cfg(not(unix))]
fn has_controlling_terminal() -> bool {
    false
}

/// The terminal in the reviewer's hands. Dropping it gives the terminal back.
#[derive(Debug)]
pub struct Guard {
    options: Options,
}

impl Guard {
    /// Take over the terminal, and see to it that a panic gives it back before it is printed.
    ///
    /// # Errors
    /// When the terminal refuses; it is then as it was.
    pub fn enter(options: Options) -> io::Result<Self> {
        static HOOK: std::sync::Once = std::sync::Once::new();
        HOOK.call_once(install_panic_hook);
        *locked(&OWNER) = Some(thread::current().id());
        // The theme decides about colours, NO_COLOR included: the library's way cancels bold and reverse.
        crossterm::style::force_color_output(true);
        let guard = Self { options };
        guard.take()?;
        Ok(guard)
    }

    /// Stop, as Ctrl-Z does elsewhere, until the shell says to go on. Where nobody could say so, nothing stops, and this is
    /// false. Everything is to be drawn again afterwards.
    ///
    /// # Errors
    /// When the terminal cannot be taken back.
    #[cfg(unix)]
    pub fn suspend(&self) -> io::Result<bool> {
        if !has_shell() {
            return Ok(false);
        }
        leave();
        IS_STOPPED.store(true, Ordering::SeqCst);
        // The one that asks to stop is handled here, and this one is not; whoever has started us stops along.
        let stopped = rustix::process::kill_current_process_group(rustix::process::Signal::STOP);
        let taken = self.take();
        // The next one to go on is not about this stop, even if it came to none.
        IS_STOPPED.store(false, Ordering::SeqCst);
        stopped?;
        taken.map(|()| true)
    }

    /// Give the terminal away while `work` is done. Whatever that leaves behind, the line settings are then again those that
    /// the program was started with. Everything is to be drawn again afterwards.
    ///
    /// # Errors
    /// When the terminal cannot be taken back.
    pub fn lend<T>(&self, work: impl FnOnce() -> T) -> io::Result<T> {
        leave();
        let settings = LineSettings::now();
        IS_LENT.store(true, Ordering::SeqCst);
        let done = work();
        IS_LENT.store(false, Ordering::SeqCst);
        settings.restore();
        self.take()?;
        Ok(done)
    }

    /// Have the mouse reported from now on, or leave it to the terminal, which selects text with it.
    ///
    /// # Errors
    /// When the terminal does not take it.
    pub fn use_mouse(&mut self, is_ours: bool) -> io::Result<()> {
        self.options.mouse = is_ours;
        send(if is_ours { MOUSE_ON } else { MOUSE_OFF }.as_bytes())
    }

    /// Take the terminal once more, after somebody else stopped and resumed the program. Everything is to be drawn again.
    ///
    /// # Errors
    /// When the terminal refuses.
    pub fn renew(&self) -> io::Result<()> {
        leave();
        self.take()
    }

    fn take(&self) -> io::Result<()> {
        IS_ENTERED.store(true, Ordering::SeqCst);
        HAS_KEYBOARD.store(self.options.keyboard, Ordering::SeqCst);
        let Options { mouse, focus, keyboard } = self.options;
        let parts = [(true, ENTER), (mouse, MOUSE_ON), (focus, FOCUS_ON), (keyboard, KEYBOARD_ON)];
        let sequence: String = parts.iter().filter(|(is_wanted, _)| *is_wanted).map(|(_, part)| *part).collect();
        let taken = terminal::enable_raw_mode().and_then(|()| {
            let _writing = locked(&WRITING);
            write_all(sequence.as_bytes())
        });
        if taken.is_err() {
            leave();
        }
        taken
    }
}

/// How the terminal treats what is typed, echo and lines, at some moment; nothing where that cannot be told.
struct LineSettings {
    #[cfg(unix)]
    termios: Option<rustix::termios::Termios>,
}

impl LineSettings {
    fn now() -> Self {
        Self {
            #[cfg(unix)]
            termios: rustix::termios::tcgetattr(io::stdout()).ok(),
        }
    }

    fn restore(self) {
        #[cfg(unix)]
        if let Some(termios) = self.termios {
            let _ = rustix::termios::tcsetattr(io::stdout(), rustix::termios::OptionalActions::Now, &termios);
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        leave();
    }
}

/// Give the terminal back. Does nothing when that has been done; goes on when a step fails.
pub fn leave() {
    if !IS_ENTERED.swap(false, Ordering::SeqCst) {
        return;
    }
    // A frame that is stuck, on a terminal that takes nothing any more, must not keep us.
    let _writing = lock_for(&WRITING, PATIENCE);
    let keyboard = if HAS_KEYBOARD.load(Ordering::SeqCst) { KEYBOARD_OFF } else { "" };
    let _ = write_all([keyboard, LEAVE].concat().as_bytes());
    let _ = terminal::disable_raw_mode();
}

/// Give the terminal back within `limit`, even if it takes no more bytes: what a dying program does.
pub fn leave_within(limit: Duration) {
    let (done, is_done) = mpsc::channel();
    let leaving = thread::Builder::new().spawn(move || {
        leave();
        let _ = done.send(());
    });
    if leaving.is_err() {
        leave();
    } else if is_done.recv_timeout(limit).is_err() {
        let _ = terminal::disable_raw_mode();
    }
}

/// Stop, with the terminal given back within `limit`, because somebody else has asked for it; whoever lets us go on finds
/// the terminal [not ours](Guard::renew). Where nobody could do that, nothing stops, as the system has it.
#[cfg(unix)]
pub(super) fn stop_within(limit: Duration) {
    use rustix::process::{Signal, getpid, kill_process};
    if has_shell() {
        leave_within(limit);
        let _ = kill_process(getpid(), Signal::STOP);
    }
}

/// Whether there is a shell that could let us go on: it has put us into a group of our own, in its session.
#[cfg(unix)]
fn has_shell() -> bool {
    rustix::process::getsid(None).is_ok_and(|session| session != rustix::process::getpgrp())
}

/// Whether going on ends a [`Guard::suspend`], which takes the terminal back by itself.
#[cfg(unix)]
pub(super) fn ends_own_stop() -> bool {
    IS_STOPPED.swap(false, Ordering::SeqCst)
}

/// Whether somebody else has the terminal.
#[cfg(unix)]
pub(super) fn is_lent() -> bool {
    IS_LENT.load(Ordering::SeqCst)
}

fn install_panic_hook() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let is_background = IS_ENTERED.load(Ordering::SeqCst) && *locked(&OWNER) != Some(thread::current().id());
        if is_background {
            locked(&BACKGROUND_PANICS).push(info.to_string());
        } else {
            leave();
            before(info);
        }
    }));
}

/// What threads that do not own the terminal have panicked with since the last call: kept from the screen, to be shown
/// on it or printed after it.
#[must_use]
pub fn take_background_panics() -> Vec<String> {
    std::mem::take(&mut *locked(&BACKGROUND_PANICS))
}

/// Put `text` into the reader's clipboard by way of the terminal, which works over SSH too.
///
/// # Errors
/// When the terminal does not take it.
pub fn copy(text: &str) -> io::Result<()> {
    let mut sequence = String::new();
    CopyToClipboard::to_clipboard_from(text).write_ansi(&mut sequence).map_err(io::Error::other)?;
    send(sequence.as_bytes())
}

/// Where the screen's bytes go: collected, and sent frame by frame. Clones share what is collected.
#[derive(Debug, Clone, Default)]
pub struct Output {
    pending: Arc<Mutex<Pending>>,
    /// Whether the terminal has sixteen colours.
    has_sixteen: bool,
}

#[derive(Debug, Default)]
struct Pending {
    bytes: Vec<u8>,
    is_frame: bool,
    /// What the last frame left, with nothing sent after it.
    left: Vec<u8>,
}

impl Pending {
    /// Remember what `frame` leaves; whether it changes anything.
    fn follow(&mut self, frame: &[u8]) -> bool {
        let left = left(frame);
        let is_still = left.len() == frame.len() && self.left == left;
        self.left = left.to_vec();
        !is_still
    }
}

impl Output {
    /// One to a terminal that has so many colours.
    #[must_use]
    pub fn new(depth: Depth) -> Self {
        Self { has_sixteen: depth == Depth::Ansi16, ..Self::default() }
    }

    /// Do `draw`, and send all that it writes at once, to be shown at once. Sends nothing when no cell differs, and
    /// colours and cursor are only set as they are.
    ///
    /// # Errors
    /// When the terminal does not take it.
    pub fn frame<T>(&self, draw: impl FnOnce() -> T) -> io::Result<T> {
        locked(&self.pending).is_frame = true;
        let result = draw();
        let mut pending = locked(&self.pending);
        pending.is_frame = false;
        let bytes = std::mem::take(&mut pending.bytes);
        if pending.follow(&bytes) {
            drop(pending);
            let bytes = if self.has_sixteen { in_sixteen(&bytes) } else { bytes };
            send(&[FRAME_BEGIN, &bytes, FRAME_END].concat())?;
        }
        Ok(result)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut pending = locked(&self.pending);
        pending.bytes.extend_from_slice(bytes);
        if !pending.is_frame {
            pending.left.clear();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut pending = locked(&self.pending);
        if pending.is_frame {
            return Ok(());
        }
        send(&std::mem::take(&mut pending.bytes))
    }
}

/// What stands behind the last character that `frame` writes: which colours and which cursor it leaves.
fn left(mut frame: &[u8]) -> &[u8] {
    let mut left = frame;
    while !frame.is_empty() {
        if let Some(sequence) = frame.strip_prefix(b"\x1b[") {
            let end =
                sequence.iter().position(|byte| (0x40..=0x7e).contains(byte)).map_or(sequence.len(), |end| end + 1);
            frame = &sequence[end..];
        } else {
            frame = &frame[1..];
            left = frame;
        }
    }
    left
}

/// Send bytes to the terminal while it is ours; drop them when it is not.
///
/// # Errors
/// When the terminal does not take them.
pub fn send(bytes: &[u8]) -> io::Result<()> {
    let _writing = locked(&WRITING);
    if bytes.is_empty() || !IS_ENTERED.load(Ordering::SeqCst) {
        return Ok(());
    }
    write_all(bytes)
}

/// Write past the lock of the standard output, which a thread that is stuck may hold.
#[cfg(unix)]
fn write_all(mut bytes: &[u8]) -> io::Result<()> {
    use std::os::fd::AsFd;

    use rustix::io::Errno;
    let stdout = io::stdout();
    while !bytes.is_empty() {
        match rustix::io::write(stdout.as_fd(), bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = &bytes[written..],
            Err(Errno::INTR) => {}
            // Somebody made the terminal non-blocking, and it is full.
            Err(Errno::AGAIN) => thread::sleep(Duration::from_millis(1)),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn write_all(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout();
    stdout.write_all(bytes)?;
    stdout.flush()
}

/// What a lock guards; a panic elsewhere has not broken it.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn lock_for<T>(mutex: &Mutex<T>, patience: Duration) -> Option<MutexGuard<'_, T>> {
    let end = std::time::Instant::now() + patience;
    loop {
        match mutex.try_lock() {
            Ok(guard) => return Some(guard),
            Err(TryLockError::Poisoned(error)) => return Some(error.into_inner()),
            Err(TryLockError::WouldBlock) if std::time::Instant::now() < end => {
                thread::sleep(Duration::from_millis(5));
            }
            Err(TryLockError::WouldBlock) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaving_undoes_whatever_was_switched_on() {
        let on = [ENTER, MOUSE_ON, FOCUS_ON].concat();
        for mode in on.split("\x1b[?").filter(|mode| mode.ends_with('h')) {
            let off = format!("\x1b[?{}l", &mode[..mode.len() - 1]);
            let is_cursor = mode == "25h" || off == "\x1b[?25l";
            assert!(LEAVE.contains(&off) || is_cursor, "{mode}");
        }
        assert!(ENTER.contains("\x1b[?25l") && LEAVE.contains("\x1b[?25h"));
        assert!(LEAVE.ends_with("\x1b[?1049l"), "the main screen comes last");
    }

    #[test]
    fn nothing_is_sent_while_the_terminal_is_not_ours() {
        let mut output = Output::default();
        output.frame(|| output.clone().write_all(b"\x1b[31m")).expect("nothing fails").expect("it is only collected");
        output.write_all(b"x").expect("it is only collected");
        output.flush().expect("nothing is sent");
        assert!(locked(&output.pending).bytes.is_empty());
        leave();
        leave();
    }

    #[test]
    fn a_frame_is_left_out_where_it_changes_nothing() {
        let mut pending = Pending::default();
        for (frame, is_taken) in [
            ("", false),
            ("\x1b[38;5;1m\x1b[2;3Ha\x1b[2;7Hb\x1b[39m\x1b[?25l", true),
            ("\x1b[39m\x1b[?25l", false),
            // The last cell has lost its colour.
            ("\x1b[2;7Hb\x1b[39m\x1b[?25l", true),
            ("\x1b[2;7Hb\x1b[39m\x1b[?25l", true),
            ("\x1b[39m\x1b[?25h\x1b[4;5H", true),
            ("\x1b[39m\x1b[?25h\x1b[4;5H", false),
            ("\x1b[39m\x1b[?25h\x1b[4;6H", true),
        ] {
            assert_eq!(pending.follow(frame.as_bytes()), is_taken, "{frame:?}");
        }
    }

    #[test]
    fn a_frame_is_held_back_until_it_is_complete() {
        let output = Output::default();
        let held = output.frame(|| {
            let mut writer = output.clone();
            writer.write_all(b"half").and_then(|()| writer.flush()).expect("it is only collected");
            locked(&output.pending).bytes.len()
        });
        assert_eq!(held.expect("nothing fails"), 4);
    }

    #[test]
    fn waiting_for_a_lock_ends() {
        let mutex = Mutex::new(());
        let held = mutex.lock();
        assert!(lock_for(&mutex, Duration::ZERO).is_none());
        drop(held);
        assert!(lock_for(&mutex, Duration::ZERO).is_some());
    }
}
