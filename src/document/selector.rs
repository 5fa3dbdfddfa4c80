//! What a note is about: lines of one side, a file, or the whole change (section 5 of the format).

use std::fmt;

/// The side of the diff, or the whole, that a note names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// Lines of the new side.
    New,
    /// Lines of the old side.
    Old,
    /// The file as a whole.
    File,
    /// The whole change.
    Doc,
}

impl Side {
    /// The word used in reports and JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Old => "old",
            Self::File => "file",
            Self::Doc => "doc",
        }
    }
}

/// What a note is about. `start` and `end` are 0 for a file and for the whole change; numbers saturate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Selector {
    /// Which lines, or what else.
    pub side: Side,
    /// The first line, counted from 1.
    pub start: u64,
    /// The last line; not before `start`.
    pub end: u64,
}

impl Selector {
    /// The file as a whole.
    pub const FILE: Self = Self { side: Side::File, start: 0, end: 0 };
    /// The whole change.
    pub const DOC: Self = Self { side: Side::Doc, start: 0, end: 0 };

    /// Read `raw`, with every leniency of section 5: `+42..57`, `42`, `L42..L57`, `+2 .. 3`, a reversed range,
    /// `change` for `doc`. `None` when it is unreadable.
    #[must_use]
    pub fn parse(raw: &[u8]) -> Option<Self> {
        match raw.trim_ascii() {
            b"file" => return Some(Self::FILE),
            b"doc" | b"change" => return Some(Self::DOC),
            _ => {}
        }
        let (first, last) = match raw.windows(2).position(|pair| pair == b"..") {
            Some(at) => (&raw[..at], Some(&raw[at + 2..])),
            None => (raw, None),
        };
        let (side, start) = numbered(first)?;
        let side = side.unwrap_or(Side::New);
        let end = match last {
            Some(last) => {
                let (last_side, end) = numbered(last)?;
                (last_side.unwrap_or(side) == side).then_some(end)?
            }
            None => start,
        };
        Some(Self { side, start: start.min(end), end: start.max(end) })
    }
}

/// A number with what stands in front of it; saturates.
fn numbered(raw: &[u8]) -> Option<(Option<Side>, u64)> {
    let raw = raw.trim_ascii();
    let (side, digits) = match raw {
        [b'+' | b'L', digits @ ..] => (Some(Side::New), digits),
        [b'-', digits @ ..] => (Some(Side::Old), digits),
        digits => (None, digits),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = digits.iter().fold(0u64, |sum, digit| sum.saturating_mul(10).saturating_add(u64::from(digit - b'0')));
    Some((side, number))
}

impl fmt::Display for Selector {
    /// The canonical form: `+42`, `-30..35`, `file`, `doc`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.side {
            Side::New => '+',
            Side::Old => '-',
            Side::File | Side::Doc => return f.write_str(self.side.as_str()),
        };
        if self.start == self.end {
            write!(f, "{sign}{}", self.start)
        } else {
            write!(f, "{sign}{}..{}", self.start, self.end)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_accepted_and_how_it_is_written() {
        for (raw, want) in [
            ("+42", Some("+42")),
            ("+42..57", Some("+42..57")),
            ("+42..+57", Some("+42..57")),
            ("-30..35", Some("-30..35")),
            ("-30..-35", Some("-30..35")),
            ("42", Some("+42")),
            ("L42..L57", Some("+42..57")),
            ("+3..2", Some("+2..3")),
            ("+2 .. 3", Some("+2..3")),
            ("+7..7", Some("+7")),
            ("file", Some("file")),
            ("doc", Some("doc")),
            ("change", Some("doc")),
            ("+99999999999999999999999", Some("+18446744073709551615")),
            ("+2..-3", None),
            ("-2..L3", None),
            ("+2-3", None),
            ("+", None),
            ("", None),
            ("+2..", None),
            ("..2", None),
            ("+2..3..4", None),
            ("File", None),
        ] {
            assert_eq!(Selector::parse(raw.as_bytes()).map(|selector| selector.to_string()).as_deref(), want, "{raw}");
        }
    }
}
