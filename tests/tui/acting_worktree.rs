//! Reviews of the working tree against HEAD: what is staged of them can be told from what is not, and either is changed
//! line by line.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use whymark::git::Scope;

use super::acting_whole::{go_to, index, open};
use crate::support::{Sandbox, Screen};

/// A block of which all lines were replaced, and another change below.
fn changed() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("f", "1\na\nb\n4\n5\n6\n7\n8\n9\n10\n11\n12\n");
    sandbox.commit("First");
    sandbox.write("f", "1\nc\nd\n4\n5\n6\n7\n8\n9\n10\n11\ntwelve\n");
    sandbox.write("new", "n\nm\n");
    sandbox
}

fn staged(screen: &Screen, path: &str) -> String {
    String::from_utf8(screen.sandbox.git(&["show", &format!(":{path}")])).expect("it is UTF-8")
}

#[test]
fn what_is_staged_is_marked_and_the_question_shows_where_a_line_lands() {
    let mut screen = open(changed(), Scope::Worktree, false);
    screen.press("gg } ] 4j");
    screen.assert_shows(&["▌        2 ▏ + c", "M f  +3 −3  0/3 explained"]);
    screen.press("s");
    screen.assert_shows(&[
        "Stage 1 line of f?",
        "│    2    2   a",
        "│    3    3   b",
        "│         4 + c",
        "│    4    5   4",
    ]);
    screen.press("y");
    assert_eq!(staged(&screen, "f"), "1\na\nb\nc\n4\n5\n6\n7\n8\n9\n10\n11\n12\n");
    screen.assert_shows(&["▌        2●▏ + c", "         3 ▏ + d", "    2        - a", "0/3 explained  ● 1/6 staged"]);
    // What is left of the block joins it where the whole would be.
    screen.press("2k s");
    screen.assert_shows(&[
        "Stage 1 line of f?",
        "│    2      - a",
        "│    3    2   b",
        "│    4    3   c",
        "│    5    4   4",
    ]);
    screen.press("y");
    assert_eq!(staged(&screen, "f"), "1\nb\nc\n4\n5\n6\n7\n8\n9\n10\n11\n12\n");
    screen.assert_shows(&["▌   2     ●  - a", "    3        - b", "● 2/6 staged"]);
    screen.press("s");
    screen.assert_shows(&["this is staged already"]);
    screen.press("gg } ] gs");
    screen.assert_shows(&["Unstage 2 lines of f?", "│         2 + a", "│    3      - c"]);
    screen.press("y");
    assert_eq!(staged(&screen, "f"), "1\na\nb\n4\n5\n6\n7\n8\n9\n10\n11\n12\n");
    screen.assert_shows(&["¬●", "¬ staged"]);
    screen.press("z");
    assert_eq!(staged(&screen, "f"), "1\nb\nc\n4\n5\n6\n7\n8\n9\n10\n11\n12\n");
    screen.press("gg } s y");
    assert_eq!(staged(&screen, "f"), "1\nc\nd\n4\n5\n6\n7\n8\n9\n10\n11\ntwelve\n");
    screen.assert_shows(&["0/3 explained  ● staged", "3●▏ + d"]);
}

