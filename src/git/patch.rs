//! The lines of one file: its hunks as `git diff` shows them, ready to stand in a section of a document.

use std::cell::RefCell;
use std::io::Write as _;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use bstr::{BStr, ByteSlice};
use git2::{Blob, DiffHunk, DiffLine, DiffOptions, ObjectType, Oid, Patch};

use super::content::{Content, Side, Stored, TOO_BIG_TO_COMPARE, is_binary};
use super::driver::Driver;
use super::list::Sides;
use super::{Changes, Library};
use crate::diff::{Headings, HunkHeader, Rules};
use crate::error::Error;
use crate::skeleton::Change;
pub use crate::skeleton::FilePatch;

/// Fewer files than this are not worth a thread.
const FILES_A_THREAD: usize = 8;

/// A path, and what is there.
type Place<'a> = (&'a BStr, Option<Side>);

/// The lines of a patch, and what git2 says about it.
#[derive(Default)]
struct Lines {
    text: Vec<u8>,
    added: u64,
    removed: u64,
    binary: bool,
}

impl Library {
    /// The lines of the file at `index` of [`Changes::files`], its ids abbreviated as git does, and whether it is
    /// binary.
    ///
    /// # Errors
    /// When a side cannot be read: the file has gone, or an object is missing.
    ///
    /// # Panics
    /// When there is no such file.
    pub(super) fn patch(&self, changes: &Changes, index: usize) -> Result<FilePatch, Error> {
        let mut change = changes.files()[index].clone();
        let Sides { old, new } = changes.sides[index];
        let path = change.path.as_bstr();
        let old_path = change.old_path.as_ref().unwrap_or(&change.path).as_bstr();
        let (new_id, on_disk) = match new {
            Some(side) if side.content == Content::OnDisk => match self.stored(path, side.mode)? {
                Stored::Bytes(bytes) => (Some(self.hash(path, &bytes)?), Some(Stored::Bytes(bytes))),
                Stored::Opaque(id) => (Some(id), Some(Stored::Opaque(id))),
            },
            side => (side.as_ref().and_then(Side::known_id), None),
        };
        let old_id = old.map(|side| self.id_of(old_path, &side)).transpose()?;
        let dirty = matches!(new, Some(Side { content: Content::Submodule { dirty: true, .. }, .. }));
        let lines = match on_disk {
            _ if old_id == new_id && !dirty => Lines::default(),
            Some(Stored::Opaque(_)) => Lines { binary: true, ..Lines::default() },
            stored => {
                let sides = [self.text(old_path, old, None)?, self.text(path, new, stored)?];
                self.compare((old_path, old), (path, new), sides.each_ref(), changes.context())?
            }
        };
        change.old_id = old_id.map(|id| self.abbreviated(id));
        change.new_id = new_id.map(|id| self.abbreviated(id));
        change.binary = lines.binary;
        Ok(FilePatch { change, text: lines.text, added: lines.added, removed: lines.removed })
    }

