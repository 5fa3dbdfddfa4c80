//! The watcher: this program once more, as the parent of one command. It has the command's end in its hands even when the
//! program that wanted it run is no more.
//!
//! Its standard input is a line to that program. On it the watcher says what becomes of the command; when the other end
//! hangs up, by intent or because its process has ended, it ends the command. It stands in a session of its own, so that
//! the command has no terminal to ask questions on, and the command in a process group of its own. On Linux it inherits
//! what leaves that group and loses its parent, so that nothing gets away.

use std::ffi::OsStr;
use std::io::{self, Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{self, Pid, Signal};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

/// Holds a command back until its group has been told: from then on it can be ended even if it ends its watcher.
const GATE: &str = r#"read -r go && exec /bin/sh -c "$1" </dev/null"#;
/// How long what a command leaves behind may take to end by itself.
const LINGER: Duration = Duration::from_millis(300);
/// How long everything may take to end once it has been asked to.
pub(super) const GRACE: Duration = Duration::from_secs(2);
/// How often it is looked whether it has.
const PAUSE: Duration = Duration::from_millis(10);

/// What becomes of a command, a line each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Report {
    /// It has begun, in a process group with this number.
    Group(i32),
    /// It has exited with this code.
    Exited(i32),
    /// A signal has ended it.
    Killed(i32),
    /// It could not be started.
    Failed(String),
}

impl Report {
    fn line(&self) -> String {
        match self {
            Self::Group(group) => format!("group {group}\n"),
            Self::Exited(code) => format!("exited {code}\n"),
            Self::Killed(signal) => format!("killed {signal}\n"),
            Self::Failed(why) => format!("failed {}\n", why.replace('\n', " ")),
        }
    }

    /// The report that `line` is; `None` for anything else.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let (word, rest) = line.trim_end_matches('\n').split_once(' ')?;
        Some(match word {
            "group" => Self::Group(rest.parse().ok()?),
            "exited" => Self::Exited(rest.parse().ok()?),
            "killed" => Self::Killed(rest.parse().ok()?),
            "failed" => Self::Failed(rest.to_owned()),
            _ => return None,
        })
    }
}

/// Something that the watcher waits for.
enum Happening {
    /// The command is over.
    Ended(io::Result<ExitStatus>),
    /// Nobody wants to know any more.
    HungUp,
}

/// Run `command` in a shell and watch over it until nothing of it is left.
///
/// # Errors
/// When this process is not one that [`super::Runner`] has started.
pub fn watch(command: &OsStr) -> io::Result<()> {
    // Fails for the leader of a group, which is what a shell makes of all that it starts.
    process::setsid()?;
    let mut line = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    #[cfg(target_os = "linux")]
    process::set_child_subreaper(Some(process::getpid()))?;
    for signal in [SIGTERM, SIGHUP, SIGINT, SIGQUIT] {
        signal_hook::flag::register(signal, Arc::default())?;
    }
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", GATE, "sh"]).arg(command).stdin(Stdio::piped()).process_group(0);
    match shell.spawn() {
        Ok(child) => attend(child, &mut line),
        Err(error) => tell(&mut line, &Report::Failed(error.to_string())),
    }
    Ok(())
}

/// Whoever was to hear it may have hung up.
fn tell(line: &mut UnixStream, report: &Report) {
    let _ = line.write_all(report.line().as_bytes());
}

fn attend(mut child: Child, line: &mut UnixStream) {
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw).expect("a process id is a positive i32");
    tell(line, &Report::Group(group.as_raw_nonzero().get()));
    // One that has ended already needs no word.
    let _ = child.stdin.take().map(|mut gate| gate.write_all(b"\n"));
    let (say, happenings) = mpsc::channel();
    let say_hung_up = say.clone();
    let reader = line.try_clone();
    thread::spawn(move || {
        // Nothing is ever said on it; what ends it is all there is to hear.
        let _ = reader.map(|mut reader| reader.read(&mut [0]));
        let _ = say_hung_up.send(Happening::HungUp);
    });
    thread::spawn(move || {
        let _ = say.send(Happening::Ended(child.wait()));
    });
    match happenings.recv() {
        Ok(Happening::Ended(status)) => {
            tell(line, &ended(status));
            linger(group, &happenings);
        }
        Ok(Happening::HungUp) | Err(_) => {
            end(group);
            if let Ok(Happening::Ended(status)) = happenings.recv_timeout(GRACE) {
                tell(line, &ended(status));
            }
        }
    }
}

