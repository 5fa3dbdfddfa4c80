//! Files on disk that people and several programs edit: read whole, replaced whole.
//!
//! [`update`] is the way to write what belongs to a review; [`put_file`] and [`put_link`] put back what a person takes back in
//! a working tree. [`update`] holds a lock while it works on the text as it is now. All replace a file in one step, so that a
//! reader sees the old text or the new one, and a failure leaves the old one.
//!
//! A writer that is killed leaves its half of a file under a name that no other file has; the next one in that folder takes
//! it away.
//!
//! Programs that write by [`update`] never lose each other's text. One that takes no lock, such as an editor, is noticed
//! by what it leaves behind (time, length, identity, and the bytes of all but very large files), and the change is made
//! anew on its text. What remains is the moment between that last look and the replacement, some microseconds: no
//! system call replaces a file only if it is still the same.

pub mod artifact;
mod boundary;
mod leftovers;
mod link;
mod lock;
mod pause;
pub mod private;
mod regular;
mod replace;

use std::fs::{self, Metadata};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use bytes::Bytes;

pub use boundary::{home, inside};
pub use link::put_link;
pub use lock::Locked;
pub use pause::pause;
pub use regular::{is_text, reads_as_text};
pub use replace::put_file;

use crate::error::Error;
use lock::{PATIENCE, lock};
use replace::replace;

/// Texts are smaller than this: offsets are 32 bits.
const TOO_LARGE: u64 = 1 << 32;
/// How often a change is made anew because a program that takes no lock wrote in between.
const ATTEMPTS: usize = 20;
/// How many symbolic links are followed.
const LINKS: usize = 40;

/// The bytes of the file at `path`.
///
/// # Errors
/// When it cannot be read, is no regular file, or is 4 GiB or larger.
pub fn read(path: &Path) -> Result<Bytes, Error> {
    let gone = || Error::ReadFile { path: path.into(), source: io::ErrorKind::NotFound.into() };
    read_if_exists(path)?.ok_or_else(gone)
}

/// The bytes of the file at `path`; `None` when there is none.
///
/// # Errors
/// As [`read`].
pub fn read_if_exists(path: &Path) -> Result<Option<Bytes>, Error> {
    Ok(current(path)?.map(|(text, _)| text.into()))
}

/// Why [`update`] would be refused for the file at `path`, as far as a look at modes can tell; `None` when nothing
/// speaks against it.
#[must_use]
pub fn read_only_reason(path: &Path) -> Option<String> {
    let target = link_target(path);
    if target.is_dir() {
        return Some(format!("{} is a folder", target.display()));
    }
    if is_locked(&target) {
        return Some(format!("{} is write-protected", target.display()));
    }
    let folder = target.ancestors().skip(1).find(|folder| folder.is_dir())?;
    is_locked(folder).then(|| format!("the folder {} is write-protected", folder.display()))
}

/// Whether what is at `path` is protected from being written: a file is replaced where its folder allows it, but that is
/// not what a person means who protects it.
fn is_locked(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| meta.permissions().readonly() || !may_write(path))
}

/// Whether this user may write, as far as modes go.
#[cfg(unix)]
fn may_write(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok()
}

#[cfg(not(unix))]
fn may_write(_: &Path) -> bool {
    true
}

/// Make the text of the file at `path` a new one, and return it. `change` gets the text as it is (`None`: there is no
/// file) and gives the new one; when it fails, nothing is written. It may be called again, on a newer text.
///
/// Folders on the way are created. A symbolic link stays one, its target is written. Mode and, where possible, owner
/// stay; a new file has the usual mode. Writers that use this function, in any process, wait for each other, for ten
/// seconds at most.
///
/// # Errors
/// When `change` fails, or the file cannot be read, locked or written.
pub fn update<B: Into<Bytes>, E: From<Error>>(
    path: &Path,
    mut change: impl FnMut(Option<&[u8]>) -> Result<B, E>,
) -> Result<Bytes, E> {
    update_with(path, |text| Ok((change(text)?, ()))).map(|(text, ())| text)
}

/// As [`update_with`], of a file that is there: one that is not, or has gone in the meantime, does not come into being.
///
/// # Errors
/// As [`update`], and when there is no such file.
pub fn update_existing<B: Into<Bytes>, T, E: From<Error>>(
    path: &Path,
    mut change: impl FnMut(&[u8]) -> Result<(B, T), E>,
) -> Result<(Bytes, T), E> {
    let gone = || Error::ReadFile { path: path.into(), source: io::ErrorKind::NotFound.into() };
    if !link_target(path).exists() {
        return Err(gone().into());
    }
    update_with(path, |text| change(text.ok_or_else(gone)?))
}

