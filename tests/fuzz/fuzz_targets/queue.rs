//! Whatever the bytes are, they are read as a queue or refused, and the laws of what is in them hold.

#![no_main]

#[path = "../../support/queue_laws.rs"]
mod queue_laws;

libfuzzer_sys::fuzz_target!(|input: &[u8]| queue_laws::hold(input));
