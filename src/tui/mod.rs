//! The terminal reviewer.

pub mod command;
pub mod input;
pub mod key;
pub mod keymap;
pub mod text_input;