#[test]
fn a_new_file_comes_and_goes_line_by_line_and_its_mode_with_the_last() {
    let sandbox = changed();
    fs::set_permissions(sandbox.path("f"), fs::Permissions::from_mode(0o755)).expect("it is ours");
    let mut screen = open(sandbox, Scope::Worktree, false);
    let before = index(&screen.sandbox);
    let mode = |screen: &Screen| screen.sandbox.git_line(&["ls-files", "--stage", "f"])[..6].to_owned();
    screen.press("gg }} 3j s");
    screen.assert_shows(&["In the index the file comes into being; on disk nothing changes."]);
    screen.press("y");
    assert_eq!(staged(&screen, "new"), "m\n");
    screen.assert_shows(&["1/2 staged"]);
    for keys in ["gg }} s", "n gg }} 2j s"] {
        screen.press(keys);
        screen.assert_shows(&["In the index it changes like this; on disk nothing does.", "   1 + n"]);
    }
    screen.press("y");
    assert_eq!(staged(&screen, "new"), "n\nm\n");
    screen.press("gg }} 2j gs");
    screen.assert_shows(&["In the index it changes like this; on disk nothing does."]);
    screen.press("y gg }} 3j gs");
    screen.assert_shows(&["The file is no longer in the index; on disk it stays.", "- m"]);
    screen.press("y");
    assert_eq!(index(&screen.sandbox), before);
    screen.press("gg } s");
    screen.assert_shows(&["Its mode becomes 100755; it was 100644."]);
    screen.press("y");
    assert_eq!(mode(&screen), "100755");
    screen.press("gg } 6j gs");
    assert!(!screen.text().contains("Its mode"));
    screen.press("y");
    assert_eq!(mode(&screen), "100755");
    screen.press("gg } gs");
    screen.assert_shows(&["Its mode is 100644 then."]);
    screen.press("y");
    assert_eq!(index(&screen.sandbox), before);
    screen.press("gg } ] s");
    assert!(!screen.text().contains("Its mode"));
    screen.press("y");
    assert_eq!(mode(&screen), "100644");
    screen.press("gg } ]] s");
    screen.assert_shows(&["Stage 2 lines of f?", "Its mode is 100755 then."]);
    screen.press("y");
    assert_eq!(mode(&screen), "100755");
}

#[test]
fn a_file_that_goes_comes_back_with_the_first_of_its_lines() {
    let sandbox = changed();
    fs::remove_file(sandbox.path("f")).expect("it is there");
    let mut screen = open(sandbox, Scope::Worktree, false);
    screen.press("gg } s");
    screen.assert_shows(&["In the index the file is deleted."]);
    screen.press("y gg } 2j gs");
    screen.assert_shows(&["The file is in the index again; on disk nothing changes."]);
    screen.press("y");
    assert_eq!(staged(&screen, "f"), "1\n");
    screen.press("gg } 3j gd");
    screen.assert_shows(&["The file comes back on disk."]);
    screen.press("n gg } gs");
    screen.assert_shows(&["In the index it changes like this; on disk nothing does."]);
}

#[test]
fn what_others_have_done_to_the_index_meanwhile_is_not_built_upon() {
    let mut screen = open(changed(), Scope::Worktree, false).pressed("gg } ] 4j s y gg } ] s");
    screen.assert_shows(&["Stage 3 lines of f?"]);
    screen.sandbox.git(&["reset", "--quiet"]);
    let before = index(&screen.sandbox);
    screen.press("y");
    screen.assert_shows(&["f is left as it is: the index has other lines of it than the review shows: try again"]);
    assert_eq!(index(&screen.sandbox), before);
}

#[test]
fn what_others_stage_is_marked_without_being_asked() {
    let sandbox = changed();
    sandbox.git(&["add", "new"]);
    let mut screen = open(sandbox, Scope::Worktree, false);
    screen.assert_shows(&["A new  +2 −0  0/2 explained  ● staged"]);
    screen.sandbox.git(&["reset", "--quiet"]);
    screen.sandbox.git(&["add", "f"]);
    screen.changed(false, true);
    screen.assert_shows(&["M f  +3 −3  0/3 explained  ● staged", "A new  +2 −0  0/2 explained  "]);
}

#[test]
fn a_rename_of_which_only_the_new_name_is_staged_is_half_staged() {
    for new in ["a\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n"] {
        let sandbox = Sandbox::new();
        sandbox.write("old", "a\nb\nc\nd\ne\n");
        sandbox.commit("First");
        let before = index(&sandbox);
        fs::remove_file(sandbox.path("old")).expect("it is there");
        sandbox.write("renamed", new);
        sandbox.git(&["add", "--all"]);
        let all = index(&sandbox);
        sandbox.git(&["reset", "--quiet"]);
        sandbox.git(&["add", "renamed"]);
        let half = index(&sandbox);
        let mut screen = open(sandbox, Scope::Worktree, false);
        go_to(&mut screen, "renamed");
        assert!(!screen.text().contains("● staged"), "{}", screen.text());
        screen.press("s y");
        assert_eq!(index(&screen.sandbox), all);
        screen.assert_shows(&["● staged"]);
        screen.press("z");
        assert_eq!(index(&screen.sandbox), half);
        go_to(&mut screen, "renamed");
        screen.press("gs y");
        assert_eq!(index(&screen.sandbox), before);
        screen.press("z");
        assert_eq!(index(&screen.sandbox), half);
    }
}
