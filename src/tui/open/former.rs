//! Where the notes on changes are whose review is called by something that has changed since: the id of a commit that was
//! amended, a branch that is no longer the one which is checked out.

use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};

use crate::document::Document;
use crate::document::check::is_same;
use crate::git::{Changes, Scope};
use crate::store;

use super::super::current::Current;

/// How many reviews are looked at, the latest first.
const MOST: usize = 200;

/// The review beside `own`, in the repository below `root`, that is of the commit of `changes`, whatever it is called:
/// it was carried there from another commit.
pub(super) fn carried(own: &Path, root: &Path, changes: &Changes) -> Option<PathBuf> {
    let Scope::Commit(_) = changes.scope() else { return None };
    // One of several commits is called by the last of them, too.
    let is_end = |stated: &Option<String>, end: Option<&str>| match (id(stated.as_deref()), id(end)) {
        (Some(stated), Some(end)) => is_same(stated, end),
        (stated, end) => stated.is_none() && end.is_none(),
    };
    let is_of = |document: &Document| {
        let meta = document.meta();
        meta.head.is_some() && is_end(&meta.head, changes.head()) && is_end(&meta.base, changes.base())
    };
    reviews(own, root, changes).find(|(_, document)| is_of(document)).map(|(path, _)| path)
}

/// Whether `document` does not say that it is of another commit than `changes` are.
pub(super) fn may_be_of(document: &Document, changes: &Changes) -> bool {
    let ids = id(changes.head()).zip(id(document.meta().head.as_deref()));
    !matches!(changes.scope(), Scope::Commit(_)) || ids.is_none_or(|(head, stated)| is_same(stated, head))
}

/// Which review beside `own`, in the repository below `root`, has notes on these changes, in a sentence: on a commit with
/// the same parent, or, of what is not committed, on one of the files as it is now. `None` where there is none.
pub(super) fn notice(own: &Path, root: &Path, changes: &Changes, current: &Current) -> Option<String> {
    let what = match changes.scope() {
        Scope::Commit(_) => "this commit, perhaps as it was before it was amended,",
        Scope::Unstaged | Scope::Staged | Scope::Worktree => "these changes, perhaps,",
        Scope::Branch(_) | Scope::Range { .. } | Scope::Manual => return None,
    };
    let mut others = reviews(own, root, changes).filter(|(path, _)| path != own);
    let (path, _) = others.find(|(_, document)| is_about(document, changes, current))?;
    let shown = path.strip_prefix(root).unwrap_or(&path).display();
    Some(format!("notes on {what} are in {shown}: open that and refresh it"))
}

/// Whether `document` has notes on the `current` changes, or on a commit that they may be the successor of.
fn is_about(document: &Document, changes: &Changes, current: &Current) -> bool {
    let mut noted = document.parts().iter().filter(|part| part.note_views().next().is_some());
    match (changes.scope(), id(changes.base())) {
        (Scope::Commit(_), Some(parent)) => {
            let is_sibling = id(document.meta().base.as_deref()).is_some_and(|base| is_same(base, parent));
            is_sibling && noted.next().is_some()
        }
        (Scope::Commit(_), None) => false,
        // Notes on the whole are on nothing that could be told.
        _ => noted.any(|part| part.tree().file.is_some() && current.may_be(part)),
    }
}

/// The reviews beside `own` of the same scope as `changes`, those that were written last before the others.
fn reviews(own: &Path, root: &Path, changes: &Changes) -> impl Iterator<Item = (PathBuf, Document)> {
    let prefix = format!("{}-", changes.scope().word());
    let named = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(&prefix) && name.ends_with(".whymark")
    };
    let entries = own.parent().and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(named).collect();
    // What is looked for was mostly reviewed not long ago.
    let written = |path: &PathBuf| fs::metadata(path).and_then(|known| known.modified()).ok();
    found.sort_by_cached_key(|path| (Reverse(written(path)), path.clone()));
    found.truncate(MOST);
    found.into_iter().filter_map(move |path| {
        let document = store::inside(&path, root).and_then(|path| store::read(&path)).map(Document::parse).ok()?;
        Some((path, document))
    })
}

/// The id in `<ref>@<id>`.
fn id(end: Option<&str>) -> Option<&str> {
    end?.rsplit_once('@').map(|(_, id)| id).filter(|id| !id.is_empty())
}
