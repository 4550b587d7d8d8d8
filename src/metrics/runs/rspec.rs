//! RSpec: `3 examples, 1 failure, 1 pending`, and the failed examples by name.

use super::{Run, Tests};
use crate::metrics::Outcome;

#[derive(Default)]
pub(super) struct Rspec {
    tests: Tests,
    seen: bool,
}

impl Run for Rspec {
    fn line(&mut self, line: &str) {
        if let Some((total, failed, pending, outside)) = summary(line) {
            self.seen = true;
            self.tests.passed += total.saturating_sub(failed + pending);
            self.tests.failed += failed + outside;
            self.tests.skipped += pending;
        } else if let Some((place, name)) =
            line.strip_prefix("rspec ").and_then(|rest| rest.split_once(" # "))
            && (place.contains(':') || place.contains('['))
        {
            self.tests.name(name, Outcome::Failed);
        }
    }

    fn end(self: Box<Self>) -> Option<Tests> {
        self.seen.then_some(self.tests)
    }
}

/// Examples, failures, pending ones, and errors outside of examples.
fn summary(line: &str) -> Option<(u64, u64, u64, u64)> {
    let mut parts = line.split(", ");
    let number = |part: &str, words: &[&str]| {
        let (count, word) = part.split_once(' ')?;
        words.contains(&word).then(|| count.parse::<u64>().ok()).flatten()
    };
    let total = number(parts.next()?, &["examples", "example"])?;
    let failed = number(parts.next()?, &["failures", "failure"])?;
    let (mut pending, mut outside) = (0, 0);
    for part in parts {
        if let Some(count) = number(part, &["pending"]) {
            pending = count;
        } else {
            let words = ["errors occurred outside of examples", "error occurred outside of examples"];
            outside = number(part, &words)?;
        }
    }
    Some((total, failed, pending, outside))
}
