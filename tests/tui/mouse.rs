//! The wheel, clicks and drags.

use whymark::tui::input::MouseAction::{Drag, Press, Release, ScrollDown, ScrollLeft, ScrollRight, ScrollUp};

use super::{review, tall};
use crate::support::Screen;

/// A screen on which not everything fits.
fn low() -> Screen {
    review().sized(120, 16)
}

fn click(screen: &mut Screen, text: &str) {
    let place = screen.find(text);
    screen.mouse(Press, place);
    screen.mouse(Release, place);
}

#[test]
fn the_wheel_scrolls_and_the_cursor_stays_on_the_screen() {
    let mut screen = low();
    screen.mouse(ScrollDown, (5, 5));
    screen.assert_shows(&["¬ Greet by name  ", "▌@@ -1,4 +1,6", "▎ n1 +2..3"]);
    for _ in 0..20 {
        screen.mouse(ScrollDown, (5, 5));
        screen.assert_shows(&["▌"]);
    }
    screen.assert_shows(&["- Gone."]);
    assert!(screen.rows()[14].is_empty() || screen.rows()[13].contains("- Gone."), "{}", screen.text());
    for _ in 0..20 {
        screen.mouse(ScrollUp, (5, 5));
        screen.assert_shows(&["▌"]);
    }
    assert!(screen.rows()[2].starts_with(" Greet by name"), "{}", screen.text());
}

#[test]
fn no_card_holds_the_wheel_fast() {
    for (columns, rows) in [(80, 24), (80, 40), (40, 10), (120, 16)] {
        let mut screen = tall().sized(columns, rows).pressed("4j");
        for (action, end) in [(ScrollUp, "Greet by name"), (ScrollDown, "- Gone."), (ScrollUp, "Greet by name")] {
            for _ in 0..60 {
                screen.mouse(action, (5, 4));
            }
            let is_end = |row: &String| row.contains(end) && !row.contains("whymark");
            assert!(screen.rows().iter().any(is_end), "{action:?} at {columns}x{rows}\n{}", screen.text());
        }
    }
}

#[test]
fn the_wheel_goes_sideways() {
    let mut screen = low();
    screen.mouse(ScrollRight, (5, 5));
    screen.assert_shows(&["+ let name = name();"]);
    screen.mouse(ScrollLeft, (5, 5));
    screen.mouse(ScrollLeft, (5, 5));
    screen.assert_shows(&["+     let name = name();"]);
}

#[test]
fn a_click_puts_the_cursor_on_the_line() {
    let mut screen = low();
    click(&mut screen, "println!(\"hello {name}\")");
    screen.assert_shows(&["▌        3 ┃ +", " REVIEW  src/greet.rs:3 "]);
    click(&mut screen, "@@ -1,4");
    screen.assert_shows(&["▌@@ -1,4"]);
}

#[test]
fn a_click_on_a_card_opens_it_and_goes_to_its_lines() {
    let mut screen = review();
    click(&mut screen, "there was no guide");
    screen.assert_shows(&["▌A docs/guide.md", "╭─ n2 file"]);
    click(&mut screen, "people asked");
    screen.assert_shows(&["▌        2 ┃ +", "╭─ n1 +2..3"]);
    let mut screen = review().sized(80, 24);
    click(&mut screen, "people asked");
    screen.assert_shows(&["▌        2 ┃ +", "╭─ n1 +2..3"]);
}

#[test]
fn a_click_on_a_file_goes_there() {
    for size in [(120, 16), (200, 60)] {
        let mut screen = low().sized(size.0, size.1).pressed("f");
        if size.0 == 200 {
            screen.press("f");
        }
        click(&mut screen, "D old.md");
        screen.assert_shows(&["▌D docs/old.md", " REVIEW  docs/old.md "]);
        click(&mut screen, "M greet.rs");
        screen.assert_shows(&[" REVIEW  src/greet.rs "]);
    }
}

#[test]
fn dragging_selects() {
    let mut screen = low();
    let (from, to) = (screen.find("let name = name"), screen.find("done();"));
    screen.mouse(Press, from);
    screen.assert_shows(&["¬ SELECT "]);
    screen.mouse(Drag, to);
    screen.mouse(Release, to);
    screen.assert_shows(&[" SELECT "]);
    screen.press("a");
    screen.assert_shows(&["note on +2..4 of "]);
}

#[test]
fn a_click_ends_a_selection() {
    let mut screen = low().pressed("4j v j");
    click(&mut screen, "done();");
    screen.assert_shows(&["¬ SELECT ", "▌        4 ▏ +"]);
}

#[test]
fn the_mouse_never_takes_a_form_away() {
    let mut screen = low().pressed("4j a 'words'");
    for y in 0..16 {
        for x in (0..120).step_by(7) {
            screen.mouse(Press, (x, y));
            screen.mouse(Drag, (x, y));
            screen.mouse(Release, (x, y));
        }
    }
    screen.mouse(ScrollDown, (5, 5));
    screen.assert_shows(&["│why      words ", " WRITE "]);
    screen.press("esc");
    screen.mouse(Press, (5, 5));
    screen.assert_shows(&["Throw the text away?"]);
}

