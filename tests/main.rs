//! The integration tests: one binary, one module a subject.

mod columns;
mod demo;
mod keys;
mod layers;
#[cfg(unix)]
mod pty;
mod support;
mod tui;
