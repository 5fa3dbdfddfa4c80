//! Lines staged, unstaged and discarded: what is asked, what git says afterwards, and what is refused.

use std::fs;

use whymark::git::{Repo, Scope, ScopeOptions};
use whymark::text::width::{Display, Glyphs};
use whymark::tui::effect::Effect;
use whymark::tui::input::Event;
use whymark::tui::key::{Code, Key};
use whymark::tui::msg::Msg;
use whymark::tui::open::Target;
use whymark::tui::preview;
use whymark::tui::update::update;

use crate::support::{Sandbox, Screen};

/// The changes of `scope` in a repository, opened. `space`-marked hunks have one line of context.
fn open(sandbox: Sandbox, scope: Scope) -> Screen {
    let repo = Repo::discover(&sandbox.repo()).expect("a sandbox is a repository");
    let options = ScopeOptions { exclude: vec!["reviews/x.whymark".into()], ..ScopeOptions::default() };
    Screen::open(sandbox, Target::Scope { repo, scope: Some(scope), options, out: Some("reviews/x.whymark".into()) })
}

/// A committed file of nine lines of which two places have changed on disk.
fn changed() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n");
    sandbox.write("gone.txt", "x\ny\n");
    sandbox.commit("First");
    sandbox.write("a.txt", "1\nTWO\nand\n3\n4\n5\n6\n7\n8\n9\n10\nELEVEN\n12\n");
    fs::remove_file(sandbox.path("gone.txt")).expect("it is there");
    sandbox.write("new.txt", "n\nm\n");
    sandbox
}

fn index(screen: &Screen, path: &str) -> String {
    String::from_utf8(screen.sandbox.git(&["show", &format!(":{path}")])).expect("it is UTF-8")
}

fn disk(screen: &Screen, path: &str) -> String {
    String::from_utf8(screen.sandbox.read(path)).expect("it is UTF-8")
}

/// What git says of the state of each file.
fn status(screen: &Screen) -> Vec<String> {
    let said = screen.sandbox.git(&["status", "--porcelain", "--untracked-files=all"]);
    let said = String::from_utf8(said).expect("it is UTF-8");
    said.lines().filter(|line| !line.contains("reviews/")).map(str::to_owned).collect()
}

#[test]
fn a_line_a_hunk_and_a_file_are_staged_after_a_yes() {
    let mut screen = open(changed(), Scope::Unstaged);
    // The second added line of the first hunk.
    screen.press("5j");
    screen.assert_shows(&["▌        3 ▏ + and"]);
    screen.press("s");
    screen.assert_shows(&[
        " CHANGE ",
        "Stage 1 line of a.txt?",
        "│    2    2   2",
        "│         3 + and",
        "on disk nothing does",
    ]);
    assert_eq!(status(&screen), [" M a.txt", " D gone.txt", "?? new.txt"]);
    screen.press("n");
    screen.assert_shows(&["nothing was changed", " REVIEW "]);
    assert_eq!(status(&screen), [" M a.txt", " D gone.txt", "?? new.txt"]);
    screen.press("s y");
    screen.assert_shows(&["staged 1 line of a.txt; z takes it back; 1 file changed", "¬▏ + and"]);
    assert_eq!(index(&screen, "a.txt"), "1\n2\nand\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n");
    screen.press("gg } ]] s y");
    screen.assert_shows(&["staged 2 lines of a.txt", "¬ELEVEN"]);
    assert_eq!(index(&screen, "a.txt"), "1\n2\nand\n3\n4\n5\n6\n7\n8\n9\n10\nELEVEN\n12\n");
    screen.press("gg }} s");
    screen.assert_shows(&["Stage 2 lines of gone.txt?"]);
    screen.press("y");
    assert_eq!(status(&screen), ["MM a.txt", "D  gone.txt", "?? new.txt"]);
    screen.press("gg }} s");
    screen.assert_shows(&["Stage 2 lines of new.txt?"]);
    screen.press("y");
    assert_eq!(status(&screen), ["MM a.txt", "D  gone.txt", "A  new.txt"]);
    assert_eq!(disk(&screen, "a.txt"), "1\nTWO\nand\n3\n4\n5\n6\n7\n8\n9\n10\nELEVEN\n12\n");
}

