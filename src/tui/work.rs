//! The threads that do what `update` asked for: one writes to disk, in order; one colours code. Results go back as
//! messages, and so does a panic: nothing is ever waited for that does not come.

use std::cell::RefCell;
use std::collections::HashMap;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SendError, Sender, channel};
use std::thread;
use std::time::Duration;

use crate::clock;
use crate::config;
use crate::document::Section;
use crate::error::Error;
use crate::store;
use crate::verify::run::{Cancel, Runner, TIMEOUT};

use super::act;
use super::commands;
use super::desk::{Clerk, Desk};
use super::effect::{Compare, Effect, ReadWhole, Refresh, Verify};
use super::highlight::{Highlighter, Palette, Passage, Run};
use super::keep::Keeper;
use super::keep::looks::LookKeeper;
use super::load::Loader;
use super::msg::Msg;
use super::reread;
use super::save;
use super::search::{Scan, scan};
use super::settings;
use super::talk::{Errand, Told};
use super::watch::Watcher;
use super::whole;

/// Lines are coloured for the latest requests first; older ones than these are about rows long gone.
const COLOR_REQUESTS: usize = 16;

/// Hunks whose colouring is remembered.
const PASSAGES: usize = 64;

/// How long commands may take to end; whatever is left then is ended by those that watch over it.
const TIME_TO_END: Duration = Duration::from_secs(5);

/// The running threads.
#[derive(Debug)]
pub(super) struct Workers {
    loader: Loader,
    saver: Saver,
    keeper: Keeper,
    looks: LookKeeper,
    clerk: Clerk,
    colors: Sender<Paint>,
    scans: Scanner,
    watcher: Watcher,
    comparer: Sender<Box<Compare>>,
    /// Set when the diff that is made anew is not wanted any more.
    refresh: Arc<AtomicBool>,
    answers: Sender<Msg>,
    commands: Cancel,
}

/// The thread that writes to disk, as others see it.
#[derive(Debug, Clone)]
pub(super) struct Saver(Sender<Job>);

/// What the thread that colours is asked for.
#[derive(Debug)]
enum Paint {
    /// The colours of some lines.
    Lines(Effect),
    /// Other colours from now on.
    Palette(Palette),
}

/// What the thread that writes is asked for.
#[derive(Debug)]
enum Job {
    Write(Effect),
    /// Say when everything before this is on disk.
    Answer(Sender<()>),
}

impl Saver {
    /// Wait until everything that was to be written is on disk.
    pub(super) fn wait(&self) {
        let (answer, answered) = channel();
        if self.0.send(Job::Answer(answer)).is_ok() {
            // Without that thread nothing more is written, and nothing to wait for.
            let _ = answered.recv();
        }
    }
}

impl Workers {
    /// Start them; what they find goes to `to`.
    pub(super) fn start(to: &Sender<Msg>, loader: Loader, keeper: Keeper, looks: LookKeeper, palette: Palette) -> Self {
        let (saves, jobs) = channel();
        let answers = to.clone();
        thread::spawn(move || save_all(&jobs, &answers));
        let (colors, jobs) = channel();
        let answers = to.clone();
        thread::spawn(move || color_all(&jobs, &answers, palette));
        let (comparer, jobs) = channel();
        let answers = to.clone();
        thread::spawn(move || compare_all(&jobs, &answers));
        Self {
            loader,
            saver: Saver(saves),
            keeper,
            looks,
            clerk: Clerk::nobody(),
            colors,
            scans: Scanner::start(to.clone()),
            watcher: Watcher::start(to),
            comparer,
            refresh: Arc::default(),
            answers: to.clone(),
            commands: Cancel::default(),
        }
    }

