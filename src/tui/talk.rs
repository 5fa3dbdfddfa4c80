//! The conversation with an agent as the reviewer sees it: comments that wait to be sent, rounds that were sent, and what
//! came back. Pure: what is on disk arrives as a [`Told`], what is to happen there leaves as an [`Errand`].

use std::sync::Arc;

use bstr::BString;
use serde::{Deserialize, Serialize};

use crate::capture::Neighbours;
use crate::session::{ANSWERED, NOBODY, NoteStatus, RoundState, Said, State, rounds};
use crate::text::counted::counted;

use super::desk::Opened;
use super::draft::{About, Draft};
use super::form::Target;
use super::since::Since;

/// A comment for an agent, as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comment {
    /// Tells it from all others of the session.
    pub id: String,
    /// What it is about.
    pub about: About,
    /// What it says.
    pub text: String,
    /// What stood next to its lines when it was written.
    #[serde(default, skip_serializing_if = "Neighbours::is_empty")]
    pub neighbours: Neighbours,
    /// Whether its lines are no longer there for certain.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_lost: bool,
    /// The note of the review that it repeats, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<String>,
}

/// How far a comment has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// It waits to be sent.
    Unsent,
    /// It is in a round that no agent has taken.
    Sent(u32),
    /// An agent works on its round.
    Out(u32),
    /// An agent has said how far it is with it.
    Status(NoteStatus),
    /// Its round was answered.
    Answered(u32),
    /// Its round was closed.
    Closed(u32),
}

/// A comment as it stands on the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The comment.
    pub comment: Comment,
    /// How far it has come.
    pub progress: Progress,
    /// The agent that has it, or said last how far it is with it.
    pub agent: Option<String>,
    /// What agents said: their names, and their words; of it alone, then of its round.
    pub said: Vec<(String, String)>,
    /// Which of that was said last; of what was said at once, that of it alone, unless it is a question.
    pub latest: usize,
}

impl Shown {
    /// Whether it is not sent, and the lines that it was about are not there.
    #[must_use]
    pub fn is_orphan(&self) -> bool {
        self.progress == Progress::Unsent && self.comment.is_lost
    }
}

/// What can be done on disk for the conversation.
#[derive(Debug, Clone)]
pub enum Errand {
    /// Keep these comments in the place of those before; `ticket` is answered.
    Keep {
        /// Names who waits for it.
        ticket: Option<u64>,
        /// What is not sent.
        comments: Vec<Comment>,
    },
    /// Send these, and end the session if that is wanted.
    Send {
        /// What is sent, with what is known of the file that it is about.
        comments: Vec<(Comment, Subject)>,
        /// The paths of the reviewed files.
        files: Vec<BString>,
        /// Whether the session ends then.
        end: bool,
    },
    /// Take a round back; its notes become comments that are not sent.
    Recall {
        /// The round.
        round: u32,
        /// What is not sent until now.
        comments: Vec<Comment>,
    },
    /// No agent is going to answer this round.
    Close(u32),
    /// Send the notes of this round once more.
    Again {
        /// The round.
        round: u32,
        /// The paths of the reviewed files.
        files: Vec<BString>,
    },
    /// End the session.
    End,
    /// Find out what has changed since this round was sent.
    Since(u32),
    /// Find out how often the text that this is about is in its file.
    Count(Box<(Comment, Subject)>),
    /// Keep this as what is being typed.
    Type(Arc<Draft>),
    /// Take the session over from another reviewer.
    TakeOver,
}

impl Errand {
    /// What is told when it cannot be done, for a reason.
    #[must_use]
    pub fn failed(&self, reason: String) -> Told {
        match self {
            Self::Keep { ticket, .. } => Told::Kept(*ticket, Err(reason)),
            Self::Send { .. } => {
                Told::Sent { rounds: Vec::new(), ids: Vec::new(), is_awaited: false, failed: Some(reason) }
            }
            _ => Told::Failed(reason),
        }
    }
}

