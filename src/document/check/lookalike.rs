//! Lines that are read as text and look as if they were meant to be more: a directive that is not in column 0, a field
//! with a blank in front of its colon, a claim whose outcome has no arrow.
//!
//! These are guesses about what somebody meant, so nothing here is an error, and nothing is mended.

use bstr::ByteSlice;

use super::Findings;
use crate::document::claim::{is_quoted, quoted_spans};
use crate::document::parse::directive::{ends_word, is_space, trim};
use crate::document::parse::note::{FieldStart, fenced, known_field};
use crate::document::{Claim, ClaimStatus, Method, NoteLineKind, Section, Selector, Source, SourceKind};
use crate::text::Span;

/// The directive that `line`, which is none, looks like, and how one is written.
pub(super) fn directive(line: &[u8]) -> Option<&'static str> {
    let bare = trim_start_matches(line, |byte| is_space(byte) || matches!(byte, b'#' | b'-' | b'*' | b'>'));
    let name = trim_start_matches(bare, |byte| byte == b'@');
    let has_at = name.len() < bare.len();
    if has_at && holds_ranges(name) {
        return Some("@@ -a,b +c,d @@");
    }
    let len = name.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let word = name[..len].to_ascii_lowercase();
    let rest = name[len..].strip_prefix(b":").unwrap_or(&name[len..]);
    let subject = trim(rest).split(|byte| is_space(*byte)).next().unwrap_or_default();
    let names_lines = Selector::parse(subject).is_some();
    let is_numbered = names_lines && subject.iter().any(u8::is_ascii_digit);
    match word.as_slice() {
        b"note" | b"notes" if is_numbered || (has_at && (names_lines || subject.is_empty())) => {
            Some("@note +42..57 kind=intent")
        }
        b"file" | b"files" if has_at && ends_word(rest) && !subject.is_empty() => Some("@file <path>"),
        b"check" | b"checks" if has_at && ends_word(rest) && !subject.is_empty() => Some("@check cmd `…` => pass"),
        _ => None,
    }
}

/// Whether a `-1,2` and a `+3,4` stand in `text`, as in the header of a hunk.
fn holds_ranges(text: &[u8]) -> bool {
    let range = |sign: u8| {
        text.split(|byte| is_space(*byte))
            .any(|word| word.first() == Some(&sign) && word.get(1).is_some_and(u8::is_ascii_digit))
    };
    range(b'-') && range(b'+')
}

fn trim_start_matches(text: &[u8], is_lead: impl Fn(u8) -> bool) -> &[u8] {
    let start = text.iter().position(|byte| !is_lead(*byte)).unwrap_or(text.len());
    &text[start..]
}

/// The field that `line`, which is none, looks like.
fn field(line: &[u8]) -> Option<&'static str> {
    let bare = trim_start_matches(line, |byte| is_space(byte) || matches!(byte, b'-' | b'*' | b'>' | b'_' | b'`'));
    let len = bare.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let rest = trim_start_matches(&bare[len..], |byte| is_space(byte) || matches!(byte, b'*' | b'_' | b'`'));
    let value = rest.strip_prefix(b":").or_else(|| rest.strip_prefix(b"="))?;
    known_field(&bare[..len]).filter(|_| !trim(value).is_empty() && !value.starts_with(b"="))
}

/// What the lines of the note at `index` look like and are not. `is_split` says that the note stands where its hunk has
/// lines to come.
pub(super) fn note(findings: &mut Findings<'_>, section: &Section, index: usize, is_split: bool) {
    let note = &section.tree().notes[index];
    let (mut above, mut has_body, mut is_cut_off) = (None, false, false);
    let fenced = fenced(section.text(), section.newline(), note);
    for (line, is_code) in note.lines.iter().zip(fenced) {
        let content = section.newline().content(line.span.of(section.text()));
        let range = line.span.start as usize..line.span.start as usize + content.len();
        let field_above = above.take();
        match line.kind {
            NoteLineKind::Field => {
                above = FieldStart::parse(content)
                    .filter(|field| field.is_open(content))
                    .map(|field| &content[..field.name_len]);
            }
            NoteLineKind::Continuation => above = field_above,
            NoteLineKind::Blank => {}
            NoteLineKind::Body => {
                is_cut_off |= matches!(content.first(), Some(b'+' | b'-'));
                if is_code {
                    continue;
                }
                if let Some(form) = directive(content) {
                    findings.push("directive-misspelt", range, Some(index), misspelt(form));
                } else if let Some(name) = field(content) {
                    let message = format!("This is read as text. A field begins in column 0: `{name}: …`.");
                    findings.push("field-misspelt", range, Some(index), message);
                } else if let Some(name) = field_above.filter(|_| !has_body) {
                    let name = name.to_str_lossy();
                    let message = format!(
                        "`{name}` ends in the line above, and this is text of the note: indent it by two blanks if it \
                         goes on with `{name}`, or put a blank line between the two."
                    );
                    findings.push("field-unindented", range, Some(index), message);
                }
                has_body = true;
            }
        }
    }
    if is_split && is_cut_off {
        let message = "This note stands inside a hunk, and the lines of the hunk below it are read as its text: move it \
                       behind them.";
        findings.push("note-inside-hunk", note.header.range(), Some(index), message);
    }
}

