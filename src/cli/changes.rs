//! What a command reviews: the changes of a scope in a repository, or a patch that somebody made elsewhere.

use std::path::Path;

use bstr::ByteSlice as _;

use super::progress::Progress;
use super::review::{is_standard_stream, standard_input};
use super::say;
use super::scope_args::ScopeArgs;
use crate::error::Error;
use crate::git::{Changes, Repo, Scope, ScopeOptions};
use crate::skeleton::{FilePatch, git_patch};
use crate::store;

/// The changes that were asked for.
pub(super) struct Chosen {
    /// The repository. A patch does without one, and takes the one that is around.
    pub(super) repo: Option<Repo>,
    /// What changed.
    pub(super) changes: Changes,
    /// What was asked for.
    pub(super) options: ScopeOptions,
}

impl ScopeArgs {
    /// The changes of `scope`, or of what is not committed yet, or of the patch that was named. Paths count from `cwd`;
    /// `out`, where the review is going to be, is left out.
    ///
    /// # Errors
    /// When there is no repository or git refuses, or the patch cannot be read.
    pub(super) fn choose(&self, scope: Option<Scope>, cwd: &Path, out: Option<&Path>) -> Result<Chosen, Error> {
        if let Some(patch) = self.patch() {
            return self.choose_patch(patch, cwd);
        }
        let repo = self.repo(cwd)?;
        let options = self.options(&repo, cwd, out)?;
        let changes = find(&repo, scope, &options)?;
        Ok(Chosen { repo: Some(repo), changes, options })
    }

    /// The changes of the patch in the file `patch`, or on standard input.
    ///
    /// # Errors
    /// When it cannot be read, or is no patch.
    pub(super) fn choose_patch(&self, patch: &Path, cwd: &Path) -> Result<Chosen, Error> {
        let (text, shown, name) = if is_standard_stream(patch) {
            (standard_input()?, "standard input".to_owned(), "patch".to_owned())
        } else {
            let name = patch.file_stem().unwrap_or(patch.as_os_str()).to_string_lossy().into_owned();
            (store::read(patch)?, patch.display().to_string(), name)
        };
        let read = git_patch::read(&text).map_err(|fault| Error::ReadPatch { name: shown, fault })?;
        let repo = self.repo(cwd).ok();
        let options = ScopeOptions { paths: self.specs(repo.as_ref(), cwd)?, ..ScopeOptions::default() };
        Ok(Chosen { repo, changes: Changes::of_patch(read, &name, &options)?, options })
    }
}

/// The changes of `scope`, or of what is not committed yet; what they do not show is said.
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
    say_what_is_missing(repo, &changes);
    Ok(changes)
}

/// What `make` makes of the patch of each file.
///
/// # Errors
/// When a file cannot be read.
pub(super) fn patches<T: Send>(
    repo: Option<&Repo>,
    changes: &Changes,
    make: impl Fn(FilePatch) -> T + Sync,
) -> Result<Vec<T>, Error> {
    let progress = Progress::counting("comparing files", changes.files().len());
    let made = |file| {
        let made = make(file);
        progress.step();
        made
    };
    match repo {
        Some(repo) => repo.map_patches(changes, made),
        // Only a patch does without one, and its lines are known.
        None => Ok(changes.known().unwrap_or_default().iter().cloned().map(made).collect()),
    }
}

/// Say what the changes do not show, or show in another way than git.
fn say_what_is_missing(repo: &Repo, changes: &Changes) {
    let hidden = changes.hidden_conflicts();
    for path in changes.unmerged() {
        let what = if hidden.contains(&path.as_bstr()) { "it shows no lines" } else { "its lines may be incomplete" };
        say(&format!("warning: {path} has a merge conflict; {what} until it is resolved"));
    }
    if let Some(notice) = changes.nested_notice() {
        say(&format!("note: {notice}"));
    }
    for file in repo.unconverted(changes) {
        say(&format!("warning: {file}"));
    }
}

/// The repository around `cwd`, which only a patch does without.
///
/// # Errors
/// When there is none.
pub(super) fn around<'a>(repo: Option<&'a Repo>, cwd: &Path) -> Result<&'a Repo, Error> {
    repo.ok_or_else(|| Error::NotARepository { dir: cwd.into() })
}
