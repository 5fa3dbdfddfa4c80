//! Lines with their terminators kept. Only LF ends a line; what a CR means depends on the text's [`Newline`].

use memchr::memchr;

use super::Span;

/// How the lines of a text end, decided by its first line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Newline {
    /// LF. A CR is content.
    #[default]
    Lf,
    /// CRLF: one CR before each LF (or at the very end) belongs to the terminator.
    CrLf,
}

impl Newline {
    /// What the first line of `text` ends with; LF when nothing ends it.
    #[must_use]
    pub fn detect(text: &[u8]) -> Self {
        match memchr(b'\n', text) {
            Some(at) if at > 0 && text[at - 1] == b'\r' => Self::CrLf,
            _ => Self::Lf,
        }
    }

    /// The bytes that end a line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
        }
    }

    /// `line` without its terminator.
    #[must_use]
    #[inline]
    pub fn content(self, line: &[u8]) -> &[u8] {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        match self {
            Self::Lf => line,
            Self::CrLf => line.strip_suffix(b"\r").unwrap_or(line),
        }
    }
}

/// The lines of a text as spans, terminators included: joined in order they are the text.
#[derive(Debug, Clone)]
pub struct Lines<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Lines<'a> {
    /// The lines from `start` to the end of `text`.
    #[must_use]
    pub fn from(text: &'a [u8], start: usize) -> Self {
        Self { text, at: start }
    }

    /// The lines of `text`.
    #[must_use]
    pub fn new(text: &'a [u8]) -> Self {
        Self::from(text, 0)
    }
}

impl Iterator for Lines<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        let rest = &self.text[self.at..];
        if rest.is_empty() {
            return None;
        }
        let len = memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
        let span = Span::new(self.at, self.at + len);
        self.at += len;
        Some(span)
    }
}

/// The number of the line that holds the byte at `offset`, counted from 0.
#[must_use]
pub fn line_index(text: &[u8], offset: usize) -> usize {
    memchr::memchr_iter(b'\n', &text[..offset.min(text.len())]).count()
}

/// The start of the line that holds the byte at `offset`.
#[must_use]
pub fn line_start(text: &[u8], offset: usize) -> usize {
    memchr::memrchr(b'\n', &text[..offset.min(text.len())]).map_or(0, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<&str> {
        Lines::new(text.as_bytes()).map(|span| &text[span.range()]).collect()
    }

    #[test]
    fn terminators_are_kept_and_only_lf_ends_a_line() {
        assert_eq!(lines("a\r\nb\rc\n\nd"), ["a\r\n", "b\rc\n", "\n", "d"]);
        assert_eq!(lines(""), [""; 0]);
    }

    #[test]
    fn the_first_line_decides_what_a_cr_is() {
        assert_eq!(Newline::detect(b"a\r\nb\n"), Newline::CrLf);
        assert_eq!(Newline::detect(b"a\nb\r\n"), Newline::Lf);
        assert_eq!(Newline::detect(b"\n"), Newline::Lf);
        assert_eq!(Newline::CrLf.content(b"a\r\r\n"), b"a\r");
        assert_eq!(Newline::Lf.content(b"a\r\n"), b"a\r");
        assert_eq!(Newline::CrLf.content(b"a\r"), b"a");
    }

    #[test]
    fn offsets_to_lines() {
        let text = b"ab\ncd\n";
        assert_eq!((line_index(text, 0), line_index(text, 2), line_index(text, 3), line_index(text, 99)), (0, 0, 1, 2));
        assert_eq!((line_start(text, 4), line_start(text, 6), line_start(text, 1)), (3, 6, 0));
    }
}
