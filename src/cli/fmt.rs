//! `whymark fmt`: reviews in their canonical form.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::review::{Review, is_standard_input};
use super::{FINDINGS, print, visible};
use crate::document::Document;
use crate::document::print::canonical;
use crate::error::Error;
use crate::store;

/// `whymark fmt`.
#[derive(Debug, Args)]
pub(super) struct FmtArgs {
    /// The reviews, `-` for standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Change the files instead of printing what they would become; standard input is printed all the same.
    #[arg(short, long)]
    write: bool,

    /// Print the names of those that would change, and exit with 1 if there are any.
    #[arg(long, conflicts_with = "write")]
    check: bool,
}

/// Run the command. All files are read before anything is printed or written.
///
/// # Errors
/// When a file cannot be read or written.
pub(super) fn run(args: &FmtArgs) -> Result<ExitCode, Error> {
    let reviews = Review::read_all(&args.files)?;
    if args.check {
        return check(&reviews);
    }
    for (review, path) in reviews.iter().zip(&args.files) {
        if args.write && !is_standard_input(path) {
            write(path)?;
        } else {
            print(&formatted(&review.document, &review.text))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn check(reviews: &[Review]) -> Result<ExitCode, Error> {
    let changed: Vec<&Review> = reviews.iter().filter(|review| !canonical(&review.document).is_empty()).collect();
    let names: String = changed.iter().map(|review| visible(&review.name) + "\n").collect();
    print(names.as_bytes())?;
    Ok(if changed.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(FINDINGS) })
}

/// Format the file as it is by now, which may be another text than the one that was read.
fn write(path: &Path) -> Result<(), Error> {
    let written = store::update(path, |text| {
        let gone = || Error::ReadFile { path: path.into(), source: io::ErrorKind::NotFound.into() };
        let text = text.ok_or_else(gone)?;
        Ok::<_, Error>(formatted(&Document::parse(text.to_vec()), text))
    });
    written.map(drop)
}

fn formatted(document: &Document, text: &[u8]) -> Vec<u8> {
    canonical(document).apply(text)
}
