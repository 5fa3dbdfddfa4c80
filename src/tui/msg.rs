//! Everything that can happen to the reviewer, as one enum.

use std::sync::Arc;

use crate::document::{Document, NoteRef, Section};
use crate::markback::Markback;

use super::highlight::LineColors;
use super::keymap::Key;
use super::layout::Size;
use super::part::Reading;

/// One thing that happened.
#[derive(Debug)]
pub enum Msg {
    /// A key was pressed.
    Key(Key),
    /// Text was pasted; never keys.
    Paste(String),
    /// The mouse did something.
    Mouse(Mouse),
    /// The screen has another size, or has to be drawn anew.
    Resize(Size),
    /// A part of the review was read.
    Loaded {
        /// Its index in the document.
        part: usize,
        /// Its text and tree.
        section: Arc<Section>,
        /// What was read from it.
        reading: Box<Reading>,
    },
    /// A part could not be read; it stays as it is.
    LoadFailed {
        /// Its index in the document.
        part: usize,
        /// Why, in a sentence.
        reason: String,
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
    /// Syntax colours have arrived.
    Colored {
        /// The part they are for.
        part: usize,
        /// The text they were made from.
        section: Arc<Section>,
        /// Colours by line.
        lines: Vec<(u32, LineColors)>,
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
    Records(Markback),
}

/// A mouse event, in cells from the upper left corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mouse {
    /// What was done.
    pub action: MouseAction,
    /// The column.
    pub column: u16,
    /// The row.
    pub row: u16,
}

/// What the mouse did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseAction {
    /// The left button went down.
    Press,
    /// The mouse moved with the left button down.
    Drag,
    /// The wheel turned away from the reader.
    WheelUp,
    /// The wheel turned towards the reader.
    WheelDown,
}
