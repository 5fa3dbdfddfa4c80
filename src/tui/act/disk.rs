//! Files and links of the working tree: read as they are, and made others, as long as they are what they were.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use bstr::{BString, ByteSlice as _};
use bytes::Bytes;

use super::refused;
use crate::error::Error;
use crate::git::{Repo, Swap, mode};
use crate::store;

/// A file or link as it is on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiskFile {
    /// Its bytes; of a link the path that it leads to.
    pub content: Bytes,
    /// The mode that git gives it.
    pub mode: u32,
    /// Who may do what with it, where that is to be just so.
    pub permissions: Option<u32>,
}

impl DiskFile {
    /// A file or link of this content: with the mode and the permissions of `same`, else with `mode`.
    pub(super) fn like(same: Option<&Self>, content: Bytes, mode: u32) -> Self {
        match same {
            Some(same) => Self { content, ..same.clone() },
            None => Self { content, mode, permissions: None },
        }
    }

    /// Whether it is the same to git. Who may read it is nothing that anybody wrote.
    fn is_same(&self, other: &Self) -> bool {
        self.mode == other.mode && self.content == other.content
    }
}

/// What is at a path of the working tree.
pub(super) enum Found {
    /// Nothing.
    Missing,
    /// A file or link.
    File(DiskFile),
    /// A folder.
    Folder,
}

/// Where a file of the repository is on disk: nowhere outside of it, and `None` where a link has taken the place of one of
/// its folders, so that nothing is there. A link at the place itself is not followed.
pub(super) fn place(repo: &Repo, path: &BString) -> Result<Option<PathBuf>, Error> {
    let root = repo.workdir().ok_or_else(|| refused(path, "the repository has no working tree"))?;
    let no_path = || refused(path, "this system has no such path");
    let name = path.to_path().map_err(|_| no_path())?;
    let file = name.file_name().filter(|file| !file.eq_ignore_ascii_case(".git")).ok_or_else(no_path)?;
    let above = name.parent().unwrap_or(Path::new(""));
    let folder = store::inside(&root.join(above), root)?;
    let is_straight = root.canonicalize().is_ok_and(|root| root.join(above) == folder);
    Ok(is_straight.then(|| folder.join(file)))
}

/// What is at `place`.
pub(super) fn look(path: &BString, place: Option<&Path>) -> Result<Found, Error> {
    let Some(place) = place else { return Ok(Found::Missing) };
    let failed = |source| Error::ReadFile { path: place.into(), source };
    let meta = match fs::symlink_metadata(place) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(Found::Missing);
        }
        meta => meta.map_err(failed)?,
    };
    let kind = meta.file_type();
    let (content, mode, permissions) = match kind {
        _ if kind.is_dir() => return Ok(Found::Folder),
        _ if kind.is_symlink() => {
            let target = fs::read_link(place).map_err(failed)?;
            (target.into_os_string().into_encoded_bytes().into(), mode::LINK, None)
        }
        _ if kind.is_file() => (store::read(place)?, mode::of(&meta), permissions(&meta)),
        _ => return Err(refused(path, "it is neither a file nor a link by now")),
    };
    Ok(Found::File(DiskFile { content, mode, permissions }))
}

/// The file or link at `place`; `None` where there is none.
fn read(path: &BString, place: &Path) -> Result<Option<DiskFile>, Error> {
    match look(path, Some(place))? {
        Found::Missing => Ok(None),
        Found::File(file) => Ok(Some(file)),
        Found::Folder => Err(refused(path, "it is a folder by now: refresh first")),
    }
}

/// Make of each file what it is to be, all of them or none, as long as they are what they were.
pub(super) fn swap(repo: &Repo, swaps: &[Swap<DiskFile>]) -> Result<(), Error> {
    let linked = |path: &BString| refused(path, "a link has taken the place of one of its folders");
    let place = |swap: &Swap<DiskFile>| place(repo, &swap.path)?.ok_or_else(|| linked(&swap.path));
    let places: Vec<PathBuf> = swaps.iter().map(place).collect::<Result<_, _>>()?;
    for (swap, place) in swaps.iter().zip(&places) {
        must_be(swap, place)?;
    }
    for (done, (swap, place)) in swaps.iter().zip(&places).enumerate() {
        if let Err(error) = write(repo, swap, place) {
            for (swap, place) in swaps.iter().zip(&places).take(done).rev() {
                // Why it was not done says more than why this fails; what was there is kept.
                let _ = write(repo, &swap.clone().reversed(), place);
            }
            return Err(error);
        }
    }
    Ok(())
}

/// Refuse what is no longer what it was.
fn must_be(swap: &Swap<DiskFile>, place: &Path) -> Result<(), Error> {
    let there = read(&swap.path, place)?;
    let is_it = match (&there, &swap.before) {
        (Some(there), Some(before)) => there.is_same(before),
        (there, before) => there.is_none() && before.is_none(),
    };
    if is_it { Ok(()) } else { Err(changed(&swap.path)) }
}

fn changed(path: &BString) -> Error {
    Error::ChangedSince { path: path.clone(), reason: "it has changed since".to_owned() }
}

