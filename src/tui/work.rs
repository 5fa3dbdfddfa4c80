//! The threads that do what `update` asked for: one writes to disk, in order; one colours code. Results go back as
//! messages.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use crate::document::Section;

use super::effect::Effect;
use super::highlight::{Highlighter, Passage, Run};
use super::load::Loader;
use super::msg::Msg;
use super::save;

/// Lines are coloured for the latest requests first; older ones than these are about rows long gone.
const COLOR_REQUESTS: usize = 16;

/// Hunks whose colouring is remembered.
const PASSAGES: usize = 64;

/// The running threads.
#[derive(Debug)]
pub(super) struct Workers {
    loader: Loader,
    saver: Saver,
    colors: Sender<Effect>,
}

/// The thread that writes to disk, as others see it.
#[derive(Debug, Clone)]
pub(super) struct Saver(Sender<Job>);

/// What that thread is asked for.
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
            // A panic of the thread has been shown by the panic hook.
            let _ = answered.recv();
        }
    }
}

impl Workers {
    /// Start them; what they find goes to `to`.
    pub(super) fn start(to: &Sender<Msg>, loader: Loader, syntax_theme: &str) -> Self {
        let (saves, jobs) = channel();
        let answers = to.clone();
        thread::spawn(move || save_all(&jobs, &answers));
        let (colors, jobs) = channel();
        let (answers, theme) = (to.clone(), syntax_theme.to_owned());
        thread::spawn(move || color_all(&jobs, &answers, &theme));
        Self { loader, saver: Saver(saves), colors }
    }

    /// Start an effect that is not the terminal's. A thread that has ended has nobody left to answer to.
    pub(super) fn start_effect(&mut self, effect: Effect) {
        match effect {
            Effect::AppendNote(_) | Effect::AppendRecord(_) => drop(self.saver.0.send(Job::Write(effect))),
            Effect::Color { .. } => drop(self.colors.send(effect)),
            Effect::Prioritize(part) => self.loader.hurry(part),
            Effect::Copy(_) | Effect::Suspend | Effect::Redraw | Effect::Quit => {}
        }
    }

    /// The thread that writes.
    pub(super) fn saver(&self) -> Saver {
        self.saver.clone()
    }
}

fn save_all(jobs: &Receiver<Job>, answers: &Sender<Msg>) {
    for job in jobs {
        let msg = match job {
            Job::Write(Effect::AppendNote(job)) => save::append_note_to(&job),
            Job::Write(Effect::AppendRecord(job)) => save::append_record_to(&job, &now()),
            Job::Write(_) => continue,
            Job::Answer(answer) => {
                let _ = answer.send(());
                continue;
            }
        };
        // The note is on disk whether or not somebody still listens.
        let _ = answers.send(msg);
    }
}

/// The time in ISO 8601, to the second.
fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

fn color_all(jobs: &Receiver<Effect>, answers: &Sender<Msg>, theme: &str) {
    let mut painter = None;
    while let Ok(first) = jobs.recv() {
        let mut waiting = vec![first];
        waiting.extend(jobs.try_iter());
        // The latest request is about what is on the screen now.
        for (age, job) in waiting.into_iter().rev().enumerate() {
            let Effect::Color { part, section, hunk, lines } = job else { continue };
            let colors = if age < COLOR_REQUESTS {
                painter.get_or_insert_with(|| Painter::new(theme)).paint(part, &section, hunk, lines)
            } else {
                Vec::new()
            };
            if answers.send(Msg::Colored { part, section, first: lines.0, lines: colors }).is_err() {
                return;
            }
        }
    }
}

/// A highlighter that remembers the hunks it has worked on last.
struct Painter {
    highlighter: Highlighter,
    passages: HashMap<(usize, u32), (Arc<Section>, Passage)>,
}

impl Painter {
    fn new(theme: &str) -> Self {
        Self { highlighter: Highlighter::new(theme), passages: HashMap::new() }
    }

    fn paint(&mut self, part: usize, section: &Arc<Section>, hunk: u32, (first, end): (u32, u32)) -> Vec<Vec<Run>> {
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
        self.highlighter.hunk(passage, section, hunk as usize, wanted, || false).unwrap_or_default()
    }
}
