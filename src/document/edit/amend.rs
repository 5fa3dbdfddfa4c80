//! A note that says something else than before: only the lines that say it change.

use super::field::{Target, field_lines, joined};
use super::{EditError, NewNote, body_lines, ending, has_open_frontmatter, missing_terminator, set_field};
use crate::document::{Document, NoteLine, NoteLineKind, NoteRef, NoteView, Selector};
use crate::text::edit::{Edit, Splice};

impl NewNote {
    /// What `note` says, as far as a new note has a place for it.
    #[must_use]
    pub fn of(note: NoteView<'_>) -> Self {
        let texts = |texts: Vec<std::borrow::Cow<'_, str>>| texts.into_iter().map(Into::into).collect();
        Self {
            selector: note.note().selector,
            kind: note.kind(),
            risk: note.risk(),
            confidence: note.confidence(),
            why: note.why().unwrap_or_default().into_owned(),
            sources: note.sources().into_iter().map(|source| source.raw).collect(),
            claims: note.claims().into_iter().map(|claim| claim.raw).collect(),
            todos: texts(note.todos()),
            questions: texts(note.questions()),
            body: note.body(),
        }
    }
}

/// The edit that makes the note say what `wanted` says, where that is not what `before` says: what a reader has made of the
/// note. What is not changed stays, byte for byte, and so does everything that [`NewNote`] has no place for.
///
/// # Errors
/// When a value does not fit, or what stands around it allows no such change.
///
/// # Panics
/// When there is no such note.
pub fn amend_note(document: &Document, at: NoteRef, before: &NewNote, wanted: &NewNote) -> Result<Edit, EditError> {
    let mut after = document.clone();
    let mut all = Edit::default();
    let mut step = |is_said: bool, change: &dyn Fn(&Document) -> Result<Edit, EditError>| {
        if !is_said {
            let edit = change(&after)?;
            after = after.edited(&edit);
            all = all.then(&edit);
        }
        Ok(())
    };
    let field = |name: &'static str, value: String| move |document: &Document| set_field(document, at, name, &value);
    step(before.selector == wanted.selector, &|document| set_selector(document, at, wanted.selector))?;
    step(before.kind == wanted.kind, &field("kind", wanted.kind.as_str().to_owned()))?;
    let risk = wanted.risk.map_or(String::new(), |risk| risk.as_str().to_owned());
    step(before.risk == wanted.risk, &field("risk", risk))?;
    let confidence = wanted.confidence.map_or(String::new(), |value| value.to_string());
    step(before.confidence == wanted.confidence, &field("confidence", confidence))?;
    step(joined(&before.why) == joined(&wanted.why), &field("why", wanted.why.clone()))?;
    for (name, before, wanted) in [
        ("source", &before.sources, &wanted.sources),
        ("verify", &before.claims, &wanted.claims),
        ("todo", &before.todos, &wanted.todos),
        ("question", &before.questions, &wanted.questions),
    ] {
        step(before == wanted, &|document| set_values(document, at, name, before, wanted))?;
    }
    step(before.body == wanted.body, &|document| set_text(document, at, &wanted.body))?;
    Ok(all)
}

/// The edit that makes the note be about `selector`.
fn set_selector(document: &Document, at: NoteRef, selector: Selector) -> Result<Edit, EditError> {
    let target = Target::new(document, at);
    let behind = target.note.header.start as usize + "@note".len();
    let (range, lead) = match target.view().header_tokens().selector {
        Some(span) => (span.range(), ""),
        None => (behind..behind, " "),
    };
    let with = format!("{lead}{selector}").into_bytes();
    let edit = target.edit(vec![Splice { range, with }]);
    target.checked(edit, "selector", |view| view.note().selector == selector)
}

