//! The search: what it looks through, where it goes, and what stands out.

use whymark::tui::search::Pattern;

use super::review;
use crate::support::{File, Sandbox, Screen, check};

#[test]
fn a_search_goes_to_its_hits_while_it_is_typed() {
    for (keys, texts) in [
        ("/ 'hello .n'", &["▌        3 ┃ +     println!", " /hello .n", "1/1"][..]),
        ("/ 'name'", &["▌        2 ┃ +     let name", "2/6"]),
        ("/ 'name' tab", &["▌        2 ┃ +", "╭─ n1 ", "3/6"]),
        ("/ 'name' tab tab backtab", &["3/6"]),
        ("/ 'name'", &["2/6", "enter keep  esc back"]),
        ("/ 'name' enter", &["/name 2/6", "n next  N previous"]),
        ("/ 'name' enter", &[" REVIEW  src/greet.rs:2  /name 2/6"]),
        ("/ 'name' enter 2n", &["▌        3 ┃ +", "/name 4/6"]),
        ("/ 'name' enter 3n", &["▌@@ -20,3 +22,4 @@ mod name", "/name 5/6"]),
        ("/ 'name' enter 4n", &["▌  20   22", "/name 6/6"]),
        ("/ 'name' enter 4n N", &["▌@@ -20,3 +22,4 @@ mod name", "/name 5/6"]),
        ("/ 'name' enter 5n", &["▌Greet by name", "on from the top"]),
        ("/ 'name' enter 5n N", &["▌  20   22", "on from the bottom"]),
        ("/ '^mod' tab", &["▌@@ -20,3 +22,4 @@ mod name", "2/2"]),
        ("jj jjjjjjj / '^@@' enter N", &["▌@@ -1,4 +1,6 @@ mod greet", "/^@@ 1/4"]),
        ("/ 'cargo test'", &["▌        2 ┃ +", "╭─ n1 ", "1/1"]),
        ("/ '^n2$'", &["▌A docs/guide.md", "╭─ n2 file", "1/1"]),
        ("/ 'risk low'", &["╭─ n1 ", "1/1"]),
        ("G / 'name'", &["▌Greet by name", "on from the top"]),
        ("/ 'Name'", &["▌M src/greet.rs", "not found"]),
        ("/ 'zzz' enter", &["▌M src/greet.rs", " REVIEW  not found: zzz"]),
        ("/ '^#'", &["▌        1 ▏ + # Guide", "1/2"]),
        ("/ 'guide.md'", &["▌A docs/guide.md", "1/1"]),
        ("/ 'greet by'", &["▌Greet by name", "1/1"]),
        ("/ 'called by'", &["▌        2 ┃ +", "╭─ n1 +2..3", "1/1"]),
        ("/ 'there was no'", &["▌A docs/guide.md", "╭─ n2 file"]),
        ("/ 'na' ctrl-u 'gone'", &["▌   2        - Gone.", "1/1"]),
        ("/ 'gone' esc", &["▌M src/greet.rs", " REVIEW  src/greet.rs "]),
        ("/ 'gone' enter esc", &["▌   2        - Gone.", "¬/gone"]),
        ("/ 'gone' enter esc gg n", &["▌   2        - Gone.", "/gone 1/1"]),
        ("/ 'gone' enter gg / enter", &["▌   2        - Gone.", "/gone 1/1"]),
        ("n", &["nothing has been searched for yet"]),
        ("/ 'one' enter / 'two' enter / up", &[" /two"]),
        ("/ 'one' enter / 'two' enter / up up", &[" /one"]),
        ("/ 'one' enter / 'tw' up down", &[" /tw"]),
        ("/ '('", &[" /(", "unclosed group"]),
        ("/ '(' enter ')'", &[" /()"]),
        ("/ 'q:?/uU'", &[" /q:?/uU"]),
    ] {
        check(review(), keys, texts, File::Same);
    }
}

#[test]
fn pasted_text_is_searched_for_as_one_line() {
    let mut screen = review().pressed("/");
    screen.paste("say\nhello\n");
    screen.assert_shows(&[" /say hello", "▌        2 ▏ + Say hello."]);
}

