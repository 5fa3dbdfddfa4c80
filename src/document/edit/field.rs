//! One field or claim of a note: set, replaced, added, removed.

use std::borrow::Cow;
use std::ops::Range;

use super::{EditError, ending, missing_terminator, push_field, trimmed};
use crate::document::attribute::{ATTRIBUTES, TEXTS, fits};
use crate::document::parse::note::is_continuation;
use crate::document::parse::token::unquote;
use crate::document::{Document, Note, NoteLine, NoteLineKind, NoteRef, NoteView, Section, Side};
use crate::text::Span;
use crate::text::edit::{Edit, Splice};

/// The order in which new fields come to stand.
const ORDER: [&str; 5] = ["urgency", "why", "what", "impact", "verify"];

/// The edit that makes `value` the value of the field `name`, which is one that has one value; an empty one removes it.
/// It changes the value where it stands; a new one becomes an attribute (`kind`, `risk`, `confidence`, `id`) or a field.
///
/// # Errors
/// When there is no such field, the value does not fit, or what stands around it allows no such change.
///
/// # Panics
/// When there is no such note.
pub fn set_field(document: &Document, at: NoteRef, name: &str, value: &str) -> Result<Edit, EditError> {
    let known = TEXTS.iter().chain(&ATTRIBUTES).find(|known| **known == name);
    let name = *known.ok_or_else(|| EditError::NotSingle(name.to_owned()))?;
    let target = Target::new(document, at);
    let lines = field_lines(name, value);
    let is_attribute = ATTRIBUTES.contains(&name);
    if is_attribute && !lines.is_empty() && (lines.len() > 1 || !fits(name, trimmed(value).as_bytes())) {
        return Err(EditError::Misfit { name, value: value.to_owned() });
    }
    let edit = if lines.is_empty() {
        target.removal(name)
    } else if let Some(span) = target.stated_in_header(name) {
        target.edit(vec![Splice { range: span.range(), with: trimmed(value).into() }])
    } else if let Some(first) = target.field_that_counts(name) {
        target.replacement(first, &lines)
    } else if is_attribute && name != "urgency" {
        target.attribute(name, trimmed(value))
    } else {
        target.insertion(name, &lines)
    };
    let is_set = |view: NoteView<'_>| {
        let last = view.occurrences(name).filter(|one| one.fits).last();
        last.map(|one| one.value.into_owned()) == joined(value).map(String::into_bytes)
    };
    target.checked(edit, name, is_set)
}

/// The edit that adds `claim` as a `verify` field, behind those that are there.
///
/// # Errors
/// When the claim is empty, or what stands around it allows no such change.
///
/// # Panics
/// When there is no such note.
pub fn add_claim(document: &Document, at: NoteRef, claim: &str) -> Result<Edit, EditError> {
    let target = Target::new(document, at);
    let wanted = said("verify", claim)?;
    let edit = target.insertion("verify", &field_lines("verify", claim));
    let old = claims(target.view());
    target.checked(edit, "verify", |view| {
        let mut new = claims(view);
        let added = (0..new.len()).find(|index| new[*index] == wanted && old.get(*index) != Some(&wanted));
        added.is_some_and(|index| {
            new.remove(index);
            new == old
        })
    })
}

/// The edit that puts `claim` in the place of the claim at `index` of [`NoteView::claims`].
///
/// # Errors
/// When there is no such claim, the new one is empty, or what stands around it allows no such change.
///
/// # Panics
/// When there is no such note.
pub fn replace_claim(document: &Document, at: NoteRef, index: usize, claim: &str) -> Result<Edit, EditError> {
    let target = Target::new(document, at);
    let mut want = claims(target.view());
    *want.get_mut(index).ok_or(EditError::NoSuchClaim(index))? = said("verify", claim)?;
    let mut fields = target.view().fields().filter(|field| field.known == Some("verify") && !field.value.is_empty());
    let field = fields.nth(index).ok_or(EditError::NoSuchClaim(index))?;
    let edit = target.replacement(field.line, &field_lines("verify", claim));
    target.checked(edit, "verify", |view| claims(view) == want)
}

fn claims(view: NoteView<'_>) -> Vec<String> {
    view.claims().into_iter().map(|claim| claim.raw).collect()
}

/// `value` as it reads once it is a field's.
pub(super) fn joined(value: &str) -> Option<String> {
    let lines: Vec<&str> = value.split('\n').map(trimmed).filter(|line| !line.is_empty()).collect();
    (!lines.is_empty()).then(|| lines.join(" "))
}

