//! Numbers about a review (section 9 of the format): coverage, sourced share, open items, risk profile. Computed from the
//! document, never stored in it.

mod marks;
mod runs;

use std::collections::BTreeMap;

use serde::Serialize;

pub use marks::{Mark, MarkStanding, Marks};
pub use runs::{runs, runs_where};

use crate::diff::{LineKind, NewLine};
use crate::document::{ClaimStatus, Document, Facts, Risk, Section, Side, Tree};

/// The numbers of one section.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SectionStats {
    /// The path.
    pub path: String,
    /// Added lines that are really there.
    pub added: u64,
    /// Removed lines that are really there.
    pub removed: u64,
    /// Added lines about which a note speaks.
    pub covered: u64,
    /// Added lines about which a verified note speaks.
    pub verified: u64,
    /// The covered share of the added lines, from 0 to 1; 1 when there are none.
    pub coverage: f64,
    /// Notes, without those about the whole change.
    pub notes: u64,
    /// Notes about the file as a whole.
    pub file_level_notes: u64,
}

impl SectionStats {
    /// The numbers of `section`.
    #[must_use]
    pub fn of(section: &Section) -> Self {
        Self::marked(section, &Marks::of(section))
    }

    /// The numbers of `section`, whose marks are known.
    #[must_use]
    pub fn marked(section: &Section, marks: &Marks) -> Self {
        let tree = section.tree();
        let mut stats = Self {
            path: section.path_text().into_owned(),
            added: 0,
            removed: 0,
            covered: 0,
            verified: 0,
            coverage: 0.0,
            notes: 0,
            file_level_notes: 0,
        };
        for hunk in &tree.hunks {
            stats.added += u64::from(hunk.added);
            stats.removed += u64::from(hunk.removed);
        }
        for mark in added_lines(tree).filter_map(|line| marks.new_line(line)) {
            stats.covered += 1;
            stats.verified += u64::from(mark.verified);
        }
        for note in &tree.notes {
            stats.notes += u64::from(note.selector.side != Side::Doc);
            stats.file_level_notes += u64::from(note.selector.side == Side::File);
        }
        stats.coverage = share(stats.covered, stats.added);
        stats
    }
}

/// The numbers of the added lines, in the order of the hunks.
fn added_lines(tree: &Tree) -> impl Iterator<Item = NewLine> + '_ {
    tree.hunks.iter().flat_map(|hunk| {
        let added = tree.hunk_lines(hunk).iter().filter(|line| line.diff_kind() == Some(LineKind::Added));
        added.filter_map(|line| line.new_line(hunk))
    })
}

/// How many notes name each risk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct RiskCounts {
    /// `low`
    pub low: u64,
    /// `medium`
    pub medium: u64,
    /// `high`
    pub high: u64,
}

/// How many claims have each status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct StatusCounts {
    /// `pass`
    pub pass: u64,
    /// `fail`
    pub fail: u64,
    /// `unknown`
    pub unknown: u64,
    /// `skipped`
    pub skipped: u64,
}

impl StatusCounts {
    fn add(&mut self, status: ClaimStatus) {
        let slot = match status {
            ClaimStatus::Pass => &mut self.pass,
            ClaimStatus::Fail => &mut self.fail,
            ClaimStatus::Unknown => &mut self.unknown,
            ClaimStatus::Skipped => &mut self.skipped,
        };
        *slot += 1;
    }
}

/// How many checks of the whole change have each status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct CheckCounts {
    /// All.
    pub total: u64,
    /// `pass`
    pub pass: u64,
    /// `fail`
    pub fail: u64,
    /// `unknown` and `skipped`
    pub unknown: u64,
}

/// The numbers of a review.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Stats {
    /// Sections.
    pub files: u64,
    /// Added lines.
    pub added: u64,
    /// Removed lines.
    pub removed: u64,
    /// Added lines about which a note speaks.
    pub covered: u64,
    /// Added lines about which a verified note speaks.
    pub verified: u64,
    /// The covered share of the added lines, from 0 to 1; 1 when there are none.
    pub coverage: f64,
    /// The verified share, likewise.
    pub verified_coverage: f64,
    /// Notes.
    pub notes: u64,
    /// Notes with sources, all of them inferences.
    pub inference_only: u64,
    /// Notes with a source that is not an inference.
    pub sourced: u64,
    /// Notes that nobody has written yet.
    pub stubs: u64,
    /// Notes without a why.
    pub unexplained: u64,
    /// Notes of each kind that occurs, by the kind's word.
    pub by_kind: BTreeMap<&'static str, u64>,
    /// Notes of each risk.
    pub by_risk: RiskCounts,
    /// Notes of high risk that are not verified.
    pub unverified_high_risk: u64,
    /// Claims of each status.
    pub verify_statuses: StatusCounts,
    /// `todo` fields.
    pub open_todos: u64,
    /// `question` fields.
    pub open_questions: u64,
    /// Todos, questions, and claims that fail or whose status is unknown.
    pub open_items: u64,
    /// Checks of the whole change.
    pub checks: CheckCounts,
    /// The numbers of each section, in order.
    pub per_file: Vec<SectionStats>,
}