/// What to say about a line that looks like a directive.
pub(super) fn misspelt(form: &str) -> String {
    format!("This looks like a directive and is none: one begins in column 0, in lower case: `{form}`.")
}

/// What the claim in the field at `line` looks like and is not.
pub(super) fn claim(findings: &mut Findings<'_>, line: Span, index: Option<usize>, claim: &Claim) {
    let mut push = |code, message: String| findings.push(code, line.range(), index, message);
    let words: Vec<&str> =
        claim.raw.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let last = words.last().and_then(|word| ClaimStatus::from_synonym(word));
    let spans = quoted_spans(&claim.raw);
    if claim.raw.match_indices('`').any(|(at, _)| !is_quoted(&spans, at)) {
        let message = format!("A backtick has no partner here, so what is claimed is `{}`.", claim.detail);
        push("claim-quote-open", message);
    } else if claim.status == ClaimStatus::Unknown && claim.comment.is_none() && claim.method != Method::None {
        let is_said = last.is_some_and(|status| status != ClaimStatus::Unknown) && words.len() > 1;
        if is_said || claim.raw.contains(['✅', '✓', '✔', '❌', '✗']) {
            push(
                "claim-without-arrow",
                "This is read as unknown: the outcome stands behind an arrow, `=> pass`.".to_owned(),
            );
        }
    } else if claim.status == ClaimStatus::Pass && claim.method == Method::Manual && !says_manual(&claim.raw) {
        let message = "Without a method this is read as `manual`, which nothing can run again: write ``cmd `…` => pass`` \
                       for a command.";
        push("claim-without-method", message.to_owned());
    }
}

fn says_manual(raw: &str) -> bool {
    raw.get(..6).is_some_and(|word| word.eq_ignore_ascii_case("manual"))
}

/// What the source in the field at `line` looks like and is not.
pub(super) fn source(findings: &mut Findings<'_>, line: Span, index: usize, value: &str) {
    let source = Source::parse(value);
    if source.kind != SourceKind::Other {
        return;
    }
    let first = source.locator.split_whitespace().next().unwrap_or_default();
    let message = if first.to_ascii_lowercase().starts_with("infer") {
        format!("`{first}` is no type, so this counts as evidence: write `inference — …` if it is none.")
    } else if SourceKind::from_word(first.to_ascii_lowercase().as_bytes()).is_some_and(|kind| kind != SourceKind::Other)
    {
        format!("A colon is missing: `{first}:…`.")
    } else if first == source.locator && first.contains(['.', '/']) && !first.contains(':') {
        format!("Without a type nobody can look this up: `file:{first}` if it is a file.")
    } else {
        return;
    };
    findings.push("source-untyped", line.range(), Some(index), message);
}

#[cfg(test)]
mod tests {
    use crate::document::Document;
    use crate::document::check::structure;

    const CODES: [&str; 8] = [
        "directive-misspelt",
        "field-misspelt",
        "field-unindented",
        "note-inside-hunk",
        "claim-quote-open",
        "claim-without-arrow",
        "claim-without-method",
        "source-untyped",
    ];

    /// What is guessed about a document with `lines` behind a hunk of one line: code and line, counted from `lines`.
    fn guesses(lines: &str) -> Vec<(&'static str, usize)> {
        let before = "---\nwhymark: 1\ntitle: x\n---\n@file a\n@@ -0,0 +1 @@\n+a\n";
        let text = format!("{before}{lines}");
        let found = structure(&Document::parse(text.clone()));
        let found = found.iter().filter(|found| CODES.contains(&found.diagnostic.code));
        found
            .map(|found| {
                let at = found.diagnostic.range.start - before.len();
                (found.diagnostic.code, lines[..at].lines().count() + 1)
            })
            .collect()
    }

