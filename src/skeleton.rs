//! From what git says to the text of a new document: plain data in, bytes out. No clock, no repository, no file.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use bstr::{BString, ByteSlice};

use crate::diff::HunkHeader;
use crate::document::FileStatus;
use crate::text::lines::Lines;

/// What stands between two parts of a document: a blank line. None follows the last part.
pub const SEPARATOR: &[u8] = b"\n";

/// The mode of a plain file, which is not written down.
const PLAIN: u32 = 0o100_644;
/// A slug is at most so long.
const SLUG_LEN: usize = 60;

/// A file that changed: what its `@file` line says (section 3 of the format).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What happened to it.
    pub status: FileStatus,
    /// Its path, of a file that is gone the one it had.
    pub path: BString,
    /// The path before a rename.
    pub old_path: Option<BString>,
    /// The mode before, in git's octal notation; `None` for a file that came.
    pub old_mode: Option<u32>,
    /// The mode after; `None` for a file that went.
    pub new_mode: Option<u32>,
    /// The blob id before, of any length.
    pub old_id: Option<String>,
    /// The blob id after, of any length.
    pub new_id: Option<String>,
    /// Whether its content is not text, so that there are no lines to show.
    pub binary: bool,
}

/// A file that changed, and its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePatch {
    /// The file.
    pub change: Change,
    /// The hunks as they stand in a section: `@@` lines and prefixed lines, each ended by LF. Empty where no line
    /// changed, and for a binary file.
    pub text: Vec<u8>,
    /// Lines of kind added.
    pub added: u64,
    /// Lines of kind removed.
    pub removed: u64,
}

/// What the head of a document says (section 2 of the format).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Facts {
    /// One line, imperative.
    pub title: String,
    /// Who writes the review.
    pub author: Option<String>,
    /// When, in ISO 8601.
    pub date: Option<String>,
    /// The word of the scope.
    pub scope: Option<String>,
    /// `<ref>@<id>` of the older side.
    pub base: Option<String>,
    /// `<ref>@<id>` of the newer side.
    pub head: Option<String>,
    /// Name of the repository.
    pub repo: Option<String>,
    /// Commands that check the whole change; none has been run.
    pub checks: Vec<String>,
}

/// Which notes a new document holds for its author to fill in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stubs {
    /// One a hunk.
    #[default]
    Hunk,
    /// One a file.
    File,
    /// None.
    None,
}

/// The head of a new document: its frontmatter, with a summary to be written. Whatever the values hold, a reader of
/// YAML gets them back as they are.
#[must_use]
pub fn head(facts: &Facts) -> Vec<u8> {
    let mut out = String::from("---\nwhymark: 1\n");
    let mut line = |key: &str, value: Option<&str>| {
        if let Some(value) = value {
            out.push_str(&format!("{key}: {}\n", scalar(value)));
        }
    };
    line("title", Some(&facts.title));
    line("author", facts.author.as_deref());
    line("date", facts.date.as_deref());
    line("scope", facts.scope.as_deref());
    line("base", facts.base.as_deref());
    line("head", facts.head.as_deref());
    line("repo", facts.repo.as_deref());
    line("summary", Some("TODO say in one paragraph what changes and why, for a reader who has not seen it"));
    if !facts.checks.is_empty() {
        out.push_str("checks:\n");
    }
    for check in &facts.checks {
        out.push_str(&format!("  - cmd: {}\n    status: unknown\n", scalar(check)));
    }
    out.push_str("---\n");
    out.into_bytes()
}

/// The `@file` line of a change (section 3), with the counts of changed lines where they are known.
#[must_use]
pub fn file_line(change: &Change, counts: Option<(u64, u64)>) -> Vec<u8> {
    let mut out = b"@file ".to_vec();
    out.extend(quoted(&change.path));
    let mut item = |text: String| {
        out.push(b' ');
        out.extend(text.into_bytes());
    };
    item(change.status.as_str().into());
    if let Some((added, removed)) = counts.filter(|_| !change.binary) {
        item(format!("+{added}"));
        item(format!("-{removed}"));
    }
    if let Some(old_path) = &change.old_path {
        out.extend(b" from=");
        out.extend(quoted(old_path));
    }
    let mut attribute = |key: &str, value: Option<String>| {
        if let Some(value) = value {
            out.extend(format!(" {key}={value}").into_bytes());
        }
    };
    attribute("oldsha", change.old_id.clone());
    attribute("newsha", change.new_id.clone());
    let octal = |mode: Option<u32>| mode.filter(|mode| *mode != PLAIN).map(|mode| format!("{mode:o}"));
    attribute("oldmode", octal(change.old_mode));
    attribute("newmode", octal(change.new_mode));
    if change.binary {
        out.extend(b" binary");
    }
    out.push(b'\n');
    out
}

