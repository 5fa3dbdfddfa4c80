//! What is written about the keys is what the keys do.

use whymark::tui::keymap;

/// The part of the README between its two marks.
fn readme_block() -> String {
    let readme = include_str!("../README.md").replace("\r\n", "\n");
    let (_, rest) = readme.split_once("<!-- keys -->\n").expect("the README has a place for the keys");
    rest.split_once("<!-- /keys -->").expect("that place has an end").0.to_owned()
}

#[test]
fn the_readme_lists_the_keys_as_they_are() {
    let wanted = keymap::markdown();
    assert!(readme_block() == wanted, "put this between the two marks in README.md:\n{wanted}");
}
