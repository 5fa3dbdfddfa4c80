//! `PATH[:L[:C]][-L2[:C2]]`: what `@file` and `@input` point at.

use std::fmt;

/// A path or URI, and perhaps a place in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reference<'a> {
    /// The value without the range.
    pub path: &'a str,
    /// The place, when the value names one.
    pub range: Option<Range>,
}

/// A place in a text; nothing checks that it exists or that the end does not precede the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Range {
    /// Where it begins.
    pub start: Position,
    /// Where it ends, inclusive; equal to `start` when only one position was written.
    pub end: Position,
}

/// A line, counted from 1, and perhaps a column in it, likewise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// The line.
    pub line: u64,
    /// The column.
    pub column: Option<u64>,
}

impl Range {
    /// The whole lines `start` to `end`.
    #[must_use]
    pub fn lines(start: u64, end: u64) -> Self {
        Self { start: Position { line: start, column: None }, end: Position { line: end, column: None } }
    }

    /// Whether the end precedes the start (E011).
    #[must_use]
    pub fn is_reversed(self) -> bool {
        let columns = self.start.column.zip(self.end.column);
        self.end.line < self.start.line
            || self.end.line == self.start.line && columns.is_some_and(|(start, end)| end < start)
    }
}

impl<'a> Reference<'a> {
    /// Split `value`. Total: what has no range is all path.
    #[must_use]
    pub fn parse(value: &'a str) -> Self {
        let floor = port_end(value).unwrap_or(0).max(1);
        let Some((at, range)) = range_at_end(value, floor) else { return Self { path: value, range: None } };
        Self { path: &value[..at], range: Some(range) }
    }

    /// Whether the path is a URI: a scheme of two or more characters and a colon, so that `C:\x` is a path.
    #[must_use]
    pub fn is_uri(self) -> bool {
        scheme_len(self.path).is_some()
    }
}

/// The longest range that ends `value` and begins at or behind `floor`: its offset and its reading.
fn range_at_end(value: &str, floor: usize) -> Option<(usize, Range)> {
    let mut starts = [None; 4];
    let mut end = value.len();
    for start in &mut starts {
        let digits = value.as_bytes()[..end].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let number = end - digits;
        let separated = digits > 0 && number > floor && value[..number].ends_with([':', '-']);
        if !separated {
            break;
        }
        end = number - 1;
        *start = Some(end);
    }
    let (at, numbers) = starts.into_iter().rev().flatten().find_map(|at| Some((at, numbers(&value[at..])?)))?;
    let [line, column, end_line, end_column] = numbers.map(|digits| digits.map(str::parse::<u64>));
    let start = Position { line: line?.ok()?, column: column.transpose().ok()? };
    let end = match end_line.transpose().ok()? {
        Some(line) => Position { line, column: end_column.transpose().ok()? },
        None => start,
    };
    Some((at, Range { start, end }))
}

/// The digits of `:L[:C][-L2[:C2]]`, when `text` is exactly that.
fn numbers(text: &str) -> Option<[Option<&str>; 4]> {
    let mut rest = text;
    let mut number = |sign: char| {
        let digits = rest.strip_prefix(sign)?;
        let len = digits.bytes().take_while(u8::is_ascii_digit).count();
        let (number, behind) = digits.split_at(len);
        rest = behind;
        Some(number).filter(|number| !number.is_empty())
    };
    let line = Some(number(':')?);
    let column = number(':');
    let end_line = number('-');
    let end_column = end_line.and_then(|_| number(':'));
    rest.is_empty().then_some([line, column, end_line, end_column])
}

/// The length of the scheme that `path` begins with, without its colon.
#[inline]
fn scheme_len(path: &str) -> Option<usize> {
    let len = path.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"+.-".contains(byte)).count();
    let is_scheme = len >= 2 && path.as_bytes()[0].is_ascii_alphabetic() && path[len..].starts_with(':');
    is_scheme.then_some(len)
}

