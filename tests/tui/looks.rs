//! The frame: what stands where, borders that nothing shifts, and any size at any moment.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

use super::{review, staged, tall};
use crate::support::{File, Screen, check};

#[test]
fn notes_stand_beside_the_lines_where_there_is_room() {
    for (columns, beside) in [(40, false), (80, false), (109, false), (110, true), (120, true), (200, true)] {
        let screen = review().sized(columns, 40);
        let (note, line) = (screen.find("n1 +2..3"), screen.find("let name = name()"));
        assert_eq!(note.1 == line.1, beside, "{columns}\n{}", screen.text());
    }
}

#[test]
fn notes_have_a_column_as_soon_as_there_are_some() {
    let mut screen = Screen::staged(staged());
    screen.assert_shows(&["¬ notes ─"]);
    screen.press(">");
    screen.assert_shows(&["there is no border: it comes with the first note"]);
    let width = |screen: &Screen| screen.model.layout.map(|layout| layout.form.map(|form| form.width));
    screen.press("4j a 'x'");
    assert_eq!(width(&screen), Some(Some(120)), "{}", screen.text());
    screen.press("enter");
    screen.assert_shows(&["┬─ notes ─", "╭─ n1 "]);
    // Whatever is hidden of them, and wherever one goes, it stays.
    for keys in ["F 'stub' enter esc", "gF G", "} space gv", "gv c 'y' enter"] {
        screen.press(keys);
        screen.assert_shows(&["┬─ notes "]);
    }
    let screen = Screen::staged(staged()).pressed("4j a 'x' enter z");
    screen.assert_shows(&["undone", "¬ notes ─"]);
    // Who has moved the border has it where they put it.
    let screen = Screen::staged(staged()).pressed("4j a 'x' enter < z");
    screen.assert_shows(&["undone", "┬─ notes ─"]);
    // Nothing moves because of it but what has no room.
    let screen = Screen::staged(staged()).pressed("} j gA 'x' enter");
    screen.assert_shows(&["╭─ n1 whole change"]);
    assert!(screen.rows()[2].starts_with(" Staged changes"), "{}", screen.text());
    let mut screen = Screen::staged(staged()).pressed("4j m 'x' enter");
    screen.assert_shows(&["┬─ notes ─", "▪ markback"]);
    // What is being read keeps what is likely: that the review has some.
    screen.press("4j a 'x' enter");
    screen.reopened().assert_shows(&["┬─ notes ─"]);
}

#[test]
fn where_the_review_lies_gives_way_to_what_is_done_with_it() {
    for (columns, shown) in [
        (140, ["· review.whymark ", "explained "]),
        (80, ["Greet by name · review.whymark ", "explained 33 %  claimed 33 %"]),
        (60, ["Greet by name ", "explained 33 %"]),
    ] {
        let screen = review().sized(columns, 24);
        screen.assert_shows(&shown);
        assert!(!screen.rows()[0].contains('…'), "{}", screen.text());
    }
    let screen = Screen::staged(staged()).sized(80, 24);
    screen.assert_shows(&["staged changes on main · unwritten", "¬whymark ·"]);
}

/// Lines that would shift what stands behind them if their columns were not known.
const HOSTILE: [&str; 12] = [
    "wide 漢字 한글 かな",
    "emoji 👩\u{200d}🔬 🏳\u{fe0f}\u{200d}🌈 👍🏽 🇳🇴 1\u{fe0f}\u{20e3} ⚡\u{fe0f}",
    "combining e\u{301}\u{302}\u{303} क\u{94d}षि",
    "\ttabs\ta\tab\tabc\tabcd",
    "control \u{7}\u{8}\u{b}\u{c}\u{1b}[2J\u{1b}]0;title\u{7}\u{7f}\u{85}\u{9b}31m",
    "bidi \u{202e}abc\u{202c} \u{2066}x\u{2069} \u{200f}",
    "hidden a\u{200b}b\u{feff}c\u{ad}d\u{2028}e\u{2029}f",
    "right to left \u{5d0}\u{5d1}\u{5d2} \u{627}\u{644}",
    "\u{301}begins with a mark",
    "private \u{e000}\u{f8ff} tags \u{1f3f4}\u{e0067}\u{e0062}\u{e007f}",
    "carriage\rreturn\r",
    "",
];

