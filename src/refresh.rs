//! The diff of a review, made anew: which changes it is of, and the document that they are now, for
//! [`anchor`](crate::anchor) to carry the notes to.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;

use crate::diff::LineKind;
use crate::document::{self, Document, Meta};
use crate::error::Error;
use crate::git::{Changes, Repo, Scope, ScopeOptions};
use crate::skeleton::{self, FilePatch, SEPARATOR, Stubs};
use crate::store;

/// How the changes that a review is of are found again.
#[derive(Debug, Clone)]
pub struct Basis {
    /// Where the repository is looked for.
    pub dir: PathBuf,
    /// The scope; `None`: what the frontmatter says.
    pub scope: Option<Scope>,
    /// What of it, and how.
    pub options: ScopeOptions,
    /// Whether filters may be run.
    pub filters: bool,
}

impl Basis {
    /// The scope, where the frontmatter of the review at `path` is `meta`.
    ///
    /// # Errors
    /// When the review does not say what it compares, or HEAD cannot be read.
    pub fn scope(&self, repo: &Repo, meta: &Meta, path: &Path) -> Result<Scope, Error> {
        self.scope.clone().map_or_else(|| scope(repo, meta, path), Ok)
    }

    /// What a review with this frontmatter compares, as a word of the format; `None` where it does not say.
    #[must_use]
    pub fn compares(&self, meta: &Meta) -> Option<document::Scope> {
        Some(match &self.scope {
            None => return meta.scope,
            Some(Scope::Unstaged) => document::Scope::Unstaged,
            Some(Scope::Staged) => document::Scope::Staged,
            Some(Scope::Worktree) => document::Scope::Worktree,
            Some(Scope::Branch(_)) => document::Scope::Branch,
            Some(Scope::Commit(_) | Scope::Range { .. }) => document::Scope::Commit,
            Some(Scope::Manual) => document::Scope::Manual,
        })
    }

    /// What is in the scope of `document`, the review at `path`, now.
    ///
    /// # Errors
    /// When the review does not say what it compares, or git refuses.
    pub fn changes(&self, document: &Document, path: &Path) -> Result<(Repo, Changes), Error> {
        let repo = Repo::discover(&self.dir)?.with_filters(self.filters);
        let mut options = self.options.clone();
        if self.scope.is_none() {
            options.context = options.context.max(context(document));
        }
        let scope = self.scope(&repo, document.meta(), path)?;
        let changes = repo.changes(&scope, &options)?;
        Ok((repo, changes))
    }
}

/// The document of `changes` without notes, for a review to be carried to; `None` when `told` has said that nobody wants
/// it any more. `told` hears how many files are done, and of how many.
///
/// # Errors
/// When a file cannot be read.
pub fn document(
    repo: &Repo,
    changes: &Changes,
    told: impl Fn(usize, usize) -> bool + Sync,
) -> Result<Option<Document>, Error> {
    let (count, done) = (changes.files().len(), AtomicUsize::new(0));
    let is_over = || !told(done.load(Ordering::Relaxed), count);
    let sections = repo.map_patches_until(changes, is_over, |file| {
        done.fetch_add(1, Ordering::Relaxed);
        section(&file)
    })?;
    let is_whole = sections.len() == count;
    Ok(is_whole.then(|| Document::from_parts(head(repo, changes, false), sections)))
}

/// The head of the document that a review is carried to. What the review itself said it compares stays, unless somebody
/// `names` another scope.
#[must_use]
pub fn head(repo: &Repo, changes: &Changes, names: bool) -> Bytes {
    let facts = repo.facts(changes);
    let scope = facts.scope.filter(|_| names);
    skeleton::head(&skeleton::Facts { scope, ..facts }).into()
}

/// The section of a file of that document.
#[must_use]
pub fn section(file: &FilePatch) -> Bytes {
    [&skeleton::section(file, Stubs::None), SEPARATOR].concat().into()
}

/// Put `after` in the place of `before`, and of nothing else.
///
/// # Errors
/// When something else is there by now, or it cannot be written.
pub fn write(path: &Path, before: &[u8], after: Vec<u8>) -> Result<(), Error> {
    let after = Bytes::from(after);
    let written = store::update_existing(path, |there| {
        if there == before { Ok((after.clone(), ())) } else { Err(Error::ChangedMeanwhile { path: path.into() }) }
    });
    written.map(drop)
}

/// The most lines of context that a hunk of `document` begins or ends with: it was made with no fewer.
#[must_use]
pub fn context(document: &Document) -> u32 {
    let is_context = |line: &&document::HunkLine| line.diff_kind() == Some(LineKind::Context);
    let widths = document.parts().iter().flat_map(|part| {
        let tree = part.tree();
        tree.hunks.iter().map(move |hunk| {
            let lines = tree.hunk_lines(hunk);
            let is_change = lines.iter().any(|line| !is_context(&line));
            let (above, below) = (lines.iter().take_while(is_context), lines.iter().rev().take_while(is_context));
            if is_change { above.count().max(below.count()) } else { 0 }
        })
    });
    widths.max().and_then(|width| u32::try_from(width).ok()).unwrap_or(0)
}

/// The scope that the frontmatter names. A commit stays the one that it was; a branch is followed.
///
/// # Errors
/// When it names none that a repository knows of, or HEAD cannot be read.
pub fn scope(repo: &Repo, meta: &Meta, path: &Path) -> Result<Scope, Error> {
    let end = |end: &Option<String>| {
        let (name, id) = end.as_deref()?.rsplit_once('@')?;
        Some((name.to_owned(), id.to_owned())).filter(|(name, id)| !name.is_empty() && !id.is_empty())
    };
    let unknown = || Error::UnknownScope { path: path.into() };
    Ok(match meta.scope.ok_or_else(unknown)? {
        document::Scope::Unstaged => Scope::Unstaged,
        document::Scope::Staged => Scope::Staged,
        document::Scope::Worktree => Scope::Worktree,
        document::Scope::Manual => return Err(unknown()),
        document::Scope::Branch => {
            let base = end(&meta.base).map(|(name, _)| name);
            match (base, end(&meta.head)) {
                (Some(from), Some((to, _))) if to != "HEAD" && to != repo.branch_name()? => {
                    Scope::Range { from, to, since_common: true }
                }
                (base, _) => Scope::Branch(base),
            }
        }
        document::Scope::Commit => {
            let (head, id) = end(&meta.head).ok_or_else(unknown)?;
            match end(&meta.base) {
                Some((base, from)) if base != format!("{head}^") => Scope::Range { from, to: id, since_common: false },
                _ => Scope::Commit(id),
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_somebody_else_wrote_meanwhile_stays() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("r.whymark");
        std::fs::write(&path, "theirs").unwrap();
        let refused = write(&path, b"before", b"after".to_vec()).unwrap_err();
        assert!(matches!(refused, Error::ChangedMeanwhile { .. }));
        assert_eq!(std::fs::read(&path).unwrap(), b"theirs");
        write(&path, b"theirs", b"after".to_vec()).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"after");
        std::fs::remove_file(&path).unwrap();
        assert!(
            write(&path, b"after", b"more".to_vec()).is_err() && !path.exists(),
            "it does not come into being again"
        );
    }
}
