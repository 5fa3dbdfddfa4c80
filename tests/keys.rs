//! What is written about the keys is what the keys do.

use std::path::Path;

use whymark::tui::command::COMMANDS;
use whymark::tui::keymap::{self, Keymap};

use crate::layers::collect;
use crate::layers::scan::{strings, test_modules};
use crate::support::Screen;
use crate::tui::REVIEW;

const KEYS: &str = include_str!("../assets/KEYS.md");
const README: &str = include_str!("../README.md");

#[test]
fn the_keys_are_listed_as_they_are() {
    let listed = KEYS.replace("\r\n", "\n");
    let (_, tables) = listed.split_at(listed.find("| ").expect("there are tables"));
    let wanted = keymap::markdown();
    assert!(tables == wanted, "put this into assets/KEYS.md, below its introduction:\n{wanted}");
}

#[test]
fn the_readme_names_some_of_them() {
    let (_, rest) = README.split_once("<!-- keys -->").expect("the README has a place for the keys");
    let (named, _) = rest.split_once("<!-- /keys -->").expect("that place has an end");
    let rows: Vec<&str> = named.lines().filter(|line| line.starts_with("| `")).collect();
    assert!(rows.len() > 10, "those that a newcomer needs");
    for row in rows {
        assert!(KEYS.lines().any(|line| line == row), "not in assets/KEYS.md: {row}");
    }
}

/// What is written like a key in a sentence, and is none: signs of the screen, of a diff, of a shell.
const SIGNS: [&str; 9] = [
    "? asks",
    "? unknown",
    "? {} `{}`: {reason}",
    "✓ pass  ✗ fail  ? unknown",
    "$ {command}",
    "[ ]",
    "exit {code} in {:.1} s",
    " + lines ",
    ", its summary",
];

/// A reader may have changed what a key does, so a sentence of the reviewer asks the key map for the key that it names.
#[test]
fn no_sentence_names_a_key_that_a_reader_may_have_changed() {
    let map = Keymap::default();
    let of_entry = |entry: &whymark::tui::command::Entry| {
        entry.contexts.iter().flat_map(|context| map.keys_of(*context, entry.command)).collect::<Vec<_>>()
    };
    // Longer names are words of the language too, and the keys that never change may be named.
    let is_meant = |key: &String| key.len() <= 2 && key != "up" || key.contains('-') || key == "enter";
    let keys: Vec<String> = COMMANDS.iter().flat_map(of_entry).filter(is_meant).collect();
    assert!(keys.len() > 80 && keys.contains(&"J".to_owned()));
    let mut files = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tui"), &mut files);
    // These are about keys as such, or write no sentences.
    let others = ["tui/keymap.rs", "tui/key.rs", "tui/dump.rs", "tui/picture/svg.rs"];
    let tests: Vec<String> = files.iter().flat_map(|(name, text)| test_modules(name, text)).collect();
    let sources = files.iter().filter(|(name, _)| !others.contains(&&**name) && !tests.contains(name));
    let sentences = sources.flat_map(|(name, text)| strings(text).into_iter().map(move |string| (name, string)));
    let mut faults = Vec::new();
    for (name, (line, text)) in sentences.filter(|(_, (_, text))| text.trim().contains(' ')) {
        let is_sign = SIGNS.iter().any(|sign| text.contains(sign));
        let joined = text.replace("\\\n", "");
        let words = joined.split_ascii_whitespace().map(|word| {
            let bare = word.trim_matches(['`', '(', ')', ',', ';', ':']);
            if bare.is_empty() { word } else { bare }
        });
        let named = words.filter(|word| *word != "a" && keys.iter().any(|key| key == word));
        faults.extend(named.filter(|_| !is_sign).map(|key| format!("src/{name}:{line}: `{key}` in \"{text}\"")));
    }
    assert!(faults.is_empty(), "ask `Model::key` for the key that is named:\n{}", faults.join("\n"));
}

#[test]
fn sentences_name_the_keys_that_the_reader_has() {
    let (map, problems) = Keymap::with(
        "[review]\nnext-note = [\"ä\"]\nprev-note = [\"ö\"]\nnote = [\"ü\"]\nhelp = []\nsend = [\"ctrl-x s\"]\n\
         chat = []\nscroll-right = [\"ß\"]\ndown = [\"ñ\"]\n\
         [popup]\naccept = [\"ctrl-y\"]\ndown = [\"ç\"]\nsearch = []\ngo-there = [\"ł\"]\n",
    );
    assert_eq!(problems, []);
    for (keys, texts) in [
        ("e", &["no note is open: ä and ö go from note to note"][..]),
        ("~", &["~ does nothing here; :help shows the keys"]),
        ("ctrl-x s", &["nothing to send: c comments on a line, :chat on the whole"]),
        ("2 ñ ü x esc", &[" Throw the text away? ctrl-y yes, any other key no"]),
        ("f1", &["f1 does nothing here; :help shows the keys"]),
        ("L", &["nothing yet: c comments on a line, :chat on the whole, Q queues a note; ctrl-x s sends"]),
    ] {
        let mut screen = Screen::document(REVIEW);
        screen.model.keymap = std::sync::Arc::new(map.clone());
        screen.in_session().pressed(keys).assert_shows(texts);
    }
}