/// What is known of the file that a comment is about.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Subject {
    /// Its path on the old side.
    pub old_path: Vec<u8>,
    /// Whether it is gone on the new side.
    pub is_deleted: bool,
    /// The ids of its content, old and new, where the review states them.
    pub ids: [Option<String>; 2],
    /// What the diff says behind the second `@@` of the hunk.
    pub heading: Option<String>,
}

/// What was done, or is there.
#[derive(Debug)]
pub enum Told {
    /// The session says something else now; the line is for the header.
    State(Arc<State>, String),
    /// What was to be kept is on disk, or why not.
    Kept(Option<u64>, Result<(), String>),
    /// The comments with these ids are in rounds with these numbers; why others are not, if some are not.
    Sent {
        /// The rounds.
        rounds: Vec<u32>,
        /// The comments.
        ids: Vec<String>,
        /// Whether an agent waits for them.
        is_awaited: bool,
        /// Why the others are not.
        failed: Option<String>,
    },
    /// A round was taken back: its comments. `None`: it was too late.
    Recalled(u32, Option<Vec<Comment>>),
    /// What has changed since a round was sent.
    Since(Box<Since>),
    /// So often is the text in its file that the comment with this target is about.
    Often(usize, Box<Target>),
    /// The session is ours now.
    Opened(Box<Opened>),
    /// Another reviewer has the session now.
    GivenUp,
    /// It was done, as a sentence.
    Done(String),
    /// It could not be done, as a sentence.
    Failed(String),
}

/// The conversation.
#[derive(Debug, Clone, Default)]
pub struct Talk {
    /// Why nothing can be written for an agent, where that is so.
    pub closed: Option<String>,
    /// What waits to be sent.
    pub unsent: Vec<Comment>,
    /// Those of them that are being brought to disk: the ticket of that, the id, and what was there before.
    pub keeping: Vec<(u64, String, Option<Comment>)>,
    /// What is kept of what is being typed.
    pub typed: Arc<Draft>,
    /// The session, as last read.
    pub state: Option<Arc<State>>,
    /// What the header says of the agent.
    pub line: String,
    /// How many answers the reader has seen.
    pub seen: usize,
    /// What was said of a round that was sent to nobody, until somebody hears of it.
    pub unheard: Option<String>,
    /// The ids of those that are being sent. What they say is the agent's by then, and is not changed here.
    pub sending: Vec<String>,
    /// All comments, those that are not sent first: what cards name by index.
    pub shown: Vec<Shown>,
    /// The row of the list with the cursor.
    pub row: usize,
}

/// A row of the list of comments and rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListRow {
    /// A comment that waits to be sent, by index.
    Unsent(usize),
    /// A round, by number.
    Round(u32),
    /// A note of a round: its number, and the place in it.
    Note(u32, usize),
    /// A line of what an agent said that answers no round: the message, and the line of it.
    Message(usize, usize),
}

impl ListRow {
    /// The round that it is or belongs to.
    #[must_use]
    pub fn round(self) -> Option<u32> {
        match self {
            Self::Unsent(_) | Self::Message(..) => None,
            Self::Round(round) | Self::Note(round, _) => Some(round),
        }
    }
}

impl Talk {
    /// An id that no comment of the session has.
    #[must_use]
    pub fn new_id(&self) -> String {
        let rounds = self.state.iter().flat_map(|state| &state.rounds).flat_map(|round| &round.notes);
        let ids = rounds.map(|note| note.id.as_str()).chain(self.unsent.iter().map(|comment| comment.id.as_str()));
        let number = |id: &str| id.strip_prefix('c').and_then(|digits| digits.parse().ok()).unwrap_or(0);
        format!("c{}", ids.map(number).fold(0, u64::max) + 1)
    }

    /// Make what is shown anew. Comments that are in a round are not unsent, whatever was kept last.
    pub fn settle(&mut self) {
        let rounds = self.state.as_ref().map_or(&[][..], |state| &state.rounds);
        let counted = rounds.iter().filter(|round| !round.is_withdrawn());
        let sent: Vec<Shown> = counted.flat_map(shown_round).collect();
        self.unsent.retain(|comment| sent.iter().all(|shown| shown.comment.id != comment.id));
        let unsent = self.unsent.iter().map(|comment| Shown {
            comment: comment.clone(),
            progress: Progress::Unsent,
            agent: None,
            said: Vec::new(),
            latest: 0,
        });
        self.shown = unsent.chain(sent).collect();
        self.row = self.row.min(self.list().len().saturating_sub(1));
    }

