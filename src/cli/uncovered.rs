//! `whymark uncovered`: the added lines that no note is about, one run a line, for editors and programs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bstr::{BString, ByteSlice};
use clap::Args;
use serde::Serialize;

use super::changes::{Chosen, around};
use super::paths::{current_folder, relative};
use super::review::{self, Review};
use super::scope_args::{ScopeArgs, ScopeWord};
use super::{changes, display, print, print_json, say};
use crate::document::{Document, Section};
use crate::error::Error;
use crate::git::Scope;
use crate::metrics::{Mark, Marks, runs};
use crate::skeleton::{self, Stubs};
use crate::tui::current::Current;
use crate::tui::open::review_of;

/// `whymark uncovered`.
#[derive(Debug, Args)]
pub(super) struct UncoveredArgs {
    /// A scope in a word, or a review, `-` for one on standard input.
    #[arg(value_name = "SCOPE|FILE", conflicts_with = "ScopeFlag")]
    what: Option<PathBuf>,

    /// Where the review of the scope lives [default: reviews/<scope>-<branch>.whymark].
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Those that notes are about, none of which is verified.
    #[arg(long)]
    unverified: bool,

    /// Print JSON; paths count from the root of the repository.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    scope: ScopeArgs,
}

impl UncoveredArgs {
    /// The scope that was asked for, if any.
    pub(super) fn scope(&self) -> Option<Scope> {
        self.word().map(ScopeWord::scope).or_else(|| self.scope.flag())
    }

    /// The review that was named.
    fn file(&self) -> Option<&Path> {
        self.what.as_deref().filter(|_| self.word().is_none())
    }

    fn word(&self) -> Option<ScopeWord> {
        ScopeWord::of(self.what.as_ref()?)
    }
}

/// What is listed of one section.
struct Listed {
    /// The path in the repository.
    path: BString,
    /// First and last line of each run.
    runs: Vec<(u64, u64)>,
}

/// As a program reads it.
#[derive(Serialize)]
struct Entry {
    path: String,
    ranges: Vec<Range>,
    lines: u64,
}

#[derive(Serialize)]
struct Range {
    start: u64,
    end: u64,
}

/// Run the command. That there are such lines is no failure: `validate --min-coverage` judges.
///
/// # Errors
/// When git or the review cannot be read, or nothing changed.
pub(super) fn run(args: &UncoveredArgs) -> Result<(), Error> {
    let cwd = current_folder()?;
    let (listed, root) = match args.file() {
        Some(path) => of_review(path, &cwd, args)?,
        None => of_scope(args, &cwd)?,
    };
    if args.json {
        return print_json(&listed.iter().map(Entry::from).collect::<Vec<_>>());
    }
    if listed.is_empty() {
        let what = if args.unverified { "no line has only unverified notes" } else { "no added line lacks a note" };
        say(&format!("note: {what}"));
    }
    print(listed.iter().map(|listed| text(listed, root.as_deref(), &cwd)).collect::<String>().as_bytes())
}

/// The lines of a review, and the root that its paths count from, where there is a repository.
fn of_review(path: &Path, cwd: &Path, args: &UncoveredArgs) -> Result<(Vec<Listed>, Option<PathBuf>), Error> {
    let review = Review::read(path)?;
    let repo = review::repository(path, cwd)?;
    let sections = review.document.parts()[1..].iter();
    let listed = sections.filter_map(|section| listed(section, &Marks::of(section), args)).collect();
    Ok((listed, repo.map(|repo| repo.root().to_owned())))
}

/// The lines of a scope as it is now, by the notes of its review where that still shows the file as it is.
fn of_scope(args: &UncoveredArgs, cwd: &Path) -> Result<(Vec<Listed>, Option<PathBuf>), Error> {
    let Chosen { repo, changes, options } = args.scope.choose(args.scope(), cwd, args.out.as_deref())?;
    let (repo, changes) = (repo.as_ref(), Arc::new(changes));
    if let Some(none) = changes.nothing(&options) {
        return Err(none);
    }
    let current = Current::new(Arc::clone(&changes));
    let (path, review) = review_of(cwd, repo, &changes, &current, args.out.as_ref().map(|out| cwd.join(out)))?;
    let sections = changes::patches(repo, &changes, |file| skeleton::section(&file, Stubs::None).into())?;
    let document = Document::from_parts(bytes::Bytes::new(), sections);
    let written = review.as_ref();
    let counterparts =
        written.map_or_else(|| vec![None; document.parts().len()], |review| document.counterparts(review));
    let (mut stale, mut found) = (0, Vec::new());
    for (section, counterpart) in document.parts().iter().zip(counterparts).skip(1) {
        let section_then = counterpart.zip(written).map(|(part, review)| &review.parts()[part]);
        let marks = match section_then {
            Some(then) if current.is(then, || around(repo, cwd))? => Marks::of(then),
            Some(_) => {
                stale += 1;
                Marks::default()
            }
            None => Marks::default(),
        };
        found.extend(listed(section, &marks, args));
    }
    if review.is_none() {
        say("note: there is no review of these changes yet");
    } else if stale > 0 {
        say(&format!("note: {}; its notes on them do not count", review::changed_since(stale, &relative(&path, cwd))));
    }
    Ok((found, repo.map(|repo| repo.root().to_owned())))
}

/// What is listed of `section`, if anything.
fn listed(section: &Section, marks: &Marks, args: &UncoveredArgs) -> Option<Listed> {
    let is_wanted = |mark: Option<Mark>| match mark {
        None => !args.unverified,
        Some(mark) => args.unverified && !mark.verified,
    };
    let runs = runs(section, marks, is_wanted);
    let file = section.tree().file.as_ref();
    let path = file.map_or_else(|| section.path_text().as_bytes().into(), |file| file.path.clone());
    (!runs.is_empty()).then_some(Listed { path, runs })
}

/// A line for each run, its path from the folder `cwd`.
fn text(listed: &Listed, root: Option<&Path>, cwd: &Path) -> String {
    let path = match root {
        Some(root) => relative(&root.join(listed.path.to_path_lossy()), cwd).into_os_string().into_encoded_bytes(),
        None => listed.path.to_vec(),
    };
    // As git prints names that would not fit on a line, so that it is clear what they are.
    let path = if path.iter().any(u8::is_ascii_control) { skeleton::quoted(&path) } else { path };
    let path = display().visible(path);
    listed.runs.iter().map(|(start, end)| format!("{path}:{start}-{end}\n")).collect()
}

impl From<&Listed> for Entry {
    fn from(listed: &Listed) -> Self {
        let ranges = listed.runs.iter().map(|&(start, end)| Range { start, end }).collect();
        let lines = listed.runs.iter().map(|(start, end)| end - start + 1).sum();
        Self { path: listed.path.to_string(), ranges, lines }
    }
}
