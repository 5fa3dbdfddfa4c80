//! What selections become. `[[` and `]]` in a text stand around what is selected.

use std::ops::Range;

use super::*;

/// `marked` without its marks, and what was between them.
fn selection(marked: &[u8]) -> (Vec<u8>, Range<usize>) {
    let find = |text: &[u8], mark: &[u8]| memchr::memmem::find(text, mark).expect("the text is marked");
    let start = find(marked, b"[[");
    let mut text = [&marked[..start], &marked[start + 2..]].concat();
    let end = find(&text, b"]]");
    text.drain(end..end + 2);
    (text, start..end)
}

fn version<'a>(path: &'a str, text: &'a [u8]) -> Version<'a> {
    let path = path.as_bytes();
    Version { path, file: path, side: Side::New, rev: "worktree", text, hunk_heading: None }
}

fn captured(path: &str, marked: &[u8]) -> Captured {
    let (text, range) = selection(marked);
    let captured = capture(&version(path, &text), range, "n");
    if let Some(quote) = &captured.item.quote {
        assert!(memchr::memmem::find(&text, quote.as_bytes()).is_some(), "a quote is a slice of the file");
    }
    captured
}

/// The heading, the occurrence and the quote of what is marked.
#[track_caller]
fn check(path: &str, marked: &str, heading: Option<&str>, occurrence: u32, quote: &str) {
    let Captured { item, .. } = captured(path, marked.as_bytes());
    let found = (item.heading.as_deref(), item.occurrence, item.quote.as_deref());
    assert_eq!(found, (heading, occurrence, Some(quote)), "{marked}");
    assert_eq!((item.kind.as_deref(), item.file.as_deref()), (Some("anno"), Some(path)));
}

#[test]
fn the_second_of_two_equal_phrases() {
    let text = "# One\nmust be fast\n\n# Two\nit [[must be fast]], too\n";
    check("spec.md", text, Some("Two"), 1, "must be fast");
    check("spec.md", &text.replace("it ", "must be fast, "), Some("Two"), 2, "must be fast");
}

#[test]
fn headings_of_markdown() {
    for (text, heading) in [
        ("[[x]]\n# A\n", None),
        ("# A\n[[x]]\n# B\n", Some("A")),
        ("[[# A]]\n", Some("A")),
        ("#[[ A]]\n", Some("A")),
        ("   ## *A* `b` \\# ##\n[[x]]", Some("*A* `b` \\#")),
        ("# A#\n[[x]]", Some("A#")),
        ("# A #\t \n[[x]]", Some("A")),
        ("#\n[[x]]", None),
        ("# A\n#b\n[[x]]", Some("A")),
        ("# A\n    # B\n\n[[x]]", Some("A")),
        ("# A\n\n    # B\n\n[[x]]", Some("A")),
        ("# A\n```sh\n# B\n```\n[[x]]", Some("A")),
        ("# A\n~~~\n# B\n[[x]]", Some("A")),
        ("# A\n<div>\n# B\n</div>\n\n[[x]]", Some("A")),
        ("# A\n<!--\n# B\n-->\n[[x]]", Some("A")),
        ("A *b*\n===\n[[x]]", Some("A *b*")),
        ("A\n--[[-]]\n", Some("A")),
        ("# A\n\n---\n[[x]]", Some("A")),
        ("# A\n\n---\nB\n---\n[[x]]", Some("B")),
        ("---\ntitle: x\n# B\n---\n[[x]]", None),
        ("---\ntitle: x\n---\n# A\n[[x]]", Some("A")),
        ("> # A\n\n[[x]]", Some("A")),
        ("- # A\n\n[[x]]", Some("A")),
        ("# É\n[[x]]", Some("É")),
    ] {
        for text in [text.to_owned(), text.replace('\n', "\r\n")] {
            let found = captured("a.md", text.as_bytes()).item;
            assert_eq!(found.heading.as_deref(), heading, "{text:?}");
            assert!(found.quote.is_some());
        }
    }
    let latin = captured("a.MD", b"# A\n\xe9\n# B\xe9\n[[x]]").item;
    assert_eq!(latin.heading.as_deref(), Some("B?"));
}

