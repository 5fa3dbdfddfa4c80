//! The canonical form (section 11): the same review, laid out as every tool lays it out.
//!
//! It is an [`Edit`], so what is canonical already is not even copied. It may change blanks at the ends of directives
//! and fields, blank lines between blocks, spacing and order of header attributes, the indent of continuation lines,
//! `why:x`, `alternative:`, where urgency stands, line ends, and breaks long prose. It never changes what a document
//! means, nor a byte of the frontmatter, of a hunk, of a comment or of a line that belongs to nothing, and mends nothing.

mod field;
mod header;

use std::ops::Range;

use super::parse::directive::trim_end;
use super::parse::note::FieldStart;
use super::parse::split;
use super::tree::{Block, Note, NoteLine, NoteLineKind};
use super::{Document, Section};
use crate::text::Span;
use crate::text::edit::{Edit, Splice};
use crate::text::lines::{Lines, Newline};

/// The edit that gives `document` its canonical form; empty when it has it.
#[must_use]
pub fn canonical(document: &Document) -> Edit {
    let Some(first) = document.parts().first() else { return Edit::default() };
    let mut printer = Printer {
        ends: LineEnds::of(document),
        section: first,
        base: 0,
        last: None,
        blank: Vec::new(),
        splices: Vec::new(),
    };
    for section in document.parts() {
        printer.section = section;
        printer.part();
        printer.base += section.text().len();
    }
    printer.end();
    Edit::new(printer.splices)
}

/// What becomes of the line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineEnds {
    /// They are LF.
    Lf,
    /// They are CRLF and become LF.
    ToLf,
    /// They are CRLF and stay, since LF would make something else of a further CR.
    CrLf,
}

impl LineEnds {
    fn of(document: &Document) -> Self {
        if document.newline() == Newline::Lf {
            return Self::Lf;
        }
        let head = &document.parts()[0];
        let mut blocks = document.parts().iter().flat_map(|part| part.tree().blocks.iter().map(move |at| (part, *at)));
        let first = blocks.find(|(_, block)| !matches!(block, Block::Bom(_)));
        let has_cr = |part: &Section, span: Span| {
            let text = span.of(part.text());
            Lines::new(text).any(|line| Newline::CrLf.content(line.of(text)).contains(&b'\r'))
        };
        let is_kept = first.is_some_and(|(part, block)| match block {
            // In YAML every CR ends a line, unless a LF comes behind it.
            Block::Frontmatter(span) => has_cr(head, span),
            Block::Hunk(index) => has_cr(part, part.tree().hunks[index as usize].header),
            Block::Comment(span) | Block::Stray(span) | Block::Blank(span) => has_cr(part, span),
            Block::Bom(_) | Block::File(_) | Block::Note(_) | Block::Check(_) => false,
        });
        if is_kept { Self::CrLf } else { Self::ToLf }
    }

    /// What ends a line that is new.
    fn as_str(self) -> &'static str {
        if self == Self::CrLf { "\r\n" } else { "\n" }
    }
}

/// What stands in a document, as far as the blank lines around it go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Frontmatter,
    File,
    Hunk,
    Note,
    Check,
    /// A comment, or a line that belongs to nothing.
    Remark,
}

/// How many blank lines separate two blocks that have `there` between them.
fn separation(last: Kind, next: Kind, there: usize) -> usize {
    match (last, next) {
        // What they are is for their author to say.
        (Kind::Remark, Kind::Remark) => there,
        (Kind::File | Kind::Hunk, Kind::Hunk) => 0,
        // Without one, a later reader with other counts takes the line for content.
        (Kind::Hunk, Kind::Remark) => 1,
        (Kind::Remark, _) | (_, Kind::Remark) | (Kind::Check, Kind::Check) => there.min(1),
        _ => 1,
    }
}

