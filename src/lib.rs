//! whymark: a diff, marked with why.

pub mod demo;
pub mod diagnostic;
pub mod diff;
pub mod document;
pub mod markback;
pub mod text;
