//! The text of a note as somebody writes it down or pipes it in: fields, and free text below them.

use super::edit::NewNote;
use super::parse::directive::Directive;
use super::{NoteLineKind, Section};
use crate::text::lines::Newline;

/// Take the fields of `text`, which stands for the lines below a `@note`, into `note`, and the rest as its free text.
///
/// # Errors
/// The name of a field that a new note has no place for.
pub fn read_note_text(text: &str, note: &mut NewNote) -> Result<(), &'static str> {
    const HEADER: &str = "@note file\n";
    // What would end the note is text that begins with a blank.
    let lines = text.split_inclusive('\n').map(|line| {
        let indent = if Directive::of(line.as_bytes()).is_some() { " " } else { "" };
        format!("{indent}{}", line.replace("\r\n", "\n"))
    });
    let section = Section::file(HEADER.to_owned() + &lines.collect::<String>(), Newline::Lf);
    let read = &section.tree().notes[0];
    let fields: Vec<_> = section.note_view(read).fields().collect();
    let mut body = String::new();
    let mut is_text = false;
    for line in &read.lines {
        let content = String::from_utf8_lossy(line.span.of(section.text()));
        let field = fields.iter().find(|field| field.line == line.span);
        match line.kind {
            NoteLineKind::Field => {
                let field = field.expect("a line of this kind begins a field");
                is_text = field.known.is_none();
                if let Some(name) = field.known {
                    push(note, name, String::from_utf8_lossy(&field.value).into_owned())?;
                    continue;
                }
            }
            NoteLineKind::Continuation if !is_text => continue,
            NoteLineKind::Continuation | NoteLineKind::Body | NoteLineKind::Blank => {}
        }
        body += &content;
    }
    let body = body.trim_matches('\n');
    if !body.trim().is_empty() {
        note.body = if note.body.is_empty() { body.to_owned() } else { format!("{}\n\n{body}", note.body) };
    }
    Ok(())
}

fn push(note: &mut NewNote, name: &'static str, value: String) -> Result<(), &'static str> {
    match name {
        "why" if note.why.is_empty() => note.why = value,
        "why" => note.why = format!("{}\n{value}", note.why),
        "source" => note.sources.push(value),
        "verify" => note.claims.push(value),
        "todo" => note.todos.push(value),
        "question" => note.questions.push(value),
        other => return Err(other),
    }
    Ok(())
}

/// What stands before the first blank line, and what stands behind it.
#[must_use]
pub fn first_paragraph(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim().is_empty() {
            return (&text[..at], &text[at + line.len()..]);
        }
        at += line.len();
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Selector;

    fn read(text: &str) -> Result<NewNote, &'static str> {
        let mut note = NewNote::new(Selector::FILE);
        read_note_text(text, &mut note).map(|()| note)
    }

    #[test]
    fn fields_and_text() {
        let note =
            read("why: a\n  b\r\nsource: x\nsource: y\nExample: no field\n  of ours\n@file z\nverify: none\n\nend\n")
                .expect("it can be said");
        assert_eq!(
            (note.why.as_str(), note.sources, note.claims),
            ("a b", vec!["x".into(), "y".into()], vec!["none".into()])
        );
        assert_eq!(note.body, "Example: no field\n  of ours\n @file z\n\nend");
        assert_eq!(read("just text").map(|note| note.body), Ok("just text".to_owned()));
        assert_eq!(read("").map(|note| note.body), Ok(String::new()));
    }

    #[test]
    fn what_has_no_place_is_named() {
        assert_eq!(read("why: a\nimpact: b\n"), Err("impact"));
        assert_eq!(read("```\nimpact: b\n```\n").map(|note| note.body), Ok("```\nimpact: b\n```".to_owned()));
    }
}