struct Printer<'a> {
    ends: LineEnds,
    section: &'a Section,
    /// Where the section starts in the whole text.
    base: usize,
    last: Option<Kind>,
    /// The blank lines since then, with where they stand in the whole text.
    blank: Vec<(Range<usize>, &'a [u8])>,
    splices: Vec<Splice>,
}

impl<'a> Printer<'a> {
    fn part(&mut self) {
        let tree = self.section.tree();
        for block in &tree.blocks {
            match *block {
                Block::Bom(_) => {}
                Block::Blank(span) => self.blank.push((self.range(span), span.of(self.section.text()))),
                Block::Frontmatter(span) => {
                    self.begin(Kind::Frontmatter, span);
                    self.raw_lines(span);
                }
                Block::Comment(span) | Block::Stray(span) => {
                    self.begin(Kind::Remark, span);
                    self.raw(span);
                }
                Block::File(span) => {
                    self.begin(Kind::File, span);
                    self.line(span, &header::file(self.section.text(), span));
                }
                Block::Check(index) => {
                    let span = tree.checks[index as usize];
                    self.begin(Kind::Check, span);
                    self.line(span, trim_end(span.of(self.section.text())));
                }
                Block::Hunk(index) => {
                    let span = tree.span(*block);
                    self.begin(Kind::Hunk, tree.hunks[index as usize].header);
                    self.raw_lines(span);
                }
                Block::Note(index) => {
                    let note = &tree.notes[index as usize];
                    self.begin(Kind::Note, note.header);
                    self.note(note);
                }
            }
        }
    }

    /// Settle the blank lines in front of a block that begins with `span`.
    fn begin(&mut self, next: Kind, span: Span) {
        let at = self.range(span).start;
        let there = self.blank.len();
        let want = self.last.map_or(there, |last| separation(last, next, there));
        self.separate(at, want);
        self.last = Some(next);
    }

    /// Settle the blank lines at the end. Those of a document that has nothing else stay.
    fn end(&mut self) {
        let want = if self.last.is_some() { 0 } else { self.blank.len() };
        self.separate(self.base, want);
    }

    /// Put `want` blank lines in the place of those in front of `at`; as many as there are stay as they are.
    fn separate(&mut self, at: usize, want: usize) {
        let blank = std::mem::take(&mut self.blank);
        let is_kept = want == blank.len() && (want > 1 || self.last.is_none());
        if is_kept {
            for (range, line) in blank {
                let with = self.terminated(line);
                self.put(range, line, &with);
            }
            return;
        }
        let start = blank.first().map_or(at, |(range, _)| range.start);
        let there: Vec<u8> = blank.iter().flat_map(|(_, line)| line.iter().copied()).collect();
        self.put(start..at, &there, self.ends.as_str().repeat(want).as_bytes());
    }

    fn note(&mut self, note: &'a Note) {
        let (header, urgency) = header::note(self.section.text(), note.header);
        let eol = self.ends.as_str().as_bytes();
        let text = match urgency {
            Some(field) => [&header, eol, &field].concat(),
            None => header,
        };
        self.line(note.header, &text);
        let is_body = |line: &NoteLine| line.kind == NoteLineKind::Body;
        let body = note.lines.iter().position(is_body).unwrap_or(note.lines.len());
        self.fields(&note.lines[..body]);
        // Right below a field it may be meant to go on with that: a blank line would decide it.
        let is_doubtful = note.lines[..body].last().is_some_and(|line| match line.kind {
            NoteLineKind::Field => {
                let content = self.section.newline.content(line.span.of(self.section.text()));
                FieldStart::parse(content).is_some_and(|field| field.is_open(content))
            }
            kind => kind == NoteLineKind::Continuation,
        });
        if let Some(first) = note.lines.get(body).filter(|_| !is_doubtful) {
            self.separate(self.range(first.span).start, 1);
        }
        let mut lines = &note.lines[body..];
        while let Some((line, rest)) = lines.split_first() {
            lines = rest;
            if line.kind == NoteLineKind::Field {
                lines = self.field(line, rest);
            } else {
                self.raw(line.span);
            }
        }
    }