/// The section of a file: its line, its hunks, and the notes to be written; nothing behind them (see [`SEPARATOR`]).
#[must_use]
pub fn section(file: &FilePatch, stubs: Stubs) -> Vec<u8> {
    let mut out = file_line(&file.change, Some((file.added, file.removed)));
    out.reserve_exact(file.text.len());
    out.extend_from_slice(&file.text);
    let (old, new) = (file.change.old_mode, file.change.new_mode);
    let mode_change = old.zip(new).filter(|(old, new)| old != new);
    let what = mode_change.map(|(old, new)| format!("the mode changes from {old:o} to {new:o}"));
    let mut note = |selector: &str, what: Option<&str>| {
        out.extend_from_slice(SEPARATOR);
        // Writing to a vector cannot fail.
        let _ = write!(out, "@note {selector} kind=intent\nwhy: TODO say why this is done\n");
        if let Some(what) = what {
            let _ = writeln!(out, "what: {what}");
        }
        out.extend_from_slice("source: inference — TODO say what this rests on\n".as_bytes());
        out.extend_from_slice(b"verify: none => unknown (TODO say how it was checked)\n");
    };
    match stubs {
        Stubs::None => {}
        _ if file.change.binary => {}
        Stubs::File => note("file", what.as_deref()),
        Stubs::Hunk => {
            selectors(&file.text).iter().for_each(|selector| note(selector, None));
            if what.is_some() {
                note("file", what.as_deref());
            }
        }
    }
    out
}

/// For each hunk of `text` what its stub note is about: the first to the last added line, else removed line.
fn selectors(text: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = Lines::new(text).map(|span| span.of(text)).peekable();
    while let Some(line) = lines.next() {
        let Some(header) = HunkHeader::parse(line.trim_end_with(|c| c == '\n')) else { continue };
        let (mut old, mut new) = (first(header.old_start, header.old_lines), first(header.new_start, header.new_lines));
        let (mut added, mut removed) = (None, None);
        while let Some(line) = lines.next_if(|line| !line.starts_with(b"@")) {
            let stretch =
                |seen: &mut Option<(u64, u64)>, at: u64| *seen = Some((seen.map_or(at, |(start, _)| start), at));
            match line.first() {
                Some(b'+') => {
                    stretch(&mut added, new);
                    new += 1;
                }
                Some(b'-') => {
                    stretch(&mut removed, old);
                    old += 1;
                }
                Some(b' ') => {
                    old += 1;
                    new += 1;
                }
                _ => {}
            }
        }
        let name = |sign: char, (start, end): (u64, u64)| {
            if start == end { format!("{sign}{start}") } else { format!("{sign}{start}..{end}") }
        };
        found.extend(added.map(|lines| name('+', lines)).or_else(|| removed.map(|lines| name('-', lines))));
    }
    found
}

/// The number of the first line of a side; an empty side names the line before.
fn first(start: u64, count: u64) -> u64 {
    if count == 0 { start.saturating_add(1) } else { start }
}

/// A path as it stands in an `@file` line: in double quotes with git's C escapes where it has to be.
#[must_use]
pub fn quoted(path: &[u8]) -> Vec<u8> {
    let special = |byte: &u8| byte.is_ascii_control() || matches!(byte, b' ' | b'"' | b'\\');
    let blank = || path.chars().any(char::is_whitespace);
    if !path.is_empty() && !path.iter().any(special) && !blank() {
        return path.to_vec();
    }
    let mut out = vec![b'"'];
    for &byte in path {
        match byte {
            b'"' | b'\\' => out.extend([b'\\', byte]),
            b'\t' => out.extend(b"\\t"),
            b'\n' => out.extend(b"\\n"),
            b'\r' => out.extend(b"\\r"),
            byte if byte.is_ascii_control() => out.extend(format!("\\{byte:03o}").into_bytes()),
            byte => out.push(byte),
        }
    }
    out.push(b'"');
    out
}

