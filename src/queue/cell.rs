//! One cell: which characters have to be escaped, and what of a written cell looks like an escape.

use memchr::memchr_iter;

/// Whether `c` may not stand in a line of the table: a control that is no tab, a line or paragraph separator, or one of
/// those that turn the direction of the text around them.
pub(super) fn is_risky(c: char) -> bool {
    matches!(c,
        '\0'..='\x08' | '\n'..='\x1f' | '\x7f'..='\u{9f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A cell as it is written, and which of the tokens in it are escapes.
#[derive(Debug)]
pub(super) struct Written {
    /// The cell.
    pub(super) text: String,
    /// What the entry in `escapes` says; `None` where none is needed.
    pub(super) real: Option<Vec<usize>>,
}

/// Write the value of a cell.
pub(super) fn write(value: Option<&str>) -> Written {
    let value = value.unwrap_or_default().replace("\r\n", "\n");
    if value.is_empty() {
        return Written { text: "-".into(), real: None };
    }
    if !needs_quotes(&value) {
        return Written { text: value, real: None };
    }
    let mut text = String::with_capacity(value.len() + 2);
    let mut escapes = Vec::new();
    text.push('"');
    for c in value.chars() {
        if is_risky(c) {
            escapes.push(text.len());
        }
        match c {
            '"' => text.push_str("\"\""),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            c if is_risky(c) => text.push_str(&escape(c)),
            c => text.push(c),
        }
    }
    text.push('"');
    let real = listed(&text, &escapes);
    Written { text, real }
}

/// `c`, which has at most four digits, as an escape.
pub(super) fn escape(c: char) -> String {
    format!("\\u{:04x}", u32::from(c))
}

fn needs_quotes(value: &str) -> bool {
    // The byte order mark is a blank for some readers.
    let is_blank = |c: char| c.is_whitespace() || c == '\u{feff}';
    value == "-"
        || value.starts_with(is_blank)
        || value.ends_with(is_blank)
        || value.contains(|c| matches!(c, ',' | '"') || is_risky(c))
}

/// The numbers of the tokens of `text` that begin at `escapes`, which rise; `None` where these are what a reader takes for
/// escapes anyway.
fn listed(text: &str, escapes: &[usize]) -> Option<Vec<usize>> {
    let mut escapes = escapes.iter().peekable();
    let mut real = Vec::new();
    let mut is_default = true;
    for (index, token) in tokens(text).enumerate() {
        let is_real = escapes.next_if(|at| **at == token.at).is_some();
        is_default &= is_real == token.is_line_break();
        if is_real {
            real.push(index + 1);
        }
    }
    (!is_default).then_some(real)
}

/// What looks like an escape in a written cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    /// Where its backslash is.
    pub(super) at: usize,
    /// How many bytes it has.
    pub(super) len: usize,
    /// The character it would stand for; `None` for a surrogate, which is none.
    pub(super) stands_for: Option<char>,
}

impl Token {
    /// The token whose backslash is at `at`.
    fn at(text: &str, at: usize) -> Option<Self> {
        let token = |len, code| Self { at, len, stands_for: char::from_u32(code) };
        let rest = &text[at + 1..];
        match rest.as_bytes().first()? {
            b'n' => Some(token(2, 0x0a)),
            b'r' => Some(token(2, 0x0d)),
            b'u' => {
                let digits = rest.get(1..5)?;
                let are_digits = digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
                are_digits.then(|| u32::from_str_radix(digits, 16).ok())?.map(|code| token(6, code))
            }
            _ => None,
        }
    }

    /// Whether it is what a reader takes for an escape without an entry in `escapes`: `\n`.
    pub(super) fn is_line_break(self) -> bool {
        self.len == 2 && self.stands_for == Some('\n')
    }
}

/// The tokens of a written cell, in order. None holds a second backslash, so none overlap.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = Token> + '_ {
    memchr_iter(b'\\', text.as_bytes()).filter_map(|at| Token::at(text, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &str, text: &str, real: Option<&[usize]>) {
        let written = write(Some(value));
        assert_eq!((written.text.as_str(), written.real.as_deref()), (text, real), "{value:?}");
    }

    #[test]
    fn cells_as_they_are() {
        for value in [
            "must be fast",
            "a\tb",
            "a\\nb",
            "a\\nb\\r\\u0041",
            "--",
            "- x",
            "0",
            "42",
            "true",
            "null",
            "a: b",
            "[x]",
            "{y}",
            "# h",
            "a|b",
            "é",
            "世",
            "🎉",
            "e\u{301}",
            "a\u{a0}b",
            "a\u{feff}b",
            "\u{200b}x\u{200f}\u{61c}\u{180e}\u{2060}",
            "C:\\dir\\",
        ] {
            check(value, value, None);
        }
        for value in [None, Some("")] {
            let written = write(value);
            assert_eq!((written.text.as_str(), written.real), ("-", None), "{value:?}");
        }
    }

    #[test]
    fn cells_in_quotes() {
        for (value, text) in [
            ("quantify, target ms?", r#""quantify, target ms?""#),
            (r#"say "hi""#, r#""say ""hi""""#),
            (r#"""#, r#""""""#),
            (r#""abc""#, r#""""abc""""#),
            (" x", r#"" x""#),
            ("x ", r#""x ""#),
            ("\tx", "\"\tx\""),
            ("x\t", "\"x\t\""),
            ("\u{a0}x", "\"\u{a0}x\""),
            ("x\u{3000}", "\"x\u{3000}\""),
            ("\u{feff}x", "\"\u{feff}x\""),
            ("x\u{feff}", "\"x\u{feff}\""),
            ("line1\nline2", r#""line1\nline2""#),
            ("a\n", r#""a\n""#),
            ("\n", r#""\n""#),
            ("a\r\nb", r#""a\nb""#),
            ("a\\r, b", r#""a\r, b""#),
            ("\\u202e, x", r#""\u202e, x""#),
            ("-", r#""-""#),
            (" - ", r#"" - ""#),
            ("#define X \\\n  1", r##""#define X \\n  1""##),
            ("x\n  chat,-,-,0,-,y", r#""x\n  chat,-,-,0,-,y""#),
            ("\tif (x) {\n\t\treturn;\n\t}", "\"\tif (x) {\\n\t\treturn;\\n\t}\""),
        ] {
            check(value, text, None);
        }
    }

    #[test]
    fn cells_with_an_entry() {
        for (value, text, real) in [
            ("a\rb", r#""a\rb""#, &[1][..]),
            ("a\r\r\nb", r#""a\r\nb""#, &[1, 2]),
            ("a\\nb, c", r#""a\nb, c""#, &[]),
            ("printf(\"a\\n\");\nreturn 0;", r#""printf(""a\n"");\nreturn 0;""#, &[2]),
            ("puts(\"a\\n\");\nputs(\"b\\n\");\n", r#""puts(""a\n"");\nputs(""b\n"");\n""#, &[2, 4]),
            ("\\u00AB\\n,\nx", r#""\u00AB\n,\nx""#, &[2]),
            ("x\u{202e}y", r#""x\u202ey""#, &[1]),
            ("\u{1b}[31mred", r#""\u001b[31mred""#, &[1]),
            ("\u{2066}\0\u{7f}\u{9f}\u{2029}\u{b}", r#""\u2066\u0000\u007f\u009f\u2029\u000b""#, &[1, 2, 3, 4, 5, 6]),
            ("\\u12\u{85}\\u00e", r#""\u12\u0085\u00e""#, &[1]),
        ] {
            check(value, text, Some(real));
        }
    }
}
