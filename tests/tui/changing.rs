//! Notes that are there are changed, given claims and deleted; what was written is taken back, and done again. Every time
//! only the lines in question change, whoever else writes.

use std::fs;

use super::{REVIEW, review, staged};
use crate::support::{Editor, File, Sandbox, Screen, check};
use whymark::tui::open::Target;

/// The note on the lines 2 and 3, as it stands in the review.
const NOTE: &str = "@note +2..3 kind=intent risk=low confidence=0.9\nwhy: people asked to be called by their names\n\
                    verify: cmd `cargo test` => pass\n";

fn text(screen: &Screen) -> String {
    String::from_utf8(screen.file().expect("it is there")).expect("it is UTF-8")
}

/// Keys make of [`REVIEW`] the same with `new` in the place of `old`.
fn check_replaced(keys: &str, shown: &[&str], old: &str, new: &str) -> Screen {
    let mut screen = review();
    screen.press(keys);
    screen.assert_shows(shown);
    assert_eq!(text(&screen), REVIEW.replacen(old, new, 1), "{keys}");
    screen
}

#[test]
fn a_change_touches_what_it_changes() {
    for (keys, old, new) in [
        ("' exactly' enter", "names\n", "names exactly\n"),
        ("ctrl-u ctrl-d 'short' enter", "people asked to be called by their names", "short"),
        ("tab 'inference' enter", "=> pass\n", "=> pass\nsource: inference\n"),
        ("tab tab end ctrl-j 'type => pass' enter", "=> pass\n", "=> pass\nverify: type => pass\n"),
        ("tab tab ctrl-u enter", "verify: cmd `cargo test` => pass\n", ""),
        ("backtab right enter", "confidence=0.9", "confidence=0.85"),
        ("backtab backtab left left enter", " risk=low", " risk=high"),
        ("backtab backtab backtab right enter", "kind=intent", "kind=source"),
        ("backtab backtab backtab backtab right enter", "+2..3 kind", "+2 kind"),
        ("tab tab tab tab tab 'Free.' ctrl-j ctrl-j 'Text.' enter", "=> pass\n", "=> pass\n\nFree.\n\nText.\n"),
    ] {
        check_replaced(&format!("4j e {keys}"), &["n1 saved to review.whymark", "¬ WRITE "], old, new);
    }
}

#[test]
fn what_no_form_has_a_place_for_stays() {
    let note = "@note  +1 confidence=.83 kind=Odd   team=core\nWhy:  one\n\t two\n# no comment\nurgency: soon\nx-ticket: 7\n\
                source:  file:a   —  b\nalt: c\nsource: d\n\n   Text\n";
    let before = format!("@file a added\n@@ -0,0 +1 @@\n+x\n\n{note}\n# a comment\n@note file\nwhy: other\n");
    for (keys, old, new) in [
        ("end ' three' enter", "Why:  one\n\t two\n", "why: one\n   two three\n"),
        ("tab down end ' e' enter", "source: d\n", "source: d e\n"),
        ("backtab backtab right enter", "team=core\n", "team=core risk=low\n"),
        ("enter", "", ""),
    ] {
        let mut screen = Screen::document(&before).pressed("2j e");
        screen.assert_shows(&["confidence ", "│why      one ", "│          two "]);
        screen.press(keys);
        screen.assert_shows(&["n1 "]);
        assert_eq!(text(&screen), before.replacen(old, new, 1), "{keys}");
    }
}

#[test]
fn a_note_that_somebody_else_has_changed_is_not_overwritten() {
    let theirs = REVIEW.replace("people asked", "many people asked");
    let screen = review().pressed("4j e ' mine'");
    screen.sandbox.write("review.whymark", &theirs);
    let shown = [" WRITE ", "not saved: the note is no longer in the review as it was", "names mine "];
    let screen = check(screen, "enter", &shown, File::Same);
    // The text is not lost: it can become a note of its own.
    let own = "\n@note +2..3 kind=intent risk=low confidence=0.9\nwhy: people asked to be called by their names mine\n\
               verify: cmd `cargo test` => pass\n";
    check(screen, "enter", &["saved to review.whymark"], File::Added("verify: cmd `cargo test` => pass\n", own));
    // Others may write around it as they like.
    let mut screen = review().pressed("4j e ' mine'");
    let around = REVIEW.replace("@file src/greet.rs", "@file aaa added\n@note file\nwhy: a\n\n@file src/greet.rs");
    let around = around.replace("\n@note +2..3", "\n@note +22\nwhy: b\n\n@note +2..3");
    screen.sandbox.write("review.whymark", &around);
    screen.press("enter");
    assert_eq!(text(&screen), around.replace("their names", "their names mine"));
}

