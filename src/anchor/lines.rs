//! The lines of one side that the diff of a file shows, with what the diff says about the other side.

use std::collections::HashSet;

use crate::diff::LineKind;
use crate::document::{Section, Side};

/// A line of one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// Its number on this side.
    pub(super) number: u64,
    /// What it says, without terminator.
    pub(super) text: &'a [u8],
    /// Its number on the other side, of a context line.
    pub(super) other: Option<u64>,
    /// The number of the next line of the other side, of this one itself if it is context.
    pub(super) slot: u64,
}

/// What a section shows of one side, in the order of the text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Shown<'a> {
    pub(super) lines: Vec<Line<'a>>,
    /// Lines of the other side that are not on this one.
    only_other: HashSet<u64>,
    /// For each hunk, the numbers of the first lines behind it: of this side and of the other.
    ends: Vec<(u64, u64)>,
    /// Whether the numbers do not rise: no git writes such hunks, but a document may hold them.
    is_unordered: bool,
}

impl<'a> Shown<'a> {
    /// The lines of `side`, which is old or new.
    pub(super) fn of(section: &'a Section, side: Side) -> Self {
        let tree = section.tree();
        let mut shown = Self::default();
        for hunk in &tree.hunks {
            let firsts = (hunk.first_old, hunk.first_new);
            let (mut own, mut other) = if side == Side::Old { firsts } else { (firsts.1, firsts.0) };
            for line in tree.hunk_lines(hunk) {
                let is_own = match line.diff_kind() {
                    Some(LineKind::Context) => true,
                    Some(LineKind::Added) => side == Side::New,
                    Some(LineKind::Removed) => side == Side::Old,
                    Some(LineKind::NoNewline) | None => continue,
                };
                let is_both = line.diff_kind() == Some(LineKind::Context);
                if is_own {
                    let text = section.line_text(line);
                    shown.lines.push(Line { number: own, text, other: is_both.then_some(other), slot: other });
                } else {
                    shown.only_other.insert(other);
                }
                own = own.saturating_add(u64::from(is_own));
                other = other.saturating_add(u64::from(!is_own || is_both));
            }
            shown.ends.push((own, other));
        }
        shown.is_unordered = !shown.lines.is_sorted_by(|left, right| left.number < right.number);
        shown
    }

    /// The line with this number.
    pub(super) fn line(&self, number: u64) -> Option<&Line<'a>> {
        self.named(number, number).first().map(|index| &self.lines[*index])
    }

    /// Whether the line at `index` is followed by the next one of its side.
    pub(super) fn goes_on(&self, index: usize) -> bool {
        let number = |index: usize| self.lines.get(index).map(|line| line.number);
        number(index + 1).is_some_and(|next| number(index).and_then(|number| number.checked_add(1)) == Some(next))
    }

    /// The lines with numbers from `start` to `end`, as indices.
    pub(super) fn named(&self, start: u64, end: u64) -> Vec<usize> {
        let start = start.max(1);
        let is_named = |index: &usize| (start..=end).contains(&self.lines[*index].number);
        if self.is_unordered {
            return (0..self.lines.len()).filter(is_named).collect();
        }
        let first = self.lines.partition_point(|line| line.number < start);
        (first..self.lines.len()).take_while(is_named).collect()
    }

    /// The number on the other side of the line with this number, hidden ones included: what a diff does not show is alike
    /// on both sides.
    pub(super) fn other_number(&self, number: u64) -> Option<u64> {
        if let Some(line) = self.line(number) {
            return line.other;
        }
        let before = self.ends.iter().rfind(|(end, _)| *end <= number);
        before.map_or(Some(number), |(own, other)| number.checked_sub(*own)?.checked_add(*other))
    }

    /// Whether the other side has its line `number`, and this one has not.
    pub(super) fn is_only_other(&self, number: u64) -> bool {
        self.only_other.contains(&number)
    }

    /// Whether one of the lines from `start` to `end` is on this side only.
    pub(super) fn has_own(&self, start: u64, end: u64) -> bool {
        self.lines.iter().any(|line| line.other.is_none() && (start..=end).contains(&line.number))
    }
}
