//! Where the notes on a commit are that has been amended: its review is called by the id that the commit had before.

use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};

use crate::document::Document;
use crate::document::check::is_same;
use crate::git::{Changes, Scope};
use crate::store;

/// How many reviews of commits are looked at, the latest first.
const MOST: usize = 200;

/// Which review beside `own`, in the repository below `root`, has notes on a commit with the same parent as the commit of
/// `changes`, in a sentence; `None` where there is none, or the changes are not those of a commit.
pub(super) fn notice(own: &Path, root: &Path, changes: &Changes) -> Option<String> {
    let (Scope::Commit(_), Some(parent)) = (changes.scope(), id(changes.base())) else { return None };
    let named = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("commit-") && name.ends_with(".whymark")
    };
    let mut found: Vec<PathBuf> =
        fs::read_dir(own.parent()?).ok()?.flatten().map(|entry| entry.path()).filter(named).collect();
    // What was amended was mostly reviewed not long ago.
    let written = |path: &PathBuf| fs::metadata(path).and_then(|known| known.modified()).ok();
    found.sort_by_cached_key(|path| (Reverse(written(path)), path.clone()));
    found.truncate(MOST);
    let has_notes = |path: &PathBuf| {
        let document = store::inside(path, root).and_then(|path| store::read(&path)).map(Document::parse).ok()?;
        let is_sibling = id(document.meta().base.as_deref()).is_some_and(|base| is_same(base, parent));
        (is_sibling && document.parts().iter().any(|part| part.note_views().next().is_some())).then_some(())
    };
    let path = found.into_iter().find(|path| has_notes(path).is_some())?;
    let shown = path.strip_prefix(root).unwrap_or(&path).display();
    Some(format!("notes on this commit, perhaps as it was before it was amended, are in {shown}"))
}

/// The id in `<ref>@<id>`.
fn id(end: Option<&str>) -> Option<&str> {
    end?.rsplit_once('@').map(|(_, id)| id).filter(|id| !id.is_empty())
}
