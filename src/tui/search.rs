//! What is searched for, and where it is found: pure functions of the text. Looking through all of a review is done away
//! from the screen, one part after the other.

mod hit;
mod nearby;
mod scan;

use std::ops::Range;
use std::sync::Arc;

use regex::bytes::{Regex, RegexBuilder};

pub use hit::{Hit, Spot};
pub use nearby::Nearby;
pub use scan::{CardText, Scan, scan};

/// The most memory that a pattern may take, in bytes.
const MOST_MEMORY: usize = 1 << 20;

/// What is searched for.
#[derive(Debug, Clone)]
pub struct Pattern {
    text: String,
    regex: Regex,
}

impl Pattern {
    /// The regular expression `text`. Letters are found in either case, unless one of them is upper case.
    ///
    /// # Errors
    /// Why it is none, in a few words.
    pub fn new(text: &str) -> Result<Self, String> {
        let regex = RegexBuilder::new(text)
            .case_insensitive(!has_upper_case(text))
            .size_limit(MOST_MEMORY)
            .dfa_size_limit(MOST_MEMORY)
            .build();
        match regex {
            Ok(regex) => Ok(Self { text: text.to_owned(), regex }),
            Err(regex::Error::CompiledTooBig(_)) => Err("the pattern is too large".to_owned()),
            // The library draws the pattern with a caret above the reason.
            Err(error) => {
                let text = error.to_string();
                let reason = text.lines().last().unwrap_or_default().trim();
                Err(reason.strip_prefix("error: ").unwrap_or(reason).to_owned())
            }
        }
    }

    /// The pattern as it was typed.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is found in `line`.
    #[must_use]
    pub fn is_in(&self, line: &[u8]) -> bool {
        self.regex.is_match(line)
    }

    /// Where it is found in `line`, from left to right, as byte ranges that are not empty.
    pub fn places<'a>(&'a self, line: &'a [u8]) -> impl Iterator<Item = Range<usize>> + 'a {
        self.regex.find_iter(line).map(|found| found.range()).filter(|range| !range.is_empty())
    }
}

/// Whether a pattern names an upper case letter: one behind a backslash is a class and names none.
fn has_upper_case(pattern: &str) -> bool {
    let mut is_escaped = false;
    pattern.chars().any(|c| {
        let is_letter = !is_escaped && c.is_uppercase();
        is_escaped = c == '\\' && !is_escaped;
        is_letter
    })
}

/// How far one part has been looked through.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Scanned {
    /// Nobody has been asked to.
    #[default]
    No,
    /// Somebody has: the answer has this number.
    Asked(u64),
    /// It is there, ascending.
    Found(Vec<Hit>),
}

/// Where a jump begins that waits for what is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Goal {
    /// The part and the place in it.
    pub from: (usize, Hit),
    /// Whether it goes down.
    pub is_forward: bool,
    /// Whether the place itself will do.
    pub is_inclusive: bool,
}

/// A search and what it has found so far.
#[derive(Debug, Clone)]
pub struct Search {
    /// What is searched for.
    pub pattern: Arc<Pattern>,
    /// What was found, one a part.
    pub found: Vec<Scanned>,
    /// The jump that waits.
    pub goal: Option<Goal>,
    /// The hit that the cursor was put on last.
    pub at: Option<(usize, Hit)>,
    /// The first number that answers to this search may have.
    pub since: u64,
}

impl Search {
    /// A search that has found nothing yet in `parts` parts.
    #[must_use]
    pub fn new(pattern: Pattern, parts: usize, since: u64) -> Self {
        let found = vec![Scanned::No; parts];
        Self { pattern: Arc::new(pattern), found, goal: None, at: None, since }
    }

    /// Whether something has not been looked through yet.
    #[must_use]
    pub fn is_going_on(&self) -> bool {
        self.found.iter().any(|scanned| !matches!(scanned, Scanned::Found(_)))
    }

