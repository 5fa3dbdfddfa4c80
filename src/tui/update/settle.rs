//! What holds after every message: parts are laid out, the cursor is on the screen, visible lines have their colours.

use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use crate::document::Section;

use super::super::card::{FRAME, INDENT};
use super::super::effect::{Effect, ReadWhole};
use super::super::highlight::{Code, Run};
use super::super::layout::{Layout, MAXIMUM, Size};
use super::super::model::{LaidFor, Model, OpenCard, Pos};
use super::super::part::Part;
use super::super::rows::Row;
use super::super::walk::ScreenPos;
use super::arrange::{lay_out, lay_out_again};
use super::{files, picking, searching};

/// Lines beyond the screen that are coloured with it, so that scrolling finds them ready.
const COLOR_MARGIN: u32 = 64;
/// Parts keep the colours of at most this many lines.
const COLORS_KEPT: usize = 20_000;

/// Lay out the parts as far as they are known and put the cursor on the first file.
pub fn start(model: &mut Model) {
    measure(model);
    for part in 0..model.parts.len() {
        lay_out(model, part);
    }
    files::plant(model);
    model.cursor = start_pos(model);
}

/// Where the cursor is at first: on the first file.
pub(super) fn start_pos(model: &Model) -> Pos {
    Pos { part: 1.min(model.parts.len().saturating_sub(1)), row: 0 }
}

/// The screen has another size.
pub(super) fn resize(size: &mut Size, (width, height): (u16, u16)) {
    *size = Size { width, height }.at_most(MAXIMUM);
}

/// Draw with another theme, and ask for other colours of code.
pub(super) fn use_theme(model: &mut Model, name: String, effects: &mut Vec<Effect>) {
    if model.theme == name {
        return;
    }
    model.parts.iter_mut().for_each(Part::clear_colors);
    model.asked.clear();
    model.theme.clone_from(&name);
    effects.push(Effect::UseTheme(name));
}

/// Colours have arrived; those of a text that is gone are dropped.
pub(super) fn color(
    model: &mut Model,
    part: usize,
    section: &Arc<Section>,
    code: &Code,
    (first, lines): (u32, Vec<Vec<Run>>),
) {
    model.asked.remove(&(part, matches!(code, Code::Whole(_)), first));
    let Some(part) = model.parts.get_mut(part).filter(|part| Arc::ptr_eq(&part.section, section)) else { return };
    let colors = match code {
        Code::Hunk(_) => &mut part.colors,
        Code::Whole(_) => &mut part.around_colors,
    };
    if colors.len() + lines.len() > COLORS_KEPT {
        colors.clear();
    }
    colors.extend((first..).zip(lines));
}

/// Where everything is on the screen, and for what the rows have to be laid out.
fn measure(model: &mut Model) {
    let form = model.form.as_ref().map(|form| form.height(model.form_width()));
    model.had_notes = model.has_notes();
    model.layout = Layout::of(model.size, model.wants(form));
    let width = model.layout.map_or(80, |layout| layout.diff.width);
    model.laid_for = LaidFor { is_narrow: model.is_narrow(), is_split: model.is_split(), width };
}

/// Make what was said above true.
pub(super) fn settle(model: &mut Model, effects: &mut Vec<Effect>) {
    let before = model.laid_for;
    measure(model);
    if model.laid_for != before {
        for part in 0..model.parts.len() {
            // Only the summary, and cards under their lines, depend on the width.
            let has_cards = (model.laid_for.is_narrow || before.is_narrow) && !model.parts[part].annotations.is_empty();
            if part == 0 || has_cards || model.laid_for.is_split != before.is_split {
                lay_out_again(model, part);
            }
        }
    }
    clamp(model);
    files::follow(model);
    model.on_folder.take_if(|(_, pos)| *pos != model.cursor);
    open_card(model);
    scroll_to_cursor(model);
    scroll_to_caret(model);
    scroll_above_message(model);
    place_form(model);
    want_visible(model, effects);
    compare_words(model);
    searching::want(model, effects);
    picking::want(model, effects);
}