#[test]
fn hits_stand_out_wherever_they_are() {
    let mut screen = review().sized(120, 16);
    let plain = screen.frame();
    screen.press("/ 'name' enter");
    let marked = screen.frame();
    let pattern = Pattern::new("name").expect("it is one");
    let mut marks = 0;
    for (y, row) in (0u16..).zip(screen.rows()).skip(2).take(13) {
        for place in pattern.places(row.as_bytes()) {
            let x = u16::try_from(row[..place.start].chars().count()).expect("a screen is narrow");
            if x < 66 && !row.contains("@@") {
                assert_ne!(marked[(x, y)].style(), plain[(x, y)].style(), "{row}");
                marks += 1;
            }
        }
    }
    assert!(marks > 1, "{marks}");
}

/// A long file of which only a line in the middle has changed.
fn changed_in_the_middle() -> Screen {
    let sandbox = Sandbox::new();
    let lines: String = (1..=60).map(|line| format!("line {line}\n")).collect();
    sandbox.write("a.txt", &lines);
    sandbox.git(&["add", "."]);
    sandbox.git(&["commit", "--quiet", "--message", "First"]);
    sandbox.write("a.txt", lines.replace("line 30\n", "thirty\n"));
    sandbox.git(&["add", "."]);
    Screen::staged(sandbox)
}

#[test]
fn unfolded_lines_are_searched_as_long_as_they_are_there() {
    let mut screen = changed_in_the_middle().pressed("/ 'line 1.'");
    screen.assert_shows(&["not found"]);
    screen.press("esc gg ]+ / 'line 1.' enter");
    screen.assert_shows(&["┊   line 10", "▌  10   10 ┊   line 10", "/line 1. 1/10"]);
    screen.press("n");
    screen.assert_shows(&["▌  11   11 ┊   line 11", "/line 1. 2/10"]);
    screen.press("NN");
    screen.assert_shows(&["▌  19   19 ┊   line 19", "on from the bottom"]);
    screen.press("G / 'line 5.' enter");
    screen.assert_shows(&["not found"]);
    screen.press("G+ n");
    screen.assert_shows(&["▌  50   50 ┊   line 50"]);
    screen.press("- n");
    screen.assert_shows(&["not found", "¬line 50"]);
}

#[test]
fn checks_comments_and_the_old_path_are_searched_too() {
    let text = "---\nwhymark: 1\n---\n\n@file new.rs renamed from=old.rs\n# about the first\n@@ -1 +1 @@\n-a\n+b\n\n\
                @check cmd `make lint` => pass\n# about the second\n@@ -9 +9 @@ fn last\n-c\n+d\n\n@note +1\nwhy: x\n";
    for (keys, texts) in [
        ("/ 'old.rs'", &["▌R new.rs", "1/2"][..]),
        ("/ 'about' ", &["▌# about the first", "1/2"]),
        ("/ 'about' tab", &["▌# about the second", "2/2"]),
        ("/ 'about' tab tab", &["▌# about the first", "on from the top"]),
        ("G / 'about' enter N", &["▌# about the second", "on from the bottom"]),
        ("/ 'make'", &["▌@check cmd `make lint` => pass"]),
        ("/ 'last'", &["▌@@ -9,1 +9,1 @@ fn last", "1/1"]),
    ] {
        check(Screen::document(text), keys, texts, File::Same);
    }
}

#[test]
fn records_and_comments_are_searched_as_their_cards_show_them() {
    for (keys, texts) in [
        ("jjj m 'shorter' enter / 'markback' enter", &["╭─ ▪ markback", "shorter", "/markback 1/1"][..]),
        ("jjj m 'shorter' enter / 'created' enter", &["╭─ ▪ markback", "log  created", "/created 1/1"]),
    ] {
        let screen = review().pressed(keys);
        screen.assert_shows(texts);
    }
}

#[test]
fn a_tall_card_is_scrolled_to_the_hit() {
    let mut screen = super::tall().sized(120, 20).pressed("/ 'body 50' enter");
    screen.assert_shows(&["body 50.", "¬body 9."]);
    // Without a search it is read from its start.
    screen.press("esc gg J");
    screen.assert_shows(&["people asked", "¬body 50."]);
}

#[test]
fn what_a_hunk_is_in_stands_out_when_it_is_found() {
    let mut screen = review().sized(120, 30);
    let plain = screen.frame();
    screen.press("/ 'mod greet' enter gg");
    let marked = screen.frame();
    let (x, y) = screen.find("mod greet");
    assert_ne!(marked[(x, y)].style(), plain[(x, y)].style());
    screen.press("/ 'cargo test' enter");
    let (x, y) = screen.find("`cargo test`");
    assert_ne!(screen.frame()[(x, y)].style(), screen.frame()[(x + 1, y)].style());
}

