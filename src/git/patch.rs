//! The lines of one file: its hunks as `git diff` shows them, ready to stand in a section of a document.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use bstr::{BStr, ByteSlice};
use git2::{Blob, DiffOptions, ObjectType, Oid, Patch};

use super::content::{Content, Side, Stored};
use super::list::Sides;
use super::{Changes, Library, path_of};
use crate::error::Error;
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
        let lines = match (on_disk, new) {
            _ if old_id == new_id && !dirty => Lines::default(),
            (Some(Stored::Opaque(_)), _) => Lines { binary: true, ..Lines::default() },
            (Some(Stored::Bytes(bytes)), _) => self.compare((old_path, old), (path, new), &bytes, changes.context())?,
            (None, Some(side)) => {
                let bytes = self.bytes_of_side(path, &side)?;
                self.compare((old_path, old), (path, new), &bytes, changes.context())?
            }
            (None, None) => self.compare((old_path, old), (path, new), b"", changes.context())?,
        };
        change.old_id = old_id.map(|id| self.abbreviated(id));
        change.new_id = new_id.map(|id| self.abbreviated(id));
        change.binary = lines.binary;
        Ok(FilePatch { change, text: lines.text, added: lines.added, removed: lines.removed })
    }

    /// Compare the two sides, of which the new one is `bytes`.
    fn compare(&self, old: Place<'_>, new: Place<'_>, bytes: &[u8], context: u32) -> Result<Lines, Error> {
        let ((old_path, old), (path, new)) = (old, new);
        let mut options = DiffOptions::new();
        options.context_lines(context).interhunk_lines(0).indent_heuristic(true);
        let patch = if old.or(new).is_some_and(|side| side.is_file()) {
            let blob = self.old_blob(old_path, old)?;
            let (old_path, path) = (path_of(old_path), path_of(path));
            Patch::from_blob_and_buffer(&blob, Some(&old_path), bytes, Some(&path), Some(&mut options))
                .and_then(|patch| lines(&patch))
        } else {
            // Attributes are about files: a link or a submodule is compared without.
            let before = old.map(|side| self.bytes_of_side(old_path, &side)).transpose()?.unwrap_or_default();
            Patch::from_buffers(&before, None, bytes, None, Some(&mut options)).and_then(|patch| lines(&patch))
        };
        patch.map_err(|source| Error::CompareFile { path: path.into(), source })
    }

    /// What `make` makes of each file's patch, in order, on as many threads as there are processors.
    ///
    /// # Errors
    /// The first one, in order of the files.
    pub(super) fn map_patches<T: Send>(
        &self,
        changes: &Changes,
        make: impl Fn(FilePatch) -> T + Sync,
    ) -> Result<Vec<T>, Error> {
        let count = changes.files().len();
        let workers = thread::available_parallelism().map_or(1, NonZero::get).min(count / FILES_A_THREAD);
        if workers < 2 {
            return (0..count).map(|index| self.patch(changes, index).map(&make)).collect();
        }
        let (next, dir) = (AtomicUsize::new(0), self.dir.as_path());
        let work = || -> Result<Vec<(usize, T)>, (usize, Error)> {
            let repo = Self::discover(dir).map_err(|error| (0, error))?;
            let mut made = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= count {
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

    /// The blob of the old side, or the empty one. Attributes (which files are text, what a heading is) are only looked
    /// up by libgit2 where one side is a blob of the repository.
    fn old_blob(&self, path: &BStr, old: Option<Side>) -> Result<Blob<'_>, Error> {
        let empty = || self.raw.blob(b"").map_err(|source| Error::CompareFile { path: path.into(), source });
        let id = old.as_ref().and_then(Side::known_id).map_or_else(empty, Ok)?;
        self.blob(path, id)
    }
}

/// The hunks of `patch` as text: a heading without blanks at its end, lines with their prefix, bytes as they are.
fn lines(patch: &Patch<'_>) -> Result<Lines, git2::Error> {
    let (_, added, removed) = patch.line_stats()?;
    let binary = patch.delta().flags().is_binary();
    let mut text = Vec::new();
    for index in 0..patch.num_hunks() {
        let (hunk, count) = patch.hunk(index)?;
        text.extend_from_slice(hunk.header().trim_ascii_end());
        text.push(b'\n');
        for line in 0..count {
            let line = patch.line_in_hunk(index, line)?;
            // What says that a newline is missing brings its own backslash, behind the newline that is not there.
            if let prefix @ (' ' | '+' | '-') = line.origin() {
                text.push(prefix as u8);
            }
            text.extend_from_slice(line.content());
        }
    }
    Ok(Lines { text, added: added as u64, removed: removed as u64, binary })
}
