//! What has the keyboard, and what is asked there.

use super::super::change::Change;
use super::super::command::{Command, Context};
use super::super::effect::Act;
use super::super::history::Marks;
use super::super::preview::PreviewRow;
use super::Standpoint;
use crate::refresh::Next;

/// What has the keyboard.
#[derive(Debug, Clone)]
pub enum Mode {
    /// The review itself.
    Review,
    /// The key table.
    Help(Help),
    /// The form of a note or record.
    Form,
    /// The commands of the review.
    Checkup,
    /// The list of files; esc leads back to where the reader was.
    Files(Standpoint),
    /// Whether to stage, unstage or discard.
    Acting,
    /// The list of comments and rounds.
    Rounds,
    /// A line at the bottom.
    Prompt,
    /// A list to choose from.
    Pick,
    /// A question whose answer is yes or no.
    Confirm(Question),
}

/// Where in the key table the reader is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Help {
    /// The rows that are above the screen.
    pub scrolled: u16,
    /// The command that was looked for, and where it applies.
    pub found: Option<(Context, Command)>,
}

/// What is about to be done to the code, and how far the preview of it is scrolled.
#[derive(Debug, Clone)]
pub struct Acting {
    /// What is done when the answer is yes.
    pub act: Box<Act>,
    /// What it is about, in a few words.
    pub what: String,
    /// What that will do; `None`: that is still being worked out.
    pub preview: Option<Vec<PreviewRow>>,
    /// Names who waits for that.
    pub ticket: u64,
    /// The first row that is shown, by index.
    pub top: usize,
}

/// Something that was done to the code, while the review follows.
#[derive(Debug, Clone)]
pub struct Done {
    /// What, to be said again.
    pub said: String,
    /// The lines that it has brought back.
    pub back: Option<Marks>,
}

/// A key that begins a text, and was refused.
#[derive(Debug, Clone)]
pub struct Refused {
    /// Names the pause that is waited for.
    pub ticket: u64,
    /// Why, in a sentence.
    pub reason: String,
    /// Whether more was typed since that pause was begun.
    pub is_typed_on: bool,
}

/// A question that must be answered with `y` before something is given up.
#[derive(Debug, Clone)]
pub enum Question {
    /// Throw away what is typed in the form?
    Discard,
    /// Leave, and with that throw away the texts that are kept nowhere but here, for this reason?
    Leave(String),
    /// Send what waits to be sent?
    Send,
    /// End the session, and send what waits before?
    End,
    /// Take back the comment with this id, which is not sent and begins with these words? It was asked in the list or not.
    TakeBack {
        /// Its id.
        id: String,
        /// Its first words.
        words: String,
        /// Whether the answer leads back to the list.
        is_listed: bool,
    },
    /// Delete this note or record?
    Delete(Box<Deletion>),
    /// Carry the review to something else than it is of?
    Carry(Box<Next>),
}

impl Question {
    /// The key that sends what waits, and then ends the session. There is no yes and no there, so the key is no command.
    pub const SEND: char = 's';
    /// The key that ends the session as it is.
    pub const END: char = 'e';
}

/// A note or record that is to go, as it was when that was asked for.
#[derive(Debug, Clone)]
pub struct Deletion {
    /// What it is: "note on +15..18".
    pub label: String,
    /// Its first words.
    pub words: String,
    /// What stays behind and hangs on it; empty where nothing does.
    pub left: String,
    /// The change.
    pub change: Change,
}
