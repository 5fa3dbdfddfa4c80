//! Numbers over all parts that have been read.

use super::super::part::Part;
use super::Model;

/// Numbers over all parts that have been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    /// Added lines.
    pub added: u64,
    /// Added lines about which a note speaks.
    pub covered: u64,
    /// Added lines about which a verified note speaks.
    pub verified: u64,
    /// Todos, questions, and claims that failed or were not checked.
    pub open_items: u64,
    /// Notes that are still to be filled in.
    pub stubs: u64,
    /// Added lines about which only such notes speak.
    pub stubbed: u64,
    /// Notes whose text is no longer in the diff.
    pub orphans: u64,
}

impl Model {
    /// The numbers of all that has been read.
    #[must_use]
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for Part { reading, .. } in &self.parts {
            totals.added += reading.stats.added;
            totals.covered += reading.stats.covered;
            totals.verified += reading.stats.verified;
            totals.open_items += reading.open_items;
            totals.stubs += reading.stubs;
            totals.stubbed += reading.stubbed;
            totals.orphans += reading.orphans;
        }
        totals
    }

    /// Added lines that no note covers, in what has been read.
    #[must_use]
    pub fn uncovered(&self) -> u64 {
        self.parts.iter().map(|part| part.reading.stats.added.saturating_sub(part.reading.stats.covered)).sum()
    }
}
