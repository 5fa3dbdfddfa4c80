//! Removed lines with the added ones that replace them: what stands beside each other, and which of their words differ.
//!
//! Words are compared where somebody looks, a piece of a run at a time, and remembered.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::diff::LineKind;
use crate::diff::words::{MOST_LINES, changed, pairs};
use crate::document::Section;
use crate::document::tree::{HunkLineKind, Tree};

/// The differing words of at most so many lines of a part are remembered.
const MOST_KEPT: usize = 20_000;

/// A run of removed lines and the run of added lines right behind it, as indices into the tree's lines. That a line has
/// no line end belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    /// The lines of the old side.
    pub old: Range<u32>,
    /// The lines of the new side; they begin where the old ones end.
    pub new: Range<u32>,
}

impl Replaced {
    /// All of them, in the order of the text.
    #[must_use]
    pub fn all(tree: &Tree) -> Vec<Self> {
        let mut found = Vec::new();
        for hunk in tree.hunks.iter().filter(|hunk| hunk.added > 0 && hunk.removed > 0) {
            let end_of = |start: u32, kind: LineKind| {
                let belongs = |line: &u32| {
                    let own = tree.lines[*line as usize].kind;
                    own == HunkLineKind::Diff(kind) || (*line > start && own == HunkLineKind::Diff(LineKind::NoNewline))
                };
                (start..hunk.lines.end).find(|line| !belongs(line)).unwrap_or(hunk.lines.end)
            };
            let mut at = hunk.lines.start;
            while at < hunk.lines.end {
                let middle = end_of(at, LineKind::Removed);
                let end = end_of(middle, LineKind::Added);
                if middle > at && end > middle {
                    found.push(Self { old: at..middle, new: middle..end });
                }
                at = end.max(at + 1);
            }
        }
        found
    }

    fn holds(&self, line: u32) -> bool {
        (self.old.start..self.new.end).contains(&line)
    }

    /// The index of `line` in its run.
    fn nth(&self, line: u32) -> usize {
        (if line < self.new.start { line - self.old.start } else { line - self.new.start }) as usize
    }
}

/// The words that differ between lines and those that replace them, as far as somebody has looked.
#[derive(Debug, Clone, Default)]
pub struct Words {
    /// The pieces that have been compared: the first line of the run, and which piece of it.
    known: BTreeSet<(u32, usize)>,
    by_line: BTreeMap<u32, Vec<Range<usize>>>,
}

impl Words {
    /// The bytes of a line that are not in the line that it replaces, or that replaces it.
    #[must_use]
    pub fn of(&self, line: u32) -> &[Range<usize>] {
        self.by_line.get(&line).map(Vec::as_slice).unwrap_or_default()
    }

    /// Forget all of it.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Compare the piece of a run that `line` is in, if that has not been done; `all` are those of the section.
    pub fn look_at(&mut self, section: &Section, all: &[Replaced], line: u32) {
        let index = all.partition_point(|replaced| replaced.new.end <= line);
        let Some(replaced) = all.get(index).filter(|replaced| replaced.holds(line)) else { return };
        let piece = replaced.nth(line) / MOST_LINES;
        if !self.known.insert((replaced.old.start, piece)) {
            return;
        }
        if self.by_line.len() > MOST_KEPT {
            self.clear();
            self.known.insert((replaced.old.start, piece));
        }
        let tree = section.tree();
        let lines = |run: &Range<u32>| -> (Vec<u32>, Vec<&[u8]>) {
            let piece = run.clone().skip(piece * MOST_LINES).take(MOST_LINES);
            piece.map(|line| (line, section.line_text(&tree.lines[line as usize]))).unzip()
        };
        let ((old, old_texts), (new, new_texts)) = (lines(&replaced.old), lines(&replaced.new));
        for (i, j) in pairs(&old_texts, &new_texts) {
            if let Some((gone, come)) = changed(old_texts[i], new_texts[j]) {
                self.by_line.insert(old[i], gone);
                self.by_line.insert(new[j], come);
            }
        }
    }
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "one range is what is wanted")]
mod tests {
    use super::*;
    use crate::document::Document;

    #[test]
    fn runs_that_are_replaced() {
        let text = "@file a\n@@ -1,9 +1,9 @@\n-a\n\n+b\n c\n+d\n-e\n-f\n\\ No newline at end of file\n+g\n\\ No newline at end of file\n@@ -20 +20 @@\n-h\n@@ -30 +30 @@\n+i\n";
        let document = Document::parse(text);
        let all = Replaced::all(document.parts()[1].tree());
        let tree = document.parts()[1].tree();
        let texts = |range: &Range<u32>| {
            range
                .clone()
                .map(|line| {
                    String::from_utf8_lossy(document.parts()[1].line_text(&tree.lines[line as usize])).into_owned()
                })
                .collect::<Vec<_>>()
                .join("|")
        };
        let shown: Vec<_> = all.iter().map(|replaced| (texts(&replaced.old), texts(&replaced.new))).collect();
        assert_eq!(
            shown,
            [("e|f|No newline at end of file".into(), "g|No newline at end of file".into())]
                .map(|(old, new): (String, String)| (old, new))
        );
    }

    #[test]
    fn words_are_compared_once_and_where_somebody_looks() {
        let removed: String = (0..200).map(|at| format!("-let value_{at} = old;\n")).collect();
        let text =
            format!("@file a\n@@ -1,200 +1,200 @@\n{removed}{}", removed.replace("-let", "+let").replace("old", "new"));
        let document = Document::parse(text);
        let section = &document.parts()[1];
        let all = Replaced::all(section.tree());
        assert_eq!(all.len(), 1);
        let mut words = Words::default();
        words.look_at(section, &all, 70);
        let at = "let value_70 = ".len();
        assert_eq!((words.of(70), words.of(270)), (&[at..at + 3][..], &[at..at + 3][..]));
        assert_eq!((words.of(63).len(), words.of(128).len(), words.by_line.len()), (0, 0, 128));
        words.look_at(section, &all, 270);
        assert_eq!(words.known.len(), 1);
    }
}
