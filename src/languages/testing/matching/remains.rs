//! Whether a lost test's text is still there, though it does not run.

use std::ops::Range;

use super::{Fate, Pairing};
use crate::languages::testing::outline::{Test, bare_lines};
use crate::languages::testing::similarity::{MOST, NEARLY_ALL, RELATED, TINY};

impl Pairing<'_> {
    /// Whether the test's text is still there, though it does not run.
    pub(super) fn remains(&self, test: &Test) -> Option<Fate> {
        let mut lines: Vec<u64> = bare_lines(self.source_before.get(test.span.clone())?).collect();
        lines.sort_unstable();
        lines.dedup();
        self.commented_out(&lines)
            .or_else(|| self.dead(&lines))
            .or_else(|| self.as_function(test))
            .or_else(|| self.unparsed(test))
    }

    fn commented_out(&self, lines: &[u64]) -> Option<Fate> {
        let in_comments =
            |comments: &[u64]| share(lines, |line| comments.binary_search(line).is_ok()) >= MOST;
        (in_comments(&self.after.comments) && !in_comments(&self.before.comments))
            .then_some(Fate::CommentedOut)
    }

    fn dead(&self, lines: &[u64]) -> Option<Fate> {
        let mut regions = self.after.dead.iter();
        let dead =
            regions.find(|dead| share(lines, |line| dead.lines.binary_search(line).is_ok()) >= MOST)?;
        Some(Fate::Dead(dead.why.clone()))
    }

    /// A new function that says the same: one that tests call, or one that nobody collects.
    fn as_function(&self, test: &Test) -> Option<Fate> {
        let stray = self.new_strays().find(|stray| {
            let alike = stray.body.similarity(&test.body);
            alike >= NEARLY_ALL
                || (stray.name.contains(&test.title) && (alike >= RELATED || test.body.len() < TINY))
        })?;
        let is_called = self.is_called(stray);
        Some(if is_called { Fate::Moved } else { Fate::Uncollected(stray.name.clone()) })
    }

    /// Where the parser lost its way, the text itself is asked. What other tests say as well is there less often.
    fn unparsed(&self, test: &Test) -> Option<Fate> {
        if !self.after.broken {
            return None;
        }
        let [old, new] = &self.texts;
        let is_there = |line: &u64| count(new, *line) >= count(old, *line);
        let lines: Vec<u64> = bare_lines(whole_lines(self.source_before, &test.span)).collect();
        (share(&lines, is_there) >= NEARLY_ALL).then_some(Fate::Moved)
    }
}

/// The lines that a part of a text stands in: the last one ends with more than a test, `;` or a comment.
fn whole_lines<'s>(source: &'s str, part: &Range<usize>) -> &'s str {
    let start = source.get(..part.start).and_then(|head| head.rfind('\n')).map_or(0, |at| at + 1);
    let end =
        source.get(part.end..).and_then(|rest| rest.find('\n')).map_or(source.len(), |at| part.end + at);
    source.get(start..end).unwrap_or_default()
}

/// How often a sorted list has a line.
fn count(lines: &[u64], line: u64) -> usize {
    lines.partition_point(|it| *it <= line) - lines.partition_point(|it| *it < line)
}

fn share(lines: &[u64], is_there: impl Fn(&u64) -> bool) -> f32 {
    if lines.is_empty() {
        0.0
    } else {
        lines.iter().filter(|line| is_there(line)).count() as f32 / lines.len() as f32
    }
}
