//! The command line: arguments in, one command run, an exit code out. The only part that prints.
//!
//! Exit codes: 0 fine, 1 findings, 2 could not do the job. A reader that closes the pipe ends the program quietly.

mod args;
mod changed_lines;
mod changes;
mod deferred;
mod explain;
mod fmt;
mod generated;
mod help;
mod interrupt;
mod mb;
mod new;
mod note;
mod paint;
mod patch;
mod paths;
mod progress;
mod prompt;
mod queue;
mod refresh;
mod report;
mod review;
mod scope_args;
mod session;
mod setup;
mod show;
mod stats;
mod tui;
mod uncovered;
mod validate;
mod verify;

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
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

/// Of longer words only the ends are shown.
const LONGEST_WORD: usize = 200;

/// Run the program with these arguments, the first being its own name.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    #[cfg(unix)]
    if let [_, word, command] = args.as_slice()
        && word == crate::verify::run::WATCHER
    {
        // No command of ours: `verify` starts the program this way.
        let watched = crate::verify::run::watch(command).map_err(|source| Error::Watch { source });
        return finish(watched.map(|()| ExitCode::SUCCESS));
    }
    if args.first().is_some_and(|program| mb::is_mb(program)) {
        return match mb::Classic::try_parse_from(args) {
            Ok(classic) => {
                interrupt::finish_writing_first();
                finish(mb::run_classic(classic))
            }
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
    if let Some(
        Command::New(_)
        | Command::Refresh(_)
        | Command::Fmt(_)
        | Command::Validate(_)
        | Command::Note(_)
        | Command::Mb(_),
    ) = cli.command
    {
        interrupt::finish_writing_first();
    }
    match cli.command {
        None => {
            let overview = Cli::command().color(cli.color.into()).render_help();
            print(overview.to_string().as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
        Some(Command::Fmt(args)) => fmt::run(&args, paint),
        Some(Command::New(args)) => new::run(&args).map(|()| ExitCode::SUCCESS),
        Some(Command::Show(args)) => show::run(&args, paint).map(|()| ExitCode::SUCCESS),
        Some(Command::Stats(args)) => stats::run(&args, paint).map(|()| ExitCode::SUCCESS),
        Some(Command::Validate(args)) => validate::run(&args, paint),
        Some(Command::Verify(args)) => verify::run(&args, paint),
        Some(Command::Refresh(args)) => refresh::run(&args),
        Some(Command::Note(args)) => note::run(&args).map(|()| ExitCode::SUCCESS),
        Some(Command::Explain(args)) => explain::run(&args, paint).map(|()| ExitCode::SUCCESS),
        Some(Command::Patch(args)) => patch::run(&args),
        Some(Command::Mb(args)) => mb::run(&args),
        Some(Command::Queue(args)) => queue::run(&args),
        Some(Command::Sessions(args)) => session::sessions(&args),
        Some(Command::Poll(args)) => session::poll(&args),
        Some(Command::Reply(args)) => session::reply(&args),
        Some(Command::End(args)) => session::end(&args),
        Some(Command::Start(args)) => session::start(&args),
        Some(Command::Clean(args)) => session::clean(&args),
        Some(Command::Stop(args)) => session::stop(&args),
        Some(Command::AgentGuide(args)) => session::guide(&args),
        Some(Command::Themes) => setup::themes().map(|()| ExitCode::SUCCESS),
        Some(Command::Keys) => setup::keys().map(|()| ExitCode::SUCCESS),
        Some(Command::Config) => setup::config().map(|()| ExitCode::SUCCESS),
        Some(Command::Completions(args)) => generated::completions(&args).map(|()| ExitCode::SUCCESS),
        Some(Command::Man(args)) => generated::man(&args).map(|()| ExitCode::SUCCESS),
        Some(Command::Help(args)) => help::run(&args, cli.color).map(|()| ExitCode::SUCCESS),
        Some(Command::Version) => print(Cli::command().render_version().as_bytes()).map(|()| ExitCode::SUCCESS),
        Some(Command::Prompt(args)) => prompt::run(&args).map(|()| ExitCode::SUCCESS),
        Some(Command::Uncovered(args)) => uncovered::run(&args).map(|()| ExitCode::SUCCESS),
        Some(Command::Tui(args)) => tui::run(&args, cli.color).map(|()| ExitCode::SUCCESS),
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
    if let (Some(ContextValue::String(name)), Some(ContextValue::String(value))) =
        (usage.get(ContextKind::InvalidArg), usage.get(ContextKind::InvalidValue))
        && value.is_empty()
    {
        say(&format!("error: the value of {name} is empty"));
        say("  try: give it one, or leave the argument out");
        return ExitCode::from(FAILED);
    }
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

/// Write a document to standard output: its bytes into a pipe or file; on a terminal, what that would obey is made
/// visible.
fn print_document(text: &[u8]) -> Result<(), Error> {
    if io::stdout().is_terminal() { print(shown(text).as_bytes()) } else { print(text) }
}

/// The lines of `text` as a terminal only shows them.
fn shown(text: &[u8]) -> String {
    let lines = text.split_inclusive(|byte| *byte == b'\n').map(|line| {
        let content = line.strip_suffix(b"\n").unwrap_or(line);
        display().visible(content) + if content.len() < line.len() { "\n" } else { "" }
    });
    lines.collect()
}

/// Write `value` to standard output as JSON: piece by piece into a pipe or file; on a terminal with escapes for what
/// that would obey.
fn print_json(value: &impl Serialize) -> Result<(), Error> {
    let is_obeyed = io::stdout().is_terminal();
    write_out(|out| {
        if is_obeyed {
            return writeln!(out, "{}", crate::queue::printable(&serde_json::to_string_pretty(value)?));
        }
        serde_json::to_writer_pretty(&mut *out, value)?;
        out.write_all(b"\n")
    })
}

/// Write one line to standard error. Names in it may hold anything: what a terminal would obey is made visible, and of
/// those that are very long the middle is left out.
fn say(line: &str) {
    // Nobody is left to tell when this fails.
    let _ = writeln!(io::stderr().lock(), "{}", shortened(&visible(line)));
}

/// `line` with words of a length that somebody can read.
fn shortened(line: &str) -> Cow<'_, str> {
    if line.len() <= LONGEST_WORD {
        return line.into();
    }
    let shorten = |word: &str| {
        let length = word.chars().count();
        if length <= LONGEST_WORD {
            return word.to_owned();
        }
        let start: String = word.chars().take(LONGEST_WORD / 2).collect();
        let end: String = word.chars().skip(length - LONGEST_WORD / 4).collect();
        format!("{start}[{} characters]{end}", length - LONGEST_WORD / 2 - LONGEST_WORD / 4)
    };
    line.split(' ').map(shorten).collect::<Vec<_>>().join(" ").into()
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
        assert_eq!(shown(b"+a\x1b]0;x\x07\n\n+b\r\n c"), "+a^[]0;x^G\n\n+b^M\n c");
    }

    #[test]
    fn long_names_show_their_ends() {
        let name = format!("{}/src/é.rs", "x".repeat(400));
        let short = shortened(&format!("cannot read {name}: gone")).into_owned();
        let want = format!("cannot read {}[260 characters]{}/src/é.rs: gone", "x".repeat(100), "x".repeat(40));
        assert_eq!(short, want);
        let line = "a word ".repeat(100);
        assert_eq!(shortened(&line), line);
    }

    #[test]
    fn a_closed_pipe_is_no_failure() {
        let outcome = |kind: io::ErrorKind| finish(Err(Error::WriteOutput { source: kind.into() }));
        assert_eq!(outcome(io::ErrorKind::BrokenPipe), ExitCode::SUCCESS);
    }
}
