//! What git stores of a file on disk, and what it writes to disk of a file that it stores.
//!
//! Where line ends, `$Id$`, an encoding or a filter make the two differ, it is the `git` program that converts: libgit2
//! knows one of the ways only, and no filters. Those run where the person allows them, and nowhere else.

use bstr::{BStr, ByteSlice as _};
use bytes::Bytes;
use git2::{ObjectType, Oid};

use super::content::Stored as Found;
use super::{Engine, Entry, Repo, Stored, mode};
use crate::error::Error;

/// Between disk and repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// From disk (clean).
    In,
    /// To disk (smudge).
    Out,
}

impl Repo {
    /// What git would store at `path` of what is on disk there: the bytes `on_disk`, of a link its target, of a submodule
    /// the id of its commit; and of which mode that is.
    ///
    /// # Errors
    /// When it takes a program that may not run, or is not there; or when it cannot be read.
    pub fn cleaned(&self, path: &BStr, on_disk: &Bytes, mode: u32) -> Result<Entry, Error> {
        let content = if mode::is_file(mode) { self.converted(path, on_disk, Way::In)? } else { on_disk.clone() };
        let mode = if mode::is_file(mode) && !self.trusts_modes() {
            // What is on disk says nothing about it.
            self.entry(path)?.map_or(mode::FILE, |entry| entry.file.mode)
        } else {
            mode
        };
        let id = match &self.engine {
            _ if mode == mode::SUBMODULE => content.to_str_lossy().into_owned(),
            Engine::Program(program) => program.id_of_blob(&content)?,
            Engine::Library(_) => {
                let id = Oid::hash_object(ObjectType::Blob, &content);
                id.map_err(|source| Error::CompareFile { path: path.into(), source })?.to_string()
            }
        };
        Ok(Entry { id, file: Stored { content, mode, ..Stored::default() } })
    }

    /// What git would write to disk at `path` of a file that it stores as `content`.
    ///
    /// # Errors
    /// When it takes a program that may not run, or is not there.
    pub fn smudged(&self, path: &BStr, content: &Bytes) -> Result<Bytes, Error> {
        self.converted(path, content, Way::Out)
    }

    fn converted(&self, path: &BStr, content: &Bytes, way: Way) -> Result<Bytes, Error> {
        let refused = |reason: &str| Error::CannotChange { path: path.into(), reason: reason.to_owned() };
        let (key, foreign) = match way {
            Way::In => ("clean", "git stores it as a program makes it that was not run (--run-filters runs it)"),
            Way::Out => ("smudge", "a program makes it on the way to disk that was not run (--run-filters runs it)"),
        };
        let has_filter = match &self.engine {
            Engine::Library(library) => library.has_filter_for(path, &[key, "process"]),
            Engine::Program(program) => program.has_filter(path),
        };
        if has_filter && !self.filters {
            return Err(refused(foreign));
        }
        let library = match &self.engine {
            Engine::Library(library) => Some(library),
            Engine::Program(_) => None,
        };
        let is_beyond = has_filter || library.is_some_and(|library| library.is_encoded(path));
        if let Some(library) = library
            && !is_beyond
            && !library.is_filtered(path)
        {
            return Ok(content.clone());
        }
        match (self.program(), library) {
            (Some(program), _) => program.converted(path, content, way, self.filters),
            (None, Some(library)) if way == Way::In && !is_beyond => match library.stored(path, mode::FILE)? {
                Found::Bytes(bytes) => Ok(bytes.into()),
                Found::Opaque(_) => Ok(content.clone()),
            },
            _ => Err(refused("git converts it between disk and repository, which takes a `git` program on PATH")),
        }
    }

    /// Whether modes on disk say whether a file can be run (`core.fileMode`).
    fn trusts_modes(&self) -> bool {
        const KEY: &str = "core.fileMode";
        let configured = match &self.engine {
            Engine::Library(library) => library.raw.config().and_then(|config| config.get_bool(KEY)).ok(),
            Engine::Program(program) => program.config(KEY).map(|value| value != "false"),
        };
        cfg!(unix) && configured.unwrap_or(true)
    }
}
