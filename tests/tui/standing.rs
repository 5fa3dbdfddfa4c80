//! What the screen says of how well something stands: a stub explains nothing yet, and a claim is not a verification.

use crate::support::{File, Screen, check};

/// Every added line has a note: one that says something, one that does not, and one of each on the last line.
const STUBS: &str = "---\nwhymark: 1\ntitle: x\nreview:\n  status: approved\n---\n\n@file a.txt added\n\
    @@ -0,0 +1,4 @@\n+one\n+two\n+three\n+four\n\n@note +1\nwhy: it begins\n\n@note +2..3 kind=intent\n\
    why: TODO say why this is done\n\n@note +4\nwhy: it ends\n\n@note +4\nwhy: TODO\nverify: cmd `exit 0` => pass\n";

fn stubs() -> Screen {
    Screen::document(STUBS)
}

#[test]
fn what_stubs_cover_does_not_look_explained() {
    let marks = ["         1 │ + one", "         2 … + two", "         3 … + three", "         4 ┃2+ four"];
    let screen = check(stubs(), "", &marks, File::Same);
    screen.assert_shows(&[
        "explained 100 % · 2 to write  claimed 25 %",
        "4/4 explained · 2 to write",
        "2 notes to write",
    ]);
    stubs().sized(160, 40).assert_shows(&["explained █████▒▒▒▒▒ 100 % · 2 to write", "██▒▒"]);
    let written = STUBS.replace("TODO say why this is done", "so").replace("why: TODO", "why: so");
    let screen = Screen::document(written).sized(160, 40);
    screen.assert_shows(&["explained ██████████ 100 %  claimed", "████", "¬to write", "2 │ + two"]);
}

#[test]
fn where_no_line_is_left_the_next_stub_is_gone_to() {
    let first = ["▌        2 … + two", "every added line has a note; this is stub 1 of 2: e writes it"];
    let second = ["▌        4 ┃2+ four", "this is stub 2 of 2"];
    let screen = check(stubs(), "u", &first, File::Same);
    let screen = check(screen, "u", &second, File::Same);
    let screen = check(screen, "u", &[second[0], "no stub further down (2 notes to write; U goes up)"], File::Same);
    let screen = check(screen, "U", &first, File::Same);
    check(screen, "U", &[first[0], "no stub further up (2 notes to write; u goes down)"], File::Same);
    // It is open: what is written takes its place.
    let screen = stubs().pressed("u e ctrl-u 'so it is' enter");
    screen.assert_shows(&["explained 100 % · 1 to write", "2 │ + two"]);
    check(screen, "u", &["▌        4 ┃2+ four", "this is stub 1 of 1"], File::Same);
    check(stubs(), "F 'risk high' enter esc u", &["2 stubs that a filter hides: gF shows them"], File::Same);
}

/// A note whose claim passes when it is run, one whose claim does not, one that nothing can run, and one of both.
const CLAIMS: &str = "@file a.txt added\n@@ -0,0 +1,4 @@\n+a\n+b\n+c\n+d\n\n@note +1\nwhy: x\nverify: cmd `exit 0` => pass\n\n\
    @note +2\nwhy: y\nverify: cmd `exit 3` => pass\n\n@note +3\nwhy: z\nverify: manual looked => pass\n\n\
    @note +4\nwhy: z\nverify: cmd `exit 0` => pass\nverify: manual looked => pass\n";

/// The last word of each card, from top to bottom.
fn words(screen: &Screen) -> Vec<String> {
    let words = ["✓ claimed", "✓ verified", "✗ contradicted", "✗ fail"];
    let rows = screen.rows();
    rows.iter().filter_map(|row| words.iter().find(|word| row.contains(*word)).map(|word| (*word).to_owned())).collect()
}

#[test]
fn a_claim_is_called_verified_when_it_was_run_here() {
    let mut screen = Screen::document(CLAIMS);
    screen.model.review.read_only = Some("the disk is write-protected".to_owned());
    assert_eq!(words(&screen), ["✓ claimed"; 4]);
    screen.press("V y");
    screen.read_all();
    screen.press("esc");
    assert_eq!(words(&screen), ["✓ verified", "✗ contradicted", "✓ claimed", "✓ claimed"]);
    // Of other code nobody has seen it.
    screen.model.review.read_only = None;
    screen.sandbox.write("review.whymark", CLAIMS.replace("+d\n", "+e\n"));
    screen.changed(true, false);
    assert_eq!(words(&screen), ["✓ claimed"; 4]);
}

#[test]
fn an_approval_is_one_of_what_was_there_then() {
    let mut screen = stubs();
    screen.assert_shows(&["· ✓ approved", "¬changed since"]);
    screen.model.parts[1].is_stale = true;
    screen.assert_shows(&["· ✓ approved, changed since"]);
}
