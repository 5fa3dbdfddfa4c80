//! Who answers: libgit2, or the `git` program where libgit2 cannot, or would say something else than git.

use std::fmt;

use bstr::{BStr, BString, ByteSlice as _};

use super::{Changes, Engine, FilePatch, Library, Repo, Scope, ScopeOptions};
use crate::document::FileStatus;
use crate::document::check::{Content, Current, Repository};
use crate::error::Error;

/// How git makes of a file on disk what it stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conversion {
    /// By a program that the configuration names, which nobody has allowed.
    Filter,
    /// From another encoding, for which it takes the `git` program.
    Encoding,
}

/// A file whose bytes on disk were compared as they are, although git converts them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unconverted {
    /// Its path.
    pub path: BString,
    /// What was not done.
    pub by: Conversion,
}

impl fmt::Display for Unconverted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = &self.path;
        match self.by {
            Conversion::Filter => write!(
                f,
                "git stores {path} as a filter program makes it, which was not run; its lines are those on disk \
                 (--run-filters runs it, where there is a `git` program)"
            ),
            Conversion::Encoding => write!(
                f,
                "git stores {path} in another encoding, which takes a `git` program on PATH; its lines are those on disk"
            ),
        }
    }
}

impl Repo {
    /// What changed in `scope`: names, statuses, modes and ids; of repositories that libgit2 reads without a look at
    /// lines.
    ///
    /// # Errors
    /// When a revision names no commit, the scope needs a working tree that is not there, or git's data cannot be read.
    pub fn changes(&self, scope: &Scope, options: &ScopeOptions) -> Result<Changes, Error> {
        let library = match &self.engine {
            Engine::Program(program) => return program.changes(scope, options, self.filters),
            Engine::Library(library) => library,
        };
        let found = library.changes(scope, options);
        let is_beyond = match &found {
            Ok(changes) => !library.reads_index() || self.is_beyond(library, changes),
            Err(error) => is_limit(error),
        };
        let program = if is_beyond { self.program() } else { None };
        match program.map(|program| program.changes(scope, options, self.filters)) {
            Some(Ok(changes)) => Ok(changes),
            // What libgit2 found is another diff than the one that was asked for.
            Some(Err(error)) if self.filters => Err(error),
            Some(Err(_)) | None => found,
        }
    }

    /// What is not committed yet: the working tree against HEAD; when that is empty, what is staged.
    ///
    /// # Errors
    /// As [`Repo::changes`].
    pub fn uncommitted(&self, options: &ScopeOptions) -> Result<Changes, Error> {
        let worktree = self.changes(&Scope::Worktree, options)?;
        if !worktree.files().is_empty() {
            return Ok(worktree);
        }
        let staged = self.changes(&Scope::Staged, options)?;
        Ok(if staged.files().is_empty() { worktree } else { staged })
    }

    /// Whether git would say something else about one of the files than libgit2 does.
    fn is_beyond(&self, library: &Library, changes: &Changes) -> bool {
        let is_converted = |path: &BStr| library.is_encoded(path) || self.filters && library.has_filter(path);
        let on_disk = matches!(changes.scope(), Scope::Unstaged | Scope::Worktree);
        on_disk && changes.files().iter().any(|file| is_converted(file.path.as_bstr()))
    }

    /// The files of `changes` whose bytes on disk were compared as they are, although git converts them.
    #[must_use]
    pub fn unconverted(&self, changes: &Changes) -> Vec<Unconverted> {
        if !matches!(changes.scope(), Scope::Unstaged | Scope::Worktree) {
            return Vec::new();
        }
        match &self.engine {
            Engine::Library(library) if changes.known().is_none() => library.unconverted(changes),
            _ if self.filters => Vec::new(),
            _ => {
                let there = changes.files().iter().filter(|file| file.status != FileStatus::Deleted);
                let paths = self.program().map(|program| program.filtered(there.map(|file| file.path.as_bstr())));
                let unconverted = |path| Unconverted { path, by: Conversion::Filter };
                paths.unwrap_or_default().into_iter().map(unconverted).collect()
            }
        }
    }

