//! `whymark completions` and `whymark man`: made from the definitions of the command line.

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use super::args::Cli;
use super::print;
use crate::error::Error;

/// `whymark completions`.
#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

/// `whymark man`.
#[derive(Debug, Args)]
pub(super) struct ManArgs {
    /// The command [default: the program].
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

/// Print completions.
///
/// # Errors
/// When they cannot be written.
pub(super) fn completions(args: &CompletionsArgs) -> Result<(), Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "whymark", &mut script);
    print(&script)
}

/// Print a manual page.
///
/// # Errors
/// When there is no such command.
pub(super) fn man(args: &ManArgs) -> Result<(), Error> {
    let mut program = Cli::command();
    program.build();
    let command = match args.command.as_deref() {
        None => &program,
        Some(name) => program.find_subcommand(name).ok_or_else(|| Error::UnknownTopic { name: name.to_owned() })?,
    };
    let mut page = Vec::new();
    let made = clap_mangen::Man::new(command.clone()).render(&mut page);
    made.map_err(|source| Error::WriteOutput { source })?;
    print(&page)
}
