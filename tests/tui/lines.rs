//! A form is about lines, whatever numbers they have by the time it is written.

use std::collections::HashMap;
use std::fs;

use whymark::document::Document;
use whymark::tui::msg::{Msg, News, OnDisk};

use super::{REVIEW, review, staged};
use crate::support::{File, Screen, check};

/// What is [`staged`] with a line more at the head of `a.txt`, so that what was line 2 is line 3.
fn moved() -> Document {
    let sandbox = staged();
    sandbox.write("a.txt", "zero\none\nTWO\nthree\nfour\n");
    sandbox.git(&["add", "a.txt"]);
    Document::parse(Screen::staged(sandbox).model.review.document.to_bytes())
}

/// [`REVIEW`] with `lines` more at the head of its first hunk, and its notes where they belong then.
pub(super) fn refreshed(lines: &[&str]) -> String {
    let added: String = lines.iter().map(|line| format!("+{line}\n")).collect();
    let count = lines.len();
    REVIEW
        .replace(
            "@@ -1,4 +1,6 @@ mod greet\n fn main() {\n",
            &format!("@@ -1,4 +1,{} @@ mod greet\n fn main() {{\n{added}", 6 + count),
        )
        .replace("@@ -20,3 +22,4 @@", &format!("@@ -20,3 +{},4 @@", 22 + count))
        .replace("@note +2..3", &format!("@note +{}..{}", 2 + count, 3 + count))
}

fn tell(screen: &mut Screen, on_disk: OnDisk, read_only: Option<&str>) {
    let report = matches!(on_disk, OnDisk::Unwritten(_)).then(|| "1 file changed".to_owned());
    screen.happen(Msg::News(Box::new(News {
        on_disk,
        readings: HashMap::new(),
        records: None,
        read_only: read_only.map(str::to_owned),
        problem: None,
        report,
        is_unasked: false,
    })));
}

fn text(screen: &Screen) -> String {
    String::from_utf8(screen.file().expect("it was saved")).expect("it is UTF-8")
}

#[test]
fn what_was_put_aside_goes_along_with_its_lines() {
    let mut screen = Screen::staged(staged()).sized(200, 40);
    tell(&mut screen, OnDisk::Same, Some("closed"));
    screen.press("4j a 'louder' esc");
    tell(&mut screen, OnDisk::Unwritten(moved()), Some("closed"));
    screen.assert_shows(&["+ zero", "¬louder"]);
    screen.press("gg a");
    screen.assert_shows(&["¬louder"]);
    screen.press("esc /TWO enter esc a");
    screen.assert_shows(&["─ note on +3 of a.txt ─", "louder"]);
    screen.press("esc");
    tell(&mut screen, OnDisk::Same, None);
    // Whoever is about to do something else is not made to write.
    screen.assert_shows(&["the review is no longer read-only; 1 text is kept: gk opens it", "¬louder", " REVIEW "]);
    screen.press("gg");
    screen.assert_shows(&["✎1 text kept: gk"]);
    screen.press("gk");
    screen.assert_shows(&["─ note on +3 of a.txt ─", "▌        3 ▏ + TWO"]);
    screen.press("enter");
    assert!(text(&screen).contains("\n@note +3 kind=intent\nwhy: louder\n"), "{}", text(&screen));
}

#[test]
fn what_was_on_its_way_goes_along_with_its_lines() {
    let mut screen = Screen::staged(staged());
    screen.hold_saves();
    screen.press("4j a 'louder' enter");
    tell(&mut screen, OnDisk::Unwritten(moved()), None);
    screen.assert_shows(&["+ zero"]);
    // There is no folder for it just then.
    screen.sandbox.write("reviews", "in the way\n");
    screen.let_saves_go();
    screen.assert_shows(&["not saved", "─ note on +3 of a.txt ─", "louder"]);
    fs::remove_file(screen.sandbox.path("reviews")).expect("it is there");
    screen.press("enter");
    assert!(text(&screen).contains("\n@note +3 kind=intent\nwhy: louder\n"), "{}", text(&screen));
}

/// A note on the file is on its way, another one on line 2 is being written, and somebody else writes `text`.
fn overtaken(text: &str) -> Screen {
    let mut screen = review().pressed("4j");
    screen.hold_saves();
    screen.press("ga 'first' enter a 'second'");
    screen.assert_shows(&["─ note on +2 of src/greet.rs ─"]);
    screen.sandbox.write("review.whymark", text);
    screen.let_saves_go();
    screen.assert_shows(&["second"]);
    screen
}

#[test]
fn what_is_being_written_goes_along_with_its_lines() {
    let screen = overtaken(&refreshed(&["// one", "// two"]));
    screen.assert_shows(&["─ note on +4 of src/greet.rs ─"]);
    check(screen, "enter", &["saved"], File::Added("why: first\n", "\n@note +4 kind=intent\nwhy: second\n"));
}

#[test]
fn what_has_lost_its_lines_is_not_put_on_others_without_a_word() {
    let told = [" not saved: other lines have these numbers now: save again if the text is about them ", "second"];
    // Another line, and one that reads the same and is not the one that was meant for certain.
    for text in
        [refreshed(&[]).replace("let name = name();", "let you = you();"), refreshed(&["    let name = name();", ""])]
    {
        let screen = check(overtaken(&text), "enter", &told, File::Same);
        check(screen, "enter", &["saved"], File::Added("why: first\n", "\n@note +2 kind=intent\nwhy: second\n"));
    }
}