/// Write the open card, where it is not the one that is written already; in the narrow layout it takes rows.
fn open_card(model: &mut Model) {
    let width = match model.layout {
        Some(Layout { notes: Some(pane), .. }) => pane.width.saturating_sub(FRAME),
        _ => model.laid_for.width.saturating_sub(INDENT + FRAME),
    };
    let room = model.card_room();
    let is_it = |card: &OpenCard| (Some(card.focus), card.width, card.room) == (model.focus, usize::from(width), room);
    if model.open_card.as_ref().is_some_and(is_it) || (model.open_card.is_none() && model.focus.is_none()) {
        return;
    }
    let written = model.focused().zip(model.focus).map(|((part, annotation), focus)| OpenCard {
        focus,
        width: usize::from(width),
        room,
        rows: model.writer(focus.part).body(part, annotation, usize::from(width)),
    });
    let before = std::mem::replace(&mut model.open_card, written);
    let parts: Vec<usize> =
        [before.as_ref(), model.open_card.as_ref()].into_iter().flatten().map(|card| card.focus.part).collect();
    if before.map(|card| card.focus) != model.focus {
        model.card_top = searching::row_in_card(model).unwrap_or(0);
    }
    scroll_card(model, 0);
    for part in parts {
        if part >= model.parts.len() || !model.laid_for.is_narrow {
            continue;
        }
        lay_out_again(model, part);
    }
}

/// Scroll the open card by `rows` rows, as far as there is something to see.
pub(super) fn scroll_card(model: &mut Model, rows: isize) {
    let Some(card) = &model.open_card else { return };
    model.card_top = model.card_top.saturating_add_signed(rows).min(card.hidden());
}

/// Keep cursor, view and selection on rows that exist.
fn clamp(model: &mut Model) {
    let last = model.last();
    let within = |pos: Pos| {
        let Some(part) = model.parts.get(pos.part) else { return last };
        Pos { part: pos.part, row: pos.row.min(part.rows.len().saturating_sub(1)) }
    };
    (model.cursor, model.top.pos, model.anchor) =
        (within(model.cursor), within(model.top.pos), model.anchor.map(within));
    // A part may be hidden as a whole, and has no rows then.
    if model.row(model.top.pos).is_none() {
        let near = model.next(model.top.pos).or_else(|| model.previous(model.top.pos));
        model.top = near.unwrap_or_default().into();
    }
    model.anchor = model.anchor.filter(|anchor| model.row(*anchor).is_some());
    let height = model.height(model.top.pos, model.top.nth + 1);
    model.top.nth = model.top.nth.min(height - 1);
    if !model.row(model.cursor).is_some_and(Row::is_stop) {
        super::motion::place(model, model.cursor);
    }
    if model.focused().is_none() {
        model.focus = None;
    }
}

/// Keep the cursor on the screen, with a few rows around it, and the open card below it in the narrow layout: rather the
/// whole card than rows above the cursor.
fn scroll_to_cursor(model: &mut Model) {
    let Some(layout) = model.layout else { return };
    let height = usize::from(layout.diff.height).max(1);
    let card = if model.wheeled { 0 } else { open_card_rows(model) };
    let margin = (height / 8).min(3).min(if card < height { height - 1 - card } else { height });
    let (first, rows) = (ScreenPos::from(model.cursor), model.height(model.cursor, height));
    if rows + margin >= height && is_inside(model, height) {
        return;
    }
    let below = card.min(height.saturating_sub(margin + 1)).max(margin);
    if first < model.scrolled(model.top, i64::try_from(margin).unwrap_or(0)) {
        model.top = model.scrolled(first, -i64::try_from(margin).unwrap_or(0));
        return;
    }
    // A line that is taller than the screen is shown from its start.
    let own = rows.min(height.saturating_sub(below));
    let room = height.saturating_sub(own + below);
    let distance = model.rows_between(model.top, first, height * 2);
    if distance > room {
        let end_is_near = model.rows_between(model.end_of(model.cursor), model.end(), below);
        let room = height.saturating_sub(own + below.min(end_is_near));
        if distance > room {
            model.top = model.scrolled(first, -i64::try_from(room).unwrap_or(0));
        }
    }
}

/// What is said at the bottom lies above rows of the diff, but not above the one with the cursor.
fn scroll_above_message(model: &mut Model) {
    let Some(layout) = model.layout.filter(|layout| layout.footer.height > 1 && !model.wheeled) else { return };
    let room = usize::from(layout.diff.height.saturating_sub(layout.footer.height - 1).max(1));
    if model.rows_between(model.top, model.cursor.into(), room) >= room {
        model.top = model.scrolled(model.cursor.into(), 1 - i64::try_from(room).unwrap_or(1));
    }
}