#[test]
fn a_click_closes_the_help_and_the_wheel_scrolls_it() {
    let mut screen = low().pressed("?");
    screen.mouse(ScrollDown, (60, 8));
    screen.assert_shows(&["¬│ To begin"]);
    screen.mouse(ScrollUp, (60, 8));
    screen.assert_shows(&["│ To begin"]);
    screen.mouse(Press, (60, 8));
    screen.assert_shows(&["¬ Keys:"]);
}

#[test]
fn any_cell_may_be_clicked_and_none_outside_the_screen_matters() {
    for (columns, rows) in [(120, 16), (40, 10), (20, 5), (1, 1)] {
        let mut screen = low().sized(columns, rows);
        for y in [0, 1, 2, 7, 14, 15, 200, u16::MAX] {
            for x in [0, 1, 39, 71, 72, 119, 300, u16::MAX] {
                for action in [Press, Drag, Release, ScrollDown, ScrollUp, ScrollLeft, ScrollRight] {
                    screen.mouse(action, (x, y));
                    screen.text();
                }
            }
        }
    }
}

/// The column of the border beside the notes.
fn border(screen: &Screen) -> u16 {
    screen.model.layout.and_then(|layout| layout.notes).expect("there are notes beside the diff").x - 1
}

#[test]
fn borders_are_dragged_and_stay_where_they_were_put() {
    let mut screen = review().sized(160, 30);
    let (notes, files) = (border(&screen), screen.find("─ 3 files ─").1);
    screen.mouse(Press, (notes, 10));
    screen.mouse(Drag, (notes - 30, 12));
    assert_eq!(border(&screen), notes - 30);
    assert!(screen.model.anchor.is_none(), "nothing is selected");
    screen.mouse(Drag, (0, 12));
    let least = border(&screen);
    assert!(least > 40 && least < notes - 30, "the diff keeps some columns: {least}");
    screen.mouse(Drag, (159, 12));
    assert_eq!(border(&screen), 160 - 21, "the notes keep some, too");
    screen.mouse(Release, (159, 12));
    screen.mouse(Drag, (50, 12));
    assert_eq!(border(&screen), 160 - 21, "it was let go");
    let right = screen.model.layout.and_then(|layout| layout.files).expect("they are there").right();
    screen.mouse(Press, (right, files));
    screen.mouse(Drag, (right + 7, files));
    screen.mouse(Release, (right + 7, files));
    assert_eq!(screen.model.layout.and_then(|layout| layout.files).expect("they are there").right(), right + 7);
    assert_eq!(border(&screen), 160 - 21, "the other one stays");
    screen.resize(120, 30);
    screen.resize(160, 30);
    assert_eq!(border(&screen), 160 - 21);
    screen.press("< <");
    assert_eq!(border(&screen), 160 - 21 - 8);
}

#[test]
fn what_is_selected_is_copied_whole() {
    let mut screen = review().pressed("4j v 2j y");
    assert_eq!(screen.copied, ["    let name = name();\n    println!(\"hello {name}\");\n    done();\n"]);
    screen.assert_shows(&["sent 3 lines to the terminal's clipboard"]);
    screen.press("esc gg v y");
    screen.assert_shows(&["no line is selected"]);
    screen.model.clipboard = whymark::tui::model::Clipboard::Tmux;
    screen.press("esc 4j y");
    screen.assert_shows(&["sent src/greet.rs:1 to tmux, which passes it on where `set -g set-clipboard on` is set"]);
    assert_eq!(screen.copied.len(), 2);
    screen.model.clipboard = whymark::tui::model::Clipboard::Nowhere;
    screen.press("y");
    screen.assert_shows(&["nothing was copied: this terminal has no clipboard, says TERM", "¬sent src"]);
    assert_eq!(screen.copied.len(), 2);
}

#[test]
fn a_click_in_a_form_goes_to_the_field_and_the_character() {
    let mut screen = low().sized(120, 40).pressed("4j a 'one two three' ctrl-j 'four' tab 'evidence'");
    for (text, offset, typed, shown) in [
        ("two three", 0, "A", "│why      one Atwo three "),
        ("four", 3, "B", "│         fouBr "),
        // Behind the text is its end, in front of it its start.
        ("fouBr", 15, "C", "│         fouBrC "),
        ("one Atwo", -4, "D", "│why      Done Atwo three "),
        ("evidence", 8, "E", "│source   evidenceE "),
    ] {
        let (x, y) = screen.find(text);
        screen.mouse(Press, (x.saturating_add_signed(offset), y));
        screen.type_text(typed);
        screen.assert_shows(&[shown]);
    }
    click(&mut screen, "risk [–]");
    screen.press("right");
    screen.assert_shows(&["‹low›"]);
    click(&mut screen, "risk ‹low");
    screen.assert_shows(&["‹medium›", " WRITE "]);
}
