//! The terminal reviewer: an Elm-like loop around a pure core.
//!
//! [`update`](update::update) changes the [`Model`] and names [effects](effect::Effect); [`view::draw`]
//! makes a frame of it. This module owns what lies between them and the outside world: threads, channels, the terminal.

pub mod card;
pub mod change;
pub mod checkup;
pub mod colour;
pub mod command;
pub mod commands;
pub mod current;
pub mod draft;
mod dump;
pub mod effect;
pub mod evidence;
pub mod face;
pub mod filter;
pub mod form;
pub mod fuzzy;
pub mod help;
pub mod highlight;
pub mod history;
pub mod input;
mod keep;
pub mod key;
pub mod keymap;
pub mod layout;
pub mod load;
pub mod model;
pub mod msg;
pub mod open;
pub mod part;
pub mod pick;
pub mod picture;
pub mod place;
pub mod prompt;
pub mod prose;
mod passages;
mod reader;
pub mod reread;
pub mod records;
pub mod replaced;
pub mod rows;
pub mod save;
mod screen;
pub mod search;
pub mod settings;
#[cfg(unix)]
pub mod signals;
pub mod terminal;
pub mod text_input;
pub mod theme;
pub mod tree;
pub mod update;
pub mod view;
pub mod walk;
mod watch;
mod work;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::text::width::Display;
use draft::Draft;
use effect::Effect;
use keep::{Keeper, Last};
use keymap::Keymap;
use layout::Size;
use load::Loader;
use model::{Model, Tone};
use msg::Msg;
use open::{Opened, Signature, Source, Target};
use screen::Screen;
use settings::Settings;
use theme::Theme;
use work::Workers;

pub use dump::{Shot, dump};

/// How long the first frame waits for a review that is quickly read, so that it does not flicker.
const FIRST_FRAME: Duration = Duration::from_millis(25);
/// The time between frames while parts stream in.
const FRAME: Duration = Duration::from_millis(33);
/// The most messages handled between two frames.
const BATCH: usize = 4096;

/// How the reviewer is started.
#[derive(Debug)]
pub struct Options {
    /// The folder to start from.
    pub dir: PathBuf,
    /// What to review.
    pub target: Target,
    /// Who reviews, and when.
    pub signature: Signature,
    /// The theme to draw with.
    pub theme: Theme,
    /// What the keys mean.
    pub keymap: Keymap,
    /// How text becomes cells.
    pub display: Display,
    /// What the reader has set, and what holds without that.
    pub settings: Settings,
    /// Where what is typed and not saved is kept in case the program ends; `None`: nowhere.
    pub drafts: Option<PathBuf>,
    /// A report of which lines tests have run.
    pub lcov: Option<PathBuf>,
}

/// A reviewer that has begun to read, on a screen or without one.
struct Started {
    model: Model,
    theme: Theme,
    /// Where the text of the parts comes from.
    source: Source,
    workers: Workers,
    /// What the last run left unsaved.
    draft: Draft,
    to: Sender<Msg>,
    from: Receiver<Msg>,
}

/// Open what is to be reviewed, for a screen of `size`, and begin to read it.
fn start(options: Options, size: Size) -> Result<Started, Error> {
    let Options { dir, target, signature, theme, keymap, display, settings, drafts, lcov } = options;
    let Opened { mut review, source, notice } = open::open(&dir, target, &signature)?;
    if review.no_notes.is_none() {
        review.record_target = settings.record_target;
    }
    let mut warnings = Vec::new();
    if let Some(lcov) = lcov {
        let coverage = open::coverage(&review, &dir.join(lcov))?;
        (review.tests, warnings) = (coverage.files, coverage.warnings);
    }
    let (to, from) = channel();
    let loader = Loader::start(&dir, &review.document, &review.folder, &source, &to);
    let (keeper, draft) = Keeper::start(drafts.as_deref(), &review.path, &to);
    let mut model = Model::new(review, Arc::new(keymap), display, size);
    (model.files, model.panes) = (settings.files, settings.panes());
    warnings.extend(notice);
    if !warnings.is_empty() {
        model.say(Tone::Problem, warnings.join("; "));
    }
    let workers = Workers::start(&to, loader, keeper, theme.palette().clone());
    Ok(Started { model, theme, source, workers, draft, to, from })
}

/// Run the reviewer until it is left.
///
/// # Errors
/// When there is no terminal, nothing to review, or the terminal fails. Unless it is the last, nothing has been drawn.
pub fn run(options: Options) -> Result<(), Error> {
    let size = screen::size()?;
    let mouse = options.settings.mouse;
    let Started { mut model, theme, source, mut workers, draft, to, from } = start(options, size)?;
    // A fault must not take along what is typed.
    let _last = Last(workers.keeper());
    if matches!(source, Source::Document(_)) {
        receive_early(&mut model, &from, &mut workers);
    }
    for effect in update::restore(&mut model, draft) {
        workers.start_effect(effect);
    }
    if model.pending > 0 {
        workers.start_effect(update::watch_first(&model));
    }
    let (keeper, saver) = (workers.keeper(), workers.saver());
    let mut screen = Screen::enter(size, mouse, to, move || {
        // First what would be lost, in case that writing takes longer than there is time.
        keeper.wait();
        saver.wait();
        keeper.wait();
    })?;
    let result = main_loop(&mut model, &theme, &from, &mut workers, &mut screen);
    drop(screen);
    workers.end_commands();
    workers.saver().wait();
    result
}

/// Take what is read at once before the first frame is drawn.
fn receive_early(model: &mut Model, from: &Receiver<Msg>, workers: &mut Workers) {
    let deadline = Instant::now() + FIRST_FRAME;
    while model.pending > 0 {
        let Ok(msg) = from.recv_timeout(deadline.saturating_duration_since(Instant::now())) else { return };
        for effect in update::update(model, msg) {
            workers.start_effect(effect);
        }
    }
}

/// Draw, receive, update, start effects; until the reader leaves.
fn main_loop(
    model: &mut Model,
    theme: &Theme,
    from: &Receiver<Msg>,
    workers: &mut Workers,
    screen: &mut Screen,
) -> Result<(), Error> {
    loop {
        screen.draw(|frame| view::draw(model, theme, frame))?;
        let drawn = Instant::now();
        let Ok(mut msg) = from.recv() else { return Ok(()) };
        let mut is_answer_due = false;
        for _ in 0..BATCH {
            let is_input = matches!(msg, Msg::Input(_));
            is_answer_due |= is_input;
            // A key is answered at once; what streams in waits for the next frame.
            let wait = match msg {
                Msg::Loaded { .. } | Msg::Colored { .. } if !is_answer_due => FRAME.saturating_sub(drawn.elapsed()),
                _ => Duration::ZERO,
            };
            for effect in update::update(model, msg) {
                match effect {
                    Effect::Quit => return Ok(()),
                    Effect::Suspend => {
                        // Whoever is stopped may be ended without being asked.
                        workers.keeper().wait();
                        screen.suspend()?;
                    }
                    Effect::Redraw => screen.redraw(model.size)?,
                    Effect::Copy(text) => screen.copy(&text)?,
                    other => workers.start_effect(other),
                }
            }
            if is_input {
                screen.read_on();
            }
            msg = match from.recv_timeout(wait) {
                Ok(msg) => msg,
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
        }
        screen.fit(model.size)?;
    }
}
