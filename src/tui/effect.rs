//! What the reviewer wants done in the outside world, as values: `update` makes them, the run loop starts them, and
//! results come back as [`Msg`](super::msg::Msg).

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::document::partial::Direction;
use crate::document::{Document, FileStatus, Meta, Scope, Section};
use crate::git::mode;
use crate::refresh::Basis;
use crate::text::counted::counted;
use crate::verify::Plan;

use super::change::Write;
use super::draft::Draft;
use super::highlight::Code;
use super::history::Restoration;
use super::looks::Remembered;
use super::model::Passages;
use super::records::Place;
use super::search::Scan;
use super::staged::{Known, Staged};
use super::talk::Errand;

/// One thing to do.
#[derive(Debug)]
pub enum Effect {
    /// Make a change on disk.
    Write(Box<Write>),
    /// Keep this draft in the place of the one before, so that what is typed outlives the program; `None`: nothing is
    /// unsaved any more.
    KeepDraft(Option<Arc<Draft>>),
    /// Say whether what is kept is on disk: somebody waits for that to leave.
    SettleDraft,
    /// Say when there has been time enough for a pause between two keys; the ticket names who waits.
    Pause(u64),
    /// Do something in the session of the review.
    Agent(Box<Errand>),
    /// Run the commands of the review.
    Verify(Box<Verify>),
    /// End those that run.
    EndCommands,
    /// Stage, unstage or discard lines or files.
    Act(Box<Act>),
    /// Work out what an act will do.
    Preview(Box<Preview>),
    /// Take an act back, or do it again.
    Restore(Box<Restore>),
    /// Remember what was looked at.
    Remember(Box<Remembered>),
    /// Look through parts for what is searched for, in this order.
    Scan(Vec<Scan>),
    /// Say from now on when one of these changes.
    Watch(Watched),
    /// Look again at the review and its Markback files.
    Reread(Box<Reread>),
    /// Find out which parts no longer show what is there.
    Compare(Box<Compare>),
    /// Make the diff of the review anew.
    Refresh(Box<Refresh>),
    /// Give that up.
    EndRefresh,
    /// Carry the review to the diff that was made.
    Carry(Box<Carry>),
    /// Compute the syntax colours of some lines.
    Color {
        /// The part.
        part: usize,
        /// Its text and tree.
        section: Arc<Section>,
        /// What the lines are of.
        code: Code,
        /// First line and one past the last, by index.
        lines: (u32, u32),
    },
    /// Read the whole of the file of a part.
    ReadWhole(Box<ReadWhole>),
    /// Find the lines of a review that are not as the format has them.
    FindOdd(Document),
    /// Read this part next.
    Prioritize(usize),
    /// Put text on the clipboard of the reader's terminal.
    Copy(String),
    /// Have the mouse reported from now on, or leave it to the terminal.
    UseMouse(bool),
    /// Let the reader edit a text in an editor of their own.
    EditText(Box<EditText>),
    /// Let the reader open a file in it.
    OpenSource(Box<OpenSource>),
    /// Give the terminal back and stop until the shell continues us.
    Suspend,
    /// Draw with the theme of this name from now on.
    UseTheme(String),
    /// Make that of this name the theme of the next runs, too.
    KeepTheme(String),
    /// Forget what is on the screen and draw all of it.
    Redraw,
    /// Leave.
    Quit,
}

impl Effect {
    /// Whether what it brings is seen in a later frame only: the one that answers a key is not kept waiting for it. Not so
    /// a search: where that leads is the answer to the key.
    #[must_use]
    pub fn may_follow_frame(&self) -> bool {
        matches!(self, Self::Color { .. } | Self::ReadWhole(_) | Self::Compare(_) | Self::Preview(_) | Self::FindOdd(_))
    }
}

/// A text for the reader's editor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditText {
    /// The text.
    pub text: String,
    /// Whether what comes back is saved at once.
    pub saves: bool,
}

/// A file for the reader's editor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenSource {
    /// The folder that it lies in.
    pub folder: PathBuf,
    /// Its path there.
    pub path: PathBuf,
    /// The line, counted from 1.
    pub line: u64,
}

/// A file whose lines around the hunks somebody wants to see.
#[derive(Debug, Clone)]
pub struct ReadWhole {
    /// The part.
    pub part: usize,
    /// Its text and tree.
    pub section: Arc<Section>,
    /// A folder in the repository.
    pub folder: PathBuf,
}

/// Commands that the reader has allowed to be run.
#[derive(Debug, Clone)]
pub struct Verify {
    /// The commands, and the claims that rest on them.
    pub plan: Arc<Plan>,
    /// Where they are run.
    pub folder: PathBuf,
}

