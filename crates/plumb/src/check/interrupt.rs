//! Ctrl-C, and the signals by which others ask a process to end.
//!
//! The first one stops the search; whatever has been found is told as if the time were over. Who asks a second time does not
//! want to wait for that.

use plumb_engine::Cancel;

/// What shells report for a process that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// A switch that the first signal throws. Where signals cannot be caught, they end the process as usual.
pub fn cancel_on_signal() -> Cancel {
    let cancel = Cancel::new();
    let switch = cancel.clone();
    let _ = ctrlc::set_handler(move || {
        if switch.is_cancelled() {
            std::process::exit(INTERRUPTED);
        }
        switch.cancel();
    });
    cancel
}
