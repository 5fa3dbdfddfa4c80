//! A note, read (section 5): values made on demand from the spans of its lines. It never changes a note.
//!
//! Text that is not UTF-8 is shown as U+FFFD.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use bstr::ByteSlice;

use super::attribute::{ATTRIBUTES, Confidence, TEXTS, fits};
use super::claim::Claim;
use super::parse::directive::{trim, trim_end};
use super::parse::note::{FieldStart, HeaderTokens, header_words};
use super::parse::token::{Token, unquote};
use super::source::Source;
use super::tree::{Note, NoteLine, NoteLineKind};
use super::{Kind, Risk, Section, Urgency};
use crate::text::Span;

/// A field of a note, its lines joined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field<'a> {
    /// Its first line.
    pub line: Span,
    /// The name as the format spells it, or `None` for a name that the format doesn't know.
    pub known: Option<&'static str>,
    /// The name as written.
    pub name: &'a [u8],
    /// The value: all lines trimmed and joined with one blank.
    pub value: Cow<'a, [u8]>,
}

/// One place where a value stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Occurrence<'a> {
    /// The line.
    pub(crate) line: Span,
    /// Whether it stands on the `@note` line.
    pub(crate) in_header: bool,
    /// The text; never empty.
    pub(crate) value: Cow<'a, [u8]>,
    /// Whether the text can be the value.
    pub(crate) fits: bool,
}

/// The first line of a field.
struct OpenField<'a> {
    /// An index into [`Note::lines`].
    at: usize,
    content: &'a [u8],
    start: FieldStart,
}

/// A note together with the section whose bytes it spans.
#[derive(Debug, Clone, Copy)]
pub struct NoteView<'a> {
    section: &'a Section,
    note: &'a Note,
}

impl Section {
    /// The reading of `note`, which is one of this section's.
    #[must_use]
    pub fn note_view<'a>(&'a self, note: &'a Note) -> NoteView<'a> {
        NoteView { section: self, note }
    }

    /// The readings of all notes, in order.
    pub fn note_views(&self) -> impl Iterator<Item = NoteView<'_>> {
        self.tree().notes.iter().map(|note| self.note_view(note))
    }
}

