//! How the diff is read: long lines wrapped or scrolled, sides next to each other, words marked.

use ratatui::style::Modifier;
use whymark::tui::input::MouseAction::{Drag, Press, ScrollDown};

use super::review;
use crate::support::{File, Sandbox, Screen, check};

/// A file whose second line takes three rows of 80 columns, between two short ones, with a note on it.
fn long() -> Screen {
    let words: String = (1..=30).map(|at| format!(" word{at:02}")).collect();
    let text =
        format!("@file a.txt modified\n@@ -1,2 +1,3 @@\n one\n+two{words}\n three\n\n@note +2\nwhy: it is long\n");
    Screen::document(text)
}

/// A line of 60 rows and more.
fn tower() -> Screen {
    let line = "0123456789 ".repeat(1000);
    Screen::document(format!("@file a.txt added\n@@ -0,0 +1,3 @@\n+one\n+{line}\n+three\n")).sized(80, 24)
}

#[test]
fn long_lines_are_wrapped_between_words_with_a_mark_in_the_gutter() {
    let screen =
        check(long().sized(80, 24), "w", &["word01", "word30", "        ↪ │   word", "three", "¬›"], File::Same);
    let rows = screen.rows();
    let first = usize::from(screen.find("+ two word01").1);
    let text: Vec<String> = rows[first..].iter().take(4).map(|row| row.chars().skip(15).collect()).collect();
    let words: String = (1..=30).map(|at| format!(" word{at:02}")).collect();
    assert_eq!(text.join(" "), format!("two{words}"));
    check(long().sized(80, 24), "ww", &["word01", "›", "¬word30", "¬↪"], File::Same);
    check(long().sized(80, 24), "j j w l", &[" TEXT ", "v select"], File::Same);
}

#[test]
fn the_cursor_the_mouse_and_the_cards_know_wrapped_rows() {
    // All rows of the line are the cursor's; the next line is one step away.
    let mut screen = check(long().sized(80, 24), "w jjj", &["▌        2 │ + two", "▌        ↪ │   word"], File::Same);
    let card = screen.find("it is long").1;
    assert!(card > screen.find("word30").1 && card < screen.find("three").1, "{}", screen.text());
    screen.press("k");
    let place = screen.find("word30");
    screen.mouse(Press, place);
    screen.assert_shows(&["▌        2 │ + two"]);
    screen.press("j");
    screen.assert_shows(&["▌   2    3     three"]);
    // Beside the diff the card begins at the first row, and the border is heavy along all rows.
    let screen = check(long().sized(120, 40), "w jjj", &["┃╭"], File::Same);
    let heavy = screen.rows().iter().filter(|row| row.chars().nth(79) == Some('┃')).count();
    assert_eq!(heavy, 4, "{}", screen.text());
}

#[test]
fn a_line_that_is_taller_than_the_screen_is_read_to_its_end() {
    let mut screen = tower().pressed("w jjj");
    screen.assert_shows(&["▌        2 ▏ + 0123456789"]);
    // Row by row, then on to the next line; back up likewise.
    screen.press(&"j".repeat(400));
    screen.assert_shows(&["▌        3 ▏ + three"]);
    screen.press("k");
    screen.assert_shows(&["▌        ↪ ▏   0123456789", "         3 ▏ + three", "¬        2 ▏"]);
    screen.press(&"k".repeat(400));
    screen.assert_shows(&["▌Untitled review", "+ one"]);
    screen.press("ctrl-d ctrl-d ctrl-d");
    screen.assert_shows(&["▌        ↪ ▏   0123456789", "¬        2 ▏", "¬three"]);
    for _ in 0..100 {
        screen.mouse(ScrollDown, (5, 5));
    }
    screen.assert_shows(&["three"]);
    screen.press("gg");
    screen.assert_shows(&["+ one"]);
}

#[test]
fn a_line_of_many_characters_costs_what_is_visible_of_it() {
    let line = "x".repeat(100_000);
    let text = format!("@file a.txt added\n@@ -0,0 +1,2 @@\n+{line}\n+end\n");
    check(Screen::document(&text).sized(80, 24), "w G", &["▌        2 ▏ + end"], File::Same);
    check(Screen::document(text).sized(80, 24), "w G k gg", &["a.txt"], File::Same);
}