impl Stats {
    /// The numbers of `document`.
    #[must_use]
    pub fn of(document: &Document) -> Self {
        Self::sum(document.map_parts(read).into_iter(), document.checks().into_iter().map(|check| check.status))
    }

    /// The numbers of parts of which they are known: what is concluded from the notes of each, and those of its section
    /// unless it is the head; and of the checks of the whole change.
    pub fn sum(
        parts: impl Iterator<Item = (Vec<Facts>, Option<SectionStats>)>,
        checks: impl Iterator<Item = ClaimStatus>,
    ) -> Self {
        let mut stats = Self::default();
        for (facts, section) in parts {
            facts.iter().for_each(|facts| stats.add_note(facts));
            stats.add_section(section);
        }
        for status in checks {
            stats.checks.total += 1;
            match status {
                ClaimStatus::Pass => stats.checks.pass += 1,
                ClaimStatus::Fail => stats.checks.fail += 1,
                ClaimStatus::Unknown | ClaimStatus::Skipped => stats.checks.unknown += 1,
            }
        }
        stats.coverage = share(stats.covered, stats.added);
        stats.verified_coverage = share(stats.verified, stats.added);
        stats
    }

    fn add_section(&mut self, section: Option<SectionStats>) {
        let Some(section) = section else { return };
        self.files += 1;
        self.added += section.added;
        self.removed += section.removed;
        self.covered += section.covered;
        self.verified += section.verified;
        self.per_file.push(section);
    }

    fn add_note(&mut self, note: &Facts) {
        self.notes += 1;
        self.inference_only += u64::from(note.is_inference_only);
        self.sourced += u64::from(note.is_sourced);
        self.stubs += u64::from(note.is_stub);
        self.unexplained += u64::from(!note.has_why);
        *self.by_kind.entry(note.kind.as_str()).or_default() += 1;
        match note.risk {
            Some(Risk::Low) => self.by_risk.low += 1,
            Some(Risk::Medium) => self.by_risk.medium += 1,
            Some(Risk::High) => {
                self.by_risk.high += 1;
                self.unverified_high_risk += u64::from(!note.is_verified);
            }
            None => {}
        }
        note.claims.iter().for_each(|status| self.verify_statuses.add(*status));
        self.open_items += note.open_items();
        self.open_todos += note.todos;
        self.open_questions += note.questions;
    }
}

/// What is concluded from each note of `section`, in order.
fn facts(section: &Section) -> Vec<Facts> {
    section.note_views().map(|note| note.facts()).collect()
}

/// What the numbers of a document need of one part; the head has none of its own.
fn read(section: &Section) -> (Vec<Facts>, Option<SectionStats>) {
    let facts = facts(section);
    let stats = (!section.is_head()).then(|| SectionStats::marked(section, &Marks::concluded(section, &facts)));
    (facts, stats)
}

/// `part` of `whole`, from 0 to 1; all of nothing is 1.
#[expect(clippy::cast_precision_loss, reason = "numbers of lines are far below 2^52")]
pub(crate) fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "@file a\n@@ -0,0 +1,6 @@\n+a\n+b\n+c\n+d\n+e\n+f\n\n\
        @note +1..4\nwhy: x\nverify: cmd `m` => pass\n@note +3..9\nsource: inference\n@note +3\nverify: type => fail\n\
        @note +6..6\nwhy: y\n@note -1..2\nwhy: z\n@note file\n";

    #[test]
    fn coverage_counts_lines() {
        let stats = Stats::of(&Document::parse(TEXT));
        assert_eq!((stats.added, stats.covered, stats.verified, stats.notes, stats.files), (6, 6, 4, 6, 1));
        assert_eq!((stats.inference_only, stats.sourced, stats.unexplained, stats.stubs), (1, 0, 3, 3));
        assert_eq!((stats.per_file[0].notes, stats.per_file[0].file_level_notes), (6, 1));
        assert_eq!(Stats::of(&Document::parse("")).coverage.to_string(), "1");
    }

    #[test]
    fn huge_ranges_cost_nothing() {
        let text =
            "@file a\n@@ -1 +1 @@\n-a\n+b\n@note +1..99999999999999999999\nwhy: x\n@note +0..99999999999999999999\n";
        let stats = Stats::of(&Document::parse(text));
        assert_eq!((stats.added, stats.covered), (1, 1));
    }
}