    /// Compare the two sides.
    fn compare(
        &self,
        (old_path, old): Place<'_>,
        (path, new): Place<'_>,
        sides: [&Text<'_>; 2],
        context: u32,
    ) -> Result<Lines, Error> {
        let drivers = [self.driver(old_path, old), self.driver(path, new)];
        let is_binary = |(driver, text): (&Arc<Driver>, &Text<'_>)| {
            let content = text.bytes();
            driver.binary.unwrap_or_else(|| content.len() as u64 >= TOO_BIG_TO_COMPARE || is_binary(content))
        };
        if drivers.iter().zip(sides).any(is_binary) {
            return Ok(Lines { binary: true, ..Lines::default() });
        }
        let rules = drivers.iter().find_map(|driver| driver.headings.as_ref());
        let hunks = Hunks::new(sides[0].bytes(), rules);
        let compared = self.compare_texts(sides, &mut options(context), hunks);
        compared.map_err(|source| Error::CompareFile { path: path.into(), source })
    }

    /// No path is given to libgit2, which would look for a driver of its own.
    fn compare_texts(
        &self,
        sides: [&Text<'_>; 2],
        options: &mut DiffOptions,
        hunks: Hunks<'_>,
    ) -> Result<Lines, git2::Error> {
        let patch = match sides {
            [Text::Blob(old), Text::Bytes(new)] => Patch::from_blob_and_buffer(old, None, new, None, Some(options))?,
            [old, new @ Text::Bytes(_)] | [old @ Text::Bytes(_), new] => {
                Patch::from_buffers(old.bytes(), None, new.bytes(), None, Some(options))?
            }
            [old, new] => {
                // Blobs are not hashed again, and their lines go where they belong without a list of them.
                let hunks = RefCell::new(hunks);
                self.raw.diff_blobs(
                    old.blob(),
                    None,
                    new.blob(),
                    None,
                    Some(options),
                    None,
                    None,
                    Some(&mut |_, hunk| {
                        hunks.borrow_mut().hunk(&hunk);
                        true
                    }),
                    Some(&mut |_, _, line| {
                        hunks.borrow_mut().line(&line);
                        true
                    }),
                )?;
                return Ok(hunks.into_inner().lines);
            }
        };
        lines_of(&patch, hunks)
    }

    /// What there is to compare of `side`, of which `stored` was read already if it is a file on disk.
    fn text(&self, path: &BStr, side: Option<Side>, stored: Option<Stored>) -> Result<Text<'_>, Error> {
        Ok(match (side, stored) {
            (_, Some(Stored::Bytes(bytes))) => Text::Bytes(bytes),
            (None, _) => Text::Nothing,
            (Some(Side { content: Content::Object(id), .. }), _) => Text::Blob(self.blob(path, id)?),
            (Some(side), _) => Text::Bytes(self.bytes_of_side(path, &side)?),
        })
    }

    /// What `make` makes of each file's patch, in order, on as many threads as there are processors.
    ///
    /// # Errors
    /// The first one, in order of the files.
    pub(super) fn map_patches<T: Send>(
        &self,
        changes: &Changes,
        is_over: impl Fn() -> bool + Sync,
        make: impl Fn(FilePatch) -> T + Sync,
    ) -> Result<Vec<T>, Error> {
        let count = changes.files().len();
        let workers = thread::available_parallelism().map_or(1, NonZero::get).min(count / FILES_A_THREAD);
        if workers < 2 {
            let wanted = (0..count).take_while(|_| !is_over());
            return wanted.map(|index| self.patch(changes, index).map(&make)).collect();
        }
        let (next, dir) = (AtomicUsize::new(0), self.dir.as_path());
        let work = || -> Result<Vec<(usize, T)>, (usize, Error)> {
            let repo = Self::discover(dir).map_err(|error| (0, error))?;
            let mut made = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= count || is_over() {
                    return Ok(made);
                }
                let patch = repo.patch(changes, index).map_err(|error| {
                    next.store(count, Ordering::Relaxed);
                    (index, error)
                })?;
                made.push((index, make(patch)));
            }
        };
        let done: Vec<_> = thread::scope(|scope| {
            let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
            // What `make` panics with is the caller's.
            workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
        });
        let mut made = Vec::with_capacity(count);
        let mut failed: Option<(usize, Error)> = None;
        for outcome in done {
            match outcome {
                Ok(part) => made.extend(part),
                Err(error) if failed.as_ref().is_none_or(|(first, _)| error.0 < *first) => failed = Some(error),
                Err(_) => {}
            }
        }
        if let Some((_, error)) = failed {
            return Err(error);
        }
        made.sort_unstable_by_key(|(index, _)| *index);
        Ok(made.into_iter().map(|(_, made)| made).collect())
    }

    /// The whole blob id of the new side of the file at `index`, as git would store it; `None` for one that went. No line
    /// is compared for it.
    ///
    /// # Errors
    /// When the file cannot be read.
    ///
    /// # Panics
    /// When there is no such file.
    pub(super) fn new_id(&self, changes: &Changes, index: usize) -> Result<Option<String>, Error> {
        let path = changes.files()[index].path.as_bstr();
        let new = changes.sides[index].new.as_ref();
        new.map(|side| self.id_of(path, side).map(|id| id.to_string())).transpose()
    }

    fn hash(&self, path: &BStr, bytes: &[u8]) -> Result<Oid, Error> {
        Oid::hash_object(ObjectType::Blob, bytes).map_err(|source| Error::CompareFile { path: path.into(), source })
    }
}

/// How `new` differs from `old`, two texts of a file of which no repository need know anything: compared as those of a
/// repository are, with plain headings. The ids are those that they would have.
///
/// # Errors
/// When libgit2 cannot compare them.
pub fn text_patch(change: Change, old: &[u8], new: &[u8], context: u32) -> Result<FilePatch, Error> {
    let failed = |source| Error::CompareFile { path: change.path.clone(), source };
    let id = |text: &[u8]| Oid::hash_object(ObjectType::Blob, text).map(|id| id.to_string());
    let ids = [(change.old_mode, old), (change.new_mode, new)]
        .map(|(mode, text)| mode.map(|_| id(text)).transpose().map_err(failed));
    let [old_id, new_id] = ids;
    let is_opaque = |text: &[u8]| text.len() as u64 >= TOO_BIG_TO_COMPARE || is_binary(text);
    let lines = if is_opaque(old) || is_opaque(new) {
        Lines { binary: true, ..Lines::default() }
    } else {
        text_lines(old, new, context).map_err(failed)?
    };
    let change = Change { old_id: old_id?, new_id: new_id?, binary: lines.binary, ..change };
    Ok(FilePatch { change, text: lines.text, added: lines.added, removed: lines.removed })
}

fn text_lines(old: &[u8], new: &[u8], context: u32) -> Result<Lines, git2::Error> {
    let patch = Patch::from_buffers(old, None, new, None, Some(&mut options(context)))?;
    lines_of(&patch, Hunks::new(old, None))
}

