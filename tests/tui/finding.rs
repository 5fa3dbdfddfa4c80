//! Finding things: lists of commands and files, what is shown, what wants a look.

use whymark::metrics::Stats;
use whymark::tui::command::{COMMANDS, Command, Context};
use whymark::tui::evidence;
use whymark::tui::input::MouseAction;
use whymark::tui::model::Tone;
use whymark::tui::msg::Msg;

use super::{REVIEW, review};
use crate::support::{File, Screen, check};

#[test]
fn commands_are_found_by_their_names() {
    for (keys, texts) in [
        (":", &["─ Commands ─", " CHOOSE ", "▌ down", "one line down", "j ctrl-n down"][..]),
        (": 'next-unc'", &["▌ next-uncovered", "next added line that no note explains"]),
        (": 'next-unc' enter", &["▌        4 ▏ +", " REVIEW "]),
        (": 'verify' enter", &[" VERIFY "]),
        (": 'quit'", &["▌ quit"]),
        (": down down up", &["▌ up "]),
        (": ctrl-n tab backtab ctrl-p", &["▌ down"]),
        (": pgdn pgup", &["▌ down"]),
        (": 'unexplained' esc", &[" REVIEW ", "¬─ Commands ─"]),
        (": 'zzzz'", &["nothing fits", "0 of "]),
        (": 'zzzz' enter", &["nothing fits what is typed", " CHOOSE "]),
        (": '4'", &["▌        4 ▏ +", "▌ 4 ", "go to this line of src/greet.rs"]),
        (": '4' enter", &["▌        4 ▏ +", " REVIEW "]),
        (": '4' esc", &["▌M src/greet.rs"]),
        ("gg : '4'", &["▌        4 ▏ +", "▌ 4 ", "go to this line of src/greet.rs"]),
        ("gg : '4' enter", &["▌        4 ▏ +", " REVIEW "]),
        (": '4' ctrl-u", &["▌M src/greet.rs"]),
        (": '15' enter", &["▌   4    6     }", "the diff does not show line 15"]),
        (": 'why do I explain a line'", &["0 of "]),
        (": 'explains'", &["▌ next-uncovered", "prev-uncovered"]),
    ] {
        check(review(), keys, texts, File::Same);
    }
}

#[test]
fn a_line_without_a_file_is_none() {
    let screen = Screen::document("---\nwhymark: 1\n---\n");
    check(screen, ": '4' enter", &["there is no file here that has lines", " CHOOSE "], File::Same);
}

#[test]
fn every_command_of_the_review_is_in_the_list() {
    for entry in COMMANDS.iter().filter(|entry| entry.contexts.contains(&Context::Review)) {
        let mut screen = review().pressed(":");
        screen.type_text(entry.name);
        let wanted = format!("▌ {} ", entry.name);
        let is_there = screen.text().contains(&wanted);
        assert_eq!(is_there, entry.command != Command::Palette, "{}\n{}", entry.name, screen.text());
    }
}

#[test]
fn a_list_takes_the_mouse() {
    let mut screen = review().pressed(":");
    let at = screen.find("half-page-up");
    screen.mouse(MouseAction::ScrollDown, at);
    screen.assert_shows(&["▌ up "]);
    let at = screen.find("to the bottom");
    screen.mouse(MouseAction::Press, at);
    screen.assert_shows(&["▌   2        - Gone.", " REVIEW "]);
    screen.press(":");
    screen.mouse(MouseAction::Press, (1, 3));
    screen.assert_shows(&["▌   2        - Gone.", " REVIEW "]);
}

#[test]
fn a_list_fits_every_screen() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 10), (200, 60)] {
        let mut screen = review().sized(columns, rows).pressed(":");
        for _ in 0..COMMANDS.len() {
            assert_eq!(screen.text().matches("│ ▌ ").count(), 1, "{}", screen.text());
            screen.press("down");
        }
        screen.assert_shows(&["│ ▌ redraw"]);
    }
}

