//! Polls that wait: who is told what, and when.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::{Loop, chat};
use crate::support::sockets::assert_no_sockets;

/// Wait until a poll holds the lock of the session.
fn until_it_waits(this: &Loop, id: &str) {
    let end = Instant::now() + Duration::from_secs(20);
    while this.store.spool(id).state().unwrap().waiting.is_none_or(|waiting| waiting.agent.is_none()) {
        assert!(Instant::now() < end, "nobody waits");
        thread::sleep(Duration::from_millis(10));
    }
}

fn finished(child: Child) -> (i32, String, String) {
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

#[test]
fn a_poll_hears_of_a_round_and_of_the_end() {
    let this = Loop::new();
    let (spool, _hold) = this.open("r1");
    let poll = this.start(&["poll", "--wait", "forever"]);
    until_it_waits(&this, "r1");
    let _ = spool.send(&[chat("now")]);
    assert!(finished(poll).1.contains("now\nround: 1\n"));
    assert_eq!(this.run(&["reply", "x"]).code, 0);
    for by in ["agent", "reviewer"] {
        let this = Loop::new();
        let (spool, _hold) = this.open("r1");
        let poll = this.start(&["poll", "--wait", "forever"]);
        until_it_waits(&this, "r1");
        match by {
            "agent" => spool.end_by_agent("x").unwrap(),
            _ => spool.end_by_reviewer().unwrap(),
        }
        let said = finished(poll).1;
        assert!(said.contains(&format!("the {by} ended the session\n")), "{said}");
    }
}

#[test]
fn two_polls_on_one_session_the_second_is_told() {
    let this = Loop::new();
    let (_spool, _hold) = this.open("r1");
    let mut first = this.start(&["poll", "--as", "codex"]);
    until_it_waits(&this, "r1");
    let row = "sessions[1]{session,label,state,queued,agent}:\n  r1,label r1,open,0,codex waiting\n";
    this.check(&["sessions"], 0, row, "");
    let second = this.run(&["poll", "--wait", "0"]);
    assert_eq!((second.code, second.stdout.len()), (1, 0));
    let message = second.stderr.strip_prefix("error: another poll is waiting (codex, ").expect(&second.stderr);
    let (_, rest) = message.split_once(" s)\n").expect(message);
    assert_eq!(rest, "help[1]:\n  add `--takeover` to replace that poll\n");
    let third = this.start(&["poll", "--takeover", "--wait", "0"]);
    let replaced = "error: replaced by another poll\nhelp[1]:\n  stop: another agent has this session now\n";
    let mut stderr = String::new();
    first.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!((first.wait().unwrap().code(), stderr.as_str()), (Some(1), replaced));
    assert_eq!(finished(third).0, 0);
}

/// Whether this process, and with it what it starts, ignores a signal: as it does one from the keyboard where a shell runs
/// the tests in the background. Where the system does not say it, none.
fn is_ignored(signal: Signal) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).unwrap());
    ignored & (1 << (signal.as_raw() - 1)) != 0
}

#[test]
fn a_killed_poll_leaves_nothing_behind() {
    let this = Loop::new();
    let (spool, _hold) = this.open("r1");
    let signals = [Signal::KILL, Signal::TERM, Signal::INT, Signal::HUP];
    for signal in signals.into_iter().filter(|signal| !is_ignored(*signal)) {
        let mut poll = this.start(&["poll"]);
        until_it_waits(&this, "r1");
        kill_process(Pid::from_child(&poll), signal).unwrap();
        let status = poll.wait().unwrap();
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(signal.as_raw()));
        assert!(spool.state().unwrap().waiting.is_none(), "the lock is free");
    }
    assert_eq!(this.run(&["poll", "--wait", "0"]).code, 0);
}

#[test]
fn a_reviewer_who_leaves_is_not_waited_for() {
    let this = Loop::new();
    let (_spool, hold) = this.open("r1");
    let poll = this.start(&["poll", "--wait", "forever"]);
    until_it_waits(&this, "r1");
    // It has to see that somebody was there.
    thread::sleep(Duration::from_secs(1));
    drop(hold);
    let (code, stdout, stderr) = finished(poll);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.contains("\nstate: closed\n"), "{stdout}");
}

#[test]
fn a_poll_without_a_name_finds_the_reviewer_who_comes_later() {
    let this = Loop::new();
    let poll = this.start(&["poll", "--wait", "forever"]);
    this.run(&["start", "a"]);
    until_it_waits(&this, "a");
    let (spool, _hold) = this.open("b");
    until_it_waits(&this, "b");
    assert!(this.store.spool("a").state().unwrap().waiting.is_none(), "it has moved on");
    let _ = spool.send(&[chat("here")]);
    assert!(finished(poll).1.starts_with("session: label b\n"));
}

#[test]
fn printing_consumes_nothing() {
    let this = Loop::new();
    let (spool, _hold) = this.open("r1");
    let _ = spool.send(&[chat(&"x".repeat(60_000)), chat("second")]);
    // Nobody reads further than the first line, and the page is longer than a pipe holds.
    let _ = spool.send(&[chat(&"\"".repeat(65_000))]);
    assert_eq!(this.run(&["reply", "--round", "1", "x"]).code, 0);
    assert_eq!(this.run(&["reply", "--round", "2", "x"]).code, 0);
    let mut poll = this.start(&["poll"]);
    let mut line = String::new();
    let mut stdout = BufReader::new(poll.stdout.take().unwrap());
    stdout.read_line(&mut line).unwrap();
    drop(stdout);
    let (code, _, stderr) = finished(poll);
    assert_eq!((line.as_str(), code, stderr.as_str()), ("session: label r1\n", 0, ""), "a broken pipe is quiet");
    assert!(spool.state().unwrap().rounds[2].handed.is_empty(), "what was not read was not handed out");
    let page = String::from_utf8(this.run(&["poll"]).stdout).unwrap();
    assert!(page.contains("\nround: 3\n"), "nothing is lost");
    let mut poll = this.start(&["poll"]);
    let mut stdout = poll.stdout.take().unwrap();
    stdout.read_exact(&mut [0; 100]).unwrap();
    kill_process(Pid::from_child(&poll), Signal::KILL).unwrap();
    poll.wait().unwrap();
    let page = String::from_utf8(this.run(&["poll"]).stdout).unwrap();
    assert!(page.contains("\nround: 3 (handed out before, attempt 2)\n"), "{}", &page[page.len() - 300..]);
}

#[test]
fn a_poll_opens_no_socket() {
    let this = Loop::new();
    let (_spool, _hold) = this.open("r1");
    let mut poll = this.start(&["poll"]);
    until_it_waits(&this, "r1");
    assert_no_sockets(i32::try_from(poll.id()).unwrap());
    poll.kill().unwrap();
    poll.wait().unwrap();
}
