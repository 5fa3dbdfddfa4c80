//! What the repository holds now of what a review recorded: the answers to
//! [`Repository`](crate::document::check::Repository).

use std::fs;
use std::path::{Component, Path, PathBuf};

use bstr::BStr;
use git2::{IndexEntryExtendedFlag, ObjectType, Oid, Tree};

use super::{Library, path_of};
use crate::document::check::{Content, Current, Repository};
use crate::skeleton::paths::is_in_tree;

impl Repository for Library {
    fn current(&self, path: &BStr) -> Option<Current> {
        self.workdir()?;
        let file = below_root(self.root(), path);
        if file.as_ref().is_some_and(|file| fs::symlink_metadata(file).is_ok_and(|meta| meta.is_dir())) {
            return Some(Current::Folder);
        }
        // What cannot be read is as good as gone for whoever reviews it here.
        let id = match file.and_then(|_| self.side_on_disk(path)) {
            Some(side) => self.id_of(path, &side).ok(),
            None => self.kept_off_disk(path),
        };
        Some(id.map_or(Current::Missing, |id| Current::Blob(id.to_string())))
    }

    fn recorded(&self, base: &str, path: &BStr) -> Option<String> {
        if base == "index" {
            let index = self.raw.index().ok().filter(|_| is_in_tree(path))?;
            let entry = index.get_path(&path_of(path), 0)?;
            return Some(entry.id.to_string());
        }
        let entry = self.tree_of(base)?.get_path(&path_of(path)).ok()?;
        Some(entry.id().to_string())
    }

    fn content(&self, at: Option<&str>, path: &BStr) -> Content {
        if let Some(id) = at {
            let Some(tree) = self.tree_of(id) else { return Content::Unknown };
            let Ok(entry) = tree.get_path(&path_of(path)) else { return Content::Missing };
            return match entry.kind() {
                Some(ObjectType::Blob) => self
                    .raw
                    .find_blob(entry.id())
                    .map_or(Content::Unknown, |blob| Content::File(blob.content().to_vec())),
                _ => Content::Folder,
            };
        }
        self.workdir().map_or(Content::Unknown, |root| content_on_disk(root, path))
    }

    fn has_commit(&self, id: &str) -> bool {
        self.raw.revparse_single(id).and_then(|object| object.peel_to_commit()).is_ok()
    }
}

impl Library {
    /// The tree of the commit `id`, which may be abbreviated.
    fn tree_of(&self, id: &str) -> Option<Tree<'_>> {
        self.raw.revparse_single(id).and_then(|object| object.peel_to_tree()).ok()
    }

    /// The blob of a file that a sparse checkout does not put into the working tree.
    fn kept_off_disk(&self, path: &BStr) -> Option<Oid> {
        let entry = self.raw.index().ok().filter(|_| is_in_tree(path))?.get_path(&path_of(path), 0)?;
        let flags = IndexEntryExtendedFlag::from_bits_truncate(entry.flags_extended);
        flags.contains(IndexEntryExtendedFlag::SKIP_WORKTREE).then_some(entry.id)
    }
}

/// What `path` holds on disk.
pub(super) fn content_on_disk(root: &Path, path: &BStr) -> Content {
    // What a link leads to is read here, so that has to be inside too.
    let inside = below_root(root, path).filter(|file| is_inside(root, file));
    let Some(file) = inside else { return Content::Missing };
    match fs::metadata(&file) {
        Ok(meta) if meta.is_dir() => Content::Folder,
        // A pipe or a device would never end.
        Ok(meta) if meta.is_file() => fs::read(&file).map_or(Content::Unknown, Content::File),
        _ => Content::Missing,
    }
}

/// The file at `path` below `root`, of a link the link itself; `None` when the way there leads out of it, through `..`, an
/// absolute path or a link.
pub(super) fn below_root(root: &Path, path: &BStr) -> Option<PathBuf> {
    let relative = path_of(path);
    let is_plain = |step: Component<'_>| matches!(step, Component::Normal(_) | Component::CurDir);
    if path.is_empty() || path.contains(&0) || !relative.components().all(is_plain) {
        return None;
    }
    let file = root.canonicalize().ok()?.join(&relative);
    is_inside(root, file.parent()?).then_some(file)
}

/// Whether `path` is there and lies below `root`, wherever links lead.
fn is_inside(root: &Path, path: &Path) -> bool {
    let Ok(root) = root.canonicalize() else { return false };
    path.canonicalize().is_ok_and(|real| real.starts_with(root))
}