    #[test]
    fn what_looks_like_a_directive() {
        for line in
            ["@notes +1", "note +1", "@Note file", "@note: +1", "## @note +1", " @note", "- @note +1..2", "@@note +1"]
        {
            assert_eq!(
                guesses(&format!("@note +1\nwhy: x\n\n{line}\nwhat: y\n")),
                [("directive-misspelt", 4)],
                "{line}"
            );
        }
        for line in
            ["@File b", "@file: b", " @file b.rs added", "@ -1,2 +1,3 @", " @@ -1 +1 @@ x", "@Check type => pass"]
        {
            assert_eq!(guesses(&format!("@note +1\nwhy: x\n\nText.\n{line}\n")), [("directive-misspelt", 5)], "{line}");
        }
        for line in [
            "@notebook +1",
            "note that",
            "@notes are kept",
            "Note: +1 is odd",
            "file a.rs",
            "@check",
            "a -1 +1 b",
            "@param -x",
        ] {
            assert_eq!(guesses(&format!("@note +1\nwhy: x\n\n{line}\n")), [], "{line}");
        }
        assert_eq!(guesses("@note +1\nwhy: x\n\n```\n@Note +1\nwhy : x\n```\n"), []);
        assert_eq!(guesses("@note +1\nwhy: x\n\n```\n@Note +1\n"), [("directive-misspelt", 5)], "nothing closes it");
    }

    #[test]
    fn what_looks_like_a_field() {
        for line in ["why : x", "- why: x", "**why**: x", " Source: file:x", "why = x", "`verify`: x"] {
            assert_eq!(guesses(&format!("@note +1\n\nText.\n{line}\n")), [("field-misspelt", 4)], "{line}");
        }
        for line in ["why == x", "why not: x", "why:", "- whyever: x", "so why: x"] {
            assert_eq!(guesses(&format!("@note +1\n\nText.\n{line}\n")).len(), 0, "{line}");
        }
        assert_eq!(guesses("@note +1\nwhy: a,\nor b.\nThat is all.\n"), [("field-unindented", 3)]);
        assert_eq!(guesses("@note +1\nwhy: a,\n  b\n or c.\n"), [("field-unindented", 4)]);
        assert_eq!(guesses("@note +1\nwhy: a,\n  or b.\n\nText.\nMore.\n"), []);
        assert_eq!(guesses("@note +1\nText.\n"), []);
    }

    #[test]
    fn a_note_inside_a_hunk() {
        let hunk = "@@ -1,2 +1,3 @@\n a\n+b\n@note +2\nwhy: x\n-c\n+d\n";
        assert_eq!(guesses(hunk), [("note-inside-hunk", 4), ("field-unindented", 6)]);
        assert_eq!(guesses(&hunk.replace("-1,2 +1,3", "-1 +1,2")), [("field-unindented", 6)]);
    }

    #[test]
    fn claims_and_sources() {
        for (value, code) in [
            ("cmd `make test`: pass", "claim-without-arrow"),
            ("cmd `make test` ✅", "claim-without-arrow"),
            ("`make test` passed", "claim-without-arrow"),
            ("cmd `make test => pass", "claim-quote-open"),
            ("make test => pass", "claim-without-method"),
        ] {
            assert_eq!(guesses(&format!("@note +1\nverify: {value}\n")), [(code, 2)], "{value}");
        }
        for value in [
            "none",
            "pass",
            "cmd `x`",
            "manual looked => pass",
            "type => pass",
            "cmd `a` => fail (see `b`)",
            "looked",
            "x => unknown",
        ] {
            assert_eq!(guesses(&format!("@note +1\nverify: {value}\n")), [], "{value}");
        }
        for value in ["README.md", "inferred — x", "file README.md", "src/a"] {
            assert_eq!(guesses(&format!("@note +1\nsource: {value}\n")), [("source-untyped", 2)], "{value}");
        }
        for value in ["inference", "rfc:9110#3 — x", "the ticket — a.b", "file:a.rs", "https://x.org/a"] {
            assert_eq!(guesses(&format!("@note +1\nsource: {value}\n")), [], "{value}");
        }
    }
}
