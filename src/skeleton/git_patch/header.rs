//! The lines in front of the hunks of a file: git's own, or the two names that `diff -u` writes.

use bstr::{BString, ByteSlice as _};

use super::cursor::Cursor;
use super::hunks::{self, Hunks};
use super::names::{self, Name, Time};
use super::{Fault, FaultKind};
use crate::document::{FileHeader, FileStatus};
use crate::skeleton::{Change, FilePatch};

/// What git's lines in front of the hunks say.
#[derive(Default)]
struct Header {
    /// Of a file that stays, or of the side that is there.
    old_mode: Option<u32>,
    new_mode: Option<u32>,
    came: bool,
    went: bool,
    from: Option<BString>,
    to: Option<BString>,
    ids: Option<(String, String)>,
    minus: Option<Name>,
    plus: Option<Name>,
    is_binary: bool,
}

/// Read the file that begins with `diff --git`.
pub(super) fn git_file(cursor: &mut Cursor<'_>) -> Result<FilePatch, Fault> {
    let line = cursor.number();
    let names = cursor.next_if(|_| true).and_then(|line| line.strip_prefix(b"diff --git ")).unwrap_or_default();
    let mut header = Header::default();
    let mut both = None;
    while let Some(line) = cursor.peek() {
        let fault = |kind| Fault { line: cursor.number(), kind };
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if let Some(rest) = line.strip_prefix(b"--- ") {
            header.minus = Some(Name::parse(rest));
            cursor.advance();
            let plus = cursor.next_if(|line| line.starts_with(b"+++ "));
            let plus = plus.ok_or(Fault { line: cursor.number(), kind: FaultKind::NoName })?;
            header.plus = Some(Name::parse(&plus[4..]));
            if !cursor.peek().is_some_and(|line| line.starts_with(b"@@")) {
                return Err(Fault { line: cursor.number(), kind: FaultKind::NoHunk });
            }
            break;
        } else if let Some(rest) = line.strip_prefix(b"Binary files ") {
            header.is_binary = true;
            both = rest.strip_suffix(b" differ");
            cursor.advance();
            break;
        } else if line == b"GIT binary patch" {
            header.is_binary = true;
            cursor.advance();
            // Its lines hold no blank, so none of them is a header.
            while cursor.next_if(|line| !line.starts_with(b"diff ") && !line.starts_with(b"-- ")).is_some() {}
            break;
        } else if !header.extended(line).map_err(fault)? {
            break;
        }
        cursor.advance();
    }
    let hunks = hunks::read(cursor)?;
    let (old, new) = header.paths(names, both).ok_or(Fault { line, kind: FaultKind::NoName })?;
    Ok(header.finish(old, new, hunks))
}

impl Header {
    /// Read one of the lines between `diff --git` and the names; `false` when it is none.
    fn extended(&mut self, line: &[u8]) -> Result<bool, FaultKind> {
        const SKIPPED: [&[u8]; 2] = [b"similarity index ", b"dissimilarity index "];
        let mode = |rest: &[u8]| mode(rest).ok_or(FaultKind::BadMode);
        if let Some(rest) = line.strip_prefix(b"old mode ") {
            self.old_mode = Some(mode(rest)?);
        } else if let Some(rest) = line.strip_prefix(b"new mode ") {
            self.new_mode = Some(mode(rest)?);
        } else if let Some(rest) = line.strip_prefix(b"new file mode ") {
            (self.came, self.new_mode) = (true, Some(mode(rest)?));
        } else if let Some(rest) = line.strip_prefix(b"deleted file mode ") {
            (self.went, self.old_mode) = (true, Some(mode(rest)?));
        } else if let Some(rest) = line.strip_prefix(b"rename from ").or_else(|| line.strip_prefix(b"rename old ")) {
            self.from = Some(names::unquoted(rest));
        } else if let Some(rest) = line.strip_prefix(b"rename to ").or_else(|| line.strip_prefix(b"rename new ")) {
            self.to = Some(names::unquoted(rest));
        } else if let Some(rest) = line.strip_prefix(b"copy to ") {
            return Err(FaultKind::Copy(names::unquoted(rest)));
        } else if let Some(rest) = line.strip_prefix(b"index ") {
            let (ids, shared) = rest.split_once_str(" ").map_or((rest, None), |(ids, mode)| (ids, Some(mode)));
            if let Some(shared) = shared {
                let shared = Some(mode(shared)?);
                (self.old_mode, self.new_mode) = (self.old_mode.or(shared), self.new_mode.or(shared));
            }
            let text = |id: &[u8]| id.to_str_lossy().into_owned();
            self.ids = ids.split_once_str("..").map(|(old, new)| (text(old), text(new)));
        } else {
            return Ok(line.starts_with(b"copy from ") || SKIPPED.iter().any(|start| line.starts_with(start)));
        }
        Ok(true)
    }