/// The files that the review depends on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Watched {
    /// The review, and its Markback files.
    pub files: Vec<PathBuf>,
    /// What tells that the repository has changed: its index and what HEAD names.
    pub repository: Vec<PathBuf>,
    /// The changed files of the working tree.
    pub tree: Vec<PathBuf>,
    /// The top of the working tree, where whatever happens to a file in it is about what is reviewed.
    pub top: Option<PathBuf>,
}

/// A look at the review and its Markback files.
#[derive(Debug, Clone)]
pub struct Reread {
    /// The review.
    pub path: PathBuf,
    /// The folder that it must not lead out of.
    pub within: Option<PathBuf>,
    /// What is walked through, where there is no review of its own.
    pub passages: Option<Passages>,
    /// What that is called.
    pub title: String,
    /// The document as the reviewer knows it.
    pub document: Document,
    /// The Markback file of the review.
    pub own: Place,
    /// Where paths in the review count from.
    pub folder: PathBuf,
}

/// A comparison of the review with what it is about.
#[derive(Debug, Clone)]
pub struct Compare {
    /// How the changes are found.
    pub basis: Basis,
    /// The review.
    pub path: PathBuf,
    /// The document.
    pub document: Document,
    /// Its parts, as they are shown.
    pub sections: Vec<Arc<Section>>,
    /// What is known to be staged of some of them, by index.
    pub known: HashMap<usize, Known>,
    /// How many acts on the code it has seen.
    pub acts: u64,
    /// Whether to find out which of them are stale.
    pub stale: bool,
    /// Whether something may have happened to the code since they were compared.
    pub is_heard: bool,
    /// Whether all that they say of their files is ours, and not only what somebody has stated.
    pub is_ours: bool,
    /// Whether to find out which of them are staged.
    pub staged: bool,
}

impl Compare {
    /// This comparison, finding out as well what one asked for earlier was to.
    #[must_use]
    pub fn joined(self, before: &Self) -> Self {
        Self {
            stale: self.stale || before.stale,
            is_heard: self.is_heard || before.is_heard,
            staged: self.staged || before.staged,
            ..self
        }
    }
}

/// A diff to be made anew.
#[derive(Debug, Clone)]
pub struct Refresh {
    /// Whether a review that has files is not left without any: it is on disk, or nobody has asked for another diff.
    pub keeps_files: bool,
    /// Whether the reader has asked for it, and is to see how far it is.
    pub is_asked: bool,
    /// How the changes are found.
    pub basis: Basis,
    /// The review.
    pub path: PathBuf,
    /// The document.
    pub document: Document,
}

/// A review on its way to another diff.
#[derive(Debug, Clone)]
pub struct Carry {
    /// The review.
    pub path: PathBuf,
    /// The folder that it must not lead out of.
    pub within: Option<PathBuf>,
    /// The document as the reviewer knows it.
    pub document: Document,
    /// Whether it is on disk.
    pub on_disk: bool,
    /// The document of the same changes as they are now.
    pub diff: Document,
    /// The title that the review gets if it has the first of these: it is carried to another commit.
    pub titles: Option<[String; 2]>,
}

/// Lines of a file, or all that has changed of it, to be staged, unstaged or discarded.
#[derive(Debug, Clone)]
pub struct Act {
    /// How the changes of the review are found.
    pub basis: Basis,
    /// What the review says about itself.
    pub meta: Meta,
    /// Where it is.
    pub review: PathBuf,
    /// The part of it.
    pub section: Arc<Section>,
    /// Where one kind of thing came in the place of another, a link in that of a file, the part that has the rest of it.
    pub other: Option<Arc<Section>>,
    /// The parts that are in its way: a file comes where the others say that a folder was, or the other way round.
    pub displaced: Vec<Arc<Section>>,
    /// The lines, as ascending indices into its tree's lines.
    pub lines: Vec<u32>,
    /// Whether this is all that has changed of the file, its mode and its name included.
    pub is_whole: bool,
    /// Whether the file itself was chosen, by its name, and not lines of it.
    pub is_named: bool,
    /// What the review says that the index has of it.
    pub staged: Staged,
    /// What is done with them.
    pub kind: ActKind,
}

/// An act on so many lines that it takes a while to work out what it will do.
#[derive(Debug, Clone)]
pub struct Preview {
    /// Names it in the answer.
    pub ticket: u64,
    /// The act.
    pub act: Act,
    /// The bytes of both sides where they are no text.
    pub sizes: [Option<u64>; 2],
}

/// Files that are to be what they were before an act.
#[derive(Debug, Clone)]
pub struct Restore {
    /// Names it in the answer.
    pub ticket: u64,
    /// What it was, and what it has to be still.
    pub restoration: Restoration,
}

