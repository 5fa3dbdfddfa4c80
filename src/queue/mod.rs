//! The agent queue: notes that wait for a coding agent, as a table that is cheaper to read than JSON.
//!
//! ```text
//! session: specs/001-feature
//! queue[2]{kind,file,heading,occurrence,quote,note}:
//!   anno,spec.md,Goals,0,must be fast,"quantify, target ms?"
//!   chat,-,-,0,-,tighten the scope section
//! ```
//!
//! ```text
//! table    = ( "session: " label LF )? ( "queue: 0 items" ( " - " text )? LF | header row* ) other lines
//! header   = "queue[" N "]{kind,file,heading,occurrence,quote,note}:" LF         as many rows as it says
//! row      = "  " cell ( "," cell )*5 LF
//! cell     = "-" | bare | "\"" ( any but "\"" | "\"\"" )* "\""                    absent, text, text
//! escapes  = "escapes[" N "]{row,field,real}:" LF ( "  " row "," field "," ( "none" | number ( " " number )* ) LF )*N
//! ```
//!
//! A note is one line whatever is in it: a cell in quotes writes a line break as `\n`, a carriage return as `\r`, and what
//! a terminal would obey as `\u` with four digits. A backslash that was written by somebody stays as it is, since a quote
//! is what the agent searches for. Where that leaves open which of these *tokens* are escapes and which are text, a block
//! `escapes` below the rows lists the real ones. Without an entry, in a cell in quotes the `\n` are line breaks and the
//! others text, and in a bare cell all are text; so a reader that does not know the block reads what it always did.
//!
//! The table looks like [TOON](https://toonformat.dev) and is none: that escapes quotes where this doubles them, and has
//! other words for nothing. Hence no crate reads it.
//!
//! [`encode()`] and [`decode()`] are inverses, but for two things: CRLF in a cell becomes LF, and empty text an absent
//! cell. What does not follow the grammar to the letter is refused as a whole: half a table is what a reader has who was
//! cut off, and the queue still has all of it.

mod cell;
mod decode;
mod encode;
mod item;
mod json;
mod refusal;

pub use decode::decode;
pub use encode::{Table, block, encode, label};
pub use item::{Batch, FIELDS, Item};
pub use json::{from_json, printable, to_json};
pub use refusal::{EscapesProblem, Problem, Refusal};