#[test]
fn a_change_that_was_not_saved_comes_back_bound_to_its_note() {
    let screen = review().pressed("4j e ' mine'").killed();
    screen.assert_shows(&["─ this was not saved last time ", "─ edit of the note on +2..3 of s", "names mine "]);
    let mut saved = screen.pressed("enter");
    assert_eq!(text(&saved), REVIEW.replace("their names", "their names mine"));
    assert_eq!(saved.kept, None);
    saved = saved.killed();
    saved.assert_shows(&["¬not saved"]);
    // It was written, and the program had no time to say so.
    for keys in ["4j e ' mine'", "4j p 'make'"] {
        let mut screen = review().pressed(keys);
        let kept = screen.kept.clone();
        screen.press("enter");
        screen.kept = kept;
        screen.killed().assert_shows(&["¬not saved", " REVIEW "]);
    }
    // Its note is another one by now.
    for (keys, shown) in
        [("4j e ' mine'", "names mine "), ("4j p 'make' tab 'twice'", "│verify   cmd `make` => pass (twice)")]
    {
        let screen = review().pressed(keys);
        screen.sandbox.write("review.whymark", REVIEW.replace("people asked", "many asked"));
        let mut screen = screen.killed();
        screen.assert_shows(&[
            "; the note that it changes has been changed since ",
            "─ note on +2..3 of src/greet.rs ",
            shown,
        ]);
        screen.press("enter");
        screen.assert_shows(&["n2 saved"]);
        assert!(text(&screen).contains("why: many asked"), "{}", text(&screen));
    }
}

#[test]
fn a_form_that_changes_nothing_is_left_without_a_question() {
    check(review(), "4j e tab esc", &[" REVIEW ", "¬Throw the text away?"], File::Same);
    check(review(), "4j e 'x' esc", &["Throw the text away?"], File::Same);
    check(review(), "4j e 'x' esc y", &[" REVIEW "], File::Same);
    check(review(), "4j e enter", &["n1 says so already in review.whymark"], File::Same);
    check(review(), "4j e ctrl-u tab tab ctrl-u enter", &["nothing is left: leave the form"], File::Same);
}

#[test]
fn where_no_note_is_open_it_is_said() {
    for keys in ["e", "p", "x"] {
        check(review(), keys, &["no note is open: J and K go from note to note", "¬ WRITE "], File::Same);
    }
    check(review(), "4j m 'x' enter p", &["a Markback note makes no claims"], File::Same);
}

#[test]
fn claims() {
    for (keys, claim) in [
        ("'make test' enter", "cmd `make test` => pass"),
        ("'echo `x`' tab '3 tests' enter", "cmd `` echo `x` `` => pass (3 tests)"),
        ("'make' backtab right enter", "cmd `make` => fail"),
        ("backtab backtab right right enter", "type => pass"),
        ("'looked at it' backtab backtab left left left enter", "manual looked at it => pass"),
    ] {
        let old = "verify: cmd `cargo test` => pass\n";
        let new = format!("{old}verify: {claim}\n");
        check_replaced(
            &format!("4j p {keys}"),
            &["claim of n1 saved to review.whymark", &claim[..claim.len().min(25)]],
            old,
            &new,
        );
    }
    check(review(), "4j p enter", &["nothing is written yet: what was done?"], File::Same);
    // What else somebody makes of the note does not keep a claim from it.
    let theirs = REVIEW.replace("people asked", "many people asked");
    let screen = review().pressed("4j p 'make'");
    screen.sandbox.write("review.whymark", &theirs);
    let screen = check(
        screen,
        "enter",
        &["claim of n1 saved"],
        File::Added("`cargo test` => pass\n", "verify: cmd `make` => pass\n"),
    );
    assert!(text(&screen).contains("many people"));
}

