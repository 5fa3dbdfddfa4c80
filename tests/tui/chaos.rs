//! Whatever is done in whatever order: a frame can be drawn, the cursor is on it, and no note goes.

use std::sync::Arc;

use whymark::tui::command::{COMMANDS, Context};
use whymark::tui::input::MouseAction::{Drag, Press, Release, ScrollDown, ScrollUp};
use whymark::tui::keymap::Keymap;

use super::{REVIEW, review};
use crate::support::{Dice, Screen};

/// What somebody else may make of the review while it is open.
fn rewritten(dice: &mut Dice, text: &str) -> String {
    match dice.roll(5) {
        0 => text.replace("@file src/greet.rs", "@file aaa added\n@@ -0,0 +1 @@\n+a\n\n@file src/greet.rs"),
        1 => text.replace("@file aaa added\n@@ -0,0 +1 @@\n+a\n\n", ""),
        2 => format!("{text}\n@file zzz added\n@@ -0,0 +1,2 @@\n+z\n+z\n"),
        3 => text.replace("@file docs/guide.md", "@file docs/moved.md"),
        _ => text.replace("@file docs/moved.md", "@file docs/guide.md"),
    }
}

const SIZES: [(u16, u16); 9] =
    [(120, 40), (80, 24), (40, 10), (20, 5), (1, 1), (200, 60), (110, 10), (109, 12), (160, 11)];

/// Whether something may be taken back by it.
fn step(screen: &mut Screen, dice: &mut Dice, keys: &[String], notes: &mut usize) -> bool {
    match dice.roll(40) {
        0 => {
            let (columns, rows) = *dice.pick(&SIZES);
            screen.resize(columns, rows);
        }
        1..=3 => {
            let action = *dice.pick(&[Press, Drag, Release, ScrollDown, ScrollUp]);
            let place = |sides, dice: &mut Dice| u16::try_from(dice.roll(sides)).expect("it is small");
            screen.mouse(action, (place(130, dice), place(45, dice)));
        }
        4 => screen.paste("pasted 漢字\nq\n"),
        5 => screen.hold_saves(),
        6 => screen.let_saves_go(),
        7 => {
            if let Some(text) = screen.file() {
                let text = rewritten(dice, &String::from_utf8_lossy(&text));
                screen.sandbox.write("review.whymark", text);
            }
        }
        8..=11 => {
            // A whole note, from wherever this is.
            let start = *dice.pick(&["a", "m", "ga", "gA", "v j a", "gr", "gm"]);
            screen.press(start);
            screen.type_text(&format!("note {notes} "));
            *notes += 1;
            screen.press("enter");
        }
        _ => {
            let key = dice.pick(keys).clone();
            screen.press(&key);
            return key == "z";
        }
    }
    false
}

fn assert_sound(screen: &Screen, story: &str) {
    let text = screen.text();
    let is_large = screen.model.layout.is_some();
    let is_covered = [" HELP", " VERIFY", " CHOOSE", " CHANGE", " ROUNDS"].iter().any(|pane| text.contains(pane));
    assert!(!is_large || text.contains('▌') || is_covered, "{story}: no cursor\n{text}");
    assert!(screen.model.row(screen.model.cursor).is_some(), "{story}: the cursor is nowhere");
    assert_eq!(screen.model.parts.len(), screen.model.review.document.parts().len(), "{story}");
}

#[test]
fn anything_in_any_order() {
    // What was written before stays: whether it can be changed is tried elsewhere. By its name every command can be run.
    let keymap = Arc::new(Keymap::with("[review]\nedit-note = []\ndelete-note = []\npalette = []\n").0);
    let with_keys = |mut screen: Screen| {
        screen.model.keymap = Arc::clone(&keymap);
        screen
    };
    let contexts = Context::ALL.iter().flat_map(|context| COMMANDS.iter().map(move |entry| (*context, entry.command)));
    let mut keys: Vec<String> = contexts.flat_map(|(context, command)| keymap.keys_of(context, command)).collect();
    keys.extend(["5", "0", "x", "'word '", "g"].map(ToOwned::to_owned));
    for seed in 1..=20 {
        let mut dice = Dice(0x9E37_79B9_7F4A_7C15 ^ seed);
        let mut screen = with_keys(review());
        let mut notes = 0;
        let mut is_undoing = false;
        for number in 0..150 {
            let story = format!("seed {seed}, step {number}");
            let before = screen.file().unwrap_or_default();
            is_undoing |= step(&mut screen, &mut dice, &keys, &mut notes);
            assert_sound(&screen, &story);
            let lines =
                |text: &[u8]| String::from_utf8_lossy(text).lines().filter(|line| line.starts_with("why: ")).count();
            let now = screen.file().unwrap_or_default();
            assert!(lines(&now) >= lines(&before) || is_undoing, "{story}: a note has gone");
            is_undoing &= !screen.model.outbox.is_empty();
            if dice.roll(30) == 0 && !screen.left {
                screen = with_keys(screen.killed());
            }
            if screen.left {
                assert!(screen.model.outbox.is_empty() && screen.model.form.is_none(), "{story}: left too early");
                screen = with_keys(screen.reopened());
            }
        }
        screen.let_saves_go();
        let text = String::from_utf8(screen.file().expect("it is there")).expect("it is UTF-8");
        for line in REVIEW.lines().filter(|line| !line.starts_with("@file docs/guide.md")) {
            assert!(text.contains(line), "seed {seed}: `{line}` has gone from\n{text}");
        }
    }
}
