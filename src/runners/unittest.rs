//! Python's unittest and Django: blocks of `ERROR: test_x (tests.CartTest.test_x)` with a traceback.

use crate::metrics::TestOutcome;
use crate::runners::counts::behind;
use crate::runners::failure::{TestFailure, error_class};
use crate::runners::frames;
use crate::runners::model::{Ecosystem, OutputReader, Runner, RunnerProgram, RunnerWords};
use crate::runners::summary::{Summary, Told};

/// The runner.
pub(crate) static RUNNER: Runner = Runner {
    name: "unittest",
    programs: &[RunnerProgram::module("unittest")],
    words: RunnerWords::all(&["unittest"]),
    ecosystem: Ecosystem::Python,
    results: Some(OutputReader { turn: 150, read: || Box::new(Summary::by(told)) }),
    executed: Some(OutputReader { turn: 90, read: executed }),
    failures: Some(OutputReader { turn: 130, read: failures }),
    alone: Some(|test| (!test.starts_with("__main__.")).then(|| format!("python -m unittest {test}"))),
    ..Runner::NOTHING
};

/// `Ran 5 tests in 0.001s`
fn executed(line: &str) -> Option<u64> {
    line.strip_prefix("Ran ")?.split_once(" test")?.0.parse().ok()
}

/// `Ran 5 tests in 0.001s`, `FAILED (failures=2, errors=1, skipped=1)`, and the tests by name as far as they have one.
fn told(line: &str) -> Option<Told> {
    if let Some(count) = executed(line).filter(|_| line.contains(" in ") && line.ends_with('s')) {
        return Some(Told::Ran(count));
    }
    if line.starts_with("FAILED (") || line.starts_with("OK (") {
        let number = |label: &str| {
            let listed = [format!("({label}="), format!(", {label}=")];
            listed.iter().find_map(|label| behind(line, label)).unwrap_or_default()
        };
        // One that failed as it was expected to has passed.
        let failed = number("failures") + number("errors") + number("unexpected successes");
        return Some(Told::Of(failed, number("skipped")));
    }
    if let Some(title) = line.strip_prefix("ERROR: ").or_else(|| line.strip_prefix("FAIL: ")) {
        return title.contains(" (").then(|| Told::Named(test_of(title), TestOutcome::Failed));
    }
    let (title, verdict) =
        line.rsplit_once(" ... ").filter(|(title, _)| title.ends_with(')') && !title.contains('\t'))?;
    let outcome = match verdict {
        "ok" | "expected failure" => TestOutcome::Passed,
        "FAIL" | "ERROR" | "unexpected success" => TestOutcome::Failed,
        _ if verdict.starts_with("skipped") => TestOutcome::Skipped,
        _ => return None,
    };
    Some(Told::Named(test_of(title), outcome))
}

/// The test of `test_x (tests.CartTest.test_x)`: since Python 3.11 the class has the method behind it.
fn test_of(title: &str) -> String {
    let (method, rest) = title.split_once(" (").unwrap_or((title, ""));
    let class = rest.split(')').next().unwrap_or_default();
    match class {
        "" => method.to_owned(),
        class if class.ends_with(&format!(".{method}")) => class.to_owned(),
        class => format!("{class}.{method}"),
    }
}

fn failures(lines: &[&str]) -> Vec<TestFailure> {
    let is_rule = |line: &str, letter: char| line.len() >= 70 && line.chars().all(|it| it == letter);
    let mut failures = Vec::new();
    for (at, pair) in lines.windows(2).enumerate() {
        let [rule, title] = pair else { continue };
        let title = title.strip_prefix("ERROR: ").or_else(|| title.strip_prefix("FAIL: "));
        let (true, Some(title)) = (is_rule(rule, '='), title) else { continue };
        let body = lines.get(at + 3..).unwrap_or_default();
        let end = body.iter().position(|line| is_rule(line, '=') || is_rule(line, '-')).unwrap_or(body.len());
        failures.extend(block(title, body.get(..end).unwrap_or_default()));
    }
    failures
}

fn block(title: &str, body: &[&str]) -> Option<TestFailure> {
    let told =
        body.iter().rev().find(|line| !line.trim().is_empty() && !line.starts_with(char::is_whitespace))?;
    let mut own = body.iter().filter_map(|line| frames::of(line)).filter(|frame| frame.own);
    Some(TestFailure {
        test: Some(test_of(title)),
        message: (*told).to_owned(),
        place: own.next_back().map(|frame| frame.place),
        error_type: error_class(told).or_else(|| {
            told.split(": ").next().map(|class| class.rsplit('.').next().unwrap_or(class).to_owned())
        }),
        ..TestFailure::default()
    })
}

#[cfg(test)]
mod tests {
    use crate::runners::results::printed;

    #[test]
    fn what_its_summary_says_is_counted() {
        let rule = "=".repeat(70);
        let rows = [
            ("...\nRan 3 tests in 0.001s\n\nOK\n".to_owned(), (3, 0, 0), 0),
            ("Ran 1 test in 0.000s\n\nOK (skipped=1)\n".to_owned(), (0, 0, 1), 0),
            (
                format!(
                    "FE.s\n{rule}\nERROR: test_b (shop.CartTest.test_b)\n{rule}\nFAIL: test_a (shop.CartTest)\n\
                     Ran 9 tests in 1.2s\n\nFAILED (failures=1, errors=1, skipped=2, expected failures=1)\n"
                ),
                (5, 2, 2),
                2,
            ),
            (
                "test_a (shop.CartTest.test_a) ... ok\ntest_b (shop.CartTest) ... FAIL\ntest_c (shop.CartTest) ... skipped 'no'\n\
                 Ran 3 tests in 0.1s\n\nFAILED (failures=1, skipped=1)\n"
                    .to_owned(),
                (1, 1, 1),
                3,
            ),
            ("Ran 2 tests in 0.1s\n\nFAILED (unexpected successes=1)\n".to_owned(), (1, 1, 0), 0),
        ];
        for (output, counts, names) in rows {
            let tests = printed(&mut output.as_bytes()).tests.unwrap();
            assert_eq!((tests.passed, tests.failed, tests.skipped), counts, "{output}");
            assert_eq!(tests.by_name.len(), names, "{output}");
        }
        for other in ["FAIL: it broke", "x (y) ... ok then", "Ran 5 tests in all", ""] {
            assert_eq!(printed(&mut other.as_bytes()).tests, None, "{other}");
        }
    }
}
