//! Acting on the code: lines of the diff staged, unstaged, or discarded, as long as file and index are what the review
//! shows. What is about to go is kept first.

use std::fs;
use std::path::{Path, PathBuf};

use bstr::{BString, ByteSlice as _};

use crate::document::check::{Current, Repository as _, is_same};
use crate::document::partial::{Direction, Unfit, applied};
use crate::document::{FileHeader, FileStatus, Section};
use crate::error::Error;
use crate::git::{Repo, Scope, Stored, mode};
use crate::store;
use crate::text::Span;
use crate::text::counted::counted;

use super::effect::{Act, ActKind, Restore};
use super::history::{Back, Layer, Restoration, Step};
use super::msg::{Acted, Msg};

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
    let lines = counted(job.lines.len(), "line");
    let kept = kept.map(|id| format!("; the file as it was: {}", shown_by(&id))).unwrap_or_default();
    let label = format!("{} {lines} of {path}", job.kind.name());
    let said = format!("{} {lines} of {path}{kept}", job.kind.done());
    Ok(Acted { said, step: Step { label, back: Back::Act(Box::new(back)) } })
}

impl Act {
    fn file(&self) -> Result<&FileHeader, Error> {
        let unnamed = || refused(&self.section.path().into(), "the review names no file here");
        self.section.tree().file.as_ref().ok_or_else(unnamed)
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
        let file = self.file_with_lines()?;
        match scope {
            Scope::Unstaged | Scope::Worktree => {}
            Scope::Staged => return Err(self.refused("it is staged already")),
            _ => return Err(self.refused("only what is not committed yet can be staged")),
        }
        if file.status == FileStatus::Renamed {
            return Err(self.refused("it has another name in the index: `git add` stages that"));
        }
        self.must_be_on_disk(file)?;
        self.put(file, scope, Direction::Forward)
    }

    /// Take the lines chosen out of what is staged.
    fn unstage(&self, scope: &Scope) -> Result<Restoration, Error> {
        let file = self.file_with_lines()?;
        match scope {
            Scope::Staged | Scope::Worktree => {}
            Scope::Unstaged => return Err(self.refused("it is not staged")),
            _ => return Err(self.refused("what is committed is staged no more")),
        }
        self.put(file, scope, Direction::Reverse)
    }

    /// Make the lines chosen in what the index has, which must be what the review shows.
    fn put(&self, file: &FileHeader, scope: &Scope, direction: Direction) -> Result<Restoration, Error> {
        let entry = self.repo.entry(self.path.as_ref())?;
        let id = entry.as_ref().filter(|entry| !entry.file.is_announced).map(|entry| entry.id.as_str());
        let (from, to) = match direction {
            Direction::Forward => (Shown::old(file), Shown::new(file)),
            Direction::Reverse => (Shown::new(file), Shown::old(file)),
        };
        if *scope == Scope::Worktree && self.is_it(id, from) == Some(false) {
            // The review does not show the index, and to refresh it would change nothing.
            return Err(self.refused(match (direction, self.is_it(id, to)) {
                (Direction::Forward, Some(true)) => "it is staged already",
                (Direction::Reverse, Some(true)) => "it is not staged",
                (Direction::Forward, _) => {
                    "the index has another version of it than HEAD: `whymark tui --unstaged` shows what can be staged"
                }
                (Direction::Reverse, _) => {
                    "the index has another version of it than the working tree: `whymark tui --staged` shows what is \
                     staged"
                }
            }));
        }
        self.must_be(id, from, "index")?;
        let before = entry.map(|entry| entry.file);
        let after = self.after(file, direction, before.as_ref()).map_err(|unfit| self.refused(unfit.to_string()))?;
        self.repo.put_entry(self.path.as_ref(), before.as_ref(), after.as_ref())?;
        Ok(self.restoration(Layer::Index, before, after))
    }