#[test]
fn headings_of_code() {
    let rust = "use a;\n\nfn alpha() {\n    one();\n}\n\nfn beta() {\n    [[two();]]\n}\n";
    check("a.rs", rust, Some("fn beta() {"), 0, "two();");
    check(
        "a.rs",
        &rust.replace("fn beta() {\n    [[", "[[fn beta() {\n    "),
        Some("fn beta() {"),
        0,
        "fn beta() {\n    two();",
    );
    for (path, text, heading) in [
        ("a.rs", "use a;\n    [[x]]\n", Some("use a;")),
        ("a.rs", "{\n    [[x]]\n", None),
        ("A.RS", "impl X {\n    fn f(&self) {\n[[x]]", Some("fn f(&self) {")),
        ("a/b.py", "class A:\n    async def f(self):\r\n        [[x]]", Some("async def f(self):")),
        ("a.js", "function f() {\n  [[x]]", Some("function f() {")),
        (".rs/Makefile", "all: a\n\t[[x]]", Some("all: a")),
        ("a.txt", "\u{e9}\n [[x]]", None),
    ] {
        assert_eq!(captured(path, text.as_bytes()).item.heading.as_deref(), heading, "{path}: {text}");
    }
    let hunk_heading = Some(" fn above() ");
    let version = Version { hunk_heading, ..version("a.rs", b"    x\n") };
    assert_eq!(capture(&version, 4..5, "n").item.heading.as_deref(), Some("fn above()"));
}

#[test]
fn quotes() {
    for (marked, occurrence, quote) in [
        ("a\n[[\tx = 1;  ]]\n", 0, "\tx = 1;  "),
        ("a\r\nb\r\na\r\n[[b\r\na]]\r\n", 1, "b\r\na"),
        ("a\nb\r\na\r\n[[b]]", 1, "b"),
        ("aXbX[[X]]", 2, "X"),
        // Blank lines take one beside them along.
        ("a\nb\n\n[[\n]]c\n", 0, "b\n\n"),
        ("\n[[]]\n\nc d\ne\n", 0, "\n\nc d"),
        ("a [[ ]] b\n", 0, "a   b"),
        // What overlaps itself grows until it is found.
        ("-[[--]]-", 0, "----"),
        ("x\n-[[--]]-\n----\n", 0, "----"),
        ("a\n[[a\na]]\n", 0, "a\na\na"),
        ("a\na\n[[a\na]]\n", 1, "a\na"),
        ("a\na\na\n[[a\na]]\nb\n", 0, "a\na\nb"),
    ] {
        check("a", marked, captured("a", marked.as_bytes()).item.heading.as_deref(), occurrence, quote);
    }
}

#[test]
fn long_selections_are_cut() {
    let lines = |count: usize| (0..count).map(|line| format!("l{line}")).collect::<Vec<_>>().join("\n");
    for (count, kept) in [(12, 12), (13, 12), (400, 12)] {
        let captured = captured("a", format!("x\n[[{}]]\ny", lines(count)).as_bytes());
        assert_eq!(captured.item.quote, Some(lines(kept)));
        assert_eq!(captured.lines, Some(Lines { side: Side::New, first: 2, last: 1 + count as u64 }));
    }
    let (long, wide) = ("x".repeat(1201), "é".repeat(700));
    for (text, quote) in [
        (long.as_str(), &long[..1200]),
        (&format!("{}\nb", &long[..1200]), &long[..1200]),
        (&format!("{}\nb\nc", &long[..1198]), &format!("{}\nb", &long[..1198])),
        (&format!("a\n{long}"), "a"),
        (&format!("y{wide}"), &format!("y{wide}")[..1199]),
    ] {
        let found = captured("a", format!("[[{text}]]").as_bytes()).item.quote;
        assert_eq!(found.as_deref(), Some(quote), "{} bytes", text.len());
    }
}