    /// The round since which changes are shown: this one, or else the last one that was answered, or else sent; `None`
    /// when there is none.
    #[must_use]
    pub fn since(&self, wanted: Option<u32>) -> Option<u32> {
        let rounds = self.state.iter().flat_map(|state| &state.rounds).filter(|round| !round.is_withdrawn());
        let answered = rounds.clone().rfind(|round| round.answer.is_some());
        match wanted {
            Some(wanted) => rounds.clone().find(|round| round.number == wanted),
            None => answered.or_else(|| rounds.clone().next_back()),
        }
        .map(|round| round.number)
    }

    /// The rows of the list: what is not sent, what answers no round, then the rounds with their notes, the newest first.
    #[must_use]
    pub fn list(&self) -> Vec<ListRow> {
        let rounds = self.state.iter().flat_map(|state| state.rounds.iter().rev());
        let rows = rounds.filter(|round| !round.is_withdrawn()).flat_map(|round| {
            let notes = (0..round.notes.len()).map(|note| ListRow::Note(round.number, note));
            std::iter::once(ListRow::Round(round.number)).chain(notes)
        });
        let messages = self.state.iter().flat_map(|state| state.messages.iter().enumerate().rev());
        let lines = |text: &str| text.trim().lines().count().max(1);
        let messages = messages
            .flat_map(|(message, said)| (0..lines(&said.text)).map(move |line| ListRow::Message(message, line)));
        (0..self.unsent.len()).map(ListRow::Unsent).chain(messages).chain(rows).collect()
    }

    /// The line of the header that says what the agent does: an answer only until it has been seen.
    #[must_use]
    pub fn news(&self) -> &str {
        if self.line.starts_with(ANSWERED) && self.seen >= self.answers() { NOBODY } else { &self.line }
    }

    /// How many rounds have been answered.
    #[must_use]
    pub fn answers(&self) -> usize {
        let rounds = self.state.iter().flat_map(|state| &state.rounds);
        rounds.filter(|round| round.answer.is_some()).count()
    }

    /// Whether something is being sent.
    #[must_use]
    pub fn is_sending(&self) -> bool {
        !self.sending.is_empty()
    }

    /// Whether `id` is that of a comment that waits no more, and may be in a round already.
    #[must_use]
    pub fn is_in_flight(&self, id: impl AsRef<[u8]>) -> bool {
        self.sending.iter().any(|sent| sent.as_bytes() == id.as_ref())
    }

    /// The comments that wait, or are in a round that is neither answered nor closed.
    pub fn unsettled(&self) -> impl Iterator<Item = &Comment> {
        let rounds = self.state.iter().flat_map(|state| &state.rounds).filter(|round| round.is_unanswered());
        let open: Vec<&str> = rounds.flat_map(|round| &round.notes).map(|note| note.id.as_str()).collect();
        let shown = self.shown.iter();
        shown
            .filter(move |shown| shown.progress == Progress::Unsent || open.contains(&shown.comment.id.as_str()))
            .map(|shown| &shown.comment)
    }

