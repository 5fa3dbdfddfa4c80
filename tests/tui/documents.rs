//! Documents to be annotated: opened as they are, watched, and written about.

use std::fs;

use whymark::tui::input::MouseAction;
use whymark::tui::open::Target;

use crate::support::{File, Sandbox, Screen, check};

/// The phrase is there three times, twice in one line.
const SPEC: &str = "# Spec\n\n## Goals\n\nIt must be fast, and the API must be fast too.\n\nNot so fast\n-----------\n\nIt must be fast.\n";

/// A document in a repository, opened.
fn spec() -> Screen {
    let sandbox = Sandbox::new();
    sandbox.write("docs/spec.md", SPEC);
    open(sandbox, "docs/spec.md")
}

fn open(sandbox: Sandbox, path: &str) -> Screen {
    Screen::open(sandbox, Target::Documents(vec![path.into()]))
}

/// Change a file and let the reviewer see it.
fn rewrite(screen: &mut Screen, path: &str, text: &str) {
    screen.sandbox.write(path, text);
    screen.changed(false, true);
}

#[test]
fn a_document_is_shown_as_it_is() {
    let screen =
        check(spec(), "", &["docs/spec.md", "    5     It must be fast, and the API must be fast too."], File::Same);
    screen.assert_shows(&["¬@@", "¬cover", "¬claimed", "¬unwritten", "¬whymark: 1"]);
    assert!(!screen.sandbox.path("docs/spec.md.mb").exists() && !screen.sandbox.path("reviews").exists());
}

#[test]
fn what_is_about_a_diff_is_refused_with_a_sentence() {
    for key in
        ["a", "ga", "gA", "gU", "p", "s", "gs", "gd", "u", "U", "gu", "t", "\\", "i", "+", "enter", "V", "gi", "r"]
    {
        let mut screen = spec().pressed("j j");
        let before = screen.model.cursor;
        screen.press(key);
        let (_, message) = screen.model.message.clone().unwrap_or_else(|| panic!("{key} says nothing"));
        assert!(
            message.contains("as they are") || message.contains("already") || message.contains("diff"),
            "{message}"
        );
        assert_eq!(screen.model.cursor, before, "{key}");
    }
}

#[test]
fn a_markback_note_goes_beside_the_document() {
    let mut screen = spec().pressed("j j j j j m 'how fast?' enter");
    let sidecar = screen.sandbox.path("docs/spec.md.mb");
    let text = fs::read_to_string(&sidecar).unwrap();
    assert!(
        text.contains("@file spec.md:5\n") && text.contains("It must be fast, and the API must be fast too."),
        "{text}"
    );
    screen.assert_shows(&["how fast?"]);
    screen = open(screen.sandbox, "docs/spec.md");
    screen.assert_shows(&["how fast?"]);
}

#[test]
fn a_document_that_changes_is_shown_as_it_is_now() {
    let mut screen = spec().pressed("gg j j j j j");
    assert!(screen.watched.tree.iter().any(|path| path.ends_with("docs/spec.md")), "{:?}", screen.watched);
    rewrite(&mut screen, "docs/spec.md", &format!("Draft\n\n{SPEC}"));
    screen.assert_shows(&["▌   7     It must be fast, and", "the text has changed on disk"]);
    fs::remove_file(screen.sandbox.path("docs/spec.md")).unwrap();
    screen.changed(false, true);
    screen.assert_shows(&["docs/spec.md is no longer there: what was read before stays here", "▌   7     It must"]);
    rewrite(&mut screen, "docs/spec.md", "back\n");
    screen.assert_shows(&["   1     back", "¬Draft"]);
    rewrite(&mut screen, "docs/spec.md", "bi\0nary\n");
    screen.assert_shows(&["docs/spec.md is no text any more: what was read before stays here", "   1     back"]);
}

#[test]
fn a_document_that_has_gone_does_not_hide_the_others() {
    let sandbox = Sandbox::new();
    sandbox.write("a.md", "# A\n");
    sandbox.write("b.md", "# B\n");
    let mut screen = Screen::open(sandbox, Target::Documents(vec!["a.md".into(), "b.md".into()]));
    fs::remove_file(screen.sandbox.path("a.md")).unwrap();
    rewrite(&mut screen, "b.md", "# B\nmore\n");
    screen.assert_shows(&["a.md is no longer there", "# B", "more", "¬# A"]);
}

