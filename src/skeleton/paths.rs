//! Paths in a repository: which there can be, and which are this program's own.

use bstr::{BStr, ByteSlice as _};

/// How the name of a text begins that a writer has not put into its place yet; the number of the process follows.
pub const LEFTOVER_PREFIX: &str = ".whymark-";
/// How many letters and digits come then, by chance.
pub const LEFTOVER_RANDOM: usize = 16;
/// How it ends.
pub const LEFTOVER_SUFFIX: &str = ".tmp";
/// The folder of what commands printed.
const OUTPUTS: &[u8] = b".artifacts/whymark/";

/// Whether a file in a repository can have this path: it leads nowhere else, wherever it is looked up.
#[must_use]
pub fn is_in_tree(path: &BStr) -> bool {
    let is_name = |name: &[u8]| !matches!(name, b"" | b"." | b"..");
    !path.contains(&0) && path.split(|byte| *byte == b'/').all(is_name)
}

/// Whether only a writer that was killed has left a file of this name.
#[must_use]
pub fn is_leftover(name: &str) -> bool {
    let own = name.strip_prefix(LEFTOVER_PREFIX).and_then(|name| name.strip_suffix(LEFTOVER_SUFFIX)?.split_once('-'));
    own.is_some_and(|(process, random)| {
        let is_number = !process.is_empty() && process.bytes().all(|byte| byte.is_ascii_digit());
        is_number && random.len() == LEFTOVER_RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// Whether nobody's work is at `path`: what commands printed, and what a writer left.
#[must_use]
pub fn is_own(path: &BStr) -> bool {
    let name = path.rsplit_once_str("/").map_or(path.as_bytes(), |(_, name)| name);
    path.starts_with(OUTPUTS) || name.to_str().is_ok_and(is_leftover)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_lead_somewhere_else() {
        for path in ["a", "a/b", ".a", "a..b/c.", "\u{e9}"] {
            assert!(is_in_tree(path.into()), "{path}");
        }
        for path in ["", "/", "/a", "a/", "a//b", ".", "./a", "a/./b", "..", "a/../b", "a\0b"] {
            assert!(!is_in_tree(path.into()), "{path:?}");
        }
    }

    #[test]
    fn what_is_nobodys_work() {
        for (path, is) in [
            (".artifacts/whymark/0123.log", true),
            ("reviews/.whymark-1-abcdefgh01234567.tmp", true),
            (".whymark-9876543-ABCDEFGHijklmnop.tmp", true),
            ("a/.artifacts/whymark/x", false),
            (".whymark-personalnotes123.tmp", false),
            (".whymark-1-abcdefgh01234567", false),
            (".whymark-1-abcdefgh-1234567.tmp", false),
        ] {
            assert_eq!(is_own(path.into()), is, "{path}");
        }
    }
}
