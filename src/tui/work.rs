//! The threads that do what `update` asked for: one writes to disk, in order; one colours code. Results go back as
//! messages, and so does a panic: nothing is ever waited for that does not come.

mod paint;
mod saver;
mod scanner;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SendError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::verify::run::{Cancel, Runner, TIMEOUT};

use super::act;
use super::clerk::{Clerk, Seat};
use super::commands;
use super::effect::{Compare, Effect, Refresh, Verify};
use super::evidence;
use super::highlight::Palette;
use super::keep::Keeper;
use super::keep::looks::LookKeeper;
use super::load::Loader;
use super::msg::Msg;
use super::on_demand::OnDemand;
use super::preview;
use super::reread;
use super::surviving::surviving;
use super::watch::Watcher;
use super::whole;
use paint::{Paint, color_all};
use saver::{Job, Saver, failed, save_all};
use scanner::Scanner;

/// How long a diff that nobody asked for is made before it says how far it is.
const QUIET: Duration = Duration::from_millis(500);
/// How long commands may take to end; whatever is left then is ended by those that watch over it.
const TIME_TO_END: Duration = Duration::from_secs(5);
/// Longer than between two keys of a word, and shorter than it takes to read a sentence and to decide.
const PAUSE: Duration = Duration::from_secs(1);

/// The running threads.
#[derive(Debug)]
pub(super) struct Workers {
    loader: Loader,
    saver: Saver,
    keeper: Keeper,
    looks: LookKeeper,
    clerk: Clerk,
    colors: OnDemand<Paint>,
    scans: Scanner,
    watcher: Watcher,
    comparer: OnDemand<Box<Compare>>,
    /// Set when the diff that is made anew is not wanted any more.
    refresh: Arc<AtomicBool>,
    answers: Sender<Msg>,
    commands: Cancel,
}

