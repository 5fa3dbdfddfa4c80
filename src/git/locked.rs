//! The index while it is being changed: locked as git locks it, so that nobody writes it in between. Who changes it works on
//! a copy, libgit2 and the `git` program alike, which take the lock of whatever index they write; the copy takes the place
//! of the index in one step, with all that was done to it, or goes.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use tempfile::TempPath;

/// How often the lock is tried for: others (a prompt that asks for the status) hold it for some milliseconds.
const ATTEMPTS: u32 = 20;
/// How long is waited in between.
const PAUSE: Duration = Duration::from_millis(20);

/// An index that nobody else writes as long as this lives.
#[derive(Debug)]
pub(super) struct LockedIndex {
    place: PathBuf,
    copy: TempPath,
    lock: Lock,
}

impl LockedIndex {
    /// Lock the index at `place`, which need not be there yet.
    ///
    /// # Errors
    /// When somebody else keeps it locked ([`ErrorKind::AlreadyExists`]), or the folder cannot be written.
    pub(super) fn of(place: &Path) -> io::Result<Self> {
        // Of a link it is what that leads to that is replaced.
        let place = place.canonicalize().unwrap_or_else(|_| place.into());
        let folder = place.parent().unwrap_or(Path::new("."));
        let lock = Lock::take(&place)?;
        let copy = tempfile::Builder::new().prefix("index.").suffix(".new").tempfile_in(folder)?.into_temp_path();
        match fs::copy(&place, &copy) {
            // A new index is made where there is no file at all.
            Err(error) if error.kind() == ErrorKind::NotFound => fs::remove_file(&copy)?,
            copied => {
                copied?;
                // Its age says which files have to be looked at although they seem to be what they were.
                File::options().write(true).open(&copy)?.set_modified(fs::metadata(&place)?.modified()?)?;
            }
        }
        Ok(Self { place, copy, lock })
    }

    /// The index to be changed.
    pub(super) fn copy(&self) -> &Path {
        &self.copy
    }

    /// Make the copy the index.
    ///
    /// # Errors
    /// When it cannot take the place: then the index is what it was.
    pub(super) fn put(self) -> io::Result<()> {
        if let Ok(meta) = fs::metadata(&self.place) {
            // Others may read it, or not, as before.
            fs::set_permissions(&self.copy, meta.permissions())?;
        }
        // As git has it: the lock itself becomes the index, so that at no time there is neither.
        fs::rename(&self.copy, &self.lock.0)?;
        fs::rename(&self.lock.0, &self.place)
    }
}

/// The file whose being there locks an index.
#[derive(Debug)]
struct Lock(PathBuf);

impl Lock {
    fn take(index: &Path) -> io::Result<Self> {
        let mut place = OsString::from(index);
        place.push(".lock");
        let place = PathBuf::from(place);
        for attempt in 1.. {
            match File::create_new(&place) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists && attempt < ATTEMPTS => thread::sleep(PAUSE),
                taken => return taken.map(|_| Self(place)),
            }
        }
        unreachable!("the last attempt returns")
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Where it has become the index there is none.
        let _ = fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_long_as_it_is_locked_nobody_else_locks_it_and_what_is_not_put_goes() {
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path().join("index");
        let names = || {
            let names =
                fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
            names.collect::<Vec<_>>()
        };
        let first = LockedIndex::of(&place).unwrap();
        assert!(dir.path().join("index.lock").exists() && !first.copy().exists());
        assert_eq!(LockedIndex::of(&place).unwrap_err().kind(), ErrorKind::AlreadyExists);
        fs::write(first.copy(), "one").unwrap();
        first.put().unwrap();
        assert_eq!((names(), fs::read_to_string(&place).unwrap()), (vec!["index".to_owned()], "one".to_owned()));
        let written = fs::metadata(&place).unwrap().modified().unwrap();
        let second = LockedIndex::of(&place).unwrap();
        assert_eq!(fs::metadata(second.copy()).unwrap().modified().unwrap(), written);
        fs::write(second.copy(), "two").unwrap();
        drop(second);
        assert_eq!((names(), fs::read_to_string(&place).unwrap()), (vec!["index".to_owned()], "one".to_owned()));
    }
}
