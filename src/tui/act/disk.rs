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
        Found::Folder => Err(refused(path, "a folder is in its place, with files that the review does not show")),
    }
}

/// Make of each file what it is to be, all of them or none, as long as they are what they were.
pub(super) fn swap(repo: &Repo, swaps: &[Swap<DiskFile>]) -> Result<(), Error> {
    let linked = |path: &BString| refused(path, "a link has taken the place of one of its folders");
    let place = |swap: &Swap<DiskFile>| place(repo, &swap.path)?.ok_or_else(|| linked(&swap.path));
    let places: Vec<PathBuf> = swaps.iter().map(place).collect::<Result<_, _>>()?;
    for (at, (swap, place)) in swaps.iter().zip(&places).enumerate() {
        // What one that goes makes room for is looked at when it is gone.
        let is_blocked = |before: &Path| before.starts_with(place) || place.starts_with(before);
        if !places[..at].iter().any(|before| is_blocked(before)) {
            must_be(swap, place)?;
        }
    }
    let mut done: Vec<(&Swap<DiskFile>, &Path, Folders)> = Vec::new();
    for (swap, place) in swaps.iter().zip(&places) {
        let mut folders = Folders::missing(place);
        if let Err(error) = write(swap, place) {
            folders.take_back_made();
            for (swap, place, folders) in done.into_iter().rev() {
                folders.bring_back_removed();
                // Why it was not done says more than why this fails; what was there is kept.
                let _ = write(&swap.clone().reversed(), place);
                folders.take_back_made();
            }
            return Err(error);
        }
        if swap.after.is_none() {
            folders.remove_empty(repo, place);
        }
        done.push((swap, place, folders));
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
fn write(swap: &Swap<DiskFile>, place: &Path) -> Result<(), Error> {
    let failed = |source| Error::WriteFile { path: place.into(), source };
    match &swap.after {
        None => {
            must_be(swap, place)?;
            fs::remove_file(place).map_err(failed)
        }
        Some(after) if after.mode == mode::LINK => {
            must_be(swap, place)?;
            store::put_link(place, &after.content)
        }
        Some(after) => store::put_file(place, &after.content, swap.before.is_none(), |file| {
            set_mode(file, after).map_err(failed)?;
            must_be(swap, place)
        }),
    }
}

/// The folders that come and go with a file.
#[derive(Debug, Default)]
struct Folders {
    /// Those that are not there before it, the innermost first.
    missing: Vec<PathBuf>,
    /// Those that went with it, likewise.
    removed: Vec<(PathBuf, fs::Permissions)>,
}

impl Folders {
    /// Those on the way to `place`.
    fn missing(place: &Path) -> Self {
        let folders = place.ancestors().skip(1).take_while(|folder| fs::symlink_metadata(folder).is_err());
        Self { missing: folders.map(Path::to_owned).collect(), removed: Vec::new() }
    }

    /// Remove those that held nothing but the file that was at `place`, as git does; not the one somebody is in.
    fn remove_empty(&mut self, repo: &Repo, place: &Path) {
        let here = std::env::current_dir().unwrap_or_default();
        let root = repo.workdir().and_then(|root| root.canonicalize().ok()).unwrap_or_default();
        let folders = place.ancestors().skip(1).take_while(|folder| **folder != root && folder.starts_with(&root));
        for folder in folders {
            let Ok(meta) = fs::metadata(folder) else { return };
            // One that is not empty stays, whatever is asked.
            if here.starts_with(folder) || fs::remove_dir(folder).is_err() {
                return;
            }
            self.removed.push((folder.to_owned(), meta.permissions()));
        }
    }

    /// Have those again that went, as far as that can be.
    fn bring_back_removed(&self) {
        for (folder, permissions) in self.removed.iter().rev() {
            let _ = fs::create_dir(folder).and_then(|()| fs::set_permissions(folder, permissions.clone()));
        }
    }

    /// Take those away that have come, as far as nothing is in them.
    fn take_back_made(&self) {
        self.missing.iter().for_each(|folder| drop(fs::remove_dir(folder)));
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

    #[test]
    fn folders_are_what_they_were_when_it_cannot_be_done() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        git2::Repository::init(dir.path()).unwrap();
        let place = |name: &str| dir.path().join(name);
        fs::create_dir(place("empty")).unwrap();
        fs::create_dir(place("private")).unwrap();
        fs::set_permissions(place("private"), fs::Permissions::from_mode(0o700)).unwrap();
        fs::write(place("private/only"), "before").unwrap();
        let comes = |path: &str| Swap { path: path.into(), before: None, after: file("new") };
        // No link leads to such a path.
        let cannot = Swap { after: Some(DiskFile::like(None, "a\0b".into(), mode::LINK)), ..comes("fresh/deep/link") };
        let goes = Swap { path: "private/only".into(), before: file("before"), after: None };
        let repo = Repo::discover(dir.path()).unwrap();
        swap(&repo, &[comes("empty/x"), comes("fresh/y"), goes, cannot]).unwrap_err();
        assert!(fs::read_dir(place("empty")).unwrap().next().is_none());
        assert!(!place("fresh").exists());
        assert_eq!(fs::read(place("private/only")).unwrap(), b"before");
        assert_eq!(fs::metadata(place("private")).unwrap().permissions().mode() & 0o777, 0o700);
    }
}
