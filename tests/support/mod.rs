//! What tests stand on: a repository in a temporary folder, and the program run in it.

mod sandbox;

pub(crate) use sandbox::Sandbox;
