//! What was done and can be taken back, and done again.
//!
//! Pure. A change of a file is kept as the text that it left and the edit that takes it back; when that is asked for, both
//! are held against the text that is there by then, in which somebody else may have written.

use std::sync::Arc;

use bstr::BString;
use bytes::Bytes;

use crate::document::edit::{WrittenNote, append_written, delete_note};
use crate::document::{Block, Document, NoteRef, Section};
use crate::git::{Stored, Swap};
use crate::markback::{Markback, Record};
use crate::refresh::Basis;
use crate::text::carry::carried;
use crate::text::edit::{Edit, Splice};

use super::act::DiskFile;
use super::effect::{Act, ActKind};
use super::records::Place;

/// Something that was done.
#[derive(Debug, Clone)]
pub struct Step {
    /// What it was, for a sentence: "note on +15..18".
    pub label: String,
    /// What takes it back.
    pub back: Back,
}

/// What takes a step back. Doing it gives the one that does the step again.
#[derive(Debug, Clone)]
pub enum Back {
    /// A change of a file that we write.
    Text(Reversal),
    /// An act on the code.
    Act(Box<Restoration>),
}

/// A path, and what HEAD has there: its id and its mode.
pub type Committed = (BString, Option<(String, u32)>);

/// Files of the repository as an act has left them, and as they are to be again.
#[derive(Debug, Clone)]
pub struct Restoration {
    /// How the repository is found.
    pub basis: Basis,
    /// What HEAD had of the files that have changed in the index, by id and mode.
    pub heads: Vec<Committed>,
    /// What the act has done.
    pub swaps: Swaps,
    /// What it was about.
    pub marks: Marks,
}

impl Restoration {
    /// The way back.
    #[must_use]
    pub fn reversed(self) -> Self {
        let heads = self.heads.into_iter().rev().collect();
        Self { swaps: self.swaps.reversed(), marks: self.marks.reversed(), heads, ..self }
    }
}

/// What an act has done to files, in its order.
#[derive(Debug, Clone, Default)]
pub struct Swaps {
    /// In the working tree.
    pub disk: Vec<Swap<DiskFile>>,
    /// In the index.
    pub index: Vec<Swap<Stored>>,
}

impl Swaps {
    /// Have `others` done behind these.
    pub fn add(&mut self, others: Self) {
        self.disk.extend(others.disk);
        self.index.extend(others.index);
    }

    /// The way back.
    #[must_use]
    pub fn reversed(self) -> Self {
        fn reversed<T>(swaps: Vec<Swap<T>>) -> Vec<Swap<T>> {
            swaps.into_iter().rev().map(Swap::reversed).collect()
        }
        Self { disk: reversed(self.disk), index: reversed(self.index) }
    }

    /// The bytes of all files, as they were and as they are.
    fn size(&self) -> usize {
        fn sum<T>(swaps: &[Swap<T>], size: impl Fn(&T) -> usize) -> usize {
            swaps.iter().flat_map(|swap| [&swap.before, &swap.after]).flatten().map(size).sum()
        }
        sum(&self.disk, |file| file.content.len()) + sum(&self.index, |file| file.content.len())
    }
}

/// The lines that an act was about, in the part that it was done in.
#[derive(Debug, Clone)]
pub struct Marks {
    /// The part.
    pub section: Arc<Section>,
    /// The lines that were chosen, as ascending indices into its tree's lines.
    pub chosen: Vec<u32>,
    /// Those of its changes that were made where the act was done, and those that are, likewise; of an act on disk these are
    /// the ones on disk. `None` where that is not counted in lines.
    pub made: Option<[Vec<u32>; 2]>,
    /// What was done.
    pub kind: ActKind,
}

impl Marks {
    /// Those of `act`.
    #[must_use]
    pub fn of(act: &Act) -> Self {
        let changes = || act.section.tree().changes();
        let before = changes().filter(|line| act.is_made(*line)).collect();
        let after = changes().filter(|line| act.is_made(*line) != act.turns(*line)).collect();
        let made = act.is_of_lines().then_some([before, after]);
        Self { section: Arc::clone(&act.section), chosen: act.lines.clone(), made, kind: act.kind }
    }