#[test]
fn deleting_asks_first() {
    let asked = "Delete the note on +2..3 “people asked to be called";
    for keys in ["n", "esc", "enter", "x"] {
        check(
            review(),
            &format!("4j x {keys}"),
            &["¬Delete the note", "nothing was deleted", "╭─ n1 +2..3"],
            File::Same,
        );
    }
    let screen = check_replaced("4j x", &[asked, "│ why  people asked"], "", "");
    drop(screen);
    let deleted = ["deleted from review.whymark: note on +2..3; z brings it back", "¬people asked"];
    let screen = check_replaced("4j x y", &deleted, &format!("{NOTE}\n"), "");
    let mut screen = screen.pressed("z");
    screen.assert_shows(&["undone: deletion of the note on +2..3", "╭─ n1 +2..3"]);
    assert_eq!(text(&screen), REVIEW);
    screen.press("Z");
    screen.assert_shows(&["done again: deletion of the note on +2..3", "¬people asked"]);
    assert_eq!(text(&screen), REVIEW.replace(&format!("{NOTE}\n"), ""));
    // Somebody changes the note while the question is open.
    let theirs = REVIEW.replace("people asked", "many people asked");
    let screen = review().pressed("4j x");
    screen.sandbox.write("review.whymark", &theirs);
    check(screen, "y", &["not deleted: the note is no longer in the review as it was"], File::Same);
}

#[test]
fn the_state_of_the_review() {
    let front = "scope: staged\n";
    let state =
        |status: &str| format!("{front}review:\n  status: {status}\n  by: Ada Example\n  at: 2026-01-02T03:04:05Z\n");
    check(review(), "r", &[" WRITE ", "─ state and summary of the review ─", "│review ‹pending›"], File::Same);
    check(review(), "r enter", &["nothing was changed: the review is pending", " REVIEW "], File::Same);
    check(review(), "r a esc", &[" REVIEW "], File::Same);
    let approved = ["the review is approved in review.whymark; z takes that back", " · ✓ approved"];
    let mut screen = check_replaced("r a enter", &approved, front, &state("approved"));
    screen.press("r right enter");
    screen.assert_shows(&["the review is waiting for changes", " · ✗ changes-requested"]);
    assert_eq!(text(&screen), REVIEW.replacen(front, &state("changes-requested"), 1));
    screen.press("r p enter");
    screen.assert_shows(&["the review is pending", "¬ · ✗"]);
    screen.press("zzz");
    screen.assert_shows(&["undone: review approved"]);
    assert_eq!(text(&screen), REVIEW);
    let mut screen = Screen::staged(staged()).pressed("r a enter");
    screen.assert_shows(&["the review is approved without a summary in reviews/staged-main.whymark"]);
    screen = screen.reopened();
    screen.assert_shows(&[" · ✓ approved"]);
    screen.press("R");
    screen.assert_shows(&["the diff is as it was", "¬approved before that"]);
    screen.sandbox.write("a.txt", "something else\n");
    screen.sandbox.git(&["add", "."]);
    screen.press("R");
    screen.assert_shows(&["1 file changed, and it was approved before that"]);
    let broken = "whymark: 1\n@file a added\n@@ -0,0 +1 @@\n+x\n";
    check(Screen::document(broken), "r a enter", &["not saved: the review has no frontmatter"], File::Same);
}

