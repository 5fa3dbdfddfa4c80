//! Why a command of the loop cannot be done, in the words that agents are told to expect.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::period::long;
use crate::error::{Error, io_reason};
use crate::queue::label;
use crate::store::private::{Fault, Refused};

/// The most bytes of a reply, or of a note.
pub(super) const MOST_TEXT: usize = 64 << 10;

/// Why a command cannot be done.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// Another poll has the lock; who, and for how long.
    #[error("another poll is waiting{}", .by.as_ref().map_or_else(String::new, |(name, long_)| format!(" ({name}, {})", long(*long_))))]
    AnotherPoll {
        /// As far as it is known.
        by: Option<(String, Duration)>,
    },
    /// A reviewer keeps the session.
    #[error("{who} does not let go of the session: `fg` there continues it, if it was stopped")]
    NotLetGo {
        /// Who it is.
        who: String,
    },
    /// Another poll has taken over.
    #[error("replaced by another poll")]
    Replaced,
    /// Nothing has this name.
    #[error("no session \"{}\"", label(.name))]
    NoSuchSession {
        /// The name.
        name: String,
    },
    /// Nobody said which.
    #[error("several sessions are open")]
    SeveralSessions {
        /// The live ones as a table.
        table: String,
        /// The one that was used last.
        first: String,
    },
    /// There is none.
    #[error("no session in this work tree")]
    NoSession,
    /// A round that there is not.
    #[error("round {round} was never sent{}", .newest.map_or_else(String::new, |newest| format!(", the newest is {newest}")))]
    NeverSent {
        /// Its number.
        round: u32,
        /// The newest that there is.
        newest: Option<u32>,
        /// The rest of a command that names the session.
        suffix: String,
    },
    /// A round that has to wait for another.
    #[error("round {round} is not handed out yet, round {first} comes first")]
    NotHandedOut {
        /// Its number.
        round: u32,
        /// The one before it.
        first: u32,
        /// The rest of a command that names the session.
        suffix: String,
    },
    /// There is no round whose notes could be spoken about.
    #[error("no round is out")]
    NoRoundOut {
        /// The rest of a command that names the session.
        suffix: String,
    },
    /// A row that there is not.
    #[error("round {round} has no row {row}, the last is {last}")]
    NoSuchRow {
        /// The round.
        round: u32,
        /// The row.
        row: usize,
        /// The last one.
        last: usize,
    },
    /// A reply that says nothing.
    #[error("the reply has no text")]
    NoText,
    /// A reply that is too long.
    #[error("the reply has {bytes} bytes, the limit is {MOST_TEXT}")]
    TooLong {
        /// How long it is.
        bytes: u64,
    },
    /// Nothing can be written.
    #[error("not saved, cannot write {}: {}", shown(.path), label(&io_reason(.source)))]
    NotSaved {
        /// The first place that was tried.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// It was ended.
    #[error("session \"{}\" has ended", label(.name))]
    HasEnded {
        /// Its name.
        name: String,
    },
    /// A name that no session can have.
    #[error("\"{}\" is not a session id", label(.name))]
    NotAnId {
        /// The name.
        name: String,
    },
    /// Others could have written or read what is there.
    #[error("unsafe store {}: {fault}", shown(.path))]
    Unsafe {
        /// Where.
        path: PathBuf,
        /// How.
        fault: Fault,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {}", shown(.path), label(&io_reason(.source)))]
    CannotRead {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// There is neither a repository nor a home to keep sessions in.
    #[error("there is no place to keep sessions: no repository, and no home folder")]
    NoPlace,
    /// Something else is in the way.
    #[error(transparent)]
    Other(#[from] Error),
}

impl Refusal {
    /// What to do about it, as lines.
    #[must_use]
    pub fn help(&self) -> String {
        let poll = |suffix: &str| format!("run `whymark poll{suffix}`");
        match self {
            Self::AnotherPoll { .. } => "add `--takeover` to replace that poll".into(),
            Self::NotLetGo { .. } => "leave that reviewer first".into(),
            Self::Replaced => "stop: another agent has this session now".into(),
            Self::NoSuchSession { .. } => "run `whymark sessions`".into(),
            Self::SeveralSessions { first, .. } => format!("name one, as in `whymark poll {first}`"),
            Self::NoSession => "ask the user to run `whymark tui`, or run `whymark start`".into(),
            Self::NeverSent { suffix, .. } | Self::NotHandedOut { suffix, .. } | Self::NoRoundOut { suffix } => {
                poll(suffix)
            }
            Self::NoSuchRow { .. } => "rows count from 0".into(),
            Self::NoText => "give it as TEXT, or on stdin with `--stdin`".into(),
            Self::TooLong { .. } => "shorten it".into(),
            Self::NotSaved { .. } => "tell the user; the reviewer can close the round".into(),
            Self::HasEnded { .. } => "run `whymark start` for a new one".into(),
            Self::NotAnId { .. } => "use 1 to 64 of A-Z a-z 0-9 . _ - and no leading dot".into(),
            Self::Unsafe { path, fault: Fault::FolderMode(_) } => format!("run `chmod 700 {}`", shown(path)),
            Self::Unsafe { path, fault: Fault::FileMode(_) } => format!("run `chmod 600 {}`", shown(path)),
            Self::Unsafe { .. } => "move it away".into(),
            Self::CannotRead { .. } => "mend it or move it away; nothing was changed".into(),
            Self::NoPlace => "set `XDG_STATE_HOME` to a folder of yours".into(),
            Self::Other(error) => error.hint().unwrap_or("tell the user").into(),
        }
    }

    /// The exit code: 1 when the state of the session forbids it, 2 when it could not be done.
    #[must_use]
    pub fn code(&self) -> u8 {
        match self {
            Self::NoText
            | Self::TooLong { .. }
            | Self::NotSaved { .. }
            | Self::NotAnId { .. }
            | Self::Unsafe { .. }
            | Self::CannotRead { .. }
            | Self::NoPlace
            | Self::Other(_) => 2,
            _ => 1,
        }
    }

    /// All that is written to standard error.
    #[must_use]
    pub fn report(&self) -> String {
        let table = if let Self::SeveralSessions { table, .. } = self { table } else { "" };
        format!("error: {self}\n{table}help[1]:\n  {}\n", self.help())
    }
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Unsafe { path, fault } => Self::Unsafe { path, fault },
            Refused::Io { path, source } => Self::CannotRead { path, source },
        }
    }
}

/// A path as text in one line.
fn shown(path: &Path) -> String {
    label(&path.to_string_lossy())
}
