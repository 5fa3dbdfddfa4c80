//! Who has a session: a reviewer holds `tui.lock`, an agent that waits for notes `poll.lock`. The system frees both when
//! their holder is gone, however it went.

use std::fs::TryLockError;
use std::io::{Read as _, Seek as _, Write as _};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::period::{long, since};
use crate::store::Locked;
use crate::store::private::{self, Refused};

/// The name of the reviewer's lock.
pub(super) const REVIEWER: &str = "tui.lock";
/// The name of the lock of who waits for notes.
pub(super) const POLL: &str = "poll.lock";
/// More than the name of an agent and a time.
const MOST: u64 = 256;
/// How long to wait before a lock is tried again.
const PAUSE: Duration = Duration::from_millis(20);

/// A lock that is ours until it is dropped.
#[derive(Debug)]
pub struct Hold {
    /// `None` where there is no file to lock.
    _file: Option<Locked>,
}

/// Who waits for notes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Waiting {
    /// Its name.
    pub agent: Option<String>,
    /// Since when.
    pub since: Option<String>,
}

/// Make the lock at `path` where there is none.
pub(super) fn make(path: &Path) -> Result<(), Refused> {
    if private::open(path, false)?.is_none()
        && let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(|name| name.to_str()))
    {
        // Where it cannot be made, or somebody was faster, there is nothing to do here.
        let _ = private::prepare(folder, b"").and_then(|lock| lock.publish(name));
    }
    Ok(())
}

/// Take the lock at `path`, trying for `patience`; `None` when somebody else has it. Where there is no lock and none can
/// be made, nobody can be kept out.
pub(super) fn take(path: &Path, patience: Duration, says: &str) -> Result<Option<Hold>, Refused> {
    make(path)?;
    let (file, is_writable) = match private::open(path, true) {
        Err(Refused::Io { .. }) => (private::open(path, false)?, false),
        opened => (opened?, true),
    };
    let Some(mut file) = file else { return Ok(Some(Hold { _file: None })) };
    let end = Instant::now() + patience;
    loop {
        match file.try_lock() {
            Ok(()) => break,
            Err(TryLockError::WouldBlock) if Instant::now() < end => thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => return Ok(None),
            // A file system without locks keeps nobody out.
            Err(TryLockError::Error(_)) => return Ok(Some(Hold { _file: None })),
        }
    }
    if is_writable {
        // What it says is for people to read; without it the lock is as good.
        let _ = file.rewind().and_then(|()| file.set_len(0)).and_then(|()| file.write_all(says.as_bytes()));
    }
    Ok(Some(Hold { _file: Some(Locked::new(file)) }))
}

/// What the holder of the lock at `path` says; `None` when nobody holds it. The look takes no time, and whoever wants the
/// lock tries for longer.
pub(super) fn holder(path: &Path) -> Result<Option<String>, Refused> {
    let file = match private::open(path, false) {
        Err(Refused::Io { .. }) | Ok(None) => return Ok(None),
        opened => match opened? {
            Some(file) => file,
            None => return Ok(None),
        },
    };
    if !matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)) {
        let _ = file.unlock();
        return Ok(None);
    }
    let mut says = String::new();
    let _ = file.take(MOST).read_to_string(&mut says);
    Ok(Some(says))
}

/// What the lock of this reviewer says: its process, since when, and on which terminal.
pub(super) fn reviewing_line(now: &str) -> String {
    let terminal = std::fs::read_link("/proc/self/fd/0").ok();
    let terminal = terminal.as_ref().and_then(|path| path.to_str()?.strip_prefix("/dev/"));
    format!("{} {now} {}\n", std::process::id(), terminal.unwrap_or("-"))
}

/// Who reviews, as far as its lock says it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reviewer {
    process: Option<u32>,
    since: Option<String>,
    terminal: Option<String>,
}

impl Reviewer {
    /// Who reviews, by what its lock says.
    pub(super) fn of(says: &str) -> Self {
        let mut words = says.split_ascii_whitespace();
        let process = words.next().and_then(|word| word.parse().ok());
        let since = words.next().map(str::to_owned);
        let is_plain = |word: &&str| word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'/');
        Self { process, since, terminal: words.next().filter(is_plain).map(str::to_owned) }
    }

    /// Who it is, for a sentence: `process 4711 (pts/3, 12 min)`.
    #[must_use]
    pub fn words(&self, now: &str) -> String {
        let process = self.process.map_or("another reviewer".to_owned(), |process| format!("process {process}"));
        let length = self.since.as_deref().and_then(|then| since(then, now)).map(long);
        let more: Vec<String> = self.terminal.clone().into_iter().chain(length).collect();
        if more.is_empty() { process } else { format!("{process} ({})", more.join(", ")) }
    }
}

/// What the lock of a poll says.
pub(super) fn waiting_line(agent: &str, now: &str) -> String {
    format!("{agent} {now}\n")
}

impl Waiting {
    /// Who waits, by what its lock says.
    pub(super) fn of(says: &str) -> Self {
        let mut words = says.split_ascii_whitespace();
        let agent = words.next().filter(|name| super::is_agent(name)).map(str::to_owned);
        Self { agent, since: words.next().map(str::to_owned) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_held_until_it_goes() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(POLL);
        assert_eq!(holder(&path).unwrap(), None);
        let held = take(&path, Duration::ZERO, "codex 2026-11-01T14:12:00Z\n").unwrap().unwrap();
        assert!(take(&path, Duration::ZERO, "other").unwrap().is_none());
        let waiting = Waiting::of(&holder(&path).unwrap().unwrap());
        assert_eq!(waiting, Waiting { agent: Some("codex".into()), since: Some("2026-11-01T14:12:00Z".into()) });
        drop(held);
        assert_eq!(holder(&path).unwrap(), None);
        let held = take(&path, Duration::ZERO, "b").unwrap().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"b");
        drop(held);
        assert!(take(&path, Duration::ZERO, "b").unwrap().is_some());
    }

    #[test]
    fn who_reviews_is_said_as_far_as_it_is_known() {
        let now = "2026-11-01T14:24:00Z";
        for (says, want) in [
            ("4711 2026-11-01T14:12:00Z pts/3", "process 4711 (pts/3, 12 min)"),
            ("4711 2026-11-01T14:12:00Z -", "process 4711 (12 min)"),
            ("2026-11-01T14:12:00Z", "another reviewer"),
            ("7 x \u{1b}[2J", "process 7"),
            ("", "another reviewer"),
        ] {
            assert_eq!(Reviewer::of(says).words(now), want);
        }
        let own = Reviewer::of(&reviewing_line(now));
        assert_eq!(own.process, Some(std::process::id()));
    }

    #[test]
    fn what_a_lock_says_may_be_anything() {
        assert_eq!(Waiting::of(""), Waiting::default());
        assert_eq!(Waiting::of("a/b"), Waiting::default());
    }

    #[test]
    fn without_a_lock_nobody_is_kept_out() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("nowhere").join(POLL);
        assert!(take(&path, Duration::ZERO, "").unwrap().is_some());
        assert!(take(&path, Duration::ZERO, "").unwrap().is_some());
        assert_eq!(holder(&path).unwrap(), None);
    }
}