/// In `scheme://authority` with nothing behind the authority, the end of the port: the digits there are no line. The end
/// of the value when its address lacks the closing bracket.
fn port_end(value: &str) -> Option<usize> {
    let authority = value[scheme_len(value)?..].strip_prefix("://")?;
    if authority.contains(['/', '?', '#']) {
        return None;
    }
    let host = authority.rfind('@').map_or(0, |at| at + 1);
    let host_end = match authority[host..].strip_prefix('[').map(|address| address.find(']')) {
        Some(Some(len)) => host + 1 + len,
        Some(None) => return Some(value.len()),
        None => host,
    };
    let colon = (host_end..authority.len()).find(|&at| {
        let bytes = authority.as_bytes();
        bytes[at] == b':' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
    })?;
    let digits = authority[colon + 1..].bytes().take_while(u8::is_ascii_digit).count();
    Some(value.len() - authority.len() + colon + 1 + digits)
}

impl fmt::Display for Position {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.line)?;
        self.column.map_or(Ok(()), |column| write!(out, ":{column}"))
    }
}

/// As it is written behind a path, the colon in front included.
impl fmt::Display for Range {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, ":{}", self.start)?;
        if self.end == self.start { Ok(()) } else { write!(out, "-{}", self.end) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The path, and the range as it would be written.
    fn parse(value: &str) -> (&str, String) {
        let reference = Reference::parse(value);
        (reference.path, reference.range.map(|range| range.to_string()).unwrap_or_default())
    }

    #[test]
    fn forms() {
        for (value, path, range) in [
            ("./code.py", "./code.py", ""),
            ("./code.py:42", "./code.py", ":42"),
            ("./code.py:42-50", "./code.py", ":42-50"),
            ("./code.py:42:10", "./code.py", ":42:10"),
            ("./code.py:10:5-15:20", "./code.py", ":10:5-15:20"),
            ("./code.py:10:5-20", "./code.py", ":10:5-20"),
            ("a:1-2:3", "a", ":1-2:3"),
            ("a:1:2:3", "a:1", ":2:3"),
            ("a:1-2-3", "a:1-2-3", ""),
            ("a:1-2:3-4", "a:1-2", ":3-4"),
            ("a:007", "a", ":7"),
            ("a:3-3", "a", ":3"),
            ("file-2", "file-2", ""),
            ("\u{e9}:5", "\u{e9}", ":5"),
            (":1", ":1", ""),
            (":1:2", ":1", ":2"),
            ("1", "1", ""),
            ("", "", ""),
        ] {
            assert_eq!(parse(value), (path, range.to_owned()), "{value}");
        }
    }

    #[test]
    fn what_is_no_range() {
        for value in ["a:", "a:1-", "a:-1", "a:1:", "dir:7/a.py", "a:99999999999999999999", "a:\u{664}\u{662}"] {
            assert_eq!(parse(value), (value, String::new()));
        }
    }

    #[test]
    fn the_port_of_an_authority_is_no_line() {
        for (value, path, range) in [
            ("http://localhost:8080", "http://localhost:8080", ""),
            ("http://localhost:8080:12", "http://localhost:8080", ":12"),
            ("http://localhost:8080:12:3-4", "http://localhost:8080", ":12:3-4"),
            ("http://u:1@host:80", "http://u:1@host:80", ""),
            ("http://[::1]:80", "http://[::1]:80", ""),
            ("http://[::1]:80:7", "http://[::1]:80", ":7"),
            ("http://[::1", "http://[::1", ""),
            ("http://localhost/a:8080", "http://localhost/a", ":8080"),
            ("c://x:80", "c://x", ":80"),
        ] {
            assert_eq!(parse(value), (path, range.to_owned()), "{value}");
        }
    }

    #[test]
    fn schemes_have_two_characters() {
        for (value, is_uri) in [
            ("https://x.org/a", true),
            ("file:a", true),
            ("src:main.rs", true),
            ("C:\\x", false),
            ("./a:b", false),
            ("1a:b", false),
            ("ab", false),
            ("", false),
        ] {
            assert_eq!(Reference::parse(value).is_uri(), is_uri, "{value}");
        }
    }

    #[test]
    fn an_end_before_the_start_is_reversed() {
        for (value, reversed) in [
            ("a:2-1", true),
            ("a:2:5-2:4", true),
            ("a:2:5-2", false),
            ("a:1-2", false),
            ("a:2:5-3:1", false),
            ("a:2", false),
        ] {
            assert_eq!(Reference::parse(value).range.map(Range::is_reversed), Some(reversed), "{value}");
        }
    }
}
