//! Everything that can happen to the reviewer, as one enum.

use std::sync::Arc;

use crate::document::{Document, NoteRef, Section};
use crate::verify::{Left, Ran};

use super::highlight::Run;
use super::input::Event;
use super::part::Reading;
use super::records::RecordFile;
use super::search::Spot;

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
        spots: Vec<Spot>,
    },
    /// A note or record is on disk.
    Saved(Box<Saved>),
    /// A note or record could not be written.
    SaveFailed {
        /// Which one.
        ticket: u64,
        /// Why, in a sentence.
        reason: String,
    },
    /// A record is resolved or open on disk, as the reader wished.
    Resolved(Box<Resolved>),
    /// What should become of a record could not be written; why, in a sentence.
    ResolveFailed(String),
    /// The command at this index has begun.
    CommandStarted(usize),
    /// The command at this index has written something, of which this is the end.
    CommandWrote(usize, Vec<u8>),
    /// The command at this index is over.
    CommandEnded(usize, Box<Ran>),
    /// No command runs any more.
    CommandsOver,
    /// What came out of the commands is on disk.
    OutcomesWritten(Box<Outcomes>),
    /// What came out of the commands could not be written; why, in a sentence.
    OutcomesFailed(String),
    /// A part of the program that works in the background has a fault; the text says so.
    WorkerFailed(String),
    /// Syntax colours have arrived.
    Colored {
        /// The part they are for.
        part: usize,
        /// The text they were made from.
        section: Arc<Section>,
        /// The first line that was asked for.
        first: u32,
        /// The colours of the lines from there on; none when the request came too late to be of use.
        lines: Vec<Vec<Run>>,
    },
}

/// What is on disk now.
#[derive(Debug)]
pub struct Saved {
    /// Which note or record.
    pub ticket: u64,
    /// The file it went to, for the status line.
    pub place: String,
    /// The new state.
    pub state: SavedState,
}

/// The file that was written, as it reads now.
#[derive(Debug)]
pub enum SavedState {
    /// The review; parts that did not change are the ones the reviewer had.
    Review {
        /// The document.
        document: Document,
        /// The note that was added.
        note: NoteRef,
    },
    /// The Markback file.
    Records(RecordFile),
}

/// A record that was resolved or opened again.
#[derive(Debug)]
pub struct Resolved {
    /// The file, as it reads now.
    pub file: RecordFile,
    /// The index of the record.
    pub index: usize,
    /// Whether it is resolved.
    pub is_resolved: bool,
    /// Whether something had to be written for that.
    pub is_new: bool,
}

/// The review with what came out of its commands.
#[derive(Debug)]
pub struct Outcomes {
    /// The document; parts that did not change are the ones the reviewer had.
    pub document: Document,
    /// How many claims and checks were written.
    pub count: usize,
    /// Those that could not be.
    pub left: Vec<Left>,
    /// The file, for the status line.
    pub place: String,
}