    /// The lines of the file at `index` of [`Changes::files`], its ids abbreviated as git does, and whether it is
    /// binary.
    ///
    /// # Errors
    /// When a side cannot be read: the file has gone, or an object is missing.
    ///
    /// # Panics
    /// When there is no such file.
    pub fn patch(&self, changes: &Changes, index: usize) -> Result<FilePatch, Error> {
        match changes.known() {
            Some(known) => Ok(known[index].clone()),
            None => self.library().patch(changes, index),
        }
    }

    /// What `make` makes of each file's patch, in order, on as many threads as there are processors.
    ///
    /// # Errors
    /// The first one, in order of the files.
    pub fn map_patches<T: Send>(
        &self,
        changes: &Changes,
        make: impl Fn(FilePatch) -> T + Sync,
    ) -> Result<Vec<T>, Error> {
        self.map_patches_until(changes, || false, make)
    }

    /// The same, given up as soon as `is_over` says so: then some are missing.
    ///
    /// # Errors
    /// The first one, in order of the files.
    pub fn map_patches_until<T: Send>(
        &self,
        changes: &Changes,
        is_over: impl Fn() -> bool + Sync,
        make: impl Fn(FilePatch) -> T + Sync,
    ) -> Result<Vec<T>, Error> {
        match changes.known() {
            Some(known) => Ok(known.iter().cloned().map(make).collect()),
            None => self.library().map_patches(changes, is_over, make),
        }
    }

    /// The blob id of the new side of the file at `index`, as git would store it; `None` for one that went, or of which a
    /// patch does not say it. No line is compared for it.
    ///
    /// # Errors
    /// When the file cannot be read.
    ///
    /// # Panics
    /// When there is no such file.
    pub fn new_id(&self, changes: &Changes, index: usize) -> Result<Option<String>, Error> {
        match changes.known() {
            Some(known) => Ok(known[index].change.new_id.clone()),
            None => self.library().new_id(changes, index),
        }
    }
}

impl Repository for Repo {
    fn current(&self, path: &BStr) -> Option<Current> {
        let library = match &self.engine {
            Engine::Program(program) => return program.current(path, self.filters),
            Engine::Library(library) => library,
        };
        let is_filtered = library.has_filter(path);
        if is_filtered && !self.filters {
            return None;
        }
        let needs_program = library.is_encoded(path) || is_filtered;
        match if needs_program { self.program() } else { None } {
            Some(program) => program.current(path, self.filters),
            None => library.current(path),
        }
    }

    fn recorded(&self, base: &str, path: &BStr) -> Option<String> {
        match &self.engine {
            Engine::Library(library) => library.recorded(base, path).or_else(|| self.recorded_beyond(base, path)),
            Engine::Program(program) => program.recorded(base, path),
        }
    }

    fn content(&self, at: Option<&str>, path: &BStr) -> Content {
        match &self.engine {
            Engine::Library(library) => library.content(at, path),
            Engine::Program(program) => program.content(at, path),
        }
    }

    fn has_commit(&self, id: &str) -> bool {
        match &self.engine {
            Engine::Library(library) => library.has_commit(id),
            Engine::Program(program) => program.has_commit(id),
        }
    }
}

impl Repo {
    /// Who has listed changes whose lines are not known yet.
    fn library(&self) -> &Library {
        match &self.engine {
            Engine::Library(library) => library,
            Engine::Program(_) => unreachable!("what the program lists has its lines"),
        }
    }

    /// The id of `path` in an index that libgit2 cannot read.
    fn recorded_beyond(&self, base: &str, path: &BStr) -> Option<String> {
        let is_unread = base == "index" && !self.library().reads_index();
        if is_unread { self.program()?.recorded(base, path) } else { None }
    }
}

/// Whether `error` is one of libgit2 where git may know more. What is damaged is damaged for both, and git may take it for
/// empty.
fn is_limit(error: &Error) -> bool {
    match error {
        Error::ReadIndex { source } => source.message().contains("mandatory extension"),
        Error::ListChanges { .. } | Error::ReadObject { .. } | Error::ResolveRevision { .. } => true,
        _ => false,
    }
}
