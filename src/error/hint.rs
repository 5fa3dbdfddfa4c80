//! What to try, for each refusal. Never what has just been tried.

use std::io;
use std::path::{Component, Path};

use super::Error;
use super::words::is_damage;

impl Error {
    /// What to try, as one line; `None` where the message says it all.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        // Long, because there are many refusals, and flat: one that is new does not compile without its line here.
        Some(match self {
            Self::NotARepository { .. } => "run it inside a repository, or name one with -C DIR",
            Self::OpenRepository { source, .. } => open_hint(source),
            Self::NoWorkingTree { .. } => "review a commit (--commit REV) or a branch (--branch BASE) instead",
            Self::ReadHead { .. } => "`git fsck` tells what is broken",
            Self::ReadIndex { source } | Self::CompareFile { source, .. }
                if source.message().contains("mandatory extension") =>
            {
                "it takes a `git` program on PATH to read this kind of index; `git update-index --no-split-index`, or \
                 `git sparse-checkout reapply --no-sparse-index`, makes it an ordinary one"
            }
            Self::ReadIndex { source } if is_damage(source) => {
                "move the file `index` out of the git folder and run `git reset`, which makes it anew from HEAD; what was \
                 staged is unstaged then"
            }
            Self::ReadIndex { .. } => "`git status` tells more",
            Self::NoCommit { is_bare: true } => "push a commit to it first",
            Self::NoCommit { is_bare: false } => "review what is there with --staged or --worktree",
            Self::ResolveRevision { .. } | Self::EmptyRevision => {
                "`git log --oneline` lists commits; a branch, a tag or an id will do"
            }
            Self::NoBase => "name one: --branch BASE",
            Self::NoMergeBase { .. } => {
                "compare the two trees instead: --range BASE..HEAD; or fetch more of the history"
            }
            Self::ReadObject { .. } => "the clone may be partial or damaged: `git fetch` or `git fsck`",
            Self::PathspecMagic { .. } => {
                "use a path, a glob such as 'src/*.rs', or the magic words top, exclude, icase, glob and literal"
            }
            Self::ReadPatch { fault, .. } => fault.kind.hint(),
            Self::GitProgram { .. } => "`git status` there tells more",
            Self::NoChanges { scope } => other_scopes(scope),
            Self::NoChangesYet { scope: "staged" } => "`git add` what is to be reviewed, or take --worktree",
            Self::NoChangesYet { .. } => "write a file: all that git does not ignore is shown",
            Self::NoMatch { .. } => "paths count from the current folder; without --path all changes are shown",
            Self::OnlyConflicts { .. } => "resolve them and `git add` the files; `git status` tells what is missing",
            Self::LeadsOutside { .. } | Self::LeadsIntoGit { .. } => {
                "look at that link, which nothing was read from or written to, and remove it; or name another file with -o"
            }
            Self::ReviewExists { .. } => {
                "bring it up to date with `whymark refresh`, choose another file with -o, or replace it with --force"
            }
            Self::ReadFile { source, .. } if source.kind() == io::ErrorKind::NotFound => "check the path",
            Self::ReadFile { source, .. } if source.kind() == io::ErrorKind::PermissionDenied => {
                "make it readable, or leave it out with --path or --no-untracked"
            }
            Self::ListChanges { .. } => "narrow it down with --path, or leave out new files with --no-untracked",
            Self::LockFile { source, .. } if source.kind() == io::ErrorKind::TimedOut => {
                "another whymark is writing there: end it, or try again"
            }
            Self::CreateFolder { .. } | Self::WriteFile { .. } | Self::LockFile { .. } => {
                "check the permissions and the free space, or choose another file with -o"
            }
            Self::NotAReview { .. } => "name a file that ends in .whymark",
            Self::NoSuchTarget { path } if is_range(path) => {
                "check the path; the changes between two commits are --range A..B"
            }
            Self::NoSuchTarget { .. } => "check the path; the scopes are staged, unstaged, worktree and branch",
            Self::NotText { .. } => "name a text, or a folder with texts in it",
            Self::NoDocuments { .. } => "what is hidden, binary or ignored by git is left out: name such a file itself",
            Self::NoTerminal => {
                "run it in a terminal; `whymark tui -` reads a patch from a pipe, `whymark new -o -` writes the changes to one"
            }
            Self::BadSelector { .. } => "write +42, +42..57, -30, file or doc, or with a file src/a.rs:+42",
            Self::NoSuchLines { .. } | Self::NoFileHasLines { .. } => {
                "lines go by the numbers that the diff gives them: + for the new side, - for the old one"
            }
            Self::SeveralFiles { .. } => "put the file in front, as in src/a.rs:+42",
            Self::EmptyNote => "say something with --why, --body or one of the other options, or pipe it in with `-`",
            Self::NoteNotText => "save it as UTF-8",
            Self::NoteField { .. } => "use why, source, verify, todo, question, and the options for the rest",
            Self::UnknownTheme { .. } => "`whymark themes` says where each is; your own go into the folder it names",
            Self::UnknownTopic { .. } => "`whymark help` lists the commands; `whymark help annotate` is about notes",
            Self::NoPlaceInTemplate { .. } => "put it on a line of its own",
            Self::UnknownCode { .. } => "`whymark explain` lists all of them",
            Self::NoSuchNote { .. } | Self::NoSuchFile { .. } => "`whymark show REVIEW` lists its files and notes",
            Self::TwoTexts => "leave the text out, or leave --stdin out",
            Self::FixStandardInput => "name the file instead of `-`",
            Self::ChangedMeanwhile { .. } => "run it again",
            Self::CannotRefresh { .. } => "`whymark validate` tells what is wrong with it; mend that first",
            Self::UnknownScope { .. } => "name them: --staged, --unstaged, --worktree, --branch, --commit or --range",
            Self::Outdated { .. } => "refresh the review",
            Self::CannotChange { .. } | Self::ChangedSince { .. } => "`git status` tells how it stands",
            Self::WriteIndex { source } if source.code() == git2::ErrorCode::Locked => {
                "another git is at work there; if none is, remove the file `index.lock` from the git folder"
            }
            Self::WriteIndex { .. } => "check the permissions and the free space of the git folder",
            Self::WriteContended { .. } => "close the other program, or try again",
            Self::NotAFile { what: "a pipe", .. } => "for a pipe, name `-`, which is standard input or output",
            Self::NotAFile { .. } => "name a file",
            Self::Declined => "answer y, or say --yes; --dry-run lists the commands and where they come from",
            Self::HandleSignals { .. } => "end other programs; this one needs a thread for the signals",
            Self::Watch { .. } => "this command is for whymark itself; `whymark verify` runs commands",
            Self::CompareFile { .. }
            | Self::OutsideRepository { .. }
            | Self::ReadFile { .. }
            | Self::ReadInput { .. }
            | Self::TooLarge { .. }
            | Self::WriteOutput { .. }
            | Self::UseTerminal { .. }
            | Self::MakeRepository { .. }
            | Self::EnterFolder { .. } => return None,
        })
    }
}

