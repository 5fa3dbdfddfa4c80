//! The lines of one file: its hunks as `git diff` shows them, ready to stand in a section of a document.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use bstr::{BStr, ByteSlice};
use git2::{Blob, DiffOptions, ObjectType, Oid, Patch};

use super::content::{Content, Side, Stored};
use super::{Changes, Repo, path_of};
use crate::error::Error;
pub use crate::skeleton::FilePatch;

/// Fewer files than this are not worth a thread.
const FILES_A_THREAD: usize = 8;

/// The lines of a patch, and what git2 says about it.
#[derive(Default)]
struct Lines {
    text: Vec<u8>,
    added: u64,
    removed: u64,
    binary: bool,
}

impl Repo {
    /// The lines of the file at `index` of [`Changes::files`], its ids abbreviated as git does, and whether it is
    /// binary.
    ///
    /// # Errors
    /// When a side cannot be read: the file has gone, or an object is missing.
    ///
    /// # Panics
    /// When there is no such file.
    pub fn patch(&self, changes: &Changes, index: usize) -> Result<FilePatch, Error> {
        let mut change = changes.files()[index].clone();
        let sides = &changes.sides[index];
        let old_path = change.old_path.as_ref().unwrap_or(&change.path).clone();
        let (old_path, path) = (old_path.as_bstr(), change.path.clone());
        let path = path.as_bstr();
        let new = match &sides.new {
            Some(side) if side.content == Content::OnDisk => Some(self.stored(path, side.mode)?),
            _ => None,
        };
        let new_id = match (&new, &sides.new) {
            (Some(Stored::Opaque(id)), _) => Some(*id),
            (Some(Stored::Bytes(bytes)), _) => Some(self.hash(path, bytes)?),
            (None, side) => side.as_ref().and_then(Side::known_id),
        };
        let old_id = match &sides.old {
            Some(side) => Some(self.id_of(old_path, side)?),
            None => None,
        };
        change.old_id = old_id.map(|id| self.abbreviated(id));
        change.new_id = new_id.map(|id| self.abbreviated(id));
        let dirty = matches!(sides.new, Some(Side { content: Content::Submodule { dirty: true, .. }, .. }));
        let lines = if old_id == new_id && !dirty {
            Lines::default()
        } else if let Some(Stored::Opaque(_)) = new {
            Lines { binary: true, ..Lines::default() }
        } else {
            let new_bytes = match (new, &sides.new) {
                (Some(Stored::Bytes(bytes)), _) => bytes,
                (_, Some(side)) => self.bytes_of_side(path, side)?,
                _ => Vec::new(),
            };
            let is_file = sides.old.as_ref().or(sides.new.as_ref()).is_some_and(Side::is_file);
            let mut options = options(changes.context());
            if is_file {
                let old = self.old_blob(path, old_id.filter(|_| sides.old.is_some()))?;
                lines_of_file(&old, old_path, &new_bytes, path, &mut options)
            } else {
                let old_bytes = sides.old.as_ref().map_or(Ok(Vec::new()), |side| self.bytes_of_side(old_path, side))?;
                Patch::from_buffers(&old_bytes, None, &new_bytes, None, Some(&mut options))
                    .and_then(|patch| lines(&patch))
            }
            .map_err(|source| Error::CompareFile { path: path.into(), source })?
        };
        change.binary = lines.binary;
        Ok(FilePatch { change, text: lines.text, added: lines.added, removed: lines.removed })
    }

    /// What `make` makes of each file's patch, in order, on as many threads as there are processors.
    ///
    /// # Errors
    /// The first one, in order of the files.
    pub fn map_patches<T: Send>(
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
                made.push((index, repo.patch(changes, index).map(&make).map_err(|error| (index, error))?));
            }
        };
        let done: Vec<_> = thread::scope(|scope| {
            let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
            workers.into_iter().map(|worker| worker.join().expect("computing a patch does not panic")).collect()
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

    /// All of the old side of the file at `index`: nothing for one that came.
    ///
    /// # Errors
    /// When it cannot be read.
    ///
    /// # Panics
    /// When there is no such file.
    pub fn old_content(&self, changes: &Changes, index: usize) -> Result<Vec<u8>, Error> {
        let change = &changes.files()[index];
        let path = change.old_path.as_ref().unwrap_or(&change.path).as_bstr();
        changes.sides[index].old.as_ref().map_or(Ok(Vec::new()), |side| self.bytes_of_side(path, side))
    }

    /// All of the new side of the file at `index`: nothing for one that went, or one too large or binary on disk.
    ///
    /// # Errors
    /// When it cannot be read.
    ///
    /// # Panics
    /// When there is no such file.
    pub fn new_content(&self, changes: &Changes, index: usize) -> Result<Vec<u8>, Error> {
        let path = changes.files()[index].path.as_bstr();
        changes.sides[index].new.as_ref().map_or(Ok(Vec::new()), |side| self.bytes_of_side(path, side))
    }

    fn hash(&self, path: &BStr, bytes: &[u8]) -> Result<Oid, Error> {
        Oid::hash_object(ObjectType::Blob, bytes).map_err(|source| Error::CompareFile { path: path.into(), source })
    }

    /// The blob `id`, or the empty one. Attributes (which files are text, what a heading is) are only looked up by
    /// libgit2 where one side is a blob of the repository.
    fn old_blob(&self, path: &BStr, id: Option<Oid>) -> Result<Blob<'_>, Error> {
        let compare = |source| Error::CompareFile { path: path.into(), source };
        let id = id.map_or_else(|| self.raw.blob(b""), Ok).map_err(compare)?;
        self.blob(path, id)
    }
}

fn options(context: u32) -> DiffOptions {
    let mut options = DiffOptions::new();
    options.context_lines(context).interhunk_lines(0).indent_heuristic(true);
    options
}

fn lines_of_file(
    old: &Blob<'_>,
    old_path: &BStr,
    new: &[u8],
    path: &BStr,
    options: &mut DiffOptions,
) -> Result<Lines, git2::Error> {
    let (old_path, path) = (path_of(old_path), path_of(path));
    lines(&Patch::from_blob_and_buffer(old, Some(&old_path), new, Some(&path), Some(options))?)
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
