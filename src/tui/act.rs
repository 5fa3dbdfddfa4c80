//! Acting on the code: lines of the diff staged, unstaged, or discarded, as long as file and index are what the review
//! shows. What is about to go is kept first.

use std::fs;
use std::path::{Path, PathBuf};

use bstr::{BString, ByteSlice as _};

use crate::document::check::{Current, Repository as _, is_same};
use crate::document::partial::{Direction, applied};
use crate::document::{FileHeader, FileStatus, Section};
use crate::error::Error;
use crate::git::{Entry, Repo, Scope};
use crate::store;
use crate::text::Span;

use super::effect::{Act, ActKind, Restore};
use super::history::{Back, Layer, Restoration, Step};
use super::msg::{Acted, Msg};

/// The modes of git that hold lines.
const FILE: u32 = 0o100_644;
const EXECUTABLE: u32 = 0o100_755;

/// Do it.
#[must_use]
pub fn act(job: &Act) -> Msg {
    match done(job) {
        Ok(acted) => Msg::Acted(Box::new(acted)),
        Err(error) => Msg::ActFailed(error.to_string()),
    }
}

/// Take an act back, or do it again.
#[must_use]
pub fn restore(job: &Restore) -> Msg {
    match restored(&job.restoration) {
        Ok(back) => Msg::Restored { ticket: job.ticket, back: Box::new(back) },
        Err(error) => {
            let is_gone = matches!(error, Error::CannotChange { .. });
            Msg::WriteFailed { ticket: job.ticket, reason: error.to_string(), is_gone }
        }
    }
}

fn done(job: &Act) -> Result<Acted, Error> {
    let repo = Repo::discover(&job.basis.dir)?.with_filters(job.basis.filters);
    let path = job.file()?.path.clone();
    let scope = job.basis.scope(&repo, &job.meta, &job.review)?;
    let change = Change { job, repo: &repo, path: &path };
    let (back, kept) = match job.kind {
        ActKind::Stage => (change.stage(&scope)?, None),
        ActKind::Unstage => (change.unstage(&scope)?, None),
        ActKind::Discard => change.discard()?,
    };
    let lines = job.lines.len();
    let lines = if lines == 1 { "1 line".to_owned() } else { format!("{lines} lines") };
    let kept = kept.map(|id| format!("; the file as it was: {}", shown_by(&id))).unwrap_or_default();
    let label = format!("{} {lines} of {path}", job.kind.name());
    let said = format!("{} {lines} of {path}{kept}", job.kind.done());
    Ok(Acted { said, step: Step { label, back: Back::Act(Box::new(back)) } })
}

impl Act {
    fn file(&self) -> Result<&FileHeader, Error> {
        self.section.tree().file.as_ref().ok_or_else(|| refused(&"(unknown)".into(), "the review names no file here"))
    }
}

fn refused(path: &BString, reason: impl Into<String>) -> Error {
    Error::CannotChange { path: path.clone(), reason: reason.into() }
}

/// What shows a blob.
fn shown_by(id: &str) -> String {
    format!("git cat-file blob {}", &id[..id.len().min(10)])
}

/// A change that is about to be made.
struct Change<'a> {
    job: &'a Act,
    repo: &'a Repo,
    path: &'a BString,
}

