//! One command by way of its watcher (`watch.rs`): what it writes is read, its time is taken.

use std::io;
use std::net::Shutdown;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process_group};

use super::capture::{Capture, Tail, joined};
use super::watch::{GRACE, Report};
use super::{Cancel, ENVIRONMENT, Runner, WATCHER};
use crate::verify::{End, Ran};

/// How long the last output is waited for when everything that could write it should have ended.
const DRAIN: Duration = Duration::from_millis(300);
/// How long the watcher may take to end a command: it asks, waits, insists, and waits.
const ENDING: Duration = Duration::from_secs(2 * GRACE.as_secs() + 1);
/// The time between two looks at who has cancelled.
const TICK: Duration = Duration::from_millis(500);
/// The time between two reports of what was written.
const WROTE: Duration = Duration::from_millis(100);
/// How much is read at once: what a pipe holds.
const CHUNK: usize = 64 * 1024;

/// The line to a watcher.
pub(super) type Line = UnixStream;

/// Let the watcher end its command.
pub(super) fn hang_up(line: &Line) {
    // One that has ended already needs no telling.
    let _ = line.shutdown(Shutdown::Write);
}

/// Run `command` to its end.
pub(super) fn run(runner: &Runner, command: &str, cancel: &Cancel, wrote: &mut dyn FnMut(&[u8])) -> Ran {
    let start = Instant::now();
    let mut session = match Session::start(runner, command) {
        Ok(session) => session,
        Err(error) => {
            return Ran { end: End::NotStarted(reason(&error)), duration: start.elapsed(), output: Vec::new() };
        }
    };
    let registered = session.line.try_clone().map(|line| cancel.register(line));
    session.attend(start + runner.timeout, cancel, wrote);
    let ran = session.finish(start);
    drop(registered);
    ran
}

/// What the system says, without its number.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split_once(" (os error").map_or(text.as_str(), |(reason, _)| reason).to_lowercase()
}

/// A watcher, and what has come from it.
struct Session {
    watcher: Child,
    line: UnixStream,
    told: Vec<u8>,
    out: Capture,
    err: Capture,
    tail: Tail,
    group: Option<Pid>,
    report: Option<Report>,
    ended: Option<Instant>,
    has_timed_out: bool,
    was_cancelled: bool,
}

impl Session {
    fn start(runner: &Runner, command: &str) -> io::Result<Self> {
        let (line, other_end) = UnixStream::pair()?;
        let mut watcher = Command::new(&runner.program);
        watcher.arg0("whymark").args([WATCHER, command]).current_dir(&runner.folder).envs(ENVIRONMENT);
        watcher.stdin(Stdio::from(OwnedFd::from(other_end))).stdout(Stdio::piped()).stderr(Stdio::piped());
        let watcher = watcher.spawn()?;
        Ok(Self {
            watcher,
            line,
            told: Vec::new(),
            out: Capture::default(),
            err: Capture::default(),
            tail: Tail::default(),
            group: None,
            report: None,
            ended: None,
            has_timed_out: false,
            was_cancelled: false,
        })
    }

