//! What holds after every message: parts are laid out, the cursor is on the screen, visible lines have their colours.

use std::sync::Arc;

use crate::document::{Document, Section};

use super::super::card;
use super::super::effect::Effect;
use super::super::highlight::Run;
use super::super::layout::Size;
use super::super::model::{Focus, Model, Pos};
use super::super::part::{Annotation, Part, Reading};
use super::super::prose;
use super::super::rows::Row;

/// Lines beyond the screen that are coloured with it, so that scrolling finds them ready.
const COLOR_MARGIN: u32 = 64;
/// Parts keep the colours of at most this many lines.
const COLORS_KEPT: usize = 20_000;

/// Lay out the parts as far as they are known and put the cursor on the first file.
pub fn start(model: &mut Model) {
    for part in 0..model.parts.len() {
        lay_out(model, part);
    }
    model.cursor = (1..model.parts.len()).next().map_or_else(Pos::default, |part| Pos { part, row: 0 });
    model.top = Pos::default();
}

/// A part was read.
pub(super) fn fill(model: &mut Model, part: usize, section: Arc<Section>, reading: Reading) {
    if model.parts.get(part).is_none_or(|part| !part.pending) {
        return;
    }
    model.review.document.replace(part, Arc::clone(&section));
    model.parts[part].fill(section, reading);
    model.pending -= 1;
    refresh(model, part);
}

/// The file of a part is no longer what the part shows.
pub(super) fn mark_stale(model: &mut Model, part: usize) {
    if let Some(file) = model.parts.get(part).and_then(|part| part.section.tree().file.as_ref()) {
        model.review.stale.insert(file.path.to_vec());
    }
}

/// A part can't be read; what is known of it stays.
pub(super) fn give_up(model: &mut Model, part: usize, reason: String) {
    if model.parts.get(part).is_some_and(|part| part.pending) {
        model.parts[part].pending = false;
        model.parts[part].failure = Some(reason);
        model.pending -= 1;
        refresh(model, part);
    }
}

/// The review was written: parts that are not the ones we have are read again. Somebody else may have added files or
/// taken some away, so everything that names a part by its number is given the new one.
pub(super) fn adopt(model: &mut Model, document: Document) {
    let before = std::mem::replace(&mut model.review.document, document);
    let after = model.review.document.parts().to_vec();
    let mut old: Vec<Option<Part>> = std::mem::take(&mut model.parts).into_iter().map(Some).collect();
    let mut kept: Vec<Option<Part>> = after.iter().map(|_| None).collect();
    let now = before.counterparts(&model.review.document);
    for (part, now) in old.iter_mut().zip(&now) {
        if let Some(now) = *now {
            kept[now] = part.take();
        }
    }
    renumber(model, &now);
    for (index, (section, kept)) in after.into_iter().zip(kept).enumerate() {
        let is_same = kept.as_ref().is_some_and(|part| Arc::ptr_eq(&part.section, &section));
        let mut part = kept.unwrap_or_else(|| Part::pending(Arc::clone(&section)));
        if !is_same {
            let reading = Reading::of(&section);
            part.fill(section, reading);
        }
        model.parts.push(part);
        if !is_same {
            refresh_rows(model, index);
        }
    }
    model.pending = model.parts.iter().filter(|part| part.pending).count();
    model.asked.clear();
}

/// Part `n` is part `now[n]` now, or gone. What stood in a part that is gone goes to the nearest one before it that is not.
fn renumber(model: &mut Model, now: &[Option<usize>]) {
    let of = |part: usize| now.get(part).copied().flatten();
    let near = |pos: Pos| match of(pos.part) {
        Some(part) => Pos { part, row: pos.row },
        None => Pos { part: (0..pos.part).rev().find_map(of).unwrap_or_default(), row: 0 },
    };
    (model.cursor, model.top, model.anchor) = (near(model.cursor), near(model.top), model.anchor.map(near));
    let focus = |focus: Focus| of(focus.part).map(|part| Focus { part, ..focus });
    (model.focus, model.opened) = (model.focus.and_then(focus), model.opened.and_then(focus));
    model.hurried = model.hurried.and_then(of);
}

