//! Whether a review that was written before still shows what is there: blob ids of its sections against the changes now.

use std::collections::HashMap;
use std::sync::Arc;

use bstr::{BString, ByteSlice as _};

use crate::document::check::is_same;
use crate::document::{FileHeader, FileStatus, Section};
use crate::error::Error;
use crate::git::{Changes, Repo};
use crate::text::Span;

/// The changes as they are now, to be asked by path.
#[derive(Debug)]
pub struct Current {
    changes: Arc<Changes>,
    by_path: HashMap<BString, Vec<usize>>,
}

impl Current {
    /// The changes of a scope.
    #[must_use]
    pub fn new(changes: Arc<Changes>) -> Self {
        let mut by_path: HashMap<BString, Vec<usize>> = HashMap::new();
        for (index, change) in changes.files().iter().enumerate() {
            by_path.entry(change.path.clone()).or_default().push(index);
        }
        Self { changes, by_path }
    }

    /// Whether a section shows its file as it is now, as far as that is known without reading files on disk.
    #[must_use]
    pub fn may_be(&self, section: &Section) -> bool {
        let Some(file) = changed_file(section) else { return true };
        let mut changes = self.of(file);
        changes.any(|index| {
            let change = &self.changes.files()[index];
            let went = change.status == FileStatus::Deleted && is_content(section, file.new_sha);
            let came = change.status == FileStatus::Added && is_content(section, file.old_sha);
            let is_there = !went && !came;
            is_there
                && agrees(section, file.old_sha, change.old_id.as_deref())
                && agrees(section, file.new_sha, change.new_id.as_deref())
        })
    }

    /// Whether a section shows its file as it is now; files on disk are read where they have to be.
    ///
    /// # Errors
    /// When the file, or what git knows of it, can't be read.
    pub fn is<'a>(&self, section: &Section, repo: impl FnOnce() -> Result<&'a Repo, Error>) -> Result<bool, Error> {
        let Some(file) = changed_file(section) else { return Ok(true) };
        if !self.may_be(section) {
            return Ok(false);
        }
        if self.changes.known().is_some() {
            return Ok(true);
        }
        let repo = repo()?;
        for index in self.of(file) {
            let change = &self.changes.files()[index];
            if change.new_id.is_some() || change.status == FileStatus::Deleted {
                return Ok(true);
            }
            let on_disk = repo.new_id(&self.changes, index)?;
            if agrees(section, file.new_sha, on_disk.as_deref()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a section says of its file what we would say of it now: what happened to it, its names and its modes.
    #[must_use]
    pub fn has_header_of(&self, section: &Section) -> bool {
        let Some(file) = changed_file(section) else { return true };
        // The mode of a plain file is not written down.
        let is_mode =
            |shown: Option<u32>, now: Option<u32>| now.is_none_or(|now| shown.unwrap_or(FileHeader::PLAIN) == now);
        self.of(file).map(|index| &self.changes.files()[index]).any(|change| {
            (change.status, &change.old_path) == (file.status, &file.old_path)
                && is_mode(file.old_mode, change.old_mode)
                && is_mode(file.new_mode, change.new_mode)
        })
    }

    /// The files that no section of the review is about.
    #[must_use]
    pub fn missing<'a>(&self, sections: impl Iterator<Item = &'a Section>) -> usize {
        let shown = sections.filter_map(|section| section.tree().file.as_ref());
        let shown: std::collections::HashSet<&BString> = shown.map(|file| &file.path).collect();
        self.changes.files().iter().filter(|change| !shown.contains(&change.path)).count()
    }

    fn of(&self, file: &FileHeader) -> impl Iterator<Item = usize> + '_ {
        self.by_path.get(&file.path).into_iter().flatten().copied()
    }
}

/// The file of a section that shows a change, not background.
fn changed_file(section: &Section) -> Option<&FileHeader> {
    section.tree().file.as_ref().filter(|file| file.status != FileStatus::Context)
}

/// Whether a section states an id of something: that of nothing is all zeros.
fn is_content(section: &Section, shown: Option<Span>) -> bool {
    shown.is_some_and(|span| span.of(&section.text_once()).iter().any(|byte| *byte != b'0'))
}

/// Whether two ids, of any length, may be of one blob. What is not stated contradicts nothing.
fn agrees(section: &Section, shown: Option<Span>, now: Option<&str>) -> bool {
    let text = section.text_once();
    let (Some(shown), Some(now)) = (shown.map(|span| span.of(&text)), now) else { return true };
    is_same(&shown.to_str_lossy(), now)
}
