//! Which bytes are quoted, and which of the equal ones they are.

use std::borrow::Cow;
use std::ops::Range;

use bstr::ByteSlice as _;
use memchr::memmem;

use crate::text::lines::{Lines, line_start};

/// A quote has no more lines.
const MOST_LINES: usize = 12;
/// A quote has no more bytes.
const MOST_BYTES: usize = 1200;

/// An exact slice of a text that a search finds.
#[derive(Debug)]
pub(super) struct Quote {
    /// Where it is.
    pub(super) range: Range<usize>,
    /// What it is.
    pub(super) text: String,
    /// How many matches come before it, counted from the top, none overlapping another.
    pub(super) occurrence: u32,
    /// How many there are.
    pub(super) matches: usize,
}

/// The quote for a selection; `None` where nothing that can be searched for is selected: no UTF-8, or only blanks.
pub(super) fn find(text: &[u8], selection: Range<usize>) -> Option<Quote> {
    let mut range = capped(text, &with_content(text, selection)?);
    let searched = unix_lines(text);
    // As a rule the first look is the last. There are few others, so this stays linear.
    for step in 0..2 * MOST_LINES {
        if step > 0 {
            range = widened(text, &range, step);
        }
        let quote = text[range.clone()].to_str().ok().filter(|quote| !quote.trim().is_empty())?;
        if !fits(quote.as_bytes()) {
            return None;
        }
        let at = range.start - crs_before(text, range.start);
        if let Some((occurrence, matches)) = place(&searched, &unix_lines(quote.as_bytes()), at) {
            return Some(Quote { text: quote.to_owned(), range, occurrence, matches });
        }
    }
    None
}

/// How many matches come before the one at `at`, and how many there are; `None` when no match begins there, since the one
/// before overlaps it.
fn place(text: &[u8], quote: &[u8], at: usize) -> Option<(u32, usize)> {
    let (mut before, mut matches, mut is_there) = (0, 0, false);
    for found in memmem::find_iter(text, quote) {
        matches += 1;
        before += u32::from(found < at);
        is_there |= found == at;
    }
    is_there.then_some((before, matches))
}

/// `text` with every CRLF as LF, as a reader of the table counts.
fn unix_lines(text: &[u8]) -> Cow<'_, [u8]> {
    match memmem::find(text, b"\r\n") {
        Some(_) => text.replace(b"\r\n", b"\n").into(),
        None => text.into(),
    }
}

/// How many bytes [`unix_lines`] takes away in front of `at`.
fn crs_before(text: &[u8], at: usize) -> usize {
    memmem::find_iter(text, b"\r\n").take_while(|found| *found < at).count()
}

/// The end of the line that holds the byte at `at`, in front of what ends it.
pub(super) fn line_end(text: &[u8], at: usize) -> usize {
    let rest = &text[at..];
    let line = rest.find_byte(b'\n').map_or(rest, |end| &rest[..end]);
    at + if line.len() < rest.len() { line.strip_suffix(b"\r").unwrap_or(line).len() } else { line.len() }
}

/// Where the line below begins, if there is one.
fn below(text: &[u8], at: usize) -> Option<usize> {
    let next = at + text[at..].find_byte(b'\n')? + 1;
    (next < text.len()).then_some(next)
}

/// Where the line above begins, if there is one.
fn above(text: &[u8], at: usize) -> Option<usize> {
    let start = line_start(text, at);
    (start > 0).then(|| line_start(text, start - 1))
}

/// The lines that `range` is in, without the end of the last. A selection that ends with the end of a line ends there.
fn whole_lines(text: &[u8], range: &Range<usize>) -> Range<usize> {
    let start = line_start(text, range.start);
    let last = if range.end > range.start && text[range.end - 1] == b'\n' { range.end - 1 } else { range.end };
    start..line_end(text, line_start(text, last)).max(start)
}

fn is_blank(text: &[u8]) -> bool {
    text.trim().is_empty()
}

/// `range`, or when that is blank the lines that it is in, with the next line above that is not, else the next below.
fn with_content(text: &[u8], range: Range<usize>) -> Option<Range<usize>> {
    if !is_blank(&text[range.clone()]) {
        return Some(range);
    }
    let lines = whole_lines(text, &range);
    if !is_blank(&text[lines.clone()]) {
        return Some(lines);
    }
    let has_content = |at: &usize| !is_blank(&text[*at..line_end(text, *at)]);
    let mut upwards = std::iter::successors(above(text, lines.start), |at| above(text, *at));
    if let Some(start) = upwards.find(has_content) {
        return Some(start..lines.end);
    }
    let mut downwards = std::iter::successors(below(text, lines.end), |at| below(text, *at));
    downwards.find(has_content).map(|at| lines.start..line_end(text, at))
}

fn fits(quote: &[u8]) -> bool {
    quote.len() <= MOST_BYTES && Lines::new(quote).count() <= MOST_LINES
}

/// The first lines of `range` that fit into a quote, of a first line that is longer the first characters.
fn capped(text: &[u8], range: &Range<usize>) -> Range<usize> {
    let selected = &text[range.clone()];
    if fits(selected) {
        return range.clone();
    }
    let ends = Lines::new(selected).take(MOST_LINES).map(|line| line_end(selected, line.range().start));
    let length = ends.take_while(|end| *end <= MOST_BYTES).last().unwrap_or_else(|| {
        let is_inside = |at: &usize| selected.get(*at).is_some_and(|byte| byte & 0xc0 == 0x80);
        (MOST_BYTES - 3..=MOST_BYTES).rev().find(|at| !is_inside(at)).unwrap_or(MOST_BYTES)
    });
    range.start..range.start + length
}

/// `range` as whole lines, then with one line more below and above by turns.
fn widened(text: &[u8], range: &Range<usize>, step: usize) -> Range<usize> {
    let lines = whole_lines(text, range);
    if step == 1 {
        return lines;
    }
    let longer = || below(text, lines.end).map(|at| lines.start..line_end(text, at));
    let higher = || above(text, lines.start).map(|at| at..lines.end);
    let wider = if step.is_multiple_of(2) { longer().or_else(higher) } else { higher().or_else(longer) };
    wider.unwrap_or(lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::lines::line_index;

    #[test]
    fn lines_are_counted_from_the_top() {
        let text = b"a\r\nb\r\nc";
        assert_eq!((line_index(text, 4), crs_before(text, 4), crs_before(text, 2)), (1, 1, 1));
        assert_eq!([0, 3, 6].map(|at| line_end(text, at)), [1, 4, 7]);
    }
}
