//! What an agent's reply means, and where it is written.

use super::Refusal;
use super::record::{NoteStatus, What};
use super::refusal::MOST_TEXT;
use super::spool::Spool;
use super::state::{RoundState, State};

/// What an agent wants to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The round that it names.
    pub round: Option<u32>,
    /// The note that it is about, and how far the agent is with it.
    pub note: Option<(usize, NoteStatus)>,
    /// What it says.
    pub text: String,
    /// How many bytes that has, or would have if all had been kept.
    pub bytes: u64,
}

/// What a reply does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It answers the round.
    Answers(u32),
    /// It is about a note of the round.
    AboutNote(u32, usize, NoteStatus),
    /// It is kept as a message, since no round is out.
    Message,
    /// It is kept as a message, since the round was answered before.
    Late(u32),
}

impl Reply {
    /// What it does in this session; `suffix` names that in a command.
    ///
    /// # Errors
    /// When it names what there is not, or says nothing or too much.
    pub fn judge(&self, state: &State, suffix: &str) -> Result<Verdict, Refusal> {
        let suffix = || suffix.to_owned();
        let round = match self.round {
            None => state.out(),
            Some(number) => {
                let known = state.round(number);
                let known = known.ok_or_else(|| Refusal::NeverSent {
                    round: number,
                    newest: state.newest,
                    suffix: suffix(),
                })?;
                let first = state.unanswered().next().map_or(number, |round| round.number);
                let waits = known.is_unanswered() && known.handed.is_empty() && number != first;
                if waits {
                    return Err(Refusal::NotHandedOut { round: number, first, suffix: suffix() });
                }
                Some(known)
            }
        };
        let verdict = match (self.note, round) {
            (Some(_), None) => return Err(Refusal::NoRoundOut { suffix: suffix() }),
            (Some((row, _)), Some(round)) if row >= round.notes.len() => {
                return Err(Refusal::NoSuchRow { round: round.number, row, last: round.notes.len() - 1 });
            }
            (Some((row, status)), Some(round)) => Verdict::AboutNote(round.number, row, status),
            (None, None) => Verdict::Message,
            (None, Some(RoundState { number, .. })) => {
                if round.is_some_and(RoundState::is_settled) {
                    Verdict::Late(*number)
                } else {
                    Verdict::Answers(*number)
                }
            }
        };
        let may_be_silent = matches!(self.note, Some((_, NoteStatus::Done | NoteStatus::Skipped)));
        if self.bytes > MOST_TEXT as u64 {
            return Err(Refusal::TooLong { bytes: self.bytes });
        }
        if self.text.trim().is_empty() && !may_be_silent {
            return Err(Refusal::NoText);
        }
        Ok(verdict)
    }

    /// Write it down as that.
    ///
    /// # Errors
    /// When no inbox takes it.
    pub fn write(&self, spool: &Spool, agent: &str, verdict: Verdict) -> Result<(), Refusal> {
        let text = self.text.clone();
        let what = match verdict {
            Verdict::Answers(round) | Verdict::Late(round) => What::Reply { round: Some(round), text },
            Verdict::Message => What::Reply { round: None, text },
            Verdict::AboutNote(round, row, status) => What::Note { round, row, status, text },
        };
        spool.happen(agent, what, "reply")
    }
}

#[cfg(test)]
mod tests {
    use super::super::state::tests::files;
    use super::*;

    fn judged(state: &State, round: Option<u32>, note: Option<usize>, text: &str) -> Result<Verdict, String> {
        let note = note.map(|row| (row, NoteStatus::Question));
        let reply = Reply { round, note, text: text.to_owned(), bytes: text.len() as u64 };
        reply.judge(state, "").map_err(|refusal| refusal.to_string())
    }

    #[test]
    fn what_a_reply_answers() {
        use Verdict::{AboutNote, Answers, Late, Message};
        let handed = |round| What::Handed { round };
        let answered = |round| What::Reply { round: Some(round), text: "x".into() };
        let mut files = files(5, vec![handed(1), answered(1), handed(2)]);
        files.rounds.get_mut(&4).unwrap().is_recalled = true;
        files.rounds.get_mut(&5).unwrap().is_closed = true;
        let state = State::of(&files);
        let said = |message: &str| Err(message.to_owned());
        for (round, note, want) in [
            (None, None, Ok(Answers(2))),
            (Some(2), None, Ok(Answers(2))),
            (Some(1), None, Ok(Late(1))),
            (Some(3), None, said("round 3 is not handed out yet, round 2 comes first")),
            (Some(4), None, Ok(Answers(4))),
            (Some(5), None, Ok(Late(5))),
            (Some(6), None, said("round 6 was never sent, the newest is 5")),
            (None, Some(1), Ok(AboutNote(2, 1, NoteStatus::Question))),
            (Some(1), Some(0), Ok(AboutNote(1, 0, NoteStatus::Question))),
            (None, Some(2), said("round 2 has no row 2, the last is 1")),
        ] {
            assert_eq!(judged(&state, round, note, "x"), want, "{round:?} {note:?}");
        }
        let empty = State::of(&super::super::state::tests::files(0, vec![]));
        assert_eq!(judged(&empty, None, None, "x"), Ok(Message));
        assert_eq!(judged(&empty, None, Some(0), "x"), said("no round is out"));
        assert_eq!(judged(&empty, Some(7), None, "x"), said("round 7 was never sent"));
        let first = State::of(&super::super::state::tests::files(1, vec![]));
        assert_eq!(judged(&first, Some(1), None, "x"), Ok(Answers(1)), "its hand-out may not be recorded");
        assert_eq!(judged(&first, None, None, "x"), Ok(Message));
    }

    #[test]
    fn what_a_reply_says() {
        let state = State::of(&files(1, vec![What::Handed { round: 1 }]));
        assert_eq!(judged(&state, None, None, " \u{3000}\n"), Err("the reply has no text".to_owned()));
        assert_eq!(judged(&state, None, Some(0), ""), Err("the reply has no text".to_owned()));
        let long = "x".repeat(70_000);
        assert_eq!(judged(&state, None, None, &long), Err("the reply has 70000 bytes, the limit is 65536".to_owned()));
        let silent = Reply { round: None, note: Some((0, NoteStatus::Done)), text: String::new(), bytes: 0 };
        assert_eq!(silent.judge(&state, "").unwrap(), Verdict::AboutNote(1, 0, NoteStatus::Done));
    }
}
