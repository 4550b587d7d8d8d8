//! Which reflections are handed on: the newest that concern what is being done, as many as the kind of task takes.

use std::collections::BTreeSet;

use crate::loops::reflexion::patterns::FailurePattern;
use crate::loops::reflexion::reflection::{Reflection, TrialOutcome};
use crate::loops::task_type;
use crate::loops::task_type::TaskType;

/// The most patterns of other loops that are told.
const TOLD_PATTERNS: usize = 3;
/// Words that say nothing about a task.
const COMMON: &[&str] = &["the", "a", "an", "all", "in", "of", "to", "and", "for", "with", "it", "its", "on"];

/// The reflections of this loop that are in view for the next trial, oldest first.
pub fn in_view<'r>(all: &'r [Reflection], task: &str) -> Vec<&'r Reflection> {
    let window = task_type::window(task_type::recognise(task));
    let Some(newest) = all.last() else { return Vec::new() };
    let relevant = all.iter().filter(|one| concerns(one, newest));
    let relevant: Vec<&Reflection> = relevant.collect();
    relevant.get(relevant.len().saturating_sub(window)..).unwrap_or_default().to_vec()
}

/// Whether an earlier trial says something about where the newest stands: the same failure, a test that still fails,
/// or a file that both changed. What was mended since is history.
fn concerns(earlier: &Reflection, newest: &Reflection) -> bool {
    if earlier.outcome == TrialOutcome::Success {
        return false;
    }
    let shares = |left: &[String], right: &[String]| left.iter().any(|one| right.contains(one));
    earlier.trial_number == newest.trial_number
        || earlier.signature == newest.signature
        || shares(&earlier.failing, &newest.failing)
        || shares(&earlier.actor_output.files_modified, &newest.actor_output.files_modified)
}

/// What other loops learned that helps with this: the same failure first, then tasks of the same kind or words.
pub fn of_others<'p>(
    patterns: &'p [FailurePattern],
    loop_id: &str,
    task: &str,
    signature: Option<&str>,
) -> Vec<&'p FailurePattern> {
    let kind = task_type::recognise(task).map(TaskType::name);
    let mut fitting: Vec<(u32, &FailurePattern)> = patterns
        .iter()
        .filter(|pattern| pattern.sightings.iter().any(|sighting| sighting.loop_id != loop_id))
        .filter_map(|pattern| {
            let same = u32::from(signature == Some(pattern.signature.as_str())) * 100;
            let of_kind =
                u32::from(kind.is_some_and(|kind| pattern.task_types.iter().any(|other| other == kind))) * 10;
            let near = pattern.tasks.iter().map(|other| likeness(task, other)).max().unwrap_or(0);
            // A failure that has not come yet is told only where the task is much the same.
            (same > 0 || (of_kind > 0 && near >= 20) || near >= 50)
                .then_some((same + of_kind + near, pattern))
        })
        .collect();
    fitting.sort_by_key(|(score, pattern)| (std::cmp::Reverse(*score), std::cmp::Reverse(pattern.frequency)));
    fitting.into_iter().take(TOLD_PATTERNS).map(|(_, pattern)| pattern).collect()
}

/// How many of 100 words two tasks share.
fn likeness(left: &str, right: &str) -> u32 {
    let words = |text: &str| -> BTreeSet<String> {
        let pieces = text.split(|letter: char| !letter.is_alphanumeric()).map(str::to_lowercase);
        pieces.filter(|word| !word.is_empty() && !COMMON.contains(&word.as_str())).collect()
    };
    let (left, right) = (words(left), words(right));
    let all = left.union(&right).count();
    let shared = left.intersection(&right).count();
    u32::try_from((shared * 100).checked_div(all).unwrap_or(0)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loops::reflexion::patterns::Sighting;

    fn trial(number: u32, signature: &str, files: &[&str], failing: &[&str]) -> Reflection {
        let mut one =
            Reflection { trial_number: number, signature: signature.to_owned(), ..Reflection::default() };
        one.actor_output.files_modified = files.iter().map(|file| (*file).to_owned()).collect();
        one.failing = failing.iter().map(|test| (*test).to_owned()).collect();
        one
    }

    #[test]
    fn the_newest_that_concern_the_work_are_in_view() {
        let all = [
            trial(1, "x", &["a"], &["one", "two"]),
            trial(2, "y", &["b"], &["two"]),
            trial(3, "z", &["c"], &["three"]),
            trial(4, "y", &["d"], &["two"]),
        ];
        let seen = |task: &str| in_view(&all, task).iter().map(|one| one.trial_number).collect::<Vec<_>>();
        assert_eq!(
            seen("Fix failing tests"),
            [2, 4],
            "two for mending tests, and the third is about another one"
        );
        assert_eq!(seen("Refactor the parser"), [1, 2, 4]);
        assert_eq!(in_view(&[], "x").len(), 0);
        let over = [Reflection { outcome: TrialOutcome::Success, ..trial(1, "", &[], &[]) }];
        assert!(in_view(&over, "x").is_empty(), "a success needs no reflection");
    }

    #[test]
    fn other_loops_are_heard_where_they_are_alike() {
        let pattern = |signature: &str, task: &str, kind: &str, id: &str| FailurePattern {
            signature: signature.into(),
            tasks: vec![task.into()],
            task_types: vec![kind.into()],
            sightings: vec![Sighting { loop_id: id.into(), iteration: 1 }],
            ..FailurePattern::default()
        };
        let all = [
            pattern("s", "Migrate to ESM", "migration", "other"),
            pattern("t", "Fix the auth tests", "test fixes", "other"),
            pattern("u", "Fix the util tests", "test fixes", "me"),
        ];
        let heard = |task: &str, signature| {
            of_others(&all, "me", task, signature)
                .iter()
                .map(|one| one.signature.as_str())
                .collect::<Vec<_>>()
        };
        assert_eq!(heard("Fix the login tests", None), ["t"]);
        assert_eq!(heard("Write a poem", Some("s")), ["s"], "the same failure");
        assert!(heard("Write a poem", None).is_empty());
    }
}
