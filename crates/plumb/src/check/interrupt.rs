//! Ctrl-C, and the signals by which others ask a process to end.
//!
//! The first one stops the search; whatever has been found is reported as if the time were over. Who asks a second time does not
//! want to wait for that.

use plumb_engine::Cancel;

/// What shells report for a process that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// The first signal throws the switch. Where signals cannot be caught, they end the process as usual.
pub fn cancel_on_signal(cancel: &Cancel) {
    let switch = cancel.clone();
    let _ = ctrlc::set_handler(move || {
        if switch.is_cancelled() {
            std::process::exit(INTERRUPTED);
        }
        switch.cancel();
    });
}
