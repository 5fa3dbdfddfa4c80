//! The command line as types. What a flag means is said once, here: help, completions and the manual are made from it.

use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::deferred::Deferred;
use super::explain::ExplainArgs;
use super::fmt::FmtArgs;
use super::generated::{CompletionsArgs, ManArgs};
use super::help::HelpArgs;
use super::mb::MbArgs;
use super::note::NoteArgs;
use super::patch::PatchArgs;
use super::prompt::PromptArgs;
use super::queue::QueueArgs;
use super::refresh::RefreshArgs;
use super::scope_args::{ScopeArgs, ScopeWord};
use super::session::{CleanArgs, GuideArgs, PollArgs, ReplyArgs, SessionArg, SessionsArgs, StartArgs, StopArgs};
use super::show::ShowArgs;
use super::stats::StatsArgs;
use super::uncovered::UncoveredArgs;
use super::validate::ValidateArgs;
use super::verify::VerifyArgs;
use crate::git::Scope;
use crate::skeleton::Stubs;
use crate::tui::Shot;
use crate::tui::key::{Key, UnknownKey, read_typed};
use crate::tui::layout::Size;
use crate::tui::picture::Format;

/// Review a change with the reasons beside the code.
#[derive(Debug, Parser)]
#[command(name = "whymark", version, about, max_term_width = 100, disable_help_subcommand = true)]
#[command(after_help = "`whymark tui` reviews the changes of this repository.")]
pub(super) struct Cli {
    /// Run as if started in DIR.
    #[arg(short = 'C', value_name = "DIR", global = true, help_heading = "Everywhere")]
    pub(super) dir: Option<PathBuf>,

    /// When to use colours; `NO_COLOR` and `CLICOLOR_FORCE` count for `auto`.
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Color::Auto, global = true, help_heading = "Everywhere")]
    pub(super) color: Color,

    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    /// On a terminal that wants them.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Start a review: the changes of a scope, ready for notes.
    #[command(visible_alias = "init")]
    New(Deferred<NewArgs>),
    /// Print what an agent needs to write a review: how that is done, and the changes ready for notes.
    Prompt(Deferred<PromptArgs>),
    /// Read and write a review on the screen.
    #[command(visible_aliases = ["view", "open"])]
    Tui(Deferred<TuiArgs>),
    /// Print a review as it is read: the whole, one file or one note.
    Show(Deferred<ShowArgs>),
    /// Say what is wrong with reviews, and whether the code they are about has changed since.
    #[command(visible_alias = "check")]
    Validate(Deferred<ValidateArgs>),
    /// Run the commands that a review names, and compare what comes out with what it says.
    Verify(Deferred<VerifyArgs>),
    /// Make the diff of a review anew; its notes follow the code.
    Refresh(Deferred<RefreshArgs>),
    /// Add a note to a review.
    Note(Deferred<NoteArgs>),
    /// Explain the code of a finding, and how to mend it.
    Explain(Deferred<ExplainArgs>),
    /// Print the numbers of reviews: what is covered, verified, sourced and open.
    Stats(Deferred<StatsArgs>),
    /// Print the added lines that no note is about, as `path:start-end`.
    Uncovered(Deferred<UncoveredArgs>),
    /// Print a review without its notes: a patch that `git apply` takes.
    Patch(Deferred<PatchArgs>),
    /// Lay reviews out in the canonical form; what they say stays the same.
    #[command(visible_alias = "format")]
    Fmt(Deferred<FmtArgs>),
    /// Read, check and write Markback files: feedback on anything, one record a remark.
    Mb(Deferred<MbArgs>),
    /// Write and read the table in which notes are handed to a coding agent.
    Queue(Deferred<QueueArgs>),
    /// List the sessions of this work tree: who reviews, and which agent has what.
    Sessions(Deferred<SessionsArgs>),
    /// For agents: print the next round of notes; waits until there is one.
    Poll(Deferred<PollArgs>),
    /// For agents: answer a round, so that the reviewer sees what was done and the next one comes.
    Reply(Deferred<ReplyArgs>),
    /// End a session; agents stop polling then.
    End(Deferred<SessionArg>),
    /// Make a session before the reviewer is opened.
    Start(Deferred<StartArgs>),
    /// Remove sessions that have ended and in which nothing waits.
    Clean(Deferred<CleanArgs>),
    /// Do nothing: there is no server to stop.
    Stop(Deferred<StopArgs>),
    /// Print what an agent needs to know to work on notes: the loop in a page.
    AgentGuide(Deferred<GuideArgs>),
    /// List the themes of the reviewer.
    Themes,
    /// Print the keys of the reviewer, your own included.
    Keys,
    /// Print what is set up, and where that comes from.
    Config,
    /// Print completions for a shell.
    Completions(Deferred<CompletionsArgs>),
    /// Print the manual page of the program, or of a command.
    Man(Deferred<ManArgs>),
    /// Explain a command, or how notes are written (`annotate`).
    Help(Deferred<HelpArgs>),
    /// Print the version.
    #[command(hide = true)]
    Version,
}