/// A review in which everything is hostile: path, title, lines, notes.
fn hostile() -> Screen {
    let long = format!("{}漢", "0123456789".repeat(10_000));
    let wide = "漢".repeat(20_000);
    let lines: Vec<&str> = HOSTILE.iter().copied().chain([long.as_str(), wide.as_str()]).collect();
    let hunk: String = lines.iter().map(|line| format!("+{line}\n")).collect();
    let notes: String = (1..=HOSTILE.len())
        .map(|line| format!("\n@note +{line}\nwhy: about {}\n\n{}\n", HOSTILE[line - 1], HOSTILE[line - 1]))
        .collect();
    let title = "漢字\u{202e}\u{1b}[31m 👩\u{200d}🔬";
    let text = format!(
        "---\nwhymark: 1\ntitle: \"{title}\"\n---\n\n@file \"we\\033ird 漢\\tname\" added\n@@ -0,0 +1,{} @@ 漢\u{1b}[2J\n{hunk}{notes}",
        lines.len()
    );
    Screen::document(text)
}

/// What a terminal shows in column `x` of row `y`: `None` when a wide character to the left reaches into it.
fn at(frame: &Buffer, x: u16, y: u16) -> Option<&str> {
    let mut column = 0;
    while column < x {
        column += u16::try_from(frame[(column, y)].symbol().width().max(1)).expect("a cell is narrow");
    }
    (column == x).then(|| frame[(x, y)].symbol())
}

fn assert_borders_stand(screen: &Screen) {
    let frame = screen.frame();
    let layout = screen.model.layout.expect("the screen is large enough");
    let columns = [layout.notes.map(|pane| pane.x - 1), layout.files.map(Rect::right)];
    for x in columns.into_iter().flatten() {
        for y in layout.diff_title.y..layout.footer.y {
            let symbol = at(&frame, x, y);
            let is_border = symbol.is_some_and(|symbol| ["│", "┃", "┬"].contains(&symbol));
            assert!(is_border, "row {y} has {symbol:?} in column {x}\n{}", screen.text());
        }
    }
    for (y, row) in screen.rows().iter().enumerate() {
        assert!(row.width() <= usize::from(frame.area.width), "row {y} is too wide\n{}", screen.text());
    }
}

fn assert_nothing_is_obeyed(screen: &Screen) {
    let is_bad = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}'..='\u{2029}' | '\u{feff}')
    };
    for (y, row) in screen.rows().iter().enumerate() {
        assert!(!row.contains(is_bad), "row {y}: {row:?}");
    }
}

#[test]
fn nothing_shifts_a_border_and_nothing_is_obeyed() {
    for (columns, rows) in [(110, 12), (120, 40), (141, 30), (200, 60), (80, 24), (70, 20), (53, 12), (40, 10)] {
        let mut screen = hostile().sized(columns, rows);
        for keys in [
            "f",
            "j",
            "3j",
            "8j",
            "l",
            "ll",
            "7l",
            "G",
            "gg",
            "J",
            "JJ",
            "f",
            "5j",
            "a",
            "'漢字 e\u{301} 👩\u{200d}🔬'",
            "esc y",
            "?",
        ] {
            screen.press(keys);
            assert_borders_stand_unless_covered(&screen);
            assert_nothing_is_obeyed(&screen);
        }
    }
}

/// The help covers borders.
fn assert_borders_stand_unless_covered(screen: &Screen) {
    if !screen.text().contains(" HELP ") {
        assert_borders_stand(screen);
    }
}

#[test]
fn a_pasted_text_shifts_no_border() {
    for line in HOSTILE {
        let mut screen = review().pressed("4j a");
        screen.paste(line);
        assert_borders_stand(&screen);
        assert_nothing_is_obeyed(&screen);
    }
}

