//! The thread that colours code: the latest request first.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

use crate::document::Section;

use super::super::effect::Effect;
use super::super::highlight::{Code, Highlighter, Palette, Passage, Run};
use super::super::msg::Msg;
use super::super::surviving::surviving;
use super::answer;

/// Lines are coloured for the latest requests first; older ones than these are about rows long gone.
const COLOR_REQUESTS: usize = 16;

/// Hunks and files whose colouring is remembered.
const PASSAGES: usize = 64;

/// What the thread that colours is asked for.
#[derive(Debug)]
pub(super) enum Paint {
    /// The colours of some lines.
    Lines(Effect),
    /// Other colours from now on.
    Palette(Palette),
}

/// Colour what is asked for, the latest request first: it is about what is on the screen now. One that takes long gives
/// way to newer ones, and goes on afterwards where it was.
pub(super) fn color_all(jobs: &Receiver<Paint>, answers: &Sender<Msg>, palette: &mut Palette) {
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
                Paint::Palette(other) => (*palette, painter) = (other, None),
            }
        }
        let outdated = waiting.len().saturating_sub(COLOR_REQUESTS);
        let plain = waiting.drain(..outdated).filter_map(|job| colored(job, Vec::new()));
        plain.for_each(|msg| answer(answers, msg));
        let Some(job) = waiting.pop() else { continue };
        let Effect::Color { part, section, code, lines } = &job else { continue };
        let interrupting = RefCell::new(Vec::new());
        let is_cancelled = || {
            jobs.try_recv().is_ok_and(|job| {
                interrupting.borrow_mut().push(job);
                true
            })
        };
        let painted = surviving(|| {
            let painter = painter.get_or_insert_with(|| Painter::new(palette));
            painter.paint(*part, section, code, *lines, is_cancelled)
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
    let Effect::Color { part, section, code, lines: (first, _) } = job else { return None };
    Some(Msg::Colored { part, section, code, first, lines: colors })
}

/// A highlighter that remembers what it has worked on last.
struct Painter {
    highlighter: Highlighter,
    /// The hunks of parts, by index, and whole files (`None`).
    passages: HashMap<(usize, Option<u32>), (Arc<Section>, Passage)>,
}

impl Painter {
    fn new(palette: &Palette) -> Self {
        Self { highlighter: Highlighter::new(palette), passages: HashMap::new() }
    }

    /// The colours of some lines; `None` when `is_cancelled` said so.
    fn paint(
        &mut self,
        part: usize,
        section: &Arc<Section>,
        code: &Code,
        (first, end): (u32, u32),
        is_cancelled: impl Fn() -> bool,
    ) -> Option<Vec<Vec<Run>>> {
        let tree = section.tree();
        if self.passages.len() >= PASSAGES {
            self.passages.clear();
        }
        let begin = |highlighter: &Highlighter| {
            let lang = tree.file.as_ref().and_then(|file| file.lang).map(|lang| lang.of(section.text()));
            let path = tree.file.as_ref().map_or(&b""[..], |file| file.path.as_slice());
            let first_line = match code {
                Code::Hunk(_) => tree.lines.first().map_or(&b""[..], |line| section.line_text(line)),
                Code::Whole(whole) => whole.line(0),
            };
            (Arc::clone(section), Passage::new(highlighter.language(lang, path, first_line)))
        };
        let hunk = if let Code::Hunk(hunk) = code { Some(*hunk) } else { None };
        let (known, passage) = self.passages.entry((part, hunk)).or_insert_with(|| begin(&self.highlighter));
        if !Arc::ptr_eq(known, section) {
            (*known, *passage) = begin(&self.highlighter);
        }
        let wanted = |start: u32| (first - start) as usize..(end - start) as usize;
        match code {
            Code::Hunk(hunk) => {
                let wanted = wanted(tree.hunks[*hunk as usize].lines.start);
                self.highlighter.hunk(passage, section, *hunk as usize, wanted, is_cancelled)
            }
            Code::Whole(whole) => self.highlighter.whole(passage, whole, wanted(0), is_cancelled),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;

    use super::*;

    #[test]
    fn every_request_for_colours_is_answered_however_they_cross() {
        let lines = "+let a = \"b\"; // c\n".repeat(3000);
        let text = format!("@file a.rs\n@@ -0,0 +1,3000 @@\n{lines}");
        let section = Arc::new(Section::file(text, crate::text::lines::Newline::Lf));
        let ((requests, jobs), (answers, answered)) = (channel(), channel());
        let worker = thread::spawn(move || color_all(&jobs, &answers, &mut Palette::named("base16").unwrap()));
        let wanted: Vec<(u32, u32)> = (0..10).rev().map(|at| (at * 300, at * 300 + 40)).collect();
        for lines in &wanted {
            let request = Effect::Color { part: 1, section: Arc::clone(&section), code: Code::Hunk(0), lines: *lines };
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
