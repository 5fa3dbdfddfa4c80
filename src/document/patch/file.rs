//! One entry of a patch: the lines in front of its hunks.

use std::borrow::Cow;

use super::hunks::{self, Hunks};
use super::{Refusal, RefusalKind};
use crate::document::parse::file::UNKNOWN_PATH;
use crate::document::{Document, FileHeader, FileStatus};
use crate::text::Span;

/// The id of a file without content.
const EMPTY: &[u8] = b"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

/// Write the entry of the sections `parts`, which are one file's; `false` when they say nothing about a change.
pub(super) fn write(document: &Document, parts: &[usize], out: &mut Vec<u8>) -> Result<bool, Refusal> {
    let first = parts[0];
    let refuse = |kind| Refusal { part: first, kind };
    let section = &document.parts()[first];
    let file = section.tree().file.as_ref().filter(|file| file.path != UNKNOWN_PATH && !file.path.is_empty());
    let file = file.ok_or_else(|| refuse(RefusalKind::NoPath))?;
    let ids = Ids::of(section.text(), file);
    let hunks = hunks::of(document, parts, file.status)?;
    let entry = Entry::of(file);
    let is_binary = parts.iter().any(|part| document.parts()[*part].tree().file.as_ref().is_some_and(|f| f.binary));
    if file.status == FileStatus::Renamed && entry.from.is_none() {
        return Err(refuse(RefusalKind::NoOrigin));
    }
    if hunks.is_empty() {
        let is_known = match file.status {
            FileStatus::Added => ids.new.is_none_or(is_empty_id),
            FileStatus::Deleted => ids.old.is_none_or(is_empty_id),
            FileStatus::Modified | FileStatus::Renamed | FileStatus::Context => ids.are_equal(),
        };
        // Two ids that are both missing say nothing of a binary file.
        let is_known = is_known && (!is_binary || ids.old.or(ids.new).is_some());
        if !is_known {
            return Err(refuse(if is_binary { RefusalKind::Binary } else { RefusalKind::NoHunks }));
        }
        if entry.from.is_none() && entry.old_mode == entry.new_mode {
            return Ok(false);
        }
    } else if is_binary {
        return Err(refuse(RefusalKind::Binary));
    }
    entry.write(&ids, &hunks, out);
    Ok(true)
}

/// The blob ids that an `@file` line states, where they are ids.
struct Ids<'a> {
    old: Option<&'a [u8]>,
    new: Option<&'a [u8]>,
}

impl<'a> Ids<'a> {
    fn of(text: &'a [u8], file: &FileHeader) -> Self {
        let id = |span: Option<Span>| {
            let id = span?.of(text);
            let is_id = id.len() <= 64 && id.iter().all(u8::is_ascii_hexdigit);
            // Zeros are how git writes that there is no object.
            (is_id && id.iter().any(|digit| *digit != b'0')).then_some(id)
        };
        Self { old: id(file.old_sha), new: id(file.new_sha) }
    }

    /// Whether nothing says that the content changed.
    fn are_equal(&self) -> bool {
        match (self.old, self.new) {
            (Some(old), Some(new)) => old.starts_with(new) || new.starts_with(old),
            _ => true,
        }
    }
}

fn is_empty_id(id: &[u8]) -> bool {
    EMPTY.starts_with(&id.to_ascii_lowercase())
}

/// What the lines in front of the hunks say.
struct Entry<'a> {
    path: &'a [u8],
    /// The path before, where it was another one.
    from: Option<&'a [u8]>,
    /// The mode before; `None` for a file that came.
    old_mode: Option<u32>,
    /// The mode after; `None` for a file that went.
    new_mode: Option<u32>,
}

impl<'a> Entry<'a> {
    fn of(file: &'a FileHeader) -> Self {
        let (came, went) = (file.status == FileStatus::Added, file.status == FileStatus::Deleted);
        let from = file.old_path.as_ref().map(|path| path.as_slice()).filter(|from| *from != file.path.as_slice());
        Self {
            path: file.path.as_slice(),
            from: from.filter(|_| !came && !went),
            old_mode: (!came).then(|| file.old_mode.unwrap_or(FileHeader::PLAIN)),
            new_mode: (!went).then(|| file.new_mode.unwrap_or(FileHeader::PLAIN)),
        }
    }

