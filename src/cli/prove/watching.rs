//! How far a proof has come, on a terminal.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::proof::step::ProofStep;

const TICK: Duration = Duration::from_millis(250);

/// Does `work`, which tells what it does, and shows that on stderr if that is a terminal.
pub(super) fn watched<T>(work: impl FnOnce(&dyn Fn(&ProofStep)) -> T) -> T {
    if !std::io::stderr().is_terminal() {
        return work(&|_| {});
    }
    let current: Mutex<Option<(ProofStep, Instant)>> = Mutex::new(None);
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        let draw = thread::Builder::new().spawn_scoped(scope, || draw(&current, &is_done));
        let done = work(&|step: &ProofStep| {
            *current.lock().unwrap_or_else(PoisonError::into_inner) = Some((step.clone(), Instant::now()));
        });
        is_done.store(true, Ordering::Relaxed);
        if let Ok(draw) = draw {
            draw.thread().unpark();
        }
        done
    })
}

fn draw(current: &Mutex<Option<(ProofStep, Instant)>>, is_done: &AtomicBool) {
    while !is_done.load(Ordering::Relaxed) {
        let now = current.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((step, since)) = now {
            let _ = write!(anstream::stderr(), "\r\x1b[K{}", line(&step, since.elapsed()));
        }
        thread::park_timeout(TICK);
    }
    let _ = write!(anstream::stderr(), "\r\x1b[K");
}

fn line(step: &ProofStep, elapsed: Duration) -> String {
    let (run, of) = step.run;
    let so_far = elapsed.as_secs();
    let left = match step.expected {
        Some(expected) => {
            let runs = u32::try_from(of.saturating_sub(run)).unwrap_or(0);
            let left = (expected * (runs + 1)).saturating_sub(elapsed).as_secs();
            format!(", about {left} s left")
        }
        None => String::new(),
    };
    format!("run {run} of {of}: {}, {so_far} s{left}", step.what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_runs_and_how_long_it_may_take() {
        let step = |run, expected: Option<u64>| ProofStep {
            what: "old tests, new source".to_owned(),
            run: (run, 4),
            expected: expected.map(Duration::from_secs),
        };
        let second = Duration::from_secs(1);
        assert_eq!(line(&step(1, None), second), "run 1 of 4: old tests, new source, 1 s");
        assert_eq!(
            line(&step(2, Some(10)), second),
            "run 2 of 4: old tests, new source, 1 s, about 29 s left"
        );
        assert_eq!(
            line(&step(4, Some(1)), second * 5),
            "run 4 of 4: old tests, new source, 5 s, about 0 s left"
        );
    }
}
