//! The reviewer's side of a session: opened when the reviewer starts, held until it is left. A thread of its own does what
//! is asked for, and looks now and then whether an agent has done something.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use bstr::BString;
use serde::{Deserialize, Serialize};

use crate::clock;
use crate::git::Repo;
use crate::session::{self, Hold, Refusal, RoundState, Spool, State, Store, header};

use super::compose::Texts;
use super::draft::About;
use super::model::Review;
use super::msg::Msg;
use super::since::since;
use super::surviving::surviving;
use super::talk::{Comment, Errand, Told};

/// The time between two looks.
const LOOK: Duration = Duration::from_millis(500);
/// How long leaving waits for the disk.
const PATIENCE: Duration = Duration::from_secs(5);
/// A quote that is in a file so often is hard to find.
const OFTEN: usize = 6;

/// The draft of a session: what is not sent.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Unsent {
    #[serde(default)]
    comments: Vec<Comment>,
}

/// A session that is held.
pub struct Desk {
    store: Store,
    spool: Spool,
    _hold: Hold,
    review: session::Review,
    texts: Texts,
    /// What is kept as not sent.
    kept: Vec<Comment>,
    /// What came back with a round, until whoever asks for something to be kept knows of it.
    returned: Vec<Comment>,
    /// What was told last.
    told: Option<(State, String)>,
    /// Whether this reviewer has made the session.
    is_ours: bool,
}

/// A session as a reviewer finds it.
pub struct Opened {
    /// What is not sent.
    pub comments: Vec<Comment>,
    /// What it says.
    pub state: Told,
}

