//! The repository: what changed, what stood there before, what things are called. Nothing else reads it, and nothing
//! writes to it but [`Repo::put_entries`] and [`Repo::keep`], which a person asks for; only [`crate::demo`] makes one, of
//! its own.
//!
//! Everything else reads: objects that have to be made in between (the form in which a file on disk would be stored) go to a
//! store in memory and are gone with the [`Repo`]. No hook, external diff or pager is ever run, and a filter program only
//! where the person allows it ([`Repo::with_filters`]).
//!
//! libgit2 reads the repository; where it cannot, or would say something else than git, the `git` program on PATH is
//! asked, and what it prints is read like any other patch. Which of the two it is, is decided by facts: the format of the
//! repository, its index, the attributes of the changed files, how deep its folders are.
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
mod ids;
mod library;
mod list;
mod locked;
pub mod mode;
mod now;
mod patch;
mod pathspec;
mod posix;
mod program;
mod renames;
mod repo;
mod revisions;
pub mod scope;
mod smudge;
mod stage;
mod staged;
mod version;

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use bstr::{BString, ByteSlice};
use git2::ErrorCode;

use library::Library;
use pathspec::Pathspec;
use program::Program;

pub use changes::Changes;
pub use patch::{FilePatch, carried_lines, text_patch};
pub use renames::{LooseFile, pair_files};
pub use repo::{Conversion, Unconverted};
pub use scope::{Scope, ScopeOptions};
pub use stage::{Entry, Stored, Swap};
pub use version::Version;

use crate::error::Error;
use crate::skeleton::Facts;

/// An open repository.
pub struct Repo {
    engine: Engine,
    /// Where it was looked for.
    dir: PathBuf,
    /// The `git` program here, once somebody asked; for what libgit2 cannot do.
    program: OnceCell<Option<Program>>,
    /// Whether programs that the configuration names for the content of files may be run.
    filters: bool,
}

/// What reads the repository.
enum Engine {
    /// libgit2.
    Library(Box<Library>),
    /// The `git` program: libgit2 does not know this kind of repository.
    Program(Box<Program>),
}

impl std::fmt::Debug for Repo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Repo").field("git_dir", &self.git_dir()).finish()
    }
}

impl Repo {
    /// Open the repository that `dir` is in. `GIT_DIR`, `GIT_WORK_TREE`, `GIT_CEILING_DIRECTORIES` and
    /// `GIT_INDEX_FILE` mean what they mean to git. Kinds that libgit2 does not know (SHA-256, reftable) are read by the
    /// `git` program.
    ///
    /// # Errors
    /// When there is none, or none that can be opened.
    pub fn discover(dir: &Path) -> Result<Self, Error> {
        let engine = match Library::discover(dir) {
            Ok(library) => Engine::Library(Box::new(library)),
            // What git refuses for its owner, it refuses here too.
            Err(Error::OpenRepository { dir, source }) if source.code() != ErrorCode::Owner => {
                match Program::discover(&dir) {
                    Some(program) => Engine::Program(Box::new(program)),
                    None => return Err(Error::OpenRepository { dir, source }),
                }
            }
            Err(error) => return Err(error),
        };
        Ok(Self { engine, dir: dir.into(), program: OnceCell::new(), filters: false })
    }

    /// The same repository, which may run the programs that the configuration names as filters, as git does: to compare
    /// files, and where a person has one brought back on disk.
    #[must_use]
    pub fn with_filters(mut self, allowed: bool) -> Self {
        self.filters = allowed;
        self
    }

    /// Whether it may run them.
    #[must_use]
    pub fn runs_filters(&self) -> bool {
        self.filters
    }

    /// The `git` program for this repository; `None` where there is none.
    fn program(&self) -> Option<&Program> {
        match &self.engine {
            Engine::Program(program) => Some(program),
            Engine::Library(_) => self.program.get_or_init(|| Program::discover(&self.dir)).as_ref(),
        }
    }

    /// The top of the working tree; `None` in a bare repository.
    #[must_use]
    pub fn workdir(&self) -> Option<&Path> {
        match &self.engine {
            Engine::Library(library) => library.workdir(),
            Engine::Program(program) => program.workdir(),
        }
    }

    /// The repository's own folder, of a linked working tree that one's.
    #[must_use]
    pub fn git_dir(&self) -> &Path {
        match &self.engine {
            Engine::Library(library) => library.git_dir(),
            Engine::Program(program) => program.git_dir(),
        }
    }