/// The edit that makes `values` those of the field `name`, which may have several, and of which somebody has read
/// `before`. Those that stay are not touched.
fn set_values(
    document: &Document,
    at: NoteRef,
    name: &'static str,
    before: &[String],
    values: &[String],
) -> Result<Edit, EditError> {
    let target = Target::new(document, at);
    let fields: Vec<_> =
        target.view().fields().filter(|field| field.known == Some(name) && !field.value.is_empty()).collect();
    let known: Vec<String> = fields.iter().map(|field| String::from_utf8_lossy(&field.value).into_owned()).collect();
    let as_known = |value: &String| {
        let read = before.iter().position(|other| other == value).filter(|_| before.len() == known.len());
        read.map_or_else(|| joined(value.trim()), |at| Some(known[at].clone()))
    };
    let wanted: Vec<String> = values.iter().filter_map(as_known).collect();
    let above = known.iter().zip(&wanted).take_while(|(known, wanted)| known == wanted).count();
    let (old, new) = (&known[above..], &wanted[above..]);
    let below = old.iter().rev().zip(new.iter().rev()).take_while(|(known, wanted)| known == wanted).count();
    let (old, new) = (&fields[above..fields.len() - below], &new[..new.len() - below]);
    let mut splices: Vec<Splice> =
        old.iter().zip(new).map(|(field, value)| target.replaced(field.line, &field_lines(name, value))).collect();
    splices.extend(old.iter().skip(new.len()).map(|field| target.removed(field.line)));
    let added: Vec<String> = new.iter().skip(old.len()).flat_map(|value| field_lines(name, value)).collect();
    let edit = if added.is_empty() {
        target.edit(splices)
    } else if let Some(last) = fields[..fields.len() - below].last() {
        let end = target.note.lines[target.lines_of(last.line).end - 1].span.end as usize;
        splices.push(Splice { range: end..end, with: lines_at(&target, end, &added) });
        target.edit(splices)
    } else if let Some(next) = fields.first() {
        let start = next.line.start as usize;
        splices.push(Splice { range: start..start, with: lines_at(&target, start, &added) });
        target.edit(splices)
    } else {
        target.insertion(name, &added)
    };
    let is_set = |view: NoteView<'_>| {
        let fields = view.fields().filter(|field| field.known == Some(name) && !field.value.is_empty());
        fields.map(|field| String::from_utf8_lossy(&field.value).into_owned()).eq(wanted.iter().cloned())
    };
    target.checked(edit, name, is_set)
}

/// `lines` as they stand at `at`, each of them ended.
fn lines_at(target: &Target<'_>, at: usize, lines: &[String]) -> Vec<u8> {
    let eol = ending(target.document);
    let mut text = missing_terminator(&target.section.text()[..at], eol).to_owned();
    lines.iter().for_each(|line| text += &(line.clone() + eol.as_str()));
    text.into_bytes()
}

