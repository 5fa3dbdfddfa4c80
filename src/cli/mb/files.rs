//! The files that commands work on: found in folders, read, and written with the line ends that they have.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;

use super::Refusal;
use crate::cli::review::{is_standard_stream, standard_input};
use crate::cli::say;
use crate::error::Error;
use crate::git::Repo;
use crate::markback::{Checks, Folders, Markback, lint, sidecar};
use crate::store;

/// The files that `targets` name: folders stand for the Markback files in them (`deep`: in folders below, too), in order.
///
/// # Errors
/// When a folder cannot be listed.
pub(super) fn found(targets: &[PathBuf], deep: bool) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for target in targets {
        if !target.is_dir() {
            files.push(target.clone());
            continue;
        }
        let mut inner = Vec::new();
        let mut folders = vec![target.clone()];
        while let Some(folder) = folders.pop() {
            let failed = |source| Error::ReadFile { path: folder.clone(), source };
            for entry in fs::read_dir(&folder).map_err(failed)? {
                let entry = entry.map_err(failed)?;
                let path = entry.path();
                if entry.file_type().map_err(failed)?.is_dir() {
                    folders.extend(deep.then_some(path));
                } else if entry.file_name().as_encoded_bytes().ends_with(b".mb") && path.is_file() {
                    // Nobody typed this name, and it may be a link that leads away.
                    match store::inside(&path, target) {
                        Ok(_) => inner.push(path),
                        Err(error) => say(&format!("note: left out: {error}")),
                    }
                }
            }
        }
        inner.sort();
        files.append(&mut inner);
    }
    Ok(files)
}

/// The sidecar of the content file at `path`, version 1 included; `None` when there is none.
///
/// # Errors
/// When it is a link that leads away.
pub(super) fn sidecar_of(path: &Path) -> Result<Option<PathBuf>, Error> {
    let found = sidecar::candidates(path).into_iter().find(|candidate| candidate.is_file());
    found.map(|found| derived(&found).map(|_| found)).transpose()
}

/// The file that `path` leads to, a name that nobody typed: inside the repository, or where there is none, its folder.
///
/// # Errors
/// When it leads away from there.
pub(super) fn derived(path: &Path) -> Result<PathBuf, Error> {
    let repo = Repo::discover(folder_of(path)).ok();
    store::inside(path, &store::home(path, repo.as_ref().map(Repo::root)))
}

/// The name of the content file beside the Markback file at `path`, if that is a sidecar.
pub(super) fn content_name(path: &Path) -> Option<String> {
    let content = sidecar::content_of(path).filter(|content| content.is_file())?;
    Some(content.file_name()?.to_string_lossy().into_owned())
}

/// The bytes of the file at `path`, or of standard input where that is `-`.
///
/// # Errors
/// When it cannot be read.
pub(super) fn read(path: &Path) -> Result<Bytes, Error> {
    if is_standard_stream(path) { standard_input() } else { store::read(path) }
}

/// The Markback file at `path`, which must be without errors.
///
/// # Errors
/// When it cannot be read, or has errors.
pub(super) fn sound(path: &Path) -> Result<Markback, Refusal> {
    sound_text(path, read(path)?)
}

/// `text`, the Markback file at `path`, which must be without errors.
///
/// # Errors
/// When it has errors.
pub(super) fn sound_text(path: &Path, text: impl Into<Bytes>) -> Result<Markback, Refusal> {
    let file = Markback::parse(text);
    if lint(&file, Checks::default()).iter().any(|finding| finding.is_error()) {
        return Err(Refusal::HasErrors(path.to_owned()));
    }
    Ok(file)
}

/// Make `text` that of the file at `path`, in the line ends that it has.
///
/// # Errors
/// When it cannot be written.
pub(super) fn write(path: &Path, text: &str) -> Result<(), Error> {
    store::update(path, |existing| Ok::<_, Error>(ended_as(existing.unwrap_or_default(), text))).map(drop)
}

/// `text` with the line ends of `existing`: CRLF where it has any, the platform's where it is empty.
pub(super) fn ended_as(existing: &[u8], text: &str) -> String {
    let is_crlf = if existing.is_empty() { cfg!(windows) } else { memchr::memmem::find(existing, b"\r\n").is_some() };
    if is_crlf { text.replace('\n', "\r\n") } else { text.to_owned() }
}

/// The folder of the file at `path`.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// `path` as text with `/` that counts from the root.
///
/// # Errors
/// When the current folder is gone.
pub(super) fn absolute(path: &Path) -> Result<String, Error> {
    let absolute = std::path::absolute(path).map_err(|source| Error::ReadFile { path: path.into(), source })?;
    Ok(absolute.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/"))
}

/// Answers whether paths in documents are there, each asked about once.
pub(super) struct Existing<'a> {
    folder: &'a Path,
    known: Mutex<HashMap<String, bool>>,
}

impl<'a> Existing<'a> {
    /// Paths seen from `folder`.
    pub(super) fn from(folder: &'a Path) -> Self {
        Self { folder, known: Mutex::default() }
    }

    /// Whether `path` is there. Whatever the system says against it, a name that no system allows included, means no.
    pub(super) fn has(&self, path: &str) -> bool {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(exists) = known().get(path) {
            return *exists;
        }
        let exists = fs::metadata(self.folder.join(path)).is_ok();
        known().insert(path.to_owned(), exists);
        exists
    }
}

/// The file system, for globs.
pub(super) struct Disk;

impl Folders for Disk {
    fn names(&mut self, path: &str) -> Vec<String> {
        // What cannot be listed has nothing that could be covered; a name that is not UTF-8 cannot be written in a file.
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
    }

    fn has_file(&mut self, path: &str) -> bool {
        Path::new(path).is_file()
    }

    fn is_real_folder(&mut self, path: &str) -> bool {
        fs::symlink_metadata(path).is_ok_and(|meta| meta.is_dir())
    }
}
