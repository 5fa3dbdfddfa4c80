//! From a comment to a note for agents, at the moment when it is sent: the file is read as it is now, and the comment's
//! lines are looked for in it.

use std::ops::Range;
use std::path::PathBuf;

use bstr::ByteSlice as _;

use crate::capture::{self, Captured, Lines, Version, find_again, reads};
use crate::document::Side;
use crate::git::{Repo, carried_lines, mode};
use crate::session::{FoundFile, Note, Place, found_file};
use crate::store;
use crate::text::lines::line_index;

use super::form::Target;
use super::talk::{Comment, Subject};

/// What stands for the files on disk among versions.
pub const WORKTREE: &str = "worktree";

/// Where the text of files comes from.
#[derive(Debug)]
pub struct Texts {
    /// The top of the working tree, or the folder that paths count from.
    pub root: PathBuf,
    /// The repository around it.
    pub repo: Option<Repo>,
    /// The versions that the two sides of the review are, old and new.
    pub versions: [String; 2],
}

/// A note, and how often its quote is in the file.
#[derive(Debug)]
pub struct Composed {
    /// The note.
    pub note: Note,
    /// How many matches the quote has.
    pub matches: usize,
}

impl Texts {
    /// The file at `path` on disk. A link that leads out of the working tree leads nowhere.
    fn on_disk(&self, path: &[u8]) -> Option<Vec<u8>> {
        let inside = store::inside(&self.root.join(path.to_path().ok()?), &self.root).ok()?;
        store::read_if_exists(&inside).ok().flatten().map(|text| text.to_vec())
    }

    /// What is at `path` on disk, in a folder of the working tree.
    pub(super) fn found(&self, path: &[u8]) -> FoundFile {
        let Ok(path) = path.to_path() else { return FoundFile::Uncopied("this system has no such path".to_owned()) };
        let path = self.root.join(path);
        let is_inside = path.parent().is_some_and(|folder| store::inside(folder, &self.root).is_ok());
        if is_inside {
            found_file(&path, mode::LINK, mode::of)
        } else {
            FoundFile::Uncopied("it leads out of the working tree".to_owned())
        }
    }

    /// One side of a file as the review has it.
    fn version(&self, path: &[u8], side: usize, subject: &Subject) -> Option<Vec<u8>> {
        if self.versions[side] == WORKTREE {
            return self.on_disk(path);
        }
        self.repo.as_ref()?.blob_of_name(subject.ids[side].as_deref()?)
    }

    /// The note that `comment` becomes.
    #[must_use]
    pub fn compose(&self, comment: &Comment, subject: &Subject) -> Composed {
        let target = comment.target();
        let path = target.file.as_ref().map_or(&b""[..], |path| path.as_slice());
        let side = if target.selector.side == Side::Old || subject.is_deleted { 0 } else { 1 };
        let rev = self.versions[side].as_str();
        let (captured, rev) = match target.selector.side {
            _ if path.is_empty() => (on_nothing(&comment.text), rev),
            Side::New | Side::Old => match self.lines(path, &target, subject, comment) {
                Some((captured, rev)) => (captured, rev),
                None => (on_nothing(&lost(path, target.meant(), &comment.text)), rev),
            },
            _ => (Captured { item: capture::on_file(path, &comment.text), lines: None, matches: 0 }, rev),
        };
        let sides = [Side::Old, Side::New];
        let place = captured.item.file.is_some().then(|| {
            let lines = captured.lines.map(|lines| (lines.first, lines.last));
            Place::new(lines, captured.lines.map_or(sides[side], |lines| lines.side), rev)
        });
        let draft = serde_json::to_value(comment).ok();
        let note = Note { id: comment.id.clone(), item: captured.item, place, draft };
        Composed { note, matches: captured.matches }
    }

