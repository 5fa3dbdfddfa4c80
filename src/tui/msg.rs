//! Everything that can happen to the reviewer, as one enum.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use bstr::BString;

use crate::document::{Document, Section};
use crate::refresh::Moved;
use crate::verify::Ran;

use super::around::Whole;
use super::change::Found;
use super::evidence::Odd;
use super::highlight::{Code, Run};
use super::history::{Restoration, Reversal, Step};
use super::input::Event;
use super::part::{Aside, Reading};
use super::preview::PreviewRow;
use super::records::RecordFile;
use super::search::Hit;
use super::staged::Staged;
use super::talk::Told;

/// One thing that happened.
#[derive(Debug)]
pub enum Msg {
    /// The reader did something, or the window has another size.
    Input(Vec<Event>),
    /// Somebody else stopped the program and lets it go on.
    Resumed,
    /// The terminal can't be read any more.
    TerminalLost(String),
    /// A part of the review was read.
    Loaded {
        /// Its index in the document.
        part: usize,
        /// Its text and tree.
        section: Arc<Section>,
        /// What was read from it.
        reading: Box<Reading>,
        /// Whether the file is no longer what the part shows.
        is_stale: bool,
        /// What else is known of the file.
        aside: Aside,
        /// The Markback file beside the file, if there is one, or why it can't be read.
        sidecar: Option<Box<Result<RecordFile, String>>>,
    },
    /// So many changed files are in no part of the review.
    Missing(usize),
    /// A part could not be read; it stays as it is.
    LoadFailed {
        /// Its index in the document.
        part: usize,
        /// Why, in a sentence.
        reason: String,
    },
    /// A part has been looked through for what is searched for.
    Scanned {
        /// Its index in the document.
        part: usize,
        /// The number of the question.
        ticket: u64,
        /// Where it is, ascending.
        hits: Vec<Hit>,
    },
    /// A change is on disk.
    Written(Box<Written>),
    /// A change could not be written.
    WriteFailed {
        /// Which one.
        ticket: u64,
        /// Why, in a sentence.
        reason: String,
        /// Whether what it was about is not there any more as it was.
        is_gone: bool,
    },
    /// A text is back from the reader's editor.
    Edited {
        /// What it is now; `None`: what it was; or why it did not come back, in a sentence.
        text: Result<Option<String>, String>,
        /// Whether it is saved at once.
        saves: bool,
    },
    /// The reader is back from the editor; and why there was nothing to see, in a sentence.
    Looked(Option<String>),
    /// The command at this index has begun.
    CommandStarted(usize),
    /// The command at this index has written something, of which this is the end.
    CommandWrote(usize, Vec<u8>),
    /// The command at this index is over.
    CommandEnded(usize, Box<Ran>),
    /// No command runs any more.
    CommandsOver,
    /// Something on disk may have changed.
    Changed {
        /// The review or its Markback files.
        files: bool,
        /// What the review is about.
        tree: bool,
    },
    /// What is on disk.
    News(Box<News>),
    /// What an act will do is worked out.
    Previewed {
        /// Which one.
        ticket: u64,
        /// What it is about, in a few words.
        what: String,
        /// What it will do.
        rows: Vec<PreviewRow>,
    },
    /// Lines were staged, unstaged or discarded.
    Acted(Box<Acted>),
    /// They were not.
    ActFailed {
        /// Why, in a sentence.
        reason: String,
        /// Whether the review shows something else than what is there.
        is_outdated: bool,
    },
    /// An act was taken back, or done again. One that was not is a write that failed.
    Restored {
        /// The ticket of the job.
        ticket: u64,
        /// What undoes that.
        back: Box<Restoration>,
    },
    /// The lines of a review that are not as the format has them; or why they are not known, in a sentence.
    OddFound(Document, Result<Vec<Odd>, String>),
    /// It could not be found out how the review stands to the repository; why, in a sentence.
    NotCompared(String),
    /// Which parts still show what is there.
    Compared(Box<Compared>),
    /// What the index has of the parts.
    Staged(Box<FoundStaged>),
    /// The diff that is made anew is done with so many files, of so many.
    Comparing(usize, usize),
    /// The diff was made anew, or why it could not be made, in a sentence.
    DiffMade(Result<Made, String>),
    /// The review could not be carried to the new diff; why, in a sentence.
    RefreshFailed(String),
    /// Something was done in the session of the review, or has happened there.
    Agent(Told),
    /// The theme that was chosen is written down: in this file; or why not, in a sentence.
    ThemeKept(Result<String, String>),
    /// What is kept in case the program ends is on disk from here on, or is not, and why.
    DraftKept(Result<(), String>),
    /// The same, of all that was kept until [`Effect::SettleDraft`](super::effect::Effect::SettleDraft) asked for it.
    DraftSettled(Result<(), String>),
    /// There has been time enough for a pause since the ticket was given.
    Paused(u64),
    /// A part of the program that works in the background has a fault; the text says so.
    WorkerFailed(String),
    /// The whole of a file was read, or cannot be shown; why, in a sentence.
    WholeRead {
        /// The part it is for.
        part: usize,
        /// The text whose file it is.
        section: Arc<Section>,
        /// The file.
        whole: Result<Arc<Whole>, String>,
    },
    /// Syntax colours have arrived.
    Colored {
        /// The part they are for.
        part: usize,
        /// The text they were made from.
        section: Arc<Section>,
        /// What the lines are of.
        code: Code,
        /// The first line that was asked for.
        first: u32,
        /// The colours of the lines from there on; none when the request came too late to be of use.
        lines: Vec<Vec<Run>>,
    },
}

