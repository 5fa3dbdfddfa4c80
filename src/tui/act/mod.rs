//! Acting on the code: lines of the diff or whole files staged, unstaged, or discarded, as long as file and index are what
//! the review shows. What is about to go is kept first.

mod disk;
mod side;
mod staged;

use bstr::BString;
use bytes::Bytes;

use crate::document::FileStatus;
use crate::document::check::Repository as _;
use crate::document::partial::{Direction, Unfit, applied};
use crate::error::Error;
use crate::git::{Entry, Repo, Scope, Stored, Swap, Version, mode};

use super::effect::{Act, ActKind, Restore};
use super::history::{Back, Restoration, Step, Swaps};
use super::msg::{Acted, Msg};
use super::outcome::Outcome;
use super::staged::Staged;
use disk::Found;
use side::{Side, Sides};
use staged::Made;

pub use disk::DiskFile;
pub use staged::staged;

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
            // Another reason may pass, and the step with it.
            let is_gone = matches!(error, Error::ChangedSince { .. });
            Msg::WriteFailed { ticket: job.ticket, reason: error.to_string(), is_gone }
        }
    }
}

fn done(job: &Act) -> Result<Acted, Error> {
    let repo = Repo::discover(&job.basis.dir)?.with_filters(job.basis.filters);
    let scope = job.basis.scope(&repo, &job.meta, &job.review)?;
    let change = Change { job, repo: &repo, sides: Sides::of(job)? };
    change.must_be_possible()?;
    let (swaps, kept) = match job.kind {
        ActKind::Stage => (change.stage(&scope)?, None),
        ActKind::Unstage => (change.unstage(&scope)?, None),
        ActKind::Discard => change.discard()?,
    };
    let what = job.what();
    let kept = kept.map(|id| format!("; the file as it was: {}", shown_by(&id))).unwrap_or_default();
    let label = format!("{} {what}", job.kind.name());
    let said = format!("{} {what}{kept}", job.kind.done());
    let back = Restoration { basis: job.basis.clone(), swaps };
    Ok(Acted { said, step: Step { label, back: Back::Act(Box::new(back)) } })
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
    sides: Sides,
}

