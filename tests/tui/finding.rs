//! Finding things: the search, the list of commands.

use whymark::tui::command::{COMMANDS, Command, Context};
use whymark::tui::input::MouseAction;
use whymark::tui::search::Pattern;

use super::review;
use crate::support::{File, Screen, check};

#[test]
fn a_search_goes_to_its_hits_while_it_is_typed() {
    for (keys, texts) in [
        ("/ 'hello .n'", &["▌        3 ┃ +     println!", " /hello .n", "1/1"][..]),
        ("/ 'name'", &["▌        2 ┃ +     let name", "2/5"]),
        ("/ 'name' tab", &["▌        2 ┃ +", "╭─ n1 ", "3/5"]),
        ("/ 'name' tab tab backtab", &["3/5"]),
        ("/ 'name' enter", &[" REVIEW  src/greet.rs:2  /name 2/5"]),
        ("/ 'name' enter 2n", &["▌        3 ┃ +", "/name 4/5"]),
        ("/ 'name' enter 3n", &["▌  20   22", "/name 5/5"]),
        ("/ 'name' enter 4n", &["▌Greet by name", "on from the top"]),
        ("/ 'name' enter 4n N", &["▌  20   22", "on from the bottom"]),
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
    for (y, row) in (0u16..).zip(screen.rows()).skip(2).take(13) {
        for place in pattern.places(row.as_bytes()) {
            let x = u16::try_from(row[..place.start].chars().count()).expect("a screen is narrow");
            let is_code = x < 66 && !row.contains("@@");
            assert!(!is_code || marked[(x, y)].style() != plain[(x, y)].style(), "{row}");
        }
    }
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
    screen.press("m 'more tidings' enter ,");
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
fn commands_are_found_by_their_names() {
    for (keys, texts) in [
        (":", &["─ Commands ─", " CHOOSE ", "▌ down", "one line down", "j ctrl-n down"][..]),
        (": 'next-unc'", &["▌ next-uncovered", "next added line that no note explains", "1 of "]),
        (": 'next-unc' enter", &["▌        4 ▏ +", " REVIEW "]),
        (": 'verify' enter", &[" VERIFY "]),
        (": 'quit'", &["▌ quit"]),
        (": down down up", &["▌ up "]),
        (": ctrl-n tab backtab ctrl-p", &["▌ down"]),
        (": pgdn pgup", &["▌ down"]),
        (": 'unexplained' esc", &[" REVIEW ", "¬─ Commands ─"]),
        (": 'zzzz'", &["nothing fits", "0 of "]),
        (": 'zzzz' enter", &["nothing fits what is typed", " CHOOSE "]),
        (": '4'", &["▌        4 ▏ +", "▌ 4 ", "go to this line of src/greet.rs"]),
        (": '4' enter", &["▌        4 ▏ +", " REVIEW "]),
        (": '4' esc", &["▌M src/greet.rs"]),
        (": '4' ctrl-u", &["▌M src/greet.rs"]),
        (": '15' enter", &["▌   4    6     }", "the diff does not show line 15"]),
        (": 'why do I explain a line'", &["0 of "]),
        (": 'explains'", &["▌ next-uncovered", "prev-uncovered"]),
    ] {
        check(review(), keys, texts, File::Same);
    }
}

#[test]
fn every_command_of_the_review_is_in_the_list() {
    for entry in COMMANDS.iter().filter(|entry| entry.contexts.contains(&Context::Review)) {
        let mut screen = review().pressed(":");
        screen.type_text(entry.name);
        let wanted = format!("▌ {} ", entry.name);
        let is_there = screen.text().contains(&wanted);
        assert_eq!(is_there, entry.command != Command::Palette, "{}\n{}", entry.name, screen.text());
    }
}

#[test]
fn a_list_takes_the_mouse() {
    let mut screen = review().pressed(":");
    let at = screen.find("next-hunk");
    screen.mouse(MouseAction::ScrollDown, at);
    screen.assert_shows(&["▌ up "]);
    let at = screen.find("next-hunk");
    screen.mouse(MouseAction::Press, at);
    screen.assert_shows(&["▌@@ -1,4 +1,6 @@", " REVIEW "]);
    screen.press(":");
    screen.mouse(MouseAction::Press, (1, 3));
    screen.assert_shows(&["▌@@ -1,4 +1,6 @@", " REVIEW "]);
}

#[test]
fn a_list_fits_every_screen() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 10), (200, 60)] {
        let mut screen = review().sized(columns, rows).pressed(":");
        for _ in 0..COMMANDS.len() {
            assert_eq!(screen.text().matches("│ ▌ ").count(), 1, "{}", screen.text());
            screen.press("down");
        }
        screen.assert_shows(&["│ ▌ redraw"]);
    }
}

#[test]
fn a_theme_is_looked_at_before_it_is_chosen() {
    let mut screen = review().pressed("T");
    let dark = screen.model.theme.clone();
    screen.assert_shows(&["─ Themes ─", "│ ▌ dark", "as it was"]);
    screen.press("down");
    assert_eq!(screen.model.theme, "light");
    let light = screen.frame();
    screen.press("esc");
    assert_eq!((screen.model.theme.as_str(), &screen.kept_theme), (dark.as_str(), &None));
    assert_ne!(screen.frame(), light);
    screen.press("T 'moch'");
    assert_eq!(screen.model.theme, "catppuccin-mocha");
    screen.press("enter");
    assert_eq!(screen.kept_theme.as_deref(), Some("catppuccin-mocha"));
    screen.assert_shows(&["theme catppuccin-mocha is set in config.toml", " REVIEW "]);
    screen.model.themes.clear();
    screen.press("T");
    screen.assert_shows(&["shows no colours", " REVIEW "]);
}
