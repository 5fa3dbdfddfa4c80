//! The folder of one session: all of its files read, the whole of it made and taken away. What is written there stands
//! apart: by agents in [`inbox`](super::inbox), by the reviewer in [`outbox`](super::outbox) and [`base`](super::base).

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::de::DeserializeOwned;

use super::Refusal;
use super::hold::{self, Hold, Waiting};
use super::inbox::IN;
use super::outbox::{ENDED, OUT, REVIEW, read_round};
pub use super::state::Files;
use super::state::State;
use crate::clock;
use crate::store::private::{self, Refused};

/// The most bytes of a file.
pub(super) const MOST: u64 = 1 << 20;
/// How long a poll tries to get its lock, since others look at it now and then.
const POLLING: Duration = Duration::from_millis(300);

/// The folder of a session. Nothing is read or written until it is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spool {
    id: String,
    pub(super) folder: PathBuf,
    /// The session's folder below `/tmp`, for agents that cannot write in the first.
    pub(super) second: Option<PathBuf>,
}

impl Spool {
    pub(super) fn new(id: &str, folder: PathBuf, second: Option<PathBuf>) -> Self {
        Self { id: id.to_owned(), folder, second }
    }

    /// The session's name.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The session's folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn at(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Make its folder, with an inbox and nothing else.
    ///
    /// # Errors
    /// When it cannot be made, or is not private.
    pub(super) fn make(&self) -> Result<(), Refusal> {
        let above = self.folder.parent().into_iter();
        for folder in above.chain([self.folder.as_path(), &self.at(IN)]) {
            private::make_folder(folder).map_err(not_saved)?;
        }
        Ok(())
    }

    /// What is there.
    ///
    /// # Errors
    /// When something is not private, or a file of the reviewer cannot be read.
    pub fn read(&self) -> Result<Files, Refusal> {
        private::folder(&self.folder)?;
        let out = self.at(OUT);
        let mut rounds = BTreeMap::new();
        if private::folder(&out)? {
            // What was renamed while the folder was listed is found the second time.
            for name in names(&out)?.into_iter().chain(names(&out)?) {
                read_round(&out, &name, &mut rounds)?;
            }
        }
        let waiting = hold::holder(&self.at(hold::POLL))?;
        Ok(Files {
            id: self.id.clone(),
            review: json(&self.at(REVIEW), MOST)?,
            rounds,
            events: self.events()?,
            has_ended: private::read(&self.at(ENDED), MOST)?.is_some(),
            is_held: hold::holder(&self.at(hold::REVIEWER))?.is_some(),
            waiting: waiting.as_deref().map(Waiting::of),
            used: [&self.folder, &out, &self.at(IN)].into_iter().map(|folder| written(folder)).max().unwrap_or(0),
        })
    }

    /// What that says.
    ///
    /// # Errors
    /// As [`Spool::read`].
    pub fn state(&self) -> Result<State, Refusal> {
        Ok(State::of(&self.read()?))
    }

    /// Be the poll that waits, trying for `patience`; `None` when there is another one.
    pub(super) fn wait_as(&self, agent: &str, patience: Option<Duration>) -> Result<Option<Hold>, Refusal> {
        let says = hold::waiting_line(agent, &clock::now());
        Ok(hold::take(&self.at(hold::POLL), patience.unwrap_or(POLLING), &says)?)
    }

    /// Take all of it away: first out of sight, in one step. Of the inbox in `/tmp` only what is of this session goes.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn discard(&self) -> Result<(), Refusal> {
        let number = number(&self.folder);
        let failed = |source| Refusal::NotSaved { path: self.folder.clone(), source };
        let hidden = self.folder.with_file_name(format!(".removed-{}-{number}", self.id));
        fs::rename(&self.folder, &hidden).map_err(failed)?;
        fs::remove_dir_all(&hidden).map_err(failed)?;
        if let Some(store) = self.folder.parent() {
            // Other sessions keep it.
            let _ = fs::remove_dir(store);
        }
        self.clear_second_inbox(number)
    }
}

/// The value in the file at `path`, if it is there, of `most` bytes.
pub(super) fn json<T: DeserializeOwned>(path: &Path, most: u64) -> Result<Option<T>, Refusal> {
    let Some(bytes) = private::read(path, most)? else { return Ok(None) };
    serde_json::from_slice(&bytes).map(Some).map_err(|fault| broken(path, &fault))
}

/// Bits that nobody else has.
pub(super) fn chance() -> u64 {
    use std::hash::{BuildHasher as _, RandomState};
    RandomState::new().hash_one((std::process::id(), SystemTime::now()))
}

/// The names in `folder` that are no hidden files.
pub(super) fn names(folder: &Path) -> Result<Vec<String>, Refusal> {
    let failed = |source| Refusal::CannotRead { path: folder.to_owned(), source };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        names.extend(name.to_str().filter(|name| !name.starts_with('.')).map(str::to_owned));
    }
    names.sort_unstable();
    Ok(names)
}

/// When something in `folder` was last changed, in nanoseconds.
fn written(folder: &Path) -> u128 {
    let written = fs::symlink_metadata(folder).and_then(|meta| meta.modified()).ok();
    written.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok()).map_or(0, |since| since.as_nanos())
}

/// The number of a folder on its disk, which it has wherever it is mounted.
pub(super) fn number(folder: &Path) -> u64 {
    #[cfg(unix)]
    let number = std::os::unix::fs::MetadataExt::ino;
    #[cfg(not(unix))]
    let number = |_: &fs::Metadata| 0;
    fs::symlink_metadata(folder).map_or(0, |meta| number(&meta))
}

pub(super) fn broken(path: &Path, fault: &serde_json::Error) -> Refusal {
    Refusal::CannotRead { path: path.to_owned(), source: io::Error::other(fault.to_string()) }
}

/// The same refusal, of something that was to be written.
pub(super) fn not_saved(refused: Refused) -> Refusal {
    match refused {
        Refused::Io { path, source } => Refusal::NotSaved { path, source },
        refused @ Refused::Unsafe { .. } => refused.into(),
    }
}