    fn reversed(self) -> Self {
        Self { made: self.made.map(|[before, after]| [after, before]), ..self }
    }
}

impl Back {
    /// The bytes that it holds on to for itself alone.
    fn size(&self) -> usize {
        match self {
            Self::Text(reversal) => reversal.size,
            Self::Act(act) => act.swaps.size(),
        }
    }
}

/// The steps, and those that have been taken back.
#[derive(Debug, Clone, Default)]
pub struct History {
    done: Vec<Step>,
    undone: Vec<Step>,
}

/// Which way through the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Take back what was done last.
    Back,
    /// Do again what was taken back last.
    Again,
}

/// More steps than anybody takes back; those before are forgotten.
const MOST: usize = 500;
/// The most bytes that steps hold, the last one apart.
const MOST_BYTES: usize = 256 << 20;
/// The most steps that go along with the notes that they have written.
const MOST_CARRIED: usize = 32;

impl History {
    /// Something new was done: what was taken back before cannot be done again any more.
    pub fn push(&mut self, step: Step) {
        self.undone.clear();
        self.put(Way::Back, step);
    }

    /// The step that is next on the way, which is no longer in the history then.
    pub fn take(&mut self, way: Way) -> Option<Step> {
        self.side(way).pop()
    }

    /// The step that would be taken.
    #[must_use]
    pub fn next(&self, way: Way) -> Option<&Step> {
        match way {
            Way::Back => self.done.last(),
            Way::Again => self.undone.last(),
        }
    }

    /// Put a step where the way begins: one that was just done in the other direction, or could not be.
    pub fn put(&mut self, way: Way, step: Step) {
        let steps = self.side(way);
        steps.push(step);
        let mut left = MOST_BYTES;
        let is_kept = |step: &&Step| {
            let size = step.back.size();
            let is_kept = size <= left;
            left = left.saturating_sub(size);
            is_kept
        };
        let kept = 1 + steps.iter().rev().skip(1).take(MOST - 1).take_while(is_kept).count();
        steps.drain(..steps.len() - kept);
    }

    /// The review, which was `before`, is `after`: all of its notes were carried to another diff. Those that were written last
    /// can be taken back all the same.
    pub fn carry(&mut self, before: &Document, after: &Document) {
        let (mut before, mut after) = (before.clone(), after.clone());
        for step in self.done.iter_mut().rev().take(MOST_CARRIED) {
            let Back::Text(reversal) = &mut step.back else { continue };
            if reversal.records().is_some() {
                continue;
            }
            let Some(carried) = reversal.carried(&before, &after) else { return };
            (before, after) = (before.edited(&reversal.edit), after.edited(&carried.edit));
            *reversal = carried;
        }
    }

    fn side(&mut self, way: Way) -> &mut Vec<Step> {
        match way {
            Way::Back => &mut self.done,
            Way::Again => &mut self.undone,
        }
    }
}

impl Way {
    /// The other one.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Back => Self::Again,
            Self::Again => Self::Back,
        }
    }
}

/// A change of a text that can be taken back.
#[derive(Debug, Clone)]
pub struct Reversal {
    /// The text that the change left.
    left: Left,
    /// What takes the change back, in the offsets of that text.
    edit: Edit,
    /// The bytes that it holds on to for itself alone.
    size: usize,
}

#[derive(Debug, Clone)]
enum Left {
    Review(Document),
    Records(Place, Bytes),
}

impl Reversal {
    /// What takes back `edit`, which made `after` of `before`.
    #[must_use]
    pub fn of_review(before: &[u8], edit: &Edit, after: Document) -> Self {
        Self::in_text(edit.inverse(before), after)
    }

    /// What takes back a change that has left `left`: `edit`, an edit of that.
    fn in_text(edit: Edit, left: Document) -> Self {
        let mut end = 0;
        // All other parts are shared with what is shown.
        let touched = left.parts().iter().map(|part| {
            let start = end;
            end += part.text_len();
            let is_in = |splice: &Splice| splice.range.start <= end && splice.range.end >= start;
            if edit.splices().iter().any(is_in) { end - start } else { 0 }
        });
        let size = touched.sum::<usize>() + put_in(&edit);
        Self { left: Left::Review(left), edit, size }
    }

