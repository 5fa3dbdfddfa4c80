//! The laws of reviews as functions that panic: on whatever text they are given, and whoever finds it.

use std::time::Duration;

use serde_json::Value;
use whymark::document::check::{Located, fixed, review, structure};
use whymark::document::edit::{NewNote, Outcome, append_note, delete_note, set_check_outcome, set_field, set_review};
use whymark::document::print::canonical;
use whymark::document::{
    Block, ClaimStatus, Document, NoteLineKind, NoteRef, Review, ReviewStatus, Section, Selector, json,
};
use whymark::metrics::Stats;
use whymark::text::edit::Edit;
use whymark::verify::{End, Plan, Ran, written};

/// Joined in order, the parts are the text and the leaves of each are the part; and nothing that reads it panics.
pub(crate) fn lossless(text: &[u8]) {
    let document = Document::parse(text.to_vec());
    assert_eq!(document.to_bytes(), text);
    for part in document.parts() {
        let mut at = 0;
        for leaf in part.tree().leaves() {
            assert_eq!(leaf.range().start, at, "leaves touch");
            assert!(!leaf.is_empty(), "no leaf is empty");
            at = leaf.range().end;
        }
        assert_eq!(at, part.text().len(), "the leaves reach the end");
    }
    let found = structure(&document);
    let _ = (review(&document), Stats::of(&document));
    serde_json::to_vec(&json::show(&document, &found)).expect("a document is JSON");
}

/// Each mend that a finding carries removes it, and all of them together leave none.
pub(crate) fn mended(text: &[u8]) {
    let document = Document::parse(text.to_vec());
    let found = structure(&document);
    let count = |found: &[Located], code: &str| found.iter().filter(|found| found.diagnostic.code == code).count();
    for finding in found.iter().map(|found| &found.diagnostic) {
        if let Some(fix) = &finding.fix {
            let after = structure(&edited(&document, fix));
            assert!(count(&after, finding.code) < count(&found, finding.code), "{finding:?} is gone");
        }
    }
    let (mended, count) = fixed(&document);
    assert!(structure(&mended).iter().all(|found| found.diagnostic.fix.is_none()), "no mend is left");
    assert!(count > 0 || mended.to_bytes() == text, "without a mend nothing changes");
}

/// Both documents are split and read alike.
pub(crate) fn same(left: &Document, right: &Document) {
    assert_eq!(left.newline(), right.newline());
    assert_eq!(left.parts().len(), right.parts().len());
    for (left, right) in left.parts().iter().zip(right.parts()) {
        assert_eq!(left.text(), right.text());
        assert_eq!(left.tree(), right.tree());
    }
}

/// The document after `edit`, which is the edited text, and from which the way back leads.
pub(crate) fn edited(before: &Document, edit: &Edit) -> Document {
    let text = before.to_bytes();
    let after = before.edited(edit);
    same(&after, &Document::parse(edit.apply(&text)));
    let back = after.edited(&edit.inverse(&text));
    assert_eq!(back.to_bytes(), text, "the inverse leads back");
    same(&back, before);
    after
}

/// The canonical form is reached in one step, means the same, and keeps what is not its business.
pub(crate) fn printed(text: &[u8]) {
    let before = Document::parse(text.to_vec());
    let after = edited(&before, &canonical(&before));
    assert!(canonical(&after).is_empty(), "what is printed is canonical");
    assert_eq!(meaning(&before), meaning(&after), "the meaning stays");
    assert_eq!(kept(&before), kept(&after), "lines that are nobody's business stay");
    let (was, is) = (letters(&before), letters(&after));
    assert_eq!(was, is, "every letter stays");
}

/// The document as JSON with its findings, without what says where something stands.
fn meaning(document: &Document) -> (Value, Vec<String>) {
    let found = structure(document);
    let shown = serde_json::to_value(json::show(document, &[])).expect("a document is JSON");
    let name = |found: &Located| {
        let note = found.note.map(|note| document.note_id(note));
        format!("{:?} {:?} {}", found.part, note, found.diagnostic.code)
    };
    let mut findings: Vec<String> = found.iter().chain(&review(document)).map(name).collect();
    findings.sort();
    (without_lines(shown), findings)
}

