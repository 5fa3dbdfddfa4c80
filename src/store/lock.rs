//! The lock that keeps two writers apart. It is advice: only writers that ask for it keep to it.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::error::Error;

/// How long another writer may hold the lock.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);
/// How long to wait before the lock is tried again.
const PAUSE: Duration = Duration::from_millis(5);

/// A file that is locked until this is dropped.
#[derive(Debug)]
pub struct Locked(File);

impl Locked {
    /// `file`, which its holder has locked.
    #[must_use]
    pub fn new(file: File) -> Self {
        Self(file)
    }
}

impl Drop for Locked {
    /// To close the file is not enough: a program that is just being started by another thread has it open as well, until
    /// it runs.
    fn drop(&mut self) {
        // What cannot be unlocked goes with its last handle.
        let _ = self.0.unlock();
    }
}

/// What keeps other writers out until it is dropped.
pub(super) struct Lock {
    _held: Locked,
    /// Whether it keeps them out of the whole folder, not only from one file.
    pub(super) is_of_folder: bool,
}

/// Keep other writers out until the result is dropped. On Unix the folder itself is locked, so that nothing is left
/// behind; where folders cannot be locked, a file beside the text is.
pub(super) fn lock(folder: &Path, target: &Path, patience: Duration) -> Result<Lock, Error> {
    let failed = |source| Error::LockFile { path: target.into(), source };
    let end = Instant::now() + patience;
    if cfg!(unix)
        && let Ok(handle) = File::open(folder)
    {
        match locked(handle, end) {
            Err(error) if error.kind() != io::ErrorKind::TimedOut => {}
            outcome => return outcome.map(|held| Lock { _held: held, is_of_folder: true }).map_err(failed),
        }
    }
    let mut name = std::ffi::OsString::from(".");
    name.push(target.file_name().unwrap_or_default());
    name.push(".lock");
    let mut options = File::options();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt as _;
        // Somebody else may have put a link or a pipe there.
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed());
    }
    let made = options.open(folder.join(name));
    let held = made.and_then(|file| locked(file, end)).map_err(failed)?;
    Ok(Lock { _held: held, is_of_folder: false })
}

/// `file`, locked for us alone; what another program holds is waited for until `end`.
fn locked(file: File, end: Instant) -> io::Result<Locked> {
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Locked::new(file)),
            Err(TryLockError::WouldBlock) if Instant::now() < end => thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "another program has held the lock for too long"));
            }
            Err(TryLockError::Error(source)) => return Err(source),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_goes_although_somebody_else_has_the_file_open() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let [held, other] = [(); 2].map(|()| File::open(file.path()).unwrap());
        // As by a program that is just being started.
        let also_open = held.try_clone().unwrap();
        held.lock().unwrap();
        let held = Locked::new(held);
        assert!(other.try_lock().is_err());
        drop(held);
        assert!(other.try_lock().is_ok());
        drop(also_open);
    }

    #[cfg(unix)]
    #[test]
    fn a_lock_that_is_never_given_back_is_said() {
        let dir = tempfile::tempdir().unwrap();
        let held = File::open(dir.path()).unwrap();
        held.lock().unwrap();
        let refused = lock(dir.path(), &dir.path().join("x"), Duration::ZERO).map(drop).unwrap_err();
        assert!(refused.to_string().ends_with("another program has held the lock for too long"), "{refused}");
        drop(held);
        assert!(lock(dir.path(), &dir.path().join("x"), Duration::ZERO).is_ok());
    }
}
