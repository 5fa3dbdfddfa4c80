//! The diff of a review, made anew: which changes it is of, and the document that they are now, for
//! [`anchor`](crate::anchor) to carry the notes to.

mod moved;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;

use crate::diff::LineKind;
use crate::document::{self, Document, Meta};
use crate::error::Error;
use crate::git::{Changes, Repo, Scope, ScopeOptions};
use crate::skeleton::{self, FilePatch, SEPARATOR, Stubs};
use crate::store;

pub use moved::{Moved, Next};

/// How the changes that a review is of are found again.
#[derive(Debug, Clone, PartialEq)]
pub struct Basis {
    /// Where the repository is looked for.
    pub dir: PathBuf,
    /// What was asked for: the scope and its two sides, as a frontmatter names them; `None`: the one of the review does.
    pub ends: Option<Meta>,
    /// The branch that was checked out when it was asked for, where the review of what is not committed is called by it.
    pub branch: Option<String>,
    /// What of it, and how.
    pub options: ScopeOptions,
    /// Whether filters may be run.
    pub filters: bool,
}

impl Basis {
    /// How `changes`, which were found in the repository around `dir`, are found again: those of a commit or a range stay
    /// the ones of these commits, whatever their names come to mean, and those of a branch the ones of this branch.
    #[must_use]
    pub fn of(dir: &Path, repo: &Repo, changes: &Changes, options: ScopeOptions) -> Self {
        let branch = repo.branch_name().ok().filter(|_| changes.scope().reads_index());
        Self { dir: dir.to_owned(), ends: Some(ends(changes)), branch, options, filters: repo.runs_filters() }
    }

    /// The scope, where the frontmatter of the review at `path` is `meta`.
    ///
    /// # Errors
    /// When the review does not say what it compares, or HEAD cannot be read.
    pub fn scope(&self, repo: &Repo, meta: &Meta, path: &Path) -> Result<Scope, Error> {
        scope(repo, self.ends.as_ref().unwrap_or(meta), path)
    }

    /// What a review with this frontmatter compares, as a word of the format; `None` where it does not say.
    #[must_use]
    pub fn compares(&self, meta: &Meta) -> Option<document::Scope> {
        self.ends.as_ref().unwrap_or(meta).scope
    }

    /// What is in the scope of `document`, the review at `path`, now.
    ///
    /// # Errors
    /// When the review does not say what it compares, or git refuses.
    pub fn changes(&self, document: &Document, path: &Path) -> Result<(Repo, Changes), Error> {
        let repo = self.repo()?;
        let changes = self.changes_in(&repo, document, path)?;
        Ok((repo, changes))
    }

    /// The repository.
    ///
    /// # Errors
    /// When there is none, or none that can be opened.
    pub fn repo(&self) -> Result<Repo, Error> {
        Ok(Repo::discover(&self.dir)?.with_filters(self.filters))
    }

    /// What is in the scope of `document`, the review at `path`, now, in `repo`.
    ///
    /// # Errors
    /// As [`Self::changes`].
    pub fn changes_in(&self, repo: &Repo, document: &Document, path: &Path) -> Result<Changes, Error> {
        let mut options = self.options.clone();
        if self.ends.is_none() {
            options.context = options.context.max(context(document));
        }
        repo.changes(&self.scope(repo, document.meta(), path)?, &options)
    }

    /// The document of `changes`, which are those of this basis, without notes, for a review to be carried to; `None` when
    /// `told` has said that nobody wants it any more. `told` hears how many files are done, and of how many.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn document(
        &self,
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
        // A commit is called what somebody has called it, not what it is found by.
        let named = self.ends.as_ref().filter(|ends| ends.scope == Some(document::Scope::Commit));
        let facts = repo.facts(changes);
        let facts = match named {
            Some(ends) => skeleton::Facts { base: ends.base.clone(), head: ends.head.clone(), ..facts },
            None => facts,
        };
        let head = skeleton::head(&skeleton::Facts { scope: None, ..facts }).into();
        Ok(is_whole.then(|| Document::from_parts(head, sections)))
    }
}

/// The scope of `changes` and its two sides, as the frontmatter of their review names them.
fn ends(changes: &Changes) -> Meta {
    let skeleton::Facts { scope, base, head, .. } = changes.facts();
    let scope = scope.and_then(|scope| document::Scope::from_word(scope.as_bytes()));
    let mut ends = Meta::default();
    (ends.scope, ends.base, ends.head) = (scope, base, head);
    ends
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
