//! What a person has set up for all repositories: files of one folder, every one of them optional. And where the program
//! may keep what outlives a run.

use std::fmt;
use std::fs;
use std::io;
use std::path::PathBuf;

use crate::error::Error;
use crate::store;
use crate::text::lines::{line_index, line_start};

/// Something in a file of a person's own that was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The line of the file, from 1.
    pub line: usize,
    /// The character of the line, from 1.
    pub column: usize,
    /// What is wrong, and what to do.
    pub message: String,
}

impl Problem {
    /// What is wrong at the byte at `offset` of `text`.
    #[must_use]
    pub fn at(text: &str, offset: usize, message: String) -> Self {
        let offset = text.floor_char_boundary(offset);
        let start = line_start(text.as_bytes(), offset);
        let column = text[start..offset].chars().count() + 1;
        Self { line: line_index(text.as_bytes(), offset) + 1, column, message }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

/// Where they are: `$XDG_CONFIG_HOME/whymark` on every system where that is set, else where the system keeps such files;
/// `None` when nobody is at home.
#[must_use]
pub fn folder() -> Option<PathBuf> {
    let stated = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let usual = || Some(directories::BaseDirs::new()?.config_dir().to_owned());
    Some(stated.or_else(usual)?.join("whymark"))
}

/// Where what outlives a run is kept for this person: `$XDG_STATE_HOME/whymark` on every system where that is set, else
/// where the system keeps such files; `None` when nobody is at home.
#[must_use]
pub fn state_folder() -> Option<PathBuf> {
    let stated = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let usual = || {
        let folders = directories::BaseDirs::new()?;
        Some(folders.state_dir().unwrap_or_else(|| folders.data_local_dir()).to_owned())
    };
    Some(stated.or_else(usual)?.join("whymark"))
}

/// The names, in order and without `.extension`, of the files in the folder `name` of that folder.
///
/// # Errors
/// When it is there and cannot be listed.
pub fn names(name: &str, extension: &str) -> Result<Vec<String>, Error> {
    let Some(path) = folder().map(|folder| folder.join(name)) else { return Ok(Vec::new()) };
    let listed = fs::read_dir(&path).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let entries = match listed {
        Ok(entries) => entries,
        Err(error) if is_absent(&error) => return Ok(Vec::new()),
        Err(source) => return Err(Error::ReadFile { path, source }),
    };
    let stem =
        |file: PathBuf| (file.extension()? == extension).then(|| Some(file.file_stem()?.to_str()?.to_owned()))?;
    let mut names: Vec<String> = entries.iter().filter_map(|entry| stem(entry.path())).collect();
    names.sort_unstable();
    Ok(names)
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// The text of the file `name` in that folder; `None` when there is none.
///
/// # Errors
/// When it is there, and cannot be read or is not UTF-8.
pub fn read(name: &str) -> Result<Option<String>, Error> {
    let Some(path) = folder().map(|folder| folder.join(name)) else { return Ok(None) };
    let Some(text) = store::read_if_exists(&path)? else { return Ok(None) };
    let not_text = |_| Error::ReadFile { path, source: io::Error::other("it is not UTF-8") };
    String::from_utf8(text.into()).map(Some).map_err(not_text)
}
