//! What holds after every message: parts are laid out, the cursor is on the screen, visible lines have their colours.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use bstr::BStr;

use crate::document::{Document, Section};

use super::super::card::{COMPACT, FRAME, INDENT};
use super::super::effect::Effect;
use super::super::filter::Facet;
use super::super::form::Target;
use super::super::highlight::Run;
use super::super::layout::{Layout, MAXIMUM, Size, Wants};
use super::super::model::{LaidFor, Mode, Model, OpenCard, Pos};
use super::super::msg::OnDisk;
use super::super::part::{Part, Reading, Subject};
use super::super::prose;
use super::super::records::{Placed, RecordFile, RecordRef};
use super::super::rows::{Folding, Row, Show};
use super::super::talk::Shown;
use super::super::walk::ScreenPos;
use super::spot::{Card, Spot, Stood};
use super::{files, filtering, picking, searching};

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
    model.cursor = Pos { part: 1.min(model.parts.len() - 1), row: 0 };
}

/// A part was read. Whether it was awaited: somebody may have written the review meanwhile.
pub(super) fn fill(model: &mut Model, part: usize, section: Arc<Section>, reading: Reading) -> bool {
    if model.parts.get(part).is_none_or(|part| !part.pending) {
        return false;
    }
    if !Arc::ptr_eq(&section, &model.review.document.parts()[part]) {
        model.review.document.replace(part, Arc::clone(&section));
    }
    let has_checks = part > 0 && !reading.checks.is_empty();
    model.parts[part].fill(section, reading);
    model.parts[part].test(&model.review.tests);
    model.pending -= 1;
    refresh(model, part);
    if has_checks {
        refresh(model, 0);
    }
    true
}

/// A part can't be read; what is known of it stays. Whether it was awaited.
pub(super) fn give_up(model: &mut Model, part: usize, reason: String) -> bool {
    let is_awaited = model.parts.get(part).is_some_and(|part| part.pending);
    if is_awaited {
        model.parts[part].pending = false;
        model.parts[part].failure = Some(reason);
        model.pending -= 1;
        refresh(model, part);
    }
    is_awaited
}

/// The review was written: parts that are not the ones we have are read again. Somebody else may have added files or
/// taken some away, so everything that names a part by its number is given the new one.
pub(super) fn adopt(model: &mut Model, document: Document) {
    adopt_read(model, document, HashMap::new());
}

/// The same; `readings` have been made of some of its parts. Cursor, view, selection and open card stay with what they
/// stand on, wherever that is by now.
pub(super) fn adopt_read(model: &mut Model, document: Document, mut readings: HashMap<usize, Reading>) {
    // What was found on disk before this was written is no news any more.
    if let Some(news) = &mut model.news {
        (news.on_disk, news.readings) = (OnDisk::Same, HashMap::new());
    }
    let limit = usize::from(model.size.height);
    let above = model.rows_between(model.top, model.cursor.into(), limit);
    let is_at_top = model.top == ScreenPos::default();
    let (cursor, top) = (Spot::of(model, model.cursor), Spot::of(model, model.top.pos));
    let (anchor, card) = (model.anchor.map(|anchor| Spot::of(model, anchor)), Card::of(model, model.focus));
    let files = if let Mode::Files(from) = model.mode { Some(from) } else { None };
    let from = [model.prompt.as_ref().map(|prompt| prompt.from), model.pick.as_ref().map(|pick| pick.from), files];
    let from = from.map(|from| from.map(|from| Stood::of(model, from)));
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
    model.open_card = None;
    model.hurried = model.hurried.and_then(|part| now.get(part).copied().flatten());
    searching::renumber(model, &now, after.len());
    for (index, (section, kept)) in after.into_iter().zip(kept).enumerate() {
        let is_same = kept.as_ref().is_some_and(|part| Arc::ptr_eq(&part.section, &section));
        let mut part = kept.unwrap_or_else(|| Part::pending(&section));
        if !is_same {
            let reading = readings.remove(&index).unwrap_or_else(|| Reading::of(&section));
            part.fill(section, reading);
            part.test(&model.review.tests);
        }
        model.parts.push(part);
        if !is_same {
            annotate(model, index);
            lay_out(model, index);
            searching::outdated(model, index);
        }
    }
    // The summary has the checks of all parts.
    lay_out(model, 0);
    model.pending = model.parts.iter().filter(|part| part.pending).count();
    model.asked.clear();
    model.cursor = cursor.find(model, &now);
    model.anchor = anchor.map(|anchor| anchor.find(model, &now));
    model.top.pos = top.find(model, &now);
    if is_at_top {
        model.top = ScreenPos::default();
    } else if above < limit {
        model.top = model.scrolled(model.cursor.into(), -i64::try_from(above).unwrap_or(0));
    }
    model.focus = card.and_then(|card| card.find(model, &now));
    let [prompt, pick, files] = from.map(|stood| stood.map(|stood| stood.find(model, &now)));
    model.prompt.iter_mut().zip(prompt).for_each(|(prompt, from)| prompt.from = from);
    model.pick.iter_mut().zip(pick).for_each(|(pick, from)| pick.from = from);
    if let (Mode::Files(_), Some(from)) = (&model.mode, files) {
        model.mode = Mode::Files(from);
    }
    files::plant(model);
    picking::renew(model);
}