    fn write(&self, ids: &Ids<'_>, hunks: &Hunks, out: &mut Vec<u8>) {
        let old_path = self.from.unwrap_or(self.path);
        let (old, new) = (quoted(b"a/", old_path), quoted(b"b/", self.path));
        line(out, &[b"diff --git ", &old, b" ", &new]);
        match (self.old_mode, self.new_mode) {
            (None, Some(mode)) => line(out, &[format!("new file mode {mode:06o}").as_bytes()]),
            (Some(mode), None) => line(out, &[format!("deleted file mode {mode:06o}").as_bytes()]),
            (Some(old), Some(new)) if old != new => {
                line(out, &[format!("old mode {old:06o}\nnew mode {new:06o}").as_bytes()]);
            }
            _ => {}
        }
        if let Some(from) = self.from {
            if hunks.is_empty() {
                line(out, &[b"similarity index 100%"]);
            }
            line(out, &[b"rename from ", &quoted(b"", from)]);
            line(out, &[b"rename to ", &quoted(b"", self.path)]);
        }
        self.write_index(ids, out);
        if !hunks.is_empty() {
            let null = || b"/dev/null".to_vec();
            line(out, &[b"--- ", &self.old_mode.map_or_else(null, |_| ended(&old, old_path))]);
            line(out, &[b"+++ ", &self.new_mode.map_or_else(null, |_| ended(&new, self.path))]);
            hunks.write(out);
        }
    }

    /// The ids, zeros for the side that is not there, and the mode where both sides have the same.
    fn write_index(&self, ids: &Ids<'_>, out: &mut Vec<u8>) {
        let zeros = |other: &[u8]| vec![b'0'; other.len()];
        let (old, new): (Cow<'_, [u8]>, Cow<'_, [u8]>) = match (ids.old, ids.new) {
            (Some(old), Some(new)) => (old.into(), new.into()),
            (None, Some(new)) if self.old_mode.is_none() => (zeros(new).into(), new.into()),
            (Some(old), None) if self.new_mode.is_none() => (old.into(), zeros(old).into()),
            _ => return,
        };
        let mode = self.old_mode.filter(|mode| self.new_mode == Some(*mode));
        if old == new && mode.is_none_or(|_| self.from.is_some()) {
            return;
        }
        let mode = mode.map_or_else(String::new, |mode| format!(" {mode:06o}"));
        line(out, &[b"index ", &old, b"..", &new, mode.as_bytes()]);
    }
}

fn line(out: &mut Vec<u8>, pieces: &[&[u8]]) {
    pieces.iter().for_each(|piece| out.extend_from_slice(piece));
    out.push(b'\n');
}

/// A name of a `---` or `+++` line: where the path holds a blank, a tab says where it ends.
fn ended(quoted: &[u8], path: &[u8]) -> Vec<u8> {
    let tab: &[u8] = if path.contains(&b' ') { b"\t" } else { b"" };
    [quoted, tab].concat()
}

/// `path` behind `prefix`, as git quotes it: in double quotes where a byte is a quote, a backslash, a control character
/// or none of ASCII.
pub(crate) fn quoted(prefix: &[u8], path: &[u8]) -> Vec<u8> {
    let is_special = |byte: &u8| !(0x20..0x7f).contains(byte) || matches!(byte, b'"' | b'\\');
    if !path.iter().any(is_special) {
        return [prefix, path].concat();
    }
    let mut out = [b"\"", prefix].concat();
    for byte in path {
        let letter = match byte {
            0x07 => b'a',
            0x08 => b'b',
            b'\t' => b't',
            b'\n' => b'n',
            0x0b => b'v',
            0x0c => b'f',
            b'\r' => b'r',
            b'"' | b'\\' => *byte,
            byte if is_special(byte) => {
                out.extend_from_slice(format!("\\{byte:03o}").as_bytes());
                continue;
            }
            byte => {
                out.push(*byte);
                continue;
            }
        };
        out.extend_from_slice(&[b'\\', letter]);
    }
    out.push(b'"');
    out
}

#[cfg(test)]
mod tests {
    use bstr::ByteSlice as _;

    use super::*;

    #[test]
    fn paths_as_git_quotes_them() {
        for (path, want) in [
            (&b"a b"[..], r"a/a b"),
            (b"\xc3\xa4", r#""a/\303\244""#),
            (b"\"\\", r#""a/\"\\""#),
            (b"\x07\x08\t\n\x0b\x0c\r\x01\x7f", r#""a/\a\b\t\n\v\f\r\001\177""#),
        ] {
            assert_eq!(quoted(b"a/", path).as_bstr(), want);
        }
    }
}
