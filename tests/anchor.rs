//! The law of notes that follow the code, on generated histories: files with repeated lines are edited, renamed, committed
//! and reverted, and after each step the review is carried to the next diff.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};

use bstr::ByteSlice as _;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use whymark::anchor::{Fate, carry};
use whymark::document::edit::{EditError, NewNote, append_note};
use whymark::document::{Block, Document, HunkLine, HunkLineKind, NoteView, Section, Selector, Side};
use whymark::text::edit::Edit;
use whymark::text::lines::Newline;

use crate::properties::text;
use crate::support::laws::edited;

/// Few, so that most of them are somewhere else, too; some look like what they are not.
const LINES: [&str; 14] = [
    "}",
    "}",
    "",
    "",
    "x",
    "return 1;",
    "return 2;",
    "fn a() {",
    "fn b() {",
    "fn c() {",
    "# remark",
    "@note +1",
    "-- x",
    "\té",
];

/// A file of the repository, as it is committed and as it is now.
#[derive(Debug, Clone)]
struct File {
    old_path: String,
    path: String,
    /// `None`: it is not there.
    old: Option<Vec<&'static str>>,
    new: Option<Vec<&'static str>>,
}

/// What somebody does to a file.
#[derive(Debug, Clone)]
enum Step {
    Insert(Index, Vec<&'static str>),
    Delete(Index, usize),
    Replace(Index, Vec<&'static str>),
    Copy(Index, Index, usize),
    Move(Index, Index, usize),
    MoveToOther(Index, usize),
    Commit,
    Revert,
    Rename(usize),
    Remove,
    Restore(Vec<&'static str>),
}

fn lines(range: std::ops::Range<usize>) -> impl Strategy<Value = Vec<&'static str>> {
    vec(select(&LINES[..]), range)
}

fn step() -> impl Strategy<Value = Step> {
    let at = any::<Index>;
    prop_oneof![
        4 => (at(), lines(1..4)).prop_map(|(at, lines)| Step::Insert(at, lines)),
        3 => (at(), 1..4usize).prop_map(|(at, count)| Step::Delete(at, count)),
        3 => (at(), lines(1..3)).prop_map(|(at, lines)| Step::Replace(at, lines)),
        2 => (at(), at(), 1..6usize).prop_map(|(from, to, count)| Step::Copy(from, to, count)),
        3 => (at(), at(), 1..6usize).prop_map(|(from, to, count)| Step::Move(from, to, count)),
        1 => (at(), 1..5usize).prop_map(|(at, count)| Step::MoveToOther(at, count)),
        2 => Just(Step::Commit),
        1 => Just(Step::Revert),
        1 => (0..3usize).prop_map(Step::Rename),
        1 => Just(Step::Remove),
        1 => lines(0..12).prop_map(Step::Restore),
    ]
}

/// Do `step` to the file at `at`.
fn take(step: &Step, files: &mut [File], at: usize) {
    let other = (at + 1) % files.len();
    let mut moved = Vec::new();
    let file = &mut files[at];
    let block = |lines: &mut Vec<&'static str>, from: &Index, count: usize| -> Vec<&'static str> {
        let start = from.index(lines.len() + 1);
        lines.drain(start..(start + count).min(lines.len())).collect()
    };
    match (step, &mut file.new) {
        (Step::Insert(at, new), Some(lines)) => drop(lines.splice(
            {
                let at = at.index(lines.len() + 1);
                at..at
            },
            new.clone(),
        )),
        (Step::Delete(at, count), Some(lines)) => drop(block(lines, at, *count)),
        (Step::Replace(at, new), Some(lines)) => {
            let start = at.index(lines.len() + 1);
            let end = (start + 1).min(lines.len());
            lines.splice(start..end, new.clone());
        }
        (Step::Copy(from, to, count), Some(lines)) => {
            let copied = block(&mut lines.clone(), from, *count);
            let at = to.index(lines.len() + 1);
            lines.splice(at..at, copied);
        }
        (Step::Move(from, to, count), Some(lines)) => {
            let taken = block(lines, from, *count);
            let at = to.index(lines.len() + 1);
            lines.splice(at..at, taken);
        }
        (Step::MoveToOther(from, count), Some(lines)) => moved = block(lines, from, *count),
        (Step::Commit, _) => {
            file.old = file.new.clone();
            file.old_path = file.path.clone();
        }
        (Step::Revert, _) => {
            file.new = file.old.clone();
            file.path = file.old_path.clone();
        }
        (Step::Rename(name), Some(_)) if file.old.is_some() => file.path = format!("{at}-{name}.rs"),
        (Step::Remove, _) => {
            file.new = None;
            file.path = file.old_path.clone();
        }
        (Step::Restore(lines), None) => file.new = Some(lines.clone()),
        _ => {}
    }
    if let Some(lines) = &mut files[other].new {
        lines.extend(moved);
    }
}

/// The lines of a diff, with ` `, `-` or `+` in front: longest common subsequence.
fn compare(old: &[&str], new: &[&str]) -> Vec<(char, String)> {
    let mut longest = vec![vec![0usize; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            longest[i][j] =
                if old[i] == new[j] { longest[i + 1][j + 1] + 1 } else { longest[i + 1][j].max(longest[i][j + 1]) };
        }
    }
    let (mut i, mut j, mut out) = (0, 0, Vec::new());
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            out.push((' ', old[i].to_owned()));
            (i, j) = (i + 1, j + 1);
        } else if i < old.len() && (j == new.len() || longest[i + 1][j] >= longest[i][j + 1]) {
            out.push(('-', old[i].to_owned()));
            i += 1;
        } else {
            out.push(('+', new[j].to_owned()));
            j += 1;
        }
    }
    out
}

