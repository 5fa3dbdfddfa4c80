//! `whymark validate`: what is wrong with reviews, for people and for programs.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::paint::Paint;
use super::paths::current_folder;
use super::review::{self, Review};
use super::scope_args::FilterArgs;
use super::{FINDINGS, report, say};
use crate::diagnostic::{Diagnostic, Severity};
use crate::document::Document;
use crate::document::check::{self, Located};
use crate::error::Error;
use crate::git::Repo;
use crate::metrics::Stats;
use crate::store;
use crate::text::counted::counted;

/// `whymark validate`.
#[derive(Debug, Args)]
pub(super) struct ValidateArgs {
    /// The reviews, `-` for standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Warnings count as errors for the exit code.
    #[arg(long)]
    strict: bool,

    /// The share of added lines that notes must cover, from 0 to 1.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    min_coverage: Option<f64>,

    /// Don't compare the reviews and their sources with the repository.
    #[arg(long)]
    no_staleness: bool,

    /// Mend in the files what has one meaning, and report the rest.
    #[arg(long)]
    fix: bool,

    #[command(flatten)]
    filters: FilterArgs,

    /// How the findings are written.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    format: Format,

    /// As --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// How findings are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For a person, with the lines in question.
    Text,
    /// An array with an object for each file.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Workflow commands of GitHub Actions.
    Github,
}

/// A share as clap reads it.
fn share(text: &str) -> Result<f64, &'static str> {
    let share: f64 = text.parse().map_err(|_| "a share is a number from 0 to 1")?;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err("a share is a number from 0 to 1") }
}

/// What was found about one review.
pub(super) struct Checked {
    /// The review.
    pub(super) review: Review,
    /// The findings, in the order of the format.
    pub(super) found: Vec<Located>,
    /// The numbers.
    pub(super) stats: Stats,
    /// Whether nothing that was asked for is missing.
    pub(super) ok: bool,
}

impl Checked {
    /// How many findings weigh this much.
    pub(super) fn count(&self, severity: Severity) -> usize {
        self.found.iter().filter(|found| found.diagnostic.severity == severity).count()
    }
}

/// Run the command. The exit code says whether every review is fine.
///
/// # Errors
/// When a review cannot be read, which does not keep the others from being checked, or not be mended in place.
pub(super) fn run(args: &ValidateArgs, paint: Paint) -> Result<ExitCode, Error> {
    if args.fix {
        args.files.iter().try_for_each(|path| mend(path))?;
    }
    let (reviews, outcome) = Review::read_each(&args.files);
    let repos = repositories(reviews.iter().map(|(path, _)| *path), args)?;
    let with_repos = reviews.into_iter().zip(&repos);
    let checked: Vec<Checked> = with_repos.map(|((_, review), repo)| checked(review, repo.as_ref(), args)).collect();
    match if args.json { Format::Json } else { args.format } {
        Format::Text => report::text(&checked, paint)?,
        Format::Json => report::json(&checked)?,
        Format::Sarif => report::sarif(&checked)?,
        Format::Github => report::github(&checked)?,
    }
    outcome?;
    let is_fine = checked.iter().all(|checked| checked.ok);
    Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::from(FINDINGS) })
}

/// For the review at each of `paths` the repository that it is compared with.
fn repositories<'a>(paths: impl Iterator<Item = &'a Path>, args: &ValidateArgs) -> Result<Vec<Option<Repo>>, Error> {
    if args.no_staleness {
        return Ok(paths.map(|_| None).collect());
    }
    let cwd = current_folder()?;
    let repo = |path| Ok(review::repository(path, &cwd)?.map(|repo| repo.with_filters(args.filters.run_filters)));
    let repos = paths.map(repo).collect::<Result<Vec<_>, Error>>()?;
    if repos.iter().any(Option::is_none) {
        say("note: no git repository here, so nothing is compared with it (as with --no-staleness)");
    }
    Ok(repos)
}

fn checked(review: Review, repo: Option<&Repo>, args: &ValidateArgs) -> Checked {
    let document = &review.document;
    let stats = Stats::of(document);
    let mut found = check::structure(document);
    if let Some(repo) = repo {
        found.extend(check::staleness(document, repo));
        found.extend(check::sources(document, repo));
    }
    found.extend(check::review(document));
    found.extend(args.min_coverage.and_then(|least| uncovered(&stats, least)));
    let worst = found.iter().map(|found| found.diagnostic.severity).max();
    let ok = worst.is_none_or(|worst| worst < if args.strict { Severity::Warning } else { Severity::Error });
    Checked { found, stats, ok, review }
}

/// The finding that fewer lines are covered than asked for.
fn uncovered(stats: &Stats, least: f64) -> Option<Located> {
    if stats.coverage >= least {
        return None;
    }
    let Stats { covered, added, coverage, .. } = stats;
    let (has, wants) = (coverage * 100.0, least * 100.0);
    let message = format!(
        "Notes cover {covered} of {added} added lines ({has:.1} %), and {wants:.1} % are asked for: \
         `whymark stats` shows which files lack them."
    );
    let code = "coverage-below-threshold";
    let diagnostic = Diagnostic { code, severity: Severity::Error, range: 0..0, message, fix: None };
    Some(Located { diagnostic, part: None, note: None })
}

/// Mend the file at `path`.
fn mend(path: &Path) -> Result<(), Error> {
    if review::is_standard_stream(path) {
        return Err(Error::FixStandardInput);
    }
    let (_, count) = store::update_existing(path, |text| {
        let document = Document::parse(text.to_vec());
        let (fixed, count) = check::fixed(&document);
        Ok::<_, Error>((fixed.to_bytes(), count))
    })?;
    let what = counted(count, "finding");
    say(&format!("note: {}: {what} mended", path.display()));
    Ok(())
}
