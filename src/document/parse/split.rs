//! Where the parts of a document begin: one scan for `@file`, and the frontmatter's fences.

use std::ops::Range;

use memchr::memmem;

use super::directive::{Directive, ends_word, is_fence};
use crate::text::Span;
use crate::text::lines::{Lines, Newline};

/// U+FEFF, which an editor may have put in front.
pub(crate) const BOM: &[u8] = b"\xef\xbb\xbf";

/// The number of bytes of a byte order mark at the start of `text`.
pub(crate) fn bom_len(text: &[u8]) -> usize {
    if text.starts_with(BOM) { BOM.len() } else { 0 }
}

/// The ranges of the parts of a whole document: the head first, perhaps empty.
pub(crate) fn document(text: &[u8], newline: Newline) -> Vec<Range<usize>> {
    let files = file_starts(text, bom_len(text));
    let head_end = files.first().copied().unwrap_or(text.len());
    let mut starts = vec![0];
    starts.extend(first_hunk(&text[..head_end], newline));
    starts.extend(files);
    ranges(&starts, text.len())
}

/// The ranges of the sections of `text`; what stands in front of its first `@file` line is one, too.
pub(crate) fn sections(text: &[u8]) -> Vec<Range<usize>> {
    let mut starts = file_starts(text, 0);
    if starts.first() != Some(&0) {
        starts.insert(0, 0);
    }
    ranges(&starts, text.len())
}

fn ranges(starts: &[usize], len: usize) -> Vec<Range<usize>> {
    let ends = starts.iter().skip(1).copied().chain([len]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

/// Where the `@file` lines from `start` on begin; `start` is the beginning of a line.
fn file_starts(text: &[u8], start: usize) -> Vec<usize> {
    const WORD: &[u8] = b"@file";
    let rest = &text[start..];
    let first = rest.starts_with(WORD).then_some(start);
    let further = memmem::find_iter(rest, b"\n@file").map(|at| start + at + 1);
    first.into_iter().chain(further).filter(|at| ends_word(&text[at + WORD.len()..])).collect()
}

/// The frontmatter of a head, fences included, or `None` when a fence is missing. Search ends with `head`, that is at
/// the first `@file`: in column 0 that is never YAML.
pub(crate) fn frontmatter(head: &[u8], newline: Newline) -> Option<Span> {
    let start = bom_len(head);
    let mut lines = Lines::from(head, start);
    let mut is_next_fence = || lines.next().map(|line| (line, is_fence(newline.content(line.of(head)))));
    if !is_next_fence()?.1 {
        return None;
    }
    loop {
        let (line, is_fence) = is_next_fence()?;
        if is_fence {
            return Some(Span::new(start, line.end as usize));
        }
    }
}

/// Where a hunk stands in a head: it opens a section without `@file`.
fn first_hunk(head: &[u8], newline: Newline) -> Option<usize> {
    let start = frontmatter(head, newline).map_or(bom_len(head), |span| span.end as usize);
    Lines::from(head, start)
        .find(|line| Directive::of(line.of(head)) == Some(Directive::Hunk))
        .map(|line| line.start as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<&str> {
        document(text.as_bytes(), Newline::detect(text.as_bytes())).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn parts() {
        for (text, want) in [
            ("", vec![""]),
            ("@file a\n@file b\n", vec!["", "@file a\n", "@file b\n"]),
            ("\u{feff}@file a", vec!["\u{feff}", "@file a"]),
            ("x\n @file a\n@files\n", vec!["x\n @file a\n@files\n"]),
            ("x\n@@ -1 +1 @@\n+a\n@file b\n", vec!["x\n", "@@ -1 +1 @@\n+a\n", "@file b\n"]),
            ("---\n@@ x\n---\n@note doc\n", vec!["---\n@@ x\n---\n@note doc\n"]),
            ("---\n@@ x\n@file a\n---\n", vec!["---\n", "@@ x\n", "@file a\n---\n"]),
        ] {
            assert_eq!(split(text), want, "{text:?}");
        }
    }

    #[test]
    fn frontmatter_needs_both_fences() {
        let fenced = |text: &str| frontmatter(text.as_bytes(), Newline::detect(text.as_bytes())).map(Span::range);
        assert_eq!(fenced("---\na: 1\n---\nx"), Some(0..13));
        assert_eq!(fenced("---\r\n---  \r\n"), Some(0..12));
        assert_eq!(fenced("\u{feff}---\n---"), Some(3..10));
        assert_eq!(fenced("---\n ---\n"), None);
        assert_eq!(fenced("\n---\n---\n"), None);
    }
}
