//! whymark: a diff, marked with why.

pub mod cli;
pub mod diagnostic;
pub mod diff;
pub mod document;
pub mod error;
pub mod git;
pub mod skeleton;
pub mod store;
pub mod text;
