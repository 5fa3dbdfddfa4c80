//! What was typed and not saved is there the next time, however the program ended.

use super::lines::refreshed;
use super::{REVIEW, review, staged};
use crate::support::{File, Screen, check};

/// The end of the first file's section in the review.
const END: &str = "verify: cmd `cargo test` => pass\n";
const UNSAVED: &str = "─ this was not saved last time ";

#[test]
fn a_form_comes_back_as_it_was() {
    let keys = "4j v j a 'why it is' tab 'file:a.rs — shows it' ctrl-j 'inference' tab tab tab tab 'Free' \
                tab tab right tab right tab right right right backtab";
    let screen = review().pressed(keys);
    let rows = screen.rows();
    let screen = screen.killed();
    screen.assert_shows(&[UNSAVED, "│why      why it is ", "│         inference ", "risk ‹low›", "¬confidence ‹"]);
    let form = |rows: &[String]| {
        let form = rows.iter().skip_while(|row| !row.contains("╭─ note on ")).take_while(|row| !row.contains("╰─"));
        form.filter_map(|row| Some(row.split_once("││")?.1.to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(form(&screen.rows()), form(&rows));
    let added = "\n@note +2..3 kind=source risk=low confidence=0.9\nwhy: why it is\nsource: file:a.rs — shows it\n\
                 source: inference\n\nFree\n";
    let screen = check(screen, "enter", &["n2 saved", "¬not saved"], File::Added(END, added));
    assert_eq!(screen.kept, None);
    screen.killed().assert_shows(&["¬not saved", " REVIEW "]);
}

#[test]
fn the_reader_decides() {
    let killed = || review().pressed("4j a 'half a'").killed();
    check(killed(), "' note'", &["│why      half a note ", "¬not saved"], File::Same);
    let screen = check(killed(), "esc", &["Throw the text away?"], File::Same).killed();
    let screen = check(screen, "esc n", &["│why      half a "], File::Same).killed();
    let screen = check(screen, "esc y q", &["¬half a"], File::Same);
    assert_eq!((&screen.kept, screen.left), (&None, true));
    killed().killed().killed().assert_shows(&[UNSAVED, "│why      half a ", "▌        2 ┃ +"]);
}

#[test]
fn nothing_is_kept_of_nothing() {
    for keys in ["a", "a '  '", "a backtab right", "a 'x' backspace", "a 'x' esc y", "4j a 'x' enter", "v j ? esc"] {
        let screen = review().pressed(keys);
        assert_eq!(screen.kept, None, "{keys}");
        screen.killed().assert_shows(&["¬not saved", " REVIEW "]);
    }
}

#[test]
fn a_question_and_a_failure_keep_the_text() {
    let screen = review().pressed("4j a 'words'");
    screen.sandbox.write("review.whymark", "@file other added\n");
    let screen = screen.pressed("enter");
    screen.assert_shows(&["not saved: the file's section"]);
    screen.sandbox.write("review.whymark", REVIEW);
    let screen = screen.killed().pressed("esc").killed();
    check(screen, "enter", &["n2 saved"], File::Added(END, "\n@note +2 kind=intent\nwhy: words\n"));
}

#[test]
fn notes_that_waited_come_back_one_after_the_other() {
    let mut screen = Screen::unread(staged()).pressed("a 'first' enter gA 'second' enter m 'third'");
    screen.assert_shows(&["│note     third "]);
    for _ in 0..2 {
        screen = screen.killed();
        screen.assert_shows(&[UNSAVED, "│note     third ", "─ Markback note on a.txt ─"]);
    }
    screen.press("enter");
    screen.assert_shows(&[UNSAVED, "│why      first ", "─ note on a.txt ─"]);
    let mut screen = screen.killed().pressed("enter");
    screen.assert_shows(&[UNSAVED, "│why      second ", "─ note on the whole change ─"]);
    screen.press("enter q");
    assert!(screen.left && screen.kept.is_none());
    let text = String::from_utf8(screen.file().expect("it was saved")).expect("it is UTF-8");
    assert!(text.contains("\n@note file kind=intent\nwhy: first\n"), "{text}");
    assert!(text.contains("\n@note doc kind=intent\nwhy: second\n"), "{text}");
    assert!(
        screen.records().is_some_and(|records| records.contains("@file ../a.txt") && records.contains("<<< third\n"))
    );
}

#[test]
fn a_note_that_was_accepted_before_it_was_written_comes_back() {
    for keys in ["4j a 'words' enter", "gU 'words' enter", "4j m 'words' enter", "gA 'words' enter q"] {
        let mut screen = review();
        screen.hold_saves();
        screen.press(keys);
        let mut screen = screen.killed();
        screen.assert_shows(&[UNSAVED, " words "]);
        screen.press("enter");
        screen.assert_shows(&["saved to review", "¬ WRITE "]);
        assert_eq!(screen.kept, None, "{keys}");
    }
}

#[test]
fn what_was_written_in_the_last_moment_does_not_come_back() {
    for keys in [
        "4j v j a 'words' tab 'inference' enter",
        "gU 'words' tab 'inference' enter",
        "4j v j m 'words' ctrl-j 'two' enter",
        "gA 'words' ctrl-j ctrl-j 'more' enter",
        "} m 'words' enter",
    ] {
        let mut screen = review();
        screen.hold_saves();
        screen.press(keys);
        let kept = screen.kept.clone().expect("it is not on disk");
        screen.let_saves_go();
        screen.kept = Some(kept);
        let screen = screen.killed();
        screen.assert_shows(&["¬not saved", " REVIEW "]);
        assert_eq!(screen.kept, None, "{keys}");
    }
}

#[test]
fn a_form_whose_file_has_gone_is_about_the_whole_change() {
    for keys in ["4j a 'my words' tab 'inference'", "4j m 'my words'", "ga 'my words'"] {
        let screen = review().pressed(keys);
        screen.sandbox.write("review.whymark", REVIEW.replace("@file src/greet.rs", "@file src/other.rs"));
        let mut screen = screen.killed();
        screen.assert_shows(&[" this was not saved last time; src/greet.rs is gone", "whole change", " my words "]);
        screen = screen.killed().pressed("enter");
        screen.assert_shows(&["saved to review.whymark", "¬ WRITE "]);
        let text = String::from_utf8(screen.file().expect("it is there")).expect("it is UTF-8");
        assert!(text.contains("\n@note doc kind=intent\n") && text.contains("my words\n"), "{text}");
    }
}

#[test]
fn a_form_goes_along_with_lines_that_have_moved_meanwhile() {
    let note = "\n@note +4 kind=intent\nwhy: my words\n";
    for (keys, saved) in [("4j a", "n2 saved"), ("4j a 'x' esc y a", "n2 saved")] {
        let screen = review().pressed(keys).pressed("'my words'");
        screen.sandbox.write("review.whymark", refreshed(&["// one", "// two"]));
        let screen = screen.killed();
        screen.assert_shows(&["─ note on +4 of src/greet.rs ─", UNSAVED, "│why      my words "]);
        check(screen.killed(), "enter", &[saved], File::Added(END, note));
    }
    // The same where the diff is read behind the first frame, and of a record.
    let screen = Screen::staged(staged()).pressed("4j m 'my words'");
    screen.sandbox.write("a.txt", "zero\none\nTWO\nthree\nfour\n");
    screen.sandbox.git(&["add", "a.txt"]);
    let mut screen = screen.killed();
    screen.assert_shows(&["─ Markback note on +3 of a.txt ─", "│note     my words "]);
    screen.press("enter");
    let records = screen.records().expect("it was saved");
    assert!(records.contains("@file ../a.txt:3\n\nTWO\n<<< my words\n"), "{records}");
}

#[test]
fn a_form_whose_lines_are_gone_is_about_the_file_and_says_so() {
    let gone = |words: &str| format!("this was not saved last time; its lines {words}");
    let name = "+2 (“let name = name();”)";
    for (keys, text, lines) in [
        ("4j a", without_name(), name),
        ("3j a", REVIEW.replace("-    println!(\"hello\");", "-    println!(\"bye\");"), "-2 (“println!(\"hello\");”)"),
        // What reads the same stands there twice: nobody knows which one was meant.
        ("4j a", refreshed(&["    let name = name();", ""]), name),
        ("4j a", without_first_hunk(), name),
        // What reads the same has come elsewhere, and nothing that stood next to it.
        ("4j a", without_name().replace("// nobody", "let name = name();"), name),
    ] {
        let screen = review().pressed(keys).pressed("'my words'");
        screen.sandbox.write("review.whymark", text);
        let screen = screen.killed().sized(200, 40);
        let shown = gone(lines);
        let shown = ["─ note on src/greet.rs ─", &shown, "│why      my words "];
        let screen = check(screen, "", &shown, File::Same).killed();
        screen.assert_shows(&[shown[0], UNSAVED, shown[2]]);
        let added = "\n@note file kind=intent\nwhy: my words\n";
        check(screen, "enter", &["n2 saved"], File::Added(END, added));
    }
}

#[test]
fn a_comment_for_the_agent_goes_along_with_its_lines_and_says_where_they_are_gone() {
    for (text, line, said) in [
        (refreshed(&["// one", "// two"]), "+4", UNSAVED),
        (without_name(), "+2", "its lines +2 (“let name = name();”) are gone or not certain: the agent is told what"),
    ] {
        let screen = review().pressed("4j c 'my words'");
        screen.sandbox.write("review.whymark", text);
        let title = format!("─ comment for the agent on {line} of src/greet.rs ─");
        screen.killed().sized(200, 40).assert_shows(&[&title, said, " my words "]);
    }
}

/// [`REVIEW`] where nobody asks for the name.
fn without_name() -> String {
    REVIEW.replace("let name = name();", "let name = \"you\";")
}

/// [`REVIEW`] where the first hunk has been taken back.
fn without_first_hunk() -> String {
    let [start, end] = ["@@ -1,4", "@@ -20,3"].map(|hunk| REVIEW.find(hunk).expect("it is there"));
    [&REVIEW[..start], &REVIEW[end..]].concat().replace("@note +2..3", "@note file")
}

#[test]
fn lines_that_go_while_one_writes_leave_a_way_to_save() {
    let mut screen = review().sized(200, 40).pressed("4j");
    screen.hold_saves();
    screen.press("ga 'first' enter a 'my words'");
    screen.sandbox.write("review.whymark", without_first_hunk());
    screen.let_saves_go();
    let told =
        ["not saved: the lines are no longer in the review's diff: choose others; saved again, it is about the file"];
    let screen = check(screen, "enter", &told, File::Same);
    check(screen, "enter", &["saved"], File::Added("why: first\n", "\n@note file kind=intent\nwhy: my words\n"));
}

#[cfg(unix)]
#[test]
fn what_cannot_be_saved_can_still_be_read() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt as _;
    let screen = review().pressed("4j a 'my words'");
    set_permissions(screen.sandbox.path("review.whymark"), Permissions::from_mode(0o444)).expect("it is ours");
    // It is said, and does not get in the way of reading.
    let shown =
        ["read-only", " REVIEW ", "; 1 text was not saved last time: gk opens it", "✎1 text kept: gk", "¬my words"];
    let mut screen = check(screen.killed().killed().sized(200, 40), "", &shown, File::Same);
    // What needs no text opens none.
    for keys in ["x", "z", "Z", "E"] {
        screen = check(screen, keys, &[" REVIEW ", "read-only: ", "¬my words"], File::Same);
    }
    let screen = check(screen, "gk", &[" WRITE ", "read-only: ", "│why      my words ", "¬text kept"], File::Same);
    let screen = check(screen, "esc", &[" REVIEW ", "1 text is kept: gk opens it", "¬my words"], File::Same);
    let screen = check(screen, "gg a", &[" WRITE ", "read-only: ", "¬my words"], File::Same);
    let screen = check(screen, "esc gg } 4j a", &[" WRITE ", "│why      my words "], File::Same);
    let mut screen = check(screen, "esc", &[" REVIEW ", "¬my words"], File::Same).pressed("q");
    assert!(screen.left && screen.kept.is_some());
    // As soon as there is nothing in the way any more it can be saved.
    set_permissions(screen.sandbox.path("review.whymark"), Permissions::from_mode(0o644)).expect("it is ours");
    screen = screen.killed();
    check(screen, "enter", &["n2 saved"], File::Added(END, "\n@note +2 kind=intent\nwhy: my words\n"));
}

#[cfg(unix)]
#[test]
fn what_is_typed_where_nothing_can_be_saved_is_no_command_and_kept() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt as _;
    let mut screen = review().sized(200, 40);
    let allow = |screen: &mut Screen, mode: u32| {
        set_permissions(screen.sandbox.path("review.whymark"), Permissions::from_mode(mode)).expect("it is ours");
        screen.changed(true, false);
    };
    allow(&mut screen, 0o444);
    for (keys, shown) in [
        ("4j a 'q gd space'", [" WRITE ", "  read-only  ", "│why      q gd space "]),
        ("enter", [" WRITE ", "not saved: ", "│why      q gd space "]),
        ("esc", [" REVIEW ", "1 text is kept: gk opens it", "¬q gd space"]),
        ("j a", [" WRITE ", "read-only: ", "¬q gd space"]),
        ("'another'", [" WRITE ", "  read-only  ", "│why      another "]),
        ("esc m 'a remark'", [" WRITE ", "  read-only  ", "│note     a remark "]),
        ("esc k a", [" WRITE ", "read-only: ", "│why      q gd space "]),
        ("esc J e", [" WRITE ", "read-only: ", "¬q gd space"]),
        ("esc r", [" WRITE ", "read-only: ", "¬q gd space"]),
        ("esc", [" REVIEW ", "¬ WRITE ", "¬a remark"]),
    ] {
        screen = check(screen, keys, &shown, File::Same);
    }
    allow(&mut screen, 0o644);
    screen.assert_shows(&[" REVIEW ", "the review is no longer read-only; 3 texts are kept: gk opens it"]);
    screen.press("gk enter gk enter gk enter q");
    assert!(screen.left && screen.kept.is_none());
    let text = std::fs::read_to_string(screen.sandbox.path("review.whymark")).expect("it is there");
    assert!(text.contains("\nwhy: q gd space\n") && text.contains("\nwhy: another\n"), "{text}");
    let records = screen.records().expect("they were saved");
    assert!(records.ends_with("<<< a remark\n"), "{records}");
}

#[cfg(unix)]
#[test]
fn a_review_may_become_writable_and_write_protected_while_it_is_open() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt as _;
    let allow = |screen: &mut Screen, mode: u32| {
        set_permissions(screen.sandbox.path("review.whymark"), Permissions::from_mode(mode)).expect("it is ours");
        screen.changed(true, false);
    };
    let mut screen = review().pressed("4j a 'my words'").killed().sized(200, 40);
    screen.assert_shows(&["│why      my words ", "¬read-only"]);
    allow(&mut screen, 0o444);
    screen.assert_shows(&["  read-only  ", "read-only from now on: ", "│why      my words "]);
    let mut screen = check(screen, "esc", &[" REVIEW ", "¬my words"], File::Same);
    allow(&mut screen, 0o644);
    screen.assert_shows(&[
        " REVIEW ",
        "the review is no longer read-only; 1 text is kept: gk opens it",
        "¬  read-only  ",
    ]);
    // Keys that were on their way do what they always do.
    let screen = check(screen, "gg x", &[" REVIEW ", "no note is open", "¬my words"], File::Same);
    let screen = check(screen, "gk", &[" WRITE ", "│why      my words ", "¬read-only"], File::Same);
    check(screen, "enter", &["n2 saved"], File::Added(END, "\n@note +2 kind=intent\nwhy: my words\n"));
}

