//! What is wrong with a text, as a value: where, how bad, in a sentence, and if possible the edit that mends it.

mod caret;
mod rule;

use std::ops::Range;

pub use caret::{Excerpt, Role};
pub use rule::Rule;

use crate::text::edit::Edit;

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Something was read differently from how it was written, or is missing.
    Warning,
    /// The text is not what it says it is.
    Error,
}

impl Severity {
    /// The word used in reports and JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One finding about a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// A stable name, such as `selector-out-of-range`.
    pub code: &'static str,
    /// How much it weighs.
    pub severity: Severity,
    /// The bytes it is about, in offsets of the whole text.
    pub range: Range<usize>,
    /// One sentence for a person.
    pub message: String,
    /// The edit that removes the finding, where there is one.
    pub fix: Option<Edit>,
}

/// Takes findings as they are made: a `Vec` keeps all, an `Option` the first, `()` none.
pub trait Sink {
    /// Take one finding.
    fn push(&mut self, finding: Diagnostic);
}

impl Sink for Vec<Diagnostic> {
    fn push(&mut self, finding: Diagnostic) {
        self.push(finding);
    }
}

impl Sink for Option<Diagnostic> {
    fn push(&mut self, finding: Diagnostic) {
        self.get_or_insert(finding);
    }
}

impl Sink for () {
    fn push(&mut self, _: Diagnostic) {}
}
