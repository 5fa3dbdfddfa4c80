//! A key that begins a text and is refused makes no commands of the text.

use whymark::tui::open::Target;

use super::{REVIEW, review};
use crate::support::{File, Sandbox, Screen, check};

/// What would stage, delete, undo, send and leave.
const TEXT: &str = "'dxq gd zs S Zq'";

/// A document that is no review.
fn readme() -> Screen {
    let sandbox = Sandbox::new();
    sandbox.write("README.md", "# One\n\nText.\n");
    Screen::open(sandbox, Target::Documents(vec!["README.md".into()]))
}

#[test]
fn what_is_typed_behind_it_does_nothing() {
    let held = "(what is typed on does nothing until a pause or esc)";
    for (screen, keys, reason) in [
        (readme as fn() -> Screen, "jj a", "a whymark note explains a diff"),
        (readme, "jj ga", "a whymark note explains a diff"),
        (readme, "jj p", "a whymark note explains a diff"),
        (readme, "jj r", "these files are shown as they are"),
        (readme, "jj e", "no note is open"),
        (readme, "jj gr", "no Markback note is open"),
        (readme, "gk", "no text is kept"),
        (review, "jj v } a", "a note is about one file"),
        (review, "e", "no note is open"),
        (review, "gr", "no Markback note is open"),
        (review, "J gr", "no Markback note"),
        (review, "p", "no note is open"),
        (review, ": 'focus-files' enter a", "a does nothing here"),
    ] {
        let mut screen = screen().sized(200, 40).pressed(keys);
        screen.assert_shows(&[reason]);
        let (cursor, text) = (screen.model.cursor, screen.file());
        screen.press(TEXT);
        screen.assert_shows(&[reason, held]);
        assert!(!screen.left && screen.model.cursor == cursor && screen.file() == text, "{keys}\n{}", screen.text());
        // A text has an end, and perhaps another line.
        screen.at_once("more\rq\tq\x7fq");
        assert!(!screen.left && screen.model.cursor == cursor, "{keys}");
        screen.press("q");
        assert!(screen.left, "behind a pause keys are keys: {keys}");
    }
}

#[test]
fn esc_or_a_key_that_types_nothing_goes_on_at_once() {
    let (down, page_down) = ("\x1b[B", "\x1b[6~");
    for (key, shown) in [("\x1b", "¬no note is open"), (down, "▌        2 ┃ +"), (page_down, "¬no note is open")]
    {
        let mut screen = review().pressed("3j");
        screen.at_once("ej");
        screen.assert_shows(&["no note is open", "▌   2 "]);
        screen.at_once(key);
        screen.assert_shows(&[shown]);
        screen.at_once("ggjj");
        screen.assert_shows(&["▌M src/greet.rs"]);
    }
}

#[test]
fn a_key_that_changes_a_text_ends_no_breath() {
    let (delete, home, left, word_left, back) = ("\x1b[3~", "\x1b[H", "\x1b[D", "\x1b[1;5D", "\x1b[Z");
    for key in ["\n", "\x17", "\x15", "\x04", "\r", "\t", "\x7f", delete, home, left, word_left, back] {
        let mut screen = review().pressed("3j");
        screen.at_once("eone");
        screen.at_once(key);
        screen.at_once("q");
        assert!(!screen.left, "{key:?}");
        screen.assert_shows(&["no note is open", "▌   2 "]);
    }
}

#[test]
fn a_text_that_is_begun_in_the_help_is_no_command() {
    let mut screen = review().pressed("4j ?");
    screen.at_once("a");
    screen.at_once("quick");
    assert!(!screen.left);
    screen.assert_shows(&[" WRITE ", "─ note on +2 of src/greet.rs ─", "why      quick "]);
    let mut screen = review().pressed("4j ?");
    screen.at_once("X");
    screen.assert_shows(&[" REVIEW "]);
}

#[test]
fn a_comment_is_no_command_where_another_reviewer_has_the_session() {
    let mut screen = review();
    screen.model.talk.closed = Some("notes work; comments to the agent: :take-over takes it".to_owned());
    for keys in ["c", "C", "4j c"] {
        screen = check(screen, keys, &["comments to the agent: :take-over takes it"], File::Same);
        screen = check(screen, TEXT, &["comments to the agent: :take-over takes it (what"], File::Same);
        assert!(!screen.left);
    }
}

#[test]
fn a_remark_is_no_command_where_there_is_no_place_for_it() {
    let sandbox = Sandbox::new();
    let review = sandbox.tmp().join("elsewhere.whymark");
    std::fs::write(&review, REVIEW).expect("there is a temporary folder");
    let mut screen = Screen::open(sandbox, Target::File(review));
    for keys in ["4j m", "gm"] {
        screen = check(screen, keys, &["outside"], File::Same);
        screen = check(screen, TEXT, &["outside", "(what"], File::Same);
        assert!(!screen.left);
    }
}
