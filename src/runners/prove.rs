//! prove, Perl's harness, and what `make test` prints with it: `Files=4, Tests=5,` below a report of the files that
//! failed; the tests of these tell of themselves, `#   Failed test 'adds'`.
//!
//! It can't list its tests: `-D` names files, and how many tests are in one shows only when it runs.

use crate::metrics::{ResultReader, TestOutcome, Tests};
use crate::runners::counts;
use crate::runners::failure::{TestFailure, indent, labelled, quoted};
use crate::runners::model::{
    Naming, OutputReader, Runner, RunnerProgram, RunnerWords, ToolConfiguration, WeakeningSettings,
};
use crate::runners::options::{Weakens, any, weakening};
use crate::runners::tap::says_tap;

/// The runner.
pub(crate) static RUNNER: Runner = Runner {
    name: "prove",
    programs: &[RunnerProgram::always(&["prove"])],
    words: RunnerWords::all(&["prove"]),
    results: Some(OutputReader { turn: 135, read: || Box::new(ProveResults::default()) }),
    executed: Some(OutputReader { turn: 95, read: executed }),
    failures: Some(OutputReader { turn: 45, read: failures }),
    alone: Some(|test| {
        let file = test.split(" > ").next().filter(|file| file.ends_with(".t"))?;
        Some(format!("prove -lv {}", quoted(file)))
    }),
    weakenings: &[weakening(Weakens::HidesFailure, "--ignore-exit", &["prove"], any)],
    configuration: &[ToolConfiguration { tool: "prove", files: &[".proverc"], keys: &[] }],
    settings: WeakeningSettings {
        files: &[".proverc"],
        lines: &[(".proverc", "--ignore-exit", true)],
        ..WeakeningSettings::NONE
    },
    test_extensions: &["t"],
    naming: Naming { variable: Some(("HARNESS_VERBOSE", "1")), ..Naming::NONE },
    ..Runner::NOTHING
};

#[derive(Default)]
struct ProveResults {
    tests: Tests,
    /// How many ran, by the summaries of all runs.
    ran: Option<u64>,
    /// Failed tests, and how many of them count as run: a file that breaks off fails without a test.
    failed: (u64, u64),
    /// Under `-v` the tests' own lines are there, and are read as TAP.
    is_tap: bool,
}

impl ResultReader for ProveResults {
    fn line(&mut self, line: &str) {
        self.is_tap |= says_tap(line.trim_start());
        if let Some(count) = executed(line) {
            *self.ran.get_or_insert_default() += count;
        } else if let Some((file, failed)) = broken(line) {
            self.failed.0 += failed.max(1);
            self.failed.1 += failed;
            self.tests.name(file, TestOutcome::Failed);
        } else if let Some((file, outcome)) = of_file(line) {
            self.tests.name(file, outcome);
            self.tests.skipped += u64::from(outcome == TestOutcome::Skipped);
        }
    }

    fn end(mut self: Box<Self>) -> Option<Tests> {
        let ran = self.ran.filter(|_| !self.is_tap)?;
        self.tests.failed = self.failed.0;
        self.tests.passed = ran.saturating_sub(self.failed.1);
        Some(self.tests)
    }
}

/// `Files=4, Tests=5,  1 wallclock secs ( 0.00 usr …`
fn executed(line: &str) -> Option<u64> {
    let rest = line.strip_prefix("Files=")?;
    rest.contains(" wallclock secs").then(|| counts::behind(rest, "Tests="))?
}

/// `t/name.t .... ok` and `t/remote.t .. skipped: no server`, behind a time under `--timer`. Tests have no name here.
fn of_file(line: &str) -> Option<(&str, TestOutcome)> {
    let (head, said) = line.split_once(".. ")?;
    let file =
        head.trim_end_matches('.').trim_end().rsplit(' ').next().filter(|file| file.ends_with(".t"))?;
    match said.split([' ', ':']).next() {
        Some("ok") => Some((file, TestOutcome::Passed)),
        Some("skipped") => Some((file, TestOutcome::Skipped)),
        _ => None,
    }
}

/// The file, and how many of its tests failed: `t/total.t (Wstat: 512 (exited 2) Tests: 3 Failed: 2)`.
fn broken(line: &str) -> Option<(&str, u64)> {
    let (file, rest) = line.split_once(" (Wstat: ")?;
    Some((file.trim_end(), counts::behind(rest.strip_suffix(')')?, "Failed: ")?))
}

fn failures(lines: &[&str]) -> Vec<TestFailure> {
    let mut found: Vec<(usize, TestFailure)> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(failure) = failed_test(line, lines.get(at + 1..).unwrap_or_default()) else { continue };
        let depth = indent(line);
        let inside = found.iter().rev().take_while(|(deeper, _)| *deeper > depth).count();
        if inside == 0 {
            found.push((depth, failure));
            continue;
        }
        // A subtest failed by what is in it.
        let parent = failure.test.unwrap_or_default();
        let from = found.len() - inside;
        for (deeper, inner) in found.get_mut(from..).unwrap_or_default() {
            *deeper = depth;
            inner.test = inner.test.take().map(|name| format!("{parent} > {name}"));
        }
    }
    let in_files = found.into_iter().map(|(_, failure)| failure).map(in_its_file);
    let broken = lines.iter().filter_map(|line| broken(line).filter(|(_, failed)| *failed == 0));
    in_files.chain(broken.map(|(file, _)| broken_off(file, lines))).collect()
}

