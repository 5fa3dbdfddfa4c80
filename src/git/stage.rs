//! The only writes to a repository: what its index has of files, and a blob that keeps a text which is about to go.
//!
//! libgit2 writes them where it reads the repository, else the `git` program. No filter is run and nothing converted: what
//! is written is what git stores.

use std::fs;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use bstr::{BStr, BString, ByteSlice as _};
use bytes::Bytes;
use git2::{
    ErrorCode, Index, IndexEntry, IndexEntryExtendedFlag, IndexEntryFlag, IndexTime, ObjectType, Oid, Repository,
    RepositoryOpenFlags,
};

use super::program::Program;
use super::{Engine, Library, Repo, mode, path_of};
use crate::error::Error;

/// How often a change is made anew because another program wrote the index in between.
const ATTEMPTS: usize = 20;

/// A file as the index has it, or would.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its blob; of a submodule its commit.
    pub id: String,
    /// What that is.
    pub file: Stored,
}

/// A file as git stores it, or is to store it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stored {
    /// What is in it: of a link the path that it leads to, of a submodule the id of its commit.
    pub content: Bytes,
    /// Its mode, in git's notation.
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

    /// What HEAD has at `path`, by its id and its mode; `None`: no file, link or submodule.
    ///
    /// # Errors
    /// When HEAD cannot be read.
    pub fn in_head(&self, path: &BStr) -> Result<Option<(String, u32)>, Error> {
        match &self.engine {
            Engine::Library(library) => library.in_head(path),
            Engine::Program(program) => program.in_head(path),
        }
    }

    /// Make of each file of `swaps` what it is to be in the index, all of them or none, as long as they are what they were.
    ///
    /// # Errors
    /// When the index has something else of one by now, or files where a folder is to be or the other way round; or when
    /// it cannot be written: somebody may hold its lock.
    pub fn put_entries(&self, swaps: &[Swap<Stored>]) -> Result<(), Error> {
        let Some(first) = swaps.first() else { return Ok(()) };
        match self.writer(first.path.as_ref())? {
            Writer::Library(raw) => put_entries(&raw, swaps),
            Writer::Program(program) => program.put_entries(swaps),
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

/// A file that is to become another one, or to come or go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Swap<T> {
    /// Its path in the repository.
    pub path: BString,
    /// What it is; `None`: it is not there.
    pub before: Option<T>,
    /// What it is to be; `None`: it is to go.
    pub after: Option<T>,
}

impl<T> Swap<T> {
    /// The way back.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self { path: self.path, before: self.after, after: self.before }
    }

    /// That the index no longer has what it had.
    pub(super) fn changed(&self) -> Error {
        let reason = "the index has another version of it by now".to_owned();
        Error::ChangedSince { path: self.path.clone(), reason }
    }

    /// That a file cannot be where the index has a folder, nor in a file.
    pub(super) fn blocked(&self, by: &BStr) -> Error {
        let reason = format!("the index still has {by}: stage first that it is gone");
        Error::CannotChange { path: self.path.clone(), reason }
    }

    /// The folders that it is in, as paths at which no file can be, the innermost first.
    pub(super) fn folders(&self) -> impl Iterator<Item = &BStr> {
        let slashes = self.path.iter().enumerate().rev().filter(|(_, byte)| **byte == b'/');
        slashes.map(|(at, _)| self.path[..at].as_bstr())
    }
}

