//! From one added line that lacks something to the next: a note that explains it, or a test that runs it.

use super::super::command::Command;
use super::super::model::{Focus, Model, Pos, Tone};
use super::super::part::{LineRuns, Part, Subject};
use super::motion::jump_to;
use super::{looking, motion};
use crate::text::counted::counted;

/// What an added line may lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lack {
    /// A note.
    Note,
    /// A test that runs it.
    Test,
}

impl Lack {
    fn lines(self, part: &Part) -> &LineRuns {
        match self {
            Self::Note => &part.reading.uncovered,
            Self::Test => &part.untested,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Note => "unexplained",
            Self::Test => "untested",
        }
    }

    /// What is said when there is none.
    fn nothing(self, model: &Model) -> String {
        let words = match self {
            Self::Note if model.since.is_some() => {
                return format!("no line wants a note here: {} goes back to the review", model.key(Command::Since));
            }
            Self::Note => "every added line is explained",
            Self::Test if model.review.tests.is_empty() => {
                "no coverage report of the files as they are: start with --lcov FILE"
            }
            Self::Test => "tests ran every added line that the report knows",
        };
        words.to_owned()
    }
}

/// An added line that lacks something.
struct Lacking {
    part: usize,
    /// Which of those of its part it is, counted from 0.
    nth: usize,
    line: u32,
    row: u32,
}

/// The parts from that of the cursor on, or back from there.
fn parts_from_here(model: &Model, forward: bool) -> Box<dyn Iterator<Item = usize>> {
    let here = model.cursor.part;
    if forward { Box::new(here..model.parts.len()) } else { Box::new((0..=here).rev()) }
}

/// The next or previous added line that lacks something, across files, as far as they have been read.
fn lacking(model: &Model, lack: Lack, forward: bool) -> Option<Lacking> {
    let read = parts_from_here(model, forward).take_while(|part| !model.parts[*part].pending);
    let mut found = read.filter_map(|part| {
        let limit = (part == model.cursor.part).then_some(model.cursor.row);
        let (nth, line, row) = lacking_in(&model.parts[part], lack, limit, forward)?;
        Some(Lacking { part, nth, line, row })
    });
    found.next()
}

/// Go to such a line, and open what it is folded in.
fn go_to_lacking(model: &mut Model, &Lacking { part, line, row, .. }: &Lacking) {
    let row = match model.parts[part].rows.folded_lines(row) {
        Some(_) => {
            looking::open(model, part);
            model.parts[part].rows.row_of_line(line).unwrap_or(row)
        }
        None => row,
    };
    jump_to(model, Pos { part, row });
}

/// Go to the next or previous added line that lacks something, and say which of them it is.
pub(super) fn jump_to_lacking(model: &mut Model, lack: Lack, forward: bool) {
    let count = |parts: &[Part]| parts.iter().map(|part| lack.lines(part).len()).sum::<usize>();
    let all = count(&model.parts);
    if let Some(found) = lacking(model, lack, forward) {
        go_to_lacking(model, &found);
        let nth = count(&model.parts[..found.part]) + found.nth + 1;
        let more = if model.pending > 0 { " or more" } else { "" };
        return model.say(Tone::Info, format!("{} line {nth} of {all}{more}", lack.word()));
    }
    if parts_from_here(model, forward).any(|part| model.parts[part].pending) {
        return model.say(Tone::Info, "the diff of the next file is still being read");
    }
    if lack == Lack::Note && all == 0 && model.since.is_none() && model.totals().stubs > 0 {
        return jump_to_stub(model, forward);
    }
    let (down, up) = match lack {
        Lack::Note => (Command::NextUncovered, Command::PrevUncovered),
        Lack::Test => (Command::NextUntested, Command::PrevUntested),
    };
    let (down, up) = (model.key(down), model.key(up));
    let message = match (all, forward) {
        (0, _) => lack.nothing(model),
        (_, true) => format!("no {} line further down ({all} in all; {up} goes up)", lack.word()),
        (_, false) => format!("no {} line further up ({all} in all; {down} goes down)", lack.word()),
    };
    model.say(Tone::Info, message);
}

