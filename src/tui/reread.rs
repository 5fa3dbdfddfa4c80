//! Looking again at what is on disk: the review, its Markback files, and whether it still shows what is there. And the
//! diff of the review, made anew. What comes out are messages; nothing here knows the screen.

use std::collections::{HashMap, HashSet};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use crate::anchor::{self, Fate};
use crate::document::edit::set_title;
use crate::document::{Document, ReviewStatus, Section};
use crate::error::Error;
use crate::git::Repo;
use crate::markback::Markback;
use crate::store;
use crate::text::counted::counted;

use super::current::Current;
use super::effect::{Carry, Compare, Refresh, Reread};
use super::load::sidecar;
use super::model::Passages;
use super::msg::{Compared, Made, Msg, News, OnDisk};
use super::part::Reading;
use super::passages;
use super::records::{Place, RecordFile, Records};
use super::save::{allowed, sharing};

/// Read the review and its Markback files again.
#[must_use]
pub fn read_again(job: &Reread) -> Msg {
    let mut problem = None;
    let own = record_file(&job.own).map_err(|error| problem = Some(error.to_string())).ok();
    let on_disk = match (&job.passages, &own) {
        (Some(passages), Some(own)) => match passages::paths(passages, &Records::new(own.clone()), &job.folder) {
            Ok(paths) => {
                let now = passages::document(&job.title, &paths, &job.folder);
                problem = problem.or_else(|| gone(&job.document, &now));
                OnDisk::There(sharing(&job.document, &now.to_bytes()))
            }
            Err(error) => {
                problem = Some(format!("{}: what was read before stays here", refusal(&error, &job.folder)));
                OnDisk::Same
            }
        },
        (Some(_), None) => OnDisk::Same,
        (None, _) => match allowed(&job.path, job.within.as_deref()).and_then(|path| store::read_if_exists(&path)) {
            Ok(Some(text)) => OnDisk::There(sharing(&job.document, &text)),
            Ok(None) => OnDisk::Gone,
            Err(error) => {
                problem = Some(error.to_string());
                OnDisk::Same
            }
        },
    };
    let document = if let OnDisk::There(document) = &on_disk { document } else { &job.document };
    let readings = readings(&job.document, document);
    let mut records: Vec<RecordFile> = own.into_iter().collect();
    for found in document.parts().iter().filter_map(|section| sidecar(section, &job.folder)) {
        match found {
            Ok(file) => records.push(file),
            Err(error) => problem = Some(error.to_string()),
        }
    }
    let read_only = match &job.passages {
        Some(Passages::Documents(_)) => None,
        Some(Passages::Records) | None => store::read_only_reason(&job.path),
    };
    Msg::News(Box::new(News {
        on_disk,
        readings,
        records: Some(records),
        read_only,
        problem,
        report: None,
        is_unasked: false,
    }))
}

/// Why the files cannot be walked through, in a few words.
fn refusal(error: &Error, root: &Path) -> String {
    let name = |path: &Path| path.strip_prefix(root).unwrap_or(path).display().to_string();
    match error {
        Error::ReadFile { path, source } if source.kind() == ErrorKind::NotFound => {
            format!("{} is no longer there", name(path))
        }
        Error::NotText { path } => format!("{} is no text any more", name(path)),
        other => other.to_string(),
    }
}

/// Which files are no longer among those that are walked through, in a sentence.
fn gone(before: &Document, now: &Document) -> Option<String> {
    let paths = |document: &Document| {
        let parts = document.parts()[1..].iter().map(|section| section.path_text().to_string());
        parts.collect::<Vec<_>>()
    };
    let now: HashSet<String> = paths(now).into_iter().collect();
    let gone: Vec<String> = paths(before).into_iter().filter(|path| !now.contains(path)).collect();
    match gone.as_slice() {
        [] => None,
        [only] => Some(format!("{only} is no longer there")),
        [first, rest @ ..] => Some(format!("{first} and {} more are no longer there", rest.len())),
    }
}

/// A Markback file as it is now; one that is not there is empty.
fn record_file(place: &Place) -> Result<RecordFile, Error> {
    let text = store::read_if_exists(&store::inside(&place.path, &place.within)?)?.unwrap_or_default();
    Ok(RecordFile { place: place.clone(), text: Markback::parse(text) })
}

/// What is read from the parts of `after` that are not those of `before`.
fn readings(before: &Document, after: &Document) -> HashMap<usize, Reading> {
    let known: HashSet<usize> = before.parts().iter().map(|section| Arc::as_ptr(section).addr()).collect();
    let is_new = |section: &Section| !known.contains(&std::ptr::from_ref(section).addr());
    let read = after.map_parts(|section| is_new(section).then(|| Reading::of(section)));
    read.into_iter().enumerate().filter_map(|(index, reading)| Some((index, reading?))).collect()
}

/// Whether the sections of a review still show what is there.
#[must_use]
pub fn compare(job: &Compare) -> Msg {
    match compared(job) {
        Ok(compared) => Msg::Compared(Box::new(compared)),
        // A review that does not say what it compares is compared with nothing.
        Err(Error::UnknownScope { .. }) => Msg::Compared(Box::default()),
        Err(error) => Msg::NotCompared(format!("not compared with the repository: {error}")),
    }
}

