//! Changes on their way to disk.

use super::super::form::Form;
use super::super::history::{Step, Way};

/// A change whose write has not been answered yet.
#[derive(Debug, Clone)]
pub struct Outgoing {
    /// Names it in the answer.
    pub ticket: u64,
    /// What is being done.
    pub doing: Doing,
    /// How far it has come.
    pub state: Sending,
}

impl Outgoing {
    /// The form that it came from.
    #[must_use]
    pub fn form(&self) -> Option<&Form> {
        match &self.doing {
            Doing::Save(form) => Some(form),
            _ => None,
        }
    }

    /// The same, to be changed.
    pub fn form_mut(&mut self) -> Option<&mut Form> {
        match &mut self.doing {
            Doing::Save(form) => Some(form),
            _ => None,
        }
    }
}

/// What is being done on disk.
#[derive(Debug, Clone)]
pub enum Doing {
    /// What a form says is written; it is kept, so that no typed word is lost when the write fails.
    Save(Form),
    /// A note or record, of which this is the label, goes.
    Delete(String),
    /// A record is resolved, or open again.
    Resolve(bool),
    /// What came out of commands is written.
    Outcomes,
    /// A step of the history is taken back, or done again.
    Step(Way, Step),
}

/// How far a change has come on its way to disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sending {
    /// It waits until the whole diff has been read.
    Waiting,
    /// It is being written.
    Sent,
    /// It could not be written, and waits until the form is free for it.
    Failed,
    /// Nothing can be written; it is kept until somebody asks for it.
    Aside,
}
