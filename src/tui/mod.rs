//! The terminal reviewer: an Elm-like loop around a pure core.
//!
//! [`update`](update::update) changes the [`Model`] and names [effects](effect::Effect); [`view::draw`]
//! makes a frame of it. This module owns what lies between them and the outside world: threads, channels, the terminal.

pub mod act;
pub mod around;
pub mod away;
pub mod background;
pub mod card;
pub mod change;
pub mod checkup;
mod clerk;
pub mod colour;
pub mod command;
pub mod commands;
pub mod compose;
pub mod current;
pub mod decode;
pub mod desk;
pub mod draft;
mod dump;
pub mod effect;
pub mod elsewhere;
pub mod evidence;
pub mod face;
pub mod fact;
pub mod filter;
pub mod form;
pub mod fuzzy;
pub mod help;
pub mod highlight;
pub mod hints;
pub mod history;
pub mod input;
mod keep;
pub mod key;
pub mod keymap;
pub mod layout;
pub mod load;
pub mod looks;
pub mod model;
pub mod msg;
mod on_demand;
pub mod open;
pub mod outcome;
pub mod part;
pub mod pick;
pub mod picture;
pub mod place;
pub mod preview;
pub mod prompt;
pub mod prose;
mod passages;
mod reader;
pub mod reread;
pub mod records;
pub mod replaced;
pub mod rows;
pub mod save;
pub mod said;
mod screen;
pub mod search;
pub mod settings;
pub mod since;
pub mod staged;
#[cfg(unix)]
pub mod signals;
mod surviving;
pub mod terminal;
pub mod talk;
pub mod text_input;
pub mod theme;
pub mod tree;
pub mod update;
pub mod view;
pub mod walk;
pub mod whole;
mod watch;
mod work;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::text::counted::counted;
use crate::text::width::Display;
use clerk::{Clerk, Seat};
use command::Command;
use desk::{Address, Away, Desk};
use draft::Draft;
use effect::Effect;
use input::Event;
use keep::looks::LookKeeper;
use keep::{Keeper, Last};
use keymap::Keymap;
use layout::Size;
use load::Loader;
use model::{Clipboard, Model, Tone};
use msg::Msg;
use open::{Opened, Signature, Source, Target};
use screen::Screen;
use settings::Settings;
use theme::{ByBackground, Theme, Themes};
use work::Workers;

pub use dump::{Shot, dump};

/// How long the first frame waits for the terminal's answer and for something to show, so that it does not flicker.
const FIRST_FRAME: Duration = Duration::from_millis(25);
/// The time between frames while parts stream in.
const FRAME: Duration = Duration::from_millis(33);
/// Set in a debug build, it is a fault of the program at the first key: tests see what that leaves behind.
#[cfg(debug_assertions)]
const FAULT: &str = "WHYMARK_FAULT";
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
    /// All themes.
    pub themes: Themes,
    /// The themes among which the terminal's background decides, if that is to be asked for.
    pub by_background: Option<ByBackground>,
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
    /// What is wrong with the reader's own settings, keys and themes.
    pub problems: Vec<String>,
}

