//! What the integration tests stand on: a repository in a temporary folder, and the binary in a real terminal.

mod sandbox;
#[cfg(unix)]
pub(crate) mod terminal;

pub(crate) use sandbox::Sandbox;
