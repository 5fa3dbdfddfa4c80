//! Whatever the bytes are, they are a review, and the laws of reviews hold.

#![no_main]

#[path = "../../support/laws.rs"]
#[allow(dead_code, reason = "the properties use the rest one by one")]
mod laws;

libfuzzer_sys::fuzz_target!(|input: &[u8]| laws::whymark(input));
