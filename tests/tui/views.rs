//! The main views as pictures: one file a size, plain and in colour. After a wanted change of looks:
//! `INSTA_UPDATE=always cargo test views`, and look at the difference.

use whymark::text::width::{Display, Glyphs};
use whymark::tui::colour::Depth;
use whymark::tui::model::Tone;
use whymark::tui::open::Target;
use whymark::tui::picture::{self, Format};

use crate::support::{Sandbox, Screen};

/// What stands in the picture, and the keys that lead to it.
const VIEWS: &[(&str, &str)] = &[
    ("the first frame", ""),
    ("the next line that nothing explains", "u"),
    ("a note is open", "JJJ"),
    ("a note is written", "u a 'so that the clock may be another one in tests'"),
    ("all keys", "?"),
    ("a command is looked for", ": 'note'"),
    ("the list of files", "tab jj"),
    ("old and new side by side", "\\ } ]"),
    ("what the review rests on", "gi"),
    ("comments for the agent", "u c 'say what it holds' enter C 'add a test' enter S y 3u c 'shorter' enter L"),
];

/// The sample that comes with the program.
fn sample() -> Screen {
    let sandbox = Sandbox::new();
    sandbox.write("reviews/staged-main.whymark", include_str!("../../assets/demo/review.whymark"));
    sandbox.write("reviews/staged-main.mb", include_str!("../../assets/demo/review.mb"));
    Screen::open(sandbox, Target::File("reviews/staged-main.whymark".into())).in_session()
}

/// All views on a screen of this size, as `write` has them.
fn pictures((columns, rows): (u16, u16), write: impl Fn(&mut Screen) -> String) -> String {
    let picture = |(name, keys): &(&str, &str)| {
        let mut screen = sample().sized(columns, rows).pressed(keys);
        format!("── {name}: {keys}\n{}", write(&mut screen))
    };
    VIEWS.iter().map(picture).collect::<Vec<_>>().join("\n")
}

fn assert_looks(name: &str, pictures: &str) {
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, pictures);
    });
}

#[test]
fn in_plain_text() {
    for size in [(40, 10), (80, 24), (120, 40), (160, 50), (200, 60)] {
        assert_looks(&format!("{}x{}", size.0, size.1), &pictures(size, |screen| screen.text() + "\n"));
    }
}

/// In the colours of a terminal that has sixteen, which leave every shade to its own theme.
#[test]
fn in_colour() {
    for size in [(80, 24), (120, 40), (160, 50), (200, 60)] {
        let coloured = pictures(size, |screen| {
            screen.use_theme("base16", Depth::Ansi16);
            picture::write(&screen.frame(), Format::Ansi).replace('\x1b', "\\e")
        });
        assert_looks(&format!("{}x{}-ansi", size.0, size.1), &coloured);
    }
}

/// Where the locale knows no more than ASCII, the program writes no more: what comes from files is theirs.
#[test]
fn in_ascii() {
    for (name, keys) in VIEWS {
        for size in [(80, 24), (200, 60)] {
            let mut screen = sample().sized(size.0, size.1);
            screen.model.display = Display::new(4, Glyphs::Ascii);
            screen.resize(size.0, size.1);
            screen.press(keys);
            let is_plain = |row: &String| row.is_ascii();
            let other: Vec<String> = screen.rows().into_iter().filter(|row| !is_plain(row)).collect();
            assert_eq!(other, [""; 0], "{name}");
        }
    }
}

/// Whoever sees it for the first time is told at each step what comes next: how to go on, to write, to save, to leave.
#[test]
fn what_comes_next_is_always_in_sight() {
    let path = "src/a/path/that/is/longer/than/the/row/at/the/bottom/of/a/screen/has/room/for/it.rs";
    let text = format!("@file {path} added\n@@ -0,0 +1,2 @@\n+one\n+two\n");
    for (columns, rows) in [(80, 24), (120, 40), (200, 60)] {
        let mut screen = Screen::document(&text).sized(columns, rows);
        for (keys, shown) in [
            ("", &["unexplained ", " a ", "? help ", "q quit"][..]),
            ("u", &["unexplained line 1 of 2", "u ", "a ", "? help", "q quit"]),
            ("a", &["enter save", "esc close", "the reason, not the what"]),
            ("'because'", &["because", "enter save", "esc close"]),
            ("enter", &["n1 saved to review.whymark", "? help", "q quit"]),
            ("j", &["unexplained ", " a ", "? help ", "q quit"]),
        ] {
            screen.press(keys);
            screen.assert_shows(shown);
        }
    }
    let screen = Screen::document(&text).sized(40, 10).pressed("a");
    screen.assert_shows(&["enter save  esc close"]);
}

/// A message never hides what leads on: it is shorter, or takes a row more.
#[test]
fn what_leads_on_stays_in_sight_beside_a_message() {
    let open = |columns, rows| {
        let sandbox = Sandbox::new();
        sandbox.write("reviews/worktree-main.whymark", "@file a.rs added\n@@ -0,0 +1,2 @@\n+one\n+two\n");
        Screen::open(sandbox, Target::File("reviews/worktree-main.whymark".into())).sized(columns, rows)
    };
    let mut screen = open(80, 24).pressed("u a 'because' enter");
    screen.assert_shows(&["n1 saved to worktree-main.whymark ", "u unexplained  ? help"]);
    screen.model.say(Tone::Problem, "what takes more than half of the columns of a row, and leaves few");
    screen.resize(80, 24);
    let rows = screen.rows();
    assert!(rows[22].starts_with(" REVIEW  what takes more"), "{rows:?}");
    assert!(rows[23].contains("u next unexplained  a write a note  ? help  q quit"), "{rows:?}");
    screen.press("u a 'so' enter j");
    screen.assert_shows(&["a write a note", "¬u unexplained", "¬next unexplained"]);
    open(60, 15).pressed("u").assert_shows(&["unexplained line 1 of 2", "u unexplained  ? help"]);
    open(120, 40).pressed("u a 'x' enter").assert_shows(&["n1 saved to reviews/worktree-main.whymark ", "q quit"]);
}