fn said(name: &'static str, value: &str) -> Result<String, EditError> {
    let joined = joined(value).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
    joined.ok_or_else(|| EditError::Misfit { name, value: value.to_owned() })
}

/// The lines of the field; none for a value that says nothing.
pub(super) fn field_lines(name: &str, value: &str) -> Vec<String> {
    let mut lines = Vec::new();
    push_field(&mut lines, name, value);
    lines
}

/// A note whose fields are changed.
pub(super) struct Target<'a> {
    pub(super) document: &'a Document,
    pub(super) at: NoteRef,
    pub(super) section: &'a Section,
    pub(super) note: &'a Note,
}

impl<'a> Target<'a> {
    pub(super) fn new(document: &'a Document, at: NoteRef) -> Self {
        let section = document.parts()[at.part].as_ref();
        Self { document, at, section, note: &section.tree().notes[at.note] }
    }

    pub(super) fn view(&self) -> NoteView<'a> {
        self.section.note_view(self.note)
    }

    /// The edit of these splices, whose offsets are the section's.
    pub(super) fn edit(&self, splices: Vec<Splice>) -> Edit {
        let base = self.document.offset_of(self.at.part);
        let moved = |range: Range<usize>| base + range.start..base + range.end;
        Edit::new(splices.into_iter().map(|splice| Splice { range: moved(splice.range), ..splice }).collect())
    }

    /// Where the header states the value `name`, if that is the value that counts.
    fn stated_in_header(&self, name: &'static str) -> Option<Span> {
        let text = self.section.text();
        self.view().occurrences(name).filter(|one| one.fits).last().filter(|one| one.in_header)?;
        let is_it = |(key, value): &&(Span, Span)| {
            key.of(text).eq_ignore_ascii_case(name.as_bytes()) && !unquote(value.of(text)).is_empty()
        };
        let tokens = self.view().header_tokens();
        tokens.attributes.iter().rfind(is_it).map(|(_, value)| *value)
    }

    /// The first line of the field `name` whose value counts, or of an empty one.
    fn field_that_counts(&self, name: &'static str) -> Option<Span> {
        let counting = self.view().occurrences(name).filter(|one| one.fits && !one.in_header).last();
        let mut empty = self.view().fields().filter(|field| field.known == Some(name) && field.value.is_empty());
        counting.map(|one| one.line).or_else(|| empty.next().map(|field| field.line))
    }

    /// The lines of the field that begins with `first`, as indices.
    pub(super) fn lines_of(&self, first: Span) -> Range<usize> {
        let lines = &self.note.lines;
        let at = lines.iter().position(|line| line.span == first).unwrap_or(lines.len());
        let further = lines[at..].iter().skip(1).take_while(|line| line.kind == NoteLineKind::Continuation).count();
        at..(at + 1 + further).min(lines.len())
    }

    /// Put `new` in the place of the lines of the field that begins with `first`.
    fn replacement(&self, first: Span, new: &[String]) -> Edit {
        self.edit(vec![self.replaced(first, new)])
    }

    /// The splice that does so, whose offsets are the section's.
    pub(super) fn replaced(&self, first: Span, new: &[String]) -> Splice {
        let lines = &self.note.lines[self.lines_of(first)];
        let span = lines.last().map_or(first, |last| first.to(last.span));
        let text = span.of(self.section.text());
        let end = self.section.newline().content(text).len();
        let start = span.start as usize;
        let with = new.join(ending(self.document).as_str());
        Splice { range: start..start + end, with: with.into_bytes() }
    }

    /// The splice that takes away the field that begins with `first`, likewise.
    pub(super) fn removed(&self, first: Span) -> Splice {
        let lines = self.lines_of(first);
        let end = self.note.lines[lines.end - 1].span.end;
        let eol = if self.opens_body(lines.end) { ending(self.document).as_str() } else { "" };
        Splice { range: first.start as usize..end as usize, with: eol.into() }
    }

    /// Put the attribute at the end of those in the header.
    fn attribute(&self, name: &str, value: &str) -> Edit {
        let words = self.view().header_tokens();
        let last = words.attributes.last().map(|(_, value)| *value).or(words.selector);
        let at = last.map_or(self.note.header.start as usize + "@note".len(), |span| span.end as usize);
        let next = self.section.text().get(at).is_some_and(|byte| !byte.is_ascii_whitespace());
        let space = if next { " " } else { "" };
        self.edit(vec![Splice { range: at..at, with: format!(" {name}={value}{space}").into_bytes() }])
    }

    /// Put the lines of the new field `name` where it belongs.
    pub(super) fn insertion(&self, name: &str, new: &[String]) -> Edit {
        let rank = |name: Option<&str>| ORDER.iter().position(|known| Some(*known) == name).unwrap_or(ORDER.len() - 1);
        let own = rank(Some(name));
        let body = self.note.lines.iter().position(|line| line.kind == NoteLineKind::Body);
        let head = &self.note.lines[..body.unwrap_or(self.note.lines.len())];
        let ends = self.view().fields().take_while(|field| head.iter().any(|line| line.span == field.line));
        let above = ends.filter(|field| rank(field.known) <= own).last().map(|field| self.lines_of(field.line).end);
        let at = above.map_or(self.note.header.end, |end| self.note.lines[end - 1].span.end) as usize;
        let eol = ending(self.document);
        let mut with = missing_terminator(&self.section.text()[..at], eol).to_owned();
        for line in new {
            with += line;
            with += eol.as_str();
        }
        if self.opens_body(above.unwrap_or(0)) {
            with += eol.as_str();
        }
        self.edit(vec![Splice { range: at..at, with: with.into_bytes() }])
    }

    /// Whether the line at `index` is body and would be a further line of a field in front of it.
    pub(super) fn opens_body(&self, index: usize) -> bool {
        let is_indented = |line: &&NoteLine| is_continuation(line.span.of(self.section.text()));
        self.note.lines.get(index).filter(is_indented).is_some_and(|line| line.kind == NoteLineKind::Body)
    }

    /// Take everything away that says something for `name`.
    fn removal(&self, name: &'static str) -> Edit {
        let text = self.section.text();
        let words = self.view().header_tokens();
        let named = words.attributes.iter().filter(|(key, _)| key.of(text).eq_ignore_ascii_case(name.as_bytes()));
        let mut splices: Vec<Splice> = named
            .map(|(key, value)| {
                let lead =
                    text[..key.start as usize].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
                Splice { range: key.start as usize - lead..value.end as usize, with: Vec::new() }
            })
            .collect();
        let fields = self.view().fields().filter(|field| field.known == Some(name));
        splices.extend(fields.map(|field| self.removed(field.line)));
        self.edit(splices)
    }

    /// `edit`, if afterwards the note `is_as_meant` and, apart from `name`, reads as before.
    pub(super) fn checked(
        &self,
        edit: Edit,
        name: &'static str,
        is_as_meant: impl FnOnce(NoteView<'_>) -> bool,
    ) -> Result<Edit, EditError> {
        let after = self.document.edited(&edit);
        let is_whole = after.newline() == self.document.newline() && after.parts().len() == self.document.parts().len();
        let is_fine = is_whole && {
            let section = &after.parts()[self.at.part];
            let note = section.tree().notes.get(self.at.note);
            section.tree().notes.len() == self.section.tree().notes.len()
                && note
                    .map(|note| section.note_view(note))
                    .is_some_and(|view| Others::of(view, name) == Others::of(self.view(), name) && is_as_meant(view))
        };
        if is_fine { Ok(edit) } else { Err(EditError::Entangled(name.to_owned())) }
    }
}