#[test]
fn what_is_staged_is_taken_out_again() {
    let sandbox = changed();
    sandbox.git(&["add", "--all"]);
    let mut screen = open(sandbox, Scope::Staged);
    screen.press("4j s");
    let said = "it is staged already: this review is of what is staged; gs takes lines out of that";
    screen.assert_shows(&[said, "¬y does it"]);
    screen.press("gs");
    screen.assert_shows(&["Unstage 1 line of a.txt?", "│    2      - TWO", "│    3    2   and"]);
    screen.press("y");
    screen.assert_shows(&["unstaged 1 line of a.txt; z takes it back; 1 file changed", "¬+ TWO"]);
    assert_eq!(index(&screen, "a.txt"), "1\nand\n3\n4\n5\n6\n7\n8\n9\n10\nELEVEN\n12\n");
    for keys in ["gg } gs y", "gg } gs y", "gg } gs y"] {
        screen.press(keys);
    }
    assert_eq!(status(&screen), [" M a.txt", " D gone.txt", "?? new.txt"]);
    screen.assert_shows(&["unstaged 2 lines of new.txt; z takes it back; 1 file changed"]);
}

#[test]
fn what_is_discarded_can_be_brought_back() {
    let mut screen = open(changed(), Scope::Unstaged);
    screen.press("] gd");
    screen.assert_shows(&[
        "Discard 3 lines of a.txt?",
        "│         2 + 2",
        "│    2      - TWO",
        "│    3      - and",
        "the file as it was is kept",
    ]);
    screen.press("y");
    screen.assert_shows(&["discarded 3 lines of a.txt; z takes it back; before: git show ", "; 1 file changed"]);
    assert_eq!(disk(&screen, "a.txt"), "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\nELEVEN\n12\n");
    let kept = screen.sandbox.git(&["fsck", "--unreachable", "--no-progress"]);
    let kept = String::from_utf8(kept).expect("it is UTF-8");
    let is_it = |line: &str| {
        let blob = line.strip_prefix("unreachable blob ");
        blob.is_some_and(|id| screen.sandbox.git(&["cat-file", "blob", id]).starts_with(b"1\nTWO\nand\n"))
    };
    assert!(kept.lines().any(is_it), "the text can be found again after a crash: {kept}");
    screen.press("z");
    screen.assert_shows(&["undone: discarding 3 lines of a.txt; 1 file changed", "+ TWO"]);
    assert_eq!(disk(&screen, "a.txt"), "1\nTWO\nand\n3\n4\n5\n6\n7\n8\n9\n10\nELEVEN\n12\n");
    screen.press("Z");
    screen.assert_shows(&["done again: discarding 3 lines of a.txt; 1 file changed"]);
    assert_eq!(disk(&screen, "a.txt"), "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\nELEVEN\n12\n");
    // Files that come back, and files that go.
    screen.press("gg }} gd y");
    assert_eq!(disk(&screen, "gone.txt"), "x\ny\n");
    screen.press("gg }} gd y");
    assert!(!screen.sandbox.path("new.txt").exists());
    screen.press("z");
    assert_eq!(disk(&screen, "new.txt"), "n\nm\n");
}

#[test]
fn what_has_been_done_is_not_undone_over_other_changes() {
    let mut screen = open(changed(), Scope::Unstaged);
    screen.press("] gd y");
    screen.sandbox.write("a.txt", "something else\n");
    screen.press("z");
    screen.assert_shows(&["not undone: discarding 3 lines of a.txt: ", "it has changed since"]);
    assert_eq!(disk(&screen, "a.txt"), "something else\n");
    // What can never be taken back does not stand before what was done earlier.
    screen.press("z");
    screen.assert_shows(&["nothing has been written that could be taken back"]);
}

#[test]
fn acts_and_notes_are_taken_back_in_their_order() {
    let mut screen = open(changed(), Scope::Unstaged);
    let mut press = |keys: &str, shown: &[&str]| {
        screen.press(keys);
        screen.assert_shows(shown);
        index(&screen, "a.txt")
    };
    let unstaged = press("] ]] a 'first' enter", &["first"]);
    let staged = press("gg } ] s y", &["staged 3 lines of a.txt; z takes it back; 1 file changed"]);
    assert_ne!(staged, unstaged);
    press("gg } ] a 'second' enter", &["first", "second"]);
    assert_eq!(press("z", &["undone: note on", "first", "¬second"]), staged);
    assert_eq!(press("z", &["undone: staging 3 lines of a.txt; 1 file changed", "first", "+ TWO"]), unstaged);
    press("z", &["undone: note on", "¬first"]);
    press("z", &["nothing has been written that could be taken back"]);
    press("Z", &["done again: note on", "first"]);
    assert_eq!(press("Z", &["done again: staging 3 lines of a.txt; 1 file changed", "¬+ TWO"]), staged);
    press("Z", &["done again: note on", "first", "second"]);
}

