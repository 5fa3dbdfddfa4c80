//! A document as JSON: what `show --json` prints. Views that serialize section by section; absent values are left out.

mod note;
mod reviewed;

use std::borrow::Cow;
use std::collections::BTreeMap;

use bstr::ByteSlice;
use serde::{Serialize, Serializer};
use serde_json::{Map, Number, Value};

use self::note::{NoteJson, notes};
pub use self::reviewed::reviewed;
use super::check::Located;
use super::line_map::LineMap;
use super::{Check, Document, Hunk, HunkLine, Meta, NoteRef, Section, Side};
use crate::diff::LineKind;

/// The whole document. `diagnostics` are those that [`super::check::structure`] found.
#[must_use]
pub fn show<'a>(document: &'a Document, diagnostics: &[Located]) -> impl Serialize + use<'a> {
    let lines = LineMap::of(document);
    let diagnostics = diagnostics.iter().map(|found| DiagnosticJson::of(document, &lines, found)).collect();
    Show { meta: MetaJson::of(document), files: Files(document), notes: DocumentNotes(document), diagnostics }
}

/// One section with its notes, as in [`show`]; `None` for the head.
#[must_use]
pub fn file(document: &Document, part: usize) -> Option<impl Serialize + '_> {
    let mut lines = SectionLines::new();
    let first_line = document.parts()[..=part].iter().map(|section| lines.next(section)).last()?;
    let section = &document.parts()[part];
    (!section.is_head()).then(|| FileJson::of(document, part, section, first_line))
}

/// One note, as in [`show`].
#[must_use]
pub fn note(document: &Document, at: NoteRef) -> impl Serialize + use<> {
    let start = document.offset_of(at.part) + document.parts()[at.part].tree().notes[at.note].span.start as usize;
    NoteJson::of(document, at, LineMap::of(document).line(start).0)
}

/// One finding. `file` is the path of the section it is about.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DiagnosticJson {
    level: &'static str,
    code: &'static str,
    message: String,
    line: u64,
    column: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note_id: Option<String>,
}

impl DiagnosticJson {
    /// The view of `found`, whose offsets `lines` turns into lines.
    #[must_use]
    pub fn of(document: &Document, lines: &LineMap, found: &Located) -> Self {
        let at = found.diagnostic.range.start;
        Self {
            level: found.diagnostic.severity.as_str(),
            code: found.diagnostic.code,
            message: found.diagnostic.message.clone(),
            line: lines.line(at).0,
            column: lines.column(document, at),
            file: found.part.map(|part| document.parts()[part].path_text().into_owned()),
            note_id: found.note.map(|note| document.note_id(note)),
        }
    }
}

#[derive(Serialize)]
struct Show<'a> {
    meta: MetaJson<'a>,
    files: Files<'a>,
    notes: DocumentNotes<'a>,
    diagnostics: Vec<DiagnosticJson>,
}

#[derive(Serialize)]
struct MetaJson<'a> {
    whymark: &'a Number,
    #[serde(flatten)]
    texts: BTreeMap<&'static str, &'a str>,
    tags: &'a [String],
    checks: Vec<CheckJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    review: Option<BTreeMap<&'static str, &'a str>>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    extra: &'a Map<String, Value>,
}

impl<'a> MetaJson<'a> {
    fn of(document: &'a Document) -> Self {
        let meta: &Meta = document.meta();
        let texts = [
            ("title", meta.title.as_deref()),
            ("author", meta.author.as_deref()),
            ("date", meta.date.as_deref()),
            ("scope", meta.scope.map(super::Scope::as_str)),
            ("base", meta.base.as_deref()),
            ("head", meta.head.as_deref()),
            ("repo", meta.repo.as_deref()),
            ("summary", meta.summary.as_deref()),
        ];
        let review = meta.review.as_ref().map(|review| {
            let parts =
                [("status", Some(review.status.as_str())), ("by", review.by.as_deref()), ("at", review.at.as_deref())];
            present(parts)
        });
        Self {
            whymark: &meta.version,
            texts: present(texts),
            tags: &meta.tags,
            checks: document.checks().into_iter().map(CheckJson::of).collect(),
            review,
            extra: &meta.extra,
        }
    }
}

fn present<'a, const N: usize>(texts: [(&'static str, Option<&'a str>); N]) -> BTreeMap<&'static str, &'a str> {
    texts.into_iter().filter_map(|(key, text)| Some((key, text?))).collect()
}

#[derive(Serialize)]
struct CheckJson {
    cmd: String,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ran: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    inline: bool,
    method: &'static str,
}