impl Change<'_> {
    fn refused(&self, reason: impl Into<String>) -> Error {
        refused(&self.sides.new.path, reason)
    }

    /// Whether the mode is a part of it.
    fn is_of_mode(&self) -> bool {
        self.job.is_whole && (self.sides.changes_mode() || !self.job.is_of_lines())
    }

    fn must_be_possible(&self) -> Result<(), Error> {
        let file = self.job.section.tree().file.as_ref();
        if file.is_some_and(|file| file.status == FileStatus::Context) {
            return Err(self.refused("nothing of it has changed"));
        }
        if !self.job.is_whole && !self.job.is_of_lines() {
            return Err(self.refused("it is no text before and after: its name takes all of it"));
        }
        Ok(())
    }

    /// The sides from which and to which it leads. What is renamed has its other name only as a whole.
    fn ends(&self, direction: Direction) -> (Side, Side) {
        let (from, to) = match direction {
            Direction::Forward => (&self.sides.old, &self.sides.new),
            Direction::Reverse => (&self.sides.new, &self.sides.old),
        };
        let path = if self.job.is_whole { &to.path } else { &from.path };
        (from.clone(), Side { path: path.clone(), shown: to.shown.clone() })
    }

    /// Make what is chosen part of what is staged.
    fn stage(&self, scope: &Scope) -> Result<Swaps, Error> {
        match scope {
            Scope::Unstaged | Scope::Worktree => {}
            Scope::Staged => return Err(self.refused("it is staged already")),
            _ => return Err(self.refused("only what is not committed yet can be staged")),
        }
        if !self.job.is_whole && self.sides.old.path != self.sides.new.path {
            return Err(self.refused("it has another name in the index: its own name here stages all of it"));
        }
        let (_, there) = self.on_disk()?;
        self.put(scope, Direction::Forward, there.map(|entry| entry.file))
    }

    /// Take what is chosen out of what is staged.
    fn unstage(&self, scope: &Scope) -> Result<Swaps, Error> {
        match scope {
            Scope::Staged | Scope::Worktree => {}
            Scope::Unstaged => return Err(self.refused("it is not staged")),
            _ => return Err(self.refused("what is committed is staged no more")),
        }
        let before = if self.job.is_of_lines() { None } else { self.before()? };
        self.put(scope, Direction::Reverse, before)
    }

    /// Make what is chosen in what the index has, which must be what the review shows. `target` is what is there then, where
    /// that is not made of lines.
    fn put(&self, scope: &Scope, direction: Direction, target: Option<Stored>) -> Result<Swaps, Error> {
        let (from, to) = self.ends(direction);
        let entry = self.repo.entry(from.path.as_ref())?;
        let with_mode = self.is_of_mode();
        let is_renamed = from.path != to.path;
        if *scope == Scope::Worktree
            && let Some(swap) = self.among_others(entry.as_ref())?
        {
            return self.in_index(vec![swap]);
        }
        if *scope == Scope::Worktree && from.is(entry.as_ref(), with_mode) == Some(false) {
            // The review does not show the index, and to refresh it would change nothing.
            let there = if is_renamed { self.repo.entry(to.path.as_ref())? } else { entry };
            return Err(self.refused(match (direction, to.is(there.as_ref(), with_mode)) {
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
        self.must_be(&from, entry.as_ref(), "index")?;
        let before = entry.map(|entry| entry.file);
        let after = self.after(direction, before.as_ref(), target)?;
        if before == after && !is_renamed {
            return Err(self.refused(match self.is_about_submodule() {
                true => "what has changed in the submodule is for a commit there",
                false => "it is so already",
            }));
        }
        if !is_renamed {
            return self.in_index(vec![Swap { path: to.path, before, after }]);
        }
        let there = self.repo.entry(to.path.as_ref())?;
        let goes = Swap { path: from.path, before, after: None };
        let is_target = |there: &Entry, after: &Stored| {
            !there.file.is_announced && there.file.content == after.content && there.file.mode == after.mode
        };
        if there.as_ref().zip(after.as_ref()).is_some_and(|(there, after)| is_target(there, after)) {
            // Somebody has staged one of the two names.
            return self.in_index(vec![goes]);
        }
        if there.as_ref().is_some_and(|there| !there.file.is_announced) {
            return Err(refused(&to.path, "the index has a file of this name: refresh first"));
        }
        let comes = Swap { path: to.path, before: there.map(|there| there.file), after };
        self.in_index(vec![goes, comes])
    }

    /// What is chosen, made or taken back in an index that has some lines of the review: all of them, or none. `None` where it
    /// has something else, or nothing of it would change.
    fn among_others(&self, entry: Option<&Entry>) -> Result<Option<Swap<Stored>>, Error> {
        let (job, Sides { old, new }) = (self.job, &self.sides);
        if !job.is_of_lines() || !job.lines.iter().any(|line| job.turns(*line)) {
            return Ok(None);
        }
        let Some(outcome) = Outcome::of(job) else { return Ok(None) };
        let found = staged::lines(self.repo, &job.section, (old, new), entry)?;
        let Some(Made { old: base, lines: staged }) = found else { return Ok(None) };
        let is_there = entry.is_some_and(|entry| !entry.file.is_announced);
        let changes = || job.section.tree().changes();
        if is_there != outcome.was_there
            || changes().any(|line| staged.binary_search(&line).is_ok() != job.is_made(line))
        {
            // Before anybody has looked nothing else was shown than that all are staged, or none.
            let is_told = job.staged == Staged::Unknown && (staged.is_empty() || staged.len() == changes().count());
            let other = "the index has other lines of it than the review shows: try again";
            return if is_told { Ok(None) } else { Err(self.refused(other)) };
        }
        let before = entry.map(|entry| entry.file.clone());
        let swap = |after| Swap { path: new.path.clone(), before: before.clone(), after };
        if !outcome.is_there {
            return Ok(Some(swap(None)));
        }
        let content = if outcome.lines.is_empty() {
            base
        } else {
            let is_wanted = |line: u32| outcome.lines.binary_search(&line).is_ok();
            let made = applied(&job.section, is_wanted, Direction::Forward, &base);
            made.map_err(|unfit| self.refused(unfit.to_string()))?
        };
        let own = before.as_ref().map(|before| before.mode);
        let mode = outcome.mode.or(own).unwrap_or(mode::FILE);
        let is_assumed = before.as_ref().is_some_and(|before| before.is_assumed);
        let after = Stored { content: content.into(), mode, is_announced: false, is_assumed };
        Ok(Some(swap(Some(after))))
    }

    fn in_index(&self, swaps: Vec<Swap<Stored>>) -> Result<Swaps, Error> {
        self.repo.put_entries(&swaps)?;
        Ok(Swaps::Index(swaps))
    }

    /// Take what is chosen back on disk; with the id of the blob that keeps the file as it was.
    fn discard(&self) -> Result<(Swaps, Option<String>), Error> {
        if self.sides.old.is_submodule() || self.sides.new.is_submodule() {
            return Err(self.refused("it is a submodule: `git submodule update` brings another commit of it back"));
        }
        let (from, to) = self.ends(Direction::Reverse);
        let (there, entry) = self.on_disk()?;
        let after = if self.job.is_of_lines() {
            self.without_lines(there.as_ref(), entry)?
        } else {
            self.brought_back(&to.path, there.as_ref())?
        };
        // Before anything goes: whatever happens next, it can be found again.
        let keep = |file: &DiskFile| self.repo.keep(from.path.as_ref(), &file.content);
        let kept = there.as_ref().filter(|there| after.as_ref().is_none_or(|after| after.content != there.content));
        let kept = kept.map(keep).transpose()?;
        let swaps = if from.path == to.path {
            vec![Swap { path: from.path, before: there, after }]
        } else {
            // What comes back comes first: as long as it cannot, nothing goes.
            let comes = Swap { path: to.path, before: None, after };
            vec![comes, Swap { path: from.path, before: there, after: None }]
        };
        disk::swap(self.repo, &swaps).map_err(|error| found_by(error, &self.sides.new.path, kept.as_deref()))?;
        Ok((Swaps::Disk(swaps), kept))
    }

    /// What is to be on disk of the file `there`, which git stores as `entry`, when the lines chosen are taken back.
    fn without_lines(&self, there: Option<&DiskFile>, entry: Option<Entry>) -> Result<Option<DiskFile>, Error> {
        let (from, to) = self.ends(Direction::Reverse);
        let before = entry.map(|entry| entry.file);
        let Some(after) = self.after(Direction::Reverse, before.as_ref(), None)? else { return Ok(None) };
        if let (Some(there), Some(before), false) = (there, &before, self.job.is_named) {
            // Lines that nobody has chosen stay, byte for byte, also where these are all that changed.
            if self.repo.smudged(from.path.as_ref(), &before.content)? != there.content {
                return Err(self.refused(
                    "git would write lines of it in another way than they are on disk, also where nothing is chosen: \
                     its name discards all of it",
                ));
            }
        }
        let same = there.filter(|_| before.is_some_and(|before| before.mode == after.mode));
        let content = self.repo.smudged(to.path.as_ref(), &after.content)?;
        Ok(Some(DiskFile::like(same, content, after.mode)))
    }

    /// The whole old side, as it is to be on disk at `path` where `there` is now.
    fn brought_back(&self, path: &BString, there: Option<&DiskFile>) -> Result<Option<DiskFile>, Error> {
        let (new, old) = self.ends(Direction::Reverse);
        let same = there.filter(|_| !self.sides.changes_mode());
        let ids = [&new, &old].map(|side| side.shown.as_ref().and_then(|shown| shown.id.as_ref()));
        if let (Some(there), [Some(new_id), old_id], Some(old)) = (there, ids, &old.shown)
            && old_id == Some(new_id)
        {
            // Only the mode or the name has changed.
            return Ok(Some(DiskFile::like(same, there.content.clone(), old.mode)));
        }
        let Some(stored) = self.before()? else { return Ok(None) };
        let content = if mode::is_file(stored.mode) {
            self.repo.smudged(path.as_ref(), &stored.content)?
        } else {
            stored.content
        };
        Ok(Some(DiskFile::like(same, content, stored.mode)))
    }

    /// What becomes of a file that is `before`. What else the change is of, its mode or that it is there at all, comes and
    /// goes with the last of its lines. `target` is what is there then, where that is not made of lines.
    fn after(
        &self,
        direction: Direction,
        before: Option<&Stored>,
        target: Option<Stored>,
    ) -> Result<Option<Stored>, Error> {
        let (_, to) = self.ends(direction);
        let is_assumed = before.is_some_and(|before| before.is_assumed);
        if !self.job.is_of_lines() {
            return Ok(target.map(|target| Stored { is_assumed, ..target }));
        }
        let is_chosen = |line: u32| self.job.lines.binary_search(&line).is_ok();
        let base = before.map_or(Bytes::new(), |before| before.content.clone());
        let content = applied(&self.job.section, is_chosen, direction, &base);
        let content = content.map_err(|unfit: Unfit| self.refused(unfit.to_string()))?.into();
        if self.job.is_whole && to.shown.is_none() {
            return Ok(None);
        }
        // What comes and goes a line at a time is there until the last one.
        let side = if direction == Direction::Forward { &self.sides.new } else { &self.sides.old };
        let wanted = side.shown.as_ref().map(|shown| shown.mode);
        let own = before.map(|before| before.mode);
        let mode = if self.job.is_whole && self.sides.changes_mode() { wanted.or(own) } else { own.or(wanted) };
        Ok(Some(Stored { content, mode: mode.unwrap_or(mode::FILE), is_announced: false, is_assumed }))
    }

    /// The whole old side, as git stores it.
    fn before(&self) -> Result<Option<Stored>, Error> {
        let Side { path, shown } = &self.sides.old;
        let Some(shown) = shown else { return Ok(None) };
        let unsaid = || self.refused("the review does not say which version it shows");
        let gone = || self.refused("the version of it from before is not in the repository");
        let id = shown.id.as_ref().ok_or_else(unsaid)?;
        let content: Bytes = if self.sides.old.is_submodule() {
            let commit = self.repo.recorded("HEAD", path.as_ref());
            commit.filter(|commit| crate::document::check::is_same(commit, id)).ok_or_else(gone)?.into()
        } else {
            match self.repo.version(path.as_ref(), id, usize::MAX)? {
                Version::Text(content) => content.into(),
                Version::TooLong | Version::Gone => return Err(gone()),
            }
        };
        Ok(Some(Stored { content, mode: shown.mode, ..Stored::default() }))
    }

    fn must_be(&self, side: &Side, entry: Option<&Entry>, place: &str) -> Result<(), Error> {
        match side.is(entry, self.is_of_mode()) {
            Some(true) => Ok(()),
            Some(false) => {
                Err(self.refused(format!("the {place} has another version of it than the review shows: refresh first")))
            }
            None => Err(self.refused("the review does not say which version it shows")),
        }
    }

    /// What is on disk, as it is and as git would store it: what the review shows.
    fn on_disk(&self) -> Result<(Option<DiskFile>, Option<Entry>), Error> {
        let new = &self.sides.new;
        let place = disk::place(self.repo, &new.path)?;
        let (there, entry) = match disk::look(&new.path, place.as_deref())? {
            Found::Missing => (None, None),
            Found::File(file) => {
                let entry = self.repo.cleaned(new.path.as_ref(), &file.content, file.mode)?;
                (Some(file), Some(entry))
            }
            Found::Folder => {
                match place.filter(|_| self.is_about_submodule()).and_then(|place| Repo::commit_at(&place)) {
                    Some(commit) => {
                        (None, Some(self.repo.cleaned(new.path.as_ref(), &commit.into(), mode::SUBMODULE)?))
                    }
                    // An empty folder is what is left of a submodule that is not there.
                    None if new.shown.is_none() => (None, None),
                    None => return Err(self.refused("it is a folder by now: refresh first")),
                }
            }
        };
        self.must_be(new, entry.as_ref(), "working tree")?;
        let old = &self.sides.old.path;
        if *old != new.path && self.job.is_whole {
            let place = disk::place(self.repo, old)?;
            if !matches!(disk::look(old, place.as_deref())?, Found::Missing) {
                return Err(refused(old, "there is a file of this name by now: refresh first"));
            }
        }
        Ok((there, entry))
    }

    fn is_about_submodule(&self) -> bool {
        self.sides.new.is_submodule() || self.sides.old.is_submodule()
    }
}

/// Make files what they were before an act, as long as they are what the act has left. What does the act again.
fn restored(restoration: &Restoration) -> Result<Restoration, Error> {
    let repo = Repo::discover(&restoration.basis.dir)?.with_filters(restoration.basis.filters);
    let swaps = match restoration.swaps.clone() {
        Swaps::Index(swaps) => {
            let back: Vec<Swap<Stored>> = swaps.into_iter().map(Swap::reversed).collect();
            repo.put_entries(&back)?;
            Swaps::Index(back)
        }
        Swaps::Disk(swaps) => {
            let back: Vec<Swap<DiskFile>> = swaps.into_iter().rev().map(Swap::reversed).collect();
            back.iter().try_for_each(|swap| kept_before(&repo, swap))?;
            disk::swap(&repo, &back).map_err(|error| still_there(&repo, &back, error))?;
            Swaps::Disk(back)
        }
    };
    Ok(Restoration { basis: restoration.basis.clone(), swaps })
}

/// Keep what is about to go.
fn kept_before(repo: &Repo, swap: &Swap<DiskFile>) -> Result<(), Error> {
    let is_other = |before: &&DiskFile| swap.after.as_ref().is_none_or(|after| after.content != before.content);
    let before = swap.before.as_ref().filter(is_other);
    before.map_or(Ok(()), |before| repo.keep(swap.path.as_ref(), &before.content).map(drop))
}

/// Nothing takes an act back any more: what it took can still be found.
fn still_there(repo: &Repo, back: &[Swap<DiskFile>], error: Error) -> Error {
    let Some((swap, file)) = back.iter().find_map(|swap| Some((swap, swap.after.as_ref()?))) else { return error };
    let kept = repo.keep(swap.path.as_ref(), &file.content).ok();
    found_by(error, &swap.path, kept.as_deref())
}

/// `error`, about the file at `path`, with what shows the blob `kept`, which has the file as it was.
fn found_by(error: Error, path: &BString, kept: Option<&str>) -> Error {
    let Some(kept) = kept else { return error };
    let with = |reason: &str| format!("{reason}; before: {}", shown_by(kept));
    match error {
        Error::ChangedSince { path, reason } => Error::ChangedSince { path, reason: with(&reason) },
        Error::CannotChange { path, reason } => Error::CannotChange { path, reason: with(&reason) },
        other => Error::CannotChange { path: path.clone(), reason: with(&other.to_string()) },
    }
}