    /// The lines in front of the body.
    fn fields(&mut self, mut lines: &'a [NoteLine]) {
        while let Some((line, rest)) = lines.split_first() {
            lines = rest;
            if line.kind == NoteLineKind::Blank {
                self.blank.push((self.range(line.span), line.span.of(self.section.text())));
            } else {
                self.separate(self.range(line.span).start, 0);
                lines = self.field(line, rest);
            }
        }
    }

    /// The field that begins with `first`; returns the lines of `rest` that are not its own.
    fn field(&mut self, first: &'a NoteLine, rest: &'a [NoteLine]) -> &'a [NoteLine] {
        let further = rest.iter().take_while(|line| line.kind == NoteLineKind::Continuation).count();
        let (own, rest) = rest.split_at(further);
        let spans = || std::iter::once(first).chain(own).map(|line| line.span);
        let contents: Vec<&[u8]> = spans().map(|span| self.content(span)).collect();
        for (span, lines) in spans().zip(field::lines(&contents)) {
            self.line(span, &lines.join(self.ends.as_str().as_bytes()));
        }
        rest
    }

    /// Print the line at `span` as `content`.
    fn line(&mut self, span: Span, content: &[u8]) {
        let line = span.of(self.section.text());
        let kept = &line[self.section.newline().content(line).len()..];
        let end =
            if self.ends == LineEnds::CrLf && kept.ends_with(b"\n") { kept } else { self.ends.as_str().as_bytes() };
        self.put(self.range(span), line, &[content, end].concat());
    }

    /// Print all lines in `span` as they are.
    fn raw_lines(&mut self, span: Span) {
        let text = span.of(self.section.text());
        if self.ends != LineEnds::ToLf && text.ends_with(b"\n") {
            return;
        }
        for line in Lines::new(text) {
            self.raw(Span { start: span.start + line.start, end: span.start + line.end });
        }
    }

    /// Print the line at `span` as it is.
    fn raw(&mut self, span: Span) {
        let line = span.of(self.section.text());
        // A line end behind this CR would make a CRLF document of the only line.
        let is_cut = self.ends == LineEnds::Lf && line.ends_with(b"\r") && self.range(span).start <= split::BOM.len();
        if self.ends == LineEnds::ToLf || !(line.ends_with(b"\n") || is_cut) {
            let with = [self.content(span), self.ends.as_str().as_bytes()].concat();
            self.put(self.range(span), line, &with);
        }
    }

    /// The blank line `line` with its terminator, if it has one.
    fn terminated(&self, line: &[u8]) -> Vec<u8> {
        if self.ends == LineEnds::ToLf && line.ends_with(b"\n") {
            [Newline::CrLf.content(line), b"\n"].concat()
        } else {
            line.to_vec()
        }
    }

    /// The line at `span` without its terminator.
    fn content(&self, span: Span) -> &'a [u8] {
        self.section.newline().content(span.of(self.section.text()))
    }

    fn range(&self, span: Span) -> Range<usize> {
        self.base + span.start as usize..self.base + span.end as usize
    }

    /// Put `with` in the place of `old`, which stands at `range`.
    fn put(&mut self, range: Range<usize>, old: &[u8], with: &[u8]) {
        if old == with {
            return;
        }
        match self.splices.last_mut() {
            Some(last) if last.range.end == range.start => {
                last.range.end = range.end;
                last.with.extend_from_slice(with);
            }
            _ => self.splices.push(Splice { range, with: with.to_vec() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(text: &str) -> String {
        let once = canonical(&Document::parse(text.to_owned())).apply(text.as_bytes());
        assert!(canonical(&Document::parse(once.clone())).is_empty(), "{text:?} is done in one go");
        String::from_utf8(once).expect("the example is UTF-8")
    }

    #[test]
    fn blank_lines_between_blocks() {
        for (text, want) in [
            ("", ""),
            ("\n \n", "\n \n"),
            ("\n\n@file a", "\n\n@file a\n"),
            ("---\n---\n\n\n@file a\n@file b\n\n\n", "---\n---\n\n@file a\n\n@file b\n"),
            ("---\n---", "---\n---\n"),
            (
                "@file a\n\n@@ -1 +1 @@\n-a\n+b\n\n\n@@ x\n c\n@note +1",
                "@file a\n@@ -1 +1 @@\n-a\n+b\n@@ x\n c\n\n@note +1\n",
            ),
            (
                "@file a\n@note +1\nx\n@note +2\n@check a\n@check b\n",
                "@file a\n\n@note +1\n\nx\n\n@note +2\n\n@check a\n@check b\n",
            ),
            ("# a\n\n\n# b\n@note doc\n", "# a\n\n\n# b\n@note doc\n"),
            ("@file a\n\n\n# b\n\n\n@note doc\n", "@file a\n\n# b\n\n@note doc\n"),
            ("@@ -1 +1 @@\n a\nstray\n\n\n\n\n@note +1\n", "@@ -1 +1 @@\n a\n\nstray\n\n@note +1\n"),
        ] {
            assert_eq!(printed(text), want, "{text:?}");
        }
    }

    #[test]
    fn blank_lines_that_a_hunk_counts_stay() {
        for (text, want) in [
            ("@@ -1,3 +1,3 @@\n a\n\n\n\n\n@note +1", "@@ -1,3 +1,3 @@\n a\n\n\n\n@note +1\n"),
            ("@@ -1,3 +1,3 @@\n a\n\n\n@note +1", "@@ -1,3 +1,3 @@\n a\n\n\n@note +1\n"),
            ("@@ -1,3 +1,3 @@\n a\n\n\t\n\n\n@@", "@@ -1,3 +1,3 @@\n a\n\n@@\n"),
            ("@@ -1,2 +1,2 @@\n a\n\n\n", "@@ -1,2 +1,2 @@\n a\n\n"),
            ("@@ -1 +1 @@\n a\n\n# b\n\n\n+c  \n", "@@ -1 +1 @@\n a\n\n# b\n\n\n+c  \n"),
        ] {
            assert_eq!(printed(text), want, "{text:?}");
        }
    }

    #[test]
    fn notes() {
        for (text, want) in [
            (
                "why:x\n\n\nsource:  a  \n\nBody\n\n\nwhy:y\n\nmore \n",
                "why: x\nsource: a\n\nBody\n\n\nwhy: y\n\nmore \n",
            ),
            ("why:\n\t a\n     b\nAlternative: c\n", "why:\n  a\n  b\nalt: c\n"),
            ("kind: risk\n  body\n", "kind: risk\n\n  body\n"),
            ("```\nwhy:x\n```\n", "\n```\nwhy:x\n```\n"),
            ("```\nwhy:x\n     ```\n", "\n```\nwhy: x\n     ```\n"),
        ] {
            let header = "@file a\n\n@note +1\n";
            assert_eq!(printed(&format!("{header}{text}")), format!("{header}{want}"), "{text:?}");
        }
    }

    #[test]
    fn line_ends() {
        for (text, want) in [
            ("@file a\r\n@@ -1 +1 @@\r\n-a\r\r\n+b\r", "@file a\n@@ -1 +1 @@\n-a\r\n+b\n"),
            ("@file a\n@@ -1 +1 @@\n-a\r\n+b\r", "@file a\n@@ -1 +1 @@\n-a\r\n+b\r\n"),
            ("---\r\na: 1\r\r\n---\r\n@file b", "---\r\na: 1\r\r\n---\r\n\r\n@file b\r\n"),
            ("x\r\r\ny", "x\r\r\ny\r\n"),
            ("x\r", "x\r"),
            ("@file a\r", "@file a\n"),
            ("\u{feff}x\r", "\u{feff}x\r"),
        ] {
            assert_eq!(printed(text), want, "{text:?}");
        }
    }
}
