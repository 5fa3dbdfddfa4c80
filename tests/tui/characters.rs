//! A cursor in the text of a line, and what is selected there by characters.

use whymark::tui::colour::Depth;
use whymark::tui::input::MouseAction;
use whymark::tui::open::Target;

use super::review;
use crate::support::{File, Sandbox, Screen, check};

/// The phrase is there three times, twice in one line.
const SPEC: &str = "# Spec\n\n## Goals\n\nIt must be fast, and the API must be fast too.\n\nNot so fast\n-----------\n\nIt must be fast.\n";

/// A document, opened with its session; the cursor is on its fifth line.
fn document(text: &str) -> Screen {
    let sandbox = Sandbox::new();
    sandbox.write("spec.md", text);
    Screen::open(sandbox, Target::Documents(vec!["spec.md".into()])).in_session().pressed("gg 5j")
}

fn poll(screen: &Screen) -> String {
    let run = screen.sandbox.run(&["poll", "--wait", "0"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    String::from_utf8(run.stdout).unwrap()
}

/// What is copied after the keys of `script`.
fn copied(screen: Screen, script: &str) -> String {
    screen.pressed(script).pressed("y").copied.pop().unwrap_or_default()
}

#[test]
fn each_of_several_equal_phrases_is_the_one_that_is_meant() {
    for (script, row, lines) in [
        ("vv w v 3e", "anno,spec.md,Goals,0,must be fast,\"quantify, target ms?\"", "5-5"),
        ("vv 8w v 3e", "anno,spec.md,Goals,1,must be fast,\"quantify, target ms?\"", "5-5"),
        ("vv $ 5b 2h v 2b", "anno,spec.md,Goals,0,and the,\"quantify, target ms?\"", "5-5"),
        ("G vv w v 3e", "anno,spec.md,Not so fast,2,must be fast,\"quantify, target ms?\"", "10-10"),
    ] {
        let mut screen = document(SPEC).pressed(script).pressed("c 'quantify, target ms?'");
        screen.assert_shows(&["for the agent"]);
        screen.press("enter S y");
        let page = poll(&screen);
        let want = format!(
            "session: spec.md\nqueue[1]{{kind,file,heading,occurrence,quote,note}}:\n  {row}\nwhere[1]{{row,lines,side,rev}}:\n  0,{lines},new,worktree\n"
        );
        assert!(page.starts_with(&want), "after {script}:\n{page}");
        screen.look();
        assert_eq!(screen.sandbox.run(&["reply", "said how fast"]).code, 0);
        screen.look();
        screen.assert_shows(&["answered: said how fast", "agent: said how fast"]);
    }
}

#[test]
fn the_cursor_goes_as_in_vim() {
    let text = "one  two.three\n\n  éa\u{301} 漢字 🇳🇴!\nend\n";
    let at_first = |script: &str| copied(document(text).pressed("gg j"), &format!("vv {script} v"));
    for (script, want) in [
        ("", "o"),
        ("l l", "e"),
        ("99l", "e"),
        ("h", "o"),
        ("w", "t"),
        ("ww", "."),
        ("e", "e"),
        ("ee", "o"),
        ("$", "e"),
        ("$ 0", "o"),
        ("$ b", "t"),
        ("end b b", "."),
        ("4w", "é"),
        ("4w l", "a\u{301}"),
        ("4w w", "漢"),
        ("4w w l l", " "),
        ("4w 2w", "🇳🇴"),
        ("4w e", "a\u{301}"),
        ("4w b", "t"),
        ("99w", "e"),
        ("99b", "o"),
        ("j j", " "),
    ] {
        assert_eq!(at_first(script), want, "{script}");
    }
    // Going up and down keeps the column, also across a line that is shorter.
    assert_eq!(copied(document(text).pressed("gg j"), "vv 6l j j v"), "漢");
    assert_eq!(copied(document(text).pressed("gg j"), "vv 6l j j k k v"), "w");
}

#[test]
fn what_is_selected_is_quoted_and_copied_to_the_character() {
    let text = "one\ntwo\n\nthree four\nsix 漢字 e\u{301}nd\n";
    let at_top = || document(text).pressed("gg j");
    assert_eq!(copied(at_top(), "vv l v j j j"), "ne\ntwo\n\nth");
    assert_eq!(copied(at_top(), "vv l v j j j o h"), "one\ntwo\n\nth");
    assert_eq!(copied(at_top(), "4j vv w v e"), "漢字");
    assert_eq!(copied(at_top(), "v j v h"), "one\ntw", "selected lines become their characters");
    assert_eq!(copied(at_top(), "v j v esc"), "spec.md:2", "esc first takes the selection back");
    let mut screen = at_top().pressed("vv l v j j j c 'all of it' enter S y");
    assert!(poll(&screen).contains("  anno,spec.md,-,0,\"ne\\ntwo\\n\\nth\",all of it\n"), "{}", poll(&screen));
    screen.press("esc esc");
    screen.assert_shows(&[" REVIEW "]);
}

#[test]
fn what_is_selected_stands_out_to_the_character() {
    let mut screen = document("six 漢字 e\u{301}nd\n");
    screen.use_theme("dark", Depth::True);
    screen.press("gg j vv w v e");
    let (x, y) = screen.find("漢字");
    let frame = screen.frame();
    let ground = |x: u16| frame[(x, y)].bg;
    assert!(
        ground(x) == ground(x + 2) && ground(x) != ground(x - 1) && ground(x) != ground(x + 4),
        "{}",
        screen.text()
    );
    assert!(frame[(x + 2, y)].modifier.contains(ratatui::style::Modifier::REVERSED), "there is the cursor");
}

#[test]
fn a_part_of_a_line_of_a_diff() {
    let sandbox = Sandbox::new();
    sandbox.write("a.rs", "fn a() {\n    one();\n}\n");
    sandbox.commit("first");
    sandbox.write("a.rs", "fn a() {\n    two(two);\n}\n");
    sandbox.git(&["add", "."]);
    let mut screen = Screen::staged(sandbox).in_session().pressed("/ 'two' enter vv");
    screen.press("2w v e c 'another' enter S y");
    let page = poll(&screen);
    assert!(
        page.contains("  anno,a.rs,fn a() {,1,two,another\nwhere[1]{row,lines,side,rev}:\n  0,2-2,new,worktree\n"),
        "{page}"
    );
    let refused = "there is no text here";
    check(review().pressed("3j"), "vv", &[refused, " SELECT "], File::Same);
}

#[test]
fn a_markback_note_holds_what_is_selected() {
    let screen = document(SPEC).pressed("vv 8w v 3e m 'how fast?' enter");
    let text = std::fs::read_to_string(screen.sandbox.path("spec.md.mb")).unwrap();
    assert!(text.contains("@file spec.md:5\n\nmust be fast\n<<< how fast?\n"), "{text}");
    screen.assert_shows(&["how fast?", "¬⌛ stale"]);
}

#[test]
fn the_mouse_selects_characters() {
    let mut screen = document(SPEC);
    let (x, y) = screen.find("API must be fast too");
    screen.mouse(MouseAction::Press, (x, y));
    screen.mouse(MouseAction::Drag, (x + 7, y));
    screen.mouse(MouseAction::Release, (x + 7, y));
    screen.press("y");
    assert_eq!(screen.copied, ["API must"]);
    screen.mouse(MouseAction::Press, (x + 4, y));
    screen.mouse(MouseAction::Drag, (x, y));
    screen.press("y");
    assert_eq!(screen.copied[1], "API m");
    let (x, y) = screen.find("## Goals");
    screen.mouse(MouseAction::Press, (x + 6, y));
    screen.mouse(MouseAction::Drag, (x + 3, y + 2));
    screen.press("y");
    assert_eq!(screen.copied[2], "ls\n\nIt m");
}

#[test]
fn an_unsent_comment_follows_its_lines() {
    let mut screen = document(SPEC).pressed("vv 8w v 3e c 'how fast?' enter");
    screen.sandbox.write("spec.md", SPEC.replacen("## Goals", "New: must be fast\n\n## Goals", 1));
    screen.changed(false, true);
    screen.press("S y");
    let page = poll(&screen);
    assert!(
        page.contains("  anno,spec.md,Goals,2,must be fast,how fast?\nwhere[1]{row,lines,side,rev}:\n  0,7-7,"),
        "{page}"
    );
}

#[test]
fn the_cursor_is_always_on_the_screen() {
    let text = format!("start {}end\n", "word ".repeat(2000));
    let shows_end = |screen: &Screen| screen.rows().iter().any(|row| row.ends_with("end") || row.contains("end "));
    let mut screen = document(&text).sized(80, 14).pressed("gg j vv $");
    assert!(shows_end(&screen), "{}", screen.text());
    screen.press("0");
    screen.assert_shows(&["start word"]);
    let mut screen = document(&text).sized(80, 14).pressed("w gg j vv $");
    assert!(shows_end(&screen), "{}", screen.text());
    screen.press("5b");
    assert!(shows_end(&screen), "nothing moves without need: {}", screen.text());
    screen.press("0");
    screen.assert_shows(&["start word"]);
}