    /// Start an effect that is not the terminal's. What can no longer be written is answered as a failure.
    pub(super) fn start_effect(&mut self, effect: Effect) {
        match effect {
            Effect::Write(_)
            | Effect::Act(_)
            | Effect::Restore(_)
            | Effect::Reread(_)
            | Effect::Carry(_)
            | Effect::KeepTheme(_) => {
                if let Err(SendError(Job::Write(effect))) = self.saver.0.send(Job::Write(effect)) {
                    let reason = "the part of the program that writes has ended: start it again".to_owned();
                    answer(&self.answers, failed(&effect, reason));
                }
            }
            Effect::KeepDraft(draft) => self.keeper.keep(draft),
            Effect::Agent(errand) => self.clerk.run(&errand, &self.answers),
            // Without the thread that colours code is plain, and the screen has said why.
            Effect::Color { .. } => drop(self.colors.send(Paint::Lines(effect))),
            Effect::Scan(jobs) => self.scans.scan(jobs),
            Effect::ReadWhole(job) => self.read_whole(*job),
            Effect::Prioritize(part) => self.loader.hurry(part),
            Effect::Remember(remembered) => self.looks.remember(remembered),
            Effect::Watch(watched) => self.watcher.watch(watched),
            // Without that thread nothing is marked as stale, and the screen has said why.
            Effect::Compare(job) => drop(self.comparer.send(job)),
            Effect::Refresh(job) => self.make_diff(*job),
            Effect::EndRefresh => self.refresh.store(true, Ordering::Relaxed),
            Effect::Verify(job) => self.run_commands(*job),
            Effect::EndCommands => self.commands.cancel(),
            Effect::EditText(_)
            | Effect::OpenSource(_)
            | Effect::Copy(_)
            | Effect::UseTheme(_)
            | Effect::Suspend
            | Effect::Redraw
            | Effect::Quit => {}
        }
    }

    /// Colour code with this palette from now on.
    pub(super) fn use_palette(&self, palette: Palette) {
        // Without the thread that colours code is plain, and the screen has said why.
        let _ = self.colors.send(Paint::Palette(palette));
    }

    /// Make the diff anew on a thread of its own.
    fn make_diff(&mut self, job: Refresh) {
        self.refresh = Arc::default();
        let (is_over, answers) = (Arc::clone(&self.refresh), self.answers.clone());
        thread::spawn(move || {
            let said = AtomicUsize::new(0);
            let told = |done: usize, count: usize| {
                if said.fetch_max(done, Ordering::Relaxed) < done {
                    answer(&answers, Msg::Comparing(done, count));
                }
                !is_over.load(Ordering::Relaxed)
            };
            let made = surviving(|| reread::make_diff(&job, told));
            answer(&answers, made.unwrap_or_else(Msg::RefreshFailed));
        });
    }

    /// Start an effect that only looks. What would change anything, or run something, is answered as refused for `reason`.
    pub(super) fn look(&mut self, effect: Effect, reason: &str) {
        match effect {
            Effect::Color { .. } | Effect::Scan(_) | Effect::ReadWhole(_) | Effect::Prioritize(_) => {
                self.start_effect(effect);
            }
            Effect::KeepDraft(_)
            | Effect::Remember(_)
            | Effect::Watch(_)
            | Effect::Reread(_)
            | Effect::Compare(_)
            | Effect::EndRefresh
            | Effect::EndCommands
            | Effect::Copy(_)
            | Effect::UseTheme(_)
            | Effect::Suspend
            | Effect::Redraw
            | Effect::Quit => {}
            Effect::Verify(_) => {
                answer(&self.answers, Msg::WorkerFailed(reason.to_owned()));
                answer(&self.answers, Msg::CommandsOver);
            }
            Effect::EditText(job) => {
                let text = Err(reason.to_owned());
                answer(&self.answers, Msg::Edited { text, saves: job.saves });
            }
            Effect::OpenSource(_) => answer(&self.answers, Msg::Looked(Some(reason.to_owned()))),
            write => answer(&self.answers, failed(&write, reason.to_owned())),
        }
    }

    /// Read a file on a thread of its own.
    fn read_whole(&self, job: ReadWhole) {
        let answers = self.answers.clone();
        thread::spawn(move || answer(&answers, whole::read_for(job)));
    }

    /// Run commands on a thread of their own.
    fn run_commands(&mut self, job: Verify) {
        self.commands = Cancel::default();
        let (cancel, answers) = (self.commands.clone(), self.answers.clone());
        thread::spawn(move || {
            let runner = Runner::new(job.folder.clone(), TIMEOUT);
            let tell = |msg| answer(&answers, msg);
            if let Err(reason) = surviving(|| commands::run(&job, &runner, &cancel, &tell)) {
                answer(&answers, Msg::WorkerFailed(reason));
                answer(&answers, Msg::CommandsOver);
            }
        });
    }

    /// End the commands that run, and wait until they have ended.
    pub(super) fn end_commands(&self) {
        self.commands.cancel();
        self.commands.wait(TIME_TO_END);
    }

