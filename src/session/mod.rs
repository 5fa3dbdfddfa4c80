//! The agent loop on disk: notes that a reviewer sends, and what agents do with them.
//!
//! ```text
//! <git folder of the work tree>/whymark/       0700
//!   r-20261101-1412-7f3a/                      a session: one review in one work tree
//!     review.json     what is reviewed         reviewer, once
//!     draft.json      what is not sent yet     reviewer, replaced
//!     out/0001.json   a round of notes         reviewer, once; `0001.recalled` when it was taken back
//!     out/0001.closed no agent will answer it  reviewer, once
//!     ended.json      the reviewer's end       reviewer, once
//!     base/0001/      the files at that time   reviewer, once
//!     in/…            events                   agents, once each
//!     tui.lock  poll.lock                      held by who reviews, and who waits for notes
//!     tui.wanted                               another reviewer wants the first of them
//! ```
//!
//! There is no server, no socket and no port: files work with nobody there, outlive everybody, and are refused by no
//! sandbox. Where an agent may not write in the git folder, a second inbox in `/tmp` takes its events.
//!
//! # What holds
//!
//! * Each file has one writer and is written once, under a name that it gets when all of it is on disk. So no update is
//!   lost, and nobody reads half a file. (Drafts are replaced, by the one reviewer who holds `tui.lock`.)
//! * [`State`] is a function of the files. Nothing else is remembered, so that nothing can be forgotten or get stuck.
//! * A round that was sent is handed out until it is answered: *at least once*. A reply is the acknowledgement; printing
//!   is none, since nobody can know whether an agent read what its shell printed.
//! * Rounds are counted, and the order is that of the numbers, whatever the clock says. So it is with events, each of which
//!   has a greater number than all that its writer could see.
//! * What others could have written or read is not used ([`crate::store::private`]).

mod base;
mod fault;
mod find;
mod header;
mod hold;
mod inbox;
mod name;
mod outbox;
mod page;
mod period;
mod poll;
mod record;
mod refusal;
mod reply;
mod send;
mod spool;
mod state;

pub use base::{Around, Base, BaseFile, Found as FoundFile, found as found_file};
pub use fault::point;
pub use find::{Found, Store};
pub use header::{ANSWERED, NOBODY, header};
pub use hold::{Hold, Reviewer, Waiting};
pub use name::{is_agent, is_id, new_id};
pub use page::{Form, Standing, end_page, ended_page, help, idle_page, listing, listing_json, round_page, start_page};
pub use period::{Period, long};
pub use poll::{Looked, Outcome, Poll, Wait};
pub use record::{Lossless, Note, NoteStatus, Place, Review};
pub use refusal::Refusal;
pub use reply::{Reply, Verdict};
pub use send::{MOST_NOTE, Sent, rounds};
pub use spool::{Files, Spool};
pub use state::{By, Handing, RoundState, Said, State};
