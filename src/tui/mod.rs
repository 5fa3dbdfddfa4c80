//! The terminal reviewer.

pub mod text_input;
