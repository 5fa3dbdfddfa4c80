//! Orphans (section 5.3): notes whose text is no longer in the diff. Such a note names no lines, so that no reader shows
//! it beside others, and keeps in fields of its own what it was about.
//!
//! They are fields because that is what every reader of the format keeps without knowing it.

use std::borrow::Cow;

use bstr::{BString, ByteSlice};

use super::note::NoteView;
use super::parse::note::{FieldStart, is_continuation};
use super::parse::token::unquote;
use super::selector::{Selector, Side};
use super::tree::NoteLineKind;
use crate::text::Span;
use crate::text::edit::Splice;
use crate::text::lines::Newline;

/// The field with the selector; it makes the note an orphan.
const SELECTOR: &str = "orphaned";
/// The fields with a line of what stood above, of the text itself, and of what stood below.
const LINES: [&str; 3] = ["orphaned-above", "orphaned-line", "orphaned-below"];
/// Stands for lines that the note named and the diff did not show.
const HIDDEN: &str = "…";

/// What a note was about when its text was last in the diff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Orphan {
    /// The selector, as it was written.
    pub raw: String,
    /// The selector, read.
    pub selector: Selector,
    /// Lines that stood directly above, at most a few.
    pub above: Vec<BString>,
    /// The lines that the note named; `None` where the diff did not show them. Empty for a note about a file.
    pub text: Vec<Option<BString>>,
    /// Lines that stood directly below.
    pub below: Vec<BString>,
}

impl NoteView<'_> {
    /// What the note was about, if it is an orphan: it names its file, and says that it named something else.
    #[must_use]
    pub fn orphan(&self) -> Option<Orphan> {
        if self.note().selector.side != Side::File {
            return None;
        }
        let fields: Vec<_> = self.fields().filter(|field| field.known.is_none()).collect();
        let values = |name: &'static str| {
            let named = fields.iter().filter(move |field| field.name.eq_ignore_ascii_case(name.as_bytes()));
            named.map(|field| field.value.as_ref())
        };
        let raw = values(SELECTOR).next_back()?;
        let selector = Selector::parse(raw).filter(|selector| selector.side != Side::Doc)?;
        let line = |value: &[u8]| value.starts_with(b"\"").then(|| BString::from(unquote(value).into_owned()));
        let [above, text, below] = LINES.map(|name| values(name).map(line).collect::<Vec<_>>());
        let shown = |lines: Vec<Option<BString>>| lines.into_iter().flatten().collect();
        Some(Orphan { raw: raw.to_str_lossy().into_owned(), selector, above: shown(above), text, below: shown(below) })
    }

    /// The selector as the header has it, or `file` where none can be read there.
    pub(crate) fn selector_or_file(&self) -> String {
        let raw = self.raw_selector().filter(|raw| Selector::parse(raw.as_bytes()).is_some());
        raw.map_or_else(|| Selector::FILE.to_string(), Cow::into_owned)
    }

    /// The splices, in offsets of the section, that make the note an orphan. `newline` ends the lines.
    pub(crate) fn orphaned(&self, orphan: &Orphan, newline: Newline) -> Vec<Splice> {
        let note = self.note();
        let text = self.section().text();
        let eol = newline.as_str().as_bytes();
        let mut with = Vec::new();
        if !note.header.of(text).ends_with(b"\n") {
            with.extend_from_slice(eol);
        }
        let mut line = |name: &str, value: &[u8]| {
            with.extend_from_slice(name.as_bytes());
            with.extend_from_slice(b": ");
            with.extend_from_slice(value);
            with.extend_from_slice(eol);
        };
        line(SELECTOR, orphan.raw.as_bytes());
        orphan.above.iter().for_each(|text| line(LINES[0], &quoted(text)));
        for text in &orphan.text {
            line(LINES[1], &text.as_ref().map_or_else(|| HIDDEN.into(), |text| quoted(text)));
        }
        orphan.below.iter().for_each(|text| line(LINES[2], &quoted(text)));
        let is_indented = |span: Span| is_continuation(span.of(text));
        if note.lines.first().is_some_and(|first| first.kind == NoteLineKind::Body && is_indented(first.span)) {
            with.extend_from_slice(eol);
        }
        let at = note.header.end as usize;
        let mut splices = vec![Splice { range: at..at, with }];
        if orphan.selector.side != Side::File {
            splices.push(self.selecting(&Selector::FILE.to_string()));
        }
        splices
    }

    /// The splices that take away what makes the note an orphan; its header gets `selector`, where that is given.
    pub(crate) fn returned(&self, selector: Option<&str>) -> Vec<Splice> {
        let text = self.section().text();
        let mut splices = Vec::new();
        let mut is_ours = false;
        for line in &self.note().lines {
            is_ours = match line.kind {
                NoteLineKind::Field => is_orphan_field(self.section().newline().content(line.span.of(text))),
                NoteLineKind::Continuation => is_ours,
                NoteLineKind::Body | NoteLineKind::Blank => false,
            };
            if is_ours {
                splices.push(Splice { range: line.span.range(), with: Vec::new() });
            }
        }
        splices.extend(selector.map(|selector| self.selecting(selector)));
        splices
    }

    /// The splice that makes `selector` the selector of the header, which has one.
    pub(crate) fn selecting(&self, selector: &str) -> Splice {
        let range = self.selector_range();
        let text = self.section().text();
        let is_apart = text[..range.start].last().is_some_and(u8::is_ascii_whitespace);
        let lead = if is_apart { "" } else { " " };
        Splice { range, with: format!("{lead}{selector}").into_bytes() }
    }
}

