//! Which words differ between a removed line and the added line that takes its place.
//!
//! The cost is bounded whatever the lines are: few lines are compared with each other at once ([`MOST_LINES`]), and of
//! lines of very many words only the common beginning and end are looked for.

use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};
use unicode_segmentation::UnicodeSegmentation;

/// The most lines of one side that are given to [`pairs`]; longer runs are cut into pieces of so many.
pub const MOST_LINES: usize = 64;
/// The most words of a line that are compared one by one.
const MOST_WORDS: usize = 256;
/// The bytes of a line that decide whether it is like another one.
const LOOKED_AT: usize = 1024;
/// The least likeness of a pair, from 0 to 1.
const LEAST_LIKENESS: f64 = 0.5;
/// The least share of a line that is the same in its partner, from 0 to 1: below, marks on words would say nothing.
const LEAST_COMMON: f64 = 0.3;

/// The differing parts of two lines, as byte ranges: of the old one and of the new one.
pub type Changed = (Vec<Range<usize>>, Vec<Range<usize>>);

/// Which of the lines `old` belong to which of the lines `new`, as indices: those that are alike, in the order of both.
/// Of all such pairings it is the one whose pairs are most alike in sum. At most [`MOST_LINES`] of either are looked at.
#[must_use]
pub fn pairs(old: &[&[u8]], new: &[&[u8]]) -> Vec<(usize, usize)> {
    let old: Vec<_> = old.iter().take(MOST_LINES).map(|line| sorted_words(line)).collect();
    let new: Vec<_> = new.iter().take(MOST_LINES).map(|line| sorted_words(line)).collect();
    let width = new.len() + 1;
    // The likeness in sum that the lines from `i` and `j` on can still come to.
    let mut best = vec![0.0; (old.len() + 1) * width];
    let mut alike = vec![0.0; old.len() * new.len()];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            let like = likeness(&old[i], &new[j]);
            alike[i * new.len() + j] = like;
            let paired = if like >= LEAST_LIKENESS { like + best[(i + 1) * width + j + 1] } else { 0.0 };
            best[i * width + j] = f64::max(best[(i + 1) * width + j], best[i * width + j + 1]).max(paired);
        }
    }
    let (mut i, mut j, mut found) = (0, 0, Vec::new());
    while i < old.len() && j < new.len() {
        let (here, like) = (best[i * width + j], alike[i * new.len() + j]);
        if like >= LEAST_LIKENESS && here <= like + best[(i + 1) * width + j + 1] {
            found.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if here <= best[(i + 1) * width + j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    found
}

/// The words that differ between two lines; `None` when hardly anything is the same.
#[must_use]
pub fn changed(old: &[u8], new: &[u8]) -> Option<Changed> {
    let (old_words, new_words) = (words(old, MOST_WORDS + 1), words(new, MOST_WORDS + 1));
    let (old_ranges, new_ranges) = match (old_words, new_words) {
        (old_words, new_words) if old_words.len() <= MOST_WORDS && new_words.len() <= MOST_WORDS => {
            compared((old, &old_words), (new, &new_words))
        }
        _ => middles(old, new),
    };
    let is_telling = is_partly(old, &old_ranges) && is_partly(new, &new_ranges);
    is_telling.then_some((old_ranges, new_ranges))
}

/// The words of `line`, at most `most`: what a reader takes as one, and of what is joined by marks each part. They are
/// the line without a gap.
fn words(line: &[u8], most: usize) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut at = 0;
    for chunk in line.utf8_chunks() {
        for (start, word) in chunk.valid().split_word_bound_indices() {
            if words.len() >= most {
                return words;
            }
            split_at_marks(word, at + start, &mut words);
        }
        at += chunk.valid().len();
        if !chunk.invalid().is_empty() {
            words.push(at..at + chunk.invalid().len());
            at += chunk.invalid().len();
        }
    }
    words
}

/// What is one word to Unicode, such as `a.b`, is several in code.
fn split_at_marks(word: &str, offset: usize, words: &mut Vec<Range<usize>>) {
    let mut start = 0;
    for (at, mark) in word.match_indices(|c: char| c.is_ascii_punctuation() && c != '_') {
        if at > start {
            words.push(offset + start..offset + at);
        }
        start = at + mark.len();
        words.push(offset + at..offset + start);
    }
    if start < word.len() {
        words.push(offset + start..offset + word.len());
    }
}

/// The words of a line but for its blanks, so that two lines can be compared in one pass.
fn sorted_words(line: &[u8]) -> Vec<&[u8]> {
    let line = &line[..line.len().min(LOOKED_AT)];
    let all = words(line, usize::MAX).into_iter().map(|word| &line[word]);
    let mut words: Vec<&[u8]> = all.filter(|word| !word.trim_ascii().is_empty()).collect();
    words.sort_unstable();
    words
}

/// How alike two lines are: the share of their bytes that are words of both, from 0 to 1.
fn likeness(old: &[&[u8]], new: &[&[u8]]) -> f64 {
    let bytes = |words: &[&[u8]]| words.iter().map(|word| word.len()).sum::<usize>();
    let whole = bytes(old) + bytes(new);
    let (mut common, mut i, mut j) = (0, 0, 0);
    while let (Some(one), Some(other)) = (old.get(i), new.get(j)) {
        match one.cmp(other) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                common += one.len();
                (i, j) = (i + 1, j + 1);
            }
        }
    }
    share(2 * common, whole)
}

