//! Mends that have one meaning and touch no other byte: each one removes the finding that carries it.

use std::borrow::Cow;
use std::ops::Range;

use crate::document::attribute::fits;
use crate::document::note::{NoteView, Occurrence};
use crate::document::parse::hunk::after;
use crate::document::{Document, FileStatus, Hunk, HunkLineKind, Section};
use crate::text::edit::{Edit, Splice};

use super::{Located, structure};

/// Put `with` in the place of `range`.
pub(super) fn splice(range: Range<usize>, with: impl Into<Vec<u8>>) -> Splice {
    Splice { range, with: with.into() }
}

/// The word of an `@file` line that `word` is but for its case.
pub(super) fn status_word(word: &[u8]) -> Option<Vec<u8>> {
    let lower = word.to_ascii_lowercase();
    (FileStatus::from_word(&lower).is_some() || lower == b"binary").then_some(lower)
}

/// A value of a note that is one but for its case.
pub(super) fn lower_case(view: NoteView<'_>, name: &str, one: &Occurrence<'_>) -> Option<Splice> {
    let lower = one.value.to_ascii_lowercase();
    if !matches!(name, "kind" | "risk" | "urgency") || !fits(name, &lower) {
        return None;
    }
    let text = view.section().text();
    let range = if one.in_header {
        let attributes = view.header_tokens().attributes;
        let is_it = |key: &[u8], value: &[u8]| key.eq_ignore_ascii_case(name.as_bytes()) && value == &*one.value;
        attributes.into_iter().rfind(|(key, value)| is_it(key.of(text), value.of(text)))?.1.range()
    } else {
        // A value that goes on in the next line is a copy.
        let Cow::Borrowed(value) = &one.value else { return None };
        let at = one.line.start as usize + memchr::memmem::rfind(one.line.of(text), value)?;
        at..at + value.len()
    };
    Some(splice(range, lower))
}

/// The counts of a hunk's header that are not those of its lines, `actual` being these. A side that becomes empty, or is
/// no longer, would number the lines anew, and lines in the midst that are no content could become some: no mend then.
/// Nor when lines are missing, which somebody may have lost, or without a prefix.
pub(super) fn hunk_counts(section: &Section, hunk: &Hunk, actual: (u64, u64)) -> Vec<Splice> {
    let is_alike = |stated: u64, actual: u64| (stated == 0) == (actual == 0);
    let mut lines = section.tree().hunk_lines(hunk).iter();
    let is_whole = lines.all(|line| matches!(line.kind, HunkLineKind::Diff(_)));
    let is_short = actual.0 < hunk.old_lines || actual.1 < hunk.new_lines;
    if !is_whole || is_short || !is_alike(hunk.old_lines, actual.0) || !is_alike(hunk.new_lines, actual.1) {
        return Vec::new();
    }
    let line = hunk.header.of(section.text());
    let side = |sign: u8, stated: u64, actual: u64| {
        let start = memchr::memchr(sign, line)?;
        let number = line[start + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let len = line[start..].iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
        let at = hunk.header.start as usize + start;
        (stated != actual).then(|| splice(at + 1 + number..at + len, format!(",{actual}")))
    };
    let sides = [side(b'-', hunk.old_lines, actual.0), side(b'+', hunk.new_lines, actual.1)];
    sides.into_iter().flatten().collect()
}

/// The one prefix with which the lines of `hunk` that have none make its header true. Lines in its midst that are no
/// content could become some under another prefix than the blank that they are read with: no mend then.
pub(super) fn prefix(section: &Section, hunk: &Hunk) -> Option<&'static str> {
    let lines = section.tree().hunk_lines(hunk);
    let bare = lines.iter().filter(|line| line.kind == HunkLineKind::Unprefixed).count() as u64;
    let (old, new) = lines.last().map(after)?;
    let (old, new) = (u64::from(old), u64::from(new));
    // They are counted as context.
    let fits = [(" ", old, new), ("+", old - bare, new), ("-", old, new - bare)];
    let is_whole = lines.iter().all(|line| matches!(line.kind, HunkLineKind::Diff(_) | HunkLineKind::Unprefixed));
    let mut fitting = fits
        .into_iter()
        .filter(|(prefix, ..)| is_whole || *prefix == " ")
        .filter(|(_, old, new)| (*old, *new) == (hunk.old_lines, hunk.new_lines));
    fitting.next().map(|(prefix, ..)| prefix).filter(|_| bare > 0 && !hunk.loose)
}

