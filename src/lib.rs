//! whymark: a diff, marked with why.
//!
//! A review is a text file: what `git diff` says, and notes in between that say why. `assets/FORMAT.md` describes the
//! format; comments name its sections.
//!
//! # The idea
//!
//! **The text of the file is the only state. Everything else is a pure function of it, and the only way to change it is
//! an [`Edit`](text::edit::Edit).**
//!
//! ```text
//!   git ──▶ skeleton ──▶ Document ──▶ parts, rows ──▶ view
//!   (what    (a new      (text and       (what is    (cells of
//!  changed)  review)      tree)        on screen)   a terminal)
//!                         ▲    │
//!                         │    ├──▶ check    what is wrong, with edits that mend it
//!                         │    ├──▶ metrics  what is covered, verified, open
//!                         │    ├──▶ anchor   the same notes on the next diff
//!                         │    ├──▶ verify   which commands it names; what came out against what it says
//!                         │    ├──▶ capture  what is selected, as a note of the agent's queue
//!                         │    └──▶ json, print, patch
//!                         │
//!              store ◀── Edit ◀── update ◀── Msg ◀── keys, workers
//!            (the file)
//! ```
//!
//! # What holds
//!
//! * Reading is total: any bytes are a document, and its parts joined are those bytes. What is wrong with a text is a
//!   [`Diagnostic`](diagnostic::Diagnostic), never an [`Error`](error::Error); errors are what the outside world refuses.
//! * An edit changes the bytes it names and no others, and its inverse takes it back.
//! * A mend that a diagnostic carries takes that diagnostic away.
//! * A note that is carried to another diff stands on the text that it was written about, or on none.
//! * The canonical form is its own canonical form, and means what the text meant.
//! * Nothing that stands in a document or a repository is ever run: no command, hook, pager or editor, and no filter
//!   unless a person asks for it by name. So it is with the commands of a review, for which [`verify::run`] alone starts
//!   processes.
//! * Files are replaced whole, under a lock, and only after another look at what is there ([`store`]).
//! * The modules below stand in the order in which they depend on each other: formats know nothing of the outside world,
//!   and only [`git`], [`store`], [`session`], [`verify::run`], [`config`], [`clock`], [`demo`], [`editor`], [`tui`] and [`cli`] touch it.
//!   `tests/layers.rs` is that table as a test.
//!
//! # A walk
//!
//! ```
//! use whymark::document::edit::{NewNote, append_note};
//! use whymark::document::{Document, Selector};
//!
//! let text = "\
//! ---
//! whymark: 1
//! title: Let clients save up requests
//! ---
//!
//! @file limiter/bucket.py modified
//! @@ -18,2 +18,3 @@ class Bucket:
//!          now = self.clock()
//! +        gained = (now - self.filled) * self.rate
//!          self.filled = now
//!
//! @note +19 kind=risk
//! why: The clock may step back, and then the gain is negative.
//! ";
//! let document = Document::parse(text);
//! assert_eq!(document.to_bytes(), text.as_bytes());
//! assert_eq!(document.meta().title.as_deref(), Some("Let clients save up requests"));
//!
//! // The head is part 0; each file has a part of its own.
//! let section = &document.parts()[1];
//! assert_eq!(section.path_text(), "limiter/bucket.py");
//! let note = section.note_views().next().expect("the file has a note");
//! assert_eq!(note.note().selector.to_string(), "+19");
//! assert!(note.why().is_some_and(|why| why.starts_with("The clock may step back")));
//! assert!(!note.facts().is_verified);
//!
//! // Another note changes nothing but the lines that it adds.
//! let answer = NewNote { why: "`time.monotonic` cannot.".to_owned(), ..NewNote::new(Selector::FILE) };
//! let edit = append_note(&document, 1, &answer);
//! let after = document.edited(&edit);
//! let added = "\n@note file\nwhy: `time.monotonic` cannot.\n";
//! assert_eq!(after.to_bytes(), [text, added].concat().as_bytes());
//! assert_eq!(edit.inverse(text.as_bytes()).apply(&after.to_bytes()), text.as_bytes());
//! ```

pub mod text;
pub mod diagnostic;
pub mod diff;
pub mod document;
pub mod markback;
pub mod queue;
pub mod lcov;
pub mod skeleton;
pub mod anchor;
pub mod metrics;
pub mod capture;
pub mod error;
pub mod clock;
pub mod git;
pub mod store;
pub mod coverage;
pub mod session;
pub mod verify;
pub mod refresh;
pub mod config;
pub mod demo;
pub mod editor;
pub mod tui;
pub mod cli;
