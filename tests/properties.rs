//! The laws of documents, on every fixture cut off anywhere and on generated texts.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;
use whymark::diff::{NewLine, OldLine};
use whymark::document::check::{Located, fixed, review, structure};
use whymark::document::edit::{NewNote, append_note};
use whymark::document::{
    Document, Hunk, HunkLine, Kind, NoteRef, Presence, Risk, Section, Selector, Side, json, presence,
};
use whymark::metrics::{Mark, Marks};
use whymark::text::edit::{Edit, Splice};

use crate::conformance::reviews;

/// Lines of every kind, good and broken.
const LINES: [&str; 58] = [
    "",
    "",
    "",
    " ",
    "\t",
    "---",
    "--- ",
    " ---",
    "whymark: 1",
    "title: x: y",
    "title: `x`",
    "title: 2026",
    "scope: Staged",
    "@file c Added",
    "@note +1 kind=Risk",
    "# remark",
    "plain text",
    "@file a",
    "@file",
    "@file \"b c\" from=\"d e\" added",
    "@file b binary +1 -2 newmode=100755",
    "@files",
    "@@ -1,2 +1,3 @@ h",
    "@@ -1 +1 @@",
    "@@ -5,0 +6,2 @@",
    "@@ -0,0 +1,4 @@",
    "@@",
    "@@ h @@",
    "@@-3 +4 @@",
    "@@x",
    "@@ -1,9 +1,9 @@",
    "+added",
    "-removed",
    " context",
    "\\ No newline",
    "++",
    "--- a",
    "  ",
    "@Override",
    "@note +1",
    "@note+2..3 kind=intent id=a",
    "@note -1 id=a confidence=2",
    "@note",
    "@note file x=y",
    "@note doc",
    "@note 2 .. 9 risk=high",
    "why: because",
    "why:",
    "WHAT:x",
    "  more",
    "\tmore",
    "owner: me",
    "kind: risk",
    "id: a",
    "verify: cmd `x` => pass (y)",
    "source: file:a — b",
    "```",
    "~~~~ x",
];

fn text() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![30 => select(&LINES[..]).prop_map(str::to_owned), 1 => "\\PC{0,9}"];
    let end = prop_oneof![12 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\r")];
    let lines = vec((line, end), 0..40);
    let start =
        prop_oneof![4 => Just(""), 1 => Just("\u{feff}"), 1 => Just("\r\n"), 4 => Just("---\nwhymark: 1\n---\n")];
    (start, lines, any::<bool>()).prop_map(|(start, lines, ends)| {
        let mut text: String = lines.into_iter().map(|(line, end)| line + end).collect();
        if !ends {
            text.pop();
        }
        (start.to_owned() + &text).into_bytes()
    })
}

fn splices(len: usize) -> impl Strategy<Value = Edit> {
    let with =
        prop_oneof![select(&LINES[..]).prop_map(str::to_owned), Just("\n".to_owned()), Just("\n@file z\n".to_owned())];
    vec((0..=len, 0..=len, with), 0..4).prop_map(|cuts| {
        let mut at = 0;
        let mut splices = Vec::new();
        let mut cuts: Vec<_> = cuts.into_iter().map(|(a, b, with)| (a.min(b), a.max(b), with)).collect();
        cuts.sort_unstable();
        for (start, end, with) in cuts {
            if start >= at {
                splices.push(Splice { range: start..end, with: with.into_bytes() });
                at = end;
            }
        }
        Edit::new(splices)
    })
}

/// Joined in order, the parts are the text and the leaves of each are the part; and nothing that reads it panics.
fn lossless(text: &[u8]) {
    let document = Document::parse(text.to_vec());
    assert_eq!(document.to_bytes(), text);
    for part in document.parts() {
        let mut at = 0;
        for leaf in part.tree().leaves() {
            assert_eq!(leaf.range().start, at, "leaves touch");
            assert!(!leaf.is_empty(), "no leaf is empty");
            at = leaf.range().end;
        }
        assert_eq!(at, part.text().len(), "the leaves reach the end");
    }
    let found = structure(&document);
    let _ = review(&document);
    serde_json::to_vec(&json::show(&document, &found)).expect("a document is JSON");
}

/// Each mend that a finding carries removes it, and all of them together leave none.
fn mends(text: &[u8]) {
    let document = Document::parse(text.to_vec());
    let found = structure(&document);
    let count = |found: &[Located], code: &str| found.iter().filter(|found| found.diagnostic.code == code).count();
    for finding in found.iter().map(|found| &found.diagnostic) {
        if let Some(fix) = &finding.fix {
            let after = structure(&document.edited(fix));
            let shown = String::from_utf8_lossy(text);
            assert!(count(&after, finding.code) < count(&found, finding.code), "{finding:?} in {shown}");
        }
    }
    let (mended, count) = fixed(&document);
    assert!(structure(&mended).iter().all(|found| found.diagnostic.fix.is_none()), "a mend is left");
    assert!(count > 0 || mended.to_bytes() == text, "without a mend nothing changes");
}

