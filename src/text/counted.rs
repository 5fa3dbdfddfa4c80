//! Numbers of things, in words.

use std::fmt::Display;

/// So many of what `noun` names one of: "1 line", "3 lines".
#[must_use]
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    let plural = if count == N::from(1) { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
