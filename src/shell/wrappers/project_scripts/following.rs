//! Tasks that name others, followed from one to another.

use std::collections::HashSet;

/// So many tasks are followed from one to another.
const MOST_TASKS: usize = 32;

/// Follows names from one to another: `run` gives the texts of a task, and the names that it needs.
pub(super) fn followed(asked: Vec<String>, run: impl Fn(&str) -> (Vec<String>, Vec<String>)) -> Vec<String> {
    let (mut waiting, mut seen, mut found) = (asked, HashSet::new(), Vec::new());
    while let Some(name) = waiting.pop() {
        if seen.len() >= MOST_TASKS || !seen.insert(name.clone()) {
            continue;
        }
        let (texts, needs) = run(&name);
        found.extend(texts);
        waiting.extend(needs);
    }
    found
}
