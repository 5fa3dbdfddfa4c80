//! What is to become of a file that we write, as a value, and the edit that it comes to in the text that is there. Pure.
//!
//! Every change finds its place by what it is about, not by an offset: somebody else may have written since the reviewer
//! has read the file.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use bstr::BString;
use bytes::Bytes;

use crate::document::edit::{
    EditError, NewNote, WrittenNote, add_claim, amend_note, append_notes, append_written, delete_note, rewrite_note,
    set_review, set_summary,
};
use crate::document::{Document, NoteRef, Presence, Review, ReviewStatus, Section, Selector, named_lines, presence};
use crate::error::Error;
use crate::markback::{Action, Markback, Record, Unwritable, add_id, amend, append, remove};
use crate::text::edit::Edit;
use crate::verify::{Left, Plan, Ran, written};

use super::history::Reversal;
use super::records::Place;

/// A change on its way to disk.
#[derive(Debug, Clone)]
pub struct Write {
    /// Names it in the answer.
    pub ticket: u64,
    /// Who writes.
    pub author: String,
    /// What is to be changed.
    pub change: Change,
}

/// What is to be changed in which file.
#[derive(Debug, Clone)]
pub enum Change {
    /// The review.
    Review(ReviewFile, ReviewChange),
    /// A Markback file.
    Records(Place, RecordChange),
}

impl Change {
    /// The change that takes another one back; `review` is asked for when that was one of the review.
    #[must_use]
    pub fn taking_back(reversal: &Reversal, review: impl FnOnce() -> ReviewFile) -> Self {
        match reversal.records() {
            Some(place) => Self::Records(place.clone(), RecordChange::TakeBack(reversal.clone())),
            None => Self::Review(review(), ReviewChange::TakeBack(reversal.clone())),
        }
    }
}

/// The review as the reviewer knows it.
#[derive(Debug, Clone)]
pub struct ReviewFile {
    /// Where it is.
    pub path: PathBuf,
    /// The folder that it must not lead out of.
    pub within: Option<PathBuf>,
    /// What it says.
    pub document: Document,
}

/// A change of a review. Parts are those of the document that the reviewer knows.
#[derive(Debug, Clone)]
pub enum ReviewChange {
    /// New notes at the end of a part: all of them or none.
    Append(usize, Vec<NewNote>),
    /// A new note there, as it was written down.
    AppendWritten(usize, WrittenNote),
    /// A note that read like the first says the second.
    Amend(Known, Box<[NewNote; 2]>),
    /// A note is written anew.
    Rewrite(Known, WrittenNote),
    /// A note has one more claim.
    Claim(Known, String),
    /// A note goes.
    Delete(Known),
    /// The reviewer's decision, by the author and now; and what the summary is to be, where it is changed.
    Decide(ReviewStatus, Option<Summary>),
    /// What came out of commands.
    Outcomes(Arc<Plan>, Vec<Option<Ran>>),
    /// A change is taken back.
    TakeBack(Reversal),
}

/// A summary, written anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// What it is to be.
    pub text: String,
    /// What it has to be still; `None`: whatever it is.
    pub before: Option<String>,
}

