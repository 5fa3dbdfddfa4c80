//! The folder of one session: its files read, and new ones written.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Refusal;
use super::fault::point;
use super::hold::{self, Hold, Waiting};
use super::record::{Event, Note, Review, Round, What};
pub use super::state::Files;
use super::state::{RoundFiles, State};
use crate::clock;
use crate::store::private::{self, Refused};

/// The most bytes of a file.
const MOST: u64 = 1 << 20;
/// How long a reviewer that starts tries to get its lock, since others look at it now and then.
const STARTING: Duration = Duration::from_secs(1);
/// The same for a poll.
const POLLING: Duration = Duration::from_millis(300);
/// The reviewer's files.
const REVIEW: &str = "review.json";
const DRAFT: &str = "draft.json";
const ENDED: &str = "ended.json";
/// The folders of a session.
const OUT: &str = "out";
const IN: &str = "in";

/// The folder of a session. Nothing is read or written until it is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spool {
    id: String,
    folder: PathBuf,
    /// The session's folder below `/tmp`, for agents that cannot write in the first.
    second: Option<PathBuf>,
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

    fn at(&self, name: &str) -> PathBuf {
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
            review: self.json(&self.at(REVIEW))?,
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

    fn json<T: DeserializeOwned>(&self, path: &Path) -> Result<Option<T>, Refusal> {
        let Some(bytes) = private::read(path, MOST)? else { return Ok(None) };
        serde_json::from_slice(&bytes).map(Some).map_err(|fault| broken(path, &fault))
    }

    /// The inboxes that are there. One in `/tmp` that is not ours is none.
    fn inboxes(&self) -> Result<Vec<PathBuf>, Refusal> {
        let own = self.at(IN);
        let mut inboxes = Vec::from_iter(private::folder(&own)?.then_some(own));
        let second = self.second.as_deref().filter(|folder| is_private(folder));
        inboxes.extend(second.map(|folder| folder.join(IN)));
        Ok(inboxes)
    }

    /// What agents did, in order, with names. Files that cannot be read are passed over: whoever writes there may be at
    /// fault, and must not keep others from what is theirs.
    fn events(&self) -> Result<Vec<(String, Event)>, Refusal> {
        let own = self.at(IN);
        let number = number(&self.folder);
        let mut events = Vec::new();
        for inbox in self.inboxes()? {
            for name in names(&inbox)? {
                if sequence(&name).is_none() {
                    continue;
                }
                let path = inbox.join(&name);
                let bytes = match private::read(&path, MOST) {
                    Err(refused @ Refused::Unsafe { .. }) if inbox == own => return Err(refused.into()),
                    Err(_) | Ok(None) => continue,
                    Ok(Some(bytes)) => bytes,
                };
                let Ok(event) = serde_json::from_slice::<Event>(&bytes) else { continue };
                if inbox == own || event.folder == number {
                    events.push((name, event));
                }
            }
        }
        events.sort_by_cached_key(|(name, _)| (sequence(name), name.clone()));
        Ok(events)
    }

    /// Write down what `agent` did.
    ///
    /// # Errors
    /// When no inbox takes it.
    pub(super) fn happen(&self, agent: &str, what: What, place: &str) -> Result<(), Refusal> {
        private::folder(&self.folder)?;
        let event = Event { agent: agent.to_owned(), time: clock::now(), folder: number(&self.folder), what };
        let bytes = serde_json::to_vec(&event).expect("an event has no maps");
        let next = self.next_number()?;
        let own = self.at(IN);
        let refusal = match private::make_folder(&own) {
            Err(refused @ Refused::Unsafe { .. }) => return Err(refused.into()),
            Err(refused) => refused,
            Ok(()) => match publish(&own, next, &bytes, place) {
                Ok(()) => return Ok(()),
                Err(source) => Refused::Io { path: own, source },
            },
        };
        let second = self.second.as_deref().filter(|folder| is_private(folder)).map(|folder| folder.join(IN));
        match second.map(|second| publish(&second, next, &bytes, place)) {
            Some(Ok(())) => Ok(()),
            _ => Err(not_saved(refusal)),
        }
    }

    /// A number that is greater than those of all events.
    fn next_number(&self) -> Result<u64, Refusal> {
        let mut greatest = 0;
        for inbox in self.inboxes()? {
            greatest = names(&inbox)?.iter().filter_map(|name| sequence(name)).fold(greatest, u64::max);
        }
        Ok(greatest + 1)
    }

    /// Record that `round` was printed for `agent`. Nobody is told when that fails: the round is printed again, then.
    pub fn handed(&self, round: u32, agent: &str) {
        let _ = self.happen(agent, What::Handed { round }, "handed");
    }

    /// The agent's end of the session.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn end_by_agent(&self, agent: &str) -> Result<(), Refusal> {
        self.happen(agent, What::End, "end")
    }

    /// Say to the poll that waits that `agent` takes its place.
    pub(super) fn take_over(&self, agent: &str) {
        // Where it cannot be said, the lock decides.
        let _ = self.happen(agent, What::Takeover, "takeover");
    }

    /// Be the poll that waits, trying for `patience`; `None` when there is another one.
    pub(super) fn wait_as(&self, agent: &str, patience: Option<Duration>) -> Result<Option<Hold>, Refusal> {
        let says = hold::waiting_line(agent, &clock::now());
        Ok(hold::take(&self.at(hold::POLL), patience.unwrap_or(POLLING), &says)?)
    }

    // From here on: what the reviewer does.

    /// Make it, or what is missing of it, and be its reviewer; `None` when somebody else is.
    ///
    /// # Errors
    /// When it cannot be made, or is not private.
    pub fn open(&self, review: &Review) -> Result<Option<Hold>, Refusal> {
        self.make()?;
        for path in [hold::REVIEWER, hold::POLL].map(|name| self.at(name)) {
            hold::make(&path)?;
        }
        let says = format!("{}\n", clock::now());
        let Some(hold) = hold::take(&self.at(hold::REVIEWER), STARTING, &says)? else { return Ok(None) };
        private::make_folder(&self.at(OUT)).map_err(not_saved)?;
        private::settle(&self.folder);
        if private::read(&self.at(REVIEW), MOST)?.is_none() {
            self.write_new("", REVIEW, review, "review")?;
        }
        if let Some(second) = &self.second {
            // Where it cannot be made, agents have the first.
            let above = second.parent().into_iter();
            for folder in above.chain([second.as_path(), &second.join(IN)]) {
                if private::make_folder(folder).is_err() {
                    break;
                }
            }
        }
        Ok(Some(hold))
    }

    /// Write a round with the next number, and return that.
    pub(super) fn write_round(&self, notes: Vec<Note>) -> Result<u32, Refusal> {
        let mut number = self.state()?.newest.unwrap_or(0) + 1;
        let round = Round { time: clock::now(), notes };
        loop {
            match self.write_new(OUT, &format!("{number:04}.json"), &round, "send") {
                Err(Refusal::NotSaved { source, .. }) if source.kind() == io::ErrorKind::AlreadyExists => number += 1,
                written => return written.map(|()| number),
            }
        }
    }

    /// End the session.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn end_by_reviewer(&self) -> Result<(), Refusal> {
        let ended = BTreeMap::from([("time", clock::now())]);
        self.once(self.write_new("", ENDED, &ended, "ended"))
    }

    /// Say that no agent is going to answer a round.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn close(&self, round: u32) -> Result<(), Refusal> {
        let closed = BTreeMap::from([("time", clock::now())]);
        self.once(self.write_new(OUT, &format!("{round:04}.closed"), &closed, "close"))
    }

    /// Take a round back that was not handed out, and return whether that was in time. Its notes must be in the draft by
    /// now, since the round may be gone when this returns.
    ///
    /// # Errors
    /// When it cannot be renamed.
    pub fn recall(&self, round: u32) -> Result<bool, Refusal> {
        let out = self.at(OUT);
        let [sent, recalled] = ["json", "recalled"].map(|kind| out.join(format!("{round:04}.{kind}")));
        if self.is_too_late(round)? {
            return Ok(false);
        }
        point("recall-before-rename");
        let renamed = fs::rename(&sent, &recalled);
        renamed.map_err(|source| Refusal::NotSaved { path: recalled.clone(), source })?;
        private::settle(&out);
        point("recall-after-rename");
        // A poll may have printed it meanwhile.
        if self.is_too_late(round)? {
            self.restore(round)?;
            return Ok(false);
        }
        Ok(true)
    }

    /// Whether a round cannot be taken back any more.
    fn is_too_late(&self, round: u32) -> Result<bool, Refusal> {
        Ok(self.state()?.round(round).is_none_or(|round| !round.handed.is_empty() || round.is_settled()))
    }

    /// Give a round its name back that was taken back too late.
    ///
    /// # Errors
    /// When it cannot be renamed.
    pub fn restore(&self, round: u32) -> Result<(), Refusal> {
        let out = self.at(OUT);
        let [sent, recalled] = ["json", "recalled"].map(|kind| out.join(format!("{round:04}.{kind}")));
        fs::rename(recalled, &sent).map_err(|source| Refusal::NotSaved { path: sent, source })?;
        private::settle(&out);
        Ok(())
    }

    /// The draft, as it was last kept.
    ///
    /// # Errors
    /// When it cannot be read, or is not private.
    pub fn draft(&self) -> Result<Option<Vec<u8>>, Refusal> {
        Ok(private::read(&self.at(DRAFT), u64::from(u32::MAX))?)
    }

    /// Keep this draft in the place of the one before; `None`: there is none any more.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep_draft(&self, draft: Option<&[u8]>) -> Result<(), Refusal> {
        let failed = |source| Refusal::NotSaved { path: self.at(DRAFT), source };
        let Some(draft) = draft else {
            return match fs::remove_file(self.at(DRAFT)) {
                Err(source) if source.kind() != io::ErrorKind::NotFound => Err(failed(source)),
                _ => Ok(()),
            };
        };
        let written = private::prepare(&self.folder, draft).map_err(failed)?;
        point("draft-before-rename");
        written.replace(DRAFT).map_err(failed)
    }

    /// Write a file of the reviewer that is not there yet.
    fn write_new(&self, folder: &str, name: &str, value: &impl Serialize, place: &str) -> Result<(), Refusal> {
        let folder = self.at(folder);
        let failed = |source| Refusal::NotSaved { path: folder.join(name), source };
        let bytes = serde_json::to_vec(value).map_err(|fault| failed(fault.into()))?;
        if bytes.len() as u64 > MOST {
            // It would be refused when it is read, and the session with it.
            return Err(failed(io::Error::other(format!("it would have more than {MOST} bytes"))));
        }
        let written = private::prepare(&folder, &bytes).map_err(failed)?;
        point(&format!("{place}-before-link"));
        written.publish(name).map_err(failed)?;
        point(&format!("{place}-after-link"));
        Ok(())
    }

    /// That what was to be written is there already is as good.
    fn once(&self, written: Result<(), Refusal>) -> Result<(), Refusal> {
        match written {
            Err(Refusal::NotSaved { source, .. }) if source.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            written => written,
        }
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
        let Some(second) = self.second.as_deref().filter(|folder| is_private(folder)) else { return Ok(()) };
        let inbox = second.join(IN);
        for name in names(&inbox)? {
            let path = inbox.join(name);
            let event = private::read(&path, MOST).ok().flatten();
            let event = event.and_then(|bytes| serde_json::from_slice::<Event>(&bytes).ok());
            if event.is_some_and(|event| event.folder == number) {
                let _ = fs::remove_file(path);
            }
        }
        // Those of other sessions with this name keep the folders.
        for folder in inbox.ancestors().take(3) {
            let _ = fs::remove_dir(folder);
        }
        Ok(())
    }
}