#[test]
fn the_summary_of_the_review() {
    let front = "scope: staged\n";
    let summed = |text: &str| format!("{front}summary: {text}\n");
    let mut screen = review().pressed("r tab 'People have names.' enter");
    screen.assert_shows(&["the review is pending, its summary saved in review.whymark; z takes that back"]);
    assert_eq!(
        text(&screen),
        REVIEW.replacen(front, &summed("People have names."), 1),
        "who writes it decides nothing"
    );
    screen.press("gg");
    screen.assert_shows(&["People have names."]);
    screen.press("r tab alt-enter '- and more' enter");
    assert_eq!(text(&screen), REVIEW.replacen(front, &summed("|\n  People have names.\n  - and more"), 1));
    screen.press("z r tab ctrl-u enter");
    assert_eq!(text(&screen), REVIEW, "an empty one is none");
    screen.press("z");
    assert_eq!(text(&screen), REVIEW.replacen(front, &summed("People have names."), 1));
    // Both at once are one step.
    let mut screen = review().pressed("r a tab 'Both.' enter");
    screen.assert_shows(&["the review is approved, its summary saved in"]);
    assert!(text(&screen).contains("  status: approved\n") && text(&screen).contains("summary: Both.\n"));
    screen.press("z");
    assert_eq!(text(&screen), REVIEW);
    // Somebody else writes one meanwhile: it is not overwritten unasked.
    let screen = review().pressed("r tab 'mine");
    let theirs = REVIEW.replacen(front, &summed("theirs"), 1);
    screen.sandbox.write("review.whymark", &theirs);
    let mut screen = check(screen, "enter", &["saved again, yours replaces it; not ", "summary  mine"], File::Same);
    screen.press("enter");
    assert_eq!(text(&screen), REVIEW.replacen(front, &summed("mine"), 1));
    // The placeholder of a new review is no text to go on with.
    let mut screen = Screen::staged(staged()).pressed("r a enter");
    assert!(text(&screen).contains("\nsummary: TODO say"), "{}", text(&screen));
    screen.press("r tab 'One.' enter");
    assert!(text(&screen).contains("\nsummary: One.\n"), "{}", text(&screen));
    // What is typed outlives the program.
    let mut screen = review().pressed("r tab 'half a thou").killed();
    screen.assert_shows(&["this was not saved last time", "half a thou"]);
    screen.press("'ght' enter");
    assert_eq!(text(&screen), REVIEW.replacen(front, &summed("half a thought"), 1));
}

#[test]
fn a_change_that_is_refused_says_what_comes_next() {
    let theirs = REVIEW.replace("people asked", "many people asked");
    for (width, height) in [(120, 40), (80, 24)] {
        let screen = review().sized(width, height).pressed("4j e ctrl-u 'mine");
        screen.sandbox.write("review.whymark", &theirs);
        let mut screen = check(
            screen,
            "enter",
            &["saved again, this is a new note; not ", "somebody has", "¬edit of the note"],
            File::Same,
        );
        screen.press("enter");
        assert!(text(&screen).contains("many people asked") && text(&screen).contains("why: mine\n"));
    }
}

#[test]
fn what_was_written_is_taken_back_and_done_again() {
    let mut screen = review();
    let mut texts = vec![text(&screen)];
    for keys in [
        "4j a 'one' enter",
        "e ' more' enter",
        "p 'make' enter",
        "gA 'doc' enter",
        "r a enter",
        "gg 5j 6j a 'two' enter",
    ] {
        screen.press(keys);
        texts.push(text(&screen));
        assert_ne!(texts[texts.len() - 1], texts[texts.len() - 2], "{keys}");
    }
    for number in (0..texts.len() - 1).rev() {
        screen.press("z");
        screen.assert_shows(&["undone: "]);
        assert_eq!(text(&screen), texts[number], "back to {number}");
    }
    screen.press("z");
    screen.assert_shows(&["nothing has been written that could be taken back"]);
    for (number, wanted) in texts.iter().enumerate().skip(1) {
        screen.press("Z");
        screen.assert_shows(&["done again: "]);
        assert_eq!(&text(&screen), wanted, "forth to {number}");
    }
    screen.press("Z");
    screen.assert_shows(&["nothing has been taken back that could be done again"]);
    screen.press("z a 'three' enter Z");
    screen.assert_shows(&["nothing has been taken back that could be done again"]);
}