    /// Have `desk` looked after from here on.
    pub(super) fn open(&mut self, desk: Desk) -> Clerk {
        self.clerk = Clerk::start(desk, &self.answers);
        self.clerk.clone()
    }

    /// The thread that keeps what is not written yet.
    pub(super) fn keeper(&self) -> Keeper {
        self.keeper.clone()
    }

    /// The thread that remembers what was looked at.
    pub(super) fn looks(&self) -> LookKeeper {
        self.looks.clone()
    }

    /// The thread that writes.
    pub(super) fn saver(&self) -> Saver {
        self.saver.clone()
    }
}

/// The thread that looks through parts for what is searched for.
#[derive(Debug)]
struct Scanner {
    jobs: Sender<Vec<Scan>>,
    /// The first number whose answer is still waited for.
    since: Arc<AtomicU64>,
}

impl Scanner {
    fn start(answers: Sender<Msg>) -> Self {
        let (to, jobs) = channel::<Vec<Scan>>();
        let since = Arc::new(AtomicU64::new(0));
        let wanted = Arc::clone(&since);
        thread::spawn(move || {
            for job in jobs.iter().flatten() {
                let is_cancelled = || job.since < wanted.load(Ordering::Relaxed);
                match surviving(|| scan(&job, is_cancelled)) {
                    Ok(Some(hits)) => answer(&answers, Msg::Scanned { part: job.part, ticket: job.ticket, hits }),
                    Ok(None) => {}
                    Err(reason) => {
                        answer(&answers, Msg::WorkerFailed(reason));
                        answer(&answers, Msg::Scanned { part: job.part, ticket: job.ticket, hits: Vec::new() });
                    }
                }
            }
        });
        Self { jobs: to, since }
    }

    /// Look through parts; what an older search waits for is given up.
    fn scan(&self, jobs: Vec<Scan>) {
        if let Some(job) = jobs.first() {
            self.since.fetch_max(job.since, Ordering::Relaxed);
        }
        // Without the thread nothing is found, and the screen has said why.
        drop(self.jobs.send(jobs));
    }
}

/// What `work` gives, or what it has panicked with, as a sentence for the reader: one fault takes no other work along.
pub(super) fn surviving<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    // What a panic may have left half done is given up by the callers.
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str).or(payload.downcast_ref::<&str>().copied());
        format!("whymark itself is at fault: {}", text.unwrap_or("it has panicked"))
    })
}

/// Send an answer; nobody listens any more when the reviewer has been left.
fn answer(answers: &Sender<Msg>, msg: Msg) {
    let _ = answers.send(msg);
}

fn save_all(jobs: &Receiver<Job>, answers: &Sender<Msg>) {
    for job in jobs {
        match job {
            Job::Write(effect) => {
                let written = surviving(|| write(&effect));
                answer(answers, written.unwrap_or_else(|reason| failed(&effect, reason)));
            }
            Job::Answer(answer) => drop(answer.send(())),
        }
    }
}

/// Compare the review with what it is about as often as somebody asks; of several requests that wait the last.
fn compare_all(jobs: &Receiver<Box<Compare>>, answers: &Sender<Msg>) {
    while let Ok(job) = jobs.recv() {
        let job = jobs.try_iter().last().unwrap_or(job);
        answer(answers, surviving(|| reread::compare(&job)).unwrap_or_else(Msg::WorkerFailed));
    }
}

fn write(effect: &Effect) -> Msg {
    match effect {
        Effect::Act(job) => act::act(job),
        Effect::Restore(job) => act::restore(job),
        Effect::Write(job) => save::write(job, &clock::now()),
        Effect::Reread(job) => reread::read_again(job),
        Effect::KeepTheme(name) => Msg::ThemeKept(keep_theme(name)),
        Effect::Carry(job) => reread::carry(job),
        other => failed(other, "this is nothing to be written".to_owned()),
    }
}

/// Name the theme in the reader's settings: that value is changed there, and nothing else. The file, or why not.
fn keep_theme(name: &str) -> Result<String, String> {
    let folder = config::folder().ok_or("there is no folder for settings: set HOME or XDG_CONFIG_HOME")?;
    let path = folder.join(settings::FILE);
    let written = store::update(&path, |text| {
        let text = text.unwrap_or_default();
        let edit = settings::set_theme(&String::from_utf8_lossy(text), name);
        Ok::<_, Error>(edit.apply(text))
    });
    written.map(|_| path.display().to_string()).map_err(|error| error.to_string())
}

