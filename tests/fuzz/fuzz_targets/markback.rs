//! Whatever the bytes are, they are a Markback file that can be linted, and the laws of those hold.

#![no_main]

#[path = "../../support/markback_laws.rs"]
mod markback_laws;

libfuzzer_sys::fuzz_target!(|input: &[u8]| markback_laws::hold(input));