/// A change of a Markback file; its records are named by their index and how they were read.
#[derive(Debug, Clone)]
pub enum RecordChange {
    /// A new record at the end, signed now; one that answers another is about the file that the other one is about.
    Append(Record<'static>),
    /// The first record, which has no id, is given one, and the second, which is new and signed now, answers it.
    AnswerNameless(usize, Box<[Record<'static>; 2]>),
    /// A record has another feedback.
    Amend(usize, Record<'static>, String),
    /// A record goes.
    Delete(usize, Record<'static>),
    /// A record is resolved, or open again.
    Resolve(usize, Record<'static>, bool),
    /// A change is taken back.
    TakeBack(Reversal),
}

/// A note that is in the review already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// Where it was.
    pub at: NoteRef,
    /// Its lines, without blanks at the end.
    pub text: BString,
}

/// What was found out beside the edit.
#[derive(Debug, Clone, Default)]
pub enum Found {
    /// The note is there now, the first of several.
    Note(NoteRef),
    /// The record is there now.
    Record(usize),
    /// So many claims and checks were written, and these were not.
    Outcomes(usize, Vec<Left>),
    /// Nothing.
    #[default]
    Nothing,
}

/// Why a change was not made.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the sentences say it")]
pub enum Refusal {
    #[error("the file's section is no longer in the review: open it again and write the note there")]
    SectionGone,
    #[error("the lines are no longer in the review's diff: choose others")]
    LinesGone,
    #[error("the selector `{0}` names no line of the diff: choose lines that it has")]
    NoSuchLines(Selector),
    #[error("the note is no longer in the review as it was: somebody has changed it since")]
    NoteChanged,
    #[error("the record is no longer in its file: open the review again to see what is")]
    RecordGone,
    #[error("the record is no longer as it was: somebody has changed it since")]
    RecordChanged,
    #[error("the summary is no longer as it was: somebody has changed it since")]
    SummaryChanged,
    #[error("what was written is no longer there as it was: somebody has changed it since")]
    StepGone,
    #[error(transparent)]
    Edit(#[from] EditError),
    #[error(transparent)]
    Record(#[from] Unwritable),
    #[error(transparent)]
    Outside(#[from] Error),
}

impl Refusal {
    /// Whether what it was about is not there any more as it was.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        matches!(self, Self::NoteChanged | Self::RecordChanged | Self::SummaryChanged | Self::StepGone)
    }
}

impl Known {
    /// The note at `at` of `document`.
    #[must_use]
    pub fn of(document: &Document, at: NoteRef) -> Self {
        Self {
            at,
            text: document.parts()[at.part].note_views().nth(at.note).map(|view| view.raw().into()).unwrap_or_default(),
        }
    }

    /// Which note of `section` it is: the one at its own place, or else the nearest below it, or above.
    #[must_use]
    pub fn in_section(&self, section: &Section) -> Option<usize> {
        let texts: Vec<&[u8]> = note_texts(section).collect();
        let is_it = |note: &usize| texts[*note] == self.text.as_slice();
        (self.at.note..texts.len()).find(is_it).or_else(|| (0..texts.len().min(self.at.note)).rev().find(is_it))
    }

    /// Where it is in `now`, which has become of `known`: as it was, at the same place rather than at another one.
    fn found(&self, known: &Document, now: &Document) -> Option<NoteRef> {
        let (part, section) = self.section(known, now)?;
        Some(NoteRef { part, note: self.in_section(section)? })
    }

    /// The same, or else the only note with its header line, of which something was changed.
    fn found_roughly(&self, known: &Document, now: &Document) -> Option<NoteRef> {
        self.found(known, now).or_else(|| {
            let (part, section) = self.section(known, now)?;
            let header = |text: &[u8]| text.split(|byte| *byte == b'\n').next().map(<[u8]>::to_vec);
            let is_it = |(_, text): &(usize, &[u8])| header(text) == header(&self.text);
            let mut found = note_texts(section).enumerate().filter(is_it);
            found.next().filter(|_| found.next().is_none()).map(|(note, _)| NoteRef { part, note })
        })
    }

    fn section<'a>(&self, known: &Document, now: &'a Document) -> Option<(usize, &'a Section)> {
        let part = (*known.counterparts(now).get(self.at.part)?)?;
        Some((part, now.parts()[part].as_ref()))
    }
}

/// The notes of a section, each as its lines.
fn note_texts(section: &Section) -> impl Iterator<Item = &[u8]> {
    section.note_views().map(|view| view.raw())
}

impl ReviewChange {
    /// Whether it is made in a review that is not on disk yet, or not any more: that comes with it then.
    #[must_use]
    pub fn may_create(&self) -> bool {
        matches!(self, Self::Append(..) | Self::AppendWritten(..) | Self::Decide(..))
    }

    /// The edit of `now`, which has become of the document that is `known`; and what is found out with it.
    ///
    /// # Errors
    /// When what the change is about is not there any more, or cannot be changed like that.
    pub fn edit(&self, known: &Document, now: &Document, author: &str, time: &str) -> Result<(Edit, Found), Refusal> {
        let kept = |note: &Known| note.found(known, now).ok_or(Refusal::NoteChanged);
        Ok(match self {
            Self::Append(part, notes) => {
                let here = same_lines(known, *part, now, notes.iter().map(|note| note.selector))?;
                (append_notes(now, here, notes), Found::Note(next_note(now, here)))
            }
            Self::AppendWritten(part, note) => {
                has_lines(&known.parts()[*part], note.selector())?;
                let here = same_lines(known, *part, now, [note.selector()])?;
                (append_written(now, here, note)?, Found::Note(next_note(now, here)))
            }
            Self::Amend(note, said) => {
                let [before, wanted] = &**said;
                let at = kept(note)?;
                if wanted.selector != now.parts()[at.part].tree().notes[at.note].selector {
                    has_lines(&now.parts()[at.part], wanted.selector)?;
                }
                (amend_note(now, at, before, wanted)?, Found::Note(at))
            }
            Self::Rewrite(note, wanted) => {
                let at = kept(note)?;
                if wanted.selector() != now.parts()[at.part].tree().notes[at.note].selector {
                    has_lines(&now.parts()[at.part], wanted.selector())?;
                }
                (rewrite_note(now, at, wanted)?, Found::Note(at))
            }
            Self::Claim(note, claim) => {
                let at = note.found_roughly(known, now).ok_or(Refusal::NoteChanged)?;
                (add_claim(now, at, claim)?, Found::Note(at))
            }
            Self::Delete(note) => (delete_note(now, kept(note)?)?, Found::Nothing),
            Self::Decide(status, summary) => {
                let by = (!author.is_empty()).then(|| author.to_owned());
                let review = Review { status: *status, by, at: Some(time.to_owned()) };
                let is_decided = now.meta().review.as_ref().map_or(ReviewStatus::Pending, |review| review.status);
                // Who writes the summary alone decides nothing.
                let is_same = is_decided == *status && summary.is_some();
                let edit = if is_same { Edit::default() } else { set_review(now, &review)? };
                let Some(Summary { text, before }) = summary else { return Ok((edit, Found::Nothing)) };
                let there = now.meta().summary.as_deref().unwrap_or_default();
                if before.as_ref().is_some_and(|before| before != there) {
                    return Err(Refusal::SummaryChanged);
                }
                (edit.then(&set_summary(&now.edited(&edit), text)?), Found::Nothing)
            }
            Self::Outcomes(plan, runs) => {
                let written = written(plan, runs, now, time);
                (written.edit, Found::Outcomes(written.count, written.left))
            }
            Self::TakeBack(reversal) => {
                let edit = reversal.in_review(now).ok_or(Refusal::StepGone)?;
                let found = come_note(now, &now.edited(&edit)).map_or(Found::Nothing, Found::Note);
                (edit, found)
            }
        })
    }
}

/// The first note of `after` that `before` does not have as it is there: one that has come, or is another one now.
fn come_note(before: &Document, after: &Document) -> Option<NoteRef> {
    let known: HashSet<_> = before.parts().iter().map(Arc::as_ptr).collect();
    let was = after.counterparts(before);
    let mut others = after.parts().iter().enumerate().filter(|(_, section)| !known.contains(&Arc::as_ptr(section)));
    others.find_map(|(part, section)| {
        let before = was[part].map(|part| &before.parts()[part]);
        let mut known: Vec<&[u8]> = before.map_or_else(Vec::new, |section| note_texts(section).collect());
        let is_new = |text: &[u8]| match known.iter().position(|known| *known == text) {
            Some(at) => {
                known.swap_remove(at);
                false
            }
            None => true,
        };
        note_texts(section).position(is_new).map(|note| NoteRef { part, note })
    })
}

/// The note that comes next at the end of a part.
fn next_note(document: &Document, part: usize) -> NoteRef {
    NoteRef { part, note: document.parts()[part].tree().notes.len() }
}

/// The part of `now` that the one at `part` of `known` is, where each of `selectors` names the same lines in both.
fn same_lines(
    known: &Document,
    part: usize,
    now: &Document,
    selectors: impl IntoIterator<Item = Selector>,
) -> Result<usize, Refusal> {
    let here = known.counterparts(now)[part].ok_or(Refusal::SectionGone)?;
    let (old, new) = (&known.parts()[part], &now.parts()[here]);
    let is_gone = |selector| presence(new, selector) == Presence::None || named(new, selector) != named(old, selector);
    if selectors.into_iter().any(is_gone) { Err(Refusal::LinesGone) } else { Ok(here) }
}

/// A writer never emits a note whose selector names no line.
fn has_lines(section: &Section, selector: Selector) -> Result<(), Refusal> {
    if presence(section, selector) == Presence::None { Err(Refusal::NoSuchLines(selector)) } else { Ok(()) }
}

/// The text of the lines that `selector` names: what a note is about, whatever numbers it goes by.
fn named(section: &Section, selector: Selector) -> Vec<&[u8]> {
    let tree = section.tree();
    let Some((first, last)) = named_lines(tree, selector) else { return Vec::new() };
    let lines = &tree.lines[first as usize..=last as usize];
    lines.iter().map(|line| section.line_text(line)).collect()
}

impl RecordChange {
    /// Whether the file comes into being with it.
    #[must_use]
    pub fn may_create(&self) -> bool {
        matches!(self, Self::Append(_))
    }

    /// The edit of `now`, the file as it is, and what is found out with it.
    ///
    /// # Errors
    /// As [`ReviewChange::edit`].
    pub fn edit(&self, now: &Bytes, author: &str, time: &str) -> Result<(Edit, Found), Refusal> {
        let file = Markback::parse(now.clone());
        let actor = (!author.is_empty()).then_some(author);
        Ok(match self {
            Self::Append(record) => (append_signed(&file, record, actor, time)?, Found::Record(file.entries().len())),
            Self::AnswerNameless(index, records) => {
                let [known, answer] = &**records;
                let nameless = |record: Record<'_>| Record { id: None, ..record.into_owned() };
                let is_it = |index: &usize| file.record(*index).map(nameless).as_ref() == Some(known);
                let index = Some(*index).filter(is_it).or_else(|| (0..file.entries().len()).find(is_it));
                let index = index.ok_or(Refusal::RecordGone)?;
                // Somebody else may have given it one by now.
                let given = file.record(index).and_then(|record| Some(record.id?.into_owned()));
                let id = given.clone().unwrap_or_else(|| file.free_id());
                let named = if given.is_some() { Edit::default() } else { add_id(&file, index, &id)? };
                let with_id = Markback::parse(named.apply(now));
                let answer = Record { reply_to: Some(id.into()), ..answer.clone() };
                let added = append_signed(&with_id, &answer, actor, time)?;
                (named.then(&added), Found::Record(file.entries().len()))
            }
            Self::Amend(index, record, feedback) => {
                let index = same_record(&file, *index, record).ok_or(Refusal::RecordChanged)?;
                (amend(&file, index, feedback)?, Found::Record(index))
            }
            Self::Delete(index, record) => {
                let index = same_record(&file, *index, record).ok_or(Refusal::RecordChanged)?;
                (remove(&file, index)?, Found::Nothing)
            }
            Self::Resolve(index, record, is_resolved) => {
                // Somebody else may have done something to it, such as looked at it.
                let again = || file.with_id(record.id.as_deref()?);
                let index = same_record(&file, *index, record).or_else(again).ok_or(Refusal::RecordGone)?;
                let edit = file.resolve(index, *is_resolved, time, actor)?;
                (edit.unwrap_or_default(), Found::Record(index))
            }
            Self::TakeBack(reversal) => {
                let edit = reversal.in_records(now).ok_or(Refusal::StepGone)?;
                let after = Markback::parse(edit.apply(now));
                let is_new = |index: &usize| file.records().all(|known| Some(known) != after.record(*index));
                let found = (0..after.entries().len()).find(is_new);
                (edit, found.map_or(Found::Nothing, Found::Record))
            }
        })
    }
}

/// The edit that adds `record` to `file` under an id of its own, signed by `actor`; an answer is about the file that what
/// it answers is about.
fn append_signed(file: &Markback, record: &Record<'static>, actor: Option<&str>, time: &str) -> Result<Edit, Refusal> {
    let mut record = record.clone();
    if let Some(id) = &record.reply_to {
        let answered = file.with_id(id).and_then(|index| file.answer_to(index));
        record.file = answered.ok_or(Refusal::RecordGone)?.file;
    }
    record.id = Some(file.free_id().into());
    record.by = actor.map(|actor| actor.to_owned().into());
    let action = Action { verb: "created".into(), timestamp: time.to_owned().into(), actor: record.by.clone() };
    record.actions.push(action);
    Ok(append(file.text(), &record)?)
}

/// The record with the same words, at the same place rather than at another one.
fn same_record(file: &Markback, index: usize, record: &Record<'_>) -> Option<usize> {
    let is_it = |index: &usize| file.record(*index).as_ref() == Some(record);
    Some(index).filter(is_it).or_else(|| file.records().position(|other| other == *record))
}