impl Library {
    fn in_head(&self, path: &BStr) -> Result<Option<(String, u32)>, Error> {
        let head = match self.raw.head() {
            Err(error) if matches!(error.code(), ErrorCode::UnbornBranch | ErrorCode::NotFound) => return Ok(None),
            head => head.and_then(|head| head.peel_to_tree()),
        };
        match head.and_then(|tree| tree.get_path(&path_of(path))) {
            Ok(entry) if entry.kind() == Some(ObjectType::Tree) => Ok(None),
            Ok(entry) => Ok(Some((entry.id().to_string(), entry.filemode().cast_unsigned()))),
            Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
            Err(source) => Err(Error::ReadObject { what: format!("what HEAD has at {path}").into(), source }),
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

/// As [`Repo::put_entries`]. Libgit2 locks the index only while it writes it, so that what others have written since it was
/// read would be undone: just before, its bytes are compared, and when they are others all is done anew. What remains is the
/// moment between that look and the lock, some microseconds.
fn put_entries(raw: &Repository, swaps: &[Swap<Stored>]) -> Result<(), Error> {
    put_entries_with(raw, swaps, || ())
}

/// As [`put_entries`]; `meanwhile` is called each time before the last look.
fn put_entries_with(raw: &Repository, swaps: &[Swap<Stored>], mut meanwhile: impl FnMut()) -> Result<(), Error> {
    let write = |source: git2::Error| Error::WriteIndex { source };
    for _ in 0..ATTEMPTS {
        let before = index_bytes(raw);
        let mut index = swapped(raw, swaps)?;
        meanwhile();
        if index_bytes(raw) == before {
            return index.write().map_err(write);
        }
    }
    Err(write(git2::Error::from_str("another program keeps writing it")))
}

/// The bytes of the index on disk; `None` where there is none.
fn index_bytes(raw: &Repository) -> Option<Vec<u8>> {
    fs::read(raw.index().ok()?.path()?).ok()
}

/// The index with `swaps` made in it, not written yet.
fn swapped(raw: &Repository, swaps: &[Swap<Stored>]) -> Result<Index, Error> {
    let write = |source: git2::Error| Error::WriteIndex { source };
    let mut index = open_index(raw)?;
    for swap in swaps {
        if entry(raw, &index, swap.path.as_ref())?.map(|entry| entry.file) != swap.before {
            return Err(swap.changed());
        }
    }
    for swap in swaps.iter().filter(|swap| swap.before.is_some() && swap.after.is_none()) {
        index.remove(&path_of(&swap.path), 0).map_err(write)?;
    }
    for swap in swaps {
        let Some(file) = &swap.after else { continue };
        // libgit2 would take the other away without a word.
        let below = index.find_prefix([&swap.path[..], b"/"].concat()).ok().and_then(|at| index.get(at));
        if let Some(other) = below {
            return Err(swap.blocked(other.path.as_bstr()));
        }
        if let Some(folder) = swap.folders().find(|folder| index.get_path(&path_of(folder), 0).is_some()) {
            return Err(swap.blocked(folder));
        }
        let id = if file.mode == mode::SUBMODULE {
            Oid::from_str(&file.content.to_str_lossy()).map_err(write)?
        } else {
            raw.blob(&file.content).map_err(write)?
        };
        index.add(&new_entry(swap.path.as_ref(), id, file)).map_err(write)?;
    }
    for entry in racy(raw, &index) {
        index.add(&IndexEntry { file_size: 0, ..entry }).map_err(write)?;
    }
    Ok(index)
}

/// The entries of files that were written in the same second as the index, after git had looked at them. Git tells times by
/// whole seconds, and takes them for unchanged when the index is younger than they are, which it is about to be; unless
/// their size is 0, which it takes for a reason to look again. libgit2 does that for what is newer by its finer times only.
fn racy(raw: &Repository, index: &Index) -> Vec<IndexEntry> {
    let written = |path: &Path| {
        let time = fs::symlink_metadata(path).ok()?.modified().ok()?;
        time.duration_since(UNIX_EPOCH).ok()
    };
    let (Some(root), Some(read)) = (raw.workdir(), index.path().and_then(written)) else { return Vec::new() };
    let second = |time: Duration| i32::try_from(time.as_secs()).unwrap_or(i32::MAX);
    let is_racy = |entry: &IndexEntry| {
        let is_late = entry.mtime.seconds() >= second(read) && entry.file_size > 0;
        is_late
            && written(&root.join(path_of(&entry.path))).is_some_and(|time| {
                time.subsec_nanos() != entry.mtime.nanoseconds() && second(time) == entry.mtime.seconds()
            })
    };
    index.iter().filter(is_racy).collect()
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
    if mode == mode::SUBMODULE {
        let file = Stored { content: id.clone().into(), mode, is_announced: false, is_assumed };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_program_stages_meanwhile_stays_staged() {
        let dir = tempfile::tempdir().unwrap();
        let raw = Repository::init(dir.path()).unwrap();
        let stored = |content: &'static str| Stored { content: content.into(), mode: mode::FILE, ..Stored::default() };
        let add = |path: &str, content: &str| {
            fs::write(dir.path().join(path), content).unwrap();
            let theirs = Repository::open(dir.path()).unwrap();
            let mut index = theirs.index().unwrap();
            index.add_path(Path::new(path)).unwrap();
            index.write().unwrap();
        };
        let swap = |before, after| Swap { path: "mine".into(), before, after };
        let mut calls = 0;
        let put = put_entries_with(&raw, &[swap(None, Some(stored("mine")))], || {
            calls += 1;
            if calls == 1 {
                add("theirs", "theirs");
            }
        });
        put.unwrap();
        let index = open_index(&raw).unwrap();
        let paths: Vec<_> = index.iter().map(|entry| entry.path.to_str_lossy().into_owned()).collect();
        assert_eq!((calls, paths), (2, vec!["mine".to_owned(), "theirs".to_owned()]));
        // What they have made of the same file is not written over.
        let put = put_entries_with(&raw, &[swap(Some(stored("mine")), None)], || add("mine", "theirs by now"));
        assert!(matches!(put, Err(Error::ChangedSince { .. })), "{put:?}");
        let mut count = 0;
        let put = put_entries_with(&raw, &[swap(Some(stored("theirs by now")), None)], || {
            count += 1;
            add("theirs", &count.to_string());
        });
        assert!(matches!(put, Err(Error::WriteIndex { .. })), "{put:?}");
        assert!(open_index(&raw).unwrap().get_path(Path::new("mine"), 0).is_some());
    }
}
