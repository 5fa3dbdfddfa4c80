//! What a person has set up for all repositories: files of one folder, every one of them optional. And where the program
//! may keep what outlives a run.

use std::fs;
use std::io;
use std::path::PathBuf;

use crate::error::Error;

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

/// The text of the file `name` in that folder; `None` when there is none.
///
/// # Errors
/// When it is there, and cannot be read or is not UTF-8.
pub fn read(name: &str) -> Result<Option<String>, Error> {
    let Some(path) = folder().map(|folder| folder.join(name)) else { return Ok(None) };
    match fs::read_to_string(&path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(source) => Err(Error::ReadFile { path, source }),
    }
}
