//! The diff of a review that is not written follows the code by itself.

use std::collections::HashMap;

use whymark::document::Document;
use whymark::git::{Repo, Scope};
use whymark::tui::msg::{Compared, Made, Msg, News, OnDisk};
use whymark::tui::open::Target;

use super::staged;
use crate::support::{File, Sandbox, Screen, check};

/// `a.txt` with a line more at its head, staged.
fn stage_more(screen: &Screen) {
    screen.sandbox.write("a.txt", "zero\none\nTWO\nthree\nfour\n");
    screen.sandbox.git(&["add", "a.txt"]);
}

const STAGED: &str = "reviews/staged-main.whymark";

/// What is staged is made anew: what that looks like.
const MORE: &str = "+ zero";

fn unstaged(sandbox: Sandbox) -> Screen {
    let repo = Repo::discover(&sandbox.repo()).expect("a sandbox is a repository");
    let scope = Some(Scope::Unstaged);
    Screen::open(sandbox, Target::Scope { repo, scope, options: Default::default(), out: None })
}

/// The same while its diff is being made, which nobody has asked for.
fn being_made(mut screen: Screen) -> Screen {
    screen.hold_findings();
    screen.changed(false, true);
    screen.tell_one();
    assert!(screen.model.refreshing.is_some_and(|refreshing| !refreshing.is_shown()));
    screen
}

#[test]
fn what_changes_appears_by_itself_and_the_cursor_stays_on_its_line() {
    let screen = Screen::staged(staged()).pressed("5j");
    screen.assert_shows(&["▌   3    3     three"]);
    stage_more(&screen);
    let mut screen = screen;
    screen.changed(false, true);
    screen.assert_shows(&[MORE, "▌   3    4     three", "1 file changed", "¬stale", "¬R refreshes", "unwritten"]);
    screen.sandbox.write("c.txt", "new\n");
    screen.sandbox.git(&["rm", "--quiet", "--cached", "b.txt"]);
    screen.sandbox.git(&["add", "c.txt"]);
    screen.changed(false, true);
    screen.assert_shows(&["2 files changed", "A c.txt", "¬b.txt", "▌   3    4     three"]);
    check(screen, "", &[], File::Same);
}

#[test]
fn whoever_is_in_the_middle_of_something_sees_a_mark_until_it_is_over() {
    for (before, after) in [
        ("4j a 'half'", "esc y"),
        ("4j c 'half'", "esc y"),
        ("4j v", "esc"),
        ("4j v v", "esc esc"),
        ("/ 'thr'", "esc"),
        (":", "esc"),
        ("F", "esc"),
        ("4j gs", "n"),
        ("?", "q"),
        ("g", "g"),
        ("3", "j"),
    ] {
        let mut screen = Screen::staged(staged()).in_session().pressed(before);
        stage_more(&screen);
        screen.changed(false, true);
        screen.assert_shows(&[&format!("¬{MORE}"), "⌛1 stale"]);
        screen.press(after);
        screen.assert_shows(&[MORE, "¬stale", " REVIEW "]);
        assert_eq!(screen.file(), None, "{before}");
    }
}

#[test]
fn what_is_as_before_when_the_reader_is_done_is_left_alone() {
    let mut screen = Screen::staged(staged()).pressed("4j v");
    stage_more(&screen);
    screen.changed(false, true);
    screen.assert_shows(&["⌛1 stale"]);
    screen.sandbox.write("a.txt", "one\nTWO\nthree\nfour\n");
    screen.sandbox.git(&["add", "a.txt"]);
    screen.changed(false, true);
    screen.press("esc");
    screen.assert_shows(&["¬stale", "¬changed", "¬the diff is as it was"]);
}

#[test]
fn a_review_on_disk_changes_by_a_key_alone() {
    let mut screen = Screen::staged(staged()).pressed("4j a 'louder' enter");
    stage_more(&screen);
    let before = screen.file();
    screen.changed(false, true);
    screen.assert_shows(&["⌛1 stale", "R refreshes", &format!("¬{MORE}")]);
    assert_eq!(screen.file(), before);
    screen.press("R");
    screen.assert_shows(&[MORE, "1 file changed, 1 note carried", "¬stale"]);
}

