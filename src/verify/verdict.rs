//! What a run says about a claim.

use super::{Item, Plan, Ran};
use crate::document::ClaimStatus;

/// What a run says about a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It is as the review says.
    Confirmed,
    /// It is not as the review says.
    Contradicted,
    /// It could not be run to its end.
    Unrunnable,
    /// The review said nothing that could be right or wrong.
    Recorded,
}

impl Outcome {
    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Contradicted => "contradicted",
            Self::Unrunnable => "unrunnable",
            Self::Recorded => "recorded",
        }
    }
}

/// What is known about one check or claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict<'a> {
    /// The check or claim.
    pub item: &'a Item,
    /// What came of it.
    pub outcome: Outcome,
    /// The run that it rests on.
    pub ran: Option<&'a Ran>,
    /// Why it could not be run.
    pub reason: Option<String>,
}

impl Verdict<'_> {
    /// Whether there is something to mend: it is not as claimed, not known, or as bad as claimed.
    #[must_use]
    pub fn is_bad(&self) -> bool {
        matches!(self.outcome, Outcome::Contradicted | Outcome::Unrunnable) || self.is_failure()
    }

    /// Sorts verdicts so that the worst come first.
    #[must_use]
    pub fn rank(&self) -> u8 {
        match self.outcome {
            Outcome::Contradicted => 0,
            Outcome::Unrunnable => 1,
            _ if self.is_failure() => 2,
            Outcome::Confirmed => 3,
            Outcome::Recorded => 4,
        }
    }

    /// Whether the command was run and failed.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        self.outcome != Outcome::Unrunnable && self.ran.is_some_and(|ran| ran.status() == ClaimStatus::Fail)
    }
}

impl Plan {
    /// What `runs`, one a command, say about each item; nothing about one whose command has not been run yet.
    #[must_use]
    pub fn verdicts<'a>(&'a self, runs: &'a [Option<Ran>]) -> Vec<Verdict<'a>> {
        self.items.iter().filter_map(|item| verdict(item, runs)).collect()
    }
}

fn verdict<'a>(item: &'a Item, runs: &'a [Option<Ran>]) -> Option<Verdict<'a>> {
    let ran = match item.command {
        Ok(command) => Some(runs.get(command)?.as_ref()?),
        Err(_) => None,
    };
    let reason = match item.command {
        Ok(_) => ran.and_then(Ran::unavailable),
        Err(why) => Some(why.to_string()),
    };
    let outcome = match ran {
        Some(ran) if reason.is_none() => judged(item.claimed, ran.status()),
        _ => Outcome::Unrunnable,
    };
    Some(Verdict { item, outcome, ran, reason })
}

fn judged(claimed: ClaimStatus, is: ClaimStatus) -> Outcome {
    match claimed {
        ClaimStatus::Unknown | ClaimStatus::Skipped => Outcome::Recorded,
        _ if claimed == is => Outcome::Confirmed,
        ClaimStatus::Pass | ClaimStatus::Fail => Outcome::Contradicted,
    }
}

/// How many of each outcome there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Summary {
    /// Checks and claims.
    pub total: usize,
    /// As the review says.
    pub confirmed: usize,
    /// Not as the review says.
    pub contradicted: usize,
    /// Not run, or not to the end.
    pub unrunnable: usize,
    /// The review said nothing that could be right or wrong.
    pub recorded: usize,
}

impl Summary {
    /// The numbers of `verdicts`.
    #[must_use]
    pub fn of(verdicts: &[Verdict<'_>]) -> Self {
        let count = |outcome| verdicts.iter().filter(|verdict| verdict.outcome == outcome).count();
        Self {
            total: verdicts.len(),
            confirmed: count(Outcome::Confirmed),
            contradicted: count(Outcome::Contradicted),
            unrunnable: count(Outcome::Unrunnable),
            recorded: count(Outcome::Recorded),
        }
    }
}

impl std::fmt::Display for Summary {
    /// `5 checked: 2 confirmed, 1 contradicted, …`, what there is none of left out.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let counts = [
            (self.contradicted, Outcome::Contradicted),
            (self.unrunnable, Outcome::Unrunnable),
            (self.confirmed, Outcome::Confirmed),
            (self.recorded, Outcome::Recorded),
        ];
        let there = counts.iter().filter(|(count, _)| *count > 0);
        let words: Vec<String> = there.map(|(count, outcome)| format!("{count} {}", outcome.as_str())).collect();
        write!(out, "{} checked: {}", self.total, words.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::document::Document;
    use crate::verify::End;

    #[test]
    fn outcomes() {
        for (claimed, end, want, is_bad) in [
            ("pass", End::Exited(0), "confirmed", false),
            ("fail", End::Exited(3), "confirmed", true),
            ("pass", End::Exited(3), "contradicted", true),
            ("fail", End::Exited(0), "contradicted", true),
            ("unknown", End::Exited(0), "recorded", false),
            ("skipped", End::Exited(1), "recorded", true),
            ("pass", End::Exited(127), "unrunnable", true),
            ("unknown", End::TimedOut, "unrunnable", true),
            ("fail", End::Killed(11), "unrunnable", true),
            ("fail", End::NotStarted("x".into()), "unrunnable", true),
        ] {
            let document = Document::parse(format!("@check cmd `x` => {claimed}\n@check cmd => pass\n"));
            let plan = Plan::of(&document, |_| true);
            assert_eq!(plan.verdicts(&[None]).len(), 1, "the one without a command is known from the start");
            let runs = [Some(Ran { end, duration: Duration::ZERO, output: Vec::new() })];
            let verdicts = plan.verdicts(&runs);
            assert_eq!((verdicts[0].outcome.as_str(), verdicts[0].is_bad()), (want, is_bad), "{claimed}: {runs:?}");
            assert_eq!(verdicts[0].reason.is_some(), want == "unrunnable");
            assert_eq!(verdicts[1].outcome, Outcome::Unrunnable);
            assert_eq!(Summary::of(&verdicts).total, 2);
        }
    }

    #[test]
    fn a_summary_names_what_there_is() {
        let summary = Summary { total: 3, confirmed: 2, contradicted: 1, ..Summary::default() };
        assert_eq!(summary.to_string(), "3 checked: 1 contradicted, 2 confirmed");
    }
}
