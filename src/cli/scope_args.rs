//! The flags and words that say what is compared.

use std::path::{Path, PathBuf};

use bstr::BString;
use clap::builder::FalseyValueParser;
use clap::{Args, ValueEnum};

use crate::error::Error;
use crate::git::{Repo, Scope, ScopeOptions};

/// What is compared, and how it is shown; shared by all commands that look at changes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Changes")]
pub(super) struct ScopeArgs {
    #[command(flatten)]
    which: ScopeFlag,

    /// Only these paths: files, folders or git's pathspecs, from the current folder; repeatable.
    #[arg(long = "path", value_name = "PATHSPEC")]
    paths: Vec<PathBuf>,

    /// Leave out files that git does not know yet.
    #[arg(long)]
    no_untracked: bool,

    /// Lines of context around a change [default: 3].
    #[arg(long, value_name = "N")]
    context: Option<u32>,

    /// Show a file that moved as one file (the default).
    #[arg(long, overrides_with = "no_renames")]
    renames: bool,

    /// Show a file that moved as one that went and one that came.
    #[arg(long, overrides_with = "renames")]
    no_renames: bool,

    #[command(flatten)]
    filters: FilterArgs,
}

/// What may be run to compare files on disk.
#[derive(Debug, Args)]
pub(super) struct FilterArgs {
    /// Run the programs that git's configuration names as filters (filter.NAME.clean) over files on disk, as git does
    /// [default: their bytes are compared as they are, and a warning names them].
    #[arg(long, env = "WHYMARK_RUN_FILTERS", hide_env_values = true, value_parser = FalseyValueParser::new())]
    pub(super) run_filters: bool,
}

/// One of the scopes.
#[derive(Debug, Args)]
#[group(multiple = false)]
struct ScopeFlag {
    /// The index against the working tree.
    #[arg(long)]
    unstaged: bool,

    /// HEAD against the index.
    #[arg(long, visible_alias = "cached")]
    staged: bool,

    /// HEAD against the working tree (the default; when that is empty, --staged).
    #[arg(long)]
    worktree: bool,

    /// Where HEAD left BASE against HEAD [default BASE: the remote's default branch, or main].
    #[arg(long, value_name = "BASE", num_args = 0..=1)]
    branch: Option<Option<String>>,

    /// A commit against its first parent [default REV: HEAD].
    #[arg(long, value_name = "REV", num_args = 0..=1)]
    commit: Option<Option<String>>,

    /// Two commits; with three dots, from their common ancestor.
    #[arg(long, value_name = "A..B", value_parser = parse_range)]
    range: Option<Scope>,

    /// A patch, as `git diff`, `git format-patch` or `diff -u` make it; `-` for standard input. No repository is needed.
    #[arg(long, value_name = "FILE|-")]
    patch: Option<PathBuf>,
}

fn parse_range(text: &str) -> Result<Scope, &'static str> {
    Scope::range(text).ok_or("a range is two revisions with `..` or `...` between them")
}

impl ScopeArgs {
    /// The scope that a flag names.
    pub(super) fn flag(&self) -> Option<Scope> {
        let which = &self.which;
        if which.unstaged {
            Some(Scope::Unstaged)
        } else if which.staged {
            Some(Scope::Staged)
        } else if which.worktree {
            Some(Scope::Worktree)
        } else if let Some(base) = &which.branch {
            Some(Scope::Branch(base.clone()))
        } else if let Some(revision) = &which.commit {
            Some(Scope::Commit(revision.clone().unwrap_or_else(|| "HEAD".into())))
        } else {
            which.range.clone()
        }
    }

    /// The lines of context that were asked for.
    pub(super) fn context(&self) -> Option<u32> {
        self.context
    }

    /// The patch that a flag names.
    pub(super) fn patch(&self) -> Option<&Path> {
        self.which.patch.as_deref()
    }

    /// What `repo` may run is what these flags allow.
    pub(super) fn allowing(&self, repo: Repo) -> Repo {
        repo.with_filters(self.filters.run_filters)
    }

    /// The repository around `cwd`, with what it may run.
    ///
    /// # Errors
    /// When there is none, or none that can be opened.
    pub(super) fn repo(&self, cwd: &Path) -> Result<Repo, Error> {
        Ok(self.allowing(Repo::discover(cwd)?))
    }

    /// The paths that were asked for, counted from the top of `repo`; without one, of what a patch is about.
    ///
    /// # Errors
    /// When a path lies outside the repository.
    pub(super) fn specs(&self, repo: Option<&Repo>, cwd: &Path) -> Result<Vec<BString>, Error> {
        let spec = |path: &PathBuf| {
            let bytes = path.as_os_str().as_encoded_bytes();
            match repo {
                None => Ok(bytes.into()),
                Some(repo) if bytes.starts_with(b":") => repo.pathspec(cwd, bytes),
                Some(repo) => {
                    let mut spec = repo.path_in_repo(cwd, path)?;
                    if bytes.ends_with(b"/") && !spec.is_empty() {
                        spec.push(b'/');
                    }
                    Ok(spec)
                }
            }
        };
        self.paths.iter().map(spec).collect()
    }

    /// The other flags, paths counted from `cwd`; `out`, where the review is going to be, is left out.
    ///
    /// # Errors
    /// When a path lies outside the repository.
    pub(super) fn options(&self, repo: &Repo, cwd: &Path, out: Option<&Path>) -> Result<ScopeOptions, Error> {
        Ok(ScopeOptions {
            untracked: !self.no_untracked,
            paths: self.specs(Some(repo), cwd)?,
            // One outside the repository is no part of any diff.
            exclude: out.and_then(|out| repo.path_in_repo(cwd, out).ok()).into_iter().collect(),
            context: self.context.unwrap_or(ScopeOptions::default().context),
            renames: !self.no_renames,
        })
    }
}

/// A scope in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ScopeWord {
    /// As --staged.
    Staged,
    /// As --unstaged.
    Unstaged,
    /// As --worktree.
    Worktree,
    /// As --branch.
    Branch,
}

impl ScopeWord {
    /// The word that `text` is.
    pub(super) fn of(text: &Path) -> Option<Self> {
        Self::from_str(text.to_str()?, false).ok()
    }

    /// The scope that it names.
    pub(super) fn scope(self) -> Scope {
        match self {
            Self::Staged => Scope::Staged,
            Self::Unstaged => Scope::Unstaged,
            Self::Worktree => Scope::Worktree,
            Self::Branch => Scope::Branch(None),
        }
    }
}