#[test]
fn what_is_typed_ahead_answers_no_question() {
    let mut screen = open(changed(), Scope::Unstaged);
    screen.press("5j");
    let before = (screen.sandbox.read("a.txt"), index(&screen, "a.txt"));
    for (keys, question) in [("gdy", "Discard"), ("sy", "Stage")] {
        screen.at_once(keys);
        screen.assert_shows(&[question]);
        assert_eq!((screen.sandbox.read("a.txt"), index(&screen, "a.txt")), before, "{keys}");
        screen.press("n");
    }
    screen.at_once("s");
    screen.at_once("y");
    assert_ne!(index(&screen, "a.txt"), before.1);
    // Of a text that is thrown away, too.
    screen.press("a 'precious'");
    screen.at_once("\x1by");
    screen.assert_shows(&["precious", "Throw the text away?"]);
    screen.press("n");
    screen.assert_shows(&["precious"]);
}

#[test]
fn an_index_that_is_locked_loses_no_step() {
    let mut screen = open(changed(), Scope::Unstaged);
    screen.press("5j s y");
    let staged = index(&screen, "a.txt");
    screen.sandbox.write(".git/index.lock", "");
    screen.press("z");
    screen.assert_shows(&["not undone: staging 1 line of a.txt: cannot write the index"]);
    assert_eq!(index(&screen, "a.txt"), staged);
    fs::remove_file(screen.sandbox.path(".git/index.lock")).expect("it is there");
    screen.press("z");
    screen.assert_shows(&["undone: staging 1 line of a.txt"]);
    assert_ne!(index(&screen, "a.txt"), staged);
}

#[test]
fn whoever_has_left_reads_below_what_could_not_be_undone() {
    let mut screen = open(changed(), Scope::Unstaged);
    screen.press("5j s y");
    screen.sandbox.write(".git/index.lock", "");
    screen.hold_saves();
    screen.press("z q");
    assert!(!screen.left && screen.model.farewell().is_none());
    screen.let_saves_go();
    let said = screen.model.farewell().expect("it was not undone");
    assert!(screen.left && said.starts_with("not undone: staging 1 line of a.txt: cannot write the index"), "{said}");
}

#[test]
fn of_several_failures_each_is_a_last_word() {
    let mut screen = open(changed(), Scope::Unstaged);
    screen.hold_saves();
    screen.press("5j s y z q");
    for reason in ["the first", "the second"] {
        screen.happen(Msg::ActFailed { reason: reason.to_owned(), is_outdated: false });
    }
    assert_eq!(screen.model.farewell().as_deref(), Some("the first; the second"));
}

#[test]
fn what_cannot_be_undone_for_now_is_undone_later() {
    let mut screen = open(changed(), Scope::Unstaged);
    let before = index(&screen, "a.txt");
    screen.press("5j s y");
    screen.sandbox.git(&["update-index", "--skip-worktree", "a.txt"]);
    screen.press("z");
    screen.assert_shows(&["not undone: staging 1 line of a.txt", "a sparse checkout leaves it out"]);
    screen.sandbox.git(&["update-index", "--no-skip-worktree", "a.txt"]);
    screen.press("z");
    screen.assert_shows(&["undone: staging 1 line of a.txt"]);
    assert_eq!(index(&screen, "a.txt"), before);
}

