//! The words of an `@file` or `@note` line (section 3): separated by blanks, except inside double quotes.

use std::borrow::Cow;

use super::directive::is_space;
use crate::text::Span;

/// A word of a header line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    /// The word as it stands.
    pub(crate) span: Span,
    /// Where its first `=` outside quotes stands, when it is not the first byte.
    pub(crate) equals: Option<u32>,
}

impl Token {
    /// Key and value of `key=value`.
    pub(crate) fn pair(self) -> Option<(Span, Span)> {
        let at = self.equals?;
        Some((Span { start: self.span.start, end: at }, Span { start: at + 1, end: self.span.end }))
    }
}

/// Reads the words of `text[at..end]` one after the other.
pub(crate) struct Tokens<'a> {
    text: &'a [u8],
    at: usize,
    end: usize,
    /// Once a quote had no partner, no later one has: escapes are paired alike from there on.
    unpaired: bool,
}

impl<'a> Tokens<'a> {
    /// The words in `range` of `text`.
    pub(crate) fn new(text: &'a [u8], range: Span) -> Self {
        Self { text, at: range.start as usize, end: range.end as usize, unpaired: false }
    }

    #[inline]
    fn skip_spaces(&mut self) {
        while self.at < self.end && is_space(self.text[self.at]) {
            self.at += 1;
        }
    }

    /// Where the quote at `open` is closed.
    fn partner(&mut self, open: usize) -> Option<usize> {
        if self.unpaired {
            return None;
        }
        let mut at = open + 1;
        while at < self.end {
            match self.text[at] {
                b'"' => return Some(at),
                b'\\' if at + 1 < self.end && matches!(self.text[at + 1], b'"' | b'\\') => at += 2,
                _ => at += 1,
            }
        }
        self.unpaired = true;
        None
    }

    /// The path of an `@file` line: what stands between double quotes, or up to the first blank. The span of a quoted
    /// one includes its quotes.
    pub(crate) fn path(&mut self) -> Option<Span> {
        self.skip_spaces();
        let start = self.at;
        if start < self.end
            && self.text[start] == b'"'
            && let Some(close) = self.partner(start)
        {
            self.at = close + 1;
        } else {
            while self.at < self.end && !is_space(self.text[self.at]) {
                self.at += 1;
            }
        }
        (self.at > start).then(|| Span::new(start, self.at))
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.skip_spaces();
        let start = self.at;
        let mut equals = None;
        while self.at < self.end && !is_space(self.text[self.at]) {
            match self.text[self.at] {
                b'"' => self.at = self.partner(self.at).unwrap_or(self.at),
                b'=' if equals.is_none() && self.at > start => equals = u32::try_from(self.at).ok(),
                _ => {}
            }
            self.at += 1;
        }
        (self.at > start).then(|| Token { span: Span::new(start, self.at), equals })
    }
}

/// `raw` without its quotes, git's C escapes inside them decoded.
pub(crate) fn unquote(raw: &[u8]) -> Cow<'_, [u8]> {
    if !raw.contains(&b'"') {
        return Cow::Borrowed(raw);
    }
    let mut tokens = Tokens::new(raw, Span::new(0, raw.len()));
    let mut out = Vec::with_capacity(raw.len());
    let mut at = 0;
    while at < raw.len() {
        if raw[at] == b'"'
            && let Some(close) = tokens.partner(at)
        {
            unescape(&raw[at + 1..close], &mut out);
            at = close + 1;
        } else {
            out.push(raw[at]);
            at += 1;
        }
    }
    Cow::Owned(out)
}

fn unescape(quoted: &[u8], out: &mut Vec<u8>) {
    let mut rest = quoted;
    while let [first, tail @ ..] = rest {
        let (byte, used) = if *first == b'\\' { escape(tail).unwrap_or((b'\\', 0)) } else { (*first, 0) };
        out.push(byte);
        rest = &tail[used..];
    }
}

/// The byte that the escape behind a backslash names, and its length.
fn escape(tail: &[u8]) -> Option<(u8, usize)> {
    let byte = match tail.first()? {
        b'"' => b'"',
        b'\\' => b'\\',
        b'a' => 0x07,
        b'b' => 0x08,
        b't' => b'\t',
        b'n' => b'\n',
        b'v' => 0x0b,
        b'f' => 0x0c,
        b'r' => b'\r',
        b'0'..=b'3' => return octal(tail).map(|byte| (byte, 3)),
        _ => return None,
    };
    Some((byte, 1))
}

fn octal(tail: &[u8]) -> Option<u8> {
    let digits = tail.get(..3)?;
    digits.iter().try_fold(0u8, |sum, digit| match digit {
        b'0'..=b'7' => sum.checked_mul(8)?.checked_add(digit - b'0'),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<(&str, Option<&str>)> {
        Tokens::new(line.as_bytes(), Span::new(0, line.len()))
            .map(|token| (&line[token.span.range()], token.pair().map(|(_, value)| &line[value.range()])))
            .collect()
    }

    #[test]
    fn words_and_pairs() {
        assert_eq!(words(" a  b=c =d "), [("a", None), ("b=c", Some("c")), ("=d", None)]);
        assert_eq!(words(r#"f="a b" "c=d e""#), [(r#"f="a b""#, Some(r#""a b""#)), (r#""c=d e""#, None)]);
        assert_eq!(words(r#"f="a b"#), [(r#"f="a"#, Some(r#""a"#)), ("b", None)]);
        assert_eq!(words(r#"f="a \" b" c"#), [(r#"f="a \" b""#, Some(r#""a \" b""#)), ("c", None)]);
    }

    #[test]
    fn paths() {
        for (line, want) in [
            ("a.rs x", Some("a.rs")),
            ("\"a b\" x", Some("\"a b\"")),
            ("\"a b", Some("\"a")),
            ("a\"b c\"", Some("a\"b")),
            ("  ", None),
        ] {
            let path = Tokens::new(line.as_bytes(), Span::new(0, line.len())).path();
            assert_eq!(path.map(|span| &line[span.range()]), want, "{line}");
        }
    }

    #[test]
    fn escapes_are_decoded_inside_quotes_only() {
        for (raw, want) in [
            (r"a\tb", &br"a\tb"[..]),
            (r#""a\tb""#, b"a\tb"),
            (r#""\303\244""#, "ä".as_bytes()),
            (r#""\q\"\\""#, br#"\q"\"#),
            (r#""\38""#, br"\38"),
            (r#"x"y z"w"#, b"xy zw"),
            (r#""open"#, br#""open"#),
        ] {
            assert_eq!(&*unquote(raw.as_bytes()), want, "{raw}");
        }
    }
}