#[test]
fn the_note_whose_change_is_taken_back_is_open() {
    // The second note is about a line that the first one is about as well.
    let two = REVIEW.replace("=> pass\n", "=> pass\n\n@note +2 kind=intent\nwhy: the second\n");
    let asked = "Delete the note on +2 “";
    for (width, height) in [(120, 40), (80, 24)] {
        let mut screen = Screen::document(two.clone()).sized(width, height).pressed("gg JJ x");
        screen.assert_shows(&[asked]);
        screen.press("n e ' more' enter");
        for keys in ["gg", "G", "gg 4j"] {
            screen.press(keys);
            screen.press("z x");
            screen.assert_shows(&[asked, "the second”"]);
            screen.press("n");
            screen.press(keys);
            screen.press("Z x");
            screen.assert_shows(&[asked, "the second more”"]);
            screen.press("n");
        }
    }
    let records = "@id a\n@file src/greet.rs:2\n<<< one\n---\n@id b\n@file src/greet.rs:2\n<<< two\n";
    let mut screen = with_records(records).pressed("gg JJJ x");
    screen.assert_shows(&["Delete the Markback note b “two”"]);
    screen.press("n e ' more' enter gg z x");
    screen.assert_shows(&["Delete the Markback note b “two”"]);
}

#[test]
fn taking_back_leaves_what_others_wrote() {
    let end = "verify: cmd `cargo test` => pass\n";
    let foreign = "\n@note +22 kind=risk\nwhy: theirs\n";
    let mine = "\n@note +2 kind=intent\nwhy: mine\n";
    let mut screen = review().pressed("4j a 'mine' enter");
    screen.sandbox.write("review.whymark", REVIEW.replace(end, &format!("{end}{mine}{foreign}")));
    screen.press("z");
    screen.assert_shows(&["undone: note on +2", "theirs", "¬mine"]);
    assert_eq!(text(&screen), REVIEW.replace(end, &format!("{end}{foreign}")));
    screen.press("Z");
    assert_eq!(text(&screen), REVIEW.replace(end, &format!("{end}{mine}{foreign}")));
    // What they have made of it is theirs.
    let changed = REVIEW.replace(end, &format!("{end}{mine}  and theirs\n{foreign}"));
    screen.sandbox.write("review.whymark", &changed);
    screen.press("z");
    screen.assert_shows(&["not undone: note on +2: what was written is no longer there as it was"]);
    assert_eq!(text(&screen), changed);
    screen.press("z");
    screen.assert_shows(&["nothing has been written that could be taken back"]);
}

#[test]
fn a_disk_that_refuses_loses_no_step() {
    let mut screen = review().pressed("4j a 'mine' enter");
    let path = screen.sandbox.path("review.whymark");
    let written = text(&screen);
    fs::remove_file(&path).expect("it was there");
    fs::create_dir(&path).expect("the sandbox is writable");
    screen.press("z");
    screen.assert_shows(&["not undone: note on +2: "]);
    fs::remove_dir(&path).expect("nothing was put there");
    fs::write(&path, written).expect("the sandbox is writable");
    screen.press("z");
    screen.assert_shows(&["undone: note on +2"]);
    assert_eq!(text(&screen), REVIEW);
}

#[test]
fn the_review_that_a_first_note_made_stays() {
    let mut screen = Screen::staged(staged()).pressed("4j a 'louder' enter z");
    screen.assert_shows(&["undone: note on +2", "¬louder"]);
    let left = text(&screen);
    assert!(left.starts_with("---\nwhymark: 1\n") && !left.contains("@note"), "{left}");
    screen.press("Z");
    assert!(text(&screen).contains("why: louder\n"));
}

#[test]
fn leaving_waits_for_what_is_under_way() {
    for keys in ["4j x y", "r a enter", "4j e 'x' enter", "4j p 'make' enter"] {
        let mut screen = review();
        screen.hold_saves();
        screen.press(keys);
        screen.press("q");
        assert!(!screen.left, "{keys}");
        screen.let_saves_go();
        assert!(screen.left && text(&screen) != REVIEW, "{keys}");
    }
}

/// A file of records, opened beside [`REVIEW`].
fn with_records(records: &str) -> Screen {
    let sandbox = Sandbox::new();
    sandbox.write("review.whymark", REVIEW);
    sandbox.write("review.mb", records);
    Screen::open(sandbox, Target::File("review.whymark".into()))
}