/// Both documents are split and read alike.
fn same(left: &Document, right: &Document) {
    assert_eq!(left.newline(), right.newline());
    assert_eq!(left.parts().len(), right.parts().len());
    for (left, right) in left.parts().iter().zip(right.parts()) {
        assert_eq!(left.text(), right.text());
        assert_eq!(format!("{:?}", left.tree()), format!("{:?}", right.tree()));
    }
}

#[test]
fn fixtures_cut_off_anywhere_lose_nothing() {
    for (_, text) in reviews() {
        for end in 0..=text.len() {
            lossless(&text[..end]);
        }
        mends(&text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn generated_texts_lose_nothing(text in text()) {
        lossless(&text);
    }

    #[test]
    fn generated_texts_are_mended(text in text()) {
        mends(&text);
    }

    #[test]
    fn arbitrary_bytes_lose_nothing(text in vec(any::<u8>(), 0..300)) {
        lossless(&text);
    }

    #[test]
    fn an_edited_document_is_the_edited_text((text, edit) in text().prop_flat_map(|text| {
        let edit = splices(text.len());
        (Just(text), edit)
    })) {
        let before = Document::parse(text.clone());
        let _read = before.parts().iter().map(|part| part.tree().blocks.len()).sum::<usize>();
        let after = before.edited(&edit);
        same(&after, &Document::parse(edit.apply(&text)));
        let back = after.edited(&edit.inverse(&text));
        prop_assert_eq!(back.to_bytes(), text);
        same(&back, &before);
    }

    #[test]
    fn sections_that_fill_in_read_as_in_the_whole(text in text()) {
        let whole = Document::parse(text);
        let texts: Vec<_> = whole.parts().iter().map(|part| part.text().clone()).collect();
        let mut filled = Document::from_parts(texts[0].clone(), texts[1..].iter().map(|text| text.slice(..0)).collect());
        for (index, text) in texts.iter().enumerate().skip(1) {
            filled.replace(index, Arc::new(Section::file(text.clone(), whole.newline())));
        }
        if filled.newline() == whole.newline() {
            same(&filled, &whole);
        }
    }

    #[test]
    fn an_appended_note_reads_as_it_was_meant((text, part) in (text(), any::<prop::sample::Index>()), note in new_note()) {
        let document = Document::parse(text);
        let part = part.index(document.parts().len());
        let edit = append_note(&document, part, &note);
        let after = document.edited(&edit);
        prop_assert_eq!(edit.splices().len(), 1);
        prop_assert!(edit.splices()[0].range.is_empty());
        same(&after, &Document::parse(after.to_bytes()));
        prop_assert_eq!(after.parts().len(), document.parts().len());

        let at = NoteRef { part, note: document.parts()[part].tree().notes.len() };
        prop_assert_eq!(after.parts()[part].tree().notes.len(), at.note + 1);
        reads_as(&after, at, &note)?;
        prop_assert_eq!(without(&after, Some(at)), without(&document, None));
    }
}

/// The numbers that the hunks of `section` give to their lines of one side.
fn numbers(section: &Section, side: Side) -> Vec<u64> {
    let tree = section.tree();
    let number = |hunk: &Hunk, line: &HunkLine| match side {
        Side::Old => line.old_line(hunk).map(|line| line.0),
        _ => line.new_line(hunk).map(|line| line.0),
    };
    let lines =
        tree.hunks.iter().flat_map(|hunk| tree.hunk_lines(hunk).iter().filter_map(move |line| number(hunk, line)));
    lines.filter(|line| *line > 0).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn presence_is_what_counting_says(text in text(), start in 0..12u64, more in 0..12u64, is_new in any::<bool>()) {
        let side = if is_new { Side::New } else { Side::Old };
        let selector = Selector { side, start, end: start + more };
        for section in Document::parse(text).parts() {
            let held = numbers(section, side);
            let found = (start..=start + more).filter(|line| held.contains(line)).count() as u64;
            let want = match found {
                0 => Presence::None,
                found if found == more + 1 => Presence::All,
                _ => Presence::Some,
            };
            prop_assert_eq!(presence(section, selector), want);
        }
    }

    #[test]
    fn marks_are_what_counting_says(text in text()) {
        for section in Document::parse(text).parts() {
            let marks = Marks::of(section);
            for line in 0..14 {
                let about = |side| section.note_views().filter(move |view| {
                    let selector = view.note().selector;
                    selector.side == side && (selector.start..=selector.end).contains(&line)
                });
                let count = |side| (about(side).count(), about(side).any(|view| view.is_verified()));
                let counted = |mark: Option<Mark>| mark.map_or((0, false), |mark| (mark.notes as usize, mark.verified));
                prop_assert_eq!(counted(marks.new_line(NewLine(line))), count(Side::New));
                prop_assert_eq!(counted(marks.old_line(OldLine(line))), count(Side::Old));
            }
        }
    }
}

/// Texts as people type them, with everything that could be taken for something else.
fn typed() -> impl Strategy<Value = String> {
    let line = prop_oneof![4 => select(&LINES[..]).prop_map(str::to_owned), 1 => "\\PC{0,9}"];
    let end = select(&["\n", "\n", "\n\n", "\r\n"][..]);
    vec((line, end), 0..6).prop_map(|lines| lines.into_iter().map(|(line, end)| line + end).collect())
}

fn new_note() -> impl Strategy<Value = NewNote> {
    let selector = prop_oneof![
        Just(Selector::FILE),
        Just(Selector::DOC),
        (1..9u64, 0..9u64).prop_map(|(start, more)| Selector { side: Side::New, start, end: start + more }),
        (1..9u64, 0..9u64).prop_map(|(start, more)| Selector { side: Side::Old, start, end: start + more }),
    ];
    let kind = select(Kind::ALL);
    let risk = proptest::option::of(select(Risk::ALL));
    let confidence = proptest::option::of((0..=1000u32).prop_map(|parts| f64::from(parts) / 1000.0));
    let fields = (typed(), vec(typed(), 0..3), vec(typed(), 0..2), vec(typed(), 0..2), vec(typed(), 0..2));
    (selector, kind, risk, confidence, fields, typed()).prop_map(|(selector, kind, risk, confidence, fields, body)| {
        let (why, sources, claims, todos, questions) = fields;
        NewNote { selector, kind, risk, confidence, why, sources, claims, todos, questions, body }
    })
}

const SPACE: &[char] = &[' ', '\t', '\r', '\u{b}', '\u{c}'];

/// A field's value: its lines, trimmed, joined with one blank.
fn joined(value: &str) -> Option<String> {
    let lines: Vec<&str> =
        value.split('\n').map(|line| line.trim_matches(SPACE)).filter(|line| !line.is_empty()).collect();
    (!lines.is_empty()).then(|| lines.join(" "))
}

fn all_joined(values: &[String]) -> Vec<String> {
    values.iter().filter_map(|value| joined(value)).collect()
}

/// A body's lines that say something, without the indent that protects them.
fn spoken(body: &str) -> Vec<&str> {
    body.split('\n').map(|line| line.trim_matches(SPACE)).filter(|line| !line.is_empty()).collect()
}

fn reads_as(document: &Document, at: NoteRef, note: &NewNote) -> Result<(), TestCaseError> {
    let section = &document.parts()[at.part];
    let read = section.note_view(&section.tree().notes[at.note]);
    prop_assert_eq!(read.note().selector, note.selector);
    prop_assert_eq!((read.kind(), read.risk(), read.confidence()), (note.kind, note.risk, note.confidence));
    prop_assert_eq!(read.why().map(std::borrow::Cow::into_owned), joined(&note.why));
    let owned =
        |texts: Vec<std::borrow::Cow<'_, str>>| -> Vec<String> { texts.iter().map(ToString::to_string).collect() };
    prop_assert_eq!(owned(read.todos()), all_joined(&note.todos));
    prop_assert_eq!(owned(read.questions()), all_joined(&note.questions));
    let raw: Vec<String> = read.sources().into_iter().map(|source| source.raw).collect();
    prop_assert_eq!(raw, trimmed(&note.sources));
    let raw: Vec<String> = read.claims().into_iter().map(|claim| claim.raw).collect();
    prop_assert_eq!(raw, trimmed(&note.claims));
    let body = read.body();
    prop_assert_eq!(spoken(&body), spoken(&note.body));
    prop_assert!(read.extra().is_empty());
    Ok(())
}

fn trimmed(values: &[String]) -> Vec<String> {
    all_joined(values).iter().map(|value| value.trim().to_owned()).collect()
}

/// The document as JSON without one note, and without what moves when a note comes in.
fn without(document: &Document, note: Option<NoteRef>) -> Value {
    let mut shown = serde_json::to_value(json::show(document, &[])).expect("a document is JSON");
    if let Some(at) = note {
        let source = document.note_id(at);
        let is_it = |note: &Value| note["id"] == source.as_str();
        let drop = |notes: &mut Value| notes.as_array_mut().expect("a list").retain(|note| !is_it(note));
        drop(&mut shown["notes"]);
        shown["files"].as_array_mut().expect("a list").iter_mut().for_each(|file| drop(&mut file["notes"]));
    }
    strip(&mut shown);
    shown
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.remove("id");
            map.remove("sourceLine");
            map.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}
