//! `whymark note`: one more note, in its place, or none.

use std::io::Write as _;
use std::process::Stdio;

use bstr::ByteSlice;

use crate::support::Sandbox;

const REVIEW: &str =
    "---\nwhymark: 1\ntitle: x\n---\n@file a\n@@ -1 +1,2 @@\n-one\n+two\n+three\n\n@file b\n@@ -1 +1 @@\n-x\n+y\n";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::empty();
    sandbox.write("r.whymark", REVIEW);
    sandbox
}

#[test]
fn a_note_is_added_where_it_belongs() {
    for (args, section, note) in [
        (&["+2", "--why", "more"][..], "+three\n", "\n@note +2\nwhy: more\n"),
        (
            &[
                "b:-1",
                "--kind",
                "risk",
                "--risk",
                "high",
                "--confidence",
                "0.5",
                "--why",
                "w",
                "--source",
                "inference",
                "--verify",
                "none",
                "--todo",
                "t",
                "--todo",
                "u",
                "--question",
                "q",
                "--body",
                "text",
            ],
            "+y\n",
            "\n@note -1 kind=risk risk=high confidence=0.5\nwhy: w\nsource: inference\nverify: none\ntodo: t\ntodo: u\nquestion: q\n\ntext\n",
        ),
        (&["--why", "all", "doc"], "title: x\n---\n", "\n@note doc\nwhy: all\n\n"),
        (&["a:file", "--body", "why: no field"], "+three\n", "\n@note file\n\n why: no field\n"),
    ] {
        let sandbox = sandbox();
        let run = sandbox.run(&[&["note", "r.whymark"], args].concat());
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{args:?}");
        assert!(run.stdout.starts_with(b"wrote note n1 ("), "{}", run.stdout.as_bstr());
        let want = REVIEW.replacen(section, &format!("{section}{note}"), 1);
        assert_eq!(sandbox.read("r.whymark").as_bstr(), want.as_bytes().as_bstr(), "{args:?}");
    }
}

#[test]
fn what_cannot_be_a_note_changes_nothing() {
    for (args, message) in [
        (&["+9", "--why", "x"][..], "no file of the review has all lines of `+9` in its diff"),
        (&["a:+2..3", "--why", "x"], "the diff of a doesn't hold `+2..3`; of that side it has lines 1..2"),
        (&["+1", "--why", "x"], "`+1` could be about several files: a, b"),
        (&["c:+1", "--why", "x"], "r.whymark holds no file `c`"),
        (&["plus one", "--why", "x"], "`plus one` is no selector"),
        (&["+2"], "the note says nothing"),
        (&["+2", "--why", " "], "the note says nothing"),
        (&["+2", "--why", "x", "--confidence", "2"], "confidence is a number from 0 to 1"),
        (&["+2", "--why", "x", "--kind", "reason"], "invalid value 'reason'"),
        (&["+2", "--wy", "x"], "unexpected argument '--wy'"),
    ] {
        let sandbox = sandbox();
        let run = sandbox.run(&[&["note", "r.whymark"], args].concat());
        assert_eq!((run.code, run.stdout.as_bstr()), (2, b"".as_bstr()), "{args:?}");
        assert!(run.stderr.contains(message), "{args:?}: {}", run.stderr);
        assert_eq!(sandbox.read("r.whymark").as_bstr(), REVIEW.as_bytes().as_bstr());
    }
    let sandbox = sandbox();
    assert_eq!(sandbox.run(&["note", "nowhere", "+2", "--why", "x"]).code, 2);
    assert!(!sandbox.path("nowhere").exists());
}

#[test]
fn the_text_of_a_note_comes_through_a_pipe() {
    for (text, want) in [
        ("why: piped\nsource: file:a — b\n\n@file in it\n", Ok("why: piped\nsource: file:a — b\n\n @file in it\n")),
        ("impact: b\n", Err("has a field `impact:`")),
        ("", Err("the note says nothing")),
    ] {
        let sandbox = sandbox();
        let mut command = sandbox.whymark_command(&["note", "r.whymark", "+2", "-"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(if want.is_ok() { 0 } else { 2 }), "{text}");
        match want {
            Ok(note) => assert!(sandbox.read("r.whymark").contains_str(format!("\n@note +2\n{note}")), "{text}"),
            Err(message) => assert!(output.stderr.contains_str(message), "{}", output.stderr.as_bstr()),
        }
    }
}

#[test]
#[cfg(unix)]
fn a_protected_review_stays_as_it_is() {
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = sandbox();
    let before = sandbox.read("r.whymark");
    std::fs::set_permissions(sandbox.path("r.whymark"), std::fs::Permissions::from_mode(0o444)).unwrap();
    for args in [&["note", "r.whymark", "file", "--why", "x"][..], &["fmt", "--write", "r.whymark"]] {
        let run = sandbox.run(args);
        assert!(run.code == 2 && run.stderr.contains("permission denied"), "{args:?}: {}", run.stderr);
        assert_eq!(sandbox.read("r.whymark"), before, "{args:?}");
    }
}
