//! Tests of charts that helm-unittest reads: suites in YAML, each test an item that begins `- it:`.

use crate::detectors::testing::line_tests::{LineTest, LineTestLosses, LineTestReading};
use crate::languages::is_test_path;
use crate::model::finding::Change;

/// Assertions that say what a value is, and those that only say that there is one.
const EXACT: &[&str] =
    &["equal:", "equalRaw:", "contains:", "isSubset:", "lengthEqual:", "matchSnapshot:", "failedTemplate:"];
const PRESENT: &[&str] = &[
    "exists:",
    "isNotNull:",
    "isNotEmpty:",
    "isNotNullOrEmpty:",
    "notFailedTemplate:",
    "hasDocuments:",
    "isKind:",
];

/// What a change takes from a suite; `None` for any other file.
pub(super) fn losses(change: &Change) -> Option<LineTestLosses> {
    let (before, after) = (change.before.as_deref()?, change.after.as_deref().unwrap_or_default());
    let is_yaml = [".yaml", ".yml"].iter().any(|end| change.path.ends_with(end));
    if before == after || !is_yaml || !is_test_path(&change.path) || !is_suite(before) {
        return None;
    }
    let reading = LineTestReading { is_renamed: &[asks_same], is_replaced: &|_| false, is_skipped, weaker };
    Some(LineTestLosses::between(tests(before), tests(after), &reading))
}

/// Whether a test of another name asks the same places of the same documents, whatever it expects of them.
fn asks_same(old: &LineTest, new: &LineTest) -> bool {
    let asked = |test: &LineTest| -> Vec<String> {
        test.lines
            .iter()
            .filter(|line| !line.starts_with("value:") && !line.starts_with("pattern:"))
            .cloned()
            .collect()
    };
    !old.lines.is_empty() && asked(old) == asked(new)
}

fn is_suite(text: &str) -> bool {
    let has = |head: &str| text.lines().any(|line| line.trim_start().starts_with(head));
    has("tests:") && has("- it:") && has("asserts:")
}

/// The tests of a suite, with what each says.
fn tests(text: &str) -> Vec<LineTest> {
    let mut all: Vec<LineTest> = Vec::new();
    for (number, line) in (1u32..).zip(text.lines()) {
        let bare = line.trim();
        if let Some(name) = bare.strip_prefix("- it:") {
            let name = name.trim().trim_matches(['"', '\'']).to_owned();
            all.push(LineTest { name, lines: Vec::new(), line: number });
        } else if let Some(test) = all.last_mut().filter(|_| !bare.is_empty() && !bare.starts_with('#')) {
            test.lines.push(bare.to_owned());
        }
    }
    all
}

fn is_skipped(test: &LineTest) -> bool {
    test.lines.iter().any(|line| line == "skip:" || line.starts_with("skip: "))
}

/// How a test says less: fewer assertions, or one of presence in the place of one of a value.
fn weaker(old: &LineTest, new: &LineTest) -> Option<String> {
    let count = |test: &LineTest, words: &[&str]| {
        let head = |line: &String| line.trim_start_matches("- ").split(' ').next().map(str::to_owned);
        test.lines.iter().filter_map(head).filter(|it| words.contains(&it.as_str())).count()
    };
    let (was, is) = (count(old, EXACT), count(new, EXACT));
    let (had, has) = (count(old, PRESENT), count(new, PRESENT));
    match () {
        () if was > is && has > had => Some("a value would only be asked for at all".to_owned()),
        () if was + had > is + has => {
            Some(format!("{} of {} assertions would be gone", was + had - is - has, was + had))
        }
        () => None,
    }
}

#[cfg(test)]
mod tests_of_suites {
    use super::*;

    const SUITE: &str = "suite: service\ntests:\n  - it: has a port\n    asserts:\n      - equal:\n          path: spec.port\n          value: 80\n  - it: has a name\n    asserts:\n      - equal:\n          path: metadata.name\n          value: shop\n";

    fn of(after: &str) -> LineTestLosses {
        let change = Change {
            path: "charts/shop/tests/service_test.yaml".to_owned(),
            before: Some(SUITE.to_owned()),
            after: Some(after.to_owned()),
        };
        losses(&change).unwrap()
    }

    #[test]
    fn what_a_suite_loses_is_told() {
        let (first, _) = SUITE.split_once("  - it: has a name").unwrap();
        assert_eq!(of(first).gone.len(), 1);
        let weak = SUITE.replacen("equal:", "isNotNull:", 1).replacen("          value: 80\n", "", 1);
        assert!(of(&weak).weaker.is_some());
        assert_eq!(
            of(&SUITE.replace(
                "    asserts:\n      - equal:\n          path: spec",
                "    skip:\n      reason: later\n    asserts:\n      - equal:\n          path: spec"
            ))
            .skipped
            .len(),
            1
        );
        let same = of(&SUITE.replace("has a port", "has its port").replace("80", "8080"));
        assert!(same.gone.is_empty() && same.weaker.is_none());
    }
}
