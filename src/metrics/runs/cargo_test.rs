//! `cargo test`: `test name ... ok`, and `test result: …` for each binary.
//!
//! What a binary's output shows indented is another run inside of it, as nextest quotes it.

use super::{Run, Tests, add, before, together};
use crate::metrics::Outcome;

#[derive(Default)]
pub(super) struct CargoTest {
    tests: Tests,
    sum: Option<(u64, u64, u64)>,
    /// The binary, which tells tests of one name apart.
    binary: String,
}

impl Run for CargoTest {
    fn line(&mut self, line: &str) {
        if let Some(result) = line.strip_prefix("test result: ") {
            add(&mut self.sum, before(result, "passed"), before(result, "failed"), before(result, "ignored"));
        } else if let Some(test) = line.strip_prefix("test ") {
            self.test(test);
        } else if let Some(running) = line.trim_start().strip_prefix("Running ") {
            let path = running.strip_prefix("unittests ").unwrap_or(running);
            self.binary = path.split(" (").next().unwrap_or_default().trim().to_owned();
        } else if let Some(of) = line.trim_start().strip_prefix("Doc-tests ") {
            self.binary = format!("doc {of}");
        }
    }

    fn end(self: Box<Self>) -> Option<Tests> {
        together(self.tests, self.sum)
    }
}

impl CargoTest {
    fn test(&mut self, test: &str) {
        let Some((name, verdict)) = test.rsplit_once(" ... ") else { return };
        let outcome = match verdict.split([' ', ',']).next() {
            Some("ok") => Outcome::Passed,
            Some("FAILED" | "failed") => Outcome::Failed,
            Some("ignored") => Outcome::Skipped,
            _ => return,
        };
        let name = name.strip_suffix(" - should panic").unwrap_or(name);
        let full = if self.binary.is_empty() { name.to_owned() } else { format!("{} > {name}", self.binary) };
        self.tests.add(&full, outcome);
    }
}
