//! The commands of the agent loop. They print to the letter what agents are told to expect: results on standard output,
//! refusals on standard error, never both.

mod guide;
mod poll;
mod reply;

use std::io::{self, Write as _};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;

use super::paths::current_folder;
use super::print;
use crate::config;
use crate::error::Error;
use crate::git::Repo;
use crate::session::{Form, Period, Refusal, Store, end_page, is_agent, listing, listing_json, start_page};

pub(super) use guide::{GuideArgs, guide};
pub(super) use poll::{PollArgs, poll};
pub(super) use reply::{ReplyArgs, reply};

/// The session.
#[derive(Debug, Args)]
pub(super) struct SessionArg {
    /// The session, by its id or label [default: the one that is open, else the one used last].
    #[arg(value_name = "SESSION")]
    pub(super) session: Option<String>,
}

/// Who asks.
#[derive(Debug, Args)]
pub(super) struct AgentArg {
    /// The agent's name, as the reviewer sees it.
    #[arg(long = "as", value_name = "NAME", value_parser = agent, default_value = "agent")]
    pub(super) name: String,
}

fn agent(text: &str) -> Result<String, &'static str> {
    is_agent(text).then(|| text.to_owned()).ok_or("a name has 1 to 32 of A-Z a-z 0-9 . _ -")
}

/// `whymark sessions`.
#[derive(Debug, Args)]
pub(super) struct SessionsArgs {
    /// As one line of JSON.
    #[arg(long)]
    json: bool,
}

/// `whymark start`.
#[derive(Debug, Args)]
pub(super) struct StartArgs {
    #[command(flatten)]
    session: SessionArg,

    /// As one line of JSON.
    #[arg(long)]
    json: bool,
}

/// `whymark clean`.
#[derive(Debug, Args)]
pub(super) struct CleanArgs {
    /// Only those that nobody has used for so long, such as `30d` [default: all].
    #[arg(long, value_name = "AGE")]
    age: Option<Period>,
}

/// `whymark stop`.
#[derive(Debug, Args)]
pub(super) struct StopArgs {
    /// Whatever it was called with elsewhere.
    #[arg(value_name = "ANYTHING", trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    _anything: Vec<String>,
}

/// `whymark sessions`.
pub(super) fn sessions(args: &SessionsArgs) -> Result<ExitCode, Error> {
    reported(|| {
        let sessions = store()?.sessions()?;
        let states = sessions.iter().map(|(_, state)| state);
        Ok(print(if args.json { listing_json(states) } else { listing(states) }.as_bytes())?)
    })
}

/// `whymark end`.
pub(super) fn end(args: &SessionArg) -> Result<ExitCode, Error> {
    reported(|| {
        let text = match store()?.find(args.session.as_deref())?.filter(|found| found.state.ended.is_none()) {
            None => "session: not running (no-op)\n".to_owned(),
            Some(found) => {
                found.spool.end_by_agent("agent")?;
                end_page(&found.state, &found.suffix)
            }
        };
        Ok(print(text.as_bytes())?)
    })
}

/// `whymark start`.
pub(super) fn start(args: &StartArgs) -> Result<ExitCode, Error> {
    reported(|| {
        let found = store()?.start(args.session.session.as_deref())?;
        let form = if args.json { Form::Json } else { Form::Full };
        Ok(print(start_page(&found.state, &found.suffix, form).as_bytes())?)
    })
}

/// `whymark clean`.
pub(super) fn clean(args: &CleanArgs) -> Result<ExitCode, Error> {
    reported(|| {
        let age = args.age.map_or(Duration::ZERO, |age| age.0);
        let text = match store()?.clean(age)? {
            0 => "clean: 0 sessions removed (no-op)\n".to_owned(),
            1 => "clean: 1 session removed\n".to_owned(),
            count => format!("clean: {count} sessions removed\n"),
        };
        Ok(print(text.as_bytes())?)
    })
}

/// `whymark stop`.
pub(super) fn stop(_: &StopArgs) -> Result<ExitCode, Error> {
    print(b"stop: nothing to stop (no server)\n").map(|()| ExitCode::SUCCESS)
}

/// The sessions of the work tree that the current folder is in, else of that folder.
fn store() -> Result<Store, Refusal> {
    let dir = current_folder()?;
    let repo = match Repo::discover(&dir) {
        Ok(repo) => Some(repo),
        Err(Error::NotARepository { .. }) => None,
        Err(error) => return Err(error.into()),
    };
    Store::of(repo.as_ref().map(Repo::git_dir), &dir, config::state_folder().as_deref())
}

/// Do it; a refusal is reported here.
fn reported<T: Into<Done>>(run: impl FnOnce() -> Result<T, Refusal>) -> Result<ExitCode, Error> {
    match run() {
        Ok(done) => Ok(done.into().0),
        // Nobody reads the output any more.
        Err(Refusal::Other(error)) if error.is_closed_pipe() => Err(error),
        Err(refusal) => {
            // Nobody is left to tell when this fails.
            let _ = io::stderr().lock().write_all(refusal.report().as_bytes());
            Ok(ExitCode::from(refusal.code()))
        }
    }
}

/// What a command that did its job exits with.
struct Done(ExitCode);

impl From<()> for Done {
    fn from((): ()) -> Self {
        Self(ExitCode::SUCCESS)
    }
}

impl From<ExitCode> for Done {
    fn from(code: ExitCode) -> Self {
        Self(code)
    }
}