#[test]
fn whoever_wants_a_key_for_it_sets_that() {
    let mut screen = Screen::staged(staged());
    screen.model.following.is_on = false;
    stage_more(&screen);
    screen.changed(false, true);
    screen.assert_shows(&["⌛1 stale", "R refreshes", &format!("¬{MORE}")]);
    screen.press("R");
    screen.assert_shows(&[MORE, "1 file changed"]);
}

#[test]
fn what_was_there_stays_in_sight_when_nothing_is_left() {
    let mut screen = Screen::staged(staged()).pressed("4j");
    screen.sandbox.git(&["commit", "--quiet", "-m", "All of it"]);
    screen.changed(false, true);
    screen.assert_shows(&["no staged changes; what was there is still shown", "TWO", "⌛3 stale", "R refreshes"]);
    screen.press("j");
    screen.changed(false, true);
    screen.assert_shows(&["¬still shown", "TWO"]);
    stage_more(&screen);
    screen.changed(false, true);
    screen.assert_shows(&[MORE, "¬stale", "¬b.txt"]);
}

#[test]
fn what_does_not_change_is_not_spoken_of() {
    let mut screen = Screen::staged(staged()).pressed("4j");
    let before = screen.text();
    screen.changed(false, true);
    assert_eq!(screen.text(), before);
    screen.sandbox.write("a.txt", "not staged\n");
    screen.changed(false, true);
    assert_eq!(screen.text(), before);
}

#[test]
fn a_fault_that_is_spoken_of_stays_there() {
    let mut screen = Screen::staged(staged());
    stage_more(&screen);
    screen.happen(Msg::WorkerFailed("something is wrong".to_owned()));
    screen.changed(false, true);
    screen.assert_shows(&[MORE, "something is wrong", "¬1 file changed"]);
}

#[test]
fn what_was_set_and_done_outlives_it() {
    // What is viewed, what was done, what is folded, what is searched for.
    let mut screen = Screen::staged(staged()).in_session().pressed("} space { 4j m 'mine' enter gg /three enter");
    screen.assert_shows(&["1/3 viewed", "mine"]);
    stage_more(&screen);
    screen.changed(false, true);
    screen.assert_shows(&[MORE, "1/3 viewed", "b.txt  +1 −0", "✓ viewed", "mine"]);
    assert!(screen.model.search.is_some());
    screen.press("z");
    screen.assert_shows(&["undone: Markback note", "¬mine"]);
    // Comments for the agent follow the code, or say that they cannot.
    screen.press("esc gg } 2j");
    screen.press("gg /TWO enter c 'why so loud?' enter");
    screen.sandbox.write("a.txt", "one\nzero\nTWO\nthree\nfour\n");
    screen.sandbox.git(&["add", "a.txt"]);
    screen.changed(false, true);
    screen.assert_shows(&["why so loud?", "1 file changed", "¬are gone"]);
    screen.sandbox.write("a.txt", "one\ntwo and more\nthree\nfour\n");
    screen.sandbox.git(&["add", "a.txt"]);
    screen.changed(false, true);
    screen.assert_shows(&["why so loud?", "the lines of 1 comment for the agent are gone"]);
}

#[test]
fn modes_and_files_that_go_are_noticed() {
    let sandbox = staged();
    sandbox.git(&["commit", "--quiet", "-m", "Second"]);
    sandbox.write("a.txt", "one\n");
    let mut screen = unstaged(sandbox);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let path = screen.sandbox.path("a.txt");
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
        screen.changed(false, true);
        screen.assert_shows(&["100755", "1 file changed"]);
    }
    std::fs::remove_file(screen.sandbox.path("a.txt")).expect("it was there");
    screen.changed(false, true);
    screen.assert_shows(&["D a.txt", "¬stale"]);
}

#[test]
fn a_diff_that_was_made_before_a_note_was_written_does_not_undo_it() {
    let mut screen = Screen::staged(staged());
    let unwritten = screen.model.review.document.clone();
    screen.press("4j a 'louder' enter");
    let news = News {
        on_disk: OnDisk::Unwritten(Document::parse(unwritten.to_bytes())),
        readings: HashMap::new(),
        records: None,
        read_only: None,
        problem: None,
        report: Some("1 file changed".to_owned()),
        is_unasked: false,
    };
    screen.happen(Msg::News(Box::new(news)));
    screen.assert_shows(&["louder", "¬1 file changed", "¬unwritten"]);
}

