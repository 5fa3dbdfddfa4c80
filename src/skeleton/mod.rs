//! From what git says to the text of a new document: plain data in, bytes out. No clock, no repository, no file.

mod frontmatter;
pub mod git_patch;
pub mod paths;
mod section;

use std::path::{Path, PathBuf};

use bstr::BString;

use crate::document::FileStatus;
pub use frontmatter::{Facts, SUMMARY, head};
pub use section::{file_line, quoted, section};

/// What stands between two parts of a document: a blank line. None follows the last part.
pub const SEPARATOR: &[u8] = b"\n";

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
    use super::*;

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
