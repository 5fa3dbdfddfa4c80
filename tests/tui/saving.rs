//! A note on disk: every other byte stays, whoever else writes, and no typed word is lost when it can't be written.

use std::fs;

use whymark::git::{Repo, Scope};
use whymark::tui::open::Target;

use super::{REVIEW, review, staged};
use crate::support::{File, Sandbox, Screen, check};

/// Where the review of [`staged`] is written.
const STAGED: &str = "reviews/staged-main.whymark";

#[test]
fn every_other_byte_stays() {
    let unix = "@file a.txt added\n@@ -0,0 +1 @@\n+x\n";
    for (text, keys, behind, added) in [
        (unix, "jj", unix, "\n@note +1 kind=intent\nwhy: y\n"),
        ("@file a.txt added\n@@ -0,0 +1 @@\n+x", "jj", "+x", "\n\n@note +1 kind=intent\nwhy: y\n"),
        (
            "@file a.txt added\r\n@@ -0,0 +1 @@\r\n+x\r\n\r\n@file b added\r\n@@ -0,0 +1 @@\r\n+z\r\n",
            "jj",
            "+x\r\n",
            "\r\n@note +1 kind=intent\r\nwhy: y\r\n",
        ),
        ("@file a.txt added\r\n@@ -0,0 +1 @@\r\n+x", "jj", "+x", "\r\n\r\n@note +1 kind=intent\r\nwhy: y\r\n"),
        (
            "---\nwhymark: 1\n# mine\nx-team: core\ntitle: T\n---\n# a comment\nstray words\n\n@file a.txt added shape=odd\n\
             @@ -0,0 +1 @@\n+x\n\n@note +1 kind=intent colour=red\nwhy: z\nwhyy: typo\nx-ticket: 7\n\n\n# behind\n@file b deleted\n",
            "gg } jj",
            "# behind\n",
            "\n@note +1 kind=intent\nwhy: y\n\n",
        ),
        ("\u{feff}@file a.txt added\n@@ -0,0 +1 @@\n+x\n\n\n\n", "jj", "+x\n", "\n@note +1 kind=intent\nwhy: y\n"),
        ("@file a.txt added\n@@ -0,0 +1,9 @@\n+x\n", "jj", "+x\n", "\n@note +1 kind=intent\nwhy: y\n"),
    ] {
        let screen = Screen::document(text).pressed(keys);
        let screen = check(screen, "a 'y' enter", &["saved to review.whymark"], File::Added(behind, added));
        let screen = screen.reopened().pressed(keys);
        let is_card = |row: &String| row.contains("│ why  y ") || row.ends_with("▎ y");
        assert!(screen.rows().iter().any(is_card), "{}", screen.text());
    }
}

#[test]
fn bytes_that_are_no_text_stay_too() {
    let before = b"@file a.txt added\n@@ -0,0 +1,2 @@\n+\xff\xfe\n+\x00\x1b[31m\n";
    let screen = Screen::document(before).pressed("jj a 'y' enter");
    screen.assert_shows(&["saved", "+ \u{fffd}\u{fffd}", "+ ␀␛[31m"]);
    assert_eq!(screen.file(), Some([before.as_slice(), b"\n@note +1 kind=intent\nwhy: y\n"].concat()));
}

#[test]
fn the_second_time_the_note_is_there() {
    let mut screen = review().sized(130, 40).pressed("6j a 'seen before' enter").reopened();
    screen.press("6j");
    screen.assert_shows(&["│ why  seen before", "╭─ n2 +4", "explained █████░░░░░ 50 %"]);
}

#[test]
fn the_numbers_move_with_the_note() {
    let screen = review().sized(130, 40);
    screen.assert_shows(&["explained ███░░░░░░░ 33 %", "4 lines unexplained", "2/4 explained"]);
    check(
        screen.pressed("6j a 'y' enter"),
        "esc",
        &["explained █████░░░░░ 50 %", "3/4 explained", "4 │ +"],
        File::Same,
    );
}