/// As [`update`], where `change` has found out something else beside the text: that of the call whose text was written
/// is returned with it.
///
/// # Errors
/// As [`update`].
pub fn update_with<B: Into<Bytes>, T, E: From<Error>>(
    path: &Path,
    mut change: impl FnMut(Option<&[u8]>) -> Result<(B, T), E>,
) -> Result<(Bytes, T), E> {
    let target = link_target(path);
    let folder = folder_of(&target);
    if is_locked(&target) {
        let source = io::ErrorKind::PermissionDenied.into();
        return Err(Error::WriteFile { path: path.into(), source }.into());
    }
    fs::create_dir_all(folder).map_err(|source| Error::CreateFolder { path: folder.into(), source })?;
    let lock = lock(folder, &target, PATIENCE)?;
    if lock.is_of_folder {
        leftovers::sweep(folder);
    }
    for _ in 0..ATTEMPTS {
        let before = current(&target)?;
        let (text, found) = change(before.as_ref().map(|(text, _)| text.as_slice()))?;
        let text: Bytes = text.into();
        let len = text.len() as u64;
        if len >= TOO_LARGE {
            return Err(Error::TooLarge { path: path.into(), bytes: len }.into());
        }
        let is_done = before.as_ref().is_some_and(|(old, _)| *old == text)
            || replace(folder, &target, before.as_ref(), &text)
                .map_err(|source| Error::WriteFile { path: path.into(), source })?;
        if is_done {
            return Ok((text, found));
        }
    }
    Err(Error::WriteContended { path: path.into() }.into())
}

/// The file that `path` leads to, which need not exist.
fn link_target(path: &Path) -> PathBuf {
    let mut target = path.to_path_buf();
    for _ in 0..LINKS {
        let Ok(next) = fs::read_link(&target) else { break };
        target = folder_of(&target).join(next);
    }
    target
}

