//! `whymark uncovered`: which lines, by which review, and how they are printed.

use bstr::ByteSlice;
use serde_json::Value;

use crate::support::Sandbox;

/// A repository with a staged change of two files.
fn staged() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "1\n2\n3\n");
    sandbox.commit("First");
    sandbox.write("a.txt", "1\nnew\n2\n3\nmore\nand more\n");
    sandbox.write("sub/b c.txt", "x\n");
    sandbox.git(&["add", "--all"]);
    sandbox
}

fn lines(sandbox: &Sandbox, args: &[&str]) -> (String, String) {
    let run = sandbox.run(&[&["uncovered"], args].concat());
    assert_eq!(run.code, 0, "{args:?}: {}", run.stderr);
    (run.stdout.to_str_lossy().into_owned(), run.stderr)
}

#[test]
fn without_a_review_it_is_everything_and_then_what_its_notes_leave() {
    let sandbox = staged();
    let (all, said) = lines(&sandbox, &["staged"]);
    assert_eq!(all, "a.txt:2-2\na.txt:5-6\nsub/b c.txt:1-1\n");
    assert_eq!(said, "note: there is no review of these changes yet\n");
    assert_eq!(sandbox.run(&["new", "--staged", "--stubs", "none"]).code, 0);
    let review = "reviews/staged-main.whymark";
    for (selector, claim, uncovered, unverified) in [
        ("a.txt:+5..6", "none", "a.txt:2-2\nsub/b c.txt:1-1\n", "a.txt:5-6\n"),
        ("a.txt:+2", "type => pass", "sub/b c.txt:1-1\n", "a.txt:5-6\n"),
        ("a.txt:+6", "type => pass", "sub/b c.txt:1-1\n", "a.txt:5-5\n"),
        ("sub/b c.txt:file", "none", "sub/b c.txt:1-1\n", "a.txt:5-5\n"),
        ("sub/b c.txt:+1", "type => fail", "", "a.txt:5-5\nsub/b c.txt:1-1\n"),
    ] {
        assert_eq!(sandbox.run(&["note", review, selector, "--why", "x", "--verify", claim]).code, 0, "{selector}");
        for args in [&["--staged"][..], &["staged"], &[review], &["--staged", "-o", review]] {
            assert_eq!(lines(&sandbox, args).0, uncovered, "{args:?}");
            assert_eq!(lines(&sandbox, &[args, &["--unverified"]].concat()).0, unverified, "{args:?}");
        }
    }
    assert_eq!(lines(&sandbox, &["staged"]).1, "note: no added line lacks a note\n");
    assert_eq!(lines(&sandbox, &["staged", "--json"]).0, "[]\n");
}

#[test]
fn notes_on_a_file_that_has_changed_since_do_not_count() {
    let sandbox = staged();
    assert_eq!(sandbox.run(&["new", "--staged"]).code, 0);
    assert_eq!(lines(&sandbox, &["staged"]).0, "");
    sandbox.write("a.txt", "0\n1\nnew\n2\n3\nmore\nand more\n");
    sandbox.git(&["add", "a.txt"]);
    let (listed, said) = lines(&sandbox, &["staged"]);
    assert_eq!(listed, "a.txt:1-1\na.txt:3-3\na.txt:6-7\n");
    assert!(said.contains("1 file has changed since reviews/staged-main.whymark was written"), "{said}");
}

#[test]
fn paths_are_those_of_the_folder_and_safe_to_print() {
    let sandbox = staged();
    sandbox.write("sub/\u{1b}[2J\n\u{202e}.txt", "x\n");
    sandbox.git(&["add", "--all"]);
    let (listed, _) = lines(&sandbox, &["staged"]);
    assert!(listed.contains("\"sub/\\033[2J\\n<U+202E>.txt\":1-1\n"), "{listed:?}");
    let run = sandbox.run(&["-C", "sub", "uncovered", "staged"]);
    let (out, listed) = (run.stdout.to_str_lossy(), "../a.txt:2-2\n../a.txt:5-6\n");
    assert!(out.starts_with(listed) && out.contains("\nb c.txt:1-1\n"), "{out}");
    let json: Value = serde_json::from_str(&lines(&sandbox, &["staged", "--json", "--path", "*.txt"]).0).unwrap();
    let entry = serde_json::json!({
        "path": "a.txt", "ranges": [{"start": 2, "end": 2}, {"start": 5, "end": 6}], "lines": 3
    });
    assert_eq!(json[0], entry);
    assert_eq!(json[1]["path"], "sub/\u{1b}[2J\n\u{202e}.txt");
}

#[test]
fn a_review_needs_no_repository() {
    let sandbox = Sandbox::empty();
    sandbox.write("r.whymark", "@file a\n@@ -0,0 +1,2 @@\n+x\n+y\n@note +2\nwhy: x\n@file a\n@@ -5 +5 @@\n-x\n+y\n");
    assert_eq!(lines(&sandbox, &["r.whymark"]).0, "a:1-1\na:5-5\n");
    let run = sandbox.run(&["uncovered", "nowhere.whymark"]);
    assert_eq!((run.code, run.stdout.as_bstr()), (2, b"".as_bstr()));
    for args in [&["uncovered"][..], &["uncovered", ""], &["uncovered", "a", "b"], &["uncovered", "a", "--staged"]] {
        assert_eq!(sandbox.run(args).code, 2, "{args:?}");
    }
}

#[test]
fn lines_that_no_test_ran_are_listed_too() {
    let sandbox = staged();
    let root = sandbox.repo().canonicalize().unwrap();
    let report = |path: &str| format!("SF:{path}\nDA:1,1\nDA:2,0\nDA:5,0\nDA:6,3\nend_of_record\n");
    let (both, bare) = (
        "a.txt:2-2: no note\na.txt:2-2: no test ran it\na.txt:5-6: no note\na.txt:5-5: no test ran it\nsub/b c.txt:1-1: no note\n",
        "a.txt:2-2: no note\na.txt:5-6: no note\nsub/b c.txt:1-1: no note\n",
    );
    for (path, listed, said) in [
        ("a.txt", both, ""),
        (&root.join("a.txt").display().to_string(), both, ""),
        ("/ci/build/a.txt", both, ""),
        ("other.txt", bare, "names none of the changed files"),
    ] {
        sandbox.write("lcov.info", report(path));
        let (found, messages) = lines(&sandbox, &["staged", "--lcov", "lcov.info"]);
        assert_eq!(found, listed, "{path}");
        assert!(messages.contains(said), "{messages}");
    }
    sandbox.write("lcov.info", "SF:a.txt\nDA:2,0\nDA:90,1\nnonsense\n");
    let (found, messages) = lines(&sandbox, &["staged", "--lcov", "lcov.info"]);
    assert_eq!(found, bare);
    assert!(messages.contains("another text of a.txt, which has no line 90: run the tests again"), "{messages}");
    assert!(messages.contains("1 line of lcov.info is not understood"), "{messages}");
    sandbox.write("lcov.info", report("a.txt"));
    let json: Value =
        serde_json::from_str(&lines(&sandbox, &["staged", "--lcov", "lcov.info", "--json", "--path", "a.txt"]).0)
            .unwrap();
    assert_eq!(json[0]["untested"], serde_json::json!([{"start": 2, "end": 2}, {"start": 5, "end": 5}]));
    assert_eq!(sandbox.run(&["uncovered", "staged", "--lcov", "no.info"]).code, 2);
}
