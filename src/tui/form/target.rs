//! What a note can be about.

use std::ops::Range;

use bstr::BString;

use super::super::face::selector_words;
use crate::document::Selector;

/// What a note can be about: a part of the review, and what in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The part.
    pub part: usize,
    /// Lines, file, or whole change.
    pub selector: Selector,
    /// The path of the part's file; `None` for the whole change.
    pub file: Option<BString>,
    /// The lines, as text: what a record quotes, and how they are known again.
    pub quote: Option<String>,
    /// The bytes of the quote that are meant, where that is not all of it.
    pub slice: Option<Range<usize>>,
    /// Whether the diff is another one by now and the lines are not in it for certain: what has their numbers is not
    /// what was meant, whatever it reads.
    pub is_lost: bool,
    /// More lines of the file, each of which gets a note of its own that says the same.
    pub more: Vec<Lines>,
}

/// Lines that a note can be about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lines {
    /// Which ones.
    pub selector: Selector,
    /// What they read.
    pub quote: Option<String>,
}

/// The most characters of what is selected that say what it is.
const MOST_QUOTED: usize = 24;
/// The most ranges that are named one by one.
const MOST_NAMED: usize = 4;

impl Target {
    /// One range, or no lines.
    #[must_use]
    pub fn new(part: usize, selector: Selector, file: Option<BString>, quote: Option<String>) -> Self {
        Self { part, selector, file, quote, slice: None, is_lost: false, more: Vec::new() }
    }

    /// The whole change.
    #[must_use]
    pub fn doc() -> Self {
        Self::new(0, Selector::DOC, None, None)
    }

    /// The text that is meant: the lines, or what is selected of them.
    #[must_use]
    pub fn meant(&self) -> Option<&str> {
        let quote = self.quote.as_deref()?;
        Some(self.slice.as_ref().and_then(|slice| quote.get(slice.clone())).unwrap_or(quote))
    }

    /// How many notes are written about it.
    #[must_use]
    pub fn count(&self) -> usize {
        1 + self.more.len()
    }

    /// What each of these notes is about, with what it reads.
    pub fn lines(&self) -> impl Iterator<Item = (Selector, Option<&str>)> {
        let more = self.more.iter().map(|lines| (lines.selector, lines.quote.as_deref()));
        std::iter::once((self.selector, self.quote.as_deref())).chain(more)
    }

    /// What it is, in the fewest words.
    #[must_use]
    pub fn words(&self) -> String {
        match self.meant().filter(|_| self.slice.is_some()) {
            Some(meant) => {
                let first = meant.lines().next().unwrap_or_default();
                let end = first.char_indices().nth(MOST_QUOTED).map_or(first.len(), |(at, _)| at);
                let more = if end < meant.len() { "…" } else { "" };
                format!("{} “{}{more}”", selector_words(self.selector), &first[..end])
            }
            None if self.more.is_empty() => selector_words(self.selector),
            None => format!("{} ranges", self.count()),
        }
    }

    /// The ranges, for a sentence: "+4..9, +20..31, +40"; the last of many as their number.
    #[must_use]
    pub fn ranges(&self) -> String {
        let named = if self.count() > MOST_NAMED { MOST_NAMED - 1 } else { MOST_NAMED };
        let names: Vec<String> = self.lines().take(named).map(|(selector, _)| selector.to_string()).collect();
        let rest = self.count() - names.len();
        let names = names.join(", ");
        if rest == 0 { names } else { format!("{names} and {rest} more") }
    }
}