/// `#   Failed test 'adds'` with its place in the line below, and `#   Failed test at t/total.t line 3.`
fn failed_test(line: &str, below: &[&str]) -> Option<TestFailure> {
    let told = line.trim_start().strip_prefix("#   Failed test ")?;
    let name = told.strip_prefix('\'').and_then(|name| name.strip_suffix('\''));
    let (place, body) = match name {
        Some(_) => (below.first()?.trim_start().strip_prefix("#   ")?, below.get(1..)?),
        None => (told, below),
    };
    let place = place_of(place.strip_prefix("at ")?)?;
    let is_of_it = |line: &&&str| {
        let text = line.trim_start();
        text.starts_with("#  ") && !text.starts_with("#   Failed ")
    };
    let body: Vec<&str> = body
        .iter()
        .take_while(is_of_it)
        .map(|line| line.trim_start().trim_start_matches('#').trim())
        .collect();
    let find = |label: &str| body.iter().find_map(|line| labelled(line, label));
    let (expected, actual) = (find("expected:"), find("got:"));
    let message = match (&expected, &actual) {
        (Some(expected), Some(actual)) => format!("expected {expected}, got {actual}"),
        _ if body.is_empty() => format!("Failed test {told}"),
        _ => body.join(" "),
    };
    Some(TestFailure {
        test: Some(name.unwrap_or(&place).to_owned()),
        message,
        expected,
        actual,
        place: Some(place),
        error_type: Some("assertion".to_owned()),
    })
}

/// A test's name begins with its file, since many files have a test of one name.
fn in_its_file(failure: TestFailure) -> TestFailure {
    let file = failure.place.as_deref().and_then(|place| place.split_once(':')).map_or("", |(file, _)| file);
    let test = failure.test.as_deref().map(|name| format!("{file} > {name}"));
    TestFailure { test, ..failure }
}

/// A file that broke off: what it said where it died.
fn broken_off(file: &str, lines: &[&str]) -> TestFailure {
    let marks = format!(" at {file} line ");
    let died = lines.iter().find_map(|line| {
        let (message, rest) = line.split_once(&marks).filter(|_| !line.trim_start().starts_with('#'))?;
        Some((message.to_owned(), place_of(&format!("{file} line {rest}"))))
    });
    let (message, place) = died.unwrap_or_else(|| (format!("{file} broke off"), None));
    TestFailure { test: Some(file.to_owned()), message, place, ..TestFailure::default() }
}

/// `t/total.t:3` of `t/total.t line 3.`
fn place_of(text: &str) -> Option<String> {
    let (file, rest) = text.split_once(" line ")?;
    let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
    (!number.is_empty() && !file.contains(' ')).then(|| format!("{file}:{number}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runners::{executed as all_executed, failures as all_failures, runs_tests, weakening};

    const RUN: &str = include_str!("fixtures/results/prove.txt");
    const VERBOSE: &str = include_str!("fixtures/results/prove-v.txt");

    #[test]
    fn failures_of_a_real_run() {
        for output in [RUN, VERBOSE] {
            let read = all_failures::read(output).unwrap();
            let told: Vec<[Option<&str>; 4]> = read
                .list
                .iter()
                .map(|it| [&it.test, &it.expected, &it.actual, &it.place].map(Option::as_deref))
                .collect();
            assert_eq!(
                told,
                [
                    [Some("t/total.t > adds two prices"), Some("'3'"), Some("'-3'"), Some("t/total.t:3")],
                    [Some("t/total.t > many > is positive"), None, None, Some("t/total.t:4")],
                    [Some("t/stock.t"), None, None, Some("t/stock.t:1")],
                ]
            );
            let messages: Vec<&str> = read.list.iter().map(|failure| failure.message.as_str()).collect();
            assert_eq!(messages[0], "expected '3', got '-3'");
            assert_eq!(messages[1], "Failed test 'is positive'");
            assert!(messages[2].starts_with("Can't locate Shop/Stock.pm in @INC"), "{}", messages[2]);
        }
        assert_eq!(read_alone("t/total.t > many > is positive"), Some("prove -lv \"t/total.t\"".to_owned()));
        assert_eq!(read_alone("adds"), None);
    }

    fn read_alone(test: &str) -> Option<String> {
        RUNNER.alone.and_then(|alone| alone(test))
    }

    #[test]
    fn failures_in_other_words() {
        let output = "#   Failed test at t/list.t line 7.\n#     Structures begin differing at:\n#          $got->[0] = '1'\n\
                      #     $expected->[0] = '2'\n# Looks like you failed 1 test of 1.\n\
                      #   Failed (TODO) test 'later'\n#   at t/list.t line 9.\n";
        let [failure] = &failures(&output.lines().collect::<Vec<_>>())[..] else { panic!("one failure") };
        assert_eq!(failure.test.as_deref(), Some("t/list.t > t/list.t:7"));
        assert_eq!(failure.message, "Structures begin differing at: $got->[0] = '1' $expected->[0] = '2'");
        assert_eq!(failures(&["# Failed test of my patience", "  Failed test 'x'"]), []);
    }

    #[test]
    fn a_run_is_told_and_what_hides_its_failure() {
        assert!(runs_tests("prove", "-lr", || false));
        assert!(weakening("prove", "--ignore-exit", "").is_some());
        for output in [RUN, VERBOSE] {
            assert_eq!(all_executed::executed(output), Some(5));
        }
        assert_eq!(all_executed::executed("Files=2, Tests=4, and more"), None);
    }
}
