//! The hunks of one file, read by their counts.

use bstr::ByteSlice as _;

use super::cursor::Cursor;
use super::{Fault, FaultKind};
use crate::diff::HunkHeader;

/// What git writes whatever the language; the words of other tools are translated.
const NO_NEWLINE: &[u8] = b"\\ No newline at end of file\n";

/// The hunks of a file.
#[derive(Debug, Default)]
pub(super) struct Hunks {
    /// As they stand in a section of a document.
    pub(super) text: Vec<u8>,
    pub(super) added: u64,
    pub(super) removed: u64,
    /// How many.
    pub(super) count: u64,
    /// Lines of the old and of the new side in all of them.
    pub(super) lines: (u64, u64),
}

/// Read the hunks that come next; none is fine.
pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<Hunks, Fault> {
    let mut hunks = Hunks::default();
    while let Some(line) = cursor.peek().filter(|line| line.starts_with(b"@@")) {
        let kind = if line.starts_with(b"@@@") { FaultKind::Combined } else { FaultKind::BadHunkHeader };
        let header = HunkHeader::parse(line).filter(|_| line.starts_with(b"@@ -"));
        let header = header.ok_or(Fault { line: cursor.number(), kind })?;
        hunks.one(cursor, line, header)?;
    }
    Ok(hunks)
}

impl Hunks {
    fn one(&mut self, cursor: &mut Cursor<'_>, line: &[u8], header: HunkHeader) -> Result<(), Fault> {
        let hunk = cursor.number();
        cursor.advance();
        self.push(line.trim_ascii_end());
        let (mut old, mut new) = (header.old_lines, header.new_lines);
        while old > 0 || new > 0 {
            let short = Fault { line: cursor.number(), kind: FaultKind::ShortHunk { hunk } };
            let Some(line) = cursor.peek() else { return Err(short) };
            match line.first() {
                Some(b'+') if new > 0 => {
                    new -= 1;
                    self.added += 1;
                }
                Some(b'-') if old > 0 => {
                    old -= 1;
                    self.removed += 1;
                }
                Some(b' ') | None if old > 0 && new > 0 => (old, new) = (old - 1, new - 1),
                // Blanks at the end of lines were taken away on the way, here the only one there was.
                Some(b'\r') if line.len() == 1 && old > 0 && new > 0 => (old, new) = (old - 1, new - 1),
                Some(b'\\') if !self.text.ends_with(NO_NEWLINE) => {
                    self.text.extend_from_slice(NO_NEWLINE);
                    cursor.advance();
                    continue;
                }
                _ => return Err(short),
            }
            if matches!(line, [] | [b'\r']) {
                self.text.push(b' ');
            }
            self.push(line);
            cursor.advance();
        }
        if cursor.next_if(|line| line.starts_with(b"\\")).is_some() {
            self.text.extend_from_slice(NO_NEWLINE);
        }
        self.count += 1;
        self.lines.0 = self.lines.0.saturating_add(header.old_lines);
        self.lines.1 = self.lines.1.saturating_add(header.new_lines);
        match cursor.peek() {
            Some(line) if goes_on(line, cursor.second()) => {
                Err(Fault { line: cursor.number(), kind: FaultKind::LongHunk { hunk } })
            }
            _ => Ok(()),
        }
    }

    fn push(&mut self, line: &[u8]) {
        self.text.extend_from_slice(line);
        self.text.push(b'\n');
    }
}

/// Whether `line`, behind a hunk that is complete, looks like one more line of it: neither the names of the next file nor
/// the line above a signature.
fn goes_on(line: &[u8], next: Option<&[u8]>) -> bool {
    let is_name = line.starts_with(b"--- ") && next.is_some_and(|next| next.starts_with(b"+++ "));
    let is_signature = matches!(line.trim_end(), b"--");
    matches!(line.first(), Some(b'+' | b'-' | b' ')) && !is_name && !is_signature
}
