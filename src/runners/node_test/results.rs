//! `node --test` with its reporter `spec`: the tree, and the counts behind `ℹ`.

use crate::metrics::{ResultReader, TestOutcome, Tests};
use crate::runners::counts::{together, untimed};

#[derive(Default)]
pub(super) struct NodeTest {
    tests: Tests,
    sum: Option<(u64, u64, u64)>,
    blocks: Vec<(usize, String)>,
}

impl ResultReader for NodeTest {
    fn line(&mut self, line: &str) {
        if let Some((word, count)) = line.strip_prefix("ℹ ").and_then(|rest| rest.split_once(' ')) {
            let Ok(count) = count.trim().parse::<u64>() else { return };
            let sum = self.sum.get_or_insert_default();
            match word {
                "pass" => sum.0 += count,
                "fail" | "cancelled" => sum.1 += count,
                "skipped" | "todo" => sum.2 += count,
                _ => {}
            }
            return;
        }
        // Below the counts stand the failures once more.
        if self.sum.is_none() {
            self.of_tree(line);
        }
    }

    fn end(self: Box<Self>) -> Option<Tests> {
        let sum = self.sum?;
        // Suites fail with their tests and stand in the tree as well: the counts are the truth.
        let counted = Tests {
            passed: sum.0,
            failed: sum.1,
            skipped: sum.2,
            by_name: self.tests.by_name,
            ..Tests::default()
        };
        together(counted, self.sum)
    }
}

impl NodeTest {
    fn of_tree(&mut self, line: &str) {
        let trimmed = line.trim_start();
        let indent = line.len() - trimmed.len();
        while self.blocks.last().is_some_and(|(depth, _)| *depth > indent) {
            self.blocks.pop();
        }
        if let Some(block) = trimmed.strip_prefix("▶ ") {
            if self.blocks.last().is_some_and(|(depth, _)| *depth == indent) {
                self.blocks.pop();
            }
            // The same line with a time ends the block.
            if untimed(block) == block && self.blocks.len() < 50 {
                self.blocks.push((indent, block.to_owned()));
            }
            return;
        }
        let marks = [("✔ ", TestOutcome::Passed), ("✖ ", TestOutcome::Failed), ("﹣ ", TestOutcome::Skipped)];
        let found = marks.iter().find_map(|(mark, outcome)| Some((trimmed.strip_prefix(mark)?, *outcome)));
        let Some((name, mut outcome)) = found else { return };
        let (name, note) = name.split_once(" # ").unwrap_or((name, ""));
        if note.starts_with("TODO") || note.starts_with("SKIP") {
            outcome = TestOutcome::Skipped;
        }
        let name = untimed(name);
        if self.blocks.last().is_some_and(|(depth, block)| *depth == indent && block == name) {
            self.blocks.pop();
            return;
        }
        let blocks = self.blocks.iter().filter(|(depth, _)| *depth < indent).map(|(_, block)| block.as_str());
        let path: Vec<&str> = blocks.chain([name]).collect();
        self.tests.add(&path.join(" > "), outcome);
    }
}