/// Take what a Markback file says now: every part gets its own records. The index of the file.
pub(super) fn take_records(model: &mut Model, file: RecordFile) -> usize {
    // What was found on disk before is no news any more.
    if let Some(records) = model.news.as_mut().and_then(|news| news.records.as_mut()) {
        records.iter_mut().filter(|known| known.place.path == file.place.path).for_each(|known| *known = file.clone());
    }
    let open = open_record(model, &file);
    let index = model.review.records.put(file);
    for part in 0..model.parts.len() {
        // A record that has gone is in the part, one that is new is not.
        let is_known = model.parts[part]
            .annotations
            .iter()
            .any(|annotation| matches!(annotation.subject, Subject::Record(record) if record.file == index));
        let is_named = || {
            let records = model.review.records.on(subject(model, part));
            records.iter().any(|placed| placed.record.file == index)
        };
        if !model.parts[part].pending && (is_known || is_named()) {
            refresh(model, part);
        }
    }
    if let (Some(focus), Some(record)) = (&mut model.focus, open) {
        focus.subject = Subject::Record(RecordRef { file: index, record });
    }
    index
}

/// Where in `file` the record is now whose card is open, if it is one of that file: the same one, or else the one with
/// its id.
fn open_record(model: &Model, file: &RecordFile) -> Option<usize> {
    let Subject::Record(open) = model.focus?.subject else { return None };
    let known = model.review.records.file(open).filter(|known| known.place.path == file.place.path)?;
    let record = known.text.record(open.record)?;
    let same = file.text.records().position(|other| other == record);
    same.or_else(|| file.text.with_id(record.id.as_deref()?))
}

/// The comments for the agent are others now: every part gets its own.
pub(super) fn take_comments(model: &mut Model, before: &[Shown]) {
    let open = match model.focus.map(|focus| focus.subject) {
        Some(Subject::Comment(index)) => before.get(index as usize).map(|shown| shown.comment.id.clone()),
        _ => None,
    };
    let files = |shown: &[Shown]| shown.iter().map(|shown| shown.comment.target().file).collect::<Vec<_>>();
    let touched = [files(before), files(&model.talk.shown)].concat();
    for part in 0..model.parts.len() {
        let is_touched = part == 0 || touched.iter().flatten().any(|file| file == subject(model, part));
        if is_touched && !model.parts[part].pending {
            refresh(model, part);
        }
    }
    if let (Some(focus), Some(id)) = (&mut model.focus, open) {
        let index = model.talk.shown.iter().position(|shown| shown.comment.id == id);
        match index.and_then(|index| u32::try_from(index).ok()) {
            Some(index) => focus.subject = Subject::Comment(index),
            None => model.focus = None,
        }
    }
}

/// The screen has another size.
pub(super) fn resize(model: &mut Model, size: Size) {
    model.size = size.at_most(MAXIMUM);
}