impl Desk {
    /// Open the session of `review` in `store`: the one that was used last of those that are about the same, else one that
    /// an agent has started, else a new one.
    ///
    /// # Errors
    /// A sentence, when there can be none, or another reviewer holds it.
    pub fn open(store: Store, review: &Review) -> Result<(Self, Opened), String> {
        let said = |refusal: Refusal| refusal.to_string();
        let repo = Repo::discover(&review.folder).ok();
        let texts = Texts { root: review.folder.clone(), repo, versions: review.versions.clone() };
        let review = session::Review { label: review.label.clone(), scope: review.label.clone() };
        let known = store.sessions().map_err(said)?;
        let of_scope = |state: &State| state.scope.as_ref() == Some(&review.scope);
        let is_open = |state: &State| state.ended.is_none();
        let same = known.iter().find(|(_, state)| is_open(state) && of_scope(state));
        let found = same.or_else(|| known.iter().find(|(_, state)| is_open(state) && state.scope.is_none()));
        let spool = found.map_or_else(|| store.create(None), |(spool, _)| Ok(spool.clone())).map_err(said)?;
        let hold = spool.open(&review).map_err(said)?;
        let hold = hold.ok_or("another reviewer has this session: write comments there")?;
        let mut desk = Self {
            is_ours: found.is_none(),
            kept: draft(&spool).map_err(said)?,
            store,
            spool,
            _hold: hold,
            review: review.clone(),
            texts,
            returned: Vec::new(),
            told: None,
        };
        desk.settle_recalls().map_err(said)?;
        // What another reviewer still holds is theirs, also when an agent has ended it.
        let is_left = |state: &State| !is_open(state) && !state.is_held && of_scope(state);
        for (old, state) in known.iter().filter(|(_, state)| is_left(state)) {
            desk.inherit(old, state).map_err(said)?;
        }
        let comments = desk.kept.clone();
        let state = desk.look().unwrap_or_else(|| Told::Failed("the session cannot be read".to_owned()));
        Ok((desk, Opened { comments, state }))
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

    /// Take over what an ended session has not sent.
    fn inherit(&mut self, old: &Spool, state: &State) -> Result<(), Refusal> {
        let sent: Vec<String> = ids(state);
        let left = draft(old)?.into_iter().filter(|comment| !sent.contains(&comment.id));
        let left: Vec<Comment> =
            left.map(|comment| Comment { id: format!("{}-{}", old.id(), comment.id), ..comment }).collect();
        if !left.is_empty() {
            let known: Vec<String> = self.kept.iter().map(|comment| comment.id.clone()).collect();
            let new = left.into_iter().filter(|comment| !known.contains(&comment.id));
            self.keep([self.kept.clone(), new.collect()].concat())?;
        }
        old.keep_draft(None)
    }

    fn keep(&mut self, mut comments: Vec<Comment>) -> Result<(), Refusal> {
        self.returned.retain(|returned| comments.iter().all(|comment| comment.id != returned.id));
        comments.extend(self.returned.iter().cloned());
        let json = serde_json::to_vec(&Unsent { comments: comments.clone() }).expect("comments are JSON");
        self.spool.keep_draft((!comments.is_empty()).then_some(&json))?;
        self.kept = comments;
        Ok(())
    }

    /// What has changed in the session since it was last told.
    pub fn look(&mut self) -> Option<Told> {
        let mut state = match self.spool.state() {
            Ok(state) => state,
            Err(refusal) => {
                let reason = refusal.to_string();
                let is_new = self.told.as_ref().is_none_or(|(_, line)| *line != reason);
                let state = self.told.take().map(|(state, _)| state);
                self.told = state.map(|state| (state, reason.clone()));
                return is_new.then_some(Told::Failed(reason));
            }
        };
        let line = header(&state, &clock::now());
        // That it was used says nothing.
        state.used = 0;
        let is_new = self.told.as_ref().is_none_or(|(known, said)| *known != state || *said != line);
        self.told = Some((state.clone(), line.clone()));
        is_new.then(|| Told::State(Arc::new(state), line))
    }

    /// Do what is asked for; what came of it.
    pub fn run(&mut self, errand: Errand) -> Vec<Told> {
        let told = match errand {
            Errand::Keep { ticket, comments } => {
                Told::Kept(ticket, self.keep(comments).map_err(|refusal| refusal.to_string()))
            }
            Errand::Send { comments, files, end } => return self.send(&comments, &files, end),
            Errand::Recall { round, comments } => self.recall(round, comments),
            Errand::Close(round) => told(self.spool.close(round), format!("round {round} is closed")),
            Errand::Again { round, files } => self.again(round, &files),
            Errand::Since(round) => self.since(round),
            Errand::End => told(self.spool.end_by_reviewer(), "the session has ended".to_owned()),
        };
        // First what there is, then what was done: by the first the second is understood.
        [self.look(), Some(told)].into_iter().flatten().collect()
    }

    fn send(&mut self, comments: &[(Comment, super::talk::Subject)], files: &[BString], end: bool) -> Vec<Told> {
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
            told.push(Told::Failed(format!("sent; D will not show what changes from here on: {reason}")));
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
        let paths = files.iter().map(|path| path.as_slice());
        self.spool.keep_base((first, first + parts - 1), paths, |path| self.texts.found(path))
    }

    /// What has changed since this round was sent.
    fn since(&self, round: u32) -> Told {
        let base = match self.spool.base(round) {
            Ok(Some(base)) => base,
            Ok(None) => return Told::Failed(format!("nobody has kept the files as they were at round {round}")),
            Err(refusal) => return Told::Failed(refusal.to_string()),
        };
        match since(round, &base, |path| self.texts.found(path)) {
            Ok(Some(since)) => Told::Since(Box::new(since)),
            Ok(None) => Told::Done(format!("no reviewed file has changed since round {round} was sent")),
            Err(error) => Told::Failed(error.to_string()),
        }
    }

    /// Go on in a new session, with what is not sent.
    fn move_on(&mut self) -> Result<(), Refusal> {
        let spool = self.store.create(None)?;
        let hold = spool.open(&self.review)?.expect("nobody knows of a session that was just made");
        let json = serde_json::to_vec(&Unsent { comments: self.kept.clone() }).expect("comments are JSON");
        spool.keep_draft(Some(&json))?;
        self.spool.keep_draft(None)?;
        (self.spool, self._hold, self.is_ours) = (spool, hold, true);
        Ok(())
    }

    fn recall(&mut self, round: u32, comments: Vec<Comment>) -> Told {
        let failed = |refusal: Refusal| Told::Failed(refusal.to_string());
        let state = match self.spool.state() {
            Ok(state) => state,
            Err(refusal) => return failed(refusal),
        };
        if state.round(round).is_some_and(RoundState::is_withdrawn) {
            return Told::Done(format!("round {round} is taken back: its comments are not sent"));
        }
        let notes = state.round(round).map_or(&[][..], |round| &round.notes);
        let back: Vec<Comment> = notes.iter().map(comment).collect();
        // Before the round goes its notes are drafts again.
        if let Err(refusal) = self.keep([comments.clone(), back.clone()].concat()) {
            return failed(refusal);
        }
        match self.spool.recall(round) {
            Ok(true) => {
                self.returned.extend(back.iter().cloned());
                Told::Recalled(round, Some(back))
            }
            outcome => {
                let kept = self.keep(comments);
                match outcome.and(kept) {
                    Ok(()) => Told::Recalled(round, None),
                    Err(refusal) => failed(refusal),
                }
            }
        }
    }

    /// Send the notes of a round once more.
    fn again(&mut self, round: u32, files: &[BString]) -> Told {
        let state = match self.spool.state() {
            Ok(state) => state,
            Err(refusal) => return Told::Failed(refusal.to_string()),
        };
        let Some(known) = state.round(round) else { return Told::Failed(format!("there is no round {round}")) };
        if known.is_unanswered() {
            return Told::Done(format!("round {round} is not answered: the next poll prints it again"));
        }
        let next = state.newest().unwrap_or(0) + 1;
        let again = |note: &session::Note| {
            let id = format!("{}-{next}", note.id);
            let draft = note.draft.clone().map(|mut draft| {
                draft["id"] = id.clone().into();
                draft
            });
            session::Note { id, draft, ..note.clone() }
        };
        let notes: Vec<_> = known.notes.iter().map(again).collect();
        // Without it the round is as good.
        let _ = self.keep_base(&notes, files);
        match self.spool.send(&notes).failed {
            None => Told::Done(format!("sent again as round {next}")),
            Some(refusal) => Told::Failed(refusal.to_string()),
        }
    }

    /// The reviewer is left. A session in which nothing has happened leaves nothing behind.
    pub fn leave(self) {
        let is_untouched = self.spool.state().is_ok_and(|state| {
            state.rounds.is_empty()
                && state.newest().is_none()
                && state.messages.is_empty()
                && state.waiting.is_none()
                && state.ended.is_none()
        });
        if self.is_ours && is_untouched && self.kept.is_empty() {
            // What stays does no harm.
            let _ = self.spool.discard();
        }
    }
}

fn told(done: Result<(), Refusal>, sentence: String) -> Told {
    done.map_or_else(|refusal| Told::Failed(refusal.to_string()), |()| Told::Done(sentence))
}

/// What was written when `note` was sent; of one that was made elsewhere, what it says.
fn comment(note: &session::Note) -> Comment {
    let written = note.draft.clone().and_then(|draft| serde_json::from_value(draft).ok());
    written.unwrap_or_else(|| Comment {
        id: note.id.clone(),
        about: About::default(),
        text: note.item.note.clone().unwrap_or_default(),
        repeats: None,
    })
}

/// What a session has not sent.
fn draft(spool: &Spool) -> Result<Vec<Comment>, Refusal> {
    let Some(bytes) = spool.draft()? else { return Ok(Vec::new()) };
    let unsent: Unsent = serde_json::from_slice(&bytes).map_err(|fault| Refusal::CannotRead {
        path: spool.folder().join("draft.json"),
        source: std::io::Error::other(fault.to_string()),
    })?;
    Ok(unsent.comments)
}

/// The ids of the notes that were sent.
fn ids(state: &State) -> Vec<String> {
    let counted = state.rounds.iter().filter(|round| !round.is_withdrawn());
    counted.flat_map(|round| round.notes.iter().map(|note| note.id.clone())).collect()
}

/// The store of the sessions of the review, which is seen from `folder`.
///
/// # Errors
/// A sentence, when there is no place for them.
pub fn store(folder: &Path, state_folder: Option<&Path>) -> Result<Store, String> {
    let repo = Repo::discover(folder).ok();
    Store::of(repo.as_ref().map(Repo::git_dir), folder, state_folder).map_err(|refusal| refusal.to_string())
}

/// The thread at the desk, as others see it.
#[derive(Debug, Clone)]
pub(super) struct Clerk(Option<Sender<Job>>);

#[derive(Debug)]
enum Job {
    Do(Errand),
    /// Leave, and say when everything before this is on disk.
    Leave(Sender<()>),
}

impl Clerk {
    /// Nobody is there.
    pub(super) fn nobody() -> Self {
        Self(None)
    }

