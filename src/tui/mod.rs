//! The terminal reviewer.

pub mod colour;
pub mod command;
pub mod highlight;
pub mod input;
pub mod key;
pub mod keymap;
pub mod text_input;
pub mod theme;