impl Workers {
    /// Start them; what they find goes to `to`.
    pub(super) fn start(
        to: &Sender<Msg>,
        loader: Loader,
        keeper: Keeper,
        looks: LookKeeper,
        mut palette: Palette,
    ) -> Self {
        let [saves, colors, compared] = [to; 3].map(Clone::clone);
        Self {
            loader,
            saver: Saver(OnDemand::new(move |jobs| save_all(jobs, &saves))),
            keeper,
            looks,
            clerk: Clerk::nobody(),
            colors: OnDemand::new(move |jobs| color_all(jobs, &colors, &mut palette)),
            scans: Scanner::new(to.clone()),
            watcher: Watcher::start(to),
            comparer: OnDemand::new(move |jobs| compare_all(jobs, &compared)),
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
            Effect::SettleDraft => self.keeper.settle(&self.answers),
            Effect::Pause(ticket) => self.aside(move || {
                thread::sleep(PAUSE);
                Msg::Paused(ticket)
            }),
            Effect::Agent(errand) => self.clerk.run(&errand, &self.answers),
            // Without the thread that colours code is plain, and the screen has said why.
            Effect::Color { .. } => drop(self.colors.send(Paint::Lines(effect))),
            Effect::Scan(jobs) => self.scans.scan(jobs),
            Effect::ReadWhole(job) => self.aside(move || whole::read_for(*job)),
            Effect::Preview(job) => self.aside(move || preview::work_out(&job)),
            Effect::FindOdd(document) => self.aside(move || evidence::find_odd(document)),
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
            | Effect::UseMouse(_)
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
            let (said, begun) = (AtomicUsize::new(0), Instant::now());
            let told = |done: usize, count: usize| {
                let is_told = job.is_asked || begun.elapsed() > QUIET;
                if is_told && said.fetch_max(done, Ordering::Relaxed) < done {
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
            Effect::Color { .. }
            | Effect::Scan(_)
            | Effect::ReadWhole(_)
            | Effect::Preview(_)
            | Effect::FindOdd(_)
            | Effect::Prioritize(_) => {
                self.start_effect(effect);
            }
            // What is staged is shown; whether the disk has moved on is not waited for.
            Effect::Compare(job) if !job.stale => self.start_effect(Effect::Compare(job)),
            Effect::Pause(ticket) => answer(&self.answers, Msg::Paused(ticket)),
            // Whoever only looks has nothing to lose.
            Effect::SettleDraft => answer(&self.answers, Msg::DraftSettled(Ok(()))),
            Effect::KeepDraft(_)
            | Effect::Remember(_)
            | Effect::Watch(_)
            | Effect::Reread(_)
            | Effect::Compare(_)
            | Effect::EndRefresh
            | Effect::EndCommands
            | Effect::Copy(_)
            | Effect::UseMouse(_)
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

    /// Do something that only looks on a thread of its own. It answers whatever happens: somebody waits for that.
    fn aside(&self, look: impl FnOnce() -> Msg + Send + 'static) {
        let answers = self.answers.clone();
        thread::spawn(move || answer(&answers, look()));
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

    /// Have the session of the review looked after from here on.
    pub(super) fn open(&mut self, seat: Seat) -> Clerk {
        self.clerk = Clerk::start(seat, &self.answers);
        self.clerk.clone()
    }

    /// Wait until all that is typed is on disk; not forever.
    pub(super) fn wait_for_drafts(&self) {
        // What is not is said when the program ends.
        let _ = self.keeper.wait();
        self.clerk.wait();
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

/// Send an answer; nobody listens any more when the reviewer has been left.
fn answer(answers: &Sender<Msg>, msg: Msg) {
    let _ = answers.send(msg);
}

/// Compare the review with what it is about as often as somebody asks; of several requests that wait the last, for all that
/// they ask for.
fn compare_all(jobs: &Receiver<Box<Compare>>, answers: &Sender<Msg>) {
    while let Ok(job) = jobs.recv() {
        let job = jobs.try_iter().fold(job, |before, job| Box::new(job.joined(&before)));
        if job.stale {
            answer(answers, surviving(|| reread::compare(&job)).unwrap_or_else(Msg::WorkerFailed));
        }
        if job.staged {
            answer(answers, surviving(|| act::staged(&job)).unwrap_or_else(Msg::WorkerFailed));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::mpsc::channel;

    use super::*;
    use crate::document::Document;
    use crate::git::ScopeOptions;
    use crate::markback::Record;
    use crate::refresh::Basis;
    use crate::tui::change::{Change, RecordChange, Write};
    use crate::tui::records::Place;

    fn record(ticket: u64) -> Effect {
        let place = Place::new("no/such/file.mb".into(), ".".into(), None);
        let change = Change::Records(place, RecordChange::Append(Record::default()));
        Effect::Write(Box::new(Write { ticket, author: String::new(), change }))
    }

    #[test]
    fn of_comparisons_that_wait_the_last_answers_for_all() {
        let dir = tempfile::tempdir().unwrap();
        let compare = |stale, staged| {
            let dir = dir.path().to_owned();
            let basis =
                Basis { dir: dir.clone(), ends: None, branch: None, options: ScopeOptions::default(), filters: false };
            let document = Document::parse("");
            let (sections, known) = (Vec::new(), HashMap::new());
            Box::new(Compare {
                basis,
                path: dir.join("x"),
                document,
                sections,
                known,
                acts: 0,
                stale,
                is_heard: false,
                is_ours: false,
                staged,
            })
        };
        let ((to, jobs), (answers, from)) = (channel(), channel());
        to.send(compare(true, false)).unwrap();
        to.send(compare(false, true)).unwrap();
        drop(to);
        compare_all(&jobs, &answers);
        drop(answers);
        // Where there is no repository, each says so for itself.
        let said: Vec<Msg> = from.iter().collect();
        let is_of = |msg: &Msg, what: &str| matches!(msg, Msg::NotCompared(said) if said.starts_with(what));
        assert!(said.len() == 2 && is_of(&said[0], "not compared") && is_of(&said[1], "what is staged"), "{said:?}");
    }

    #[test]
    fn what_can_no_longer_be_written_is_answered() {
        let (to, from) = channel();
        let saves = OnDemand::new(|_| {});
        let (answer, answered) = channel();
        let _ = saves.send(Job::Answer(answer));
        assert!(answered.recv().is_err(), "the thread has ended");
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
            colors: OnDemand::new(|_| {}),
            scans: Scanner::new(to.clone()),
            watcher: Watcher::start(&to),
            comparer: OnDemand::new(|_| {}),
            refresh: Arc::default(),
            answers: to,
            commands: Cancel::default(),
        };
        workers.start_effect(record(7));
        workers.saver().wait();
        drop(workers);
        assert!(from.iter().any(|msg| matches!(msg, Msg::WriteFailed { ticket: 7, .. })));
    }
}
