//! What is compared with what: the two sides of a review, as the command line names them.

use bstr::BString;

/// Which two states are compared.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The index and the working tree.
    Unstaged,
    /// HEAD and the index.
    Staged,
    /// HEAD and the working tree.
    Worktree,
    /// The commit where HEAD left the named branch, and HEAD; without a name the remote's default branch, then
    /// origin/main, origin/master, main, master.
    Branch(Option<String>),
    /// A commit and its first parent.
    Commit(String),
    /// Two commits as they are, or (`since_common`) the first one's common ancestor with the second, and the second.
    Range {
        /// The older side.
        from: String,
        /// The newer side.
        to: String,
        /// Whether the older side is the common ancestor, as for `A...B`.
        since_common: bool,
    },
    /// A patch that was handed in; no repository knows of it.
    Manual,
}

impl Scope {
    /// The scope that `A..B` or `A...B` names; a missing side is HEAD, as git has it.
    #[must_use]
    pub fn range(text: &str) -> Option<Self> {
        let (from, to, since_common) = match text.split_once("...") {
            Some((from, to)) => (from, to, true),
            None => text.split_once("..").map(|(from, to)| (from, to, false))?,
        };
        let or_head = |side: &str| if side.is_empty() { "HEAD".to_owned() } else { side.to_owned() };
        (!from.is_empty() || !to.is_empty()).then(|| Self::Range { from: or_head(from), to: or_head(to), since_common })
    }

    /// The word for the frontmatter (section 2 of the format). A range compares fixed trees as a commit does, and the
    /// format has no word of its own for it.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Unstaged => "unstaged",
            Self::Staged => "staged",
            Self::Worktree => "worktree",
            Self::Branch(_) => "branch",
            Self::Commit(_) | Self::Range { .. } => "commit",
            Self::Manual => "manual",
        }
    }

    /// Whether one of the sides is the index.
    #[must_use]
    pub fn reads_index(&self) -> bool {
        matches!(self, Self::Unstaged | Self::Worktree | Self::Staged)
    }
}

/// What of a scope is shown, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeOptions {
    /// Whether files that git does not know yet count as added, where files on disk are compared.
    pub untracked: bool,
    /// Only these: paths in the repository, folders, or globs. Empty: everything.
    pub paths: Vec<BString>,
    /// Paths in the repository that are left out, such as that of the review being written.
    pub exclude: Vec<BString>,
    /// Lines of context around a change.
    pub context: u32,
    /// Whether a file that went and a similar one that came are one renamed file.
    pub renames: bool,
}

impl Default for ScopeOptions {
    fn default() -> Self {
        Self { untracked: true, paths: Vec::new(), exclude: Vec::new(), context: 3, renames: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        let range =
            |from: &str, to: &str, since_common| Some(Scope::Range { from: from.into(), to: to.into(), since_common });
        for (text, scope) in [
            ("a..b", range("a", "b", false)),
            ("a...b", range("a", "b", true)),
            ("v1.0..", range("v1.0", "HEAD", false)),
            ("...topic", range("HEAD", "topic", true)),
            ("a", None),
            ("..", None),
            ("", None),
        ] {
            assert_eq!(Scope::range(text), scope, "{text}");
        }
    }
}
