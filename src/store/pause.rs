//! The moments in which this process must not be ended, so that nothing of it is left beside the files.

use std::sync::{Mutex, MutexGuard, PoisonError};

static REPLACING: Mutex<()> = Mutex::new(());

/// No file is being replaced by another thread of this process while the result lives. Waits for the one that is.
#[must_use]
pub fn pause() -> impl Sized {
    replacing()
}

/// To be held while a file is being replaced.
pub(super) fn replacing() -> MutexGuard<'static, ()> {
    REPLACING.lock().unwrap_or_else(PoisonError::into_inner)
}
