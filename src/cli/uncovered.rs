//! `whymark uncovered`: the added lines that no note is about, one run a line, for editors and programs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};
use clap::Args;
use serde::Serialize;

use super::changes::{Chosen, around};
use super::paths::{current_folder, relative};
use super::review::{self, Review};
use super::scope_args::{ScopeArgs, ScopeWord};
use super::{changes, display, print, print_json, say};
use crate::coverage::Coverage;
use crate::document::{Document, Section};
use crate::error::Error;
use crate::git::Scope;
use crate::metrics::{Mark, Marks, runs, runs_where};
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

    /// Those that no test ran too, by this coverage report as lcov writes it; each line then says what it lacks.
    #[arg(long, value_name = "FILE", conflicts_with = "unverified")]
    lcov: Option<PathBuf>,

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
    /// First and last line of each run that no test ran.
    untested: Vec<(u64, u64)>,
}

impl Listed {
    fn is_empty(&self) -> bool {
        self.runs.is_empty() && self.untested.is_empty()
    }
}

/// What is listed of each section, and the root that its paths count from, where there is a repository.
type Found = (Vec<(Listed, Arc<Section>)>, Option<PathBuf>);

/// As a program reads it.
#[derive(Serialize)]
struct Entry {
    path: String,
    ranges: Vec<Range>,
    lines: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    untested: Vec<Range>,
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
    let (mut listed, root) = match args.file() {
        Some(path) => of_review(path, &cwd, args)?,
        None => of_scope(args, &cwd)?,
    };
    if let Some(path) = &args.lcov {
        add_untested(&mut listed, path, root.as_deref().unwrap_or(&cwd))?;
    }
    let listed: Vec<Listed> =
        listed.into_iter().map(|(listed, _)| listed).filter(|listed| !listed.is_empty()).collect();
    if args.json {
        return print_json(&listed.iter().map(Entry::from).collect::<Vec<_>>());
    }
    if listed.is_empty() {
        let what = match (args.unverified, &args.lcov) {
            (true, _) => "no line has only unverified notes",
            (false, None) => "no added line lacks a note",
            (false, Some(_)) => "no added line lacks a note or, as far as the report says, a test",
        };
        say(&format!("note: {what}"));
    }
    print(
        listed
            .iter()
            .map(|listed| text(listed, root.as_deref(), &cwd, args.lcov.is_some()))
            .collect::<String>()
            .as_bytes(),
    )
}

/// The lines of a review, and the root that its paths count from, where there is a repository.
fn of_review(path: &Path, cwd: &Path, args: &UncoveredArgs) -> Result<Found, Error> {
    let review = Review::read(path)?;
    let repo = review::repository(path, cwd)?;
    let sections = review.document.parts()[1..].iter();
    let listed = sections.map(|section| (listed(section, &Marks::of(section), args), Arc::clone(section))).collect();
    Ok((listed, repo.map(|repo| repo.root().to_owned())))
}

/// The lines of a scope as it is now, by the notes of its review where that still shows the file as it is.
fn of_scope(args: &UncoveredArgs, cwd: &Path) -> Result<Found, Error> {
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
        found.push((listed(section, &marks, args), Arc::clone(section)));
    }
    if review.is_none() {
        say("note: there is no review of these changes yet");
    } else if stale > 0 {
        say(&format!("note: {}; its notes on them do not count", review::changed_since(stale, &relative(&path, cwd))));
    }
    Ok((found, repo.map(|repo| repo.root().to_owned())))
}

/// What the report at `path` says about the files, whose paths are seen from `root`.
fn add_untested(listed: &mut [(Listed, Arc<Section>)], path: &Path, root: &Path) -> Result<(), Error> {
    let paths: Vec<BString> = listed.iter().map(|(listed, _)| listed.path.clone()).collect();
    let paths: Vec<&BStr> = paths.iter().map(AsRef::as_ref).collect();
    let coverage = Coverage::read(path, root, &paths)?;
    coverage.warnings.iter().for_each(|warning| say(&format!("warning: {}", display().visible(warning))));
    for (listed, section) in listed {
        if let Some(tested) = coverage.files.get(&listed.path) {
            listed.untested = runs_where(section, |line| tested.is_untested(line.0));
        }
    }
    Ok(())
}

/// What is listed of `section`.
fn listed(section: &Section, marks: &Marks, args: &UncoveredArgs) -> Listed {
    let is_wanted = |mark: Option<Mark>| match mark {
        None => !args.unverified,
        Some(mark) => args.unverified && !mark.verified,
    };
    let runs = runs(section, marks, is_wanted);
    let file = section.tree().file.as_ref();
    let path = file.map_or_else(|| section.path_text().as_bytes().into(), |file| file.path.clone());
    Listed { path, runs, untested: Vec::new() }
}

/// A line for each run, its path from the folder `cwd`; what it lacks, where there is more than one thing to lack.
fn text(listed: &Listed, root: Option<&Path>, cwd: &Path, says_what: bool) -> String {
    let path = match root {
        Some(root) => relative(&root.join(listed.path.to_path_lossy()), cwd).into_os_string().into_encoded_bytes(),
        None => listed.path.to_vec(),
    };
    // As git prints names that would not fit on a line, so that it is clear what they are.
    let path = if path.iter().any(u8::is_ascii_control) { skeleton::quoted(&path) } else { path };
    let path = display().visible(path);
    let line = |(start, end): &(u64, u64), what: &str| {
        let what = if says_what { format!(": {what}") } else { String::new() };
        (*start, format!("{path}:{start}-{end}{what}\n"))
    };
    let bare = listed.runs.iter().map(|run| line(run, "no note"));
    let untested = listed.untested.iter().map(|run| line(run, "no test ran it"));
    let mut lines: Vec<(u64, String)> = bare.chain(untested).collect();
    lines.sort_by_key(|(start, _)| *start);
    lines.into_iter().map(|(_, line)| line).collect()
}

impl From<&Listed> for Entry {
    fn from(listed: &Listed) -> Self {
        let ranges = |runs: &[(u64, u64)]| runs.iter().map(|&(start, end)| Range { start, end }).collect();
        let lines = listed.runs.iter().map(|(start, end)| end - start + 1).sum();
        Self { path: listed.path.to_string(), ranges: ranges(&listed.runs), lines, untested: ranges(&listed.untested) }
    }
}