/// `document` with every mend that its findings carry, until there is none left, and how many there were.
#[must_use]
pub fn fixed(document: &Document) -> (Document, usize) {
    /// Mends that bring out others are rare, and mends that bring each other back would be a fault of ours.
    const ROUNDS: usize = 20;
    let mut document = document.clone();
    let mut count = 0;
    for _ in 0..ROUNDS {
        let (edit, fixes) = joined(&structure(&document));
        if fixes == 0 {
            break;
        }
        count += fixes;
        document = document.edited(&edit);
    }
    (document, count)
}

/// The mends of `found` as one edit: of those that touch the same bytes the first.
fn joined(found: &[Located]) -> (Edit, usize) {
    let mut fixes: Vec<&Edit> = found.iter().filter_map(|found| found.diagnostic.fix.as_ref()).collect();
    let bounds = |fix: &Edit| {
        let splices = fix.splices();
        splices.first().zip(splices.last()).map(|(first, last)| (first.range.start, last.range.end))
    };
    fixes.sort_by_key(|fix| bounds(fix));
    let mut splices: Vec<Splice> = Vec::new();
    let (mut count, mut done) = (0, None);
    for fix in fixes {
        let Some((start, end)) = bounds(fix) else { continue };
        if done.is_none_or(|done| start > done) {
            splices.extend_from_slice(fix.splices());
            done = Some(end);
            count += 1;
        }
    }
    (Edit::new(splices), count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(text: &str) -> (String, usize) {
        let (document, count) = fixed(&Document::parse(text.to_owned()));
        (String::from_utf8(document.to_bytes()).expect("the example is UTF-8"), count)
    }

    #[test]
    fn mends_touch_nothing_else() {
        for (before, after, count) in [
            ("---\ntitle: Fix: \"x\" # y\n---\n", "---\nwhymark: 1\ntitle: \"Fix: \\\"x\\\" # y\"\n---\n", 2),
            ("---\r\nwhymark: 1\r\ntitle:  `x` \r\n---\r\n", "---\r\nwhymark: 1\r\ntitle:  \"`x`\" \r\n---\r\n", 1),
            ("---\ntitle: x\n---\n", "---\nwhymark: 1\ntitle: x\n---\n", 1),
            (
                "---\nwhymark: 1\ntitle: 2026 # x\ntags: [a, 1.10]\n---\n",
                "---\nwhymark: 1\ntitle: \"2026\" # x\ntags: [a, \"1.10\"]\n---\n",
                2,
            ),
            ("@file a Added BINARY\n", "@file a added binary\n", 2),
            (
                "@file a\n@@ -1,2 +01,3 @@ h\n a\nb\n+c\n@@ -8 +9 @@\n c\n-d\n@note +1 KIND=Intent risk=\"HIGH\" id=Intent\nurgency: Urgent \nkind: Ri\n  sk\n",
                "@file a\n@@ -1,2 +01,3 @@ h\n a\n b\n+c\n@@ -8,2 +9 @@\n c\n-d\n@note +1 KIND=intent risk=\"HIGH\" id=Intent\nurgency: urgent \nkind: Ri\n  sk\n",
                4,
            ),
            ("@file a\n@@ -1 +1,2 @@\n a\nb\n", "@file a\n@@ -1 +1,2 @@\n a\n+b\n", 1),
            ("@file a\n@@ -1,2 +1 @@\nb\n a\n", "@file a\n@@ -1,2 +1 @@\n-b\n a\n", 1),
        ] {
            assert_eq!(mended(before), (after.to_owned(), count), "{before}");
        }
    }

    #[test]
    fn what_has_several_meanings_is_left_alone() {
        for text in [
            "---\nwhymark: 1\ntitle: x\ntags: [b\nx: c: d\n---\n",
            "---\nwhymark: 1\ntitle: 'a\n---\n",
            "---\n- a\n---\n",
            "---\n{title: x}\n---\n",
            "@file a copied\n@@ -1,0 +1,2 @@\n a\n+b\n@@ h\n+x\n",
            "@file a\n@@ -1,9 +1,9 @@\n a\n+b\n",
            "@file a\n@@ -1 +1,2 @@\n a\n  @note +2\n",
            "@file a\n@@ -1 +1 @@\n a\nstray\n+b\n@note\n@note +9 kind=Reason\n",
        ] {
            let (after, _) = mended(text);
            let left: Vec<_> = after.lines().filter(|line| !text.contains(line)).collect();
            assert!(left.is_empty() || left == ["whymark: 1"], "{text}: {after}");
        }
    }
}
