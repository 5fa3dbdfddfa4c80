//! What the index has of the parts of a review that compares the working tree with HEAD.

use std::collections::HashSet;
use std::sync::Arc;

use bstr::BString;

use super::super::effect::Compare;
use super::super::msg::{FoundStaged, Msg};
use super::super::staged::{Known, Staged};
use super::side::{Side, Sides, There};
use crate::document::partial::{carried, made};
use crate::document::{FileStatus, Section};
use crate::error::Error;
use crate::git::{Entry, Repo, Scope, ScopeOptions, Version, mode};

/// What is staged of the sections of `job`.
#[must_use]
pub fn staged(job: &Compare) -> Msg {
    match all(job) {
        Ok(parts) => Msg::Staged(Box::new(FoundStaged { parts, acts: job.acts })),
        Err(error) => Msg::NotCompared(format!("what is staged is not known: {error}")),
    }
}

fn all(job: &Compare) -> Result<Vec<(Arc<Section>, Staged)>, Error> {
    let repo = Repo::discover(&job.basis.dir)?;
    let options = ScopeOptions { renames: false, paths: job.basis.options.paths.clone(), ..ScopeOptions::default() };
    // Most files are in the index as they are in HEAD, which is soon known.
    let changes = repo.changes(&Scope::Staged, &options)?;
    let changed: HashSet<&BString> = changes.files().iter().map(|change| &change.path).collect();
    let of = |index: usize, section: &Arc<Section>| {
        let file = section.tree().file.as_ref().filter(|file| file.status != FileStatus::Context);
        let is_changed = |path: &&BString| changed.contains(*path);
        match file.filter(|file| [Some(&file.path), file.old_path.as_ref()].iter().flatten().any(is_changed)) {
            // What cannot be looked at is another version.
            Some(_) => of_section(&repo, section, job.known.get(&index)).unwrap_or(Staged::Other),
            None => Staged::Nothing,
        }
    };
    Ok((0..).zip(&job.sections).map(|(index, section)| (Arc::clone(section), of(index, section))).collect())
}

fn of_section(repo: &Repo, section: &Arc<Section>, known: Option<&Known>) -> Result<Staged, Error> {
    let Sides { old, new } = Sides::of_sections(section, None)?;
    let entry = repo.entry(new.path.as_ref())?;
    let is_there = |entry: &&Entry| !entry.file.is_announced;
    let there = entry.as_ref().filter(is_there).map(There::from);
    if new.is(there.as_ref(), true) == Some(true) {
        // Of a file that has another name the old one has to be gone too.
        let is_whole = old.path == new.path || repo.entry(old.path.as_ref())?.is_none();
        return Ok(if is_whole { Staged::Whole } else { Staged::Other });
    }
    if old.path == new.path && old.is(there.as_ref(), true) == Some(true) {
        return Ok(Staged::Nothing);
    }
    let is_gone = |entry: &Entry| old.shown.as_ref().is_some_and(|old| !mode::is_same_kind(old.mode, entry.file.mode));
    if new.shown.is_none() && entry.as_ref().is_some_and(is_gone) {
        // Another kind of thing has taken its place.
        return Ok(Staged::Whole);
    }
    let known = known.map_or_else(Vec::new, |(before, lines)| match Arc::ptr_eq(before, section) {
        true => lines.clone(),
        false => carried(before, lines, section),
    });
    let lines = lines(repo, section, (&old, &new), entry.as_ref(), &known)?;
    Ok(lines.map_or(Staged::Other, |made| Staged::Lines(made.lines)))
}

/// An old side, and which changes of it are made.
pub(super) struct Made {
    pub(super) old: Vec<u8>,
    /// As ascending indices into the tree's lines.
    pub(super) lines: Vec<u32>,
}

/// The old side of `section`, a text from HEAD to the working tree, and those of its lines that the index has, in `entry` or
/// where there is none; `None` where it has something else than some of them. Of lines that are the same it has those that
/// are `known`.
pub(super) fn lines(
    repo: &Repo,
    section: &Section,
    (old, new): (&Side, &Side),
    entry: Option<&Entry>,
    known: &[u32],
) -> Result<Option<Made>, Error> {
    let is_text = |side: &Side| side.shown.as_ref().is_none_or(|shown| mode::is_file(shown.mode));
    let is_binary = section.tree().file.as_ref().is_none_or(|file| file.binary);
    let entry = entry.filter(|entry| !entry.file.is_announced);
    // A file that came or went has no lines where it is not.
    let may_be_gone = old.shown.is_none() || new.shown.is_none();
    let is_fit = entry.map_or(may_be_gone, |entry| mode::is_file(entry.file.mode));
    if !is_fit || is_binary || !is_text(old) || !is_text(new) || old.path != new.path {
        return Ok(None);
    }
    let Some(before) = text(repo, old)? else { return Ok(None) };
    let lines = made(section, &before, entry.map_or(b"", |entry| &*entry.file.content), known);
    Ok(lines.map(|lines| Made { old: before, lines }))
}

/// The text of a side; `None` where it is not known.
fn text(repo: &Repo, side: &Side) -> Result<Option<Vec<u8>>, Error> {
    let Some(shown) = &side.shown else { return Ok(Some(Vec::new())) };
    let Some(id) = &shown.id else { return Ok(None) };
    Ok(match repo.version(side.path.as_ref(), id, usize::MAX)? {
        Version::Text(text) => Some(text),
        Version::TooLong | Version::Gone => None,
    })
}