    /// Have a thread at `desk`; what it finds goes to `answers`.
    pub(super) fn start(desk: Desk, answers: &Sender<Msg>) -> Self {
        let ((to, jobs), answers) = (channel(), answers.clone());
        thread::spawn(move || work(desk, &jobs, &answers));
        Self(Some(to))
    }

    /// Have something done.
    pub(super) fn run(&self, errand: &Errand, answers: &Sender<Msg>) {
        let sent = self.0.as_ref().ok_or(()).and_then(|jobs| jobs.send(Job::Do(errand.clone())).map_err(drop));
        if sent.is_err() {
            let _ = answers.send(Msg::Agent(errand.failed("there is no session".to_owned())));
        }
    }

    /// Leave the session when everything that was asked for is done; do not wait forever.
    pub(super) fn leave(&self) {
        let (answer, answered) = channel();
        if self.0.as_ref().is_some_and(|jobs| jobs.send(Job::Leave(answer)).is_ok()) {
            let _ = answered.recv_timeout(PATIENCE);
        }
    }
}

fn work(mut desk: Desk, jobs: &Receiver<Job>, answers: &Sender<Msg>) {
    loop {
        let told = match jobs.recv_timeout(LOOK) {
            Ok(Job::Do(errand)) => {
                surviving(|| desk.run(errand.clone())).unwrap_or_else(|reason| vec![errand.failed(reason)])
            }
            Ok(Job::Leave(answer)) => {
                desk.leave();
                let _ = answer.send(());
                return;
            }
            Err(RecvTimeoutError::Timeout) => desk.look().into_iter().collect(),
            Err(RecvTimeoutError::Disconnected) => return,
        };
        for told in told {
            if answers.send(Msg::Agent(told)).is_err() {
                return;
            }
        }
    }
}
