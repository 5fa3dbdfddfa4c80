//! The reader (sections 3 to 6 of the format): one pass over the lines, which never looks back further than a segment.

use bytes::Bytes;
use bytestring::ByteString;

use super::finding::{Finding, Problem};
use super::grammar::{self, FENCE};
use super::line::{self, LineClass, Lines, trim_end};
use super::record::{Entry, KNOWN_OF_FILE, current_keyword, is_known};
use super::{Markback, Tail};
use crate::text::Span;

/// Read `text`.
pub(super) fn parse(text: Bytes) -> Markback {
    let Ok(readable) = ByteString::try_from(text.clone()) else { return unreadable(text) };
    let mut parser = Parser::new(&readable);
    for span in line::split(readable.as_bytes()) {
        parser.line(span);
    }
    let tail = parser.finish();
    let Parser { lines, entries, mut findings, is_listing, .. } = parser;
    findings.sort_by_key(|finding| finding.line);
    Markback { text, readable, lines, entries, findings, is_listing, tail }
}

/// A file that is not UTF-8: lines, and one finding about all of it.
fn unreadable(text: Bytes) -> Markback {
    let mut lines = Lines::default();
    line::split(&text).for_each(|span| lines.push(span, LineClass::Content));
    let findings = vec![Finding::of_file(Problem::NotUtf8)];
    let (readable, tail) = (ByteString::new(), Tail::Unreadable);
    Markback { text, readable, lines, entries: Vec::new(), findings, is_listing: false, tail }
}

struct Parser<'a> {
    text: &'a str,
    lines: Lines,
    entries: Vec<Entry>,
    findings: Vec<Finding>,
    /// Whether all records so far name a file and have no content.
    is_listing: bool,
    /// Whether a `%` line would still be a file header.
    at_top: bool,
    segment: Segment,
    /// The first record of the section, and whether it names a file.
    section: Option<(u32, bool)>,
    /// The fence in which we are.
    fence: Option<Fence>,
    /// How many blank lines are right above, fences aside.
    blanks: u32,
}

/// A fence that is open.
#[derive(Clone, Copy)]
struct Fence {
    /// The line that opened it.
    opener: u32,
    /// Whether nothing stands in it.
    is_empty: bool,
}

/// What has been read of a record before its feedback. Numbers are indices of lines.
#[derive(Default)]
struct Segment {
    has_headers: bool,
    has_file: bool,
    /// Whether a blank line has ended the headers.
    headers_over: bool,
    /// The first line of the content.
    content: Option<u32>,
    start: u32,
    /// The first line that belongs to the record.
    first: Option<u32>,
}

impl Segment {
    fn new(start: u32) -> Self {
        Self { start, ..Self::default() }
    }

    fn is_empty(&self) -> bool {
        !self.has_headers && self.content.is_none()
    }
}

