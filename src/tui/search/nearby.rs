//! Looking for a phrase in a text that is broken into rows.

use std::ops::Range;

use super::Pattern;

/// A row of a text that takes several: itself, and so much of the rows around it that a phrase is found across their ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearby {
    text: String,
    /// The row itself.
    row: Range<usize>,
}

impl Nearby {
    /// The rows on either side that count.
    const ROWS: usize = 2;

    /// Row `at` of the rows that `row` names: what each says, and whether it goes on with the text of the one above.
    pub fn of<'a>(at: usize, row: impl Fn(usize) -> Option<(&'a str, bool)>) -> Self {
        let goes_on = |at: usize| row(at).is_some_and(|(_, goes_on)| goes_on);
        let first =
            (at.saturating_sub(Self::ROWS)..at).rev().take_while(|before| goes_on(before + 1)).last().unwrap_or(at);
        let last = (at + 1..=at + Self::ROWS).take_while(|next| goes_on(*next)).last().unwrap_or(at);
        let mut nearby = Self { text: String::new(), row: 0..0 };
        for index in first..=last {
            let start = nearby.text.len() + usize::from(index > first);
            nearby.text += if index > first { " " } else { "" };
            nearby.text += row(index).map_or("", |(text, _)| text);
            if index == at {
                nearby.row = start..nearby.text.len();
            }
        }
        nearby
    }

    /// Where in the row `pattern` is found, if only with a part of what it is found in.
    pub fn places<'a>(&'a self, pattern: &'a Pattern) -> impl Iterator<Item = Range<usize>> + 'a {
        let Range { start, end } = self.row;
        let within = move |place: Range<usize>| place.start.max(start)..place.end.min(end);
        let places = pattern.places(self.text.as_bytes()).map(within).filter(|place| !place.is_empty());
        places.map(move |place| place.start - start..place.end - start)
    }

    /// Whether something is found that begins in the row.
    #[must_use]
    pub fn begins(&self, pattern: &Pattern) -> bool {
        pattern.places(self.text.as_bytes()).any(|place| self.row.contains(&place.start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_is_found_across_the_ends_of_rows_and_of_no_texts() {
        let rows = [("one two", false), ("three four", true), ("five", true), ("six seven", false)];
        let found = |pattern: &str| {
            let pattern = Pattern::new(pattern).expect("the test writes patterns");
            let nearby = (0..rows.len()).map(|at| Nearby::of(at, |at| rows.get(at).copied()));
            let said = nearby.enumerate().map(|(at, nearby)| {
                let text = nearby.places(&pattern).map(|place| &rows[at].0[place]).collect::<Vec<_>>().join(",");
                if nearby.begins(&pattern) { format!("!{text}") } else { text }
            });
            said.collect::<Vec<_>>().join("|")
        };
        for (pattern, want) in [
            ("two three", "!two|three||"),
            ("two three four five", "!two|three four|five|"),
            ("four five", "|!four|five|"),
            ("five six", "|||"),
            ("t[a-z]+", "!two|!three||"),
            ("six", "|||!six"),
            ("e$", "||!e|"),
        ] {
            assert_eq!(found(pattern), want, "{pattern}");
        }
    }
}