/// One note of every kind of trouble, over two files, and a Markback note.
const TROUBLE: &str = "---
whymark: 1
title: Trouble
author: Ada Example
checks:
  - cmd: make
    status: fail
---

@file src/a.rs added
@@ -0,0 +1,6 @@
+one
+two
+three
+four
+five
+six

@note +1 kind=intent risk=high
why: fails
verify: cmd `false` => fail

@note +2 kind=risk risk=high
why: high and unverified
todo: look at it

@note +3 kind=assumption
why: a guess
source: inference

@note +4 kind=intent risk=low
why: fine
source: file:src/a.rs:1
verify: type => pass

@file src/b.rs added
@@ -0,0 +1,2 @@
+alpha
+beta
@@ -10,0 +11,2 @@
+gamma
+delta

@note +1..2 kind=note
why: TODO

@note +11 kind=question
why: half of it
question: really?
";

fn trouble() -> Screen {
    Screen::document(TROUBLE)
}

#[test]
fn unexplained_lines_are_counted_as_one_goes() {
    for (keys, texts) in [
        ("u", &["▌        5 ▏ + five", "unexplained line 1 of 3"][..]),
        ("uu", &["▌        6 ▏ + six", "unexplained line 2 of 3"]),
        ("uuu", &["▌       12 ▏ + delta", "unexplained line 3 of 3"]),
        ("uuuu", &["▌       12 ▏ + delta", "no unexplained line further down (3 in all; U goes up)"]),
        ("G U", &["▌        6 ▏ + six", "unexplained line 2 of 3"]),
    ] {
        check(trouble(), keys, texts, File::Same);
    }
}

#[test]
fn only_what_wants_a_note_is_shown_and_that_is_said() {
    for (keys, texts) in [
        ("gu", &["one", "five", "gamma", "¬alpha", " 1 hunk, 1 note hidden (gF), shown: unexplained "][..]),
        ("gu gu", &["alpha", "¬ hidden (gF)"]),
        ("gu gF", &["alpha", "¬ hidden (gF)", "everything is shown"]),
        ("gF", &["nothing is hidden"]),
        ("gu }", &["▌A src/b.rs"]),
        ("gu }j", &["▌@@ -10,0 +11,2 @@"]),
        ("4} gu", &["▌       12 ▏ + delta"]),
        ("gu", &["▌        5 ▏ + five"]),
        ("5j F 'unex' enter esc", &["▌        5 ▏ + five"]),
        ("gg F 'unex' enter esc", &["▌        5 ▏ + five"]),
        ("gg F 'risk' enter esc", &["▌        1 ╳ + one", "╭─ n1 "]),
        ("G gu", &["▌       12 ▏ + delta"]),
        ("gu / 'alpha'", &["not found"]),
        ("/ 'alpha' enter gu", &["/alpha not found"]),
        ("gu JJJJ J", &["n6 +11 ", "half of it"]),
    ] {
        check(trouble(), keys, texts, File::Same);
    }
}

#[test]
fn whoever_goes_elsewhere_leaves_the_text_of_a_line() {
    for keys in ["tab esc", "tab enter", "F esc", "gf esc", "gi esc"] {
        let screen = review().pressed("4j vv v l");
        screen.assert_shows(&[" CHARS "]);
        check(screen, keys, &[" REVIEW ", "¬ CHARS ", "¬ TEXT "], File::Same);
    }
    check(review(), "4j vv : esc", &[" TEXT "], File::Same);
}

#[test]
fn what_a_command_does_is_found_by_the_words_that_say_it() {
    for (typed, count) in [("theme", "1 of "), ("explains", "3 of ")] {
        check(review(), &format!(": '{typed}'"), &[count], File::Same);
    }
}

#[test]
fn when_the_last_line_is_explained_nothing_is_left_to_show() {
    let mut screen = Screen::document("@file a added\n@@ -0,0 +1 @@\n+x\n\n@file b added\n@@ -0,0 +1 @@\n+y\n");
    screen.press("gu a 'because' enter");
    screen.assert_shows(&["¬+ x", "+ y", "n1 saved"]);
    screen.press("u a 'because' enter");
    screen.assert_shows(&["¬+ x", "¬+ y", "n2 saved"]);
    screen.press("gF");
    screen.assert_shows(&["+ x", "+ y"]);
    screen.press("gu");
    screen.assert_shows(&["every added line is explained", "+ x"]);
}