#[test]
fn the_end_of_a_long_line_can_be_read() {
    let mut screen = hostile().sized(80, 24).pressed("G 12498l");
    screen.assert_shows(&["6789漢"]);
    screen.press("9999999l");
    screen.press("9999999h 9999999h");
    screen.assert_shows(&["+ 0123456789"]);
}

#[test]
fn a_line_that_goes_on_says_so_and_where_it_begins() {
    let review = |len: usize| {
        let line = "0123456789".repeat(20);
        Screen::document(format!("@file a added\n@@ -0,0 +1 @@\n+{}\n", &line[..len])).sized(80, 24)
    };
    // 15 columns stand before the text.
    let whole = review(65);
    whole.assert_shows(&["+ 0123456789", "¬›", "¬from column"]);
    assert!(whole.rows().iter().any(|row| row.ends_with("01234")), "{}", whole.text());
    let mut cut = review(66);
    assert!(cut.rows().iter().any(|row| row.ends_with("0123›")), "{}", cut.text());
    cut.press("l");
    cut.assert_shows(&["+ 89012345678901", " from column 9 1 file ", "¬›"]);
    let mut long = review(200).pressed("2l");
    long.assert_shows(&["+ 678901234567890", " from column 17 "]);
    assert!(long.rows().iter().any(|row| row.ends_with('›')), "{}", long.text());
    long.press("2h");
    long.assert_shows(&["+ 0123456789", "¬from column"]);
    // The end stays in view, and the way back is as long as the way there.
    for keys in ["9999l", "l l l l l l l l l l l l l l l l l l l l l l l l l l l l l l"] {
        long.press(keys);
        long.assert_shows(&["+ 23456789", "¬234567890", " from column 193 ", "¬›"]);
        long.press("l");
        long.assert_shows(&["+ 23456789", "¬234567890", "the longest line on the screen ends here"]);
        long.press("24h");
        long.assert_shows(&["+ 0123456789", "¬from column"]);
    }
}

/// The frame of the open card under its lines stands whole: one top, one bottom, sides between, and as many rows as the
/// card has or as there is room for.
fn assert_card_is_whole(screen: &Screen, story: &str) {
    let frame = screen.frame();
    let diff = screen.model.layout.expect("the screen is large enough").diff;
    let x = diff.x + 4;
    let bottom = screen.model.layout.and_then(|layout| layout.form).map_or(0, |form| form.height) + diff.bottom();
    let side: Vec<&str> = (diff.top()..bottom).map(|y| frame[(x, y)].symbol()).collect();
    let (top, bottom) = (side.iter().position(|symbol| *symbol == "╭"), side.iter().position(|symbol| *symbol == "╰"));
    let (Some(top), Some(bottom)) = (top, bottom) else { panic!("{story}: a border is missing\n{}", screen.text()) };
    let is_framed = |(at, symbol): (usize, &&str)| match *symbol {
        "╭" => at == top,
        "╰" => at == bottom,
        "│" => (top..bottom).contains(&at),
        _ => !(top..=bottom).contains(&at),
    };
    assert!(side.iter().enumerate().all(is_framed), "{story}: a broken frame\n{}", screen.text());
    let rows = screen.model.open_card.as_ref().expect("a card is open").rows.len() + 2;
    let room = usize::from(diff.height).saturating_sub(4).max(3);
    assert_eq!(bottom + 1 - top, rows.min(room), "{story}\n{}", screen.text());
}

#[test]
fn a_card_under_its_lines_is_laid_out_anew_when_the_room_changes() {
    for (open, name) in [(review as fn() -> Screen, "low"), (tall, "tall")] {
        let mut screen = open().sized(80, 24).pressed("4j");
        assert_card_is_whole(&screen, name);
        for step in
            ["f", "f", "a", "'words'", "esc y", "80x40", "f", "100x16", "f", "40x10", "109x60", "80x24", "m esc"]
        {
            match step.split_once('x') {
                Some((columns, rows)) if !step.contains(' ') => {
                    screen.resize(columns.parse().expect("a number"), rows.parse().expect("a number"));
                }
                _ => screen.press(step),
            }
            assert_card_is_whole(&screen, &format!("{name}: {step}"));
        }
    }
}

