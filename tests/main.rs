//! The integration tests: one binary, one module a subject.

mod columns;
mod conformance;
mod demo;
mod layers;
mod properties;
mod support;