    /// A note on the lines of `comment`, or on a slice of them, and the version that they are in: the file on disk where they
    /// are there, else the version that the review has. `None` where the text is gone.
    fn lines(&self, path: &[u8], target: &Target, subject: &Subject, comment: &Comment) -> Option<(Captured, &str)> {
        let (selector, quote, slice) = (target.selector, target.quote.as_deref()?, target.slice.as_ref());
        let is_old = selector.side == Side::Old;
        let (old_path, heading) = (subject.old_path.as_slice(), subject.heading.as_deref());
        let side = usize::from(!is_old);
        let own_path = if is_old && !old_path.is_empty() { old_path } else { path };
        let file = if is_old && subject.is_deleted { own_path } else { path };
        let capture = |text: &[u8], range: Range<usize>, rev: &str| {
            let version = Version { path: own_path, file, side: selector.side, rev, text, hunk_heading: heading };
            capture::capture(&version, range, &comment.text)
        };
        let lines = Lines { side: selector.side, first: selector.start, last: selector.end };
        let find = |text: &[u8]| find_again(text, Some(lines).filter(|_| !comment.is_lost), quote, &comment.neighbours);
        let own = self.version(own_path, side, subject);
        let in_own = own.as_ref().map(|text| (text, find(text)));
        if !is_old && self.versions[1] != WORKTREE {
            let disk = self.on_disk(path).unwrap_or_default();
            let on_disk = match &in_own {
                Some((text, Some(range))) => carried(text, range.clone(), &disk, quote),
                _ => find(&disk),
            };
            if let Some(range) = on_disk {
                return Some((capture(&disk, meant(&disk, range, quote, slice), WORKTREE), WORKTREE));
            }
        }
        let rev = self.versions[side].as_str();
        match in_own {
            Some((text, found)) => {
                let range = match found {
                    Some(found) => meant(text, found, quote, slice),
                    None => still_there(text, lines, quote, slice.filter(|_| !comment.is_lost)?)?,
                };
                Some((capture(text, range, rev), rev))
            }
            None if comment.is_lost => None,
            // No version is there to be looked at: what the diff has is all that is known.
            None => {
                let whole = 0..quote.len();
                let found = capture(quote.as_bytes(), slice.cloned().unwrap_or(whole), rev);
                Some((Captured { lines: Some(lines), ..found }, rev))
            }
        }
    }
}

/// The bytes of `slice` of the lines at `found` that read `quote`; all of them where nothing less is meant.
fn meant(text: &[u8], found: Range<usize>, quote: &str, slice: Option<&Range<usize>>) -> Range<usize> {
    slice.and_then(|slice| slice_at(text, found.start, quote, slice)).unwrap_or(found)
}

/// Where `slice` of `quote` still is although its lines are no longer what they were: at its place, or nowhere.
fn still_there(text: &[u8], lines: Lines, quote: &str, slice: &Range<usize>) -> Option<Range<usize>> {
    slice_at(text, Lines { last: lines.first, ..lines }.range(text).start, quote, slice)
}

/// Where `slice` of `quote` is in `text`, whose lines are those of the quote from the byte at `start` on. They may end in
/// another way.
fn slice_at(text: &[u8], start: usize, quote: &str, slice: &Range<usize>) -> Option<Range<usize>> {
    let place = |at: usize| {
        let above = quote.as_bytes().get(..at)?;
        let column = at - above.rfind_byte(b'\n').map_or(0, |end| end + 1);
        let ends = memchr::memchr_iter(b'\n', text.get(start..)?).map(|end| start + end + 1);
        let line = std::iter::once(start).chain(ends).nth(memchr::memchr_iter(b'\n', above).count())?;
        Some(line + column)
    };
    let found = place(slice.start)?..place(slice.end)?;
    reads(text.get(found.clone())?, quote.get(slice.clone())?).then_some(found)
}

/// Where in the text on disk the lines are that stand in another version at `range` and read `quote`, if none of them has
/// changed.
fn carried(text: &[u8], range: Range<usize>, disk: &[u8], quote: &str) -> Option<Range<usize>> {
    let number = |at: usize| line_index(text, at) as u64 + 1;
    let lines = (number(range.start), number(range.end));
    let (first, last) = carried_lines(text, disk, lines)?;
    let range = Lines { side: Side::New, first, last }.range(disk);
    reads(&disk[range.clone()], quote).then_some(range)
}

fn on_nothing(text: &str) -> Captured {
    Captured { item: capture::on_nothing(text), lines: None, matches: 0 }
}

