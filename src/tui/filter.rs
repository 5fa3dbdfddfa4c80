//! Which notes are shown: a few properties, chosen one by one. A pure value; what is hidden is always counted and said.

use std::collections::BTreeSet;

use crate::document::{Facts, Kind, Risk};

/// A property that a note, or a hunk, can be chosen by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Facet {
    /// Hunks with an added line that no note explains; no property of notes.
    Uncovered,
    /// Notes of a kind.
    Kind(Kind),
    /// Markback notes.
    Markback,
    /// Notes of a risk.
    Risk(Risk),
    /// Notes no claim of which passes.
    Unverified,
    /// Notes that rest on inference alone.
    Inferred,
    /// Notes that leave something open; Markback notes that are not resolved.
    Open,
    /// Notes that are still to be filled in.
    Stub,
    /// What the reader has written.
    Mine,
}

impl Facet {
    /// All of them, in the order of the list.
    pub fn all() -> impl Iterator<Item = Self> {
        let states = [Self::Unverified, Self::Inferred, Self::Open, Self::Stub, Self::Mine, Self::Uncovered];
        let risks = Risk::ALL.iter().rev().map(|risk| Self::Risk(*risk));
        let kinds = Kind::ALL.iter().map(|kind| Self::Kind(*kind));
        states.into_iter().chain(risks).chain([Self::Markback]).chain(kinds)
    }

    /// What it is called.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Uncovered => "unexplained".to_owned(),
            Self::Kind(kind) => kind.as_str().to_owned(),
            Self::Markback => "Markback".to_owned(),
            Self::Risk(risk) => format!("risk {}", risk.as_str()),
            Self::Unverified => "unverified".to_owned(),
            Self::Inferred => "inferred".to_owned(),
            Self::Open => "open".to_owned(),
            Self::Stub => "stub".to_owned(),
            Self::Mine => "mine".to_owned(),
        }
    }

    /// What it chooses, in a few words.
    #[must_use]
    pub fn doc(self) -> &'static str {
        match self {
            Self::Uncovered => "only hunks with an added line that no note explains",
            Self::Kind(_) => "notes of this kind",
            Self::Markback => "Markback notes",
            Self::Risk(_) => "notes of this risk",
            Self::Unverified => "notes no claim of which passes",
            Self::Inferred => "notes that rest on inference alone",
            Self::Open => "todos, questions, claims that fail or nobody checked; Markback notes not resolved",
            Self::Stub => "notes that are still to be filled in",
            Self::Mine => "what you have written: Markback notes that you signed, the notes of your own review",
        }
    }

    /// Of the facets of one group any will do.
    fn group(self) -> u8 {
        match self {
            Self::Uncovered => 0,
            Self::Kind(_) | Self::Markback => 1,
            Self::Risk(_) => 2,
            Self::Unverified | Self::Inferred | Self::Open | Self::Stub => 3,
            Self::Mine => 4,
        }
    }
}

/// What is known of a note or a Markback record.
#[derive(Debug, Clone, Copy)]
pub enum Traits<'a> {
    /// A note, and whether the reader is the author of the review.
    Note(&'a Facts, bool),
    /// A record.
    Record {
        /// Whether it is resolved.
        is_resolved: bool,
        /// Whether the reader has signed it.
        is_mine: bool,
    },
}

impl Traits<'_> {
    /// Whether the note has the property.
    #[must_use]
    pub fn have(self, facet: Facet) -> bool {
        match (self, facet) {
            (Self::Note(facts, _), Facet::Kind(kind)) => facts.kind == kind,
            (Self::Note(facts, _), Facet::Risk(risk)) => facts.risk == Some(risk),
            (Self::Note(facts, _), Facet::Unverified) => !facts.is_verified,
            (Self::Note(facts, _), Facet::Inferred) => facts.is_inference_only,
            (Self::Note(facts, _), Facet::Open) => facts.open_items() > 0,
            (Self::Note(facts, _), Facet::Stub) => facts.is_stub,
            (Self::Note(_, is_mine) | Self::Record { is_mine, .. }, Facet::Mine) => is_mine,
            (Self::Record { is_resolved, .. }, Facet::Open) => !is_resolved,
            (Self::Record { .. }, Facet::Markback) => true,
            (Self::Note(..) | Self::Record { .. }, _) => false,
        }
    }
}

/// The properties that are chosen: of those of one group a note must have one, and that in every group with any.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter(BTreeSet<Facet>);

impl Filter {
    /// Choose a property, or don't any more.
    pub fn toggle(&mut self, facet: Facet) {
        if !self.0.remove(&facet) {
            self.0.insert(facet);
        }
    }

    /// Whether a property is chosen.
    #[must_use]
    pub fn has(&self, facet: Facet) -> bool {
        self.0.contains(&facet)
    }

    /// Whether anything is chosen.
    #[must_use]
    pub fn is_on(&self) -> bool {
        !self.0.is_empty()
    }

    /// Whether a note is shown.
    #[must_use]
    pub fn admits(&self, traits: Traits<'_>) -> bool {
        let notes = || self.0.iter().filter(|facet| **facet != Facet::Uncovered);
        notes().all(|facet| notes().any(|other| other.group() == facet.group() && traits.have(*other)))
    }

    /// What is chosen, in words.
    #[must_use]
    pub fn words(&self) -> String {
        self.0.iter().map(|facet| facet.name()).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;

    #[test]
    fn any_of_one_group_and_all_groups() {
        let text = "@file a\n@note file kind=risk risk=high\nwhy: x\n@note file kind=intent risk=high\nwhy: x\nverify: cmd `m` => pass\n\
                    @note file kind=risk\nwhy: x\ntodo: y\n@note file kind=intent\nwhy: x\nsource: inference\n";
        let document = Document::parse(text);
        let facts: Vec<Facts> = document.parts()[1].note_views().map(|note| note.facts()).collect();
        let record = Traits::Record { is_resolved: false, is_mine: true };
        let (risk, intent) = (Facet::Kind(Kind::Risk), Facet::Kind(Kind::Intent));
        for (facets, shown) in [
            (&[][..], [true; 5]),
            (&[Facet::Uncovered], [true; 5]),
            (&[risk], [true, false, true, false, false]),
            (&[risk, Facet::Markback], [true, false, true, false, true]),
            (&[risk, intent, Facet::Risk(Risk::High)], [true, true, false, false, false]),
            (&[intent, Facet::Unverified], [false, false, false, true, false]),
            (&[Facet::Open, Facet::Inferred], [false, false, true, true, true]),
            (&[Facet::Mine], [true, true, true, true, true]),
            (&[Facet::Stub], [false; 5]),
        ] {
            let mut filter = Filter::default();
            facets.iter().for_each(|facet| filter.toggle(*facet));
            let notes = facts.iter().map(|facts| filter.admits(Traits::Note(facts, true)));
            assert_eq!(notes.chain([filter.admits(record)]).collect::<Vec<_>>(), shown, "{}", filter.words());
            facets.iter().for_each(|facet| filter.toggle(*facet));
            assert!(!filter.is_on());
        }
    }
}