    /// Take the lines chosen back on disk; with the id of the blob that keeps the file as it was.
    fn discard(&self) -> Result<(Restoration, Option<String>), Error> {
        let file = self.file_with_lines()?;
        self.must_be_on_disk(file)?;
        let place = on_disk(self.repo, self.path)?;
        let before = read(self.path, &place)?;
        let after = self.after(file, Direction::Reverse, before.as_ref()).map_err(|unfit| {
            self.refused(match unfit {
                // To git it is what the review shows, so it is git that makes something else of it.
                Unfit::Other(_) => {
                    "git converts its lines on the way to disk: `git restore --patch` discards them".into()
                }
                unfit => unfit.to_string(),
            })
        })?;
        // Before anything goes: whatever happens next, it can be found again.
        let kept = before.as_ref().map(|file| self.repo.keep(self.path.as_ref(), &file.content)).transpose()?;
        write(self.path, &place, before.as_ref(), after.as_ref())?;
        Ok((self.restoration(Layer::Disk, before, after), kept))
    }

    /// What becomes of a file that is `before`. What else the change is of, its mode or that it is there at all, comes and
    /// goes with the last of its lines.
    fn after(&self, file: &FileHeader, direction: Direction, before: Option<&Stored>) -> Result<Option<Stored>, Unfit> {
        let (gone, mode) = match direction {
            Direction::Forward => (FileStatus::Deleted, file.new_mode),
            Direction::Reverse => (FileStatus::Added, file.old_mode),
        };
        let (base, lines) = (before.cloned().unwrap_or_default(), &self.job.lines);
        let is_chosen = |line: u32| lines.binary_search(&line).is_ok();
        let content = applied(self.section(), is_chosen, direction, &base.content)?.into();
        let keeps_mode = !self.job.is_whole || file.old_mode == file.new_mode;
        let own = before.map(|before| before.mode);
        let mode = if keeps_mode { own.or(mode) } else { mode.or(own) };
        let after = Stored { content, mode: mode.unwrap_or(mode::FILE), is_announced: false, ..base };
        Ok(Some(after).filter(|_| !self.job.is_whole || file.status != gone))
    }

    fn restoration(&self, layer: Layer, before: Option<Stored>, after: Option<Stored>) -> Restoration {
        Restoration { basis: self.job.basis.clone(), path: self.path.clone(), layer, before, after }
    }

    /// The header of the file, if it holds lines.
    fn file_with_lines(&self) -> Result<&FileHeader, Error> {
        let file = self.job.file()?;
        let is_plain = |mode: Option<u32>| mode.is_none_or(|mode| matches!(mode, mode::FILE | mode::EXECUTABLE));
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

    /// Whether the blob `id`, or none, is what the review shows; `None` where it does not say.
    fn is_it(&self, id: Option<&str>, shown: Shown) -> Option<bool> {
        match shown {
            Shown::Nothing => Some(id.is_none()),
            Shown::Blob(shown) => {
                Some(id.is_some_and(|id| is_same(&shown.of(self.section().text()).to_str_lossy(), id)))
            }
            Shown::Unsaid => None,
        }
    }

    fn must_be(&self, id: Option<&str>, shown: Shown, place: &str) -> Result<(), Error> {
        match self.is_it(id, shown) {
            Some(true) => Ok(()),
            Some(false) => {
                Err(self.refused(format!("the {place} has another version of it than the review shows: refresh first")))
            }
            None => Err(self.refused("the review does not say which version it shows")),
        }
    }

    fn must_be_on_disk(&self, file: &FileHeader) -> Result<(), Error> {
        let id = match self.repo.current(self.path.as_ref()) {
            Some(Current::Blob(id)) => Some(id),
            Some(Current::Missing) => None,
            Some(Current::Folder) => return Err(self.refused("it is a folder by now: refresh first")),
            None => return Err(self.refused("git stores it as a program makes it that was not run")),
        };
        self.must_be(id.as_deref(), Shown::new(file), "working tree")
    }
}

/// What the review says of one side of a file.
#[derive(Clone, Copy)]
enum Shown {
    /// There is no file.
    Nothing,
    /// It has this blob.
    Blob(Span),
    /// There is a file, and nobody says which blob it has.
    Unsaid,
}

impl Shown {
    fn old(file: &FileHeader) -> Self {
        Self::side(file.old_sha, file.status == FileStatus::Added)
    }

