//! The same note on several ranges: one form, one write, one step back.

use whymark::document::{Document, Presence, named_lines, presence};

use super::{REVIEW, review};
use crate::support::{File, Screen, check};

/// The end of the first file's section in the review.
const END: &str = "verify: cmd `cargo test` => pass\n";
/// What is written about the two added lines that no note explains.
const BOTH: &str = "\n@note +4 kind=intent\nwhy: my words\n\n@note +23 kind=intent\nwhy: my words\n";

fn text(screen: &Screen) -> String {
    String::from_utf8(screen.file().expect("it is there")).expect("it is UTF-8")
}

#[test]
fn the_form_says_how_many_notes_it_writes() {
    let to_about = "backtab backtab backtab backtab";
    for (keys, title, about) in [
        ("8j v 2j a", "─ 2 notes: +6, +22 of src/greet.rs ─", "2 ranges"),
        ("3j v 8j a", "─ 2 notes: +2..6, +22..23 of sr", "2 ranges"),
        ("8j v j a", "─ note on +6 of src/greet.rs ─", "+6"),
        ("gU", "─ 2 notes: +4, +23 of src/greet.rs ─", "2 ranges"),
        ("4j v 8j gU", "─ 2 notes: +4, +23 of src/greet.rs ─", "2 ranges"),
        ("4j v 3j gU", "─ note on +4 of src/greet.rs ─", "+4"),
        ("} gU", "─ note on +1..2 of docs/guide.md ─", "+1..2"),
    ] {
        let screen = check(review(), keys, &[title, "¬about ‹", " WRITE "], File::Same);
        check(screen, to_about, &[title, &format!("about ‹{about}›")], File::Same);
    }
    let shown = ["─ note on +6 of src/greet.rs ─", "about ‹+6› "];
    check(review(), &format!("8j gU {to_about} right"), &shown, File::Same);
    let lines: String = (1..=9).map(|line| format!("@@ -{line},0 +{line} @@\n+x\n")).collect();
    let many = Screen::document(format!("@file a modified\n{lines}"));
    check(many, "j gU", &["─ 9 notes: +1, +2, +3 and 6 more of a ─"], File::Same);
}

#[test]
fn where_nothing_wants_a_note_it_is_said() {
    for (keys, reason) in [
        ("4j v j gU", "a note explains every added line of the selection"),
        ("}} gU", "a note explains every added line of this file"),
        ("13j v 3j gU", "a note is about one file: the selection spans several"),
        ("4j v 20j a", "a note is about one file: the selection spans several"),
    ] {
        check(review(), keys, &[reason, "¬ WRITE "], File::Same);
    }
    let lines: String = (1..=501).map(|line| format!("@@ -{line},0 +{line} @@\n+x\n")).collect();
    let many = Screen::document(format!("@file a modified\n{lines}"));
    let many = check(many, "j gU", &["more than 500 notes at once: select fewer lines", "¬ WRITE "], File::Same);
    check(many, "v 1001j a", &["more than 500 notes at once: select fewer lines", "¬ WRITE "], File::Same);
}

#[test]
fn they_are_written_taken_back_and_written_again_as_one() {
    let shown = ["2 notes saved to review.whymark", "╭─ n2 ", "¬ SELECT "];
    let mut screen = check(review(), "4j v 8j gU 'my words' enter", &shown, File::Added(END, BOTH));
    screen.press("z");
    screen.assert_shows(&["undone: 2 notes on +4, +23", "¬my words"]);
    assert_eq!(text(&screen), REVIEW);
    screen.press("Z");
    screen.assert_shows(&["done again: 2 notes on +4, +23", "my words"]);
    assert_eq!(text(&screen), REVIEW.replace(END, &format!("{END}{BOTH}")));
    screen.press("z z");
    screen.assert_shows(&["nothing has been written that could be taken back"]);
}