const RECORDS: &str = "%markback 2\n\n@id r1\n@odd x\n@file src/greet.rs:4\n\n    done();\n<<<  why done?\n---\n\
                       @id r2\n@reply-to r1\n@by Bo\n<<< because\n";

#[test]
fn records_are_changed_where_they_stand() {
    for (keys, old, new) in [
        ("6j e ' really' enter", "<<<  why done?", "<<< why done? really"),
        ("6j e ctrl-j 'and why' enter", "<<<  why done?", "<<< \"\"\"\nwhy done?\nand why\n\"\"\""),
        ("6j J e ' of it' enter", "because", "because of it"),
        ("6j J x y", "---\n@id r2\n@reply-to r1\n@by Bo\n<<< because\n", ""),
        ("6j x y", "@id r1\n@odd x\n@file src/greet.rs:4\n\n    done();\n<<<  why done?\n---\n", ""),
    ] {
        let mut screen = with_records(RECORDS).pressed(keys);
        screen.assert_shows(&["review.mb"]);
        assert_eq!(screen.records(), Some(RECORDS.replacen(old, new, 1)), "{keys}");
        screen.press("z");
        screen.assert_shows(&["undone: "]);
        assert_eq!(screen.records().as_deref(), Some(RECORDS), "{keys}");
        assert_eq!(text(&screen), REVIEW);
    }
    let screen = with_records(RECORDS).pressed("6j e ' mine'");
    let theirs = RECORDS.replace("why done?", "WHY DONE?");
    screen.sandbox.write("review.mb", &theirs);
    let screen = check(screen, "enter", &["not saved: the record is no longer as it was", "done? mine "], File::Same);
    assert_eq!(screen.records(), Some(theirs));
}

#[test]
fn everything_about_records_is_taken_back() {
    let mut screen = with_records(RECORDS).pressed("6j");
    for keys in ["gx", "gr 'reply' enter", "k m 'another' enter", "gm 'on the file' enter"] {
        let before = screen.records();
        screen.press(keys);
        assert_ne!(screen.records(), before, "{keys}");
    }
    let after = screen.records();
    screen.press("zzzz");
    screen.assert_shows(&["undone: r1 resolved"]);
    assert_eq!(screen.records().as_deref(), Some(RECORDS));
    screen.press("ZZZZ");
    screen.assert_shows(&["done again: Markback note on src/greet.rs"]);
    assert_eq!(screen.records(), after);
}

/// [`REVIEW`] for somebody whose editor does this.
fn with_editor(editor: Editor) -> Screen {
    let mut screen = review();
    screen.editor = Some(editor);
    screen
}

#[test]
fn a_note_is_written_in_an_editor() {
    let end = "verify: cmd `cargo test` => pass\n";
    for (keys, editor, added) in [
        (
            "6j E",
            (|text| {
                assert_eq!(text, "@note +4 kind=intent\nwhy:\n");
                Ok(Some("from the editor\nsecond line\n".to_owned()))
            }) as Editor,
            "\n@note +4 kind=intent\nwhy: from the editor\n  second line\n",
        ),
        (
            "4j v j j E",
            |text| Ok(Some(text.replace("+2..4", "+2..3 risk=low").replace("why:", "why: x\nimpact: y\n\nText"))),
            "\n@note +2..3 risk=low kind=intent\nwhy: x\nimpact: y\n\nText\n",
        ),
    ] {
        let screen =
            check(with_editor(editor), keys, &["n2 saved to review.whymark", " REVIEW "], File::Added(end, added));
        assert_eq!(screen.kept, None);
    }
}

#[test]
fn a_note_is_changed_in_an_editor() {
    let mut screen = with_editor(|text| {
        assert_eq!(text, NOTE);
        Ok(Some(text.replace("risk=low", "urgency=soon").replace("\nverify", "\nalt: none\nverify")))
    });
    screen.press("4j E");
    screen.assert_shows(&["n1 saved to review.whymark", " REVIEW "]);
    let after = NOTE.replace("risk=low", "urgency=soon").replace("\nverify", "\nalt: none\nverify");
    assert_eq!(text(&screen), REVIEW.replace(NOTE, &after));
    screen.press("z");
    assert_eq!(text(&screen), REVIEW);
    check(with_editor(|_| Ok(None)), "4j E", &["nothing was written", " REVIEW "], File::Same);
    check(with_editor(|_| Err("it has failed".to_owned())), "4j E", &["it has failed", " REVIEW "], File::Same);
}

