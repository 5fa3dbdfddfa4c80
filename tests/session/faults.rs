//! Programs that end at every step of what they do: nothing that was confirmed is lost, and nothing is handed out after
//! its reply.

use std::os::unix::process::ExitStatusExt as _;

use whymark::session::Spool;

use super::{Loop, chat};

/// Does in another process what the tests here ask for, until it is told to end.
#[test]
fn does_what_it_is_told() {
    let Ok(order) = std::env::var("WHYMARK_TEST_ORDER") else { return };
    let (what, folder) = order.split_once(' ').unwrap();
    let store = whymark::session::Store::of(Some(std::path::Path::new(folder)), std::path::Path::new("."), None);
    let spool = store.unwrap().spool("r1");
    let notes: Vec<_> = (0..600).map(|number| chat(&format!("n{number}"))).collect();
    match what {
        "send" => drop(spool.send(&notes[..2])),
        "send-600" => drop(spool.send(&notes)),
        "recall" => drop(spool.recall(1)),
        "close" => drop(spool.close(1)),
        "end" => drop(spool.end_by_reviewer()),
        "draft" => drop(spool.keep_draft(Some(b"\"the new draft\""))),
        other => panic!("{other}"),
    }
}

/// Let the reviewer's side do `what`, and end it at `place`.
#[track_caller]
fn reviewer_dies(this: &Loop, what: &str, place: &str) {
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "session::faults::does_what_it_is_told"]);
    command.env("WHYMARK_TEST_ORDER", format!("{what} {}", this.sandbox.repo().join(".git").display()));
    let output = command.env("WHYMARK_TEST_ABORT", place).output().unwrap();
    assert!(output.status.signal().is_some(), "{what} did not come by at {place}");
}

/// Let an agent run a command, and end it at `place`.
#[track_caller]
fn agent_dies(this: &Loop, args: &[&str], place: &str) {
    let mut command = this.sandbox.whymark_command(args);
    let output = command.env("WHYMARK_TEST_ABORT", place).output().unwrap();
    assert!(output.status.signal().is_some(), "{args:?} did not come by at {place}");
}

fn texts(spool: &Spool) -> Vec<String> {
    let state = spool.state().unwrap();
    state.unanswered().flat_map(|round| round.notes.iter().map(|note| note.id.clone())).collect()
}