    /// The files that change when the index does, or HEAD, or what HEAD names.
    #[must_use]
    pub fn state_files(&self) -> Vec<PathBuf> {
        let index = std::env::var_os("GIT_INDEX_FILE").map(PathBuf::from);
        let names = ["HEAD", "logs/HEAD", "reftable/tables.list"].map(|name| self.git_dir().join(name));
        std::iter::once(index.unwrap_or_else(|| self.git_dir().join("index"))).chain(names).collect()
    }

    /// The folders that hold the files which the index knows, the top among them, as paths in the working tree; none where the
    /// index cannot be read.
    #[must_use]
    pub fn folders(&self) -> BTreeSet<PathBuf> {
        let folders = match &self.engine {
            Engine::Library(library) => library.folders(),
            Engine::Program(program) => program.folders(),
        };
        folders.iter().map(|folder| path_of(folder)).collect()
    }

    /// The whole id of the object that `name` names; `None` where none is known.
    #[must_use]
    pub fn id_of_name(&self, name: &str) -> Option<String> {
        match &self.engine {
            Engine::Library(library) => library.id_of_name(name),
            Engine::Program(program) => program.id_of_name(name),
        }
    }

    /// The commit in the history of `now`, a commit, that came in the place of the commit `was`: it has been amended, or
    /// rebased. `None` where it is part of that history itself, where there is none, or where only the `git` program reads
    /// the repository.
    #[must_use]
    pub fn rewritten(&self, was: &str, now: &str) -> Option<String> {
        match &self.engine {
            Engine::Library(library) => library.rewritten(was, now),
            Engine::Program(_) => None,
        }
    }

    /// The commit that the repository whose working tree is `folder` is at: that of a submodule. `None` where there is none.
    #[must_use]
    pub fn commit_at(folder: &Path) -> Option<String> {
        let own = Self::discover(folder).ok()?;
        let is_it = own.workdir()?.canonicalize().ok()? == folder.canonicalize().ok()?;
        if is_it { own.id_of_name("HEAD") } else { None }
    }

    /// The content of the blob that `id`, whole or its beginning, names; `None` where none is known.
    #[must_use]
    pub fn blob_of_name(&self, id: &str) -> Option<Vec<u8>> {
        let is_id = id.len() >= 4 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        match &self.engine {
            Engine::Library(library) if is_id => library.blob_of_name(id),
            _ => None,
        }
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
        match &self.engine {
            Engine::Library(library) => library.branch_name(),
            Engine::Program(program) => program.branch_name(),
        }
    }

    /// `user.name` of the configuration.
    #[must_use]
    pub fn author_name(&self) -> Option<String> {
        match &self.engine {
            Engine::Library(library) => library.author_name(),
            Engine::Program(program) => program.config("user.name"),
        }
    }

    /// `owner/name` from the address of the remote `origin`; never a user name, a password or a host.
    #[must_use]
    pub fn origin_name(&self) -> Option<String> {
        let url = match &self.engine {
            Engine::Library(library) => library.origin_url(),
            Engine::Program(program) => program.config("remote.origin.url"),
        };
        owner_and_name(&url?)
    }

    /// What the head of a new review of `changes` says, as far as the repository knows: no date, no checks.
    #[must_use]
    pub fn facts(&self, changes: &Changes) -> Facts {
        Facts { author: self.author_name(), repo: self.origin_name(), ..changes.facts() }
    }

    /// `spec`, a pathspec that counts from `cwd`, as one that counts from the top.
    ///
    /// # Errors
    /// When it points outside the working tree, or has magic that is not understood.
    pub fn pathspec(&self, cwd: &Path, spec: &[u8]) -> Result<BString, Error> {
        Pathspec::from_folder(spec, &self.path_in_repo(cwd, Path::new("."))?)
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

/// The folders of files with these paths, all above them included.
fn folders<'a>(paths: impl Iterator<Item = &'a [u8]>) -> BTreeSet<BString> {
    let mut folders = BTreeSet::from([BString::default()]);
    for path in paths {
        let ends = path.rfind_iter(b"/");
        // What is above a known folder is known.
        let _ = ends.take_while(|end| folders.insert(path[..*end].into())).count();
    }
    folders
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
