//! Markback (format version 2): feedback on content, as text that diffs in git.
//!
//! ```text
//! file    = headers? section ( "---" section )*       headers: `%keyword value` lines at the very top
//! section = segment*                                  later segments inherit @file, @by, @tag, @input of the first
//! segment = ( "@keyword value" )* ( blank content )? feedback
//!         | ( "@keyword value" )* "@file PATH <<< " feedback      the compact form, one record a line
//! feedback = "<<< " text | "<<< \"\"\"" line* "\"\"\""
//! ```
//!
//! Reading is total: any bytes are a file, at worst one without records and with a diagnostic. [`Markback::lines`] tile
//! the text, so nothing is ever lost; a [`Record`] is read from its lines when somebody asks for it. Appending, and
//! every other change, is an [`Edit`] that leaves every other byte where it is, and only the [canonical form](canonical) is a new
//! text. No I/O here: whether a referenced file exists is somebody else's question.
//!
//! `assets/MARKBACK.md` describes the format; comments name its sections.

mod amend;
mod append;
mod feedback;
mod finding;
mod glob;
mod grammar;
mod headers;
#[cfg(test)]
mod laws;
mod line;
mod lint;
mod parse;
mod prepare;
mod print;
mod range;
mod read;
mod record;
mod rules;
pub mod sidecar;
mod sweep;
mod thread;

use bytes::Bytes;
use bytestring::ByteString;

use crate::text::Span;
use crate::text::edit::Edit;
pub use amend::{amend, remove};
pub use append::{add_action, add_id, append};
pub use feedback::{Structured, is_json};
pub use finding::{Finding, Problem};
pub use glob::Glob;
pub use headers::Unwritable;
use line::Lines;
pub use line::{Line, LineClass};
pub use lint::{Checks, Findings, lint};
pub use print::{Style, canonical, compose, is_canonical};
pub use range::{Position, Range, Reference};
pub use record::{Action, Entry, FileHeaders, Header, Record, Tags};
pub use rules::{RULES, rule};
pub use sweep::{Folders, Sweep, matching, named, normalized, relative, sweep};
pub use thread::Post;

/// A Markback file: its text and its reading.
#[derive(Debug, Clone)]
pub struct Markback {
    text: Bytes,
    /// The same; nothing when it is not UTF-8.
    readable: ByteString,
    lines: Lines,
    entries: Vec<Entry>,
    findings: Vec<Finding>,
    is_listing: bool,
    tail: Tail,
}

/// What a record meets that is added at the end of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Tail {
    /// No record and no separator yet: a `%` line would still be a file header.
    #[default]
    Top,
    /// No record since the last separator.
    NewSection,
    /// A section whose first record is this entry.
    Section(u32),
    /// Headers or content that no feedback has closed.
    Unfinished,
    /// A fence that nothing closes: whatever is added becomes part of a feedback.
    OpenFence,
    /// Not UTF-8, so not Markback.
    Unreadable,
}

impl Markback {
    /// Read a file. Total and linear; what is wrong with it is in [`Markback::findings`].
    ///
    /// # Panics
    /// When the text is 4 GiB or longer.
    #[must_use]
    pub fn parse(text: impl Into<Bytes>) -> Self {
        parse::parse(text.into())
    }

    /// The bytes.
    #[must_use]
    pub fn text(&self) -> &Bytes {
        &self.text
    }

    /// Every line with its class as the parser understood it; joined in order they are the text.
    pub fn lines(&self) -> impl Iterator<Item = Line> + '_ {
        self.lines.iter()
    }

    /// The lines of the records, in file order.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// What the parser stumbled over, in line order: codes E001, E002, E004, E006, E009, E012, W002, W004, W005, W010 and
    /// W012. [`lint`] finds the rest.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The bytes of an entry, from its first line to the end of its feedback.
    #[must_use]
    pub fn span(&self, entry: &Entry) -> Span {
        self.lines.span(entry.first).to(self.lines.span(entry.end))
    }
}
