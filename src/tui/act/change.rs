//! A change that is about to be made: what the review shows of it, and whether that is still so. Each side that the result
//! depends on is looked at right before anything is written.

use bstr::BString;

use crate::document::check::{Repository as _, is_same};
use crate::document::partial::Direction;
use crate::error::Error;
use crate::git::{Entry, Repo, Scope, Stored, Version, mode};

use super::super::effect::Act;
use super::disk::{self, DiskFile, Found};
use super::side::{Side, Sides, There};
use super::{outdated, refused};

/// A change of a file, to be made in the index or taken back on disk.
pub(super) struct Change<'a> {
    pub(super) job: &'a Act,
    pub(super) repo: &'a Repo,
    /// What the review compares.
    pub(super) scope: Scope,
    pub(super) sides: Sides,
}

impl<'a> Change<'a> {
    pub(super) fn of(job: &'a Act, repo: &'a Repo, scope: Scope) -> Result<Self, Error> {
        Ok(Self { job, repo, scope, sides: Sides::of(job)? })
    }

    pub(super) fn refused(&self, reason: impl Into<String>) -> Error {
        refused(&self.sides.new.path, reason)
    }

    pub(super) fn outdated(&self, reason: impl Into<String>) -> Error {
        outdated(&self.sides.new.path, reason)
    }

    /// Whether the mode is a part of it.
    pub(super) fn is_of_mode(&self) -> bool {
        self.job.is_whole && (self.sides.changes_mode() || !self.job.is_of_lines())
    }

    /// Whether it is about a submodule.
    pub(super) fn is_about_submodule(&self) -> bool {
        self.sides.new.is_submodule() || self.sides.old.is_submodule()
    }

    pub(super) fn must_be_possible(&self) -> Result<(), Error> {
        let job = self.job;
        if let Some(reason) = job.basis.compares(&job.meta).and_then(|scope| job.kind.refused_in(scope)) {
            return Err(self.refused(reason));
        }
        job.refusal().map_or(Ok(()), |reason| Err(self.refused(reason)))
    }

    /// Refuse where HEAD or the index, whichever is the old side of the review, has another version by now than it shows:
    /// what is made of one that somebody has left behind would undo what they did.
    pub(super) fn must_be_based(&self) -> Result<(), Error> {
        let Sides { old, new } = &self.sides;
        let place = match self.scope {
            Scope::Unstaged => "index",
            Scope::Staged | Scope::Worktree => "HEAD",
            // Commits stay what they are.
            Scope::Branch(_) | Scope::Commit(_) | Scope::Range { .. } | Scope::Manual => return Ok(()),
        };
        let at = |path| if place == "HEAD" { in_head(self.repo, path) } else { in_index(self.repo, path) };
        self.must_be(old, at(&old.path)?.as_ref(), place)?;
        let is_there = |there: There| !there.is_announced;
        if old.path != new.path && self.job.is_whole && at(&new.path)?.is_some_and(is_there) {
            return Err(self.outdated(format!("{} has a file of this name by now", named(place))));
        }
        Ok(())
    }

    /// Refuse where `there`, at some place, is not what a side of the review is.
    pub(super) fn must_be(&self, side: &Side, there: Option<&There>, place: &str) -> Result<(), Error> {
        match side.is(there, self.is_of_mode()) {
            Some(true) => Ok(()),
            Some(false) => {
                Err(self.outdated(format!("{} has another version of it than the review shows", named(place))))
            }
            None => Err(self.refused("the review does not say which version it shows")),
        }
    }

    /// The sides from which and to which it leads. What is renamed has its other name only as a whole.
    pub(super) fn ends(&self, direction: Direction) -> (Side, Side) {
        let (from, to) = match direction {
            Direction::Forward => (&self.sides.old, &self.sides.new),
            Direction::Reverse => (&self.sides.new, &self.sides.old),
        };
        let path = if self.job.is_whole { &to.path } else { &from.path };
        (from.clone(), Side { path: path.clone(), shown: to.shown.clone() })
    }

    /// The whole old side, as git stores it.
    pub(super) fn before(&self) -> Result<Option<Stored>, Error> {
        let Side { path, shown } = &self.sides.old;
        let Some(shown) = shown else { return Ok(None) };
        let unsaid = || self.refused("the review does not say which version it shows");
        let gone = || self.refused("the version of it from before is not in the repository");
        let id = shown.id.as_ref().ok_or_else(unsaid)?;
        let content = if self.sides.old.is_submodule() {
            let commit = self.repo.recorded("HEAD", path.as_ref());
            commit.filter(|commit| is_same(commit, id)).ok_or_else(gone)?.into()
        } else {
            match self.repo.version(path.as_ref(), id, usize::MAX)? {
                Version::Text(content) => content.into(),
                Version::TooLong | Version::Gone => return Err(gone()),
            }
        };
        Ok(Some(Stored { content, mode: shown.mode, ..Stored::default() }))
    }

    /// What is on disk, as it is and as git would store it: what the review shows.
    pub(super) fn on_disk(&self) -> Result<(Option<DiskFile>, Option<Entry>), Error> {
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
                    None => return Err(self.outdated("it is a folder by now")),
                }
            }
        };
        self.must_be(new, entry.as_ref().map(There::from).as_ref(), "working tree")?;
        let old = &self.sides.old.path;
        if *old != new.path && self.job.is_whole {
            let place = disk::place(self.repo, old)?;
            if !matches!(disk::look(old, place.as_deref())?, Found::Missing) {
                return Err(outdated(old, "there is a file of this name by now"));
            }
        }
        Ok((there, entry))
    }
}

fn in_index(repo: &Repo, path: &BString) -> Result<Option<There>, Error> {
    Ok(repo.entry(path.as_ref())?.as_ref().map(There::from))
}

fn in_head(repo: &Repo, path: &BString) -> Result<Option<There>, Error> {
    let found = repo.in_head(path.as_ref())?;
    Ok(found.map(|(id, mode)| There { id, mode, is_announced: false }))
}

/// `place` in a sentence.
fn named(place: &str) -> String {
    if place == "HEAD" { place.to_owned() } else { format!("the {place}") }
}
