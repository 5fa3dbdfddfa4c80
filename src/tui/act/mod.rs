//! Acting on the code: lines of the diff or whole files staged, unstaged, or discarded, as long as repository and disk are
//! what the review shows. What is about to go is kept first.

mod change;
mod discard;
mod disk;
mod side;
mod stage;
mod staged;

use std::sync::Arc;

use bstr::BString;

use crate::error::Error;
use crate::git::{Repo, Scope, Swap};

use super::effect::{Act, ActKind, Restore};
use super::history::{Back, Committed, Marks, Restoration, Step, Swaps};
use super::msg::{Acted, Msg};
use change::Change;

pub use disk::DiskFile;
pub use staged::staged;

/// Do it.
#[must_use]
pub fn act(job: &Act) -> Msg {
    match done(job) {
        Ok(acted) => Msg::Acted(Box::new(acted)),
        Err(error) => {
            let is_outdated = matches!(error, Error::Outdated { .. });
            Msg::ActFailed { reason: error.to_string(), is_outdated }
        }
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
    let (swaps, kept) = made(job, &repo, &scope)?;
    let heads = heads(&repo, &swaps)?;
    swap(&repo, &swaps).map_err(|error| found_by(error, &job.section.path().into(), kept.as_deref()))?;
    let back = Restoration { basis: job.basis.clone(), heads, swaps, marks: Marks::of(job) };
    let step = Step { label: format!("{} {}", job.kind.name(), job.what()), back: Back::Act(Box::new(back)) };
    Ok(Acted { said: format!("{} {}", job.kind.done(), job.what()), kept: kept.map(|id| shown_by(&id)), step })
}

/// What `job` makes of files, and the id of a blob that keeps one of them as it was. What is in the way goes first.
fn made(job: &Act, repo: &Repo, scope: &Scope) -> Result<(Swaps, Option<String>), Error> {
    let (mut swaps, mut kept) = (Swaps::default(), None);
    for section in &job.displaced {
        let is_there = job.kind == ActKind::Discard || repo.entry(section.path())?.is_some();
        if is_there {
            let lines = section.tree().changes().collect();
            let (section, displaced) = (Arc::clone(section), Vec::new());
            let goes = Act { section, displaced, lines, is_whole: true, is_named: true, ..job.clone() };
            let (of_it, own) = made(&goes, repo, scope)?;
            kept = kept.or(own);
            swaps.add(of_it);
        }
    }
    let change = Change::of(job, repo, scope.clone())?;
    change.must_be_possible()?;
    change.must_be_based()?;
    let (own, of_it) = match job.kind {
        ActKind::Stage => (change.stage()?, None),
        ActKind::Unstage => (change.unstage()?, None),
        ActKind::Discard => change.discard()?,
    };
    swaps.add(own);
    Ok((swaps, of_it.or(kept)))
}

/// Make files what they were before an act, as long as they are what the act has left. What does the act again.
fn restored(restoration: &Restoration) -> Result<Restoration, Error> {
    let repo = Repo::discover(&restoration.basis.dir)?.with_filters(restoration.basis.filters);
    let back = restoration.clone().reversed();
    // What was discarded comes back whatever was committed since: it is what its author wrote.
    if !back.swaps.index.is_empty() && back.swaps.disk.is_empty() {
        let now = heads(&repo, &back.swaps)?;
        if let Some(((path, _), _)) = back.heads.iter().zip(&now).find(|(then, now)| then != now) {
            let reason = "HEAD has another version of it by now, and the index would go back behind that".to_owned();
            return Err(Error::ChangedSince { path: path.clone(), reason });
        }
    }
    back.swaps.disk.iter().try_for_each(|swap| kept_before(&repo, swap))?;
    swap(&repo, &back.swaps).map_err(|error| still_there(&repo, &back.swaps.disk, error))?;
    Ok(back)
}

/// What HEAD has of the files that change in the index.
fn heads(repo: &Repo, swaps: &Swaps) -> Result<Vec<Committed>, Error> {
    swaps.index.iter().map(|swap| Ok((swap.path.clone(), repo.in_head(swap.path.as_ref())?))).collect()
}

/// Make all files what they are to be, or none. Git tells that the index only announces a file as long as that is there.
fn swap(repo: &Repo, swaps: &Swaps) -> Result<(), Error> {
    let back = swaps.clone().reversed();
    // Why it was not done says more than why going back fails; what was there is kept.
    if swaps.index.iter().any(|swap| swap.after.is_none()) {
        repo.put_entries(&swaps.index)?;
        disk::swap(repo, &swaps.disk).inspect_err(|_| drop(repo.put_entries(&back.index)))?;
    } else {
        disk::swap(repo, &swaps.disk)?;
        repo.put_entries(&swaps.index).inspect_err(|_| drop(disk::swap(repo, &back.disk)))?;
    }
    // It is done, whether git knows already that there is nothing to compare or not.
    let _ = note_on_disk(repo, &swaps.disk);
    Ok(())
}

/// Have the index know of the files that have become what it has.
fn note_on_disk(repo: &Repo, swaps: &[Swap<DiskFile>]) -> Result<(), Error> {
    let mut files = Vec::new();
    for Swap { path, after, .. } in swaps {
        let Some((file, entry)) = after.as_ref().zip(repo.entry(path.as_ref())?) else { continue };
        let stored = repo.cleaned(path.as_ref(), &file.content, file.mode)?;
        let is_it = !entry.file.is_announced && entry.id == stored.id && entry.file.mode == stored.file.mode;
        files.extend(is_it.then(|| (path.clone(), entry.file)));
    }
    repo.note_on_disk(&files)
}

fn refused(path: &BString, reason: impl Into<String>) -> Error {
    Error::CannotChange { path: path.clone(), reason: reason.into() }
}

fn outdated(path: &BString, reason: impl Into<String>) -> Error {
    Error::Outdated { path: path.clone(), reason: reason.into() }
}

/// What shows a blob.
fn shown_by(id: &str) -> String {
    format!("git show {}", &id[..id.len().min(10)])
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
