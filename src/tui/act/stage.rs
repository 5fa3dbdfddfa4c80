//! What is chosen put into the index, or taken out of it.

use bytes::Bytes;

use crate::document::partial::{Direction, applied};
use crate::error::Error;
use crate::git::{Entry, Scope, Stored, Swap, mode};

use super::super::history::Swaps;
use super::super::outcome::Outcome;
use super::super::staged::Staged;
use super::change::Change;
use super::outdated;
use super::side::{Sides, There};
use super::staged::{self, Made};

impl Change<'_> {
    /// Make what is chosen part of what is staged.
    pub(super) fn stage(&self) -> Result<Swaps, Error> {
        let (_, there) = self.on_disk()?;
        self.put(Direction::Forward, there.map(|entry| entry.file))
    }

    /// Take what is chosen out of what is staged.
    pub(super) fn unstage(&self) -> Result<Swaps, Error> {
        let is_renamed = self.sides.old.path != self.sides.new.path && self.job.is_whole;
        let before = if self.job.is_of_lines() && !is_renamed { None } else { self.before()? };
        self.put(Direction::Reverse, before)
    }

    /// What makes what is chosen in what the index has, which must be what the review shows. `target` is what is there then,
    /// where that is not made of lines.
    fn put(&self, direction: Direction, target: Option<Stored>) -> Result<Swaps, Error> {
        let (from, to) = self.ends(direction);
        let index = if from.path != to.path {
            self.renamed(direction, target)?
        } else {
            let entry = self.repo.entry(from.path.as_ref())?;
            match self.among_others(entry.as_ref())? {
                Some(swap) => vec![swap],
                None => vec![self.alone(direction, entry, target)?],
            }
        };
        Ok(Swaps { index, ..Swaps::default() })
    }

    /// The same, where the file keeps its name, and `entry` is what the index has of it.
    fn alone(&self, direction: Direction, entry: Option<Entry>, target: Option<Stored>) -> Result<Swap<Stored>, Error> {
        let (from, to) = self.ends(direction);
        let (there, with_mode) = (entry.as_ref().map(There::from), self.is_of_mode());
        if self.scope == Scope::Worktree && from.is(there.as_ref(), with_mode) == Some(false) {
            // The review does not show the index, and to refresh it would change nothing.
            return Err(match (direction, to.is(there.as_ref(), with_mode)) {
                (Direction::Forward, Some(true)) => self.refused("it is staged already"),
                (Direction::Reverse, Some(true)) => self.refused("it is not staged"),
                (_, _) => self.refused(self.job.kind.refused_by_index()),
            });
        }
        self.must_be(&from, there.as_ref(), "index")?;
        let before = entry.map(|entry| entry.file);
        let after = self.after(direction, before.as_ref(), target)?;
        if before == after {
            return Err(self.refused(match self.is_about_submodule() {
                true => "what has changed in the submodule is for a commit there",
                false => "it is so already",
            }));
        }
        Ok(Swap { path: to.path, before, after })
    }

    /// The same, where it gets another name: one goes, another one comes, as far as somebody has not done that already.
    fn renamed(&self, direction: Direction, target: Option<Stored>) -> Result<Vec<Swap<Stored>>, Error> {
        let (from, to) = self.ends(direction);
        let (goes, there) = (self.repo.entry(from.path.as_ref())?, self.repo.entry(to.path.as_ref())?);
        let mut swaps = Vec::new();
        let mut target = target;
        // What is on either side of the review is not lost, whatever name the index has it under: after a `git mv` that is
        // the old content under the new name.
        let is_shown = |entry: &Entry| {
            let there = There::from(entry);
            [&from, &to].iter().any(|side| side.is(Some(&there), true) == Some(true))
        };
        let is_of_worktree = self.scope == Scope::Worktree;
        let may_go = is_of_worktree && there.as_ref().is_some_and(is_shown);
        // Of a review of what is staged both names are in the index, as it shows them.
        if goes.is_some() || !is_of_worktree {
            match goes.as_ref().filter(|_| is_of_worktree) {
                Some(entry) if is_shown(entry) => {}
                Some(entry) if from.is(Some(&There::from(entry)), self.is_of_mode()) == Some(false) => {
                    return Err(self.refused(self.job.kind.refused_by_index()));
                }
                _ => self.must_be(&from, goes.as_ref().map(There::from).as_ref(), "index")?,
            }
            let before = goes.map(|entry| entry.file);
            if let (Some(before), Some(target)) = (&before, &mut target) {
                target.is_assumed = before.is_assumed;
                target.mode = if self.is_of_mode() { target.mode } else { before.mode };
            }
            swaps.push(Swap { path: from.path, before, after: None });
        }
        let before = there.map(|entry| entry.file);
        let is_target = |before: &Stored, target: &Stored| {
            !before.is_announced && before.content == target.content && before.mode == target.mode
        };
        if before.as_ref().zip(target.as_ref()).is_some_and(|(before, target)| is_target(before, target)) {
            // Somebody has staged one of the two names.
        } else if before.as_ref().is_some_and(|before| !before.is_announced) && !may_go {
            return Err(match is_of_worktree {
                true => self.refused(self.job.kind.refused_by_index()),
                false => outdated(&to.path, "the index has a file of this name by now"),
            });
        } else {
            swaps.push(Swap { path: to.path, before, after: target });
        }
        match (swaps.is_empty(), direction) {
            (false, _) => Ok(swaps),
            (true, Direction::Forward) => Err(self.refused("it is staged already")),
            (true, Direction::Reverse) => Err(self.refused("it is not staged")),
        }
    }

    /// What is chosen of a review of the working tree, made or taken back in an index that has some lines of the review: all
    /// of them, or none. `None` where it has something else, or nothing of it would change.
    fn among_others(&self, entry: Option<&Entry>) -> Result<Option<Swap<Stored>>, Error> {
        let (job, Sides { old, new }) = (self.job, &self.sides);
        let is_of_lines = job.is_of_lines() && job.lines.iter().any(|line| job.turns(*line));
        if self.scope != Scope::Worktree || !is_of_lines {
            return Ok(None);
        }
        let Some(outcome) = Outcome::of(job) else { return Ok(None) };
        let changes = || job.section.tree().changes();
        let shown: Vec<u32> = changes().filter(|line| job.is_made(*line)).collect();
        let found = staged::lines(self.repo, &job.section, (old, new), entry, &shown)?;
        let Some(Made { old: base, lines: staged }) = found else { return Ok(None) };
        let is_there = entry.is_some_and(|entry| !entry.file.is_announced);
        if is_there != outcome.was_there || staged != shown {
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

    /// What becomes of a file that is `before`. What else the change is of, its mode or that it is there at all, comes and
    /// goes with the last of its lines. `target` is what is there then, where that is not made of lines.
    pub(super) fn after(
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
        let content = content.map_err(|unfit| self.refused(unfit.to_string()))?.into();
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
}
