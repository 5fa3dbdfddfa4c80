//! `whymark new`: the skeleton of a review.

use std::path::{Path, PathBuf};

use bstr::{BString, ByteSlice};
use bytes::Bytes;

use super::args::{DraftArgs, NewArgs};
use super::changes::Chosen;
use super::paths::current_folder;
use super::review::is_standard_stream;
use super::setup::settings;
use super::{changes, print, print_document, say};
use crate::clock;
use crate::error::Error;
use crate::git::{Changes, Repo};
use crate::skeleton::{self, FilePatch, SEPARATOR, Stubs};
use crate::store;
use crate::text::counted::counted;

/// Where the review goes.
enum Output {
    Standard,
    File {
        /// As it is shown.
        path: PathBuf,
        /// What is written.
        target: PathBuf,
    },
}

/// What one file adds to the review.
struct Part {
    section: Vec<u8>,
    added: u64,
    removed: u64,
    /// Its path, where its lines are not UTF-8.
    not_utf8: Option<BString>,
}

/// Run the command.
///
/// # Errors
/// When git cannot be read, nothing changed, or the review is there already or cannot be written.
pub(super) fn run(args: &NewArgs) -> Result<(), Error> {
    let cwd = current_folder()?;
    let draft = &args.draft;
    let out = args.out.as_deref().filter(|out| !is_standard_stream(out));
    let Chosen { repo, changes, options } = draft.scope.choose(draft.scope(), &cwd, out)?;
    let repo = repo.as_ref();
    let output = output(args, repo, &changes)?;
    if let Some(none) = changes.nothing(&options) {
        match output {
            // A pipe gets a document whatever there is to say; no file is made that says nothing.
            Output::Standard => say(&format!("note: {none}")),
            Output::File { .. } => return Err(none),
        }
    }
    if let Output::File { path, target } = &output
        && target.exists()
        && !args.force
    {
        return Err(Error::ReviewExists { path: shown(path, &cwd) });
    }
    let (text, summary) = text(draft, repo, &changes)?;
    match output {
        Output::Standard => print_document(&text),
        Output::File { path, target } => {
            let path = shown(&path, &cwd);
            write(&target, &path, text, args.force)?;
            let line = format!("wrote {} ({summary})", path.display());
            print(format!("{}\n", super::visible(&line)).as_bytes())
        }
    }
}

/// The text of a new review of `changes`, and in a few words what changed.
///
/// # Errors
/// When a file cannot be read.
pub(super) fn text(args: &DraftArgs, repo: Option<&Repo>, changes: &Changes) -> Result<(Vec<u8>, String), Error> {
    let stubs = Stubs::from(args.stubs);
    let parts = changes::patches(repo, changes, |file| part(&file, stubs))?;
    for path in parts.iter().filter_map(|part| part.not_utf8.as_ref()) {
        say(&format!("note: {path} is not UTF-8; its bytes are kept as they are"));
    }
    let summary = summary(&parts);
    Ok((joined(skeleton::head(&facts(args, repo, changes)), parts), summary))
}

/// The file that was named, else one after the title, else one after the scope and branch: in the repository, wherever
/// links in it lead.
fn output(args: &NewArgs, repo: Option<&Repo>, changes: &Changes) -> Result<Output, Error> {
    Ok(match &args.out {
        Some(out) if is_standard_stream(out) => Output::Standard,
        Some(out) => Output::File { path: out.clone(), target: out.clone() },
        None => {
            let root = repo.map_or(Path::new("."), Repo::root);
            let path = usual_path(&args.draft, repo, changes);
            Output::File { target: store::inside(&path, root)?, path }
        }
    })
}

/// Where a review lives when nobody says where.
pub(super) fn usual_path(args: &DraftArgs, repo: Option<&Repo>, changes: &Changes) -> PathBuf {
    let name = args.title().unwrap_or_else(|| changes.review_name());
    skeleton::review_path(repo.map_or(Path::new("."), Repo::root), &name)
}

fn facts(args: &DraftArgs, repo: Option<&Repo>, changes: &Changes) -> skeleton::Facts {
    let known = repo.map_or_else(|| changes.facts(), |repo| repo.facts(changes));
    skeleton::Facts {
        title: args.title().unwrap_or(known.title),
        author: args.author.given().or_else(|| settings().author.clone()).or(known.author),
        date: Some(clock::now()),
        checks: args.checks.clone(),
        ..known
    }
}

fn part(file: &FilePatch, stubs: Stubs) -> Part {
    let not_utf8 = file.text.to_str().is_err().then(|| file.change.path.clone());
    Part { section: skeleton::section(file, stubs), added: file.added, removed: file.removed, not_utf8 }
}

fn summary(parts: &[Part]) -> String {
    let files = counted(parts.len(), "file");
    let sum = |count: fn(&Part) -> u64| parts.iter().map(count).sum::<u64>();
    format!("{files}, +{} -{}", sum(|part| part.added), sum(|part| part.removed))
}

/// The document; each part is let go as soon as it is in it.
fn joined(head: Vec<u8>, parts: Vec<Part>) -> Vec<u8> {
    parts.into_iter().fold(head, |mut text, part| {
        text.extend_from_slice(SEPARATOR);
        text.extend_from_slice(&part.section);
        text
    })
}

/// Write `text` to `target`, which is shown as `path`.
fn write(target: &Path, path: &Path, text: Vec<u8>, force: bool) -> Result<(), Error> {
    let text = Bytes::from(text);
    let written = store::update(target, |there| match there {
        Some(_) if !force => Err(Error::ReviewExists { path: path.into() }),
        _ => Ok(text.clone()),
    });
    written.map(drop)
}

/// `path` from the current folder, where it lies below it.
pub(super) fn shown(path: &Path, cwd: &Path) -> PathBuf {
    path.strip_prefix(cwd).unwrap_or(path).to_path_buf()
}
