//! How far long work has come, for whoever shows it.
//!
//! Invariant: counting never fails and never waits.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counted by the worker, read by the one who draws.
#[derive(Debug, Default)]
pub struct Meter {
    done: AtomicU64,
    total: AtomicU64,
}

impl Meter {
    /// More is to be done.
    pub fn expect(&self, steps: usize) {
        self.total.fetch_add(steps as u64, Ordering::Relaxed);
    }

    /// One step is done.
    pub fn tick(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// Steps that are done, and steps that are known of.
    pub fn read(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }
}
