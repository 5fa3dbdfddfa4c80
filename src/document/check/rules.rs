//! The table of everything that can be wrong, with what it means.

use crate::diagnostic::Rule;

/// The rule called `code`.
#[must_use]
pub fn rule(code: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.code == code)
}

/// All rules, in the order of the format.
pub const RULES: &[Rule] = &[
    Rule::error(
        "frontmatter-missing",
        "The file does not begin with `---`, so it has no metadata.",
        "Put the metadata between two `---` lines at the very start: `whymark: 1` and a title.",
    ),
    Rule::error(
        "frontmatter-unterminated",
        "The metadata has no closing `---`, so none of it is read.",
        "Add a line `---` behind the last key.",
    ),
    Rule::error(
        "frontmatter-invalid",
        "A key of the metadata is not YAML, or stands twice. The other keys keep their values.",
        "Put the value in double quotes, or remove one of the two keys.",
    ),
    Rule::error(
        "version-missing",
        "The metadata does not state the version of the format. The file is read as version 1.",
        "Add `whymark: 1`, without quotes.",
    ),
    Rule::error("title-missing", "The review has no title.", "Add `title:` with one imperative line."),
    Rule::warning(
        "version-unsupported",
        "The metadata states a version other than 1. The file is read as version 1.",
        "Write `whymark: 1`, or read the file with a program that knows its version.",
    ),
    Rule::warning(
        "scope-unknown",
        "The scope is none that the format has.",
        "Write one of unstaged, staged, worktree, branch, commit, manual, in lower case.",
    ),
    Rule::warning(
        "frontmatter-extra",
        "The metadata has a key that the format doesn't know. It is kept as it is.",
        "Correct its spelling, or remove it if no program of yours reads it.",
    ),
    Rule::warning(
        "frontmatter-type",
        "A value has another type than its key wants, such as a bare number for a title.",
        "Put the value in double quotes; `tags` is a list.",
    ),
    Rule::warning(
        "review-invalid",
        "The decision in `review` can't be read, and counts as pending.",
        "Write it as a mapping: `status: pending`, `approved` or `changes-requested`, with `by` and `at`.",
    ),
    Rule::warning(
        "check-invalid",
        "A check has no command.",
        "Write `- cmd: …` in the metadata, or ``@check cmd `…` => pass``.",
    ),
    Rule::warning(
        "status-unknown",
        "A status is no word of the format, and is read as unknown.",
        "Write pass, fail, unknown or skipped.",
    ),
    Rule::warning(
        "encoding-invalid",
        "A line is not UTF-8. Its bytes are kept; on screen they are replaced.",
        "Nothing need be done where the code itself is not UTF-8; else save the line as UTF-8.",
    ),
    Rule::error(
        "file-path-missing",
        "An `@file` line names no file.",
        "Write the path behind it; in double quotes if it holds a blank.",
    ),
    Rule::info(
        "file-attr-unknown",
        "An `@file` line has a `key=value` that the format doesn't know. It is kept.",
        "Correct its spelling: from, oldsha, newsha, lang, oldmode, newmode.",
    ),
    Rule::info(
        "file-token-unknown",
        "An `@file` line has a word that the format doesn't know. It is kept.",
        "Write added, modified, deleted, renamed, context or binary; quote a path that holds a blank.",
    ),
    Rule::error(
        "hunk-outside-file",
        "A hunk stands in front of any `@file`.",
        "Put a line `@file <path>` in front of it.",
    ),
    Rule::warning(
        "hunk-header-loose",
        "A hunk header has no ranges, so lines are numbered on from the hunk before.",
        "Write `@@ -a,b +c,d @@` as git does; notes name lines by these numbers.",
    ),
    Rule::warning(
        "hunk-line-unprefixed",
        "A line inside a hunk has lost its first character. It is read as context.",
        "Put a blank in front of it, or `+` or `-` where it was added or removed.",
    ),
    Rule::warning(
        "hunk-count-mismatch",
        "The counts of a hunk header differ from its lines. The lines count.",
        "Correct the counts in the header, or put back the lines that are missing.",
    ),
    Rule::warning(
        "stray-line",
        "A line belongs to nothing. It is kept, but no reader sees it.",
        "Write it into a note, begin it with `#` to make it a comment, or remove it.",
    ),
    Rule::error(
        "selector-invalid",
        "What a note is about can't be read. The note is kept for its file as a whole.",
        "Write `+42`, `+42..57`, `-30`, `file` or `doc` behind `@note`.",
    ),
    Rule::error(
        "selector-out-of-range",
        "A note names lines that the diff doesn't hold: it has drifted off its code.",
        "Name lines as the diff numbers them: `+` for those of the new side, `-` for those of the old one.",
    ),
    Rule::warning(
        "selector-missing",
        "A note doesn't say what it is about. It is kept for its file as a whole.",
        "Write `+42`, `+42..57`, `-30`, `file` or `doc` behind `@note`.",
    ),
    Rule::warning(
        "selector-partial",
        "A note names some lines that the diff doesn't hold.",
        "Shorten the range to the lines that the diff shows.",
    ),
    Rule::warning(
        "selector-outside-file",
        "A note says `file` in front of any `@file`. It is kept for the whole change.",
        "Write `doc`, or move it below the `@file` line it is about.",
    ),
    Rule::warning(
        "selector-doc-misplaced",
        "A note about the whole change stands below an `@file`.",
        "Move it in front of the first `@file`, or write `file`.",
    ),
    Rule::info(
        "note-token-unknown",
        "A `@note` line has a word too many. It is kept, and means nothing.",
        "Write prose into the lines below, and values as `key=value`.",
    ),
    Rule::warning(
        "note-attr-unknown",
        "A `@note` line has a `key=value` that the format doesn't know. It is kept.",
        "Correct its spelling: kind, risk, urgency, confidence, id.",
    ),
    Rule::warning(
        "kind-unknown",
        "A note's kind is none of the format's. It is kept, and read as `note`.",
        "Write one of intent, source, verify, risk, assumption, alternative, todo, question, security, perf, test, generated, note.",
    ),
    Rule::warning(
        "risk-unknown",
        "A note's risk is none of the format's. It is kept, and counts as none.",
        "Write low, medium or high.",
    ),
    Rule::warning(
        "urgency-unknown",
        "A note's urgency is none of the format's. It is kept, and counts as none.",
        "Write info, normal, urgent or blocking.",
    ),
    Rule::warning(
        "confidence-invalid",
        "A note's confidence is no number that it can be. It is kept, and counts as none.",
        "Write a number from 0 to 1, or from 0% to 100%.",
    ),
    Rule::warning(
        "id-duplicate",
        "Two notes have the same id. The later one gets a suffix.",
        "Give the later one another id, or none.",
    ),
    Rule::warning(
        "attribute-as-prose",
        "A field that takes one of a few values holds prose. It is kept as a plain field.",
        "Write one of its values, and the prose into `why:` or the text.",
    ),
    Rule::warning(
        "field-duplicate",
        "A field that stands once was given twice. The last value counts, earlier ones are kept.",
        "Join the two, or remove one.",
    ),
    Rule::warning(
        "field-unknown",
        "A note has a field that the format doesn't know. It is kept.",
        "Correct its spelling: why, what, source, verify, alt, impact, todo, question, ref; or indent the line if it is text.",
    ),
    Rule::warning(
        "directive-misspelt",
        "A line looks like a directive and is read as text, so what follows it belongs to something else.",
        "Begin it in column 0 and in lower case: `@file <path>`, `@@ -a,b +c,d @@`, `@note +42`, `@check …`.",
    ),
    Rule::warning(
        "note-inside-hunk",
        "A note stands inside a hunk. It ends the hunk, and the lines below it are read as its text.",
        "Move the note behind the last line of the hunk.",
    ),
    Rule::warning(
        "field-misspelt",
        "A line of a note's text looks like a field, and is read as text.",
        "Begin it in column 0, with the colon right behind the name: `why: …`.",
    ),
    Rule::info(
        "field-unindented",
        "A line follows a field without an indent, so the field ends before it.",
        "Indent it by two blanks if it goes on with the field; else put a blank line in front of it.",
    ),
    Rule::warning(
        "claim-quote-open",
        "A claim has a backtick without its partner, so another command is read than the one that was meant.",
        "Close the backticks: ``cmd `make test` => pass``.",
    ),
    Rule::warning(
        "claim-without-arrow",
        "A claim ends in an outcome without an arrow in front. It is read as unknown.",
        "Write the outcome behind an arrow: ``cmd `make test` => pass (comment)``.",
    ),
    Rule::info(
        "claim-without-method",
        "A claim that passes names no method. It is read as `manual`, which nothing can run again.",
        "Write ``cmd `…` `` for a command, else test, type, lint, manual or review in front.",
    ),
    Rule::info(
        "source-untyped",
        "A source has no type that the format knows, so nobody can look it up; it still counts as evidence.",
        "Write `file:`, `url:`, `commit:` and the like in front; honestly `inference` if it is none.",
    ),
    Rule::warning(
        "note-orphaned",
        "The lines that a note was about are not in the diff any more. It keeps them in its `orphaned-line` fields.",
        "Point it at the lines that it is about now and remove its `orphaned` fields, or remove it. When its lines are \
         back, `whymark refresh` puts it there.",
    ),
    Rule::warning("note-empty", "A note says nothing.", "Write `why:`, or remove it."),
    Rule::warning(
        "file-missing",
        "A reviewed file is not in the repository any more, or never was.",
        "Correct its path, or make the review anew.",
    ),
    Rule::warning(
        "review-stale",
        "A file has changed since the review was written, or the base is another one.",
        "Bring it up to date with `whymark refresh`: notes whose lines are still there follow them.",
    ),
    Rule::warning(
        "source-unavailable",
        "A source names a file, line, commit or package that is not there.",
        "Correct what it names, or say `inference` if it rests on nothing else.",
    ),
    Rule::error(
        "document-empty",
        "The review has neither a file nor a note.",
        "Make one with `whymark new`, or add an `@file` section.",
    ),
    Rule::warning(
        "evidence-invalid",
        "The `evidence` in the metadata is malformed. It is kept, but proves nothing.",
        "Remove it, and let `verify --write` record the runs again.",
    ),
    Rule::warning(
        "quality-invalid",
        "The `quality` report in the metadata is malformed. It is kept, but never counts as clean.",
        "Remove it, and have the tool that wrote it write it again.",
    ),
    Rule::warning(
        "summary-missing",
        "The review has no summary for a reader who has not seen the branch.",
        "Say in a paragraph what the change does: `summary: |` with indented lines below.",
    ),
    Rule::warning(
        "summary-stub",
        "The summary still says TODO.",
        "Write what the change does, or finish the sentence.",
    ),
    Rule::warning(
        "file-empty",
        "A file is said to be modified, but there is no diff of it.",
        "Paste its hunks, write `context` if nothing changed, or remove the section.",
    ),
    Rule::warning(
        "note-stub",
        "A note still holds its placeholder, or neither why, what nor text.",
        "Write why the lines are as they are, without TODO, TBD or FIXME in it.",
    ),
    Rule::warning(
        "note-no-why",
        "A note has neither a why nor a text: it says what, but the diff does that already.",
        "Add `why:` with the reason.",
    ),
    Rule::info(
        "note-no-source",
        "A note doesn't say where it comes from.",
        "Add `source:`, such as `file:src/a.rs:10 — …`; honestly `inference — …` if need be.",
    ),
    Rule::info(
        "note-no-verify",
        "A note doesn't say how it was verified.",
        "Add `verify:`, such as ``cmd `make test` => pass``; honestly `none` if need be.",
    ),
    Rule::warning(
        "high-risk-unverified",
        "A note of high risk has no passing verification.",
        "Add a `verify:` that passes and none that fails, or lower the risk.",
    ),
    Rule::warning(
        "verify-unrunnable",
        "A claim says that a command passes, but not which.",
        "Write the command in backticks: ``verify: cmd `make test` => pass``.",
    ),
    Rule::warning(
        "verify-failing",
        "A claim says that its verification fails.",
        "Mend the code, then run it again and write the new status.",
    ),
    Rule::warning(
        "check-failing",
        "A check of the whole change fails.",
        "Mend the code, then run it again and write the new status.",
    ),
    Rule::info(
        "low-confidence-no-followup",
        "A note of confidence below 0.5 leaves neither a todo nor a question.",
        "Add `todo:` or `question:` with what would make it sure.",
    ),
    Rule::error(
        "coverage-below-threshold",
        "Fewer added lines are covered by notes than asked for.",
        "Write notes about the added lines that have none; `whymark stats` shows where they are.",
    ),
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

    #[test]
    fn every_rule_says_what_it_means_and_how_to_mend_it() {
        for rule in RULES {
            let is_sentence = |text: &str| text.len() > 15 && text.ends_with('.') && !text.contains('\n');
            assert!(is_sentence(rule.meaning) && is_sentence(rule.mend), "{}", rule.code);
        }
    }
}
