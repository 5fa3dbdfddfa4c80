//! Parts annotated and laid out anew, cursor and view staying on what they show.

use std::collections::HashSet;

use bstr::BStr;

use super::super::card::COMPACT;
use super::super::filter::Facet;
use super::super::form::Target;
use super::super::model::{LaidFor, Model, Pos};
use super::super::part::Subject;
use super::super::prose;
use super::super::records::Placed;
use super::super::rows::{Folding, Row, Show};
use super::super::walk::ScreenPos;
use super::{files, filtering, searching, settle};

/// Annotate and lay out a part anew. The cursor stays on what it stands on, and that stays where it is on the screen.
pub(super) fn refresh(model: &mut Model, part: usize) {
    keeping_view(model, |model| refresh_rows(model, part));
}

/// Do something that moves rows; the cursor, where it is on the screen, stays as far below its top.
fn keeping_view(model: &mut Model, change: impl FnOnce(&mut Model)) {
    let limit = usize::from(model.size.height);
    // Who has not moved yet has seen nothing that would have to stay where it is.
    let is_at_start = (model.top, model.cursor) == (ScreenPos::default(), settle::start_pos(model));
    let above = model.rows_between(model.top, model.cursor.into(), limit);
    change(model);
    if is_at_start {
        model.top = ScreenPos::default();
        return;
    }
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

pub(super) fn annotate(model: &mut Model, part: usize) {
    let is_bare_wanted = part > 0 && model.filter.has(Facet::Uncovered);
    model.parts[part].hide_explained(is_bare_wanted);
    let is_whole = model.review.passages.is_some();
    let now = |placed: &Placed| model.parts[part].lines_now(*placed, &model.review.records, is_whole);
    let records: Vec<Placed> = records(model, part).iter().map(now).collect();
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
    let shown = (0u32..).zip(&model.talk.shown).filter(|(_, shown)| {
        let target = shown.comment.target();
        is_of_part(&target) || is_lost(&target)
    });
    let comments: Vec<_> = shown.map(|(index, shown)| (index, &shown.comment)).collect();
    model.parts[part].annotate(&records, &comments, |subject| !hidden.contains(&subject));
    model.parts[part].compare(&model.review.records, is_whole);
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
pub(super) fn subject(model: &Model, part: usize) -> &BStr {
    model.parts[part].section.tree().file.as_ref().map_or(b"".into(), |file| file.path.as_ref())
}

pub(super) fn lay_out(model: &mut Model, index: usize) {
    let LaidFor { is_narrow, is_split, width } = model.laid_for;
    // The first note brings the pane that it stands in.
    let is_narrow = is_narrow && (model.parts[index].annotations.is_empty() || !model.has_room_beside());
    if index == 0 {
        searching::outdated(model, 0);
        let inline = model.parts.iter().flat_map(|part| &part.reading.checks);
        model.parts[0].prose = prose::of(&model.review.document, inline, model.display, usize::from(width));
    }
    let open = model.open_card.as_ref().filter(|card| card.focus.part == index && is_narrow);
    let open = open.map(|card| (card.focus.subject, card.height()));
    let part = &model.parts[index];
    let mut folding = if part.is_opened { Folding::default() } else { model.looks.folding(&part.reading.contents) };
    // Documents need no title above them, unless something is said about all of them.
    let is_bare_title = index == 0 && model.review.is_of_documents() && part.annotations.is_empty();
    if part.is_hidden() || is_bare_title {
        folding.file = Show::Nothing;
    }
    if model.review.passages.is_some() {
        // Where all lines are there, no heading says which ones.
        let hunks = part.section.tree().hunks.len().max(folding.hunks.len());
        folding.hunks.resize(hunks, Show::Whole);
        folding.hunks.iter_mut().filter(|show| **show == Show::Whole).for_each(|show| *show = Show::Body);
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