impl<'a> NoteView<'a> {
    /// Its lines as they are, without blanks at the end: what it is known by when it is looked for again.
    #[must_use]
    pub fn raw(&self) -> &'a [u8] {
        self.note.span.of(self.section.text()).trim_ascii_end()
    }

    /// The spans that this is a view of.
    #[must_use]
    pub fn note(&self) -> &'a Note {
        self.note
    }

    /// What the note is for; `note` when nothing readable says so.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.value("kind").and_then(|word| Kind::from_word(&word)).unwrap_or(Kind::Note)
    }

    /// The blast radius if it is wrong.
    #[must_use]
    pub fn risk(&self) -> Option<Risk> {
        self.value("risk").and_then(|word| Risk::from_word(&word))
    }

    /// How soon it wants a reader; never inferred.
    #[must_use]
    pub fn urgency(&self) -> Option<Urgency> {
        self.value("urgency").and_then(|word| Urgency::from_word(&word))
    }

    /// How sure the author is, from 0 to 1.
    #[must_use]
    pub fn confidence(&self) -> Option<f64> {
        match Confidence::parse(&self.value("confidence")?) {
            Confidence::Value(value) => Some(value),
            Confidence::OutOfRange | Confidence::Prose => None,
        }
    }

    /// The id that the note itself states; see [`super::Document::note_id`] for the one it goes by.
    #[must_use]
    pub fn explicit_id(&self) -> Option<String> {
        self.value("id").map(text).map(Cow::into_owned)
    }

    /// The reason.
    #[must_use]
    pub fn why(&self) -> Option<Cow<'a, str>> {
        self.value("why").map(text)
    }

    /// The reason in the lines that it is written in, without what makes them continuation lines: two blanks, or a tab.
    #[must_use]
    pub fn why_lines(&self) -> Vec<Cow<'a, str>> {
        let Some(field) = self.said("why").last() else { return Vec::new() };
        let lines = self.note.lines.iter().skip_while(|line| line.span != field.line);
        let content = |line: &NoteLine| self.section.newline.content(line.span.of(&self.section.text));
        let further = lines.clone().skip(1).take_while(|line| line.kind == NoteLineKind::Continuation);
        let first =
            lines.take(1).filter_map(|line| FieldStart::parse(content(line)).map(|start| start.value(content(line))));
        let all = first.chain(further.map(|line| {
            let line = content(line);
            let own = line.strip_prefix(b"  ").or_else(|| line.strip_prefix(b"\t")).unwrap_or(line);
            trim_end(own)
        }));
        all.filter(|line| !trim(line).is_empty()).map(|line| text(Cow::Borrowed(line))).collect()
    }

    /// What the code does.
    #[must_use]
    pub fn what(&self) -> Option<Cow<'a, str>> {
        self.value("what").map(text)
    }

    /// What else changes.
    #[must_use]
    pub fn impact(&self) -> Option<Cow<'a, str>> {
        self.value("impact").map(text)
    }

    /// Where it comes from.
    #[must_use]
    pub fn sources(&self) -> Vec<Source> {
        self.values("source").map(|value| Source::parse(&text(value))).collect()
    }

    /// The evidence that it works: the `verify` fields.
    #[must_use]
    pub fn claims(&self) -> Vec<Claim> {
        self.values("verify").map(|value| Claim::parse(&text(value))).collect()
    }

    /// Rejected options.
    #[must_use]
    pub fn alternatives(&self) -> Vec<Cow<'a, str>> {
        self.values("alt").map(text).collect()
    }

    /// Follow-ups.
    #[must_use]
    pub fn todos(&self) -> Vec<Cow<'a, str>> {
        self.values("todo").map(text).collect()
    }

    /// What the reviewer is asked.
    #[must_use]
    pub fn questions(&self) -> Vec<Cow<'a, str>> {
        self.values("question").map(text).collect()
    }

    /// Related places.
    #[must_use]
    pub fn refs(&self) -> Vec<Cow<'a, str>> {
        self.values("ref").map(text).collect()
    }

    /// The free text, without blank lines at its ends; lines end in LF.
    #[must_use]
    pub fn body(&self) -> String {
        let is_text = |kind| matches!(kind, NoteLineKind::Body | NoteLineKind::Blank);
        let mut lines: Vec<_> = self.note.lines.iter().filter(|line| is_text(line.kind)).collect();
        let end = lines.iter().rposition(|line| line.kind == NoteLineKind::Body).map_or(0, |last| last + 1);
        lines.truncate(end);
        let first = lines.iter().position(|line| line.kind == NoteLineKind::Body).unwrap_or(0);
        let contents = lines[first..].iter().map(|line| {
            let content = self.section.newline.content(line.span.of(&self.section.text));
            content.strip_suffix(b"\r").unwrap_or(content)
        });
        let body = contents.collect::<Vec<_>>().join(&b'\n');
        trim_end(&body).to_str_lossy().into_owned()
    }

    /// What an agent is told that is to act on it: the reason, follow-ups and questions in order, with their keys but for
    /// the reason's, and the free text.
    #[must_use]
    pub fn asked(&self) -> String {
        let mut lines: Vec<String> = Vec::new();
        for field in self.fields() {
            let value = text(field.value);
            match field.known {
                Some("why") => lines.push(value.into_owned()),
                Some(name @ ("todo" | "question")) => lines.push(format!("{name}: {value}")),
                _ => {}
            }
        }
        lines.extend(Some(self.body()).filter(|body| !body.is_empty()));
        lines.join("\n")
    }

    /// What the format has no place for, or could not read, by name: unknown fields and attributes, values that don't
    /// fit, and earlier values of a field that stands twice.
    #[must_use]
    pub fn extra(&self) -> BTreeMap<String, Vec<String>> {
        let mut extra: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut keep =
            |name: String, value: Cow<'_, [u8]>| extra.entry(name).or_default().push(text(value).into_owned());
        for name in ATTRIBUTES.into_iter().chain(TEXTS) {
            self.besides(name).into_iter().for_each(|value| keep(name.to_owned(), value));
        }
        for (key, value) in self.unknown_attributes() {
            keep(key.of(&self.section.text).to_str_lossy().to_lowercase(), value);
        }
        for field in self.fields().filter(|field| field.known.is_none()) {
            keep(field.name.to_str_lossy().to_lowercase(), field.value);
        }
        extra
    }

    /// The selector as written.
    #[must_use]
    pub fn raw_selector(&self) -> Option<Cow<'a, str>> {
        let span = self.header_tokens().selector?;
        Some(span.of(&self.section.text).to_str_lossy())
    }

    /// The section that it is in.
    pub(crate) fn section(&self) -> &'a Section {
        self.section
    }

    /// Where the selector stands; the whole header line when there is none.
    pub(crate) fn selector_range(&self) -> Range<usize> {
        self.header_tokens().selector.unwrap_or(self.note.header).range()
    }

    /// The fields in order, empty ones included.
    pub fn fields(&self) -> impl Iterator<Item = Field<'a>> + use<'a> {
        let view = *self;
        self.field_starts().map(move |start| view.joined(start))
    }

    /// The first lines of the fields, as cheap as can be: most readers want one field of many.
    fn field_starts(&self) -> impl Iterator<Item = OpenField<'a>> + use<'a> {
        let Self { section, note } = *self;
        let lines = note.lines.iter().enumerate().filter(|(_, line)| line.kind == NoteLineKind::Field);
        lines.filter_map(move |(at, line)| {
            let content = section.newline.content(line.span.of(&section.text));
            Some(OpenField { at, content, start: FieldStart::parse(content)? })
        })
    }

    /// The field that begins with `open`, its lines joined.
    fn joined(&self, open: OpenField<'a>) -> Field<'a> {
        let OpenField { at, content, start } = open;
        let further = &self.note.lines[at + 1..];
        let mut value = Cow::Borrowed(start.value(content));
        for line in further.iter().take_while(|line| line.kind == NoteLineKind::Continuation) {
            let more = trim(line.span.of(&self.section.text));
            if value.is_empty() {
                value = Cow::Borrowed(more);
            } else {
                let joined = value.to_mut();
                joined.push(b' ');
                joined.extend_from_slice(more);
            }
        }
        Field { line: self.note.lines[at].span, known: start.known, name: &content[..start.name_len], value }
    }

    /// The known fields called `name` that say something, in order.
    fn said(&self, name: &'static str) -> impl Iterator<Item = Field<'a>> + use<'a> {
        let view = *self;
        let named = self.field_starts().filter(move |open| open.start.known == Some(name));
        named.map(move |open| view.joined(open)).filter(|field| !field.value.is_empty())
    }

    /// The words of the `@note` line.
    pub(crate) fn header_tokens(&self) -> HeaderTokens {
        HeaderTokens::read(&self.section.text, self.note.header)
    }

    /// The words of the `@note` line but for the selector.
    pub(crate) fn words_besides_selector(&self) -> Vec<&'a [u8]> {
        let words = self.header_tokens();
        let pairs = words.attributes.iter().map(|(key, value)| key.to(*value));
        let spans = pairs.chain(words.unknown.iter().copied());
        spans.map(|span| &self.section.text[span.range()]).collect()
    }

    /// Key and value of each header attribute that the format doesn't know; of equal keys the last.
    pub(crate) fn unknown_attributes(&self) -> Vec<(Span, Cow<'a, [u8]>)> {
        let bytes = &self.section.text;
        let mut found: BTreeMap<Vec<u8>, (Span, Cow<'a, [u8]>)> = BTreeMap::new();
        for (key, value) in self.header_tokens().attributes {
            let name = key.of(bytes).to_ascii_lowercase();
            if !ATTRIBUTES.iter().any(|known| known.as_bytes() == name) {
                found.insert(name, (key, unquote(value.of(bytes))));
            }
        }
        found.into_values().collect()
    }

    /// Where the value `name` stands: in the header, then as a field. Empty ones say nothing and are left out.
    pub(crate) fn occurrences(&self, name: &'static str) -> impl Iterator<Item = Occurrence<'a>> + use<'a> {
        let fields = self.said(name).map(move |field| Occurrence {
            line: field.line,
            in_header: false,
            fits: !ATTRIBUTES.contains(&name) || fits(name, &field.value),
            value: field.value,
        });
        self.stated(name).into_iter().chain(fields)
    }

    /// What the header says for `name`: of equal keys the last one that says something.
    fn stated(&self, name: &'static str) -> Option<Occurrence<'a>> {
        if !ATTRIBUTES.contains(&name) {
            return None;
        }
        let bytes = &self.section.text;
        let pairs = header_words(bytes, self.note.header).filter_map(Token::pair);
        let named = pairs.filter(|(key, _)| key.of(bytes).eq_ignore_ascii_case(name.as_bytes()));
        let value = named.map(|(_, value)| unquote(value.of(bytes))).filter(|value| !value.is_empty()).last()?;
        let fits = name == "id" || fits(name, &value);
        Some(Occurrence { line: self.note.header, in_header: true, value, fits })
    }

    /// What was said for `name` besides its value.
    fn besides(&self, name: &'static str) -> Vec<Cow<'a, [u8]>> {
        let mut occurrences: Vec<_> = self.occurrences(name).collect();
        if let Some(at) = occurrences.iter().rposition(|one| one.fits) {
            occurrences.remove(at);
        }
        occurrences.into_iter().map(|one| one.value).collect()
    }

    /// The value `name`, which is the last one that fits.
    fn value(&self, name: &'static str) -> Option<Cow<'a, [u8]>> {
        self.occurrences(name).filter(|one| one.fits).last().map(|one| one.value)
    }

    fn values(&self, name: &'static str) -> impl Iterator<Item = Cow<'a, [u8]>> + use<'a> {
        self.said(name).map(|field| field.value)
    }
}

/// `bytes` as text for a person.
pub(crate) fn text(bytes: Cow<'_, [u8]>) -> Cow<'_, str> {
    match bytes {
        Cow::Borrowed(bytes) => bytes.to_str_lossy(),
        Cow::Owned(bytes) => Cow::Owned(bytes.to_str_lossy().into_owned()),
    }
}
