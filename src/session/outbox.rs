//! What the reviewer writes into a session: what is reviewed, rounds of notes, the end, and the draft of what is not sent.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Refusal;
use super::fault::point;
use super::hold::{self, Hold, Reviewer};
use super::record::{Note, Review, Round};
use super::spool::{MOST, Spool, broken, json, not_saved};
use super::state::RoundFiles;
use crate::clock;
use crate::store::private;

/// How long a reviewer that starts tries to get its lock, since others look at it now and then.
const STARTING: Duration = Duration::from_secs(1);
/// How long a reviewer may take to let a session go.
const LETTING_GO: Duration = Duration::from_secs(4);
/// The time between two looks whether it has.
const PAUSE: Duration = Duration::from_millis(20);
/// What is reviewed.
pub(super) const REVIEW: &str = "review.json";
/// The folder of rounds.
pub(super) const OUT: &str = "out";
/// That it has ended.
pub(super) const ENDED: &str = "ended.json";
/// That another reviewer wants to go on with it.
const WANTED: &str = "tui.wanted";
/// What is not sent.
const DRAFT: &str = "draft.json";

impl Spool {
    /// Make it, or what is missing of it, and be its reviewer; `None` when somebody else is.
    ///
    /// # Errors
    /// When it cannot be made, or is not private.
    pub fn open(&self, review: &Review) -> Result<Option<Hold>, Refusal> {
        self.make()?;
        for path in [hold::REVIEWER, hold::POLL].map(|name| self.at(name)) {
            hold::make(&path)?;
        }
        let says = hold::reviewing_line(&clock::now());
        let Some(hold) = hold::take(&self.at(hold::REVIEWER), STARTING, &says)? else { return Ok(None) };
        self.forget_wish();
        private::make_folder(&self.at(OUT)).map_err(not_saved)?;
        private::settle(&self.folder);
        if private::read(&self.at(REVIEW), MOST)?.is_none() {
            self.write_new("", REVIEW, review, "review")?;
        }
        self.make_second_inbox();
        Ok(Some(hold))
    }

    /// Who reviews; `None`: nobody.
    ///
    /// # Errors
    /// When the lock is not private.
    pub fn reviewer(&self) -> Result<Option<Reviewer>, Refusal> {
        Ok(hold::holder(&self.at(hold::REVIEWER))?.as_deref().map(Reviewer::of))
    }

    /// Ask the reviewer who has the session, if one has, to let it go, and wait until that is so.
    ///
    /// # Errors
    /// When it does not, or cannot be asked.
    pub fn take_over_review(&self) -> Result<(), Refusal> {
        let end = Instant::now() + LETTING_GO;
        let mut has_asked = false;
        while let Some(reviewer) = self.reviewer()? {
            if Instant::now() >= end {
                self.forget_wish();
                return Err(Refusal::NotLetGo { who: reviewer.words(&clock::now()) });
            }
            if !has_asked {
                let failed = |source| Refusal::NotSaved { path: self.at(WANTED), source };
                private::prepare(&self.folder, b"").and_then(|wish| wish.replace(WANTED)).map_err(failed)?;
                has_asked = true;
            }
            thread::sleep(PAUSE);
        }
        self.forget_wish();
        Ok(())
    }

    /// Whether another reviewer has asked for the session.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        matches!(private::read(&self.at(WANTED), MOST), Ok(Some(_)))
    }

    fn forget_wish(&self) {
        // As a rule there is none.
        let _ = fs::remove_file(self.at(WANTED));
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
        once(self.write_new("", ENDED, &ended, "ended"))
    }

    /// Say that no agent is going to answer a round.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn close(&self, round: u32) -> Result<(), Refusal> {
        let closed = BTreeMap::from([("time", clock::now())]);
        once(self.write_new(OUT, &format!("{round:04}.closed"), &closed, "close"))
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
    /// When it cannot be read or is none of `T`, or is not private.
    pub fn draft<T: DeserializeOwned>(&self) -> Result<Option<T>, Refusal> {
        json(&self.at(DRAFT), u64::from(u32::MAX))
    }

    /// Whether there is a draft, readable or not.
    pub(super) fn has_draft(&self) -> bool {
        !matches!(fs::symlink_metadata(self.at(DRAFT)), Err(fault) if fault.kind() == io::ErrorKind::NotFound)
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
}

/// That what was to be written is there already is as good.
fn once(written: Result<(), Refusal>) -> Result<(), Refusal> {
    match written {
        Err(Refusal::NotSaved { source, .. }) if source.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        written => written,
    }
}

/// Read what the file `name` says about a round.
pub(super) fn read_round(out: &Path, name: &str, rounds: &mut BTreeMap<u32, RoundFiles>) -> Result<(), Refusal> {
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
