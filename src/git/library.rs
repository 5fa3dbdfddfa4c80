//! A repository as libgit2 opens it.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Once};

use bstr::{BString, ByteSlice};
use git2::{ErrorCode, Repository, RepositoryOpenFlags};

use super::abbrev::Abbreviation;
use super::driver::Driver;

use crate::error::Error;

/// Loose objects in memory answer before those on disk: libgit2 asks its stores by falling priority.
const IN_MEMORY_FIRST: i32 = 1000;
/// Objects are not hashed again when they are read, as git does not either: what holds them has checksums of its own.
static UNHASHED: Once = Once::new();

/// A repository that libgit2 reads.
pub(super) struct Library {
    pub(super) raw: Repository,
    /// Where it was looked for.
    pub(super) dir: PathBuf,
    pub(super) known: Box<Known>,
}

/// What was found out so far, because somebody asked.
#[derive(Default)]
pub(super) struct Known {
    /// What ids are abbreviated by.
    pub(super) abbreviation: OnceCell<Abbreviation>,
    /// Whether line ends are converted everywhere.
    pub(super) autocrlf: OnceCell<bool>,
    /// The diff drivers, by name.
    pub(super) drivers: RefCell<HashMap<BString, Arc<Driver>>>,
    /// Whether there are attributes for any path.
    pub(super) attributes: OnceCell<bool>,
    /// Whether there are attributes for the files of a folder.
    pub(super) attributes_in: RefCell<HashMap<BString, bool>>,
}

impl Library {
    /// Open the repository that `dir` is in. `GIT_DIR`, `GIT_WORK_TREE`, `GIT_CEILING_DIRECTORIES` and
    /// `GIT_INDEX_FILE` mean what they mean to git.
    ///
    /// # Errors
    /// When there is none, or none that libgit2 can open.
    pub(super) fn discover(dir: &Path) -> Result<Self, Error> {
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
    pub(super) fn workdir(&self) -> Option<&Path> {
        self.raw.workdir()
    }

    /// The repository's own folder, of a linked working tree that one's.
    pub(super) fn git_dir(&self) -> &Path {
        self.raw.path()
    }

    /// Where paths in documents count from: the working tree, or the repository's own folder when it is bare.
    pub(super) fn root(&self) -> &Path {
        self.workdir().unwrap_or_else(|| self.git_dir())
    }

    /// Whether the index, which attributes are looked up in whatever is compared, can be read.
    pub(super) fn reads_index(&self) -> bool {
        self.workdir().is_none() || self.raw.index().is_ok()
    }

    /// The branch that is checked out, also before its first commit; on a detached HEAD the abbreviated commit.
    ///
    /// # Errors
    /// When HEAD cannot be read.
    pub(super) fn branch_name(&self) -> Result<String, Error> {
        let read = |source| Error::ReadHead { source };
        if let Some(branch) = self.symbolic_head()? {
            return Ok(branch);
        }
        let commit = self.raw.head().and_then(|head| head.peel_to_commit()).map_err(read)?;
        Ok(self.abbreviated(commit.id()))
    }

    /// The branch that HEAD names, `None` when it names a commit.
    pub(super) fn symbolic_head(&self) -> Result<Option<String>, Error> {
        let head = self.raw.find_reference("HEAD").map_err(|source| Error::ReadHead { source })?;
        let target = head.symbolic_target_bytes().map(|name| name.strip_prefix(b"refs/heads/").unwrap_or(name));
        Ok(target.map(|name| name.to_str_lossy().into_owned()))
    }

    /// The folders of what the index knows.
    pub(super) fn folders(&self) -> BTreeSet<BString> {
        let index = self.raw.index().ok();
        let entries: Vec<Vec<u8>> = index.iter().flat_map(|index| index.iter().map(|entry| entry.path)).collect();
        super::folders(entries.iter().map(Vec::as_slice))
    }

    /// The whole id of the object that `name` names.
    pub(super) fn id_of_name(&self, name: &str) -> Option<String> {
        Some(self.raw.revparse_single(name).ok()?.id().to_string())
    }

    /// The content of the blob that `id`, whole or its beginning, names.
    pub(super) fn blob_of_name(&self, id: &str) -> Option<Vec<u8>> {
        Some(self.raw.revparse_single(id).ok()?.into_blob().ok()?.content().to_vec())
    }

    /// `user.name` of the configuration.
    pub(super) fn author_name(&self) -> Option<String> {
        let config = self.raw.config().and_then(|mut config| config.snapshot()).ok()?;
        let name = config.get_bytes("user.name").ok()?.to_str_lossy().trim().to_owned();
        (!name.is_empty()).then_some(name)
    }

    /// The address of the remote `origin`.
    pub(super) fn origin_url(&self) -> Option<String> {
        let remote = self.raw.find_remote("origin").ok()?;
        Some(remote.url_bytes().to_str_lossy().into_owned())
    }
}