#[test]
fn notes_are_shown_by_what_they_are() {
    for (facets, shown) in [
        (&["risk high"][..], &[1, 2][..]),
        (&["risk high", "unverified"], &[1, 2]),
        (&["inferred"], &[3]),
        (&["inferred", "stub"], &[3, 5]),
        (&["open"], &[1, 2, 6]),
        (&["mine"], &[1, 2, 3, 4, 5, 6]),
        (&["intent", "question"], &[1, 4, 6]),
        (&["intent", "risk low"], &[4]),
        (&["Markback"], &[]),
    ] {
        for (columns, rows) in [(120, 60), (80, 80)] {
            let mut screen = trouble().sized(columns, rows).pressed("F");
            for facet in facets {
                screen.type_text(facet);
                screen.press("enter ctrl-u");
            }
            screen.press("esc");
            let text = screen.text();
            let found: Vec<usize> = (1..=6).filter(|number| text.contains(&format!(" n{number} "))).collect();
            assert_eq!(found, shown, "{facets:?}\n{text}");
            let words = match 6 - shown.len() {
                1 => " 1 note hidden (gF)".to_owned(),
                hidden => format!(" {hidden} notes hidden (gF)"),
            };
            assert!(text.contains(&words), "{words}\n{text}");
            let mut seen = 0;
            screen.press("gg");
            for _ in 0..7 {
                screen.press("J");
                seen += usize::from(!screen.text().contains("no note further down"));
            }
            assert_eq!(seen, shown.len(), "J finds just those\n{}", screen.text());
        }
    }
}

#[test]
fn the_filter_says_what_there_is_and_what_is_chosen() {
    check(trouble(), "F", &["[ ] unverified ", "[ ] risk high ", "¬[ ] perf", "[ ] Markback"], File::Same);
    check(trouble(), "F 'risk high' enter", &["[x] risk high ", " 4 notes hidden (gF), shown: risk high "], File::Same);
    check(trouble(), "F 'risk high' enter enter esc", &["¬ hidden (gF)"], File::Same);
    check(trouble(), "m 'x' enter F 'Markback' enter esc", &["▪ markback", "¬ n1 ", "6 notes hidden"], File::Same);
}

#[test]
fn a_note_that_the_filter_hides_is_written_all_the_same() {
    let mut screen = trouble().pressed("F 'stub' enter esc U a 'veiled' enter");
    screen.assert_shows(&[
        "n5 saved to review.whymark; the filter hides it, gF shows all",
        "¬veiled",
        "6 notes hidden",
    ]);
    screen.press("gF");
    screen.assert_shows(&["n5 +6", "veiled"]);
}

#[test]
fn what_is_open_is_counted_alike() {
    let screen = trouble().pressed("m 'x' enter gA 'doc' enter gi");
    screen.assert_shows(&["open     3 in 3 notes:", "1 Markback note", "not resolved: x"]);
    let mut screen = screen.pressed("esc F");
    screen.assert_shows(&["[ ] open ", " 4 "]);
    let row = screen.rows().into_iter().find(|row| row.contains("[ ] open "));
    assert!(row.is_some_and(|row| row.contains(" 4 │")), "{}", screen.text());
    screen.press("esc");
    screen.press("F 'open'");
    screen.assert_shows(&["enter tick", "esc done"]);
    screen.press("esc n");
}

#[test]
fn what_is_wrong_with_the_settings_stands_in_the_help() {
    let mut screen = trouble().sized(80, 24);
    screen.model.problems = vec![
        "config.toml, line 3, column 1: there is no setting `colour`: did you mean `theme`, or none of all these?"
            .to_owned(),
    ];
    screen.press("?");
    screen.assert_shows(&[
        "Left out of your own settings",
        "config.toml, line 3, column 1: there is no setting `colour`",
        "none of all these?",
    ]);
    screen.press("/");
    screen.assert_shows(&[" CHOOSE ", "─ Find a key ─"]);
    screen.press("'verify' enter");
    screen.assert_shows(&[" HELP ", "▌V "]);
}