    /// Which hit the cursor was put on last, counted from 1, how many there are, and whether that is all.
    #[must_use]
    pub fn count(&self) -> (Option<usize>, usize, bool) {
        let (mut all, mut is_whole, mut number) = (0, true, None);
        for (part, scanned) in self.found.iter().enumerate() {
            let Scanned::Found(hits) = scanned else {
                is_whole = false;
                continue;
            };
            if let Some((_, hit)) = self.at.filter(|(at, _)| *at == part) {
                number = hits.binary_search(&hit).ok().map(|index| all + index + 1);
            }
            all += hits.len();
        }
        (number, all, is_whole)
    }

    /// The hit that the goal leads to.
    #[must_use]
    pub fn reach(&self, goal: Goal) -> Reached {
        let (start, place) = goal.from;
        let count = self.found.len();
        // The part that it begins in comes again at the end, with what stands on the other side of the place.
        for step in 0..=count {
            let (part, has_wrapped) = match goal.is_forward {
                true if start + step < count => (start + step, false),
                true => (start + step - count, true),
                false if step <= start => (start - step, false),
                false => (start + count - step, true),
            };
            let Some(Scanned::Found(hits)) = self.found.get(part) else { return Reached::NotYet };
            let below = hits
                .partition_point(|hit| if goal.is_inclusive == goal.is_forward { *hit < place } else { *hit <= place });
            let hit = match (step, goal.is_forward) {
                (0, true) => hits.get(below),
                (0, false) => hits[..below].last(),
                (_, true) => hits.first(),
                (_, false) => hits.last(),
            };
            if let Some(hit) = hit {
                return Reached::At { part, hit: *hit, has_wrapped };
            }
        }
        Reached::Nothing
    }
}