/// The records have changed: every part gets its own.
pub(super) fn records_changed(model: &mut Model) {
    for part in 0..model.parts.len() {
        if !model.parts[part].pending {
            refresh(model, part);
        }
    }
}

/// The screen has another size.
pub(super) fn resize(model: &mut Model, size: Size) {
    model.size = size;
    for part in 0..model.parts.len() {
        keeping_place(model, part, |model| lay_out(model, part));
    }
}

/// Colours have arrived; those of a text that is gone are dropped.
pub(super) fn color(model: &mut Model, part: usize, section: &Arc<Section>, first: u32, lines: Vec<Vec<Run>>) {
    model.asked.remove(&(part, first));
    let Some(part) = model.parts.get_mut(part).filter(|part| Arc::ptr_eq(&part.section, section)) else { return };
    if part.colors.len() + lines.len() > COLORS_KEPT {
        part.colors.clear();
    }
    part.colors.extend((first..).zip(lines));
}

/// Annotate and lay out a part anew. The cursor stays on what it stands on, and that stays where it is on the screen.
fn refresh(model: &mut Model, part: usize) {
    let limit = usize::from(model.size.height);
    let above = model.distance(model.top, model.cursor, limit);
    refresh_rows(model, part);
    if above < limit && model.distance(model.top, model.cursor, limit) != above {
        model.top = model.moved(model.cursor, -i64::try_from(above).unwrap_or(0));
    }
}

/// Annotate and lay out a part anew, cursor and view staying on what they show.
fn refresh_rows(model: &mut Model, part: usize) {
    keeping_place(model, part, |model| {
        annotate(model, part);
        lay_out(model, part);
    });
}

fn annotate(model: &mut Model, part: usize) {
    let records = model.review.records_on(&model.parts[part].section);
    model.parts[part].annotate(&records);
}

fn lay_out(model: &mut Model, index: usize) {
    let narrow = model.is_narrow();
    let width = model.layout().map_or(80, |layout| layout.diff.width) as usize;
    if index == 0 {
        model.parts[0].prose = prose::of(&model.review.document, model.display, width);
    }
    let open = model.focus.filter(|focus| focus.part == index);
    let part = &model.parts[index];
    let height = |annotation: &Annotation| match narrow {
        true => card::height(
            model.writer(index),
            part,
            annotation,
            width,
            open.is_some_and(|open| open.subject == annotation.subject),
        ),
        false => 0,
    };
    let heights: Vec<u32> = part.annotations.iter().map(height).collect();
    let mut heights = heights.into_iter();
    model.parts[index].lay_out(|_| heights.next().unwrap_or(0));
}

/// Do something that moves the rows of a part; cursor, view and selection stay on what they stood on.
fn keeping_place(model: &mut Model, part: usize, change: impl FnOnce(&mut Model)) {
    let row = |model: &Model, pos: Pos| if pos.part == part { model.row(pos) } else { None };
    let (cursor, top) = (row(model, model.cursor), row(model, model.top));
    let anchor = model.anchor.and_then(|anchor| row(model, anchor));
    change(model);
    let found = |pos: Pos, row: Option<Row>| match row {
        Some(row) => Pos { part, row: model.parts[part].rows.find(row).unwrap_or(pos.row) },
        None => pos,
    };
    (model.cursor, model.top, model.anchor) =
        (found(model.cursor, cursor), found(model.top, top), model.anchor.map(|pos| found(pos, anchor)));
}

/// Make what was said above true.
pub(super) fn settle(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.is_narrow() {
        reopen_cards(model);
    } else {
        model.opened = model.focus;
    }
    clamp(model);
    scroll_to_cursor(model);
    want_visible(model, effects);
}

/// In the narrow layout the open card takes more rows than the others: lay out what was and what is open.
fn reopen_cards(model: &mut Model) {
    if model.opened == model.focus {
        return;
    }
    let parts: Vec<usize> = [model.opened, model.focus].iter().flatten().map(|focus: &Focus| focus.part).collect();
    model.opened = model.focus;
    for part in parts {
        if part < model.parts.len() {
            keeping_place(model, part, |model| lay_out(model, part));
        }
    }
}

