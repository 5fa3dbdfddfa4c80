//! The integration tests: one binary, one module a subject.

mod columns;
mod layers;
mod demo;
mod support;