fn ended(status: io::Result<ExitStatus>) -> Report {
    match status {
        Ok(status) => match (status.code(), status.signal()) {
            (Some(code), _) => Report::Exited(code),
            (None, signal) => Report::Killed(signal.unwrap_or_default()),
        },
        Err(error) => Report::Failed(error.to_string()),
    }
}

/// Give what the command has left behind a moment to end, then end it.
fn linger(group: Pid, happenings: &Receiver<Happening>) {
    let until = Instant::now() + LINGER;
    while is_left(group) && Instant::now() < until {
        if !matches!(happenings.recv_timeout(PAUSE), Err(RecvTimeoutError::Timeout)) {
            break;
        }
    }
    if is_left(group) {
        end(group);
    }
}

/// Ask all of it to end, and after a while make it end.
fn end(group: Pid) {
    signal_all(group, Signal::TERM);
    // What is stopped does not hear the request otherwise.
    signal_all(group, Signal::CONT);
    let until = Instant::now() + GRACE;
    while is_left(group) && Instant::now() < until {
        thread::sleep(PAUSE);
    }
    let until = Instant::now() + GRACE;
    while is_left(group) && Instant::now() < until {
        signal_all(group, Signal::KILL);
        thread::sleep(PAUSE);
    }
}

/// Whether something of the command still runs.
fn is_left(group: Pid) -> bool {
    // Of a group it is not told whether all that is left has ended, and only waits for somebody to ask how.
    descendants().map_or_else(|| process::test_kill_process_group(group).is_ok(), |pids| !pids.is_empty())
}

fn signal_all(group: Pid, signal: Signal) {
    // What has ended in the meantime needs no signal.
    let _ = process::kill_process_group(group, signal);
    for pid in descendants().unwrap_or_default() {
        let _ = process::kill_process(pid, signal);
    }
}

/// The processes that descend from this one and have not ended; `None` where that cannot be known.
#[cfg(target_os = "linux")]
fn descendants() -> Option<Vec<Pid>> {
    let entries = std::fs::read_dir("/proc").ok()?;
    let stat = |entry: std::fs::DirEntry| {
        let pid: i32 = entry.file_name().to_str()?.parse().ok()?;
        let stat = std::fs::read(entry.path().join("stat")).ok()?;
        // Behind the name, which may hold anything: state and parent.
        let rest = String::from_utf8_lossy(&stat[stat.iter().rposition(|byte| *byte == b')')? + 1..]).into_owned();
        let mut words = rest.split_ascii_whitespace();
        let has_ended = matches!(words.next()?, "Z" | "X");
        Some((pid, words.next()?.parse::<i32>().ok()?, has_ended))
    };
    let all: Vec<(i32, i32, bool)> = entries.flatten().filter_map(stat).collect();
    let own = process::getpid().as_raw_nonzero().get();
    if !all.iter().any(|(pid, ..)| *pid == own) {
        return None;
    }
    let mut found = vec![own];
    let mut at = 0;
    while let Some(parent) = found.get(at).copied() {
        found.extend(all.iter().filter(|(_, of, _)| *of == parent).map(|(pid, _, _)| *pid));
        at += 1;
    }
    let is_running = |pid: &i32| all.iter().any(|(other, _, has_ended)| other == pid && !has_ended);
    Some(found.into_iter().skip(1).filter(is_running).filter_map(Pid::from_raw).collect())
}

/// Elsewhere only the group is known.
#[cfg(not(target_os = "linux"))]
fn descendants() -> Option<Vec<Pid>> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_read_as_they_are_told() {
        for report in [
            Report::Group(7),
            Report::Exited(255),
            Report::Killed(9),
            Report::Failed("no such file or directory".into()),
        ] {
            assert_eq!(Report::parse(&report.line()), Some(report));
        }
        for line in ["", "exited", "exited x", "other 1"] {
            assert_eq!(Report::parse(line), None, "{line}");
        }
    }
}