/// Whether the field whose first line is `content` is about an orphan.
fn is_orphan_field(content: &[u8]) -> bool {
    FieldStart::parse(content).is_some_and(|field| is_orphan_name(&content[..field.name_len]))
}

/// Whether a field of this name is about an orphan.
pub(crate) fn is_orphan_name(name: &[u8]) -> bool {
    [SELECTOR].iter().chain(&LINES).any(|known| known.as_bytes().eq_ignore_ascii_case(name))
}

/// `text` between double quotes, such that no writer of the format has a reason to touch it: bytes that are not UTF-8,
/// control characters and what could open another span are octal escapes.
fn quoted(text: &[u8]) -> Vec<u8> {
    let mut out = vec![b'"'];
    for chunk in text.utf8_chunks() {
        for letter in chunk.valid().chars() {
            match letter {
                '"' | '\\' => out.extend([b'\\', letter as u8]),
                '\t' => out.extend(b"\\t"),
                '\r' => out.extend(b"\\r"),
                '`' => out.extend(b"\\140"),
                letter if letter.is_control() || (letter.is_whitespace() && letter != ' ') => {
                    let mut bytes = [0; 4];
                    escape(letter.encode_utf8(&mut bytes).as_bytes(), &mut out);
                }
                letter => out.extend(letter.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        escape(chunk.invalid(), &mut out);
    }
    out.push(b'"');
    out
}

fn escape(bytes: &[u8], out: &mut Vec<u8>) {
    bytes.iter().for_each(|byte| out.extend(format!("\\{byte:03o}").into_bytes()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use crate::text::edit::Edit;

    const ORPHAN: &[u8] =
        b"@file a\n@note file kind=risk\norphaned: +2..3\norphaned-above: \"\"\norphaned-line: \" x \\\"y\\\" \
        \\140\\377\"\norphaned-line: \xe2\x80\xa6\norphaned-below: \"\\t\\r \"\nwhy: z\n";

    fn orphan() -> Orphan {
        Orphan {
            raw: "+2..3".to_owned(),
            selector: Selector { side: Side::New, start: 2, end: 3 },
            above: vec!["".into()],
            text: vec![Some(b" x \"y\" `\xff".into()), None],
            below: vec!["\t\r ".into()],
        }
    }

    #[test]
    fn there_and_back() {
        for (front, back) in [
            ("@note +2..3 kind=risk\n", "why: z\n"),
            ("@note +2..3\n", "\nbody\n"),
            ("@note +2..3 x\n", ""),
            ("@note  2 .. 3\n", "why: z\n  more\n"),
        ] {
            let text = format!("@file a\n{front}{back}");
            let before = Document::parse(text.clone());
            let view = before.parts()[1].note_views().next().expect("there is a note");
            assert_eq!(view.orphan(), None);
            let raw = view.selector_or_file();
            let wanted = Orphan { raw: raw.clone(), ..orphan() };
            let after = before.edited(&Edit::new(view.orphaned(&wanted, Newline::Lf)));
            let view = after.parts()[1].note_views().next().expect("there is a note");
            assert_eq!(view.orphan(), Some(wanted), "{text:?}");
            let back = after.edited(&Edit::new(view.returned(Some(&raw))));
            assert_eq!(String::from_utf8_lossy(&back.to_bytes()), text);
        }
    }

    #[test]
    fn what_it_looks_like() {
        let before = Document::parse("@file a\n@note +2..3 kind=risk\nwhy: z\n");
        let view = before.parts()[1].note_views().next().expect("there is a note");
        let after = before.edited(&Edit::new(view.orphaned(&orphan(), Newline::Lf)));
        assert_eq!(after.to_bytes().as_bstr(), ORPHAN.as_bstr());
    }

    #[test]
    fn a_body_stays_a_body_and_a_word_a_word() {
        for (text, want) in [
            ("@file a\n@note+2\n  body", "@file a\n@note file\norphaned: +2\n\n  body"),
            ("@file a\r\n@note +2", "@file a\r\n@note file\r\norphaned: +2\r\n"),
        ] {
            let before = Document::parse(text);
            let view = before.parts()[1].note_views().next().expect("there is a note");
            let orphan = Orphan {
                raw: "+2".to_owned(),
                selector: view.note().selector,
                above: Vec::new(),
                text: Vec::new(),
                below: Vec::new(),
            };
            let after = before.edited(&Edit::new(view.orphaned(&orphan, before.newline())));
            assert_eq!(after.to_bytes().as_bstr(), want.as_bytes().as_bstr());
        }
    }
}