#[test]
fn what_is_not_what_the_review_shows_is_left_alone() {
    for (scope, keys, change, reason) in [
        (Scope::Unstaged, "5j s y", "disk", "the working tree has another version of it than the review shows"),
        (Scope::Unstaged, "5j gd y", "disk", "the working tree has another version of it"),
        (Scope::Unstaged, "5j s y", "index", "the index has another version of it"),
        (Scope::Worktree, "5j s y", "index", "the index has another version of it"),
        (Scope::Worktree, "5j gs", "", "this is not staged"),
        (Scope::Unstaged, "5j gs", "", "it is not staged: this review is of what is not; s stages lines"),
        (Scope::Commit("HEAD".into()), "3j s", "", "only what is not committed yet can be staged"),
        (Scope::Unstaged, "2j s", "", "no changed line is here"),
        (Scope::Unstaged, "gg s", "", "there is no file here"),
        (Scope::Unstaged, "5j v 20j s", "", "lines of one file at a time"),
        (Scope::Unstaged, "5j s y", "lock", "cannot write the index"),
    ] {
        let mut screen = open(changed(), scope);
        match change {
            "disk" => screen.sandbox.write("a.txt", "1\nTWO\nand\nmore\n"),
            "index" => drop(screen.sandbox.git(&["rm", "--quiet", "--cached", "a.txt"])),
            "lock" => screen.sandbox.write(".git/index.lock", ""),
            _ => {}
        }
        let (before, index) = (disk(&screen, "a.txt"), screen.sandbox.read(".git/index"));
        screen.press(keys);
        screen.assert_shows(&[reason, "¬; 1 file changed"]);
        assert_eq!(disk(&screen, "a.txt"), before, "{keys} {change}");
        assert!(screen.sandbox.read(".git/index") == index, "{keys} {change}");
    }
}

/// A repository of this object format, in which a file is announced (`git add --intent-to-add`).
fn announced(format: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    fs::remove_dir_all(sandbox.path(".git")).expect("it is there");
    sandbox.git(&["init", "--quiet", "--initial-branch=main", &format!("--object-format={format}")]);
    sandbox.write("a.txt", "1\n");
    sandbox.commit("First");
    sandbox.write("new.txt", "n\nm\n");
    sandbox.git(&["add", "--intent-to-add", "new.txt"]);
    sandbox
}

#[test]
fn an_entry_of_the_index_comes_back_with_its_flags() {
    for format in ["sha1", "sha256"] {
        let mut screen = open(announced(format), Scope::Unstaged);
        screen.press("gg } s y");
        screen.assert_shows(&["staged 2 lines of new.txt"]);
        assert_eq!(status(&screen), ["A  new.txt"], "{format}");
        screen.press("z");
        screen.assert_shows(&["undone: staging 2 lines of new.txt"]);
        assert_eq!(status(&screen), [" A new.txt"], "{format}");
        screen.press("Z");
        assert_eq!(status(&screen), ["A  new.txt"], "{format}");
        screen.press("z gg } 3j s y");
        screen.assert_shows(&["staged 1 line of new.txt"]);
        assert_eq!(index(&screen, "new.txt"), "m\n", "{format}");
        screen.press("z");
        assert_eq!(status(&screen), [" A new.txt"], "{format}");
    }
    for format in ["sha1", "sha256"] {
        let sandbox = announced(format);
        sandbox.write("a.txt", "1\nTWO\n");
        sandbox.git(&["add", "a.txt"]);
        sandbox.git(&["update-index", "--assume-unchanged", "a.txt"]);
        let mut screen = open(sandbox, Scope::Staged);
        let marked = |screen: &Screen| screen.sandbox.git_line(&["ls-files", "-v", "a.txt"]);
        screen.press("gg } gs y");
        screen.assert_shows(&["unstaged 1 line of a.txt"]);
        assert_eq!(marked(&screen), "h a.txt", "{format}");
        screen.press("z");
        assert_eq!((marked(&screen).as_str(), index(&screen, "a.txt").as_str()), ("h a.txt", "1\nTWO\n"), "{format}");
        // What it announces beside that stays announced.
        assert!(status(&screen).contains(&" A new.txt".to_owned()), "{format}: {:?}", status(&screen));
    }
}

#[test]
fn against_head_it_is_said_what_the_index_has() {
    let sandbox = changed();
    sandbox.git(&["add", "--all"]);
    let mut screen = open(sandbox, Scope::Worktree);
    for (keys, said) in [
        ("gg } s", "this is staged already"),
        ("gg }} s", "this is staged already"),
        ("gg }}} s", "this is staged already"),
        ("gg }}} gs y", "unstaged 2 lines of new.txt"),
        ("gg }}} gs", "this is not staged"),
    ] {
        screen.press(keys);
        screen.assert_shows(&[said]);
    }
    // Until the review has seen it, nobody is told something else than what is there.
    screen.sandbox.write("a.txt", "1\n");
    screen.sandbox.git(&["add", "a.txt"]);
    screen.sandbox.write("a.txt", "1\nTWO\nand\n3\n4\n5\n6\n7\n8\n9\n10\nELEVEN\n12\n");
    screen.press("gg } ] gs y");
    screen.assert_shows(&["the index has another version of it than the working tree: `whymark tui", "¬refresh"]);
    screen.changed(false, true);
    screen.assert_shows(&["M a.txt  +3 −2  0/3 explained  the index has another version"]);
    // Then before anybody is asked.
    screen.press("gg } ] s");
    let said = "the index has another version of it than HEAD: `whymark tui --unstaged`";
    screen.assert_shows(&[said, "¬refresh", "¬y yes", " REVIEW "]);
}

