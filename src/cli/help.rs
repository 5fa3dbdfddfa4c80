//! `whymark help`: what a command does, and how notes are written.

use clap::{Args, CommandFactory as _};

use super::args::{Cli, Color};
use super::print;
use super::prompt::GUIDE;
use crate::error::Error;

/// What names the topic of how notes are written. A command `note` has its own `--help`.
const ANNOTATE: [&str; 5] = ["annotate", "annotating", "fields", "note", "notes"];

/// `whymark help`.
#[derive(Debug, Args)]
pub(super) struct HelpArgs {
    /// A command, or `annotate` (also `fields`, `note`, `notes`): how notes are written.
    #[arg(value_name = "TOPIC")]
    topic: Option<String>,
}

/// Run the command.
///
/// # Errors
/// When there is no such command or topic.
pub(super) fn run(args: &HelpArgs, color: Color) -> Result<(), Error> {
    let mut program = Cli::command().color(color.into());
    // Only a finished command knows the options that it shares with the others.
    program.build();
    match args.topic.as_deref() {
        None => print(program.render_help().to_string().as_bytes()),
        Some(topic) if ANNOTATE.contains(&topic.to_ascii_lowercase().as_str()) => {
            let more = "`whymark note --help` says how to add a note from the command line, `whymark explain` what is wrong with one.";
            print(format!("{GUIDE}\n{more}\n").as_bytes())
        }
        Some(topic) => match program.find_subcommand_mut(topic) {
            Some(command) => print(command.render_long_help().to_string().as_bytes()),
            None => Err(Error::UnknownTopic { name: topic.to_owned() }),
        },
    }
}
