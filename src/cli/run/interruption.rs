//! What a person, or the system, says by signals while a loop is driven.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use anyhow::Result;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::loops::verification;

/// Exit codes of what a signal ended begin here.
const SIGNALLED: i32 = 128;

/// What a person, or the system, says by signals: the first asks for a pause, the second for one at once.
#[derive(Clone, Default)]
pub(super) struct Interruption {
    signal: Arc<AtomicI32>,
    at_once: Arc<AtomicBool>,
}

impl Interruption {
    pub(super) fn watch() -> Result<Interruption> {
        let interruption = Interruption::default();
        let (told, verifying) = (interruption.clone(), verification::interruption());
        let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
        std::thread::Builder::new().spawn(move || {
            for signal in signals.forever() {
                let again = told.signal.swap(signal, Ordering::Relaxed) != 0;
                told.at_once.fetch_or(again, Ordering::Relaxed);
                verifying.store(true, Ordering::Relaxed);
            }
        })?;
        Ok(interruption)
    }

    pub(super) fn is_asked(&self) -> bool {
        self.signal.load(Ordering::Relaxed) != 0
    }

    pub(super) fn is_urgent(&self) -> bool {
        self.at_once.load(Ordering::Relaxed)
    }

    pub(super) fn exit_code(&self) -> u8 {
        u8::try_from(SIGNALLED + self.signal.load(Ordering::Relaxed)).unwrap_or(u8::MAX)
    }
}
