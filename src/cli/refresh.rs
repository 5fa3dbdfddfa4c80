//! `whymark refresh`: the diff of a review made anew, its notes carried along.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bstr::{BString, ByteSlice};
use clap::Args;
use serde::Serialize;

use super::paths::current_folder;
use super::scope_args::ScopeArgs;
use super::{FINDINGS, changes, print, print_json, review, say, visible};
use crate::anchor::{self, Carried, CarriedNote, Fate};
use crate::document::{Document, Selector};
use crate::error::Error;
use crate::refresh;
use crate::store;

/// `whymark refresh`.
#[derive(Debug, Args)]
pub(super) struct RefreshArgs {
    /// The review.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Only say what would become of the notes, and exit with 1 if anything would change.
    #[arg(long)]
    check: bool,

    /// Write an object with every note to standard output.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    scope: ScopeArgs,
}

/// Run the command.
///
/// # Errors
/// When the review says nothing about its scope and no flag does, git cannot be read, or the review cannot be written.
pub(super) fn run(args: &RefreshArgs) -> Result<ExitCode, Error> {
    let text = store::read(&args.file)?;
    let old = Document::parse(text.clone());
    let new = current(args, &old)?;
    let carried =
        anchor::carry(&old, &new).map_err(|source| Error::CannotRefresh { path: args.file.clone(), source })?;
    let after = carried.edit.apply(&text);
    let is_changed = after != text;
    if is_changed && !args.check {
        refresh::write(&args.file, &text, after)?;
    }
    report(args, &carried, is_changed)?;
    Ok(if is_changed && args.check { ExitCode::from(FINDINGS) } else { ExitCode::SUCCESS })
}

/// The document that `new` would make of the same scope now, without notes.
fn current(args: &RefreshArgs, old: &Document) -> Result<Document, Error> {
    let cwd = current_folder()?;
    let file = cwd.join(&args.file);
    let repo = review::repository(&args.file, &cwd)?.ok_or_else(|| Error::NotARepository { dir: cwd.clone() })?;
    let repo = args.scope.allowing(repo);
    let mut options = args.scope.options(&repo, &cwd, Some(&file))?;
    if args.scope.context().is_none() {
        options.context = options.context.max(refresh::context(old));
    }
    let scope = match args.scope.flag() {
        Some(scope) => scope,
        None => refresh::scope(&repo, old.meta(), &args.file)?,
    };
    let changes = changes::find(&repo, Some(scope), &options)?;
    if let Some(none) = changes.nothing(&options) {
        say(&format!("note: {none}"));
    }
    let head = refresh::head(&repo, &changes, args.scope.flag().is_some());
    let sections = changes::patches(Some(&repo), &changes, |file| refresh::section(&file))?;
    Ok(Document::from_parts(head, sections))
}

/// How many notes had which fate, and each of them.
#[derive(Serialize)]
struct Report<'a> {
    path: &'a Path,
    changed: bool,
    kept: usize,
    moved: usize,
    orphaned: usize,
    notes: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    id: String,
    fate: &'static str,
    from: Place,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<Place>,
}

/// What a note is about.
#[derive(Serialize)]
struct Place {
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    selector: String,
}

impl Place {
    fn new(path: Option<&BString>, selector: Selector) -> Self {
        Self { path: path.map(|path| path.to_str_lossy().into_owned()), selector: selector.to_string() }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.path.iter().try_for_each(|path| write!(f, "{path}:"))?;
        f.write_str(&self.selector)
    }
}

impl Entry {
    fn of(note: &CarriedNote) -> Self {
        let fate = match note.fate {
            Fate::Kept => "kept",
            Fate::Moved => "moved",
            Fate::Orphaned => "orphaned",
            Fate::StillOrphaned => "still-orphaned",
            Fate::Returned => "returned",
        };
        Self {
            id: note.id.clone(),
            fate,
            from: Place::new(note.old_path.as_ref(), note.old_selector),
            to: note.new_selector.map(|selector| Place::new(note.new_path.as_ref(), selector)),
        }
    }

    /// The line about it, if it has one.
    fn line(&self, fate: Fate) -> Option<String> {
        let Self { id, from, to, .. } = self;
        let to = to.as_ref().map(ToString::to_string).unwrap_or_default();
        match fate {
            Fate::Kept | Fate::StillOrphaned => None,
            Fate::Moved => Some(format!("{id}: {from} -> {to}")),
            Fate::Returned => Some(format!("{id}: {from} -> {to} (its text is back)")),
            Fate::Orphaned => Some(format!("{id}: {from} -> orphaned")),
        }
    }
}

fn report(args: &RefreshArgs, carried: &Carried, changed: bool) -> Result<(), Error> {
    let count = |fates: &[Fate]| carried.notes.iter().filter(|note| fates.contains(&note.fate)).count();
    let report = Report {
        path: &args.file,
        changed,
        kept: count(&[Fate::Kept]),
        moved: count(&[Fate::Moved, Fate::Returned]),
        orphaned: count(&[Fate::Orphaned, Fate::StillOrphaned]),
        notes: carried.notes.iter().map(Entry::of).collect(),
    };
    if args.json {
        return print_json(&report);
    }
    let lines = report.notes.iter().zip(&carried.notes).filter_map(|(entry, note)| entry.line(note.fate));
    let summary = format!("kept {}, moved {}, orphaned {}", report.kept, report.moved, report.orphaned);
    let text: String = lines.chain([summary]).map(|line| visible(&line) + "\n").collect();
    print(text.as_bytes())
}