#[test]
fn what_an_editor_gives_back_is_never_lost() {
    for (editor, problem) in [
        (
            (|text| Ok(Some(text.to_owned() + "@file other\nmy words\n"))) as Editor,
            "`@file other` would begin something",
        ),
        (|text| Ok(Some(text.replace("+2..3", "+77") + "my words\n")), "the selector `+77` names no line of the diff"),
    ] {
        let screen = check(with_editor(editor), "4j E", &[" WRITE ", problem, "my words"], File::Same);
        screen.killed().assert_shows(&["this was not saved last time", "my words"]);
    }
    // Somebody has changed the note meanwhile.
    let screen = with_editor(|text| Ok(Some(text.replace("people", "my words"))));
    screen.sandbox.write("review.whymark", REVIEW.replace("people", "their words"));
    check(screen, "4j E", &[" WRITE ", "not saved: the note is no longer", "my words"], File::Same);
}

#[test]
fn what_is_typed_is_taken_to_an_editor_and_back() {
    let mut screen = with_editor(|text| {
        assert_eq!(text, "@note +4 kind=intent\nwhy: half\nsource: a\n");
        Ok(Some("@note +4 kind=risk confidence=0.77\nwhy: whole\nsource: a\nsource: b\ntodo: t\n\nText\n".to_owned()))
    });
    screen.press("6j a 'half' tab 'a' ctrl-o");
    screen.assert_shows(&[
        " WRITE ",
        "kind [risk] ",
        "│why      whole ",
        "│source   a ",
        "│         b ",
        "│todo     t ",
        "│body     Text ",
    ]);
    let added = "\n@note +4 kind=risk confidence=0.77\nwhy: whole\nsource: a\nsource: b\ntodo: t\n\nText\n";
    check(screen, "enter", &["n2 saved"], File::Added("verify: cmd `cargo test` => pass\n", added));
    let screen = with_editor(|text| Ok(Some(text.to_owned() + "impact: much\n")));
    let shown = [" WRITE ", "the form has no field `impact`", "│why      half ", "impact: much"];
    check(screen, "6j a 'half' ctrl-o", &shown, File::Same);
    let screen = with_editor(|text| Ok(Some(format!("{text}more\n"))));
    let screen = check(screen, "6j m 'half' ctrl-o", &["│note     half ", "│         more "], File::Same);
    check(screen, "enter", &["Markback note saved"], File::Same);
    let screen = with_editor(|_| Ok(Some("\n".to_owned())));
    let shown = ["nothing was written, and the text", "│why      half ", "¬no value"];
    check(screen, "6j a 'half' ctrl-o", &shown, File::Same);
    let screen = with_editor(|_| Ok(Some(" \n".to_owned())));
    check(screen, "6j E", &["nothing was written", "¬ WRITE "], File::Same);
    let screen = with_editor(|text| Ok(Some(text.replace("half", "ha\u{1b}\u{7}lf"))));
    check(screen, "6j a 'half' ctrl-o", &["│why      half ", "2 control characters were left out"], File::Same);
}

#[test]
fn the_file_at_the_cursor_is_opened_at_its_line() {
    for (keys, path, line) in [
        ("4j o", "src/greet.rs", 2),
        ("3j o", "src/greet.rs", 2),
        ("j o", "src/greet.rs", 1),
        ("]] o", "src/greet.rs", 22),
        ("} o", "docs/guide.md", 1),
    ] {
        let screen = review().pressed(keys);
        let [opened] = screen.looked_at.as_slice() else { panic!("{keys}: {:?}", screen.looked_at) };
        assert_eq!((opened.path.to_str(), opened.line), (Some(path), line), "{keys}");
    }
    check(review(), "k k k o", &["there is no file here"], File::Same);
}
