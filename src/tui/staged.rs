//! What of a review of the working tree is staged already, so that it can be told from what is not.

use std::sync::Arc;

use crate::document::Section;

/// The lines of a part that were last known to be staged, and the part as it was then. Where lines are the same, the index
/// does not say which of them it has: those that the reader has chosen stay the ones.
pub type Known = (Arc<Section>, Vec<u32>);

/// What the index has of a file that the review compares with HEAD.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Staged {
    /// Nobody has looked, or the review is of something else.
    #[default]
    Unknown,
    /// What HEAD has.
    Nothing,
    /// Some of the changed lines, as ascending indices into the tree's lines.
    Lines(Vec<u32>),
    /// What the working tree has.
    Whole,
    /// Something else.
    Other,
}

impl Staged {
    /// Whether the changed line with index `line` is staged.
    #[must_use]
    pub fn has(&self, line: u32) -> bool {
        match self {
            Self::Unknown | Self::Nothing | Self::Other => false,
            Self::Lines(lines) => lines.binary_search(&line).is_ok(),
            Self::Whole => true,
        }
    }
}
