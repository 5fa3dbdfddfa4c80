//! A line on the terminal while somebody waits: shown from half a second on, gone before anything else is printed.

use std::io::{IsTerminal as _, stderr};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Whether somebody sees lines that come and go on standard error.
pub(super) fn is_watched() -> bool {
    stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// How a line looks that turns, laid out as `template` says.
pub(super) fn turning(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).map(|style| style.tick_chars("|/-\\ "));
    style.unwrap_or_else(|_| ProgressStyle::default_spinner())
}

/// How long it takes until somebody waits.
const PATIENCE: Duration = Duration::from_millis(500);
/// The time between two looks of a line that turns.
pub(super) const TICK: Duration = Duration::from_millis(120);

/// What is being done; the line goes when it is dropped. Nothing else may be printed meanwhile.
pub(super) struct Progress {
    bar: ProgressBar,
    /// Whoever waits to show the line hears that it is over when this is gone.
    waiting: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// `what` is being done, nobody knows how long.
    pub(super) fn of(what: &'static str) -> Self {
        Self::shown(ProgressBar::no_length(), "{spinner} {msg}", what)
    }

    /// `what` is being done to so many things; [`Progress::step`] counts them.
    pub(super) fn counting(what: &'static str, total: usize) -> Self {
        Self::shown(ProgressBar::new(total as u64), "{spinner} {msg}: {pos} of {len}", what)
    }

    /// One of them is done.
    pub(super) fn step(&self) {
        self.bar.inc(1);
    }

    fn shown(bar: ProgressBar, template: &str, what: &'static str) -> Self {
        bar.set_draw_target(ProgressDrawTarget::hidden());
        bar.set_style(turning(template));
        bar.set_message(what);
        let waiting = is_watched().then(|| show_later(bar.clone())).flatten();
        Self { bar, waiting }
    }
}

/// Show `bar` when it takes long. Without a thread nothing is shown.
fn show_later(bar: ProgressBar) -> Option<(Sender<()>, JoinHandle<()>)> {
    let (over, is_over) = channel();
    let show = move || {
        if is_over.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(TICK);
        }
    };
    Some((over, thread::Builder::new().spawn(show).ok()?))
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((over, thread)) = self.waiting.take() {
            drop(over);
            // It cannot panic, and if it did the line would only stay.
            let _ = thread.join();
            self.bar.finish_and_clear();
        }
    }
}
