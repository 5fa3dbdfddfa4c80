//! The reader (sections 3 to 6 of the format): one pass over the lines, which never looks back further than a segment.

use bytes::Bytes;

use super::grammar::{self, FENCE};
use super::line::{self, Line, LineClass, is_blank};
use super::record::{Entry, Header, Record};
use super::{FileHeaders, Markback, Tail};
use crate::diagnostic::{Diagnostic, Severity};
use crate::text::Span;

/// Read `text`.
pub(super) fn parse(text: Bytes) -> Markback {
    let Ok(readable) = std::str::from_utf8(&text) else { return unreadable(text) };
    let mut parser = Parser::new(readable);
    for span in line::split(readable.as_bytes()) {
        parser.line(span);
    }
    let tail = parser.finish();
    let Parser { lines, headers, entries, mut diagnostics, .. } = parser;
    diagnostics.sort_by_key(|finding| finding.range.start);
    Markback { lines, headers, entries, diagnostics, tail, text }
}

/// A file that is not UTF-8: lines, and one finding about all of it.
fn unreadable(text: Bytes) -> Markback {
    let lines = line::split(&text).map(|span| Line { span, class: LineClass::Content }).collect();
    let finding = Diagnostic {
        code: "E006",
        severity: Severity::Error,
        range: 0..text.len(),
        message: "the file is not UTF-8; save it as UTF-8".to_owned(),
        fix: None,
    };
    let (headers, entries) = (FileHeaders::default(), Vec::new());
    Markback { lines, headers, entries, diagnostics: vec![finding], tail: Tail::Unreadable, text }
}

struct Parser<'a> {
    text: &'a str,
    lines: Vec<Line>,
    headers: FileHeaders,
    entries: Vec<Entry>,
    diagnostics: Vec<Diagnostic>,
    /// Whether a `%` line would still be a file header.
    at_top: bool,
    segment: Segment,
    /// The first record of the section.
    section: Option<usize>,
    /// The line that opened the fence in which we are.
    fence: Option<usize>,
}

/// What has been read of a record before its feedback. Numbers are indices of lines.
#[derive(Default)]
struct Segment {
    record: Record,
    has_headers: bool,
    /// Whether a blank line has ended the headers.
    headers_over: bool,
    /// The first and the last line of the content.
    content: Option<(usize, usize)>,
    start: usize,
    /// The first line that belongs to the record.
    first: Option<usize>,
}

impl Segment {
    fn new(start: usize) -> Self {
        Self { start, ..Self::default() }
    }

