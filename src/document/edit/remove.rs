//! A note taken out, so that nothing shows that it was there.

use super::EditError;
use crate::diff::{NewLine, OldLine};
use crate::document::{Block, Document, NoteRef, Section};
use crate::text::edit::Edit;

/// The edit that removes a note: its lines, and one of the blank lines that separate it from what is around it.
///
/// # Errors
/// When the lines around it would be read differently without it.
///
/// # Panics
/// When there is no such note.
pub fn delete_note(document: &Document, at: NoteRef) -> Result<Edit, EditError> {
    let section = &document.parts()[at.part];
    let tree = section.tree();
    let is_it = |block: &Block| matches!(block, Block::Note(index) if *index as usize == at.note);
    let block = tree.blocks.iter().position(is_it).expect("every note is a block");
    let note = tree.notes[at.note].span.range();
    let blank = |block: Option<&Block>| match block {
        Some(Block::Blank(span)) => Some(span.range()),
        _ => None,
    };
    let above = block.checked_sub(1).and_then(|above| blank(tree.blocks.get(above)));
    let below = blank(tree.blocks.get(block + 1));
    let is_last = block + 1 == tree.blocks.len();
    let with_above = above.as_ref().map(|above| above.start..note.end);
    let with_below = below.as_ref().map(|below| note.start..below.end);
    let with_both = with_above.as_ref().zip(with_below.as_ref()).map(|(above, below)| above.start..below.end);
    let [first, second] = if is_last { [with_above, with_below] } else { [with_below, with_above] };
    let base = document.offset_of(at.part);
    let ranges = [first, second, Some(note), with_both].into_iter().flatten();
    let mut edits = ranges.map(|range| Edit::replace(base + range.start..base + range.end, ""));
    let mut rest = note_texts(section);
    rest.remove(at.note);
    let edit = edits.find(|edit| has_notes(document, &document.edited(edit), at.part, &rest));
    edit.ok_or_else(|| EditError::Entangled("@note".to_owned()))
}

/// Whether `after` is `before`, apart from the notes of the part at `part`, which are `notes`.
pub(super) fn has_notes(before: &Document, after: &Document, part: usize, notes: &[&[u8]]) -> bool {
    let (old, new) = (&before.parts()[part], after.parts().get(part));
    before.newline() == after.newline()
        && before.parts().len() == after.parts().len()
        && before.meta() == after.meta()
        && new.is_some_and(|new| notes == note_texts(new) && numbered_lines(old).eq(numbered_lines(new)))
}

/// The notes of `section` as they stand there.
pub(super) fn note_texts(section: &Section) -> Vec<&[u8]> {
    section.tree().notes.iter().map(|note| note.span.of(section.text())).collect()
}

/// Every line of the diff with its numbers.
fn numbered_lines(section: &Section) -> impl Iterator<Item = (&[u8], Option<OldLine>, Option<NewLine>)> {
    let tree = section.tree();
    tree.hunks.iter().flat_map(move |hunk| {
        let lines = tree.hunk_lines(hunk).iter();
        lines.map(move |line| (line.span.of(section.text()), line.old_line(hunk), line.new_line(hunk)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_shows_that_it_was_there() {
        for (text, part, note, want) in [
            ("@file a\n\n@note +1\nwhy: x\n\n@note +2\n", 1, 0, "@file a\n\n@note +2\n"),
            ("@file a\n\n@note +1\nwhy: x\n\n@note +2\n", 1, 1, "@file a\n\n@note +1\nwhy: x\n"),
            ("@file a\n\n@note +1\n\nbody\n\n\n@file b\n", 1, 0, "@file a\n\n\n@file b\n"),
            ("@file a\n@note +1\n@note +2\n", 1, 0, "@file a\n@note +2\n"),
            ("---\n---\n@note doc\nx", 0, 0, "---\n---\n"),
            ("@@ -1,2 +1,2 @@\n a\n\n@note +1\n\n@@ -5 +5 @@\n b\n", 1, 0, "@@ -1,2 +1,2 @@\n a\n@@ -5 +5 @@\n b\n"),
            ("@@ -1,2 +1,2 @@\n a\n\n\n@note +1\n", 1, 0, "@@ -1,2 +1,2 @@\n a\n\n"),
        ] {
            let document = Document::parse(text.to_owned());
            let edit = delete_note(&document, NoteRef { part, note }).expect("it can be removed");
            let after = edit.apply(text.as_bytes());
            assert_eq!(String::from_utf8_lossy(&after), want, "{text:?}");
            assert_eq!(edit.inverse(text.as_bytes()).apply(&after), text.as_bytes());
        }
    }
}
