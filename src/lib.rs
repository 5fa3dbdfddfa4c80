//! whymark: a diff, marked with why.

pub mod text;
pub mod diagnostic;
pub mod diff;
pub mod document;
pub mod markback;
pub mod skeleton;
pub mod metrics;
pub mod error;
pub mod clock;
pub mod git;
pub mod store;
pub mod config;
pub mod demo;
pub mod tui;
pub mod cli;
