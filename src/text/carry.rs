//! An edit carried to what has become of its text: how a change is taken back after somebody else has written.
//!
//! Nothing is guessed about what is replaced: it must be there, line for line. Only where lines are to come back is it
//! their neighbours that say where.

use std::ops::Range;

use memchr::memmem;

use super::edit::{Edit, Splice};
use super::lines::line_start;

/// Neighbours further away than this many bytes don't tell two places apart.
const FAR: usize = 4096;

/// `edit`, which was made for `from`, as an edit of `to`: what it replaces is found again in whole lines, of several places
/// the one with most of the neighbours that it had. `None` when a line that it replaces is not there.
#[must_use]
pub fn carried(edit: &Edit, from: &[u8], to: &[u8]) -> Option<Edit> {
    if from == to {
        return Some(edit.clone());
    }
    let mut splices: Vec<Splice> = Vec::new();
    for splice in in_whole_lines(edit, from) {
        let at = place(&splice.range, from, to)?;
        if splices.last().is_some_and(|last| last.range.end > at) {
            return None;
        }
        splices.push(Splice { range: at..at + splice.range.len(), with: splice.with });
    }
    Some(Edit::new(splices))
}

/// The splices of `edit` widened to the lines that they are in, those on one line together. One that only puts in whole
/// lines stays between lines.
fn in_whole_lines(edit: &Edit, from: &[u8]) -> Vec<Splice> {
    let mut lines: Vec<Splice> = Vec::new();
    for splice in edit.splices() {
        let Range { start, end } = splice.range;
        let (first, last) = (line_start(from, start), if is_line_start(from, end) { end } else { line_end(from, end) });
        match lines.last_mut().filter(|above| above.range.end > first) {
            Some(above) => {
                // What was taken over behind the splice above is, up to here, what stands in front of this one.
                let kept = above.with.len() - (above.range.end - start);
                above.with.truncate(kept);
                above.with.extend_from_slice(&splice.with);
                let last = last.max(above.range.end);
                above.with.extend_from_slice(&from[end..last]);
                above.range.end = last;
            }
            None => {
                let with = [&from[first..start], &splice.with, &from[end..last.max(end)]].concat();
                lines.push(Splice { range: first..last.max(end), with });
            }
        }
    }
    lines
}

/// Where the lines at `range` of `from` begin in `to`.
fn place(range: &Range<usize>, from: &[u8], to: &[u8]) -> Option<usize> {
    let (above, wanted, below) = (&from[..range.start], &from[range.clone()], &from[range.end..]);
    if wanted.is_empty() {
        let starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', to).map(|at| at + 1)).chain([to.len()]);
        let best =
            starts.map(|at| (at, nearness(above, below, &to[..at], &to[at..]))).max_by_key(|(_, near)| near.total);
        return best.filter(|(_, near)| near.has_line).map(|(at, _)| at);
    }
    let is_whole = |at: &usize| is_line_start(to, *at) && is_line_start(to, *at + wanted.len());
    let places = memmem::find_iter(to, wanted).filter(is_whole);
    places.max_by_key(|at| nearness(above, below, &to[..*at], &to[*at + wanted.len()..]).total)
}

/// How much of what is around one place is around another.
struct Nearness {
    total: usize,
    /// Whether the line above or the line below is the same: else nothing is.
    has_line: bool,
}

fn nearness(above: &[u8], below: &[u8], other_above: &[u8], other_below: &[u8]) -> Nearness {
    let same_above = above.iter().rev().zip(other_above.iter().rev()).take(FAR).take_while(|(a, b)| a == b).count();
    let same_below = below.iter().zip(other_below).take(FAR).take_while(|(a, b)| a == b).count();
    let is_end = |own: &[u8], other: &[u8]| own.is_empty() && other.is_empty();
    let line_above = above.len() - line_start(above, above.len().saturating_sub(1));
    let line_below = line_end(below, 0);
    let ends_line = is_line_start(other_above, other_above.len().saturating_sub(line_above));
    let has_above = is_end(above, other_above) || (line_above > 0 && same_above >= line_above && ends_line);
    let has_below = is_end(below, other_below) || (line_below > 0 && same_below >= line_below);
    Nearness { total: same_above + same_below, has_line: has_above || has_below }
}

/// Whether a line starts at `at`, or the text ends there.
fn is_line_start(text: &[u8], at: usize) -> bool {
    at == 0 || at == text.len() || text[at - 1] == b'\n'
}

/// Where the line with the byte at `at` ends, its LF included.
fn line_end(text: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |len| at + len + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `edit` of `from` makes of `to`.
    fn after(from: &str, splices: &[(Range<usize>, &str)], to: &str) -> Option<String> {
        let splices = splices.iter().map(|(range, with)| Splice { range: range.clone(), with: (*with).into() });
        let edit = carried(&Edit::new(splices.collect()), from.as_bytes(), to.as_bytes())?;
        Some(String::from_utf8(edit.apply(to.as_bytes())).expect("the example is UTF-8"))
    }

    #[test]
    fn what_is_still_there_is_found() {
        let from = "a\n\nb\nc 1 2\n\nb\nd\n";
        for (splices, to, want) in [
            (&[(3..5, "B\n")][..], from, Some("a\n\nB\nc 1 2\n\nb\nd\n")),
            (&[(3..5, "B\n")], "new\na\n\nb\nc 1 2\n\nb\nd\n", Some("new\na\n\nB\nc 1 2\n\nb\nd\n")),
            (&[(12..14, "")], "a\n\nb\nc 1 3\n\nb\nd\n", Some("a\n\nb\nc 1 3\n\nd\n")),
            (&[(7..8, "x"), (9..10, "y")], "c 1 2\n", Some("c x y\n")),
            (&[(7..8, "x"), (9..10, "y")], "c 1 3\n", None),
            (&[(5..5, "in\n")], "0\na\n\nb\nnew\nc 1 2\n", Some("0\na\n\nb\nnew\nin\nc 1 2\n")),
            (&[(5..5, "in\n")], "other\nc 1 2\n", Some("other\nin\nc 1 2\n")),
            (&[(5..5, "in\n")], "other\n", None),
            (&[(16..16, "e\n")], "b\nd\n\nnew\n", Some("b\nd\ne\n\nnew\n")),
            (&[(0..0, "0\n")], "a\nother\n", Some("0\na\nother\n")),
        ] {
            assert_eq!(after(from, splices, to).as_deref(), want, "{splices:?} in {to:?}");
        }
    }

    #[test]
    fn a_last_line_without_an_end() {
        let from = "a\nb\n\nnote";
        assert_eq!(after(from, &[(3..9, "")], "0\na\nb\n\nnote").as_deref(), Some("0\na\nb"));
        assert_eq!(after(from, &[(3..9, "")], "a\nb\n\nnote 2"), None);
    }
}
