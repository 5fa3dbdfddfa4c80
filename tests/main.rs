//! The integration tests: one binary, one module a subject.

mod layers;
mod support;
