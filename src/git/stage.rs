//! The only writes to a repository: what its index has of a file, and a blob that keeps a text which is about to go.
//!
//! libgit2 writes them where it reads the repository, else the `git` program. No filter is run and nothing converted: what
//! is written is what git stores.

use bstr::BStr;
use bytes::Bytes;
use git2::{
    Index, IndexEntry, IndexEntryExtendedFlag, IndexEntryFlag, IndexTime, Oid, Repository, RepositoryOpenFlags,
};

use super::program::Program;
use super::{Engine, Repo, path_of};
use crate::error::Error;

/// A file as the index has it.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its blob.
    pub id: String,
    /// What that is.
    pub file: Stored,
}

/// A file as git stores it, or is to store it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stored {
    /// What is in it.
    pub content: Bytes,
    /// Its mode.
    pub mode: u32,
    /// Whether the index only announces it, with nothing in it (`git add --intent-to-add`).
    pub is_announced: bool,
    /// Whether git takes it for unchanged without a look (`git update-index --assume-unchanged`).
    pub is_assumed: bool,
}

impl Repo {
    /// What the index has at `path`; `None`: nothing.
    ///
    /// # Errors
    /// When the index cannot be read, or has it in a way that is not to be changed: in a conflict, or left out of the
    /// working tree.
    pub fn entry(&self, path: &BStr) -> Result<Option<Entry>, Error> {
        match self.writer(path)? {
            Writer::Library(raw) => entry(&raw, &open_index(&raw)?, path),
            Writer::Program(program) => program.entry(path),
        }
    }

    /// Make `after` what the index has at `path` (`None`: nothing), as long as it has `before`.
    ///
    /// # Errors
    /// When it has something else by now, or cannot be written: somebody may hold its lock.
    pub fn put_entry(&self, path: &BStr, before: Option<&Stored>, after: Option<&Stored>) -> Result<(), Error> {
        let changed = || Error::CannotChange {
            path: path.into(),
            reason: "the index has another version of it by now".to_owned(),
        };
        let write = |source: git2::Error| Error::WriteIndex { source };
        match self.writer(path)? {
            Writer::Library(raw) => {
                let mut index = open_index(&raw)?;
                if entry(&raw, &index, path)?.map(|entry| entry.file).as_ref() != before {
                    return Err(changed());
                }
                match after {
                    Some(file) => {
                        let id = raw.blob(&file.content).map_err(write)?;
                        index.add(&new_entry(path, id, file)).map_err(write)?;
                    }
                    None => index.remove(&path_of(path), 0).map_err(write)?,
                }
                index.write().map_err(write)
            }
            Writer::Program(program) => {
                let entry = program.entry(path)?;
                if entry.as_ref().map(|entry| &entry.file) != before {
                    return Err(changed());
                }
                program.put_entry(path, entry.as_ref(), after)
            }
        }
    }

    /// Keep `content` as a blob, to be found again by the id that comes back; git removes it in some weeks at the earliest.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(&self, path: &BStr, content: &[u8]) -> Result<String, Error> {
        match self.writer(path)? {
            Writer::Library(raw) => {
                raw.blob(content).map(|id| id.to_string()).map_err(|source| Error::WriteIndex { source })
            }
            Writer::Program(program) => program.keep(content),
        }
    }

    /// What writes. The repository that reads keeps new objects in memory, so this is another one.
    fn writer(&self, path: &BStr) -> Result<Writer<'_>, Error> {
        match &self.engine {
            Engine::Library(library) if library.reads_index() => {
                let open = |source| Error::OpenRepository { dir: self.dir.clone(), source };
                let raw = if std::env::var_os("GIT_DIR").is_some() {
                    Repository::open_from_env()
                } else {
                    Repository::open_ext(&self.dir, RepositoryOpenFlags::FROM_ENV, &[] as &[&std::ffi::OsStr])
                };
                Ok(Writer::Library(raw.map_err(open)?))
            }
            Engine::Library(_) | Engine::Program(_) => match self.program() {
                Some(program) => Ok(Writer::Program(program)),
                None => Err(Error::CannotChange {
                    path: path.into(),
                    reason: "this kind of index takes a `git` program on PATH".to_owned(),
                }),
            },
        }
    }
}

enum Writer<'a> {
    Library(Repository),
    Program(&'a Program),
}

fn open_index(raw: &Repository) -> Result<Index, Error> {
    let read = |source| Error::ReadIndex { source };
    let mut index = raw.index().map_err(read)?;
    index.read(true).map_err(read)?;
    Ok(index)
}

fn entry(raw: &Repository, index: &Index, path: &BStr) -> Result<Option<Entry>, Error> {
    let refused = |reason: &str| Error::CannotChange { path: path.into(), reason: reason.to_owned() };
    let place = path_of(path);
    if (1..=3).any(|stage| index.get_path(&place, stage).is_some()) {
        return Err(refused("it is in a merge conflict: resolve that first"));
    }
    let Some(found) = index.get_path(&place, 0) else { return Ok(None) };
    let flags = IndexEntryExtendedFlag::from_bits_truncate(found.flags_extended);
    if flags.contains(IndexEntryExtendedFlag::SKIP_WORKTREE) {
        return Err(refused("a sparse checkout leaves it out of the working tree"));
    }
    let (id, mode) = (found.id.to_string(), found.mode);
    let is_assumed = found.flags & IndexEntryFlag::VALID.bits() != 0;
    if flags.contains(IndexEntryExtendedFlag::INTENT_TO_ADD) {
        // Git needs no blob for it.
        let file = Stored { mode, is_announced: true, is_assumed, ..Stored::default() };
        return Ok(Some(Entry { id, file }));
    }
    let blob = raw.find_blob(found.id).map_err(|source| {
        let what = format!("{}, what the index has at {path}", found.id).into();
        Error::ReadObject { what, source }
    })?;
    let content = Bytes::copy_from_slice(blob.content());
    Ok(Some(Entry { id, file: Stored { content, mode, is_announced: false, is_assumed } }))
}

/// An entry of which git does not know yet what is on disk.
fn new_entry(path: &BStr, id: Oid, file: &Stored) -> IndexEntry {
    let never = IndexTime::new(0, 0);
    let (announced, assumed) = (IndexEntryExtendedFlag::INTENT_TO_ADD.bits(), IndexEntryFlag::VALID.bits());
    IndexEntry {
        ctime: never,
        mtime: never,
        dev: 0,
        ino: 0,
        mode: file.mode,
        uid: 0,
        gid: 0,
        file_size: 0,
        id,
        flags: if file.is_assumed { assumed } else { 0 },
        flags_extended: if file.is_announced { announced } else { 0 },
        path: path.to_vec(),
    }
}