/// Every line has a note: go to the next or previous one that is still to be written, and say which of them it is.
fn jump_to_stub(model: &mut Model, forward: bool) {
    let is_stub = |(part, index): &(usize, usize)| {
        let part = &model.parts[*part];
        matches!(part.annotations[*index].subject, Subject::Note(note) if part.face(note).facts.is_stub)
    };
    let all =
        (0..model.parts.len()).flat_map(|part| (0..model.parts[part].annotations.len()).map(move |at| (part, at)));
    let stubs: Vec<(usize, usize)> = all.filter(is_stub).collect();
    let focus = |(part, index): (usize, usize)| Focus { part, subject: model.parts[part].annotations[index].subject };
    let open = stubs.iter().position(|at| Some(focus(*at)) == model.focus && at.0 == model.cursor.part);
    let found = match (open, forward) {
        (Some(open), true) => Some(open + 1),
        (Some(open), false) => open.checked_sub(1),
        (None, true) => Some(stubs.partition_point(|at| model.position_of(*at) < model.cursor)),
        (None, false) => stubs.partition_point(|at| model.position_of(*at) <= model.cursor).checked_sub(1),
    };
    let found = found.and_then(|nth| Some((nth + 1, focus(*stubs.get(nth)?))));
    let key = |command| model.key(command);
    let all = counted(stubs.len(), "note");
    let text = match (found, forward) {
        _ if stubs.is_empty() => {
            let (all, clear) = (counted(model.totals().stubs, "stub"), key(Command::ClearFilter));
            format!("every added line has a note, but {all} that a filter hides: {clear} shows them")
        }
        (Some((nth, _)), _) => {
            let edit = key(Command::EditNote);
            format!("every added line has a note; this is stub {nth} of {}: {edit} writes it", stubs.len())
        }
        (None, true) => format!("no stub further down ({all} to write; {} goes up)", key(Command::PrevUncovered)),
        (None, false) => format!("no stub further up ({all} to write; {} goes down)", key(Command::NextUncovered)),
    };
    if let Some((_, focus)) = found {
        motion::open(model, focus);
    }
    model.say(Tone::Info, text);
}

/// Go to the first added line from the cursor on that no note explains, or else back from there, unless the cursor is on one.
pub(super) fn settle_on_uncovered(model: &mut Model) {
    let uncovered = &model.parts[model.cursor.part].reading.uncovered;
    let is_on_one =
        model.row(model.cursor).is_some_and(|row| row.lines().any(|(_, line)| uncovered.meets(&(line..line + 1))));
    if is_on_one {
        return;
    }
    if let Some(found) = lacking(model, Lack::Note, true).or_else(|| lacking(model, Lack::Note, false)) {
        go_to_lacking(model, &found);
    }
}

/// The nearest such line below (above) row `limit`: which of the part's it is, the line, and its row.
fn lacking_in(part: &Part, lack: Lack, limit: Option<u32>, forward: bool) -> Option<(usize, u32, u32)> {
    let is_shown = |line: u32| {
        part.rows.row_of_line(line).is_some_and(|at| {
            let is_there = part.rows.get(at).is_some_and(|row| row.lines().any(|(_, other)| other == line));
            is_there || part.rows.folded_lines(at).is_some_and(|lines| lines.contains(&line))
        })
    };
    let lines = lack.lines(part);
    let row = |line: u32| part.rows.row_of_line(line);
    let nth = match (limit, forward) {
        (None, true) => 0,
        (None, false) => lines.len().checked_sub(1)?,
        (Some(limit), true) => lines.partition_point(|line| row(line) <= Some(limit)),
        (Some(limit), false) => lines.partition_point(|line| row(line) < Some(limit)).checked_sub(1)?,
    };
    let near = if forward { nth..lines.len() } else { 0..nth + 1 };
    let mut shown = near.filter_map(|nth| Some((nth, lines.get(nth)?))).filter(|(_, line)| is_shown(*line));
    let (nth, line) = if forward { shown.next() } else { shown.next_back() }?;
    Some((nth, line, row(line)?))
}
