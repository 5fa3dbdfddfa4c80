//! The repository moves on under a review: it is never carried to what it is not of without a word.

use whymark::document::Document;
use whymark::git::{Repo, Scope};
use whymark::tui::open::Target;

use crate::support::{File, Sandbox, Screen, check};

/// Two commits, the second of which is what is reviewed.
fn committed() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\ntwo\nthree\n");
    sandbox.write("b.txt", "b\n");
    sandbox.commit("First");
    sandbox.write("a.txt", "one\nTWO\nthree\n");
    sandbox.write("b.txt", "b\nmore\n");
    sandbox.commit("Second");
    sandbox
}

fn open(sandbox: Sandbox, scope: Scope) -> Screen {
    let repo = Repo::discover(&sandbox.repo()).expect("a sandbox is a repository");
    Screen::open(sandbox, Target::Scope { repo, scope: Some(scope), options: Default::default(), out: None })
        .sized(160, 40)
}

fn of_head(sandbox: Sandbox) -> Screen {
    open(sandbox, Scope::Commit("HEAD".to_owned()))
}

fn id(sandbox: &Sandbox, name: &str) -> String {
    sandbox.git_line(&["rev-parse", "--short", name])
}

fn amend(screen: &mut Screen, content: &str, message: &str) {
    screen.sandbox.write("a.txt", content);
    screen.sandbox.git(&["add", "a.txt"]);
    screen.sandbox.git(&["commit", "--quiet", "--amend", "--message", message]);
    screen.changed(false, true);
}

fn text(screen: &Screen) -> String {
    String::from_utf8(screen.file().expect("it was written")).expect("the example is UTF-8")
}

#[test]
fn a_commit_on_top_is_not_the_one_that_is_reviewed() {
    for note in ["", "/TWO enter a 'louder' enter"] {
        let mut screen = of_head(committed()).pressed(note);
        let was = id(&screen.sandbox, "HEAD");
        screen.sandbox.write("a.txt", "zero\none\nTWO\nthree\n");
        screen.sandbox.commit("Third");
        let now = id(&screen.sandbox, "HEAD");
        let before = screen.file();
        let said =
            format!("HEAD is {now} now, whose review `whymark tui --commit HEAD` opens; this is the review of {was}");
        let shown = [&said, "Second", "TWO", "¬+ zero", "¬Third", "¬stale"];
        screen.changed(false, true);
        screen.assert_shows(&shown);
        // It is said once, and to whoever asks.
        screen.press("j");
        screen.changed(false, true);
        screen.assert_shows(&[&format!("¬{said}")]);
        screen.press("R");
        screen.assert_shows(&shown);
        assert_eq!(screen.file(), before);
        assert!(screen.model.review.shown_path.contains(&was));
    }
}

#[test]
fn notes_go_along_with_a_commit_that_is_amended_when_that_is_wanted() {
    let mut screen = of_head(committed()).pressed("/TWO enter a 'louder' enter /more enter a 'longer' enter");
    let was = id(&screen.sandbox, "HEAD");
    screen.sandbox.write("b.txt", "b\nless\n");
    screen.sandbox.git(&["add", "b.txt"]);
    amend(&mut screen, "zero\none\nTWO\nthree\n", "Second, in other words");
    let now = id(&screen.sandbox, "HEAD");
    screen.assert_shows(&[&format!("HEAD is {now} now"), "¬+ zero", "¬stale"]);
    let before = screen.file();
    let question = format!("commit {now} has taken the place of commit {was}. Carry this review to it?");
    screen.press("R");
    screen.assert_shows(&[&question, "¬+ zero"]);
    screen.press("n");
    screen.assert_shows(&["the diff stays as it was", "¬+ zero"]);
    assert_eq!(screen.file(), before);
    screen.press("R y");
    screen.assert_shows(&[
        "+ zero",
        "louder",
        "1 note carried, 1 orphaned",
        "Second, in other words",
        &format!("commit {now}"),
        "¬stale",
    ]);
    let written = text(&screen);
    for line in [
        "title: Second, in other words\n".to_owned(),
        format!("base: HEAD^@{}\n", id(&screen.sandbox, "HEAD^")),
        format!("head: HEAD@{now}\n"),
        "@note +3 kind=intent\nwhy: louder\n".to_owned(),
    ] {
        assert!(written.contains(&line), "{line}{written}");
    }
    // It is of that commit now, and found by it, whatever its file is called.
    screen.press("R");
    screen.assert_shows(&["the diff is as it was"]);
    let screen = check(of_head(screen.sandbox), "", &["louder", "longer", "+ zero", "¬stale", "¬notes on"], File::Same);
    open(screen.sandbox, Scope::Commit(was)).assert_shows(&["¬louder", "notes on this commit, perhaps"]);
}

#[test]
fn a_review_that_is_not_written_goes_along_likewise() {
    let mut screen = of_head(committed());
    amend(&mut screen, "zero\none\nTWO\nthree\n", "Second");
    screen.assert_shows(&["HEAD is", "¬+ zero"]);
    screen.press("R y");
    screen.assert_shows(&["+ zero", "1 file changed", "unwritten"]);
    screen.press("/zero enter a 'null' enter");
    of_head(screen.sandbox).assert_shows(&["null"]);
}