/// The numbers in `new` of the lines `first` to `last` of `old`; `None` when a diff says that one of them has changed, or
/// something stands between them now.
#[must_use]
pub fn carried_lines(old: &[u8], new: &[u8], (first, last): (u64, u64)) -> Option<(u64, u64)> {
    let diff = text_lines(old, new, 0).ok()?;
    let (mut gone, mut come) = (0, 0);
    for hunk in diff.text.lines().filter(|line| line.starts_with(b"@@")).filter_map(HunkHeader::parse) {
        let start = hunk.first_lines().0;
        if start > last {
            break;
        }
        // What only comes stands in front of the line `start`.
        if start + hunk.old_lines > first && (hunk.old_lines > 0 || start > first) {
            return None;
        }
        (gone, come) = (gone + hunk.old_lines, come + hunk.new_lines);
    }
    Some((first + come - gone, last + come - gone))
}

/// How texts are compared.
fn options(context: u32) -> DiffOptions {
    let mut options = DiffOptions::new();
    options.context_lines(context).interhunk_lines(0).indent_heuristic(true).force_text(true);
    options
}

/// The lines of a patch.
fn lines_of(patch: &Patch<'_>, mut hunks: Hunks<'_>) -> Result<Lines, git2::Error> {
    hunks.lines.text.reserve_exact(patch.size(true, true, false));
    for index in 0..patch.num_hunks() {
        let (hunk, count) = patch.hunk(index)?;
        hunks.hunk(&hunk);
        for line in 0..count {
            hunks.line(&patch.line_in_hunk(index, line)?);
        }
    }
    Ok(hunks.lines)
}

/// What is compared of a side.
enum Text<'a> {
    Nothing,
    Blob(Blob<'a>),
    Bytes(Vec<u8>),
}

impl Text<'_> {
    fn bytes(&self) -> &[u8] {
        match self {
            Text::Nothing => b"",
            Text::Blob(blob) => blob.content(),
            Text::Bytes(bytes) => bytes,
        }
    }

    fn blob(&self) -> Option<&Blob<'_>> {
        match self {
            Text::Blob(blob) => Some(blob),
            Text::Nothing | Text::Bytes(_) => None,
        }
    }
}

/// Puts hunks down as they come: a header with its heading, lines with their prefix, bytes as they are.
struct Hunks<'a> {
    lines: Lines,
    headings: Headings<'a>,
}

impl<'a> Hunks<'a> {
    fn new(old: &'a [u8], rules: Option<&'a Rules>) -> Self {
        Self { lines: Lines::default(), headings: Headings::new(old, rules) }
    }

    fn hunk(&mut self, hunk: &DiffHunk<'_>) {
        let text = &mut self.lines.text;
        let range = |text: &mut Vec<u8>, sign: char, start: u32, lines: u32| {
            // Writing to a vector cannot fail.
            let _ = write!(text, " {sign}{start}");
            if lines != 1 {
                let _ = write!(text, ",{lines}");
            }
        };
        text.extend_from_slice(b"@@");
        range(text, '-', hunk.old_start(), hunk.old_lines());
        range(text, '+', hunk.new_start(), hunk.new_lines());
        text.extend_from_slice(b" @@");
        // A range without lines names the line in front of it.
        let above = if hunk.old_lines() == 0 { hunk.old_start() } else { hunk.old_start().saturating_sub(1) };
        let heading = self.headings.above(u64::from(above));
        if !heading.is_empty() {
            text.push(b' ');
            text.extend_from_slice(heading);
        }
        text.push(b'\n');
    }

    fn line(&mut self, line: &DiffLine<'_>) {
        // What says that a newline is missing brings its own backslash, behind the newline that is not there.
        if let prefix @ (' ' | '+' | '-') = line.origin() {
            self.lines.text.push(prefix as u8);
            self.lines.added += u64::from(prefix == '+');
            self.lines.removed += u64::from(prefix == '-');
        }
        self.lines.text.extend_from_slice(line.content());
    }
}

#[cfg(test)]
mod tests {
    use super::carried_lines;

    #[test]
    fn lines_are_carried_unless_they_have_changed() {
        let old = b"a\nb\nc\nd\ne\n";
        for (new, lines, want) in [
            ("a\nb\nc\nd\ne\n", (2, 3), Some((2, 3))),
            ("x\ny\na\nb\nc\nd\ne\n", (1, 1), Some((3, 3))),
            ("a\nb\nx\nc\nd\ne\n", (2, 3), None),
            ("a\nb\nx\nc\nd\ne\n", (3, 5), Some((4, 6))),
            ("a\nb\nx\nc\nd\ne\n", (1, 2), Some((1, 2))),
            ("c\nd\ne\n", (3, 5), Some((1, 3))),
            ("a\nB\nc\nd\ne\n", (2, 2), None),
            ("a\nB\nc\nd\ne\n", (1, 3), None),
            ("a\nc\nd\ne\n", (1, 2), None),
            ("a\nc\nd\ne\n", (3, 3), Some((2, 2))),
            ("", (1, 1), None),
        ] {
            assert_eq!(carried_lines(old, new.as_bytes(), lines), want, "{new:?} {lines:?}");
        }
    }
}