fn compared(job: &Compare) -> Result<Compared, Error> {
    let (repo, changes) = job.basis.changes(&job.document, &job.path)?;
    let unmerged = changes.unmerged().iter().cloned().collect();
    let current = Current::new(Arc::new(changes));
    let is_stale = |section: &Arc<Section>| {
        // What cannot be read is not what the section shows.
        let is_it = current.is(section, || Ok::<&Repo, Error>(&repo)).unwrap_or(false);
        !is_it || (job.is_ours && !current.has_header_of(section))
    };
    let stale = job.sections.iter().map(|section| (Arc::clone(section), is_stale(section))).collect();
    let missing = current.missing(job.sections.iter().map(Arc::as_ref));
    let moved = job.basis.moved(&repo, &job.document);
    Ok(Compared { stale, missing, unmerged, is_heard: job.is_heard, moved })
}

/// Make the diff of a review anew. `told` hears how many files are done and of how many, and says whether to go on.
#[must_use]
pub fn make_diff(job: &Refresh, told: impl Fn(usize, usize) -> bool + Sync) -> Msg {
    let make = || {
        let repo = job.basis.repo()?;
        let moved = job.basis.moved(&repo, &job.document);
        let said = match moved {
            Some(moved) if moved.next.is_some() => return Ok(Made::Moved(Box::new(moved))),
            moved => moved.map(|moved| moved.said),
        };
        let changes = job.basis.changes_in(&repo, &job.document, &job.path)?;
        // What is committed by now is no reason to take all notes off their lines.
        let is_left_bare = job.keeps_files && job.document.parts().len() > 1;
        if let Some(nothing) = changes.nothing(&job.basis.options).filter(|_| is_left_bare) {
            return Err(nothing);
        }
        let made = job.basis.document(&repo, &changes, told)?;
        Ok(made.map_or(Made::Nothing, |diff| Made::Diff(Box::new(diff), said)))
    };
    Msg::DiffMade(make().map_err(|error: Error| error.to_string()))
}

/// Carry the review to another diff: on disk, if it is there, else only as it is shown.
#[must_use]
pub fn carry(job: &Carry) -> Msg {
    let carried = |before: &Document| {
        let source = |source| Error::CannotRefresh { path: job.path.clone(), source };
        let carried = anchor::carry(before, &job.diff).map_err(source)?;
        let after = before.edited(&carried.edit);
        let after = match &job.titles {
            // A title that somebody has given stays.
            Some([was, now]) if after.meta().title.as_ref() == Some(was) => {
                after.edited(&set_title(&after, now).map_err(source)?)
            }
            _ => after,
        };
        let report = report(before, &after, &carried.notes);
        Ok::<_, Error>((after, report))
    };
    let write = |path: &Path| {
        store::update_existing(path, |there| {
            let (after, report) = carried(&sharing(&job.document, there))?;
            Ok::<_, Error>((after.to_bytes(), (after, report)))
        })
    };
    let done = if job.on_disk {
        allowed(&job.path, job.within.as_deref()).and_then(|path| write(&path)).map(|(_, done)| done)
    } else {
        carried(&job.document)
    };
    match done {
        Ok((after, report)) => {
            let readings = readings(&job.document, &after);
            let on_disk = if job.on_disk { OnDisk::There(after) } else { OnDisk::Unwritten(after) };
            let read_only = store::read_only_reason(&job.path);
            Msg::News(Box::new(News {
                on_disk,
                readings,
                records: None,
                read_only,
                problem: None,
                report: Some(report),
                is_unasked: false,
            }))
        }
        Err(error) => Msg::RefreshFailed(error.to_string()),
    }
}

/// That a diff which was made anew is the one that was there.
pub const UNCHANGED: &str = "the diff is as it was";

/// What became of a review, in a line.
fn report(before: &Document, after: &Document, notes: &[anchor::CarriedNote]) -> String {
    let now = before.counterparts(after);
    let gone = now.iter().filter(|now| now.is_none()).count();
    let kept = now.iter().enumerate().skip(1).filter_map(|(was, now)| Some((was, (*now)?)));
    let kept: Vec<(usize, usize)> = kept.collect();
    let changed = kept.iter().filter(|(was, now)| !before.parts()[*was].has_text_of(&after.parts()[*now])).count();
    let files = gone + changed + (after.parts().len() - 1 - kept.len());
    let count = |fates: &[Fate]| notes.iter().filter(|note| fates.contains(&note.fate)).count();
    if files == 0 {
        return UNCHANGED.to_owned();
    }
    let mut words = vec![format!("{} changed", counted(files, "file"))];
    let carried = count(&[Fate::Kept, Fate::Moved, Fate::Returned]);
    words.extend((carried > 0).then(|| format!("{} carried", counted(carried, "note"))));
    let orphaned = count(&[Fate::Orphaned]);
    words.extend((orphaned > 0).then(|| format!("{orphaned} orphaned")));
    let returned = count(&[Fate::Returned]);
    words.extend((returned > 0).then(|| format!("{returned} back from being orphaned")));
    // Whoever said so has not seen this.
    let status = after.meta().review.as_ref().map_or(ReviewStatus::Pending, |review| review.status);
    words.extend((status != ReviewStatus::Pending).then(|| format!("and it was {} before that", status.as_str())));
    words.join(", ")
}
