//! `dart test` and `flutter test`: a line for each test that begins, `00:01 +2 ~1 -1: test/cart_test.dart: cart adds`, one
//! that ends in `[E]` for each failure with what was expected below it, and the counts in front of how it ended.

use crate::metrics::{ResultReader, TestOutcome};
use crate::runners::failure::{TestFailure, error_class, labelled, quoted, shorten};
use crate::runners::model::{OutputReader, Runner, RunnerProgram, ToolConfiguration, WeakeningSettings};
use crate::runners::options::{Weakens, any, weakening};
use crate::runners::summary::{Summary, Told};

/// The runner.
pub(crate) static RUNNER: Runner = Runner {
    name: "dart test",
    programs: &[
        RunnerProgram::with(&["dart", "flutter", "very_good"], &["test"]),
        RunnerProgram::with(&["patrol"], &["test"]).may_change_files(),
    ],
    results: Some(OutputReader { turn: 156, read: results }),
    executed: Some(OutputReader { turn: 97, read: executed }),
    failures: Some(OutputReader { turn: 160, read: failures }),
    alone: Some(|test| Some(format!("dart test --plain-name {}", quoted(title(test))))),
    weakenings: &[
        weakening(Weakens::LeavesTestsOut, "--exclude-tags", &["dart", "flutter", "very_good"], any),
        weakening(Weakens::LeavesTestsOut, "-x", &["dart", "flutter", "very_good"], any),
        weakening(Weakens::RewritesSnapshots, "--update-goldens", &[], any),
    ],
    configuration: &[
        ToolConfiguration { tool: "dart", files: &["dart_test.yaml"], keys: &[] },
        ToolConfiguration {
            tool: "flutter",
            files: &["dart_test.yaml", "test/flutter_test_config.dart"],
            keys: &[],
        },
    ],
    settings: WeakeningSettings { files: &["dart_test.yaml"], ..WeakeningSettings::NONE },
    ..Runner::NOTHING
};

/// How a run ends, behind its counts.
const ENDINGS: &[&str] = &[
    "All tests passed!",
    "All other tests passed!",
    "Some tests failed.",
    "All tests skipped.",
    "No tests ran.",
    "No tests were found.",
];
/// Frames of what is no code of the project.
const FOREIGN: &[&str] = &["package:", "dart:", "org-dartlang-sdk:"];

fn results() -> Box<dyn ResultReader> {
    Box::new(Summary::by(told))
}

/// A line of the runner: how many passed, were skipped and failed so far, and what follows.
fn line(text: &str) -> Option<(u64, u64, u64, &str)> {
    let (time, rest) = text.split_once(' ')?;
    let (minutes, seconds) = time.split_once(':')?;
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(minutes) || !is_number(seconds) || seconds.len() != 2 {
        return None;
    }
    let (counts, said) = rest.split_once(": ")?;
    let (mut passed, mut skipped, mut failed) = (None, 0, 0);
    for word in counts.split(' ') {
        let number = || word.get(1..)?.parse().ok();
        match word.as_bytes().first()? {
            b'+' => passed = Some(number()?),
            b'~' => skipped = number()?,
            b'-' => failed = number()?,
            _ => return None,
        }
    }
    Some((passed?, skipped, failed, said))
}

fn told(text: &str) -> Option<Told> {
    let (passed, skipped, failed, said) = line(text)?;
    if ENDINGS.contains(&said) {
        return Some(Told::Counts(passed, failed, skipped));
    }
    Some(Told::Named(said.strip_suffix(" [E]")?.to_owned(), TestOutcome::Failed))
}

fn executed(text: &str) -> Option<u64> {
    let (passed, _, failed, _) = line(text).filter(|(.., said)| ENDINGS.contains(said))?;
    Some(passed + failed)
}

/// The test's own name: without the file that stands in front.
fn title(test: &str) -> &str {
    test.split_once(".dart: ").map_or(test, |(_, title)| title)
}

/// What stands below a line that ends in `[E]`, up to the runner's next line.
fn failures(lines: &[&str]) -> Vec<TestFailure> {
    let mut found = Vec::new();
    for (at, text) in lines.iter().enumerate() {
        let Some(test) = line(text).and_then(|(.., said)| said.strip_suffix(" [E]")) else { continue };
        let below = lines.get(at + 1..).unwrap_or_default();
        let own = below.iter().take_while(|it| line(it).is_none());
        found.push(failure(test, &own.copied().collect::<Vec<_>>()));
    }
    found
}