/// A reviewer that has begun to read, on a screen or without one.
struct Started {
    model: Model,
    theme: Theme,
    themes: Themes,
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
    let Options { dir, target, signature, theme, themes, by_background, keymap, display, .. } = options;
    let Options { settings, drafts, lcov, problems, .. } = options;
    let Opened { mut review, source, notice } = open::open(&dir, target, &signature)?;
    if review.passages.is_none() {
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
    model.following.is_on = settings.follows;
    model.has_mouse = settings.mouse;
    model.unkept = drafts.is_none().then(|| keep::NO_FOLDER.to_owned());
    (model.wrap, model.split, model.intraline) = (settings.wrap, settings.side_by_side, settings.intraline);
    if model.review.is_of_documents() {
        // A paragraph is often one long line.
        model.wrap = true;
        model.files |= size.width >= layout::OUTLINE && model.has_outline();
    }
    (model.theme, model.by_background) = (theme.name().to_owned(), by_background);
    model.themes = themes.names().to_vec();
    warnings.extend(notice);
    warnings.extend(oddities(&model));
    model.problems = problems;
    if let [first, rest @ ..] = &*model.problems {
        let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        let first = first.trim_end_matches('.');
        warnings.push(format!("{first}{more}: {} shows what is wrong", model.key(Command::Help)));
    }
    if !warnings.is_empty() {
        model.say(Tone::Problem, warnings.join("; "));
    }
    let (look_keeper, looks) = LookKeeper::start(drafts.as_deref(), &model.review.path, &to);
    model.looks = looks.unwrap_or_default();
    let workers = Workers::start(&to, loader, keeper, look_keeper, theme.palette().clone());
    Ok(Started { model, theme, themes, source, workers, draft, to, from })
}

/// That lines of the review were not read as they are written, and what lists them.
fn oddities(model: &Model) -> Option<String> {
    /// Of what is longer, the list says so when it is asked for.
    const LOOKED_THROUGH: usize = 1 << 20;
    let review = &model.review;
    let is_read = review.on_disk && review.passages.is_none();
    let is_long = || review.document.parts().iter().map(|part| part.text_len()).sum::<usize>() > LOOKED_THROUGH;
    let count = if is_read && !is_long() { evidence::odd_lines(&review.document).len() } else { 0 };
    let (lines, are) = (counted(count, "line"), if count == 1 { "is" } else { "are" });
    let key = model.key(Command::Evidence);
    (count > 0).then(|| format!("{lines} of the review {are} not as the format has them: {key} lists what is odd"))
}

/// Run the reviewer until it is left. What waits then for an agent comes back, as a line for the
/// normal screen, and what has failed last.
///
/// # Errors
/// When there is no terminal, nothing to review, or the terminal fails. Unless it is the last, nothing has been drawn.
pub fn run(options: Options) -> Result<Option<String>, Error> {
    let size = screen::size()?;
    let mouse = options.settings.mouse;
    let state_folder = options.drafts.clone();
    let Started { mut model, theme, themes, source, workers, draft, to, from } = start(options, size)?;
    // A fault must not take along what is typed.
    let _last = Last(workers.keeper());
    let clerk = Arc::new(OnceLock::new());
    let _last_typed = clerk::Last(Arc::clone(&clerk));
    model.clipboard = clipboard();
    let (keeper, saver, looks, session) = (workers.keeper(), workers.saver(), workers.looks(), Arc::clone(&clerk));
    let screen = Screen::enter(size, theme.depth(), mouse, model.by_background.is_some(), to, move || {
        // First what would be lost, in case that writing takes longer than there is time.
        let _ = keeper.wait();
        session.get().into_iter().for_each(Clerk::wait);
        saver.wait();
        let lost = keeper.wait();
        looks.wait();
        lost.unwrap_or_default()
    })?;
    let mut sitting = Sitting { model, theme, themes, workers, screen, behind: Vec::new(), reads_on: false };
    let result = sitting.begin(&from, &source, draft).and_then(|begun| {
        if begun.is_continue() {
            // Behind the first frame: disks may take their time.
            let Sitting { model, workers, .. } = &mut sitting;
            clerk.get_or_init(|| open_session(model, workers, state_folder.as_deref()));
            sitting.last_until_left(&from)?;
        }
        Ok(())
    });
    let Sitting { mut model, workers, screen, .. } = sitting;
    drop(screen);
    workers.end_commands();
    workers.saver().wait();
    // Whoever stages and leaves at once reads on the normal screen that it has failed.
    for failed in from.try_iter().filter(|msg| matches!(msg, Msg::ActFailed { .. })) {
        let _ = update::update(&mut model, failed);
    }
    workers.looks().wait();
    clerk.get().into_iter().for_each(Clerk::leave);
    result.map(|()| model.farewell())
}

/// Open the session of the review. Without one there is nobody to send comments to, and everything else goes on.
fn open_session(model: &mut Model, workers: &mut Workers, state_folder: Option<&Path>) -> Clerk {
    let address = match desk::store(&model.review.folder, state_folder) {
        Ok(store) => Address::new(store, &model.review),
        Err(reason) => {
            model.talk.closed = Some(format!("no session: {reason}"));
            return Clerk::nobody();
        }
    };
    let (seat, effects) = match Desk::open(address.clone()) {
        Ok((desk, opened)) => (Seat::Taken(Box::new(desk)), update::begin(model, opened)),
        Err(reason) => {
            model.say(Tone::Problem, reason.clone());
            model.talk.closed = Some(reason);
            let mut away = Away::new(address);
            let effects = away.look().map(|told| update::update(model, Msg::Agent(told)));
            (Seat::Away(Box::new(away)), effects.unwrap_or_default())
        }
    };
    let clerk = workers.open(seat);
    effects.into_iter().for_each(|effect| workers.start_effect(effect));
    clerk
}

/// Where the terminal takes copies.
fn clipboard() -> Clipboard {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let takes_none = std::env::var("TERM").is_ok_and(|term| term == "dumb" || term == "linux");
    match (is_set("TMUX"), is_set("STY")) {
        _ if takes_none => Clipboard::Nowhere,
        (true, _) => Clipboard::Tmux,
        (_, true) => Clipboard::Screen,
        _ => Clipboard::Terminal,
    }
}

/// Whether what the first frame is to show is still being read: of a diff that is computed the first file, of a
/// document, which is quickly read, all of it.
fn is_awaited(model: &Model, source: &Source) -> bool {
    match source {
        Source::Document(_) | Source::Files => model.pending > 0,
        Source::Git(_) => model.parts.get(1).is_some_and(|part| part.pending),
    }
}

/// A reader at the screen.
struct Sitting {
    model: Model,
    theme: Theme,
    themes: Themes,
    workers: Workers,
    screen: Screen,
    /// Effects that start when the next frame is drawn.
    behind: Vec<Effect>,
    /// Whether what is typed next is read when it is drawn: nothing is an answer to what nobody has seen.
    reads_on: bool,
}

impl Sitting {
    /// Draw the first frame, of what is there by then; break when the reader leaves at once.
    fn begin(&mut self, from: &Receiver<Msg>, source: &Source, draft: Draft) -> Result<ControlFlow<()>, Error> {
        let first = Instant::now() + FIRST_FRAME;
        // With the wrong theme the screen would flash, and so would one without content; a terminal that takes its time
        // gets the right theme later.
        while self.model.by_background.is_some() || is_awaited(&self.model, source) {
            let left = first.saturating_duration_since(Instant::now());
            let Ok(msg) = from.recv_timeout(left) else { break };
            if self.handle(msg)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        let mut effects = update::restore(&mut self.model, draft);
        if self.model.pending > 0 {
            effects.push(update::watch_first(&self.model));
        }
        effects.into_iter().for_each(|effect| self.workers.start_effect(effect));
        self.measure()?;
        self.screen.fit(self.model.size)?;
        self.draw()?;
        Ok(ControlFlow::Continue(()))
    }

    fn draw(&mut self) -> Result<(), Error> {
        let Self { model, theme, screen, workers, behind, reads_on, .. } = self;
        screen.draw(|frame| view::draw(model, theme, frame))?;
        if std::mem::take(reads_on) {
            screen.read_on();
        }
        behind.drain(..).for_each(|effect| workers.start_effect(effect));
        Ok(())
    }

    /// Draw, receive, update, start effects; until the reader leaves.
    fn last_until_left(&mut self, from: &Receiver<Msg>) -> Result<(), Error> {
        loop {
            self.draw()?;
            let drawn = Instant::now();
            let Ok(mut msg) = from.recv() else { return Ok(()) };
            let mut is_answer_due = false;
            for _ in 0..BATCH {
                is_answer_due |= matches!(msg, Msg::Input(_));
                let is_stream = matches!(msg, Msg::Loaded { .. } | Msg::Colored { .. } | Msg::Scanned { .. });
                let is_looking = self.model.is_looking();
                if self.handle(msg)?.is_break() {
                    return Ok(());
                }
                // Where a search leads is an answer too.
                is_answer_due |= is_looking && !self.model.is_looking();
                // A key is answered at once; what streams in waits for the next frame.
                let may_wait = is_stream && !is_answer_due;
                let wait = if may_wait { FRAME.saturating_sub(drawn.elapsed()) } else { Duration::ZERO };
                msg = match from.recv_timeout(wait) {
                    Ok(msg) => msg,
                    Err(RecvTimeoutError::Timeout) => break,
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                };
            }
            self.screen.fit(self.model.size)?;
        }
    }

    /// Let something happen, and do what follows from it; break when the reader leaves.
    fn handle(&mut self, msg: Msg) -> Result<ControlFlow<()>, Error> {
        let is_input = matches!(msg, Msg::Input(_));
        #[cfg(debug_assertions)]
        assert!(!is_input || std::env::var_os(FAULT).is_none(), "{FAULT} is set");
        let flow = self.happen(msg)?;
        self.reads_on |= is_input;
        Ok(flow)
    }

    fn happen(&mut self, msg: Msg) -> Result<ControlFlow<()>, Error> {
        for effect in update::update(&mut self.model, msg) {
            match effect {
                Effect::Quit => return Ok(ControlFlow::Break(())),
                Effect::Suspend => {
                    // Whoever is stopped may be ended without being asked.
                    self.workers.wait_for_drafts();
                    if self.screen.suspend()? {
                        self.measure()?;
                    } else {
                        self.model.say(Tone::Problem, "there is no shell here to go back to");
                    }
                }
                Effect::EditText(job) => {
                    // Whoever is away may never come back.
                    self.workers.wait_for_drafts();
                    let msg = self.screen.lend(|| away::edit(&job))?;
                    let _ = self.handle(msg)?;
                }
                Effect::OpenSource(job) => {
                    let msg = self.screen.lend(|| away::open(&job))?;
                    let _ = self.handle(msg)?;
                }
                Effect::Redraw => {
                    self.screen.redraw(self.model.size)?;
                    self.measure()?;
                }
                Effect::Copy(text) => self.screen.copy(&text)?,
                Effect::UseMouse(is_ours) => self.screen.use_mouse(is_ours)?,
                Effect::UseTheme(name) => {
                    self.theme = self.themes.load(&name).0;
                    self.workers.use_palette(self.theme.palette().clone());
                }
                effect if effect.may_follow_frame() => self.behind.push(effect),
                effect => self.workers.start_effect(effect),
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Take the size that the terminal has now. Nobody tells when it changes while somebody else has it, or before the
    /// first key is waited for.
    fn measure(&mut self) -> Result<(), Error> {
        let Size { width, height } = screen::size()?;
        let _ = self.happen(Msg::Input(vec![Event::Resize { columns: width, rows: height }]))?;
        Ok(())
    }
}
