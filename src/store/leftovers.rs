//! What a writer left that was killed: the text that was to replace another one, under a name of its own.

use std::fs::{self, DirEntry};
use std::path::Path;
use std::time::Duration;

use crate::skeleton::paths::{LEFTOVER_PREFIX, is_leftover};

/// How the name of a text of this process begins.
pub(super) fn prefix() -> String {
    format!("{LEFTOVER_PREFIX}{}-", std::process::id())
}

/// Take away what killed writers left in `folder`. To be called by who holds the lock of the whole folder, so that nobody is
/// writing there. What cannot be looked at or removed stays.
pub(super) fn sweep(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_str().is_some_and(is_leftover) && is_ours(entry)) {
        let _ = fs::remove_file(entry.path());
    }
}

/// Take away what writers left in `folder` whose processes are gone. Where processes are counted apart (in containers) one
/// that seems to be gone may be at work, but not for a minute.
pub(super) fn sweep_dead(folder: &Path) {
    const AGE: Duration = Duration::from_secs(60);
    let is_old = |entry: &DirEntry| {
        let written = entry.metadata().and_then(|meta| meta.modified()).ok();
        written.and_then(|written| written.elapsed().ok()).is_some_and(|age| age > AGE)
    };
    let is_dead = |entry: &DirEntry| {
        let name = entry.file_name();
        name.to_str().filter(|name| is_leftover(name)).is_some_and(|name| !is_running(name))
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| is_dead(entry) && is_old(entry) && is_ours(entry)) {
        let _ = fs::remove_file(entry.path());
    }
}

/// Whether the process runs that this name of a leftover names.
fn is_running(name: &str) -> bool {
    let pid = name.strip_prefix(LEFTOVER_PREFIX).and_then(|name| name.split('-').next()?.parse().ok());
    #[cfg(unix)]
    let is_running = pid.and_then(rustix::process::Pid::from_raw).is_some_and(|pid| {
        let tested = rustix::process::test_kill_process(pid);
        tested.is_ok() || tested == Err(rustix::io::Errno::PERM)
    });
    #[cfg(not(unix))]
    let is_running = pid.is_some_and(|_: i32| true);
    is_running
}

/// Whether it is a regular file, and this user's.
fn is_ours(entry: &DirEntry) -> bool {
    let Ok(meta) = entry.metadata() else { return false };
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        if meta.uid() != rustix::process::geteuid().as_raw() {
            return false;
        }
    }
    meta.is_file()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn only_what_a_writer_left_goes() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let stays = [
            ".whymark-config",
            ".whymark-notes.tmp",
            ".whymark-personalnotes123.tmp",
            ".whymark-1-abcdefgh01234567",
            ".whymark-1-abcdefgh0123456.tmp",
            ".whymark-1-abcdefgh-1234567.tmp",
            ".whymark-a1-abcdefgh01234567.tmp",
            "x.whymark-1-abcdefgh01234567.tmp",
            ".whymark-1-abcdefgh01234567.tmp~",
        ];
        let goes = [".whymark-1-abcdefgh01234567.tmp", ".whymark-9876543-ABCDEFGHijklmnop.tmp"];
        for name in stays.iter().chain(&goes) {
            fs::write(at(name), "half a text").unwrap();
        }
        symlink(stays[0], at(".whymark-1-linkedlinkedlink.tmp")).unwrap();
        fs::create_dir(at(".whymark-1-folderfolderfold.tmp")).unwrap();
        let foreign = at(".whymark-1-foreignforeignfo.tmp");
        fs::write(&foreign, "").unwrap();
        let is_given_away = std::os::unix::fs::chown(&foreign, Some(12345), None).is_ok();
        let count = || fs::read_dir(dir.path()).unwrap().count();
        let before = count();
        sweep(dir.path());
        assert!(goes.iter().all(|name| !at(name).exists()));
        assert_eq!(count(), before - goes.len() - usize::from(!is_given_away));
    }
}