#[test]
fn what_others_write_meanwhile_stays() {
    let foreign = "\n@note +22 kind=risk\nwhy: theirs\n";
    let screen = review().pressed("gU 'my words'");
    screen.sandbox.write("review.whymark", REVIEW.replace(END, &format!("{END}{foreign}")));
    let mut screen = check(screen, "enter", &["2 notes saved"], File::Added("why: theirs\n", BOTH));
    screen.press("z");
    assert_eq!(text(&screen), REVIEW.replace(END, &format!("{END}{foreign}")));
    // They come back even where nothing is as it was around them.
    let other = REVIEW.replace("@note +2..3 kind=intent risk=low confidence=0.9\n", "@note file\n");
    let other = other.replace("why: people asked to be called by their names\n", "why: new\n").replace(END, "");
    screen.sandbox.write("review.whymark", &other);
    screen.press("Z");
    assert_eq!(text(&screen), other.replace("why: new\n", &format!("why: new\n{BOTH}")));
}

#[test]
fn all_are_written_or_none() {
    let screen = review().pressed("gU 'my words'");
    screen.sandbox.write("review.whymark", REVIEW.replace("// nobody", "// somebody"));
    let shown =
        ["not saved: the lines are no longer in the review's diff", "│why      my words ", " 2 notes: +4, +23 "];
    check(screen, "enter", &shown, File::Same);
}

#[test]
fn a_form_of_several_comes_back_and_knows_its_lines() {
    let mut screen = review().pressed("gU 'my words'").killed();
    let shown = ["─ 2 notes: +4, +23 of src/greet.rs ─", "─ this was not saved last time ", "│why      my words "];
    screen.assert_shows(&shown);
    check(screen.killed(), "enter", &["2 notes saved", "¬not saved"], File::Added(END, BOTH));
    screen = review().pressed("gU 'my words'");
    screen.sandbox.write("review.whymark", REVIEW.replace("// nobody", "// somebody"));
    let mut screen = screen.killed();
    screen.assert_shows(&["are gone or not certain: it is about", "│why      my words "]);
    screen.press("tab tab tab tab tab tab left");
    let shown = [" not saved: other lines have these numbers now: save again if the text is about them "];
    let screen = check(screen, "enter", &shown, File::Same);
    check(screen, "enter", &["2 notes saved"], File::Added(END, BOTH));
}

/// Whatever is selected, each note names lines of one hunk that are all there, and one step takes all of them back.
#[test]
fn every_selection_of_a_file() {
    for (first, more, command) in (1..=12)
        .flat_map(|first| (0..=12 - first).flat_map(move |more| ["a", "gU"].map(|command| (first, more, command))))
    {
        let keys = format!(
            "{first}j v {}{command} 'words' enter",
            if more == 0 { String::new() } else { format!("{more}j ") }
        );
        let mut screen = review().pressed(&keys);
        let document = Document::parse(text(&screen));
        let section = &document.parts()[1];
        let tree = section.tree();
        let added = &tree.notes[1..];
        for note in added {
            assert_eq!(presence(section, note.selector), Presence::All, "{keys}: {}", note.selector);
            let (first, last) = named_lines(tree, note.selector).expect("they are there");
            let hunk = |line: u32| tree.hunks.iter().position(|hunk| hunk.lines.contains(&line));
            assert_eq!(hunk(first), hunk(last), "{keys}: {}", note.selector);
        }
        // The headings are no lines of the diff.
        let rows = first..=first + more;
        let hunks = [2..=8, 10..=12].iter().filter(|hunk| rows.clone().any(|row| hunk.contains(&row))).count();
        let bare = [6, 11].iter().filter(|row| rows.contains(*row)).count();
        assert_eq!(added.len(), if command == "a" { hunks } else { bare }, "{keys}\n{}", screen.text());
        if !added.is_empty() {
            screen.press("z");
            assert_eq!(text(&screen), REVIEW, "{keys}");
        }
    }
}
