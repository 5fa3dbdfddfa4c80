//! The integration tests: one binary, one module a subject.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod cli;
mod columns;
mod conformance;
mod demo;
mod git;
mod layers;
mod properties;
mod support;