#[cfg(unix)]
#[test]
fn each_of_several_texts_that_cannot_be_saved_stays() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt as _;
    // The second time both have lost their lines, and are about the same.
    for (text, said) in [(REVIEW.to_owned(), "read-only: "), (without_first_hunk(), "last time; its lines ")] {
        let mut screen = review().sized(200, 40);
        screen.hold_saves();
        screen.press("4j a 'the first' enter j a 'the second'");
        screen.sandbox.write("review.whymark", text);
        set_permissions(screen.sandbox.path("review.whymark"), Permissions::from_mode(0o444)).expect("it is ours");
        let mut screen = screen.killed();
        screen.assert_shows(&["✎2 texts kept: gk"]);
        let mut seen = Vec::new();
        for _ in 0..4 {
            screen.press("gk");
            screen.assert_shows(&[" WRITE ", "read-only: ", said]);
            let texts = ["│why      the first ", "│why      the second "];
            seen.extend(texts.into_iter().filter(|text| screen.text().contains(text)));
            let kept = screen.kept.clone().expect("nothing is saved");
            assert!(kept.contains("the first") && kept.contains("the second"), "{kept}");
            screen.press("esc");
        }
        assert_eq!(seen[..2], seen[2..]);
        seen[..2].sort_unstable();
        assert_eq!(seen[..2], ["│why      the first ", "│why      the second "]);
    }
}