    fn is_empty(&self) -> bool {
        !self.has_headers && self.content.is_none()
    }
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            lines: Vec::new(),
            headers: FileHeaders::default(),
            entries: Vec::new(),
            diagnostics: Vec::new(),
            at_top: true,
            segment: Segment::default(),
            section: None,
            fence: None,
        }
    }

    fn content(&self, index: usize) -> &'a str {
        &self.text[self.lines[index].content(self.text.as_bytes()).range()]
    }

    fn report(&mut self, code: &'static str, index: usize, message: impl Into<String>) {
        let severity = if code.starts_with('E') { Severity::Error } else { Severity::Warning };
        let range = self.lines[index].content(self.text.as_bytes()).range();
        self.diagnostics.push(Diagnostic { code, severity, range, message: message.into(), fix: None });
    }

    fn line(&mut self, span: Span) {
        let index = self.lines.len();
        self.lines.push(Line { span, class: LineClass::Blank });
        let line = self.content(index).trim_end_matches(is_blank);
        let class = self.class(line);
        self.lines[index].class = class;
        self.at_top &= matches!(class, LineClass::FileHeader | LineClass::Blank);
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
            LineClass::Blank => self.segment.headers_over |= self.segment.has_headers,
            LineClass::Content => {
                self.segment.first.get_or_insert(index);
                self.segment.content.get_or_insert((index, index)).1 = index;
            }
            LineClass::FenceBody => {}
            LineClass::FenceEnd => self.close_fence(index),
        }
    }

    /// The class of `line` in the place where it stands.
    fn class(&self, line: &str) -> LineClass {
        if self.fence.is_some() {
            return if line == FENCE { LineClass::FenceEnd } else { LineClass::FenceBody };
        }
        match line::classify(line, self.at_top) {
            LineClass::Header if self.segment.content.is_some() || self.segment.headers_over => LineClass::Content,
            class => class,
        }
    }

    fn file_header(&mut self, index: usize, line: &str) {
        match grammar::file_header(line) {
            None => self.report("E006", index, "not a file header: write `%keyword value`, in lower case"),
            Some(("markback", value)) => match version(value) {
                Some(version) => self.headers.version = Some(version),
                None => self.report("E006", index, "`%markback` needs a version number, such as 2"),
            },
            Some(("scope", value)) => self.headers.scope = grammar::tokens(value).map(str::to_owned).collect(),
            Some(("covers", value)) => self.headers.covers = Some(value.to_owned()).filter(|glob| !glob.is_empty()),
            Some((keyword, value)) => {
                self.report("W002", index, format!("`%{keyword}` is not a file header of the format; it is kept"));
                self.headers.unknown.push(Header { keyword: keyword.to_owned(), value: value.to_owned() });
            }
        }
    }

    fn header(&mut self, index: usize, line: &str) {
        let Some((written, value)) = grammar::header(line) else {
            return self.report("E006", index, "not a header: write `@keyword value`, in lower case");
        };
        let keyword = current_keyword(written);
        if keyword != written {
            self.report("W010", index, format!("`@{written}` is the old name of `@{keyword}`"));
        }
        let record = &mut self.segment.record;
        match keyword {
            "id" => record.id = Some(value.to_owned()),
            "reply-to" => record.reply_to = Some(value.to_owned()),
            "by" => record.by = Some(value.to_owned()),
            "input" => record.input = Some(value.to_owned()),
            "file" => record.file = Some(value.to_owned()),
            "tag" => record.tags.extend(grammar::tokens(value).map(str::to_owned)),
            "action" => match grammar::action(value) {
                Some(action) => record.actions.push(action),
                None => return self.report("W012", index, "`@action` needs a verb and a time; the line is skipped"),
            },
            _ => {
                record.unknown.push(Header { keyword: keyword.to_owned(), value: value.to_owned() });
                self.report("W002", index, format!("`@{keyword}` is not a header of the format; it is kept"));
            }
        }
        self.segment.has_headers = true;
        self.segment.first.get_or_insert(index);
    }

    fn compact(&mut self, index: usize, line: &str) {
        let Some(compact) = grammar::compact(line) else {
            self.report("E006", index, "not a compact record: write `@file PATH <<< feedback`");
            self.segment = Segment::new(index + 1);
            return;
        };
        if self.segment.content.is_some() {
            self.drop_unfinished();
            self.segment = Segment::new(index);
        }
        if compact.keyword != "file" {
            self.report("W010", index, "`@source` is the old name of `@file`");
        }
        self.segment.has_headers = true;
        self.segment.record.file = Some(compact.path.to_owned());
        self.feedback(index, compact.feedback);
    }

    fn feedback(&mut self, index: usize, feedback: &str) {
        if self.segment.is_empty() && self.section.is_some() {
            self.report("E002", index, "a second `<<<` for the same record; separate records with `---`");
        }
        self.segment.first.get_or_insert(index);
        match feedback {
            FENCE => self.fence = Some(index),
            _ => self.close(index, index, feedback.to_owned()),
        }
    }

    /// The fence ends with the line `end`, which is not part of it.
    fn close_fence(&mut self, end: usize) {
        let Some(opener) = self.fence.take() else { return };
        let body: Vec<&str> = (opener + 1..end).map(|index| self.content(index)).collect();
        let last = end.min(self.lines.len() - 1);
        self.close(opener, last, body.join("\n"));
    }

    /// The segment ends with `feedback`, which stands on the lines from `opener` to `end`.
    fn close(&mut self, opener: usize, end: usize, feedback: String) {
        let is_empty = feedback.chars().all(is_blank);
        if is_empty {
            self.report("E009", opener, "the feedback is empty");
        }
        let Segment { mut record, content, start, first, .. } =
            std::mem::replace(&mut self.segment, Segment::new(end + 1));
        record.feedback = if is_empty { String::new() } else { feedback };
        record.content = content.map(|(first, last)| {
            let lines: Vec<&str> = (first..=last).map(|index| self.content_line(index)).collect();
            lines.join("\n")
        });
        match self.section {
            Some(first) => record.inherit(&self.entries[first].record),
            None => self.section = Some(self.entries.len()),
        }
        self.entries.push(Entry { record, start, first: first.unwrap_or(opener), feedback: opener, end });
    }

    /// A line between the first and the last of a content; a blank one is empty there.
    fn content_line(&self, index: usize) -> &'a str {
        match self.lines[index].class {
            LineClass::Blank => "",
            _ => self.content(index),
        }
    }

    /// Forget what no feedback has closed, and say so.
    fn drop_unfinished(&mut self) {
        match self.segment.content {
            Some((stray, _)) if !self.segment.has_headers && self.section.is_some() => {
                self.report("E004", stray, "text behind the feedback of a record; end it with `<<<` or remove it");
            }
            None if !self.segment.has_headers => {}
            _ => self.report("E001", self.segment.start, "a record without feedback; end it with a line `<<< …`"),
        }
    }

    /// The text is over.
    fn finish(&mut self) -> Tail {
        if let Some(opener) = self.fence {
            self.report("E012", opener, "the fence is never closed; end it with a line `\"\"\"`");
            self.close_fence(self.lines.len());
            return Tail::OpenFence;
        }
        self.drop_unfinished();
        match self.section {
            _ if !self.segment.is_empty() => Tail::Unfinished,
            Some(first) => Tail::Section(first),
            None if self.at_top => Tail::Top,
            None => Tail::NewSection,
        }
    }
}

