//! The lines of a patch, one after the other. Only LF ends a line.

use memchr::memchr;

/// Where the reading is.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
    number: u64,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0, number: 1 }
    }

    /// The number of the line that comes next, from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// The next line without its LF; `None` at the end.
    pub(super) fn peek(&self) -> Option<&'a [u8]> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        Some(&rest[..memchr(b'\n', rest).unwrap_or(rest.len())])
    }

    /// The line after the next.
    pub(super) fn second(&self) -> Option<&'a [u8]> {
        let mut ahead = self.clone();
        ahead.advance();
        ahead.peek()
    }

    /// Go on by a line.
    pub(super) fn advance(&mut self) {
        if let Some(line) = self.peek() {
            self.at += line.len() + 1;
            self.number += 1;
        }
    }

    /// The next line, if `wanted` says so; then it is read.
    pub(super) fn next_if(&mut self, wanted: impl FnOnce(&[u8]) -> bool) -> Option<&'a [u8]> {
        let line = self.peek().filter(|line| wanted(line))?;
        self.advance();
        Some(line)
    }
}
