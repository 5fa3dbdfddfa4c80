//! What agents write into a session: events, each in a file of its own. They go into the session's folder, or where that
//! cannot be written into an inbox below `/tmp`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::Refusal;
use super::fault::point;
use super::record::{Event, What};
use super::spool::{MOST, Spool, chance, names, not_saved, number};
use crate::clock;
use crate::store::private::{self, Refused};

/// The folder of events.
pub(super) const IN: &str = "in";

impl Spool {
    /// Make the inbox below `/tmp`. Where it cannot be made, agents have the other one.
    pub(super) fn make_second_inbox(&self) {
        let Some(second) = &self.second else { return };
        let above = second.parent().into_iter();
        for folder in above.chain([second.as_path(), &second.join(IN)]) {
            if private::make_folder(folder).is_err() {
                break;
            }
        }
    }

    /// The inbox below `/tmp`, where it is there and nobody else's, with the folders that it is in.
    fn second_inbox(&self) -> Option<PathBuf> {
        let is_ours = |folder: &Path| matches!(private::folder(folder), Ok(true));
        let inbox = self.second.as_ref()?.join(IN);
        inbox.ancestors().take(3).all(is_ours).then_some(inbox)
    }

    /// Take away what is of the session whose folder has this number, and the folders if nothing else is in them.
    pub(super) fn clear_second_inbox(&self, number: u64) -> Result<(), Refusal> {
        let Some(inbox) = self.second_inbox() else { return Ok(()) };
        for name in names(&inbox)? {
            let path = inbox.join(name);
            if event(&path).ok().flatten().is_some_and(|event| event.folder == number) {
                let _ = fs::remove_file(path);
            }
        }
        // Those of other sessions with this name keep the folders.
        for folder in inbox.ancestors().take(3) {
            let _ = fs::remove_dir(folder);
        }
        Ok(())
    }

    /// The inboxes that are there. One in `/tmp` that is not ours is none.
    fn inboxes(&self) -> Result<Vec<PathBuf>, Refusal> {
        let own = self.at(IN);
        let mut inboxes = Vec::from_iter(private::folder(&own)?.then_some(own));
        inboxes.extend(self.second_inbox());
        Ok(inboxes)
    }

    /// What agents did, in order, with names. Files that cannot be read are passed over: whoever writes there may be at
    /// fault, and must not keep others from what is theirs.
    pub(super) fn events(&self) -> Result<Vec<(String, Event)>, Refusal> {
        let own = self.at(IN);
        let number = number(&self.folder);
        let mut events = Vec::new();
        for inbox in self.inboxes()? {
            for name in names(&inbox)? {
                if sequence(&name).is_none() {
                    continue;
                }
                let event = match event(&inbox.join(&name)) {
                    Err(refused @ Refused::Unsafe { .. }) if inbox == own => return Err(refused.into()),
                    Err(_) | Ok(None) => continue,
                    Ok(Some(event)) => event,
                };
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
        match self.second_inbox().map(|second| publish(&second, next, &bytes, place)) {
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
}

/// The event in the file at `path`; `None` when there is none, or something else.
fn event(path: &Path) -> Result<Option<Event>, Refused> {
    Ok(private::read(path, MOST)?.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
}

/// Write an event with this number. The rest of its name is chance, so that two writers that give the same number are not
/// in each other's way.
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
