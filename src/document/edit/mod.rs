//! From an intent to the [`Edit`] that carries it out. Every byte that an intent does not name stays as it is, and
//! [`Edit::inverse`] takes it back.
//!
//! An intent that would change how something else is read is refused, so an edit that is handed out does just what it is
//! called.

mod amend;
mod field;
mod file;
mod head;
mod remove;
mod rewrite;

pub use self::amend::amend_note;
pub use self::field::{add_claim, replace_claim, set_field};
pub(crate) use self::file::{file_line, ids_agree, says_more, without_diff};
pub use self::head::{
    EvidenceRecord, Outcome, put_evidence, set_check_outcome, set_ends, set_review, set_summary, set_title,
};
pub use self::remove::delete_note;
pub use self::rewrite::{WrittenNote, append_written, rewrite_note};
use super::parse::directive::{Directive, is_blank, is_fence, trim, trim_end};
use super::parse::note::FieldStart;
use super::{Block, Document, Kind, NoteLineKind, Risk, Section, Selector};
use crate::text::edit::Edit;
use crate::text::lines::Newline;

/// Why an intent cannot be carried out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// A name that is none of the fields with one value.
    #[error("`{0}` is no field that has one value: why, what, impact, kind, risk, urgency, confidence or id")]
    NotSingle(String),
    /// A value that the field cannot have.
    #[error("`{value}` is no value of `{name}`")]
    Misfit {
        /// The field.
        name: &'static str,
        /// What it was to become.
        value: String,
    },
    /// An index beyond the claims of the note.
    #[error("the note has no claim number {}", .0 + 1)]
    NoSuchClaim(usize),
    /// An index beyond the checks of the document.
    #[error("the review has no check number {}", .0 + 1)]
    NoSuchCheck(usize),
    /// There is no place for metadata.
    #[error("the review has no frontmatter; begin it with `---`, `whymark: 1`, a title and `---`")]
    NoFrontmatter,
    /// A text that is to be one note, and holds something else.
    #[error("`{0}` would begin something else than this note: put a blank in front of it")]
    NotOneNote(String),
    /// Something else would be read differently.
    #[error("`{0}` cannot be changed where it stands without changing something else; edit the text itself")]
    Entangled(String),
}

/// What a person wants to say about a part of a review. Empty texts are left out.
#[derive(Debug, Clone, PartialEq)]
pub struct NewNote {
    /// What it is about.
    pub selector: Selector,
    /// What it is for.
    pub kind: Kind,
    /// The blast radius if it is wrong.
    pub risk: Option<Risk>,
    /// From 0 to 1; other values are left out.
    pub confidence: Option<f64>,
    /// The reason.
    pub why: String,
    /// Where it comes from: values of `source`.
    pub sources: Vec<String>,
    /// The evidence that it works: values of `verify`.
    pub claims: Vec<String>,
    /// Follow-ups.
    pub todos: Vec<String>,
    /// What the reviewer is asked.
    pub questions: Vec<String>,
    /// Free text.
    pub body: String,
}

impl NewNote {
    /// A note about `selector` that says nothing yet.
    #[must_use]
    pub fn new(selector: Selector) -> Self {
        Self {
            selector,
            kind: Kind::Note,
            risk: None,
            confidence: None,
            why: String::new(),
            sources: Vec::new(),
            claims: Vec::new(),
            todos: Vec::new(),
            questions: Vec::new(),
            body: String::new(),
        }
    }

    /// The note as it is written, its lines ended by LF, the last one open.
    #[must_use]
    pub fn to_text(&self) -> String {
        self.lines(false).join("\n")
    }

    /// Whether a line of the body would be read as something else, so that it is written with a blank in front.
    #[must_use]
    pub fn indents_body(&self) -> bool {
        body_lines(&self.body, false) != plain_body_lines(&self.body)
    }

    /// The lines of the note, without terminators. Text that would read as something else gets the smallest indent
    /// that prevents it: two blanks for further lines of a field, one for a line of the body.
    fn lines(&self, closes_frontmatter: bool) -> Vec<String> {
        let mut header = format!("@note {}", self.selector);
        if self.kind != Kind::Note {
            header += &format!(" kind={}", self.kind.as_str());
        }
        if let Some(risk) = self.risk {
            header += &format!(" risk={}", risk.as_str());
        }
        if let Some(confidence) = self.confidence.filter(|value| (0.0..=1.0).contains(value)) {
            header += &format!(" confidence={confidence}");
        }
        let mut lines = vec![header];
        push_field(&mut lines, "why", &self.why);
        for (name, values) in
            [("source", &self.sources), ("verify", &self.claims), ("todo", &self.todos), ("question", &self.questions)]
        {
            for value in values {
                push_field(&mut lines, name, value);
            }
        }
        let body = body_lines(&self.body, closes_frontmatter);
        if !body.is_empty() {
            lines.push(String::new());
            lines.extend(body);
        }
        lines
    }
}