#[test]
fn a_message_that_does_not_fit_takes_more_rows() {
    let words = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen";
    for (width, height) in [(80, 24), (40, 10), (120, 40)] {
        let mut screen = trouble().sized(width, height).pressed("G");
        let cursor = |screen: &Screen| screen.rows().iter().any(|row| row.starts_with('▌'));
        screen.model.say(Tone::Info, words);
        screen.happen(Msg::Input(Vec::new()));
        assert!(cursor(&screen), "the cursor stays on the screen\n{}", screen.text());
        let shown =
            screen.rows().iter().rev().take(3).rev().map(|row| row.trim().to_owned()).collect::<Vec<_>>().join(" ");
        let wanted = if width == 40 { "one two" } else { "thirteen fourteen fifteen sixteen" };
        assert!(shown.contains(wanted), "{width}x{height}\n{}", screen.text());
        screen.press("k");
        assert!(cursor(&screen) && screen.model.layout.is_some_and(|layout| layout.footer.height == 1));
    }
}

#[test]
fn the_numbers_are_those_of_stats() {
    let screen = trouble().pressed("gi");
    let stats = Stats::of(&screen.model.review.document);
    assert_eq!(evidence::stats(&screen.model), stats);
    screen.assert_shows(&[
        "covered  7 of 10 added lines (2 by nothing but stubs); 1 with a claim of pass",
        "notes    6: 1 sourced, 1 inferred only, 4 without a source, 1 stub, 0 orphaned",
        "risk     2 high (2 unverified), 0 medium, 1 low",
        "claims   1 pass, 1 fail, 0 unknown, 0 skipped",
        "open     3 in 3 notes: 1 todo, 1 question, 1 claim that failed or nobody checked; 0 Markback notes",
        "checks   1: 0 pass, 1 fail, 0 unknown or skipped; 0 files stale",
    ]);
}

#[test]
fn what_wants_a_look_is_listed_and_gone_to() {
    for (keys, texts) in [
        ("gi", &["▌ n1 src/a.rs:+1", "a claim fails, high risk, unverified, 1 open: fails"][..]),
        ("gi", &["n2 src/a.rs:+2", "high risk, unverified, 1 open: high and unverified", "2 added lines unexplained"]),
        ("gi", &["n3 src/a.rs:+3", "inferred only: a guess", "¬n4 src/a.rs"]),
        ("gi down enter", &["▌        2 │ + two", "╭─ n2 +2", " REVIEW "]),
        ("gi down", &["▌        2 │ + two", "▌ n2 src/a.rs:+2"]),
        ("gi down esc", &["▌A src/a.rs", " REVIEW "]),
        ("gi 'really' enter", &["nothing fits what is typed"]),
        ("gi 'half' enter", &["▌       11 │ + gamma", "╭─ n6 +11"]),
        ("gi 'src/b.rs' enter", &["▌A src/b.rs"]),
    ] {
        check(trouble().sized(120, 60), keys, texts, File::Same);
    }
}

#[test]
fn files_are_a_tree() {
    let sections: String = ["Cargo.toml", "src/a.rs", "src/tui/view/files.rs", "src/tui/view/mod.rs", "src/x/y/z.rs"]
        .iter()
        .map(|path| format!("@file {path} added\n@@ -0,0 +1,2 @@\n+x\n+y\n\n@note +1\nwhy: z\n\n"))
        .collect();
    let screen = Screen::document(&sections).sized(200, 60);
    let rows = screen.rows();
    let names: Vec<&str> = rows[2..10].iter().map(|row| row.split('│').next().unwrap_or_default().trim_end()).collect();
    let file = |name: &str| format!("{name:26}¶1 +2 −0 ██░░");
    let want = [
        file("▌A Cargo.toml"),
        " ▾ src/".to_owned(),
        file("  A a.rs"),
        "  ▾ tui/view/".to_owned(),
        file("   A files.rs"),
        file("   A mod.rs"),
        "  ▾ x/y/".to_owned(),
        file("   A z.rs"),
    ];
    assert_eq!(names, want, "{}", screen.text());
}

