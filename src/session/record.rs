//! What the files of a session hold. All are JSON; keys that are not known are passed over.

use serde::{Deserialize, Serialize};

use crate::document::Side;
use crate::queue::Item;

/// Bytes that are text as a rule, such as a path; those that are none are written as numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Lossless {
    /// Text.
    Text(String),
    /// No text.
    Bytes(Vec<u8>),
}

impl Lossless {
    /// These bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        std::str::from_utf8(bytes).map_or_else(|_| Self::Bytes(bytes.to_owned()), |text| Self::Text(text.to_owned()))
    }

    /// The bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

/// `review.json`: what is reviewed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    /// In a few words, for people and agents.
    pub label: String,
    /// The same for the program: a reviewer goes on with the session that has the same scope.
    pub scope: String,
}

/// `out/0001.json`: a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Round {
    /// When it was sent.
    pub(super) time: String,
    /// Its notes; there are always some.
    pub(super) notes: Vec<Note>,
}

/// One note of a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Tells it from all other notes of the session, sent or not.
    pub id: String,
    /// What the agent reads.
    pub item: Item,
    /// Where its text is; `None` for one that is about nothing in particular.
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// What the reviewer wrote, for the reviewer to read again; agents never see it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft: Option<serde_json::Value>,
}

/// Where the text of a note is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The first and last line, as `88-90`; `None` for the whole file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<String>,
    /// `new` or `old`.
    pub side: String,
    /// The version in which lines and occurrence count: `worktree`, `index`, the digits of a commit, or `patch`.
    pub rev: String,
}

impl Place {
    /// These lines, or the whole file, on a side of a diff, in a version.
    #[must_use]
    pub fn new(lines: Option<(u64, u64)>, side: Side, rev: &str) -> Self {
        let side = if side == Side::Old { "old" } else { "new" };
        let lines = lines.map(|(first, last)| format!("{first}-{last}"));
        Self { lines, side: side.to_owned(), rev: rev.to_owned() }
    }
}

/// A file of an inbox: something that an agent did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Event {
    /// Who.
    pub(super) agent: String,
    /// When.
    pub(super) time: String,
    /// The session's folder, by its number on disk: an inbox in `/tmp` may be that of another one with the same id.
    #[serde(default)]
    pub(super) folder: u64,
    /// What.
    #[serde(flatten)]
    pub(super) what: What,
}

/// What an agent did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub(super) enum What {
    /// A round was printed for it.
    Handed {
        /// Which one.
        round: u32,
    },
    /// It answered, or said something.
    Reply {
        /// What it answers; `None`: nothing.
        round: Option<u32>,
        /// What it says.
        text: String,
    },
    /// It said how far it is with a note.
    Note {
        /// The round.
        round: u32,
        /// The note, by its place in the round.
        row: usize,
        /// How far.
        status: NoteStatus,
        /// What it says about it; may be empty.
        text: String,
    },
    /// It ended the session.
    End,
    /// It takes the place of whoever waits.
    Takeover,
}

/// How far an agent is with a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NoteStatus {
    /// It did what the note asks for.
    Done,
    /// It did not, and will not.
    Skipped,
    /// It wants to know something.
    Question,
}

impl NoteStatus {
    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Skipped => "skipped",
            Self::Question => "question",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_as_they_are_written() {
        let event = |what| Event { agent: "codex".into(), time: "2026-11-01T14:12:00Z".into(), folder: 7, what };
        for (what, json) in [
            (What::Handed { round: 2 }, r#""event":"handed","round":2"#),
            (What::Reply { round: None, text: "hi".into() }, r#""event":"reply","round":null,"text":"hi""#),
            (
                What::Note { round: 1, row: 0, status: NoteStatus::Question, text: String::new() },
                r#""event":"note","round":1,"row":0,"status":"question","text":"""#,
            ),
            (What::End, r#""event":"end""#),
            (What::Takeover, r#""event":"takeover""#),
        ] {
            let want = format!(r#"{{"agent":"codex","time":"2026-11-01T14:12:00Z","folder":7,{json}}}"#);
            let event = event(what);
            assert_eq!(serde_json::to_string(&event).unwrap(), want);
            assert_eq!(serde_json::from_str::<Event>(&want).unwrap(), event);
        }
    }
}
