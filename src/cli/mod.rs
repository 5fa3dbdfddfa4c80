//! The command line: arguments in, one command run, an exit code out. The only part that prints.
//!
//! Exit codes: 0 fine, 1 findings, 2 could not do the job. A reader that closes the pipe ends the program quietly.

mod args;
mod explain;
mod fmt;
mod mb;
mod new;
mod note;
mod paint;
mod patch;
mod report;
mod review;
mod show;
mod stats;
mod tui;
mod validate;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};
use serde::Serialize;

use crate::error::Error;
use crate::text::width::{Display, Glyphs};
use args::{Cli, Command};
use paint::Paint;

/// There is something to mend.
const FINDINGS: u8 = 1;
/// Could not do the job: usage, I/O, no repository.
const FAILED: u8 = 2;

/// Run the program with these arguments, the first being its own name.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    if args.first().is_some_and(|program| mb::is_mb(program)) {
        return match mb::Classic::try_parse_from(args) {
            Ok(classic) => finish(mb::run_classic(classic)),
            Err(usage) => explain(&usage),
        };
    }
    match Cli::try_parse_from(args) {
        Ok(cli) => finish(run(cli)),
        Err(usage) => explain(&usage),
    }
}

fn run(cli: Cli) -> Result<ExitCode, Error> {
    if let Some(dir) = cli.dir {
        std::env::set_current_dir(&dir).map_err(|source| Error::EnterFolder { path: dir, source })?;
    }
    let paint = Paint::detect(cli.color);
    match cli.command {
        None => {
            let overview = Cli::command().color(cli.color.into()).render_help();
            print(overview.to_string().as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
        Some(Command::Fmt(args)) => fmt::run(&args),
        Some(Command::New(args)) => new::run(&args).map(|()| ExitCode::SUCCESS),
        Some(Command::Show(args)) => show::run(&args, paint).map(|()| ExitCode::SUCCESS),
        Some(Command::Stats(args)) => stats::run(&args, paint).map(|()| ExitCode::SUCCESS),
        Some(Command::Validate(args)) => validate::run(&args, paint),
        Some(Command::Note(args)) => note::run(&args).map(|()| ExitCode::SUCCESS),
        Some(Command::Explain(args)) => explain::run(&args, paint).map(|()| ExitCode::SUCCESS),
        Some(Command::Patch(args)) => patch::run(&args),
        Some(Command::Mb(args)) => mb::run(&args),
        Some(Command::Tui(args)) => tui::run(&args).map(|()| ExitCode::SUCCESS),
    }
}

impl From<args::Color> for clap::ColorChoice {
    fn from(color: args::Color) -> Self {
        match color {
            args::Color::Auto => Self::Auto,
            args::Color::Always => Self::Always,
            args::Color::Never => Self::Never,
        }
    }
}

/// The exit code of a run; an error is printed here and nowhere else.
fn finish(outcome: Result<ExitCode, Error>) -> ExitCode {
    match outcome {
        Ok(code) => code,
        Err(error) if error.is_closed_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("error: {error}"));
            if let Some(hint) = error.hint() {
                say(&format!("  try: {hint}"));
            }
            ExitCode::from(FAILED)
        }
    }
}

/// What clap has to say: help and version as asked for, or what is wrong with the arguments.
fn explain(usage: &clap::Error) -> ExitCode {
    if usage.use_stderr() {
        usage.render().to_string().trim_end().lines().for_each(say);
        return ExitCode::from(FAILED);
    }
    // Nobody is left to tell when the output is closed.
    let _ = usage.print();
    ExitCode::SUCCESS
}

/// Write `bytes` to standard output.
fn print(bytes: &[u8]) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(|source| Error::WriteOutput { source })
}

/// Write to standard output, piece by piece.
fn write_out(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    write(&mut out).and_then(|()| out.flush()).map_err(|source| Error::WriteOutput { source })
}

/// Write `value` to standard output as JSON, piece by piece.
fn print_json(value: &impl Serialize) -> Result<(), Error> {
    write_out(|out| {
        serde_json::to_writer_pretty(&mut *out, value)?;
        out.write_all(b"\n")
    })
}

/// Write one line to standard error. Names in it may hold anything, so what a terminal would obey is made visible.
fn say(line: &str) {
    // Nobody is left to tell when this fails.
    let _ = writeln!(io::stderr().lock(), "{}", visible(line));
}

/// `text` as one line that a terminal only shows.
fn visible(text: &str) -> String {
    display().visible(text)
}

/// How lines are drawn: with symbols that every terminal has.
fn display() -> Display {
    const TAB_WIDTH: u16 = 8;
    Display::new(TAB_WIDTH, Glyphs::Ascii)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_reaches_the_terminal_as_a_command() {
        assert_eq!(visible("a\x1b[31m\n\u{202e}\u{9b}é"), "a^[[31m^J<U+202E><U+009B>é");
    }

    #[test]
    fn a_closed_pipe_is_no_failure() {
        let outcome = |kind: io::ErrorKind| finish(Err(Error::WriteOutput { source: kind.into() }));
        assert_eq!(outcome(io::ErrorKind::BrokenPipe), ExitCode::SUCCESS);
    }
}