#[test]
fn a_scrolled_card_shows_from_its_start_what_fits_on_a_larger_screen() {
    for size in [(80, 24), (120, 40)] {
        let mut screen = tall().sized(size.0, size.1).pressed("4j");
        for _ in 0..70 {
            screen.press(".");
        }
        screen.assert_shows(&["¬│ why  people", "│ body 60."]);
        screen.resize(size.0, 100);
        screen.assert_shows(&["│ why  people", "│ body 1.", "│ body 60.", "¬more rows"]);
        screen.resize(size.0, size.1);
        screen.assert_shows(&["│ why  people", "¬│ body 60.", "more rows below"]);
    }
}

#[test]
fn the_header_counts() {
    let bars = ["explained ███░░░░░░░ 33 %", "claimed ███░░░░░░░ 33 %"];
    review().sized(130, 40).assert_shows(&bars);
    review().sized(129, 40).assert_shows(&["explained 33 %  claimed 33 %", "¬█", "¬░"]);
    let removed = "@file a deleted\n@@ -1 +0,0 @@\n-x\n";
    for columns in [129, 130] {
        Screen::document(removed).sized(columns, 24).assert_shows(&[
            "explained –  claimed –",
            "¬%",
            "¬to write",
            "¬open",
        ]);
    }
    let added = "@file a added\n@@ -0,0 +1,2 @@\n+x\n+y\n";
    let notes = "\n@note +1\nwhy: x\nquestion: y?\nverify: cmd `z` => fail\n\n@note +2\nwhy: y\n\n@note +2\n";
    let screen = Screen::document(format!("{added}{notes}"));
    screen.assert_shows(&["explained 100 % · 1 to write  claimed 0 %  ⚑2 open"]);
    let screen = Screen::document(format!("{added}{notes}\n@note +1\n"));
    screen.assert_shows(&[" · 2 to write"]);
}

/// What must outlast any size: the cursor's row, what has the keyboard, what is typed.
fn essence(screen: &Screen) -> Vec<String> {
    let is_essential =
        |row: &&String| row.starts_with('▌') || row.contains("some words") || row.starts_with(" whymark");
    let mut rows: Vec<String> = screen.rows().iter().filter(is_essential).cloned().collect();
    rows.extend(screen.rows().last().cloned());
    rows
}

#[test]
fn any_size_at_any_moment() {
    for keys in ["", "5j", "4j v j", "4j a 'some words'", "4j a 'some words' esc", "?", "f", "G", "m 'some words'"] {
        let mut screen = review().pressed(keys);
        let before = essence(&screen);
        for (columns, rows) in [
            (80, 24),
            (40, 10),
            (39, 10),
            (40, 9),
            (20, 5),
            (1, 1),
            (2, 1),
            (1, 50),
            (500, 1),
            (500, 200),
            (110, 10),
            (160, 10),
        ] {
            screen.resize(columns, rows);
            assert_eq!(screen.rows().len(), usize::from(rows));
            if columns < 40 || rows < 10 {
                let hint = screen.text().trim().trim_end_matches('…').to_owned();
                assert!("whymark needs 40x10".starts_with(&hint), "{columns}x{rows} {hint}");
            } else {
                screen.assert_shows(&["whymark"]);
            }
        }
        screen.resize(120, 40);
        assert_eq!(essence(&screen), before, "{keys}");
    }
}

#[test]
fn keys_on_a_screen_that_is_too_small_do_no_harm() {
    let mut screen = review().sized(10, 3);
    screen.press("j k G gg u U J K ] [ } { ctrl-d ctrl-u ctrl-f ctrl-b h l f f ? esc v j esc");
    check(
        screen.sized(120, 40),
        "gg } 6j a 'y' enter",
        &["saved"],
        File::Added("=> pass\n", "\n@note +4 kind=intent\nwhy: y\n"),
    );
}