fn failure(test: &str, below: &[&str]) -> TestFailure {
    let find = |label: &str| below.iter().find_map(|it| labelled(it, label));
    let (expected, actual) = (find("Expected:"), find("Actual:"));
    let said = below.iter().map(|it| it.trim()).find(|it| !it.is_empty());
    let message = said.map_or_else(|| format!("{test} failed"), |it| shorten(it, 300));
    let asserts = expected.is_some().then(|| "assertion".to_owned());
    TestFailure {
        test: Some(test.to_owned()),
        error_type: asserts.or_else(|| error_class(&message)),
        place: below.iter().find_map(|it| place(it)),
        message,
        expected,
        actual,
    }
}

/// `test/cart_test.dart:6` of `  test/cart_test.dart 6:5  main.<fn>`.
fn place(text: &str) -> Option<String> {
    let mut words = text.split_whitespace();
    let (path, at) = (words.next()?, words.next()?);
    let is_own = path.ends_with(".dart") && !FOREIGN.iter().any(|head| path.starts_with(head));
    let (number, column) = at.split_once(':')?;
    let is_number = |it: &str| it.parse::<u32>().is_ok();
    (is_own && is_number(number) && is_number(column)).then(|| format!("{path}:{number}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runners::executed::executed as all_executed;
    use crate::runners::failures as all_failures;
    use crate::runners::results::printed;
    use crate::runners::{only_checks, runs_tests};

    const RUN: &str = "00:00 +0: loading test/cart_test.dart\n00:00 +0: test/cart_test.dart: cart adds\n00:00 +1: test/cart_test.dart: cart drops\n00:00 +1 -1: test/cart_test.dart: cart drops [E]\n  Expected: <3>\n    Actual: <2>\n  \n  package:matcher                                     expect\n  test/cart_test.dart 9:7                             main.<fn>.<fn>\n  \n\nTo run this test again: dart test test/cart_test.dart -p vm --plain-name 'cart drops'\n00:00 +1 -1: test/cart_test.dart: cart pays\n00:00 +1 -2: test/cart_test.dart: cart pays [E]\n  Bad state: closed\n  package:shop/cart.dart 12:5                         Cart.pay\n  test/cart_test.dart 14:12                           main.<fn>.<fn>\n  \n00:00 +1 -2: test/cart_test.dart: cart waits\n  Skip: later\n00:00 +1 ~1 -2: Some tests failed.\n";

    #[test]
    fn results_of_a_run() {
        let reading = printed(&mut RUN.as_bytes());
        let tests = reading.tests.unwrap();
        assert_eq!(reading.formats, ["dart test"]);
        assert_eq!((tests.passed, tests.failed, tests.skipped), (1, 2, 1));
        let failed: Vec<&str> = tests.named(TestOutcome::Failed).collect();
        assert_eq!(failed, ["test/cart_test.dart: cart drops", "test/cart_test.dart: cart pays"]);
        assert_eq!(all_executed(RUN), Some(3));
        assert_eq!(told("00:02 +7: All tests passed!"), Some(Told::Counts(7, 0, 0)));
        assert_eq!(told("00:02 +7: All good!"), None);
        assert_eq!(told("12:30 lunch: soup"), None);
    }

    #[test]
    fn failures_of_a_run() {
        let read = all_failures::read(RUN).unwrap();
        let told: Vec<String> = read.list.iter().map(|it| format!("{it:?}")).collect();
        assert_eq!(read.list.len(), 2, "{told:?}");
        let [drops, pays] = &read.list[..] else { panic!("{told:?}") };
        assert_eq!((drops.expected.as_deref(), drops.actual.as_deref()), (Some("<3>"), Some("<2>")));
        assert_eq!(drops.place.as_deref(), Some("test/cart_test.dart:9"));
        assert_eq!(pays.message, "Bad state: closed");
        assert_eq!(pays.place.as_deref(), Some("test/cart_test.dart:14"));
        assert_eq!(
            read.source.alone("test/cart_test.dart: cart drops").as_deref(),
            Some("dart test --plain-name \"cart drops\"")
        );
    }

    #[test]
    fn what_runs_tests_and_what_weakens_a_run() {
        for program in ["dart", "flutter"] {
            assert!(runs_tests(program, "test", || false) && only_checks(program, ["test", ""]));
            assert!(!runs_tests(program, "build", || false));
            let left_out = crate::runners::weakening(program, "--exclude-tags", "slow");
            assert_eq!(left_out, Some(Weakens::LeavesTestsOut));
        }
        assert_eq!(
            crate::runners::weakening("flutter", "--update-goldens", ""),
            Some(Weakens::RewritesSnapshots)
        );
    }
}
