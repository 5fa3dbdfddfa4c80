//! What the integration tests stand on: the laws of the formats, a repository in a temporary folder, the reviewer without
//! a terminal, and the binary in a real one.

mod dice;
pub(crate) mod key_laws;
pub(crate) mod laws;
pub(crate) mod markback_laws;
pub(crate) mod queue_laws;
pub(crate) mod sandbox;
mod screen;
pub(crate) mod selection;
pub(crate) mod sockets;
#[cfg(unix)]
pub(crate) mod terminal;

pub(crate) use dice::Dice;
pub(crate) use sandbox::{Run, Sandbox};
pub(crate) use screen::{Editor, File, Screen, check};
