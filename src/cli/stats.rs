//! `whymark stats`: the numbers of reviews.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;

use super::paint::{Paint, Tone};
use super::review::Review;
use super::{print, print_json, visible};
use crate::error::Error;
use crate::metrics::{SectionStats, Stats};
use crate::text::counted::counted;

/// The characters of a bar.
const BAR: usize = 20;
/// From these shares on coverage is good, and middling.
const GOOD: f64 = 0.8;
const MIDDLING: f64 = 0.5;

/// `whymark stats`.
#[derive(Debug, Args)]
pub(super) struct StatsArgs {
    /// The reviews, `-` for standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Print an object, or for several files an array of them.
    #[arg(long)]
    json: bool,
}

/// Run the command.
///
/// # Errors
/// When a review cannot be read; the others are told about all the same.
pub(super) fn run(args: &StatsArgs, paint: Paint) -> Result<(), Error> {
    let (reviews, outcome) = Review::read_each(&args.files);
    let stats: Vec<Stats> = reviews.iter().map(|(_, review)| Stats::of(&review.document)).collect();
    match (args.json, stats.as_slice()) {
        (true, [only]) if args.files.len() == 1 => print_json(only)?,
        (true, all) => print_json(&all)?,
        (false, all) => {
            let texts: Vec<String> =
                reviews.iter().zip(all).map(|((_, review), stats)| text(review, stats, paint)).collect();
            print(texts.join("\n").as_bytes())?;
        }
    }
    outcome
}

fn text(review: &Review, stats: &Stats, paint: Paint) -> String {
    let title = review.document.meta().title.as_deref().unwrap_or("Untitled review");
    let mut out = format!("{}  {}\n", paint.tone(Tone::Strong, &visible(&review.name)), visible(title));
    let mut row = |name: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  {name:9} {value}");
    };
    let Stats { files, added, removed, covered, verified, notes, .. } = stats;
    row("lines", &format!("+{added} -{removed} in {}", counted(*files, "file")));
    let share =
        |share: f64, part: u64| format!("{} {:>3} %  {part} of {added} added lines", bar(share, paint), percent(share));
    row("covered", &share(stats.coverage, *covered));
    row("verified", &share(stats.verified_coverage, *verified));
    let Stats { sourced, inference_only, stubs, unexplained, .. } = stats;
    row(
        "notes",
        &format!(
            "{notes}: {sourced} sourced, {inference_only} inference only, {} without a source, {}, {unexplained} without a why",
            notes - sourced - inference_only,
            counted(*stubs, "stub")
        ),
    );
    let kinds: Vec<String> = stats.by_kind.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    if !kinds.is_empty() {
        row("kinds", &kinds.join(", "));
    }
    let risk = stats.by_risk;
    row(
        "risk",
        &format!(
            "{} high ({} unverified), {} medium, {} low",
            risk.high, stats.unverified_high_risk, risk.medium, risk.low
        ),
    );
    let claims = stats.verify_statuses;
    row(
        "claims",
        &format!("{} pass, {} fail, {} unknown, {} skipped", claims.pass, claims.fail, claims.unknown, claims.skipped),
    );
    row(
        "open",
        &format!(
            "{}: {}, {}, {} that failed or nobody checked",
            counted(stats.open_items, "item"),
            counted(stats.open_todos, "todo"),
            counted(stats.open_questions, "question"),
            counted(stats.open_items - stats.open_todos - stats.open_questions, "claim"),
        ),
    );
    let checks = stats.checks;
    row(
        "checks",
        &format!("{}: {} pass, {} fail, {} unknown or skipped", checks.total, checks.pass, checks.fail, checks.unknown),
    );
    let width = stats.per_file.iter().map(|file| visible(&file.path).chars().count()).max().unwrap_or(0).min(60);
    for file in &stats.per_file {
        out += &line(file, width, paint);
    }
    out
}

/// The line of one file.
fn line(file: &SectionStats, width: usize, paint: Paint) -> String {
    let counts = format!("+{} -{}", file.added, file.removed);
    let share = if file.added == 0 {
        format!("{}      ", " ".repeat(BAR))
    } else {
        format!("{} {:>3} %", bar(file.coverage, paint), percent(file.coverage))
    };
    let path = visible(&file.path);
    let covered = format!("{}/{} covered, {} verified", file.covered, file.added, file.verified);
    format!("  {path:width$}  {counts:>11}  {share}  {covered}, {}\n", counted(file.notes, "note"))
}

/// A share in percent; only all of it is 100, and only nothing is 0.
fn percent(share: f64) -> u8 {
    (0..=100u8)
        .rev()
        .find(|whole| {
            let rounded = f64::from(*whole) - 0.5;
            match whole {
                100 => share >= 1.0,
                1 => share > 0.0,
                whole => *whole == 0 || share * 100.0 >= rounded,
            }
        })
        .unwrap_or(0)
}

fn bar(share: f64, paint: Paint) -> String {
    let full = usize::from(percent(share)) * BAR / 100;
    let tone = if share >= GOOD {
        Tone::Good
    } else if share >= MIDDLING {
        Tone::Middling
    } else {
        Tone::Bad
    };
    let (full, rest) = ("#".repeat(full), ".".repeat(BAR - full));
    format!("{}{}", paint.tone(tone, &full), paint.tone(Tone::Faint, &rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_and_everything_are_not_rounded_to() {
        let shares = [0.0, 0.001, 0.014, 0.015, 0.5, 0.994, 0.999, 1.0].map(percent);
        assert_eq!(shares, [0, 1, 1, 2, 50, 99, 99, 100]);
    }
}
