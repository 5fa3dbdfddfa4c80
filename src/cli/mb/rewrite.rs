//! `whymark mb normalize`, `convert` and `upgrade`: files in another layout. A file with errors is left alone, because
//! what is not read would not be written.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::files::{self, ended_as, sound, sound_text};
use super::{FINDINGS, Outcome, Refusal, refuse};
use crate::cli::{print, print_document, say, visible};
use crate::markback::{Markback, Problem, Style, canonical};
use crate::store;

/// `whymark mb normalize`.
#[derive(Debug, Args, Default)]
pub(super) struct NormalizeArgs {
    /// The file, `-` for standard input; of several the first.
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,

    /// Write it to OUT instead of standard output.
    #[arg(short, long, value_name = "OUT")]
    pub(super) output: Option<PathBuf>,

    /// Write it to the file itself.
    #[arg(long)]
    pub(super) in_place: bool,

    /// Write records of a section one by one, each with all its headers.
    #[arg(long)]
    pub(super) expand: bool,
}

/// Run the command.
///
/// # Errors
/// When the file has errors, or cannot be read or written.
pub(super) fn normalize(args: &NormalizeArgs) -> Outcome {
    let path = args.files.first().ok_or(Refusal::NoFile)?;
    let style = if args.expand { Style::Expanded } else { Style::Normalized };
    if args.in_place && args.output.is_none() {
        rewrite(path, style)?;
        return Ok(ExitCode::SUCCESS);
    }
    let text = written(path, &sound(path)?, style)?;
    match &args.output {
        Some(output) => files::write(output, &text)?,
        None => print_document(text.as_bytes())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// `whymark mb convert`.
#[derive(Debug, Args, Default)]
pub(super) struct ConvertArgs {
    /// The file; of several the first.
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,

    /// The layout: single (one record), multi, or compact (one line a record wherever it fits).
    #[arg(long, value_name = "LAYOUT")]
    pub(super) to: Option<String>,

    /// The file to write.
    #[arg(short, long, value_name = "OUT")]
    pub(super) output: Option<PathBuf>,
}

/// Run the command.
///
/// # Errors
/// When something is missing, the file has errors or does not fit the layout, or cannot be read or written.
pub(super) fn convert(args: &ConvertArgs) -> Outcome {
    let path = args.files.first().ok_or(Refusal::NoFile)?;
    let (Some(to), Some(output)) = (&args.to, &args.output) else { return Err(Refusal::NoFormat) };
    let style = match to.as_str() {
        "single" | "compact" => Style::Compact,
        "multi" => Style::Kept,
        other => return Err(Refusal::UnknownFormat(other.to_owned())),
    };
    let file = sound(path)?;
    let count = file.entries().len();
    if to == "single" && count != 1 {
        return Err(Refusal::NotSingle { path: path.clone(), count });
    }
    files::write(output, &written(path, &file, style)?)?;
    say(&format!("Converted {count} record(s) to {to} format"));
    Ok(ExitCode::SUCCESS)
}

/// `whymark mb upgrade`.
#[derive(Debug, Args, Default)]
pub(super) struct UpgradeArgs {
    /// Files, and folders, whose .mb files are looked at however deep they are.
    #[arg(value_name = "FILE|FOLDER")]
    pub(super) targets: Vec<PathBuf>,

    /// Say what would be done, and write nothing.
    #[arg(long)]
    pub(super) dry_run: bool,
}

/// Run the command. A file that is refused does not keep the others from being written.
///
/// # Errors
/// When nothing is named, or a folder cannot be listed.
pub(super) fn upgrade(args: &UpgradeArgs) -> Outcome {
    if args.targets.is_empty() {
        return Err(Refusal::NoFile);
    }
    let mut code = ExitCode::SUCCESS;
    for path in files::found(&args.targets, true)? {
        if let Err(refusal) = upgrade_one(&path, args.dry_run) {
            refuse(&refusal);
            code = ExitCode::from(FINDINGS);
        }
    }
    Ok(code)
}

fn upgrade_one(path: &Path, dry_run: bool) -> Result<(), Refusal> {
    let name = visible(&path.display().to_string());
    let file = Markback::parse(store::read(path)?);
    let old = file.findings().iter().filter(|finding| finding.rule().code == "W010").count();
    if file.findings().iter().any(|finding| finding.problem == Problem::NotUtf8) {
        return Err(Refusal::NotUtf8(path.to_owned()));
    }
    if old == 0 {
        print(format!("  {name}: already V2 format\n").as_bytes())?;
    } else if dry_run {
        written(path, &sound(path)?, Style::Normalized)?;
        print(format!("  {name}: {old} V1 header(s) to upgrade\n").as_bytes())?;
    } else {
        rewrite(path, Style::Normalized)?;
        say(&format!("  Upgraded {}", path.display()));
    }
    Ok(())
}

/// Lay out the file at `path`, as it is by now, in its own line ends.
fn rewrite(path: &Path, style: Style) -> Result<(), Refusal> {
    let rewritten = store::update_existing(path, |text| {
        let file = sound_text(path, text.to_vec())?;
        Ok::<_, Refusal>((ended_as(text, &written(path, &file, style)?), ()))
    });
    rewritten.map(drop)
}

fn written(path: &Path, file: &Markback, style: Style) -> Result<String, Refusal> {
    canonical(file, style).map_err(|why| Refusal::Unwritable { path: path.into(), why })
}
