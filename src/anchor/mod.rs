//! Notes follow the code: a review whose diff has been made anew, with every note on the text that it was written about.
//!
//! [`carry`] is a function of two documents, the review as it is and one with the next diff, and answers with an
//! [`Edit`] of the first. It holds that
//!
//! * no note comes to stand on another text than the one it was written about: where that is not certain the note is an
//!   [orphan](crate::document::Orphan), which names no lines and keeps what it was about;
//! * nothing that a person or an agent wrote is lost: notes, comments, checks and stray lines stay, in their order;
//! * an orphan is a note again when its text is back;
//! * once is enough: carried to the same diff again, nothing changes.

mod check;
mod hunks;
mod lines;
mod search;
mod sections;
#[cfg(test)]
mod tests;

use std::cell::OnceCell;

use bstr::BString;

use crate::document::edit::{EditError, file_line, missing_terminator, says_more, set_ends, without_diff};
use crate::document::{Block, Document, NoteRef, NoteView, Orphan, Section, Selector, Side};
use crate::text::edit::{Edit, Splice};
use crate::text::lines::Newline;

use self::check::check;
use self::search::Search;
use self::sections::{Part, parts};

/// What became of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is where it was.
    Kept,
    /// Its text has other numbers, or its file another name.
    Moved,
    /// Its text is gone, or not certain any more.
    Orphaned,
    /// It was an orphan, and still is.
    StillOrphaned,
    /// It was an orphan, and its text is back.
    Returned,
}

/// A note, carried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CarriedNote {
    /// Which, in the document as it was. Its order among all notes is the same afterwards.
    pub at: NoteRef,
    /// Its id as it was.
    pub id: String,
    /// The path of its section as it was; `None` in the head.
    pub old_path: Option<BString>,
    /// The path of its section as it is.
    pub new_path: Option<BString>,
    /// What it was about; of an orphan, before it became one.
    pub old_selector: Selector,
    /// What it is about; `None` for an orphan.
    pub new_selector: Option<Selector>,
    /// What became of it.
    pub fate: Fate,
}

/// A review carried to another diff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Carried {
    /// The edit of the review.
    pub edit: Edit,
    /// All notes, in order.
    pub notes: Vec<CarriedNote>,
}

/// Carry the notes of `old` to the diff of `new`, a document of the same changes as they are now. The frontmatter gets
/// the scope and the sides that `new` names, and keeps everything else.
///
/// # Errors
/// When something else would be read differently afterwards, so that the text has to be mended by hand first.
pub fn carry(old: &Document, new: &Document) -> Result<Carried, EditError> {
    let plan = parts(old, new);
    let mut carrying = Carrying { old, new, splices: Vec::new(), notes: Vec::new(), out: Vec::new() };
    if has_frontmatter(old) && has_frontmatter(new) {
        carrying.splices.extend(set_ends(old, new.meta())?.splices().iter().cloned());
    }
    let mut end = 0;
    for (at, part) in plan.iter().enumerate() {
        match *part {
            Part::Untouched(part) => carrying.untouched(part),
            Part::Both(part, partner) => carrying.both(part, partner),
            Part::Gone(part) => carrying.gone(part),
            Part::New(part) => {
                let goes = |part: &Part| matches!(part, Part::Gone(part) if !is_written_in(&old.parts()[*part]));
                carrying.coming(end, part, plan[at + 1..].iter().all(goes));
            }
        }
        if let Part::Untouched(part) | Part::Both(part, _) | Part::Gone(part) = *part {
            end = old.offset_of(part) + old.parts()[part].text_len();
        }
    }
    let Carrying { splices, notes, out, .. } = carrying;
    let edit = Edit::new(splices);
    let after = old.edited(&edit);
    check(old, new, &after, &out)?;
    Ok(Carried { edit, notes })
}

/// What the lines that `selector` names in `old`, the diff of a file, are called in `new`, the next diff of it; `None` when
/// they are not there for certain.
#[must_use]
pub fn carried(old: &Section, new: &Section, selector: Selector) -> Option<Selector> {
    all_carried(old, new, &[selector]).map(|carried| carried[0])
}