#[test]
fn a_long_line_is_scrolled_to_its_hit_and_back() {
    let text = format!("@file a added\n@@ -0,0 +1,2 @@\n+short\n+{}needle\n", "x".repeat(900));
    let mut screen = Screen::document(&text).pressed("/ 'needle' enter");
    screen.assert_shows(&["xneedle", "from column "]);
    screen.press("/ 'short'");
    screen.assert_shows(&["+ short", "¬from column "]);
}

#[test]
fn what_is_written_meanwhile_is_found_too() {
    let mut screen = review().pressed("/ 'tidings' enter jjjj a 'glad tidings' enter n");
    screen.assert_shows(&["╭─ n2 +", "glad tidings", "/tidings 1/1"]);
    screen.press("m 'more tidings' enter ctrl-l");
    screen.assert_shows(&["/tidings –/2"]);
}

#[test]
fn what_is_read_later_is_found_later() {
    let mut screen = Screen::unread(super::staged()).pressed("/ 'four'");
    screen.assert_shows(&[" /four", "–/0…"]);
    screen.read_all();
    screen.assert_shows(&["▌        4 ▏ + four", "1/1"]);
}

#[test]
fn what_is_said_about_a_file_is_found() {
    let text = "@file run.sh modified newmode=100755\n@@ -1 +1 @@\n-a\n+b\n\n\
                @file a.bin modified binary\n\n@file c.txt modified\n@@ -1 +1 @@\n-mode\n+100755\n";
    let screen = || Screen::document(text).sized(100, 30);
    screen().assert_shows(&["mode 100644 → 100755", "binary content"]);
    for (keys, texts) in [
        ("gg / '100755'", &["▌  mode 100644 → 100755", "1/2"][..]),
        ("gg / '100755' enter n", &["▌        1 ▏ + 100755", "2/2"]),
        ("G / '100755' enter", &["▌        1 ▏ + 100755"]),
        ("G / '100755' enter N", &["▌  mode 100644 → 100755"]),
        ("gg / 'binary'", &["▌  binary content", "1/1"]),
        ("gg / 'mode 1' enter j k n", &["▌  mode 100644 → 100755", "on from the top"]),
    ] {
        check(screen(), keys, texts, File::Same);
    }
}

/// What the cells from the start of `row` on that have the look of a hit say.
fn marked(screen: &Screen) -> String {
    let (frame, plain) = (screen.frame(), screen.model.search.is_some());
    assert!(plain, "something is searched for");
    let theme = whymark::tui::theme::Theme::load("dark", whymark::tui::colour::Depth::True, |_| None).0;
    let hit = theme.style(whymark::tui::theme::Role::Match).bg;
    let cells = frame.content().iter().filter(|cell| Some(cell.bg) == hit);
    cells.map(ratatui::buffer::Cell::symbol).collect()
}

#[test]
fn a_phrase_stands_out_across_the_rows_it_takes() {
    let words: String = (1..=40).map(|at| format!(" word{at:02}")).collect();
    let text = format!(
        "---\nwhymark: 1\ntitle: x\nsummary: |\n  start{words}\n---\n@file a added\n@@ -0,0 +1 @@\n+x\n\n@note +1\nwhy: begins{words}\n"
    );
    let mut broken = [0, 0];
    for at in 1..40 {
        let phrase = format!("word{at:02} word{:02}", at + 1);
        let mut screen = Screen::document(&text).sized(120, 40);
        screen.use_theme("dark", whymark::tui::colour::Depth::True);
        screen.press("/");
        screen.type_text(&phrase);
        // First the card at the right, then the summary at the left.
        for ((key, skipped), broken) in [("enter", 70), ("n", 0)].into_iter().zip(&mut broken) {
            screen.press(key);
            assert_eq!(screen.model.search.as_ref().map(|search| search.count().1), Some(2), "{}", screen.text());
            let shown = marked(&screen);
            let side = |row: &String| row.chars().skip(skipped).take(70).collect::<String>();
            let row = screen.rows().iter().map(side).any(|row| row.contains(&phrase));
            *broken += usize::from(!row);
            assert!(shown.contains(&phrase.replace(' ', "")) || shown.contains(&phrase), "{shown}\n{}", screen.text());
        }
    }
    assert!(broken.iter().all(|count| *count > 0), "no phrase was broken: {broken:?}");
}