/// Draw with another theme, and ask for other colours of code.
pub(super) fn use_theme(model: &mut Model, name: String, effects: &mut Vec<Effect>) {
    if model.theme == name {
        return;
    }
    model.parts.iter_mut().for_each(|part| part.colors.clear());
    model.asked.clear();
    model.theme.clone_from(&name);
    effects.push(Effect::UseTheme(name));
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
    keeping_view(model, |model| refresh_rows(model, part));
}

/// Do something that moves rows; the cursor, where it is on the screen, stays as far below its top.
fn keeping_view(model: &mut Model, change: impl FnOnce(&mut Model)) {
    let limit = usize::from(model.size.height);
    let above = model.rows_between(model.top, model.cursor.into(), limit);
    change(model);
    let is_there = above < limit && model.row(model.cursor).is_some();
    if is_there && model.rows_between(model.top, model.cursor.into(), limit) != above {
        model.top = model.scrolled(model.cursor.into(), -i64::try_from(above).unwrap_or(0));
    }
}

/// Annotate and lay out a part anew, cursor and view staying on what they show.
fn refresh_rows(model: &mut Model, part: usize) {
    if model.open_card.as_ref().is_some_and(|card| card.focus.part == part) {
        model.open_card = None;
    }
    keeping_place(model, part, |model| {
        annotate(model, part);
        lay_out(model, part);
    });
    searching::outdated(model, part);
}

fn annotate(model: &mut Model, part: usize) {
    let is_bare_wanted = part > 0 && model.filter.has(Facet::Uncovered);
    model.parts[part].hide_explained(is_bare_wanted);
    let records = records(model, part).to_vec();
    let notes =
        (0..model.parts[part].reading.faces.len()).map(|note| Subject::Note(u32::try_from(note).unwrap_or(u32::MAX)));
    let all = notes.chain(records.iter().map(|placed| Subject::Record(placed.record)));
    let is_hidden =
        |subject: &Subject| !filtering::traits(model, part, *subject).is_none_or(|traits| model.filter.admits(traits));
    let hidden: HashSet<Subject> = if model.filter.is_on() { all.filter(is_hidden).collect() } else { HashSet::new() };
    let path = subject(model, part);
    let is_of_part = |target: &Target| match &target.file {
        Some(file) => part > 0 && !path.is_empty() && file == path,
        None => part == 0,
    };
    // What is about a file that has gone from the review stands with what is about all of it.
    let is_lost = |target: &Target| {
        part == 0
            && target.file.as_ref().is_some_and(|file| (1..model.parts.len()).all(|part| file != subject(model, part)))
    };
    let comments = (0u32..).zip(&model.talk.shown).map(|(index, shown)| (index, shown.comment.target()));
    let comments: Vec<_> = comments.filter(|(_, target)| is_of_part(target) || is_lost(target)).collect();
    model.parts[part].annotate(&records, &comments, |subject| !hidden.contains(&subject));
    model.parts[part].compare(&model.review.records);
}

/// The records about the file of a part.
pub(super) fn records(model: &Model, part: usize) -> &[Placed] {
    let is_nameless = part > 0 && subject(model, part).is_empty();
    if is_nameless { &[] } else { model.review.records.on(subject(model, part)) }
}

/// What is shown of the review is another part of it: lay everything out anew.
pub(super) fn show_anew(model: &mut Model) {
    for part in 0..model.parts.len() {
        refresh_rows(model, part);
    }
    files::plant(model);
}

/// The path of the file of a part; empty for what is about no file.
fn subject(model: &Model, part: usize) -> &BStr {
    model.parts[part].section.tree().file.as_ref().map_or(b"".into(), |file| file.path.as_ref())
}

