//! Nothing that a review names is run before a person has seen it, where there is one to see it.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::path::Path;

use super::report;
use crate::cli::say;
use crate::error::Error;
use crate::verify::Plan;

/// Show the commands to whoever sits at the terminal, and ask. Without a terminal nobody is asked: a script has called
/// the command by its name.
///
/// # Errors
/// When the answer is anything but yes.
pub(super) fn ask(plan: &Plan, folder: &Path) -> Result<(), Error> {
    if !io::stdin().is_terminal() {
        return Ok(());
    }
    if !io::stderr().is_terminal() {
        // The question would be seen by nobody.
        return Err(Error::Declined);
    }
    say(&format!("to be run in {}:", folder.display()));
    report::commands(plan).lines().for_each(say);
    let _ = write!(io::stderr().lock(), "Run {}? [y/N] ", if plan.commands.len() == 1 { "it" } else { "them" });
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer).map_err(|source| Error::ReadInput { source })?;
    if matches!(answer.trim().to_lowercase().as_str(), "y" | "yes") { Ok(()) } else { Err(Error::Declined) }
}