    fn new(file: &FileHeader) -> Self {
        Self::side(file.new_sha, file.status == FileStatus::Deleted)
    }

    fn side(id: Option<Span>, is_absent: bool) -> Self {
        if is_absent { Self::Nothing } else { id.map_or(Self::Unsaid, Self::Blob) }
    }
}

/// Make a file what it was before an act, as long as it is what the act has left. What does the act again.
fn restored(restoration: &Restoration) -> Result<Restoration, Error> {
    let Restoration { basis, path, layer, before, after } = restoration;
    let repo = Repo::discover(&basis.dir)?.with_filters(basis.filters);
    match layer {
        Layer::Index => {
            if repo.entry(path.as_ref())?.map(|entry| entry.file) != *after {
                return Err(refused(path, "it has changed since in the index"));
            }
            repo.put_entry(path.as_ref(), after.as_ref(), before.as_ref())?;
        }
        Layer::Disk => {
            let place = on_disk(&repo, path)?;
            let there = read(path, &place)?;
            if there != *after {
                // Nothing takes the act back any more: what it took can still be found.
                let kept = before.as_ref().map(|file| repo.keep(path.as_ref(), &file.content)).transpose()?;
                let kept = kept.map(|id| format!("; before: {}", shown_by(&id)));
                return Err(refused(path, format!("it has changed since{}", kept.unwrap_or_default())));
            }
            if let Some(file) = &there {
                repo.keep(path.as_ref(), &file.content)?;
            }
            write(path, &place, after.as_ref(), before.as_ref())?;
        }
    }
    Ok(Restoration { before: after.clone(), after: before.clone(), ..restoration.clone() })
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
fn read(path: &BString, place: &Path) -> Result<Option<Stored>, Error> {
    let failed = |source| Error::ReadFile { path: place.into(), source };
    let meta = match fs::symlink_metadata(place) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        meta => meta.map_err(failed)?,
    };
    if !meta.is_file() {
        return Err(refused(path, "it is no regular file by now: refresh first"));
    }
    Ok(Some(Stored { content: store::read(place)?, mode: mode::of(&meta), ..Stored::default() }))
}

/// Make `after` of a file that is `before`, or nothing.
fn write(path: &BString, place: &Path, before: Option<&Stored>, after: Option<&Stored>) -> Result<(), Error> {
    let changed = || refused(path, "it has changed meanwhile");
    let Some(after) = after else {
        if read(path, place)?.as_ref() != before {
            return Err(changed());
        }
        return fs::remove_file(place).map_err(|source| Error::WriteFile { path: place.into(), source });
    };
    store::update(place, |there| {
        let is_it = there == before.map(|before| &*before.content);
        if is_it { Ok(after.content.to_vec()) } else { Err(changed()) }
    })?;
    set_mode(place, after.mode).map_err(|source| Error::WriteFile { path: place.into(), source })
}

/// Make a file executable, or not, as far as `wanted` says something else than what it is.
#[cfg(unix)]
fn set_mode(place: &Path, wanted: u32) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let meta = fs::symlink_metadata(place)?;
    if mode::of(&meta) == wanted {
        return Ok(());
    }
    let bits = meta.permissions().mode();
    // Whoever may read it may run it.
    let bits = if wanted == mode::EXECUTABLE { bits | (bits & 0o444) >> 2 } else { bits & !0o111 };
    fs::set_permissions(place, fs::Permissions::from_mode(bits))
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: u32) -> std::io::Result<()> {
    Ok(())
}