#[test]
fn every_one_of_many_files_is_reached() {
    let sections: String =
        (0..3000).map(|file| format!("@file d{}/f{file:04}.rs added\n@@ -0,0 +1 @@\n+x\n\n", file / 100)).collect();
    let mut screen = Screen::document(&sections).sized(120, 24).pressed("tab");
    screen.assert_shows(&["─ 3000 files ─", "▌ A f0000.rs"]);
    screen.press("G");
    screen.assert_shows(&["▌ A f2999.rs", " d29/", "▌A d29/f2999.rs"]);
    screen.press("k ctrl-u enter");
    screen.assert_shows(&["▌ A f2988.rs", " REVIEW "]);
    screen.press("gf 'f1234' enter");
    screen.assert_shows(&["▌A d12/f1234.rs"]);
    let at = screen.find("A f1236.rs");
    screen.mouse(MouseAction::Press, at);
    screen.assert_shows(&["▌A d12/f1236.rs"]);
    screen.mouse(MouseAction::ScrollDown, at);
    screen.assert_shows(&["▌A d12/f1237.rs"]);
}

#[test]
fn lines_that_no_test_ran_are_marked_and_gone_to() {
    for (keys, texts) in [
        ("t", &["▌        3 ┃○+ ", "untested line 1 of 2", "        4 ▏ + "][..]),
        ("tt", &["▌       23 ▏○+ ", "untested line 2 of 2"]),
        ("ttt", &["no untested line further down (2 in all; gt goes up)"]),
        ("G gt gt", &["▌        3 ┃○+ ", "untested line 1 of 2"]),
        ("5j m 'x' enter", &["        3 ┃▪+ "]),
        ("gi", &["tests    2 added lines that no test ran"]),
        ("tt a 'x' enter", &["▌       23 │○+ "]),
    ] {
        let mut screen = super::tested().sized(120, 40);
        screen.press(keys);
        screen.assert_shows(texts);
    }
    check(review(), "t", &["no coverage report of the files as they are: start with --lcov FILE"], File::Same);
}

#[test]
fn a_theme_is_looked_at_before_it_is_chosen() {
    let mut screen = review().pressed("T");
    let dark = screen.model.theme.clone();
    screen.assert_shows(&["─ Themes ─", "│ ▌ dark", "as it was"]);
    screen.press("down");
    assert_eq!(screen.model.theme, "light");
    let light = screen.frame();
    screen.press("esc");
    assert_eq!((screen.model.theme.as_str(), &screen.kept_theme), (dark.as_str(), &None));
    assert_ne!(screen.frame(), light);
    screen.press("T 'moch'");
    assert_eq!(screen.model.theme, "catppuccin-mocha");
    screen.press("enter");
    assert_eq!(screen.kept_theme.as_deref(), Some("catppuccin-mocha"));
    screen.assert_shows(&["theme catppuccin-mocha is set in config.toml", " REVIEW "]);
    screen.model.themes.clear();
    screen.press("T");
    screen.assert_shows(&["shows no colours", " REVIEW "]);
}

#[test]
fn what_was_not_read_as_it_is_written_is_listed() {
    let odd = REVIEW
        .replace("scope: staged\n", "scope: staged\nmood: sunny\n")
        .replace("why: people asked", "wyh: misspelt\nwhy: people asked")
        .replace("@@ -1,4 +1,6 @@", "@@ -1,9 +1,9 @@");
    let screen = Screen::document(&odd).sized(200, 40);
    let shown = [
        "no key `mood`; it is kept as it is. mood: sunny",
        "no field `wyh`",
        "wyh: misspelt",
        "-9 +9 lines, there are",
    ];
    check(screen, "gi", &shown, File::Same);
    let screen =
        check(Screen::document(&odd).sized(200, 40), "gi 'misspelt' enter", &["│ why  people asked"], File::Same);
    drop(screen);
    check(Screen::document(REVIEW).sized(200, 40), "gi", &["¬of the review"], File::Same);
}

