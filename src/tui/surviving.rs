//! Work that may be at fault, and takes nothing else along.

use std::panic::{self, AssertUnwindSafe};

/// What `work` gives, or what it has panicked with, as a sentence for the reader: one fault takes no other work along.
pub(super) fn surviving<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    // What a panic may have left half done is given up by the callers.
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str).or(payload.downcast_ref::<&str>().copied());
        format!("whymark itself is at fault: {}", text.unwrap_or("it has panicked"))
    })
}