    /// Whether the session is there and ours.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.closed.is_none() && self.state.is_some()
    }

    /// The question before sending: `3 notes -> round 2`.
    #[must_use]
    pub fn offer(&self) -> String {
        let notes = counted(self.unsent.len(), "note");
        // After the end a new session begins.
        let session = self.state.as_ref();
        let (session, where_to) = match session.filter(|state| state.ended.is_some()) {
            Some(_) => (None, " of a new session"),
            None => (session, ""),
        };
        let next = session.and_then(|state| state.newest()).unwrap_or(0) + 1;
        let sent = self.unsent.iter().map(|comment| crate::session::Note {
            id: comment.id.clone(),
            item: crate::capture::on_nothing(&comment.text),
            place: None,
            draft: None,
        });
        let last = next + u32::try_from(rounds(&sent.collect::<Vec<_>>())).unwrap_or(1).max(1) - 1;
        match last == next {
            true => format!("{notes} -> round {next}{where_to}"),
            false => format!("{notes} -> rounds {next}-{last}{where_to}"),
        }
    }

    /// What is said on the normal screen when the reviewer is left: what waits, and how an agent gets it.
    #[must_use]
    pub fn farewell(&self) -> Option<String> {
        let unsent = self.unsent.len();
        let unsent = (unsent > 0).then(|| match unsent {
            1 => "1 comment for the agent not sent".to_owned(),
            count => format!("{count} comments for the agent not sent"),
        });
        let waiting = self.state.as_ref().map_or(0, |state| state.unanswered().count());
        let waiting = (waiting > 0).then(|| {
            let (rounds, wait) = (counted(waiting, "round"), if waiting == 1 { "waits" } else { "wait" });
            let notes = counted(self.state.as_ref().map_or(0, |state| state.queued()), "note");
            format!("{rounds} ({notes}) {wait} for whymark poll")
        });
        let parts: Vec<String> = unsent.into_iter().chain(waiting).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

impl Comment {
    /// A new one about `target`, beside whose lines these stand.
    #[must_use]
    pub fn new(id: String, target: &Target, neighbours: Neighbours, text: String) -> Self {
        Self { id, about: About::of(target), text, neighbours, is_lost: false, repeats: None }
    }

    /// What it is about, the number of the part left open.
    #[must_use]
    pub fn target(&self) -> Target {
        self.about.target()
    }
}

/// The comments of a round that were written here.
fn shown_round(round: &RoundState) -> impl Iterator<Item = Shown> + '_ {
    round.notes.iter().zip(&round.said).filter_map(|(note, said)| {
        let comment: Comment = serde_json::from_value(note.draft.clone()?).ok()?;
        let progress = progress(round, said.as_ref());
        let own = said.iter().map(|(_, said)| said).filter(|said| !said.text.trim().is_empty());
        let latest = said.iter().zip(&round.answer).filter(|(own, answer)| is_later(own, answer)).count();
        let agent = said.as_ref().map(|(_, said)| &said.agent).or(round.answer.as_ref().map(|said| &said.agent));
        let agent = agent.or(round.handed.last().map(|handing| &handing.agent)).cloned();
        let said = own.chain(&round.answer).map(|said| (said.agent.clone(), said.text.clone()));
        Some(Shown { comment, progress, agent, said: said.collect(), latest })
    })
}

/// Whether what was said of a round came after what was said of one of its notes. At the same time something may have been
/// said of both; but what a question is followed by is no part of it.
fn is_later((status, own): &(NoteStatus, Said), answer: &Said) -> bool {
    let is_followed = answer.time > own.time || (*status == NoteStatus::Question && answer.time == own.time);
    is_followed && !own.text.trim().is_empty()
}

/// How far a note of a round has come, of which that was said.
#[must_use]
pub fn progress(round: &RoundState, said: Option<&(NoteStatus, Said)>) -> Progress {
    match said {
        Some((status, _)) => Progress::Status(*status),
        None if round.answer.is_some() => Progress::Answered(round.number),
        None if round.is_closed => Progress::Closed(round.number),
        None if round.is_out() => Progress::Out(round.number),
        None => Progress::Sent(round.number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comment(id: &str) -> Comment {
        Comment::new(id.into(), &Target::doc(), Neighbours::default(), "do it".into())
    }

    #[test]
    fn what_is_offered_and_said_at_the_end() {
        let mut talk = Talk { unsent: vec![comment("c1")], ..Talk::default() };
        assert_eq!(talk.offer(), "1 note -> round 1");
        assert_eq!(talk.farewell().as_deref(), Some("1 comment for the agent not sent"));
        talk.unsent = (1..=600).map(|number| comment(&format!("c{number}"))).collect();
        assert_eq!(talk.offer(), "600 notes -> rounds 1-2");
        assert_eq!(talk.new_id(), "c601");
        talk.unsent.clear();
        assert_eq!((talk.farewell(), talk.new_id().as_str()), (None, "c1"));
    }
}