fn failed(effect: &Effect, reason: String) -> Msg {
    match effect {
        Effect::Write(job) => Msg::WriteFailed { ticket: job.ticket, reason, is_gone: false },
        Effect::Act(_) => Msg::ActFailed(reason),
        Effect::Restore(job) => Msg::WriteFailed { ticket: job.ticket, reason, is_gone: false },
        Effect::Refresh(_) | Effect::Carry(_) => Msg::RefreshFailed(reason),
        Effect::Agent(errand) => match **errand {
            Errand::Keep { ticket, .. } => Msg::Agent(Told::Kept(ticket, Err(reason))),
            _ => Msg::Agent(Told::Failed(reason)),
        },
        Effect::KeepTheme(_) => Msg::ThemeKept(Err(reason)),
        _ => Msg::WorkerFailed(reason),
    }
}

/// Colour what is asked for, the latest request first: it is about what is on the screen now. One that takes long gives
/// way to newer ones, and goes on afterwards where it was.
fn color_all(jobs: &Receiver<Paint>, answers: &Sender<Msg>, mut palette: Palette) {
    let mut painter = None;
    let mut waiting: Vec<Effect> = Vec::new();
    // What has come while something was worked on.
    let mut newer: Vec<Paint> = Vec::new();
    loop {
        if waiting.is_empty() && newer.is_empty() {
            let Ok(job) = jobs.recv() else { return };
            newer.push(job);
        }
        newer.extend(jobs.try_iter());
        for paint in newer.drain(..) {
            match paint {
                Paint::Lines(job) => waiting.push(job),
                Paint::Palette(other) => (palette, painter) = (other, None),
            }
        }
        let outdated = waiting.len().saturating_sub(COLOR_REQUESTS);
        let plain = waiting.drain(..outdated).filter_map(|job| colored(job, Vec::new()));
        plain.for_each(|msg| answer(answers, msg));
        let Some(job) = waiting.pop() else { continue };
        let Effect::Color { part, section, hunk, lines } = &job else { continue };
        let interrupting = RefCell::new(Vec::new());
        let is_cancelled = || {
            jobs.try_recv().is_ok_and(|job| {
                interrupting.borrow_mut().push(job);
                true
            })
        };
        let painted = surviving(|| {
            let painter = painter.get_or_insert_with(|| Painter::new(&palette));
            painter.paint(*part, section, *hunk, *lines, is_cancelled)
        });
        match painted {
            Ok(Some(colors)) => colored(job, colors).into_iter().for_each(|msg| answer(answers, msg)),
            Ok(None) => waiting.push(job),
            Err(reason) => {
                painter = None;
                answer(answers, Msg::WorkerFailed(format!("no colours: {reason}")));
            }
        }
        newer = interrupting.into_inner();
    }
}

/// The answer to a request.
fn colored(job: Effect, colors: Vec<Vec<Run>>) -> Option<Msg> {
    let Effect::Color { part, section, lines, .. } = job else { return None };
    Some(Msg::Colored { part, section, first: lines.0, lines: colors })
}

/// A highlighter that remembers the hunks it has worked on last.
struct Painter {
    highlighter: Highlighter,
    passages: HashMap<(usize, u32), (Arc<Section>, Passage)>,
}

impl Painter {
    fn new(palette: &Palette) -> Self {
        Self { highlighter: Highlighter::new(palette), passages: HashMap::new() }
    }

