//! The lines that structure a document: which ones are directives, and what counts as white space.

/// A line in column 0 that opens something (section 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Directive {
    /// `@file`
    File,
    /// `@@`
    Hunk,
    /// `@note`
    Note,
    /// `@check`
    Check,
}

impl Directive {
    /// What `line` opens, if anything; `line` may have its terminator.
    pub(crate) fn of(line: &[u8]) -> Option<Self> {
        let rest = line.strip_prefix(b"@")?;
        if rest.first() == Some(&b'@') {
            return opens_hunk(rest).then_some(Self::Hunk);
        }
        let is = |word: &str| rest.strip_prefix(word.as_bytes()).is_some_and(ends_word);
        if is("file") {
            Some(Self::File)
        } else if is("note") || rest.strip_prefix(b"note").is_some_and(begins_number) {
            Some(Self::Note)
        } else if is("check") {
            Some(Self::Check)
        } else {
            None
        }
    }
}

/// Whether the line that goes on with `rest` behind its first `@` is a hunk header and not a word such as `@@counter`.
fn opens_hunk(rest: &[u8]) -> bool {
    let run = rest.iter().take_while(|byte| **byte == b'@').count();
    let rest = &rest[run..];
    ends_word(rest) || (rest.first() == Some(&b'-') && begins_number(rest))
}

/// Whether a word is over in front of `rest`.
pub(crate) fn ends_word(rest: &[u8]) -> bool {
    rest.first().is_none_or(|byte| is_space(*byte))
}

/// Whether `rest` begins with a sign and a digit.
fn begins_number(rest: &[u8]) -> bool {
    matches!(rest, [b'+' | b'-', digit, ..] if digit.is_ascii_digit())
}

/// White space of the format: what separates words and what a blank line is made of.
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c)
}

/// Whether `line` is nothing but white space.
pub(crate) fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| is_space(*byte))
}

/// `text` without white space at either end.
#[inline]
pub(crate) fn trim(text: &[u8]) -> &[u8] {
    trim_end(trim_start(text))
}

/// `text` without white space at its start.
pub(crate) fn trim_start(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|byte| !is_space(*byte)).unwrap_or(text.len());
    &text[start..]
}

/// `text` without white space at its end.
pub(crate) fn trim_end(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|byte| !is_space(*byte)).map_or(0, |last| last + 1);
    &text[..end]
}

/// Whether `line`, without its terminator, is a frontmatter fence.
pub(crate) fn is_fence(line: &[u8]) -> bool {
    line.strip_prefix(b"---").is_some_and(is_blank)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_whole_words_in_column_0() {
        use Directive::{Check, File, Hunk, Note};
        for (line, want) in [
            ("@file a", Some(File)),
            ("@file", Some(File)),
            ("@file\ta", Some(File)),
            ("@file\r", Some(File)),
            ("@files a", None),
            (" @file a", None),
            ("@note +1", Some(Note)),
            ("@note+1", Some(Note)),
            ("@note-1", Some(Note)),
            ("@note+x", None),
            ("@notebook", None),
            ("@check x", Some(Check)),
            ("@checkout", None),
            ("@@", Some(Hunk)),
            ("@@\n", Some(Hunk)),
            ("@@@@", Some(Hunk)),
            ("@@ x", Some(Hunk)),
            ("@@-1 +1 @@", Some(Hunk)),
            ("@@+1", None),
            ("@@-x", None),
            ("@@counter", None),
            ("@", None),
            ("", None),
        ] {
            assert_eq!(Directive::of(line.as_bytes()), want, "{line:?}");
        }
    }

    #[test]
    fn a_fence_may_end_in_blanks_and_nothing_else() {
        assert!(is_fence(b"---") && is_fence(b"--- \t"));
        assert!(!is_fence(b" ---") && !is_fence(b"----") && !is_fence(b"--- x"));
    }
}
