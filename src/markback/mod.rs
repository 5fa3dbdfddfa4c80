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
//! the text, so nothing is ever lost, and the only way to write is an [`Edit`](crate::text::edit::Edit). No I/O here:
//! whether a referenced file exists is somebody else's question.

mod grammar;
mod headers;
#[cfg(test)]
mod laws;
mod line;
mod parse;
mod print;
mod range;
mod record;

use bytes::Bytes;

use crate::diagnostic::Diagnostic;
use crate::text::Span;
pub use line::{Line, LineClass};
pub use print::{AppendError, add_action, append};
pub use range::{Position, Range, Reference};
pub use record::{Action, Entry, Header, Record};

/// A Markback file: its text and its reading.
#[derive(Debug, Clone)]
pub struct Markback {
    text: Bytes,
    lines: Vec<Line>,
    headers: FileHeaders,
    entries: Vec<Entry>,
    diagnostics: Vec<Diagnostic>,
    tail: Tail,
}

/// The `%` lines at the top of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileHeaders {
    /// `%markback N`; saturates.
    pub version: Option<u64>,
    /// `%scope`: what the file was checked for; empty when it does not say.
    pub scope: Vec<String>,
    /// `%covers`: a glob for the files that were looked at.
    pub covers: Option<String>,
    /// Keywords that the format does not know, in file order.
    pub unknown: Vec<Header>,
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
    Section(usize),
    /// Headers or content that no feedback has closed.
    Unfinished,
    /// A fence that nothing closes: whatever is added becomes part of a feedback.
    OpenFence,
    /// Not UTF-8, so not Markback.
    Unreadable,
}

impl Markback {
    /// Read a file. Total and linear; what is wrong with it is in [`Markback::diagnostics`].
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
    #[must_use]
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The content of a line of this file: without byte order mark and terminator.
    #[must_use]
    pub fn line_text(&self, line: &Line) -> &[u8] {
        line.content(&self.text).of(&self.text)
    }

    /// A line of a file with records, without blanks at its end.
    fn line_str(&self, index: usize) -> &str {
        std::str::from_utf8(self.line_text(&self.lines[index])).unwrap_or_default().trim_end_matches(line::is_blank)
    }

    /// The `%` lines.
    #[must_use]
    pub fn headers(&self) -> &FileHeaders {
        &self.headers
    }

    /// The records, each with the lines it stands on, in file order.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The records alone.
    pub fn records(&self) -> impl Iterator<Item = &Record> {
        self.entries.iter().map(|entry| &entry.record)
    }

    /// What the parser stumbled over, in line order: codes E001, E002, E004, E006, E009, E012, W002, W010 and
    /// W012. Codes that need a look at the whole file are not found here.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The bytes of an entry, from its first line to the end of its feedback.
    #[must_use]
    pub fn span(&self, entry: &Entry) -> Span {
        self.lines[entry.first].span.to(self.lines[entry.end].span)
    }
}
