//! Mocha: `1 passing (3ms)`, `1 pending`, `2 failing`, and the tree above them.

use super::{Run, Tests, together, untimed};
use crate::metrics::Outcome;

#[derive(Default)]
pub(super) struct Mocha {
    tests: Tests,
    sum: Option<(u64, u64, u64)>,
    blocks: Vec<(usize, String)>,
}

impl Run for Mocha {
    fn line(&mut self, line: &str) {
        let trimmed = line.trim_start();
        let indent = line.len() - trimmed.len();
        if let Some((count, word)) = trimmed.split_once(' ')
            && indent == 2
            && let Ok(count) = count.parse::<u64>()
        {
            let sum = match word.split(' ').next() {
                Some("passing") if word == "passing" || word.ends_with(')') => self.sum.insert((count, 0, 0)),
                Some("failing") if word == "failing" => self.sum.get_or_insert_default(),
                Some("pending") if word == "pending" => self.sum.get_or_insert_default(),
                _ => return,
            };
            match word {
                "failing" => sum.1 = count,
                "pending" => sum.2 = count,
                _ => {}
            }
            return;
        }
        if self.sum.is_none() && indent >= 2 && !trimmed.is_empty() {
            self.of_tree(indent, trimmed);
        }
    }

    fn end(self: Box<Self>) -> Option<Tests> {
        self.sum?;
        together(self.tests, self.sum)
    }
}

impl Mocha {
    fn of_tree(&mut self, indent: usize, trimmed: &str) {
        while self.blocks.last().is_some_and(|(depth, _)| *depth >= indent) {
            self.blocks.pop();
        }
        let numbered = trimmed
            .split_once(") ")
            .filter(|(count, _)| count.bytes().all(|byte| byte.is_ascii_digit()))
            .map(|(_, name)| (name, Outcome::Failed));
        let marks = [("✔ ", Outcome::Passed), ("✓ ", Outcome::Passed), ("- ", Outcome::Skipped)];
        let marked = marks.iter().find_map(|(mark, outcome)| Some((trimmed.strip_prefix(mark)?, *outcome)));
        match numbered.or(marked) {
            Some((name, outcome)) => {
                let blocks = self.blocks.iter().map(|(_, block)| block.as_str());
                let path: Vec<&str> = blocks.chain([untimed(name)]).collect();
                self.tests.add(&path.join(" > "), outcome);
            }
            None if self.blocks.len() < 50 => self.blocks.push((indent, trimmed.to_owned())),
            None => {}
        }
    }
}
