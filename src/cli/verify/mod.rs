//! `whymark verify`: the commands that a review names are run, and what comes out is compared with what it says.

mod consent;
mod evidence;
mod progress;
mod report;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use jiff::SignedDuration;
use regex::Regex;

use super::paint::Paint;
use super::paths::current_folder;
use super::{FINDINGS, review, say};
use crate::clock;
use crate::document::Document;
use crate::error::Error;
use crate::git::Repo;
use crate::store;
use crate::text::counted::counted;
use crate::verify::evidence::Circumstances;
use crate::verify::run::{Cancel, Runner};
use crate::verify::{Plan, Ran, Verdict, Written, written};

pub(super) use evidence::evidence_lines;

/// `whymark verify`.
#[derive(Debug, Args)]
pub(super) struct VerifyArgs {
    /// The review.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Write what came out into the claims and checks, and change nothing else.
    #[arg(short, long)]
    write: bool,

    /// Write a record of each run into the review, and its output into .artifacts/whymark/.
    #[arg(long, conflicts_with = "dry_run")]
    evidence: bool,

    /// Only commands that this regular expression matches.
    #[arg(long, value_name = "REGEX")]
    filter: Option<Regex>,

    /// How long a command may take, such as 90s, 10m or 1h.
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "10m")]
    timeout: Duration,

    /// How many commands run at once.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), default_value_t = 1)]
    jobs: u16,

    /// List the commands and where they come from, and run nothing.
    #[arg(long, conflicts_with = "write")]
    dry_run: bool,

    /// Don't ask before the commands are run.
    #[arg(short, long)]
    yes: bool,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// A span of time as clap reads it.
fn time(text: &str) -> Result<Duration, &'static str> {
    let span: Option<SignedDuration> = text.parse().ok();
    let span = span.filter(SignedDuration::is_positive).and_then(|span| Duration::try_from(span).ok());
    span.ok_or("a time is a number with its unit, such as 90s, 10m or 1h")
}

/// Run the command. The exit code says whether everything is as it is claimed, and passes.
///
/// # Errors
/// When the review cannot be read or written, or nobody allows its commands to be run.
pub(super) fn run(args: &VerifyArgs, paint: Paint) -> Result<ExitCode, Error> {
    let name = args.file.display().to_string();
    let document = Document::parse(store::read(&args.file)?);
    let plan = Plan::of(&document, |command| args.filter.as_ref().is_none_or(|filter| filter.is_match(command)));
    if args.dry_run {
        report::listed(&plan, args.json)?;
        return Ok(ExitCode::SUCCESS);
    }
    let folder = folder(&args.file)?;
    if !plan.commands.is_empty() && !args.yes {
        consent::ask(&plan, &folder)?;
    }
    let before = args.evidence.then(|| evidence::fingerprint(&folder));
    let runs = run_all(args, &plan, folder.clone())?;
    let circumstances = before.map(|before| evidence::circumstances(&folder, before));
    let verdicts = plan.verdicts(&runs);
    // What came out is told even if it cannot be written, and written even if nobody listens.
    let told_all = if args.json {
        report::json(&name, &verdicts)
    } else {
        report::text(&verdicts, plan.commands.len(), &evidence_lines(&document, &folder), paint)
    };
    let is_all_written = if args.write || circumstances.is_some() {
        let written = write(args, &plan, &runs, &folder, circumstances.as_ref())?;
        told(&name, &written, args.write)
    } else {
        true
    };
    told_all?;
    let is_fine = is_all_written && !verdicts.iter().any(Verdict::is_bad);
    Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::from(FINDINGS) })
}

/// Where commands are run: at the top of the repository that the review is in, else of the one around the current folder,
/// else in that folder.
fn folder(file: &Path) -> Result<PathBuf, Error> {
    let cwd = current_folder()?;
    let repo = review::repository(file, &cwd)?;
    Ok(repo.as_ref().and_then(Repo::workdir).map_or(cwd, Path::to_owned))
}

fn run_all(args: &VerifyArgs, plan: &Plan, folder: PathBuf) -> Result<Vec<Option<Ran>>, Error> {
    if plan.commands.is_empty() {
        return Ok(Vec::new());
    }
    let mut runner = Runner::new(folder, args.timeout);
    runner.jobs = usize::from(args.jobs);
    let cancel = Cancel::default();
    end_with_us(&cancel)?;
    let progress = progress::Progress::new(&plan.commands);
    let runs = runner.run(&plan.commands, &cancel, &|event| progress.show(event));
    while cancel.is_cancelled() {
        // The signal that did it is about to end the program: nothing more is said or written.
        std::thread::park();
    }
    Ok(runs)
}

/// When a signal ends the program, its commands are asked to end first; what then still runs, its watcher ends.
#[cfg(unix)]
fn end_with_us(cancel: &Cancel) -> Result<(), Error> {
    use crate::tui::signals::{Request, TIME_TO_WRITE, watch};
    let cancel = cancel.clone();
    let watching = watch(move |request| {
        if request == Request::Die {
            cancel.cancel();
            cancel.wait(TIME_TO_WRITE);
            // From here on no file is touched; one that is being replaced is finished first.
            std::mem::forget(store::pause());
        }
        String::new()
    });
    watching.map_err(|source| Error::HandleSignals { source })
}

#[cfg(not(unix))]
fn end_with_us(_: &Cancel) -> Result<(), Error> {
    Ok(())
}

/// Put what came out into the file as it is by now, which may be another text than the one that was read.
fn write(
    args: &VerifyArgs,
    plan: &Plan,
    runs: &[Option<Ran>],
    folder: &Path,
    circumstances: Option<&Circumstances>,
) -> Result<Written, Error> {
    let path = &args.file;
    let now = clock::now();
    let (_, written) = store::update_existing(path, |text| {
        let document = Document::parse(text.to_vec());
        let mut written = if args.write { written(plan, runs, &document, &now) } else { Written::nothing(document) };
        if let Some(circumstances) = circumstances {
            evidence::put(&mut written, plan, runs, folder, circumstances)?;
        }
        Ok::<_, Error>((written.document.to_bytes(), written))
    })?;
    Ok(written)
}

/// Say what was written and what could not be. Whether all was.
fn told(name: &str, written: &Written, is_counted: bool) -> bool {
    for left in &written.left {
        say(&format!("warning: {left}"));
    }
    if is_counted {
        let what = counted(written.count, "outcome");
        say(&format!("note: wrote {what} to {name}"));
    }
    written.left.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        for (text, seconds) in [("90s", Some(90)), ("10m", Some(600)), ("1h30m", Some(5400)), ("1 hour", Some(3600))] {
            assert_eq!(time(text).ok().map(|time| time.as_secs()), seconds, "{text}");
        }
        for text in ["", "90", "0s", "-1m", "soon", "1y"] {
            assert!(time(text).is_err(), "{text}");
        }
    }
}