/// The folder that holds `file`.
fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The text of the file, and its state before it was read; `None` when there is none.
fn current(path: &Path) -> Result<Option<(Vec<u8>, Metadata)>, Error> {
    let Some((file, meta)) = regular::open(path)? else { return Ok(None) };
    let too_large = |bytes| Error::TooLarge { path: path.into(), bytes };
    if meta.len() >= TOO_LARGE {
        return Err(too_large(meta.len()));
    }
    // It may grow while it is read.
    let mut text = Vec::with_capacity(usize::try_from(meta.len()).map_or(0, |len| len + 1));
    file.take(TOO_LARGE).read_to_end(&mut text).map_err(|source| Error::ReadFile { path: path.into(), source })?;
    let len = text.len() as u64;
    if len >= TOO_LARGE { Err(too_large(len)) } else { Ok(Some((text, meta))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn append(path: &Path, line: &str) -> Result<Bytes, Error> {
        update(path, |text| Ok([text.unwrap_or_default(), line.as_bytes(), b"\n"].concat()))
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn makes_and_changes_a_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a/b/review.whymark");
        assert_eq!(append(&path, "one").unwrap(), "one\n");
        assert_eq!(append(&path, "two").unwrap(), "one\ntwo\n");
        assert_eq!(read(&path).unwrap(), "one\ntwo\n");
        assert_eq!(names(path.parent().unwrap()), ["review.whymark"]);
    }

    #[test]
    fn a_failure_leaves_the_old_text_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        append(&path, "one").unwrap();
        let refused: Result<Bytes, Error> =
            update(&path, |_| Err::<Vec<u8>, _>(Error::ReviewExists { path: path.clone() }));
        assert!(matches!(refused, Err(Error::ReviewExists { .. })));
        assert_eq!(read(&path).unwrap(), "one\n");
        assert_eq!(names(dir.path()), ["x"]);
    }

    #[test]
    fn a_write_in_between_is_not_lost() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        append(&path, "one").unwrap();
        let mut calls = 0;
        let text: Result<Bytes, Error> = update(&path, |text| {
            calls += 1;
            if calls == 1 {
                fs::write(&path, "another program\n").unwrap();
            }
            Ok([text.unwrap(), b"mine\n"].concat())
        });
        assert_eq!((calls, text.unwrap().as_ref()), (2, &b"another program\nmine\n"[..]));
    }

    #[test]
    fn a_write_that_hides_itself_is_not_lost() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        append(&path, "one").unwrap();
        let written = fs::metadata(&path).unwrap().modified().unwrap();
        let mut calls = 0;
        let text: Result<(Bytes, usize), Error> = update_with(&path, |text| {
            calls += 1;
            if calls == 1 {
                fs::write(&path, "two\n").unwrap();
                fs::File::options().write(true).open(&path).unwrap().set_modified(written).unwrap();
            }
            Ok(([text.unwrap(), b"mine\n"].concat(), calls))
        });
        assert_eq!(text.unwrap(), (Bytes::from("two\nmine\n"), 2), "of the same time and length, but another one");
    }

    #[test]
    fn a_file_that_comes_in_between_is_seen() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        let text: Result<Bytes, Error> = update(&path, |text| {
            if text.is_none() {
                fs::write(&path, "first\n").unwrap();
            }
            Ok([text.unwrap_or_default(), b"mine\n"].concat())
        });
        assert_eq!(text.unwrap().as_ref(), b"first\nmine\n");
    }

    #[test]
    fn a_file_that_never_rests_is_given_up() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        append(&path, "one").unwrap();
        let mut len = 0;
        let text: Result<Bytes, Error> = update(&path, |_| {
            len += 1;
            fs::write(&path, vec![b'x'; len]).unwrap();
            Ok(b"mine".to_vec())
        });
        assert!(matches!(text, Err(Error::WriteContended { .. })));
        assert_eq!(names(dir.path()), ["x"]);
    }

    #[test]
    fn threads_lose_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        std::thread::scope(|scope| {
            for name in ["a", "b"] {
                let path = &path;
                scope.spawn(move || (0..200).for_each(|n| drop(append(path, &format!("{name}{n}")).unwrap())));
            }
        });
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 400);
    }

    /// The part of [`processes_lose_nothing`] that runs in the other processes.
    #[test]
    fn appends_when_asked_to() {
        if let Some(path) = std::env::var_os("WHYMARK_TEST_APPEND_TO") {
            (0..200).for_each(|n| drop(append(Path::new(&path), &n.to_string()).unwrap()));
        }
    }

    #[test]
    fn processes_lose_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        let start = || {
            let mut command = std::process::Command::new(std::env::current_exe().unwrap());
            command.args(["--exact", "store::tests::appends_when_asked_to"]).env("WHYMARK_TEST_APPEND_TO", &path);
            command.stdout(std::process::Stdio::null()).spawn().unwrap()
        };
        for mut process in [start(), start()] {
            assert!(process.wait().unwrap().success());
        }
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 400);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_modes_stay() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let dir = tempfile::tempdir().unwrap();
        let (link, target) = (dir.path().join("link"), dir.path().join("deep/target"));
        symlink("deep/target", &link).unwrap();
        append(&link, "through a link that leads nowhere yet").unwrap();
        fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
        append(&link, "two").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(fs::read_to_string(&target).unwrap().lines().count(), 2);
        let plain = dir.path().join("plain");
        fs::write(&plain, "").unwrap();
        append(&dir.path().join("new"), "x").unwrap();
        let mode = |name: &str| fs::metadata(dir.path().join(name)).unwrap().permissions().mode();
        assert_eq!(mode("new"), mode("plain"), "a new file is as readable as any other");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_is_put_as_a_whole_or_not_at_all() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        let refused = put_file(&path, b"one", true, |_| Err(Error::ReviewExists { path: path.clone() }));
        assert!(matches!(refused, Err(Error::ReviewExists { .. })) && names(dir.path()).is_empty());
        put_file(&path, b"one", true, |_| Ok(())).unwrap();
        assert!(put_file(&path, b"two", true, |_| Ok(())).is_err(), "there is one by now");
        // Protected, as a working tree may be.
        fs::set_permissions(&path, fs::Permissions::from_mode(0o440)).unwrap();
        let refused = put_file(&path, b"two", false, |_| Err(Error::ReviewExists { path: path.clone() }));
        assert!(refused.is_err() && read(&path).unwrap() == "one");
        put_file(&path, b"two", false, |_| Ok(())).unwrap();
        assert_eq!(read(&path).unwrap(), "two");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o440);
        assert_eq!(names(dir.path()), ["x"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_takes_no_file_says_why() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("locked");
        fs::create_dir(&folder).unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
        let superuser = fs::write(folder.join("probe"), "").is_ok();
        let message = append(&folder.join("x"), "one").map_err(|error| error.to_string());
        assert!(superuser || message.is_err_and(|message| message.ends_with("permission denied")));
        fs::write(dir.path().join("file"), "").unwrap();
        let message = append(&dir.path().join("file/x"), "one").unwrap_err().to_string();
        assert!(message.starts_with("cannot create the folder"), "{message}");
    }
}
