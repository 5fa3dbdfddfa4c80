//! What stands on one side of a change: an object of the repository, a file on disk in the form in which git would
//! store it, or the commit of a submodule.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::PathBuf;

use bstr::{BStr, BString, ByteSlice};
use git2::{AttrValue, ObjectType, Oid};

use super::repo::Conversion;
use super::{Library, bytes_of, mode, path_of};
use crate::error::Error;

/// Text that is looked at to tell binary content, as git does.
const LOOKED_AT: usize = 8000;
/// From this length on a file on disk that is not text is hashed without being held in memory.
const HASH_IN_PIECES: u64 = 1 << 20;
/// From this length on git compares nothing.
pub(super) const TOO_BIG_TO_COMPARE: u64 = 512 << 20;

/// One side of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Side {
    /// Its mode.
    pub(super) mode: u32,
    /// What is there.
    pub(super) content: Content,
}

/// Where the content of a side is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// A blob.
    Object(Oid),
    /// The file or symbolic link in the working tree.
    OnDisk,
    /// A commit of another repository, perhaps with changes on top.
    Submodule { commit: Oid, dirty: bool },
}

impl Side {
    /// Whether this and `other` are the same kind of thing: file, link or submodule.
    pub(super) fn same_type(&self, other: &Self) -> bool {
        mode::is_same_kind(self.mode, other.mode)
    }

    /// Whether this is a file, executable or not.
    pub(super) fn is_file(&self) -> bool {
        mode::is_file(self.mode)
    }

    /// The id, as far as it is known without reading a file.
    pub(super) fn known_id(&self) -> Option<Oid> {
        match self.content {
            Content::Object(id) | Content::Submodule { commit: id, .. } => Some(id),
            Content::OnDisk => None,
        }
    }
}

/// A file on disk, as git would store it.
pub(super) enum Stored {
    /// Its bytes.
    Bytes(Vec<u8>),
    /// Only its id: it is not text, or nothing that is compared line by line.
    Opaque(Oid),
}

/// Whether `content` is no text for git: a NUL among the first bytes.
pub(super) fn is_binary(content: &[u8]) -> bool {
    content[..content.len().min(LOOKED_AT)].contains(&0)
}

impl Library {
    /// Where `path` is on disk; only called where there is a working tree.
    fn on_disk(&self, path: &BStr) -> PathBuf {
        self.root().join(path_of(path))
    }

    /// The length on disk of `path`, without following a link.
    pub(super) fn disk_size(&self, path: &BStr) -> Option<u64> {
        fs::symlink_metadata(self.on_disk(path)).ok().map(|meta| meta.len())
    }

    /// What is on disk at `path`: a file or a link, anything else is nothing to git.
    pub(super) fn side_on_disk(&self, path: &BStr) -> Option<Side> {
        let meta = fs::symlink_metadata(self.on_disk(path)).ok()?;
        let mode = match meta.file_type() {
            kind if kind.is_symlink() => mode::LINK,
            kind if kind.is_file() => mode::of(&meta),
            _ => return None,
        };
        Some(Side { mode, content: Content::OnDisk })
    }

