//! The rows of long lines, remembered.
//!
//! Whoever walks a screen asks for the rows of the same line many times, each time from its start. For lines that fill a
//! screen several times the places where rows begin are kept; what a line is about is its text, so nothing can be outdated.

use std::cell::RefCell;

use super::width::{Display, LineRows};

/// Lines shorter than this are wrapped faster than they are found; in bytes.
const LONG: usize = 4096;
/// Lines longer than this are not kept; in bytes.
const TOO_LONG: usize = 8 << 20;
/// How many lines are kept: those that a screen shows of both sides, and their neighbours.
const MOST: usize = 4;

/// The long lines that were wrapped last.
#[derive(Debug, Default)]
pub struct Wrapped(RefCell<Vec<Known>>);

#[derive(Debug)]
struct Known {
    line: Box<[u8]>,
    display: Display,
    columns: usize,
    /// Where rows begin, as far as somebody has asked.
    starts: Vec<u32>,
    /// Whether these are all.
    is_whole: bool,
}

impl Wrapped {
    /// How many rows `line` has in a window of `columns` columns; at most `most` are counted.
    pub fn count(&self, display: Display, line: &[u8], columns: usize, most: usize) -> usize {
        let known = self.with(display, line, columns, |known| {
            known.reach(most);
            known.starts.len().min(most)
        });
        known.unwrap_or_else(|| display.rows(line, columns).take(most).count())
    }

    /// The rows of `line` from the one with index `first` on.
    pub fn rows_from<'a>(&self, display: Display, line: &'a [u8], columns: usize, first: usize) -> LineRows<'a> {
        let rows = display.rows(line, columns);
        let known = self.with(display, line, columns, |known| {
            known.reach(first.saturating_add(1));
            known.starts.get(first).map(|start| *start as usize)
        });
        known.map_or_else(|| rows.clone().without(first), |start| rows.clone().starting_at(start))
    }

    /// What `look` finds out about a line that is kept, or is to be from now on; `None`: it is not kept.
    fn with<T>(&self, display: Display, line: &[u8], columns: usize, look: impl FnOnce(&mut Known) -> T) -> Option<T> {
        if !(LONG..=TOO_LONG).contains(&line.len()) {
            return None;
        }
        let mut lines = self.0.borrow_mut();
        let is_it = |known: &Known| (known.display, known.columns, &*known.line) == (display, columns, line);
        let known = match lines.iter().position(is_it) {
            Some(index) => lines.remove(index),
            None => {
                lines.truncate(MOST - 1);
                Known { line: line.into(), display, columns, starts: vec![0], is_whole: false }
            }
        };
        lines.insert(0, known);
        lines.first_mut().map(look)
    }
}

impl Known {
    /// Find where the first `count` rows begin.
    fn reach(&mut self, count: usize) {
        let Some(last) = self.starts.last().filter(|_| !self.is_whole && self.starts.len() < count) else { return };
        let rows = self.display.rows(&self.line, self.columns).starting_at(Some(*last as usize));
        let missing = count - self.starts.len();
        let found = rows.skip(1).take(missing).filter_map(|row| u32::try_from(row.start).ok());
        let found: Vec<u32> = found.collect();
        self.is_whole = found.len() < missing;
        self.starts.extend(found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::width::Glyphs;

    #[test]
    fn the_rows_are_those_of_the_line() {
        let wrapped = Wrapped::default();
        let display = Display::new(4, Glyphs::Unicode);
        let lines = ["漢字".repeat(3000), "word and word\t".repeat(900), "short".to_owned(), String::new()];
        for columns in [7, 80, 7, 10_000_000] {
            for line in &lines {
                let line = line.as_bytes();
                let all: Vec<_> = display.rows(line, columns).collect();
                for first in [0, 1, 100, 40, all.len() - 1, all.len(), usize::MAX] {
                    let from: Vec<_> = wrapped.rows_from(display, line, columns, first).collect();
                    assert_eq!(from, all.get(first..).unwrap_or_default(), "{columns} {first}");
                    assert_eq!(wrapped.count(display, line, columns, first), all.len().min(first), "{columns} {first}");
                }
            }
        }
    }

    #[test]
    fn few_lines_are_kept_and_no_more_of_them_than_was_asked_for() {
        let wrapped = Wrapped::default();
        let display = Display::new(4, Glyphs::Unicode);
        for letter in "abcdefgh".chars() {
            let line = letter.to_string().repeat(LONG);
            assert_eq!(wrapped.count(display, line.as_bytes(), 8, 3), 3);
        }
        let lines = wrapped.0.borrow();
        assert_eq!(lines.len(), MOST);
        assert!(lines[0].line.starts_with(b"h") && lines.iter().all(|known| known.starts.len() == 3));
    }
}
