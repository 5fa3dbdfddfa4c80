//! A small repository, and ways to change it.

use crate::support::Sandbox;

/// Some lines, told apart by their numbers.
pub(crate) fn numbered(lines: std::ops::Range<usize>) -> String {
    lines.map(|n| format!("line {n}\n")).collect()
}

/// A repository with some files, committed.
pub(crate) fn base() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("src/a.rs", format!("fn one() {{\n{}}}\n\nfn two() {{\n{}}}\n", numbered(0..20), numbered(20..40)));
    sandbox.write("b.txt", numbered(0..30));
    sandbox.write("bytes.bin", b"\0\x01\x02");
    sandbox.write("latin1.txt", b"caf\xe9\nplain\n");
    sandbox.write("crlf.txt", "one\r\ntwo\r\nthree\r\n");
    sandbox.write("empty", "");
    sandbox.write("tail.txt", "no newline at the end");
    sandbox.commit("base");
    sandbox
}

pub(crate) type Change = fn(&Sandbox);

/// Ways to change the working tree of [`base`].
pub(crate) const CHANGES: &[(&str, Change)] = &[
    ("a line in a function", |s| {
        s.write("src/a.rs", std::fs::read_to_string(s.path("src/a.rs")).unwrap().replace("line 33", "x"));
    }),
    ("two hunks", |s| s.write("b.txt", format!("new\n{}end\n", numbered(0..30)))),
    ("blank lines", |s| s.write("b.txt", format!("\n\n{}\n", numbered(1..30)))),
    ("an added file", |s| s.write("deep/er/new.txt", "new\n")),
    ("an added empty file", |s| s.write("nothing", "")),
    ("a deleted file", |s| std::fs::remove_file(s.path("b.txt")).unwrap()),
    ("a moved file", |s| drop(s.git(&["mv", "b.txt", "c.txt"]))),
    ("a moved and changed file", |s| {
        s.git(&["mv", "b.txt", "c.txt"]);
        s.write("c.txt", numbered(4..40));
    }),
    ("too different for a move", |s| {
        s.git(&["mv", "b.txt", "c.txt"]);
        s.write("c.txt", numbered(20..60));
    }),
    ("two files swap places", |s| {
        s.git(&["mv", "b.txt", "x"]);
        s.git(&["mv", "src/a.rs", "b.txt"]);
        s.git(&["mv", "x", "src/a.rs"]);
    }),
    ("binary content", |s| s.write("bytes.bin", b"\0\x03")),
    ("text becomes binary", |s| s.write("b.txt", b"a\0b")),
    ("bytes that are no text", |s| s.write("latin1.txt", b"caf\xe8\nplain\n")),
    ("carriage returns", |s| s.write("crlf.txt", "one\r\n2\r\nthree\n")),
    ("a newline comes", |s| s.write("tail.txt", "no newline at the end\n")),
    ("a newline goes", |s| s.write("b.txt", numbered(0..30).trim_end())),
    ("no newline before or after", |s| s.write("tail.txt", "still none")),
    ("content that looks like a diff", |s| s.write("b.txt", format!("-- a\n++ b\n@@ -1 +1 @@\n{}", numbered(3..30)))),
    ("lines that begin like directives", |s| s.write("b.txt", "@file x\n@note +1\n---\n")),
    ("a file in the place of a folder", |s| {
        std::fs::remove_dir_all(s.path("src")).unwrap();
        s.write("src", "file\n");
    }),
];