#[test]
fn what_cannot_be_read_as_it_is_written_is_not_waited_for() {
    let mut screen = Screen::document(REVIEW).sized(200, 40).pressed("gi");
    let odd = screen.model.pick.as_mut().and_then(|pick| pick.odd.as_mut()).expect("they are looked for");
    odd.found = None;
    let document = odd.document.clone();
    screen.happen(Msg::OddFound(document, Err("whymark itself is at fault".to_owned())));
    let odd = screen.model.pick.as_ref().and_then(|pick| pick.odd.as_ref());
    assert!(odd.is_some_and(|odd| odd.found.is_some()), "nothing more is waited for");
    assert_eq!(screen.model.message, Some((Tone::Problem, "whymark itself is at fault".to_owned())));
}

/// A file of each kind of change that no added line shows.
const SILENT: &str = "---\nwhymark: 1\ntitle: x\n---\n\n@file gone.txt deleted\n@@ -1 +0,0 @@\n-a\n\n@file run.sh modified newmode=100755\n\n\
    @file new.sh added newmode=100755\n@@ -0,0 +1 @@\n+true\n\n@note +1\nwhy: it does nothing\n\n\
    @file logo.png modified binary\n\n@file both.bin modified binary newmode=100755\n\n\
    @file plain.txt added\n@@ -0,0 +1 @@\n+a\n\n@note +1\nwhy: a\n";

#[test]
fn what_changed_without_an_added_line_wants_a_note_too() {
    let name = |words: &str| format!(" {words} ");
    let screen = Screen::document(SILENT).sized(120, 40);
    let shown = [
        "gone.txt  deleted, unexplained",
        "run.sh    mode changed, unexplained",
        "new.sh    not a plain file, unexplained",
        "logo.png  binary, unexplained",
        "both.bin  mode changed, unexplained, binary, unexplained",
        "¬plain.txt  new",
        "¬plain.txt  not",
        "5 of 5",
    ];
    let screen = check(screen, "gi", &shown, File::Same);
    drop(screen);
    let explained = ["deleted", "modified newmode=100755", "modified binary", "binary newmode=100755"];
    let noted = explained.iter().fold(SILENT.to_owned(), |text, header| {
        let at = text.find(&name(header)[..=header.len()]).expect("it is there");
        let end = at + text[at..].find("\n\n").expect("it ends");
        format!("{}\n\n@note file\nwhy: so it is\n{}", &text[..end], &text[end + 1..])
    });
    let shown = ["new.sh  not a plain file, unexplained", "1 of 1"];
    check(Screen::document(&noted).sized(120, 40), "gi", &shown, File::Same);
}

#[test]
fn a_long_path_in_a_list_is_cut_in_its_middle_and_numbers_are_not_cut() {
    let path = "src/a/path/that/is/longer/than/a/row/of/the/list/has/room/for/last.rs";
    let text = format!(
        "---\nwhymark: 1\ntitle: x\n---\n\n@file {path} added\n@@ -0,0 +1 @@\n+one\n\n@note +1 risk=high\nwhy: high and unverified, and it is not short\n"
    );
    let facts = [
        "notes    1: 0 sourced, 0 inferred only, 1 without a source, 0 stubs, 0 ",
        "            orphaned ",
        "open     0 in 0 notes: 0 todos, 0 questions, 0 claims that failed or ",
        "            nobody checked; 0 Markback notes ",
    ];
    let screen = check(Screen::document(&text).sized(80, 24), "gi", &facts, File::Same);
    screen.assert_shows(&["n1 src/a/pat…", "has/room/for/last.rs:+1  high risk, unverified: high and …"]);
    let mut screen = screen;
    screen.resize(200, 50);
    screen.assert_shows(&["1 without a source, 0 stubs, 0 orphaned", "last.rs:+1"]);
}
