//! `whymark poll`: the notes for an agent.

use std::process::ExitCode;
use std::str::FromStr;

use clap::Args;

use super::{AgentArg, SessionArg, reported, store};
use crate::cli::print;
use crate::cli::progress::Progress;
use crate::error::Error;
use crate::session::{Form, Outcome, Period, Poll, Wait, ended_page, idle_page, point, round_page};

/// Nothing yet, with `--exit-code`.
const NOTHING: u8 = 10;
/// The session has ended, with `--exit-code`.
const ENDED: u8 = 11;

/// `whymark poll`.
#[derive(Debug, Args)]
pub(in crate::cli) struct PollArgs {
    #[command(flatten)]
    session: SessionArg,

    /// How long to wait for notes: a number with ms, s, m, h or d, or `forever`; 0 looks once.
    #[arg(long, value_name = "TIME", default_value = "100s")]
    wait: WaitArg,

    #[command(flatten)]
    agent: AgentArg,

    /// Take the place of a poll that waits already.
    #[arg(long)]
    takeover: bool,

    /// Print the table alone.
    #[arg(long, conflicts_with = "json")]
    bare: bool,

    /// Print everything exactly, as one line of JSON.
    #[arg(long)]
    json: bool,

    /// Exit with 10 when there is nothing yet, and with 11 when the session has ended.
    #[arg(long)]
    exit_code: bool,
}

/// How long to wait, as an argument.
#[derive(Debug, Clone, Copy)]
struct WaitArg(Wait);

impl FromStr for WaitArg {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "forever" => Ok(Self(Wait::Forever)),
            text => text.parse().map(|Period(length)| Self(Wait::For(length))),
        }
    }
}

/// Run the command.
///
/// # Errors
/// When standard output cannot be written.
pub(in crate::cli) fn poll(args: &PollArgs) -> Result<ExitCode, Error> {
    let form = match (args.bare, args.json) {
        (true, _) => Form::Bare,
        (_, true) => Form::Json,
        _ => Form::Full,
    };
    let poll = Poll {
        session: args.session.session.clone(),
        wait: args.wait.0,
        agent: args.agent.name.clone(),
        takeover: args.takeover,
    };
    reported(|| {
        let store = store()?;
        let looked = {
            let _waiting = Progress::of("waiting for the reviewer");
            poll.run(&store)?
        };
        let code = match &looked.outcome {
            Outcome::Round(found, round) => {
                let page = round_page(&found.state, round, &found.suffix, form);
                point("poll-before-print");
                print(page.as_bytes())?;
                // From here on an agent may have it. That is no reason not to print it again.
                point("poll-after-print");
                found.spool.handed(round.number, &poll.agent);
                0
            }
            Outcome::Ended(found, by) => {
                print(ended_page(&found.state, *by, form).as_bytes())?;
                ENDED
            }
            Outcome::Idle(found, standing) => {
                let (state, suffix) = found.as_ref().map(|found| (&found.state, found.suffix.as_str())).unzip();
                print(idle_page(state, *standing, suffix.unwrap_or_default(), form).as_bytes())?;
                NOTHING
            }
        };
        Ok(ExitCode::from(if args.exit_code { code } else { 0 }))
    })
}
