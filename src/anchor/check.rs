//! A last look at a document that was carried: whether it has the new diff, and whether nothing that somebody wrote is
//! missing. Texts are made so that something can always be read differently than it was meant.

use super::sections::Part;
use crate::document::edit::{EditError, file_line};
use crate::document::{Block, Document, HunkLineKind, NoteView, Section, is_orphan_name};

/// Whether `after`, made of `parts`, has the diff of `new` and everything that somebody wrote in `old`.
pub(super) fn check(old: &Document, new: &Document, after: &Document, parts: &[Part]) -> Result<(), EditError> {
    let refuse = |what: &str| Err(EditError::Entangled(what.to_owned()));
    if after.parts().len() != parts.len() || after.newline() != old.newline() {
        return refuse("@file");
    }
    for (part, is) in parts.iter().zip(after.parts()) {
        let (was, shall) = match *part {
            Part::Untouched(was) | Part::Gone(was) => (Some(&old.parts()[was]), None),
            Part::Both(was, shall) => (Some(&old.parts()[was]), Some(&new.parts()[shall])),
            Part::New(shall) => (None, Some(&new.parts()[shall])),
        };
        if shall.is_some_and(|shall| diff(is) != diff(shall)) || (matches!(part, Part::Gone(_)) && !diff(is).is_empty())
        {
            return refuse("@@");
        }
        if shall.is_some_and(|shall| !file_line(is, shall).is_empty()) {
            return refuse("@file");
        }
        if was.is_some_and(|was| !keeps(was, is)) {
            return refuse("@note");
        }
    }
    Ok(())
}

/// The lines that a section shows, with their numbers.
fn diff(section: &Section) -> Vec<(Option<u64>, Option<u64>, &[u8])> {
    let tree = section.tree();
    let lines = tree.hunks.iter().flat_map(|hunk| tree.hunk_lines(hunk).iter().map(move |line| (hunk, line)));
    let shown = lines.filter(|(_, line)| line.diff_kind().is_some());
    shown
        .map(|(hunk, line)| {
            let (old, new) = (line.old_line(hunk), line.new_line(hunk));
            (old.map(|line| line.0), new.map(|line| line.0), section.line_text(line))
        })
        .collect()
}

/// Whether `after` has what somebody wrote in `before`: the notes but for what they are about, checks, comments, strays.
fn keeps(before: &Section, after: &Section) -> bool {
    let mut written = written(after);
    let is_there = |line: &&[u8]| written.iter().position(|there| there == line).map(|at| written.swap_remove(at));
    let lines_stay = self::written(before).iter().map(is_there).all(|found| found.is_some());
    let checks = |section: &Section| -> Vec<Vec<u8>> {
        let checks = section.tree().checks.iter();
        checks.map(|span| section.newline().content(span.of(section.text())).to_vec()).collect()
    };
    let notes = before.note_views().map(said).eq(after.note_views().map(said));
    lines_stay && notes && checks(before) == checks(after)
}

/// The comments and stray lines of a section, without terminators.
fn written(section: &Section) -> Vec<&[u8]> {
    let tree = section.tree();
    let loose = tree.blocks.iter().filter_map(|block| match block {
        Block::Comment(span) | Block::Stray(span) => Some(*span),
        _ => None,
    });
    let inside = tree.lines.iter().filter(|line| matches!(line.kind, HunkLineKind::Comment | HunkLineKind::Stray));
    let spans = loose.chain(inside.map(|line| line.span));
    spans.map(|span| section.newline().content(span.of(section.text()))).collect()
}

/// What a note says, apart from what it is about.
fn said(view: NoteView<'_>) -> impl PartialEq {
    let fields = view.fields().filter(|field| !is_orphan_name(field.name));
    let fields: Vec<_> = fields.map(|field| (field.name.to_vec(), field.value.into_owned())).collect();
    (fields, view.body(), view.words_besides_selector())
}