/// The edit that makes `text` the free text of the note, which must stand in one place.
fn set_text(document: &Document, at: NoteRef, text: &str) -> Result<Edit, EditError> {
    let target = Target::new(document, at);
    let closes_frontmatter = target.section.tree().file.is_none() && has_open_frontmatter(&document.parts()[0]);
    let new = body_lines(text, closes_frontmatter);
    let lines = &target.note.lines;
    let is_body = |line: &NoteLine| line.kind == NoteLineKind::Body;
    let splice = match lines.iter().position(is_body).zip(lines.iter().rposition(is_body)) {
        Some((first, last)) => {
            let is_text = |line: &NoteLine| matches!(line.kind, NoteLineKind::Body | NoteLineKind::Blank);
            if !lines[first..=last].iter().all(is_text) {
                return Err(EditError::Entangled("text".to_owned()));
            }
            let blank = lines[..first].iter().rev().take_while(|line| line.kind == NoteLineKind::Blank).count();
            let first = if new.is_empty() { first - blank } else { first };
            let (start, end) = (lines[first].span.start as usize, lines[last].span.end as usize);
            let old = &target.section.text()[start..end];
            let len = if new.is_empty() { old.len() } else { target.section.newline().content(old).len() };
            Splice { range: start..start + len, with: new.join(ending(document).as_str()).into() }
        }
        None if new.is_empty() => return Ok(Edit::default()),
        None => {
            let end = target.note.span.end as usize;
            let with: Vec<String> = std::iter::once(String::new()).chain(new.iter().cloned()).collect();
            Splice { range: end..end, with: lines_at(&target, end, &with) }
        }
    };
    let edit = target.edit(vec![splice]);
    let trimmed = |text: &str| text.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
    let wanted = trimmed(&new.join("\n"));
    target.checked(edit, "text", |view| trimmed(&view.body()) == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Kind, Risk, Side};

    const AT: NoteRef = NoteRef { part: 1, note: 0 };

    /// The note after `change` of what it says.
    fn amended(note: &str, change: impl FnOnce(&mut NewNote)) -> Result<String, EditError> {
        let (front, back) = ("@file a\n@@ -1 +1,2 @@\n a\n+b\n\n", "\n\n@note file\nwhy: other\n");
        let text = format!("{front}{note}{back}");
        let document = Document::parse(text.clone());
        let section = &document.parts()[1];
        let before = NewNote::of(section.note_view(&section.tree().notes[0]));
        let mut wanted = before.clone();
        change(&mut wanted);
        let edit = amend_note(&document, AT, &before, &wanted)?;
        let after = edit.apply(text.as_bytes());
        assert_eq!(edit.inverse(text.as_bytes()).apply(&after), text.as_bytes(), "{note:?}");
        let after = String::from_utf8(after).expect("the example is UTF-8");
        let inner = after.strip_prefix(front).and_then(|after| after.strip_suffix(back));
        Ok(inner.unwrap_or_else(|| panic!("other lines have changed: {after}")).to_owned())
    }

    #[test]
    fn what_stays_is_not_touched() {
        const NOTE: &str = "@note  +2  kind=risk odd=1 confidence=.83\nWhy:  a long\n   reason\nx-ticket: 7\n\
                            source: file:a  —  b\nverify: type\ntodo: t\nimpact: i\n\n Text\n\n  more";
        assert_eq!(amended(NOTE, |_| {}).as_deref(), Ok(NOTE));
        let with = |old: &str, new: &str| NOTE.replace(old, new);
        type Change = fn(&mut NewNote);
        let changes: [(Change, String); 11] = [
            (|note| note.selector = Selector { side: Side::New, start: 1, end: 2 }, with("+2", "+1..2")),
            (|note| note.kind = Kind::Test, with("kind=risk", "kind=test")),
            (|note| note.risk = Some(Risk::High), with("=.83", "=.83 risk=high")),
            (|note| note.confidence = None, with(" confidence=.83", "")),
            (|note| note.why = "b\nc".into(), with("Why:  a long\n   reason", "why: b\n  c")),
            (|note| note.why = "a\n long reason".into(), NOTE.to_owned()),
            (|note| note.sources.push("inference".into()), with("  —  b\n", "  —  b\nsource: inference\n")),
            (|note| note.sources.insert(0, "inference".into()), with("source: f", "source: inference\nsource: f")),
            (|note| note.todos.clear(), with("todo: t\n", "")),
            (
                |note| note.questions = vec!["q".into(), "r".into()],
                with("impact: i\n", "impact: i\nquestion: q\nquestion: r\n"),
            ),
            (|note| note.body = "New".into(), with(" Text\n\n  more", "New")),
        ];
        for (number, (change, want)) in changes.into_iter().enumerate() {
            assert_eq!(amended(NOTE, change), Ok(want), "change {number}");
        }
    }

    #[test]
    fn text_comes_and_goes() {
        let text = |body: &'static str| move |note: &mut NewNote| note.body = body.to_owned();
        assert_eq!(amended("@note +2\nwhy: a", text("why: b\n\nc")).as_deref(), Ok("@note +2\nwhy: a\n\n why: b\n\nc"));
        assert_eq!(amended("@note +2\nwhy: a\n\nb\n\nc", text("")).as_deref(), Ok("@note +2\nwhy: a"));
        assert_eq!(amended("@note +2\nb\nwhy: a\nc", text("d")), Err(EditError::Entangled("text".into())));
    }

    #[test]
    fn several_values() {
        let claims = |claims: &'static [&'static str]| {
            move |note: &mut NewNote| note.claims = claims.iter().map(|claim| (*claim).to_owned()).collect()
        };
        const NOTE: &str = "@note +2\nverify: a\nwhy: x\nverify: b\n  b\nverify: c";
        for (wanted, want) in [
            (&["a", "b b", "c"][..], NOTE.to_owned()),
            (&["a", "d", "c"], NOTE.replace("b\n  b", "d")),
            (&["a", "c"], NOTE.replace("verify: b\n  b\n", "")),
            (&["b b", "c"], NOTE.replace("verify: a\n", "")),
            (&["a", "d", "e", "c"], NOTE.replace("b\n  b", "d\nverify: e")),
            (&["a", "b b", "c", "d"], NOTE.to_owned() + "\nverify: d"),
            (&[], "@note +2\nwhy: x".to_owned()),
        ] {
            assert_eq!(amended(NOTE, claims(wanted)), Ok(want), "{wanted:?}");
        }
    }
}