/// Put the form at the lines that it is about, as far as they are on the screen.
fn place_form(model: &mut Model) {
    let Some((first, last)) = model.form_rows().map(RangeInclusive::into_inner) else { return };
    let Some(layout) = model.layout else { return };
    let limit = usize::from(layout.diff.height);
    let rows = |to: ScreenPos| u16::try_from(model.rows_between(model.top, to, limit)).unwrap_or(u16::MAX);
    // What has no lines stands at the cursor, where there is more to see of it than at the end of the screen.
    let is_above = model.end_of(last) < model.top;
    let (first, end) = if is_above {
        let cursor = rows(model.cursor.into());
        (cursor, cursor + 1)
    } else {
        (rows(first.into()), rows(model.end_of(last)) + 1)
    };
    let mut layout = layout;
    layout.put_form(first, end);
    model.layout = Some(layout);
}

/// Keep the cursor in the text on the screen: the line may be taller than that, or wider.
fn scroll_to_caret(model: &mut Model) {
    let (Some(layout), Some(at)) = (model.layout, model.caret_at(model.cursor)) else { return };
    let text = model.text_at(model.cursor).filter(|_| !model.wheeled);
    let (Some(text), Some(row)) = (text, model.row(model.cursor)) else { return };
    let part = &model.parts[model.cursor.part];
    let (height, columns) = (usize::from(layout.diff.height).max(1), model.text_columns(part, row));
    let display = model.display_of(part);
    if model.wrap {
        let rows = model.wrapped.rows_from(display, text.as_bytes(), columns, 0);
        let nth = rows.take_while(|row| row.start <= at).count().saturating_sub(1);
        let caret = ScreenPos { pos: model.cursor, nth };
        if caret < model.top {
            model.top = caret;
        } else if model.rows_between(model.top, caret, height) >= height {
            model.top = model.scrolled(caret, 1 - i64::try_from(height).unwrap_or(1));
        }
    } else {
        let column = display.column_of(text.as_bytes(), at);
        // Another column may be taken by what is wide, or by the mark of a line that goes on.
        let least = (column + 3).saturating_sub(columns).min(column);
        model.left = model.left.clamp(least, column);
    }
}

/// Whether the screen, of `height` rows, shows something of the row with the cursor.
fn is_inside(model: &Model, height: usize) -> bool {
    model.top.pos == model.cursor
        || (model.top.pos < model.cursor && model.rows_between(model.top, model.cursor.into(), height) < height)
}

/// How many rows below the cursor the open card reaches, where cards stand under their lines.
fn open_card_rows(model: &Model) -> usize {
    let Some(focus) = model.focus.filter(|focus| focus.part == model.cursor.part && model.is_narrow()) else {
        return 0;
    };
    let part = &model.parts[focus.part];
    let open = part.index_of(focus.subject);
    let is_open = |row: Row| matches!(row, Row::Card { annotation, .. } if Some(annotation as usize) == open);
    let rows = model.screen_rows(model.cursor.into()).skip_while(|(at, _)| at.pos == model.cursor);
    let rows = rows.take(usize::from(model.size.height));
    rows.enumerate().filter(|(_, (_, row))| is_open(*row)).map(|(index, _)| index + 1).last().unwrap_or(0)
}

/// Ask for what the visible rows lack: the diff of pending files, and colours.
fn want_visible(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(layout) = model.layout else { return };
    for (part, code, (start, end)) in plain_code(model, u32::from(layout.diff.height)) {
        if model.asked.insert((part, matches!(code, Code::Whole(_)), start)) {
            let section = Arc::clone(&model.parts[part].section);
            effects.push(Effect::Color { part, section, code, lines: (start, end) });
        }
    }
    count_lines(model, effects);
    want_whole(model, effects);
    if model.parts[model.cursor.part].pending && model.hurried != Some(model.cursor.part) {
        model.hurried = Some(model.cursor.part);
        effects.push(Effect::Prioritize(model.cursor.part));
    }
}

