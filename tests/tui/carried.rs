//! Markback notes stand on the lines that they hold, wherever those are by now; what is written of them stays as it is.

use whymark::git::{Repo, Scope};
use whymark::tui::open::Target;

use super::staged;
use crate::support::{File, Sandbox, Screen, check};

const FILE: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";
const RECORDS: &str = "reviews/unstaged-main.mb";

/// A change of one line in the middle of a file.
fn changed() -> Screen {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", FILE);
    sandbox.commit("First");
    sandbox.write("a.txt", FILE.replace("five", "FIVE"));
    unstaged(sandbox)
}

fn unstaged(sandbox: Sandbox) -> Screen {
    let repo = Repo::discover(&sandbox.repo()).expect("a sandbox is a repository");
    Screen::open(sandbox, Target::Scope { repo, scope: Some(Scope::Unstaged), options: Default::default(), out: None })
        .sized(160, 40)
}

#[test]
fn notes_follow_their_lines_and_their_file_stays_as_it_is() {
    let mut screen = changed().pressed("/FIVE enter m 'louder' enter");
    let written = screen.sandbox.read(RECORDS);
    screen.assert_shows(&["▪+ FIVE"]);
    screen.sandbox.write("a.txt", FILE.replace("five", "FIVE").replace("three\n", "three\nthree and a half\n"));
    screen.changed(false, true);
    screen.assert_shows(&["+ three and a half", "louder", ":5 → :6", "▪+ FIVE", "¬stale", "¬lines gone"]);
    assert_eq!(screen.sandbox.read(RECORDS), written);
    // So it is when somebody opens it again, and when the review is written.
    let mut screen = unstaged(screen.sandbox);
    screen.assert_shows(&["louder", "▪+ FIVE", "¬stale"]);
    screen.press("/FIVE enter a 'why' enter");
    screen.sandbox.write("a.txt", FILE.replace("five", "FIVE").replace("one\n", "one\nmore\nand more\n"));
    screen.changed(false, true);
    screen.press("R");
    screen.assert_shows(&["+ and more", "louder", "1 note carried", "¬stale"]);
    assert_eq!(screen.sandbox.read(RECORDS), written);
}

#[test]
fn a_note_whose_lines_are_gone_or_look_alike_stands_on_none() {
    let mut screen = changed().pressed("/FIVE enter m 'louder' enter");
    screen.sandbox.write("a.txt", FILE.replace("five", "cinq"));
    screen.changed(false, true);
    screen.assert_shows(&["+ cinq", "louder", "↯ lines gone", "¬▪+"]);
    // Of two lines that read the same nobody knows which one was meant.
    screen.sandbox.write("a.txt", FILE.replace("five", "cinq").replace("six", "FIVE\nsix\nFIVE"));
    screen.changed(false, true);
    screen.assert_shows(&["louder", "no such line", "was  FIVE", "¬▪+"]);
    screen.sandbox.write("a.txt", FILE.replace("five", "cinq").replace("six", "six\nFIVE"));
    screen.changed(false, true);
    screen.assert_shows(&["louder", "▪+ FIVE", "¬stale", "¬lines gone", "¬no such line"]);
}

#[test]
fn what_is_unfolded_stays_so_when_the_file_changes() {
    let sandbox = Sandbox::new();
    let lines = |range: std::ops::RangeInclusive<u32>| range.map(|line| format!("line {line}\n")).collect::<String>();
    sandbox.write("a.txt", lines(1..=40));
    sandbox.commit("First");
    sandbox.write("a.txt", lines(1..=40).replace("line 20\n", "line XX\n"));
    let mut screen = unstaged(sandbox).pressed("/XX enter 3k k 5+");
    screen.assert_shows(&["line 12", "line 16", "¬line 11"]);
    screen.sandbox.write("a.txt", lines(1..=40).replace("line 20\n", "line XX\nline YY\n"));
    screen.changed(false, true);
    screen.assert_shows(&["line YY", "line 12", "line 16", "¬line 11"]);
    // A change among them parts them.
    screen.sandbox.write("a.txt", lines(1..=40).replace("line 20\n", "line XX\n").replace("line 2\n", "line ZZ\n"));
    screen.changed(false, true);
    screen.press("gg");
    screen.assert_shows(&["line ZZ", "line 12", "line 16", "¬line 11"]);
    screen.sandbox.write("a.txt", lines(1..=40).replace("line 20\n", "line XX\n").replace("line 14\n", ""));
    screen.changed(false, true);
    check(screen, "", &["line 12", "- line 14", "line 16"], File::Same);
}

#[test]
fn documents_carry_their_notes_too() {
    let sandbox = staged();
    sandbox.write("a.md", "# Head\n\nFirst.\n\nSecond.\n");
    let mut screen = Screen::open(sandbox, Target::Documents(vec!["a.md".into()])).sized(160, 40);
    screen.press("/Second enter m 'louder' enter");
    screen.sandbox.write("a.md", "# Head\n\nZeroth.\n\nFirst.\n\nSecond.\n");
    screen.changed(true, true);
    screen.assert_shows(&["Zeroth", "louder", ":5 →", "▪  Second.", "¬stale"]);
}
