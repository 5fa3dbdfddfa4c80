//! A list above the rest, from which one entry is chosen: what is typed leaves those that fit. A plain value; what an entry
//! does is the business of `update`.

use std::cmp::Reverse;

use super::card::CardRow;
use super::command::{Command, Context};
use super::evidence::OddLines;
use super::filter::Facet;
use super::fuzzy::Fuzzy;
use super::model::{Focus, Standpoint};
use super::text_input::{Input, TextInput};
use crate::text::width::Display;

/// Which list it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PickKind {
    /// Every command of the review.
    Commands,
    /// What notes can be shown by.
    Filters,
    /// What the review rests on.
    Evidence,
    /// The changed files.
    Files,
    /// The themes.
    Themes,
    /// What the help lists.
    Keys,
}

/// What choosing an entry does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Run the command.
    Command(Command),
    /// Go to this line of the new side of the file in sight.
    Line(u64),
    /// Go to the part with this index.
    File(usize),
    /// Open this card.
    Card(Focus),
    /// Show notes with this property, or don't.
    Facet(Facet),
    /// Show the command in the help of this place.
    Key(Context, Command),
    /// Draw with the theme of this number from now on, in this run and the next.
    Theme(usize),
}

/// An entry of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What it is called.
    pub name: String,
    /// What else there is to say about it.
    pub detail: String,
    /// The keys that do the same, or a number; at the right.
    pub aside: String,
    /// What choosing it does; no two entries of a list do the same.
    pub choice: Choice,
}

/// A list, what is typed to find an entry of it, and which one is chosen.
#[derive(Debug, Clone)]
pub struct Pick {
    /// Which list it is.
    pub kind: PickKind,
    /// The words above it.
    pub title: String,
    /// Rows above the entries that cannot be chosen.
    pub facts: Vec<CardRow>,
    /// Where the reader was before.
    pub from: Standpoint,
    /// What is odd about lines of the review, once the list wants to know.
    pub odd: Option<OddLines>,
    filter: TextInput,
    entries: Vec<Entry>,
    /// The entries that fit, by index, the best first.
    shown: Vec<usize>,
    /// Which of them is chosen.
    at: usize,
    /// Whether the reader has gone to that one: then it stays chosen as long as it fits.
    is_chosen_by_hand: bool,
}

impl Pick {
    /// A list with its first entry chosen.
    #[must_use]
    pub fn new(kind: PickKind, title: String, entries: Vec<Entry>, from: Standpoint, display: Display) -> Self {
        let shown = (0..entries.len()).collect();
        let filter = TextInput::new("", display);
        Self {
            kind,
            title,
            facts: Vec::new(),
            from,
            odd: None,
            filter,
            entries,
            shown,
            at: 0,
            is_chosen_by_hand: false,
        }
    }

    /// What is typed to find an entry.
    #[must_use]
    pub fn filter(&self) -> &TextInput {
        &self.filter
    }

    /// The entries that fit, the best first.
    pub fn shown(&self) -> impl ExactSizeIterator<Item = &Entry> {
        self.shown.iter().map(|index| &self.entries[*index])
    }

    /// How many entries there are, those included that don't fit.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Which of the entries that fit is chosen.
    #[must_use]
    pub fn at(&self) -> usize {
        self.at
    }

    /// The entry that is chosen, if any fits.
    #[must_use]
    pub fn chosen(&self) -> Option<&Entry> {
        self.shown.get(self.at).map(|index| &self.entries[*index])
    }

    /// Choose the entry `rows` further down (up, when negative), as far as there are some.
    pub fn step(&mut self, rows: isize) {
        self.choose(self.at.saturating_add_signed(rows));
    }

    /// Choose the entry at `at` of those that fit, or the last one.
    pub fn choose(&mut self, at: usize) {
        self.at = at.min(self.shown.len().saturating_sub(1));
        self.is_chosen_by_hand = true;
    }

    /// Begin with the entry that does this, if it fits.
    pub fn begin_with(&mut self, choice: Choice) {
        let at = self.shown().position(|entry| entry.choice == choice);
        self.at = at.unwrap_or(self.at);
    }

    /// Edit what is typed.
    pub fn edit(&mut self, input: Input) {
        let kept = self.chosen_by_hand();
        if self.filter.apply(input, usize::MAX) {
            self.find(kept);
        }
    }

    /// Take other entries. One that the reader has gone to stays chosen.
    pub fn replace(&mut self, entries: Vec<Entry>) {
        let kept = self.chosen_by_hand();
        self.entries = entries;
        self.find(kept);
    }

