//! Writing notes and records to disk. Under a lock the file is read again, and what was written goes into the text that
//! is there now: somebody else may be writing too.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::document::edit::append_note;
use crate::document::{Document, NoteRef, Section, Selector};
use crate::document::{Presence, named_lines, presence};
use crate::error::Error;
use crate::markback::{Action, Markback, Unwritable, append};
use crate::store;
use crate::verify::written;

use super::effect::{AppendNote, AppendRecord, Resolve, WriteOutcomes};
use super::msg::{Msg, Outcomes, Resolved, Saved, SavedState};
use super::records::RecordFile;

/// Append a note to the review; the answer for the reviewer.
#[must_use]
pub fn append_note_to(job: &AppendNote) -> Msg {
    let write = |path: PathBuf| {
        store::update_with(&path, |current| {
            let document = match current {
                Some(text) => sharing(&job.document, text),
                None => job.document.clone(),
            };
            let part = job.document.counterparts(&document)[job.part].ok_or(Refusal::SectionGone)?;
            let section = &document.parts()[part];
            let is_gone = presence(section, job.note.selector) == Presence::None;
            if is_gone || named(section, job.note.selector) != named(&job.document.parts()[job.part], job.note.selector)
            {
                return Err(Refusal::LinesGone);
            }
            let after = document.edited(&append_note(&document, part, &job.note));
            let note = after.parts()[part].tree().notes.len().saturating_sub(1);
            Ok((after.to_bytes(), (after, NoteRef { part, note })))
        })
    };
    match allowed(&job.path, job.within.as_deref()).map_err(Refusal::from).and_then(write) {
        Ok((_, (document, note))) => saved(job.ticket, &job.path, SavedState::Review { document, note }),
        Err(refusal) => failed(job.ticket, &refusal),
    }
}

/// Append a record to a Markback file, signed now; the answer for the reviewer.
#[must_use]
pub fn append_record_to(job: &AppendRecord, now: &str) -> Msg {
    let write = |path: PathBuf| {
        store::update(&path, |current| {
            let existing = current.unwrap_or_default();
            let file = Markback::parse(existing.to_vec());
            let mut record = job.record.clone();
            if let Some(id) = &record.reply_to {
                let answered = file.with_id(id).and_then(|index| file.answer_to(index));
                record.file = answered.ok_or(Refusal::RecordGone)?.file;
            }
            record.id = Some(file.free_id().into());
            let actor = (!job.author.is_empty()).then(|| job.author.as_str().into());
            record.by.clone_from(&actor);
            record.actions.push(Action { verb: "created".into(), timestamp: now.into(), actor });
            Ok(append(existing, &record)?.apply(existing))
        })
    };
    let place = &job.place;
    match store::inside(&place.path, &place.within).map_err(Refusal::from).and_then(write) {
        Ok(text) => {
            let file = RecordFile { place: place.clone(), text: Markback::parse(text) };
            saved(job.ticket, &place.path, SavedState::Records(file))
        }
        Err(refusal) => failed(job.ticket, &refusal),
    }
}

/// Resolve a record or open it again, at `now`; the answer for the reviewer.
#[must_use]
pub fn resolve_in(job: &Resolve, now: &str) -> Msg {
    let write = |path: PathBuf| {
        // A file that has gone in the meantime must not come back without its records.
        store::read(&path)?;
        store::update_with(&path, |current| {
            let file = Markback::parse(current.unwrap_or_default().to_vec());
            let index = known_again(&file, job).ok_or(Refusal::RecordGone)?;
            let actor = (!job.author.is_empty()).then_some(job.author.as_str());
            let edit = file.resolve(index, job.is_resolved, now, actor)?;
            let is_new = edit.is_some();
            let text = edit.map_or_else(|| file.text().clone(), |edit| edit.apply(file.text()).into());
            Ok::<_, Refusal>((text, (index, is_new)))
        })
    };
    let place = &job.place;
    match store::inside(&place.path, &place.within).map_err(Refusal::from).and_then(write) {
        Ok((text, (index, is_new))) => Msg::Resolved(Box::new(Resolved {
            file: RecordFile { place: place.clone(), text: Markback::parse(text) },
            index,
            is_resolved: job.is_resolved,
            is_new,
        })),
        Err(refusal) => Msg::ResolveFailed(refusal.to_string()),
    }
}