#[test]
fn a_commit_that_is_rebased_is_found_below_the_next_one() {
    let sandbox = committed();
    sandbox.git(&["checkout", "--quiet", "-b", "other", "HEAD^"]);
    sandbox.write("c.txt", "c\n");
    sandbox.commit("Elsewhere");
    sandbox.git(&["checkout", "--quiet", "main"]);
    let screen = of_head(sandbox).pressed("/TWO enter a 'louder' enter");
    let named = screen.model.review.path.clone();
    screen.sandbox.git(&["rebase", "--quiet", "other"]);
    let now = id(&screen.sandbox, "HEAD");
    screen.sandbox.write("d.txt", "d\n");
    screen.sandbox.commit("Third");
    // Also where the review is opened by its name.
    let mut screen = Screen::open(screen.sandbox, Target::File(named)).sized(160, 40);
    screen.press("R");
    screen.assert_shows(&[&format!("commit {now} has taken the place of")]);
    screen.press("y");
    screen.assert_shows(&["the diff is as it was", "louder"]);
    let written = Document::parse(text(&screen));
    assert_eq!(written.meta().head, Some(format!("{now}@{now}")));
}

#[test]
fn the_review_of_a_branch_stays_that_of_this_branch() {
    let sandbox = committed();
    sandbox.git(&["checkout", "--quiet", "-b", "topic"]);
    sandbox.write("a.txt", "zero\none\nTWO\nthree\n");
    sandbox.commit("Third");
    let mut screen = open(sandbox, Scope::Branch(Some("main".to_owned())));
    screen.assert_shows(&["branch topic", "+ zero"]);
    screen.sandbox.git(&["checkout", "--quiet", "-b", "other", "main"]);
    screen.sandbox.write("a.txt", "other\none\nTWO\nthree\n");
    screen.sandbox.commit("Fourth");
    screen.changed(false, true);
    screen.assert_shows(&["+ zero", "¬+ other", "¬stale"]);
    screen.press("R");
    screen.assert_shows(&["the diff is as it was", "+ zero", "¬+ other"]);
    // It follows its own branch.
    screen.sandbox.git(&["checkout", "--quiet", "topic"]);
    screen.sandbox.write("a.txt", "null\nzero\none\nTWO\nthree\n");
    screen.sandbox.commit("Fifth");
    screen.changed(false, true);
    screen.assert_shows(&["+ null", "1 file changed", "branch topic"]);
}

#[test]
fn the_review_of_a_range_stays_that_of_its_commits() {
    let sandbox = committed();
    let range = Scope::Range { from: "HEAD^".to_owned(), to: "main".to_owned(), since_common: true };
    let mut screen = open(sandbox, range).pressed("/TWO enter a 'louder' enter");
    let was = id(&screen.sandbox, "main");
    screen.sandbox.write("a.txt", "zero\none\nTWO\nthree\n");
    screen.sandbox.commit("Third");
    let said = format!("main is {} now; this is the review of {was}", id(&screen.sandbox, "main"));
    screen.changed(false, true);
    screen.assert_shows(&[&said, "¬+ zero", "¬stale"]);
    check(screen, "R", &[&said, "louder", "¬+ zero"], File::Same);
}

#[test]
fn another_branch_takes_no_place_under_the_name_of_the_first() {
    let sandbox = committed();
    sandbox.git(&["branch", "other", "HEAD^"]);
    sandbox.write("b.txt", "b\nmore\nstill\n");
    sandbox.git(&["add", "b.txt"]);
    let mut screen = open(sandbox, Scope::Staged);
    screen.sandbox.git(&["checkout", "--quiet", "-b", "next"]);
    screen.sandbox.write("c.txt", "new\n");
    screen.sandbox.git(&["add", "c.txt"]);
    screen.changed(false, true);
    screen.assert_shows(&["the branch is next now, and this is the review of main", "¬A c.txt"]);
    screen.press("R");
    screen.assert_shows(&["This is the review of main, and the branch is next now. Make its diff anew from there?"]);
    screen.press("n");
    screen.assert_shows(&["¬A c.txt"]);
    screen.press("R y");
    screen.assert_shows(&["A c.txt", "¬stale"]);
    // From there on it follows, and is told of where somebody looks for it.
    screen.sandbox.write("d.txt", "new\n");
    screen.sandbox.git(&["add", "d.txt"]);
    screen.changed(false, true);
    screen.assert_shows(&["A d.txt"]);
    screen.press("/still enter a 'yet' enter");
    open(screen.sandbox, Scope::Staged)
        .assert_shows(&["notes on these changes, perhaps, are in reviews/staged-main.whymark"]);
}

#[test]
fn whoever_comes_back_to_the_branch_has_their_review_again() {
    let sandbox = committed();
    sandbox.write("b.txt", "b\nmore\nstill\n");
    let mut screen = open(sandbox, Scope::Unstaged);
    screen.sandbox.git(&["checkout", "--quiet", "-b", "next"]);
    screen.sandbox.write("b.txt", "b\nmore\nanew\n");
    screen.changed(false, true);
    screen.assert_shows(&["¬+ anew"]);
    screen.sandbox.git(&["checkout", "--quiet", "main"]);
    screen.changed(false, true);
    screen.assert_shows(&["+ anew", "¬stale"]);
}
