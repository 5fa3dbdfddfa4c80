//! Reviews of the working tree against HEAD: what is staged of them can be told from what is not, and either is changed
//! line by line.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use whymark::document::partial::{Direction, applied};
use whymark::git::Scope;
use whymark::tui::staged::Staged;

use super::acting_by_hand::{complaint, of_working_tree, select};
use super::acting_whole::{by_git, go_to, index, open};
use crate::support::selection::patch;
use crate::support::{Dice, Sandbox, Screen};

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
    screen.assert_shows(&["M f  +3 −3  0/3 explained  ● staged", "A new  +2 −0  0/2 explained", "¬0/2 explained  ●"]);
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

#[test]
fn the_rest_of_a_rename_is_staged_that_was_begun_outside() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "a\nb\nc\nd\ne\n");
    sandbox.commit("First");
    let first = index(&sandbox);
    sandbox.git(&["mv", "a", "b"]);
    sandbox.write("b", "a\nb\nc\nd\nE\n");
    let begun = index(&sandbox);
    let wanted = by_git(&sandbox, &["add"], &["b"], index);
    let mut screen = open(sandbox, Scope::Worktree, false);
    for (keys, wanted) in [("s y", &wanted), ("gs y", &first)] {
        go_to(&mut screen, "b");
        screen.press(keys);
        assert_eq!(index(&screen.sandbox), *wanted, "{keys}: {}", screen.text());
        screen.press("z");
        assert_eq!(index(&screen.sandbox), begun, "{keys}: {}", screen.text());
    }
    // A version that the review shows nowhere stays, and what leads on is said.
    screen.sandbox.write("b", "a\nb\nc\nother\ne\n");
    screen.sandbox.git(&["add", "b"]);
    screen.sandbox.write("b", "a\nb\nc\nd\nE\n");
    let other = index(&screen.sandbox);
    let mut screen = open(screen.sandbox, Scope::Worktree, false);
    for (keys, said) in [("s y", "`whymark tui --unstaged` shows"), ("gs y", "`whymark tui --staged` shows")] {
        go_to(&mut screen, "b");
        screen.press(keys);
        screen.assert_shows(&[said]);
        assert_eq!(index(&screen.sandbox), other, "{keys}");
    }
}

/// A text of few words, so that many lines are the same, and one that was made of it.
fn alike(dice: &mut Dice) -> [String; 2] {
    const WORDS: [&str; 4] = ["}\n", "\n", "a\n", "}\n"];
    let mut lines: Vec<&str> = (0..dice.roll(8)).map(|_| *dice.pick(&WORDS)).collect();
    let old = lines.concat();
    for _ in 0..1 + dice.roll(3) {
        let at = dice.roll(lines.len() + 1);
        let come: Vec<&str> = (0..dice.roll(5)).map(|_| *dice.pick(&WORDS)).collect();
        let end = (at + dice.roll(3)).min(lines.len());
        lines.splice(at..end, come);
    }
    [old, lines.concat()]
}

/// The changes of the file `f` that are marked as staged.
fn marked(screen: &Screen) -> Vec<u32> {
    let part = &screen.model.parts[1];
    part.section.tree().changes().filter(|line| part.staged.has(*line)).collect()
}

