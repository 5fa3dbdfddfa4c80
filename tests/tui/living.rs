//! What others do to the review and to what it is about, while it is open.

use std::fs;

use whymark::git::{Repo, Scope};
use whymark::tui::model::{Asked, Done, Refreshing};
use whymark::tui::msg::{Made, Msg};
use whymark::tui::open::Target;

use super::{REVIEW, review, staged};
use crate::support::{File, Sandbox, Screen, check};

/// Where the review of [`staged`] is written.
const STAGED: &str = "reviews/staged-main.whymark";

/// [`REVIEW`] with a note of somebody else behind its first.
fn with_foreign() -> String {
    let end = "verify: cmd `cargo test` => pass\n";
    REVIEW.replace(end, &format!("{end}\n@note +22 kind=risk\nwhy: theirs\n"))
}

/// The changes of `scope` in a repository, opened.
fn open(sandbox: Sandbox, scope: Scope) -> Screen {
    let repo = Repo::discover(&sandbox.repo()).expect("a sandbox is a repository");
    Screen::open(sandbox, Target::Scope { repo, scope: Some(scope), options: Default::default(), out: None })
}

#[test]
fn what_somebody_else_writes_appears_by_itself() {
    let mut screen = review().pressed("6j v j");
    screen.sandbox.write("review.whymark", with_foreign());
    screen.changed(true, false);
    screen.assert_shows(&["theirs", "the review has changed on disk", "▌   3    5 ", " SELECT "]);
    let mut screen = screen.pressed("esc");
    screen.changed(true, false);
    check(screen, "", &["¬the review has changed on disk"], File::Same);
}

#[test]
fn the_cursor_stays_on_its_line_wherever_that_goes() {
    let mut screen = review().pressed("6j");
    screen.assert_shows(&["▌        4 ▏ +     done();"]);
    let text =
        REVIEW.replace("@file src/greet.rs", "@file aaa added\n@@ -0,0 +1,2 @@\n+a\n+done();\n\n@file src/greet.rs");
    let text = text.replace("@@ -1,4 +1,6 @@ mod greet\n", "@@ -1,4 +1,8 @@ mod greet\n+// one\n+// two\n");
    screen.sandbox.write("review.whymark", text);
    screen.changed(true, false);
    screen.assert_shows(&["A aaa", "▌        6 ▏ +     done();"]);
}

#[test]
fn the_open_note_stays_open_whatever_its_number_is() {
    let mut screen = review().pressed("4j");
    screen.assert_shows(&["─ n1 +2..3", "│ why  people asked"]);
    let text = REVIEW.replace("@note +2..3", "@note +22\nwhy: theirs\n\n@note +2..3");
    screen.sandbox.write("review.whymark", text);
    screen.changed(true, false);
    screen.assert_shows(&["─ n2 +2..3", "│ why  people asked"]);
}

#[test]
fn while_somebody_writes_only_a_mark_appears() {
    let mut screen = review().pressed("6j a 'mine'");
    screen.sandbox.write("review.whymark", with_foreign());
    screen.changed(true, false);
    screen.assert_shows(&["¬theirs", "changed on disk  ", "│why      mine"]);
    let own = "\n@note +4 kind=intent\nwhy: mine\n";
    let screen = check(screen, "enter", &["theirs", "mine", "¬changed on disk  "], File::Added("why: theirs\n", own));
    let mut screen = screen.pressed("a 'more'");
    screen.sandbox.write("review.whymark", REVIEW);
    screen.changed(true, false);
    screen.press("esc y");
    screen.assert_shows(&["¬theirs", "¬changed on disk  ", "the review has changed on disk"]);
}

#[test]
fn what_was_seen_before_a_write_does_not_undo_it() {
    let mut screen = review().pressed("6j");
    screen.hold_saves();
    screen.press("a 'first' enter a 'second'");
    screen.sandbox.write("review.whymark", with_foreign());
    screen.changed(true, false);
    screen.let_saves_go();
    screen.press("esc y");
    screen.assert_shows(&["first", "theirs", "¬changed on disk  "]);
}

#[test]
fn a_review_that_goes_is_kept_and_written_again() {
    let mut screen = review().pressed("6j");
    fs::remove_file(screen.sandbox.path("review.whymark")).expect("it was there");
    screen.changed(true, false);
    screen.assert_shows(&["no longer on disk", "unwritten", "done();"]);
    screen.press("a 'mine' enter");
    screen.assert_shows(&["saved to review.whymark", "¬unwritten"]);
    let text = String::from_utf8(screen.file().expect("it is there again")).expect("it is UTF-8");
    assert!(text.starts_with(REVIEW.split("\n@file docs/guide.md").next().expect("it has a beginning")), "{text}");
    assert!(text.contains("why: mine\n"));
}

