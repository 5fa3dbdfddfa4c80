//! What runs, and for how long: lines that come and go on a terminal, plain lines elsewhere.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use indicatif::{MultiProgress, ProgressBar};

use crate::cli::progress::{TICK, is_watched, turning};
use crate::cli::{say, visible};
use crate::verify::run::Event;

/// What is shown on standard error.
pub(super) struct Progress<'a> {
    commands: &'a [String],
    lines: Option<Lines>,
}

struct Lines {
    all: MultiProgress,
    running: Mutex<HashMap<usize, ProgressBar>>,
}

impl<'a> Progress<'a> {
    /// Of these commands nothing has happened yet.
    pub(super) fn new(commands: &'a [String]) -> Self {
        let lines = is_watched().then(|| Lines { all: MultiProgress::new(), running: Mutex::default() });
        Self { commands, lines }
    }

    /// Show what happens.
    pub(super) fn show(&self, event: Event<'_>) {
        match (event, &self.lines) {
            (Event::Started(at), Some(lines)) => lines.start(at, &self.title(at)),
            (Event::Ended(at, _), Some(lines)) => lines.end(at),
            (Event::Started(at), None) => say(&format!("run: {}", self.title(at))),
            (Event::Ended(..), None) | (Event::Wrote(..), _) => {}
        }
    }

    fn title(&self, at: usize) -> String {
        format!("{}/{} {}", at + 1, self.commands.len(), visible(&self.commands[at]))
    }
}

impl Lines {
    fn start(&self, at: usize, title: &str) {
        let style = turning("{spinner} {elapsed:>4} {wide_msg}");
        let line = self.all.add(ProgressBar::new_spinner()).with_style(style).with_message(title.to_owned());
        line.enable_steady_tick(TICK);
        self.running.lock().unwrap_or_else(PoisonError::into_inner).insert(at, line);
    }

    fn end(&self, at: usize) {
        if let Some(line) = self.running.lock().unwrap_or_else(PoisonError::into_inner).remove(&at) {
            line.finish_and_clear();
        }
    }
}
