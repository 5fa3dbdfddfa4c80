//! The reviewer and an agent, in a real terminal, both killed again and again.

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use rustix::process::Signal;
use whymark::session::{Spool, Store};

use super::{SIZE, open, open_with};
use crate::support::Sandbox;
use crate::support::sockets::assert_listens_to_nobody;
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
    second.wait_for(&format!("comments to the agent: process {}", first.pid()));
    second.send("C");
    second.wait_for("has the session, :take-over takes it");
    // Behind the key that was refused no letter is a command, before esc.
    second.send("\x1b:take-over\r");
    second.wait_for("comment for the agent");
    second.wait_for("two");
    first.wait_for("has taken the session");
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
    pty.wait_for("1 comment for the agent not sent, 1 round (1 note) waits for whymark poll");
}

#[test]
fn what_an_agent_says_is_seen_while_somebody_types() {
    let sandbox = staged();
    let mut pty = open(&sandbox);
    pty.send("Cone\r");
    pty.wait_for("1 comment waits");
    pty.send("Sy");
    pty.wait_for("sent as round 1");
    run(&sandbox, &["poll", "--as", "codex"]);
    pty.send("C");
    pty.wait_for("comment for the agent");
    run(&sandbox, &["reply", "--round", "1", "did it"]);
    // The line at the top goes with the next key, which may come before anybody has seen it; the card stays.
    let is_seen = |pty: &mut Pty| pty.screen().contains("agent: did it");
    for _ in 0..100 {
        if is_seen(&mut pty) {
            break;
        }
        // There is always something to do before the next look is due.
        pty.send("x");
        thread::sleep(Duration::from_millis(100));
    }
    assert!(is_seen(&mut pty), "{}", pty.screen());
    pty.signal(Signal::KILL);
    pty.wait_exit();
}

#[test]
fn the_reviewer_listens_to_nobody() {
    let sandbox = staged();
    let mut pty = open(&sandbox);
    assert_listens_to_nobody(pty.pid());
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
}

/// The session of the sandbox that has not ended.
fn session(sandbox: &Sandbox) -> Spool {
    let store = Store::of(Some(&sandbox.path(".git")), &sandbox.repo(), None).unwrap();
    store.sessions().unwrap().remove(0).0
}

#[test]
fn a_reviewer_who_dies_while_sending_has_sent_or_not() {
    for (place, unsent, round) in [
        ("draft-before-rename", None, None),
        ("base-before-rename", Some("1 not sent"), None),
        ("base-after-rename", Some("1 not sent"), None),
        ("send-before-link", Some("1 not sent"), None),
        ("send-after-link", None, Some("queue[1]")),
        ("send-after-part", None, Some("queue[1]")),
    ] {
        let sandbox = staged();
        let is_typing = place == "draft-before-rename";
        if !is_typing {
            let mut pty = open(&sandbox);
            pty.send("Cone\r");
            pty.wait_for("1 comment waits");
            pty.send("q");
            pty.wait_exit();
        }
        let mut pty = open_with(&sandbox, SIZE, &[("WHYMARK_TEST_ABORT", place)]);
        pty.send(if is_typing { "Cone" } else { "Sy" });
        assert_ne!(pty.wait_exit(), 0, "it did not come by at {place}");
        drop(pty);
        let mut pty = open(&sandbox);
        match unsent {
            Some(text) => pty.wait_for(text),
            None => assert!(!pty.screen().contains("not sent"), "{place}: {}", pty.screen()),
        }
        let page = run(&sandbox, &["poll", "--wait", "0"]);
        match round {
            Some(text) => assert!(page.contains(text), "{place}: {page}"),
            None => assert!(page.contains("queue: 0 items"), "{place}: {page}"),
        }
        if unsent.is_some() {
            pty.send("Sy");
            pty.wait_for("sent as round 1");
        }
        pty.send("q");
        pty.wait_exit();
    }
}

#[test]
fn what_was_not_sent_with_its_first_part_waits_still() {
    let sandbox = staged();
    assert!(run(&sandbox, &["start", "a"]).contains("id: a"));
    let about = r#"{"selector":"doc","file":null,"quote":null}"#;
    let comment = |number: usize| format!(r#"{{"id":"c{number}","about":{about},"text":"n{number}"}}"#);
    let comments: Vec<String> = (1..=600).map(comment).collect();
    session(&sandbox).keep_draft(Some(format!(r#"{{"comments":[{}]}}"#, comments.join(",")).as_bytes())).unwrap();
    let mut pty = open_with(&sandbox, SIZE, &[("WHYMARK_TEST_ABORT", "send-after-part")]);
    pty.wait_for("600 not sent");
    pty.send("S");
    pty.wait_for("Send 600 notes -> rounds 1-2?");
    pty.send("y");
    assert_ne!(pty.wait_exit(), 0);
    drop(pty);
    let mut pty = open(&sandbox);
    pty.wait_for("100 not sent");
    pty.send("Sy");
    pty.wait_for("sent as round 2");
    pty.send("q");
    pty.wait_exit();
    let state = session(&sandbox).state().unwrap();
    assert_eq!(state.rounds.iter().map(|round| round.notes.len()).collect::<Vec<_>>(), [500, 100]);
}

#[test]
fn a_reviewer_who_dies_while_taking_a_round_back_has_it_or_not() {
    for (place, is_back) in [("recall-before-rename", false), ("recall-after-rename", true)] {
        let sandbox = staged();
        let mut pty = open_with(&sandbox, SIZE, &[("WHYMARK_TEST_ABORT", place)]);
        pty.send("Cone\r");
        pty.wait_for("1 comment waits");
        pty.send("Sy");
        pty.wait_for("sent as round 1");
        pty.send("Lx");
        assert_ne!(pty.wait_exit(), 0);
        drop(pty);
        let mut pty = open(&sandbox);
        match is_back {
            true => pty.wait_for("1 not sent"),
            false => assert!(!pty.screen().contains("not sent"), "{}", pty.screen()),
        }
        let page = run(&sandbox, &["poll", "--wait", "0"]);
        assert_eq!(page.contains("queue: 0 items"), is_back, "{page}");
        pty.send("q");
        pty.wait_exit();
    }
}

#[test]
fn a_full_disk_is_said_and_loses_nothing() {
    let sandbox = staged();
    let sign = sandbox.tmp().join("full");
    let name = sign.display().to_string();
    let mut pty = open_with(&sandbox, SIZE, &[("WHYMARK_TEST_FULL", &name)]);
    pty.send("Cone\r");
    pty.wait_for("1 comment waits");
    fs::write(&sign, "").unwrap();
    pty.send("Sy");
    pty.wait_for("not sent: not saved, cannot write");
    pty.wait_for("1 not sent");
    pty.send("Ctwo\r");
    pty.wait_for("not saved: not saved, cannot write");
    pty.wait_for("two");
    let reply = {
        let mut command = sandbox.whymark_command(&["reply", "hi"]);
        command.env("WHYMARK_TEST_FULL", &name);
        command.output().unwrap()
    };
    let stderr = String::from_utf8(reply.stderr).unwrap();
    assert_eq!((reply.status.code(), reply.stdout.len()), (Some(2), 0));
    assert!(stderr.starts_with("error: not saved, cannot write ") && stderr.contains("no storage space"), "{stderr}");
    fs::remove_file(&sign).unwrap();
    pty.send("\r");
    pty.wait_for("2 comments wait");
    pty.send("Sy");
    pty.wait_for("sent as round 1");
    let page = run(&sandbox, &["poll", "--wait", "0"]);
    assert!(page.contains(",one\n") && page.contains(",two\n"), "{page}");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
}
