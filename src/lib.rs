//! whymark: a diff, marked with why.

pub mod diagnostic;
pub mod diff;
pub mod document;
pub mod metrics;
pub mod text;
