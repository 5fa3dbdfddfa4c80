//! One frame without a terminal: what a reader would see after some keys, for pictures, tests and programs.
//!
//! Keys take the same way as in a terminal, and before each of them, and before the frame, everything has arrived that is
//! being read. It only looks: nothing is written or run, and what an earlier run left unsaved stays where it is.

use std::convert::Infallible;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::effect::Effect;
use super::input::Event;
use super::key::Key;
use super::layout::Size;
use super::model::{Model, Sending};
use super::msg::Msg;
use super::open::Source;
use super::picture::{self, Format};
use super::search::Search;
use super::theme::{Theme, Themes};
use super::work::Workers;
use super::{Options, Started, start, update, view};
use crate::error::Error;

/// Why what was asked for is not done.
const ONLY_LOOKS: &str = "a frame without a terminal only shows: nothing is written or run";
/// How long the frame waits for something that has been asked for.
const PATIENCE: Duration = Duration::from_secs(60);

/// The frame that is wanted.
#[derive(Debug, Clone)]
pub struct Shot {
    /// The size of the screen.
    pub size: Size,
    /// The keys that are pressed before.
    pub keys: Vec<Key>,
    /// How it is written down.
    pub format: Format,
}

/// The frame after all that it shows has been read and coloured, and the keys have been pressed.
///
/// # Errors
/// When there is nothing to review.
pub fn dump(options: Options, shot: &Shot) -> Result<String, Error> {
    let Started { model, theme, themes, source, workers, from, to, .. } = start(options, shot.size)?;
    drop(to);
    let mut stage = Stage {
        is_counting: matches!(source, Source::Document(Some(_))),
        is_comparing: false,
        is_over: false,
        theme,
        themes,
        model,
        workers,
        from,
    };
    stage.settle();
    for key in &shot.keys {
        stage.happen(Msg::Input(vec![Event::Key(*key)]));
        stage.settle();
        if stage.is_over {
            break;
        }
    }
    let Size { width, height } = shot.size;
    let Ok(mut terminal) = Terminal::new(TestBackend::new(width, height));
    let Ok(frame): Result<_, Infallible> = terminal.draw(|frame| view::draw(&stage.model, &stage.theme, frame));
    Ok(picture::write(frame.buffer, shot.format))
}

/// A reviewer that nobody sees.
struct Stage {
    model: Model,
    theme: Theme,
    themes: Themes,
    workers: Workers,
    from: Receiver<Msg>,
    /// Whether the files that no part shows are still being counted.
    is_counting: bool,
    /// Whether what is staged is still being looked up.
    is_comparing: bool,
    /// Whether the reviewer was left.
    is_over: bool,
}

impl Stage {
    fn happen(&mut self, msg: Msg) {
        self.is_counting &= !matches!(msg, Msg::Missing(_));
        self.is_comparing &= !matches!(msg, Msg::Staged(_) | Msg::NotCompared(_) | Msg::WorkerFailed(_));
        for effect in update::update(&mut self.model, msg) {
            match effect {
                Effect::Quit => self.is_over = true,
                Effect::UseTheme(name) => {
                    self.theme = self.themes.load(&name).0;
                    self.workers.use_palette(self.theme.palette().clone());
                }
                effect => {
                    self.is_comparing |= matches!(&effect, Effect::Compare(job) if !job.stale);
                    self.workers.look(effect, ONLY_LOOKS);
                }
            }
        }
    }

    /// Let everything happen that is on its way.
    fn settle(&mut self) {
        loop {
            let patience = if self.is_waiting() { PATIENCE } else { Duration::ZERO };
            match self.from.recv_timeout(patience) {
                Ok(msg) => self.happen(msg),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn is_waiting(&self) -> bool {
        let Model { parts, pending, asked, outbox, search, pick, acting, .. } = &self.model;
        *pending > 0
            || self.is_counting
            || self.is_comparing
            || !asked.is_empty()
            || parts.iter().any(|part| part.around.wish.is_some())
            || search.as_ref().is_some_and(Search::is_going_on)
            || outbox.iter().any(|outgoing| outgoing.state == Sending::Sent)
            || acting.as_ref().is_some_and(|acting| acting.preview.is_none())
            || pick.as_ref().and_then(|pick| pick.odd.as_ref()).is_some_and(|odd| odd.found.is_none())
    }
}
