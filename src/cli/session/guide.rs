//! `whymark agent-guide`: the loop in a page, for whoever is to follow it.

use std::process::ExitCode;

use clap::Args;

use crate::cli::print;
use crate::error::Error;

/// The guide as a skill: some lines that say when it is of use, between `---`, and the guide.
const SKILL: &str = include_str!("../../../assets/skill/SKILL.md");

/// `whymark agent-guide`.
#[derive(Debug, Args)]
pub(in crate::cli) struct GuideArgs {
    /// With what a skill file has in front: `whymark agent-guide --skill > .claude/skills/whymark/SKILL.md`.
    #[arg(long)]
    skill: bool,
}

/// Run the command.
///
/// # Errors
/// When standard output cannot be written.
pub(in crate::cli) fn guide(args: &GuideArgs) -> Result<ExitCode, Error> {
    let text = if args.skill { SKILL } else { without_front() };
    print(text.as_bytes()).map(|()| ExitCode::SUCCESS)
}

/// The guide alone.
fn without_front() -> &'static str {
    let front = SKILL.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
    front.map_or(SKILL, |(_, guide)| guide.trim_start_matches('\n'))
}