#[test]
fn esc_leaves_what_is_open_and_not_what_runs_behind_it() {
    let screen = Screen::staged(staged()).pressed("/three enter");
    stage_more(&screen);
    let mut screen = being_made(screen);
    screen.press("esc");
    assert!(screen.model.search.is_none());
    // What is not seen is not ended, either.
    screen.press("esc");
    screen.assert_shows(&["¬looking for changes", "¬comparing"]);
    assert_eq!(screen.given_up, 0);
    screen.happen(Msg::Comparing(1, 3));
    screen.press("/three enter esc");
    screen.assert_shows(&["comparing 1/3"]);
    assert_eq!(screen.given_up, 0);
    screen.press("esc");
    assert_eq!(screen.given_up, 1);
}

#[test]
fn whoever_asks_for_a_diff_that_is_made_by_itself_gets_what_they_ask_for() {
    let screen = Screen::staged(staged());
    screen.sandbox.git(&["commit", "--quiet", "-m", "All of it"]);
    let mut screen = being_made(screen);
    screen.press("R");
    screen.assert_shows(&["looking for changes", "¬already"]);
    assert_eq!(screen.given_up, 1);
    screen.press("R");
    screen.assert_shows(&["the diff is being made anew already"]);
    screen.tell_all();
    screen.assert_shows(&["3 files changed", "0 files", "¬not refreshed"]);
    // Unless they want it no more.
    stage_more(&screen);
    let mut screen = being_made(screen);
    screen.press("R esc");
    screen.happen(Msg::DiffMade(Ok(Made::Nothing)));
    assert_eq!(screen.model.refreshing, None);
    screen.assert_shows(&["the diff stays as it was", "0 files"]);
}

#[test]
fn a_diff_that_waits_for_the_reader_outlives_what_is_read_meanwhile() {
    let screen = Screen::staged(staged());
    stage_more(&screen);
    let mut screen = being_made(screen);
    screen.press("4j v");
    screen.tell_one();
    screen.sandbox.write("reviews/staged-main.mb", "@file ../a.txt:2\n<<< louder?\n");
    screen.changed(true, false);
    screen.assert_shows(&[&format!("¬{MORE}"), "changed on disk", "¬louder?"]);
    screen.press("esc");
    screen.assert_shows(&[MORE, "1 file changed", "louder?", "¬changed on disk"]);
}

#[test]
fn a_review_that_somebody_writes_is_no_diff_that_waits() {
    let screen = Screen::staged(staged());
    let text = screen.model.review.document.to_bytes();
    stage_more(&screen);
    let mut screen = being_made(screen);
    screen.press("4j v");
    screen.tell_one();
    screen.sandbox.write(STAGED, text);
    screen.changed(true, false);
    screen.tell_all();
    screen.press("esc");
    screen.assert_shows(&[&format!("¬{MORE}"), "¬1 file changed", "⌛1 stale", "R refreshes", "¬unwritten"]);
}

#[test]
fn what_happens_while_the_diff_is_compared_is_not_missed() {
    let mut screen = Screen::staged(staged());
    screen.hold_findings();
    screen.press("R");
    screen.tell_one();
    // It is compared, and was not told that it is as it should be.
    stage_more(&screen);
    screen.changed(false, true);
    screen.tell_all();
    screen.assert_shows(&[MORE, "¬stale"]);
}

#[test]
fn what_was_found_out_of_another_diff_is_found_out_again() {
    let mut screen = Screen::staged(staged());
    stage_more(&screen);
    screen.happen(Msg::Compared(Box::new(Compared { is_heard: true, ..Compared::default() })));
    screen.assert_shows(&[MORE, "¬stale"]);
}

#[test]
fn what_happens_before_all_is_read_is_not_missed() {
    let mut screen = Screen::unread(staged());
    while screen.model.pending > 1 {
        screen.read_one();
    }
    stage_more(&screen);
    screen.changed(false, true);
    screen.read_all();
    screen.assert_shows(&[MORE, "¬stale"]);
}