#[test]
fn sides_stand_next_to_each_other_where_there_is_room() {
    let screen = check(review(), "\\", &["│    2 ┃ +     let name = name();"], File::Same);
    let (old, new) = (screen.find("println!(\"hello\")"), screen.find("let name = name()"));
    assert!(old.1 == new.1 && old.0 < new.0, "{}", screen.text());
    assert_eq!(screen.find("fn main() {").1, screen.find("let name").1 - 1);
    // The note is below, under the line it ends at, as wide as both.
    assert!(screen.find("n1 +2..3").1 > screen.find("hello {name}").1, "{}", screen.text());
    let beside = review().sized(200, 60).pressed("\\");
    assert_eq!(beside.find("n1 +2..3").1, beside.find("let name = name()").1, "{}", beside.text());
    let small = "side by side needs 100 columns beside the files: it comes when the window has them";
    let mut narrow = check(review().sized(99, 40), "\\", &["side by side needs 100 columns", "- "], File::Same);
    assert!(narrow.rows().iter().any(|row| row.contains(small)), "{}", narrow.text());
    narrow.resize(120, 40);
    assert_eq!(narrow.find("println!(\"hello\")").1, narrow.find("let name = name()").1);
    check(review(), "\\ \\", &["    2        - "], File::Same);
}

#[test]
fn the_cursor_is_on_one_side_and_notes_go_there() {
    for (keys, selector) in [
        ("\\ jjj a", "+2"),
        ("\\ jjj h a", "-2"),
        ("\\ jjj h l a", "+2"),
        ("\\ jjj a tab", "+2"),
        ("\\ jjj v j a", "+2..3"),
        ("\\ h jjj v j a", "-2"),
        ("\\ jj h a", "+1"),
    ] {
        let screen = review().pressed(keys);
        let form = screen.model.form.as_ref().expect("the form is open");
        assert_eq!(form.target().selector.to_string(), selector, "{keys}");
    }
    check(review(), "\\ jjj h", &["▌   2   -     println"], File::Same);
    check(review(), "\\ jjj", &["▌   2 ┃ +     let name"], File::Same);
    let mut screen = review().pressed("\\");
    let place = screen.find("println!(\"hello\")");
    screen.mouse(Press, place);
    screen.assert_shows(&["▌   2   -"]);
    let (from, to) = (screen.find("let name = name()"), screen.find("done();"));
    screen.mouse(Press, from);
    screen.mouse(Drag, to);
    screen.press("a");
    let form = screen.model.form.as_ref().expect("the form is open");
    assert_eq!(form.target().selector.to_string(), "+2..4");
}

#[test]
fn unexplained_lines_are_found_side_by_side() {
    for (keys, row) in [
        ("\\ u", "▌   4 ▏ +     done();"),
        ("\\ uu", "▌  23 ▏ +     // nobody"),
        ("\\ uu U", "▌   4 ▏ +     done();"),
        ("\\ G U", "▌   2 ▏ + Say hello."),
        ("\\ J", "▌   2 ┃ +     let name"),
        ("\\ w 5j w", "▌   4 ▏ +     done();"),
    ] {
        check(review(), keys, &[row], File::Same);
    }
}

#[test]
fn both_sides_wrap_together() {
    let (old, new) = ("old ".repeat(60), "new ".repeat(20));
    let text = format!("@file a.txt modified\n@@ -1,2 +1,2 @@\n-{old}\n+{new}\n end\n");
    let screen = check(Screen::document(text), "\\ w", &["↪"], File::Same);
    let (first, end) = (screen.find("- old").1, screen.find("end").1);
    assert_eq!(screen.find("+ new").1, first);
    assert!(end >= first + 4, "{}", screen.text());
}