/// A count of lines or records: a text has fewer than it has bytes, which 32 bits can count.
fn number(count: usize) -> u32 {
    u32::try_from(count).expect("a text is smaller than 4 GiB")
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            lines: Lines::default(),
            entries: Vec::new(),
            findings: Vec::new(),
            is_listing: true,
            at_top: true,
            segment: Segment::default(),
            section: None,
            fence: None,
            blanks: 0,
        }
    }

    /// Report a problem of the line `index`, as a part of it that starts at `from` and is `len` bytes long.
    fn report_part(&mut self, problem: Problem, index: u32, from: usize, len: usize) {
        let start = self.content(index).start as usize + from;
        let at = Span::new(start, start + len);
        self.findings.push(Finding { problem, at, line: Some(index), record: None });
    }

    fn report(&mut self, problem: Problem, index: u32) {
        let at = self.content(index);
        self.findings.push(Finding { problem, at, line: Some(index), record: None });
    }

    /// A line that has been read, without its terminator.
    #[inline]
    fn content(&self, index: u32) -> Span {
        line::content(self.lines.span(index), self.text.as_bytes())
    }

    fn line(&mut self, span: Span) {
        let index = number(self.lines.len());
        let content = &self.text[line::content(span, self.text.as_bytes()).range()];
        let line = trim_end(content);
        let class = self.class(line);
        self.lines.push(span, class);
        if line.len() < content.len() {
            self.report_part(Problem::TrailingBlanks, index, line.len(), content.len() - line.len());
        }
        self.at_top &= matches!(class, LineClass::FileHeader | LineClass::Blank);
        if class == LineClass::Blank {
            self.blanks += 1;
            self.segment.headers_over |= self.segment.has_headers;
            return;
        }
        self.end_blanks(index, class == LineClass::Content && self.segment.content.is_some());
        match class {
            LineClass::FileHeader => self.file_header(index, line),
            LineClass::Compact => self.compact(index, line),
            LineClass::Header => self.header(index, line),
            LineClass::Feedback => self.feedback(index, grammar::feedback(line)),
            LineClass::Separator => {
                self.drop_unfinished();
                self.section = None;
                self.segment = Segment::new(index + 1);
            }
            LineClass::Content => {
                self.segment.first.get_or_insert(index);
                self.segment.content.get_or_insert(index);
            }
            LineClass::FenceBody => {
                if let Some(fence) = &mut self.fence {
                    fence.is_empty &= line.is_empty();
                }
            }
            LineClass::FenceEnd => self.close_fence(index),
            LineClass::Blank => {}
        }
    }

    /// The class of `line` in the place where it stands.
    #[inline]
    fn class(&self, line: &str) -> LineClass {
        if self.fence.is_some() {
            return if line == FENCE { LineClass::FenceEnd } else { LineClass::FenceBody };
        }
        match line::classify(line, self.at_top) {
            LineClass::Header if self.segment.content.is_some() || self.segment.headers_over => LineClass::Content,
            class => class,
        }
    }

    /// A run of blank lines ends in front of the line `next`; inside content it is data.
    fn end_blanks(&mut self, next: u32, in_content: bool) {
        let blanks = std::mem::take(&mut self.blanks);
        if blanks > 1 && !in_content {
            self.report(Problem::BlankLines, next - blanks + 1);
        }
    }

    fn file_header(&mut self, index: u32, line: &str) {
        match grammar::file_header(line) {
            None => self.report(Problem::MalformedFileHeader, index),
            Some(("markback", value)) if grammar::version(value).is_none() => self.report(Problem::BadVersion, index),
            Some((keyword, _)) if KNOWN_OF_FILE.contains(&keyword) => {}
            Some((keyword, _)) => self.report_part(Problem::UnknownKeyword, index, 0, keyword.len() + 1),
        }
    }

    fn header(&mut self, index: u32, line: &str) {
        let Some((written, value)) = grammar::header(line) else {
            return self.report(Problem::MalformedHeader, index);
        };
        let keyword = current_keyword(written);
        if keyword != written {
            self.report_part(Problem::OldName, index, 0, written.len() + 1);
        }
        if keyword == "action" && grammar::action(value).is_none() {
            return self.report(Problem::ActionWithoutTime, index);
        }
        if !is_known(keyword) {
            self.report_part(Problem::UnknownKeyword, index, 0, written.len() + 1);
        }
        self.segment.has_file |= keyword == "file";
        self.segment.has_headers = true;
        self.segment.first.get_or_insert(index);
    }

    fn compact(&mut self, index: u32, line: &str) {
        let Some(compact) = grammar::compact(line) else {
            self.report(Problem::MalformedCompact, index);
            self.segment = Segment::new(index + 1);
            return;
        };
        if self.segment.content.is_some() {
            self.drop_unfinished();
            self.segment = Segment::new(index);
        }
        if compact.keyword != "file" {
            self.report_part(Problem::OldName, index, 0, compact.keyword.len() + 1);
        }
        self.segment.has_headers = true;
        self.segment.has_file = true;
        self.feedback(index, compact.feedback);
    }

    fn feedback(&mut self, index: u32, feedback: &str) {
        if self.segment.is_empty() && self.section.is_some() {
            self.report(Problem::SecondFeedback, index);
        }
        self.segment.first.get_or_insert(index);
        match feedback {
            FENCE => self.fence = Some(Fence { opener: index, is_empty: true }),
            _ => self.close(index, index, feedback.is_empty()),
        }
    }

    /// The fence ends with the line `end`.
    fn close_fence(&mut self, end: u32) {
        if let Some(Fence { opener, is_empty }) = self.fence.take() {
            self.close(opener, end, is_empty);
        }
    }

    /// The segment ends with the feedback on the lines from `feedback` to `end`.
    fn close(&mut self, feedback: u32, end: u32, is_empty: bool) {
        if is_empty {
            self.report(Problem::EmptyFeedback, feedback);
        }
        let Segment { has_file, content, start, first, .. } =
            std::mem::replace(&mut self.segment, Segment::new(end + 1));
        let (section, section_has_file) = *self.section.get_or_insert((number(self.entries.len()), has_file));
        self.is_listing &= content.is_none() && (has_file || section_has_file);
        self.entries.push(Entry { start, first: first.unwrap_or(feedback), feedback, end, section });
    }

    /// Forget what no feedback has closed, and say so.
    fn drop_unfinished(&mut self) {
        match self.segment.content {
            Some(stray) if !self.segment.has_headers && self.section.is_some() => {
                self.report(Problem::StrayContent, stray);
            }
            None if !self.segment.has_headers => {}
            _ => self.report(Problem::NoFeedback, self.segment.start),
        }
    }

    /// The text is over.
    fn finish(&mut self) -> Tail {
        let end = number(self.lines.len());
        self.end_blanks(end, false);
        if let Some(Fence { opener, .. }) = self.fence {
            self.report(Problem::OpenFence, opener);
            self.close_fence(end - 1);
            return Tail::OpenFence;
        }
        self.drop_unfinished();
        match self.section {
            _ if !self.segment.is_empty() => Tail::Unfinished,
            Some((first, _)) => Tail::Section(first),
            None if self.at_top => Tail::Top,
            None => Tail::NewSection,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markback::{FileHeaders, Header, Record};

    /// `id|by|file|content|feedback` of every record, absent ones empty.
    fn records(text: &str) -> Vec<String> {
        let show = |record: Record<'_>| {
            let parts = [&record.id, &record.by, &record.file, &record.content];
            let parts: Vec<&str> = parts.into_iter().map(|part| part.as_deref().unwrap_or("")).collect();
            format!("{}|{}", parts.join("|"), record.feedback)
        };
        Markback::parse(text.to_owned()).records().map(show).collect()
    }

    /// `CODE:line` of every finding, those about layout aside.
    fn codes(text: &str) -> String {
        let file = Markback::parse(text.to_owned());
        let found = file.findings().iter().filter(|finding| !["W004", "W005"].contains(&finding.rule().code));
        found
            .map(|finding| format!("{}:{}", finding.rule().code, finding.line.unwrap() + 1))
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn records_and_sections() {
        for (text, expected) in [
            ("", &[][..]),
            ("<<< x", &["||||x"]),
            ("@id a\n@file f\n\n c \n\n\nd\n\n<<<  x", &["a||f| c \n\n\nd|x"]),
            ("@file f\n@by b\n\none\n<<< 1\n\ntwo\n<<< 2\n---\n<<< 3", &["|b|f|one|1", "|b|f|two|2", "||||3"]),
            ("@file f\n\n1\n<<< 1\n@id s\n@file g\n\n2\n<<< 2\n\n3\n<<< 3", &["||f|1|1", "s||g|2|2", "||f|3|3"]),
            ("@file a <<< x\n@file b <<< y\n\ntext\n<<< z", &["||a||x", "||b||y", "||a|text|z"]),
            ("@by b\n\n\n@file a <<< x\n\n@id i\n@file c <<< y", &["|b|a||x", "i|b|c||y"]),
            ("@id a\n\n@by c\n<<< x", &["a|||@by c|x"]),
            ("text\n@id a\n<<< x", &["|||text\n@id a|x"]),
            ("<<< \"\"\"\n\n a\n---\n<<< b \n\"\"\"  \n<<< c", &["||||\n a\n---\n<<< b ", "||||c"]),
            ("<<< \"\"\" no fence", &["||||\"\"\" no fence"]),
            ("@uri a\n@source f\n<<< x\n@source g <<< y", &["a||f||x", "||g||y"]),
            ("\u{feff}@id a\r\n\r\nx\ry\r\n<<< z", &["a|||x\ny|z"]),
            ("---\n%scope x\n<<< y", &["|||%scope x|y"]),
        ] {
            assert_eq!(records(text), expected, "{text:?}");
        }
    }

    #[test]
    fn what_is_reported() {
        for (text, expected) in [
            ("@id a\n\nb\n<<< c\n", ""),
            ("@id a\n", "E001:1"),
            ("@action a b\n---\n<<< x", "E001:1"),
            ("<<< a\n\n@by b\n", "E001:2"),
            ("<<< a\n\nstray\n", "E004:3"),
            ("stray\n@file a <<< b", "E001:1"),
            ("<<< a\nstray\n@file a <<< b", "E004:2"),
            ("<<< a\n<<< b", "E002:2"),
            ("@file a <<< b\n<<< c\n", "E002:2"),
            ("@id a\n@file b <<<x\n<<< c", "E006:2"),
            ("@ID a\n<<< b", "E006:1"),
            ("%markback two\n%50 off\n%new x\n<<< a", "E006:1 E006:2 W002:3"),
            ("<<<\n---\n@file a <<<\n---\n<<< \"\"\"\n \n\"\"\"", "E009:1 E009:3 E009:5"),
            ("<<< \"\"\"\na", "E012:1"),
            ("<<< \"\"\"", "E009:1 E012:1"),
            ("@uri a\n@prior b\n@source c <<< d", "W010:1 W010:2 W010:3"),
            ("@action done\n@odd x\n<<< a", "W012:1 W002:2"),
        ] {
            let mut found: Vec<_> = codes(text).split(' ').map(str::to_owned).collect();
            let mut expected: Vec<_> = expected.split(' ').map(str::to_owned).collect();
            found.sort();
            expected.sort();
            assert_eq!(found, expected, "{text:?}");
        }
    }

    #[test]
    fn the_lines_of_a_record() {
        let text = "%markback 2\n\n@id a\n\nx\n<<< \"\"\"\ny\n\"\"\"\n\n@file f <<< z\nstray\n@file g <<< z";
        let file = Markback::parse(text);
        let lines: Vec<_> = file.entries().iter().map(|e| (e.start, e.first, e.feedback, e.end)).collect();
        assert_eq!(lines, [(0, 2, 5, 7), (8, 9, 9, 9), (11, 11, 11, 11)]);
        assert_eq!(file.span(&file.entries()[1]).of(text.as_bytes()), b"@file f <<< z\n");
    }

    #[test]
    fn file_headers_end_with_the_first_other_line() {
        let file = Markback::parse("%markback 2\n\n%scope a  b\n%scope c\n%covers ./a b/*\n%x-y z\n@id a\n<<< x\n");
        let unknown = vec![Header { keyword: "x-y".into(), value: "z".into() }];
        let (covers, scope) = (Some("./a b/*".into()), vec!["c".into()]);
        assert_eq!(file.headers(), FileHeaders { version: Some("2".into()), scope, covers, unknown });
    }

    #[test]
    fn bytes_that_are_not_utf8_are_one_finding() {
        let file = Markback::parse(b"@id a\n<<< \xff\n".to_vec());
        assert_eq!((file.entries().len(), file.findings().len(), file.lines().count()), (0, 1, 2));
        assert_eq!(file.findings()[0].rule().code, "E006");
    }
}
