//! Files and folders for this user alone: looked at before they are used, since whoever can write there speaks in this
//! user's name, and whoever can read there reads what was written for one person.

use std::fs::{self, DirBuilder, File, Metadata};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use super::leftovers;
use crate::skeleton::paths::{LEFTOVER_RANDOM, LEFTOVER_SUFFIX};

/// In a build for tests, the disk is full while there is a file that this names.
#[cfg(debug_assertions)]
const FULL: &str = "WHYMARK_TEST_FULL";

/// Why a private file or folder is not used.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// It is not private, or not what it should be.
    #[error("{}: {fault}", .path.display())]
    Unsafe {
        /// Where it is.
        path: PathBuf,
        /// What is wrong with it.
        fault: Fault,
    },
    /// The system refuses.
    #[error("{}: {source}", .path.display())]
    Io {
        /// What was to be read or written.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// What makes a file or folder unsafe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Others may do something with a folder; its mode.
    #[error("mode {0:04o}")]
    FolderMode(u32),
    /// Others may do something with a file; its mode.
    #[error("mode {0:04o}")]
    FileMode(u32),
    /// A folder is wanted.
    #[error("not a folder")]
    NotAFolder,
    /// A regular file is wanted.
    #[error("not a file")]
    NotAFile,
    /// It leads somewhere else.
    #[error("a symbolic link")]
    Link,
    /// It belongs to somebody else.
    #[error("of another user")]
    Owner,
}

impl Refused {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        |source| Self::Io { path, source }
    }
}

/// Whether a folder is at `path`; `false` when nothing is.
///
/// # Errors
/// When something else is there, or one that others can use.
pub fn folder(path: &Path) -> Result<bool, Refused> {
    match fs::symlink_metadata(path) {
        Err(error) if is_absent(&error) => Ok(false),
        looked_at => {
            let meta = looked_at.map_err(Refused::io(path))?;
            let fault = if meta.is_dir() { faults(&meta, Fault::FolderMode) } else { other(&meta, Fault::NotAFolder) };
            safe(path, fault).map(|()| true)
        }
    }
}

/// Make a folder at `path` where none is, and those above it.
///
/// # Errors
/// As [`folder`], and when it cannot be made.
pub fn make_folder(path: &Path) -> Result<(), Refused> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    if !folder(path)? {
        builder.create(path).map_err(Refused::io(path))?;
        // Somebody else may have been faster.
        folder(path)?;
    }
    Ok(())
}

/// The bytes of the file at `path`, of which there may be at most `limit`; `None` when there is none.
///
/// # Errors
/// When it is longer, is not private, or cannot be read.
pub fn read(path: &Path, limit: u64) -> Result<Option<Vec<u8>>, Refused> {
    let Some(file) = open(path, false)? else { return Ok(None) };
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(Refused::io(path))?;
    if bytes.len() as u64 > limit {
        return Err(Refused::io(path)(io::Error::other(format!("it has more than {limit} bytes"))));
    }
    Ok(Some(bytes))
}

/// The file at `path`, open to be read and, if wanted, written; `None` when there is none. This never waits.
///
/// # Errors
/// When it is not private, or cannot be opened.
pub fn open(path: &Path, writable: bool) -> Result<Option<File>, Refused> {
    match fs::symlink_metadata(path) {
        Err(error) if is_absent(&error) => return Ok(None),
        looked_at => {
            let meta = looked_at.map_err(Refused::io(path))?;
            safe(path, if meta.is_file() { None } else { other(&meta, Fault::NotAFile) })?;
        }
    }
    let mut options = File::options();
    options.read(true).write(writable);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt as _;
        // By now something else may be there.
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed());
    }
    let file = match options.open(path) {
        Err(error) if is_absent(&error) => return Ok(None),
        opened => opened.map_err(Refused::io(path))?,
    };
    let meta = file.metadata().map_err(Refused::io(path))?;
    safe(path, if meta.is_file() { faults(&meta, Fault::FileMode) } else { Some(Fault::NotAFile) })?;
    Ok(Some(file))
}

/// Write a new file at `path`, in a folder that nobody looks into yet: it may be half there, and is not brought to disk.
///
/// # Errors
/// When there is one, or the system refuses.
pub fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(bytes)
}

/// A text that is on disk and has no name yet. It goes when it is dropped.
#[derive(Debug)]
pub struct Nameless {
    file: tempfile::NamedTempFile,
    folder: PathBuf,
}

/// Bring `bytes` to disk in `folder`, under no name that anybody looks at. What dead writers left there goes.
///
/// # Errors
/// When they cannot be written.
pub fn prepare(folder: &Path, bytes: &[u8]) -> io::Result<Nameless> {
    #[cfg(debug_assertions)]
    if std::env::var_os(FULL).is_some_and(|sign| Path::new(&sign).exists()) {
        return Err(io::ErrorKind::StorageFull.into());
    }
    leftovers::sweep_dead(folder);
    let mut builder = tempfile::Builder::new();
    let prefix = leftovers::prefix();
    let mut file = builder.prefix(&prefix).suffix(LEFTOVER_SUFFIX).rand_bytes(LEFTOVER_RANDOM).tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    Ok(Nameless { file, folder: folder.to_owned() })
}