/// What is on disk now.
#[derive(Debug)]
pub struct Written {
    /// Which change.
    pub ticket: u64,
    /// The file it went to.
    pub path: PathBuf,
    /// The new state.
    pub state: SavedState,
    /// What was found out with it.
    pub found: Found,
    /// What takes the change back; `None` when there was nothing to change.
    pub back: Option<Reversal>,
}

/// The file that was written, as it reads now.
#[derive(Debug)]
pub enum SavedState {
    /// The review; parts that did not change are the ones the reviewer had.
    Review(Document),
    /// The Markback file.
    Records(Box<RecordFile>),
}

/// What the disk says at a later look.
#[derive(Debug)]
pub struct News {
    /// The review.
    pub on_disk: OnDisk,
    /// What was read from those of its parts that are not the ones the reviewer had.
    pub readings: HashMap<usize, Reading>,
    /// The Markback files, the review's own first; `None`: nobody has looked.
    pub records: Option<Vec<RecordFile>>,
    /// Why the review cannot be written, if so.
    pub read_only: Option<String>,
    /// What could not be read, in a sentence.
    pub problem: Option<String>,
    /// What was done to the review on the way, in a sentence: its diff was made anew.
    pub report: Option<String>,
    /// Whether nobody had asked for that.
    pub is_unasked: bool,
}

/// The review at a later look.
#[derive(Debug)]
pub enum OnDisk {
    /// It is there; parts that did not change are the ones the reviewer had.
    There(Document),
    /// It was never written, and this is what it would be.
    Unwritten(Document),
    /// There is no such file.
    Gone,
    /// Nothing is known but what was.
    Same,
}

/// How a review stands to what it is about.
#[derive(Debug, Default)]
pub struct Compared {
    /// The parts, in order, and whether each shows something else than what is there.
    pub stale: Vec<(Arc<Section>, bool)>,
    /// How many changed files are in none of them.
    pub missing: usize,
    /// The paths with a merge conflict.
    pub unmerged: HashSet<BString>,
    /// Whether something may have happened to the code since they were compared before.
    pub is_heard: bool,
    /// What has happened to what the review is of.
    pub moved: Option<Moved>,
}

/// What came of a diff that was to be made anew.
#[derive(Debug)]
pub enum Made {
    /// The document of the same changes as they are now; and what else has happened to their names, in a clause.
    Diff(Box<Document>, Option<String>),
    /// It was given up.
    Nothing,
    /// None that the review is of: first somebody says whether it is to be carried to another.
    Moved(Box<Moved>),
}

/// What of the parts is staged.
#[derive(Debug)]
pub struct FoundStaged {
    /// In their order.
    pub parts: Vec<(Arc<Section>, Staged)>,
    /// How many acts on the code the question had seen: after another one it is asked again.
    pub acts: u64,
}

/// Something was done to a file or the index.
#[derive(Debug)]
pub struct Acted {
    /// What, in a sentence.
    pub said: String,
    /// The command that shows what was lost by it.
    pub kept: Option<String>,
    /// What takes it back.
    pub step: Step,
}
