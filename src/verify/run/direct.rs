//! One command where there are no watchers: it is ended when it takes too long or is cancelled, what it has started and
//! left behind is not.

use std::io::{self, Read};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::capture::{Capture, Tail, joined};
use super::{Cancel, ENVIRONMENT, Runner};
use crate::verify::{End, Ran};

/// How long the last output is waited for.
const DRAIN: Duration = Duration::from_millis(300);
/// The time between two looks at the command.
const TICK: Duration = Duration::from_millis(50);

/// How a command hears that it is cancelled.
pub(super) type Line = Arc<AtomicBool>;

/// Let the command be ended.
pub(super) fn hang_up(line: &Line) {
    line.store(true, Ordering::Relaxed);
}

/// Run `command` to its end.
pub(super) fn run(runner: &Runner, command: &str, cancel: &Cancel, wrote: &mut dyn FnMut(&[u8])) -> Ran {
    let start = Instant::now();
    let mut child = match spawn(runner, command) {
        Ok(child) => child,
        Err(error) => {
            return Ran { end: End::NotStarted(error.to_string()), duration: start.elapsed(), output: Vec::new() };
        }
    };
    let line = Line::default();
    let _registered = cancel.register(Arc::clone(&line));
    let (to, from) = mpsc::channel();
    read_all(child.stdout.take(), 0, &to);
    read_all(child.stderr.take(), 1, &to);
    drop(to);
    let mut captures = [Capture::default(), Capture::default()];
    let mut tail = Tail::default();
    let mut end: Option<(End, Instant)> = None;
    loop {
        match from.recv_timeout(TICK) {
            Ok((at, bytes)) => {
                captures[at].push(&bytes);
                tail.push(&bytes);
                wrote(tail.bytes());
            }
            Err(RecvTimeoutError::Disconnected) if end.is_some() => break,
            Err(RecvTimeoutError::Disconnected) => thread::sleep(TICK),
            Err(RecvTimeoutError::Timeout) => {}
        }
        match &end {
            Some((_, at)) if at.elapsed() > DRAIN => break,
            Some(_) => {}
            None => end = over(&mut child, start, runner.timeout, &line).map(|end| (end, Instant::now())),
        }
    }
    let [out, err] = captures;
    let (end, at) = end.unwrap_or((End::Cancelled, Instant::now()));
    Ran { end, duration: at.saturating_duration_since(start), output: joined(out, err) }
}

fn spawn(runner: &Runner, command: &str) -> io::Result<Child> {
    let mut shell = Command::new("cmd");
    shell.args(["/C", command]).current_dir(&runner.folder).envs(ENVIRONMENT);
    shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
}

/// How the command has ended, if it has; it is made to when it has to.
fn over(child: &mut Child, start: Instant, timeout: Duration, line: &Line) -> Option<End> {
    match child.try_wait() {
        Ok(Some(status)) => return Some(End::Exited(status.code().unwrap_or(1))),
        Ok(None) => {}
        Err(error) => return Some(End::NotStarted(error.to_string())),
    }
    let is_late = start.elapsed() >= timeout;
    if !is_late && !line.load(Ordering::Relaxed) {
        return None;
    }
    let _ = child.kill();
    let _ = child.wait();
    Some(if is_late { End::TimedOut } else { End::Cancelled })
}

/// Hand on what comes from a pipe, on a thread of its own.
fn read_all(pipe: Option<impl Read + Send + 'static>, at: usize, to: &Sender<(usize, Vec<u8>)>) {
    let Some(mut pipe) = pipe else { return };
    let to = to.clone();
    thread::spawn(move || {
        let mut chunk = vec![0; 64 * 1024];
        while let Ok(len @ 1..) = pipe.read(&mut chunk) {
            if to.send((at, chunk[..len].to_vec())).is_err() {
                return;
            }
        }
    });
}
