//! What is in a queue, as values.

use serde::{Deserialize, Serialize};

/// The columns of the table, in order.
pub const FIELDS: [&str; 6] = ["kind", "file", "heading", "occurrence", "quote", "note"];

/// The column of [`Item::occurrence`], the only one that is a number.
pub(super) const OCCURRENCE: usize = 3;

/// The notes of one round, in order, and what they are about.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Batch {
    /// The label of the session: what is reviewed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The notes.
    pub items: Vec<Item>,
}

/// One note for the agent: a row of the table. An absent cell is `None`; empty text is written as one, too.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Item {
    /// `anno` for a note on text, `chat` for a general comment. Others are kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The file the note is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The nearest heading above the text, or the line that begins the function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
    /// How many matches of the quote in the file come before this one.
    #[serde(default)]
    pub occurrence: u32,
    /// The text itself: what the agent searches for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// What is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Item {
    /// A note on text, or on a file.
    pub const ANNO: &str = "anno";
    /// A general comment.
    pub const CHAT: &str = "chat";

    /// Whether the kind is one of the two that agents know.
    #[must_use]
    pub fn has_known_kind(&self) -> bool {
        matches!(self.kind.as_deref(), Some(Self::ANNO | Self::CHAT))
    }

    /// The cell in the column `field` of [`FIELDS`], where that holds text.
    pub(super) fn text(&self, field: usize) -> Option<&str> {
        let text = match field {
            0 => &self.kind,
            1 => &self.file,
            2 => &self.heading,
            4 => &self.quote,
            5 => &self.note,
            _ => &None,
        };
        text.as_deref()
    }
}
