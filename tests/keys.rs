//! What is written about the keys is what the keys do.

use whymark::tui::keymap;

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