impl CheckJson {
    fn of(check: Check) -> Self {
        Self {
            cmd: check.cmd,
            status: check.status.as_str(),
            detail: check.detail,
            ran: check.ran,
            inline: check.inline,
            method: check.method.as_str(),
        }
    }
}

struct Files<'a>(&'a Document);

impl Serialize for Files<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut lines = SectionLines::new();
        let files = self.0.parts().iter().enumerate().filter_map(|(part, section)| {
            let first_line = lines.next(section);
            (!section.is_head()).then(|| FileJson::of(self.0, part, section, first_line))
        });
        serializer.collect_seq(files)
    }
}

/// The notes in front of the first `@file`, and those about the whole change wherever they stand.
struct DocumentNotes<'a>(&'a Document);

impl Serialize for DocumentNotes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut lines = SectionLines::new();
        let notes = self.0.parts().iter().enumerate().flat_map(|(part, section)| {
            let first_line = lines.next(section);
            notes(self.0, part, section, first_line, |side| section.is_head() || side == Side::Doc)
        });
        serializer.collect_seq(notes)
    }
}

/// Counts the lines of one section after the other.
struct SectionLines {
    next: u64,
}

impl SectionLines {
    fn new() -> Self {
        Self { next: 1 }
    }

    /// The number of the first line of `section`, which is the next one.
    fn next(&mut self, section: &Section) -> u64 {
        let first = self.next;
        self.next += memchr::memchr_iter(b'\n', section.text()).count() as u64;
        first
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FileJson<'a> {
    path: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    old_path: Option<Cow<'a, str>>,
    status: &'static str,
    added: u64,
    removed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    old_sha: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new_sha: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    old_mode: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new_mode: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lang: Option<Cow<'a, str>>,
    binary: bool,
    hunks: Vec<HunkJson<'a>>,
    notes: Vec<NoteJson>,
}

impl<'a> FileJson<'a> {
    fn of(document: &Document, part: usize, section: &'a Section, first_line: u64) -> Self {
        let tree = section.tree();
        let file = tree.file.as_ref();
        let text = |span: crate::text::Span| span.of(section.text()).to_str_lossy();
        let mode = |mode: u32| format!("{mode:06o}");
        Self {
            path: section.path_text(),
            old_path: file.and_then(|file| file.old_path.as_ref()).map(|path| path.to_str_lossy()),
            status: file.map(|file| file.status).unwrap_or_default().as_str(),
            added: tree.hunks.iter().map(|hunk| u64::from(hunk.added)).sum(),
            removed: tree.hunks.iter().map(|hunk| u64::from(hunk.removed)).sum(),
            old_sha: file.and_then(|file| file.old_sha).map(text),
            new_sha: file.and_then(|file| file.new_sha).map(text),
            old_mode: file.and_then(|file| file.old_mode).map(mode),
            new_mode: file.and_then(|file| file.new_mode).map(mode),
            lang: file.and_then(|file| file.lang).map(text),
            binary: file.is_some_and(|file| file.binary),
            hunks: tree.hunks.iter().map(|hunk| HunkJson::of(section, hunk)).collect(),
            notes: notes(document, part, section, first_line, |side| side != Side::Doc),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HunkJson<'a> {
    raw: Cow<'a, str>,
    old_start: u64,
    old_lines: u64,
    new_start: u64,
    new_lines: u64,
    heading: Cow<'a, str>,
    lines: Vec<LineJson<'a>>,
}

impl<'a> HunkJson<'a> {
    fn of(section: &'a Section, hunk: &Hunk) -> Self {
        let lines = section.tree().hunk_lines(hunk).iter();
        Self {
            raw: hunk.header.of(section.text()).trim_end_with(|end| matches!(end, '\r' | '\n')).to_str_lossy(),
            old_start: hunk.old_start,
            old_lines: hunk.old_lines,
            new_start: hunk.new_start,
            new_lines: hunk.new_lines,
            heading: hunk.heading.of(section.text()).to_str_lossy(),
            lines: lines.filter_map(|line| LineJson::of(section, hunk, line)).collect(),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LineJson<'a> {
    r#type: &'static str,
    text: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    old_line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new_line: Option<u64>,
}

impl<'a> LineJson<'a> {
    fn of(section: &'a Section, hunk: &Hunk, line: &HunkLine) -> Option<Self> {
        let r#type = match line.diff_kind()? {
            LineKind::Context => "context",
            LineKind::Added => "add",
            LineKind::Removed => "del",
            LineKind::NoNewline => "nonewline",
        };
        Some(Self {
            r#type,
            text: section.line_text(line).to_str_lossy(),
            old_line: line.old_line(hunk).map(|line| line.0),
            new_line: line.new_line(hunk).map(|line| line.0),
        })
    }
}