fn poll(this: &Loop) -> String {
    let run = this.run(&["poll", "--wait", "0"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    String::from_utf8(run.stdout).unwrap()
}

#[test]
fn a_send_happens_or_not() {
    let this = Loop::new();
    let spool = this.sent("r1", 0);
    reviewer_dies(&this, "send", "send-before-link");
    assert!(poll(&this).contains("queue: 0 items\n"));
    assert_eq!(spool.send(&[chat("next")]).rounds, [(1, vec!["next".to_owned()])], "no number is lost");
    reviewer_dies(&this, "send", "send-after-link");
    assert_eq!(texts(&spool), ["next", "n0", "n1"]);
    assert!(poll(&this).contains("\nmore: 2 notes wait\n"));
}

#[test]
fn the_parts_of_a_send_are_rounds_each() {
    let this = Loop::new();
    let spool = this.sent("r1", 0);
    reviewer_dies(&this, "send-600", "send-before-link:2");
    assert_eq!(texts(&spool).len(), 500);
    reviewer_dies(&this, "send-600", "send-after-part");
    assert_eq!(texts(&spool).len(), 1000);
}

#[test]
fn a_poll_that_dies_has_handed_out_nothing_for_good() {
    let this = Loop::new();
    let spool = this.sent("r1", 2);
    for (place, handed) in
        [("poll-before-print", 0), ("poll-after-print", 0), ("handed-before-link", 0), ("handed-after-link", 1)]
    {
        agent_dies(&this, &["poll"], place);
        assert_eq!(spool.state().unwrap().rounds[0].handed.len(), handed, "{place}");
        assert!(poll(&this).contains("note 1\nmore: 1 note waits\nround: 1"), "{place}");
        std::fs::remove_dir_all(this.path("r1", "in")).unwrap();
    }
}

#[test]
fn a_reply_that_dies_answers_or_not() {
    let this = Loop::new();
    let spool = this.sent("r1", 2);
    let _ = poll(&this);
    agent_dies(&this, &["reply", "did it"], "reply-before-link");
    assert!(poll(&this).contains("\nround: 1 (handed out before, attempt 2)\n"));
    agent_dies(&this, &["reply", "did it"], "reply-after-link");
    assert!(poll(&this).contains("note 2\nround: 2\n"), "the first is never handed out again");
    let again = this.run(&["reply", "--round", "1", "did it"]);
    assert!(String::from_utf8_lossy(&again.stdout).contains("round: 1 was answered before, kept as a message\n"));
    assert_eq!(texts(&spool), ["note 2"]);
    agent_dies(&this, &["reply", "--note", "0", "--status", "done"], "reply-before-link");
    agent_dies(&this, &["end"], "end-before-link");
    assert!(spool.state().unwrap().ended.is_none());
    agent_dies(&this, &["end"], "end-after-link");
    assert!(spool.state().unwrap().ended.is_some());
    assert!(poll(&this).contains("note 2\nend: the agent ends"), "rounds come before the end");
}

#[test]
fn a_reply_answers_the_round_that_was_handed_out() {
    let this = Loop::new();
    let spool = this.sent("r1", 1);
    let _ = poll(&this);
    let _ = spool.send(&[chat("while it works")]);
    assert_eq!(this.run(&["reply", "did it"]).code, 0);
    assert_eq!(texts(&spool), ["while it works"]);
}

#[test]
fn a_round_is_taken_back_or_not() {
    let this = Loop::new();
    let spool = this.sent("r1", 2);
    reviewer_dies(&this, "recall", "recall-before-rename");
    assert_eq!(texts(&spool), ["note 1", "note 2"]);
    reviewer_dies(&this, "recall", "recall-after-rename");
    assert_eq!(texts(&spool), ["note 2"]);
    assert_eq!(spool.send(&[chat("x")]).rounds[0].0, 3, "its number is not used again");
    let _ = poll(&this);
    assert!(!spool.recall(2).unwrap(), "too late");
    assert!(poll(&this).contains("note 2\n"));
}

#[test]
fn a_poll_that_was_faster_than_the_reviewer_counts() {
    let this = Loop::new();
    let spool = this.sent("r1", 1);
    // It has read the round, and prints it while the reviewer takes it back.
    assert!(spool.recall(1).unwrap());
    spool.handed(1, "codex");
    assert!(poll(&this).contains("note 1\nround: 1 (handed out before, attempt 2)\n"));
    spool.restore(1).unwrap();
    assert!(!spool.recall(1).unwrap());
    let reply = this.run(&["reply", "did it"]);
    assert!(String::from_utf8_lossy(&reply.stdout).starts_with("reply: saved for the reviewer\nhelp"));
}

#[test]
fn closing_and_ending_happen_or_not() {
    let this = Loop::new();
    let spool = this.sent("r1", 1);
    reviewer_dies(&this, "close", "close-before-link");
    assert_eq!(texts(&spool), ["note 1"]);
    reviewer_dies(&this, "end", "ended-before-link");
    assert!(spool.state().unwrap().ended.is_none());
    reviewer_dies(&this, "end", "ended-after-link");
    assert!(poll(&this).contains("note 1\nend: the reviewer ends the session after this round\n"));
    reviewer_dies(&this, "close", "close-after-link");
    assert!(poll(&this).contains("queue: 0 items - the reviewer ended the session\n"));
    let late = this.run(&["reply", "--round", "1", "did it"]);
    assert!(String::from_utf8_lossy(&late.stdout).contains("round: 1 was answered before, kept as a message\n"));
}

#[test]
fn a_draft_is_the_old_one_or_the_new_one() {
    let this = Loop::new();
    let spool = this.sent("r1", 0);
    spool.keep_draft(Some(b"\"the old draft\"")).unwrap();
    reviewer_dies(&this, "draft", "draft-before-rename");
    assert_eq!(spool.draft::<String>().unwrap().as_deref(), Some("the old draft"));
    spool.keep_draft(None).unwrap();
    spool.keep_draft(None).unwrap();
    assert_eq!(spool.draft::<String>().unwrap(), None);
}

#[test]
fn what_the_dead_left_is_not_read_and_goes() {
    let this = Loop::new();
    let spool = this.sent("r1", 1);
    agent_dies(&this, &["reply", "--round", "1", "x"], "reply-before-link");
    let inbox = this.path("r1", "in");
    let names = || std::fs::read_dir(&inbox).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
    let [left] = names().try_into().expect("it left one file");
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(120);
    std::fs::File::options().write(true).open(inbox.join(&left)).unwrap().set_modified(old).unwrap();
    spool.handed(1, "codex");
    assert!(names().len() == 1 && names()[0] != left, "{:?}", names());
}

#[test]
fn the_clock_says_nothing_about_the_order() {
    let this = Loop::new();
    let spool = this.sent("r1", 2);
    let long_ago = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    let file = std::fs::File::options().write(true).open(this.path("r1", "out/0002.json")).unwrap();
    file.set_modified(long_ago).unwrap();
    assert_eq!(texts(&spool), ["note 1", "note 2"]);
    let names = ["done", "question", "done", "skipped"];
    for (index, status) in names.iter().enumerate() {
        let run = this.run(&["reply", "--round", "1", "--note", "0", "--status", status, &format!("word {index}")]);
        assert_eq!(run.code, 0);
        for entry in std::fs::read_dir(this.path("r1", "in")).unwrap() {
            std::fs::File::options().write(true).open(entry.unwrap().path()).unwrap().set_modified(long_ago).unwrap();
        }
    }
    assert_eq!(spool.state().unwrap().rounds[0].said[0].as_ref().unwrap().1.text, "word 3");
}