    /// Read until the watcher has ended and nothing more is written, at `deadline` ending the command.
    fn attend(&mut self, deadline: Instant, cancel: &Cancel, wrote: &mut dyn FnMut(&[u8])) {
        let mut streams = [
            self.watcher.stdout.take().map(OwnedFd::from),
            self.watcher.stderr.take().map(OwnedFd::from),
            self.line.try_clone().ok().map(OwnedFd::from),
        ];
        let mut until = deadline;
        let mut is_ending = false;
        let mut unsaid: Option<Instant> = None;
        let mut chunk = vec![0; CHUNK];
        while streams.iter().any(Option::is_some) {
            let now = Instant::now();
            if !is_ending && (now >= deadline || cancel.is_cancelled()) {
                self.has_timed_out = now >= deadline && self.report.is_none();
                self.was_cancelled |= cancel.is_cancelled() && self.report.is_none();
                hang_up(&self.line);
                (is_ending, until) = (true, now + ENDING);
            } else if now >= until {
                return;
            }
            if unsaid.is_some_and(|since| now >= since + WROTE) {
                wrote(self.tail.bytes());
                unsaid = None;
            }
            let wait = until.saturating_duration_since(now).min(if unsaid.is_some() { WROTE } else { TICK });
            for at in ready(&streams, wait) {
                let Some(stream) = &streams[at] else { continue };
                let len = read(stream.as_fd(), &mut chunk);
                match at {
                    _ if len == 0 => streams[at] = None,
                    0 => self.out.push(&chunk[..len]),
                    1 => self.err.push(&chunk[..len]),
                    _ => self.hear(&chunk[..len], cancel.is_cancelled()),
                }
                if at < 2 {
                    self.tail.push(&chunk[..len]);
                    unsaid.get_or_insert(now);
                } else if len == 0 {
                    // Only what got away from the watcher can still hold the others.
                    (is_ending, until) = (true, Instant::now() + DRAIN);
                }
            }
        }
    }

    /// Take what the watcher tells. Once the command has been asked to end, its exit code says nothing about the claim.
    fn hear(&mut self, bytes: &[u8], is_cancelled: bool) {
        self.told.extend_from_slice(bytes);
        while let Some(end) = self.told.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.told.drain(..=end).collect();
            match Report::parse(&String::from_utf8_lossy(&line)) {
                Some(Report::Group(group)) => self.group = Pid::from_raw(group),
                Some(report) => {
                    self.report = Some(report);
                    self.was_cancelled = is_cancelled;
                    self.ended.get_or_insert_with(Instant::now);
                }
                None => {}
            }
        }
    }

    /// What came out; nothing runs any more.
    fn finish(mut self, start: Instant) -> Ran {
        if let (None, Some(group)) = (&self.report, self.group) {
            // The watcher has been ended by others, or stopped: it did not do this.
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.watcher.kill();
        let _ = self.watcher.wait();
        let end = match self.report {
            _ if self.has_timed_out => End::TimedOut,
            _ if self.was_cancelled => End::Cancelled,
            Some(Report::Exited(code)) => End::Exited(code),
            Some(Report::Killed(signal)) => End::Killed(signal),
            Some(Report::Failed(why)) => End::NotStarted(why),
            Some(Report::Group(_)) | None => End::Killed(Signal::KILL.as_raw()),
        };
        let duration = self.ended.unwrap_or_else(Instant::now).saturating_duration_since(start);
        Ran { end, duration, output: joined(self.out, self.err) }
    }
}

/// Which of the streams can be read, waiting for it no longer than `wait`.
fn ready(streams: &[Option<OwnedFd>; 3], wait: Duration) -> Vec<usize> {
    let open: Vec<(usize, &OwnedFd)> =
        streams.iter().enumerate().filter_map(|(at, stream)| Some((at, stream.as_ref()?))).collect();
    let mut polled: Vec<PollFd<'_>> = open.iter().map(|(_, stream)| PollFd::new(*stream, PollFlags::IN)).collect();
    let wait = Timespec::try_from(wait).ok();
    if !poll(&mut polled, wait.as_ref()).is_ok_and(|count| count > 0) {
        return Vec::new();
    }
    let is_ready = |polled: &PollFd<'_>| !polled.revents().is_empty();
    open.iter().zip(&polled).filter(|(_, polled)| is_ready(polled)).map(|((at, _), _)| *at).collect()
}

/// What can be read now; 0 when the other end is closed, or broken.
fn read(stream: BorrowedFd<'_>, chunk: &mut [u8]) -> usize {
    loop {
        match rustix::io::read(stream, &mut *chunk) {
            Err(Errno::INTR) => {}
            outcome => return outcome.unwrap_or(0),
        }
    }
}
