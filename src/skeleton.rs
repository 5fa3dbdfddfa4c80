//! From what git says to the text of a new document: plain data in, bytes out. No clock, no repository, no file.

use bstr::BString;

use crate::document::FileStatus;

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
