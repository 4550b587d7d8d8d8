//! Python's unittest and Django: blocks of `ERROR: test_x (tests.CartTest.test_x)` with a traceback.

use crate::runners::failure::{TestFailure, error_class};
use crate::runners::frames;
use crate::runners::model::{Ecosystem, OutputReader, Runner, RunnerProgram, RunnerWords};

/// The runner.
pub(crate) static RUNNER: Runner = Runner {
    name: "unittest",
    programs: &[RunnerProgram::module("unittest")],
    words: RunnerWords::all(&["unittest"]),
    ecosystem: Ecosystem::Python,
    executed: Some(OutputReader { turn: 90, read: executed }),
    failures: Some(OutputReader { turn: 130, read: failures }),
    alone: Some(|test| (!test.starts_with("__main__.")).then(|| format!("python -m unittest {test}"))),
    ..Runner::NOTHING
};

/// `Ran 5 tests in 0.001s`
fn executed(line: &str) -> Option<u64> {
    line.strip_prefix("Ran ")?.split_once(" test")?.0.parse().ok()
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
    let (method, class) =
        title.split_once(" (").map_or((title, ""), |(method, class)| (method, class.trim_end_matches(')')));
    // Since Python 3.11 the class has the method behind it.
    let test = match class {
        "" => method.to_owned(),
        class if class.ends_with(&format!(".{method}")) => class.to_owned(),
        class => format!("{class}.{method}"),
    };
    let told =
        body.iter().rev().find(|line| !line.trim().is_empty() && !line.starts_with(char::is_whitespace))?;
    let mut own = body.iter().filter_map(|line| frames::of(line)).filter(|frame| frame.own);
    Some(TestFailure {
        test: Some(test),
        message: (*told).to_owned(),
        place: own.next_back().map(|frame| frame.place),
        error_type: error_class(told).or_else(|| {
            told.split(": ").next().map(|class| class.rsplit('.').next().unwrap_or(class).to_owned())
        }),
        ..TestFailure::default()
    })
}
