//! Which line numbers a section's diff holds, and whether it holds those that a note names (section 5, "Checking").
//!
//! Interval arithmetic throughout: a note may name four thousand million lines.

use super::parse::hunk::after;
use super::{Hunk, HunkLine, Section, Selector, Side, Tree};

/// Whether a diff holds the lines that a selector names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// All of them, or it names no lines.
    All,
    /// Some of them.
    Some,
    /// None of them.
    None,
}

/// The line numbers that a section's diff holds, as sorted ranges that neither overlap nor touch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PresentLines {
    old: Vec<(u64, u64)>,
    new: Vec<(u64, u64)>,
}

/// Whether the diff of `section` holds the lines that `selector` names. To ask for many selectors, keep the
/// [`PresentLines`].
#[must_use]
pub fn presence(section: &Section, selector: Selector) -> Presence {
    PresentLines::of(section).presence(selector)
}

impl PresentLines {
    /// The numbers in the diff of `section`: context lines count on both sides, line 0 never.
    #[must_use]
    pub fn of(section: &Section) -> Self {
        let tree = section.tree();
        let mut present = Self::default();
        for hunk in &tree.hunks {
            let (old, new) = hunk.sides();
            present.old.extend(numbers(hunk.first_old, old));
            present.new.extend(numbers(hunk.first_new, new));
        }
        present.old = merged(present.old);
        present.new = merged(present.new);
        present
    }

    /// The first and last number of each run of lines of `side`, in order.
    #[must_use]
    pub fn ranges(&self, side: Side) -> &[(u64, u64)] {
        match side {
            Side::New => &self.new,
            Side::Old => &self.old,
            Side::File | Side::Doc => &[],
        }
    }

    /// The lines of `side`, for a person: `lines 3..9, 12`.
    #[must_use]
    pub fn describe(&self, side: Side) -> String {
        /// More than these help nobody.
        const MOST: usize = 4;
        let ranges = self.ranges(side);
        let range =
            |(start, end): &(u64, u64)| if start == end { start.to_string() } else { format!("{start}..{end}") };
        let shown: Vec<String> = ranges.iter().take(MOST).map(range).collect();
        match shown.len() {
            0 => "no lines".to_owned(),
            count if count < ranges.len() => format!("lines {} and further ones", shown.join(", ")),
            _ => format!("lines {}", shown.join(", ")),
        }
    }

    /// Whether the lines that `selector` names are among them.
    #[must_use]
    pub fn presence(&self, selector: Selector) -> Presence {
        if matches!(selector.side, Side::File | Side::Doc) {
            return Presence::All;
        }
        let ranges = self.ranges(selector.side);
        let at = ranges.partition_point(|(_, end)| *end < selector.start);
        match ranges.get(at) {
            Some((start, _)) if *start > selector.end => Presence::None,
            Some((start, end)) if *start <= selector.start && selector.end <= *end => Presence::All,
            Some(_) => Presence::Some,
            None => Presence::None,
        }
    }
}

/// First and last line that `selector` names in `tree`, as indices into its lines; `None` when it names none of them.
#[must_use]
pub fn named_lines(tree: &Tree, selector: Selector) -> Option<(u32, u32)> {
    let of_side: fn(&Hunk, &HunkLine) -> (u64, u32, u32) = match selector.side {
        Side::New => |hunk, line| (hunk.first_new, line.new, after(line).1),
        Side::Old => |hunk, line| (hunk.first_old, line.old, after(line).0),
        Side::File | Side::Doc => return None,
    };
    let mut found: Option<(u32, u32)> = None;
    for hunk in &tree.hunks {
        let lines = tree.hunk_lines(hunk);
        let Some(last) = lines.last() else { continue };
        let (base, _, count) = of_side(hunk, last);
        let Some((first, end)) =
            numbers(base, count.into()).map(|(first, end)| (first.max(selector.start), end.min(selector.end)))
        else {
            continue;
        };
        if first > end {
            continue;
        }
        // Of the lines with so many before them, the last is the one that counts.
        let index = |number: u64| {
            let next = lines.partition_point(|line| u64::from(of_side(hunk, line).1) <= number - base);
            hunk.lines.start + u32::try_from(next).expect("a hunk's lines are counted in 32 bits") - 1
        };
        found = Some(
            found.map_or((index(first), index(end)), |(start, last)| (start.min(index(first)), last.max(index(end)))),
        );
    }
    found
}

/// The range of `count` numbers from `first` on, without 0.
fn numbers(first: u64, count: u64) -> Option<(u64, u64)> {
    let end = first.saturating_add(count.checked_sub(1)?);
    (end > 0).then_some((first.max(1), end))
}

/// `ranges` sorted, those that overlap or touch joined.
pub(crate) fn merged(mut ranges: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    ranges.sort_unstable();
    let mut out: Vec<(u64, u64)> = Vec::with_capacity(ranges.len());
    for (start, end) in ranges {
        match out.last_mut() {
            Some(last) if start <= last.1.saturating_add(1) => last.1 = last.1.max(end),
            _ => out.push((start, end)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;

    #[test]
    fn what_a_selector_names() {
        let document =
            Document::parse("@file a\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n@@ -3,0 +3,2 @@\n+d\n+e\n@@ -9 +9 @@\n z\n");
        for (selector, want) in [
            ("+1..4", Presence::All),
            ("+1..5", Presence::Some),
            ("+4..9", Presence::Some),
            ("+5..8", Presence::None),
            ("+0", Presence::None),
            ("+0..1", Presence::Some),
            ("-2", Presence::All),
            ("-3", Presence::None),
            ("-1..4000000000", Presence::Some),
            ("+99999999999999999999", Presence::None),
            ("file", Presence::All),
        ] {
            let read = Selector::parse(selector.as_bytes()).expect("the example is a selector");
            assert_eq!(presence(&document.parts()[1], read), want, "{selector}");
        }
    }
}
