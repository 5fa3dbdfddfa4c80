//! Staging, unstaging and discarding: what is chosen, the question, and what comes of it. The guard is where it is
//! done: [`act`](super::super::act).

use std::sync::Arc;

use super::super::around::is_same_diff;
use super::super::command::Command;
use super::super::effect::{Act, ActKind, Effect, Preview};
use super::super::history::{Back, Marks};
use super::super::model::{Acting, Done, Mode, Model, Tone};
use super::super::msg::Acted;
use super::super::outcome::Outcome;
use super::super::part::Part;
use super::super::place::popup_area;
use super::super::preview::{PreviewRow, preview};
use super::super::rows::Row;
use super::super::staged::Staged;
use super::{motion, refreshing, sending};
use crate::document::partial::Direction;
use crate::document::{FileStatus, Scope, Section};

/// An act on a file with more lines is worked out in the background.
const MOST_AT_ONCE: usize = 5000;

/// Ask whether to do what `command` says with the line, the selection, on a heading the hunk, on its name the file.
pub(super) fn open(model: &mut Model, command: Command, effects: &mut Vec<Effect>) {
    let kind = match command {
        Command::Stage => ActKind::Stage,
        Command::Unstage => ActKind::Unstage,
        _ => ActKind::Discard,
    };
    match wanted(model, kind) {
        Ok(act) => {
            let sizes = model.parts[model.cursor.part].aside.sizes;
            let ticket = model.ticket;
            model.ticket += 1;
            let is_short = act.section.tree().lines.len() <= MOST_AT_ONCE;
            let (what, rows) = if is_short {
                (act.what(), Some(preview(&act, sizes)))
            } else {
                effects.push(Effect::Preview(Box::new(Preview { ticket, act: (*act).clone(), sizes })));
                (act.section.path_text().into_owned(), None)
            };
            model.acting = Some(Acting { preview: rows, what, ticket, act, top: 0 });
            model.mode = Mode::Acting;
        }
        Err(reason) => model.say(Tone::Problem, reason),
    }
}

/// What the act that is asked about will do is worked out.
pub(super) fn previewed(model: &mut Model, ticket: u64, what: String, rows: Vec<PreviewRow>) {
    if let Some(acting) = model.acting.as_mut().filter(|acting| acting.ticket == ticket) {
        (acting.what, acting.preview) = (what, Some(rows));
    }
}

fn wanted(model: &Model, kind: ActKind) -> Result<Box<Act>, String> {
    let review = &model.review;
    let basis = review.basis.clone().ok_or("this is no review of a repository that could be changed")?;
    let scope = basis.compares(review.document.meta());
    if let Some(reason) = scope.and_then(|scope| kind.refused_in(scope)) {
        return Err(refusal(model, kind, reason));
    }
    let (first, last) = model.selected();
    if first.part != last.part {
        return Err("lines of one file at a time: the selection spans several".to_owned());
    }
    let part = &model.parts[first.part];
    let tree = part.section.tree();
    if part.pending || tree.file.is_none() {
        return Err("there is no file here".to_owned());
    }
    if let Some(reason) = changed(model, part).or_else(|| under_way(model)) {
        return Err(reason);
    }
    let (chosen, is_named) = chosen(model, part);
    if chosen.is_empty() && !is_named {
        return Err(
            "no changed line is here: a line, a selection, the heading of a hunk or the name of a file".to_owned()
        );
    }
    let mut act = Box::new(Act {
        basis,
        meta: review.document.meta().clone(),
        review: review.path.clone(),
        section: Arc::clone(&part.section),
        other: other_kind(model, first.part),
        displaced: Vec::new(),
        is_whole: is_named || tree.changes().count() == chosen.len(),
        is_named,
        staged: part.staged.clone(),
        lines: chosen,
        kind,
    });
    act.displaced = displaced(model, &act);
    if let Some(reason) = act.refusal() {
        return Err(format!("{}: {reason}", act.section.path_text()));
    }
    match (is_done(&act), kind) {
        (true, ActKind::Stage) => Err("this is staged already".to_owned()),
        (true, _) => Err("this is not staged".to_owned()),
        (false, _) => Ok(act),
    }
}

