//! What came out, for people and for programs. The worst comes first.

use std::fmt::Write as _;

use serde::Serialize;

use super::super::paint::{Paint, Tone};
use super::super::{print, print_json, visible};
use crate::document::ClaimStatus;
use crate::error::Error;
use crate::text::counted::counted;
use crate::verify::{End, Item, Outcome, Plan, Ran, Summary, Verdict};

/// How many of the last lines of an output are shown.
const LAST_LINES: usize = 12;

/// Print what came out, in words, with a line about each record that was there before.
pub(super) fn text(
    verdicts: &[Verdict<'_>],
    commands: usize,
    evidence: &[(String, Tone)],
    paint: Paint,
) -> Result<(), Error> {
    if verdicts.is_empty() {
        return print(b"nothing to verify: no check or claim is a command\n");
    }
    let mut sorted: Vec<&Verdict<'_>> = verdicts.iter().collect();
    sorted.sort_by_key(|verdict| verdict.rank());
    let mut text = String::new();
    for verdict in sorted {
        push_verdict(&mut text, verdict, paint);
    }
    for (line, tone) in evidence {
        let _ = writeln!(text, "{} {}", paint.tone(Tone::Faint, "evidence:"), paint.tone(*tone, &visible(line)));
    }
    let were = if commands == 1 { "was" } else { "were" };
    let ran = format!("{} {were} run", counted(commands, "command"));
    let failed = verdicts.iter().filter(|verdict| verdict.is_failure() && verdict.outcome != Outcome::Contradicted);
    let failed = match failed.count() {
        0 => String::new(),
        count => format!("; {count} of them failed as well"),
    };
    let _ = writeln!(text, "{}{failed} ({ran})", Summary::of(verdicts));
    print(text.as_bytes())
}

fn push_verdict(text: &mut String, verdict: &Verdict<'_>, paint: Paint) {
    let Verdict { item, outcome, ran, reason } = verdict;
    let tone = match outcome {
        Outcome::Contradicted => Tone::Bad,
        Outcome::Unrunnable => Tone::Middling,
        _ if verdict.is_failure() => Tone::Bad,
        Outcome::Confirmed => Tone::Good,
        Outcome::Recorded => Tone::Info,
    };
    let word = paint.tone(tone, &format!("{:<12}", outcome.as_str()));
    let owner = paint.tone(Tone::Strong, &visible(&item.owner()));
    let claimed = item.claimed.as_str();
    let _ = writeln!(text, "{word}  {owner}  claimed {claimed}{}", is(verdict));
    let command = if item.text.is_empty() { "(no command)" } else { &item.text };
    let _ = writeln!(text, "  {} {}", paint.tone(Tone::Faint, "$"), visible(command));
    if let Some(reason) = reason {
        let _ = writeln!(text, "  {}", visible(reason));
    }
    if let Some(ran) = ran.filter(|_| verdict.is_bad()) {
        for line in last_lines(&ran.output) {
            let _ = writeln!(text, "  {} {line}", paint.tone(Tone::Faint, "|"));
        }
    }
}

/// What came out, behind what was claimed.
fn is(verdict: &Verdict<'_>) -> String {
    let Some(ran) = verdict.ran.filter(|_| verdict.reason.is_none()) else { return String::new() };
    let code = ran.exit_code().unwrap_or_default();
    format!(", is {}: exit {code} in {:.1} s", ran.status().as_str(), ran.duration.as_secs_f64())
}

/// The end of an output, fit for a terminal.
fn last_lines(output: &[u8]) -> Vec<String> {
    let lines: Vec<&[u8]> = output.split(|byte| *byte == b'\n').collect();
    let first = lines.len().saturating_sub(LAST_LINES);
    let lines = lines[first..].iter().map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    if output.is_empty() { Vec::new() } else { lines.map(visible_bytes).collect() }
}

fn visible_bytes(line: &[u8]) -> String {
    visible(&String::from_utf8_lossy(line))
}

/// The commands of a plan with what rests on each, fit for a terminal.
pub(super) fn commands(plan: &Plan) -> String {
    let mut text = String::new();
    for (index, command) in plan.commands.iter().enumerate() {
        let owners: Vec<String> = plan.resting_on(index).map(|item| visible(&item.owner())).collect();
        let _ = writeln!(text, "  {}\n      {}", visible(command), owners.join(", "));
    }
    text
}

/// Print what would be run, and what can't be.
pub(super) fn listed(plan: &Plan, is_json: bool) -> Result<(), Error> {
    if is_json {
        let items: Vec<JsonItem<'_>> = plan.items.iter().map(JsonItem::of).collect();
        return print_json(&items);
    }
    let mut text = commands(plan);
    for item in &plan.items {
        if let Err(why) = item.command {
            let _ = writeln!(text, "  not run: {} ({}: {why})", visible(&item.text), visible(&item.owner()));
        }
    }
    if text.is_empty() {
        text.push_str("nothing to verify: no check or claim is a command\n");
    }
    print(text.as_bytes())
}

/// What a check or claim says.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonClaim<'a> {
    note_id: Option<&'a str>,
    file: Option<&'a str>,
    claimed: &'a str,
    cmd: &'a str,
}

impl<'a> JsonClaim<'a> {
    fn of(item: &'a Item) -> Self {
        Self {
            note_id: item.note_id.as_deref(),
            file: item.file.as_deref(),
            claimed: item.claimed.as_str(),
            cmd: &item.text,
        }
    }
}

/// A check or claim that would be run.
#[derive(Serialize)]
struct JsonItem<'a> {
    #[serde(flatten)]
    claim: JsonClaim<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl<'a> JsonItem<'a> {
    fn of(item: &'a Item) -> Self {
        Self { claim: JsonClaim::of(item), reason: item.command.err().map(|why| why.to_string()) }
    }
}

#[derive(Serialize)]
struct JsonReport<'a> {
    path: &'a str,
    summary: Summary,
    results: Vec<JsonResult<'a>>,
}

#[derive(Serialize)]
struct JsonResult<'a> {
    #[serde(flatten)]
    claim: JsonClaim<'a>,
    outcome: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<JsonRun<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonRun<'a> {
    cmd: &'a str,
    exit_code: Option<i32>,
    status: &'a str,
    duration_ms: u64,
    output: String,
    timed_out: bool,
    unavailable: bool,
}

/// Print what came out of the review called `path` as JSON.
pub(super) fn json(path: &str, verdicts: &[Verdict<'_>]) -> Result<(), Error> {
    let results = verdicts.iter().map(|verdict| JsonResult {
        claim: JsonClaim::of(verdict.item),
        outcome: verdict.outcome.as_str(),
        run: verdict.ran.map(|ran| json_run(&verdict.item.text, ran)),
        reason: verdict.reason.as_deref(),
    });
    print_json(&JsonReport { path, summary: Summary::of(verdicts), results: results.collect() })
}

fn json_run<'a>(cmd: &'a str, ran: &Ran) -> JsonRun<'a> {
    let status: ClaimStatus = ran.status();
    JsonRun {
        cmd,
        exit_code: ran.exit_code(),
        status: status.as_str(),
        duration_ms: u64::try_from(ran.duration.as_millis()).unwrap_or(u64::MAX),
        output: String::from_utf8_lossy(&ran.output).into_owned(),
        timed_out: ran.end == End::TimedOut,
        unavailable: ran.unavailable().is_some(),
    }
}
