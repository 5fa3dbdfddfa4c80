//! How the diff of a review follows the code by itself.

/// How far that is.
#[derive(Debug, Clone)]
pub struct Following {
    /// Whether it is wanted; else the diff is made anew where the reader asks for it.
    pub is_on: bool,
    /// Whether something may have happened to the code since the diff was last compared with it.
    pub is_heard: bool,
    /// Whether the diff is to be made anew as soon as nothing is in the way.
    pub is_due: bool,
    /// Whether the one that is being made was not asked for.
    pub is_running: bool,
    /// Whether the diff is to be compared with the code again, since a new one of it came to nothing.
    pub looks_again: bool,
    /// Why it could not be made the last time: that is said once.
    pub failure: Option<String>,
}

impl Default for Following {
    fn default() -> Self {
        Self { is_on: true, is_heard: false, is_due: false, is_running: false, looks_again: false, failure: None }
    }
}