#[test]
fn what_somebody_else_wrote_in_between_stays() {
    let foreign = "\n@note +22 kind=risk\nwhy: theirs\n";
    let end = "verify: cmd `cargo test` => pass\n";
    let with_foreign = REVIEW.replace(end, &format!("{end}{foreign}"));
    let mut screen = review().pressed("4j a 'mine'");
    screen.sandbox.write("review.whymark", &with_foreign);
    let own = "\n@note +2 kind=intent\nwhy: mine\n";
    screen = check(screen, "enter", &["saved", "mine", "theirs"], File::Added("why: theirs\n", own));
    // Others may also take files away, or bring some.
    let text = String::from_utf8(screen.file().expect("it is there")).expect("it is UTF-8");
    let text = text.replace("@file src/greet.rs", "@file aaa added\n@@ -0,0 +1 @@\n+a\n\n@file src/greet.rs");
    let text = text.split("\n@file docs/old.md").next().expect("it has a beginning").to_owned();
    screen.sandbox.write("review.whymark", &text);
    let own = "\n@note +3 kind=intent\nwhy: again\n";
    let shown = ["saved", "A aaa", "¬docs/old.md", "▌        3 ┃", "why  again"];
    check(screen, "j a 'again' enter", &shown, File::Added("why: mine\n", own));
}

#[test]
fn a_form_stays_with_its_file_when_others_come_before_it() {
    let mut screen = review().pressed("4j");
    screen.hold_saves();
    screen.press("a 'first' enter j a 'second'");
    let text = REVIEW.replace("@file src/greet.rs", "@file aaa added\n@@ -0,0 +1,9 @@\n+a\n\n@file src/greet.rs");
    screen.sandbox.write("review.whymark", &text);
    screen.let_saves_go();
    screen.assert_shows(&["A aaa", "─ note on +3 of src/greet.rs ─", "▌        3 ┃", "│why      second "]);
    let own = "\n@note +3 kind=intent\nwhy: second\n";
    check(screen, "enter", &["saved"], File::Added("why: first\n", own));
}

#[test]
fn a_review_that_was_made_in_between_keeps_what_is_in_it() {
    let mut screen = Screen::staged(staged()).pressed("4j a 'mine'");
    let other = Screen::staged(staged()).pressed("4j a 'theirs' enter");
    screen.sandbox.write(STAGED, other.file().expect("it was saved"));
    screen.press("enter");
    screen.assert_shows(&["saved", "mine", "theirs"]);
    let text = String::from_utf8(screen.file().expect("it is there")).expect("it is UTF-8");
    assert!(text.contains("why: mine\n") && text.contains("why: theirs\n"), "{text}");
}

#[test]
fn what_the_note_was_about_has_gone() {
    let without_section = REVIEW.replace("@file src/greet.rs", "@file src/other.rs");
    let without_lines = REVIEW.replace("@@ -1,4 +1,6 @@", "@@ -101,4 +101,6 @@");
    let with_others = REVIEW.replace("let name = name();", "let name = \"you\";");
    for (text, reason) in [
        (&without_section, "the file's section is no longer in the review"),
        (&without_lines, "the lines are no longer in the review's diff"),
        (&with_others, "the lines are no longer in the review's diff"),
    ] {
        let screen = review().pressed("4j a 'my words' tab 'more'");
        screen.sandbox.write("review.whymark", text);
        let shown = [" WRITE ", &format!("not saved: {reason}"), "│why      my words ", "│source   more"];
        let screen = check(screen, "enter", &shown, File::Same);
        screen.sandbox.write("review.whymark", REVIEW);
        let added = "\n@note +2 kind=intent\nwhy: my words\nsource: more\n";
        check(screen, "enter", &["saved"], File::Added("verify: cmd `cargo test` => pass\n", added));
    }
}

#[test]
fn a_review_that_was_deleted_comes_back_whole() {
    let mut screen = review().pressed("4j a 'y'");
    let path = screen.sandbox.repo().join("review.whymark");
    fs::remove_file(path).expect("it was there");
    screen.press("enter");
    let end = "verify: cmd `cargo test` => pass\n";
    let wanted = REVIEW.replace(end, &format!("{end}\n@note +2 kind=intent\nwhy: y\n"));
    assert_eq!(screen.file(), Some(wanted.into_bytes()));
}

#[test]
fn when_the_disk_refuses_the_text_comes_back() {
    let mut screen = review().pressed("4j a 'my words'");
    let path = screen.sandbox.repo().join("review.whymark");
    fs::remove_file(&path).expect("it was there");
    fs::create_dir(&path).expect("the sandbox is writable");
    screen.press("enter");
    screen.assert_shows(&[" WRITE ", "not saved: ", "│why      my words "]);
    screen.press("enter");
    screen.assert_shows(&[" WRITE ", "not saved: ", "│why      my words "]);
    fs::remove_dir(&path).expect("nothing was put there");
    screen.sandbox.write("review.whymark", REVIEW);
    check(
        screen,
        "enter",
        &["n2 saved", "¬not saved"],
        File::Added("pass\n", "\n@note +2 kind=intent\nwhy: my words\n"),
    );
}