/// Ask how many lines the files have whose last lines are on the screen, or soon will be: what follows them is hidden, and
/// that is to be seen.
fn count_lines(model: &mut Model, effects: &mut Vec<Effect>) {
    let height = model.layout.map_or(0, |layout| usize::from(layout.diff.height));
    let is_end = |(pos, _): &(Pos, Row)| model.parts[pos.part].rows.len() <= pos.row + 2;
    let ends = model.rows_from(model.top.pos).take(2 * height).filter(is_end).map(|(pos, _)| pos.part);
    let wanting: Vec<usize> =
        ends.filter(|part| model.parts[*part].around.wants_count(model.parts[*part].section.tree())).collect();
    for index in wanting {
        let folder = model.review.folder.clone();
        let part = &mut model.parts[index];
        if !std::mem::replace(&mut part.around.is_counted, true) {
            let section = Arc::clone(&part.section);
            effects.push(Effect::ReadWhole(Box::new(ReadWhole { part: index, section, folder })));
        }
    }
}

/// Ask for the files on the screen in which something has moved: lines that were unfolded, or those of records.
fn want_whole(model: &mut Model, effects: &mut Vec<Effect>) {
    let height = model.layout.map_or(0, |layout| usize::from(layout.diff.height));
    let mut shown: Vec<usize> = model.rows_from(model.top.pos).take(height).map(|(pos, _)| pos.part).collect();
    shown.dedup();
    for index in shown {
        let folder = model.review.folder.clone();
        let part = &mut model.parts[index];
        let is_known = part.pending || part.around.whole().is_some() || part.around.is_wanted;
        if !is_known && (part.around.resumes() || !part.moved_on.is_empty()) {
            part.around.is_wanted = true;
            let section = Arc::clone(&part.section);
            effects.push(Effect::ReadWhole(Box::new(ReadWhole { part: index, section, folder })));
        }
    }
}

/// The code on the screen that has no colours yet, with some of what is above and below it: the part, what the lines are
/// of, the first one and one past the last.
fn plain_code(model: &Model, height: u32) -> Vec<(usize, Code, (u32, u32))> {
    let near = |line: u32, within: Range<u32>| {
        let end = line.saturating_add(height + COLOR_MARGIN).min(within.end);
        (line.saturating_sub(COLOR_MARGIN).max(within.start), end)
    };
    let mut wanted: Vec<(usize, Code, (u32, u32))> = Vec::new();
    let is_wanted = |wanted: &[(usize, Code, (u32, u32))], part: usize, is_around: bool, line: u32| {
        wanted.iter().any(|(other, code, (start, end))| {
            (*other, matches!(code, Code::Whole(_))) == (part, is_around) && (*start..*end).contains(&line)
        })
    };
    for (pos, row) in model.rows_from(model.top.pos).take(height as usize) {
        let part = &model.parts[pos.part];
        for (hunk, line) in row.lines() {
            if !part.colors.contains_key(&line) && !is_wanted(&wanted, pos.part, false, line) {
                let within = part.section.tree().hunks[hunk as usize].lines.clone();
                wanted.push((pos.part, Code::Hunk(hunk), near(line, within)));
            }
        }
        if let (Row::Around { line, .. }, Some(whole)) = (row, part.around.whole())
            && !part.around_colors.contains_key(&line)
            && !is_wanted(&wanted, pos.part, true, line)
        {
            let len = u32::try_from(whole.len()).unwrap_or(u32::MAX);
            wanted.push((pos.part, Code::Whole(Arc::clone(whole)), near(line, 0..len)));
        }
    }
    wanted
}

/// The lines of the diff on the screen: part, hunk, line.
fn visible_lines(model: &Model) -> impl Iterator<Item = (usize, u32, u32)> + '_ {
    let height = model.layout.map_or(0, |layout| usize::from(layout.diff.height));
    let rows = model.rows_from(model.top.pos).take(height);
    rows.flat_map(|(pos, row)| row.lines().map(move |(hunk, line)| (pos.part, hunk, line)))
}

/// Find the words that differ in the visible lines.
fn compare_words(model: &mut Model) {
    if !model.intraline {
        return;
    }
    let visible: Vec<_> = visible_lines(model).collect();
    for (part, _, line) in visible {
        let Part { section, reading, words, .. } = &mut model.parts[part];
        words.look_at(section, &reading.replaced, line);
    }
}