/// Do one swap, all of it or nothing.
fn write(repo: &Repo, swap: &Swap<DiskFile>, place: &Path) -> Result<(), Error> {
    let failed = |source| Error::WriteFile { path: place.into(), source };
    must_be(swap, place)?;
    match &swap.after {
        None => {
            fs::remove_file(place).map_err(failed)?;
            remove_empty_folders(repo, place);
        }
        Some(after) if after.mode == mode::LINK => {
            store::put_link(place, &after.content)?;
        }
        // A link is not followed, and goes when the file is there.
        Some(after) if swap.before.as_ref().is_some_and(|before| before.mode == mode::LINK) => {
            store::put_file(place, &after.content, |file| set_mode(file, after))?;
        }
        Some(after) => {
            let before = swap.before.as_ref().map(|before| &before.content);
            put(swap, place, before, &after.content)?;
            if let Err(source) = set_mode(place, after) {
                // Why it was not done says more than why this fails.
                let _ = match before {
                    Some(before) => put(swap, place, Some(&after.content), before),
                    None if store::read(place).is_ok_and(|there| there == after.content) => {
                        fs::remove_file(place).map_err(failed)
                    }
                    None => Ok(()),
                };
                return Err(failed(source));
            }
        }
    }
    Ok(())
}

/// Write `after` into the file at `place`, as long as it has the content `before`, or is not there.
fn put(swap: &Swap<DiskFile>, place: &Path, before: Option<&Bytes>, after: &Bytes) -> Result<(), Error> {
    let written = store::update(place, |there| {
        let is_it = there == before.map(|before| &**before);
        if is_it { Ok(after.clone()) } else { Err(changed(&swap.path)) }
    });
    written.map(drop)
}

/// Remove the folders that held nothing but the file that was at `place`, as git does; not the one somebody is in.
fn remove_empty_folders(repo: &Repo, place: &Path) {
    let here = std::env::current_dir().unwrap_or_default();
    let root = repo.workdir().and_then(|root| root.canonicalize().ok()).unwrap_or_default();
    let folders = place.ancestors().skip(1).take_while(|folder| **folder != root && folder.starts_with(&root));
    for folder in folders {
        // One that is not empty stays, whatever is asked.
        if here.starts_with(folder) || fs::remove_dir(folder).is_err() {
            return;
        }
    }
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have none")]
fn permissions(meta: &Metadata) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt as _;
    Some(meta.permissions().mode() & 0o7777)
}

#[cfg(not(unix))]
fn permissions(_: &Metadata) -> Option<u32> {
    None
}

/// Give a file the permissions that `wanted` had; where nobody knows, make it executable, or not, as far as its mode says
/// something else than what it is.
#[cfg(unix)]
fn set_mode(place: &Path, wanted: &DiskFile) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let meta = fs::symlink_metadata(place)?;
    let bits = meta.permissions().mode() & 0o7777;
    let wanted = match wanted.permissions {
        Some(permissions) => permissions,
        None if mode::of(&meta) == wanted.mode => bits,
        // Whoever may read it may run it.
        None if wanted.mode == mode::EXECUTABLE => bits | (bits & 0o444) >> 2,
        None => bits & !0o111,
    };
    if wanted == bits { Ok(()) } else { fs::set_permissions(place, fs::Permissions::from_mode(wanted)) }
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: &DiskFile) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;
    use std::process::{Command, Stdio};

    use super::*;

    fn file(content: impl Into<Bytes>) -> Option<DiskFile> {
        Some(DiskFile::like(None, content.into(), mode::FILE))
    }

    fn swaps() -> [Swap<DiskFile>; 2] {
        let link = DiskFile::like(None, "elsewhere".into(), mode::LINK);
        [
            Swap { path: "file".into(), before: file("before"), after: file("after") },
            Swap { path: "link".into(), before: Some(link), after: file(vec![b'x'; 1 << 16]) },
        ]
    }

    /// The part of [`a_disk_that_is_full_loses_neither_file_nor_link`] that runs where a file cannot be long.
    #[test]
    fn swaps_when_asked_to() {
        if let Some(dir) = std::env::var_os("WHYMARK_TEST_SWAP_IN") {
            let repo = Repo::discover(Path::new(&dir)).unwrap();
            let refused = swap(&repo, &swaps()).unwrap_err();
            assert!(matches!(refused, Error::WriteFile { .. }), "{refused}");
            fs::write(Path::new(&dir).join("refused"), "").unwrap();
        }
    }

    #[test]
    fn a_disk_that_is_full_loses_neither_file_nor_link() {
        let dir = tempfile::tempdir().unwrap();
        git2::Repository::init(dir.path()).unwrap();
        let place = |name: &str| dir.path().join(name);
        fs::write(place("file"), "before").unwrap();
        symlink("elsewhere", place("link")).unwrap();
        let mut shell = Command::new("sh");
        shell.args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" --exact tui::act::disk::tests::swaps_when_asked_to"]);
        shell.arg(std::env::current_exe().unwrap()).env("WHYMARK_TEST_SWAP_IN", dir.path());
        assert!(shell.stdout(Stdio::null()).status().unwrap().success());
        assert!(place("refused").exists(), "the other part has not run");
        assert_eq!(fs::read_to_string(place("file")).unwrap(), "before");
        assert_eq!(fs::read_link(place("link")).unwrap(), Path::new("elsewhere"));
        let repo = Repo::discover(dir.path()).unwrap();
        swap(&repo, &swaps()).unwrap();
        assert!(fs::symlink_metadata(place("link")).unwrap().is_file());
    }
}
