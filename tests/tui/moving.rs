//! Where the keys put the cursor, and what is said when there is nowhere to go.

use std::collections::BTreeSet;

use whymark::tui::input::MouseAction;

use super::{review, staged, tall};
use crate::support::{File, Sandbox, Screen, check};

#[test]
fn keys_and_the_row_they_lead_to() {
    for (keys, row) in [
        ("jj", "▌   1    1     fn main() {"),
        ("jjk", "▌@@ -1,4 +1,6 @@"),
        ("5j", "▌        3 ┃ +"),
        ("5j 2k", "▌   2        - "),
        ("99999999j", "▌   2        - Gone."),
        ("G 99999999k", "▌Greet by name"),
        ("gg", "▌Greet by name"),
        ("gg gg", "▌Greet by name"),
        ("gg jj", "▌M src/greet.rs"),
        ("G gg", "▌Greet by name"),
        ("10j", "▌  20   22     fn name"),
        ("]", "▌@@ -1,4 +1,6 @@"),
        ("2]", "▌@@ -20,3 +22,4 @@"),
        ("]]]", "▌@@ -0,0 +1,2 @@"),
        ("]]] [", "▌@@ -20,3 +22,4 @@"),
        ("12j [", "▌@@ -20,3 +22,4 @@"),
        ("}", "▌A docs/guide.md"),
        ("}}", "▌D docs/old.md"),
        ("}} {", "▌A docs/guide.md"),
        ("}jj {", "▌A docs/guide.md"),
        ("{", "▌Greet by name"),
        ("J", "▌        2 ┃ +"),
        ("JJ", "▌A docs/guide.md"),
        ("JJK", "▌        2 ┃ +"),
        ("G K", "▌A docs/guide.md"),
        ("5j J", "▌A docs/guide.md"),
        ("u", "▌        4 ▏ +"),
        ("uu", "▌       23 ▏ +"),
        ("uuu", "▌        1 ▏ + # Guide"),
        ("4u", "▌        2 ▏ + Say hello."),
        ("uuu U", "▌       23 ▏ +"),
        ("G U", "▌        2 ▏ + Say hello."),
        ("ctrl-d", "▌        2 ▏ + Say hello."),
        ("ctrl-d ctrl-u", "▌M src/greet.rs"),
    ] {
        check(review(), keys, &[row], File::Same);
    }
}

#[test]
fn where_nothing_follows_the_cursor_stays_and_it_is_said() {
    for (keys, row, message) in [
        ("G ]", "▌   2        - Gone.", "this is the last hunk"),
        ("[", "▌M src/greet.rs", "this is the first hunk"),
        ("}} }", "▌D docs/old.md", "this is the last file"),
        ("{{", "▌Greet by name", "this is the first file"),
        ("JJ J", "▌A docs/guide.md", "no note further down"),
        ("J K", "▌        2 ┃ +", "no note further up"),
        ("G J", "▌   2        - Gone.", "no note further down"),
        ("4u u", "▌        2 ▏ + Say hello.", "no unexplained line further down (4 in all; U goes up)"),
        ("u U", "▌        4 ▏ +", "no unexplained line further up (4 in all; u goes down)"),
        ("gg y", "▌Greet by name", "there is no file here"),
        ("gg ga", "▌Greet by name", "there is no file here"),
    ] {
        check(review(), keys, &[row, message], File::Same);
    }
}

#[test]
fn when_all_is_explained_it_is_said() {
    let review = "@file a added\n@@ -0,0 +1 @@\n+x\n\n@note +1\nwhy: y\n";
    check(
        Screen::document(review).sized(130, 40),
        "u",
        &["every added line is explained", "explained ██████████ 100 %"],
        File::Same,
    );
}

#[test]
fn a_message_goes_with_the_next_key() {
    check(review(), "[ j", &["¬this is the first hunk"], File::Same);
}

#[test]
fn a_count_and_a_begun_key_are_shown() {
    check(review(), "12", &[" REVIEW  src/greet.rs  12 "], File::Same);
    check(review(), "g", &[" REVIEW  src/greet.rs  g "], File::Same);
    check(review(), "12g esc j", &["▌@@ -1,4 +1,6 @@"], File::Same);
}

#[test]
fn the_open_card_is_about_the_line_under_the_cursor() {
    check(review(), "5j", &["╭─ n1 +2..3 ", "│ why  people asked", "src/greet.rs:3 "], File::Same);
    check(review(), "6j", &["▎ n1 +2..3 ", "¬╭─ n1"], File::Same);
    check(review(), "}", &["╭─ n2 file "], File::Same);
    check(review(), "5j esc", &["▎ n1 +2..3 ", "¬╭─ n1"], File::Same);
}

#[test]
fn a_file_of_many_lines_is_walked_to_its_end() {
    let lines: String = (1..=50_000).map(|line| format!("+line {line}\n")).collect();
    let review = format!("@file big added\n@@ -0,0 +1,50000 @@\n{lines}\n@file z added\n@@ -0,0 +1 @@\n+z\n");
    for (keys, row) in [
        ("50001j", "▌      50000 ▏ + line 50000"),
        ("G", "▌        1 ▏ + z"),
        ("G U", "▌      50000 ▏ + line 50000"),
        ("}{", "▌A big"),
        ("G 1000k", "▌      49003 ▏ + line 49003"),
    ] {
        check(Screen::document(&review), keys, &[row], File::Same);
    }
}

