//! `@@ -a,b +c,d @@ heading`: the first line of a hunk.

use crate::text::Span;

/// The four numbers of a hunk and where its heading stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HunkHeader {
    /// First line of the old side; 0 for a side that is empty at the start of the file. Saturates.
    pub old_start: u64,
    /// Number of lines of the old side. Saturates.
    pub old_lines: u64,
    /// First line of the new side, as for the old one.
    pub new_start: u64,
    /// Number of lines of the new side. Saturates.
    pub new_lines: u64,
    /// The text behind the second `@@`, trimmed; offsets count from the start of the line.
    pub heading: Span,
}

impl HunkHeader {
    /// Read `line` (without its terminator), or `None` when it has not this form. Two or more `@` are accepted.
    #[must_use]
    pub fn parse(line: &[u8]) -> Option<Self> {
        let mut rest = Cursor { line, at: 0 };
        rest.ats()?;
        rest.blanks()?;
        let (old_start, old_lines) = rest.side(b'-')?;
        rest.blanks()?;
        let (new_start, new_lines) = rest.side(b'+')?;
        rest.blanks()?;
        rest.ats()?;
        let heading = trimmed(line, rest.at)?;
        Some(Self { old_start, old_lines, new_start, new_lines, heading })
    }

    /// The numbers of the first line of the old and of the new side. A side without lines names the line in front of its
    /// place, and its first line would be the next one.
    #[must_use]
    pub fn first_lines(&self) -> (u64, u64) {
        let first = |start: u64, lines: u64| if lines == 0 { start.saturating_add(1) } else { start };
        (first(self.old_start, self.old_lines), first(self.new_start, self.new_lines))
    }
}

/// The bytes from `start` without white space at either end; `None` when the text does not begin with white space.
fn trimmed(line: &[u8], start: usize) -> Option<Span> {
    let rest = &line[start..];
    if rest.first().is_some_and(|byte| !byte.is_ascii_whitespace()) {
        return None;
    }
    let left = rest.len() - rest.trim_ascii_start().len();
    Some(Span::new(start + left, start + left.max(rest.trim_ascii_end().len())))
}

struct Cursor<'a> {
    line: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn run(&mut self, accept: impl Fn(u8) -> bool) -> usize {
        let len = self.line[self.at..].iter().take_while(|byte| accept(**byte)).count();
        self.at += len;
        len
    }

    fn ats(&mut self) -> Option<()> {
        (self.run(|byte| byte == b'@') >= 2).then_some(())
    }

    fn blanks(&mut self) -> Option<()> {
        (self.run(|byte| byte == b' ' || byte == b'\t') > 0).then_some(())
    }

    fn number(&mut self) -> Option<u64> {
        let start = self.at;
        (self.run(|byte| byte.is_ascii_digit()) > 0).then_some(())?;
        let digits = &self.line[start..self.at];
        Some(digits.iter().fold(0u64, |sum, digit| sum.saturating_mul(10).saturating_add(u64::from(digit - b'0'))))
    }

    fn side(&mut self, sign: u8) -> Option<(u64, u64)> {
        (self.run(|byte| byte == sign) == 1).then_some(())?;
        let start = self.number()?;
        let count = if self.line.get(self.at) == Some(&b',') {
            self.at += 1;
            self.number()?
        } else {
            1
        };
        Some((start, count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Option<(u64, u64, u64, u64, &str)> {
        let header = HunkHeader::parse(line.as_bytes())?;
        Some((header.old_start, header.old_lines, header.new_start, header.new_lines, &line[header.heading.range()]))
    }

    #[test]
    fn forms() {
        assert_eq!(parse("@@ -12,7 +12,12 @@ fn f()"), Some((12, 7, 12, 12, "fn f()")));
        assert_eq!(parse("@@ -1 +1 @@"), Some((1, 1, 1, 1, "")));
        assert_eq!(parse("@@ -0,0 +1,3 @@   "), Some((0, 0, 1, 3, "")));
        assert_eq!(parse("@@@ -1,2 +3,4 @@@  h  "), Some((1, 2, 3, 4, "h")));
        assert_eq!(parse("@@ -99999999999999999999 +1 @@"), Some((u64::MAX, 1, 1, 1, "")));
    }

    #[test]
    fn not_a_header_with_numbers() {
        for line in [
            "@@",
            "@@ @@",
            "@ -1 +1 @@",
            "@@ -1,2 @@",
            "@@ -1,2 +3,4",
            "@@@ -1,2 -1,2 +3,4 @@@",
            "@@ -1, +1 @@",
            "@@ -1 +1 @@x",
        ] {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
