//! `whymark mb annotate`: feedback on a file, into its sidecar; on several, into a new file beside them.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};

use super::files::{Disk, absolute, derived, folder_of};
use super::{Outcome, Refusal, interactive};
use crate::cli::say;
use crate::editor;
use crate::markback::{
    FileHeaders, Glob, Record, Reference, Unwritable, append, compose, matching, normalized, relative, sidecar,
};
use crate::store;

/// Files up to this size are quoted whole in a record.
const QUOTED: u64 = 65_536;
/// A NUL in so many bytes at the start makes a file binary.
const SAMPLE: usize = 8192;

/// `whymark mb annotate`.
#[derive(Debug, Args)]
pub(super) struct AnnotateArgs {
    /// Files, URLs or a glob; with one of them and a text, the text is the feedback on it.
    #[arg(value_name = "TARGET", required = true, value_parser = target())]
    pub(super) targets: Vec<PathBuf>,

    #[command(flatten)]
    pub(super) note: NoteArgs,
}

/// A target as clap reads it: also an empty one, which is perhaps a feedback.
pub(super) fn target() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(PathBuf::from)
}

/// What is said about the files.
#[derive(Debug, Args, Default)]
pub(super) struct NoteArgs {
    /// The feedback [default: ask for it].
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(super) feedback: Option<String>,

    /// What produced the file: a path or a URL.
    #[arg(long, value_name = "PATH")]
    pub(super) input: Option<String>,

    /// Tags, with blanks between them.
    #[arg(long, value_name = "WORDS")]
    pub(super) tag: Option<String>,

    /// Who says so; empty for nobody.
    #[arg(long, value_name = "NAME")]
    pub(super) by: Option<String>,

    /// Print each file before the feedback on it is asked for.
    #[arg(long)]
    pub(super) print: bool,

    /// What the files were checked for, with blanks between the words; for several files.
    #[arg(long, value_name = "WORDS")]
    pub(super) scope: Option<String>,

    /// A glob for all files that were looked at, as seen from the file that is written; for several files.
    #[arg(long, value_name = "GLOB")]
    pub(super) covers: Option<String>,
}

/// Run the command.
///
/// # Errors
/// When the feedback cannot be written, or there is nothing to write it about.
pub(super) fn run(args: &AnnotateArgs) -> Outcome {
    let note = &args.note;
    for (name, value) in [("by", &note.by), ("tag", &note.tag), ("input", &note.input), ("covers", &note.covers)] {
        if value.as_ref().is_some_and(|value| value.contains(['\n', '\r'])) {
            return Err(Refusal::NotOneLine(name));
        }
    }
    match args.targets.as_slice() {
        [only] if is_glob(only) => match expanded(only)? {
            files if files.is_empty() => Err(Refusal::NoMatch(only.display().to_string())),
            files => several(&files, note),
        },
        [target, text] if note.feedback.is_none() && !is_glob(target) && fs::symlink_metadata(text).is_err() => {
            let text = text.to_str().ok_or_else(|| Refusal::PathNotText(text.clone()))?;
            one(target, Some(text), note)
        }
        [only] => one(only, note.feedback.as_deref(), note),
        files => several(files, note),
    }
}

