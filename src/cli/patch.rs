//! `whymark patch`: a review as a patch for `git apply`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::review::Review;
use super::{FINDINGS, print_document, say};
use crate::document::patch;
use crate::error::Error;

/// `whymark patch`.
#[derive(Debug, Args)]
pub(super) struct PatchArgs {
    /// The review, `-` for standard input.
    #[arg(value_name = "FILE|-")]
    file: PathBuf,
}

/// Run the command. What cannot be in a patch is named, and then there is none: half a change is another change.
///
/// # Errors
/// When the review cannot be read.
pub(super) fn run(args: &PatchArgs) -> Result<ExitCode, Error> {
    let review = Review::read(&args.file)?;
    let path = |part: usize| review.document.parts()[part].path_text();
    match patch::patch(&review.document) {
        Ok(patch) => {
            for part in patch.unchanged {
                say(&format!("note: nothing says that {} changed; it is not in the patch", path(part)));
            }
            print_document(&patch.text)?;
            Ok(ExitCode::SUCCESS)
        }
        Err(refused) => {
            for refusal in refused {
                say(&format!("error: {} {}", path(refusal.part), refusal.kind));
            }
            say("  try: take these sections out of the review, or make the patch with `git diff --binary`");
            Ok(ExitCode::from(FINDINGS))
        }
    }
}
