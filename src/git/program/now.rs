//! What the repository holds now, by the `git` program.

use std::ffi::{OsStr, OsString};
use std::fs;

use bstr::{BStr, ByteSlice as _};

use super::{Program, Run};
use crate::document::check::{Content, Current, is_same};
use crate::git::content::bytes_of_target;
use crate::git::now::{below_root, content_on_disk};
use crate::git::{Version, path_of};

impl Program {
    /// What is in the working tree at `path`, by the id that git gives it.
    pub(in crate::git) fn current(&self, path: &BStr, filters: bool) -> Option<Current> {
        let root = self.workdir()?;
        let Some(file) = below_root(root, path) else { return Some(Current::Missing) };
        let Ok(meta) = fs::symlink_metadata(&file) else { return Some(Current::Missing) };
        let (content, way) = match meta.file_type() {
            kind if kind.is_dir() => return Some(Current::Folder),
            kind if kind.is_symlink() => (fs::read_link(&file).map(bytes_of_target), OsString::from("--no-filters")),
            kind if kind.is_file() => {
                let mut way = OsString::from("--path=");
                way.push(path_of(path));
                (fs::read(&file), way)
            }
            _ => return Some(Current::Missing),
        };
        // What cannot be read is as good as gone for whoever reviews it here.
        let id = content.ok().and_then(|content| {
            let run = Run { input: &content, filters, ..Run::default() };
            let args = [OsStr::new("hash-object"), &way, OsStr::new("--stdin")];
            self.must("hash a file", &args, &run).ok()
        });
        Some(id.map_or(Current::Missing, |id| Current::Blob(id.trim().to_str_lossy().into_owned())))
    }

    /// The blob id of `path` in the commit `base`, or in the index.
    pub(in crate::git) fn recorded(&self, base: &str, path: &BStr) -> Option<String> {
        self.text(&["rev-parse", "--quiet", "--verify", "--end-of-options", &at(base, path)?])
    }

    /// What `path` holds in the commit `id`, or on disk.
    pub(in crate::git) fn content(&self, id: Option<&str>, path: &BStr) -> Content {
        let Some(id) = id else {
            return self.workdir().map_or(Content::Unknown, |root| content_on_disk(root, path));
        };
        if !self.has_commit(id) {
            return Content::Unknown;
        }
        let Some(object) = at(id, path).and_then(|_| self.recorded(id, path)) else { return Content::Missing };
        match self.text(&["cat-file", "-t", &object]).as_deref() {
            Some("blob") => self
                .must("read a file", &["cat-file", "blob", &object], &Run::default())
                .map_or(Content::Unknown, Content::File),
            _ => Content::Folder,
        }
    }

    /// The version of the file at `path` that has the blob id `id`; as [`Repo::version`](crate::git::Repo::version).
    pub(in crate::git) fn version(&self, path: &BStr, id: &str, most: usize) -> Version {
        match self.size(id) {
            Some(size) if size > most as u64 => Version::TooLong,
            Some(_) => {
                let blob = self.must("read a file", &["cat-file", "blob", id], &Run::default());
                blob.map_or(Version::Gone, Version::Text)
            }
            None => match (self.current(path, false), self.workdir()) {
                (Some(Current::Blob(now)), Some(root)) if is_same(&now, id) => match content_on_disk(root, path) {
                    Content::File(text) if text.len() <= most => Version::Text(text),
                    Content::File(_) => Version::TooLong,
                    _ => Version::Gone,
                },
                _ => Version::Gone,
            },
        }
    }

    /// The bytes of the object `id`.
    pub(in crate::git) fn size(&self, id: &str) -> Option<u64> {
        self.text(&["cat-file", "-s", id])?.parse().ok()
    }

    /// Whether `id` names a commit.
    pub(in crate::git) fn has_commit(&self, id: &str) -> bool {
        self.text(&["rev-parse", "--quiet", "--verify", "--end-of-options", &format!("{id}^{{commit}}")]).is_some()
    }
}

/// `path` in the commit `base`, or in the index, as a revision; `None` where the two could be taken for something else.
fn at(base: &str, path: &BStr) -> Option<String> {
    let path = path.to_str().ok().filter(|path| !path.is_empty() && !path.contains('\0'))?;
    match base {
        "index" => Some(format!(":0:{path}")),
        base if base.contains(':') => None,
        base => Some(format!("{base}:{path}")),
    }
}
