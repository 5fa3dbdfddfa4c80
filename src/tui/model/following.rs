//! How the diff of a review follows the code: by itself, or where the reader asks for it.

use crate::refresh::{Moved, Next};

/// How far following by itself is.
#[derive(Debug, Clone)]
pub struct Following {
    /// Whether it is wanted; else the diff is made anew where the reader asks for it.
    pub is_on: bool,
    /// Whether the diff is to be compared with the code, since something may have happened to that.
    pub looks_again: bool,
    /// Whether the diff is to be made anew as soon as nothing is in the way.
    pub is_due: bool,
    /// Why it could not be made the last time that this was said: that is said once.
    pub failure: Option<String>,
    /// What could not be found out of how the review stands to the repository: that is said once, too.
    pub unknown: Vec<String>,
    /// Whether the last comparison has failed, so that the next one has to find out what that was to.
    pub is_missed: bool,
    /// What has happened to what the review is of: it does not follow to something else by itself.
    pub moved: Option<Moved>,
    /// What is said of that with the diff that is on its way.
    pub said: Option<String>,
    /// What the review is carried to, as the reader has asked for.
    pub next: Option<Box<Next>>,
}

impl Default for Following {
    fn default() -> Self {
        Self {
            is_on: true,
            looks_again: false,
            is_due: false,
            failure: None,
            unknown: Vec::new(),
            is_missed: false,
            moved: None,
            said: None,
            next: None,
        }
    }
}

/// A diff that is being made anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refreshing {
    /// How many files are done.
    pub done: usize,
    /// Of how many; 0 while that is not known.
    pub count: usize,
    /// Whether the reader has asked for it.
    pub asked: Asked,
}

/// Whether the reader has asked for a diff that is being made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// Nobody has.
    No,
    /// Not for this one: for another, which is made in its place.
    Meanwhile,
    /// They have.
    Yes,
}

impl Refreshing {
    /// One that has just begun.
    #[must_use]
    pub fn new(asked: Asked) -> Self {
        Self { done: 0, count: 0, asked }
    }

    /// Whether the reader sees it: what nobody asked for is over soon, or says how far it is.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        self.asked != Asked::No || self.count > 0
    }
}
