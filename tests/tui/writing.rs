//! The form: what a note is about, its fields, and that no word is lost or taken for a key.

use super::{REVIEW, review, staged};
use crate::support::{File, Screen, check};

/// The end of the first file's section in the review.
const END: &str = "verify: cmd `cargo test` => pass\n";

#[test]
fn a_selection_and_what_the_note_is_about() {
    for (keys, title) in [
        ("4j a", "note on +2 of src/greet.rs"),
        ("3j a", "note on -2 of src/greet.rs"),
        ("2j a", "note on +1 of src/greet.rs"),
        ("j a", "note on src/greet.rs"),
        ("}} a", "note on docs/old.md"),
        ("}} jj a", "note on -1 of docs/old.md"),
        ("gg a", "note on the whole change"),
        ("4j v a", "note on +2 of src/greet.rs"),
        ("4j v j a", "note on +2..3 of src/greet.rs"),
        ("5j v k a", "note on +2..3 of src/greet.rs"),
        ("3j v 3j a", "note on +2..4 of src/greet.rs"),
        ("2j v j a", "note on -1..2 of src/greet.rs"),
        ("2j v 6j a", "note on +1..6 of src/greet.rs"),
        ("9j v 2j a", "note on +22..23 of src/greet.rs"),
        ("7j v j a", "note on +5..6 of src/greet.rs"),
        ("4j v j esc a", "note on +3 of src/greet.rs"),
        ("4j v j v a", "note on +2..3 of src/greet.rs"),
        ("4j v j ga", "note on src/greet.rs"),
        ("4j v j gA", "note on the whole change"),
        ("4j v j m", "Markback note on +2..3 of src/greet.rs"),
        ("3j m", "Markback note on src/greet.rs"),
        ("}} m", "Markback note on docs/old.md"),
    ] {
        check(review().sized(200, 40), keys, &[&format!("─ {title} ─"), " WRITE "], File::Same);
    }
}

#[test]
fn what_no_note_can_be_about_is_refused_with_the_reason() {
    for (keys, reason) in [
        ("8j v 2j m", "a note's lines lie in one hunk: the selection spans several"),
        ("8j v 2j E", "a note's lines lie in one hunk: the selection spans several"),
        ("8j v 2j ga", "a note's lines lie in one hunk: the selection spans several"),
        ("13j v 3j a", "a note is about one file: the selection spans several"),
        ("j v a", "there is no line of the diff here"),
        ("gg m", "a Markback note is about a file, and none is named here"),
        ("gg ga", "there is no file here"),
    ] {
        check(review(), keys, &[reason, "¬ WRITE "], File::Same);
    }
}

/// Two lines of no file in front of a file.
const NAMELESS: &str = "@@ -0,0 +1,2 @@\n+x\n+y\n\n@file a added\n@@ -0,0 +1 @@\n+z\n";

#[test]
fn lines_of_no_file_are_not_the_whole_change() {
    for (keys, about) in [("j j a", "+1"), ("j j v j a", "+1..2"), ("j j j a", "+2")] {
        let screen = Screen::document(NAMELESS);
        screen.assert_shows(&["▌(no file named)", "A a"]);
        let shown = [&format!("─ note on {about} ─"), "¬whole change"];
        let screen = check(screen, keys, &shown, File::Same);
        let added = format!("\n@note {about} kind=intent\nwhy: y\n");
        check(screen, "'y' enter", &["n1 saved", "╭─ n1 "], File::Added("+y\n", &added));
    }
    let screen = check(Screen::document(NAMELESS), "jj gA", &["─ note on the whole change ─"], File::Same);
    check(
        screen,
        "backtab backtab backtab backtab right",
        &["about ‹+1›", "─ note on +1 ─", "¬whole change"],
        File::Same,
    );
}

