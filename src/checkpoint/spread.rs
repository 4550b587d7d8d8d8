//! The same work on many items, by a few threads.
//!
//! Invariant: the answers come in the order of the items, and a system that gives no thread only costs time.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Fewer items than this are not worth a thread.
const WORTH: usize = 16;
/// Items that a thread takes at a time, at most.
const PORTION: usize = 16;
/// So many portions each thread has, where that makes them smaller: items are not all the same work.
const PORTIONS: usize = 4;
/// More would wait for one disk, and for one lock in the kernel.
const MOST: usize = 8;

/// Works on all `items`, by as many threads as the machine has processors, times `per_processor`.
pub(crate) fn spread<T: Sync, R: Send>(
    items: &[T],
    per_processor: usize,
    work: &(impl Fn(&T) -> R + Sync),
) -> Vec<R> {
    if items.len() < WORTH {
        return items.iter().map(work).collect();
    }
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let helpers = (processors * per_processor).min(MOST).saturating_sub(1);
    let portion = (items.len() / ((helpers + 1) * PORTIONS)).clamp(1, PORTION);
    let next = AtomicUsize::new(0);
    let portions = || {
        let mut done = Vec::new();
        loop {
            let start = next.fetch_add(portion, Ordering::Relaxed);
            let Some(rest) = items.get(start..).filter(|rest| !rest.is_empty()) else { return done };
            done.push((start, rest.iter().take(portion).map(work).collect::<Vec<R>>()));
        }
    };
    let mut all = thread::scope(|scope| {
        let helpers: Vec<_> =
            (0..helpers).map_while(|_| thread::Builder::new().spawn_scoped(scope, portions).ok()).collect();
        let mut all = portions();
        for helper in helpers {
            match helper.join() {
                Ok(done) => all.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    });
    all.sort_unstable_by_key(|(start, _)| *start);
    all.into_iter().flat_map(|(_, done)| done).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_in_order_whatever_the_number() {
        for count in [0, 1, WORTH - 1, WORTH, 1000, 1001] {
            let items: Vec<usize> = (0..count).collect();
            let expected: Vec<usize> = (0..count).map(|n| n * 3).collect();
            assert_eq!(spread(&items, 2, &|n| n * 3), expected, "{count}");
        }
    }
}
