//! The only writes to a repository: what its index has of files, and a blob that keeps a text which is about to go.
//!
//! libgit2 writes them where it reads the repository, else the `git` program. No filter is run and nothing converted: what
//! is written is what git stores.

use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use bstr::{BStr, BString, ByteSlice as _};
use bytes::Bytes;
use git2::{
    ErrorClass, ErrorCode, Index, IndexEntry, IndexEntryExtendedFlag, IndexEntryFlag, IndexTime, ObjectType, Oid,
    Repository, RepositoryOpenFlags,
};

use super::locked::LockedIndex;
use super::program::Program;
use super::{Engine, Library, Repo, mode, path_of};
use crate::error::Error;

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

    /// Note that `files` are on disk as the index has them, which they just have become: else git may take one for changed
    /// by its size alone, where line ends are written in another way. Those that the index has otherwise stay as they are.
    ///
    /// # Errors
    /// As [`Repo::put_entries`].
    pub fn note_on_disk(&self, files: &[(BString, Stored)]) -> Result<(), Error> {
        let Some((first, _)) = files.first() else { return Ok(()) };
        match self.writer(first.as_ref())? {
            Writer::Library(raw) => change(&raw, |index| noted(&raw, index, files)),
            Writer::Program(program) => program.note_on_disk(files),
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

/// As [`Repo::put_entries`].
fn put_entries(raw: &Repository, swaps: &[Swap<Stored>]) -> Result<(), Error> {
    change(raw, |index| swapped(raw, index, swaps))
}

/// Change the index, of which nobody else writes anything in between. Afterwards `raw` is not to be asked for its index.
fn change(raw: &Repository, make: impl FnOnce(&mut Index) -> Result<(), Error>) -> Result<(), Error> {
    let write = |source: git2::Error| Error::WriteIndex { source };
    let own = raw.index().map_err(write)?;
    let place = own.path().ok_or_else(|| write(git2::Error::from_str("it has no place on disk")))?;
    let locked = LockedIndex::of(place).map_err(|source| not_written(&source))?;
    let mut index = Index::open(locked.copy()).map_err(|source| Error::ReadIndex { source })?;
    // It looks at the files on disk of the repository that it is the index of.
    raw.set_index(&mut index).map_err(write)?;
    make(&mut index)?;
    for entry in racy(raw, &index) {
        index.add(&IndexEntry { file_size: 0, ..entry }).map_err(write)?;
    }
    index.write().map_err(write)?;
    locked.put().map_err(|source| not_written(&source))
}

/// That the index cannot be locked, or not be replaced.
pub(super) fn not_written(source: &io::Error) -> Error {
    let is_locked = source.kind() == io::ErrorKind::AlreadyExists;
    let code = if is_locked { ErrorCode::Locked } else { ErrorCode::GenericError };
    let message = if is_locked { "another program has locked it".to_owned() } else { source.to_string() };
    Error::WriteIndex { source: git2::Error::new(code, ErrorClass::Index, message) }
}

/// Make `swaps` in `index`.
fn swapped(raw: &Repository, index: &mut Index, swaps: &[Swap<Stored>]) -> Result<(), Error> {
    let write = |source: git2::Error| Error::WriteIndex { source };
    for swap in swaps {
        if entry(raw, index, swap.path.as_ref())?.map(|entry| entry.file) != swap.before {
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
    Ok(())
}

/// Note in `index` what is on disk of `files`, where it has them as they are given.
fn noted(raw: &Repository, index: &mut Index, files: &[(BString, Stored)]) -> Result<(), Error> {
    let Some(root) = raw.workdir() else { return Ok(()) };
    for (path, file) in files {
        let is_it = entry(raw, index, path.as_ref())?.is_some_and(|entry| entry.file == *file);
        let (Some(known), true) = (index.get_path(&path_of(path), 0), is_it) else { continue };
        if let Ok(meta) = fs::symlink_metadata(root.join(path_of(path))) {
            index.add(&stat(known, &meta)).map_err(|source| Error::WriteIndex { source })?;
        }
    }
    Ok(())
}

/// The entry with what the system says of the file on disk. Git keeps the lower half of the larger numbers.
#[cfg(unix)]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "as git keeps them")]
fn stat(entry: IndexEntry, meta: &fs::Metadata) -> IndexEntry {
    use std::os::unix::fs::MetadataExt as _;
    IndexEntry {
        ctime: IndexTime::new(meta.ctime() as i32, meta.ctime_nsec() as u32),
        mtime: IndexTime::new(meta.mtime() as i32, meta.mtime_nsec() as u32),
        dev: meta.dev() as u32,
        ino: meta.ino() as u32,
        uid: meta.uid(),
        gid: meta.gid(),
        file_size: meta.size() as u32,
        ..entry
    }
}

/// The entry, of which git has to look at the file.
#[cfg(not(unix))]
fn stat(entry: IndexEntry, _: &fs::Metadata) -> IndexEntry {
    IndexEntry { file_size: 0, ..entry }
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
    fn what_another_program_stages_stays_staged() {
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
        let put = |swap| put_entries(&Repository::open(dir.path()).unwrap(), &[swap]);
        let paths = || {
            let index = open_index(&Repository::open(dir.path()).unwrap()).unwrap();
            index.iter().map(|entry| entry.path.to_str_lossy().into_owned()).collect::<Vec<_>>()
        };
        add("theirs", "theirs");
        put(swap(None, Some(stored("mine")))).unwrap();
        assert_eq!(paths(), ["mine", "theirs"]);
        // Nobody writes it in between.
        let change = change(&raw, |index| {
            let theirs = Repository::open(dir.path()).unwrap();
            let refused = theirs.index().unwrap().write().unwrap_err();
            assert_eq!(refused.code(), ErrorCode::Locked);
            swapped(&raw, index, &[swap(Some(stored("mine")), Some(stored("again")))])
        });
        change.unwrap();
        // What they have made of the same file is not written over.
        add("mine", "theirs by now");
        let refused = put(swap(Some(stored("again")), None));
        assert!(matches!(refused, Err(Error::ChangedSince { .. })), "{refused:?}");
        assert_eq!(paths(), ["mine", "theirs"]);
        let names = fs::read_dir(dir.path().join(".git")).unwrap().map(|entry| entry.unwrap().file_name());
        let left: Vec<_> = names.filter(|name| name.to_str().unwrap().starts_with("index")).collect();
        assert_eq!(left, ["index"]);
    }
}
