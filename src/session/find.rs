//! The sessions of one work tree, and which of them is meant.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::spool::{Spool, chance};
use super::state::State;
use super::{Refusal, is_id, listing, new_id};
use crate::clock;
use crate::store::private;
use crate::text::hash::sha256;

/// The name of the folder of sessions in a git folder, or in that of what outlives a run.
const FOLDER: &str = "whymark";
/// How many characters of a hash name the folder of sessions of a folder without git.
const HASH: usize = 16;

/// The sessions of one work tree.
#[derive(Debug, Clone)]
pub struct Store {
    folder: PathBuf,
    /// The folder of second inboxes.
    second: Option<PathBuf>,
}

/// The session that is meant.
#[derive(Debug)]
pub struct Found {
    /// Its folder.
    pub spool: Spool,
    /// What is there.
    pub state: State,
    /// What a command has to be given to mean this session again: nothing, or a blank and its name.
    pub suffix: String,
}

impl Store {
    /// Those of the work tree with this git folder; without one those of `dir`, below the folder of what outlives a run.
    ///
    /// # Errors
    /// When there is neither.
    pub fn of(git_dir: Option<&Path>, dir: &Path, state_folder: Option<&Path>) -> Result<Self, Refusal> {
        let folder = match (git_dir, state_folder) {
            (Some(git_dir), _) => git_dir.join(FOLDER),
            (None, Some(state_folder)) => {
                let real = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
                state_folder.join(&sha256(real.as_os_str().as_encoded_bytes())[..HASH])
            }
            (None, None) => return Err(Refusal::NoPlace),
        };
        Ok(Self { folder, second: second() })
    }

    /// The same with second inboxes below `folder`, and not where both sides look for them as a rule.
    #[must_use]
    pub fn with_second(self, folder: PathBuf) -> Self {
        Self { second: Some(folder), ..self }
    }

    /// The session with this id, whether it is there or not.
    #[must_use]
    pub fn spool(&self, id: &str) -> Spool {
        Spool::new(id, self.folder.join(id), self.second.as_ref().map(|second| second.join(id)))
    }

    /// All that are there, the one that was used last first.
    ///
    /// # Errors
    /// When something is not private, or cannot be read.
    pub fn sessions(&self) -> Result<Vec<(Spool, State)>, Refusal> {
        let mut found = Vec::new();
        if private::folder(&self.folder)? {
            let failed = |source| Refusal::CannotRead { path: self.folder.clone(), source };
            for entry in fs::read_dir(&self.folder).map_err(failed)? {
                let entry = entry.map_err(failed)?;
                let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
                let name = entry.file_name();
                let Some(id) = name.to_str().filter(|name| is_id(name) && !is_file) else { continue };
                let spool = self.spool(id);
                match spool.state() {
                    // It was taken away meanwhile.
                    _ if !spool.folder().exists() && !spool.folder().is_symlink() => {}
                    state => found.push((spool, state?)),
                }
            }
        }
        found.sort_by(|(_, one), (_, other)| (other.used, &other.id).cmp(&(one.used, &one.id)));
        Ok(found)
    }

    /// The one that is meant: with the name or label `wanted`, else the live one, else the one used last; `None` when there
    /// is none at all.
    ///
    /// # Errors
    /// When nothing has that name, or several are live, or what is there cannot be used.
    pub fn find(&self, wanted: Option<&str>) -> Result<Option<Found>, Refusal> {
        let Some(wanted) = wanted else {
            let sessions = self.sessions()?;
            return Ok(the_one(sessions)?.map(|(spool, state)| Found { spool, state, suffix: String::new() }));
        };
        self.named(wanted)?
            .map_or_else(|| Err(Refusal::NoSuchSession { name: wanted.to_owned() }), |found| Ok(Some(found)))
    }

