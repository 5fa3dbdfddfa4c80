//! The frontmatter (section 2): typed metadata, with a recovery for everything that models get wrong.
//!
//! One slip costs one key, never the whole block. An edit changes the bytes of a value in the text; nothing here writes
//! a block anew.

mod fences;
mod fix;
mod read;
mod recover;
mod scalar;
mod write;
mod yaml;

use std::collections::BTreeMap;
use std::sync::Arc;

use bstr::ByteSlice;
use serde_json::{Map, Number, Value};

use super::attribute::words;
use super::claim::{Claim, ClaimStatus, Method};
use super::{Document, Section};

pub use self::scalar::scalar;
pub(super) use self::write::{check_outcome, diff_ends, evidence_list, review_decision, summary_text, title_text};

words! {
    /// What was diffed.
    Scope {
        Unstaged = "unstaged": "The index against the working tree.",
        Staged = "staged": "The last commit against the index.",
        Worktree = "worktree": "The last commit against the working tree.",
        Branch = "branch": "The branch against where it began.",
        Commit = "commit": "One commit against its parent.",
        Manual = "manual": "A diff from elsewhere.",
    }
}

words! {
    /// What the reviewer has decided.
    ReviewStatus {
        Pending = "pending": "Not decided yet.",
        Approved = "approved": "Accepted.",
        ChangesRequested = "changes-requested": "Not accepted as it is.",
    }
}

/// The metadata of a review.
#[derive(Debug, Clone, PartialEq)]
pub struct Meta {
    /// The version of the format; 1 when none is stated.
    pub version: Number,
    /// One line, imperative; trimmed.
    pub title: Option<String>,
    /// Model and/or human.
    pub author: Option<String>,
    /// When the review was written, ISO 8601.
    pub date: Option<String>,
    /// What was diffed.
    pub scope: Option<Scope>,
    /// `<ref>@<sha>` the diff is against.
    pub base: Option<String>,
    /// `<ref>@<sha>`, `working-tree` or `index`.
    pub head: Option<String>,
    /// Name or URL.
    pub repo: Option<String>,
    /// A paragraph for a reader who has not seen the branch; trimmed.
    pub summary: Option<String>,
    /// Tags.
    pub tags: Vec<String>,
    /// The commands that were run against the whole change, as the frontmatter states them; see [`Document::checks`].
    pub checks: Vec<Check>,
    /// What the reviewer has decided.
    pub review: Option<Review>,
    /// Unknown keys, extensions, and values that don't fit.
    pub extra: Map<String, Value>,
    pub(super) findings: Vec<Finding>,
    pub(super) places: Places,
}

/// Where keys stand, as offsets of the head's text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Places {
    keys: BTreeMap<String, usize>,
    checks: Vec<usize>,
}

impl Places {
    /// Where the key `name` stands, or the start of the document.
    pub(super) fn key(&self, name: &str) -> usize {
        self.keys.get(name).copied().unwrap_or(0)
    }

    /// Where each of [`Meta::checks`] stands.
    pub(super) fn checks(&self) -> &[usize] {
        &self.checks
    }
}

impl Default for Meta {
    fn default() -> Self {
        Self {
            version: Number::from(1),
            title: None,
            author: None,
            date: None,
            scope: None,
            base: None,
            head: None,
            repo: None,
            summary: None,
            tags: Vec::new(),
            checks: Vec::new(),
            review: None,
            extra: Map::new(),
            findings: Vec::new(),
            places: Places::default(),
        }
    }
}

/// A verification run of the whole change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The command; of an `@check` its detail, or all of its text.
    pub cmd: String,
    /// What came out.
    pub status: ClaimStatus,
    /// What else is said about it.
    pub detail: Option<String>,
    /// When it ran, ISO 8601.
    pub ran: Option<String>,
    /// Whether it is an `@check` line.
    pub inline: bool,
    /// How it was verified; only `cmd` is ever run.
    pub method: Method,
}

/// The reviewer's decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// What was decided.
    pub status: ReviewStatus,
    /// Who decided.
    pub by: Option<String>,
    /// When, ISO 8601.
    pub at: Option<String>,
}

/// Something that is wrong with the frontmatter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) code: &'static str,
    /// An offset of the head's text, somewhere in the line.
    pub(super) at: usize,
    pub(super) message: String,
    /// What removes the finding, in offsets of the head's text.
    pub(super) fix: Option<fix::Fix>,
}

impl Document {
    /// The metadata, read once.
    #[must_use]
    pub fn meta(&self) -> &Meta {
        let head = &self.parts[0];
        head.meta.get_or_init(|| Arc::new(read::meta(head)))
    }

    /// The comments in the frontmatter, from top to bottom: what stands behind each `#`.
    #[must_use]
    pub fn frontmatter_comments(&self) -> Vec<String> {
        read::comments(&self.parts[0])
    }

    /// All checks: those of the frontmatter, then the `@check` lines in order.
    #[must_use]
    pub fn checks(&self) -> Vec<Check> {
        let inline = self.parts.iter().flat_map(|part| part.checks()).flatten();
        self.meta().checks.iter().cloned().chain(inline).collect()
    }
}

impl Section {
    /// The `@check` lines in order; `None` for one without text.
    pub fn checks(&self) -> impl Iterator<Item = Option<Check>> + '_ {
        self.check_claims().map(|claim| {
            claim.map(|claim| Check {
                cmd: if claim.detail.is_empty() { claim.raw } else { claim.detail },
                status: claim.status,
                detail: claim.comment,
                ran: None,
                inline: true,
                method: claim.method,
            })
        })
    }

    /// What the `@check` lines claim, in order; `None` for one without text.
    pub(crate) fn check_claims(&self) -> impl Iterator<Item = Option<Claim>> + '_ {
        self.tree().checks.iter().map(|span| {
            let text = span.of(&self.text)[b"@check".len()..].to_str_lossy();
            Some(text.trim()).filter(|text| !text.is_empty()).map(Claim::parse)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_of_both_places() {
        let text = "---\nchecks: [make a]\n---\n@check cmd `b` => pass (1)\n@check\n@file x\n@check type => fail\n";
        let checks = Document::parse(text).checks();
        let shown: Vec<_> =
            checks.iter().map(|check| (check.cmd.as_str(), check.status.as_str(), check.inline)).collect();
        assert_eq!(shown, [("make a", "unknown", false), ("b", "pass", true), ("type => fail", "fail", true)]);
    }
}
