//! The reviewer and an agent, in a real terminal, both killed again and again.

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use rustix::process::Signal;

use super::open;
use crate::support::Sandbox;
use crate::support::terminal::Pty;
use crate::tui::staged;

/// Numbers that are the same every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn pause(&mut self, most: u64) {
        thread::sleep(Duration::from_millis(self.below(most)));
    }
}

fn run(sandbox: &Sandbox, args: &[&str]) -> String {
    let run = sandbox.run(args);
    assert_eq!(run.code, 0, "{args:?}: {}", run.stderr);
    String::from_utf8(run.stdout).unwrap()
}

/// Run a command of an agent, and kill it at some time.
fn run_and_kill(sandbox: &Sandbox, args: &[&str], numbers: &mut Numbers) {
    let mut command = sandbox.whymark_command(args);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    numbers.pause(40);
    // By now it may be through.
    let _ = child.kill();
    child.wait().unwrap();
}

/// Kill the reviewer, and open it again.
fn killed(sandbox: &Sandbox, pty: Pty) -> Pty {
    pty.signal(Signal::KILL);
    pty.wait_exit();
    drop(pty);
    open(sandbox)
}

#[test]
fn three_rounds_with_both_killed_lose_nothing_and_repeat_nothing() {
    for seed in [3, 141_592_653] {
        let mut numbers = Numbers(seed);
        let sandbox = staged();
        let mut pty = open(&sandbox);
        for round in 1..=3 {
            let text = format!("please do {round}");
            pty.send("C");
            pty.wait_for("comment for the agent");
            pty.send(&text);
            pty.wait_for(&text);
            pty.send("\r");
            pty.wait_for("1 comment waits for the agent");
            numbers.pause(20);
            pty = killed(&sandbox, pty);
            pty.wait_for("1 not sent");
            pty.send("Sy");
            numbers.pause(60);
            pty = killed(&sandbox, pty);
            pty.wait_quiet();
            if pty.screen().contains("1 not sent") {
                pty.send("Sy");
                pty.wait_for("sent as round");
            }
            for _ in 0..2 {
                run_and_kill(&sandbox, &["poll", "--as", "codex"], &mut numbers);
            }
            let page = run(&sandbox, &["poll", "--as", "codex"]);
            assert!(page.contains(&format!("  chat,-,-,0,-,{text}\n")), "{page}");
            let number = format!("\nround: {round}");
            assert!(page.contains(&number), "each comment is one round: {page}");
            sandbox.write("notes.txt", &text);
            let answer = format!("did {round}");
            let reply = ["reply", "--round", &round.to_string(), &answer];
            run_and_kill(&sandbox, &reply, &mut numbers);
            let said = run(&sandbox, &reply);
            assert!(said.starts_with("reply: delivered to the reviewer\n"), "{said}");
            let after = run(&sandbox, &["poll", "--wait", "0"]);
            assert!(after.contains("queue: 0 items\nstate: waiting\n"), "{after}");
            pty.wait_for(&format!("answered: did {round}"));
        }
        pty.send("q");
        assert_eq!(pty.wait_exit(), 0);
    }
}

#[test]
fn of_two_reviewers_one_has_the_session() {
    let sandbox = staged();
    let mut first = open(&sandbox);
    first.send("Cone\r");
    first.wait_for("1 comment waits");
    first.send("Ctwo");
    first.wait_for("two");
    let mut second = open(&sandbox);
    second.wait_for(&format!("read-only for the agent: process {}", first.pid()));
    second.send("C");
    second.wait_for("has the session, :take-over takes it");
    second.send(":take-over\r");
    second.wait_for("comment for the agent");
    second.wait_for("two");
    first.wait_for("read-only");
    second.send("\r");
    second.wait_for("2 comments wait");
    second.send("Sy");
    second.wait_for("sent as round 1");
    let page = run(&sandbox, &["poll", "--as", "codex"]);
    assert!(page.contains("queue[2]") && page.contains(",one\n") && page.contains(",two\n"), "{page}");
    first.send("\r");
    first.wait_for("not saved: another reviewer has the session");
    first.signal(Signal::KILL);
    second.send("q");
    assert_eq!(second.wait_exit(), 0);
}

#[test]
fn what_is_typed_is_in_the_session_when_the_terminal_goes() {
    for signal in [Signal::HUP, Signal::TERM, Signal::KILL] {
        let sandbox = staged();
        let mut pty = open(&sandbox);
        pty.send("Chalf a thou");
        pty.wait_for("half a thou");
        if signal == Signal::KILL {
            // The text is at most half a second old.
            thread::sleep(Duration::from_millis(600));
        }
        pty.signal(signal);
        pty.wait_exit();
        let sessions = fs::read_dir(sandbox.path(".git/whymark")).unwrap().map(|entry| entry.unwrap().path());
        let drafts = sessions.filter_map(|session| fs::read_to_string(session.join("draft.json")).ok());
        assert!(drafts.collect::<String>().contains("half a thou"));
        let mut pty = open(&sandbox);
        pty.wait_for("this was not saved last time");
        pty.wait_for("half a thou");
        pty.send("ght\r");
        pty.wait_for("1 comment waits");
        pty.send("q");
        assert_eq!(pty.wait_exit(), 0);
    }
}

#[test]
fn what_waits_is_said_at_the_end_and_a_look_leaves_nothing() {
    let sandbox = staged();
    let mut pty = open(&sandbox);
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    assert!(!sandbox.path(".git/whymark").exists(), "nothing has happened in the session");
    let mut pty = open(&sandbox);
    pty.send("Cone\r");
    pty.wait_for("1 comment waits");
    pty.send("Sy");
    pty.wait_for("sent as round 1; no agent is listening");
    pty.send("Ctwo\r");
    pty.wait_for("1 comment waits");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    pty.wait_for("1 note not sent, 1 round (1 note) waits for whymark poll");
}

/// A socket may be there by which a signal handler wakes its own program; none has a name or listens.
#[test]
fn the_reviewer_listens_to_nobody() {
    let sandbox = staged();
    let mut pty = open(&sandbox);
    let descriptors = fs::read_dir(format!("/proc/{}/fd", pty.pid())).into_iter().flatten();
    let targets = descriptors.filter_map(|entry| fs::read_link(entry.ok()?.path()).ok());
    let inode = |target: String| Some(target.strip_prefix("socket:[")?.strip_suffix(']')?.to_owned());
    let inodes: Vec<String> = targets.filter_map(|target| inode(target.to_string_lossy().into_owned())).collect();
    for table in ["tcp", "tcp6", "udp", "udp6", "raw", "packet"] {
        let lines = fs::read_to_string(format!("/proc/net/{table}")).unwrap_or_default();
        let is_ours = |line: &&str| line.split_whitespace().any(|word| inodes.iter().any(|inode| inode == word));
        assert_eq!(lines.lines().skip(1).find(is_ours), None, "{table}");
    }
    for line in fs::read_to_string("/proc/net/unix").unwrap_or_default().lines().skip(1) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.get(6).is_some_and(|word| inodes.iter().any(|inode| inode == word)) {
            assert_eq!((words.len(), words[3]), (7, "00000000"), "it has a name, or listens: {line}");
        }
    }
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
}
