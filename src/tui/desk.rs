//! The reviewer's side of a session: opened when the reviewer starts, held until it is left or given up to another
//! reviewer. A thread (`clerk`) sits there and does what is asked for.

mod address;

use std::mem;
use std::sync::Arc;

use bstr::BString;
use serde::{Deserialize, Serialize};

use crate::capture::Neighbours;
use crate::clock;
use crate::session::{self, Hold, Refusal, RoundState, Spool, State};

use super::compose::Texts;
use super::draft::Draft;
use super::elsewhere;
use super::form::Target;
use super::talk::{Comment, Errand, Subject, Told};

pub use address::{Address, Away, store};
use address::{Watch, changed_since};

/// A quote that is in a file so often is hard to find.
const OFTEN: usize = 6;

/// The draft of a session: what is not sent.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Unsent {
    #[serde(default)]
    comments: Vec<Comment>,
    /// What is being typed.
    #[serde(default)]
    typed: Draft,
}

/// A session that is held.
#[derive(Debug)]
pub struct Desk {
    address: Address,
    spool: Spool,
    hold: Hold,
    texts: Texts,
    /// What is kept as not sent.
    kept: Vec<Comment>,
    /// What is being typed, and whether that is on disk.
    typed: Arc<Draft>,
    is_typing: bool,
    /// What came back with a round, until whoever asks for something to be kept knows of it.
    returned: Vec<Comment>,
    watch: Watch,
    /// Whether this reviewer has made the session.
    is_ours: bool,
}

/// A session as a reviewer finds it.
#[derive(Debug)]
pub struct Opened {
    /// What is not sent.
    pub comments: Vec<Comment>,
    /// What was being typed.
    pub typed: Draft,
    /// Why what ended sessions have not sent is not here, as sentences: it stays where it is.
    pub left: Vec<String>,
    /// What it says.
    pub state: Box<Told>,
}

impl Desk {
    /// Open the session at `address`, or make one.
    ///
    /// # Errors
    /// A sentence, when there can be none, or another reviewer holds it.
    pub fn open(address: Address) -> Result<(Self, Opened), String> {
        let said = |refusal: Refusal| refusal.to_string();
        let known = address.store.sessions().map_err(said)?;
        let found = address.find(&known);
        let spool = found.map_or_else(|| address.store.create(None), |spool| Ok(spool.clone())).map_err(said)?;
        let Some(hold) = spool.open(&address.review).map_err(said)? else {
            let who = spool.reviewer().map_err(said)?;
            let who = who.map_or("another reviewer".to_owned(), |who| who.words(&clock::now()));
            return Err(format!("notes work; comments to the agent: {who} has the session, :take-over takes it"));
        };
        let Unsent { comments, typed } = spool.draft().map_err(said)?.unwrap_or_default();
        let mut desk = Self {
            is_ours: found.is_none(),
            texts: address.texts(),
            kept: comments,
            typed: Arc::new(typed),
            is_typing: false,
            address,
            spool,
            hold,
            returned: Vec::new(),
            watch: Watch::default(),
        };
        desk.settle_recalls().map_err(said)?;
        // What another reviewer still holds is theirs, also when an agent has ended it.
        let is_left = |state: &State| state.ended.is_some() && !state.is_held && desk.address.is_of_review(state);
        let ended: Vec<_> = known.iter().filter(|(_, state)| is_left(state)).collect();
        let mut left = Vec::new();
        for (old, state) in ended {
            let reason = desk.inherit(old, state).err();
            left.extend(reason.map(|reason| format!("what session {} has not sent stays there: {reason}", old.id())));
        }
        let (comments, typed) = (desk.kept.clone(), (*desk.typed).clone());
        let state = desk.look().unwrap_or_else(|| Told::Failed("the session cannot be read".to_owned()));
        Ok((desk, Opened { comments, typed, left, state: Box::new(state) }))
    }