#[test]
fn the_cursor_is_always_on_the_screen_with_rows_around_it() {
    for size in [(120, 40), (80, 24), (40, 10), (200, 60)] {
        let mut screen = review().sized(size.0, size.1);
        for keys in
            ["j", "k", "u", "U", "J", "K", "]", "[", "}", "{", "ctrl-d", "ctrl-u", "ctrl-f", "ctrl-b", "G", "gg"]
        {
            for _ in 0..8 {
                screen.press(keys);
                let cursors =
                    screen.rows()[2..].iter().filter(|row| row.starts_with('▌') || row.contains("│▌")).count();
                assert!(cursors > 0, "{keys} at {size:?}\n{}", screen.text());
            }
        }
    }
}

#[test]
fn what_is_still_read_is_said_and_filled_in_where_it_stands() {
    let mut screen = Screen::unread(staged());
    screen.assert_shows(&["▌M a.txt …", "the diff is being read …", "R new name.txt", "reading 0/4"]);
    screen.press("}");
    screen.press("}");
    let (_, row) = screen.find("▌R new name.txt");
    while screen.read_one() {
        let found = screen.find("▌R new name.txt");
        assert_eq!(found.1, row, "the cursor's row has moved\n{}", screen.text());
    }
    screen.assert_shows(&["¬being read", "¬reading", "2 ▏ + TWO", "renamed from old name.txt", "+ new"]);
}

#[test]
fn what_is_far_above_fills_in_without_moving_the_cursors_row() {
    let sandbox = Sandbox::new();
    for file in 0..9 {
        sandbox.write(format!("f{file}.txt"), "line\n".repeat(30));
    }
    sandbox.git(&["add", "."]);
    let mut screen = Screen::unread(sandbox).sized(80, 24).pressed("5}");
    let row = screen.find("▌A f5.txt").1;
    while screen.read_one() {
        assert_eq!(screen.find("▌A f5.txt").1, row, "{}", screen.text());
    }
}

#[test]
fn unexplained_lines_of_files_still_to_be_read_are_waited_for() {
    let screen = Screen::unread(staged());
    let mut screen = check(screen, "u", &["the diff of the next file is still being read"], File::Same);
    screen.read_all();
    screen.press("u");
    screen.assert_shows(&["▌        2 ▏ + TWO"]);
}

/// Which of the lines of the tall note are on the screen.
fn body_lines(screen: &Screen) -> BTreeSet<usize> {
    let text = screen.text();
    (1..=60).filter(|line| text.contains(&format!("body {line}."))).collect()
}

#[test]
fn a_card_taller_than_the_screen_can_be_read() {
    for size in [(80, 24), (80, 40), (109, 60), (40, 10), (120, 40), (110, 12)] {
        let mut screen = tall().sized(size.0, size.1).pressed("4j");
        let first = body_lines(&screen);
        assert!(first.len() < 60, "{size:?}: it all fits");
        let mut seen = first.clone();
        for _ in 0..70 {
            screen.press(".");
            seen.extend(body_lines(&screen));
        }
        assert_eq!(seen.len(), 60, "{size:?}: {seen:?}");
        screen.assert_shows(&["▌", ", "]);
        for _ in 0..70 {
            screen.press(",");
        }
        assert_eq!(body_lines(&screen), first, "{size:?}");
    }
}

#[test]
fn no_card_holds_the_keys_fast() {
    for (columns, rows) in [(80, 24), (80, 40), (40, 10), (120, 16)] {
        let mut screen = tall().sized(columns, rows).pressed("4j");
        for (there, back) in [("j", "k"), ("ctrl-d", "ctrl-u"), ("ctrl-f", "ctrl-b")] {
            for (key, end) in [(back, "▌Greet by name"), (there, "- Gone."), (back, "▌Greet by name")] {
                for _ in 0..60 {
                    screen.press(key);
                    screen.assert_shows(&["▌"]);
                }
                screen.assert_shows(&[end]);
            }
        }
    }
}

#[test]
fn the_wheel_scrolls_the_card_it_is_over() {
    let mut screen = tall().sized(120, 40).pressed("4j");
    let before = body_lines(&screen);
    screen.mouse(MouseAction::ScrollDown, (100, 20));
    assert_ne!(body_lines(&screen), before);
    screen.mouse(MouseAction::ScrollUp, (100, 20));
    assert_eq!(body_lines(&screen), before);
}

#[test]
fn what_nobody_has_looked_at_is_not_unpacked() {
    let sandbox = Sandbox::new();
    for file in 0..40 {
        let lines: String = (0..80).map(|at| format!("let value_{at} = compute({file}, {at});\n")).collect();
        sandbox.write(format!("{file:02}.rs"), lines);
    }
    sandbox.git(&["add", "."]);
    let screen = check(Screen::staged(sandbox), "} u gu gu w w \\ / value_7 enter n G gg", &["value_7"], File::Same);
    let packed: Vec<bool> = screen.model.parts.iter().map(|part| part.section.is_packed()).collect();
    assert!(!packed[1] && packed[10..30].iter().all(|packed| *packed), "{packed:?}");
}

#[test]
fn a_key_that_cannot_do_anything_here_says_why() {
    for (keys, said) in [
        ("h", "lines are shown from their start"),
        ("ll hh h", "lines are shown from their start"),
        (".", "no note is open here"),
        ("J .", "all of the note is shown"),
        ("\\ jjjj h", "this line has no old side"),
        ("\\ jjjj h l", ""),
        ("\\ G h", ""),
        ("\\ G h l", "this line has no new side"),
    ] {
        let mut screen = review().sized(120, 40);
        screen.press(keys);
        let message = screen.model.message.as_ref().map_or("", |(_, text)| text.as_str());
        assert!(message.starts_with(said) && message.is_empty() == said.is_empty(), "{keys}: {message}");
    }
    let mut screen = tall().sized(120, 16).pressed("J");
    for (keys, said) in [(",", "this is the start of the note"), ("..", "¬this is"), ("2000G", "")] {
        screen.press(keys);
        if !said.is_empty() {
            screen.assert_shows(&[said]);
        }
    }
}
