//! `whymark mb list`: the records, for people and for programs.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde::{Serialize, Serializer};

use super::files;
use super::{FINDINGS, Outcome};
use crate::cli::review::is_standard_stream;
use crate::cli::{print_json, say, visible, write_out};
use crate::error::Error;
use crate::markback::sidecar::is_markback;
use crate::markback::{Action, Header, Markback, Problem, Record};

/// `whymark mb list`.
#[derive(Debug, Args, Default)]
pub(super) struct ListArgs {
    /// Files, `-` for standard input, and folders, whose .mb files are read, not those in folders below.
    #[arg(value_name = "FILE|FOLDER")]
    pub(super) targets: Vec<PathBuf>,

    /// Print an array with an object for each record.
    #[arg(long)]
    pub(super) json: bool,

    /// The files are content: read their sidecars.
    #[arg(long)]
    pub(super) sidecar: bool,
}

/// The files that could be read, and whether that were all.
pub(super) struct Read {
    /// Each with the name of the content file that it stands beside.
    pub(super) files: Vec<(Markback, Option<String>)>,
    /// What is left to answer.
    pub(super) code: ExitCode,
}

/// Read the files of `targets`; what cannot be read, or is no text, is said.
///
/// # Errors
/// When a folder cannot be listed.
pub(super) fn read(targets: &[PathBuf], sidecar: bool) -> Result<Read, Error> {
    let mut read = Read { files: Vec::new(), code: ExitCode::SUCCESS };
    let paths = if sidecar { targets.to_vec() } else { files::found(targets, false)? };
    for target in paths {
        let found = if sidecar { files::sidecar_of(&target) } else { Ok(Some(target.clone())) };
        let path = found.as_ref().ok().cloned().flatten();
        let text = match found.and_then(|found| found.map(|path| files::read(&path)).transpose()) {
            Ok(Some(text)) => Ok(Markback::parse(text)),
            Ok(None) => Err(format!("{} has no sidecar", target.display())),
            Err(error) => Err(error.to_string()),
        };
        let is_text = |file: &Markback| file.findings().iter().all(|finding| finding.problem != Problem::NotUtf8);
        match text {
            Ok(file) if is_text(&file) => {
                let is_named_so = is_markback(&target) || is_standard_stream(&target);
                if !sidecar && !is_named_so && file.entries().is_empty() {
                    say(&format!("note: {}", no_records(&target)));
                }
                read.files.push((file, path.as_deref().and_then(files::content_name)));
            }
            refused => {
                let reason = refused.err().unwrap_or_else(|| format!("{} is not UTF-8", target.display()));
                say(&format!("error: {reason}"));
                read.code = ExitCode::from(FINDINGS);
            }
        }
    }
    Ok(read)
}

/// Why the file at `path`, which is called like none of the format, has no records.
fn no_records(path: &Path) -> String {
    let name = path.display();
    match files::sidecar_of(path) {
        Ok(Some(found)) => format!("{name} has no records; those about it are in {}: try --sidecar", found.display()),
        _ => format!("{name} has no records; Markback files are called NAME.mb"),
    }
}

/// Run the command. Records are listed whatever is wrong with them.
///
/// # Errors
/// When a folder cannot be listed, or the output not written.
pub(super) fn run(args: &ListArgs) -> Outcome {
    let Read { files, code } = read(&args.targets, args.sidecar)?;
    if args.json {
        print_json(&All(&files))?;
        return Ok(code);
    }
    write_out(|out| {
        let mut number = 0;
        for (file, content) in &files {
            for record in file.records() {
                number += 1;
                let name = name(&record, content.as_deref(), number);
                let lines: Vec<String> = record.feedback.split('\n').map(visible).collect();
                writeln!(out, "  {number}. [{}] {}", visible(&name), lines.join("\n"))?;
            }
        }
        writeln!(out, "Total: {number} record(s)")
    })?;
    Ok(code)
}

/// What a record is called: its id, what it is about, or its number.
pub(super) fn name<'a>(record: &'a Record<'_>, content: Option<&'a str>, number: usize) -> Cow<'a, str> {
    let given = record.id.as_deref().or(record.file.as_deref()).or(content);
    given.map_or_else(|| Cow::Owned(format!("record-{number}")), Cow::Borrowed)
}

/// The records of all files, written one by one.
struct All<'a>(&'a [(Markback, Option<String>)]);

impl Serialize for All<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().flat_map(|(file, _)| file.records()).map(Listed))
    }
}

/// A record as JSON.
struct Listed<'a>(Record<'a>);

#[derive(Serialize)]
struct Fields<'a> {
    id: Option<&'a str>,
    by: Option<&'a str>,
    reply_to: Option<&'a str>,
    file: Option<&'a str>,
    input: Option<&'a str>,
    tags: &'a [Cow<'a, str>],
    actions: Vec<Event<'a>>,
    content: Option<&'a str>,
    feedback: &'a str,
    metadata: BTreeMap<&'a str, Values<'a>>,
}

#[derive(Serialize)]
struct Event<'a> {
    verb: &'a str,
    timestamp: &'a str,
    actor: Option<&'a str>,
}

/// The values of headers with the same keyword.
#[derive(Serialize)]
#[serde(untagged)]
enum Values<'a> {
    One(&'a str),
    Several(Vec<&'a str>),
}

impl Serialize for Listed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Record { id, reply_to, by, actions, tags, input, file, unknown, content, feedback } = &self.0;
        Fields {
            id: id.as_deref(),
            by: by.as_deref(),
            reply_to: reply_to.as_deref(),
            file: file.as_deref(),
            input: input.as_deref(),
            tags,
            actions: actions.iter().map(event).collect(),
            content: content.as_deref(),
            feedback,
            metadata: metadata(unknown),
        }
        .serialize(serializer)
    }
}

fn event<'a>(action: &'a Action<'_>) -> Event<'a> {
    Event { verb: &action.verb, timestamp: &action.timestamp, actor: action.actor.as_deref() }
}

fn metadata<'a>(unknown: &'a [Header<'_>]) -> BTreeMap<&'a str, Values<'a>> {
    let mut metadata: BTreeMap<&str, Values<'_>> = BTreeMap::new();
    for Header { keyword, value } in unknown {
        match metadata.get_mut(keyword.as_ref()) {
            None => drop(metadata.insert(keyword, Values::One(value))),
            Some(Values::Several(values)) => values.push(value),
            Some(values) => {
                let Values::One(first) = *values else { continue };
                *values = Values::Several(vec![first, value]);
            }
        }
    }
    metadata
}
