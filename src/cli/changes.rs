//! The changes that a command is about, and what a person should know about them before a review is made.

use bstr::ByteSlice;

use super::progress::Progress;
use super::say;
use crate::error::Error;
use crate::git::{Changes, Repo, Scope, ScopeOptions};
use crate::skeleton::FilePatch;

/// The changes of `scope`, or of what is not committed; what they do not show is said.
///
/// # Errors
/// As [`Repo::changes`].
pub(super) fn find(repo: &Repo, scope: Option<Scope>, options: &ScopeOptions) -> Result<Changes, Error> {
    let listing = Progress::of("looking for changes");
    let changes = match scope {
        Some(scope) => repo.changes(&scope, options)?,
        None => repo.uncommitted(options)?,
    };
    drop(listing);
    warn(repo, &changes);
    Ok(changes)
}

/// Name the files that the review will not show as git would.
fn warn(repo: &Repo, changes: &Changes) {
    let hidden = changes.hidden_conflicts();
    for path in changes.unmerged() {
        let what = if hidden.contains(&path.as_bstr()) { "it shows no lines" } else { "its lines may be incomplete" };
        say(&format!("warning: {path} has a merge conflict; {what} until it is resolved"));
    }
    for path in repo.unconverted(changes) {
        say(&format!(
            "warning: git converts {path} when it stores it, which is not done here; its lines are those on disk"
        ));
    }
}

/// What `make` makes of the patch of each file.
///
/// # Errors
/// When a file cannot be read.
pub(super) fn patches<T: Send>(
    repo: &Repo,
    changes: &Changes,
    make: impl Fn(FilePatch) -> T + Sync,
) -> Result<Vec<T>, Error> {
    let progress = Progress::counting("comparing files", changes.files().len());
    repo.map_patches(changes, |file| {
        let made = make(file);
        progress.step();
        made
    })
}
