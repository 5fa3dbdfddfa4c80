//! A switch for tests: the program ends at a place that it names, as if it was killed there.

/// In a build for tests, end the program here if `WHYMARK_TEST_ABORT` names this place, or `place:N` and it comes by for
/// the Nth time. Otherwise nothing.
#[cfg(debug_assertions)]
pub fn point(place: &str) {
    use std::sync::atomic::{AtomicUsize, Ordering};

    static PASSED: AtomicUsize = AtomicUsize::new(0);
    let Ok(wanted) = std::env::var("WHYMARK_TEST_ABORT") else { return };
    let (name, nth) =
        wanted.split_once(':').map_or((wanted.as_str(), 1), |(name, nth)| (name, nth.parse().unwrap_or(1)));
    if name == place && PASSED.fetch_add(1, Ordering::Relaxed) + 1 == nth {
        std::process::abort();
    }
}

/// Nothing.
#[cfg(not(debug_assertions))]
pub fn point(_: &str) {}
