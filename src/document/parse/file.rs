//! The `@file` line (section 3).

use bstr::{BString, ByteSlice};

use super::directive::trim_end;
use super::token::{Tokens, unquote};
use crate::document::tree::{FileHeader, FileStatus};
use crate::text::Span;

/// The path of a section that does not say which file it is about.
pub(crate) const UNKNOWN_PATH: &str = "(unknown)";

/// The words of an `@file` line: those behind the directive.
pub(crate) fn tokens(text: &[u8], line: Span) -> Tokens<'_> {
    Tokens::new(text, Span { start: line.start + 5, end: line.end })
}

/// Whether `word` is a count, `+12` or `-3`; counts are recounted from the hunks.
pub(crate) fn is_count(word: &[u8]) -> bool {
    matches!(word, [b'+' | b'-', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
}

/// Read the `@file` line at `line`.
pub(super) fn header(text: &[u8], line: Span) -> FileHeader {
    let mut tokens = tokens(text, line);
    let path = tokens.path().map(|span| unquote(span.of(text)).into_owned()).filter(|path| !path.is_empty());
    let mut header = FileHeader {
        span: line,
        path: path.map_or_else(|| BString::from(UNKNOWN_PATH), BString::from),
        old_path: None,
        status: FileStatus::Modified,
        old_sha: None,
        new_sha: None,
        lang: None,
        binary: false,
        old_mode: None,
        new_mode: None,
    };
    let mut status = None;
    for token in tokens {
        let Some((key, value)) = token.pair() else {
            let word = token.span.of(text);
            status = FileStatus::from_word(word).or(status);
            header.binary |= word == b"binary";
            continue;
        };
        let plain = Some(unquoted_span(text, value)).filter(|span| !span.is_empty());
        match key.of(text) {
            b"from" => {
                let from = BString::from(unquote(value.of(text)).into_owned());
                header.old_path = Some(from).filter(|from| !from.is_empty());
            }
            b"oldsha" => header.old_sha = plain,
            b"newsha" => header.new_sha = plain,
            b"lang" => header.lang = plain,
            b"oldmode" => header.old_mode = mode(text, plain),
            b"newmode" => header.new_mode = mode(text, plain),
            _ => {}
        }
    }
    let renamed = header.old_path.as_ref().is_some_and(|from| *from != header.path);
    header.status = status.unwrap_or(if renamed { FileStatus::Renamed } else { FileStatus::Modified });
    header
}

fn mode(text: &[u8], value: Option<Span>) -> Option<u32> {
    u32::from_str_radix(value?.of(text).to_str().ok()?, 8).ok()
}

/// `value` without the quotes around it: what needs no decoding is kept as a span.
fn unquoted_span(text: &[u8], value: Span) -> Span {
    let value = Span::new(value.start as usize, value.start as usize + trim_end(value.of(text)).len());
    match value.of(text) {
        [b'"', inner @ .., b'"'] if !inner.contains(&b'"') => Span { start: value.start + 1, end: value.end - 1 },
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> FileHeader {
        header(line.as_bytes(), Span::new(0, line.len()))
    }

    #[test]
    fn items_come_in_any_order_and_the_last_one_counts() {
        let line = "@file src/x.rs newsha=9f -1 lang=rust +2 oldsha=\"47\" added deleted newsha=aa newmode=100755\n";
        let header = read(line);
        assert_eq!((header.path.as_bstr(), header.status), ("src/x.rs".into(), FileStatus::Deleted));
        let word = |span: Option<Span>| span.map(|span| &line[span.range()]);
        assert_eq!(
            (word(header.new_sha), word(header.old_sha), word(header.lang)),
            (Some("aa"), Some("47"), Some("rust"))
        );
        assert_eq!((header.old_mode, header.new_mode, header.binary), (None, Some(0o100_755), false));
    }

    #[test]
    fn a_different_origin_means_renamed() {
        assert_eq!(read("@file b from=a").status, FileStatus::Renamed);
        assert_eq!(read("@file b from=b").status, FileStatus::Modified);
        assert_eq!(read("@file b from=a modified binary").status, FileStatus::Modified);
        assert_eq!(read("@file \"b c\" from=\"a b\"").old_path, Some("a b".into()));
        assert_eq!(read("@file\n").path, UNKNOWN_PATH);
    }
}