/// Keep cursor, view and selection on rows that exist.
fn clamp(model: &mut Model) {
    let last = model.last();
    let within = |pos: Pos| {
        let Some(part) = model.parts.get(pos.part) else { return last };
        Pos { part: pos.part, row: pos.row.min(part.rows.len().saturating_sub(1)) }
    };
    (model.cursor, model.top, model.anchor) = (within(model.cursor), within(model.top), model.anchor.map(within));
    if !model.row(model.cursor).is_some_and(Row::is_stop) {
        super::motion::place(model, model.cursor);
    }
    if model.focused().is_none() {
        model.focus = None;
    }
}

/// Keep the cursor on the screen, with a few rows around it, and the open card below it in the narrow layout.
fn scroll_to_cursor(model: &mut Model) {
    let Some(layout) = model.layout() else { return };
    let height = usize::from(layout.diff.height).max(1);
    let margin = (height / 8).min(3);
    if model.scrolled && model.shows_only_a_card() {
        return;
    }
    let card = open_card_rows(model);
    let is_whole = card + margin < height;
    let below =
        if is_whole || !model.scrolled { card.min(height.saturating_sub(margin + 1)).max(margin) } else { margin };
    let is_in_sight = model.scrolled && model.cursor >= model.top;
    if !is_in_sight && model.cursor < model.moved(model.top, i64::try_from(margin).unwrap_or(0)) {
        model.top = model.moved(model.cursor, -i64::try_from(margin).unwrap_or(0));
        return;
    }
    let room = height.saturating_sub(1 + below);
    let distance = model.distance(model.top, model.cursor, height * 2);
    if distance > room {
        let end_is_near = model.distance(model.cursor, model.last(), below);
        let room = height - 1 - below.min(end_is_near);
        if distance > room {
            model.top = model.moved(model.cursor, -i64::try_from(room).unwrap_or(0));
        }
    }
}

/// How many rows below the cursor the open card reaches, where cards stand under their lines.
fn open_card_rows(model: &Model) -> usize {
    let Some(focus) = model.focus.filter(|focus| focus.part == model.cursor.part && model.is_narrow()) else {
        return 0;
    };
    let part = &model.parts[focus.part];
    let open = part.annotations.iter().position(|annotation| annotation.subject == focus.subject);
    let is_open = |row: Row| matches!(row, Row::Card { annotation, .. } if Some(annotation as usize) == open);
    let rows = model.rows_from(model.cursor).skip(1).take(60);
    rows.enumerate().filter(|(_, (_, row))| is_open(*row)).map(|(index, _)| index + 1).last().unwrap_or(0)
}

/// Ask for what the visible rows lack: the diff of pending files, and colours.
fn want_visible(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(layout) = model.layout() else { return };
    let mut wanted: Vec<(usize, u32, u32)> = Vec::new();
    for (pos, row) in model.rows_from(model.top).take(usize::from(layout.diff.height)) {
        match row {
            Row::Line { hunk, line } if !model.parts[pos.part].colors.contains_key(&line) => match wanted.last_mut() {
                Some((part, last, _)) if (*part, *last) == (pos.part, hunk) => {}
                _ => wanted.push((pos.part, hunk, line)),
            },
            _ => {}
        }
    }
    for (part, hunk, line) in wanted {
        let lines = model.parts[part].section.tree().hunks[hunk as usize].lines.clone();
        let start = line.saturating_sub(COLOR_MARGIN).max(lines.start);
        let end = (line + u32::from(layout.diff.height) + COLOR_MARGIN).min(lines.end);
        if model.asked.insert((part, start)) {
            effects.push(Effect::Color {
                part,
                section: Arc::clone(&model.parts[part].section),
                hunk,
                lines: (start, end),
            });
        }
    }
    if model.parts[model.cursor.part].pending && model.hurried != Some(model.cursor.part) {
        model.hurried = Some(model.cursor.part);
        effects.push(Effect::Prioritize(model.cursor.part));
    }
}
