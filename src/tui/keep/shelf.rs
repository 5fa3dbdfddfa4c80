//! The files of one review's drafts.
//!
//! Whoever has written a file holds it locked until the program ends, so that a second reviewer of the same review does
//! not take what the first is still writing; it has a file of its own beside it.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use super::super::draft::Draft;
use crate::error::Error;
use crate::store::Locked;

/// Reviewers of one review, running or ended without saving, that have a file each.
const SLOTS: usize = 64;

/// The files of one review.
#[derive(Debug)]
pub(super) struct Shelf {
    folder: PathBuf,
    review: PathBuf,
    /// Those that are ours; the first is written, the others have been read and go when it is.
    held: Vec<Held>,
}

/// A file that nobody else takes while this exists.
#[derive(Debug)]
struct Held {
    path: PathBuf,
    lock: Locked,
}

impl Shelf {
    /// Those of the review at `review`, in `folder`.
    pub(super) fn new(folder: &Path, review: &Path) -> Self {
        Self { folder: folder.to_owned(), review: resolved(review), held: Vec::new() }
    }

    fn name(&self) -> String {
        name_of(&self.review)
    }

    /// Where the draft number `slot` is.
    pub(super) fn path(&self, slot: usize) -> PathBuf {
        let suffix = if slot == 0 { String::new() } else { format!("-{}", slot + 1) };
        self.folder.join(format!("{}{suffix}.json", self.name()))
    }

    /// How the names of files begin that are being written.
    fn unfinished(&self) -> String {
        format!(".{}-", self.name())
    }

