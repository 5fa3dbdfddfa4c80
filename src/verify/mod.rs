//! Claims, held against the facts (section 10): the commands that a review names are run again, and what comes out is
//! compared with what the review says.
//!
//! ```text
//! Document ──plan──▶ Plan ──run──▶ Ran ──verdict──▶ report
//!                      └─────────────┴──outcomes──▶ Document
//! ```
//!
//! [`run`] alone starts processes, and only for who calls it; all else here is a function of its arguments.

pub mod evidence;
mod outcomes;
mod plan;
mod ran;
pub mod run;
mod verdict;

pub use outcomes::{Left, Written, written};
pub use plan::{Item, Place, Plan, Unrunnable};
pub use ran::{End, Ran};
pub use verdict::{Outcome, Summary, Verdict};
