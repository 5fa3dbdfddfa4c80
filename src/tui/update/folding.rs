//! Lines around the hunks: unfolded, read first where that has not been done, and folded again.

use std::sync::Arc;

use super::super::around::{End, STEP, Whole, Wish};
use super::super::command::Command;
use super::super::effect::{Effect, ReadWhole};
use super::super::model::{Model, Pos, Tone};
use super::super::part::Part;
use super::super::rows::Row;
use super::{arrange, motion, searching};
use crate::document::Section;
use crate::document::tree::HunkLineKind;

/// What is said where no gap is.
const NOWHERE: &str = "no lines are hidden here: go to a line that begins with @@, or to the edge of a hunk";

/// Unfold, fold, or whichever of the two makes a difference.
pub(super) fn run(model: &mut Model, command: Command, count: Option<u32>, effects: &mut Vec<Effect>) {
    let part = &model.parts[model.cursor.part];
    let row = model.row(model.cursor);
    let Some((gap, end)) = row.and_then(|row| gap_at(part, row)) else { return model.say(Tone::Info, NOWHERE) };
    let is_fold = match command {
        Command::Fold => true,
        Command::ToggleFold => {
            matches!(row, Some(Row::Around { .. })) || part.around.hidden(part.section.tree(), gap) == Some(0)
        }
        _ => false,
    };
    if is_fold {
        fold(model, gap);
    } else {
        unfold(model, Wish { gap, end, lines: count.unwrap_or(STEP) }, effects);
    }
}

/// The gap that a row is at, and the end of it.
fn gap_at(part: &Part, row: Row) -> Option<(u32, End)> {
    let tree = part.section.tree();
    let (gap, end) = match row {
        Row::Hunk(hunk) => (hunk, End::Lower),
        Row::Rest => (u32::try_from(tree.hunks.len()).ok()?, End::Upper),
        Row::Around { gap, line } => {
            let is_upper = part.around.shown(tree, gap, End::Upper).contains(&line);
            (gap, if is_upper { End::Upper } else { End::Lower })
        }
        Row::Line { hunk, .. } | Row::Pair { hunk, .. } => {
            let lines = tree.hunks[hunk as usize].lines.clone();
            let is_shown = |line: &u32| tree.lines[*line as usize].kind != HunkLineKind::Separator;
            let (first, last) = (lines.clone().find(is_shown), lines.rev().find(is_shown));
            let is_at = |edge: Option<u32>| row.lines().any(|(_, line)| Some(line) == edge);
            let has_above = part.around.hidden(tree, hunk).is_some_and(|hidden| hidden > 0);
            if is_at(first) && (has_above || !is_at(last)) {
                (hunk, End::Lower)
            } else if is_at(last) {
                (hunk + 1, End::Upper)
            } else {
                return None;
            }
        }
        _ => return None,
    };
    part.around.gap(tree, gap).is_some_and(|known| known.len != Some(0)).then_some((gap, end))
}

fn unfold(model: &mut Model, wish: Wish, effects: &mut Vec<Effect>) {
    let index = model.cursor.part;
    let folder = model.review.folder.clone();
    let part = &mut model.parts[index];
    if part.around.whole().is_none() {
        if part.around.wish.replace(wish).is_none() {
            let section = Arc::clone(&part.section);
            effects.push(Effect::ReadWhole(Box::new(ReadWhole { part: index, section, folder })));
        }
        return;
    }
    grant(model, index, wish);
}

/// Unfold lines of a file that is there.
fn grant(model: &mut Model, index: usize, wish: Wish) {
    let part = &mut model.parts[index];
    let section = Arc::clone(&part.section);
    let first = part.around.shown(section.tree(), wish.gap, End::Upper);
    if part.around.unfold(section.tree(), wish) == 0 {
        return model.say(Tone::Info, "all lines are shown here");
    }
    // The row that says how many there are goes on, or goes: the first of the lines is where the reader goes on.
    let first =
        part.around.gap(section.tree(), wish.gap).map(|gap| gap.first_new - 1 + u64::from(first.end - first.start));
    let stood_on_rest = model.cursor.part == index && model.row(model.cursor) == Some(Row::Rest);
    show(model, index);
    let row = first.and_then(|line| model.parts[index].rows.row_around(u32::try_from(line).ok()?));
    if let Some(row) = row.filter(|_| stood_on_rest) {
        motion::place(model, Pos { part: index, row });
    }
}

fn fold(model: &mut Model, gap: u32) {
    let index = model.cursor.part;
    if !model.parts[index].around.fold(gap) {
        return model.say(Tone::Info, "no lines are unfolded here");
    }
    let stood_in_it = matches!(model.row(model.cursor), Some(Row::Around { .. } | Row::Rest));
    show(model, index);
    if stood_in_it {
        let rows = &model.parts[index].rows;
        let row = rows.find(Row::Hunk(gap)).or_else(|| rows.find(Row::Rest)).unwrap_or_default();
        motion::place(model, Pos { part: index, row });
    }
}

/// Other lines are unfolded than before.
fn show(model: &mut Model, index: usize) {
    arrange::lay_out_again(model, index);
    searching::outdated(model, index);
}

/// The file was read, or cannot be shown.
pub(super) fn read(model: &mut Model, index: usize, section: &Arc<Section>, whole: Result<Arc<Whole>, String>) {
    let Some(part) = model.parts.get_mut(index).filter(|part| Arc::ptr_eq(&part.section, section)) else { return };
    match (whole, part.around.wish.take()) {
        (Ok(whole), None) if part.around.is_wanted => {
            part.around.take(whole);
            part.around.resume(section.tree());
            arrange::refresh(model, index);
        }
        // That is all that was asked.
        (Ok(whole), None) => {
            part.around.count(whole.len());
            show(model, index);
        }
        (Err(_), None) => {}
        (Ok(whole), Some(wish)) => {
            part.around.take(whole);
            part.around.resume(section.tree());
            grant(model, index, wish);
        }
        (Err(reason), Some(_)) => model.say(Tone::Problem, format!("nothing can be unfolded: {reason}")),
    }
}
