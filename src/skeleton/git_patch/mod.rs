//! Patches that were made elsewhere, read into the same plain data that a repository gives: what `git diff`, `git show`,
//! `git format-patch` and `diff -u` print, with whatever prose, mail headers and signature stand around it.
//!
//! A patch is read by the counts of its hunks, so a line of content is never taken for a header; bytes are kept. What
//! cannot be read as one change with two sides is a [`Fault`] that names its line: half a change is another change.

mod cursor;
mod header;
mod hunks;
mod names;
mod prose;

use std::collections::HashMap;
use std::fmt;

use bstr::{BString, ByteSlice as _};

use super::FilePatch;
use super::paths::is_in_tree;
use crate::diff::HunkHeader;
use crate::document::FileStatus;
use cursor::Cursor;

/// The files of a patch, and what is said around them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GitPatch {
    /// The files, in the order of the patch.
    pub files: Vec<FilePatch>,
    /// The subject of the one commit that the patch is.
    pub subject: Option<String>,
    /// The id of that commit.
    pub commit: Option<String>,
}

/// Why something is no patch, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The line, from 1.
    pub line: u64,
    /// What is wrong.
    pub kind: FaultKind,
}

/// What is wrong with a patch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultKind {
    /// There is text, but no file of a diff in it.
    NoDiff,
    /// A combined diff, as git shows a merge.
    Combined,
    /// A diff in the old context format.
    Context,
    /// A file that is a copy of another one, which stays.
    Copy(BString),
    /// A header that names no file, or not the same way twice.
    NoName,
    /// A mode that is none.
    BadMode,
    /// A hunk that belongs to no file.
    StrayHunk,
    /// A file whose names are there, but no hunk.
    NoHunk,
    /// A `@@` line without the four numbers.
    BadHunkHeader,
    /// The hunk that begins at line `hunk` has fewer lines than it announces.
    ShortHunk {
        /// Its first line, from 1.
        hunk: u64,
    },
    /// The hunk that begins at line `hunk` has more lines than it announces.
    LongHunk {
        /// Its first line, from 1.
        hunk: u64,
    },
    /// A path that no file in a repository can have.
    Outside(BString),
    /// A file that an earlier part of the patch has changed already.
    Twice(BString),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind != FaultKind::NoDiff {
            write!(f, "line {}: ", self.line)?;
        }
        match &self.kind {
            FaultKind::NoDiff => f.write_str("there is no diff in it"),
            FaultKind::Combined => f.write_str("a combined diff (of a merge) has more than two sides"),
            FaultKind::Context => f.write_str("a diff in context format is not understood"),
            FaultKind::Copy(path) => write!(f, "{path} is a copy of a file that stays, and a review holds no copies"),
            FaultKind::NoName => f.write_str("the file has no name that could be told from its prefix"),
            FaultKind::BadMode => f.write_str("the mode is no octal number"),
            FaultKind::StrayHunk => f.write_str("the hunk belongs to no file"),
            FaultKind::NoHunk => f.write_str("no hunk follows the names of the file"),
            FaultKind::BadHunkHeader => f.write_str("the `@@` line lacks its numbers"),
            FaultKind::ShortHunk { hunk } => {
                write!(f, "the hunk that begins at line {hunk} should go on, and this is no line of it")
            }
            FaultKind::LongHunk { hunk } => {
                write!(f, "the hunk that begins at line {hunk} has more lines than it announces")
            }
            FaultKind::Outside(path) => write!(f, "{path} cannot be the path of a file in a repository"),
            FaultKind::Twice(path) => write!(f, "{path} is changed twice, as by several commits"),
        }
    }
}

impl FaultKind {
    /// What to try.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoDiff => "give it what `git diff`, `git show` or `diff -u` prints",
            Self::Combined => "compare a merge with its first parent: `git show --first-parent -m`, or `git diff A B`",
            Self::Context => "make it with `diff -u`",
            Self::Copy(_) => "make the diff without -C and --find-copies",
            Self::NoName => "make the diff with the usual prefixes a/ and b/",
            Self::Outside(_) => "name it as it is seen from the top of the repository",
            Self::Twice(_) => "review the commits one by one, or their sum: `git diff FIRST^ LAST`",
            Self::BadMode
            | Self::StrayHunk
            | Self::NoHunk
            | Self::BadHunkHeader
            | Self::ShortHunk { .. }
            | Self::LongHunk { .. } => "the patch was cut off, wrapped or edited on its way; make it again",
        }
    }
}

/// Read a patch. A blank text is a patch of no file.
///
/// # Errors
/// The first thing in it that cannot be read.
pub fn read(text: &[u8]) -> Result<GitPatch, Fault> {
    let mut cursor = Cursor::new(text);
    let mut prose = prose::Prose::default();
    let mut patch = GitPatch::default();
    let mut seen: HashMap<BString, FileStatus> = HashMap::new();
    while let Some(line) = cursor.peek() {
        let number = cursor.number();
        if let Some(file) = file(&mut cursor, line)? {
            let paths = [Some(&file.change.path), file.change.old_path.as_ref()];
            if let Some(path) = paths.into_iter().flatten().find(|path| !is_in_tree(path.as_bstr())) {
                return Err(Fault { line: number, kind: FaultKind::Outside(path.clone()) });
            }
            let earlier = seen.insert(file.change.path.clone(), file.change.status);
            let is_type_change = (earlier, file.change.status) == (Some(FileStatus::Deleted), FileStatus::Added);
            if earlier.is_some() && !is_type_change {
                return Err(Fault { line: number, kind: FaultKind::Twice(file.change.path) });
            }
            patch.files.push(file);
        } else {
            prose.read(line);
            cursor.advance();
        }
    }
    if patch.files.is_empty() && prose.says_something() {
        return Err(Fault { line: 1, kind: FaultKind::NoDiff });
    }
    (patch.subject, patch.commit) = prose.only_commit();
    Ok(patch)
}

/// The file that begins with `line`, if one does.
fn file(cursor: &mut Cursor<'_>, line: &[u8]) -> Result<Option<FilePatch>, Fault> {
    let fault = |kind| Err(Fault { line: cursor.number(), kind });
    let follows = |start: &[u8]| cursor.second().is_some_and(|next| next.starts_with(start));
    if line.starts_with(b"diff --git ") {
        header::git_file(cursor).map(Some)
    } else if line.starts_with(b"diff --cc ") || line.starts_with(b"diff --combined ") || line.starts_with(b"@@@ -") {
        fault(FaultKind::Combined)
    } else if line.starts_with(b"--- ") && follows(b"+++ ") {
        header::plain_file(cursor).map(Some)
    } else if line.starts_with(b"*** ") && follows(b"--- ") {
        fault(FaultKind::Context)
    } else if line.starts_with(b"@@ -") && HunkHeader::parse(line).is_some() {
        fault(FaultKind::StrayHunk)
    } else if let Some(rest) = line.strip_prefix(b"Binary files ")
        && let Some(both) = rest.trim_end().strip_suffix(b" differ")
    {
        header::plain_binary(cursor, both).map(Some)
    } else {
        Ok(None)
    }
}

#[cfg(test)]
mod tests;
