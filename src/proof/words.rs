//! A proof in plain words, for a person at a gate and for the agent.

use crate::model::finding::counted;
use crate::proof::judgement::{Ending, Judgement, NoticedTest, Sum};

/// How many tests are named, and how many lines of a diff are shown of each.
const NAMED: usize = 6;
const LINES: usize = 12;

/// The table of the corners, the tests that are held against the work, and how they were changed.
pub fn in_words(judgement: &Judgement, rows: &[&NoticedTest]) -> String {
    let mut lines: Vec<String> = judgement.corners.iter().map(corner).collect();
    if !lines.is_empty() && !rows.is_empty() {
        lines.push(String::new());
    }
    for row in rows.iter().take(NAMED) {
        lines.push(format!("- {}: {}", row.test, row.kind.words()));
        lines.push(format!(
            "  old tests: {} on the old source, {} on the new; new tests: {} on the old, {} on the new",
            ending(row.old_tests_old_source),
            ending(row.old_tests_new_source),
            ending(row.new_tests_old_source),
            ending(row.new_tests_new_source),
        ));
        if !row.message.is_empty() {
            lines.push(format!("  it said: {}", row.message));
        }
        lines.extend(changed(row, judgement).lines().take(LINES).map(|line| format!("  {line}")));
    }
    if rows.len() > NAMED {
        lines.push(format!("… and {}", counted(rows.len() - NAMED, "more test")));
    }
    lines.join("\n")
}

fn corner(sum: &Sum) -> String {
    let result = if sum.passed { "pass" } else { "fail" };
    let counts = [(sum.passing, "passed"), (sum.failing, "failed"), (sum.skipped, "skipped")];
    let counts: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    let counts = if counts.is_empty() { String::new() } else { format!(" ({})", counts.join(", ")) };
    format!("{} tests on {} source: {result}{counts}", sum.tests, sum.source)
}

/// How a test was changed, or what else decides and was.
fn changed(row: &NoticedTest, judgement: &Judgement) -> String {
    if !row.diff.is_empty() {
        return format!("{}\n{}", row.file.as_deref().unwrap_or_default(), row.diff.trim_end());
    }
    let files = judgement.deciding.iter().map(|one| format!("{} ({})", one.path, one.why));
    let files: Vec<String> = files.collect();
    format!("what decides it and has changed: {}", files.join(", "))
}

fn ending(ending: Ending) -> &'static str {
    match ending {
        Ending::Passed => "passed",
        Ending::Failed => "failed",
        Ending::Skipped => "skipped",
        Ending::Missing => "did not run",
        Ending::NotRun => "not run",
    }
}