#[test]
fn a_failure_takes_no_other_text_away() {
    let mut screen = review().pressed("4j");
    screen.hold_saves();
    screen.press("a 'first' enter j a 'second'");
    screen.sandbox.write("review.whymark", "@file other added\n");
    screen.let_saves_go();
    screen.assert_shows(&["not saved: ", "│why      second "]);
    screen.press("esc y");
    screen.assert_shows(&["not saved: ", "│why      first ", " WRITE "]);
}

#[test]
fn leaving_waits_for_the_disk() {
    let mut screen = review().pressed("4j");
    screen.hold_saves();
    screen.press("a 'words' enter q");
    assert!(!screen.left);
    screen.assert_shows(&["leaving as soon as the last note is on disk"]);
    screen.let_saves_go();
    assert!(screen.left);
    let mut screen = review().pressed("4j");
    screen.hold_saves();
    screen.press("a 'words' enter q");
    screen.sandbox.write("review.whymark", "@file other added\n");
    screen.let_saves_go();
    assert!(!screen.left);
    screen.assert_shows(&["not saved: ", "│why      words ", " WRITE "]);
}

#[test]
fn whoever_writes_on_has_not_left() {
    for (keys, text) in
        [("a 'more'", "│why      more "), ("m 'more'", "│note     more "), ("gA 'more'", "│why      more ")]
    {
        let mut screen = review().pressed("4j");
        screen.hold_saves();
        screen.press("a 'words' enter q");
        screen.press(keys);
        screen.let_saves_go();
        assert!(!screen.left, "{keys}");
        screen.assert_shows(&[text, " WRITE ", "n2 saved to review.whymark", "people asked"]);
        screen = check(screen, "", &[text], File::Same);
        let file = String::from_utf8(screen.file().expect("it is there")).expect("it is UTF-8");
        assert!(file.contains("\n@note +2 kind=intent\nwhy: words\n"), "{file}");
        screen.press("enter");
        assert!(!screen.left, "{keys}");
        let all = [screen.file().expect("it is there"), screen.records().unwrap_or_default().into_bytes()].concat();
        let all = String::from_utf8(all).expect("it is UTF-8");
        assert!(all.contains("why: words\n"), "{all}");
        assert!(all.contains("why: more\n") || all.contains("<<< more\n"), "{all}");
        screen.press("q");
        assert!(screen.left, "{keys}");
    }
}

#[test]
fn a_note_that_failed_comes_back_when_the_next_one_is_saved() {
    let failed = || {
        let mut screen = review().pressed("4j");
        screen.hold_saves();
        // The first is about a line that somebody else changes, the second about the whole change.
        screen.press("a 'first' enter gA 'second'");
        screen.sandbox.write("review.whymark", REVIEW.replace("let name = name();", "let name = \"you\";"));
        screen.let_saves_go();
        screen.assert_shows(&[
            "─ note on the whole change ─",
            "│why      second ",
            "not saved: the lines are no longer",
        ]);
        let second = "\n@note doc kind=intent\nwhy: second\n";
        let shown = [
            "─ note on +2 of src/greet.rs ─",
            "│why      first ",
            "│not saved: the lines are no longer ",
            "review's diff: choose others",
            " WRITE ",
        ];
        check(screen, "enter", &shown, File::Added("scope: staged\n---\n", second))
    };
    let mut screen = failed().pressed("q");
    screen.assert_shows(&["│why      firstq "]);
    screen.press("backspace esc y q");
    assert!(screen.left);
    // Another line is there now: whoever has read that and saves again means it.
    let screen = failed();
    screen.assert_shows(&["let name = \"you\";"]);
    let told = ["not saved: other lines have these numbers now", "│why      first "];
    let screen = check(screen, "enter", &told, File::Same);
    let first = "\n@note +2 kind=intent\nwhy: first\n";
    let mut screen = check(screen, "enter", &["saved to review.whymark", "¬ WRITE "], File::Added("pass\n", first));
    screen.press("q");
    assert!(screen.left);
}