/// The changed lines of `part` that the cursor or the selection is about, ascending, and whether the file itself is named.
fn chosen(model: &Model, part: &Part) -> (Vec<u32>, bool) {
    let tree = part.section.tree();
    let is_change = |line: &u32| tree.lines[*line as usize].is_change();
    let row = model.row(model.cursor).filter(|_| model.anchor.is_none());
    let is_named = matches!(row, Some(Row::File | Row::Fact(_)));
    let lines = match row {
        Some(Row::Hunk(hunk)) => tree.hunks[hunk as usize].lines.clone().filter(is_change).collect(),
        _ if is_named => tree.changes().collect(),
        _ => {
            let (first, last) = model.selected();
            let rows = (first.row..=last.row).filter_map(|row| part.rows.get(row));
            // Beside each other stand lines of the two sides that are not neighbours in the text.
            let mut lines: Vec<u32> = rows.flat_map(Row::lines).map(|(_, line)| line).filter(is_change).collect();
            lines.sort_unstable();
            lines
        }
    };
    (lines, is_named)
}

/// Whether the index has already what `act` would make of it.
fn is_done(act: &Act) -> bool {
    match (act.is_of_lines(), act.kind) {
        (true, _) => !act.lines.iter().any(|line| act.turns(*line)),
        // Where two parts say what happened to one file, only the index itself knows.
        (false, _) if act.other.is_some() => false,
        (false, ActKind::Stage) => act.staged == Staged::Whole,
        (false, ActKind::Unstage) => act.staged == Staged::Nothing,
        (false, ActKind::Discard) => false,
    }
}

/// Why `kind` is not to be done at all here, and what is instead.
fn refusal(model: &Model, kind: ActKind, reason: &str) -> String {
    match (kind, model.review.compares()) {
        (ActKind::Stage, Some(Scope::Staged)) => {
            format!(
                "{reason}: this review is of what is staged; {} takes lines out of that",
                model.key(Command::Unstage)
            )
        }
        (ActKind::Unstage, Some(Scope::Unstaged)) => {
            format!("{reason}: this review is of what is not; {} stages lines", model.key(Command::Stage))
        }
        _ => reason.to_owned(),
    }
}

/// Why nothing can be done to what `part` shows, where that is so: it is something else by now.
fn changed(model: &Model, part: &Part) -> Option<String> {
    if model.review.unmerged.contains(part.section.path()) {
        return Some("the file is in a merge conflict: resolve that first, and `git add` it".to_owned());
    }
    let refresh = model.key(Command::Refresh);
    part.is_stale.then(|| format!("the file is stale, and no longer what the review shows: {refresh} refreshes"))
}

/// That something is still being done, where that is so.
pub(super) fn under_way(model: &Model) -> Option<String> {
    model.under_way.as_ref().map(|doing| format!("{doing} is still under way"))
}

/// Do what was asked about, if it is what was asked about.
fn accept(model: &mut Model, Acting { act, what, .. }: Acting, effects: &mut Vec<Effect>) {
    let shown = model.parts.iter().find(|part| Arc::ptr_eq(&part.section, &act.section));
    let gone = || "the file is no longer what was asked about".to_owned();
    if let Some(reason) = shown.map_or_else(|| Some(gone()), |part| changed(model, part)) {
        return model.say(Tone::Problem, format!("nothing was changed: {reason}"));
    }
    model.under_way = Some(format!("{} {}", act.kind.name(), model.display.visible(what)));
    effects.push(Effect::Act(act));
}

/// The part, if there is one, that has the rest of what happened to the file of `part`: where a link came in the place of
/// a file, one shows what went and the other what came.
fn other_kind(model: &Model, part: usize) -> Option<Arc<Section>> {
    let header = |part: &Part| part.section.tree().file.as_ref().map(|file| (file.path.clone(), file.status));
    let (path, status) = header(&model.parts[part])?;
    let wanted = match status {
        FileStatus::Added => FileStatus::Deleted,
        FileStatus::Deleted => FileStatus::Added,
        _ => return None,
    };
    let own = (path, wanted);
    // They stand next to each other.
    let near = [part.checked_sub(1), part.checked_add(1)].into_iter().flatten();
    let mut near = near.filter_map(|part| model.parts.get(part)).filter(|part| !part.pending && !part.is_stale);
    near.find(|part| header(part).is_some_and(|header| header == own)).map(|part| Arc::clone(&part.section))
}

