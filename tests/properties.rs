//! The laws of documents, on every fixture cut off anywhere and on generated texts.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use whymark::diff::{NewLine, OldLine};
use whymark::document::edit::{
    NewNote, Outcome, add_claim, amend_note, append_note, delete_note, replace_claim, set_check_outcome, set_field,
    set_review,
};
use whymark::document::{
    ClaimStatus, Document, Hunk, HunkLine, Kind, NoteRef, Presence, Review, ReviewStatus, Risk, Section, Selector,
    Side, presence,
};
use whymark::metrics::{Mark, Marks};
use whymark::text::edit::{Edit, Splice};
use whymark::tui::history::Reversal;

use crate::conformance::reviews;
use crate::support::key_laws;
use crate::support::laws::{appended, deleted, edited, lossless, mended, note_edited, printed, same, verified};

/// Lines of every kind, good and broken.
const LINES: [&str; 76] = [
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
    "   ```",
    "\t```",
    "      ```",
    "  indented",
    "@check cmd `x` => pass ",
    "@note +1  urgency=info  risk=low",
    "@note kind=perf +2 urgency=\"asap\" word x=\"a  b\"",
    "@note +1.. urgency=info 5",
    "@note -1 x=\" kind=y\\\" ",
    "@file a  x  from=\"d  e\" +1  modified ",
    "@file \"a\"b\"  c=d\" added",
    "alternative:x",
    "urgency: normal",
    "urgency:soon  ",
    "why: a long reason that goes on and on, `with code in it that is kept` and \"quotes\", beyond any column",
    "      a  further line that goes on and on, ``` with a fence in it, and on, beyond any column there is",
    "id: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbb",
    "# why: x",
];

