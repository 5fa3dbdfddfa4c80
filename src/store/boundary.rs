//! Names that nobody typed must not lead away: a repository brings symbolic links along, and decides with them where
//! a review, or what lies beside it, would be read and written.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::LINKS;
use crate::error::Error;

/// The file that `path` leads to, which need not exist and has no link left in its name.
///
/// # Errors
/// When it does not lie in `folder`, or belongs to git, or links lead in a circle.
pub fn inside(path: &Path, folder: &Path) -> Result<PathBuf, Error> {
    let failed = |source| Error::ReadFile { path: path.into(), source };
    let target = real(path).map_err(failed)?;
    let real_folder = real(folder).map_err(failed)?;
    match target.strip_prefix(&real_folder) {
        Err(_) => Err(Error::LeadsOutside { path: path.into(), target, folder: folder.components().collect() }),
        Ok(below) if below.iter().any(is_git) => Err(Error::LeadsIntoGit { path: path.into(), target }),
        Ok(_) => Ok(target),
    }
}

/// The folder that what is kept beside the file at `path` must not lead out of: `root` where the file lies below it, else
/// the file's own folder.
#[must_use]
pub fn home(path: &Path, root: Option<&Path>) -> PathBuf {
    let folder = super::folder_of(path);
    let is_below = |root: &&Path| match (real(folder), real(root)) {
        (Ok(folder), Ok(root)) => folder.strip_prefix(root).is_ok_and(|below| !below.iter().any(is_git)),
        _ => false,
    };
    root.filter(is_below).unwrap_or(folder).to_owned()
}

/// Whether `name` is what git calls its own folder, on whatever file system.
fn is_git(name: &OsStr) -> bool {
    name.eq_ignore_ascii_case(".git")
}

/// `path` without `.`, `..` and links, as the system would follow it; names that are not there yet stay as they are.
fn real(path: &Path) -> io::Result<PathBuf> {
    let mut real = PathBuf::new();
    let mut rest = names(&std::path::absolute(path)?);
    let mut links = 0;
    while let Some(name) = rest.pop() {
        if name == ".." {
            real.pop();
            continue;
        }
        real.push(name);
        if let Ok(target) = fs::read_link(&real) {
            links += 1;
            if links > LINKS {
                return Err(io::Error::other("too many links lead from one to the next"));
            }
            real.pop();
            rest.extend(names(&target));
        }
    }
    Ok(real)
}

/// The names in `path`, the last one first.
fn names(path: &Path) -> Vec<OsString> {
    let names = path.components().filter(|name| *name != Component::CurDir);
    names.rev().map(|name| name.as_os_str().to_owned()).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_name_that_was_derived_does_not_lead_away() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for folder in ["repo/reviews", "repo/docs", "repo/.git", "out"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        for (link, target) in [
            ("repo/reviews/out", "../../out/x"),
            ("repo/reviews/absolute", at("out/x").to_str().unwrap()),
            ("repo/reviews/first", "second"),
            ("repo/reviews/second", "../docs/../../out"),
            ("repo/reviews/docs", "../docs/not/there/yet"),
            ("repo/reviews/git", "../.git/config"),
            ("repo/reviews/GIT", "../.GIT/config"),
            ("repo/reviews/circle", "circle"),
            ("repo/away", "../out"),
            ("repo/here", "docs"),
            ("root", "repo"),
        ] {
            symlink(target, at(link)).unwrap();
        }
        for (name, want) in [
            ("repo/reviews/plain", Ok("repo/reviews/plain")),
            ("root/reviews/plain", Ok("repo/reviews/plain")),
            ("repo/reviews/docs", Ok("repo/docs/not/there/yet")),
            ("repo/here/new", Ok("repo/docs/new")),
            ("repo/reviews/out", Err("leads out of")),
            ("repo/reviews/absolute", Err("leads out of")),
            ("repo/reviews/first", Err("leads out of")),
            ("repo/away/new", Err("leads out of")),
            ("repo/reviews/git", Err("belongs to git")),
            ("repo/reviews/GIT", Err("belongs to git")),
            ("repo/reviews/circle", Err("too many links")),
        ] {
            for root in ["repo", "root"] {
                let found = inside(&at(name), &at(root)).map_err(|error| error.to_string());
                let top = dir.path().canonicalize().unwrap();
                match want {
                    Ok(target) => assert_eq!(found, Ok(top.join(target)), "{name}"),
                    Err(part) => assert!(found.as_ref().is_err_and(|found| found.contains(part)), "{name}: {found:?}"),
                }
            }
        }
    }

    #[test]
    fn what_lies_beside_a_file_stays_in_its_repository_or_folder() {
        let dir = tempfile::tempdir().unwrap();
        let (root, away) = (dir.path().join("repo"), dir.path().join("away"));
        fs::create_dir_all(root.join("reviews")).unwrap();
        fs::create_dir(&away).unwrap();
        fs::create_dir(root.join(".git")).unwrap();
        symlink(&away, root.join("linked")).unwrap();
        for (path, want) in [
            (root.join("reviews/x.mb"), root.clone()),
            (away.join("x.mb"), away.clone()),
            (root.join("linked/x.mb"), root.join("linked")),
            (root.join(".git/x.mb"), root.join(".git")),
        ] {
            assert_eq!(home(&path, Some(&root)), want);
        }
        assert_eq!(home(&away.join("x.mb"), None), away);
    }
}
