//! How far long work has come, on a terminal.
//!
//! Invariant: nothing is written where no person looks, and nothing of it is left when the work is done.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::checkpoint::meter::Meter;

/// Work that is done by then needs no bar.
const PATIENCE: Duration = Duration::from_millis(400);
const TICK: Duration = Duration::from_millis(100);
/// The bar's length in characters.
const LENGTH: u64 = 24;

/// Does `work` and meanwhile shows `doing`, a bar and a rate on stderr, if that is a terminal.
pub fn shown<T>(doing: &str, work: impl FnOnce(&Meter) -> T) -> T {
    let meter = Meter::default();
    if !std::io::stderr().is_terminal() {
        return work(&meter);
    }
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        let draw = thread::Builder::new().spawn_scoped(scope, || draw(doing, &meter, &is_done));
        let done = work(&meter);
        is_done.store(true, Ordering::Relaxed);
        if let Ok(draw) = draw {
            draw.thread().unpark();
        }
        done
    })
}

fn draw(doing: &str, meter: &Meter, is_done: &AtomicBool) {
    let started = Instant::now();
    let mut has_drawn = false;
    loop {
        thread::park_timeout(TICK);
        if is_done.load(Ordering::Relaxed) {
            break;
        }
        if started.elapsed() >= PATIENCE {
            has_drawn = true;
            let (done, total) = meter.read();
            let _ = write!(anstream::stderr(), "\r\x1b[K{}", line(doing, done, total, started.elapsed()));
        }
    }
    if has_drawn {
        let _ = write!(anstream::stderr(), "\r\x1b[K");
    }
}

fn line(doing: &str, done: u64, total: u64, elapsed: Duration) -> String {
    let filled = usize::try_from(done.min(total) * LENGTH / total.max(1)).unwrap_or_default();
    let empty = usize::try_from(LENGTH).unwrap_or_default().saturating_sub(filled);
    let rate = done.saturating_mul(1000) / u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX).max(1);
    let bar = format!("{}{}", "#".repeat(filled), ".".repeat(empty));
    match total {
        0 => format!("{doing} [{bar}] looking"),
        _ => format!("{doing} [{bar}] {done} of {total}, {rate}/s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_fills_and_never_overflows() {
        let second = Duration::from_secs(1);
        let cases = [
            ((0, 0), "x [........................] looking"),
            ((0, 8), "x [........................] 0 of 8, 0/s"),
            ((2, 8), "x [######..................] 2 of 8, 2/s"),
            ((8, 8), "x [########################] 8 of 8, 8/s"),
            ((9, 8), "x [########################] 9 of 8, 9/s"),
        ];
        for ((done, total), expected) in cases {
            assert_eq!(line("x", done, total, second), expected);
        }
        assert!(line("x", 1, 1, Duration::ZERO).ends_with("1000/s"));
    }
}
