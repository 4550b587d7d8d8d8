//! Jest: `Tests: 1 failed, 3 passed, 4 total`, and the tree of names that it prints for one file or with `--verbose`.

use super::{Run, Tests, add, before, together, untimed};
use crate::metrics::Outcome;

#[derive(Default)]
pub(super) struct Jest {
    tests: Tests,
    sum: Option<(u64, u64, u64)>,
    file: Option<String>,
    /// The blocks that are open, with their indents.
    blocks: Vec<(usize, String)>,
}

impl Run for Jest {
    fn line(&mut self, line: &str) {
        let trimmed = line.trim_start();
        if let Some(counts) = line.strip_prefix("Tests:").filter(|counts| counts.contains(" total")) {
            let skipped = before(counts, "skipped").unwrap_or(0) + before(counts, "todo").unwrap_or(0);
            add(&mut self.sum, before(counts, "passed"), before(counts, "failed"), Some(skipped));
            self.file = None;
            return;
        }
        if let Some(file) = ["PASS ", "FAIL "].iter().find_map(|word| trimmed.strip_prefix(word)) {
            let file = file.trim().split(" (").next().unwrap_or_default();
            self.file = (file.contains('.') && !file.contains(" > ") && !file.contains(' '))
                .then(|| file.trim_start_matches("./").to_owned());
            self.blocks.clear();
        } else if self.file.is_some() {
            self.of_tree(line, trimmed);
        }
    }

    fn end(self: Box<Self>) -> Option<Tests> {
        // Without its own line of totals it may be anybody's tree.
        self.sum?;
        together(self.tests, self.sum)
    }
}

impl Jest {
    fn of_tree(&mut self, line: &str, trimmed: &str) {
        if trimmed.is_empty() {
            return;
        }
        let indent = line.len() - trimmed.len();
        if indent == 0 || trimmed.starts_with('●') {
            self.file = None;
            return;
        }
        while self.blocks.last().is_some_and(|(depth, _)| *depth >= indent) {
            self.blocks.pop();
        }
        let marks = [
            ("✓ ", Outcome::Passed),
            ("√ ", Outcome::Passed),
            ("✕ ", Outcome::Failed),
            ("× ", Outcome::Failed),
            ("○ skipped ", Outcome::Skipped),
            ("✎ todo ", Outcome::Skipped),
        ];
        match marks.iter().find_map(|(mark, outcome)| Some((trimmed.strip_prefix(mark)?, *outcome))) {
            Some((name, outcome)) => {
                let blocks = self.blocks.iter().map(|(_, block)| block.as_str());
                let path = self.file.as_deref().into_iter().chain(blocks);
                let path: Vec<&str> = path.chain([untimed(name)]).collect();
                self.tests.add(&path.join(" > "), outcome);
            }
            None if self.blocks.len() < 50 => self.blocks.push((indent, trimmed.to_owned())),
            None => {}
        }
    }
}
