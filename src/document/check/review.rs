//! What a reader of the review will miss: no reasons, no evidence, no verification.

use super::{Findings, Located, RULES, extensions};
use crate::document::note::NoteView;
use crate::document::standing::word;
use crate::document::{ClaimStatus, Document, FileStatus, Kind, Method, Risk, Section, Side};

/// The findings about what the review says, in the order of [`RULES`].
#[must_use]
pub fn review(document: &Document) -> Vec<Located> {
    let mut findings = Findings::new(document);
    let has_doc_note = document
        .parts()
        .iter()
        .any(|part| part.tree().notes.iter().any(|note| part.is_head() || note.selector.side == Side::Doc));
    if document.parts().len() == 1 && !has_doc_note {
        findings.push("document-empty", 0..0, None, "There is neither a file nor a note in this review.");
    }
    metadata(&mut findings);
    findings.each_part(|findings| {
        let section = &findings.document.parts()[findings.part];
        file_empty(findings, section);
        for (index, view) in section.note_views().enumerate() {
            note(findings, view, index);
        }
        inline_checks(findings, section);
    });
    let order = |found: &Located| RULES.iter().position(|rule| rule.code == found.diagnostic.code);
    findings.found.sort_by_cached_key(order);
    findings.found
}

fn metadata(findings: &mut Findings<'_>) {
    let meta = findings.document.meta();
    let place = |key| meta.places.key(key)..meta.places.key(key);
    if meta.extra.get("evidence").is_some_and(|value| !value.is_null() && !extensions::is_evidence(value)) {
        let message = "`evidence` must be a list of records as this program writes them.";
        findings.push("evidence-invalid", place("evidence"), None, message);
    }
    if meta.extra.get("quality").is_some_and(|value| !value.is_null() && !extensions::is_quality(value)) {
        findings.push("quality-invalid", place("quality"), None, "`quality` must be a report of checks and findings.");
    }
    match &meta.summary {
        None => {
            let message = "Say in a paragraph what the change does: `summary: |`.";
            findings.push("summary-missing", place("summary"), None, message);
        }
        Some(summary) if word(summary, &["todo"]).is_some() => {
            findings.push("summary-stub", place("summary"), None, "The summary still says TODO.");
        }
        Some(_) => {}
    }
    for (check, at) in meta.checks.iter().zip(meta.places.checks()) {
        if check.status == ClaimStatus::Fail {
            findings.push("check-failing", *at..*at, None, format!("The check `{}` fails.", check.cmd));
        }
    }
}

fn file_empty(findings: &mut Findings<'_>, section: &Section) {
    let tree = section.tree();
    let Some(file) = &tree.file else { return };
    let says_nothing = file.status == FileStatus::Modified && !file.binary && file.old_path.is_none();
    if tree.hunks.is_empty() && says_nothing && file.old_mode.is_none() && file.new_mode.is_none() {
        let message = format!("`{}` is modified, but has no diff.", file.path);
        findings.push("file-empty", file.span.range(), None, message);
    }
}

fn inline_checks(findings: &mut Findings<'_>, section: &Section) {
    for (span, check) in section.tree().checks.iter().zip(section.checks()) {
        if let Some(check) = check.filter(|check| check.status == ClaimStatus::Fail) {
            findings.push("check-failing", span.range(), None, format!("The check `{}` fails.", check.cmd));
        }
    }
}

/// The findings about one note.
fn note(findings: &mut Findings<'_>, view: NoteView<'_>, index: usize) {
    let line = view.note().header.range();
    let facts = view.facts();
    let mut push = |code, message: &str| findings.push(code, line.clone(), Some(index), message);
    if facts.is_stub {
        let message = view.placeholder().map_or_else(
            || "This note is not written yet: it says neither why nor what.".to_owned(),
            |word| format!("`{word}` says that this note is not written yet."),
        );
        push("note-stub", &message);
    } else if !facts.has_why && view.body().is_empty() {
        push("note-no-why", "This note says what, but not why.");
    }
    if !facts.is_sourced && !facts.is_inference_only && facts.kind != Kind::Generated {
        push("note-no-source", "This note doesn't say where it comes from.");
    }
    let claims = view.claims();
    if claims.is_empty() {
        push("note-no-verify", "This note doesn't say how it was verified.");
    }
    if facts.risk == Some(Risk::High) && !facts.is_verified {
        push("high-risk-unverified", "High risk, and no passing verification.");
    }
    for claim in &claims {
        if claim.method == Method::Cmd && claim.status == ClaimStatus::Pass && claim.detail.is_empty() {
            push("verify-unrunnable", "A command is said to pass, but not which.");
        }
        if claim.status == ClaimStatus::Fail {
            push("verify-failing", &format!("The verification `{}` fails.", claim.raw));
        }
    }
    let is_doubtful = view.confidence().is_some_and(|confidence| confidence < 0.5);
    if is_doubtful && facts.todos + facts.questions == 0 {
        push("low-confidence-no-followup", "Low confidence, and neither a todo nor a question.");
    }
}
