//! One version of a file, by its blob id: what stands around the hunks of a diff.

use bstr::BStr;
use git2::{ObjectType, Oid};

use super::content::Stored;
use super::now::below_root;
use super::{Engine, Library, Repo};
use crate::document::check::is_same;
use crate::error::Error;

/// The fewest digits that are looked up in the object store, as with git.
const LEAST_DIGITS: usize = 4;

/// A version of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Version {
    /// Its bytes.
    Text(Vec<u8>),
    /// It has more bytes than were asked for.
    TooLong,
    /// It is neither in the object store nor on disk.
    Gone,
}

impl Repo {
    /// The version of the file at `path` that has the blob id `id`, perhaps abbreviated, if it has at most `most` bytes: the
    /// blob, or what is on disk if git would store it under that id.
    ///
    /// # Errors
    /// When the file on disk cannot be read.
    pub fn version(&self, path: &BStr, id: &str, most: usize) -> Result<Version, Error> {
        if id.len() < LEAST_DIGITS || !id.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Ok(Version::Gone);
        }
        match &self.engine {
            Engine::Library(library) => library.version(path, id, most),
            Engine::Program(program) => Ok(program.version(path, id, most)),
        }
    }
}

impl Repo {
    /// The bytes that the version of the file at `path` with the blob id `id`, perhaps abbreviated, has; `None` where
    /// nobody knows. Nothing is read of what is in the object store but its size.
    #[must_use]
    pub fn size(&self, path: &BStr, id: &str) -> Option<u64> {
        if id.len() < LEAST_DIGITS || !id.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        match &self.engine {
            Engine::Library(library) => library.size_of_version(path, id),
            Engine::Program(program) => program.size(id),
        }
    }
}

impl Library {
    /// See [`Repo::size`].
    fn size_of_version(&self, path: &BStr, id: &str) -> Option<u64> {
        let short = Oid::from_str(id).ok()?;
        let in_store = || {
            let store = self.raw.odb().ok()?;
            let (size, _) = store.read_header(store.exists_prefix(short, id.len()).ok()?).ok()?;
            u64::try_from(size).ok()
        };
        let on_disk = || {
            below_root(self.root(), path).filter(|_| self.workdir().is_some())?;
            let own = self.id_of(path, &self.side_on_disk(path)?).ok()?;
            self.disk_size(path).filter(|_| is_same(&own.to_string(), id))
        };
        in_store().or_else(on_disk)
    }

    fn version(&self, path: &BStr, id: &str, most: usize) -> Result<Version, Error> {
        let object = self.raw.find_object_by_prefix(id, Some(ObjectType::Blob)).ok();
        if let Some(blob) = object.as_ref().and_then(|object| object.as_blob()) {
            let is_short = blob.size() <= most;
            return Ok(if is_short { Version::Text(blob.content().to_vec()) } else { Version::TooLong });
        }
        let is_here = self.workdir().is_some() && below_root(self.root(), path).is_some();
        let Some(side) = self.side_on_disk(path).filter(|_| is_here && !self.has_filter(path)) else {
            return Ok(Version::Gone);
        };
        if self.disk_size(path).is_none_or(|size| size > most as u64) {
            return Ok(Version::TooLong);
        }
        let Stored::Bytes(text) = self.stored(path, side.mode)? else { return Ok(Version::Gone) };
        let own = Oid::hash_object(ObjectType::Blob, &text);
        Ok(if own.is_ok_and(|own| is_same(&own.to_string(), id)) { Version::Text(text) } else { Version::Gone })
    }
}