/// What a comment says whose lines are gone.
fn lost(path: &[u8], quote: Option<&str>, text: &str) -> String {
    format!("{text}\n\n(about text that is not in {} any more:)\n{}", path.to_str_lossy(), quote.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::Neighbours;
    use crate::document::Selector;

    fn composed(disk: &str, selector: &str, quote: &str) -> Composed {
        composed_of(disk, selector, (quote, None), "other")
    }

    /// What becomes of a comment on a slice of lines that stood below the line `above`.
    fn composed_of(disk: &str, selector: &str, (quote, slice): (&str, Option<Range<usize>>), above: &str) -> Composed {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a.md"), disk).unwrap();
        let versions = ["HEAD".to_owned(), WORKTREE.to_owned()];
        let texts = Texts { root: dir.path().to_owned(), repo: None, versions };
        let selector = Selector::parse(selector.as_bytes()).unwrap();
        let target = Target::new(1, selector, Some("a.md".into()), Some(quote.to_owned()));
        let target = Target { slice, ..target };
        let neighbours = Neighbours { above: vec![above.into()], below: Vec::new() };
        let comment = Comment::new("c1".into(), &target, neighbours, "do it".into());
        texts.compose(&comment, &Subject::default())
    }

    #[test]
    fn the_second_of_two_equal_lines() {
        let text = "# One\nsame\n# Two\nsame\n";
        let Composed { note, matches } = composed(text, "+4", "same");
        let found = (note.item.occurrence, note.item.heading.as_deref(), matches);
        assert_eq!(found, (1, Some("Two"), 2));
        assert_eq!(note.place, Some(Place::new(Some((4, 4)), Side::New, WORKTREE)));
        let moved = composed("new\nother\nsame\n", "+2", "same").note;
        assert_eq!(moved.place, Some(Place::new(Some((3, 3)), Side::New, WORKTREE)));
    }

    #[test]
    fn a_blank_line_at_the_end_is_one_of_the_lines() {
        let note = composed("other\nx\n\ny\n", "+2..3", "x\n").note;
        assert_eq!(note.item.quote.as_deref(), Some("x\n"));
        assert_eq!(note.place, Some(Place::new(Some((2, 3)), Side::New, WORKTREE)));
        assert_eq!(carried(b"x\n\ny\n", 0..2, b"new\nx\n\ny\n", "x\n"), Some(4..6));
    }

    #[test]
    fn a_slice_of_its_lines_is_quoted_as_it_is() {
        let text = "# One\r\nmust be fast, and must be fast\r\n# Two\r\nmust be fast\r\n";
        let quote = "must be fast, and must be fast";
        let found = |disk: &str, selector: &str, quote: &str, slice| {
            let Composed { note, .. } = composed_of(disk, selector, (quote, Some(slice)), "# One");
            let place = note.place.and_then(|place| place.lines);
            (note.item.quote, note.item.occurrence, note.item.heading, place)
        };
        let said = |text: &str, occurrence, heading: &str, lines: &str| {
            (Some(text.to_owned()), occurrence, Some(heading.to_owned()), Some(lines.to_owned()))
        };
        assert_eq!(found(text, "+2", quote, 18..30), said("must be fast", 1, "One", "2-2"));
        let moved = text.replace("# One", "new\r\n# One");
        assert_eq!(found(&moved, "+2", quote, 18..30), said("must be fast", 1, "One", "3-3"));
        let lines = "must be fast, and must be fast\n# Two\nmust be fast";
        assert_eq!(found(text, "+2..4", lines, 26..41), said("fast\r\n# Two\r\nmust", 0, "One", "2-4"));
        let before_it = text.replace("fast\r\n# Two", "fast!\r\n# Two");
        assert_eq!(found(&before_it, "+2", quote, 18..30), said("must be fast", 1, "One", "2-2"), "at its place");
        let shifted = text.replace(", and", ", or");
        assert_eq!(found(&shifted, "+2", quote, 18..30).0, None, "bound to no look-alike");
    }

    #[test]
    fn what_is_gone_is_bound_to_no_look_alike() {
        let lost = composed("same\nelse\nsame\n", "+2", "same").note;
        assert_eq!((lost.item.file, lost.place), (None, None));
        assert!(lost.item.note.unwrap().ends_with("\nsame"));
    }
}