#[test]
fn a_first_note_waits_until_every_file_can_be_read() {
    let sandbox = staged();
    let id = sandbox.git_line(&["rev-parse", ":b.txt"]);
    fs::remove_file(sandbox.path(format!(".git/objects/{}/{}", &id[..2], &id[2..]))).expect("it is there");
    let shown = ["not saved: a file could not be read, and the review would", "│why      my words ", " WRITE "];
    let mut screen = check(Screen::staged(sandbox), "a 'my words' enter", &shown, File::Same);
    assert_eq!(screen.file(), None);
    screen.press("enter");
    screen.assert_shows(&shown);
    screen.press("q");
    screen.assert_shows(&["│why      my wordsq "]);
    assert!(!screen.left);
    assert!(!screen.sandbox.path("reviews").exists());
}

#[test]
fn the_section_of_a_form_may_go_whatever_it_is_about() {
    let nameless = "@@ -0,0 +1 @@\n+x\n\n@file a added\n@@ -0,0 +1 @@\n+z\n";
    for (keys, text) in [("jj a", nameless), ("jj a", REVIEW), ("jj m", REVIEW)] {
        let mut screen = Screen::document(text);
        screen.hold_saves();
        screen.press("gA 'first' enter");
        screen.press(keys);
        screen.press("'my words'");
        screen.sandbox.write("review.whymark", "# nothing else\n");
        screen.let_saves_go();
        screen.assert_shows(&["my words ", "¬A a"]);
        let shown = ["my words ", "not saved: the file is no longer in the review", " WRITE "];
        check(screen, "enter", &shown, File::Same);
    }
}

#[cfg(unix)]
#[test]
fn a_review_that_is_write_protected_says_so_before_a_word_is_typed() {
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = Sandbox::new();
    sandbox.write("review.whymark", REVIEW);
    let path = sandbox.repo().join("review.whymark");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).expect("it is ours");
    for keys in ["a", "ga", "gA", "4j a"] {
        let screen = Screen::open(Sandbox::new(), Target::File(path.clone()));
        let shown = ["  read-only  ", "read-only: ", "review.whymark is write-protected", " WRITE "];
        check(screen.sized(200, 30), keys, &shown, File::Same);
    }
}

#[test]
fn records_that_cannot_be_written_come_back_too() {
    let mut screen = review().pressed("4j m 'my remark'");
    let path = screen.sandbox.path("review.mb");
    fs::create_dir(&path).expect("the sandbox is writable");
    screen.press("enter");
    screen.assert_shows(&[" WRITE ", "not saved: ", "│note     my remark "]);
    fs::remove_dir(&path).expect("nothing was put there");
    screen.press("enter");
    screen.assert_shows(&["Markback note saved to review.mb", "¬ WRITE "]);
    assert!(screen.records().expect("it was saved").ends_with("<<< my remark\n"));
}

#[test]
fn records_of_others_stay_as_they_are() {
    let theirs = "@file src/greet.rs:3\n<<< theirs, without an id\n\n@id r1\n@by  Bo \n@file elsewhere.rs\n@odd header\n\n\n<<< far away\n";
    let sandbox = Sandbox::new();
    sandbox.write("review.whymark", REVIEW);
    sandbox.write("review.mb", theirs);
    let mut screen = Screen::open(sandbox, Target::File("review.whymark".into()));
    screen.assert_shows(&["theirs, without an id", "¬far away"]);
    screen.press("6j m 'mine' enter");
    let records = screen.records().expect("it was saved");
    let mine = records.strip_prefix(theirs).expect("what was there stays, byte for byte");
    assert!(mine.contains("@id r") && !mine.contains("@id r1\n") && mine.ends_with("<<< mine\n"), "{records}");
    screen.assert_shows(&["mine", "theirs, without an id"]);
}

#[test]
fn a_path_with_blanks_is_found_again_by_its_record() {
    let screen = Screen::staged(staged()).pressed("}} m 'about blanks' enter");
    screen.assert_shows(&["Markback note saved", "about blanks", "R new name.txt  +0 −0  ¶1"]);
    assert!(screen.records().expect("it was saved").contains("@file ../new name.txt"));
    let repo = Repo::discover(&screen.sandbox.repo()).expect("a sandbox is a repository");
    let target = Target::Scope { repo, scope: Some(Scope::Staged), options: Default::default(), out: None };
    Screen::open(screen.sandbox, target).assert_shows(&["about blanks", "R new name.txt  +0 −0  ¶1"]);
}

