//! Outputs of commands, stored beside the review that speaks of them, under names that are their hashes. What a
//! repository brings along must not lead them elsewhere.

use std::fs::{self, DirBuilder};
use std::io::{self, Write as _};
use std::path::{Component, Path};

use crate::error::Error;

/// Store `content` at `path` below `root`, for this user alone. A file that is there already must hold just that.
///
/// # Errors
/// When a folder on the way is a link or something else, or nothing can be written.
pub fn keep(root: &Path, path: &str, content: &[u8]) -> Result<(), Error> {
    let file = root.join(path);
    let failed = |source| Error::WriteFile { path: file.clone(), source };
    let mut folder = root.to_owned();
    let steps: Vec<Component<'_>> = Path::new(path).components().collect();
    for step in &steps[..steps.len().saturating_sub(1)] {
        folder.push(step);
        match private_folder().create(&folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(Error::CreateFolder { path: folder, source: error });
            }
            _ if !fs::symlink_metadata(&folder).is_ok_and(|meta| meta.is_dir()) => {
                let source = io::Error::other("it is a link, or no folder");
                return Err(Error::CreateFolder { path: folder, source });
            }
            _ => {}
        }
    }
    let mut temporary = tempfile::NamedTempFile::new_in(&folder).map_err(failed)?;
    temporary.write_all(content).map_err(failed)?;
    match temporary.persist_noclobber(&file) {
        Ok(_) => Ok(()),
        Err(_) if is_kept(root, path, content) => Ok(()),
        Err(error) => Err(failed(error.error)),
    }
}

/// Whether the file at `path` below `root` is one, and holds `content`.
fn is_kept(root: &Path, path: &str, content: &[u8]) -> bool {
    kept(root, path).is_some_and(|found| found == content)
}

/// What is stored at `path` below `root`; `None` when a link leads there, or nothing is there.
#[must_use]
pub fn kept(root: &Path, path: &str) -> Option<Vec<u8>> {
    let file = root.join(path);
    let on_the_way = file.ancestors().skip(1).take_while(|folder| *folder != root);
    let is_folder = |folder: &Path| fs::symlink_metadata(folder).is_ok_and(|meta| meta.is_dir());
    let is_file = fs::symlink_metadata(&file).is_ok_and(|meta| meta.is_file());
    let is_inside = on_the_way.into_iter().all(is_folder) && is_file;
    is_inside.then(|| fs::read(&file).ok()).flatten()
}

fn private_folder() -> DirBuilder {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn outputs_are_private_and_do_not_lead_away() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        keep(root, "a/b/x.log", b"out").unwrap();
        keep(root, "a/b/x.log", b"out").unwrap();
        assert_eq!(kept(root, "a/b/x.log").as_deref(), Some(&b"out"[..]));
        let mode = |path: &str| fs::metadata(root.join(path)).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode("a"), mode("a/b"), mode("a/b/x.log")), (0o700, 0o700, 0o600));
        assert!(keep(root, "a/b/x.log", b"other").is_err(), "what is there stays");
        assert_eq!(kept(root, "a/b/x.log").as_deref(), Some(&b"out"[..]));
        let away = tempfile::tempdir().unwrap();
        symlink(away.path(), root.join("linked")).unwrap();
        symlink(root.join("a/b/x.log"), root.join("a/y.log")).unwrap();
        assert!(keep(root, "linked/x.log", b"out").is_err());
        assert!(keep(root, "a/y.log", b"out").is_err(), "a link is no file of ours");
        assert_eq!((kept(root, "a/y.log"), kept(root, "linked/x.log")), (None, None));
        assert_eq!(fs::read_dir(away.path()).unwrap().count(), 0);
    }
}
