//! What the review shows of the two sides of a file, and whether something is that.

use bstr::{BString, ByteSlice as _};

use super::super::effect::Act;
use super::refused;
use crate::document::check::is_same;
use crate::document::{FileHeader, FileStatus, Section};
use crate::error::Error;
use crate::git::{Entry, mode};
use crate::text::Span;

/// One side of a file, as the review shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Side {
    /// Its path.
    pub(super) path: BString,
    /// What is there; `None`: nothing.
    pub(super) shown: Option<Shown>,
}

/// A file, a link or a submodule that the review shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shown {
    /// Its id, of any length; `None`: nobody says which.
    pub(super) id: Option<String>,
    /// Its mode.
    pub(super) mode: u32,
}

/// The two sides of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sides {
    pub(super) old: Side,
    pub(super) new: Side,
}

impl Sides {
    /// Those of what `job` is about.
    pub(super) fn of(job: &Act) -> Result<Self, Error> {
        Self::of_sections(&job.section, job.other.as_deref())
    }

    /// Those of the file of a section. Where another kind of thing came than went, the review has a section for each.
    pub(super) fn of_sections(own: &Section, other: Option<&Section>) -> Result<Self, Error> {
        let file = header(own)?;
        let (gone, come) = match (other, file.status) {
            (None, _) => (own, own),
            (Some(other), FileStatus::Deleted) => (own, other),
            (Some(other), _) => (other, own),
        };
        let (before, after) = (header(gone)?, header(come)?);
        let old = (before.status != FileStatus::Added).then(|| shown(gone, before.old_sha, before.old_mode));
        let new = (after.status != FileStatus::Deleted).then(|| shown(come, after.new_sha, after.new_mode));
        let old_path = before.old_path.as_ref().filter(|_| before.status == FileStatus::Renamed);
        Ok(Self {
            old: Side { path: old_path.unwrap_or(&before.path).clone(), shown: old },
            new: Side { path: after.path.clone(), shown: new },
        })
    }

    /// Whether the mode is something that changes.
    pub(super) fn changes_mode(&self) -> bool {
        let modes = self.old.shown.as_ref().zip(self.new.shown.as_ref());
        modes.is_some_and(|(old, new)| old.mode != new.mode)
    }
}

impl Side {
    /// Whether `there` is what it shows; `None` where it does not say. The mode counts where `with_mode` says so, what kind
    /// of thing it is always does.
    pub(super) fn is(&self, there: Option<&There>, with_mode: bool) -> Option<bool> {
        match (there, &self.shown) {
            (None, None) => Some(true),
            (None, Some(_)) => Some(false),
            // What is only announced is not there yet.
            (Some(there), None) => Some(there.is_announced),
            (Some(there), Some(shown)) => {
                let modes = (there.mode, shown.mode);
                let is_of_mode = if with_mode { modes.0 == modes.1 } else { mode::is_same_kind(modes.0, modes.1) };
                shown.id.as_ref().map(|id| is_of_mode && is_same(id, &there.id))
            }
        }
    }

    /// Whether a submodule is there.
    pub(super) fn is_submodule(&self) -> bool {
        self.shown.as_ref().is_some_and(|shown| shown.mode == mode::SUBMODULE)
    }
}

/// What there is at some place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct There {
    /// Its whole id.
    pub(super) id: String,
    /// Its mode.
    pub(super) mode: u32,
    /// Whether the index only announces it.
    pub(super) is_announced: bool,
}

impl From<&Entry> for There {
    fn from(entry: &Entry) -> Self {
        Self { id: entry.id.clone(), mode: entry.file.mode, is_announced: entry.file.is_announced }
    }
}

fn header(section: &Section) -> Result<&FileHeader, Error> {
    let unnamed = || refused(&section.path().into(), "the review names no file here");
    section.tree().file.as_ref().ok_or_else(unnamed)
}

fn shown(section: &Section, id: Option<Span>, mode: Option<u32>) -> Shown {
    let id = id.map(|id| id.of(section.text()).to_str_lossy().into_owned());
    Shown { id, mode: mode.unwrap_or(FileHeader::PLAIN) }
}
