//! Whatever a terminal sends, it is read to its end, and the laws of reading hold.

#![no_main]

#[path = "../../support/key_laws.rs"]
mod key_laws;

libfuzzer_sys::fuzz_target!(|input: &[u8]| key_laws::hold(input));
