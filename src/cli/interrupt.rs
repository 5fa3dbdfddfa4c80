//! Ctrl-C and TERM while files are written: the file in hand is finished, so that no half of one is left, and then the
//! program dies by the signal. A second one ends it at once.

/// Watch for the signals from here on.
pub(super) fn finish_writing_first() {
    #[cfg(unix)]
    unix::watch();
}

#[cfg(unix)]
mod unix {
    use std::thread;

    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use crate::store;

    /// Without the thread a signal ends the program at once, as if nobody watched.
    pub(super) fn watch() {
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
        let handle = signals.handle();
        let thread = thread::Builder::new().name("signals".to_owned()).spawn(move || {
            let mut is_first = true;
            for signal in signals.forever() {
                let die = move || drop(emulate_default_handler(signal));
                let waiting = thread::Builder::new().spawn(move || {
                    let _whole = store::pause();
                    die();
                });
                if waiting.is_err() || !is_first {
                    die();
                }
                is_first = false;
            }
        });
        if thread.is_err() {
            handle.close();
        }
    }
}