#[test]
fn what_goes_as_a_whole_is_said_before() {
    let sandbox = changed();
    sandbox.git(&["add", "--intent-to-add", "new.txt"]);
    let mut screen = open(sandbox, Scope::Unstaged);
    screen.press("gg }}} gd");
    screen.assert_shows(&["Discard 2 lines of new.txt?", "The file on disk is deleted; what is in it is kept"]);
    screen.press("n gg }}} 2j gd");
    screen.assert_shows(&["On disk it changes like this"]);
    screen.press("n gg }} gd");
    screen.assert_shows(&["The file comes back on disk."]);
    screen.press("n gg }} s");
    screen.assert_shows(&["In the index the file is deleted"]);
}

#[test]
fn a_report_of_tests_is_not_about_lines_that_have_moved() {
    let mut screen = open(changed(), Scope::Unstaged);
    let report = whymark::lcov::Report::parse(b"SF:a.txt\nDA:2,0\nDA:3,0\nDA:12,1\nSF:new.txt\nDA:1,0\n");
    screen.model.review.tests = report.about(b"/r", &["a.txt".into(), "new.txt".into()]);
    let tests = screen.model.review.tests.clone();
    screen.model.parts.iter_mut().for_each(|part| part.test(&tests));
    screen.press("gg t");
    screen.assert_shows(&["untested line 1 of 3", "        2 ▏○+ TWO"]);
    // A note changes no line.
    screen.press("a 'x' enter gg t");
    screen.assert_shows(&["untested line 1 of 3"]);
    screen.sandbox.write("a.txt", "0\n1\nTWO\nand\n3\n4\n5\n6\n7\n8\n9\n10\nELEVEN\n12\n");
    screen.press("R gg t");
    screen.assert_shows(&["untested line 1 of 1", "¬○+ TWO", "        1 ▏○+ n"]);
}

#[test]
fn notes_stay_with_what_is_left() {
    let mut screen = open(changed(), Scope::Unstaged).pressed("4j a 'two' enter");
    screen.press("gg } ]] s y");
    screen.assert_shows(&["staged 2 lines of a.txt; z takes it back; 1 file changed, 1 note carried", "two"]);
    screen.press("gg } ] s y");
    screen.assert_shows(&["1 orphaned"]);
}

#[test]
fn a_repository_that_libgit2_cannot_open_is_written_by_git() {
    let sandbox = Sandbox::new();
    fs::remove_dir_all(sandbox.path(".git")).expect("it is there");
    sandbox.git(&["init", "--quiet", "--initial-branch=main", "--object-format=sha256"]);
    sandbox.write("a.txt", "1\n2\n3\n");
    sandbox.commit("First");
    sandbox.write("a.txt", "1\nTWO\nand\n3\n");
    let mut screen = open(sandbox, Scope::Unstaged);
    screen.press("5j s y");
    screen.assert_shows(&["staged 1 line of a.txt; z takes it back; 1 file changed"]);
    assert_eq!(index(&screen, "a.txt"), "1\n2\nand\n3\n");
    screen.press("gg ] gd y");
    screen.assert_shows(&["discarded 2 lines of a.txt"]);
    assert_eq!(disk(&screen, "a.txt"), "1\n2\nand\n3\n");
    screen.press("z");
    assert_eq!(disk(&screen, "a.txt"), "1\nTWO\nand\n3\n");
}

#[test]
fn modes_come_and_go_with_the_whole_file() {
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = changed();
    fs::set_permissions(sandbox.path("a.txt"), fs::Permissions::from_mode(0o755)).expect("it is ours");
    let mut screen = open(sandbox, Scope::Unstaged);
    let mode = |screen: &Screen| screen.sandbox.git_line(&["ls-files", "--stage", "a.txt"])[..6].to_owned();
    screen.press("] s y");
    assert_eq!(mode(&screen), "100644");
    screen.press("gg } gd");
    screen.assert_shows(&["Its mode becomes 100644; it was 100755."]);
    screen.press("n gg } s");
    screen.assert_shows(&["Its mode becomes 100755; it was 100644."]);
    screen.press("y");
    assert_eq!(mode(&screen), "100755");
    assert_eq!(status(&screen), ["M  a.txt", " D gone.txt", "?? new.txt"]);
}