#[test]
fn of_the_same_lines_those_are_staged_that_were_chosen() {
    let (mut steps, mut undone) = (0, 0);
    for seed in 1..=40u64 {
        let mut dice = Dice(0xD6E8_FEB8_6659_FD93 ^ seed);
        let [old, new] = alike(&mut dice);
        if old == new {
            continue;
        }
        let mut screen = of_working_tree(&old, &new);
        let (mut chosen, mut before): (Vec<u32>, Vec<Vec<u32>>) = (Vec::new(), Vec::new());
        for _ in 0..8 {
            match dice.roll(6) {
                0 if !before.is_empty() => {
                    screen.press("z");
                    chosen = before.pop().unwrap_or_default();
                    undone += 1;
                }
                1 => screen.press("R"),
                roll => {
                    select(&mut screen, &mut dice);
                    screen.press(if roll < 5 { "s" } else { "gs" });
                    let Some(acting) = &screen.model.acting else {
                        screen.press("esc");
                        continue;
                    };
                    let lines = acting.act.lines.clone();
                    screen.press("y");
                    assert_eq!(complaint(&screen), None, "seed {seed}");
                    before.push(chosen.clone());
                    chosen.retain(|line| !lines.contains(line));
                    if roll < 5 {
                        chosen.extend(lines);
                        chosen.sort_unstable();
                    }
                }
            }
            steps += 1;
            let section = &screen.model.parts[1].section;
            let story = format!("seed {seed} {chosen:?}\n{}", bstr::BStr::new(section.text()));
            assert_eq!(marked(&screen), chosen, "{story}");
            let wanted = match chosen.is_empty() {
                true => old.clone().into_bytes(),
                false => applied(section, |line| chosen.contains(&line), Direction::Forward, old.as_bytes()).unwrap(),
            };
            assert_eq!(staged(&screen, "f").as_bytes(), wanted, "{story}");
        }
        let made = staged(&screen, "f");
        if !chosen.is_empty() {
            let section = &screen.model.parts[1].section;
            screen.sandbox.write(".git/patch", patch(section, &[], &chosen));
            screen.sandbox.git(&["reset", "--quiet"]);
            screen.sandbox.git(&["apply", "--cached", "--unidiff-zero", "--whitespace=nowarn", ".git/patch"]);
            assert_eq!(made, staged(&screen, "f"), "seed {seed}: git makes the same of a patch of these lines");
        }
    }
    assert!(steps > 150 && undone > 20, "{steps} steps, {undone} of them undone");
}

/// A file that has come to have a block of lines of which many are the same.
fn with_braces(dice: &str) -> Screen {
    let sandbox = Sandbox::new();
    sandbox.write("f", "top\n");
    sandbox.commit("First");
    sandbox.write("f", dice);
    open(sandbox, Scope::Worktree, false)
}

#[test]
fn what_was_chosen_of_the_same_lines_stays_chosen_whatever_becomes_of_the_review() {
    let mut screen = with_braces("top\n}\n\nfn a() {\n}\n\nfn b() {\n}\n").pressed("gg } ] 8j s y");
    screen.assert_shows(&["        8●▏ + }", "● 1/7 staged", "        2 ▏ + }"]);
    // A note, a refresh, and a change of the file above.
    screen.press("gg } ] 2j a 'why' enter");
    screen.assert_shows(&["        8●▏ + }", "● 1/7 staged"]);
    screen.press("R");
    screen.assert_shows(&["        8●▏ + }", "● 1/7 staged"]);
    screen.sandbox.write("f", "top\n}\n}\n\nfn a() {\n}\n\nfn b() {\n}\n");
    screen.press("R");
    screen.assert_shows(&["        9●▏ + }", "● 1/8 staged"]);
    screen.press("gg } ] 8j s y");
    assert_eq!(staged(&screen, "f"), "top\nfn b() {\n}\n");
    screen.assert_shows(&["        8●▏ + fn b() {", "        9●▏ + }", "● 2/8 staged"]);
    // What is discarded of the others does not change which one it is.
    screen.press("gg } ] 2j gd y");
    screen.assert_shows(&["        7●▏ + fn b() {", "        8●▏ + }", "● 2/7 staged"]);
}

#[test]
fn what_others_have_staged_of_the_same_lines_is_marked_beside_what_was_chosen_here() {
    let mut screen = with_braces("top\n}\n\nfn a() {\n}\n\nfn b() {\n}\n").pressed("gg } ] 5j s y");
    screen.assert_shows(&["        5●▏ + }", "● 1/7 staged"]);
    screen.sandbox.write(".git/patch", "--- a/f\n+++ b/f\n@@ -1,2 +1,3 @@\n top\n }\n+fn b() {\n");
    screen.sandbox.git(&["apply", "--cached", ".git/patch"]);
    screen.changed(false, true);
    screen.assert_shows(&["        5●▏ + }", "        7●▏ + fn b() {", "● 2/7 staged"]);
    // The index of somebody who has chosen nothing here: lines that stand together.
    let sandbox = screen.sandbox;
    sandbox.write(".git/patch", "--- a/f\n+++ b/f\n@@ -1 +1,4 @@\n top\n+\n+fn b() {\n+}\n");
    sandbox.git(&["reset", "--quiet"]);
    sandbox.git(&["apply", "--cached", ".git/patch"]);
    let screen = open(sandbox, Scope::Worktree, false);
    assert_eq!(screen.model.parts[1].staged, Staged::Lines(vec![5, 6, 7]));
}
