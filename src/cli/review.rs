//! Reviews that commands read: named on the command line, or standard input.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use bytes::Bytes;

use crate::document::Document;
use crate::error::Error;
use crate::git::Repo;
use crate::store;
use crate::text::counted::counted;

/// A review and what it is called.
pub(super) struct Review {
    /// The path as it was given, for a person.
    pub(super) name: String,
    /// The whole text.
    pub(super) text: Bytes,
    /// Its reading.
    pub(super) document: Document,
}

impl Review {
    /// Read the file at `path`, or standard input where that is `-`.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn read(path: &Path) -> Result<Self, Error> {
        let text = if is_standard_stream(path) { standard_input()? } else { store::read(path)? };
        let name = if is_standard_stream(path) { "(standard input)".into() } else { path.display().to_string() };
        Ok(Self { name, document: Document::parse(text.clone()), text })
    }

    /// Read those of `paths` that can be read, in order, each with its path; and say whether that was all of them.
    ///
    /// # Errors
    /// Beside the reviews: the first one that cannot be read.
    pub(super) fn read_each(paths: &[PathBuf]) -> (Vec<(&Path, Self)>, Result<(), Error>) {
        let (mut reviews, mut outcome) = (Vec::new(), Ok(()));
        for path in paths {
            match Self::read(path) {
                Ok(review) => reviews.push((path.as_path(), review)),
                Err(error) => outcome = outcome.and(Err(error)),
            }
        }
        (reviews, outcome)
    }

    /// Read all of `paths`, in order.
    ///
    /// # Errors
    /// The first one that cannot be read.
    pub(super) fn read_all(paths: &[PathBuf]) -> Result<Vec<Self>, Error> {
        paths.iter().map(|path| Self::read(path)).collect()
    }
}

/// The repository that the review at `path` is about: the one that its file is in, else the one around the folder `cwd`;
/// `None` where there is neither.
///
/// # Errors
/// When there is one that cannot be opened.
pub(super) fn repository(path: &Path, cwd: &Path) -> Result<Option<Repo>, Error> {
    let own = path.parent().filter(|_| !is_standard_stream(path)).map(|folder| cwd.join(folder));
    for folder in own.iter().map(PathBuf::as_path).chain([cwd]) {
        match Repo::discover(folder) {
            Ok(repo) => return Ok(Some(repo)),
            Err(Error::NotARepository { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// That so many files have changed since the review at `path` was written.
pub(super) fn changed_since(files: usize, path: &Path) -> String {
    let have = if files == 1 { "has" } else { "have" };
    let files = counted(files, "file");
    format!("{files} {have} changed since {} was written", path.display())
}

/// Whether `path` stands for standard input, or output where something is written.
pub(super) fn is_standard_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// All of standard input.
///
/// # Errors
/// When it cannot be read, or is 4 GiB or longer.
pub(super) fn standard_input() -> Result<Bytes, Error> {
    let mut text = Vec::new();
    let limit = u64::from(u32::MAX);
    io::stdin().lock().take(limit).read_to_end(&mut text).map_err(|source| Error::ReadInput { source })?;
    if text.len() as u64 >= limit {
        return Err(Error::TooLarge { path: "standard input".into(), bytes: limit });
    }
    Ok(text.into())
}