fn without_lines(mut value: Value) -> Value {
    strip(&mut value, &["sourceLine"]);
    value
}

fn strip(value: &mut Value, names: &[&str]) {
    match value {
        Value::Object(map) => {
            map.retain(|key, _| !names.contains(&key.as_str()));
            map.values_mut().for_each(|value| strip(value, names));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| strip(item, names)),
        _ => {}
    }
}

/// The lines that printing must not touch, but for their ends: frontmatter, hunks, bodies, comments, strays.
fn kept(document: &Document) -> Vec<Vec<u8>> {
    let mut kept = Vec::new();
    for part in document.parts() {
        let tree = part.tree();
        let mut keep = |text: &[u8]| {
            let lines = text.split_inclusive(|byte| *byte == b'\n');
            kept.extend(lines.map(|line| part.newline().content(line).to_vec()));
        };
        for block in &tree.blocks {
            match *block {
                Block::Frontmatter(span) | Block::Comment(span) | Block::Stray(span) => keep(span.of(part.text())),
                Block::Hunk(_) => keep(tree.span(*block).of(part.text())),
                Block::Note(index) => {
                    let lines = &tree.notes[index as usize].lines;
                    let body = lines.iter().skip_while(|line| line.kind != NoteLineKind::Body);
                    let is_kept = |kind| matches!(kind, NoteLineKind::Body | NoteLineKind::Blank);
                    body.filter(|line| is_kept(line.kind)).for_each(|line| keep(line.span.of(part.text())));
                }
                Block::Bom(_) | Block::File(_) | Block::Check(_) | Block::Blank(_) => {}
            }
        }
    }
    kept
}

