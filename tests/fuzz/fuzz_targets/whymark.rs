//! Whatever the bytes are, they are a review, and the laws of reviews hold.

#![no_main]

#[path = "../../support/laws.rs"]
#[allow(dead_code, reason = "the other target uses the rest")]
mod laws;

libfuzzer_sys::fuzz_target!(|input: &[u8]| laws::whymark(input));