#[test]
fn what_is_asked_about_is_shown_as_it_stands_in_the_file_whatever_signs_are_drawn_with() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n");
    sandbox.commit("First");
    sandbox.write("a.txt", "one\na → b … “c”\n");
    let mut screen = open(sandbox, Scope::Unstaged);
    screen.model.display = Display::new(4, Glyphs::Ascii);
    screen.resize(100, 30);
    screen.press("G s");
    screen.assert_shows(&["+ a → b … “c”", "y does it"]);
}

#[test]
fn a_yes_to_what_is_no_longer_there_changes_nothing() {
    let mut screen = open(changed(), Scope::Unstaged).pressed("] gd");
    screen.assert_shows(&["y does it"]);
    screen.sandbox.git(&["commit", "--quiet", "--all", "--message", "All of it"]);
    let before = (disk(&screen, "a.txt"), index(&screen, "a.txt"));
    screen.changed(false, true);
    screen.press("y");
    screen.assert_shows(&["nothing was changed: the file is stale"]);
    assert_eq!((disk(&screen, "a.txt"), index(&screen, "a.txt")), before);
}

#[test]
fn nothing_is_taken_back_while_something_is_being_done() {
    let mut screen = open(changed(), Scope::Unstaged).pressed("] s y");
    let before = index(&screen, "a.txt");
    screen.model.under_way = Some("staging new.txt".to_owned());
    screen.press("z");
    screen.assert_shows(&["staging new.txt is still under way"]);
    assert_eq!(index(&screen, "a.txt"), before);
    screen.model.under_way = None;
    screen.press("z");
    assert_ne!(index(&screen, "a.txt"), before);
}

#[test]
fn a_file_in_a_merge_conflict_is_left_alone() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n");
    sandbox.commit("First");
    sandbox.git(&["checkout", "--quiet", "-b", "other"]);
    sandbox.write("a.txt", "theirs\n");
    sandbox.commit("Theirs");
    sandbox.git(&["checkout", "--quiet", "main"]);
    sandbox.write("a.txt", "ours\n");
    sandbox.commit("Ours");
    assert!(!sandbox.git_succeeds(&["merge", "--quiet", "other"]));
    let mut screen = open(sandbox, Scope::Unstaged);
    let before = disk(&screen, "a.txt");
    for keys in ["gg } gd", "gg } s"] {
        screen.press(keys);
        screen.assert_shows(&["the file is in a merge conflict: resolve that first", "¬y does it"]);
    }
    assert_eq!(disk(&screen, "a.txt"), before);
}

/// The index and the file `a.txt` on disk.
fn both(screen: &Screen) -> (Vec<u8>, String) {
    (screen.sandbox.git(&["ls-files", "--stage"]), disk(screen, "a.txt"))
}

/// The sandbox of [`changed`], in a repository of this object format.
fn changed_in(format: &str) -> Sandbox {
    let sandbox = changed();
    if format != "sha1" {
        fs::remove_dir_all(sandbox.path(".git")).expect("it is there");
        sandbox.git(&["init", "--quiet", "--initial-branch=main", &format!("--object-format={format}")]);
        let after = sandbox.read("a.txt");
        sandbox.write("a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n");
        sandbox.git(&["add", "a.txt"]);
        sandbox.git(&["commit", "--quiet", "--message", "First"]);
        sandbox.write("a.txt", after);
    }
    sandbox
}