#[test]
fn a_review_that_is_emptied_or_cannot_be_read_stays_on_the_screen() {
    let mut screen = review();
    screen.sandbox.write("review.whymark", "");
    screen.changed(true, false);
    screen.assert_shows(&["the review is an empty file now", "done();"]);
    fs::remove_file(screen.sandbox.path("review.whymark")).expect("it was there");
    fs::create_dir(screen.sandbox.path("review.whymark")).expect("the sandbox is writable");
    screen.changed(true, false);
    screen.assert_shows(&["review.whymark", "done();", "¬has changed on disk"]);
}

#[test]
fn files_that_go_leave_the_cursor_in_the_nearest_one() {
    let mut screen = review().pressed("G");
    let text = REVIEW.split("\n@file docs/guide.md").next().expect("it has a beginning");
    screen.sandbox.write("review.whymark", text);
    screen.changed(true, false);
    screen.assert_shows(&["─ 1 file ─", "¬docs/old.md", "▌"]);
    screen.press("jk");
}

#[test]
fn records_of_others_appear_and_go() {
    let mut screen = Screen::staged(staged());
    screen.sandbox.write("reviews/staged-main.mb", "@file ../a.txt:2\n<<< louder?\n");
    screen.changed(true, false);
    screen.assert_shows(&["louder?", "▪ markback", "Markback notes have changed on disk"]);
    screen.sandbox.write("b.txt.mb", "<<< beside\n");
    screen.changed(true, false);
    screen.assert_shows(&["louder?", "beside"]);
    fs::remove_file(screen.sandbox.path("b.txt.mb")).expect("it was there");
    fs::remove_file(screen.sandbox.path("reviews/staged-main.mb")).expect("it was there");
    screen.changed(true, false);
    screen.assert_shows(&["¬louder?", "¬beside"]);
}

#[test]
fn a_change_of_the_index_marks_what_is_stale_until_it_is_as_before() {
    let mut screen = Screen::staged(staged()).pressed("4j a 'louder' enter");
    screen.assert_shows(&["saved", "¬stale", "¬R refreshes"]);
    screen.sandbox.write("a.txt", "one\nTWO!\nthree\nfour\n");
    screen.changed(false, true);
    screen.assert_shows(&["¬stale"]);
    screen.sandbox.git(&["add", "a.txt"]);
    screen.changed(false, true);
    screen.assert_shows(&["⌛1 stale", "R refreshes", "TWO", "¬TWO!"]);
    screen.sandbox.write("a.txt", "one\nTWO\nthree\nfour\n");
    screen.sandbox.write("c.txt", "new\n");
    screen.sandbox.git(&["add", "a.txt", "c.txt"]);
    screen.changed(false, true);
    screen.assert_shows(&["¬stale", "+1 not shown", "R refreshes"]);
    screen.sandbox.git(&["rm", "--quiet", "--cached", "c.txt"]);
    screen.changed(false, true);
    screen.assert_shows(&["¬stale", "¬not shown", "¬R refreshes"]);
}

#[test]
fn a_refresh_carries_notes_and_lists_the_orphans() {
    let mut screen = Screen::staged(staged()).sized(150, 40).pressed("4j a 'louder' enter 2j a 'the end' enter");
    screen.sandbox.write("a.txt", "zero\none\ntwo again\nthree\nfour\n");
    screen.sandbox.write("c.txt", "new\n");
    screen.sandbox.git(&["add", "a.txt", "c.txt"]);
    screen.changed(false, true);
    screen.press("R");
    screen.assert_shows(&[
        "2 files changed, 1 note carried, 1 orphaned",
        "A c.txt",
        "two again",
        "↯1 orphaned",
        "¬R refreshes",
        "n2 +5",
    ]);
    let text = String::from_utf8(screen.file().expect("it was saved")).expect("it is UTF-8");
    assert!(text.contains("@note file kind=intent\norphaned: +2\n") && text.contains("@note +5 kind=intent"), "{text}");
    screen.press("gg J");
    screen.assert_shows(&["was +2", "↯ orphaned", "about +2, which is no longer in the diff", "was  one", "TWO"]);
    screen.sandbox.write("a.txt", "one\nTWO\nthree\nfour\n");
    screen.sandbox.git(&["add", "a.txt"]);
    screen.press("R");
    screen.assert_shows(&["1 file changed, 2 notes carried, 1 back", "¬orphaned,", "n1 +2"]);
    screen.press("R");
    screen.assert_shows(&["the diff is as it was"]);
}

