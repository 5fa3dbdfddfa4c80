//! Why a text is no queue.

/// The first thing that is wrong with a text, and the line it is in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct Refusal {
    /// The line, counted from 1; the one behind the last where something is missing at the end.
    pub line: usize,
    /// What is wrong.
    pub problem: Problem,
}

impl Refusal {
    /// Whether this is what a reader sees who got only a part of what was written: reading again helps.
    #[must_use]
    pub fn is_truncation(&self) -> bool {
        match &self.problem {
            Problem::CutOff | Problem::NotClosed { .. } => true,
            Problem::Rows { found, announced } | Problem::Escapes(EscapesProblem::Entries { found, announced }) => {
                found < announced
            }
            _ => false,
        }
    }
}

/// What is wrong with a text that should be a queue. Rows count from 0, as the agent's replies do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Bytes that are no text.
    #[error("not UTF-8")]
    NotUtf8,
    /// Nothing ends the last line.
    #[error("cut off in the last line")]
    CutOff,
    /// The first line, or the one behind the label, is none that begins a queue.
    #[error("no queue line")]
    NoQueueLine,
    /// More or fewer rows than the header says.
    #[error("{found} rows, {announced} announced")]
    Rows {
        /// How many there are.
        found: usize,
        /// How many there should be.
        announced: usize,
    },
    /// More or fewer cells than columns.
    #[error("row {row}: {found} cells, 6 expected")]
    Cells {
        /// The row.
        row: usize,
        /// How many cells it has.
        found: usize,
    },
    /// A cell begins with a quote and has no other.
    #[error("row {row}: quoted cell not closed")]
    NotClosed {
        /// The row.
        row: usize,
    },
    /// A cell goes on behind its closing quote.
    #[error("row {row}: text after a closing quote")]
    TextAfterQuote {
        /// The row.
        row: usize,
    },
    /// A quote in a cell that does not begin with one.
    #[error("row {row}: quote inside an unquoted cell")]
    QuoteInside {
        /// The row.
        row: usize,
    },
    /// The occurrence is no number from 0 to 4294967295, without sign and leading zeros.
    #[error("row {row}: occurrence \"{cell}\" is not a number")]
    Occurrence {
        /// The row.
        row: usize,
        /// The cell as it is written.
        cell: String,
    },
    /// A second queue begins: two outputs in one.
    #[error("second queue line")]
    SecondQueue,
    /// The block that says which tokens are escapes cannot be followed.
    #[error("escapes: {0}")]
    Escapes(EscapesProblem),
}

/// What is wrong with the block `escapes`. Entries count from 0.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EscapesProblem {
    /// Not the header of such a block.
    #[error("the header is not `escapes[N]{{row,field,real}}:`")]
    Header,
    /// A block was there before.
    #[error("second block")]
    Second,
    /// More or fewer entries than the header says.
    #[error("{found} entries, {announced} announced")]
    Entries {
        /// How many there are.
        found: usize,
        /// How many there should be.
        announced: usize,
    },
    /// Not three cells.
    #[error("entry {entry}: {found} cells, 3 expected")]
    Cells {
        /// The entry.
        entry: usize,
        /// How many cells it has.
        found: usize,
    },
    /// No row has this number.
    #[error("entry {entry}: there is no row \"{cell}\"")]
    NoRow {
        /// The entry.
        entry: usize,
        /// What it says.
        cell: String,
    },
    /// No column has this name.
    #[error("entry {entry}: there is no field \"{cell}\"")]
    NoField {
        /// The entry.
        entry: usize,
        /// What it says.
        cell: String,
    },
    /// Escapes are only in cells in quotes.
    #[error("entry {entry}: the cell is not quoted")]
    NotQuoted {
        /// The entry.
        entry: usize,
    },
    /// Another entry is about the same cell.
    #[error("entry {entry}: the cell has one before")]
    Twice {
        /// The entry.
        entry: usize,
    },
    /// Neither `none` nor rising numbers of tokens that are there.
    #[error("entry {entry}: \"{cell}\" is neither `none` nor rising numbers from 1 to {tokens}")]
    Numbers {
        /// The entry.
        entry: usize,
        /// What it says.
        cell: String,
        /// How many tokens the cell has.
        tokens: usize,
    },
    /// The number of a character that only exists as half of another.
    #[error("entry {entry}: token {token} is half a character")]
    Surrogate {
        /// The entry.
        entry: usize,
        /// The token, counted from 1.
        token: usize,
    },
}