/// What is done with lines, or with all that has changed of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActKind {
    /// They become part of what is staged.
    Stage,
    /// They are staged no more.
    Unstage,
    /// The working tree has them no more.
    Discard,
}

impl ActKind {
    /// Which way the changes of the review are made.
    #[must_use]
    pub fn direction(self) -> Direction {
        match self {
            Self::Stage => Direction::Forward,
            Self::Unstage | Self::Discard => Direction::Reverse,
        }
    }

    /// Why it cannot be done in a review of `scope`, where that is so.
    #[must_use]
    pub fn refused_in(self, scope: Scope) -> Option<&'static str> {
        match (self, scope) {
            (Self::Stage, Scope::Staged) => Some("it is staged already"),
            (Self::Stage, Scope::Branch | Scope::Commit) => Some("only what is not committed yet can be staged"),
            (Self::Unstage, Scope::Unstaged) => Some("it is not staged"),
            (Self::Unstage, Scope::Branch | Scope::Commit) => Some("what is committed is staged no more"),
            (_, Scope::Manual) => Some("this is the review of a patch, and no repository says what it is of"),
            (Self::Discard, _)
            | (Self::Stage, Scope::Unstaged | Scope::Worktree)
            | (Self::Unstage, Scope::Staged | Scope::Worktree) => None,
        }
    }

    /// What it is called.
    #[must_use]
    pub fn verb(self) -> &'static str {
        match self {
            Self::Stage => "Stage",
            Self::Unstage => "Unstage",
            Self::Discard => "Discard",
        }
    }

    /// What it is called among other things that were done.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Stage => "staging",
            Self::Unstage => "unstaging",
            Self::Discard => "discarding",
        }
    }

    /// What it is called when it is done.
    #[must_use]
    pub fn done(self) -> &'static str {
        match self {
            Self::Stage => "staged",
            Self::Unstage => "unstaged",
            Self::Discard => "discarded",
        }
    }
}

impl Act {
    /// Whether it is lines that change: of a text that is one before and after.
    #[must_use]
    pub fn is_of_lines(&self) -> bool {
        let file = self.section.tree().file.as_ref().filter(|file| !file.binary);
        let is_text = file.is_some_and(|file| [file.old_mode, file.new_mode].into_iter().flatten().all(mode::is_file));
        is_text && self.other.is_none() && !self.lines.is_empty()
    }

    /// Why it cannot be done whatever the repository has, where that is so.
    #[must_use]
    pub fn refusal(&self) -> Option<&'static str> {
        let file = self.section.tree().file.as_ref()?;
        let other = self.other.as_ref().and_then(|other| other.tree().file.as_ref());
        let mut modes = [Some(file), other].into_iter().flatten().flat_map(|file| [file.old_mode, file.new_mode]);
        let is_submodule = modes.any(|mode| mode == Some(mode::SUBMODULE));
        if file.status == FileStatus::Context {
            return Some("nothing of it has changed");
        }
        if self.kind == ActKind::Discard && is_submodule {
            return Some("it is a submodule: `git submodule update` brings another commit of it back");
        }
        if !self.is_whole && !self.is_of_lines() {
            return Some("it is no text before and after: its name takes all of it");
        }
        if !self.is_whole && self.kind == ActKind::Stage && file.status == FileStatus::Renamed {
            return Some("it has another name in the index: its own name here stages all of it");
        }
        None
    }

    /// Whether the line with index `line` is to change in the index or on disk, and not what it is to be already.
    #[must_use]
    pub fn turns(&self, line: u32) -> bool {
        let is_turned = match self.kind {
            ActKind::Stage => !self.is_made(line),
            ActKind::Unstage | ActKind::Discard => self.is_made(line),
        };
        is_turned && (self.is_whole || self.lines.binary_search(&line).is_ok())
    }

    /// Whether the change of the line with index `line` is made where the act is.
    #[must_use]
    pub fn is_made(&self, line: u32) -> bool {
        match (self.kind, &self.staged) {
            // Of a review of what is staged all of it is.
            (ActKind::Discard, _) | (ActKind::Unstage, Staged::Unknown | Staged::Other) => true,
            (ActKind::Stage | ActKind::Unstage, staged) => staged.has(line),
        }
    }

    /// What it is about, in a few words.
    #[must_use]
    pub fn what(&self) -> String {
        let path = self.section.path_text();
        let count = match self.staged {
            Staged::Unknown | Staged::Other => self.lines.len(),
            Staged::Nothing | Staged::Lines(_) | Staged::Whole => {
                self.lines.iter().filter(|line| self.turns(**line)).count()
            }
        };
        if self.is_of_lines() { format!("{} of {path}", counted(count, "line")) } else { path.into_owned() }
    }
}
