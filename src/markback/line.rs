//! Lines and their classes (sections 1 and 2 of the format).
//!
//! Unlike in the other formats, LF, CRLF and a lone CR all end a line, and "blank" is Unicode white space.

use memchr::memchr2;

use crate::text::Span;

/// The byte order mark that may open a file.
pub(super) const BOM: &str = "\u{feff}";

/// One line of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// The line, terminator included; the first one also has the byte order mark.
    pub span: Span,
    /// What it is, in the place where it stands.
    pub class: LineClass,
}

/// The lines of a file, one behind the other: five bytes for each.
#[derive(Debug, Clone, Default)]
pub(super) struct Lines {
    starts: Vec<u32>,
    classes: Vec<LineClass>,
    end: u32,
}

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LineClass {
    /// A `%` line while the block of file headers is open.
    FileHeader,
    /// `@file PATH <<< feedback`, well-formed or not.
    Compact,
    /// Any other `@` line where headers may stand, well-formed or not.
    Header,
    /// A line that begins with `<<<`.
    Feedback,
    /// `---`.
    Separator,
    /// White space only.
    Blank,
    /// Everything else.
    Content,
    /// A line inside a fenced feedback.
    FenceBody,
    /// The `"""` that closes a fence.
    FenceEnd,
}

impl Lines {
    #[inline]
    pub(super) fn push(&mut self, span: Span, class: LineClass) {
        debug_assert_eq!(span.start, self.end, "lines tile the text");
        self.starts.push(span.start);
        self.classes.push(class);
        self.end = span.end;
    }

    pub(super) fn len(&self) -> usize {
        self.classes.len()
    }

    /// The class of a line.
    #[inline]
    pub(super) fn class(&self, index: u32) -> LineClass {
        self.classes[index as usize]
    }

    /// Where a line begins; of the one behind the last, where the last one ends.
    #[inline]
    pub(super) fn start(&self, index: u32) -> u32 {
        self.starts.get(index as usize).copied().unwrap_or(self.end)
    }

    /// A line, terminator included.
    #[inline]
    pub(super) fn span(&self, index: u32) -> Span {
        Span { start: self.starts[index as usize], end: self.start(index + 1) }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Line> + '_ {
        (0..).zip(&self.classes).map(|(index, class)| Line { span: self.span(index), class: *class })
    }
}

/// The part of `line`, a line of `text`, without byte order mark and terminator.
#[inline]
pub(super) fn content(line: Span, text: &[u8]) -> Span {
    let bytes = line.of(text);
    let body = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let body = body.strip_suffix(b"\r").unwrap_or(body);
    let start = line.start as usize;
    let mark = if start == 0 && body.starts_with(BOM.as_bytes()) { BOM.len() } else { 0 };
    Span::new(start + mark, start + body.len())
}

/// The lines of `text` as spans, terminators included.
pub(super) fn split(text: &[u8]) -> impl Iterator<Item = Span> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = &text[at..];
        if rest.is_empty() {
            return None;
        }
        let len = match memchr2(b'\n', b'\r', rest) {
            Some(end) if rest[end..].starts_with(b"\r\n") => end + 2,
            Some(end) => end + 1,
            None => rest.len(),
        };
        at += len;
        Some(Span::new(at - len, at))
    })
}

/// Whether `char` is white space as the format means it: Unicode's, and the four separators of ASCII.
#[inline]
pub(super) fn is_blank(char: char) -> bool {
    char.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&char)
}

/// `text` without blanks at its start. Most texts start with a character of which one byte tells that it is none.
#[inline]
pub(super) fn trim_start(text: &str) -> &str {
    match text.as_bytes() {
        [] => text,
        [first, ..] if first.is_ascii_graphic() => text,
        [b' ', second, ..] if second.is_ascii_graphic() => &text[1..],
        _ => text.trim_start_matches(is_blank),
    }
}

/// `text` without blanks at its end.
#[inline]
pub(super) fn trim_end(text: &str) -> &str {
    if text.as_bytes().last().is_none_or(u8::is_ascii_graphic) { text } else { text.trim_end_matches(is_blank) }
}

/// `text` without blanks at its ends.
#[inline]
pub(super) fn trim(text: &str) -> &str {
    trim_start(trim_end(text))
}

/// Where the first blank of `text` stands. Characters are decoded only from the first one on that is not ASCII.
#[inline]
pub(super) fn find_blank(text: &str) -> Option<usize> {
    let at = text.bytes().position(|byte| !byte.is_ascii_graphic())?;
    text[at..].find(is_blank).map(|behind| at + behind)
}

/// Where `<<<` stands in `text`, also where one begins inside another.
pub(super) fn markers(text: &str) -> impl Iterator<Item = usize> + '_ {
    let text = text.as_bytes();
    memchr::memchr_iter(b'<', text).filter(|at| text[*at..].starts_with(b"<<<"))
}

/// The class of a line whose text without trailing blanks is `line`, before its surroundings are looked at.
#[inline]
pub(super) fn classify(line: &str, in_file_headers: bool) -> LineClass {
    match line.as_bytes() {
        [] => LineClass::Blank,
        [b'%', ..] if in_file_headers => LineClass::FileHeader,
        [b'@', ..] if is_compact(line) => LineClass::Compact,
        [b'@', ..] => LineClass::Header,
        [b'<', b'<', b'<', ..] => LineClass::Feedback,
        b"---" => LineClass::Separator,
        _ => LineClass::Content,
    }
}

#[inline]
fn is_compact(line: &str) -> bool {
    (line.starts_with("@file") || line.starts_with("@source")) && markers(line).next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_line_ends_and_no_other() {
        let text = "a\r\nb\rc\n\u{2028}\u{85}\u{b}d\r\r\n\n";
        let lines: Vec<&str> = split(text.as_bytes()).map(|span| &text[span.range()]).collect();
        assert_eq!(lines, ["a\r\n", "b\r", "c\n", "\u{2028}\u{85}\u{b}d\r", "\r\n", "\n"]);
        assert_eq!(split(b"").count(), 0);
    }

    #[test]
    fn content_has_neither_mark_nor_terminator() {
        let text = "\u{feff}a\r\n\u{feff}b\r".as_bytes();
        let content: Vec<&[u8]> = split(text).map(|span| content(span, text).of(text)).collect();
        assert_eq!(content, [b"a".as_slice(), "\u{feff}b".as_bytes()]);
    }

    #[test]
    fn classes_by_the_first_column() {
        use LineClass::{Blank, Compact, Content, Feedback, FileHeader, Header, Separator};
        for (line, class) in [
            ("", Blank),
            ("%x", FileHeader),
            ("@file a <<< b", Compact),
            ("@source a<<<b", Compact),
            ("@filename x <<< y", Compact),
            ("@file a", Header),
            ("@id a <<< b", Header),
            ("@", Header),
            ("<<<x", Feedback),
            ("<<", Content),
            ("---", Separator),
            ("----", Content),
            (" ---", Content),
            (" @id x", Content),
        ] {
            assert_eq!(classify(line, true), class, "{line}");
        }
        assert_eq!(classify("%x", false), Content);
    }

    #[test]
    fn blanks_are_those_of_unicode_and_the_separators_of_ascii() {
        assert!(['\t', '\u{a0}', '\u{3000}', '\u{1c}', '\u{1f}', '\u{85}'].into_iter().all(is_blank));
        assert!(!is_blank('\u{200b}') && !is_blank('\u{feff}'));
    }
}