#[test]
fn an_unwritten_review_is_refreshed_on_the_screen_only() {
    let mut screen = Screen::staged(staged());
    screen.sandbox.write("c.txt", "new\n");
    screen.sandbox.git(&["add", "c.txt"]);
    screen.press("R");
    screen.assert_shows(&["1 file changed", "A c.txt", "unwritten"]);
    assert_eq!(screen.file(), None);
    screen.sandbox.git(&["reset", "--quiet", "--hard"]);
    screen.press("R");
    screen.assert_shows(&["4 files changed", "0 files"]);
    screen.press("jkGgg}{JKuU");
}

#[test]
fn what_somebody_else_wrote_is_carried_too() {
    let mut screen = Screen::staged(staged()).pressed("4j a 'louder' enter");
    let text = String::from_utf8(screen.file().expect("it was saved")).expect("it is UTF-8");
    screen.sandbox.write(STAGED, text.replace("why: louder\n", "why: louder\n\n@note +4\nwhy: theirs\n"));
    screen.sandbox.write("a.txt", "zero\none\nTWO\nthree\nfour\n");
    screen.sandbox.git(&["add", "a.txt"]);
    screen.press("R");
    screen.assert_shows(&["1 file changed, 2 notes carried", "theirs"]);
    let text = String::from_utf8(screen.file().expect("it was saved")).expect("it is UTF-8");
    assert!(text.contains("@note +3 kind=intent\nwhy: louder") && text.contains("@note +5\nwhy: theirs"), "{text}");
}

#[test]
fn a_review_opened_by_its_name_knows_what_it_compares() {
    let screen = Screen::staged(staged()).pressed("4j a 'louder' enter");
    let mut screen = screen.reopened();
    screen.sandbox.write("a.txt", "one\nTWO!\nthree\nfour\n");
    screen.sandbox.git(&["add", "a.txt"]);
    screen.changed(false, true);
    screen.assert_shows(&["⌛1 stale", "R refreshes"]);
    screen.press("R");
    screen.assert_shows(&["1 file changed, 1 orphaned", "TWO!", "¬stale"]);
}

#[test]
fn what_cannot_be_refreshed_says_why() {
    let screen = check(review(), "R", &["not refreshed: ", "done();"], File::Same);
    assert_eq!(screen.model.refreshing, None);
    let text = REVIEW.replace("scope: staged\n", "");
    let screen = Screen::document(text);
    check(screen, "R", &["no repository says how that has changed"], File::Same);
}

#[test]
fn the_files_of_the_review_are_watched() {
    let mut screen = Screen::staged(staged());
    let watched = screen.watched.clone();
    let at = |name: &str| screen.sandbox.path(name);
    assert_eq!(watched.files, [at(STAGED), at("reviews/staged-main.mb")]);
    assert_eq!(watched.tree, ["a.txt", "b.txt", "new name.txt"].map(at));
    assert!(watched.repository.contains(&at(".git/index")) && watched.repository.contains(&at(".git/HEAD")));
    screen.sandbox.write("c.txt", "new\n");
    screen.sandbox.git(&["add", "c.txt"]);
    screen.press("R");
    assert!(screen.watched.tree.contains(&screen.sandbox.path("c.txt")));
}

#[test]
fn what_was_done_is_not_said_again_by_another_refresh() {
    let mut screen = Screen::staged(staged());
    screen.model.refreshing = Some(Refreshing::new(Asked::Yes));
    screen.model.after = Some(Done { said: "staged 1 line".to_owned(), back: None });
    screen.happen(Msg::DiffMade(Ok(Made::Nothing)));
    screen.assert_shows(&["staged 1 line; the diff stays as it was"]);
    screen.press("R");
    screen.assert_shows(&["¬staged 1 line"]);
}

#[test]
fn notes_on_a_commit_that_has_been_amended_are_told_of() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n");
    sandbox.commit("First");
    sandbox.write("a.txt", "one\ntwo\n");
    sandbox.commit("Second");
    let earlier = open(sandbox, Scope::Commit("HEAD".into())).pressed("3j a 'second' enter");
    let path = earlier.model.review.shown_path.clone();
    let sandbox = earlier.sandbox;
    sandbox.git(&["commit", "--quiet", "--amend", "-m", "Second, in other words"]);
    let told = format!("are in {path}");
    let screen = open(sandbox, Scope::Commit("HEAD".into())).sized(200, 40);
    screen.assert_shows(&["notes on this commit, perhaps as it was before it was amended, ", &told, "¬why  second"]);
    // Neither the commit before nor one that has a review of its own is meant.
    let screen = open(screen.sandbox, Scope::Commit("HEAD^".into())).sized(200, 40);
    let screen = check(screen, "", &["¬amended"], File::Same);
    let screen = open(screen.sandbox, Scope::Commit("HEAD".into())).pressed("3j a 'again' enter");
    open(screen.sandbox, Scope::Commit("HEAD".into())).sized(200, 40).assert_shows(&["¬amended", "again"]);
}
