//! `whymark fmt`: reviews in their canonical form.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::changed_lines::{ChangedLines, changed_lines};
use super::paint::{Paint, Tone};
use super::review::{Review, is_standard_stream};
use super::{FINDINGS, display, print, print_document, visible};
use crate::document::Document;
use crate::document::print::canonical;
use crate::error::Error;
use crate::store;
use crate::text::counted::counted;

/// So many changed lines of a review are shown.
const MOST_LINES: usize = 40;

/// `whymark fmt`.
#[derive(Debug, Args)]
pub(super) struct FmtArgs {
    /// The reviews, `-` for standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Change the files instead of printing what they would become; standard input is printed all the same.
    #[arg(short, long)]
    write: bool,

    /// Print what would change, as a diff, and exit with 1 if anything would.
    #[arg(long, conflicts_with = "write")]
    check: bool,
}

/// Run the command. All files are read before anything is printed or written.
///
/// # Errors
/// When a file cannot be read or written.
pub(super) fn run(args: &FmtArgs, paint: Paint) -> Result<ExitCode, Error> {
    let reviews = Review::read_all(&args.files)?;
    if args.check {
        return check(&reviews, paint);
    }
    for (review, path) in reviews.iter().zip(&args.files) {
        if args.write && !is_standard_stream(path) {
            write(path)?;
        } else {
            print_document(&formatted(&review.document, &review.text))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn check(reviews: &[Review], paint: Paint) -> Result<ExitCode, Error> {
    let mut code = ExitCode::SUCCESS;
    for review in reviews {
        let runs = changed_lines(&review.text, &canonical(&review.document));
        if !runs.is_empty() {
            code = ExitCode::from(FINDINGS);
            print(diff(&visible(&review.name), &runs, paint).as_bytes())?;
        }
    }
    Ok(code)
}

/// The changes of the review called `name` as a unified diff, cut when it is long.
fn diff(name: &str, runs: &[ChangedLines], paint: Paint) -> String {
    let mut out = format!("{}\n", paint.tone(Tone::Strong, &format!("--- {name}\n+++ {name} (canonical)")));
    let range = |start: usize, lines: usize| if lines == 1 { start.to_string() } else { format!("{start},{lines}") };
    let mut room = MOST_LINES;
    let mut left = 0;
    for run in runs {
        let sides = [("-", Tone::Bad, &run.old), ("+", Tone::Good, &run.new)];
        if room == 0 {
            left += run.old.len() + run.new.len();
            continue;
        }
        let header = format!("@@ -{} +{} @@", range(run.old_start, run.old.len()), range(run.new_start, run.new.len()));
        out += &format!("{}\n", paint.tone(Tone::Info, &header));
        for (sign, tone, lines) in sides {
            for line in &lines[..lines.len().min(room)] {
                let line = visible_line(line.strip_suffix(b"\n").unwrap_or(line));
                out += &format!("{}\n", paint.tone(tone, &format!("{sign}{line}")));
            }
            left += lines.len().saturating_sub(room);
            room -= lines.len().min(room);
        }
    }
    if left > 0 {
        out += &format!("{}\n", paint.tone(Tone::Faint, &format!("… {}", counted(left, "more changed line"))));
    }
    out
}

/// A line of which a terminal shows everything, blanks at its end included.
fn visible_line(line: &[u8]) -> String {
    let text = display().visible(line);
    let end = text.trim_end_matches(' ').len();
    text[..end].to_owned() + &"·".repeat(text.len() - end)
}

/// Format the file as it is by now, which may be another text than the one that was read.
fn write(path: &Path) -> Result<(), Error> {
    let written =
        store::update_existing(path, |text| Ok::<_, Error>((formatted(&Document::parse(text.to_vec()), text), ())));
    written.map(drop)
}

fn formatted(document: &Document, text: &[u8]) -> Vec<u8> {
    canonical(document).apply(text)
}