/// `whymark new`.
#[derive(Debug, Args)]
pub(super) struct NewArgs {
    /// The file to write, `-` for standard output [default: reviews/<scope>-<branch>.whymark, or after the title].
    #[arg(short, long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,

    #[command(flatten)]
    pub(super) draft: DraftArgs,

    /// Replace a review that is there already.
    #[arg(long)]
    pub(super) force: bool,
}

/// What a new review holds.
#[derive(Debug, Args)]
pub(super) struct DraftArgs {
    /// What is reviewed, in a word, instead of the flag of that name.
    #[arg(value_enum, value_name = "SCOPE", conflicts_with = "ScopeFlag")]
    word: Option<ScopeWord>,

    /// The title, one line [default: the commit's subject, or what changed].
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,

    #[command(flatten)]
    pub(super) author: AuthorArgs,

    /// Which notes are prepared, to be filled in.
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = StubsWord::Hunk)]
    pub(super) stubs: StubsWord,

    /// A command that checks the whole change, to be run by `verify`; repeatable.
    #[arg(long = "check", value_name = "CMD")]
    pub(super) checks: Vec<String>,

    #[command(flatten)]
    pub(super) scope: ScopeArgs,
}

impl DraftArgs {
    /// The scope that was asked for, if any.
    pub(super) fn scope(&self) -> Option<Scope> {
        self.word.map(ScopeWord::scope).or_else(|| self.scope.flag())
    }

    /// The title that was given, as one line; a blank one is none.
    pub(super) fn title(&self) -> Option<String> {
        let title = self.title.as_deref()?.split_whitespace().collect::<Vec<_>>().join(" ");
        (!title.is_empty()).then_some(title)
    }
}

/// `whymark tui`.
#[derive(Debug, Args)]
pub(super) struct TuiArgs {
    /// A scope in a word, a review (.whymark), records to walk over their files (.mb), texts or folders to be annotated as
    /// they are, or `-` for a patch on standard input.
    #[arg(value_name = "SCOPE|FILE|FOLDER|-")]
    what: Vec<PathBuf>,

    /// Where the review lives [default: reviews/<scope>-<branch>.whymark].
    #[arg(short, long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,

    #[command(flatten)]
    pub(super) author: AuthorArgs,

    /// The theme, as `whymark themes` lists them [default: as config.toml says, else by the terminal's background].
    #[arg(long, value_name = "NAME", env = "WHYMARK_THEME", hide_env_values = true)]
    pub(super) theme: Option<String>,

    /// Mark the added lines that no test ran, by this coverage report as lcov writes it.
    #[arg(long, value_name = "FILE")]
    pub(super) lcov: Option<PathBuf>,

    /// Open a sample repository in a temporary folder.
    #[arg(long, conflicts_with_all = ["what", "ScopeFlag"])]
    pub(super) demo: bool,

    #[command(flatten)]
    pub(super) dump: DumpArgs,

    #[command(flatten)]
    pub(super) scope: ScopeArgs,
}

impl TuiArgs {
    /// The scope that was asked for, if any. A word names a scope only when it stands alone, and `./staged` is a file.
    #[must_use]
    pub(super) fn scope(&self) -> Option<Scope> {
        self.word().map(ScopeWord::scope).or_else(|| self.scope.flag())
    }

    /// The patch that was asked for, `-` being standard input.
    pub(super) fn patch(&self) -> Option<&Path> {
        match self.what.as_slice() {
            [only] if only.as_os_str() == "-" => Some(Path::new("-")),
            _ => self.scope.patch(),
        }
    }

    /// The files that were named.
    #[must_use]
    pub(super) fn files(&self) -> &[PathBuf] {
        if self.word().is_some() { &[] } else { &self.what }
    }

    fn word(&self) -> Option<ScopeWord> {
        match self.what.as_slice() {
            [only] => ScopeWord::of(only),
            _ => None,
        }
    }
}

/// One frame without a terminal.
#[derive(Debug, Args)]
pub(super) struct DumpArgs {
    /// Print one frame of this size, with all that it shows read, instead of opening the reviewer. Needs no terminal, and
    /// writes and runs nothing.
    #[arg(long = "dump", value_name = "COLUMNSxROWS")]
    pub(super) size: Option<Size>,

    /// Press these keys before the frame: each character is a key, named keys stand in angle brackets, `<lt>` is `<`
    /// (`uuj`, `a<tab><ctrl-d>`).
    #[arg(long, value_name = "KEYS", requires = "size", allow_hyphen_values = true, value_parser = Keys::read)]
    pub(super) keys: Option<Keys>,

    /// Print the frame as text, as text in colours, or as a picture.
    #[arg(long, value_enum, value_name = "FORMAT", requires = "size", default_value_t = DumpFormat::Text)]
    pub(super) dump_format: DumpFormat,
}