/// The hunks of a diff with so many lines of context.
fn hunks(diff: &[(char, String)], context: usize) -> String {
    let is_near = |at: usize| {
        let around = at.saturating_sub(context)..(at + context + 1).min(diff.len());
        diff[around].iter().any(|(sign, _)| *sign != ' ')
    };
    let (mut old, mut new, mut at, mut out) = (0, 0, 0, String::new());
    while at < diff.len() {
        let run = (at..diff.len()).take_while(|at| is_near(*at)).count();
        let counts = |lines: &[(char, String)]| {
            let count = |other: char| lines.iter().filter(|(sign, _)| *sign != other).count();
            (count('+'), count('-'))
        };
        let taken = &diff[at..at + run.max(1)];
        let (olds, news) = counts(taken);
        if run > 0 {
            let start = |before: usize, count: usize| if count == 0 { before } else { before + 1 };
            out += &format!("@@ -{},{olds} +{},{news} @@\n", start(old, olds), start(new, news));
            taken.iter().for_each(|(sign, line)| out += &format!("{sign}{line}\n"));
        }
        (old, new, at) = (old + olds, new + news, at + taken.len());
    }
    out
}

fn id(lines: &[&str]) -> String {
    let mut hasher = DefaultHasher::new();
    lines.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// The review of what changed in `files`, without notes; `ids` says whether it names blobs.
fn review(files: &[File], context: usize, ids: bool) -> Document {
    let mut text = format!("---\nwhymark: 1\ntitle: x # y\nscope: worktree\nbase: HEAD@{:07x}\n---\n\n", files.len());
    let mut changed: Vec<&File> = files
        .iter()
        .filter(|file| file.old != file.new || (file.new.is_some() && file.path != file.old_path))
        .collect();
    changed.sort_by_key(|file| &file.path);
    for file in changed {
        let status = match (&file.old, &file.new) {
            (None, _) => "added",
            (_, None) => "deleted",
            _ if file.path != file.old_path => "renamed",
            _ => "modified",
        };
        let quoted = |path: &str| if path.contains(' ') { format!("\"{path}\"") } else { path.to_owned() };
        text += &format!("@file {} {status} +1", quoted(&file.path));
        if status == "renamed" {
            text += &format!(" from={}", quoted(&file.old_path));
        }
        for (key, side) in [("oldsha", &file.old), ("newsha", &file.new)] {
            if let Some(lines) = side.as_ref().filter(|_| ids) {
                text += &format!(" {key}={}", id(lines));
            }
        }
        let diff = compare(file.old.as_deref().unwrap_or_default(), file.new.as_deref().unwrap_or_default());
        text += &format!("\n{}\n", hunks(&diff, context));
    }
    Document::parse(text)
}

/// What a note says beside what it is about.
fn said(view: NoteView<'_>) -> (Option<String>, String, Vec<String>) {
    let why = view.why().map(std::borrow::Cow::into_owned);
    (why, view.body(), view.sources().into_iter().map(|source| source.raw).collect())
}

/// The lines that `selector` names in `file`, as far as there are any.
fn about(file: &File, selector: Selector) -> Vec<&'static str> {
    let lines = if selector.side == Side::Old { &file.old } else { &file.new };
    let lines = lines.as_deref().unwrap_or_default();
    let end = usize::try_from(selector.end).unwrap().min(lines.len());
    let start = usize::try_from(selector.start).unwrap().max(1) - 1;
    lines.get(start..end).unwrap_or_default().to_vec()
}

