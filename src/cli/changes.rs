//! What a person should know about changes before a review is made of them.

use bstr::ByteSlice;

use super::say;
use crate::git::{Changes, Repo};

/// Name the files that the review will not show as git would.
pub(super) fn warn(repo: &Repo, changes: &Changes) {
    let hidden = changes.hidden_conflicts();
    for path in changes.unmerged() {
        let what = if hidden.contains(&path.as_bstr()) { "it shows no lines" } else { "its lines may be incomplete" };
        say(&format!("warning: {path} has a merge conflict; {what} until it is resolved"));
    }
    for path in repo.unconverted(changes) {
        say(&format!(
            "warning: git converts {path} when it stores it, which is not done here; its lines are those on disk"
        ));
    }
}