#[test]
fn of_a_folder_every_text_is_a_document() {
    let sandbox = Sandbox::new();
    sandbox.write(".gitignore", "*.log\n");
    for (path, text) in [
        ("docs/b.md", &b"# B\n"[..]),
        ("docs/a/deep.txt", b"deep\n"),
        ("docs/z.rs", b"fn z() {}\n"),
        ("docs/out.log", b"ignored\n"),
        ("docs/.hidden.md", b"hidden\n"),
        ("docs/picture.png", b"\x89PNG\0\0"),
        ("docs/x.whymark", b"---\nwhymark: 1\n---\n"),
        ("docs/b.md.mb", b"@file b.md:1\n<<< better\n"),
        ("elsewhere.md", b"elsewhere\n"),
    ] {
        sandbox.write(path, text);
    }
    let mut screen = open(sandbox, "docs");
    let paths: Vec<String> = screen.model.parts[1..].iter().map(|part| part.section.path_text().to_string()).collect();
    assert_eq!(paths, ["docs/a/deep.txt", "docs/b.md", "docs/z.rs"]);
    screen.assert_shows(&["better"]);
    screen.sandbox.write("docs/c.md", "# C\n");
    fs::remove_file(screen.sandbox.path("docs/z.rs")).unwrap();
    screen.changed(false, true);
    screen.assert_shows(&["# C", "¬fn z", "docs/z.rs is no longer there"]);
}

/// Two documents with headings, opened.
fn handbook() -> Screen {
    let sandbox = Sandbox::new();
    let lines: String = (1..=60).map(|line| format!("line {line}\n\n")).collect();
    sandbox.write("book/a.md", format!("# A\n\n## First\n\n{lines}## Second\n\n### Deep\n\nthere\n"));
    sandbox.write("book/b.txt", "# no Markdown\n");
    sandbox.write("book/c.md", "C\n=\n");
    open(sandbox, "book")
}

#[test]
fn headings_are_listed_below_their_document() {
    let mut screen = handbook().pressed("f");
    let rows = screen.rows();
    let listed: Vec<&str> =
        rows[2..11].iter().map(|row| row.split('│').next().unwrap_or_default().trim_end()).collect();
    let want = [" ▾ book/", "▌ a.md", "   A", "    First", "    Second", "     Deep", "  b.txt", "  c.md", "   C"];
    assert_eq!(listed, want);
    // What is below a heading belongs to it.
    screen.press("20j");
    screen.assert_shows(&["▌   First", "─ book/a.md ──"]);
    screen.press("]");
    screen.assert_shows(&["▌   Second", "▌ 125     ## Second", "book/a.md › A › First ──"]);
    screen.press("tab j");
    screen.assert_shows(&[" FILES ", "▌    Deep", "▌ 127     ### Deep"]);
    screen.press("j enter");
    screen.assert_shows(&[" REVIEW ", "▌ b.txt", "▌book/b.txt"]);
    screen.press("[ [ [");
    screen.assert_shows(&["▌   First", "▌   3     ## First"]);
    let (x, y) = screen.find("Deep");
    screen.mouse(MouseAction::Press, (x, y));
    screen.assert_shows(&["▌ 127     ### Deep"]);
    screen.press("] ]");
    screen.assert_shows(&["▌   1     C"]);
    screen.press("]");
    screen.assert_shows(&["this is the last heading"]);
}

#[test]
fn headings_follow_the_text() {
    let mut screen = handbook().pressed("f");
    rewrite(&mut screen, "book/b.txt", "still none\n");
    rewrite(&mut screen, "book/c.md", "C\n=\n\nNew\n---\n");
    screen.assert_shows(&["    New"]);
}

#[test]
fn a_comment_can_be_about_all_that_is_under_a_heading() {
    let mut screen = spec().in_session().pressed("5j c 'too vague'");
    screen.assert_shows(&["comment for the agent on +5 of "]);
    screen.press("tab right");
    screen.assert_shows(&["about ‹+3..5›"]);
    screen.press("enter S y");
    let run = screen.sandbox.run(&["poll", "--wait", "0"]);
    let page = String::from_utf8(run.stdout).unwrap();
    let row =
        "  anno,docs/spec.md,Goals,0,\"## Goals\\n\\nIt must be fast, and the API must be fast too.\",too vague\n";
    assert!(page.contains(row) && page.contains("\n  0,3-5,new,worktree\n"), "{page}");
}