    fn chosen_by_hand(&self) -> Option<Choice> {
        self.chosen().filter(|_| self.is_chosen_by_hand).map(|entry| entry.choice)
    }

    /// Find the entries that fit what is typed: by their names, and behind those by what else is said about them.
    /// The one that does `kept` stays chosen if it fits, otherwise the best one is.
    fn find(&mut self, kept: Option<Choice>) {
        let typed = self.filter.text().trim();
        let mut fuzzy = Fuzzy::new(typed);
        let mut ranked: Vec<_> = self
            .entries
            .iter()
            .enumerate()
            .filter_map(|(index, entry)| {
                let (class, score) = if entry.name == typed {
                    (0, 0)
                } else if let Some(score) = fuzzy.score(&entry.name) {
                    (1, score)
                } else {
                    (2, fuzzy.mentions(&format!("{} {}", entry.name, entry.detail))?)
                };
                Some((class, Reverse(score), index))
            })
            .collect();
        if !typed.is_empty() {
            ranked.sort_unstable();
        }
        self.shown = ranked.into_iter().map(|(.., index)| index).collect();
        let kept = kept.and_then(|choice| self.shown().position(|entry| entry.choice == choice));
        self.at = kept.unwrap_or(0);
        self.is_chosen_by_hand = kept.is_some();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pick(names: &[String]) -> Pick {
        let entries = (0..).zip(names).map(|(number, name)| Entry {
            name: name.clone(),
            detail: "detail".to_owned(),
            aside: String::new(),
            choice: Choice::Line(number),
        });
        Pick::new(PickKind::Commands, String::new(), entries.collect(), Standpoint::default(), Display::default())
    }

    #[test]
    fn the_name_counts_before_the_rest_and_the_exact_one_before_all() {
        let names = ["next-note", "note-on-file", "note", "tail", "end"].map(ToOwned::to_owned);
        for (typed, first, count) in
            [("", "next-note", 5), ("note", "note", 3), ("nof", "note-on-file", 1), ("tail", "tail", 5), ("zzz", "", 0)]
        {
            let mut pick = pick(&names);
            pick.edit(Input::Insert(typed.to_owned()));
            assert_eq!(pick.chosen().map_or("", |entry| entry.name.as_str()), first, "{typed}");
            assert_eq!(pick.shown().len(), count, "{typed}");
        }
    }

    /// What a reader may do in a list.
    #[derive(Debug, Clone)]
    enum Step {
        Type(char),
        Erase,
        Go(isize),
        Replace,
    }

    fn step() -> impl Strategy<Value = Step> {
        let letter = prop::sample::select(vec!['a', 'b', 'c', 'A', ' ', '^', 'é', '漢']);
        prop_oneof![
            4 => letter.prop_map(Step::Type),
            2 => Just(Step::Erase),
            3 => (-4isize..5).prop_map(Step::Go),
            1 => Just(Step::Replace),
        ]
    }

    proptest! {
        #[test]
        fn the_one_that_was_chosen_stays_chosen_while_it_fits(
            names in prop::collection::vec("[abcABé漢 -]{0,8}", 0..12),
            steps in prop::collection::vec(step(), 0..40),
        ) {
            let mut pick = pick(&names);
            let mut held: Option<Entry> = None;
            for step in steps {
                match step {
                    Step::Type(c) => pick.edit(Input::Insert(c.to_string())),
                    Step::Erase => pick.edit(Input::Backspace),
                    Step::Go(rows) => {
                        pick.step(rows);
                        held = pick.chosen().cloned();
                    }
                    Step::Replace => {
                        let reversed: Vec<Entry> = pick.entries.iter().rev().cloned().collect();
                        pick.replace(reversed);
                    }
                }
                let shown: Vec<&Entry> = pick.shown().collect();
                prop_assert_eq!(pick.chosen(), shown.get(pick.at()).copied());
                prop_assert!(shown.is_empty() || pick.chosen().is_some());
                held = held.filter(|entry| shown.contains(&entry));
                if let Some(entry) = &held {
                    prop_assert_eq!(pick.chosen(), Some(entry));
                }
                let mut once: Vec<String> = shown.iter().map(|entry| format!("{:?}", entry.choice)).collect();
                once.sort();
                once.dedup();
                prop_assert_eq!(once.len(), shown.len(), "an entry is there twice");
            }
        }
    }
}
