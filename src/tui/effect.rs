//! What the reviewer wants done in the outside world, as values: `update` makes them, the run loop starts them, and
//! results come back as [`Msg`](super::msg::Msg).

use std::path::PathBuf;
use std::sync::Arc;

use crate::document::Section;
use crate::verify::Plan;

use super::change::Write;
use super::draft::Draft;

/// One thing to do.
#[derive(Debug)]
pub enum Effect {
    /// Make a change on disk.
    Write(Box<Write>),
    /// Keep this draft in the place of the one before, so that what is typed outlives the program; `None`: nothing is
    /// unsaved any more.
    KeepDraft(Option<Arc<Draft>>),
    /// Run the commands of the review.
    Verify(Box<Verify>),
    /// End those that run.
    EndCommands,
    /// Compute the syntax colours of some lines of a hunk.
    Color {
        /// The part.
        part: usize,
        /// Its text and tree.
        section: Arc<Section>,
        /// The hunk, by index.
        hunk: u32,
        /// First line and one past the last, as indices into the tree's lines.
        lines: (u32, u32),
    },
    /// Read this part next.
    Prioritize(usize),
    /// Put text on the clipboard of the reader's terminal.
    Copy(String),
    /// Give the terminal back and stop until the shell continues us.
    Suspend,
    /// Forget what is on the screen and draw all of it.
    Redraw,
    /// Leave.
    Quit,
}

/// Commands that the reader has allowed to be run.
#[derive(Debug, Clone)]
pub struct Verify {
    /// The commands, and the claims that rest on them.
    pub plan: Arc<Plan>,
    /// Where they are run.
    pub folder: PathBuf,
}