/// Read what the file `name` says about a round.
fn read_round(out: &Path, name: &str, rounds: &mut BTreeMap<u32, RoundFiles>) -> Result<(), Refusal> {
    let Some((digits, kind)) = name.split_once('.') else { return Ok(()) };
    let Some(number) = digits.parse().ok().filter(|number: &u32| *number > 0 && format!("{number:04}") == digits)
    else {
        return Ok(());
    };
    let path = out.join(name);
    match kind {
        "closed" => {
            let is_there = private::read(&path, MOST)?.is_some();
            rounds.entry(number).or_default().is_closed |= is_there;
        }
        "json" | "recalled" => {
            let known = rounds.entry(number).or_default();
            let is_recalled = kind == "recalled";
            if known.round.is_some() && (is_recalled || !known.is_recalled) {
                return Ok(());
            }
            // One that is gone by now has another name.
            let Some(bytes) = private::read(&path, MOST)? else { return Ok(()) };
            let round: Round = serde_json::from_slice(&bytes).map_err(|fault| broken(&path, &fault))?;
            if round.notes.is_empty() {
                return Err(Refusal::CannotRead { path, source: io::Error::other("it holds no note") });
            }
            known.round = Some(round);
            known.is_recalled = is_recalled;
        }
        _ => {}
    }
    Ok(())
}