#[test]
fn what_no_record_can_name_is_refused_with_the_reason() {
    let foreign = b"@file \"a\\377b\" added\n@@ -0,0 +1 @@\n+z\n".as_slice();
    for (text, keys, reason) in [
        (NAMELESS.as_bytes(), "jj m", "a Markback note is about a file, and none is named here"),
        (NAMELESS.as_bytes(), "jj v j m", "a Markback note is about a file, and none is named here"),
        (NAMELESS.as_bytes(), "m", "a Markback note is about a file, and none is named here"),
        (foreign, "jj m", "the path is not UTF-8, and Markback names files in UTF-8"),
        (foreign, "m", "the path is not UTF-8, and Markback names files in UTF-8"),
    ] {
        let screen = check(Screen::document(text), keys, &[reason, "¬ WRITE "], File::Same);
        assert_eq!(screen.records(), None);
    }
    // What a record cannot name, a note can.
    let screen = Screen::document(foreign).pressed("jj a 'y' enter");
    screen.assert_shows(&["n1 saved"]);
}

#[test]
fn a_note_with_a_reason_alone() {
    for (keys, selector) in [("5j a", "+3"), ("3j a", "-2"), ("7j a", "+5"), ("4j v 2j a", "+2..4"), ("ga", "file")] {
        let added = format!("\n@note {selector} kind=intent\nwhy: because of it\n");
        let shown = ["n2 saved to review.whymark", "│ why  because of it", "╭─ n2 ", "¬ WRITE ", "¬ SELECT "];
        check(review(), &format!("{keys} 'because of it' enter"), &shown, File::Added(END, &added));
    }
}

#[test]
fn a_note_on_the_whole_change_stands_before_the_first_file() {
    let shown = ["n1 saved to review.whymark"];
    check(
        review(),
        "gA 'all of it' enter",
        &shown,
        File::Added("scope: staged\n---\n", "\n@note doc kind=intent\nwhy: all of it\n"),
    );
}

#[test]
fn every_field() {
    let keys = "4j a 'why it is' tab 'file:a.rs — shows it' ctrl-j 'inference' tab 'cmd `x` => pass' tab 'one' alt-enter 'two' \
                tab 'or not?' tab 'Free text.' ctrl-j ctrl-j 'why: more of it' tab right left tab right tab right tab right right";
    let added = "\n@note +2 kind=source risk=low confidence=0.95\nwhy: why it is\nsource: file:a.rs — shows it\n\
                 source: inference\nverify: cmd `x` => pass\ntodo: one\ntodo: two\nquestion: or not?\n\n\
                 Free text.\n\n why: more of it\n";
    check(review(), &format!("{keys} ctrl-s"), &["n2 saved"], File::Added(END, added));
}

/// The rows of the form, borders included.
fn form_rows(screen: &Screen) -> usize {
    let area = screen.model.layout.and_then(|layout| layout.form).expect("a form is open");
    usize::from(area.height)
}

#[test]
fn a_form_is_as_large_as_what_is_in_it() {
    let at = |columns, rows, keys: &str| review().sized(columns, rows).pressed(keys);
    for (columns, rows, keys, height) in [
        (80, 24, "4j a", 5),
        (120, 40, "4j a", 7),
        (200, 60, "4j a", 5),
        (80, 24, "4j m", 3),
        (80, 24, "4j c", 3),
        (80, 24, "4j p", 5),
        (80, 24, "4j m tab", 4),
        (80, 24, "4j a tab", 6),
        (80, 24, "4j a 'x' tab tab tab", 6),
        (80, 24, "4j a 'x' tab 'inference' tab 'cmd `x` => pass' tab", 8),
        (80, 24, "4j a tab 'x' backspace tab", 6),
        (40, 10, "4j a", 5),
    ] {
        let screen = at(columns, rows, keys);
        assert_eq!(form_rows(&screen), height, "{keys} at {columns}x{rows}\n{}", screen.text());
    }
    at(80, 24, "4j a").assert_shows(&[
        "│+source  +verify  +todo  +question  +body  ",
        "│about [+2]  kind [intent]  risk [–]  confidence [–]  ",
    ]);
    at(80, 24, "4j a backtab").assert_shows(&["kind [intent]  risk [–]  confidence ‹–› "]);
    // What is typed stays in sight when the cursor is elsewhere.
    at(80, 24, "4j a tab 'inference' tab tab").assert_shows(&[
        "│source   inference ",
        "│todo ",
        "│+verify  +question  +body ",
    ]);
    at(40, 10, "4j a backtab").assert_shows(&["confidence ‹–›", "│why "]);
}

