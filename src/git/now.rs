//! What the repository holds now of what a review recorded: the answers to
//! [`Repository`](crate::document::check::Repository).

use std::fs;
use std::path::{Component, Path, PathBuf};

use bstr::BStr;
use git2::{ObjectType, Tree};

use super::{Library, path_of};
use crate::document::check::{Content, Current, Repository};

impl Repository for Library {
    fn current(&self, path: &BStr) -> Option<Current> {
        self.workdir()?;
        let Some(file) = below_root(self.root(), path) else { return Some(Current::Missing) };
        if fs::symlink_metadata(&file).is_ok_and(|meta| meta.is_dir()) {
            return Some(Current::Folder);
        }
        // What cannot be read is as good as gone for whoever reviews it here.
        let id = self.side_on_disk(path).and_then(|side| self.id_of(path, &side).ok());
        Some(id.map_or(Current::Missing, |id| Current::Blob(id.to_string())))
    }

    fn recorded(&self, base: &str, path: &BStr) -> Option<String> {
        if base == "index" {
            let index = self.raw.index().ok()?;
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
}

/// What `path` holds on disk.
pub(super) fn content_on_disk(root: &Path, path: &BStr) -> Content {
    let Some(file) = below_root(root, path) else { return Content::Missing };
    match fs::metadata(&file) {
        Ok(meta) if meta.is_dir() => Content::Folder,
        // A pipe or a device would never end.
        Ok(meta) if meta.is_file() => fs::read(&file).map_or(Content::Unknown, Content::File),
        _ => Content::Missing,
    }
}

/// The file at `path` below `root`; `None` when the way there leads out of it, through `..`, an absolute path or a link.
pub(super) fn below_root(root: &Path, path: &BStr) -> Option<PathBuf> {
    let relative = path_of(path);
    let is_plain = |step: Component<'_>| matches!(step, Component::Normal(_) | Component::CurDir);
    if path.is_empty() || path.contains(&0) || !relative.components().all(is_plain) {
        return None;
    }
    let root = root.canonicalize().ok()?;
    let file = root.join(&relative);
    let is_inside = |path: &Path| path.canonicalize().is_ok_and(|real| real.starts_with(&root));
    let leads_inside = is_inside(file.parent()?) && (!file.is_symlink() || is_inside(&file));
    leads_inside.then_some(file)
}