/// The same for each of `selectors`; `None` when some of the lines are not there for certain.
#[must_use]
pub fn all_carried(old: &Section, new: &Section, selectors: &[Selector]) -> Option<Vec<Selector>> {
    let searches = Searches { old, new, made: [const { OnceCell::new() }; 2] };
    let carry = |selector: &Selector| match selector.side {
        Side::New | Side::Old => searches.of(selector.side).carry(*selector),
        Side::File | Side::Doc => Some(*selector),
    };
    selectors.iter().map(carry).collect()
}

/// Where the lines of `orphan` are in `new`, a diff of its file, whatever diff it has lost them in; `None` when they are
/// not there for certain.
#[must_use]
pub fn found(new: &Section, orphan: &Orphan) -> Option<Selector> {
    let old = without_diff(new);
    Searches { old: &old, new, made: [const { OnceCell::new() }; 2] }.find(orphan)
}

fn has_frontmatter(document: &Document) -> bool {
    document.parts()[0].tree().blocks.iter().any(|block| matches!(block, Block::Frontmatter(_)))
}

struct Carrying<'a> {
    old: &'a Document,
    new: &'a Document,
    splices: Vec<Splice>,
    notes: Vec<CarriedNote>,
    /// The parts that come out.
    out: Vec<Part>,
}

impl Carrying<'_> {
    /// A part that no diff decides.
    fn untouched(&mut self, part: usize) {
        let section = &self.old.parts()[part];
        for (at, view) in section.note_views().enumerate() {
            let (selector, is_orphan) = (view.note().selector, view.orphan().is_some());
            let fate = if is_orphan { Fate::StillOrphaned } else { Fate::Kept };
            self.note(part, at, section.tree().file.as_ref().map(|file| &file.path), selector, Some(selector), fate);
        }
        self.out.push(Part::Untouched(part));
    }

    /// A file of both diffs.
    fn both(&mut self, part: usize, partner: usize) {
        let (section, new) = (&self.old.parts()[part], &self.new.parts()[partner]);
        let mut splices = file_line(section, new);
        splices.extend(hunks::replaced(section, new));
        let searches = Searches { old: section, new, made: [const { OnceCell::new() }; 2] };
        let path = new.tree().file.as_ref().map(|file| &file.path);
        let is_renamed = section.tree().file.as_ref().map(|file| &file.path) != path;
        for (at, view) in section.note_views().enumerate() {
            let was = view.note().selector;
            let moved = |now| if now == was && !is_renamed { Fate::Kept } else { Fate::Moved };
            let (was, now, fate) = match (view.orphan(), was.side) {
                (Some(orphan), _) => match searches.find(&orphan) {
                    Some(now) => {
                        let is_where_it_was = now == orphan.selector;
                        let selector = if is_where_it_was { orphan.raw.clone() } else { now.to_string() };
                        let selector = Some(selector).filter(|_| now.side != Side::File);
                        splices.extend(view.returned(selector.as_deref()));
                        (orphan.selector, Some(now), Fate::Returned)
                    }
                    None => (orphan.selector, None, Fate::StillOrphaned),
                },
                (None, Side::File | Side::Doc) => (was, Some(was), moved(was)),
                (None, Side::New | Side::Old) => match searches.of(was.side).carry(was) {
                    Some(now) => {
                        splices.extend((now != was).then(|| view.selecting(&now.to_string())));
                        (was, Some(now), moved(now))
                    }
                    None => {
                        splices.extend(orphaned(view, &searches, self.old.newline()));
                        (was, None, Fate::Orphaned)
                    }
                },
            };
            self.note(part, at, path, was, now, fate);
        }
        self.put(part, splices);
        self.out.push(Part::Both(part, partner));
    }

    /// A file that is not in the new diff. Its section stays as long as somebody wrote something in it.
    fn gone(&mut self, part: usize) {
        let section = &self.old.parts()[part];
        let Some(file) = &section.tree().file else { return };
        if !is_written_in(section) {
            self.put(part, vec![Splice { range: 0..section.text_len(), with: Vec::new() }]);
            return;
        }
        let empty = without_diff(section);
        let mut splices = file_line(section, &empty);
        splices.extend(hunks::replaced(section, &empty));
        let searches = Searches { old: section, new: &empty, made: [const { OnceCell::new() }; 2] };
        for (at, view) in section.note_views().enumerate() {
            let was = view.note().selector;
            let (was, now, fate) = match (view.orphan(), was.side) {
                (Some(orphan), _) => (orphan.selector, None, Fate::StillOrphaned),
                (None, Side::Doc) => (was, Some(was), Fate::Kept),
                (None, Side::File | Side::New | Side::Old) => {
                    splices.extend(orphaned(view, &searches, self.old.newline()));
                    (was, None, Fate::Orphaned)
                }
            };
            self.note(part, at, Some(&file.path), was, now, fate);
        }
        self.put(part, splices);
        self.out.push(Part::Gone(part));
    }

    /// A file that was not in the old diff; its section begins at `at`.
    fn coming(&mut self, at: usize, part: usize, is_last: bool) {
        let section = &self.new.parts()[part];
        let tree = section.tree();
        let last = tree.blocks.iter().rfind(|block| !matches!(block, Block::Blank(_)));
        let text = &section.text()[..last.map_or(0, |block| tree.span(*block).end as usize)];
        let newline = self.old.newline();
        let eol = newline.as_str().as_bytes();
        let mut with = Vec::new();
        let before = match self.out.last() {
            Some(Part::Untouched(part) | Part::Both(part, _) | Part::Gone(part)) => self.old.parts()[*part].text(),
            // It brought a blank line along.
            Some(Part::New(_)) | None => &bytes::Bytes::new(),
        };
        if !before.is_empty() && !before.ends_with(b"\n\n") && !before.ends_with(b"\r\n\r\n") {
            with.extend_from_slice(missing_terminator(before, newline).as_bytes());
            with.extend_from_slice(eol);
        }
        with.extend(hunks::converted(text, section.newline(), newline));
        if !is_last {
            with.extend_from_slice(eol);
        }
        self.splices.push(Splice { range: at..at, with });
        self.out.push(Part::New(part));
    }

    /// Take over splices whose offsets are those of the part at `part`.
    fn put(&mut self, part: usize, splices: Vec<Splice>) {
        let base = self.old.offset_of(part);
        let moved = |splice: Splice| Splice { range: base + splice.range.start..base + splice.range.end, ..splice };
        self.splices.extend(splices.into_iter().map(moved));
    }

    fn note(
        &mut self,
        part: usize,
        note: usize,
        path: Option<&BString>,
        old_selector: Selector,
        new_selector: Option<Selector>,
        fate: Fate,
    ) {
        let at = NoteRef { part, note };
        let old_path = self.old.parts()[part].tree().file.as_ref().map(|file| file.path.clone());
        let (id, new_path) = (self.old.note_id(at), path.cloned());
        self.notes.push(CarriedNote { at, id, old_path, new_path, old_selector, new_selector, fate });
    }
}

