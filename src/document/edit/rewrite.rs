//! A note as a person has written it down, in an editor of their own: all of its lines, also those that no form has a
//! place for.

use super::remove::{has_notes, note_texts};
use super::{EditError, NewNote, append_lines, ending, trimmed};
use crate::document::parse::directive::{Directive, is_blank};
use crate::document::{Block, Document, NoteRef, Section, Selector, first_paragraph};
use crate::text::edit::Edit;
use crate::text::lines::Newline;

/// The lines of one note, and nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenNote {
    lines: Vec<String>,
    selector: Selector,
}

impl WrittenNote {
    /// Read `text`. One that does not begin with a `@note` line stands below `header`, which is such a line; and one that has
    /// no field besides is the reason, and below an empty line free text.
    ///
    /// # Errors
    /// When `text` says nothing, or more than one note.
    pub fn read(text: &str, header: &str) -> Result<Self, EditError> {
        let mut lines: Vec<String> = text.lines().map(|line| line.trim_end_matches('\r').to_owned()).collect();
        let is_text = |line: &String| !is_blank(line.as_bytes());
        lines.truncate(lines.iter().rposition(is_text).map_or(0, |last| last + 1));
        lines.drain(..lines.iter().position(is_text).unwrap_or(0));
        let first = lines.first().ok_or_else(|| EditError::Misfit { name: "note", value: String::new() })?;
        if Directive::of(first.as_bytes()) != Some(Directive::Note) {
            lines.insert(0, header.to_owned());
            let section = Section::file(lines.join("\n"), Newline::Lf);
            let is_note = section.tree().blocks.len() == 1;
            let mut fields = section.note_views().flat_map(|note| note.fields());
            if is_note && fields.all(|field| field.known.is_none()) {
                let rest = lines[1..].join("\n");
                let (why, body) = first_paragraph(&rest);
                let note = NewNote { why: why.to_owned(), body: body.to_owned(), ..NewNote::new(Selector::FILE) };
                lines.splice(1.., note.lines(false).into_iter().skip(1));
            }
        }
        let section = Section::file(lines.join("\n"), Newline::Lf);
        let tree = section.tree();
        let stranger = tree.blocks.iter().skip(1).find(|block| !matches!(block, Block::Blank(_)));
        match (tree.notes.as_slice(), stranger) {
            ([note], None) => Ok(Self { selector: note.selector, lines }),
            (_, stranger) => {
                let span =
                    stranger.or(tree.blocks.first()).map_or(&b""[..], |block| tree.span(*block).of(section.text()));
                let line = String::from_utf8_lossy(span).lines().next().unwrap_or_default().to_owned();
                Err(EditError::NotOneNote(trimmed(&line).to_owned()))
            }
        }
    }

    /// What it is about.
    #[must_use]
    pub fn selector(&self) -> Selector {
        self.selector
    }

    /// Its lines, ended by LF, the last one open.
    #[must_use]
    pub fn to_text(&self) -> String {
        self.lines.join("\n")
    }

    /// Its lines, in the line ends of `document`, the last one open.
    fn text(&self, document: &Document) -> String {
        self.lines.join(ending(document).as_str())
    }
}

/// The edit that adds `note` at the end of the part at `part`.
///
/// # Errors
/// When something else would be read differently.
///
/// # Panics
/// When there is no such part.
pub fn append_written(document: &Document, part: usize, note: &WrittenNote) -> Result<Edit, EditError> {
    let edit = append_lines(document, part, &note.lines);
    let text = note.text(document);
    let mut texts: Vec<&[u8]> = note_texts(&document.parts()[part]);
    let whole = text + ending(document).as_str();
    texts.push(whole.as_bytes());
    checked(document, part, &texts, edit)
}

/// The edit that puts `note` in the place of the one at `at`.
///
/// # Errors
/// When something else would be read differently.
///
/// # Panics
/// When there is no such note.
pub fn rewrite_note(document: &Document, at: NoteRef, note: &WrittenNote) -> Result<Edit, EditError> {
    let section = &document.parts()[at.part];
    let span = section.tree().notes[at.note].span;
    let old = span.of(section.text());
    let content = section.newline().content(old).len();
    let start = document.offset_of(at.part) + span.start as usize;
    let text = note.text(document);
    let whole = [text.as_bytes(), &old[content..]].concat();
    let mut texts = note_texts(section);
    texts[at.note] = &whole;
    checked(document, at.part, &texts, Edit::replace(start..start + content, text.clone()))
}

fn checked(document: &Document, part: usize, notes: &[&[u8]], edit: Edit) -> Result<Edit, EditError> {
    let after = document.edited(&edit);
    has_notes(document, &after, part, notes).then_some(edit).ok_or_else(|| EditError::Entangled("@note".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_may_write() {
        const HEADER: &str = "@note +2 kind=intent";
        for (text, want) in [
            (
                "\n@note +1..2 odd\r\nwhy: a\r\nx: y\r\n\r\n  body\r\n\r\n",
                Ok("@note +1..2 odd\nwhy: a\nx: y\n\n  body"),
            ),
            ("why: a\nimpact: b", Ok("@note +2 kind=intent\nwhy: a\nimpact: b")),
            ("one\ntwo\n", Ok("@note +2 kind=intent\nwhy: one\n  two")),
            ("one\n\ntwo\n\n# three", Ok("@note +2 kind=intent\nwhy: one\n\ntwo\n\n# three")),
            ("@note +2\nwhy: a\n\n@note +3\n", Err("`@note +3` would begin something else")),
            ("why: a\n@file b\n", Err("`@file b` would begin something else")),
            ("@@ -1 +1 @@\nwhy: a", Err("`@@ -1 +1 @@` would begin something else")),
            (" \n\n", Err("`` is no value of `note`")),
        ] {
            let read = WrittenNote::read(text, HEADER).map(|note| note.lines.join("\n"));
            match want {
                Ok(want) => assert_eq!(read.as_deref(), Ok(want), "{text:?}"),
                Err(start) => assert!(read.unwrap_err().to_string().starts_with(start), "{text:?}"),
            }
        }
    }

    #[test]
    fn only_the_lines_of_the_note_change() {
        let text = "@file a\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n\r\n@note +1\r\nwhy: x\r\n\r\n@note file\r\n";
        let document = Document::parse(text);
        let note = WrittenNote::read("why: y\nz", "@note -1").expect("it is one");
        let edit = rewrite_note(&document, NoteRef { part: 1, note: 0 }, &note).expect("it can be rewritten");
        let after = edit.apply(text.as_bytes());
        assert_eq!(String::from_utf8(after).unwrap(), text.replace("+1\r\nwhy: x", "-1\r\nwhy: y\r\nz"));
        let edit = append_written(&document, 1, &note).expect("it can be added");
        let after = edit.apply(text.as_bytes());
        assert_eq!(String::from_utf8(after).unwrap(), text.to_owned() + "\r\n@note -1\r\nwhy: y\r\nz\r\n");
    }
}
