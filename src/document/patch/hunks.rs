//! The hunks of one entry of a patch, as git writes them.

use super::{Refusal, RefusalKind};
use crate::diff::LineKind;
use crate::document::{Document, FileStatus, Hunk, HunkLineKind, Section};

/// What git writes whatever the language; it reads no other text.
const NO_NEWLINE: &[u8] = b"\\ No newline at end of file\n";

/// The hunks of a file, in the order of their lines.
pub(super) struct Hunks {
    hunks: Vec<Written>,
}

/// A hunk as it stands in a patch.
struct Written {
    /// The first line of the old side and the first line behind it.
    old: (u64, u64),
    text: Vec<u8>,
}

impl Hunks {
    /// Whether no line changes.
    pub(super) fn is_empty(&self) -> bool {
        self.hunks.is_empty()
    }

    /// Write them.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        self.hunks.iter().for_each(|hunk| out.extend_from_slice(&hunk.text));
    }
}

/// The hunks of the sections `parts`, which are one file's. Those in which nothing changes are context for a reader, and
/// git refuses them.
pub(super) fn of(document: &Document, parts: &[usize], status: FileStatus) -> Result<Hunks, Refusal> {
    let mut hunks = Vec::new();
    for part in parts {
        let section = &document.parts()[*part];
        for hunk in section.tree().hunks.iter().filter(|hunk| hunk.added + hunk.removed > 0) {
            // A line of the old side says where it belongs.
            let is_placed = !hunk.loose || hunk.sides().0 > 0 || status == FileStatus::Added;
            if !is_placed {
                return Err(Refusal { part: *part, kind: RefusalKind::NoPlace });
            }
            hunks.push(written(section, hunk, status));
        }
    }
    if parts.len() > 1 {
        hunks.sort_by_key(|hunk| hunk.old);
        if hunks.windows(2).any(|pair| pair[0].old.1 > pair[1].old.0) {
            return Err(Refusal { part: parts[parts.len() - 1], kind: RefusalKind::Twice });
        }
    }
    Ok(Hunks { hunks })
}

fn written(section: &Section, hunk: &Hunk, status: FileStatus) -> Written {
    let lines = section.tree().hunk_lines(hunk);
    let (old, new) = hunk.sides();
    let old_start = if status == FileStatus::Added && old == 0 { 0 } else { start(hunk.first_old, old) };
    let new_start = if status == FileStatus::Deleted && new == 0 { 0 } else { start(hunk.first_new, new) };
    let mut text = format!("@@ -{} +{} @@", range(old_start, old), range(new_start, new)).into_bytes();
    let heading = hunk.heading.of(section.text());
    if !heading.is_empty() {
        text.push(b' ');
        text.extend_from_slice(heading);
    }
    text.push(b'\n');
    let mut may_lack_newline = false;
    for line in lines {
        let content = section.newline().content(line.span.of(section.text()));
        match line.kind {
            HunkLineKind::Diff(LineKind::NoNewline) => {
                if may_lack_newline {
                    text.extend_from_slice(NO_NEWLINE);
                }
            }
            HunkLineKind::Diff(_) if !content.is_empty() => push(&mut text, content),
            // An empty line is a context line that lost its blank.
            HunkLineKind::Diff(_) | HunkLineKind::Unprefixed => {
                text.push(b' ');
                push(&mut text, content);
            }
            HunkLineKind::Separator | HunkLineKind::Comment | HunkLineKind::Stray => continue,
        }
        may_lack_newline = line.kind != HunkLineKind::Diff(LineKind::NoNewline);
    }
    Written { old: (hunk.first_old, hunk.first_old.saturating_add(old)), text }
}

fn push(text: &mut Vec<u8>, content: &[u8]) {
    text.extend_from_slice(content);
    text.push(b'\n');
}

/// The number in a header of a side whose first line would be `first`: an empty side names the line before.
fn start(first: u64, count: u64) -> u64 {
    if count == 0 { first.saturating_sub(1) } else { first }
}

fn range(start: u64, count: u64) -> String {
    if count == 1 { start.to_string() } else { format!("{start},{count}") }
}