/// The lines that a section shows, by side and number.
fn shown(section: &Section) -> Vec<(Option<u64>, Option<u64>, Vec<u8>)> {
    let tree = section.tree();
    let lines = tree.hunks.iter().flat_map(|hunk| tree.hunk_lines(hunk).iter().map(move |line| (hunk, line)));
    let lines = lines.filter(|(_, line)| line.diff_kind().is_some());
    lines
        .map(|(hunk, line)| {
            let numbers = (line.old_line(hunk).map(|line| line.0), line.new_line(hunk).map(|line| line.0));
            (numbers.0, numbers.1, section.line_text(line).to_vec())
        })
        .collect()
}

/// What somebody else writes into a review: lines at the end of a section, or right behind its first line.
const REMARKS: [&str; 5] =
    ["# a remark\n", "a stray\n", "@check cmd `x` => pass\n# behind a check\n", "\n\n", "# two\n\nstray\n"];

/// A note to be written: in which part, about which lines, and whether a remark goes in front.
type Written = (Index, bool, Index, u64, Option<&'static str>);

/// The review with notes that say which they are, and what each is about.
fn written(mut document: Document, files: &[File], ids: bool, notes: &[Written]) -> (Document, Vec<Vec<&'static str>>) {
    for (number, (part, is_old, line, count, remark)) in notes.iter().enumerate() {
        let part = part.index(document.parts().len());
        let side = if *is_old { Side::Old } else { Side::New };
        let numbers: Vec<u64> = shown(&document.parts()[part])
            .into_iter()
            .filter_map(|(old, new, _)| if *is_old { old } else { new })
            .collect();
        let selector = match (part, numbers.as_slice()) {
            (0, _) => Selector::DOC,
            (_, []) => Selector::FILE,
            (_, numbers) => {
                let start = *line.get(numbers);
                // Beyond the end of the file there are no lines to be about.
                let file =
                    files.iter().find(|file| file.path.as_bytes() == document.parts()[part].path_text().as_bytes());
                let whole = Selector { side, start, end: start + count };
                let mut there = about(file.unwrap(), whole).len() as u64;
                if !ids {
                    // Nothing tells whether what a diff hides is still the same.
                    there = (start..start + there).take_while(|line| numbers.contains(line)).count() as u64;
                }
                Selector { end: start + there - 1, ..whole }
            }
        };
        let note =
            NewNote { why: format!("note {number}"), body: "  indented\n\nbody".to_owned(), ..NewNote::new(selector) };
        document = document.edited(&append_note(&document, part, &note));
        if let Some(remark) = remark {
            let section = &document.parts()[part];
            let tree = section.tree();
            // Behind a hunk, a check or the first line it stays what it is; behind a note it would be part of it.
            let blocks = tree.blocks.iter().filter(|block| !matches!(block, Block::Note(_)));
            let mut solid = blocks.filter(|block| !matches!(block, Block::Blank(_)));
            if let Some(block) = solid.next_back() {
                let at = document.offset_of(part) + tree.span(*block).end as usize;
                document = document.edited(&Edit::insert(at, *remark));
            }
        }
    }
    let mut about_all = Vec::new();
    for part in document.parts() {
        let file = files.iter().find(|file| file.path.as_bytes() == part.path_text().as_bytes());
        let selectors = part.note_views().map(|view| view.note().selector);
        about_all.extend(selectors.map(|selector| match (file, selector.side) {
            (Some(file), Side::New | Side::Old) => about(file, selector),
            _ => Vec::new(),
        }));
    }
    (document, about_all)
}

/// Every line that is a comment, a stray or a check.
fn remarks(document: &Document) -> Vec<Vec<u8>> {
    let text = document.to_bytes();
    let is_one =
        |line: &&[u8]| [&b"# "[..], b"a stray", b"stray", b"@check"].iter().any(|start| line.starts_with(start));
    let mut lines: Vec<_> = text.lines().filter(is_one).map(<[u8]>::to_vec).collect();
    lines.sort();
    lines
}

/// All notes, in order.
fn views(document: &Document) -> Vec<(String, NoteView<'_>)> {
    let parts = document.parts().iter();
    parts.flat_map(|part| part.note_views().map(|view| (part.path_text().into_owned(), view))).collect()
}

/// Carry `before` to `new`, the review of `files`; `texts` is what each note has been about from the start.
fn carried(before: &Document, new: &Document, files: &[File], texts: &[Vec<&'static str>]) -> Document {
    let carried = carry(before, new).expect("nothing is in the way");
    let after = edited(before, &carried.edit);
    let is_background = |part: &&std::sync::Arc<Section>| part.tree().hunks.is_empty();
    let diff = |document: &Document| -> Vec<_> {
        let parts = document.parts()[1..].iter().filter(|part| !is_background(part));
        let mut diff: Vec<_> = parts.map(|part| (part.path_text().into_owned(), shown(part))).collect();
        diff.sort();
        diff
    };
    assert_eq!(diff(&after), diff(new), "it has the new diff");
    let (old_views, new_views) = (views(before), views(&after));
    assert_eq!(new_views.len(), old_views.len());
    assert_eq!(carried.notes.len(), old_views.len());
    for (((_, was), (path, is)), (note, text)) in old_views.iter().zip(&new_views).zip(carried.notes.iter().zip(texts))
    {
        assert_eq!(said(*was), said(*is), "a note says what it said");
        let selector = is.note().selector;
        assert_eq!(note.new_selector.unwrap_or(Selector::FILE), selector, "the report is true");
        let is_orphan = is.orphan().is_some();
        assert_eq!(is_orphan, matches!(note.fate, Fate::Orphaned | Fate::StillOrphaned));
        if matches!(selector.side, Side::New | Side::Old) {
            let file = files.iter().find(|file| file.path == *path).expect("the file is there");
            assert_eq!(&about(file, selector), text, "{selector} of {path}: the text that it was written about");
        }
    }
    assert_eq!(remarks(before), remarks(&after), "what somebody wrote beside the notes stays");
    let again = carry(&after, new).expect("nothing is in the way");
    assert!(again.edit.is_empty(), "once is enough: {:?}", again.edit);
    after
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn notes_stay_on_their_text(
        contents in vec((lines(0..20), lines(0..20)), 1..3),
        notes in vec((any::<Index>(), any::<bool>(), any::<Index>(), 0..6u64, proptest::option::of(select(&REMARKS[..]))), 1..6),
        history in vec(vec((step(), any::<Index>()), 1..3), 1..5),
        (context, ids, is_crlf) in (0..4usize, any::<bool>(), prop::bool::weighted(0.2)),
    ) {
        let mut files: Vec<File> = contents.into_iter().enumerate().map(|(at, (old, new))| {
            let path = format!("{at}.rs");
            // Half of the old file is in the new one, as in most changes.
            let new = [&old[..old.len() / 2], &new, &old[old.len() / 2..]].concat();
            File { old_path: path.clone(), path, old: Some(old), new: Some(new) }
        }).collect();
        let (mut document, texts) = written(review(&files, context, ids), &files, ids, &notes);
        if is_crlf {
            document = Document::parse(document.to_bytes().replace("\n", "\r\n"));
        }
        for steps in history {
            for (step, file) in &steps {
                let at = file.index(files.len());
                take(step, &mut files, at);
            }
            let new = review(&files, context, ids);
            document = carried(&document, &new, &files, &texts);
        }
    }
}

/// What somebody wrote beside the notes of a document, wherever it stands: comments, strays and checks.
fn beside(document: &Document) -> Vec<Vec<u8>> {
    let mut lines = Vec::new();
    for part in document.parts() {
        let (tree, text) = (part.tree(), part.text());
        let mut keep = |line: whymark::text::Span| lines.push(part.newline().content(line.of(text)).to_vec());
        for block in &tree.blocks {
            match *block {
                Block::Comment(span) | Block::Stray(span) => keep(span),
                Block::Check(index) => keep(tree.checks[index as usize]),
                _ => {}
            }
        }
        let is_foreign = |line: &&HunkLine| matches!(line.kind, HunkLineKind::Comment | HunkLineKind::Stray);
        tree.lines.iter().filter(is_foreign).for_each(|line| keep(line.span));
    }
    lines.sort();
    lines
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn whatever_a_document_holds_is_kept(text in text(), contents in vec((lines(0..6), lines(0..6)), 1..4), context in 0..3usize) {
        let names = ["a", "b c", "d e"].iter().map(|path| (*path).to_owned());
        let files: Vec<File> = contents.into_iter().zip(names).map(|((old, new), path)| {
            File { old_path: path.clone(), path, old: Some(old), new: Some(new) }
        }).collect();
        let before = Document::parse(text);
        let new = review(&files, context, true);
        let carried = match carry(&before, &new) {
            Ok(carried) => carried,
            Err(refusal) => {
                // A single line that ends in CR could end either way; a frontmatter need not be one; and the line that says how
                // lines end may go with the file that it is about.
                let text = before.to_bytes();
                let is_known = text.ends_with(b"\r") || refusal == EditError::Entangled("base".to_owned());
                let ends_otherwise = |part| Newline::detect(&text[before.offset_of(part)..]) != before.newline();
                let is_about_ends = refusal == EditError::Entangled("@file".to_owned());
                let is_mixed = is_about_ends && (1..before.parts().len()).any(ends_otherwise);
                prop_assert!(is_known || is_mixed, "{}", refusal);
                return Ok(());
            }
        };
        let after = edited(&before, &carried.edit);
        let (old_notes, new_notes) = (views(&before), views(&after));
        prop_assert_eq!(old_notes.len(), new_notes.len());
        for ((_, was), (_, is)) in old_notes.iter().zip(&new_notes) {
            prop_assert_eq!(said(*was), said(*is));
        }
        let (was, mut is) = (beside(&before), beside(&after));
        // What had lost its prefix in a hunk may come out as a stray line.
        for line in was {
            let at = is.iter().position(|there| *there == line);
            prop_assert!(at.is_some(), "{:?} is gone", line.as_bstr());
            is.swap_remove(at.unwrap());
        }
        let again = carry(&after, &new);
        prop_assert!(again.as_ref().is_ok_and(|again| again.edit.is_empty()), "once is enough: {:?}", again);
    }
}
