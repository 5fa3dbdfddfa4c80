//! The integration tests: one binary, one module a subject.

mod demo;
mod layers;
mod support;
