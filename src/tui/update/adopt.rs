//! What was read or written takes its place, and the reader stays where they were.

use std::collections::HashMap;
use std::sync::Arc;

use crate::document::{Document, Section};

use super::super::around::is_same_version;
use super::super::model::Model;
use super::super::msg::OnDisk;
use super::super::part::{Aside, Part, Reading, Subject};
use super::super::records::{RecordFile, RecordRef};
use super::super::talk::Shown;
use super::arrange::{annotate, lay_out, refresh, subject};
use super::spot::View;
use super::{drafts, files, lines, picking, reload, searching, talking};

/// A part was read, and what is known of its file besides. Whether it was awaited: somebody may have written the review
/// meanwhile.
pub(super) fn fill(model: &mut Model, part: usize, section: Arc<Section>, reading: Reading, aside: Aside) -> bool {
    if model.parts.get(part).is_none_or(|part| !part.pending) {
        return false;
    }
    if !Arc::ptr_eq(&section, &model.review.document.parts()[part]) {
        model.review.document.replace(part, Arc::clone(&section));
    }
    let has_checks = part > 0 && !reading.checks.is_empty();
    model.parts[part].aside = aside;
    model.parts[part].fill(section, reading);
    model.parts[part].test(&model.review.tests);
    model.pending -= 1;
    drafts::find_lines(model, part);
    refresh(model, part);
    if !model.parts[part].reading.outline.is_empty() {
        files::plant(model);
    }
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
    if let Some(mut news) = model.news.take() {
        reload::drop_unwritten(model, &mut news);
        (news.on_disk, news.readings) = (OnDisk::Same, HashMap::new());
        model.news = Some(news);
    }
    let view = View::of(model);
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
    talking::carry(model, &before, &model.review.document.clone(), &now);
    lines::carry(model, &before, &now);
    model.open_card = None;
    model.revealed = now.get(model.revealed).copied().flatten().unwrap_or(model.revealed);
    model.hurried = model.hurried.and_then(|part| now.get(part).copied().flatten());
    searching::renumber(model, &now, after.len());
    for (index, (section, kept)) in after.into_iter().zip(kept).enumerate() {
        take_section(model, index, section, kept, &mut readings);
    }
    // Comments on files that have gone stand in the head, and the summary has the checks of all parts.
    annotate(model, 0);
    lay_out(model, 0);
    model.pending = model.parts.iter().filter(|part| part.pending).count();
    model.asked.clear();
    view.restore(model, &now);
    files::plant(model);
    picking::renew(model);
}

/// Make `section` the next part: the one that was `kept`, read again where it says something else.
fn take_section(
    model: &mut Model,
    index: usize,
    section: Arc<Section>,
    kept: Option<Part>,
    readings: &mut HashMap<usize, Reading>,
) {
    let is_same = kept.as_ref().is_some_and(|part| !part.pending && Arc::ptr_eq(&part.section, &section));
    let mut part = kept.unwrap_or_else(|| Part::pending(&section));
    if is_same {
        return model.parts.push(part);
    }
    let reading = readings.remove(&index).unwrap_or_else(|| Reading::of(&section));
    if !part.pending && !is_same_version(&part.section, &section) {
        // Its numbers are those of lines that have moved since.
        model.review.tests.remove(section.path());
    }
    if part.reading.contents != reading.contents {
        // Commands ran on other code.
        model.witnessed.clear();
    }
    part.fill(section, reading);
    part.test(&model.review.tests);
    model.parts.push(part);
    annotate(model, index);
    lay_out(model, index);
    searching::outdated(model, index);
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
