//! The table of everything that can be wrong, with what it means.

use crate::diagnostic::Severity;

/// One thing that can be wrong with a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// The stable name.
    pub code: &'static str,
    /// How much it weighs.
    pub severity: Severity,
    /// What it means and how to mend it.
    pub meaning: &'static str,
}

/// The rule called `code`.
#[must_use]
pub fn rule(code: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.code == code)
}

const fn error(code: &'static str, meaning: &'static str) -> Rule {
    Rule { code, severity: Severity::Error, meaning }
}

const fn warning(code: &'static str, meaning: &'static str) -> Rule {
    Rule { code, severity: Severity::Warning, meaning }
}

const fn info(code: &'static str, meaning: &'static str) -> Rule {
    Rule { code, severity: Severity::Info, meaning }
}

/// All rules, in the order of the format.
pub const RULES: &[Rule] = &[
    error(
        "frontmatter-missing",
        "The file does not begin with `---`. Put the metadata between two `---` lines at the very start.",
    ),
    error("frontmatter-unterminated", "The metadata has no closing `---`. Add one behind the last key."),
    error(
        "frontmatter-invalid",
        "A key of the metadata is not YAML, or stands twice. Quote the value, or remove one of the two; the other keys keep their values.",
    ),
    error("version-missing", "The metadata does not state the version of the format. Add `whymark: 1`."),
    error("title-missing", "The review has no title. Add `title:` with one imperative line."),
    warning("version-unsupported", "The metadata states a version other than 1. The file is read as version 1."),
    warning("scope-unknown", "The scope is none of unstaged, staged, worktree, branch, commit, manual."),
    warning("frontmatter-extra", "The format has no such key. It is kept as it is."),
    warning(
        "frontmatter-type",
        "A value has another type than the key wants, such as a bare number for a title. Quote it.",
    ),
    warning("review-invalid", "`review` is a mapping whose status is pending, approved or changes-requested."),
    warning(
        "check-invalid",
        "A check has no command. Write `- cmd: …` in the metadata, or `@check cmd `…` => status`.",
    ),
    warning("status-unknown", "A status is none of pass, fail, unknown, skipped. It is read as unknown."),
    warning("encoding-invalid", "A line is not UTF-8. Its bytes are kept; on screen they are replaced."),
    error("file-path-missing", "An `@file` line names no file. Write the path behind it."),
    info("file-attr-unknown", "An `@file` line has a `key=value` that the format doesn't know. It is kept."),
    info("file-token-unknown", "An `@file` line has a word that the format doesn't know. It is kept."),
    error("hunk-outside-file", "A hunk stands in front of any `@file`. Say which file it is a diff of."),
    warning(
        "hunk-header-loose",
        "A hunk header has no ranges, so lines are numbered on from the hunk before. Write `@@ -a,b +c,d @@`.",
    ),
    warning(
        "hunk-line-unprefixed",
        "A line inside a hunk has lost its first character. It is read as context; put a blank in front.",
    ),
    warning(
        "hunk-count-mismatch",
        "The counts of a hunk header differ from its lines. The lines count; correct the header.",
    ),
    warning("stray-line", "A line belongs to nothing. Indent it below a note, begin it with `#`, or remove it."),
    error("selector-invalid", "A note's selector can't be read. Write `+42`, `+42..57`, `-30`, `file` or `doc`."),
    error(
        "selector-out-of-range",
        "A note names lines that the diff doesn't hold: it has drifted off its code. Name lines as the diff numbers them.",
    ),
    warning("selector-missing", "A note says nothing about what it is about. Write a selector behind `@note`."),
    warning("selector-partial", "A note names some lines that the diff doesn't hold."),
    warning(
        "selector-outside-file",
        "A note says `file` in front of any `@file`. Write `doc`, or move it below its file.",
    ),
    warning("selector-doc-misplaced", "A note says `doc` below an `@file`. Move it in front of the first one."),
    info("note-token-unknown", "A `@note` line has a word too many. It is kept."),
    warning("note-attr-unknown", "A `@note` line has a `key=value` that the format doesn't know. It is kept."),
    warning("kind-unknown", "A note's kind is none of the format's. It is kept, and read as `note`."),
    warning("risk-unknown", "A note's risk is none of low, medium, high. It is kept."),
    warning("urgency-unknown", "A note's urgency is none of info, normal, urgent, blocking. It is kept."),
    warning("confidence-invalid", "A note's confidence is no number from 0 to 1 (or from 0% to 100%). It is kept."),
    warning("id-duplicate", "Two notes have the same id. The later one gets a suffix."),
    warning("attribute-as-prose", "A field that takes one of a few values holds prose. It is kept as a plain field."),
    warning("field-duplicate", "A field stands twice. The last value counts, earlier ones are kept."),
    warning("field-unknown", "The format has no such field. It is kept."),
    warning("note-empty", "A note says nothing. Write why, or remove it."),
    warning("file-missing", "A reviewed file is not in the repository."),
    warning("review-stale", "A file has changed since the review was written. Refresh the review."),
    warning("source-unavailable", "A source names something that is not there."),
    error("document-empty", "The review has neither a file nor a note."),
    warning("evidence-invalid", "The `evidence` in the metadata is malformed. It is kept, but proves nothing."),
    warning(
        "quality-invalid",
        "The `quality` report in the metadata is malformed. It is kept, but never counts as clean.",
    ),
    warning("summary-missing", "The review has no summary for a reader who has not seen the branch."),
    warning("summary-stub", "The summary still says TODO."),
    warning("file-empty", "A modified file has no diff."),
    warning("note-stub", "A note still holds its placeholder, or neither why, what nor text."),
    warning("note-no-why", "A note has neither a why nor a text: it says what, but the diff does that already."),
    info("note-no-source", "A note doesn't say where it comes from. Add `source:`, honestly `inference` if need be."),
    info("note-no-verify", "A note doesn't say how it was verified. Add `verify:`, honestly `none` if need be."),
    warning("high-risk-unverified", "A note of high risk has no passing verification."),
    warning("verify-unrunnable", "A claim says that a command passes, but not which."),
    warning("verify-failing", "A claim says that its verification fails."),
    warning("check-failing", "A check of the whole change fails."),
    info("low-confidence-no-followup", "A note of confidence below 0.5 leaves neither a todo nor a question."),
    error("coverage-below-threshold", "Fewer added lines are covered by notes than asked for."),
];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn codes_are_unique() {
        let codes: HashSet<&str> = RULES.iter().map(|rule| rule.code).collect();
        assert_eq!(codes.len(), RULES.len());
    }
}
