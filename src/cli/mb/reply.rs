//! `whymark mb reply` and `resolve`: records that answer others, and what becomes of them. Nothing that is in the file
//! already is changed.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::files::{content_name, folder_of};
use super::list::name;
use super::{Outcome, Refusal};
use crate::cli::setup::settings;
use crate::cli::{print, say, visible};
use crate::clock;
use crate::git::Repo;
use crate::markback::{Action, Markback, Record, Unwritable, append};
use crate::store;
use crate::text::counted::counted;

/// `whymark mb reply`.
#[derive(Debug, Args)]
pub(super) struct ReplyArgs {
    /// The file.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The id of the record to answer.
    #[arg(value_name = "ID")]
    id: String,

    /// The answer.
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    feedback: String,

    #[command(flatten)]
    by: ByArgs,

    /// Tags, with blanks between them.
    #[arg(long, value_name = "WORDS", default_value = "", hide_default_value = true)]
    tag: String,
}

/// Who signs.
#[derive(Debug, Args)]
struct ByArgs {
    /// Who does it; empty for nobody [default: as config.toml says, else user.name of git].
    #[arg(long, value_name = "NAME", env = "WHYMARK_AUTHOR", hide_env_values = true)]
    by: Option<String>,
}

impl ByArgs {
    /// The name to sign with in the file at `path`.
    fn name(&self, path: &Path) -> Option<String> {
        let known = || settings().author.clone().or_else(|| Repo::discover(folder_of(path)).ok()?.author_name());
        self.by.clone().or_else(known).filter(|name| !name.is_empty())
    }
}

/// Run the command: the answer is a record of its own at the end of the file, about the same file.
///
/// # Errors
/// When the record is not there, or the answer cannot be written.
pub(super) fn reply(args: &ReplyArgs) -> Outcome {
    let path = &args.file;
    // A file that is not there must not come into being.
    store::read(path)?;
    let (now, by) = (clock::now(), args.by.name(path));
    let (_, id) = store::update_with(path, |text| {
        let text = text.unwrap_or_default();
        let file = Markback::parse(text.to_vec());
        let index = find(path, &file, &args.id)?;
        let Some(answer) = file.answer_to(index) else { return Err(Refusal::NoId(args.id.clone())) };
        let id = file.free_id();
        let by = by.as_deref().map(Cow::Borrowed);
        let created = Action { verb: "created".into(), timestamp: now.as_str().into(), actor: by.clone() };
        let record = Record {
            id: Some(id.clone().into()),
            by,
            actions: vec![created],
            tags: args.tag.split_whitespace().map(Into::into).collect(),
            feedback: args.feedback.as_str().into(),
            ..answer
        };
        let edit = append(text, &record).map_err(|why| Refusal::Unwritable { path: path.clone(), why })?;
        Ok((edit.apply(text), id))
    })?;
    print(format!("wrote record {id} ({})\n", visible(&path.display().to_string())).as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// `whymark mb resolve`.
#[derive(Debug, Args)]
pub(super) struct ResolveArgs {
    /// The file.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The ids of the records, or what `list` calls them.
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,

    /// Open them again.
    #[arg(long)]
    reopen: bool,

    #[command(flatten)]
    by: ByArgs,
}

/// Run the command: each record gets an action, unless it is already as it should be.
///
/// # Errors
/// When a record is not there, or cannot take the action; then none gets it.
pub(super) fn resolve(args: &ResolveArgs) -> Outcome {
    let path = &args.file;
    store::read(path)?;
    let (now, by) = (clock::now(), args.by.name(path));
    let verb = if args.reopen { "reopened" } else { "resolved" };
    let (_, count) = store::update_with(path, |text| {
        let mut text = text.unwrap_or_default().to_vec();
        let mut count = 0;
        for id in &args.ids {
            let file = Markback::parse(text.clone());
            let index = find(path, &file, id)?;
            let refused = |why: Unwritable| Refusal::Unwritable { path: path.clone(), why };
            if let Some(edit) = file.resolve(index, !args.reopen, &now, by.as_deref()).map_err(refused)? {
                text = edit.apply(&text);
                count += 1;
            }
        }
        Ok::<_, Refusal>((text, count))
    })?;
    if count < args.ids.len() {
        let same = args.ids.len() - count;
        let are = if same == 1 { "is" } else { "are" };
        say(&format!("note: {} {are} {verb} already", counted(same, "record")));
    }
    print(format!("{verb} {count} record(s) ({})\n", visible(&path.display().to_string())).as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// The record called `id`: the first with that id, or else the one that a list calls so.
fn find(path: &Path, file: &Markback, id: &str) -> Result<usize, Refusal> {
    let content = content_name(path);
    let is_called = |(index, record): (usize, Record<'_>)| {
        (name(&record, content.as_deref(), index + 1) == id || id == format!("record-{}", index + 1)).then_some(index)
    };
    let found = file.with_id(id).or_else(|| file.records().enumerate().find_map(is_called));
    found.ok_or_else(|| Refusal::NoRecord { path: path.to_owned(), id: id.to_owned() })
}