    /// Rounds that were taken back too late are rounds again.
    fn settle_recalls(&self) -> Result<(), Refusal> {
        for round in self.spool.state()?.rounds {
            if round.is_recalled && !round.handed.is_empty() {
                self.spool.restore(round.number)?;
            }
        }
        Ok(())
    }

    /// Take over what an ended session has not sent. What is here already, because the draft there could not be removed
    /// then, is not taken twice.
    fn inherit(&mut self, old: &Spool, state: &State) -> Result<(), Refusal> {
        let Some(Unsent { mut comments, typed }) = old.draft()? else { return Ok(()) };
        comments.retain(|comment| sent(state).all(|note| note.id != comment.id));
        let here = self.spool.state()?;
        let here: Vec<Comment> = self.kept.iter().cloned().chain(sent(&here).map(comment)).collect();
        let is_here = |id: &str, comment: &Comment| {
            // One that went along into a new session has kept its id, which another one there may have, too.
            let is_same = |here: &Comment| (&here.id, &here.text) == (&comment.id, &comment.text);
            here.iter().any(|here| here.id == id || (is_same(here) && here.about == comment.about))
        };
        let mut kept = self.kept.clone();
        for comment in comments {
            let id = format!("{}-{}", old.id(), comment.id);
            if !is_here(&id, &comment) {
                kept.push(Comment { id, ..comment });
            }
        }
        let mut forms = self.typed.forms.clone();
        forms.extend(typed.forms.into_iter().filter(|form| !self.typed.forms.contains(form)));
        if kept.len() > self.kept.len() || forms.len() > self.typed.forms.len() {
            self.typed = Arc::new(Draft { forms });
            self.keep(kept)?;
        }
        // What stays there is known here.
        let _ = old.keep_draft(None);
        Ok(())
    }

    fn keep(&mut self, mut comments: Vec<Comment>) -> Result<(), Refusal> {
        self.returned.retain(|returned| comments.iter().all(|comment| comment.id != returned.id));
        comments.extend(self.returned.iter().cloned());
        self.write_draft(&self.spool, &comments)?;
        (self.kept, self.is_typing) = (comments, false);
        Ok(())
    }

    /// Put `comments` and what is typed into the draft of a session.
    fn write_draft(&self, spool: &Spool, comments: &[Comment]) -> Result<(), Refusal> {
        let is_empty = comments.is_empty() && self.typed.forms.is_empty();
        let unsent = Unsent { comments: comments.to_vec(), typed: (*self.typed).clone() };
        let json = serde_json::to_vec(&unsent).expect("comments are JSON");
        spool.keep_draft((!is_empty).then_some(&json))
    }

    /// Whether something was typed that is not on disk.
    #[must_use]
    pub fn is_typing(&self) -> bool {
        self.is_typing
    }

    /// Bring what is typed to disk; what is said of it when that fails.
    pub fn keep_typed(&mut self) -> Option<Told> {
        if !mem::take(&mut self.is_typing) {
            return None;
        }
        let written = self.write_draft(&self.spool, &self.kept);
        written.err().map(|refusal| Told::Failed(format!("what is typed is kept nowhere else: {refusal}")))
    }