/// Where a goal leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reached {
    /// To a hit.
    At {
        /// Its part.
        part: usize,
        /// Its place in it.
        hit: Hit,
        /// Whether it went on at the other end.
        has_wrapped: bool,
    },
    /// There is none.
    Nothing,
    /// A part has not been looked through on the way there.
    NotYet,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::around::Around;
    use super::*;
    use crate::document::Document;
    use crate::text::width::Display;

    fn job(text: &str, pattern: &str) -> Scan {
        let document = Document::parse(text.to_owned());
        let section = Arc::clone(&document.parts()[1]);
        let notes = u32::try_from(section.tree().notes.len()).unwrap();
        Scan {
            ticket: 1,
            since: 1,
            part: 1,
            pattern: Arc::new(Pattern::new(pattern).expect("the test writes patterns")),
            section,
            hidden: Vec::new(),
            has_headings: true,
            around: Around::default(),
            prose: Vec::new(),
            facts: vec!["mode 100644 → 100755".to_owned()],
            display: Display::default(),
            review: None,
            cards: (0..notes).map(|note| (Hit::card(Some(note), note as usize), CardText::Note(note))).collect(),
        }
    }

    #[test]
    fn letters_are_found_in_either_case_unless_one_is_upper_case() {
        for (pattern, line, is_there) in [
            ("user", "loadUser", true),
            ("User", "loaduser", false),
            (r"\Wuser\S", "a User!", true),
            (r"\\U", r"\u", false),
            ("größe", "GRÖSSE Größe", true),
            ("a.c", "ABC", true),
            ("^b", "ab", false),
        ] {
            assert_eq!(Pattern::new(pattern).unwrap().is_in(line.as_bytes()), is_there, "{pattern} in {line}");
        }
        assert!(Pattern::new("x").unwrap().is_in(b"\xff x"), "what is no text does not hide the rest");
    }

    #[test]
    fn what_is_no_pattern_says_why() {
        for (pattern, reason) in [
            ("(", "unclosed group"),
            ("[z-a]", "invalid character class range"),
            ("*", "repetition operator"),
            (r"\w{9999}", "too large"),
        ] {
            let error = Pattern::new(pattern).expect_err(pattern);
            assert!(error.contains(reason) && !error.contains('\n'), "{pattern}: {error}");
        }
    }

    #[test]
    fn notes_are_found_by_what_they_say_however_it_is_broken() {
        let text = "@file a\n@@ -0,0 +1,2 @@\n+x\n+y\n\n@note +1\nwhy: because it\n  was late\n\nfree text\n@note +2\ntodo: later\n";
        for (pattern, hits) in [
            ("it was", vec![Hit::card(Some(0), 0)]),
            ("free", vec![Hit::card(Some(0), 0)]),
            ("late", vec![Hit::card(Some(0), 0), Hit::card(Some(1), 1)]),
            ("why", vec![]),
            ("10075.", vec![Hit::fact(0)]),
            ("[xy]$", vec![Hit::line(0), Hit::line(1)]),
            ("a", vec![Hit::TOP, Hit::card(Some(0), 0), Hit::card(Some(1), 1)]),
        ] {
            assert_eq!(scan(job(text, pattern), || false), Some(hits), "{pattern}");
        }
        assert_eq!(scan(job(text, "x"), || true), None);
    }

    proptest! {
        #[test]
        fn what_is_found_is_what_a_look_at_every_line_finds(
            lines in prop::collection::vec("[-+ ][abAB.é]{0,6}", 1..40),
            pattern in "[abAB.é]{1,3}",
        ) {
            let added = lines.iter().filter(|line| !line.starts_with('-')).count();
            let removed = lines.iter().filter(|line| !line.starts_with('+')).count();
            let text = format!("@file x\n@@ -1,{removed} +1,{added} @@\n{}\n", lines.join("\n"));
            let job = job(&text, &pattern);
            let is_there = |line: &String| {
                let line = &line[1..];
                let same = |a: char, b: char| if pattern.chars().any(char::is_uppercase) { a == b } else { a.to_lowercase().eq(b.to_lowercase()) };
                let wanted: Vec<char> = pattern.chars().collect();
                let chars: Vec<char> = line.chars().collect();
                chars.windows(wanted.len()).any(|window| window.iter().zip(&wanted).all(|(c, w)| *w == '.' || same(*c, *w)))
            };
            let naive: Vec<Hit> = (0..).zip(&lines).filter(|(_, line)| is_there(line)).map(|(at, _)| Hit::line(at)).collect();
            let mut found = scan(job, || false).expect("nobody cancels");
            // The path and the ranges are lines of their own.
            found.retain(|hit| *hit != Hit::TOP && hit.spot == Spot::Line);
            prop_assert_eq!(found, naive);
        }

        #[test]
        fn every_hit_is_reached_and_then_the_first_one_again(
            parts in prop::collection::vec(prop::collection::btree_set(0u32..20, 0..5), 1..5),
            is_forward in any::<bool>(),
        ) {
            let mut search = Search::new(Pattern::new("x").unwrap(), parts.len(), 0);
            let mut all = Vec::new();
            for (part, lines) in parts.iter().enumerate() {
                all.extend(lines.iter().map(|line| (part, Hit::line(*line))));
                search.found[part] = Scanned::Found(lines.iter().map(|line| Hit::line(*line)).collect());
            }
            if !is_forward {
                all.reverse();
            }
            let mut goal = Goal { from: (0, Hit::TOP), is_forward, is_inclusive: true };
            let mut seen = Vec::new();
            for _ in 0..all.len() {
                let Reached::At { part, hit, has_wrapped } = search.reach(goal) else { panic!("there are more") };
                prop_assert_eq!(has_wrapped, seen.is_empty() && !is_forward);
                seen.push((part, hit));
                goal = Goal { from: (part, hit), is_forward, is_inclusive: false };
            }
            prop_assert_eq!(&seen, &all);
            let again = all.first().map_or(Reached::Nothing, |(part, hit)| Reached::At { part: *part, hit: *hit, has_wrapped: true });
            prop_assert_eq!(search.reach(goal), again);
        }
    }
}
