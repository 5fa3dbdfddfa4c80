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
pub mod effect;
pub mod face;
pub mod form;
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
pub mod place;
pub mod prose;
mod passages;
mod reader;
pub mod records;
pub mod rows;
pub mod save;
mod screen;
#[cfg(unix)]
pub mod signals;
pub mod terminal;
pub mod text_input;
pub mod theme;
pub mod update;
pub mod view;
mod work;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::text::width::Display;
use effect::Effect;
use keep::{Keeper, Last};
use keymap::Keymap;
use load::Loader;
use model::{Model, RecordTarget, Tone};
use msg::Msg;
use open::{Opened, Signature, Source, Target};
use screen::Screen;
use theme::Theme;
use work::Workers;

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
    /// Where new Markback notes go.
    pub record_target: RecordTarget,
    /// Where what is typed and not saved is kept in case the program ends; `None`: nowhere.
    pub drafts: Option<PathBuf>,
}

/// Run the reviewer until it is left.
///
/// # Errors
/// When there is no terminal, nothing to review, or the terminal fails. Unless it is the last, nothing has been drawn.
pub fn run(options: Options) -> Result<(), Error> {
    let Options { dir, target, signature, theme, keymap, display, record_target, drafts } = options;
    let size = screen::size()?;
    let Opened { mut review, source, notice } = open::open(&dir, target, &signature)?;
    if review.no_notes.is_none() {
        review.record_target = record_target;
    }
    let (to, from) = channel();
    let loader = Loader::start(&dir, &review.document, &review.folder, &source, &to);
    let (keeper, draft) = Keeper::start(drafts.as_deref(), &review.path, &to);
    // A fault must not take along what is typed.
    let _last = Last(keeper.clone());
    let mut model = Model::new(review, Arc::new(keymap), display, size);
    if let Some(notice) = notice {
        model.say(Tone::Problem, notice);
    }
    let mut workers = Workers::start(&to, loader, keeper, theme.syntax_theme());
    if matches!(source, Source::Document(_)) {
        receive_early(&mut model, &from, &mut workers);
    }
    for effect in update::restore(&mut model, draft) {
        workers.start_effect(effect);
    }
    let (keeper, saver) = (workers.keeper(), workers.saver());
    let mut screen = Screen::enter(size, to, move || {
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