    /// Whether another reviewer wants the session.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        self.spool.is_wanted()
    }

    /// Let it go. What is typed is on disk.
    #[must_use]
    pub fn give_up(mut self) -> Away {
        // Who takes over reads what is there; the form is still open here, too.
        let _ = self.keep_typed();
        drop(self.hold);
        Away::new(self.address)
    }

    /// What has changed in the session since it was last told.
    pub fn look(&mut self) -> Option<Told> {
        self.watch.look(&self.spool)
    }

    /// Do what is asked for; what came of it.
    pub fn run(&mut self, errand: Errand) -> Vec<Told> {
        let told = match errand {
            Errand::Keep { ticket, comments } => {
                Told::Kept(ticket, self.keep(comments).map_err(|refusal| refusal.to_string()))
            }
            Errand::Send { comments, files, end } => return self.send(&comments, &files, end),
            Errand::Recall { round, comments } => self.recall(round, comments).unwrap_or_else(refused),
            Errand::Close(round) => told(self.spool.close(round), format!("round {round} is closed")),
            Errand::Again { round, files } => self.again(round, &files).unwrap_or_else(refused),
            Errand::Since(round) => changed_since(&self.spool, &self.texts, round),
            Errand::Type(typed) => {
                (self.typed, self.is_typing) = (typed, true);
                return Vec::new();
            }
            Errand::Count(asked) => {
                let (comment, subject) = *asked;
                let matches = self.texts.compose(&comment, &subject).matches;
                return (matches >= OFTEN)
                    .then(|| Told::Often(matches, Box::new(comment.target())))
                    .into_iter()
                    .collect();
            }
            Errand::TakeOver => Told::Done("this reviewer has the session".to_owned()),
            Errand::End => told(self.spool.end_by_reviewer(), "the session has ended".to_owned()),
        };
        // First what there is, then what was done: by the first the second is understood.
        [self.look(), Some(told)].into_iter().flatten().collect()
    }

    fn send(&mut self, comments: &[(Comment, Subject)], files: &[BString], end: bool) -> Vec<Told> {
        let mut told = Vec::new();
        if self.spool.state().is_ok_and(|state| state.ended.is_some())
            && let Err(refusal) = self.move_on()
        {
            told.push(Told::Sent { rounds: vec![], ids: vec![], is_awaited: false, failed: Some(refusal.to_string()) });
            return told;
        }
        let composed: Vec<_> = comments.iter().map(|(comment, subject)| self.texts.compose(comment, subject)).collect();
        let often = composed.iter().filter(|composed| composed.matches >= OFTEN).count();
        let notes: Vec<_> = composed.into_iter().map(|composed| composed.note).collect();
        let uncopied = self.keep_base(&notes, files).err();
        let sent = self.spool.send(&notes);
        let failed = sent.failed.map(|refusal| refusal.to_string());
        let is_whole = failed.is_none();
        let is_awaited = self.spool.state().is_ok_and(|state| state.waiting.is_some());
        let (rounds, ids): (Vec<u32>, Vec<Vec<String>>) = sent.rounds.into_iter().unzip();
        told.extend(self.look());
        told.push(Told::Sent { rounds, ids: ids.concat(), is_awaited, failed });
        if often > 0 && is_whole {
            let quotes = if often == 1 { "a quote is" } else { "quotes are" };
            told.push(Told::Done(format!(
                "sent; {quotes} in the file {OFTEN} times or more: select more lines next time"
            )));
        }
        if let Some(reason) = uncopied.filter(|_| is_whole) {
            told.push(Told::Failed(format!("sent; what changes from here on will not be shown: {reason}")));
        }
        if end && is_whole {
            told.extend(self.run(Errand::End));
        }
        told
    }

    /// Keep the files as they are, just before `notes` are sent.
    fn keep_base(&self, notes: &[session::Note], files: &[BString]) -> Result<(), Refusal> {
        let first = self.spool.state()?.newest().unwrap_or(0) + 1;
        let parts = u32::try_from(session::rounds(notes)).unwrap_or(1).max(1);
        let (around, others) = elsewhere::around(&self.texts, files).unzip();
        let paths = files.iter().chain(others.iter().flatten()).map(|path| path.as_slice());
        self.spool.keep_base((first, first + parts - 1), paths, around, |path| self.texts.found(path))
    }

    /// Go on in a new session, with what is not sent.
    fn move_on(&mut self) -> Result<(), Refusal> {
        let spool = self.address.store.create(None)?;
        let hold = spool.open(&self.address.review)?.expect("nobody knows of a session that was just made");
        if let Err(refusal) = self.write_draft(&spool, &self.kept) {
            // The next attempt makes another one.
            let _ = spool.discard();
            return Err(refusal);
        }
        let old = (mem::replace(&mut self.spool, spool), mem::replace(&mut self.hold, hold));
        self.is_ours = true;
        // A draft that stays there is known here.
        let _ = old.0.keep_draft(None);
        Ok(())
    }

    fn recall(&mut self, round: u32, comments: Vec<Comment>) -> Result<Told, Refusal> {
        let state = self.spool.state()?;
        if state.round(round).is_some_and(RoundState::is_withdrawn) {
            return Ok(Told::Done(format!("round {round} is taken back: its comments are not sent")));
        }
        let notes = state.round(round).map_or(&[][..], |round| &round.notes);
        let back: Vec<Comment> = notes.iter().map(comment).collect();
        // Before the round goes its notes are drafts again.
        self.keep([comments.clone(), back.clone()].concat())?;
        let recalled = self.spool.recall(round);
        if let Ok(true) = recalled {
            self.returned.extend(back.iter().cloned());
            return Ok(Told::Recalled(round, Some(back)));
        }
        let kept = self.keep(comments);
        recalled.and(kept).map(|()| Told::Recalled(round, None))
    }

    /// Send the notes of a round once more.
    fn again(&mut self, round: u32, files: &[BString]) -> Result<Told, Refusal> {
        let state = self.spool.state()?;
        let Some(known) = state.round(round) else { return Ok(Told::Failed(format!("there is no round {round}"))) };
        if known.is_unanswered() {
            return Ok(Told::Done(format!("round {round} is not answered: the next poll prints it again")));
        }
        let next = state.newest().unwrap_or(0) + 1;
        let again = |note: &session::Note| {
            let id = format!("{}-{next}", note.id);
            let draft = note.draft.clone().map(|mut draft| {
                if let Some(draft) = draft.as_object_mut() {
                    draft.insert("id".to_owned(), id.clone().into());
                }
                draft
            });
            session::Note { id, draft, ..note.clone() }
        };
        let notes: Vec<_> = known.notes.iter().map(again).collect();
        // Without it the round is as good.
        let _ = self.keep_base(&notes, files);
        let failed = self.spool.send(&notes).failed;
        failed.map_or_else(|| Ok(Told::Done(format!("sent again as round {next}"))), Err)
    }

    /// The reviewer is left. A session in which nothing has happened leaves nothing behind.
    pub fn leave(mut self) {
        let _ = self.keep_typed();
        let is_untouched = self.spool.state().is_ok_and(|state| {
            state.rounds.is_empty()
                && state.newest().is_none()
                && state.messages.is_empty()
                && state.waiting.is_none()
                && state.ended.is_none()
        });
        if self.is_ours && is_untouched && self.kept.is_empty() && self.typed.forms.is_empty() {
            // What stays does no harm.
            let _ = self.spool.discard();
        }
    }
}

fn told(done: Result<(), Refusal>, sentence: String) -> Told {
    done.map_or_else(refused, |()| Told::Done(sentence))
}

#[expect(clippy::needless_pass_by_value, reason = "it is what becomes of an error")]
fn refused(refusal: Refusal) -> Told {
    Told::Failed(refusal.to_string())
}

/// What was written when `note` was sent; of one that was made elsewhere, what it says.
fn comment(note: &session::Note) -> Comment {
    let written = note.draft.clone().and_then(|draft| serde_json::from_value(draft).ok());
    let text = || note.item.note.clone().unwrap_or_default();
    written.unwrap_or_else(|| Comment::new(note.id.clone(), &Target::doc(), Neighbours::default(), text()))
}

/// The notes that were sent.
fn sent(state: &State) -> impl Iterator<Item = &session::Note> {
    state.rounds.iter().filter(|round| !round.is_withdrawn()).flat_map(|round| &round.notes)
}
