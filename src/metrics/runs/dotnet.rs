//! `dotnet test`: `Failed!  - Failed: 1, Passed: 2, Skipped: 0, Total: 3, …` for each assembly, the older
//! `Total tests: 3`, and names.

use super::{Run, Tests, behind, untimed};
use crate::metrics::Outcome;

#[derive(Default)]
pub(super) struct Dotnet {
    tests: Tests,
    seen: bool,
    /// The older form goes over several lines.
    older: bool,
}

impl Run for Dotnet {
    fn line(&mut self, line: &str) {
        let trimmed = line.trim();
        let verdict = ["Passed!", "Failed!", "Skipped!"].iter().any(|word| trimmed.starts_with(word));
        if verdict && trimmed.contains("Total:") {
            let number = |label| behind(trimmed, label).unwrap_or(0);
            // "Failed!  - Failed: 1": the label is the one with a colon.
            self.tests.failed += number("Failed:");
            self.tests.passed += number("Passed:");
            self.tests.skipped += number("Skipped:");
            self.seen = true;
        } else if trimmed.starts_with("Total tests: ") {
            self.older = true;
            self.seen = true;
        } else if self.older {
            let count = |label: &str| trimmed.strip_prefix(label).and_then(|count| count.trim().parse().ok());
            self.tests.passed += count("Passed:").unwrap_or(0);
            self.tests.failed += count("Failed:").unwrap_or(0);
            self.tests.skipped += count("Skipped:").unwrap_or(0);
        } else if let Some((word, name)) = trimmed.split_once(' ')
            && line.starts_with("  ")
            && untimed_dotnet(name) != name
        {
            let outcome = match word {
                "Passed" => Outcome::Passed,
                "Failed" => Outcome::Failed,
                "Skipped" => Outcome::Skipped,
                _ => return,
            };
            self.tests.name(untimed_dotnet(name), outcome);
        }
    }

    fn end(self: Box<Self>) -> Option<Tests> {
        self.seen.then_some(self.tests)
    }
}

/// `Shop.Tests.Adds [< 1 ms]` without the time.
fn untimed_dotnet(name: &str) -> &str {
    match name.strip_suffix(']').and_then(|name| name.rsplit_once(" [")) {
        Some((name, _)) => name,
        None => untimed(name),
    }
}