#[test]
fn fields_come_round() {
    for (keys, shown) in [
        ("tab", "│why      X "),
        ("tab tab 'X'", "│verify   X "),
        ("backtab", "confidence ‹–›"),
        ("backtab backtab", "risk ‹–›"),
        ("backtab backtab backtab", "kind ‹intent›"),
        ("backtab backtab backtab backtab", "about ‹+2›"),
        ("10tab", "│why      "),
        ("backtab left", "confidence ‹0.1›"),
        ("backtab right right", "confidence ‹0.95›"),
        ("backtab space", "confidence ‹1›"),
        ("backtab 'x'", "confidence ‹–›"),
    ] {
        let typed = if keys == "tab" { "tab tab tab tab tab tab tab tab tab tab 'X'" } else { keys };
        let typed = if keys == "10tab" { "tab tab tab tab tab tab tab tab tab tab" } else { typed };
        check(review(), &format!("4j a {typed}"), &[shown], File::Same);
    }
}

#[test]
fn choices_come_round() {
    const RISKS: &[&str] = &["–", "low", "medium", "high"];
    const CONFIDENCES: &[&str] =
        &["–", "1", "0.95", "0.9", "0.85", "0.8", "0.7", "0.6", "0.5", "0.4", "0.3", "0.2", "0.1"];
    for (field, label, values) in [("backtab", "confidence ", CONFIDENCES), ("backtab backtab", "risk ", RISKS)] {
        let (mut forward, mut back) =
            (review().pressed("4j a").pressed(field), review().pressed("4j a").pressed(field));
        for step in 0..=values.len() {
            let count = values.len();
            forward.assert_shows(&[&format!("{label}‹{}›", values[step % count])]);
            back.assert_shows(&[&format!("{label}‹{}›", values[(count - step) % count])]);
            forward.press("right");
            back.press("left");
        }
    }
}

#[test]
fn what_no_field_takes_is_said() {
    let choose = "does nothing here: left and right choose, tab goes on";
    for (keys, said) in [
        ("backtab x", format!("x {choose}")),
        ("backtab backspace", format!("backspace {choose}")),
        ("backtab backtab m x", format!("x {choose}")),
        ("f5", "f5 does nothing here".to_owned()),
        ("'a' ctrl-g", "ctrl-g does nothing here".to_owned()),
    ] {
        review().pressed("4j a").pressed(keys).assert_shows(&[&said]);
    }
    review().pressed("4j a backtab backtab m").assert_shows(&["risk ‹medium›", "¬does nothing"]);
}

#[test]
fn what_follows_the_first_paragraph_of_the_reason_is_free_text() {
    for (keys, note) in [
        ("'one' ctrl-j 'two' ctrl-j ctrl-j 'three' ctrl-j 'four'", "why: one\n  two\n\nthree\nfour\n"),
        ("'one' ctrl-j ctrl-j ctrl-j 'two' tab tab tab tab tab 'three'", "why: one\n\ntwo\n\nthree\n"),
        ("'one' ctrl-j '  ' ctrl-j 'why: two'", "why: one\n\n why: two\n"),
        ("ctrl-j ctrl-j 'one' ctrl-j ctrl-j", "why: one\n"),
        ("'one:' ctrl-j '  - two' ctrl-j '   three '", "why: one:\n    - two\n     three\n"),
    ] {
        let added = format!("\n@note +2 kind=intent\n{note}");
        check(review(), &format!("4j a {keys} enter"), &["n2 saved"], File::Added(END, &added));
    }
    // As it was typed it is changed again.
    let screen = review().pressed("4j a 'one:' ctrl-j '  - two' enter e");
    screen.assert_shows(&["│why      one: ", "│           - two "]);
    // What joins is said before it is saved.
    for (keys, is_said) in [
        ("'one'", false),
        ("'one' ctrl-j", false),
        ("'one' ctrl-j 'two'", true),
        ("'one' ctrl-j ctrl-j 'two'", false),
        ("'one' ctrl-j 'two' tab", false),
        ("tab tab tab tab tab 'one' ctrl-j 'two'", false),
    ] {
        let said = "─ lines join, paragraphs stay ─";
        let said = if is_said { said.to_owned() } else { format!("¬{said}") };
        check(review(), &format!("4j a {keys}"), &[&said], File::Same);
    }
}

