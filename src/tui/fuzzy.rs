//! Which texts of a list a few typed letters mean, and how well. The letters need not stand side by side.

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// What was typed, ready to be looked for in many texts.
#[derive(Debug)]
pub struct Fuzzy {
    pattern: Pattern,
    words: Pattern,
    matcher: Matcher,
    buffer: Vec<char>,
}

impl Fuzzy {
    /// Look for the words of `typed`, all of them and in any order; upper case means upper case.
    #[must_use]
    pub fn new(typed: &str) -> Self {
        let pattern = Pattern::parse(typed, CaseMatching::Smart, Normalization::Smart);
        let words = Pattern::new(typed, CaseMatching::Smart, Normalization::Smart, AtomKind::Substring);
        Self { pattern, words, matcher: Matcher::new(Config::DEFAULT), buffer: Vec::new() }
    }

    /// How well `text` fits, if it does: more is better.
    pub fn score(&mut self, text: &str) -> Option<u32> {
        self.pattern.score(Utf32Str::new(text, &mut self.buffer), &mut self.matcher)
    }

    /// How well `text` fits if each word stands in it as it is typed: in a sentence, letters that stand anywhere are not
    /// what anybody means.
    pub fn mentions(&mut self, text: &str) -> Option<u32> {
        self.words.score(Utf32Str::new(text, &mut self.buffer), &mut self.matcher)
    }

    /// Which characters of `text` fit, ascending, counted as a reader counts them; none when it does not.
    pub fn places(&mut self, text: &str) -> Vec<u32> {
        let mut places = Vec::new();
        self.pattern.indices(Utf32Str::new(text, &mut self.buffer), &mut self.matcher, &mut places);
        places.sort_unstable();
        places.dedup();
        places
    }
}