#[test]
fn what_cannot_be_searched_for_is_a_note_on_the_file() {
    for marked in [&b"a\n[[\xff\xfe]]\n"[..], b"\n[[\n \t]]\n", b"[[]]"] {
        let Captured { item, lines, matches } = captured("a.bin", marked);
        assert_eq!(item, on_file(b"a.bin", "n"), "{marked:?}");
        assert!(lines.is_some() && matches == 0);
    }
    // Bytes elsewhere are none of its business.
    let other = captured("a.bin", b"\xff\na\n[[a]]\n");
    assert_eq!((other.item.quote.as_deref(), other.item.occurrence, other.matches), (Some("a"), 1, 2));
    // It overlaps itself, and the whole line is too long for a quote.
    let ruler = ["-".repeat(601), "[[--]]".to_owned(), "-".repeat(700)].concat();
    assert_eq!(captured("a", ruler.as_bytes()).item, on_file(b"a", "n"));
}

#[test]
fn paths_that_cannot_stand_in_a_cell() {
    for (path, shown) in [(&b"a\tb"[..], r#""a\tb""#), (b"\xff.rs", r#""\377.rs""#), (b"\xc2\x9b", r#""\302\233""#)] {
        let version = Version { file: path, ..version("x", b"a") };
        let captured = capture(&version, 0..1, "n");
        assert_eq!(captured, Captured { item: on_nothing(&format!("{shown}: n")), lines: None, matches: 0 });
    }
    assert_eq!(on_file("a é.rs".as_bytes(), "n").file.as_deref(), Some("a é.rs"));
}

#[test]
fn removed_lines_count_in_the_old_version() {
    let text = b"fn f() {\n    a\n}\nfn g() {\n    a\n}\n";
    for (rev, prefix) in [("1a2b3c4d5e6f", "1a2b3c4d5e6f:old.rs"), ("index", ":old.rs")] {
        let version = Version { file: b"new.rs", side: Side::Old, rev, ..version("old.rs", text) };
        let lines = Lines::selected([(Some(OldLine(5)), None)]).unwrap();
        let Captured { item, lines: captured, .. } = capture(&version, lines.range(text), "why?");
        assert_eq!(captured, Some(Lines { side: Side::Old, first: 5, last: 5 }));
        let note = format!("[removed lines, see {prefix}] why?");
        let want = Item {
            heading: Some("fn g() {".into()),
            occurrence: 1,
            quote: Some("    a".into()),
            ..on_file(b"new.rs", &note)
        };
        assert_eq!(item, want);
    }
}

#[test]
fn lines_of_a_diff() {
    let (old, new) = (|line| Some(OldLine(line)), |line| Some(NewLine(line)));
    let lines = |side, first, last| Some(Lines { side, first, last });
    for (selected, want) in [
        (vec![], None),
        (vec![(None, None)], None),
        (vec![(old(3), None), (old(4), None), (None, None)], lines(Side::Old, 3, 4)),
        (vec![(old(3), new(7)), (old(4), None), (None, new(8))], lines(Side::New, 7, 8)),
        (vec![(old(4), None), (None, new(8)), (old(5), None)], lines(Side::New, 8, 8)),
    ] {
        assert_eq!(Lines::selected(selected.clone()), want, "{selected:?}");
    }
    let text = b"a\r\nb\n\nd";
    for ((first, last), range) in
        [((1, 1), 0..1), ((1, 2), 0..4), ((2, 3), 3..5), ((3, 3), 5..5), ((3, 4), 5..7), ((4, 9), 6..7), ((9, 9), 7..7)]
    {
        assert_eq!(Lines { side: Side::New, first, last }.range(text), range, "{first}-{last}");
    }
}

#[test]
fn the_outline_of_a_document() {
    let text = "---\ntitle: # no\n---\nintro\n\n# One #\n```\n# no\n```\n### Deep\r\n\nTwo\nlines\n===\n    # no\n##\n";
    let found: Vec<(u64, u8, String)> = outline(b"a/b.MD", text.as_bytes())
        .into_iter()
        .map(|Heading { line, level, title }| (line, level, title))
        .collect();
    let want = [(6, 1, "One"), (10, 3, "Deep"), (12, 1, "Two\nlines"), (16, 2, "")];
    assert_eq!(found, want.map(|(line, level, title)| (line, level, title.to_owned())));
    assert_eq!(outline(b"a.rs", b"# One\n"), []);
    assert_eq!(outline(b"a.md", b"\xef\xbb\xbf# One\n").len(), 1, "behind a byte order mark");
}