#[test]
fn a_review_of_what_has_changed_since_says_which_files_are_stale() {
    let screen = Screen::staged(staged()).pressed("4j a 'old' enter");
    screen.sandbox.write("a.txt", "one\nTWO more\nthree\nfour\n");
    screen.sandbox.write("c.txt", "not in the review\n");
    screen.sandbox.git(&["add", "."]);
    let mut screen = Screen::staged(screen.sandbox);
    screen.assert_shows(&["M a.txt  +2 −1  1/2 explained  ⌛ stale", "A b.txt  +1 −0  0/1 explained ", "+1 not shown"]);
    screen.press("4j");
    screen.assert_shows(&["why  old", "+ TWO "]);
}

#[test]
fn a_review_of_something_else_is_left_alone() {
    let screen = Screen::staged(staged()).pressed("4j a 'old' enter");
    let old = screen.file();
    screen.sandbox.git(&["commit", "--quiet", "--message", "Second"]);
    screen.sandbox.write("a.txt", "one\nother\n");
    screen.sandbox.git(&["add", "a.txt"]);
    let screen = Screen::staged(screen.sandbox).sized(200, 40).pressed("} a 'new' enter");
    screen.assert_shows(&["reviews/staged-main-2.whymark", "¬why  old", "new"]);
    assert_eq!(screen.sandbox.read(STAGED), old.expect("it was saved"));
}

#[test]
fn looking_writes_nothing() {
    let keys = "jjjj v j esc ? esc f } { G gg u U J K ] [ y a esc m esc q";
    let screen = check(Screen::staged(staged()).sized(200, 30), keys, &[" · unwritten"], File::Same);
    assert!(screen.left);
    assert!(!screen.sandbox.repo().join("reviews").exists());
    check(review(), keys, &[], File::Same);
}

#[test]
fn the_first_note_writes_the_review_of_the_change() {
    let mut screen = Screen::staged(staged()).pressed("4j a 'louder' enter");
    screen.assert_shows(&["n1 saved to reviews/staged-main.whymark", "¬unwritten", "│ why  louder"]);
    let text = String::from_utf8(screen.file().expect("it was saved")).expect("it is UTF-8");
    let section = text.split("\n@file ").nth(1).expect("there are sections");
    assert!(section.starts_with("a.txt modified "), "{text}");
    let hunk = "\n@@ -1,3 +1,4 @@\n one\n-two\n+TWO\n three\n+four\n\n@note +2 kind=intent\nwhy: louder\n";
    assert!(section.ends_with(hunk), "{text}");
    screen = screen.reopened();
    screen.press("4j");
    screen.assert_shows(&["│ why  louder", "¬unwritten", "A b.txt", "R new name.txt"]);
}

#[test]
fn a_note_written_while_files_are_read_is_saved_when_all_are() {
    let mut screen = Screen::unread(staged()).sized(200, 30).pressed("a 'early' enter");
    screen.assert_shows(&["the note is saved as soon as the diff has been read", " · saving"]);
    assert_eq!(screen.file(), None);
    screen.press("q");
    assert!(!screen.left);
    screen.read_all();
    assert!(screen.left);
    let text = String::from_utf8(screen.file().expect("it was saved")).expect("it is UTF-8");
    assert!(text.contains("+four\n\n@note file kind=intent\nwhy: early\n"), "{text}");
    assert!(text.contains("\n+new\n"), "the other files are there too: {text}");
}

#[test]
fn what_failed_is_no_last_word_of_whoever_stayed() {
    let mut screen = review();
    screen.hold_saves();
    screen.press("4j x y j a 'words' enter q");
    screen.sandbox.write("review.whymark", "@file other added\n");
    screen.let_saves_go();
    let said = screen.model.farewell().unwrap_or_default();
    assert!(!screen.left && said.starts_with("not deleted: "), "{said}");
    screen.assert_shows(&[" WRITE ", "│why      words "]);
    screen.press("esc y q");
    assert_eq!((screen.left, screen.model.farewell()), (true, None));
}

#[test]
fn notes_have_their_place_while_the_review_is_read() {
    let written = Screen::staged(staged()).pressed("4j a 'words' enter");
    let mut screen = Screen::unread(written.sandbox).sized(80, 24).sized(160, 40);
    let layout = |screen: &Screen| screen.model.layout.expect("there is room");
    assert!(layout(&screen).notes.is_some());
    screen.read_all();
    assert!(layout(&screen).notes.is_some());
}