#[test]
fn why_there_is_no_diff_is_said_when_it_can_be() {
    let screen = Screen::staged(staged());
    screen.sandbox.git(&["commit", "--quiet", "-m", "All of it"]);
    let mut screen = being_made(screen);
    screen.press("4j v");
    screen.tell_all();
    screen.assert_shows(&["¬still shown"]);
    screen.press("esc");
    screen.changed(false, true);
    screen.assert_shows(&["no staged changes; what was there is still shown"]);
}

#[test]
fn what_cannot_be_compared_is_said_once_and_behind_what_is_said() {
    let mut screen = Screen::staged(staged()).pressed("4j a 'louder' enter");
    screen.assert_shows(&["n1 saved"]);
    std::fs::rename(screen.sandbox.path(".git"), screen.sandbox.path("gone")).expect("it is there");
    screen.changed(false, true);
    screen.assert_shows(&["n1 saved to ", "not compared with the repository: "]);
    screen.press("j");
    screen.changed(false, true);
    screen.assert_shows(&["¬not compared"]);
    std::fs::rename(screen.sandbox.path("gone"), screen.sandbox.path(".git")).expect("it is there");
    screen.changed(false, true);
    screen.assert_shows(&["¬not compared", "¬stale"]);
}

#[test]
fn whose_lines_a_note_on_both_sides_is_about_is_said() {
    let lines = "this is about the lines as they are now; removed ones";
    for keys in ["3j v j a", "3j v j m"] {
        let screen = Screen::staged(staged()).pressed(keys);
        screen.assert_shows(&[" WRITE ", lines]);
    }
    for keys in ["4j v j a", "4j a"] {
        let screen = Screen::staged(staged()).pressed(keys);
        screen.assert_shows(&[" WRITE ", &format!("¬{lines}")]);
    }
}

#[test]
fn what_was_said_is_unsaid_when_it_holds_no_longer() {
    // A commit that is taken back.
    let mut screen = Screen::staged(staged());
    screen.sandbox.git(&["commit", "--quiet", "-m", "All of it"]);
    screen.changed(false, true);
    screen.assert_shows(&["no staged changes; what was there is still shown"]);
    screen.sandbox.git(&["reset", "--quiet", "--soft", "HEAD^"]);
    screen.changed(false, true);
    screen.assert_shows(&["¬still shown", "¬stale", "TWO"]);
    // A repository that was away for a while: what has happened meanwhile is seen as soon as somebody looks.
    let sandbox = staged();
    let repo = Repo::discover(&sandbox.repo()).expect("a sandbox is a repository");
    let mut screen = Screen::open(sandbox, Target::Scope { repo, scope: None, options: Default::default(), out: None });
    let (there, away) = (screen.sandbox.path(".git"), screen.sandbox.path("away"));
    std::fs::rename(&there, &away).expect("it is ours");
    screen.sandbox.write("a.txt", "zero\none\nTWO\nthree\nfour\n");
    screen.changed(false, true);
    screen.assert_shows(&["not compared with the repository", "what is staged is not", "¬+ zero"]);
    std::fs::rename(&away, &there).expect("it is ours");
    // Somebody writes a record, and nobody says that the code has changed.
    screen.sandbox.write("reviews/worktree-main.mb", "@file ../a.txt:2\n<<< louder?\n");
    screen.changed(true, false);
    screen.assert_shows(&[MORE, "louder?", "¬not known", "¬not compared", "¬stale"]);
}

#[test]
fn whoever_stages_a_whole_file_goes_on_with_the_next() {
    let sandbox = Sandbox::new();
    for name in ["a", "b", "c", "d"] {
        sandbox.write(name, "one\n");
    }
    sandbox.commit("First");
    for name in ["a", "b", "c", "d"] {
        sandbox.write(name, "two\n");
    }
    let mut screen = unstaged(sandbox).pressed("} s y");
    screen.assert_shows(&["M a", "¬M b", "▌M c", "M d"]);
    screen.press("} s y");
    screen.assert_shows(&["M a", "▌M c", "¬M d"]);
    screen.press("s y");
    screen.assert_shows(&["▌M a", "¬M c"]);
}