/// Whether `path` is rather two commits than a file in a folder above.
fn is_range(path: &Path) -> bool {
    path.to_string_lossy().contains("..") && !path.components().any(|part| part == Component::ParentDir)
}

/// What to try when `scope` is empty. The working tree against HEAD holds what is unstaged, and mostly what is staged.
fn other_scopes(scope: &str) -> &'static str {
    match scope {
        "staged" => "another scope: --unstaged, --branch [BASE] or --commit [REV]",
        "unstaged" => "another scope: --staged, --branch [BASE] or --commit [REV]",
        "branch" => "another scope: --worktree, --branch with another BASE, or --commit [REV]",
        "commit" => "another scope: --worktree, --branch [BASE] or --commit with another REV",
        "manual" => "see what comes before the pipe: `git diff` prints nothing where nothing has changed",
        _ => "another scope: --branch [BASE] or --commit [REV]",
    }
}

/// What to try when libgit2 cannot open a repository that is there.
fn open_hint(source: &git2::Error) -> &'static str {
    let message = source.message();
    if source.code() == git2::ErrorCode::Owner {
        "it belongs to another user; if you trust it: git config --global --add safe.directory DIR"
    } else if ["extension", "object format", "version", "reftable"].iter().any(|word| message.contains(word)) {
        "it takes a `git` program on PATH that can read it (SHA-256, reftable and the like); `git status` tells whether it can"
    } else {
        "`git status` there tells more"
    }
}
