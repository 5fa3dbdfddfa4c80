//! The table of everything that can be wrong with a Markback file, with what it means.

use crate::diagnostic::Rule;

/// The rule called `code`.
#[must_use]
pub fn rule(code: &str) -> Option<&'static Rule> {
    RULES.binary_search_by_key(&code, |rule| rule.code).ok().map(|index| &RULES[index])
}

/// All rules, sorted by code.
pub const RULES: &[Rule] = &[
    Rule::error(
        "E001",
        "A record has no feedback, so it is none: its headers and its content are not read.",
        "End it with a line `<<< …`.",
    ),
    Rule::error(
        "E002",
        "A record has a second feedback line. It is read as a record of its own.",
        "Put a line `---` between the two, or make one of them.",
    ),
    Rule::error(
        "E003",
        "In version 1: the header `@uri` is missing. Files of version 2 have no required header.",
        "Nothing need be done; it is never reported.",
    ),
    Rule::error(
        "E004",
        "Text stands behind the feedback of a record, and belongs to none.",
        "End it with a feedback line of its own, put it in front of the `<<<`, or remove it.",
    ),
    Rule::error(
        "E005",
        "In version 1: content beside a reference to a file. In version 2 both may be there.",
        "Nothing need be done; it is never reported.",
    ),
    Rule::error(
        "E006",
        "A line that begins with `@` or `%` is no header, or the file is no UTF-8 text or cannot be read.",
        "Write `@keyword value` or `%keyword value` in lower case, and `@file PATH <<< feedback` with blanks around `<<<`.",
    ),
    Rule::error("E007", "What follows `json:` in a feedback is not JSON.", "Mend the JSON, or leave the prefix out."),
    Rule::error(
        "E008",
        "The quoted value of an attribute has no closing quote.",
        "Close it with `\"`; inside, a quote is written `\\\"` and a backslash `\\\\`.",
    ),
    Rule::error("E009", "The feedback is empty.", "Write some behind the `<<<`, or remove the record."),
    Rule::error(
        "E010",
        "There is no blank line between headers and content. It is never reported: such a line is read as a header.",
        "Put a blank line between the two.",
    ),
    Rule::error("E011", "A range ends before it starts.", "Swap its two ends."),
    Rule::error(
        "E012",
        "A fence is never closed, so the rest of the file is feedback.",
        "Close it with a line `\"\"\"` in the first column.",
    ),
    Rule::warning(
        "W001",
        "Two records have the same id. A reply goes to the first of them.",
        "Give each record an id of its own.",
    ),
    Rule::warning(
        "W002",
        "A keyword is none of the format. It is kept.",
        "Correct its spelling; a line of content that begins with `@` needs a blank line above it.",
    ),
    Rule::warning(
        "W003",
        "The file that a record is about is not there.",
        "Correct the path; it is seen from the folder of this file.",
    ),
    Rule::warning("W004", "A line ends in blanks.", "Remove them; `normalize` does, except in content and fences."),
    Rule::warning(
        "W005",
        "There are several blank lines where one would do.",
        "Leave one of them, or run `normalize`.",
    ),
    Rule::warning(
        "W006",
        "A record has no id, so nothing can answer it.",
        "Give it an `@id`, or leave it if no reply is wanted.",
    ),
    Rule::warning("W007", "A file has no sidecar.", "Write one with `whymark mb annotate`, or leave it without."),
    Rule::warning(
        "W008",
        "The file is not laid out as `normalize` writes it. It says the same.",
        "Run `whymark mb normalize --in-place`, or leave it as it is.",
    ),
    Rule::warning(
        "W009",
        "What a record names as its input is not there.",
        "Correct the path; it is seen from the folder of this file.",
    ),
    Rule::warning(
        "W010",
        "A header has the name that version 1 gave it. It is read all the same.",
        "Run `whymark mb upgrade`.",
    ),
    Rule::warning(
        "W011",
        "A reply goes to an id that no record has, or replies go round in a circle.",
        "Correct the `@reply-to`.",
    ),
    Rule::warning(
        "W012",
        "An `@action` has no time, and is not read.",
        "Write `@action verb time`, and who did it behind.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_found_and_say_what_to_do() {
        for listed in RULES {
            assert_eq!(rule(listed.code), Some(listed), "the table is sorted");
            let is_sentence = |text: &str| text.len() > 15 && text.ends_with('.') && !text.contains('\n');
            assert!(is_sentence(listed.meaning) && is_sentence(listed.mend), "{}", listed.code);
        }
        assert_eq!(rule("E999"), None);
    }
}
