//! The terminal reviewer.

pub mod colour;
pub mod command;
pub mod highlight;
pub mod input;
pub mod key;
pub mod keymap;
#[cfg(unix)]
pub mod signals;
pub mod terminal;
pub mod text_input;
pub mod theme;
