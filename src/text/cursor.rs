//! Where a cursor can stand in a text: between what a reader calls characters, and between words.

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

/// The start of the character that ends at `at`, or that `at` is inside of; 0 at the start.
#[must_use]
pub fn before(text: &str, at: usize) -> usize {
    GraphemeCursor::new(at, text.len(), true).prev_boundary(text, 0).ok().flatten().unwrap_or(0)
}

/// The end of the character that begins at `at`, or that `at` is inside of; the length at the end.
#[must_use]
pub fn after(text: &str, at: usize) -> usize {
    GraphemeCursor::new(at, text.len(), true).next_boundary(text, 0).ok().flatten().unwrap_or(text.len())
}

/// Whether `at` is between two characters, or at either end.
#[must_use]
pub fn is_boundary(text: &str, at: usize) -> bool {
    GraphemeCursor::new(at, text.len(), true).is_boundary(text, 0).unwrap_or(true)
}

/// The start of the word that ends at `at`, blanks before `at` passed over. Signs in a row are a word too.
///
/// # Panics
/// When `at` is inside a code point.
#[must_use]
pub fn word_left(text: &str, at: usize) -> usize {
    let mut clusters = text[..at].grapheme_indices(true).rev().peekable();
    let mut start = at;
    while let Some((at, _)) = clusters.next_if(|(_, cluster)| Class::of(cluster) == Class::Blank) {
        start = at;
    }
    let class = clusters.peek().map(|(_, cluster)| Class::of(cluster));
    while let Some((at, _)) = clusters.next_if(|(_, cluster)| Some(Class::of(cluster)) == class) {
        start = at;
    }
    start
}

/// The end of the word that begins at `at`, blanks behind `at` passed over. Signs in a row are a word too.
///
/// # Panics
/// When `at` is inside a code point.
#[must_use]
pub fn word_right(text: &str, at: usize) -> usize {
    let blanks = text[at..].graphemes(true).take_while(|cluster| Class::of(cluster) == Class::Blank);
    word_end(text, at + blanks.map(str::len).sum::<usize>())
}

/// The end of the word, or of the blanks, that `at` is in.
///
/// # Panics
/// When `at` is inside a code point.
#[must_use]
pub fn word_end(text: &str, at: usize) -> usize {
    let mut clusters = text[at..].graphemes(true).peekable();
    let mut end = at;
    let class = clusters.peek().map(|cluster| Class::of(cluster));
    while let Some(cluster) = clusters.next_if(|cluster| Some(Class::of(cluster)) == class) {
        end += cluster.len();
    }
    end
}

/// What a character is to the one who moves by word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Blank,
    Word,
    Sign,
}

impl Class {
    fn of(cluster: &str) -> Self {
        match cluster.chars().next() {
            Some(c) if c.is_whitespace() => Self::Blank,
            Some(c) if c.is_alphanumeric() || c == '_' => Self::Word,
            _ => Self::Sign,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_between_characters() {
        let text = "e\u{301}🇳🇴b";
        let stops: Vec<usize> =
            (0..=text.len()).filter(|at| text.is_char_boundary(*at) && is_boundary(text, *at)).collect();
        assert_eq!(stops, [0, 3, 11, 12]);
        assert_eq!((before(text, 0), before(text, 11), after(text, 3), after(text, 12)), (0, 3, 11, 12));
    }

    #[test]
    fn stops_between_words() {
        let text = "one  two.three_4 → 漢字";
        let rights: Vec<usize> = std::iter::successors(Some(0), |at| Some(word_right(text, *at))).take(7).collect();
        assert_eq!(rights, [0, 3, 8, 9, 16, 20, 27]);
        let lefts: Vec<usize> = std::iter::successors(Some(27), |at| Some(word_left(text, *at))).take(7).collect();
        assert_eq!(lefts, [27, 21, 17, 9, 8, 5, 0]);
    }
}