    /// The file or link on disk at `path`, in the form in which git would store it.
    pub(super) fn stored(&self, path: &BStr, mode: u32) -> Result<Stored, Error> {
        let file = self.on_disk(path);
        let read = |source| Error::ReadFile { path: path_of(path), source };
        let meta = fs::symlink_metadata(&file).map_err(read)?;
        if mode == mode::LINK && meta.is_symlink() {
            return Ok(Stored::Bytes(bytes_of_target(fs::read_link(&file).map_err(read)?)));
        }
        if !meta.is_file() {
            return Err(read(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file any more")));
        }
        let filtered = self.is_filtered(path);
        if !filtered && meta.len() >= HASH_IN_PIECES && self.is_opaque(path, &file, meta.len()).map_err(read)? {
            let id = Oid::hash_file(ObjectType::Blob, &file);
            return id.map(Stored::Opaque).map_err(|source| Error::CompareFile { path: path.into(), source });
        }
        let raw = fs::read(&file).map_err(read)?;
        if !filtered {
            return Ok(Stored::Bytes(raw));
        }
        // libgit2 offers its line end and `$Id$` filters only on the way into the object store, which is in memory
        // here. With core.safecrlf it refuses what it could not convert back; a diff wants the conversion anyway.
        let stored =
            self.raw.blob_path(&file).and_then(|id| self.raw.find_blob(id)).map(|blob| blob.content().to_vec());
        Ok(Stored::Bytes(stored.unwrap_or_else(|_| raw.replace("\r\n", "\n"))))
    }

    /// The id that `side` has or would have as an object.
    pub(super) fn id_of(&self, path: &BStr, side: &Side) -> Result<Oid, Error> {
        if let Some(id) = side.known_id() {
            return Ok(id);
        }
        match self.stored(path, side.mode)? {
            Stored::Opaque(id) => Ok(id),
            Stored::Bytes(bytes) => Oid::hash_object(ObjectType::Blob, &bytes)
                .map_err(|source| Error::CompareFile { path: path.into(), source }),
        }
    }

    /// The bytes of `side`: of a submodule the line that git shows for it, of an opaque file nothing.
    pub(super) fn bytes_of_side(&self, path: &BStr, side: &Side) -> Result<Vec<u8>, Error> {
        match side.content {
            Content::Object(id) => Ok(self.blob(path, id)?.content().to_vec()),
            Content::Submodule { commit, dirty } => {
                Ok(format!("Subproject commit {commit}{}\n", if dirty { "-dirty" } else { "" }).into_bytes())
            }
            Content::OnDisk => Ok(match self.stored(path, side.mode)? {
                Stored::Bytes(bytes) => bytes,
                Stored::Opaque(_) => Vec::new(),
            }),
        }
    }

    /// The blob `id`, which is a side of `path`.
    pub(super) fn blob(&self, path: &BStr, id: Oid) -> Result<git2::Blob<'_>, Error> {
        self.raw.find_blob(id).map_err(|source| {
            let what = BString::from(format!("{id}, a version of {path}"));
            Error::ReadObject { what, source }
        })
    }

    /// Whether git changes the bytes of `path` between disk and repository.
    pub(super) fn is_filtered(&self, path: &BStr) -> bool {
        let configured = *self.known.autocrlf.get_or_init(|| {
            let value = self.raw.config().and_then(|config| config.get_string("core.autocrlf"));
            value.is_ok_and(|value| !matches!(value.to_ascii_lowercase().as_str(), "false" | "no" | "off" | "0"))
        });
        configured
            || ["text", "crlf", "eol", "ident"].iter().any(|name| match self.attribute(path, name) {
                AttrValue::Unspecified | AttrValue::False => false,
                AttrValue::True | AttrValue::String(_) | AttrValue::Bytes(_) => true,
            })
    }

    /// What git would do to `path` on the way into the repository that is not done here.
    pub(super) fn conversion(&self, path: &BStr) -> Option<Conversion> {
        let encoded = self.is_encoded(path).then_some(Conversion::Encoding);
        encoded.or_else(|| self.has_filter(path).then_some(Conversion::Filter))
    }

    /// Whether git changes the encoding of `path` on the way into the repository.
    pub(super) fn is_encoded(&self, path: &BStr) -> bool {
        matches!(self.attribute(path, "working-tree-encoding"), AttrValue::String(_))
    }

    /// Whether git would run a program over `path` on the way into the repository.
    pub(super) fn has_filter(&self, path: &BStr) -> bool {
        self.has_filter_for(path, &["clean", "process"])
    }

    /// Whether the filter of `path` has a program under one of these keys.
    pub(super) fn has_filter_for(&self, path: &BStr, keys: &[&str]) -> bool {
        match self.attribute(path, "filter") {
            AttrValue::String(name) => {
                let is_set = |key: &&str| {
                    let config =
                        self.raw.config().and_then(|config| config.get_string(&format!("filter.{name}.{key}")));
                    config.is_ok_and(|value| !value.is_empty())
                };
                keys.iter().any(is_set)
            }
            AttrValue::True | AttrValue::False | AttrValue::Bytes(_) | AttrValue::Unspecified => false,
        }
    }

    /// Whether the lines of `file` are not compared whatever they are.
    fn is_opaque(&self, path: &BStr, file: &std::path::Path, len: u64) -> io::Result<bool> {
        let forced = match self.attribute(path, "diff") {
            AttrValue::Unspecified => false,
            AttrValue::False => return Ok(true),
            AttrValue::True | AttrValue::String(_) | AttrValue::Bytes(_) => true,
        };
        let mut start = Vec::with_capacity(LOOKED_AT);
        File::open(file)?.take(LOOKED_AT as u64).read_to_end(&mut start)?;
        Ok(len >= TOO_BIG_TO_COMPARE || (!forced && is_binary(&start)))
    }
}

/// The target of a link as git stores it.
pub(super) fn bytes_of_target(target: PathBuf) -> Vec<u8> {
    if cfg!(windows) { bytes_of(&target).into() } else { target.into_os_string().into_encoded_bytes() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_is_a_nul_near_the_start() {
        let late = [vec![b'x'; LOOKED_AT], vec![0]].concat();
        for (content, binary) in [(&b""[..], false), (b"text\n", false), (b"a\0b", true), (&late, false)] {
            assert_eq!(is_binary(content), binary);
        }
    }
}