    /// Likewise for a Markback file.
    #[must_use]
    pub fn of_records(place: Place, before: &[u8], edit: &Edit, after: Bytes) -> Self {
        let edit = edit.inverse(before);
        let size = after.len() + put_in(&edit);
        Self { left: Left::Records(place, after), edit, size }
    }

    /// What takes a note back that was written in `before`, where that was carried to another diff and is `after`: notes keep
    /// their order there. `None` where this is no such change.
    fn carried(&self, before: &Document, after: &Document) -> Option<Self> {
        let (Left::Review(left), [Splice { range, with }]) = (&self.left, self.edit.splices()) else { return None };
        if !with.is_empty() || !left.has_text_of(before) {
            return None;
        }
        let notes = |document: &Document| -> Vec<NoteRef> {
            let parts = document.parts().iter().enumerate();
            let refs = parts
                .flat_map(|(part, section)| (0..section.tree().notes.len()).map(move |note| NoteRef { part, note }));
            refs.collect()
        };
        let (was, is) = (notes(left), notes(after));
        let is_it = |at: &NoteRef| {
            let start = left.offset_of(at.part) + left.parts()[at.part].tree().notes[at.note].span.start as usize;
            range.contains(&start)
        };
        let mut own = (0..was.len()).filter(|at| is_it(&was[*at]));
        let (Some(own), None) = (own.next(), own.next()) else { return None };
        // Somebody else may have written it again meanwhile, or another one in its place.
        let says = |document: &Document, at: NoteRef| {
            let section = &document.parts()[at.part];
            let note = &section.tree().notes[at.note];
            section.text_once()[note.header.end as usize..note.span.end as usize].trim_ascii_end().to_vec()
        };
        (was.len() == is.len() && says(left, was[own]) == says(after, is[own])).then_some(())?;
        Some(Self::in_text(delete_note(after, is[own]).ok()?, after.clone()))
    }

    /// The Markback file that it is about; `None`: the review.
    #[must_use]
    pub fn records(&self) -> Option<&Place> {
        match &self.left {
            Left::Records(place, _) => Some(place),
            Left::Review(_) => None,
        }
    }

    /// The edit that takes the change back in `current`; `None` when the lines to be taken back are not there as they were
    /// left, or somebody else's would be read differently.
    #[must_use]
    pub fn in_review(&self, current: &Document) -> Option<Edit> {
        let Left::Review(left) = &self.left else { return None };
        // Where nobody else has written nothing of others can be read differently.
        if left.has_text_of(current) {
            return Some(self.edit.clone());
        }
        let wanted = Delta::of(left, &left.edited(&self.edit));
        let is_it = |edit: &Edit| {
            let after = current.edited(edit);
            after.newline() == current.newline() && Delta::of(current, &after) == wanted
        };
        let found = self.placed(left, current).filter(is_it);
        found.or_else(|| self.brought_back(left, current, &wanted).filter(is_it))
    }

    /// Likewise for a Markback file.
    #[must_use]
    pub fn in_records(&self, current: &Bytes) -> Option<Edit> {
        let Left::Records(_, left) = &self.left else { return None };
        let edit = carried(&self.edit, left, current)?;
        let records = |text: &[u8]| {
            let file = Markback::parse(text.to_vec());
            file.records().map(Record::into_owned).collect::<Vec<_>>()
        };
        let wanted = difference(&records(left), &records(&self.edit.apply(left)));
        (difference(&records(current), &records(&edit.apply(current))) == wanted).then_some(edit)
    }