#[test]
fn what_others_commit_or_stage_meanwhile_is_not_worked_upon() {
    let commit = |sandbox: &Sandbox| {
        sandbox.git(&["commit", "--quiet", "--all", "--message", "Theirs"]);
    };
    let stage = |sandbox: &Sandbox| {
        let shown = sandbox.read("a.txt");
        sandbox.write("a.txt", "theirs\n");
        sandbox.git(&["add", "a.txt"]);
        sandbox.write("a.txt", shown);
    };
    // HEAD alone: the index stays what it was.
    let advance = |sandbox: &Sandbox| {
        let tree = sandbox.git_line(&["write-tree"]);
        stage(sandbox);
        sandbox.git(&["commit", "--quiet", "--message", "Theirs"]);
        sandbox.git(&["read-tree", &tree]);
    };
    let (head, staged) =
        ("HEAD has another version of it than the review shows; R refreshes", "the index has another version");
    for format in ["sha1", "sha256"] {
        for (scope, keys, meanwhile, reason) in [
            (Scope::Worktree, "5j s y", &commit as &dyn Fn(&Sandbox), head),
            (Scope::Worktree, "5j gd y", &commit, head),
            (Scope::Worktree, "5j s y", &advance, head),
            (Scope::Worktree, "5j s y", &stage, "the index has another version of it than HEAD"),
            (Scope::Unstaged, "5j s y", &stage, staged),
            (
                Scope::Unstaged,
                "5j gd y",
                &stage,
                "the index has another version of it than the review shows; R refreshes",
            ),
            (Scope::Unstaged, "5j gd y", &commit, staged),
            (Scope::Staged, "4j gs y", &commit, head),
            (Scope::Staged, "4j gs y", &advance, head),
            (Scope::Staged, "4j gd y", &advance, head),
            (Scope::Staged, "4j gs y", &stage, staged),
        ] {
            let sandbox = changed_in(format);
            if scope == Scope::Staged {
                sandbox.git(&["add", "a.txt"]);
            }
            let mut screen = open(sandbox, scope.clone());
            meanwhile(&screen.sandbox);
            let before = both(&screen);
            screen.press(keys);
            screen.assert_shows(&[reason]);
            assert_eq!(both(&screen), before, "{format} {scope:?} {keys}");
        }
    }
}

#[test]
fn staging_is_not_taken_back_behind_a_commit_and_discarding_is() {
    for format in ["sha1", "sha256"] {
        let mut screen = open(changed_in(format), Scope::Unstaged).pressed("5j s y");
        // Of another file.
        screen.sandbox.write("other", "x\n");
        screen.sandbox.git(&["add", "other"]);
        screen.sandbox.git(&["commit", "--quiet", "--message", "Other", "--", "other"]);
        let staged = index(&screen, "a.txt");
        screen.press("z");
        screen.assert_shows(&["undone: staging 1 line of a.txt"]);
        screen.press("Z");
        assert_eq!(index(&screen, "a.txt"), staged);
        screen.sandbox.git(&["commit", "--quiet", "--message", "It"]);
        let before = both(&screen);
        screen.press("z");
        screen.assert_shows(&[
            "not undone: staging 1 line of a.txt: a.txt is left as it is: HEAD has another version of it by now",
        ]);
        assert_eq!(both(&screen), before, "{format}");
        let mut screen = open(screen.sandbox, Scope::Unstaged).pressed("gg } ]] gd y");
        screen.assert_shows(&["discarded 2 lines of a.txt"]);
        screen.sandbox.git(&["commit", "--quiet", "--all", "--message", "Without"]);
        screen.press("z");
        assert_eq!(disk(&screen, "a.txt"), before.1, "{format}");
    }
}

#[test]
fn of_a_long_file_the_question_comes_before_what_it_will_do() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n");
    sandbox.commit("First");
    sandbox.write("a.txt", "one\n".to_owned() + &"more\n".repeat(6000));
    let mut screen = open(sandbox, Scope::Unstaged);
    let asked = update(&mut screen.model, Msg::Input(vec![Event::Key(Key::plain(Code::Char('s')))]));
    screen.assert_shows(&["Stage a.txt?", "What changes by that is being worked out"]);
    let [Effect::Preview(job)] = asked.as_slice() else { panic!("{asked:?}") };
    // Nobody says yes to what is not shown yet.
    let before = index(&screen, "a.txt");
    screen.press("y");
    screen.assert_shows(&["Stage a.txt?", "does not; nothing is done before it is shown"]);
    assert_eq!(index(&screen, "a.txt"), before);
    screen.happen(preview::work_out(job));
    screen.assert_shows(&["Stage 6000 lines of a.txt?", "+ more", "¬worked out", "more below"]);
    screen.press("y");
    screen.assert_shows(&["staged"]);
    // What comes for a question that is over is of no use.
    let mut screen = open(changed(), Scope::Unstaged);
    screen.happen(Msg::Previewed { ticket: 0, what: "x".to_owned(), rows: Vec::new() });
    assert!(screen.model.acting.is_none());
}
