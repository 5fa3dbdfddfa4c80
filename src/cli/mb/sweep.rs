//! `whymark mb sweep`: what a review covers, and what of that is clean.

use std::collections::HashSet;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;

use super::files::{self, Disk};
use super::{FINDINGS, Outcome, Refusal};
use crate::cli::{print_json, say, visible, write_out};
use crate::error::Error;
use crate::markback::{Finding, Markback, Problem, Sweep, sweep};
use crate::store;

/// `whymark mb sweep`.
#[derive(Debug, Args)]
pub(super) struct SweepArgs {
    /// The file with `%scope` and `%covers`.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Print an object with the covered and the clean files.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    covered: &'a [String],
    clean: Option<&'a [String]>,
}

/// Run the command. Paths are seen from the folder of the file.
///
/// # Errors
/// When the file cannot be read.
pub(super) fn run(args: &SweepArgs) -> Outcome {
    let path = &args.file;
    let file = Markback::parse(store::read(path)?);
    if file.findings().iter().any(|finding| finding.problem == Problem::NotUtf8) {
        return Err(Refusal::NotUtf8(path.clone()));
    }
    let base = files::absolute(files::folder_of(path))?;
    let swept = sweep(&file, &base, &mut Disk);
    let code = if file.findings().iter().any(Finding::is_error) {
        say(&format!("note: {} has errors; a file that an unread record names is listed as clean", path.display()));
        ExitCode::from(FINDINGS)
    } else {
        ExitCode::SUCCESS
    };
    let (covered, clean) = match &swept {
        Some(Sweep { covered, clean }) => (covered.as_slice(), clean.as_deref()),
        None => (&[][..], None),
    };
    if args.json {
        print_json(&Report { covered, clean })?;
    } else {
        text(&file, covered, clean)?;
    }
    Ok(code)
}

fn text(file: &Markback, covered: &[String], clean: Option<&[String]>) -> Result<(), Error> {
    write_out(|out| {
        if file.headers().covers.is_none() {
            return writeln!(out, "No `%covers`: the file does not say what was looked at.");
        }
        writeln!(out, "Covered: {}", covered.len())?;
        let Some(clean) = clean else {
            covered.iter().try_for_each(|path| writeln!(out, "  {}", visible(path)))?;
            return writeln!(out, "No `%scope`: the file does not say what for, so none counts as clean.");
        };
        let is_clean: HashSet<&String> = clean.iter().collect();
        for path in covered {
            let word = if is_clean.contains(path) { "clean" } else { "noted" };
            writeln!(out, "  {word}  {}", visible(path))?;
        }
        let scope: Vec<String> = file.headers().scope.iter().map(|word| visible(word)).collect();
        writeln!(out, "Clean: {} ({})", clean.len(), scope.join(" "))
    })
}