#[test]
fn a_line_of_the_body_that_the_format_would_read_is_said_to_get_a_blank() {
    let body = "4j a 'x' tab tab tab tab tab";
    let said = "─ format-like lines get a blank ─";
    for (text, written, is_said) in [
        ("'@note +2'", " @note +2", true),
        ("'why: more'", " why: more", true),
        ("'one' ctrl-j '@file x'", "one\n @file x", true),
        ("'one' ctrl-j 'why: more'", "one\n why: more", true),
        ("'one' ctrl-j '- @x'", "one\n- @x", false),
        ("'@ home'", "@ home", false),
    ] {
        let shown = if is_said { said.to_owned() } else { format!("¬{said}") };
        let screen = check(review(), &format!("{body} {text}"), &[&shown], File::Same);
        let added = format!("\n@note +2 kind=intent\nwhy: x\n\n{written}\n");
        check(screen, "enter", &["n2 saved"], File::Added(END, &added));
    }
}

#[test]
fn the_footer_names_the_keys_that_help_here() {
    for (keys, hints) in [
        ("4j", "4 lines unexplained  u next unexplained  a write a note  J next note  ? help  q quit"),
        ("4j v", " SELECT  src/greet.rs:2                    "),
        ("4j v", " a write a note  m Markback note  esc stop selecting"),
        ("4j a", " enter save  tab more fields  ctrl-j new line  esc close"),
        ("4j a backtab", " right change  tab next field  enter save  esc close"),
        ("4j a tab", " enter save  tab next field  ctrl-j new line  esc close"),
        ("4j m", " enter save  tab lines or file  ctrl-j new line  esc close"),
        ("4j a backtab tab", " enter save  tab more fields  ctrl-j new line  esc close"),
        ("?", " q back"),
    ] {
        let screen = check(review(), keys, &[hints], File::Same);
        assert!(screen.rows()[39].contains(hints), "{keys}\n{}", screen.text());
    }
}

#[test]
fn what_it_is_about_can_be_chosen() {
    let to_about = "4j v j a 'x' backtab backtab backtab backtab";
    for (keys, selector) in [("", "+2..3"), ("right", "+3"), ("right right", "file"), ("left left", "file")] {
        let added = format!("\n@note {selector} kind=intent\nwhy: x\n");
        check(review(), &format!("{to_about} {keys} enter"), &["saved"], File::Added(END, &added));
    }
    let added = "\n@note doc kind=intent\nwhy: x\n";
    check(review(), &format!("{to_about} left enter"), &["saved"], File::Added("scope: staged\n---\n", added));
}

#[test]
fn nothing_is_saved_of_nothing() {
    for keys in ["a enter", "a ctrl-s", "a '   ' enter", "a backtab right enter", "m enter", "gA ctrl-j enter"] {
        let screen = check(review(), keys, &["nothing is written yet", " WRITE "], File::Same);
        assert_eq!(screen.records(), None);
    }
    check(review(), "a enter 'x'", &["¬nothing is written yet"], File::Same);
}

#[test]
fn text_is_thrown_away_only_after_a_yes() {
    const QUESTION: &str = " Throw the text away? y yes, any other key no";
    for leave in ["esc", "ctrl-c"] {
        check(review(), &format!("a 'word' {leave}"), &[QUESTION, "│why      word "], File::Same);
        for no in ["n", "q", "esc", "enter", "j", "ctrl-c"] {
            let keys = format!("a 'word' {leave} {no}");
            check(review(), &format!("{keys} 's'"), &["│why      words ", &format!("¬{QUESTION}")], File::Same);
        }
        for yes in ["y", "Y"] {
            check(review(), &format!("a 'word' {leave} {yes}"), &["¬word", " REVIEW "], File::Same);
        }
        check(review(), &format!("a {leave}"), &[" REVIEW ", &format!("¬{QUESTION}")], File::Same);
    }
}

