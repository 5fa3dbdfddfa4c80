//! What was read differently in a note.

use bstr::ByteSlice;

use super::{Findings, fixes, lookalike};
use crate::document::attribute::{ATTRIBUTES, Confidence, TEXTS};
use crate::document::note::{NoteView, Occurrence, text};
use crate::document::parse::note::FIELDS;
use crate::document::selector::{Selector, Side};
use crate::document::{Claim, ClaimStatus, Kind, NoteRef, Risk, Section, Urgency, is_orphan_name};
use crate::text::near::did_you_mean;

/// The findings of the note at `index`.
pub(super) fn note(findings: &mut Findings<'_>, section: &Section, index: usize) {
    let view = section.note_view(&section.tree().notes[index]);
    selector(findings, section, view, index);
    words(findings, section, view, index);
    for name in ATTRIBUTES.into_iter().chain(TEXTS) {
        values(findings, view, name, index);
    }
    fields(findings, view, index);
    id(findings, view, index);
    if view.is_empty() {
        findings.push("note-empty", view.note().header.range(), Some(index), "This note says nothing.");
    }
}

fn selector(findings: &mut Findings<'_>, section: &Section, view: NoteView<'_>, index: usize) {
    let range = view.selector_range();
    let Some(raw) = view.raw_selector() else {
        let message = "This note doesn't say what it is about: `+42`, `+42..57`, `-30`, `file` or `doc`.";
        findings.push("selector-missing", range, Some(index), message);
        return;
    };
    match Selector::parse(raw.as_bytes()).map(|selector| selector.side) {
        None => {
            let message = format!("`{raw}` is no selector: write `+42`, `+42..57`, `-30`, `file` or `doc`.");
            findings.push("selector-invalid", range, Some(index), message);
        }
        Some(Side::File) if section.is_head() => {
            let message = "No file has begun here; write `doc`, or move the note below its `@file`.";
            findings.push("selector-outside-file", range, Some(index), message);
        }
        Some(Side::Doc) if !section.is_head() => {
            let message = "A note about the whole change stands in front of the first `@file`.";
            findings.push("selector-doc-misplaced", range, Some(index), message);
        }
        Some(_) => {}
    }
}

/// Words and attributes of the header that mean nothing.
fn words(findings: &mut Findings<'_>, section: &Section, view: NoteView<'_>, index: usize) {
    for span in view.header_tokens().unknown {
        let message = format!("The word `{}` means nothing here.", span.of(section.text()).to_str_lossy());
        findings.push("note-token-unknown", span.range(), Some(index), message);
    }
    for (key, _) in view.unknown_attributes() {
        let key_text = key.of(section.text()).to_str_lossy();
        let meant = did_you_mean(&key_text, ATTRIBUTES);
        let message = format!("A note has no attribute `{key_text}`; it is kept.{meant}");
        findings.push("note-attr-unknown", key.range(), Some(index), message);
    }
}

/// Values that don't fit, and values that stand twice.
fn values(findings: &mut Findings<'_>, view: NoteView<'_>, name: &'static str, index: usize) {
    let mut has_value = false;
    for one in view.occurrences(name) {
        if !one.fits {
            let code = misfit_code(name, &one);
            let fix = Vec::from_iter(fixes::lower_case(view, name, &one));
            let range = fix.first().map_or_else(|| place(view, name, &one), |splice| splice.range.clone());
            let value = text(one.value);
            let meant = did_you_mean(&value, words_of(name));
            let message =
                format!("`{value}` is no value of `{name}`, and is kept as text: {}.{meant}", values_of(name));
            findings.push_mendable(code, range, Some(index), message, fix);
        } else if has_value {
            let message = format!("`{name}` was given before; this one counts, the earlier one is kept.");
            findings.push("field-duplicate", one.line.range(), Some(index), message);
        }
        has_value |= one.fits;
    }
}

/// Where a value stands: the attribute of a header, the line of a field.
fn place(view: NoteView<'_>, name: &str, one: &Occurrence<'_>) -> std::ops::Range<usize> {
    let text = view.section().text();
    let attributes = view.header_tokens().attributes;
    let mut named = attributes.iter().filter(|(key, _)| key.of(text).eq_ignore_ascii_case(name.as_bytes()));
    let attribute = named.next_back().filter(|_| one.in_header);
    attribute.map_or_else(|| one.line.range(), |(key, value)| key.to(*value).range())
}

/// What `name` can be.
fn values_of(name: &str) -> String {
    match name {
        "kind" | "risk" | "urgency" => format!("it is one of {}", words_of(name).join(", ")),
        "confidence" => "it is a number from 0 to 1, or from 0% to 100%".to_owned(),
        _ => "it is made of letters, digits, `_`, `.` and `-`".to_owned(),
    }
}

/// The words that `name` can be, where these are few.
fn words_of(name: &str) -> Vec<&'static str> {
    match name {
        "kind" => Kind::ALL.iter().map(|kind| kind.as_str()).collect(),
        "risk" => Risk::ALL.iter().map(|risk| risk.as_str()).collect(),
        "urgency" => Urgency::ALL.iter().map(|urgency| urgency.as_str()).collect(),
        _ => Vec::new(),
    }
}

fn misfit_code(name: &str, one: &Occurrence<'_>) -> &'static str {
    match name {
        "urgency" => "urgency-unknown",
        "confidence" if one.in_header || Confidence::parse(&one.value) == Confidence::OutOfRange => {
            "confidence-invalid"
        }
        "kind" if one.in_header => "kind-unknown",
        "risk" if one.in_header => "risk-unknown",
        _ => "attribute-as-prose",
    }
}

fn fields(findings: &mut Findings<'_>, view: NoteView<'_>, index: usize) {
    let orphan = view.orphan();
    if let Some(orphan) = &orphan {
        let message = format!("What this note was about, `{}`, is not in the diff any more.", orphan.raw);
        findings.push("note-orphaned", view.note().header.range(), Some(index), message);
    }
    for field in view.fields() {
        match field.known {
            None if orphan.is_some() && is_orphan_name(field.name) => {}
            None => {
                let name = field.name.to_str_lossy();
                let meant = did_you_mean(&name, FIELDS);
                let message = format!("The format has no field `{name}`; it is kept.{meant}");
                findings.push("field-unknown", field.line.range(), Some(index), message);
            }
            Some("verify") if !field.value.is_empty() => {
                let claim = Claim::parse(&text(field.value));
                if claim.is_status_unreadable {
                    findings.push("status-unknown", field.line.range(), Some(index), unknown_status(&claim));
                } else {
                    lookalike::claim(findings, field.line, Some(index), &claim);
                }
            }
            Some("source") => lookalike::source(findings, field.line, index, &text(field.value)),
            Some(_) => {}
        }
    }
}

fn id(findings: &mut Findings<'_>, view: NoteView<'_>, index: usize) {
    let note = NoteRef { part: findings.part, note: index };
    if findings.document.is_renamed(note) {
        let message = format!("An earlier note has this id; this one is now `{}`.", findings.document.note_id(note));
        findings.push("id-duplicate", view.note().header.range(), Some(index), message);
    }
}

pub(super) fn unknown_status(claim: &Claim) -> String {
    let word = claim.comment.as_deref().unwrap_or_default();
    let first = word.split_whitespace().next().unwrap_or_default();
    let meant = did_you_mean(first, ClaimStatus::ALL.iter().map(|status| status.as_str()));
    format!("“{word}” is no status: write pass, fail, unknown or skipped behind the arrow.{meant}")
}
