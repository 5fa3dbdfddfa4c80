//! `whymark mb`: Markback files, linted, listed, rewritten and added to. Also the program `mb`, a link to this one, which
//! takes the options that scripts for the format are written with.

mod annotate;
mod classic;
mod files;
mod interactive;
mod lint;
mod list;
mod reply;
mod rewrite;
mod stats;
mod sweep;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};

use super::{FINDINGS, say};
use crate::error::Error;
use crate::markback::Unwritable;
pub(super) use classic::Classic;

/// `whymark mb`.
#[derive(Debug, Args)]
pub(super) struct MbArgs {
    #[command(subcommand)]
    command: MbCommand,
}

/// What to do with Markback files.
#[derive(Debug, Subcommand)]
enum MbCommand {
    /// Say what is wrong with files, and with those in folders.
    Lint(lint::LintArgs),
    /// Print the records, one a line.
    List(list::ListArgs),
    /// Count records, tags and reviewers.
    Stats(stats::StatsArgs),
    /// Print a file in canonical form; what it says stays the same.
    Normalize(rewrite::NormalizeArgs),
    /// Write a file in another layout.
    Convert(rewrite::ConvertArgs),
    /// Rewrite files of version 1.
    Upgrade(rewrite::UpgradeArgs),
    /// Write feedback on a file into its sidecar, or on several into a new file.
    Annotate(annotate::AnnotateArgs),
    /// Say which files a review covers, and which of them are clean.
    Sweep(sweep::SweepArgs),
    /// Answer a record.
    Reply(reply::ReplyArgs),
    /// Mark records as resolved, or open them again.
    Resolve(reply::ResolveArgs),
}

/// Whether a program of this name takes the options of `mb`.
pub(super) fn is_mb(program: &OsStr) -> bool {
    Path::new(program).file_stem().is_some_and(|name| name == "mb")
}

/// Run the command.
///
/// # Errors
/// What the outside world refuses. What the format refuses is said here.
pub(super) fn run(args: &MbArgs) -> Result<ExitCode, Error> {
    finish(match &args.command {
        MbCommand::Lint(args) => lint::run(args),
        MbCommand::List(args) => list::run(args),
        MbCommand::Stats(args) => stats::run(args),
        MbCommand::Normalize(args) => rewrite::normalize(args),
        MbCommand::Convert(args) => rewrite::convert(args),
        MbCommand::Upgrade(args) => rewrite::upgrade(args),
        MbCommand::Annotate(args) => annotate::run(args),
        MbCommand::Sweep(args) => sweep::run(args),
        MbCommand::Reply(args) => reply::reply(args),
        MbCommand::Resolve(args) => reply::resolve(args),
    })
}

/// Run what the options of `mb` ask for.
///
/// # Errors
/// As [`run`].
pub(super) fn run_classic(args: Classic) -> Result<ExitCode, Error> {
    finish(classic::run(args))
}

fn finish(outcome: Outcome) -> Result<ExitCode, Error> {
    match outcome {
        Ok(code) => Ok(code),
        Err(Refusal::Outside(error)) => Err(error),
        Err(refusal) => {
            refuse(&refusal);
            Ok(ExitCode::from(FINDINGS))
        }
    }
}

/// Say what was refused, and what to try.
fn refuse(refusal: &Refusal) {
    say(&format!("error: {refusal}"));
    if let Some(hint) = refusal.hint() {
        say(&format!("  try: {hint}"));
    }
}

/// An exit code, or why there was nothing to do.
type Outcome = Result<ExitCode, Refusal>;

/// Why a command did nothing: 1 is the exit code that the format prescribes for these.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    #[error(transparent)]
    Outside(#[from] Error),
    #[error("no file is named")]
    NoFile,
    #[error("--to and -o are needed to convert a file")]
    NoFormat,
    #[error("`{0}` is no layout")]
    UnknownFormat(String),
    #[error("{} has errors, and nothing is written", .0.display())]
    HasErrors(PathBuf),
    #[error("{} is not UTF-8", .0.display())]
    NotUtf8(PathBuf),
    #[error("{} holds {count} records, and `single` is for one", .path.display())]
    NotSingle { path: PathBuf, count: usize },
    #[error("{}: {why}", .path.display())]
    Unwritable { path: PathBuf, why: Unwritable },
    #[error("no file matches `{0}`")]
    NoMatch(String),
    #[error("{} is not there", .0.display())]
    NoTarget(PathBuf),
    #[error("{} is not there, so nothing can be put beside the file", .0.display())]
    NoFolder(PathBuf),
    #[error("a path in the file would not be UTF-8: {}", .0.display())]
    PathNotText(PathBuf),
    #[error("--{0} takes one line of text")]
    NotOneLine(&'static str),
    #[error("no editor is named")]
    NoEditor,
    #[error("cannot run the editor `{program}`: {source}")]
    Editor { program: String, source: std::io::Error },
    #[error("{} holds no record `{id}`", .path.display())]
    NoRecord { path: PathBuf, id: String },
    #[error("the record `{0}` has no id that a reply could name")]
    NoId(String),
    #[error("{} has been made by another program in the meantime", .0.display())]
    Taken(PathBuf),
}

impl Refusal {
    /// What to try, as one line.
    fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::NoFile => "name a Markback file",
            Self::NoFormat => "mb convert FILE --to multi -o OTHER",
            Self::UnknownFormat(_) => "write single, multi or compact",
            Self::HasErrors(_) => "`whymark mb lint` names them",
            Self::NotSingle { .. } => "--to multi or --to compact",
            Self::NoMatch(_) => "put the pattern in quotes; it counts from the current folder",
            Self::NoTarget(_) => "check the path; with -f feedback is written whether the file is there or not",
            Self::NoFolder(_) => "check the path",
            Self::NoEditor => "set EDITOR, or give the feedback with -f",
            Self::NoRecord { .. } => {
                "`whymark mb list` shows the ids; a record without one is called record-1, record-2, …"
            }
            Self::NoId(_) => "give it an `@id` first",
            Self::Taken(_) => "run it again",
            Self::Outside(_)
            | Self::NotUtf8(_)
            | Self::Unwritable { .. }
            | Self::PathNotText(_)
            | Self::NotOneLine(_)
            | Self::Editor { .. } => return None,
        })
    }
}