    /// The one with this name or label.
    ///
    /// # Errors
    /// When what is there cannot be used.
    pub fn named(&self, wanted: &str) -> Result<Option<Found>, Refusal> {
        let found = |(spool, state): (Spool, State)| {
            let suffix = format!(" {}", state.id);
            Found { spool, state, suffix }
        };
        if is_id(wanted) && private::folder(&self.folder)? {
            let spool = self.spool(wanted);
            if private::folder(spool.folder())? {
                let state = spool.state()?;
                return Ok(Some(found((spool, state))));
            }
        }
        let mut labelled = self.sessions()?.into_iter().filter(|(_, state)| state.label == wanted);
        let first = labelled.next();
        Ok(first.filter(|_| labelled.next().is_none()).map(found))
    }

    /// The session that `start` means, and whether it was made: one that has not ended, else a new one.
    ///
    /// # Errors
    /// When the one that is named has ended or cannot be, several are live, or it cannot be made.
    pub fn start(&self, wanted: Option<&str>) -> Result<Found, Refusal> {
        let known = match wanted {
            Some(wanted) => self.named(wanted)?,
            None => {
                let open = self.sessions()?.into_iter().filter(|(_, state)| state.ended.is_none()).collect();
                the_one(open)?.map(|(spool, state)| Found { spool, state, suffix: String::new() })
            }
        };
        match (known, wanted) {
            (Some(found), Some(name)) if found.state.ended.is_some() => {
                Err(Refusal::HasEnded { name: name.to_owned() })
            }
            (Some(found), _) => Ok(found),
            (None, Some(name)) if !is_id(name) => Err(Refusal::NotAnId { name: name.to_owned() }),
            (None, wanted) => {
                let spool = self.create(wanted)?;
                let suffix = wanted.map_or_else(String::new, |name| format!(" {name}"));
                Ok(Found { state: spool.state()?, spool, suffix })
            }
        }
    }

    /// Make a session with this name, else with one of its own.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn create(&self, id: Option<&str>) -> Result<Spool, Refusal> {
        let new = || {
            let [high, low, ..] = chance().to_be_bytes();
            self.spool(&new_id(&clock::now(), u16::from_be_bytes([high, low])))
        };
        let spool = id.map_or_else(new, |id| self.spool(id));
        spool.make()?;
        Ok(spool)
    }

    /// Take away the sessions that have ended, whose rounds are answered and in which nothing waits to be sent, and that
    /// nobody has used for `age`; how many they were.
    ///
    /// # Errors
    /// When one cannot be read or removed.
    pub fn clean(&self, age: Duration) -> Result<usize, Refusal> {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let mut count = 0;
        for (spool, state) in self.sessions()? {
            let is_old = now.as_nanos().saturating_sub(state.used) >= age.as_nanos();
            if state.ended.is_some() && !state.is_live() && is_old && !spool.has_draft() {
                spool.discard()?;
                count += 1;
            }
        }
        Ok(count)
    }
}

/// The live one of `sessions`, which stand in the order of their use, else the one used last.
fn the_one(sessions: Vec<(Spool, State)>) -> Result<Option<(Spool, State)>, Refusal> {
    let live: Vec<&State> = sessions.iter().map(|(_, state)| state).filter(|state| state.is_live()).collect();
    if let [first, _, ..] = live[..] {
        let first = first.id.clone();
        return Err(Refusal::SeveralSessions { table: listing(live.iter().copied()), first });
    }
    let index = sessions.iter().position(|(_, state)| state.is_live()).unwrap_or(0);
    Ok(sessions.into_iter().nth(index))
}

/// Where agents find a second inbox: the same for both sides, whatever their environments say.
#[cfg(unix)]
fn second() -> Option<PathBuf> {
    let name = format!("whymark-{}", rustix::process::geteuid().as_raw());
    #[cfg(debug_assertions)]
    if let Some(folder) = std::env::var_os("WHYMARK_TEST_TMP") {
        return Some(PathBuf::from(folder).join(name));
    }
    Some(Path::new("/tmp").join(name))
}

#[cfg(not(unix))]
fn second() -> Option<PathBuf> {
    None
}