impl Change<'_> {
    fn section(&self) -> &Section {
        &self.job.section
    }

    fn refused(&self, reason: impl Into<String>) -> Error {
        refused(self.path, reason)
    }

    /// Make the lines chosen part of what is staged.
    fn stage(&self, scope: &Scope) -> Result<Restoration, Error> {
        let file = self.plain()?;
        match scope {
            Scope::Unstaged | Scope::Worktree => {}
            Scope::Staged => return Err(self.refused("it is staged already")),
            _ => return Err(self.refused("only what is not committed yet can be staged")),
        }
        if file.status == FileStatus::Renamed {
            return Err(self.refused("it has another name in the index: `git add` stages that"));
        }
        self.must_be_on_disk(file)?;
        let (entry, content) = self.staged(Direction::Forward, file.old_sha, file.status == FileStatus::Added)?;
        let goes = file.status == FileStatus::Deleted && self.job.is_whole;
        let mode = match &entry {
            Some(entry) if !self.job.is_whole => entry.mode,
            Some(entry) => file.new_mode.filter(|_| file.old_mode != file.new_mode).unwrap_or(entry.mode),
            None => file.new_mode.unwrap_or(FILE),
        };
        self.put(entry, (!goes).then_some((content, mode)))
    }

    /// Take the lines chosen out of what is staged.
    fn unstage(&self, scope: &Scope) -> Result<Restoration, Error> {
        let file = self.plain()?;
        match scope {
            Scope::Staged | Scope::Worktree => {}
            Scope::Unstaged => return Err(self.refused("it is not staged")),
            _ => return Err(self.refused("what is committed is staged no more")),
        }
        let (entry, content) = self.staged(Direction::Reverse, file.new_sha, file.status == FileStatus::Deleted)?;
        let goes = file.status == FileStatus::Added && self.job.is_whole;
        let mode = match &entry {
            Some(entry) if !self.job.is_whole || file.old_mode == file.new_mode => entry.mode,
            _ => file.old_mode.unwrap_or(FILE),
        };
        self.put(entry, (!goes).then_some((content, mode)))
    }

    /// What the index has, which must be what the review shows, and what it would have with the lines chosen.
    fn staged(
        &self,
        direction: Direction,
        shown: Option<Span>,
        is_absent: bool,
    ) -> Result<(Option<Entry>, Vec<u8>), Error> {
        let entry = self.repo.entry(self.path.as_ref())?;
        self.must_be(entry.as_ref().map(|entry| entry.id.as_str()), shown, is_absent, "index")?;
        let base = entry.as_ref().map_or(&b""[..], |entry| entry.content.as_slice());
        let content = self.made(direction, base)?;
        Ok((entry, content))
    }

    fn put(&self, before: Option<Entry>, after: Option<(Vec<u8>, u32)>) -> Result<Restoration, Error> {
        let new = after.as_ref().map(|(content, mode)| (content.as_slice(), *mode));
        self.repo.put_entry(self.path.as_ref(), before.as_ref(), new)?;
        let before = before.map(|entry| (entry.content, entry.mode));
        Ok(self.restoration(Layer::Index, before, after))
    }

    fn restoration(&self, layer: Layer, before: Option<(Vec<u8>, u32)>, after: Option<(Vec<u8>, u32)>) -> Restoration {
        let shared = |file: Option<(Vec<u8>, u32)>| file.map(|(content, mode)| (content.into(), mode));
        let (before, after) = (shared(before), shared(after));
        Restoration { basis: self.job.basis.clone(), path: self.path.clone(), layer, before, after }
    }

    /// Take the lines chosen back on disk; with the id of the blob that keeps the file as it was.
    fn discard(&self) -> Result<(Restoration, Option<String>), Error> {
        let file = self.plain()?;
        self.must_be_on_disk(file)?;
        let place = on_disk(self.repo, self.path)?;
        let before = read(self.path, &place)?;
        let base = before.as_ref().map_or(&b""[..], |(content, _)| content.as_slice());
        // Of a file that git converts on the way the lines on disk are others than the review shows, and are refused.
        let content = self.made(Direction::Reverse, base)?;
        let goes = file.status == FileStatus::Added && self.job.is_whole;
        let mode = match &before {
            Some((_, mode)) if !self.job.is_whole || file.old_mode == file.new_mode => *mode,
            _ => file.old_mode.unwrap_or(FILE),
        };
        let after = (!goes).then_some((content, mode));
        // Before anything goes: whatever happens next, it can be found again.
        let kept = before.as_ref().map(|(content, _)| self.repo.keep(self.path.as_ref(), content)).transpose()?;
        write(self.path, &place, plain(before.as_ref()), plain(after.as_ref()))?;
        Ok((self.restoration(Layer::Disk, before, after), kept))
    }

    /// The header of the file, if it holds lines.
    fn plain(&self) -> Result<&FileHeader, Error> {
        let file = self.job.file()?;
        let is_plain = |mode: Option<u32>| mode.is_none_or(|mode| matches!(mode, FILE | EXECUTABLE));
        if file.binary {
            return Err(self.refused("it is no text, and has no lines to choose"));
        }
        if !is_plain(file.old_mode) || !is_plain(file.new_mode) {
            return Err(self.refused("it is a link or a submodule, and no file with lines"));
        }
        if file.status == FileStatus::Context {
            return Err(self.refused("nothing of it has changed"));
        }
        Ok(file)
    }

    fn made(&self, direction: Direction, base: &[u8]) -> Result<Vec<u8>, Error> {
        let lines = &self.job.lines;
        let is_chosen = |line: u32| lines.binary_search(&line).is_ok();
        applied(self.section(), is_chosen, direction, base).map_err(|unfit| self.refused(unfit.to_string()))
    }

    /// Refuse unless `id` is the blob that the review shows, or there is none where it shows none.
    fn must_be(&self, id: Option<&str>, shown: Option<Span>, is_absent: bool, place: &str) -> Result<(), Error> {
        match (id, shown.filter(|_| !is_absent)) {
            (None, None) if is_absent => Ok(()),
            (Some(id), Some(shown)) if is_same(&shown.of(self.section().text()).to_str_lossy(), id) => Ok(()),
            (_, None) if !is_absent => Err(self.refused("the review does not say which version it shows")),
            _ => {
                Err(self.refused(format!("the {place} has another version of it than the review shows: refresh first")))
            }
        }
    }

    fn must_be_on_disk(&self, file: &FileHeader) -> Result<(), Error> {
        let id = match self.repo.current(self.path.as_ref()) {
            Some(Current::Blob(id)) => Some(id),
            Some(Current::Missing) => None,
            Some(Current::Folder) => return Err(self.refused("it is a folder by now: refresh first")),
            None => return Err(self.refused("git stores it as a program makes it that was not run")),
        };
        self.must_be(id.as_deref(), file.new_sha, file.status == FileStatus::Deleted, "working tree")
    }
}

