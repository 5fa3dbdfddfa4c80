//! What agents do outside of the review: which other files of the working tree differ from the last commit when a round
//! is sent, and which have changed by the time somebody looks.

use std::collections::{BTreeMap, HashSet};

use bstr::{BString, ByteSlice as _};
use bytes::Bytes;

use crate::git::{Repo, Scope, ScopeOptions, mode};
use crate::session::{Around, Base, BaseFile, FoundFile};
use crate::skeleton::Change;

use super::compose::Texts;

/// The most of them that are looked at: a tree in which there are more is in the middle of something else.
const MOST: usize = 2000;

/// What is to be kept of the tree around the `reviewed` files, and the other files that differ from the last commit.
/// `None` where that is no matter of a repository, or too much.
#[must_use]
pub(super) fn around(texts: &Texts, reviewed: &[BString]) -> Option<(Around, Vec<BString>)> {
    let repo = repo(texts)?;
    let known: HashSet<&BString> = reviewed.iter().collect();
    let others: Vec<BString> = changes(repo, &Scope::Worktree)?.map(|change| change.path).collect();
    let others: Vec<BString> = others.into_iter().filter(|path| !known.contains(path)).collect();
    let around = Around { head: repo.id_of_name("HEAD"), reviewed: reviewed.len() };
    (others.len() <= MOST).then_some((around, others))
}

/// Files of which a base keeps nothing, and which differ by now from the commit of its time.
#[derive(Debug, Default)]
pub struct Elsewhere {
    /// What they were then, of the first so many.
    pub files: Vec<(BString, FoundFile)>,
    /// How many more there are.
    pub more: usize,
}

/// The files of which `base` keeps nothing, and which differ by now from the commit of its time.
#[must_use]
pub(super) fn changed(texts: &Texts, base: &Base) -> Elsewhere {
    let Some((repo, around)) = repo(texts).zip(base.around()) else { return Elsewhere::default() };
    let known: HashSet<&[u8]> = base.files().iter().map(BaseFile::path).collect();
    let mut changed = BTreeMap::new();
    // What was committed since is compared with that commit, and what was not with the next.
    let committed = around.head.clone().zip(repo.id_of_name("HEAD")).filter(|(from, to)| from != to);
    let committed = committed.map(|(from, to)| Scope::Range { from, to, since_common: false });
    for scope in committed.into_iter().chain([Scope::Worktree]) {
        for change in changes(repo, &scope).into_iter().flatten() {
            changed.entry(change.path.clone()).or_insert(change);
        }
    }
    changed.retain(|path, _| !known.contains(path.as_slice()));
    let more = changed.len().saturating_sub(MOST);
    let files = changed.into_iter().take(MOST).map(|(path, change)| (path, before(repo, &change))).collect();
    Elsewhere { files, more }
}

/// The repository, where paths count from the top of its working tree.
fn repo(texts: &Texts) -> Option<&Repo> {
    let repo = texts.repo.as_ref()?;
    (repo.workdir()?.canonicalize().ok()? == texts.root.canonicalize().ok()?).then_some(repo)
}

/// The changed files but for reviews and Markback files: what is written about files is the review's own matter.
fn changes(repo: &Repo, scope: &Scope) -> Option<impl Iterator<Item = Change>> {
    let options = ScopeOptions { renames: false, context: 0, ..ScopeOptions::default() };
    let changes = repo.changes(scope, &options).ok()?.files().to_vec();
    let is_about = |path: &BString| [&b".whymark"[..], b".mb"].iter().any(|end| path.ends_with(end));
    Some(changes.into_iter().filter(move |change| !is_about(&change.path)))
}

/// What the old side of `change` was on disk.
fn before(repo: &Repo, change: &Change) -> FoundFile {
    let Some(mode) = change.old_mode else { return FoundFile::Nothing };
    if mode == mode::SUBMODULE {
        return FoundFile::Uncopied("it is a submodule".to_owned());
    }
    let Some(text) = change.old_id.as_deref().and_then(|id| repo.blob_of_name(id)) else {
        return FoundFile::Uncopied("the repository does not give its content".to_owned());
    };
    if !mode::is_file(mode) {
        return FoundFile::Text(text, Some(mode));
    }
    match repo.smudged(change.path.as_bstr(), &Bytes::from(text)) {
        Ok(text) => FoundFile::Text(text.to_vec(), Some(mode)),
        Err(error) => FoundFile::Uncopied(error.to_string()),
    }
}