pub(crate) fn text() -> impl Strategy<Value = Vec<u8>> {
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

/// A line of a note: more of them, and more often long ones, than among all lines.
fn note_line() -> impl Strategy<Value = String> {
    let name =
        select(&["", "why", "WHAT", "alternative", "todo", "owner", "kind", "risk", "id", "source", "verify"][..]);
    let lead = select(&["", "", "  ", "    ", "\t", " ", "```", "~~~"][..]);
    let space = select(&["", " ", "  ", "\t"][..]);
    let word =
        select(&["a", "high", "``", "`", "\"", "```", "~~~~", "(x)", "=>", "thirty-columns-of-one-single-word"][..]);
    let words =
        vec((word, space.clone()), 0..12).prop_map(|words| words.into_iter().flat_map(|(a, b)| [a, b]).collect());
    let end = prop_oneof![12 => Just("\n"), 1 => Just(" \n"), 1 => Just("\r\n"), 2 => Just("\n\n")];
    (lead, name, space, words, end).prop_map(|(lead, name, space, words, end): (_, &str, _, String, _)| {
        let colon = if name.is_empty() { "" } else { ":" };
        format!("{lead}{name}{colon}{space}{words}{end}")
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

#[test]
fn fixtures_cut_off_anywhere_lose_nothing() {
    for (_, text) in reviews() {
        for end in 0..=text.len() {
            lossless(&text[..end]);
            printed(&text[..end]);
        }
        mended(&text);
    }
}

#[test]
fn outcomes_change_the_claims_and_checks_of_fixtures_only() {
    for (_, text) in reviews() {
        for text in [text.clone(), String::from_utf8_lossy(&text).replace('\n', "\r\n").into_bytes()] {
            for output in ["", "a => pass (b)", "`x` \"error: é)\u{1b}[31m\r\nlast", "# : - {a, b}\n@file x"] {
                verified(&Document::parse(text.clone()), output);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_changed_note_changes_nothing_else(text in text(), line in note_line()) {
        let document = Document::parse(text.clone());
        for (part, section) in document.parts().iter().enumerate() {
            for (note, view) in section.note_views().enumerate() {
                let before = NewNote::of(view);
                let mut wanted = before.clone();
                wanted.why = format!("because {line}");
                wanted.sources.push("inference".to_owned());
                wanted.body += "\n\nMore.";
                let Ok(edit) = amend_note(&document, NoteRef { part, note }, &before, &wanted) else { continue };
                let span = view.note().span.range();
                let (start, end) = (document.offset_of(part) + span.start, document.offset_of(part) + span.end);
                let after = edit.apply(&text);
                prop_assert!(after.starts_with(&text[..start]) && after.ends_with(&text[end..]));
                prop_assert_eq!(edit.inverse(&text).apply(&after), &text[..]);
                let untouched = amend_note(&document, NoteRef { part, note }, &before, &before);
                prop_assert_eq!(untouched, Ok(Edit::default()));
            }
        }
    }

    #[test]
    fn what_is_taken_back_leaves_what_others_wrote(text in text(), mine in any::<prop::sample::Index>(), theirs in any::<prop::sample::Index>()) {
        let document = Document::parse(text.clone());
        let count = document.parts().len();
        let (mine, theirs) = (mine.index(count), theirs.index(count));
        let note = |why: &str| NewNote { why: why.to_owned(), ..NewNote::new(Selector::FILE) };
        let edit = append_note(&document, mine, &note("mine"));
        let left = document.edited(&edit);
        let reversal = Reversal::of_review(&text, &edit, left.clone());
        let back = reversal.in_review(&left).map(|back| back.apply(&left.to_bytes()));
        prop_assert_eq!(back, Some(text.clone()));
        if left.parts().len() != count {
            return Ok(());
        }
        let current = left.edited(&append_note(&left, theirs, &note("theirs")));
        if let Some(back) = reversal.in_review(&current) {
            let after = String::from_utf8_lossy(&back.apply(&current.to_bytes())).into_owned();
            prop_assert!(after.contains("why: theirs") && !after.contains("why: mine"));
            let other = document.edited(&append_note(&document, theirs, &note("theirs"))).to_bytes();
            if mine != theirs && text.ends_with(b"\n") {
                prop_assert_eq!(after, String::from_utf8_lossy(&other));
            }
        }
    }

    #[test]
    fn generated_texts_lose_nothing(text in text()) {
        lossless(&text);
    }

    #[test]
    fn outcomes_change_claims_and_checks_only(
        text in text(),
        claims in vec(("[`a-c\"(=> )]{0,12}", select(&["", " => pass", " -> fail (x)", "\n  => ok", " (pass)"][..])), 0..6),
        output in typed(),
    ) {
        let mut text = text;
        for (claim, status) in claims {
            text.extend(format!("\nverify: cmd {claim}{status}\n@check cmd {claim}{}", status.replace('\n', "")).bytes());
        }
        verified(&Document::parse(text), &output);
    }

    #[test]
    fn generated_texts_are_mended(text in text()) {
        mended(&text);
    }

    #[test]
    fn bytes_are_the_same_keys_however_they_are_cut(
        pieces in vec(prop_oneof![
            select(&["\x1b", "[", "O", "M", "<", ";", ":", "~", "u", "A", "\x1b[", "\x1b[200~", "\x1b[201~", "1", "é", "\x1b]", "\x1bP", "\x1b_G", "]52;", "\x07", "\\"][..])
                .prop_map(|piece| piece.as_bytes().to_vec()),
            vec(any::<u8>(), 1..4),
            Just(b"1;".repeat(20)),
        ], 0..24),
    ) {
        key_laws::hold(&pieces.concat());
    }

    #[test]
    fn arbitrary_bytes_lose_nothing(text in vec(any::<u8>(), 0..300)) {
        lossless(&text);
        printed(&text);
    }

    #[test]
    fn the_canonical_form_means_the_same(text in text()) {
        printed(&text);
    }

    #[test]
    fn the_canonical_form_of_a_note_means_the_same(lines in vec(note_line(), 0..30)) {
        let text = "@file a\n@note +1 kind=risk\n".to_owned() + &lines.concat();
        printed(text.as_bytes());
    }

    #[test]
    fn an_edited_document_is_the_edited_text((text, edit) in text().prop_flat_map(|text| {
        let edit = splices(text.len());
        (Just(text), edit)
    })) {
        let before = Document::parse(text);
        let _read = before.parts().iter().map(|part| part.tree().blocks.len()).sum::<usize>();
        edited(&before, &edit);
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
        appended(&document, part, &note);
    }
}

/// Every note of `document`.
fn notes(document: &Document) -> Vec<NoteRef> {
    let parts = document.parts().iter().enumerate();
    parts.flat_map(|(part, section)| (0..section.tree().notes.len()).map(move |note| NoteRef { part, note })).collect()
}

const FIELDS: [&str; 8] = ["why", "what", "impact", "kind", "risk", "urgency", "confidence", "id"];

/// Lines of a frontmatter, good and broken.
const YAML: [&str; 28] = [
    "title: x",
    "title: a: b",
    "# remark",
    "",
    "tags: [a, b]",
    "checks:",
    "checks: # c",
    "checks: [make, {cmd: a, status: pass}, 'b c']",
    "- cmd: make",
    "  - cmd: 'a: b' # c",
    "    status: pass",
    "    status: # c",
    "    detail: |",
    "      more",
    "    ran: 2026-09-15",
    "  - npm test",
    "  - \"x\"",
    "  - {cmd: x, status: , detail: y}",
    "review:",
    "review: approved",
    "review: {}",
    "review: {status: pending, by: \"me\"} # c",
    "  status: pending",
    "  \"by\" : me",
    "  at: >-",
    "  at: &a x",
    "x: *a",
    "\tx: 1",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_edited_note_changes_alone(
        text in text(), note in any::<prop::sample::Index>(), name in select(&FIELDS[..]), value in prop_oneof![typed(), "[a-z0-9.]{0,4}", Just("risk".to_owned())],
    ) {
        let document = Document::parse(text);
        let notes = notes(&document);
        if notes.is_empty() {
            return Ok(());
        }
        let at = *note.get(&notes);
        let edits = [
            set_field(&document, at, name, &value),
            add_claim(&document, at, &value),
            replace_claim(&document, at, 0, &value),
        ];
        for edit in edits.into_iter().flatten() {
            note_edited(&document, at, &edit);
        }
        if let Ok(edit) = delete_note(&document, at) {
            deleted(&document, at, &edit);
        }
    }

    #[test]
    fn a_decision_changes_alone(
        lines in vec(select(&YAML[..]), 0..9), ends in select(&["\n", "\r\n"][..]), texts in (typed(), typed()), index in 0..4usize,
    ) {
        let inner: String = lines.into_iter().map(|line| line.to_owned() + ends).collect();
        let document = Document::parse(format!("---{ends}whymark: 1{ends}{inner}---{ends}@check cmd `x` => pass{ends}@file a{ends}"));
        let (by, detail) = texts;
        let review = Review { status: ReviewStatus::Approved, by: Some(by), at: Some("2026-09-15T13:00:00Z".to_owned()) };
        if let Ok(edit) = set_review(&document, &review) {
            edited(&document, &edit);
        }
        let outcome = Outcome { status: ClaimStatus::Fail, detail: Some(detail), ran: Some("2026-09-15T13:00:00Z".to_owned()) };
        if let Ok(edit) = set_check_outcome(&document, index, &outcome) {
            let (before, after) = (document.checks(), edited(&document, &edit).checks());
            prop_assert_eq!(before.len(), after.len());
            for (at, (before, after)) in before.iter().zip(&after).enumerate() {
                prop_assert_eq!(at == index || before == after, true);
                prop_assert_eq!(&before.cmd, &after.cmd);
            }
            prop_assert_eq!(after[index].status, ClaimStatus::Fail);
        }
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
                let count = |side| (about(side).count(), about(side).any(|view| view.facts().is_verified));
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