impl Nameless {
    /// Give it the name `name`, which no file may have, in one step.
    ///
    /// # Errors
    /// When one has it ([`io::ErrorKind::AlreadyExists`]), or the system refuses.
    pub fn publish(self, name: &str) -> io::Result<()> {
        self.file.persist_noclobber(self.folder.join(name)).map_err(|failed| failed.error)?;
        settle(&self.folder);
        Ok(())
    }

    /// Put it in the place of the file with that name, in one step.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn replace(self, name: &str) -> io::Result<()> {
        self.file.persist(self.folder.join(name)).map_err(|failed| failed.error)?;
        settle(&self.folder);
        Ok(())
    }
}

/// Bring the names in `folder` to disk. Some file systems cannot do this, and need not.
pub fn settle(folder: &Path) {
    if cfg!(unix) {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn safe(path: &Path, fault: Option<Fault>) -> Result<(), Refused> {
    fault.map_or(Ok(()), |fault| Err(Refused::Unsafe { path: path.to_owned(), fault }))
}

/// What it is when it is not what it should be.
fn other(meta: &Metadata, otherwise: Fault) -> Option<Fault> {
    Some(if meta.is_symlink() { Fault::Link } else { otherwise })
}

/// What is wrong with the owner and mode of something.
#[cfg(unix)]
fn faults(meta: &Metadata, mode: fn(u32) -> Fault) -> Option<Fault> {
    use std::os::unix::fs::MetadataExt as _;
    if meta.uid() != rustix::process::geteuid().as_raw() {
        return Some(Fault::Owner);
    }
    let bits = meta.mode() & 0o7777;
    (bits & 0o077 != 0).then(|| mode(bits))
}

#[cfg(not(unix))]
fn faults(_: &Metadata, _: fn(u32) -> Fault) -> Option<Fault> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn said(outcome: Result<impl Sized, Refused>, root: &Path) -> String {
        match outcome {
            Ok(_) => "fine".to_owned(),
            Err(refused) => refused.to_string().replace(&format!("{}/", root.display()), ""),
        }
    }

    #[test]
    fn what_others_can_use_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        make_folder(&root.join("own")).unwrap();
        make_folder(&root.join("own")).unwrap();
        prepare(&root.join("own"), b"text").unwrap().publish("file").unwrap();
        let mode = |name: &str| fs::metadata(root.join(name)).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode("own"), mode("own/file")), (0o700, 0o600));
        for (name, mode) in [("open", 0o755), ("group", 0o710)] {
            fs::create_dir(root.join(name)).unwrap();
            fs::set_permissions(root.join(name), fs::Permissions::from_mode(mode)).unwrap();
        }
        fs::write(root.join("readable"), "x").unwrap();
        fs::set_permissions(root.join("readable"), fs::Permissions::from_mode(0o644)).unwrap();
        symlink("own", root.join("to-folder")).unwrap();
        symlink("own/file", root.join("to-file")).unwrap();
        symlink("nowhere", root.join("to-nothing")).unwrap();
        for (name, want) in [
            ("own", "fine"),
            ("open", "open: mode 0755"),
            ("group", "group: mode 0710"),
            ("to-folder", "to-folder: a symbolic link"),
            ("to-nothing", "to-nothing: a symbolic link"),
            ("readable", "readable: not a folder"),
            ("nowhere", "fine"),
        ] {
            assert_eq!(said(folder(&root.join(name)), root), want);
        }
        for (name, want) in [
            ("own/file", "fine"),
            ("own", "own: not a file"),
            ("readable", "readable: mode 0644"),
            ("to-file", "to-file: a symbolic link"),
            ("own/none", "fine"),
        ] {
            assert_eq!(said(read(&root.join(name), 4), root), want);
        }
        assert_eq!(said(read(&root.join("own/file"), 3), root), "own/file: it has more than 3 bytes");
    }

    #[test]
    fn a_name_is_given_once() {
        let dir = tempfile::tempdir().unwrap();
        prepare(dir.path(), b"first").unwrap().publish("x").unwrap();
        let second = prepare(dir.path(), b"second").unwrap().publish("x").unwrap_err();
        assert_eq!(second.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(read(&dir.path().join("x"), 99).unwrap().as_deref(), Some(&b"first"[..]));
        drop(prepare(dir.path(), b"dropped").unwrap());
        prepare(dir.path(), b"third").unwrap().replace("x").unwrap();
        assert_eq!(read(&dir.path().join("x"), 99).unwrap().as_deref(), Some(&b"third"[..]));
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing else is left");
    }
}