impl DumpArgs {
    /// The frame that was asked for, if one was.
    pub(super) fn shot(&self) -> Option<Shot> {
        let format = match self.dump_format {
            DumpFormat::Text => Format::Text,
            DumpFormat::Ansi => Format::Ansi,
            DumpFormat::Svg => Format::Svg,
        };
        let keys = self.keys.clone().map_or_else(Vec::new, |keys| keys.0);
        Some(Shot { size: self.size?, keys, format })
    }
}

/// Keys to be pressed.
#[derive(Debug, Clone)]
pub(super) struct Keys(pub(super) Vec<Key>);

impl Keys {
    fn read(text: &str) -> Result<Self, UnknownKey> {
        read_typed(text).map(Self)
    }
}

/// How a frame is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum DumpFormat {
    /// Characters alone.
    Text,
    /// With the sequences that colour it in a terminal.
    Ansi,
    /// A picture that browsers show.
    Svg,
}

/// Who writes.
#[derive(Debug, Args)]
pub(super) struct AuthorArgs {
    /// Who writes the review or the notes [default: as config.toml says, else user.name of git].
    #[arg(long, value_name = "NAME", env = "WHYMARK_AUTHOR", hide_env_values = true)]
    author: Option<String>,
}

impl AuthorArgs {
    /// The name that was given; a blank one is none.
    pub(super) fn given(&self) -> Option<String> {
        self.author.clone().filter(|author| !author.trim().is_empty())
    }
}

/// Which notes are prepared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum StubsWord {
    /// One a hunk.
    Hunk,
    /// One a file.
    File,
    /// None.
    None,
}

impl From<StubsWord> for Stubs {
    fn from(word: StubsWord) -> Self {
        match word {
            StubsWord::Hunk => Self::Hunk,
            StubsWord::File => Self::File,
            StubsWord::None => Self::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    fn scope(line: &str) -> Result<Option<Scope>, clap::error::ErrorKind> {
        match Cli::try_parse_from(line.split_whitespace()).map_err(|error| error.kind())?.command {
            Some(Command::New(args)) => Ok(args.draft.scope()),
            Some(Command::Prompt(args)) => Ok(args.draft.scope()),
            Some(Command::Uncovered(args)) => Ok(args.scope()),
            Some(Command::Tui(args)) => Ok(args.scope()),
            _ => panic!("{line}: a command with a scope"),
        }
    }

    #[test]
    fn the_definitions_hold_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn scopes() {
        for (line, want) in [
            ("whymark new", None),
            ("whymark init --staged", Some(Scope::Staged)),
            ("whymark new --cached", Some(Scope::Staged)),
            ("whymark new unstaged", Some(Scope::Unstaged)),
            ("whymark new branch", Some(Scope::Branch(None))),
            ("whymark new --branch main", Some(Scope::Branch(Some("main".into())))),
            ("whymark new --commit", Some(Scope::Commit("HEAD".into()))),
            ("whymark new --commit --stubs none", Some(Scope::Commit("HEAD".into()))),
            ("whymark new --commit v1.0", Some(Scope::Commit("v1.0".into()))),
            ("whymark new --range a..b", Scope::range("a..b")),
            ("whymark view worktree", Some(Scope::Worktree)),
            ("whymark tui ./worktree", None),
            ("whymark tui worktree staged", None),
            ("whymark prompt staged", Some(Scope::Staged)),
            ("whymark uncovered branch", Some(Scope::Branch(None))),
            ("whymark uncovered --commit", Some(Scope::Commit("HEAD".into()))),
            ("whymark uncovered ./branch", None),
        ] {
            assert_eq!(scope(line), Ok(want), "{line}");
        }
    }

    #[test]
    fn contradictions_are_usage_errors() {
        for line in [
            "whymark new --staged --unstaged",
            "whymark new staged --worktree",
            "whymark new nothing",
            "whymark new --range a",
            "whymark new --context x",
            "whymark new --context -1",
            "whymark new --stubs some",
            "whymark new --commit --output=x",
            "whymark tui --demo file",
            "whymark new --patch x --staged",
            "whymark new staged --patch x",
            "whymark uncovered r.whymark --staged",
            "whymark uncovered a.whymark b.whymark",
            "whymark frobnicate",
        ] {
            assert!(scope(line).is_err(), "{line}");
        }
    }

    #[test]
    fn files_for_the_screen() {
        let files = |line: &str| match Cli::try_parse_from(line.split_whitespace()).unwrap().command {
            Some(Command::Tui(args)) => args.files().to_vec(),
            _ => panic!("{line}"),
        };
        assert_eq!(files("whymark open a.whymark b.mb"), ["a.whymark", "b.mb"].map(PathBuf::from));
        assert_eq!(files("whymark tui -"), ["-"].map(PathBuf::from));
        assert!(files("whymark tui staged").is_empty());
    }
}