/// The edit that adds `note` at the end of the part at `part`, behind its last line that is not blank (or is a blank
/// line of a hunk), one blank line in front of it.
///
/// # Panics
/// When there is no such part.
#[must_use]
pub fn append_note(document: &Document, part: usize, note: &NewNote) -> Edit {
    append_notes(document, part, std::slice::from_ref(note))
}

/// The edit that adds `notes` there, one behind the other as if each had been appended alone.
///
/// # Panics
/// When there is no such part.
#[must_use]
pub fn append_notes(document: &Document, part: usize, notes: &[NewNote]) -> Edit {
    let is_in_head = document.parts()[part].tree().file.is_none();
    let closes_frontmatter = is_in_head && has_open_frontmatter(&document.parts()[0]);
    let notes: Vec<Vec<String>> = notes.iter().map(|note| note.lines(closes_frontmatter)).collect();
    if notes.is_empty() { Edit::default() } else { append_lines(document, part, &notes.join(&String::new())) }
}

/// The edit that adds the note of these `lines` there.
fn append_lines(document: &Document, part: usize, lines: &[String]) -> Edit {
    let section = &document.parts()[part];
    let tree = section.tree();
    let newline = ending(document);
    let last = tree.blocks.iter().rfind(|block| !matches!(block, Block::Blank(_)));
    let at = last.map_or(0, |block| tree.span(*block).end as usize);
    let (before, behind) = section.text().split_at(at);
    let mut text = String::new();
    if last.is_some_and(|block| !matches!(block, Block::Bom(_))) {
        text += missing_terminator(before, newline);
        text += newline.as_str();
    }
    for line in lines {
        text += line;
        text += newline.as_str();
    }
    if behind.is_empty() && part + 1 < document.parts().len() {
        text += newline.as_str();
    }
    Edit::insert(document.offset_of(part) + at, text)
}

/// How the lines of `document` end. A single line that ends in CR gets its LF now, and that makes CRLF of it.
fn ending(document: &Document) -> Newline {
    let mut parts = document.parts().iter();
    let is_cut = parts.rfind(|part| !part.text().is_empty()).is_some_and(|part| part.text().ends_with(b"\r"));
    let is_one_line = document.parts().iter().all(|part| !part.text().contains(&b'\n'));
    if is_cut && is_one_line { Newline::CrLf } else { document.newline() }
}

/// What must follow `text` so that its last line is over.
pub(crate) fn missing_terminator(text: &[u8], newline: Newline) -> &'static str {
    match (text, newline) {
        ([.., b'\n'], _) => "",
        // The CR of an unfinished line is taken for the first half of a terminator already.
        ([.., b'\r'], Newline::CrLf) => "\n",
        _ => newline.as_str(),
    }
}

/// Whether `head` begins with a fence that nothing closes, so that a line in front of the first `@file` could.
fn has_open_frontmatter(head: &Section) -> bool {
    let is_open = !head.tree().blocks.iter().any(|block| matches!(block, Block::Frontmatter(_)));
    let text = head.text();
    let first = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text).split(|byte| *byte == b'\n').next();
    is_open && first.is_some_and(is_fence)
}

/// Push `name: value`; lines of the value behind the first become continuation lines, further in by what they are.
fn push_field(lines: &mut Vec<String>, name: &str, value: &str) {
    let mut parts = value.split('\n').filter(|line| !trimmed(line).is_empty());
    if let Some(first) = parts.next() {
        lines.push(format!("{name}: {}", trimmed(first)));
        lines.extend(parts.map(|line| format!("  {}", &line[..trim_end(line.as_bytes()).len()])));
    }
}

/// `line` without what the format takes for white space at its ends.
fn trimmed(line: &str) -> &str {
    let kept = trim(line.as_bytes());
    let start = line.len() - super::parse::directive::trim_start(line.as_bytes()).len();
    &line[start..start + kept.len()]
}

/// The lines of a body, without blank ones at its ends.
fn plain_body_lines(body: &str) -> Vec<String> {
    let mut lines: Vec<String> = body.split('\n').map(|line| line.trim_end_matches('\r').to_owned()).collect();
    let is_text = |line: &String| !is_blank(line.as_bytes());
    lines.truncate(lines.iter().rposition(is_text).map_or(0, |last| last + 1));
    lines.drain(..lines.iter().position(is_text).unwrap_or(0));
    lines
}

/// The same, each one such that it is read as body.
fn body_lines(body: &str, closes_frontmatter: bool) -> Vec<String> {
    let mut lines = plain_body_lines(body);
    for line in &mut lines {
        let bytes = line.as_bytes();
        if Directive::of(bytes).is_some() || (closes_frontmatter && is_fence(bytes)) {
            line.insert(0, ' ');
        }
    }
    if let Some(first) = lines.first_mut().filter(|first| FieldStart::parse(first.as_bytes()).is_some()) {
        first.insert(0, ' ');
    }
    // A line that stops being a field can open a code block, and so change what the lines below are.
    loop {
        let fields = field_lines(&lines);
        if fields.is_empty() {
            return lines;
        }
        for at in fields {
            lines[at].insert(0, ' ');
        }
    }
}

