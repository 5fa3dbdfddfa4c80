//! A note as JSON.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::document::{Document, NoteRef, Section, Side};

#[derive(Serialize)]
struct SelectorJson {
    side: &'static str,
    start: u64,
    end: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw: Option<String>,
}

#[derive(Serialize)]
struct SourceJson {
    r#type: &'static str,
    locator: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    raw: String,
}

#[derive(Serialize)]
struct ClaimJson {
    method: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    detail: String,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    raw: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NoteJson {
    id: String,
    selector: SelectorJson,
    kind: &'static str,
    #[serde(flatten)]
    words: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    sources: Vec<SourceJson>,
    verify: Vec<ClaimJson>,
    alternatives: Vec<String>,
    todos: Vec<String>,
    questions: Vec<String>,
    refs: Vec<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    body: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    extra: BTreeMap<String, Vec<String>>,
    source_line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

impl NoteJson {
    /// The view of the note at `at`, which begins in line `source_line` of the document.
    pub(super) fn of(document: &Document, at: NoteRef, source_line: u64) -> Self {
        let section = &document.parts()[at.part];
        let view = section.note_view(&section.tree().notes[at.note]);
        let selector = view.note().selector;
        let owned = |texts: Vec<Cow<'_, str>>| texts.into_iter().map(Cow::into_owned).collect();
        let words = [
            ("risk", view.risk().map(|risk| risk.as_str().into())),
            ("urgency", view.urgency().map(|urgency| urgency.as_str().into())),
            ("why", view.why()),
            ("what", view.what()),
            ("impact", view.impact()),
        ];
        let source = |source: crate::document::Source| SourceJson {
            r#type: source.kind.as_str(),
            locator: source.locator,
            note: source.note,
            raw: source.raw,
        };
        let claim = |claim: crate::document::Claim| ClaimJson {
            method: claim.method.as_str(),
            detail: claim.detail,
            status: claim.status.as_str(),
            comment: claim.comment,
            raw: claim.raw,
        };
        Self {
            id: document.note_id(at),
            selector: SelectorJson {
                side: selector.side.as_str(),
                start: selector.start,
                end: selector.end,
                raw: view.raw_selector().map(Cow::into_owned),
            },
            kind: view.kind().as_str(),
            words: words.into_iter().filter_map(|(key, word)| Some((key, word?.into_owned()))).collect(),
            confidence: view.confidence(),
            sources: view.sources().into_iter().map(source).collect(),
            verify: view.claims().into_iter().map(claim).collect(),
            alternatives: owned(view.alternatives()),
            todos: owned(view.todos()),
            questions: owned(view.questions()),
            refs: owned(view.refs()),
            body: view.body(),
            extra: view.extra(),
            source_line,
            file: (!section.is_head()).then(|| section.path_text().into_owned()),
        }
    }
}

/// The notes of a section whose side `is_wanted`.
pub(super) fn notes(
    document: &Document,
    part: usize,
    section: &Section,
    first_line: u64,
    is_wanted: impl Fn(Side) -> bool,
) -> Vec<NoteJson> {
    let (mut line, mut counted) = (first_line, 0);
    let mut out = Vec::new();
    for (note, read) in section.tree().notes.iter().enumerate() {
        let start = read.span.start as usize;
        line += memchr::memchr_iter(b'\n', &section.text()[counted..start]).count() as u64;
        counted = start;
        if is_wanted(read.selector.side) {
            out.push(NoteJson::of(document, NoteRef { part, note }, line));
        }
    }
    out
}
