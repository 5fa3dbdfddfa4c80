//! `whymark show`, `stats` and `explain`: what they print for people and for programs.

use bstr::ByteSlice;
use serde_json::Value;

use crate::support::Sandbox;

const REVIEW: &str = "---\nwhymark: 1\ntitle: Count \u{1b}[31mup\nsummary: One\n---\n@note doc id=all\nquestion: enough?\n\n\
    @file a.txt\n@@ -1 +1,2 @@\n-one\n+two\n+three\n\n@note +1 kind=intent risk=high\nwhy: more\nsource: inference\n\
    verify: cmd `make` => pass\nowner: me\n\nA body.\n@file b.bin added binary\n";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::empty();
    sandbox.write("r.whymark", REVIEW);
    sandbox
}

#[track_caller]
fn shown(args: &[&str]) -> String {
    let run = sandbox().run(args);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{args:?}");
    assert!(!run.stdout.contains(&0x1b), "nothing that a terminal obeys");
    run.stdout.to_str_lossy().into_owned()
}

#[test]
fn a_review_is_shown_whole_or_in_part() {
    let whole = shown(&["show", "r.whymark"]);
    for line in [
        "Count ^[[31mup",
        "One",
        "  doc  note  [all]",
        "  question: enough?",
        "a.txt  modified  +2 -1  1 note",
        "  a.txt +1  intent, high risk  [n2]",
        "  why: more",
        "  verify: cmd `make` => pass",
        "  owner: me",
        "  A body.",
        "b.bin  added  binary  0 notes",
    ] {
        assert!(whole.lines().any(|shown| shown == line), "{line} in {whole}");
    }
    assert!(shown(&["show", "r.whymark", "--note", "all"]).starts_with("  doc  note  [all]\n"));
    let file = shown(&["show", "r.whymark", "--file", "a.txt"]);
    assert!(file.contains("\n@@ -1 +1,2 @@\n-one\n+two\n+three\n\n  a.txt +1"), "{file}");
    for (args, message) in [
        (&["show", "r.whymark", "--note", "n9"][..], "r.whymark holds no note with the id `n9`"),
        (&["show", "r.whymark", "--file", "c"], "r.whymark holds no file `c`"),
        (&["show", "nowhere"], "cannot read nowhere: no such file or directory"),
        (&["show", "r.whymark", "--note", "all", "--file", "a.txt"], "cannot be used with"),
    ] {
        let run = sandbox().run(args);
        assert_eq!(run.code, 2, "{args:?}");
        assert!(run.stderr.contains(message), "{args:?}: {}", run.stderr);
    }
}

#[test]
fn programs_read_json() {
    let json = |args: &[&str]| serde_json::from_str::<Value>(&shown(args)).expect("it is JSON");
    let whole = json(&["show", "r.whymark", "--json"]);
    let file = json(&["show", "r.whymark", "--json", "--file", "a.txt"]);
    assert_eq!(file, whole["files"][0]);
    assert_eq!(json(&["show", "r.whymark", "--json", "--note", "n2"]), whole["files"][0]["notes"][0]);
    assert_eq!(json(&["show", "r.whymark", "--json", "--note", "all"]), whole["notes"][0]);
    let one = json(&["stats", "r.whymark", "--json"]);
    assert_eq!((one["covered"].as_u64(), one["openQuestions"].as_u64()), (Some(1), Some(1)));
    assert_eq!(json(&["stats", "r.whymark", "r.whymark", "--json"]), Value::from(vec![one.clone(), one]));
}

#[test]
fn numbers_for_a_person() {
    let text = shown(&["stats", "r.whymark"]);
    for part in [
        "lines     +2 -1 in 2 files",
        "covered   ##########..........  50 %  1 of 2 added lines",
        "notes     2: 0 sourced, 1 inference only, 1 without a source, 1 stub, 1 without a why",
        "risk      1 high (0 unverified), 0 medium, 0 low",
        "open      1 item: 0 todos, 1 question, 0 claims that failed or nobody checked",
        "  a.txt        +2 -1  ##########..........  50 %  1/2 covered, 1 verified, 1 note",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn every_code_is_explained() {
    let rules = || whymark::document::check::RULES.iter().chain(whymark::markback::RULES);
    for rule in rules() {
        let text = shown(&["explain", rule.code]);
        assert!(text.contains(rule.meaning) && text.contains(&format!("Mend it: {}", rule.mend)), "{text}");
    }
    assert_eq!(shown(&["explain"]).lines().count(), rules().count());
    let run = sandbox().run(&["explain", "selector-range"]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("no finding has the code `selector-range`; near it: selector-out-of-range"),
        "{}",
        run.stderr
    );
}

#[test]
fn standard_input_is_a_review_too() {
    for command in ["show", "stats", "validate", "patch"] {
        // Nothing comes in here, and nothing is a review without anything in it.
        let run = sandbox().run(&[command, "-"]);
        assert_eq!((run.code, run.stderr.contains("error:")), (i32::from(command == "validate"), false), "{command}");
    }
}
