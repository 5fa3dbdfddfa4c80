//! Records of runs: made, stored with their outputs, and shown with what they are worth now.

use std::path::Path;

use crate::clock;
use crate::document::Document;
use crate::document::edit::put_evidence;
use crate::error::Error;
use crate::git::Repo;
use crate::store::artifact;
use crate::text::hash::sha256;
use crate::verify::evidence::{Circumstances, Present, View, records, shown};
use crate::verify::{Left, Plan, Ran, Written};

use super::super::paint::Tone;

/// The state of the files of the repository at `folder`, where it can be told.
pub(super) fn fingerprint(folder: &Path) -> Option<String> {
    Repo::discover(folder).ok()?.fingerprint()
}

/// Under which circumstances commands have been run; `source` is the state of the files before.
pub(super) fn circumstances(folder: &Path, source: Option<String>) -> Circumstances {
    Circumstances {
        ran: clock::now(),
        runtime: format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH),
        source_after: source.as_ref().and_then(|_| fingerprint(folder)),
        source,
    }
}

/// Store the outputs, and put the records into the review. That the review has no place for them is told, not failed at.
///
/// # Errors
/// When an output cannot be stored.
pub(super) fn put(
    written: &mut Written,
    plan: &Plan,
    runs: &[Option<Ran>],
    folder: &Path,
    circumstances: &Circumstances,
) -> Result<(), Error> {
    let (records, artifacts) = records(&written.document, plan, runs, circumstances);
    if records.is_empty() {
        return Ok(());
    }
    match put_evidence(&written.document, &records) {
        Ok(edit) => {
            for stored in &artifacts {
                artifact::keep(folder, &stored.path, &stored.output)?;
            }
            written.edit(&edit);
        }
        Err(why) => {
            let what = format!("records of what was run ({})", records.len());
            written.left.push(Left { what, why: why.to_string() });
        }
    }
    Ok(())
}

/// A line about each record of `document`, held against the repository that `folder` is in.
pub(crate) fn evidence_lines(document: &Document, folder: &Path) -> Vec<(String, Tone)> {
    if !document.meta().extra.contains_key("evidence") {
        return Vec::new();
    }
    let repo = Repo::discover(folder).ok();
    let present = repo.as_ref().map(|repo| Present { source: repo.fingerprint() });
    let has_output = |path: &str, hash: &str| {
        let stored = repo.as_ref().and_then(|repo| artifact::kept(repo.root(), path));
        stored.is_some_and(|stored| sha256(&stored) == hash)
    };
    let lines = shown(document, present.as_ref(), has_output).into_iter().map(|record| {
        let word = record.view.as_str();
        if record.view == View::Malformed {
            return (format!("{word}: kept, and proves nothing"), Tone::Middling);
        }
        let wrong = if record.is_contradicted { ", contradicted" } else { "" };
        let tone = match record.view {
            _ if record.is_contradicted => Tone::Bad,
            View::Current => Tone::Good,
            _ => Tone::Middling,
        };
        (format!("{word}{wrong}: {} => {} ({})", record.command, record.status, record.summary), tone)
    });
    lines.collect()
}