/// Whether somebody wrote something in the section of a file, which without its diff would be lost.
fn is_written_in(section: &Section) -> bool {
    let is_written =
        |block: &Block| matches!(block, Block::Note(_) | Block::Check(_) | Block::Comment(_) | Block::Stray(_));
    let keeps = |splice: &Splice| !splice.with.is_empty();
    section.tree().blocks.iter().any(is_written)
        || says_more(section)
        || hunks::replaced(section, &without_diff(section)).iter().any(keeps)
}

/// The searches in a file, made when they are needed.
struct Searches<'a> {
    old: &'a Section,
    new: &'a Section,
    made: [OnceCell<Search<'a>>; 2],
}

impl<'a> Searches<'a> {
    fn of(&self, side: Side) -> &Search<'a> {
        self.made[usize::from(side == Side::New)].get_or_init(|| Search::new(self.old, self.new, side))
    }

    /// What `orphan` is about now, if that is back.
    fn find(&self, orphan: &Orphan) -> Option<Selector> {
        match orphan.selector.side {
            Side::New | Side::Old => self.of(orphan.selector.side).find(orphan),
            // A file is back when it is in the diff.
            Side::File | Side::Doc => Some(orphan.selector),
        }
    }
}

/// The splices that make an orphan of a note.
fn orphaned(view: NoteView<'_>, searches: &Searches<'_>, newline: Newline) -> Vec<Splice> {
    let (selector, raw) = (view.note().selector, view.selector_or_file());
    let orphan = match selector.side {
        Side::New | Side::Old => searches.of(selector.side).orphan(selector, raw),
        Side::File | Side::Doc => Orphan { raw, selector, above: Vec::new(), text: Vec::new(), below: Vec::new() },
    };
    view.orphaned(&orphan, newline)
}