/// `value` as a YAML scalar on one line: plain where every reader takes it for this string, else in double quotes.
fn scalar(value: &str) -> String {
    if is_plain(value) || is_time(value) {
        return value.to_owned();
    }
    let mut out = String::from('"');
    for c in value.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            _ if is_unprintable(c) => match u32::from(c) {
                code @ 0..=0xff => out.push_str(&format!("\\x{code:02X}")),
                code @ 0x100..=0xffff => out.push_str(&format!("\\u{code:04X}")),
                code => out.push_str(&format!("\\U{code:08X}")),
            },
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Characters that YAML does not allow as they are, that end lines, or that reorder what a reader sees.
fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}')
        || matches!(c, '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// Begins with a letter, holds nothing that means something to YAML, and is none of its words.
fn is_plain(value: &str) -> bool {
    const WORDS: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let ordinary = |c: char| c.is_alphanumeric() || " _./@+,()'~^;=$%&*!?<>-".contains(c);
    value.starts_with(char::is_alphabetic)
        && !value.ends_with(' ')
        && value.chars().all(ordinary)
        && !WORDS.contains(&value.to_ascii_lowercase().as_str())
}

/// A time stamp, which is a string in YAML 1.2.
fn is_time(value: &str) -> bool {
    let digits =
        |range: std::ops::Range<usize>| value.get(range).is_some_and(|part| part.bytes().all(|b| b.is_ascii_digit()));
    value.len() > 11
        && value.bytes().all(|byte| byte.is_ascii_digit() || b"-:.TZ+".contains(&byte))
        && (digits(0..4) && digits(5..7) && digits(8..10) && value.get(10..11) == Some("T"))
        && !value.ends_with(':')
}

/// `title` as part of a file name: lower case, runs of anything but letters and digits of ASCII as one `-`.
#[must_use]
pub fn slug(title: &str) -> String {
    let lower = title.to_lowercase();
    let words = lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut slug = words.collect::<Vec<_>>().join("-");
    slug.truncate(SLUG_LEN);
    match slug.trim_end_matches('-') {
        "" => "review".to_owned(),
        slug => slug.to_owned(),
    }
}

/// Where a review called `name` lives, in a repository with this root: a title, or the scope and branch.
#[must_use]
pub fn review_path(root: &Path, name: &str) -> PathBuf {
    root.join("reviews").join(format!("{}.whymark", slug(name)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn change(path: &str) -> Change {
        Change {
            status: FileStatus::Modified,
            path: path.into(),
            old_path: None,
            old_mode: Some(PLAIN),
            new_mode: Some(PLAIN),
            old_id: Some("1111111".into()),
            new_id: Some("2222222".into()),
            binary: false,
        }
    }

    fn line(change: &Change) -> String {
        String::from_utf8(file_line(change, Some((3, 1)))).unwrap()
    }

    fn read_back(head: &[u8]) -> serde_yaml::Value {
        let text = std::str::from_utf8(head).unwrap();
        let inner = text.strip_prefix("---\n").and_then(|text| text.strip_suffix("---\n")).unwrap();
        serde_yaml::from_str(inner).unwrap_or_else(|error| panic!("{error} in {inner}"))
    }

    #[test]
    fn file_lines() {
        assert_eq!(line(&change("src/a.rs")), "@file src/a.rs modified +3 -1 oldsha=1111111 newsha=2222222\n");
        let renamed = Change { status: FileStatus::Renamed, old_path: Some("old name".into()), ..change("a b") };
        assert_eq!(line(&renamed), "@file \"a b\" renamed +3 -1 from=\"old name\" oldsha=1111111 newsha=2222222\n");
        let executable = Change { new_mode: Some(0o100_755), ..change("x") };
        assert_eq!(line(&executable), "@file x modified +3 -1 oldsha=1111111 newsha=2222222 newmode=100755\n");
        let link = Change {
            old_mode: None,
            new_mode: Some(0o120_000),
            old_id: None,
            status: FileStatus::Added,
            ..change("l")
        };
        assert_eq!(line(&link), "@file l added +3 -1 newsha=2222222 newmode=120000\n");
        let binary = Change { binary: true, ..change("p.png") };
        assert_eq!(line(&binary), "@file p.png modified oldsha=1111111 newsha=2222222 binary\n");
    }

    #[test]
    fn paths_are_quoted_where_they_have_to_be() {
        for (path, text) in [
            (&b"plain/\xc3\xa9.rs"[..], &b"plain/\xc3\xa9.rs"[..]),
            (b"a b", b"\"a b\""),
            (b"a\"b", b"\"a\\\"b\""),
            (b"a\\b", b"\"a\\\\b\""),
            (b"a\tb\nc\x01\x7f", b"\"a\\tb\\nc\\001\\177\""),
            (b"a\xc2\xa0b", b"\"a\xc2\xa0b\""),
            (b"\xff", b"\xff"),
        ] {
            assert_eq!(quoted(path).as_bstr(), text.as_bstr());
        }
    }

    #[test]
    fn stubs_name_lines_that_are_there() {
        let text = b"@@ -1,2 +1,3 @@\n a\n+b\n+c\n-d\n@@ -9,2 +10,1 @@ f()\n-x\n-y\n z\n@@ -20,0 +20 @@\n+n\n@@ -30 +30 @@\n x\n";
        assert_eq!(selectors(text), ["+2..3", "-9..10", "+20"]);
        let no_newline = b"@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n";
        assert_eq!(selectors(no_newline), ["+1"]);
        assert_eq!(selectors(b"@@ -3 +2,0 @@\n-@@ -1 +1 @@\n"), ["-3"], "content is no header");
    }

    #[test]
    fn sections_with_stubs() {
        let file = FilePatch { change: change("a"), text: b"@@ -1 +1 @@\n-x\n+y\n".to_vec(), added: 1, removed: 1 };
        let start = "@file a modified +1 -1 oldsha=1111111 newsha=2222222\n@@ -1 +1 @@\n-x\n+y\n";
        let of = |file: &FilePatch, stubs| String::from_utf8(section(file, stubs)).unwrap();
        assert_eq!(of(&file, Stubs::None), start);
        let note = "\n@note +1 kind=intent\nwhy: TODO say why this is done\nsource: inference — TODO say what this rests on\n\
                    verify: none => unknown (TODO say how it was checked)\n";
        assert_eq!(of(&file, Stubs::Hunk), format!("{start}{note}"));
        assert!(of(&file, Stubs::File).contains("\n\n@note file kind=intent\nwhy: TODO"));
        let executable =
            FilePatch { change: Change { new_mode: Some(0o100_755), ..change("a") }, text: vec![], ..file.clone() };
        assert!(of(&executable, Stubs::Hunk).contains("what: the mode changes from 100644 to 100755\n"));
        let binary = FilePatch { change: Change { binary: true, ..change("a") }, text: vec![], ..file };
        assert!(!of(&binary, Stubs::File).contains("@note"));
    }

    #[test]
    fn heads_are_readable() {
        let facts = Facts {
            title: "Cache the lookup".into(),
            author: Some("Fix: #1".into()),
            date: Some("2026-09-15T12:04:00Z".into()),
            scope: Some("staged".into()),
            base: Some("HEAD@1a2b3c4".into()),
            head: Some("index".into()),
            checks: vec!["cargo test".into()],
            ..Facts::default()
        };
        let text = String::from_utf8(head(&facts)).unwrap();
        assert!(text.starts_with(
            "---\nwhymark: 1\ntitle: Cache the lookup\nauthor: \"Fix: #1\"\ndate: 2026-09-15T12:04:00Z\nscope: staged\n\
             base: HEAD@1a2b3c4\nhead: index\nsummary: TODO"
        ));
        assert!(text.ends_with("checks:\n  - cmd: cargo test\n    status: unknown\n---\n"));
    }

    #[test]
    fn awkward_values_read_back() {
        let values = [
            "no",
            "Null",
            "~",
            "1e5",
            "0x1F",
            "1.10",
            "2026-09-15",
            "- a",
            "a: b",
            "a #b",
            "@x",
            "`x`",
            "%x",
            "a\u{85}b",
            "\u{2028}",
            "\u{feff}x",
            "x\u{202e}y",
            "\0",
            "a\r\nb",
            "{a",
            "[a",
            "key:",
            "'",
            "\"",
            "\\",
            " a ",
            "---",
            "...",
            "T",
            "é: x",
            "👩‍👩‍👧",
            "2026-09-15T12:04:00Z",
            "y",
            "<<",
            "=",
            "!!str x",
            "*a",
            "&a",
            "a, b",
            "? x",
            "| x",
            "Yes",
            "12:30:45",
        ];
        for value in values {
            let facts = Facts { title: value.into(), checks: vec![value.into()], ..Facts::default() };
            let yaml = read_back(&head(&facts));
            assert_eq!(yaml["title"].as_str(), Some(value));
            assert_eq!(yaml["checks"][0]["cmd"].as_str(), Some(value));
        }
    }

    proptest! {
        #[test]
        fn any_value_reads_back(title in any::<String>(), author in "[ -~é\t\u{a0}]*") {
            let facts = Facts { title: title.clone(), author: Some(author.clone()), ..Facts::default() };
            let yaml = read_back(&head(&facts));
            prop_assert_eq!(yaml["title"].as_str(), Some(title.as_str()));
            prop_assert_eq!(yaml["author"].as_str(), Some(author.as_str()));
        }
    }

    #[test]
    fn slugs() {
        for (title, name) in [
            ("Fix #412 crash!", "fix-412-crash"),
            ("branch-feature/x", "branch-feature-x"),
            ("日本語", "review"),
            ("", "review"),
        ] {
            assert_eq!(slug(title), name);
        }
        assert_eq!(slug(&"ab ".repeat(40)).len(), 59, "cut behind a word");
        assert_eq!(review_path(Path::new("/r"), "staged-main"), Path::new("/r/reviews/staged-main.whymark"));
    }
}