/// ASCII digits; saturates.
fn version(value: &str) -> Option<u64> {
    let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| value.parse().unwrap_or(u64::MAX))
}

/// The keyword that took the place of one of version 1, or `keyword` itself.
pub(super) fn current_keyword(keyword: &str) -> &str {
    match keyword {
        "uri" => "id",
        "source" => "file",
        "prior" => "input",
        current => current,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `id|by|file|content|feedback` of every record, absent ones empty.
    fn records(text: &str) -> Vec<String> {
        let show = |record: &Record| {
            let parts = [&record.id, &record.by, &record.file, &record.content];
            let parts: Vec<&str> = parts.into_iter().map(|part| part.as_deref().unwrap_or("")).collect();
            format!("{}|{}", parts.join("|"), record.feedback)
        };
        Markback::parse(text.to_owned()).records().map(show).collect()
    }

    /// `CODE:line` of every finding.
    fn codes(text: &str) -> String {
        let file = Markback::parse(text.to_owned());
        let line = |at: usize| file.lines().iter().position(|line| line.span.range().contains(&at)).unwrap_or(0) + 1;
        let found = file.diagnostics().iter().map(|finding| format!("{}:{}", finding.code, line(finding.range.start)));
        found.collect::<Vec<_>>().join(" ")
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
        let unknown = vec![Header { keyword: "x-y".to_owned(), value: "z".to_owned() }];
        let covers = Some("./a b/*".to_owned());
        assert_eq!(file.headers(), &FileHeaders { version: Some(2), scope: vec!["c".to_owned()], covers, unknown });
    }

    #[test]
    fn bytes_that_are_not_utf8_are_one_finding() {
        let file = Markback::parse(b"@id a\n<<< \xff\n".to_vec());
        assert_eq!((file.entries().len(), file.diagnostics().len(), file.lines().len()), (0, 1, 2));
        assert_eq!(file.diagnostics()[0].code, "E006");
    }
}
