//! The repository: what changed, what stood there before, what things are called. Nothing else reads it, and nothing
//! writes to it; only [`crate::demo`] makes one, of its own.
//!
//! Reads only: objects that have to be made in between (the form in which a file on disk would be stored) go to a
//! store in memory and are gone with the [`Repo`]. No hook, filter program, external diff or pager is ever run.
//!
//! What a review says is what `git show` and `git diff` say without anybody's settings: how somebody likes to read diffs
//! (`diff.algorithm`, `diff.context`, `diff.noprefix`, `diff.orderFile` and the like) changes nothing. What the repository
//! says about its files does: attributes, diff drivers, `core.abbrev`, and `diff.renameLimit`.
//!
//! [`Repo::changes`] gives the list of a scope as plain data, which is `Send`; [`Repo::patch`] computes the lines of
//! one file of it, when somebody asks. A `Repo` itself belongs to one thread: a worker opens its own, on the same
//! folder ([`Repo::discover`], well under a millisecond), and takes the list along. Open a new one now and then where one
//! would live long: files whose line ends git converts stay in its memory.
//!
//! ```no_run
//! use whymark::git::{Repo, Scope, ScopeOptions};
//! # fn main() -> Result<(), whymark::error::Error> {
//! let repo = Repo::discover(".".as_ref())?;
//! let changes = repo.changes(&Scope::Staged, &ScopeOptions::default())?;
//! for index in 0..changes.files().len() {
//!     let patch = repo.patch(&changes, index)?;
//!     println!("{} +{} -{}", patch.change.path, patch.added, patch.removed);
//! }
//! # Ok(())
//! # }
//! ```

mod abbrev;
mod attributes;
mod cache_tree;
mod changes;
mod content;
mod driver;
mod fingerprint;
mod heading;
mod ids;
mod list;
mod now;
mod patch;
mod posix;
mod renames;
mod revisions;
pub mod scope;
mod staged;

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Once};

use bstr::{BString, ByteSlice};
use git2::{ErrorCode, Repository, RepositoryOpenFlags};

use abbrev::Abbreviation;
pub use changes::Changes;
use driver::Driver;
pub use patch::FilePatch;
pub use scope::{Scope, ScopeOptions};

use crate::error::Error;
use crate::skeleton::Facts;

/// Loose objects in memory answer before those on disk: libgit2 asks its stores by falling priority.
const IN_MEMORY_FIRST: i32 = 1000;
/// Objects are not hashed again when they are read, as git does not either: what holds them has checksums of its own.
static UNHASHED: Once = Once::new();

/// An open repository.
pub struct Repo {
    raw: Repository,
    /// Where it was looked for.
    dir: PathBuf,
    known: Box<Known>,
}

/// What was found out so far, because somebody asked.
#[derive(Default)]
struct Known {
    /// What ids are abbreviated by.
    abbreviation: OnceCell<Abbreviation>,
    /// Whether line ends are converted everywhere.
    autocrlf: OnceCell<bool>,
    /// The diff drivers, by name.
    drivers: RefCell<HashMap<BString, Arc<Driver>>>,
    /// Whether there are attributes for any path.
    attributes: OnceCell<bool>,
    /// Whether there are attributes for the files of a folder.
    attributes_in: RefCell<HashMap<BString, bool>>,
}

impl std::fmt::Debug for Repo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Repo").field("git_dir", &self.git_dir()).finish()
    }
}

impl Repo {
    /// Open the repository that `dir` is in. `GIT_DIR`, `GIT_WORK_TREE`, `GIT_CEILING_DIRECTORIES` and
    /// `GIT_INDEX_FILE` mean what they mean to git.
    ///
    /// # Errors
    /// When there is none, or none that libgit2 can open.
    pub fn discover(dir: &Path) -> Result<Self, Error> {
        UNHASHED.call_once(|| git2::opts::strict_hash_verification(false));
        let opened = if std::env::var_os("GIT_DIR").is_some() {
            Repository::open_from_env()
        } else {
            Repository::open_ext(dir, RepositoryOpenFlags::FROM_ENV, &[] as &[&std::ffi::OsStr])
        };
        let open = |source| Error::OpenRepository { dir: dir.into(), source };
        let raw = opened.map_err(|source| match source.code() {
            ErrorCode::NotFound => Error::NotARepository { dir: dir.into() },
            _ => open(source),
        })?;
        raw.odb().and_then(|odb| odb.add_new_mempack_backend(IN_MEMORY_FIRST).map(drop)).map_err(open)?;
        Ok(Self { raw, dir: dir.into(), known: Box::default() })
    }

    /// The top of the working tree; `None` in a bare repository.
    #[must_use]
    pub fn workdir(&self) -> Option<&Path> {
        self.raw.workdir()
    }

    /// The repository's own folder, of a linked working tree that one's.
    #[must_use]
    pub fn git_dir(&self) -> &Path {
        self.raw.path()
    }

    /// Where paths in documents count from: the working tree, or the repository's own folder when it is bare.
    #[must_use]
    pub fn root(&self) -> &Path {
        self.workdir().unwrap_or_else(|| self.git_dir())
    }