#[expect(clippy::cast_precision_loss, reason = "a share need not be exact")]
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn compared((old, old_words): (&[u8], &[Range<usize>]), (new, new_words): (&[u8], &[Range<usize>])) -> Changed {
    fn texts<'a>(line: &'a [u8], words: &[Range<usize>]) -> Vec<&'a [u8]> {
        words.iter().map(|word| &line[word.clone()]).collect()
    }
    let (old_texts, new_texts) = (texts(old, old_words), texts(new, new_words));
    let mut ranges: Changed = (Vec::new(), Vec::new());
    for op in capture_diff_slices(Algorithm::Myers, &old_texts, &new_texts) {
        if op.tag() != DiffTag::Equal {
            extend(&mut ranges.0, old, &old_words[op.old_range()]);
            extend(&mut ranges.1, new, &new_words[op.new_range()]);
        }
    }
    ranges
}

/// Add words that follow each other; with only blanks between, they join those before.
fn extend(ranges: &mut Vec<Range<usize>>, line: &[u8], words: &[Range<usize>]) {
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return };
    match ranges.last_mut() {
        Some(before) if line[before.end..first.start].trim_ascii().is_empty() => before.end = last.end,
        _ => ranges.push(first.start..last.end),
    }
}

/// What lies between the common beginning and the common end.
fn middles(old: &[u8], new: &[u8]) -> Changed {
    let shorter = old.len().min(new.len());
    let mut start = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    // Both begin with the same bytes, so a character that is cut in one is cut in the other.
    while start > 0 && start < shorter && is_inside(old, start) | is_inside(new, start) {
        start -= 1;
    }
    let rest = shorter - start;
    let mut end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(one, other)| one == other).count();
    while end > 0 && (is_inside(old, old.len() - end) || is_inside(new, new.len() - end)) {
        end -= 1;
    }
    let middle = |line: &[u8]| {
        let middle = start..line.len() - end;
        if middle.is_empty() { Vec::new() } else { vec![middle] }
    };
    (middle(old), middle(new))
}

/// Whether the byte at `at` goes on with a character of UTF-8.
fn is_inside(line: &[u8], at: usize) -> bool {
    line.get(at).is_some_and(|byte| byte & 0xC0 == 0x80)
}

/// Whether enough of `line` is outside of `ranges`.
fn is_partly(line: &[u8], ranges: &[Range<usize>]) -> bool {
    let changed: usize = ranges.iter().map(ExactSizeIterator::len).sum();
    ranges.is_empty() || share(line.len() - changed, line.len()) >= LEAST_COMMON
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "one range is what is wanted")]
mod tests {
    use super::*;

    /// The line with what differs in brackets.
    fn marked(line: &str, ranges: &[Range<usize>]) -> String {
        let mut out = line.to_owned();
        for range in ranges.iter().rev() {
            out.insert(range.end, ']');
            out.insert(range.start, '[');
        }
        out
    }

    #[test]
    fn words_that_differ() {
        for (old, new, want) in [
            ("let a = one(b);", "let a = two(b);", Some(("let a = [one](b);", "let a = [two](b);"))),
            ("self.old_name.len()", "self.new_name.len()", Some(("self.[old_name].len()", "self.[new_name].len()"))),
            ("foo(a)", "foo(a, b)", Some(("foo(a)", "foo(a[, b])"))),
            ("  deep", "    deep", Some(("[  ]deep", "[    ]deep"))),
            ("say hello to all", "say good bye to all", Some(("say [hello] to all", "say [good bye] to all"))),
            ("名前は太郎です", "名前は花子です", Some(("名前は[太郎]です", "名前は[花子]です"))),
            ("the end\r", "the end", Some(("the end[\r]", "the end"))),
            ("same", "same", Some(("same", "same"))),
            ("completely", "different", None),
            ("return db.users.find(token);", "const x = 1;", None),
            ("", "new", None),
        ] {
            let found = changed(old.as_bytes(), new.as_bytes());
            let shown = found.map(|(olds, news)| (marked(old, &olds), marked(new, &news)));
            assert_eq!(shown, want.map(|(old, new)| (old.to_owned(), new.to_owned())), "{old:?} {new:?}");
        }
        assert_eq!(changed(b"a \xff b c d", b"a \xfe b c d"), Some((vec![2..3], vec![2..3])));
    }

    #[test]
    fn long_lines_are_looked_at_from_both_ends_only() {
        let line = |middle: &str| format!("{}{middle}{}", "ab, ".repeat(20_000), " cd;".repeat(20_000)).into_bytes();
        let (old, new) = (line("é"), line("è"));
        let at = 4 * 20_000;
        assert_eq!(changed(&old, &new), Some((vec![at..at + 2], vec![at..at + 2])));
    }

    #[test]
    fn alike_lines_are_paired_in_order() {
        let lines = |text: &'static str| text.lines().map(str::as_bytes).collect::<Vec<_>>();
        let old = lines("let a = first(x);\nlet b = second(y);\nreturn a + b;");
        let new = lines("// how it goes\nlet a = first(x, 1);\nlet c = 0;\nreturn a * b;\nunrelated words here");
        assert_eq!(pairs(&old, &new), [(0, 1), (2, 3)]);
        assert_eq!(pairs(&old, &[]), []);
        assert_eq!(pairs(&lines("\n\n"), &lines("\n\n")), []);
    }
}
