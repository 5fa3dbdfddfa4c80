//! The terminal reviewer: an Elm-like loop around a pure core.
//!
//! [`update`](update::update) changes the [`Model`](model::Model) and names [effects](effect::Effect); [`view::draw`]
//! makes a frame of it. This module owns what lies between them and the outside world: threads, channels, the terminal.

pub mod card;
pub mod colour;
pub mod command;
pub mod effect;
pub mod form;
pub mod highlight;
pub mod input;
pub mod key;
pub mod keymap;
pub mod layout;
pub mod load;
pub mod model;
pub mod msg;
pub mod open;
pub mod part;
pub mod place;
pub mod prose;
pub mod rows;
pub mod save;
pub mod text_input;
pub mod theme;
pub mod update;
pub mod view;
