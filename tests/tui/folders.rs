//! Folders in the list of files: closed, opened, and opened by themselves.

use whymark::tui::input::MouseAction;

use crate::support::{File, Screen, check};

/// Four files, two of them in a folder in a folder; one line of the first is explained.
const TREE: &str = "@file src/deep/one.rs added\n@@ -0,0 +1,2 @@\n+one\n+more\n\n@note +1\nwhy: x\n\n\
                    @file src/deep/two.rs modified\n@@ -1 +1,2 @@\n-two\n+TWO\n+and\n\n\
                    @file src/near.rs added\n@@ -0,0 +1 @@\n+near\n\n\
                    @file top.rs added\n@@ -0,0 +1 @@\n+top\n";

fn tree() -> Screen {
    Screen::document(TREE).sized(200, 40)
}

#[test]
fn a_closed_folder_stands_for_what_is_in_it() {
    for (keys, texts) in [
        ("", &["▾ src/", " ▾ deep/", "  A one.rs", "  A near.rs"][..]),
        ("tab h", &["▌ ▸ deep/ 2 ", "¶1 +4 −1 █░░░", "A near.rs", "¬A one.rs", " FILES "]),
        ("tab hh", &["▌▸ src/ 3 ", "¶1 +5 −1 █░░░", "A top.rs", "¬A near.rs", "¬deep/ "]),
        ("tab hhh", &["▌▸ src/ 3 ", "no folder is around this"]),
        ("tab hh l", &["▾ src/", "▌ ▸ deep/ 2 ", "A near.rs"]),
        ("tab hh enter", &["▌ ▸ deep/ 2 ", " FILES "]),
        ("tab hh enter enter", &["▾ deep/", "▌  A one.rs", " FILES "]),
        // An open folder is an entry like others.
        ("tab k", &["▌ ▾ deep/", " FILES ", "▌A src/deep/one.rs"]),
        ("tab kk", &["▌▾ src/", "▌A src/deep/one.rs"]),
        ("tab kkk j", &["▌ ▾ deep/"]),
        ("tab kkk jj", &["▌  A one.rs"]),
        ("tab gg h", &["▌▸ src/ 3 ", "A top.rs"]),
        ("tab gg enter", &["▌▸ src/ 3 ", " FILES "]),
        ("tab k enter enter", &["▾ deep/", " FILES ", "  A one.rs"]),
        ("tab k l", &["▌ ▾ deep/", "the folder is open"]),
        ("tab k enter", &[" FILES ", "l open folder"]),
        ("tab k", &["h close folder", "- all folders"]),
        ("tab", &["enter go there", "h close its folder"]),
        ("tab -", &["▌▸ src/ 3 ", "A top.rs", "¬▾"]),
        ("tab - enter", &["▌ ▸ deep/ 2 "]),
        ("tab - -", &["▌▾ src/", " ▾ deep/", "  A one.rs"]),
        ("tab k esc", &[" REVIEW ", "▌  A one.rs"]),
        ("tab k } ", &["} does nothing here"]),
        ("tab left left right", &["▌ ▸ deep/ 2 "]),
        ("tab h j", &[" ▸ deep/ 2 ", "▌ A near.rs", "▌A src/near.rs"]),
        ("tab h j k", &["▌ ▸ deep/ 2 ", "▌A src/deep/one.rs"]),
        ("tab hh j", &["▌A top.rs"]),
        ("tab j h", &["▌ ▸ deep/ 2 ", "▌M src/deep/two.rs"]),
        ("tab h esc", &["▌ ▸ deep/ 2 ", " REVIEW "]),
        ("tab h enter", &["▾ deep/"]),
        ("tab l", &["▌  A one.rs", "this is no folder"]),
        // What is viewed in all of it is viewed.
        ("space } space tab h G", &["✓ ▸ deep/ 2 "]),
    ] {
        check(tree(), keys, texts, File::Same);
    }
}

#[test]
fn a_folder_stays_closed_while_the_list_is_away_and_the_review_changes() {
    check(tree(), "tab h j enter f f", &["▸ deep/ 2 ", "▌ A near.rs"], File::Same);
    let mut screen = tree().pressed("tab h j enter jj a 'because' enter");
    screen.assert_shows(&["n2 saved", "▸ deep/ 2 "]);
    screen.press("gg");
    screen.assert_shows(&["▸ deep/ 2 "]);
}

#[test]
fn whoever_goes_to_a_file_sees_it_in_the_list() {
    for keys in [
        "tab hh tab } {",
        "tab hh G tab gg }",
        "tab hh G tab gf 'one' enter",
        "tab hh / 'one' enter",
        "tab hh G tab / 'more'",
    ] {
        check(tree(), keys, &["▾ src/", " ▾ deep/", "▌  A one.rs"], File::Same);
    }
    // All files are found, also those in closed folders.
    check(tree(), "tab hh /", &["src/deep/one.rs", "src/deep/two.rs", "src/near.rs", "top.rs"], File::Same);
    // The folder that is not on the way stays closed.
    check(tree(), "tab hh G tab gf 'near' enter", &["▾ src/", "▸ deep/ 2 ", "▌ A near.rs"], File::Same);
}

#[test]
fn a_folder_is_closed_and_opened_with_the_mouse() {
    let mut screen = tree();
    let at = screen.find("▾ deep/");
    screen.mouse(MouseAction::Press, at);
    screen.assert_shows(&["▌ ▸ deep/ 2 ", " REVIEW ", "¬A one.rs"]);
    screen.mouse(MouseAction::ScrollDown, at);
    screen.assert_shows(&["▸ deep/ 2 ", "▌ A near.rs"]);
    screen.mouse(MouseAction::ScrollUp, at);
    screen.assert_shows(&["▌ ▸ deep/ 2 ", "▌A src/deep/one.rs"]);
    screen.mouse(MouseAction::Press, at);
    screen.assert_shows(&[" ▾ deep/", "▌  A one.rs"]);
}