    /// Remove files whose writer was killed before they were complete.
    fn sweep(&self) {
        let prefix = self.unfinished();
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        for entry in entries.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(prefix.as_bytes())) {
            if File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
                // What cannot be removed does no harm.
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// The drafts that belong to no running reviewer, as one. Their files stay as they are, and are ours now. What cannot
    /// be read is left alone.
    pub(super) fn take(&mut self) -> Draft {
        self.sweep();
        let mut whole = Draft::default();
        for slot in 0..SLOTS {
            let path = self.path(slot);
            let Some((lock, text)) = taken(&path) else { continue };
            let Some(draft) = Draft::from_json(&text, self.review.as_os_str().as_encoded_bytes()) else { continue };
            whole.forms.extend(draft.forms);
            self.held.push(Held { path, lock });
        }
        whole
    }

    /// Make `draft` the one that is kept.
    pub(super) fn put(&mut self, draft: Option<&Draft>) -> Result<(), Error> {
        let keeps = usize::from(draft.is_some());
        if let Some(draft) = draft {
            let json = draft.to_json(self.review.as_os_str().as_encoded_bytes());
            make_private(&self.folder).map_err(|source| Error::CreateFolder { path: self.folder.clone(), source })?;
            self.write(&json).map_err(|source| Error::WriteFile { path: self.path(0), source })?;
        }
        for old in self.held.drain(self.held.len().min(keeps)..) {
            match fs::remove_file(&old.path) {
                Err(source) if source.kind() != io::ErrorKind::NotFound => {
                    return Err(Error::WriteFile { path: old.path.clone(), source });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Write our file, or the first that is free. The new one is locked before it has the name, so that there is no moment
    /// in which somebody else could take it.
    fn write(&mut self, json: &str) -> io::Result<()> {
        let mut temp = tempfile::Builder::new().prefix(&self.unfinished()).tempfile_in(&self.folder)?;
        temp.as_file().lock()?;
        temp.write_all(json.as_bytes())?;
        temp.as_file().sync_all()?;
        if let Some(held) = self.held.first_mut() {
            held.lock = Locked::new(temp.persist(&held.path)?);
            return Ok(());
        }
        for slot in 0..SLOTS {
            let path = self.path(slot);
            match temp.persist_noclobber(&path) {
                Ok(file) => {
                    self.held.push(Held { path, lock: Locked::new(file) });
                    return Ok(());
                }
                Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => temp = failed.file,
                Err(failed) => return Err(failed.error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

/// The file at `path`, locked for us, with its text; `None` when there is none or somebody else has it.
fn taken(path: &Path) -> Option<(Locked, String)> {
    // To open a pipe would wait for somebody at its other end.
    fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    let mut file = File::options().read(true).write(true).open(path).ok()?;
    file.try_lock().ok()?;
    let mut text = String::new();
    (is_at(&file, path) && file.read_to_string(&mut text).is_ok()).then(|| (Locked::new(file), text))
}

/// Whether `file` still has the name by which it was opened: its owner may have replaced it before it was locked.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let identity = |meta: fs::Metadata| (meta.dev(), meta.ino());
    file.metadata().ok().map(identity) == fs::symlink_metadata(path).ok().map(identity)
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// What the files of the review at `review` are called.
pub(super) fn name_of(review: &Path) -> String {
    format!("{:016x}", hash(resolved(review).as_os_str().as_encoded_bytes()))
}

/// Make `folder`, for its owner only where it is new.
pub(super) fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// `path` from the root on, links followed as far as it exists: the name of a review whichever way it was opened.
fn resolved(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let known = path.ancestors().find_map(|folder| Some((folder, folder.canonicalize().ok()?)));
    let Some((folder, real)) = known else { return path };
    match path.strip_prefix(folder) {
        Ok(rest) if rest.as_os_str().is_empty() => real,
        Ok(rest) => real.join(rest),
        Err(_) => path,
    }
}

/// FNV-1a: the same in every version, and short enough for a name. Whether it is the right review says the file itself.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::super::tests::draft;
    use super::*;

    /// The names in `folder`, without what is below it.
    fn names(folder: &Path) -> Vec<String> {
        let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_there_while_something_is_unsaved() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("a/drafts");
        let shelf = || Shelf::new(&folder, Path::new("/r/x.whymark"));
        let mut first = shelf();
        assert_eq!(first.take(), Draft::default());
        first.put(None).unwrap();
        assert!(!folder.exists(), "looking alone writes nothing");
        first.put(Some(&draft("one"))).unwrap();
        first.put(Some(&draft("two"))).unwrap();
        assert_eq!(names(&folder).len(), 1);
        assert_eq!(Shelf::new(&folder, Path::new("/r/y.whymark")).take(), Draft::default(), "another review");
        drop(first);
        let mut second = shelf();
        assert_eq!(second.take(), draft("two"));
        assert_eq!(names(&folder).len(), 1, "it stays until something is decided");
        second.put(None).unwrap();
        assert_eq!(names(&folder), [""; 0]);
    }

    #[test]
    fn a_running_reviewer_keeps_what_is_its_own() {
        let dir = tempfile::tempdir().unwrap();
        let shelf = || Shelf::new(dir.path(), Path::new("/r/x.whymark"));
        let (mut first, mut second) = (shelf(), shelf());
        first.put(Some(&draft("first"))).unwrap();
        assert_eq!(second.take(), Draft::default());
        second.put(Some(&draft("second"))).unwrap();
        first.put(Some(&draft("first again"))).unwrap();
        assert_eq!(shelf().take(), Draft::default());
        drop(first);
        drop(second);
        let mut third = shelf();
        assert_eq!(third.take().forms, [draft("first again").forms, draft("second").forms].concat());
        assert_eq!(shelf().take(), Draft::default(), "what was read is taken too");
        assert_eq!(names(dir.path()).len(), 2);
        third.put(Some(&draft("all"))).unwrap();
        assert_eq!(names(dir.path()).len(), 1, "one file has it all");
    }

    #[test]
    fn what_cannot_be_read_is_neither_taken_nor_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        let mut shelf = Shelf::new(dir.path(), Path::new("/r/x.whymark"));
        fs::write(shelf.path(0), "from another time").unwrap();
        assert_eq!(shelf.take(), Draft::default());
        shelf.put(Some(&draft("mine"))).unwrap();
        assert_eq!(fs::read_to_string(shelf.path(0)).unwrap(), "from another time");
        assert!(shelf.path(1).exists());
    }

    #[test]
    fn what_a_killed_reviewer_has_not_finished_goes_with_the_next() {
        let dir = tempfile::tempdir().unwrap();
        let mut shelf = Shelf::new(dir.path(), Path::new("/r/x.whymark"));
        let unfinished = |suffix: &str| format!("{}{suffix}", shelf.unfinished());
        let (dead, running) = (unfinished("dead"), unfinished("run"));
        for name in [&dead, &running, ".ffff-other"] {
            fs::write(dir.path().join(name), "half").unwrap();
        }
        let held = File::open(dir.path().join(&running)).unwrap();
        held.lock().unwrap();
        assert_eq!(shelf.take(), Draft::default());
        assert_eq!(names(dir.path()).len(), 2, "{:?}", names(dir.path()));
        assert!(!dir.path().join(dead).exists());
    }

    #[cfg(unix)]
    #[test]
    fn only_its_owner_reads_it() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("new");
        let mut shelf = Shelf::new(&folder, Path::new("/r/x.whymark"));
        shelf.put(Some(&draft("secret"))).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&folder), mode(&shelf.path(0))), (0o700, 0o600));
    }

    #[cfg(unix)]
    #[test]
    fn a_review_has_one_name_whichever_way_it_is_opened() {
        let dir = tempfile::tempdir().unwrap();
        let real = dir.path().canonicalize().unwrap();
        fs::create_dir(real.join("repo")).unwrap();
        std::os::unix::fs::symlink(real.join("repo"), real.join("link")).unwrap();
        let name = real.join("repo/reviews/x.whymark");
        assert_eq!(resolved(&real.join("link/reviews/x.whymark")), name, "it is not there yet");
        fs::create_dir(real.join("repo/reviews")).unwrap();
        fs::write(&name, "").unwrap();
        assert_eq!(resolved(&real.join("link/./reviews/../reviews/x.whymark")), name);
    }
}