/// The parts that say of files that they go, or have come, where the file of `act` comes: a folder of its name, or a file
/// that has the name of one of its folders.
fn displaced(model: &Model, act: &Act) -> Vec<Arc<Section>> {
    let in_the_way = if act.kind.direction() == Direction::Forward { FileStatus::Deleted } else { FileStatus::Added };
    if Outcome::of(act).is_none_or(|outcome| outcome.was_there || !outcome.is_there) || act.other.is_some() {
        return Vec::new();
    }
    let is_below = |path: &[u8], folder: &[u8]| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with(b"/"));
    let path = act.section.path();
    let is_it = |part: &&Part| {
        let status = part.section.tree().file.as_ref().map(|file| file.status);
        let other = part.section.path();
        status == Some(in_the_way) && (is_below(other, path) || is_below(path, other))
    };
    model.parts.iter().filter(is_it).map(|part| Arc::clone(&part.section)).collect()
}

/// A command while the question is open.
pub(super) fn run(model: &mut Model, command: Command, effects: &mut Vec<Effect>) {
    let page = usize::from(popup_area(model).height.saturating_sub(2));
    let Some(acting) = &mut model.acting else {
        model.mode = Mode::Review;
        return;
    };
    let last = acting.preview.as_ref().map_or(0, Vec::len).saturating_sub(1);
    if let Some(top) = motion::scrolled(command, acting.top, last, page) {
        acting.top = top;
        return;
    }
    match command {
        Command::Redraw => effects.push(Effect::Redraw),
        // What is done has been shown before.
        Command::Accept if acting.preview.is_none() => {
            model.say(Tone::Info, "nothing is done before it is shown");
        }
        Command::Accept => {
            model.anchor = None;
            model.mode = Mode::Review;
            if let Some(acting) = model.acting.take() {
                accept(model, acting, effects);
            }
        }
        _ => close(model),
    }
}

/// Any other key is a no.
pub(super) fn close(model: &mut Model) {
    model.acting = None;
    model.mode = Mode::Review;
    model.say(Tone::Info, "nothing was changed");
}

/// It could not be done.
pub(super) fn failed(model: &mut Model, reason: String, is_outdated: bool) {
    model.under_way = None;
    let refresh = model.key(Command::Refresh);
    let reason = model.display.visible(reason);
    sending::last_word(model, &reason);
    model.say(Tone::Problem, if is_outdated { format!("{reason}; {refresh} refreshes") } else { reason });
}

/// It is done: the review follows, and it can be taken back.
pub(super) fn done(model: &mut Model, acted: Acted, effects: &mut Vec<Effect>) {
    let Acted { said, kept, step } = acted;
    model.under_way = None;
    let said = model.display.visible(said);
    let undo = model.key(Command::Undo);
    let before = kept.map_or_else(String::new, |kept| format!("; before: {kept}"));
    let said = format!("{said}; {undo} takes it back{before}");
    if let Back::Act(act) = &step.back {
        mark(model, &act.marks);
    }
    model.history.push(step);
    model.say(Tone::Info, said.clone());
    refreshing::follow(model, Done { said, back: None }, effects);
}

/// What an act has left is known before anybody looks: where lines are the same, only by that.
pub(super) fn mark(model: &mut Model, marks: &Marks) {
    model.acts += 1;
    let Some([_, made]) = marks.made.as_ref().filter(|_| marks.kind != ActKind::Discard) else { return };
    let is_it = |part: &&mut Part| is_same_diff(&part.section, &marks.section);
    // In other reviews nothing is marked.
    if let Some(part) = model.parts.iter_mut().find(is_it).filter(|part| part.staged != Staged::Unknown) {
        part.staged = Staged::Lines(made.clone());
    }
}