fn lay_out(model: &mut Model, index: usize) {
    let LaidFor { is_narrow, is_split, width } = model.laid_for;
    if index == 0 {
        searching::outdated(model, 0);
        let inline = model.parts.iter().flat_map(|part| &part.reading.checks);
        model.parts[0].prose = prose::of(model.review.document.meta(), inline, model.display, usize::from(width));
    }
    let open = model.open_card.as_ref().filter(|card| card.focus.part == index && is_narrow);
    let open = open.map(|card| (card.focus.subject, card.height()));
    let part = &model.parts[index];
    let mut folding = if part.is_opened { Folding::default() } else { model.looks.folding(&part.reading.contents) };
    if part.is_hidden() {
        folding.file = Show::Nothing;
    }
    let hidden = part.hidden_hunks.iter().enumerate().filter(|(_, is_hidden)| **is_hidden);
    for (hunk, _) in hidden {
        folding.hunks.resize(folding.hunks.len().max(hunk + 1), Show::Whole);
        folding.hunks[hunk] = Show::Nothing;
    }
    model.parts[index].lay_out(&folding, is_split, |annotation| match open {
        _ if !is_narrow => 0,
        Some((subject, height)) if subject == annotation.subject => u32::from(height),
        _ => u32::from(COMPACT),
    });
}

/// Lay parts out anew, of which more or less is shown than before.
pub(super) fn fold(model: &mut Model, parts: std::ops::Range<usize>) {
    keeping_view(model, |model| parts.for_each(|part| lay_out_again(model, part)));
}

/// Lay a part out anew, cursor and view staying on what they show.
pub(super) fn lay_out_again(model: &mut Model, part: usize) {
    keeping_place(model, part, |model| lay_out(model, part));
}

/// Where everything is on the screen, and for what the rows have to be laid out.
fn measure(model: &mut Model) {
    let form = model.form.as_ref().map(|form| form.height(model.form_width()));
    model.layout = Layout::of(model.size, Wants { form, files: model.files, split: model.split, panes: model.panes });
    let width = model.layout.map_or(80, |layout| layout.diff.width);
    model.laid_for = LaidFor { is_narrow: model.is_narrow(), is_split: model.is_split(), width };
}

/// Do something that moves the rows of a part; cursor, view and selection stay on what they stood on.
fn keeping_place(model: &mut Model, part: usize, change: impl FnOnce(&mut Model)) {
    let row = |model: &Model, pos: Pos| if pos.part == part { model.row(pos) } else { None };
    let (cursor, top) = (row(model, model.cursor), row(model, model.top.pos));
    let anchor = model.anchor.and_then(|anchor| row(model, anchor));
    change(model);
    let found = |pos: Pos, row: Option<Row>| match row {
        Some(row) => Pos { part, row: model.parts[part].rows.find(row).unwrap_or(pos.row) },
        None => pos,
    };
    (model.cursor, model.top.pos, model.anchor) =
        (found(model.cursor, cursor), found(model.top.pos, top), model.anchor.map(|pos| found(pos, anchor)));
}

/// Make what was said above true.
pub(super) fn settle(model: &mut Model, effects: &mut Vec<Effect>) {
    let before = model.laid_for;
    measure(model);
    if model.laid_for != before {
        for part in 0..model.parts.len() {
            // Beside the notes only the summary depends on the width.
            if part == 0 || model.laid_for.is_narrow || before.is_narrow || model.laid_for.is_split != before.is_split {
                lay_out_again(model, part);
            }
        }
    }
    clamp(model);
    open_card(model);
    scroll_to_cursor(model);
    want_visible(model, effects);
    compare_words(model);
    searching::want(model, effects);
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
        model.card_top = 0;
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
    let open = part.annotations.iter().position(|annotation| annotation.subject == focus.subject);
    let is_open = |row: Row| matches!(row, Row::Card { annotation, .. } if Some(annotation as usize) == open);
    let rows = model.screen_rows(model.cursor.into()).skip_while(|(at, _)| at.pos == model.cursor);
    let rows = rows.take(usize::from(model.size.height));
    rows.enumerate().filter(|(_, (_, row))| is_open(*row)).map(|(index, _)| index + 1).last().unwrap_or(0)
}

/// Ask for what the visible rows lack: the diff of pending files, and colours.
fn want_visible(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(layout) = model.layout else { return };
    let mut wanted: Vec<(usize, u32, u32)> = Vec::new();
    for (part, hunk, line) in visible_lines(model) {
        if !model.parts[part].colors.contains_key(&line)
            && wanted.last().is_none_or(|(other, last, _)| (*other, *last) != (part, hunk))
        {
            wanted.push((part, hunk, line));
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