#[test]
fn the_cursors_line_stays_in_sight_when_the_size_changes() {
    let mut screen = review().pressed("G");
    for size in [(80, 24), (40, 10), (110, 12), (200, 60), (40, 10), (120, 40)] {
        screen.resize(size.0, size.1);
        screen.assert_shows(&["▌   2        - Gone."]);
    }
}

#[test]
fn files_without_lines_say_what_happened() {
    let review = "@file a renamed oldpath=b\n\n@file c modified oldmode=100644 newmode=100755\n\n@file d added\n\n\
                  @file e deleted\n\n@file f modified binary\n";
    let screen = Screen::document(review);
    screen.assert_shows(&["R a", "M c", "A d", "D e", "M f"]);
    let screen = Screen::staged(staged());
    screen.assert_shows(&[
        "R new name.txt",
        "renamed from old name.txt",
        "Staged changes on main".to_lowercase().as_str(),
    ]);
}

#[test]
fn a_file_that_cannot_be_read_says_so_for_good() {
    let sandbox = staged();
    let id = sandbox.git_line(&["rev-parse", ":b.txt"]);
    std::fs::remove_file(sandbox.path(format!(".git/objects/{}/{}", &id[..2], &id[2..]))).expect("it is there");
    let mut screen = Screen::staged(sandbox);
    for keys in ["esc", "}", "a 'x' enter", "G"] {
        screen.press(keys);
        screen.assert_shows(&["A b.txt", &format!("  cannot read {id}"), "¬an empty file", "+ TWO"]);
    }
}

#[test]
fn every_oddity_of_a_document_is_in_sight() {
    let review = "stray words\n---\nwhymark: 1\n---\n\n@file a modified\nnot a line\n@@ -1,9 +1,9 @@\n x\nno prefix\n\n\
                  # a comment\n\n@note +77\nwhy: nowhere\n\n@note +1\nwhyy: a typo\n";
    let mut screen = Screen::document(review);
    screen.assert_shows(&["not a line", "no prefix", "a comment", "↯ no such line", "nowhere"]);
    screen.press("JJ");
    screen.assert_shows(&["whyy: a typo"]);
}

#[test]
fn a_renamed_file_is_listed_with_its_old_name() {
    let text = "@file src/new.rs renamed from=src/old.rs\n\n@file lib/b.rs renamed from=src/a.rs\n";
    let mut screen = Screen::document(text).sized(160, 24);
    screen.assert_shows(&["R new.rs ← old.rs", "R b.rs ← src/a.rs"]);
    screen.resize(100, 24);
    screen.press("f");
    screen.assert_shows(&["R new.rs ← old"]);
}

#[test]
fn what_is_said_below_moves_nothing_and_covers_no_cursor() {
    let shown = |screen: &Screen| screen.rows()[2..18].to_vec();
    let mut screen = review().sized(60, 24).pressed("4j");
    let before = shown(&screen);
    screen.press("gr");
    assert!(screen.rows()[22].starts_with(" REVIEW "), "{}", screen.text());
    assert_eq!(shown(&screen), before);
    for keys in ["G", "L", "z", "gr"] {
        screen.press(keys);
        screen.press("esc G gr");
        assert!(screen.text().contains('▌'), "{keys}\n{}", screen.text());
    }
}

#[test]
fn the_answers_of_a_question_are_there_whatever_has_no_room() {
    let long = "word ".repeat(60);
    let mut screen = review().sized(40, 10).pressed(&format!("4j e ctrl-u '{long}' enter"));
    for keys in ["x", "a 'y' esc"] {
        screen.press(keys);
        let end = screen.rows()[7..].join(" ");
        let words: Vec<&str> = end.split_whitespace().collect();
        assert!(words.join(" ").contains("y yes, any other key no"), "{keys}\n{}", screen.text());
        screen.press("n esc n");
    }
}
