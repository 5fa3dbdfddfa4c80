//! `whymark queue`: the table that agents read, made from JSON and read back.

use std::process::ExitCode;

use clap::{Args, Subcommand};

use super::review::standard_input;
use super::{FAILED, FINDINGS, print, say};
use crate::error::Error;
use crate::queue::{Problem, decode, encode, from_json, to_json};

/// `whymark queue`.
#[derive(Debug, Args)]
pub(super) struct QueueArgs {
    #[command(subcommand)]
    command: QueueCommand,
}

/// What to do with standard input.
#[derive(Debug, Subcommand)]
enum QueueCommand {
    /// Print the table of the notes that standard input holds as JSON.
    ///
    /// `{"session": LABEL, "items": [{"kind", "file", "heading", "occurrence", "quote", "note"}]}`: all are text, but
    /// for `occurrence`, a number; what is missing or null is absent.
    Encode,
    /// Print the notes of the table on standard input as JSON, one line.
    ///
    /// The table is read to the letter: one that was cut off, or is wrong anywhere, is refused with exit code 1.
    Decode,
}

/// Run the command.
///
/// # Errors
/// When standard input cannot be read, or standard output not be written.
pub(super) fn run(args: &QueueArgs) -> Result<ExitCode, Error> {
    let input = standard_input()?;
    match args.command {
        QueueCommand::Encode => encoded(&input),
        QueueCommand::Decode => decoded(&input),
    }
}

fn encoded(json: &[u8]) -> Result<ExitCode, Error> {
    match from_json(json) {
        Ok(batch) => print(encode(&batch).to_string().as_bytes()).map(|()| ExitCode::SUCCESS),
        Err(fault) => {
            say(&format!("error: standard input holds no queue as JSON: {fault}"));
            say("  try: `whymark queue encode --help` shows what it looks like");
            Ok(ExitCode::from(FAILED))
        }
    }
}

fn decoded(table: &[u8]) -> Result<ExitCode, Error> {
    let batch = match decode(table) {
        Ok(batch) => batch,
        Err(refusal) => {
            say(&format!("error: {refusal}"));
            if refusal.is_truncation() {
                say("  try: `whymark poll` again; nothing is lost");
            } else {
                say(&format!("  try: look at line {}", refusal.line));
            }
            return Ok(ExitCode::from(if refusal.problem == Problem::NotUtf8 { FAILED } else { FINDINGS }));
        }
    };
    for (row, item) in batch.items.iter().enumerate().filter(|(_, item)| !item.has_known_kind()) {
        say(&format!("warning: row {row}: unknown kind \"{}\"", item.kind.as_deref().unwrap_or("-")));
    }
    let json = to_json(&batch).map_err(|fault| Error::WriteOutput { source: fault.into() })?;
    print(format!("{json}\n").as_bytes()).map(|()| ExitCode::SUCCESS)
}