/// What a note says apart from one field, the `selector`, or its `text`.
#[derive(PartialEq)]
struct Others {
    selector: Option<(Side, u64, u64, Option<String>)>,
    attributes: usize,
    fields: Vec<(Vec<u8>, Vec<u8>)>,
    body: Option<String>,
    words: Vec<(&'static str, Vec<Vec<u8>>)>,
    unknown: Vec<Vec<u8>>,
}

impl Others {
    fn of(view: NoteView<'_>, name: &'static str) -> Self {
        let selector = view.note().selector;
        let fields = view.fields().filter(|field| field.known != Some(name));
        let words = ATTRIBUTES.into_iter().filter(|word| *word != name);
        Self {
            selector: (name != "selector")
                .then(|| (selector.side, selector.start, selector.end, view.raw_selector().map(Cow::into_owned))),
            attributes: view.header_tokens().unknown.len(),
            fields: fields.map(|field| (field.name.to_vec(), field.value.into_owned())).collect(),
            body: (name != "text").then(|| view.body()),
            words: words
                .map(|word| (word, view.occurrences(word).map(|one| one.value.into_owned()).collect()))
                .collect(),
            unknown: view.unknown_attributes().into_iter().map(|(_, value)| value.into_owned()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: NoteRef = NoteRef { part: 1, note: 0 };

    /// The text of the note after an edit that has to be taken back.
    fn after(note: &str, edit: impl FnOnce(&Document) -> Result<Edit, EditError>) -> Result<String, EditError> {
        let (front, back) = ("@file a\n\n", "\n@note file\nwhy: other\n");
        let text = format!("{front}{note}{back}");
        let edit = edit(&Document::parse(text.clone()))?;
        let after = edit.apply(text.as_bytes());
        assert_eq!(edit.inverse(text.as_bytes()).apply(&after), text.as_bytes(), "{note:?}");
        let after = String::from_utf8(after).expect("the example is UTF-8");
        let inner = after.strip_prefix(front).and_then(|after| after.strip_suffix(back));
        Ok(inner.expect("only the lines of the note change").to_owned())
    }

    #[test]
    fn fields_are_set_where_they_stand() {
        for (note, name, value, want) in [
            ("@note +1\n", "why", "x", "@note +1\nwhy: x\n"),
            ("@note +1\nwhy:  old\n  more\nsource: y\n", "why", "a\n\nb", "@note +1\nwhy: a\n  b\nsource: y\n"),
            ("@note +1\nWhy:\nsource: y\n", "why", "x", "@note +1\nwhy: x\nsource: y\n"),
            ("@note +1\nsource: y\n\n  body\n", "what", "x", "@note +1\nwhat: x\nsource: y\n\n  body\n"),
            ("@note +1\nkind: risk\n  body\n", "why", "x", "@note +1\nwhy: x\nkind: risk\n  body\n"),
            ("@note +1\n  body\n", "why", "x", "@note +1\nwhy: x\n\n  body\n"),
            ("@note +1\nbody\nwhy: a\nmore\n", "why", "x", "@note +1\nbody\nwhy: x\nmore\n"),
            ("@note +1\nwhy: a\nkind: risk\n  body\n", "kind", "", "@note +1\nwhy: a\n\n  body\n"),
            ("@note +1 kind=risk  x=1 kind=test y\nkind: intent\n", "kind", "", "@note +1  x=1 y\n"),
            ("@note +1 kind=risk  x=1\n", "kind", "test", "@note +1 kind=test  x=1\n"),
            ("@note +1 kind=risk\nkind: very\n", "kind", "test", "@note +1 kind=test\nkind: very\n"),
            ("@note +1 x=1  \n", "risk", "high", "@note +1 x=1 risk=high  \n"),
            ("@note+1 word\n", "id", "a", "@note+1 id=a word\n"),
            ("@note +1 kind=risk\nkind: test\n", "kind", "perf", "@note +1 kind=risk\nkind: perf\n"),
            ("@note +1\nwhy: x\n", "urgency", "info", "@note +1\nurgency: info\nwhy: x\n"),
            ("@note +1\nwhy: x\n", "impact", "", "@note +1\nwhy: x\n"),
        ] {
            let got = after(note, |document| set_field(document, AT, name, value));
            assert_eq!(got.as_deref(), Ok(want), "{note:?} {name}={value:?}");
        }
    }

    #[test]
    fn what_cannot_be_said_is_refused() {
        let refused = |note: &str, name: &str, value: &str| {
            after(note, |document| set_field(document, AT, name, value)).expect_err("it is refused")
        };
        assert_eq!(refused("@note +1\n", "source", "x"), EditError::NotSingle("source".into()));
        assert_eq!(refused("@note +1\n", "risk", "huge"), EditError::Misfit { name: "risk", value: "huge".into() });
        assert_eq!(refused("@note +1\n```\nwhy: b\n", "why", "a\n```"), EditError::Entangled("why".into()));
    }

    #[test]
    fn claims() {
        for (note, index, claim, want) in [
            ("@note +1\nwhy: a\ntodo: b\n", None, "type => pass", "@note +1\nwhy: a\ntodo: b\nverify: type => pass\n"),
            ("@note +1\nverify: a\n  b\n\nbody\n", None, "a", "@note +1\nverify: a\n  b\nverify: a\n\nbody\n"),
            (
                "@note +1\nverify: a\nverify:\nverify: b\n  c\nwhy: d\n",
                Some(1),
                "x\ny",
                "@note +1\nverify: a\nverify:\nverify: x\n  y\nwhy: d\n",
            ),
        ] {
            let got = after(note, |document| match index {
                None => add_claim(document, AT, claim),
                Some(index) => replace_claim(document, AT, index, claim),
            });
            assert_eq!(got.as_deref(), Ok(want), "{note:?}");
        }
        let missing = after("@note +1\nverify: a\n", |document| replace_claim(document, AT, 1, "x"));
        assert_eq!(missing, Err(EditError::NoSuchClaim(1)));
        let empty = after("@note +1\n", |document| add_claim(document, AT, " \n"));
        assert_eq!(empty, Err(EditError::Misfit { name: "verify", value: " \n".into() }));
    }
}