/// How often each byte stands in a document that is no white space and that printing never takes or adds; the name
/// `alternative` counts as `alt`.
fn letters(document: &Document) -> Vec<usize> {
    let mut counts = vec![0usize; 256];
    for byte in document.to_bytes().iter().filter(|byte| !is_space(**byte) && !b"=:\"".contains(byte)) {
        counts[usize::from(*byte)] += 1;
    }
    for field in document.parts().iter().flat_map(|part| part.note_views()).flat_map(|note| note.fields()) {
        if field.name.eq_ignore_ascii_case(b"alternative") {
            field.name.iter().for_each(|byte| counts[usize::from(*byte)] -= 1);
            b"alt".iter().for_each(|byte| counts[usize::from(*byte)] += 1);
        }
    }
    counts
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

/// An appended note is one insertion, reads as it was meant, and leaves the rest as it is. Returns the document with it.
pub(crate) fn appended(document: &Document, part: usize, note: &NewNote) -> Document {
    let edit = append_note(document, part, note);
    assert!(edit.splices().len() == 1 && edit.splices()[0].range.is_empty(), "it only adds");
    let after = edited(document, &edit);
    assert_eq!(after.parts().len(), document.parts().len());
    let at = NoteRef { part, note: document.parts()[part].tree().notes.len() };
    assert_eq!(after.parts()[part].tree().notes.len(), at.note + 1);
    reads_as(&after.parts()[part], at.note, note);
    assert_eq!(without(&after, Some(at)), without(document, None));
    after
}

/// What an edit of the note at `at` leaves alone. Returns the document after it.
pub(crate) fn note_edited(document: &Document, at: NoteRef, edit: &Edit) -> Document {
    let after = edited(document, edit);
    let part = document.offset_of(at.part);
    let note = document.parts()[at.part].tree().notes[at.note].span.range();
    let is_inside = |at: usize| (part + note.start..=part + note.end).contains(&at);
    assert!(edit.splices().iter().all(|splice| is_inside(splice.range.start) && is_inside(splice.range.end)));
    assert_eq!(without(&after, Some(at)), without(document, Some(at)), "all else reads as before");
    after
}

/// A deleted note is gone and nothing else is. Returns the document without it.
pub(crate) fn deleted(document: &Document, at: NoteRef, edit: &Edit) -> Document {
    let after = edited(document, edit);
    assert_eq!(without(&after, None), without(document, Some(at)), "all else reads as before");
    after
}

const SPACE: &[char] = &[' ', '\t', '\r', '\u{b}', '\u{c}'];

/// A field's value: its lines, trimmed, joined with one blank.
fn joined(value: &str) -> Option<String> {
    let lines: Vec<&str> =
        value.split('\n').map(|line| line.trim_matches(SPACE)).filter(|line| !line.is_empty()).collect();
    (!lines.is_empty()).then(|| lines.join(" "))
}

fn all_joined(values: &[String]) -> Vec<String> {
    values.iter().filter_map(|value| joined(value)).collect()
}

fn trimmed(values: &[String]) -> Vec<String> {
    all_joined(values).iter().map(|value| value.trim().to_owned()).collect()
}

/// A body's lines that say something, without the indent that protects them.
fn spoken(body: &str) -> Vec<&str> {
    body.split('\n').map(|line| line.trim_matches(SPACE)).filter(|line| !line.is_empty()).collect()
}

fn reads_as(section: &Section, at: usize, note: &NewNote) {
    let read = section.note_view(&section.tree().notes[at]);
    assert_eq!(read.note().selector, note.selector);
    assert_eq!((read.kind(), read.risk(), read.confidence()), (note.kind, note.risk, note.confidence));
    assert_eq!(read.why().map(std::borrow::Cow::into_owned), joined(&note.why));
    let owned =
        |texts: Vec<std::borrow::Cow<'_, str>>| -> Vec<String> { texts.iter().map(ToString::to_string).collect() };
    assert_eq!(owned(read.todos()), all_joined(&note.todos));
    assert_eq!(owned(read.questions()), all_joined(&note.questions));
    let raw: Vec<String> = read.sources().into_iter().map(|source| source.raw).collect();
    assert_eq!(raw, trimmed(&note.sources));
    let raw: Vec<String> = read.claims().into_iter().map(|claim| claim.raw).collect();
    assert_eq!(raw, trimmed(&note.claims));
    let body = read.body();
    assert_eq!(spoken(&body), spoken(&note.body));
    assert!(read.extra().is_empty());
}

/// The document as JSON without one note, and without what moves when a note comes in.
pub(crate) fn without(document: &Document, note: Option<NoteRef>) -> Value {
    let mut shown = serde_json::to_value(json::show(document, &[])).expect("a document is JSON");
    if let Some(at) = note {
        let source = document.note_id(at);
        let is_it = |note: &Value| note["id"] == source.as_str();
        let drop = |notes: &mut Value| notes.as_array_mut().expect("a list").retain(|note| !is_it(note));
        drop(&mut shown["notes"]);
        shown["files"].as_array_mut().expect("a list").iter_mut().for_each(|file| drop(&mut file["notes"]));
    }
    strip(&mut shown, &["id", "sourceLine"]);
    shown
}

/// Every law of reviews, on a text and on what is made of its pieces.
pub(crate) fn whymark(text: &[u8]) {
    lossless(text);
    printed(text);
    let document = Document::parse(text.to_vec());
    let third = text.len() / 3;
    edited(&document, &Edit::replace(third..2 * third, &text[..third / 2]));
    let pieces: Vec<String> =
        [0, third, 2 * third].iter().map(|start| String::from_utf8_lossy(&text[*start..]).into_owned()).collect();
    let note = NewNote {
        why: pieces[2].clone(),
        sources: vec![pieces[1].clone()],
        claims: vec![pieces[2].clone()],
        body: pieces[0].clone(),
        ..NewNote::new(Selector::FILE)
    };
    let last = document.parts().len() - 1;
    let with_note = appended(&document, last, &note);
    let at = NoteRef { part: last, note: with_note.parts()[last].tree().notes.len() - 1 };
    for name in ["why", "impact", "kind", "urgency"] {
        for value in ["", "risk", &pieces[2]] {
            if let Ok(edit) = set_field(&with_note, at, name, value) {
                note_edited(&with_note, at, &edit);
            }
        }
    }
    if let Ok(edit) = delete_note(&with_note, at) {
        deleted(&with_note, at, &edit);
    }
    decided(&document, &pieces[2]);
    verified(&document, &pieces[1]);
}

/// Outcomes change claims and checks and nothing else, whatever the commands have written; and written once more they
/// are the same.
pub(crate) fn verified(document: &Document, output: &str) {
    let plan = Plan::of(document, |_| true);
    let ran = |at: usize| match at % 4 {
        3 => None,
        code => Some(Ran {
            end: End::Exited(i32::try_from(code).expect("it is small")),
            duration: Duration::from_millis(100),
            output: output.into(),
        }),
    };
    let runs: Vec<_> = (0..plan.commands.len()).map(ran).collect();
    let after = written(&plan, &runs, document, "2026-09-15T13:00:00Z").document;
    assert_eq!(besides_claims(&after), besides_claims(document), "only claims and checks change");
    let read = Plan::of(&after, |_| true);
    let commands = |plan: &Plan| plan.items.iter().map(|item| item.text.clone()).collect::<Vec<_>>();
    assert_eq!(commands(&read), commands(&plan), "no command changes");
    let again = written(&read, &runs, &after, "2026-09-15T13:00:00Z").document;
    assert!(again.to_bytes() == after.to_bytes(), "writing twice is writing once");
}

/// The lines of a document that are part of no claim and no check, and what it says apart from these.
fn besides_claims(document: &Document) -> (Vec<Vec<u8>>, Value) {
    let mut shown = serde_json::to_value(json::show(document, &[])).expect("a document is JSON");
    strip(&mut shown, &["verify", "checks", "sourceLine"]);
    let mut lines = Vec::new();
    for part in document.parts() {
        let (text, tree) = (part.text(), part.tree());
        for block in &tree.blocks {
            match *block {
                Block::Check(_) => {}
                Block::Frontmatter(span) => lines.extend(besides_checks(span.of(text))),
                Block::Note(index) => {
                    let mut is_claim = false;
                    for line in &tree.notes[index as usize].lines {
                        let bytes = line.span.of(text);
                        is_claim = match line.kind {
                            NoteLineKind::Field => bytes.to_ascii_lowercase().starts_with(b"verify:"),
                            NoteLineKind::Continuation => is_claim,
                            _ => false,
                        };
                        if !is_claim {
                            lines.push(bytes.to_vec());
                        }
                    }
                }
                other => lines.push(tree.span(other).of(text).to_vec()),
            }
        }
    }
    (lines, shown)
}

/// The lines of a frontmatter outside of its list of checks.
fn besides_checks(text: &[u8]) -> Vec<Vec<u8>> {
    let mut is_check = false;
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    let outside = lines.filter(|line| {
        if !line.starts_with(b" ")
            && !line.starts_with(b"#")
            && !line.starts_with(b"- ")
            && !line.trim_ascii().is_empty()
        {
            is_check = line.starts_with(b"checks:");
        }
        !is_check
    });
    outside.map(<[u8]>::to_vec).collect()
}

/// A decision and an outcome are taken back without a trace.
fn decided(document: &Document, text: &str) {
    let (text, at) = (Some(text.to_owned()), Some("2026-09-15T13:00:00Z".to_owned()));
    let review = Review { status: ReviewStatus::Approved, by: text.clone(), at: at.clone() };
    if let Ok(edit) = set_review(document, &review) {
        edited(document, &edit);
    }
    let outcome = Outcome { status: ClaimStatus::Fail, detail: text, ran: at };
    if let Ok(edit) = set_check_outcome(document, 0, &outcome) {
        edited(document, &edit);
    }
}
