//! `whymark fmt` from outside: what is printed, what is written, what is said about it.

use bstr::ByteSlice;

use crate::support::Sandbox;

const UNTIDY: &str = "---\nwhymark: 1\ntitle: x\n---\n@file a  +1\n@note  file urgency=info\nwhy:x\n\n\n";
const TIDY: &str = "---\nwhymark: 1\ntitle: x\n---\n\n@file a +1\n\n@note file\nurgency: info\nwhy: x\n";

#[test]
fn reviews_are_printed_or_written() {
    let sandbox = Sandbox::empty();
    sandbox.write("a.whymark", UNTIDY);
    sandbox.write("b.whymark", TIDY);
    let run = sandbox.run(&["fmt", "a.whymark", "b.whymark"]);
    assert_eq!((run.code, run.stdout.as_bstr()), (0, (TIDY.to_owned() + TIDY).as_bytes().as_bstr()));
    assert_eq!(sandbox.read("a.whymark"), UNTIDY.as_bytes());

    let run = sandbox.run(&["format", "--check", "a.whymark", "b.whymark"]);
    let diff = "--- a.whymark\n+++ a.whymark (canonical)\n\
        @@ -5,5 +5,6 @@\n-@file a  +1\n-@note  file urgency=info\n-why:x\n-\n-\n\
        +\n+@file a +1\n+\n+@note file\n+urgency: info\n+why: x\n";
    assert_eq!((run.code, run.stdout.to_str_lossy().as_ref()), (1, diff));

    let run = sandbox.run(&["fmt", "--write", "a.whymark", "b.whymark"]);
    assert_eq!((run.code, run.stdout.as_bstr()), (0, b"".as_bstr()));
    assert_eq!(sandbox.read("a.whymark"), TIDY.as_bytes());
    assert_eq!(sandbox.run(&["fmt", "--check", "a.whymark", "b.whymark"]).code, 0);
}

#[test]
fn what_would_change_is_shown_and_cut_when_it_is_long() {
    let sandbox = Sandbox::empty();
    sandbox.write("a.whymark", TIDY.replace("why: x", "why: \u{1b}[31m  ").replace('\n', "\r\n"));
    let run = sandbox.run(&["fmt", "--check", "a.whymark"]);
    assert!(run.stdout.contains_str("\n-why: ^[[31m  ^M\n"), "{}", run.stdout.as_bstr());
    let notes = "\n@note  file\nwhy: x\n".repeat(100);
    sandbox.write("b.whymark", format!("{TIDY}{notes}"));
    let run = sandbox.run(&["fmt", "--check", "b.whymark"]);
    assert_eq!(run.stdout.lines().filter(|line| *line == b"+@note file").count(), 20);
    assert!(run.stdout.ends_with("… 160 more changed lines\n".as_bytes()), "{}", run.stdout.as_bstr());
}

#[test]
fn nothing_is_written_when_a_file_is_missing() {
    let sandbox = Sandbox::empty();
    sandbox.write("a.whymark", UNTIDY);
    for args in [&["fmt", "--write", "a.whymark", "gone"][..], &["fmt"], &["fmt", "--write", "--check", "a.whymark"]] {
        let run = sandbox.run(args);
        assert_eq!((run.code, run.stdout.as_bstr()), (2, b"".as_bstr()), "{args:?}");
    }
    assert_eq!(sandbox.read("a.whymark"), UNTIDY.as_bytes());
    assert!(!sandbox.path("gone").exists());
}

#[test]
fn broken_reviews_are_formatted_too() {
    let sandbox = Sandbox::empty();
    sandbox.write("a.whymark", b"stray \xff\r\n@note  +7 x\r\n\r\n\r\n");
    let run = sandbox.run(&["fmt", "a.whymark"]);
    assert_eq!((run.code, run.stdout.as_bstr()), (0, b"stray \xff\n@note +7 x\n".as_bstr()));
}
