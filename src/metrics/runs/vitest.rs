//! Vitest: `Tests  1 failed | 3 passed (4)`, and the names that it prints, below their file or in full.

use super::{Run, Tests, add, before, together, untimed};
use crate::metrics::Outcome;

#[derive(Default)]
pub(super) struct Vitest {
    tests: Tests,
    sum: Option<(u64, u64, u64)>,
    file: Option<String>,
}

impl Run for Vitest {
    fn line(&mut self, line: &str) {
        let trimmed = line.trim();
        if let Some(counts) = trimmed.strip_prefix("Tests ").filter(|counts| counts.ends_with(')')) {
            let skipped = before(counts, "skipped").unwrap_or(0) + before(counts, "todo").unwrap_or(0);
            add(&mut self.sum, before(counts, "passed"), before(counts, "failed"), Some(skipped));
            return;
        }
        // "❯ src/sum.test.ts (4 tests | 1 failed) 6ms", "✓ src/sum.test.ts (2 tests) 3ms"
        let is_file = trimmed.contains(" (") && trimmed.contains(" test");
        if is_file
            && let Some((file, _)) = trimmed.trim_start_matches(['❯', '✓', '×', '↓', ' ']).split_once(" (")
        {
            self.file = file.contains('.').then(|| file.trim().to_owned());
            return;
        }
        let marks = [("✓ ", Outcome::Passed), ("× ", Outcome::Failed), ("↓ ", Outcome::Skipped)];
        let found = marks.iter().find_map(|(mark, outcome)| Some((trimmed.strip_prefix(mark)?, *outcome)));
        let Some((name, outcome)) = found else { return };
        let name = untimed(name);
        let is_full = name.split(" > ").next().is_some_and(|file| file.contains('.') && !file.contains(' '));
        match &self.file {
            _ if is_full && name.contains(" > ") => self.tests.add(name, outcome),
            Some(file) => self.tests.add(&format!("{file} > {name}"), outcome),
            None => {}
        }
    }

    fn end(self: Box<Self>) -> Option<Tests> {
        self.sum?;
        together(self.tests, self.sum)
    }
}
