//! What a writer left that was killed: the text that was to replace another one, under a name of its own.

use std::ffi::OsStr;
use std::fs::{self, DirEntry};
use std::path::Path;

/// How the name of a text begins that is not in its place yet.
pub(super) const PREFIX: &str = ".whymark-";
/// How many letters and digits follow, by chance.
pub(super) const RANDOM: usize = 16;
/// How it ends.
pub(super) const SUFFIX: &str = ".tmp";

/// Take away what killed writers left in `folder`. To be called by who holds the lock of the whole folder, so that nobody is
/// writing there. What cannot be looked at or removed stays.
pub(super) fn sweep(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| is_name(&entry.file_name()) && is_ours(entry)) {
        let _ = fs::remove_file(entry.path());
    }
}

/// Whether only a writer gives such a name.
fn is_name(name: &OsStr) -> bool {
    let random = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX));
    random.is_some_and(|random| random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric()))
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
            ".whymark-abcdefgh01234567",
            ".whymark-abcdefgh0123456.tmp",
            ".whymark-abcdefgh-1234567.tmp",
            "x.whymark-abcdefgh01234567.tmp",
            ".whymark-abcdefgh01234567.tmp~",
        ];
        let goes = [".whymark-abcdefgh01234567.tmp", ".whymark-ABCDEFGHijklmnop.tmp"];
        for name in stays.iter().chain(&goes) {
            fs::write(at(name), "half a text").unwrap();
        }
        symlink(stays[0], at(".whymark-linkedlinkedlink.tmp")).unwrap();
        fs::create_dir(at(".whymark-folderfolderfold.tmp")).unwrap();
        let foreign = at(".whymark-foreignforeignfo.tmp");
        fs::write(&foreign, "").unwrap();
        let is_given_away = std::os::unix::fs::chown(&foreign, Some(12345), None).is_ok();
        let count = || fs::read_dir(dir.path()).unwrap().count();
        let before = count();
        sweep(dir.path());
        assert!(goes.iter().all(|name| !at(name).exists()));
        assert_eq!(count(), before - goes.len() - usize::from(!is_given_away));
    }
}
