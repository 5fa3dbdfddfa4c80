//! What others do while the reviewer runs appears by itself, and nothing happens while nobody does anything.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use super::{REVIEW, SIZE, open, review, write_note};
use crate::support::Sandbox;
use crate::support::terminal::Pty;
use crate::tui::staged;

#[test]
fn a_note_that_another_process_writes_appears() {
    let sandbox = staged();
    let mut pty = open(&sandbox);
    write_note(&mut pty, "mine");
    let run = sandbox.run(&["note", REVIEW, "a.txt:+4", "--why", "from another process"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    pty.wait_for("from another process");
    pty.wait_for("changed on disk, and is shown as it is now");
    pty.send("a and more");
    pty.wait_for("and more");
    let run = sandbox.run(&["note", REVIEW, "a.txt:+4", "--why", "while somebody types"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    pty.wait_for("changed on disk  ");
    pty.send("\r");
    pty.wait_for("while somebody types");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    let text = review(&sandbox);
    for words in ["mine", "from another process", "and more", "while somebody types"] {
        assert!(text.contains(words), "`{words}` is not in {text}");
    }
}

#[test]
fn two_reviewers_of_one_review_see_each_other() {
    let sandbox = staged();
    let mut one = open(&sandbox);
    let mut other = open(&sandbox);
    write_note(&mut one, "by the one");
    other.wait_for("by the one");
    write_note(&mut other, "by the other");
    one.wait_for("by the other");
    for mut pty in [one, other] {
        pty.send("q");
        assert_eq!(pty.wait_exit(), 0);
    }
}

#[test]
fn a_change_of_the_index_is_marked_and_taken_when_it_is_asked_for() {
    let sandbox = staged();
    let mut pty = open(&sandbox);
    write_note(&mut pty, "louder");
    sandbox.write("a.txt", "one\nTWO\nthree\nfour\nfive\n");
    sandbox.git(&["add", "a.txt"]);
    pty.wait_for("R refreshes");
    assert!(!pty.screen().contains("five"), "{}", pty.screen());
    pty.send("R");
    pty.wait_for("1 file changed, 1 note carried");
    pty.wait_for("five");
    pty.wait_until_gone("R refreshes");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
}

#[test]
fn a_changed_file_under_a_note_is_marked_until_it_is_as_before() {
    let sandbox = staged();
    sandbox.git(&["commit", "--quiet", "--message", "Second"]);
    sandbox.write("a.txt", "one\nTWO\nthree\nFOUR\n");
    let mut pty = Pty::whymark(&sandbox, &["tui", "--unstaged"], SIZE, &[]);
    pty.wait_for("FOUR");
    pty.wait_until_gone("reading");
    pty.send("G");
    pty.send("amine");
    pty.wait_for("mine");
    pty.send("\r");
    pty.wait_for("saved to reviews/");
    sandbox.write("a.txt", "one\nTWO\nthree\nFIVE\n");
    pty.wait_for("R refreshes");
    sandbox.write("a.txt", "one\nTWO\nthree\nFOUR\n");
    pty.wait_until_gone("R refreshes");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
}

#[test]
fn code_that_another_process_writes_appears_and_what_it_only_touches_does_not() {
    let sandbox = staged();
    sandbox.write("deep/er/c.txt", "c\n");
    sandbox.git(&["add", "."]);
    sandbox.git(&["commit", "--quiet", "--message", "Second"]);
    sandbox.write("a.txt", "one\nTWO\nthree\nFOUR\n");
    let mut pty = Pty::whymark(&sandbox, &["tui", "--unstaged"], SIZE, &[]);
    pty.wait_for("FOUR");
    sandbox.write("a.txt", "one\nTWO\nthree\nFIVE\n");
    pty.wait_for("FIVE");
    pty.wait_for("1 file changed");
    // Nothing has changed in that folder so far.
    sandbox.write("deep/er/c.txt", "c\nand more\n");
    pty.wait_for("and more");
    assert!(!sandbox.path("reviews").exists(), "nothing is written");
    pty.wait_quiet();
    let sent = pty.raw().len();
    let file = fs::File::options().append(true).open(sandbox.path("a.txt")).expect("it is there");
    file.set_modified(std::time::SystemTime::now()).expect("it is ours");
    drop(file);
    // There is nothing to wait for: what is looked for is that nothing happens.
    thread::sleep(Duration::from_secs(2));
    assert_eq!(pty.raw().len(), sent, "something was sent: {}", pty.screen());
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
}

#[test]
fn whoever_leaves_before_it_has_failed_reads_it_below() {
    let sandbox = staged();
    sandbox.write("a.txt", "one\nTWO\nTHREE\nfour\n");
    let mut pty = Pty::whymark(&sandbox, &["tui", "--unstaged"], SIZE, &[]);
    pty.wait_for("THREE");
    sandbox.write(".git/index.lock", "");
    pty.send("s");
    pty.wait_for("Stage");
    pty.send("y");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    assert!(pty.screen().contains("cannot write the index"), "{}", pty.screen());
}

/// Ticks of processor time that a process has used, its threads included.
fn ticks(pid: &str) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("the process runs");
    let fields: Vec<&str> = stat.rsplit(") ").next().expect("it has fields").split(' ').collect();
    fields[11].parse::<u64>().expect("a number") + fields[12].parse::<u64>().expect("a number")
}

#[test]
#[cfg(target_os = "linux")]
fn at_rest_nothing_is_sent_and_no_time_is_used() {
    let sandbox: Sandbox = staged();
    let mut pty = open(&sandbox);
    write_note(&mut pty, "mine");
    pty.wait_quiet();
    let (pid, sent) = (pty.pid().to_string(), pty.raw().len());
    let before = ticks(&pid);
    let start = Instant::now();
    // There is nothing to wait for: what is looked for is that nothing happens.
    while start.elapsed() < Duration::from_secs(2) {
        thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(pty.raw().len(), sent, "something was sent");
    assert!(ticks(&pid) <= before + 1, "{} ticks at rest", ticks(&pid) - before);
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
}