/// Which of the `lines` of a body would be read as fields.
fn field_lines(lines: &[String]) -> Vec<usize> {
    const OPENING: &str = "@note file\n.\n";
    let section = Section::file(OPENING.to_owned() + &lines.join("\n"), Newline::Lf);
    let Some(note) = section.tree().notes.first() else { return Vec::new() };
    let fields = note.lines[1..].iter().enumerate().filter(|(_, line)| line.kind == NoteLineKind::Field);
    fields.map(|(at, _)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn appended(text: &str, part: usize, note: &NewNote) -> String {
        let document = Document::parse(text.to_owned());
        String::from_utf8(append_note(&document, part, note).apply(text.as_bytes())).expect("the example is UTF-8")
    }

    fn short() -> NewNote {
        NewNote { why: "x".to_owned(), ..NewNote::new(Selector { side: super::super::Side::New, start: 2, end: 3 }) }
    }

    #[test]
    fn several_notes_go_where_each_would() {
        let notes = [
            short(),
            NewNote { body: "y\n\nz".to_owned(), ..NewNote::new(Selector::FILE) },
            NewNote { body: "---".to_owned(), ..short() },
        ];
        for text in [
            "",
            "@file a",
            "@file a\n\n\n",
            "@file a\r\n@file b\r\n",
            "---\nwhymark: 1\n",
            "x\n@file a\n@note file\n\n@file b",
        ] {
            let document = Document::parse(text.to_owned());
            for part in 0..document.parts().len() {
                for count in 0..=notes.len() {
                    let one_by_one =
                        notes[..count].iter().fold(text.to_owned(), |text, note| appended(&text, part, note));
                    let at_once = append_notes(&document, part, &notes[..count]).apply(text.as_bytes());
                    assert_eq!(String::from_utf8_lossy(&at_once), one_by_one, "{count} in part {part} of {text:?}");
                }
            }
        }
    }

    #[test]
    fn where_a_note_goes() {
        const NOTE: &str = "@note +2..3\nwhy: x\n";
        for (text, want) in [
            ("@file a", format!("@file a\n\n{NOTE}")),
            ("@file a\n\n\n", format!("@file a\n\n{NOTE}\n\n")),
            ("@file a\n@@ -1,2 +1,2 @@\n a\n\n", format!("@file a\n@@ -1,2 +1,2 @@\n a\n\n\n{NOTE}")),
            ("@file a\n@file b\n", format!("@file a\n\n{NOTE}\n@file b\n")),
            ("@file a\n\n@file b\n", format!("@file a\n\n{NOTE}\n@file b\n")),
            ("@file a\r\n\r\n@file b\r\n", format!("@file a\n\n{NOTE}\n@file b\n").replace('\n', "\r\n")),
        ] {
            assert_eq!(appended(text, 1, &short()), want, "{text:?}");
        }
        assert_eq!(appended("", 0, &short()), NOTE);
        assert_eq!(appended("\u{feff}@file a", 0, &short()), format!("\u{feff}{NOTE}\n@file a"));
        assert_eq!(appended("@file a\r", 1, &short()), "@file a\r\n\r\n@note +2..3\r\nwhy: x\r\n");
        assert_eq!(appended("@file a\r\nx\r", 1, &short()), "@file a\r\nx\r\n\r\n@note +2..3\r\nwhy: x\r\n");
    }

    #[test]
    fn everything_that_can_be_said() {
        let note = NewNote {
            kind: Kind::Risk,
            risk: Some(Risk::High),
            confidence: Some(0.25),
            why: "one\n\n @note two ".to_owned(),
            sources: vec!["file:a — b".to_owned(), " ".to_owned()],
            claims: vec!["none".to_owned()],
            todos: vec!["t".to_owned()],
            questions: vec!["q".to_owned()],
            body: "\nExample: a\nwhy: b\n\n@file c\n```\nid: 1\n```\n  d\r\n".to_owned(),
            ..NewNote::new(Selector::FILE)
        };
        let want = "@file a\n\n@note file kind=risk risk=high confidence=0.25\nwhy: one\n   @note two\nsource: file:a — b\n\
                    verify: none\ntodo: t\nquestion: q\n\n Example: a\n why: b\n\n @file c\n```\nid: 1\n```\n  d\n";
        assert_eq!(appended("@file a\n", 1, &note), want);
    }

    #[test]
    fn a_note_closes_no_frontmatter() {
        let note = NewNote { body: "---".to_owned(), ..NewNote::new(Selector::DOC) };
        assert_eq!(appended("---\ntitle: x\n", 0, &note), "---\ntitle: x\n\n@note doc\n\n ---\n");
        assert_eq!(appended("---\n@@ x\n", 1, &note), "---\n@@ x\n\n@note doc\n\n ---\n");
        assert_eq!(appended("---\n---\n", 0, &note), "---\n---\n\n@note doc\n\n---\n");
    }
}