    /// The edit at the places in `current` where its lines are: each in the part that it was in.
    fn placed(&self, left: &Document, current: &Document) -> Option<Edit> {
        let now = left.counterparts(current);
        let mut splices: Vec<Splice> = Vec::new();
        let mut rest = self.edit.splices();
        let mut start = 0;
        for (part, section) in left.parts().iter().enumerate() {
            let end = start + section.text_len();
            let is_last = part + 1 == left.parts().len();
            let own = rest.iter().take_while(|splice| splice.range.end <= end || is_last).count();
            let (own, others) = rest.split_at(own);
            rest = others;
            if !own.is_empty() {
                let local = |splice: &Splice| {
                    let range = splice.range.start.checked_sub(start)?..splice.range.end - start;
                    Some(Splice { range, with: splice.with.clone() })
                };
                let local: Option<Vec<Splice>> = own.iter().map(local).collect();
                let here = now[part]?;
                let moved = carried(&Edit::new(local?), section.text(), current.parts()[here].text())?;
                let base = current.offset_of(here);
                splices.extend(moved.splices().iter().map(|splice| Splice {
                    range: base + splice.range.start..base + splice.range.end,
                    with: splice.with.clone(),
                }));
            }
            start = end;
        }
        Some(Edit::new(splices))
    }

    /// Notes that come back where nothing is as it was around them: behind the others of their file.
    fn brought_back(&self, left: &Document, current: &Document, wanted: &Delta) -> Option<Edit> {
        let ([], [(path, _), ..]) = (wanted.gone.as_slice(), wanted.come.as_slice()) else { return None };
        if wanted.come.iter().any(|(other, _)| other != path) {
            return None;
        }
        let is_it = |section: &&Arc<Section>| section.path_text() == path.as_str();
        let part = left.parts().iter().position(|section| is_it(&section))?;
        let here = left.counterparts(current)[part]?;
        let (mut edit, mut after) = (Edit::default(), current.clone());
        for (_, text) in &wanted.come {
            let text = String::from_utf8(text.clone()).ok()?;
            let one = append_written(&after, here, &WrittenNote::read(&text, "").ok()?).ok()?;
            after = after.edited(&one);
            edit = edit.then(&one);
        }
        Some(edit)
    }
}

/// The bytes that an edit puts in.
fn put_in(edit: &Edit) -> usize {
    edit.splices().iter().map(|splice| splice.with.len()).sum()
}

/// What an edit changes about how a document reads: lines and notes that go, and that come, with the file they belong to.
#[derive(Debug, PartialEq)]
struct Delta {
    gone: Vec<Unit>,
    come: Vec<Unit>,
}

/// The path of a part, and something that stands in it.
type Unit = (String, Vec<u8>);

impl Delta {
    fn of(before: &Document, after: &Document) -> Self {
        let only = |one: &Document, other: &Document| {
            let shared: std::collections::HashSet<_> = other.parts().iter().map(Arc::as_ptr).collect();
            let own = one.parts().iter().filter(|part| !shared.contains(&Arc::as_ptr(part)));
            own.flat_map(|section| units(section)).collect::<Vec<_>>()
        };
        let (gone, come) = difference(&only(before, after), &only(after, before));
        Self { gone, come }
    }
}

/// What stands in a section, blank lines apart: notes and hunks whole, the frontmatter line by line.
fn units(section: &Section) -> Vec<Unit> {
    let path = section.path_text().into_owned();
    let tree = section.tree();
    let blocks = tree.blocks.iter().filter(|block| !matches!(block, Block::Blank(_)));
    let texts = blocks.flat_map(|block| {
        let text = tree.span(*block).of(section.text());
        match block {
            Block::Frontmatter(_) => text.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect(),
            _ => vec![text.trim_ascii_end().to_vec()],
        }
    });
    texts.map(|text| (path.clone(), text)).collect()
}

/// What is only in `before`, and what is only in `after`, in their order; equal ones count one by one.
fn difference<T: PartialEq + Clone>(before: &[T], after: &[T]) -> (Vec<T>, Vec<T>) {
    let above = before.iter().zip(after).take_while(|(one, other)| one == other).count();
    let (before, after) = (&before[above..], &after[above..]);
    let below = before.iter().rev().zip(after.iter().rev()).take_while(|(one, other)| one == other).count();
    let (mut gone, mut come) = (before[..before.len() - below].to_vec(), after[..after.len() - below].to_vec());
    gone.retain(|one| match come.iter().position(|other| other == one) {
        Some(at) => {
            come.remove(at);
            false
        }
        None => true,
    });
    (gone, come)
}

#[cfg(test)]
mod tests;
