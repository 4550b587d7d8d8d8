//! Work that a function does no more, of which a test of the project tells that it is asked: the test calls the function, or
//! one that calls it, and stays as it is.

use std::collections::BTreeSet;

use crate::languages::{Language, ParsedSource, file_name, subject};
use crate::lifecycle::changes::searched_tests::in_tests_with;
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::finding::{Change, Finding, Severity};
use crate::model::words::{has_word, is_name_part};

/// The pattern of work that goes.
const REMOVAL: &str = "LP-F001";
/// What is said of work that is missed where its function is asked.
const MISSED: &[&str] = &[
    "would do less: nothing of it would call",
    "would not be done any more, with nothing in its place",
    "and pay no heed to it",
    "nothing would go through",
];
/// So many calls stand between a function and the one that a test calls.
const HOPS: usize = 2;
/// A shorter name is nobody's own.
const SHORT: usize = 3;

/// Makes advice about work that goes a question where a test of the file calls its function.
pub(super) fn confirm_asked(context: &HookContext, changes: &[Change], findings: &mut [Finding]) {
    let is_meant = |it: &&mut Finding| {
        it.pattern_id == REMOVAL
            && it.severity == Severity::Medium
            && MISSED.iter().any(|said| it.what.contains(said))
    };
    for finding in findings.iter_mut().filter(is_meant) {
        let Some(change) = changes.iter().find(|change| change.path == finding.path) else { continue };
        let names = asking(change, &finding.lost);
        let words: Vec<&str> = names.iter().map(String::as_str).collect();
        let asked = |test: &str| names.iter().find(|name| calls(test, name)).cloned();
        let of_file = |test: &str| is_about(test, &change.path).then(|| asked(test)).flatten();
        if !words.is_empty()
            && let Some((test, name)) = in_tests_with(context, &words, of_file)
        {
            finding.severity = Severity::High;
            finding.what = format!("{}, while `{test}` calls `{name}`", finding.what);
        }
    }
}

/// The functions of a file that do what some functions do: themselves, and those that call them.
fn asking(change: &Change, names: &[String]) -> BTreeSet<String> {
    let is_name = |name: &&String| name.len() >= SHORT && name.chars().all(|c| is_name_part(c) || c == '?');
    let mut known: BTreeSet<String> = names.iter().filter(is_name).cloned().collect();
    let text = change.before.as_deref().unwrap_or_default();
    let Some(language) = Language::of_path(&change.path) else { return known };
    let source = ParsedSource::new(language, text);
    let Some(code) = source.code() else { return known };
    for _ in 0..HOPS {
        let last = |callee: &str| callee.rsplit(['.', ':', '>']).next().unwrap_or_default().to_owned();
        let callers = code.calls.iter().filter(|call| known.contains(&last(call.callee)));
        let owners: Vec<String> = callers
            .filter_map(|call| Some(code.functions.get(call.owner?)?.name.to_owned()))
            .filter(|name| name.len() >= SHORT)
            .collect();
        known.extend(owners);
    }
    known
}

/// Whether a text of tests calls a function, or asks a property of that name.
fn calls(test: &str, name: &str) -> bool {
    let is_call = |(at, _): (usize, &str)| {
        let head = test.get(..at).unwrap_or_default();
        let rest = test.get(at + name.len()..).unwrap_or_default();
        let is_whole = !head.ends_with(is_name_part) && !rest.starts_with(is_name_part);
        is_whole && (rest.starts_with(['(', '{']) || head.ends_with('.') || head.ends_with("->"))
    };
    test.match_indices(name).any(is_call)
}

/// Whether a text of tests names a file by its stem, in whatever spelling.
fn is_about(test: &str, path: &str) -> bool {
    let stem = file_name(path).split('.').next().unwrap_or_default();
    let bare = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let spelled = || {
        let own = bare(stem);
        test.split(|c: char| !is_name_part(c)).any(|word| bare(word) == own)
    };
    !stem.is_empty() && (has_word(test, stem) || spelled() || bare(test).contains(&bare(&subject(path))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_may_call_the_function_that_calls() {
        let text = "class Desk:\n    def _rank(self, rows):\n        return sorted(rows)\n\n    def best(self, rows):\n        return self._rank(rows)[0]\n";
        let change = Change { path: "desk.py".into(), before: Some(text.into()), after: None };
        let names = asking(&change, &["_rank".to_owned()]);
        assert!(names.contains("best") && names.contains("_rank"), "{names:?}");
    }

    #[test]
    fn a_call_is_told_from_a_word() {
        for (test, expected) in [
            ("assert desk.best([3]) == 3", true),
            ("expect(best([3])).toBe(3)", true),
            ("expect(log.best).toBe(3)", true),
            ("# the best of all\nassert first(3)", false),
            ("expect(bestOf(3)).toBe(3)", false),
        ] {
            assert_eq!(calls(test, "best"), expected, "{test}");
        }
    }

    #[test]
    fn a_file_is_named_in_other_spellings() {
        for (test, path, expected) in [
            ("import '../lib/ring_log.dart';", "lib/ring_log.dart", true),
            ("alias Gym.Classes", "lib/gym/classes.ex", true),
            ("RingLog log;", "lib/ring_log.dart", true),
            ("import shop.till", "shop/desk.py", false),
        ] {
            assert_eq!(is_about(test, path), expected, "{test}");
        }
    }
}