    /// The paths of the two sides, of `names` behind `diff --git`, or of `both` in the line of a binary file.
    fn paths(&self, names: &[u8], both: Option<&[u8]>) -> Option<(BString, BString)> {
        if let (Some(from), Some(to)) = (&self.from, &self.to) {
            return Some((from.clone(), to.clone()));
        }
        if let Some(name) = names::common(names) {
            return Some((name.clone(), name));
        }
        let (old, new) = if let (Some(minus), Some(plus)) = (&self.minus, &self.plus) {
            (minus.path.clone(), plus.path.clone())
        } else {
            binary_names(both?)
        };
        sides(old.as_ref(), new.as_ref())
    }

    fn finish(self, old: BString, new: BString, hunks: Hunks) -> FilePatch {
        let is_renamed = !self.came && !self.went && old != new;
        let status = match (self.came, self.went) {
            (true, _) => FileStatus::Added,
            (_, true) => FileStatus::Deleted,
            _ if is_renamed => FileStatus::Renamed,
            _ => FileStatus::Modified,
        };
        let (old_id, new_id) = self.ids.unwrap_or_default();
        let id = |id: String| Some(id).filter(|id| is_id(id));
        let change = Change {
            status,
            path: if self.went { old.clone() } else { new },
            old_path: is_renamed.then_some(old),
            old_mode: (!self.came).then_some(self.old_mode.unwrap_or(FileHeader::PLAIN)),
            new_mode: (!self.went).then_some(self.new_mode.or(self.old_mode).unwrap_or(FileHeader::PLAIN)),
            old_id: id(old_id),
            new_id: id(new_id),
            binary: self.is_binary,
        };
        FilePatch { change, text: hunks.text, added: hunks.added, removed: hunks.removed }
    }
}

/// Read the file that begins with `---` and `+++`.
pub(super) fn plain_file(cursor: &mut Cursor<'_>) -> Result<FilePatch, Fault> {
    let line = cursor.number();
    let mut name = || Name::parse(&cursor.next_if(|_| true).unwrap_or_default()[4..]);
    let (minus, plus) = (name(), name());
    if !cursor.peek().is_some_and(|line| line.starts_with(b"@@")) {
        return Err(Fault { line: cursor.number(), kind: FaultKind::NoHunk });
    }
    let hunks = hunks::read(cursor)?;
    let (old_lines, new_lines) = hunks.lines;
    let is_absent = |name: &Name, lines: u64| {
        // A file that is empty is there, as its time says.
        name.path.is_none() || (lines == 0 && hunks.count == 1 && name.time != Some(Time::Other))
    };
    let (came, went) = (is_absent(&minus, old_lines), is_absent(&plus, new_lines));
    let (old, new) = sides(minus.path.as_ref(), plus.path.as_ref()).ok_or(Fault { line, kind: FaultKind::NoName })?;
    let header = Header { came, went: went && !came, ..Header::default() };
    // Which of two names is the file's cannot be told without git's own lines; it is one file.
    let old = if came || !went { new.clone() } else { old };
    Ok(header.finish(old, new, hunks))
}

/// Read the line that says of `both` files that they are binary, outside git's own format.
pub(super) fn plain_binary(cursor: &mut Cursor<'_>, both: &[u8]) -> Result<FilePatch, Fault> {
    let line = cursor.number();
    cursor.advance();
    let (old, new) = binary_names(both);
    let header = Header { came: old.is_none(), went: new.is_none(), is_binary: true, ..Header::default() };
    let (_, new) = sides(old.as_ref(), new.as_ref()).ok_or(Fault { line, kind: FaultKind::NoName })?;
    Ok(header.finish(new.clone(), new, Hunks::default()))
}

/// The two names of `OLD and NEW`.
fn binary_names(both: &[u8]) -> (Option<BString>, Option<BString>) {
    let ways: Vec<(Name, Name)> =
        both.find_iter(b" and ").map(|at| (Name::parse(&both[..at]), Name::parse(&both[at + 5..]))).collect();
    let is_likely = |(old, new): &&(Name, Name)| {
        let (old, new) = names::paths(old.path.as_ref(), new.path.as_ref());
        old.is_none() || new.is_none() || old == new
    };
    let way = ways.iter().find(is_likely).or(ways.first()).cloned();
    way.map_or((None, None), |(old, new)| (old.path, new.path))
}

/// The paths of both sides, that of a side which is not there being the other's; `None` where there is none at all.
fn sides(old: Option<&BString>, new: Option<&BString>) -> Option<(BString, BString)> {
    let (old, new) = names::paths(old, new);
    let any = old.clone().or(new.clone())?;
    let (old, new) = (old.unwrap_or_else(|| any.clone()), new.unwrap_or(any));
    (!old.is_empty() && !new.is_empty()).then_some((old, new))
}

/// A mode in octal digits.
fn mode(text: &[u8]) -> Option<u32> {
    let text = text.to_str().ok()?;
    let is_octal = !text.is_empty() && text.len() <= 6 && text.bytes().all(|byte| matches!(byte, b'0'..=b'7'));
    is_octal.then(|| u32::from_str_radix(text, 8).ok())?
}

/// Whether `text` is the id of an object that is there.
fn is_id(text: &str) -> bool {
    let is_hex = !text.is_empty() && text.len() <= 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hex && text.bytes().any(|digit| digit != b'0')
}
