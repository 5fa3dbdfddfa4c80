//! A finding for a person: the sentence, the place, and the line with carets under what it is about.
//!
//! The crates for this take text that is UTF-8, in one piece, and decide by themselves what a tab or a control character
//! looks like. Here a line is bytes, may be megabytes long, and goes to a terminal: it is drawn by [`Display`], as on the
//! screen of the reviewer, and only the window around the finding is looked at.

use std::ops::Range;

use super::{Diagnostic, Severity};
use crate::text::width::Display;

/// The columns that a line of text gets.
const COLUMNS: usize = 100;
/// The columns in front of what a finding is about, where the line has to be cut on the left.
const LEAD: usize = 30;

/// What a piece of a report is, for whoever gives it a colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// What weighs so much: the word for it, and the carets.
    Severity(Severity),
    /// The sentence.
    Message,
    /// What is around the text: place, line number, frame.
    Gutter,
}

/// The line that a finding is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt<'a> {
    /// What the text is called: a path.
    pub name: &'a str,
    /// The number of the line, from 1.
    pub line: u64,
    /// The column of the finding, in characters from 1.
    pub column: u64,
    /// The line, without what ends it.
    pub text: &'a [u8],
    /// The bytes of the line that the finding is about; what is empty stands for the rest of the line.
    pub range: Range<usize>,
    /// Further lines about it, such as the file and note.
    pub remarks: Vec<String>,
}

impl Excerpt<'_> {
    /// The report of `finding`, each line ended by LF. Everything in it is made visible; `paint` gives it its colours.
    #[must_use]
    pub fn render(&self, finding: &Diagnostic, display: Display, paint: impl Fn(Role, &str) -> String) -> String {
        let number = self.line.to_string();
        let indent = " ".repeat(number.len());
        let gutter = |text: &str| paint(Role::Gutter, text);
        let severity = Role::Severity(finding.severity);
        let label = format!("{}[{}]", finding.severity.as_str(), finding.code);
        let message = display.visible(&finding.message);
        let mut out = format!("{}{}\n", paint(severity, &label), paint(Role::Message, &format!(": {message}")));
        let place = format!("{}:{}:{}", display.visible(self.name), self.line, self.column);
        out += &format!("{indent}{} {place}\n", gutter("-->"));
        let (text, carets) = self.drawn(display);
        out += &format!("{indent} {}\n", gutter("|"));
        out += format!("{} {text}", gutter(&format!("{number} |"))).trim_end();
        out += &format!("\n{indent} {} {}\n", gutter("|"), paint(severity, &carets).trim_end());
        for remark in &self.remarks {
            out += &format!("{indent} {} {}\n", gutter("="), display.visible(remark));
        }
        out
    }

    /// The part of the line that is shown, and the carets under it with the blanks in front of them.
    fn drawn(&self, display: Display) -> (String, String) {
        let start = self.range.start.min(self.text.len());
        let rest = self.text.trim_ascii_end().len().max(start);
        let end = if self.range.is_empty() { rest } else { self.range.end.clamp(start, rest) };
        let first = display.column_of(self.text, start);
        // One column too many is enough to know that the carets go on to the edge.
        let skip = if first + LEAD < COLUMNS { 0 } else { first - LEAD };
        let cells = display.cells(self.text, skip, COLUMNS);
        let is_marked = |source: &Range<usize>| source.start < end && source.end > start;
        let width: usize =
            cells.iter().filter(|cell| is_marked(&cell.source)).map(|cell| usize::from(cell.columns)).sum();
        let carets = " ".repeat(first - skip) + &"^".repeat(width.max(1));
        (cells.into_iter().map(|cell| cell.text).collect(), carets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::width::Glyphs;

    fn render(text: &[u8], range: Range<usize>) -> String {
        let finding = Diagnostic {
            code: "some-code",
            severity: Severity::Warning,
            range: 0..0,
            message: "One\x1bsentence.".to_owned(),
            fix: None,
        };
        let excerpt = Excerpt { name: "a.whymark", line: 12, column: 3, text, range, remarks: vec!["in a".to_owned()] };
        excerpt.render(&finding, Display::new(4, Glyphs::Ascii), |_, text| text.to_owned())
    }

    #[test]
    fn carets_stand_under_the_text() {
        let want = "warning[some-code]: One^[sentence.\n  --> a.whymark:12:3\n   |\n12 | @note +2..9 x\n   |       ^^^^^\n   = in a\n";
        assert_eq!(render(b"@note +2..9 x", 6..11), want);
    }

    #[test]
    fn every_byte_has_its_columns() {
        for (text, range, shown, carets) in [
            (&b"a\tb"[..], 2..3, "a   b", "    ^"),
            ("日x".as_bytes(), 3..4, "日x", "  ^"),
            (b"a\xff\x1bb", 1..3, "a?^[b", " ^^^"),
            (b"title: x", 0..0, "title: x", "^^^^^^^^"),
            (b"a  ", 0..9, "a", "^"),
            (b"ab", 2..2, "ab", "  ^"),
            (b"", 0..0, "", "^"),
        ] {
            let report = render(text, range);
            let lines: Vec<_> = report.lines().collect();
            assert_eq!(
                lines[3..5],
                [format!("12 | {shown}").trim_end().to_owned(), format!("   | {carets}")],
                "{report}"
            );
        }
    }

    #[test]
    fn long_lines_are_cut_around_the_text() {
        let text = [&[b'x'; 4000][..], b"needle", &[b'y'; 4000]].concat();
        let report = render(&text, 4000..4006);
        let lines: Vec<_> = report.lines().collect();
        assert_eq!(lines[3].len(), "12 | ".len() + COLUMNS);
        let at = lines[3].find("needle").expect("it is shown");
        assert_eq!(lines[4][at..], *"^^^^^^");
    }
}
