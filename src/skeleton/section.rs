//! The section of a file in a new document: its line, its hunks, and notes to be filled in.

use std::io::Write as _;

use bstr::ByteSlice;

use super::{Change, FilePatch, SEPARATOR, Stubs};
use crate::diff::HunkHeader;
use crate::document::{FileHeader, Selector, Side};
use crate::text::lines::Lines;

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
    let octal = |mode: Option<u32>| mode.filter(|mode| *mode != FileHeader::PLAIN).map(|mode| format!("{mode:o}"));
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
    // With room for what separates it from the next one: to grow for that would double what is held.
    out.reserve_exact(file.text.len() + SEPARATOR.len());
    out.extend_from_slice(&file.text);
    let (old, new) = (file.change.old_mode, file.change.new_mode);
    let mode_change = old.zip(new).filter(|(old, new)| old != new);
    let what = mode_change.map(|(old, new)| format!("the mode changes from {old:o} to {new:o}"));
    let mut note = |selector: Selector, what: Option<&str>| {
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
        Stubs::File => note(Selector::FILE, what.as_deref()),
        Stubs::Hunk => {
            selectors(&file.text).into_iter().for_each(|selector| note(selector, None));
            if what.is_some() {
                note(Selector::FILE, what.as_deref());
            }
        }
    }
    out
}

/// For each hunk of `text` what its stub note is about: the first to the last added line, else removed line.
fn selectors(text: &[u8]) -> Vec<Selector> {
    let mut found = Vec::new();
    let mut lines = Lines::new(text).map(|span| span.of(text)).peekable();
    while let Some(line) = lines.next() {
        let Some(header) = HunkHeader::parse(line.trim_end_with(|c| c == '\n')) else { continue };
        let (mut old, mut new) = header.first_lines();
        let (mut added, mut removed) = (None, None);
        while let Some(line) = lines.next_if(|line| !line.starts_with(b"@")) {
            let stretch =
                |seen: &mut Option<(u64, u64)>, at: u64| *seen = Some((seen.map_or(at, |(start, _)| start), at));
            match line.first() {
                Some(b'+') => {
                    stretch(&mut added, new);
                    new = new.saturating_add(1);
                }
                Some(b'-') => {
                    stretch(&mut removed, old);
                    old = old.saturating_add(1);
                }
                Some(b' ') => {
                    old = old.saturating_add(1);
                    new = new.saturating_add(1);
                }
                _ => {}
            }
        }
        let named = added.map(|lines| (Side::New, lines)).or(removed.map(|lines| (Side::Old, lines)));
        found.extend(named.map(|(side, (start, end))| Selector { side, start, end }));
    }
    found
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::FileStatus;

    fn change(path: &str) -> Change {
        Change {
            status: FileStatus::Modified,
            path: path.into(),
            old_path: None,
            old_mode: Some(FileHeader::PLAIN),
            new_mode: Some(FileHeader::PLAIN),
            old_id: Some("1111111".into()),
            new_id: Some("2222222".into()),
            binary: false,
        }
    }

    fn written(text: &[u8]) -> Vec<String> {
        selectors(text).iter().map(ToString::to_string).collect()
    }

    fn line(change: &Change) -> String {
        String::from_utf8(file_line(change, Some((3, 1)))).unwrap()
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
        assert_eq!(written(text), ["+2..3", "-9..10", "+20"]);
        let no_newline = b"@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n";
        assert_eq!(written(no_newline), ["+1"]);
        assert_eq!(written(b"@@ -3 +2,0 @@\n-@@ -1 +1 @@\n"), ["-3"], "content is no header");
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
}
