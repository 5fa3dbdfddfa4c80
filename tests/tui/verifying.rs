//! `V`: the commands of a review are listed, allowed, run, and what comes out lands in the file and on the screen.

use crate::support::{File, Screen, check};

const REVIEW: &str = "---\nwhymark: 1\ntitle: x\nchecks:\n- cmd: exit 0 # fine\n  status: pass\n---\n\n@file a.txt\n\
    @@ -1 +1,2 @@\n-a\n+b\n+c\n\n@note +1\nwhy: x\nverify: cmd `echo out; echo Error; exit 3` => pass (old)\n\
    verify: cmd `exit 0` => pass\nverify: cmd It was fine => pass\n\n@note +2\nwhy: y\nverify: manual z => pass\n";

fn review() -> Screen {
    Screen::document(REVIEW)
}

#[test]
fn nothing_runs_before_a_yes() {
    let commands =
        ["Run 2 commands in ", "$ exit 0", "check, n1 a.txt", "$ echo out; echo Error; exit 3", "y runs them"];
    let screen = check(review(), "V", &commands, File::Same);
    let screen = check(screen, "j k G gg z", &commands, File::Same);
    let screen = check(screen, "esc", &["¬$ exit 0", "REVIEW"], File::Same);
    for key in ["n", "q", "esc"] {
        check(review(), &format!("V {key} V"), &commands, File::Same);
    }
    assert!(screen.model.checkup.is_none());
}

#[test]
fn what_comes_out_is_shown_and_written() {
    let mut screen = review().pressed("V y");
    assert!(screen.read_one());
    screen.assert_shows(&["Running: 0 of 2 commands done", "esc ends them"]);
    screen.resize(60, 12);
    screen.press("j G k");
    screen.resize(120, 40);
    screen.read_all();
    screen.assert_shows(&[
        "What came out",
        "4 checked: 1 contradicted, 1 unrunnable, 2 confirmed; 3 outcomes written to review.whymark",
        "✗ contradicted: n1 a.txt claimed pass; exit 3 in ",
        "| Error",
        "✓ confirmed: check claimed pass; exit 0 in ",
        "? n1 a.txt `It was fine`: this reads like a sentence",
    ]);
    let after = String::from_utf8(screen.file().unwrap()).unwrap();
    for line in ["- cmd: exit 0 # fine", "verify: cmd It was fine => pass", "verify: manual z => pass"] {
        assert!(after.contains(&format!("{line}\n")), "{line} in {after}");
    }
    assert!(after.contains("exit 3` => fail (exit 3 in ") && after.contains("s: Error)\n"), "{after}");
    let changed = after.lines().filter(|line| !REVIEW.contains(line)).count();
    assert_eq!(changed, 4, "{after}");
    // The marks and the card follow.
    screen.press("esc gg J");
    screen.assert_shows(&["✗ fail", "exit 3 in ", "¬What came out"]);
    screen.press("V");
    screen.assert_shows(&["Run 2 commands in "]);
}

#[test]
fn a_review_that_cannot_be_written_is_not_written() {
    let mut screen = review();
    screen.model.review.read_only = Some("the disk is write-protected".to_owned());
    screen.press("V");
    screen.assert_shows(&["will be shown and not written: the disk is write-protected"]);
    screen.press("y");
    screen.read_all();
    screen.assert_shows(&["2 confirmed; not written, because the disk is write-protected"]);
    assert_eq!(screen.file().unwrap(), REVIEW.as_bytes());
}

#[test]
fn what_somebody_else_has_written_meanwhile_stays() {
    let mut screen = review().pressed("V y");
    let theirs = REVIEW.replace("why: y", "why: z").replace("@file a.txt", "@note doc\nwhy: new\n\n@file a.txt");
    screen.sandbox.write("review.whymark", &theirs);
    screen.read_all();
    screen.assert_shows(&["3 outcomes written"]);
    let after = String::from_utf8(screen.file().unwrap()).unwrap();
    assert!(after.contains("why: z\n") && after.contains("@note doc\nwhy: new\n"), "{after}");
    let mut screen = review().pressed("V y");
    std::fs::remove_file(screen.sandbox.path("review.whymark")).unwrap();
    screen.read_all();
    screen.assert_shows(&["not written: cannot read "]);
    assert_eq!(screen.file(), None);
}

#[test]
fn what_runs_is_ended_after_a_yes() {
    let mut screen = review().pressed("V y");
    screen.read_one();
    screen.press("esc");
    screen.assert_shows(&["End what runs? y yes, any other key no"]);
    screen.press("x");
    screen.assert_shows(&["Running: ", "¬End what runs?"]);
    assert_eq!(screen.ended, 0);
    screen.press("q y");
    screen.assert_shows(&["Ending what runs"]);
    assert_eq!(screen.ended, 1);
    screen.press("esc q");
    assert!(!screen.left, "what came out is not on disk yet");
    screen.read_all();
    screen.press("esc q");
    assert!(screen.left);
}

#[test]
fn control_characters_are_only_shown() {
    let text =
        "@note doc\nverify: cmd `printf 'a\\033[31mb\\n\\033]0;t\\007'; exit 1; echo \u{1b}[5m\u{202e}` => pass\n";
    let mut screen = Screen::document(text).pressed("V");
    screen.assert_shows(&["¬\u{1b}", "echo ␛[5m"]);
    screen.press("y");
    screen.read_all();
    screen.assert_shows(&["| a␛[31mb", "¬\u{1b}", "¬\u{202e}"]);
}

#[test]
fn where_nothing_can_be_run_it_says_so() {
    check(
        Screen::document("@note doc\nverify: manual x => pass\n"),
        "V",
        &["nothing to verify: no check or claim"],
        File::Same,
    );
}