/// The record that `job` is about in the file as it is now: the same words, at the same place rather than at another one;
/// else the one with its id, which somebody else has done something to.
fn known_again(file: &Markback, job: &Resolve) -> Option<usize> {
    let is_it = |index: &usize| file.record(*index).as_ref() == Some(&job.record);
    Some(job.index)
        .filter(is_it)
        .or_else(|| file.records().position(|record| record == job.record))
        .or_else(|| file.with_id(job.record.id.as_deref()?))
}

/// Write what came out of commands into the review, at `now`; the answer for the reviewer.
#[must_use]
pub fn write_outcomes_to(job: &WriteOutcomes, now: &str) -> Msg {
    let write = |path: PathBuf| {
        store::update_existing(&path, |current| {
            let document = sharing(&job.document, current);
            let written = written(&job.plan, &job.runs, &document, now);
            Ok::<_, Error>((written.document.to_bytes(), written))
        })
    };
    match allowed(&job.path, job.within.as_deref()).and_then(write) {
        Ok((_, written)) => Msg::OutcomesWritten(Box::new(Outcomes {
            document: written.document,
            count: written.count,
            left: written.left,
            place: name(&job.path),
        })),
        Err(error) => Msg::OutcomesFailed(error.to_string()),
    }
}

/// The file that `path` leads to, which lies in `within` where nobody has typed its name.
pub(super) fn allowed(path: &Path, within: Option<&Path>) -> Result<PathBuf, Error> {
    within.map_or_else(|| Ok(path.to_owned()), |folder| store::inside(path, folder))
}

/// The name of the file at `path`.
fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Why a note was not written.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    #[error("the file's section is no longer in the review: open it again and write the note there")]
    SectionGone,
    #[error("the lines are no longer in the review's diff: choose others")]
    LinesGone,
    #[error("the record is no longer in its file: open the review again to see what is")]
    RecordGone,
    #[error(transparent)]
    Record(#[from] Unwritable),
    #[error(transparent)]
    Outside(#[from] Error),
}

fn saved(ticket: u64, path: &Path, state: SavedState) -> Msg {
    Msg::Saved(Box::new(Saved { ticket, place: name(path), state }))
}

fn failed(ticket: u64, refusal: &Refusal) -> Msg {
    Msg::SaveFailed { ticket, reason: refusal.to_string() }
}

/// The document that `text` is; parts that are as in `known` are shared with it, wherever they stand by now.
pub(super) fn sharing(known: &Document, text: &[u8]) -> Document {
    let mut document = Document::parse(text.to_vec());
    if document.newline() != known.newline() {
        return document;
    }
    // By their text and not by their path: to know the path of a part it has to be read, which sharing is to spare.
    let parts: HashMap<&[u8], &Arc<Section>> = known.parts().iter().map(|part| (part.text().as_ref(), part)).collect();
    for index in 0..document.parts().len() {
        if let Some(part) = parts.get(document.parts()[index].text().as_ref()) {
            document.replace(index, Arc::clone(part));
        }
    }
    document
}

/// The text of the lines that `selector` names: what a note is about, whatever numbers it goes by.
fn named(section: &Section, selector: Selector) -> Vec<&[u8]> {
    let tree = section.tree();
    let Some((first, last)) = named_lines(tree, selector) else { return Vec::new() };
    let lines = &tree.lines[first as usize..=last as usize];
    lines.iter().map(|line| section.line_text(line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_have_not_changed_are_shared_wherever_they_stand() {
        let known = Document::parse("@file a\n@file b\n@note file\nwhy: x\n@file c\n");
        let after = sharing(&known, b"@file new\n@file a\n@file b\n@note file\nwhy: y\n@file c\n");
        let shared = |index: usize| known.parts().iter().position(|part| Arc::ptr_eq(part, &after.parts()[index]));
        assert_eq!((0..after.parts().len()).map(shared).collect::<Vec<_>>(), [Some(0), None, Some(1), None, Some(3)]);
    }
}
