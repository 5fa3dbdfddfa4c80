//! The integration tests: one binary, one module a subject.

mod cli;
mod git;
mod support;
