//! How many values a line lists: texts in quotes, numbers, groups of numbers.

use crate::detectors::engine::hunks::TextHunk;

/// Whether a loop is gone.
pub(super) fn repeats(hunk: &TextHunk) -> bool {
    hunk.gone
        .iter()
        .any(|it| ["for ", "for(", "while ", "while(", "loop "].iter().any(|head| it.text.starts_with(head)))
}

/// How many numbers the longest group of them has.
pub(super) fn longest_row(line: &str) -> usize {
    let groups =
        line.split(['(', '[', '{']).skip(1).map(|it| it.split([')', ']', '}']).next().unwrap_or_default());
    let is_number = |it: &str| it.trim().trim_start_matches('-').parse::<f64>().is_ok();
    let rows = groups.map(|it| it.split([',', '|'])).filter(|it| it.clone().all(is_number));
    rows.map(Iterator::count).max().unwrap_or(0)
}

/// How many groups of at least two numbers a line has.
pub(super) fn tuples(line: &str) -> usize {
    let groups =
        line.split(['(', '[', '{']).skip(1).map(|it| it.split([')', ']', '}']).next().unwrap_or_default());
    let is_number = |it: &str| it.trim().trim_start_matches('-').parse::<f64>().is_ok();
    groups.filter(|it| it.contains(',') && it.split(',').all(is_number)).count()
}

/// The texts in quotes of a line that are no format and no sentence.
pub(super) fn literals(line: &str) -> Vec<String> {
    let quote = line.find(['"', '\'']).and_then(|at| line.get(at..at + 1)).unwrap_or("\"");
    let all = line.split(quote).skip(1).step_by(2);
    all.filter(|it| !it.is_empty() && it.len() < 30 && !it.contains(['{', '%', ' ', '$']))
        .map(|it| format!("{quote}{it}{quote}"))
        .collect()
}