#[test]
fn a_paste_is_never_keys() {
    let mut screen = review();
    let before = screen.rows();
    for text in ["q", "G", "aq\ny\n", "\u{1b}[Aq"] {
        screen.paste(text);
        screen.assert_shows(&["nothing takes text here: press a first, then paste"]);
        assert_eq!(screen.rows()[..39], before[..39]);
        assert!(!screen.left);
    }
    screen.press("?");
    screen.paste("q");
    screen.press("esc esc 4j a");
    screen.paste("one\r\ntwo\rq\tthree\u{1b}[31m\n");
    screen.assert_shows(&["│why      one ", "│         two ", "│         q", "1 control character was left out"]);
    screen.press("esc");
    screen.paste("y");
    screen.assert_shows(&["Throw the text away?", "│why      one "]);
    screen.press("n");
    let shown = ["n2 saved", "¬ WRITE "];
    let screen =
        check(screen, "enter", &shown, File::Added(END, "\n@note +2 kind=intent\nwhy: one\n  two\n  q\tthree[31m\n"));
    assert!(!screen.left);
}

#[test]
fn a_paste_while_a_choice_has_the_keys_is_still_text() {
    let mut screen = review().pressed("4j a backtab");
    screen.paste("pasted");
    screen.assert_shows(&["│why      pasted ", "risk [–] ", "¬‹"]);
}

#[test]
fn control_characters_of_a_paste_are_left_out_and_counted() {
    let mut screen = review().pressed("4j a");
    screen.paste("a\0b\u{9b}c\u{202e}d\u{1b}");
    screen.assert_shows(&["│why      abc", "3 control characters were left out"]);
    screen.press("'e'");
    screen.assert_shows(&["¬left out"]);
    let added = "\n@note +2 kind=intent\nwhy: abc\u{202e}de\n";
    check(screen, "enter", &["n2 saved"], File::Added(END, added));
}

#[test]
fn a_large_paste_is_kept_whole() {
    let line = "many words in one line ".repeat(200);
    let mut screen = review().sized(80, 24).pressed("4j a");
    screen.paste(&line);
    let added = format!("\n@note +2 kind=intent\nwhy: {}\n", line.trim_end());
    check(screen, "enter", &["n2 saved"], File::Added(END, &added));
}

#[test]
fn text_of_every_script_is_stored_as_typed() {
    let text = "e\u{301} 👨\u{200d}👩\u{200d}👧 漢字 \u{5d0}\u{5d1} done";
    let added = format!("\n@note +2 kind=intent\nwhy: {text}\n");
    check(review(), &format!("4j a '{text}' enter"), &["n2 saved"], File::Added(END, &added));
    let added = "\n@note +2 kind=intent\nwhy: 漢\n";
    let backspaces = "backspace ".repeat(3);
    let family = "漢e\u{301}👨\u{200d}👩\u{200d}👧字";
    check(review(), &format!("4j a '{family}' {backspaces} enter"), &["n2 saved"], File::Added(END, added));
}

#[test]
fn the_terminals_cursor_is_where_the_next_letter_goes() {
    for (typed, columns) in [("", 0), ("abc", 3), ("漢字", 4), ("e\u{301}", 1), ("ab", 2)] {
        let screen = review().pressed("4j a").pressed(&format!("'{typed}'"));
        let (x, y) = screen.find("│why      ");
        assert_eq!(screen.cursor(), (x + 10 + columns, y), "{typed:?}\n{}", screen.text());
    }
}

#[test]
fn the_code_stays_in_sight_while_writing() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 10), (200, 60)] {
        let screen = review().sized(columns, rows).pressed("5j a 'reason'");
        screen.assert_shows(&["▌        3 ┃ +", "why      reason"]);
    }
}

#[test]
fn a_markback_note() {
    let screen =
        check(review(), "4j v j m 'one remark' enter", &["Markback note saved to review.mb", "▪ markback"], File::Same);
    let records = screen.records().expect("it was saved");
    let wanted = "@id r1\n@by Ada Example\n@action created 2026-01-02T03:04:05Z Ada Example\n@file src/greet.rs:2-3\n\n    \
                  let name = name();\n    println!(\"hello {name}\");\n<<< one remark\n";
    assert_eq!(records, wanted);
    let mut screen = screen.pressed("esc } m 'on a file' ctrl-j 'in two lines' enter");
    screen.assert_shows(&["Markback note saved to review.mb"]);
    let both = screen.records().expect("it was saved");
    assert_eq!(both[..wanted.len()], *wanted, "what was there stays");
    assert!(both.contains("@id r2\n") && both.contains("@file docs/guide.md\n"), "{both}");
    screen.press("gg 3j 5j");
    let screen = screen.reopened().pressed("4j");
    screen.assert_shows(&["one remark", "on a file", "2 ┃▪+"]);
}

