//! The integration tests: one binary, one module a subject.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod anchor;
mod capture;
mod cli;
mod columns;
mod conformance;
mod corpus;
mod demo;
mod fmt;
mod format;
mod git;
#[cfg(unix)]
mod hostile;
mod keys;
mod layers;
mod partial;
mod picture;
mod properties;
#[cfg(unix)]
mod pty;
mod queue;
#[cfg(unix)]
mod session;
mod support;
mod tui;
