//! What was looked at: marked, folded away, and known again.

use std::collections::BTreeSet;

use super::{REVIEW, review, staged};
use crate::support::{File, Screen, check};

#[test]
fn a_viewed_file_is_one_row_until_it_changes() {
    let mut screen = check(
        review().pressed("4j space"),
        "",
        &["▌M src/greet.rs  +4 −1  2/4 explained  ✓ viewed", "¬let name", "A docs/guide.md", "1/3 viewed"],
        File::Same,
    );
    screen.sandbox.write("review.whymark", REVIEW.replace("    // nobody", "    // somebody"));
    screen.changed(true, false);
    screen.assert_shows(&["¬/3 viewed", "@@ -1,4 +1,6 @@ mod greet  ✓ viewed", "¬let name", "// somebody"]);
    screen.sandbox.write("review.whymark", REVIEW);
    screen.changed(true, false);
    screen.assert_shows(&["✓ viewed", "1/3 viewed", "¬// nobody"]);
    screen.press("space");
    screen.assert_shows(&["¬✓ viewed", "let name", "src/greet.rs: not viewed (0 of 3 files)"]);
}

#[test]
fn a_hunk_is_viewed_on_its_heading_and_the_last_one_makes_the_file() {
    let mut screen = review().pressed("] space");
    screen.assert_shows(&["▌@@ -1,4 +1,6 @@ mod greet  ✓ viewed", "¬let name", "// nobody", "hunk: viewed (0 of 3"]);
    screen.press("] space");
    screen.assert_shows(&["M src/greet.rs  +4 −1  2/4 explained  ✓ viewed", "¬@@ -1,4", "1/3 viewed"]);
    screen.press("gg } space");
    screen.assert_shows(&["¬✓ viewed", "let name", "// nobody"]);
    screen.press("] space space");
    screen.assert_shows(&["¬✓ viewed", "let name"]);
}

#[test]
fn whoever_goes_to_what_is_folded_sees_it() {
    let screen = review().pressed("space");
    check(screen, "gg J", &["▌        2 ┃ +", "╭─ n1", "✓ viewed"], File::Same);
    let screen = review().pressed("space gg");
    check(screen, "u", &["▌        4 ▏ +", "✓ viewed"], File::Same);
    let screen = review().pressed("] space gg u");
    check(screen, "u", &["▌       23 ▏ +"], File::Same);
    let screen = review().pressed("space }");
    check(screen, "U", &["▌       23 ▏ +"], File::Same);
    // In the narrow layout the card stands below the line.
    let screen = review().sized(80, 40).pressed("space gg");
    check(screen, "J", &["▌        2 ┃ +", "╭─ n1"], File::Same);
}

#[test]
fn what_is_viewed_can_be_left_out() {
    let mut screen = review().pressed("space gv");
    screen.assert_shows(&[
        "¬M src/greet.rs",
        "▌A docs/guide.md",
        "what is viewed is left out (1 of 3 files)",
        "· without",
    ]);
    screen.press("space");
    screen.assert_shows(&["¬A docs/guide.md", "▌D docs/old.md"]);
    screen.press("space jkGgg}{JKuU][ gv");
    screen.assert_shows(&["M src/greet.rs", "A docs/guide.md", "D docs/old.md", "3/3 viewed"]);
}

#[test]
fn what_is_viewed_is_known_the_next_time_and_what_is_new_is_shown() {
    let mut screen = Screen::staged(staged()).pressed("space").looked_again();
    screen.assert_shows(&["M a.txt  +2 −1  0/2 explained  ✓ viewed", "1/3 viewed", "A b.txt"]);
    screen.press("gc");
    screen.assert_shows(&["nothing has changed since you last looked", "A b.txt"]);
    screen.sandbox.write("b.txt", "new\nand more\n");
    screen.sandbox.git(&["add", "b.txt"]);
    let mut screen = screen.looked_again().pressed("gc");
    screen.assert_shows(&["1 of 3 files has", "· only what is new", "and more", "¬a.txt", "¬new name.txt"]);
    screen.press("gc");
    screen.assert_shows(&["M a.txt", "new name.txt"]);
    let screen = screen.looked_again().pressed("gc");
    screen.assert_shows(&["nothing has changed since you last looked"]);
}

#[test]
fn what_a_refresh_brings_is_new() {
    let mut screen = Screen::staged(staged());
    screen.sandbox.write("b.txt", "new\nand more\n");
    screen.sandbox.git(&["add", "b.txt"]);
    screen.press("R gc");
    screen.assert_shows(&["and more", "¬M a.txt"]);
    screen.press("G space");
    screen.assert_shows(&["b.txt: viewed", "¬and more"]);
}

#[test]
fn only_hashes_are_remembered() {
    let screen = review().pressed("space q");
    let kept = screen.looks.expect("it was left");
    let words: BTreeSet<&str> = kept.split(|c: char| !c.is_alphanumeric()).collect();
    let is_known = |word: &&str| word.is_empty() || ["marked", "seen"].contains(word) || word.len() == 32;
    assert!(words.iter().all(is_known), "{kept}");
}

#[test]
fn a_search_goes_into_what_is_folded() {
    let screen = review().pressed("space gg");
    check(screen, "/ 'nobody' enter", &["▌       23 ▏ +     // nobody"], File::Same);
}

#[test]
fn the_list_of_files_goes_past_what_is_left_out() {
    let mut screen = review().pressed("} space gv gg tab");
    for file in ["▌M src/greet.rs", "▌D docs/old.md"] {
        screen.assert_shows(&[file]);
        screen.press("j");
    }
}
