//! The sign of life of a driver.

use std::sync::mpsc;
use std::time::Duration;

use jiff::Timestamp;

use crate::lifecycle::session::liveness::{self, Worker};
use crate::state::layout::Layout;

/// How often a driver says that it is alive.
const BEAT: Duration = Duration::from_secs(60);

/// Says that this process works for the loop for as long as it lives, whatever the driver is doing.
pub(super) struct Heartbeat {
    _stop: mpsc::Sender<()>,
}

impl Heartbeat {
    /// Beats until it is dropped.
    pub(super) fn start(layout: &Layout, id: &str) -> Heartbeat {
        let (stop, stopped) = mpsc::channel::<()>();
        let (layout, id) = (layout.clone(), id.to_owned());
        let beat = move || {
            if let Some(worker) = Worker::myself(Timestamp::now()) {
                // A beat that can't be written is made up for by the next.
                liveness::note(&layout, &id, &worker).ok();
            }
        };
        beat();
        std::thread::spawn(move || {
            while stopped.recv_timeout(BEAT) == Err(mpsc::RecvTimeoutError::Timeout) {
                beat();
            }
        });
        Heartbeat { _stop: stop }
    }
}