    /// The branch that is checked out, also before its first commit; on a detached HEAD the abbreviated commit.
    ///
    /// # Errors
    /// When HEAD cannot be read.
    pub fn branch_name(&self) -> Result<String, Error> {
        let read = |source| Error::ReadHead { source };
        if let Some(branch) = self.symbolic_head()? {
            return Ok(branch);
        }
        let commit = self.raw.head().and_then(|head| head.peel_to_commit()).map_err(read)?;
        Ok(self.abbreviated(commit.id()))
    }

    /// The branch that HEAD names, `None` when it names a commit.
    fn symbolic_head(&self) -> Result<Option<String>, Error> {
        let head = self.raw.find_reference("HEAD").map_err(|source| Error::ReadHead { source })?;
        let target = head.symbolic_target_bytes().map(|name| name.strip_prefix(b"refs/heads/").unwrap_or(name));
        Ok(target.map(|name| name.to_str_lossy().into_owned()))
    }

    /// `user.name` of the configuration.
    #[must_use]
    pub fn author_name(&self) -> Option<String> {
        let config = self.raw.config().and_then(|mut config| config.snapshot()).ok()?;
        let name = config.get_bytes("user.name").ok()?.to_str_lossy().trim().to_owned();
        (!name.is_empty()).then_some(name)
    }

    /// `owner/name` from the address of the remote `origin`; never a user name, a password or a host.
    #[must_use]
    pub fn origin_name(&self) -> Option<String> {
        let remote = self.raw.find_remote("origin").ok()?;
        owner_and_name(&remote.url_bytes().to_str_lossy())
    }

    /// What the head of a new review of `changes` says, as far as the repository knows: no date, no checks.
    #[must_use]
    pub fn facts(&self, changes: &Changes) -> Facts {
        Facts {
            title: changes.default_title(),
            author: self.author_name(),
            date: None,
            scope: Some(changes.scope().word().to_owned()),
            base: changes.base().map(str::to_owned),
            head: changes.head().map(str::to_owned),
            repo: self.origin_name(),
            checks: Vec::new(),
        }
    }

    /// `path`, an argument that counts from `cwd`, as a path in the repository. The file need not exist.
    ///
    /// # Errors
    /// When it points outside the working tree.
    pub fn path_in_repo(&self, cwd: &Path, path: &Path) -> Result<BString, Error> {
        let root = self.root();
        let outside = || Error::OutsideRepository { path: path.into(), root: root.into() };
        let resolved = resolved(&cwd.join(path));
        let real_root = root.canonicalize().unwrap_or_else(|_| root.into());
        let inside = resolved.strip_prefix(&real_root).map_err(|_| outside())?;
        Ok(bytes_of(inside))
    }
}

/// `path` without `.`, `..` and symbolic links in the part of it that exists; the last name is kept as it is, since a
/// link may itself be what is meant.
fn resolved(path: &Path) -> PathBuf {
    let mut known = PathBuf::new();
    let names: Vec<_> = path.components().collect();
    for (index, name) in names.iter().enumerate() {
        match name {
            std::path::Component::ParentDir => drop(known.pop()),
            std::path::Component::CurDir => {}
            _ => known.push(name),
        }
        if index + 1 < names.len()
            && let Ok(real) = known.canonicalize()
        {
            known = real;
        }
    }
    if matches!(names.last(), Some(std::path::Component::ParentDir | std::path::Component::CurDir)) || names.is_empty()
    {
        known = known.canonicalize().unwrap_or(known);
    }
    known
}

/// A path of this system as git spells it: bytes, with `/` between names.
fn bytes_of(path: &Path) -> BString {
    let names: Vec<_> = path.iter().map(std::ffi::OsStr::as_encoded_bytes).collect();
    bstr::join("/", names).into()
}

/// A path as git spells it, as a path of this system.
fn path_of(path: &[u8]) -> PathBuf {
    path.to_path().map_or_else(|_| PathBuf::from(path.to_str_lossy().into_owned()), Path::to_path_buf)
}

/// The last two names of an address such as `https://host/owner/name.git` or `git@host:owner/name`.
fn owner_and_name(url: &str) -> Option<String> {
    let path = match url.split_once("://") {
        Some((_, rest)) => rest.split_once('/')?.1,
        None => url.split_once(':').map_or(url, |(_, path)| path),
    };
    let path = path.trim_end_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    let mut names = path.rsplit('/').filter(|name| !name.is_empty());
    let name = names.next()?;
    Some(names.next().map_or_else(|| name.to_owned(), |owner| format!("{owner}/{name}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_goes_to_another_thread() {
        fn goes<T: Send + Sync>() {}
        goes::<Changes>();
        goes::<FilePatch>();
    }

    #[test]
    fn origin_addresses() {
        for (url, name) in [
            ("https://host/owner/name.git", "owner/name"),
            ("https://user:secret@host:8443/owner/name/", "owner/name"),
            ("git@host:owner/name.git", "owner/name"),
            ("ssh://git@host/group/owner/name", "owner/name"),
            ("/srv/git/name.git", "git/name"),
            ("name", "name"),
        ] {
            assert_eq!(owner_and_name(url).as_deref(), Some(name), "{url}");
        }
        assert_eq!(owner_and_name("https://host"), None);
    }
}