/// The texts on the screen in which every cell has `modifier`.
fn words_with(screen: &Screen, modifier: Modifier, row: u16) -> Vec<String> {
    let frame = screen.frame();
    let mut words = vec![String::new()];
    for x in 15..frame.area.width {
        let cell = &frame[(x, row)];
        match (cell.modifier.contains(modifier), words.last_mut()) {
            (true, Some(word)) => word.push_str(cell.symbol()),
            (false, Some(word)) if !word.is_empty() => words.push(String::new()),
            _ => {}
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[test]
fn the_words_that_differ_are_marked() {
    let text = "@file a.rs modified\n@@ -1,4 +1,3 @@\n first\n-    let total = count(items);\n-nothing alike\n+    let total = sum(items);\n last\n";
    let screen = Screen::document(text).sized(80, 24);
    let row = |text: &str| screen.find(text).1;
    assert_eq!(words_with(&screen, Modifier::UNDERLINED, row("count(")), ["count"]);
    assert_eq!(words_with(&screen, Modifier::UNDERLINED, row("sum(")), ["sum"]);
    assert!(words_with(&screen, Modifier::UNDERLINED, row("nothing alike")).is_empty());
    // Also where the row with the cursor looks as words do elsewhere.
    let screen = screen.pressed("5j");
    screen.assert_shows(&["▌        2 ▏ +     let total = sum"]);
    assert_eq!(words_with(&screen, Modifier::REVERSED, screen.find("sum(").1), ["sum"]);
    let screen = screen.pressed("k i");
    assert!(words_with(&screen, Modifier::UNDERLINED, screen.find("sum(").1).is_empty());
    screen.assert_shows(&["no words are marked"]);
}

#[test]
fn blanks_at_the_end_of_added_lines_and_control_characters_are_symbols() {
    let text = "@file a.txt modified\n@@ -1,3 +1,4 @@\n kept  \n-gone  \n+come  \n+tab\t\n+\u{1b}[2J\u{202e}\r\n";
    let screen = Screen::document(text).sized(80, 24);
    screen.assert_shows(&["+ come··", "+ tab→", "␛[2J<U+202E>␍", "¬kept··", "¬gone··"]);
}

/// A repository whose staged file has 100 lines, of which the 40th and the 80th are others than before.
fn hundred() -> Sandbox {
    let lines = |changed: &[u32]| -> String {
        (1..=100).map(|at| format!("{} {at}\n", if changed.contains(&at) { "changed" } else { "line" })).collect()
    };
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", lines(&[]));
    sandbox.git(&["add", "."]);
    sandbox.git(&["commit", "--quiet", "--message", "First"]);
    sandbox.write("a.txt", lines(&[40, 80]));
    sandbox.git(&["add", "."]);
    sandbox
}

#[test]
fn lines_around_the_hunks_are_unfolded_and_folded() {
    for (keys, texts) in [
        ("", &["@@ -37,7 +37,7 @@", "⋯ 36 lines hidden", "⋯ 33 lines hidden", "¬ 16 "][..]),
        ("] +", &["⋯ 16 lines hidden", "   17   17 ┊   line 17", "   36   36 ┊   line 36", "¬line 16"]),
        ("] 3+", &["⋯ 33 lines hidden", "   34   34 ┊   line 34", "¬line 33"]),
        ("] ++", &["¬36 lines hidden", "    1    1 ┊   line 1"]),
        ("] enter enter", &["¬36 lines hidden", "    1    1 ┊   line 1"]),
        ("] enter enter enter", &["⋯ 36 lines hidden", "¬line 1"]),
        ("] ++ +", &["all lines are shown here"]),
        ("] + j enter", &["▌@@ -37,7 +37,7 @@", "⋯ 36 lines hidden", "¬┊"]),
        ("] + -", &["▌@@ -37,7 +37,7 @@", "⋯ 36 lines hidden", "¬┊"]),
        ("] j +", &["⋯ 16 lines hidden", "   17   17 ┊   line 17"]),
        ("] 8j 2+", &["⋯ 31 lines hidden", "   44   44 ┊   line 44", "   45   45 ┊   line 45", "¬line 46"]),
        ("G +", &["   83   83     line 83", "▌  84   84 ┊   line 84", "  100  100 ┊   line 100"]),
        ("G 2+ j 2+", &["⋯ 13 lines hidden", "▌  85   85 ┊   line 85", "   87   87 ┊   line 87"]),
        ("G 2+ 3j", &["▌  ⋯ 15 lines hidden"]),
        ("G 2+ 3j enter", &["  100  100 ┊   line 100"]),
        ("G 2+ 3j -", &["⋯ 17 lines hidden", "¬line 84"]),
        ("] + j a", &["the lines around the hunks are not in the diff: no note can be about them", "¬ WRITE "]),
        ("] + jj v 30j a", &["the lines around the hunks are not in the diff: no note can be about them"]),
        ("] + j ga", &[" WRITE ", "─ note on "]),
        ("] + j y", &["sent a.txt:17 to the terminal's clipboard"]),
        ("] +", &["explained 0 %"]),
    ] {
        check(Screen::staged(hundred()).sized(120, 90), keys, texts, File::Same);
    }
}

#[test]
fn unfolded_lines_are_those_of_the_file_on_both_sides() {
    let mut screen = Screen::staged(hundred()).sized(120, 300).pressed("] 99+ ]99+ G 99+");
    let file = std::fs::read_to_string(screen.sandbox.repo().join("a.txt")).expect("it is there");
    let rows = screen.rows();
    let shown: Vec<String> = rows
        .iter()
        .filter(|row| {
            !row.contains(" - ") && (row.contains("line ") || row.contains("changed ")) && !row.contains("@@")
        })
        .map(|row| row.chars().take(60).skip(15).collect::<String>().trim_end().to_owned())
        .collect();
    assert_eq!(shown.join("\n") + "\n", file, "{}", screen.text());
    screen.press("\\");
    screen.assert_shows(&["  17 ┊   line 17", "│   17 ┊   line 17"]);
    // They stay unfolded when a note is written.
    screen.press("gg u a 'why' enter");
    screen.assert_shows(&["  17 ┊   line 17", "why"]);
}

#[test]
fn another_version_of_the_file_is_not_shown() {
    let sandbox = hundred();
    let review = "@file a.txt modified oldsha=1234567 newsha=7654321\n@@ -37,2 +37,2 @@\n line 37\n-line 38\n+x\n";
    sandbox.write("review.whymark", review);
    let screen = Screen::open(sandbox, whymark::tui::open::Target::File("review.whymark".into()));
    let why = "nothing can be unfolded: blob 7654321 is not in the repository, and the file on disk is another one now";
    check(screen, "] +", &[why, "⋯ 36 lines hidden", "¬┊"], File::Same);
}

#[test]
fn what_no_line_of_the_diff_says_is_said_above_it() {
    let sandbox = Sandbox::new();
    sandbox.write(".editorconfig", "root = true\n[*.tabs]\ntab_width = 2\n");
    sandbox.write("crlf.txt", "one\r\ntwo\r\n");
    sandbox.write("bin", b"a\0b");
    sandbox.write("x.tabs", "\tone\n");
    sandbox.git(&["-c", "core.autocrlf=false", "add", "."]);
    sandbox.git(&["commit", "--quiet", "--message", "First"]);
    sandbox.write("crlf.txt", "one\ntwo\n");
    sandbox.write("bin", [&b"a\0b"[..], &[b'x'; 20_000]].concat());
    sandbox.write("x.tabs", "\tone\n\ttwo");
    sandbox.git(&["-c", "core.autocrlf=false", "add", "."]);
    let screen = Screen::staged(sandbox).sized(120, 60);
    screen.assert_shows(&[
        "binary content, 3 bytes → 20003 bytes (19.5 KiB)",
        "line ends: CRLF → LF",
        "- one␍",
        "▏ +   two",
        "\\ No newline at end of file",
    ]);
}

#[test]
fn the_lines_of_one_side_are_copied() {
    for (keys, text) in [
        ("\\ jj v 2j y", "fn main() {\n    let name = name();\n    println!(\"hello {name}\");\n"),
        ("\\ h jj v 2j y", "fn main() {\n    println!(\"hello\");\n"),
    ] {
        assert_eq!(review().pressed(keys).copied, [text], "{keys}");
    }
}

#[test]
fn what_follows_the_last_hunk_is_seen_to_be_hidden() {
    let tall = || Screen::staged(hundred()).sized(120, 90);
    check(tall(), "", &["   83   83     line 83", "⋯ 17 lines hidden", "¬┊"], File::Same);
    check(tall(), "G +", &["▌  84   84 ┊   line 84", "  100  100 ┊   line 100", "¬17 lines"], File::Same);
    check(tall(), "G 5+", &["⋯ 12 lines hidden"], File::Same);
    // Nobody asks for what is far from the screen.
    let sandbox = hundred();
    let lines = |name: &str, from| (from..=400).map(|at| format!("{name} {at}\n")).collect::<String>();
    sandbox.write("a.txt", lines("line", 1));
    sandbox.git(&["commit", "--quiet", "--all", "--message", "Second"]);
    sandbox.write("a.txt", (1..=300).map(|at| format!("other {at}\n")).collect::<String>() + &lines("line", 301));
    sandbox.git(&["add", "."]);
    let mut screen = Screen::staged(sandbox).sized(120, 24);
    assert!(!screen.model.parts[1].around.is_counted);
    screen.press("G");
    screen.assert_shows(&["⋯ 97 lines hidden"]);
}

#[test]
fn what_stands_in_the_frontmatter_is_shown_whoever_wrote_it() {
    let text = "---\nwhymark: 1 # at the end of a line\n# by hand: look twice\ntitle: x\nowner: Ada\n\
                summary: |\n  # a heading\n  text\nparts: [a, 2]\n---\n@file a added\n@@ -0,0 +1 @@\n+x\n";
    let shown = ["# at the end of a line", "# by hand: look twice", "owner: Ada", "parts: [\"a\",2]", "# a heading"];
    let screen = check(Screen::document(text).sized(120, 30), "", &shown, File::Same);
    assert_eq!(screen.text().matches("# a heading").count(), 1, "{}", screen.text());
    check(screen, "gg / 'look twice' enter", &["▌# by hand: look twice"], File::Same);
}