#[test]
fn the_records_of_a_review_in_a_folder_name_files_from_there() {
    let screen = check(
        Screen::staged(staged()),
        "4j m 'seen' enter",
        &["Markback note saved to reviews/staged-main.mb", "seen"],
        File::Same,
    );
    let records = screen.records().expect("it was saved");
    assert!(records.contains("\n@file ../a.txt:2\n"), "{records}");
}

#[test]
fn notes_are_written_one_after_the_other() {
    let mut screen = review();
    for (keys, text) in [("4j a", "first"), ("j a", "second"), ("3} a", "third")] {
        screen.press(keys);
        screen.type_text(text);
        screen.press("enter");
    }
    let file = String::from_utf8(screen.file().expect("it is there")).expect("it is UTF-8");
    let first = REVIEW.find("\n@file docs/guide").expect("it is there");
    let two = "\n@note +2 kind=intent\nwhy: first\n\n@note +3 kind=intent\nwhy: second\n";
    let third = "\n@note file kind=intent\nwhy: third\n";
    assert_eq!(file, [&REVIEW[..first], two, &REVIEW[first..], third].concat());
}

#[test]
fn of_a_long_path_both_ends_are_in_sight() {
    let path = format!("first/{}greet.rs", "deep/".repeat(20));
    let screen = Screen::document(REVIEW.replace("@file src/greet.rs", &format!("@file {path}")));
    screen.sized(80, 24).pressed("4j a").assert_shows(&["╭─ note on +2 of first/deep/", "…", "/deep/greet.rs ─"]);
}

#[test]
fn a_hint_never_looks_like_what_is_typed() {
    let mut screen = review().pressed("a");
    screen.assert_shows(&["│why      (the reason, not the what) "]);
    screen.use_theme("dark", whymark::tui::colour::Depth::True);
    screen.assert_shows(&["│why      the reason, not the what "]);
}

#[test]
fn the_form_stands_at_its_lines_and_hides_none_of_them() {
    // Under them where the diff has all columns, and beside the first one where the notes have their own.
    for (keys, last) in [("4j a", "2 ┃ +     let name"), ("4j v j a", "3 ┃ +     println"), ("j ga", "M src/greet.rs")]
    {
        let screen = review().sized(80, 24).pressed(keys);
        assert_eq!(screen.find("╭─ note on").1, screen.find(last).1 + 1, "{keys}\n{}", screen.text());
        screen.assert_shows(&["+     let name", "+     println!", "▌"]);
    }
    for (keys, first) in [("4j a", "2 ┃ +     let name"), ("4j v j a", "2 ┃ +     let name"), ("8j a", "4    6     }")]
    {
        let screen = review().pressed(keys);
        assert_eq!(screen.find("╭─ note on").1, screen.find(first).1, "{keys}\n{}", screen.text());
        screen.assert_shows(&["people asked to be"]);
    }
    // In a small window one of its rows is left.
    let screen = review().sized(40, 10).pressed("4j a 'x' esc");
    screen.assert_shows(&["▌        2 ┃ +", "╭─ note on", "Throw the text away? y yes, any other"]);
}

#[test]
fn rows_that_have_no_place_in_the_form_are_counted() {
    let lines: Vec<String> = (1..=30).map(|number| format!("'line {number}'")).collect();
    let mut screen = review().sized(80, 24).pressed(&format!("4j a {}", lines.join(" ctrl-j ")));
    screen.assert_shows(&[" ↑ 20 rows ─", "line 30", "¬↓", "¬line 2 "]);
    screen.press(&"up ".repeat(29));
    screen.assert_shows(&[" ↓ 20 rows ─", "line 1 ", "¬↑"]);
}