    /// The colours of some lines of a hunk; `None` when `is_cancelled` said so.
    fn paint(
        &mut self,
        part: usize,
        section: &Arc<Section>,
        hunk: u32,
        (first, end): (u32, u32),
        is_cancelled: impl Fn() -> bool,
    ) -> Option<Vec<Vec<Run>>> {
        let tree = section.tree();
        let start = tree.hunks[hunk as usize].lines.start;
        if self.passages.len() >= PASSAGES {
            self.passages.clear();
        }
        let begin = |highlighter: &Highlighter| {
            let lang = tree.file.as_ref().and_then(|file| file.lang).map(|lang| lang.of(section.text()));
            let path = tree.file.as_ref().map_or(&b""[..], |file| file.path.as_slice());
            let first_line = tree.lines.first().map_or(&b""[..], |line| section.line_text(line));
            (Arc::clone(section), Passage::new(highlighter.language(lang, path, first_line)))
        };
        let (known, passage) = self.passages.entry((part, hunk)).or_insert_with(|| begin(&self.highlighter));
        if !Arc::ptr_eq(known, section) {
            (*known, *passage) = begin(&self.highlighter);
        }
        let wanted = (first - start) as usize..(end - start) as usize;
        self.highlighter.hunk(passage, section, hunk as usize, wanted, is_cancelled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::edit::NewNote;
    use crate::document::{Document, Selector};
    use crate::markback::Record;
    use crate::tui::change::{Change, RecordChange, ReviewChange, ReviewFile, Write};
    use crate::tui::records::Place;

    fn record(ticket: u64) -> Effect {
        let place = Place::new("no/such/file.mb".into(), ".".into(), None);
        let change = Change::Records(place, RecordChange::Append(Record::default()));
        Effect::Write(Box::new(Write { ticket, author: String::new(), change }))
    }

    #[test]
    fn what_can_no_longer_be_written_is_answered() {
        let (to, from) = channel();
        let (saves, jobs) = channel();
        drop(jobs);
        let (colors, _requests) = channel();
        let document = Document::parse("");
        let source = crate::tui::open::Source::Document(None);
        let loader = Loader::start(".".as_ref(), &document, ".".as_ref(), &source, &to);
        let (keeper, _) = Keeper::start(None, "x".as_ref(), &to);
        let mut workers = Workers {
            clerk: Clerk::nobody(),
            loader,
            saver: Saver(saves),
            keeper,
            looks: LookKeeper::start(None, "x".as_ref(), &to).0,
            colors,
            scans: Scanner::start(to.clone()),
            watcher: Watcher::start(&to),
            comparer: channel().0,
            refresh: Arc::default(),
            answers: to,
            commands: Cancel::default(),
        };
        workers.start_effect(record(7));
        workers.saver().wait();
        drop(workers);
        assert!(from.iter().any(|msg| matches!(msg, Msg::WriteFailed { ticket: 7, .. })));
    }

    #[test]
    fn a_panic_while_writing_is_a_failed_write() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.whymark");
        let file = ReviewFile { path, within: None, document: Document::parse("") };
        // There is no such part.
        let change = Change::Review(file, ReviewChange::Append(9, vec![NewNote::new(Selector::DOC)]));
        let job = Write { ticket: 3, author: String::new(), change };
        let ((saves, jobs), (answers, answered)) = (channel(), channel());
        let (done, is_done) = channel();
        saves.send(Job::Write(Effect::Write(Box::new(job)))).unwrap();
        saves.send(Job::Answer(done)).unwrap();
        drop(saves);
        save_all(&jobs, &answers);
        let Msg::WriteFailed { ticket: 3, reason, .. } = answered.recv().unwrap() else {
            panic!("the write has failed")
        };
        assert!(reason.starts_with("whymark itself is at fault: index out of bounds"), "{reason}");
        assert!(is_done.recv().is_ok(), "the thread goes on");
    }

    #[test]
    fn every_request_for_colours_is_answered_however_they_cross() {
        let lines = "+let a = \"b\"; // c\n".repeat(3000);
        let text = format!("@file a.rs\n@@ -0,0 +1,3000 @@\n{lines}");
        let section = Arc::new(Section::file(text, crate::text::lines::Newline::Lf));
        let ((requests, jobs), (answers, answered)) = (channel(), channel());
        let worker = thread::spawn(move || color_all(&jobs, &answers, Palette::named("base16").unwrap()));
        let wanted: Vec<(u32, u32)> = (0..10).rev().map(|at| (at * 300, at * 300 + 40)).collect();
        for lines in &wanted {
            let request = Effect::Color { part: 1, section: Arc::clone(&section), hunk: 0, lines: *lines };
            requests.send(Paint::Lines(request)).unwrap();
        }
        drop(requests);
        worker.join().unwrap();
        let mut firsts: Vec<u32> = answered
            .iter()
            .map(|msg| match msg {
                Msg::Colored { first, lines, .. } if lines.len() == 40 => first,
                other => panic!("{other:?}"),
            })
            .collect();
        firsts.sort_unstable();
        assert_eq!(firsts, (0..10).map(|at| at * 300).collect::<Vec<_>>());
    }
}
