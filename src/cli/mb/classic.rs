//! The program `mb`: one set of options, of which one names what to do; without it, feedback is written.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser};

use super::Outcome;
use super::annotate::{self, AnnotateArgs};
use super::lint::{self, LintArgs};
use super::list::{self, ListArgs};
use super::rewrite::{self, ConvertArgs, NormalizeArgs, UpgradeArgs};
use super::stats::{self, StatsArgs};
use crate::cli::print;

/// Write feedback on files, or work on Markback files.
#[derive(Debug, Parser)]
#[command(name = "mb", version, max_term_width = 100)]
pub(in crate::cli) struct Classic {
    /// The files; with one and a text, the text is the feedback on it.
    #[arg(value_name = "TARGET", value_parser = annotate::target())]
    targets: Vec<PathBuf>,

    /// Say what is wrong with the files.
    #[arg(long)]
    lint: bool,

    /// List the records.
    #[arg(long)]
    list: bool,

    /// Print a file in canonical form.
    #[arg(long)]
    normalize: bool,

    /// Write a file in the layout of --to.
    #[arg(long)]
    convert: bool,

    /// Rewrite files of version 1.
    #[arg(long)]
    upgrade: bool,

    /// Count records, tags and reviewers.
    #[arg(long)]
    stats: bool,

    #[command(flatten)]
    note: annotate::NoteArgs,

    /// Print JSON.
    #[arg(long)]
    json: bool,

    /// Don't look whether the files that records name are there.
    #[arg(long)]
    no_source_check: bool,

    /// Don't compare the layout with the canonical one.
    #[arg(long)]
    no_canonical_check: bool,

    /// The file to write.
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,

    /// Write the file itself.
    #[arg(long)]
    in_place: bool,

    /// The layout: single, multi or compact.
    #[arg(long, value_name = "LAYOUT")]
    to: Option<String>,

    /// Has no effect.
    #[arg(long)]
    force: bool,

    /// Say what --upgrade would do.
    #[arg(long)]
    dry_run: bool,
}

/// Do what the options say; where they name several things, the first in the order of the format counts.
///
/// # Errors
/// Those of what is done.
pub(super) fn run(args: Classic) -> Outcome {
    let Classic { targets, json, no_source_check, no_canonical_check, output, in_place, to, dry_run, .. } = args;
    if args.lint {
        lint::run(&LintArgs { targets, json, no_source_check, no_canonical_check, sidecar: false })
    } else if args.list {
        list::run(&ListArgs { targets, json, sidecar: false })
    } else if args.normalize {
        rewrite::normalize(&NormalizeArgs { files: targets, output, in_place, expand: false })
    } else if args.convert {
        rewrite::convert(&ConvertArgs { files: targets, to, output })
    } else if args.upgrade {
        rewrite::upgrade(&UpgradeArgs { targets, dry_run })
    } else if args.stats {
        stats::run(&StatsArgs { targets, json, sidecar: false })
    } else if targets.is_empty() {
        print(Classic::command().render_help().to_string().as_bytes())?;
        Ok(ExitCode::SUCCESS)
    } else {
        annotate::run(&AnnotateArgs { targets, note: args.note })
    }
}
