//! What a terminal reports, in the program's own words.

use super::key::Key;

/// Something a reader, or the terminal, has done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A key was pressed, or is held down.
    Key(Key),
    /// Text was pasted; never to be taken for keys.
    Paste(String),
    /// The mouse did something at a cell.
    Mouse {
        /// What.
        action: MouseAction,
        /// The column, from 0.
        column: u16,
        /// The row, from 0.
        row: u16,
    },
    /// The window has a new size.
    Resize {
        /// Its columns.
        columns: u16,
        /// Its rows.
        rows: u16,
    },
    /// The window has got the keyboard, or lost it.
    Focus(bool),
    /// The terminal says what its background is like.
    Background {
        /// Whether black is read better on it than white.
        is_light: bool,
    },
}

/// What the mouse did. Buttons other than the left one are the terminal's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MouseAction {
    /// The left button went down.
    Press,
    /// The mouse moved with the left button down.
    Drag,
    /// The left button went up.
    Release,
    /// The wheel turned up.
    ScrollUp,
    /// The wheel turned down.
    ScrollDown,
    /// The wheel turned left.
    ScrollLeft,
    /// The wheel turned right.
    ScrollRight,
}