/// Write an event with this number, or the next one that is free. The rest of its name is chance, so that two writers
/// that saw the same are not in each other's way.
fn publish(inbox: &Path, number: u64, bytes: &[u8], place: &str) -> io::Result<()> {
    let written = private::prepare(inbox, bytes)?;
    point(&format!("{place}-before-link"));
    written.publish(&format!("{number:06}-{:016x}.json", chance()))?;
    point(&format!("{place}-after-link"));
    Ok(())
}

/// The number in the name of an event; `None` when it is the name of something else.
fn sequence(name: &str) -> Option<u64> {
    let (digits, _) = name.strip_suffix(".json")?.split_once('-')?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

/// Bits that nobody else has.
pub(super) fn chance() -> u64 {
    use std::hash::{BuildHasher as _, RandomState};
    RandomState::new().hash_one((std::process::id(), SystemTime::now()))
}

/// The names in `folder` that are no hidden files.
fn names(folder: &Path) -> Result<Vec<String>, Refusal> {
    let failed = |source| Refusal::CannotRead { path: folder.to_owned(), source };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        names.extend(name.to_str().filter(|name| !name.starts_with('.')).map(str::to_owned));
    }
    names.sort_unstable();
    Ok(names)
}

/// Whether a session's folder in `/tmp` is there, with the one above it and the inbox in it, and nobody else's.
fn is_private(folder: &Path) -> bool {
    let is_ours = |folder: &Path| matches!(private::folder(folder), Ok(true));
    folder.parent().is_some_and(is_ours) && is_ours(folder) && is_ours(&folder.join(IN))
}

/// When something in `folder` was last changed, in nanoseconds.
fn written(folder: &Path) -> u128 {
    let written = fs::symlink_metadata(folder).and_then(|meta| meta.modified()).ok();
    written.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok()).map_or(0, |since| since.as_nanos())
}

/// The number of a folder on its disk, which it has wherever it is mounted.
fn number(folder: &Path) -> u64 {
    #[cfg(unix)]
    let number = std::os::unix::fs::MetadataExt::ino;
    #[cfg(not(unix))]
    let number = |_: &fs::Metadata| 0;
    fs::symlink_metadata(folder).map_or(0, |meta| number(&meta))
}

fn broken(path: &Path, fault: &serde_json::Error) -> Refusal {
    Refusal::CannotRead { path: path.to_owned(), source: io::Error::other(fault.to_string()) }
}

/// The same refusal, of something that was to be written.
fn not_saved(refused: Refused) -> Refusal {
    match refused {
        Refused::Io { path, source } => Refusal::NotSaved { path, source },
        refused @ Refused::Unsafe { .. } => refused.into(),
    }
}
