//! What an edit does to the lines of a text, as the hunks of a unified diff without context.

use crate::text::edit::{Edit, Splice};
use crate::text::lines::{Lines, line_index, line_start};

/// A run of lines that an edit changes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ChangedLines {
    /// The number of the first line before the edit, counted from 1; where `old` is empty, that of the line in front.
    pub(super) old_start: usize,
    /// Likewise after it.
    pub(super) new_start: usize,
    /// The lines before, terminators included.
    pub(super) old: Vec<Vec<u8>>,
    /// The lines after, likewise.
    pub(super) new: Vec<Vec<u8>>,
}

/// The runs that `edit` changes in `text`, in order.
pub(super) fn changed_lines(text: &[u8], edit: &Edit) -> Vec<ChangedLines> {
    let mut blocks: Vec<(std::ops::Range<usize>, Vec<Splice>)> = Vec::new();
    for splice in edit.splices() {
        let lines = line_start(text, splice.range.start)..lines_end(text, splice);
        match blocks.last_mut() {
            Some((block, splices)) if lines.start < block.end || splice.range.start == block.end => {
                block.end = block.end.max(lines.end);
                splices.push(splice.clone());
            }
            _ => blocks.push((lines, vec![splice.clone()])),
        }
    }
    let (mut at, mut old_line, mut new_line) = (0, 0, 0);
    let mut runs = Vec::new();
    for (block, splices) in blocks {
        let kept = line_index(&text[at..block.start], usize::MAX);
        (old_line, new_line) = (old_line + kept, new_line + kept);
        let shifted = splices.into_iter().map(|Splice { range, with }| {
            let range = range.start - block.start..range.end - block.start;
            Splice { range, with }
        });
        let (old, new) = (&text[block.clone()], Edit::new(shifted.collect()).apply(&text[block.clone()]));
        let (mut old, mut new) = (lines(old), lines(&new));
        (at, old_line, new_line) = (block.end, old_line + old.len(), new_line + new.len());
        let same = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
        let (old_end, new_end) = (old_line - same, new_line - same);
        old.truncate(old.len() - same);
        new.truncate(new.len() - same);
        let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
        old.drain(..same);
        new.drain(..same);
        let first = |end: usize, lines: &[Vec<u8>]| end - lines.len() + usize::from(!lines.is_empty());
        if !old.is_empty() || !new.is_empty() {
            runs.push(ChangedLines { old_start: first(old_end, &old), new_start: first(new_end, &new), old, new });
        }
    }
    runs
}

/// Where the lines end that `splice` touches: with whole lines in the place of whole lines, no other is.
fn lines_end(text: &[u8], splice: &Splice) -> usize {
    let end = splice.range.end;
    let at_line_start = |offset: usize| line_start(text, offset) == offset;
    let is_whole = splice.with.is_empty() || splice.with.ends_with(b"\n");
    if at_line_start(end) && at_line_start(splice.range.start) && is_whole {
        return end;
    }
    memchr::memchr(b'\n', &text[end..]).map_or(text.len(), |newline| end + newline + 1)
}

fn lines(text: &[u8]) -> Vec<Vec<u8>> {
    Lines::new(text).map(|span| span.of(text).to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The runs as `-l,n +l,n` and their lines.
    fn shown(text: &str, splices: &[(std::ops::Range<usize>, &str)]) -> Vec<String> {
        let splices =
            splices.iter().map(|(range, with)| Splice { range: range.clone(), with: with.as_bytes().to_vec() });
        let runs = changed_lines(text.as_bytes(), &Edit::new(splices.collect()));
        let joined = |lines: &[Vec<u8>]| String::from_utf8(lines.concat()).unwrap();
        runs.iter()
            .map(|run| format!("{} {} {:?} {:?}", run.old_start, run.new_start, joined(&run.old), joined(&run.new)))
            .collect()
    }

    #[test]
    fn lines_that_change() {
        let text = "one\ntwo\nthree\nfour";
        for (splices, want) in [
            (&[][..], vec![]),
            (&[(0..3, "1")], vec!["1 1 \"one\\n\" \"1\\n\""]),
            (&[(4..4, "x\n")], vec!["1 2 \"\" \"x\\n\""]),
            (&[(4..8, "")], vec!["2 1 \"two\\n\" \"\""]),
            (&[(3..4, "\n\n"), (14..18, "4\n")], vec!["1 2 \"\" \"\\n\"", "4 5 \"four\" \"4\\n\""]),
            (&[(0..1, "O"), (2..3, "E")], vec!["1 1 \"one\\n\" \"OnE\\n\""]),
            (&[(7..8, " "), (13..13, "!")], vec!["2 2 \"two\\nthree\\n\" \"two three!\\n\""]),
            (&[(18..18, "\n")], vec!["4 4 \"four\" \"four\\n\""]),
            (&[(0..4, "one\n")], vec![]),
        ] {
            assert_eq!(shown(text, splices), want, "{splices:?}");
        }
    }
}