fn several(files: &[PathBuf], note: &NoteArgs) -> Outcome {
    match &note.feedback {
        None => interactive::run(files, note),
        Some(feedback) => {
            let folder = shared_folder(files);
            let about = |file: &PathBuf| record(file, &folder, feedback, note);
            let records: Vec<Record<'_>> = files.iter().map(about).collect::<Result<_, _>>()?;
            let written = |path: &Path| text(path, &records, note);
            let path = create(&folder, written)?;
            say(&format!("Wrote {} record(s) to {}", records.len(), path.display()));
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// The text of a file at `path` with these records.
pub(super) fn text(path: &Path, records: &[Record<'_>], note: &NoteArgs) -> Result<String, Refusal> {
    let scope = note.scope.as_deref().unwrap_or_default().split_whitespace().map(Cow::Borrowed).collect();
    let covers = note.covers.as_deref().map(str::trim).filter(|covers| !covers.is_empty()).map(Cow::Borrowed);
    let headers = FileHeaders { scope, covers, ..FileHeaders::default() };
    compose(&headers, records).map_err(|why| Refusal::Unwritable { path: path.into(), why })
}

/// Write a new file to `folder`, under the first name that is free.
pub(super) fn create(folder: &Path, text: impl Fn(&Path) -> Result<String, Refusal>) -> Result<PathBuf, Refusal> {
    let later = (1..).map(|number| format!("feedback-{number}.mb"));
    for name in std::iter::once("feedback.mb".to_owned()).chain(later) {
        let path = beside(folder, &name);
        if fs::symlink_metadata(&path).is_ok() {
            continue;
        }
        let text = text(&path)?;
        let made = store::update(&path, |existing| match existing {
            Some(_) => Err(Refusal::Taken(path.clone())),
            None => Ok(super::files::ended_as(b"", &text)),
        });
        match made {
            Err(Refusal::Taken(_)) => {}
            made => return made.map(|_| path),
        }
    }
    unreachable!("there is always another number")
}

/// The folder that all `files` are in, else the current one.
pub(super) fn shared_folder(files: &[PathBuf]) -> PathBuf {
    let folder = |file: &PathBuf| if is_url(file) { PathBuf::from(".") } else { folder_of(file).to_owned() };
    let first = files.first().map_or_else(|| PathBuf::from("."), folder);
    if files.iter().all(|file| folder(file) == first) { first } else { PathBuf::from(".") }
}

/// The file called `name` in `folder`, as a person would write it.
fn beside(folder: &Path, name: &str) -> PathBuf {
    if folder == Path::new(".") { PathBuf::from(name) } else { folder.join(name) }
}

/// Feedback on a single target.
fn one(target: &Path, feedback: Option<&str>, note: &NoteArgs) -> Outcome {
    let (path, _) = split(target)?;
    let mb = if is_url(target) { PathBuf::from(sidecar::name_for_url(&path)) } else { sidecar::of(Path::new(&*path)) };
    let folder = folder_of(&mb).to_owned();
    if !folder.is_dir() {
        return Err(Refusal::NoFolder(folder));
    }
    let Some(feedback) = feedback else { return edit(target, Path::new(&*path), &mb) };
    let record = record(target, &folder, feedback, note)?;
    let refused = |why| Refusal::Unwritable { path: mb.clone(), why };
    store::update(&derived(&mb)?, |existing| {
        let existing = existing.unwrap_or_default();
        Ok::<_, Refusal>(append(existing, &record).map_err(refused)?.apply(existing))
    })?;
    say(&format!("Wrote feedback to {}", mb.display()));
    Ok(ExitCode::SUCCESS)
}

/// The record that says `feedback` about `target`, in a file in `folder`.
pub(super) fn record(
    target: &Path,
    folder: &Path,
    feedback: &str,
    note: &NoteArgs,
) -> Result<Record<'static>, Refusal> {
    let (path, range) = split(target)?;
    let path_in = |path: &str| if is_url_text(path) { Ok(path.to_owned()) } else { seen_from(folder, path) };
    let file = path_in(&path)? + &range;
    let is_here = absolute(folder)? == absolute(Path::new("."))?;
    let input = note.input.as_deref().map(|input| {
        let Reference { path, .. } = Reference::parse(input);
        let seen = if is_here { path.to_owned() } else { path_in(path)? };
        Ok::<_, Refusal>(seen + &input[path.len()..])
    });
    let tags = note.tag.as_deref().unwrap_or_default().split_whitespace();
    let record = Record {
        by: note.by.clone().filter(|by| !by.is_empty()).map(Cow::Owned),
        tags: tags.map(|tag| Cow::Owned(tag.to_owned())).collect(),
        input: input.transpose()?.map(Cow::Owned),
        content: if is_url(target) { None } else { quoted(Path::new(&*path)).map(Cow::Owned) },
        file: Some(file.into()),
        feedback: feedback.to_owned().into(),
        ..Record::default()
    };
    // What cannot stand in a record of its own cannot stand in any.
    match append(b"", &record) {
        Err(Unwritable::Structure(_) | Unwritable::Path(_)) => Ok(Record { content: None, ..record }),
        _ => Ok(record),
    }
}

/// What stands in the file at `path`, if it is a short text.
fn quoted(path: &Path) -> Option<String> {
    let is_short = fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() <= QUOTED);
    let text = if is_short { store::read(path).ok()? } else { return None };
    let is_binary = text[..text.len().min(SAMPLE)].contains(&0);
    if is_binary { None } else { String::from_utf8(text.to_vec()).ok() }
}

/// The path of a target and its range, if it has one and is not there under its whole name.
fn split(target: &Path) -> Result<(Cow<'_, str>, String), Refusal> {
    let text = target.to_str().ok_or_else(|| Refusal::PathNotText(target.to_owned()))?;
    let path = Reference::parse(text).path;
    let is_whole = path.len() == text.len() || !is_url(target) && fs::symlink_metadata(target).is_ok();
    let at = if is_whole { text.len() } else { path.len() };
    Ok((text[..at].into(), text[at..].to_owned()))
}

/// `path`, which counts from the current folder, as a file in `folder` names it.
fn seen_from(folder: &Path, path: &str) -> Result<String, Refusal> {
    if Path::new(path).is_absolute() && absolute(folder)? != absolute(folder_of(Path::new(path)))? {
        return Ok(path.to_owned());
    }
    let (base, path) = (normalized("/", &absolute(folder)?), normalized("/", &absolute(Path::new(path))?));
    let seen = relative(&base, &path);
    Ok(if seen.starts_with("../") { seen } else { format!("./{seen}") })
}

/// Whether a target is a URL: a scheme and `//`.
pub(super) fn is_url(target: &Path) -> bool {
    target.to_str().is_some_and(is_url_text)
}

fn is_url_text(text: &str) -> bool {
    text.contains("://") && Reference::parse(text).is_uri()
}

fn is_glob(target: &Path) -> bool {
    let has_wildcard = target.as_os_str().as_encoded_bytes().iter().any(|byte| b"*?[".contains(byte));
    has_wildcard && !is_url(target) && fs::symlink_metadata(target).is_err()
}

/// The files that match, in order.
fn expanded(pattern: &Path) -> Result<Vec<PathBuf>, Refusal> {
    let text = pattern.to_str().ok_or_else(|| Refusal::PathNotText(pattern.to_owned()))?;
    let files = matching(&Glob::parse(text), &absolute(Path::new("."))?, &mut Disk);
    Ok(files.into_iter().map(PathBuf::from).collect())
}

/// Let a person write the record in the editor of their own. Nothing is written for them: in a sidecar the file goes
/// without saying, and a record that is begun and not ended would be an error.
fn edit(target: &Path, path: &Path, mb: &Path) -> Outcome {
    let words = editor::chosen(&["EDITOR", "VISUAL"]).ok_or(Refusal::NoEditor)?;
    if !mb.exists() && !is_url(target) && !path.exists() {
        return Err(Refusal::NoTarget(path.to_owned()));
    }
    derived(mb)?;
    let is_done = editor::open(&words, mb).map_err(|source| Refusal::Editor { program: words[0].clone(), source })?;
    Ok(if is_done { ExitCode::SUCCESS } else { ExitCode::from(super::FINDINGS) })
}