/// Make a file what it was before an act, as long as it is what the act has left. What does the act again.
fn restored(restoration: &Restoration) -> Result<Restoration, Error> {
    let Restoration { basis, path, layer, before, after } = restoration;
    let repo = Repo::discover(&basis.dir)?.with_filters(basis.filters);
    let (wanted, left) = (plain(before.as_ref()), plain(after.as_ref()));
    match layer {
        Layer::Index => {
            let entry = repo.entry(path.as_ref())?;
            if entry.as_ref().map(|entry| (entry.content.as_slice(), entry.mode)) != left {
                return Err(refused(path, "it has changed since in the index"));
            }
            repo.put_entry(path.as_ref(), entry.as_ref(), wanted)?;
        }
        Layer::Disk => {
            let place = on_disk(&repo, path)?;
            let there = read(path, &place)?;
            if plain(there.as_ref()) != left {
                // Nothing takes the act back any more: what it took can still be found.
                let kept = before.as_ref().map(|(content, _)| repo.keep(path.as_ref(), content)).transpose()?;
                let kept = kept.map(|id| format!("; before: {}", shown_by(&id)));
                return Err(refused(path, format!("it has changed since{}", kept.unwrap_or_default())));
            }
            if let Some((content, _)) = &there {
                repo.keep(path.as_ref(), content)?;
            }
            write(path, &place, left, wanted)?;
        }
    }
    Ok(Restoration { before: after.clone(), after: before.clone(), ..restoration.clone() })
}

/// A file whose content is only looked at.
fn plain<T: AsRef<[u8]>>(file: Option<&(T, u32)>) -> Option<(&[u8], u32)> {
    file.map(|(content, mode)| (content.as_ref(), *mode))
}

/// Where a file of the repository is on disk; nowhere outside of it, whatever links lead there.
fn on_disk(repo: &Repo, path: &BString) -> Result<PathBuf, Error> {
    let root = repo.workdir().ok_or_else(|| refused(path, "the repository has no working tree"))?;
    let name = path.to_path().map_err(|_| refused(path, "this system has no such path"))?;
    let (folder, file) = (name.parent().unwrap_or(Path::new("")), name.file_name().unwrap_or_default());
    let place = store::inside(&root.join(folder), root)?.join(file);
    // A link at the place of the file is not followed.
    store::inside(&place, root).map(|_| place)
}

/// The file at `place`; `None` where there is none.
fn read(path: &BString, place: &Path) -> Result<Option<(Vec<u8>, u32)>, Error> {
    let failed = |source| Error::ReadFile { path: place.into(), source };
    let meta = match fs::symlink_metadata(place) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        meta => meta.map_err(failed)?,
    };
    if !meta.is_file() {
        return Err(refused(path, "it is no regular file by now: refresh first"));
    }
    Ok(Some((store::read(place)?.to_vec(), mode(&meta))))
}

#[cfg(unix)]
fn mode(meta: &fs::Metadata) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    if meta.permissions().mode() & 0o100 == 0 { FILE } else { EXECUTABLE }
}

#[cfg(not(unix))]
fn mode(_: &fs::Metadata) -> u32 {
    FILE
}

/// Make `after` of a file that is `before`, or nothing.
fn write(path: &BString, place: &Path, before: Option<(&[u8], u32)>, after: Option<(&[u8], u32)>) -> Result<(), Error> {
    let changed = || refused(path, "it has changed meanwhile");
    let Some((content, wanted)) = after else {
        if plain(read(path, place)?.as_ref()) != before {
            return Err(changed());
        }
        return fs::remove_file(place).map_err(|source| Error::WriteFile { path: place.into(), source });
    };
    store::update(place, |there| {
        let is_it = there == before.map(|(content, _)| content);
        if is_it { Ok(content.to_vec()) } else { Err(changed()) }
    })?;
    set_mode(place, wanted).map_err(|source| Error::WriteFile { path: place.into(), source })
}

/// Make a file executable, or not, as far as `wanted` says something else than what it is.
#[cfg(unix)]
fn set_mode(place: &Path, wanted: u32) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let meta = fs::symlink_metadata(place)?;
    if mode(&meta) == wanted {
        return Ok(());
    }
    let bits = meta.permissions().mode();
    // Whoever may read it may run it.
    let bits = if wanted == EXECUTABLE { bits | (bits & 0o444) >> 2 } else { bits & !0o111 };
    fs::set_permissions(place, fs::Permissions::from_mode(bits))
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: u32) -> std::io::Result<()> {
    Ok(())
}