/// A read-only review in which nothing typed can be kept on disk.
#[cfg(unix)]
fn keeping_nothing() -> Screen {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt as _;
    let mut screen = review().sized(200, 40);
    set_permissions(screen.sandbox.path("review.whymark"), Permissions::from_mode(0o444)).expect("it is ours");
    screen.changed(true, false);
    screen.keeps_nothing = Some("cannot write /s: the disk is full".to_owned());
    screen
}

#[cfg(unix)]
#[test]
fn what_is_nowhere_but_in_memory_is_asked_about() {
    let said = "typed and not saved is kept only until you quit: cannot write /s: the disk is full";
    let mut screen = check(keeping_nothing(), "4j a 'm'", &[said, "draft not on disk"], File::Same);
    screen = check(screen, "'y words'", &["draft not on disk"], File::Same);
    let kept = "1 text is kept only until you quit: cannot write /s: the disk is full; gk opens it";
    screen = check(screen, "esc", &[kept], File::Same);
    let asked = ["1 text is kept only until you quit: cannot write /s: the disk is full. Quit and throw it away?"];
    for keys in ["q", "n q", "ctrl-c ctrl-c", "n : 'quit' enter"] {
        screen = check(screen, keys, &asked, File::Same);
        assert!(!screen.left, "{keys}");
    }
    screen.press("n gk");
    screen.assert_shows(&["│why      my words "]);
    screen.press("esc q y");
    assert!(screen.left && screen.model.kept_texts() == 0);
    // Two, and what comes in the same breath as the key is no answer.
    let mut screen = keeping_nothing().pressed("4j a 'one' esc j a 'two' esc");
    screen.at_once("qy");
    screen.assert_shows(&["2 texts are kept only until you quit", "Quit and throw them away?"]);
    // As soon as they are on disk nobody is asked any more.
    screen.keeps_nothing = None;
    screen.press("n gk 'x' esc q");
    assert!(screen.left && screen.kept.as_ref().is_some_and(|kept| kept.contains("one") && kept.contains("two")));
}

#[cfg(unix)]
#[test]
fn whoever_leaves_before_it_is_known_is_asked_too() {
    let mut screen = keeping_nothing();
    let reason = screen.keeps_nothing.take();
    screen.press("4j a 'my words' esc");
    screen.assert_shows(&["1 text is kept: gk opens it"]);
    screen.keeps_nothing = reason;
    screen.press("q");
    assert!(!screen.left);
    screen.assert_shows(&["1 text is kept only until you quit: cannot write /s: the disk is full. Quit and"]);
}
