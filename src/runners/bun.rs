//! `bun test`: `(pass) cart > adds [0.03ms]` or `✓ cart > adds`, each failure's error above its `(fail)`, and the counts
//! above `Ran 7 tests across 2 files.`
//!
//! Under an agent Bun leaves out what passed: the counts are the truth.

use crate::metrics::{ResultReader, TestOutcome, Tests};
use crate::runners::counts::{add, together};
use crate::runners::failure::{TestFailure, error_class, labelled, last, place_in_stack, quoted};
use crate::runners::model::{
    Ecosystem, OutputReader, ProjectFiles, Runner, RunnerCommands, RunnerProgram, ToolConfiguration,
    WeakeningSettings,
};
use crate::runners::options::{Weakens, any, weakening};

/// The runner.
pub(crate) static RUNNER: Runner = Runner {
    name: "bun test",
    programs: &[RunnerProgram::with(&["bun"], &["test"])],
    ecosystem: Ecosystem::Node,
    project: Some(project),
    results: Some(OutputReader { turn: 140, read: || Box::new(Bun::default()) }),
    executed: Some(OutputReader { turn: 85, read: executed }),
    failures: Some(OutputReader { turn: 150, read: failures }),
    alone: Some(|test| Some(format!("bun test -t {}", quoted(last(test))))),
    weakenings: &[
        weakening(Weakens::LeavesTestsOut, "--path-ignore-patterns", &["bun"], any),
        weakening(Weakens::LeavesTestsOut, "--only", &["bun"], any),
    ],
    configuration: &[ToolConfiguration { tool: "bun", files: &[], keys: &[("bunfig.toml", &["test"])] }],
    settings: WeakeningSettings {
        files: &["bunfig.toml"],
        filters: &["pathIgnorePatterns"],
        ..WeakeningSettings::NONE
    },
    ..Runner::NOTHING
};

fn project(project: &dyn ProjectFiles) -> RunnerCommands {
    let is_bun = project.is_file("bun.lock") || project.is_file("bun.lockb");
    let has_other = project.depends("vitest") || project.depends("jest");
    let coverage = "bun test --coverage --coverage-reporter=lcov --coverage-dir=\"$STEADFAST_REPORTS\"";
    RunnerCommands {
        coverage: (is_bun && !has_other).then(|| coverage.to_owned()),
        ..RunnerCommands::default()
    }
}

#[derive(Default)]
struct Bun {
    tests: Tests,
    /// The counts so far, which stand above the line that ends them.
    counts: (u64, u64, u64),
    sum: Option<(u64, u64, u64)>,
    file: String,
}

impl ResultReader for Bun {
    fn line(&mut self, line: &str) {
        if let Some((name, outcome)) = test(line) {
            let name = if self.file.is_empty() { name.to_owned() } else { format!("{} > {name}", self.file) };
            self.tests.add(&name, outcome);
        } else if let Some(file) =
            line.strip_suffix(':').filter(|file| file.contains('.') && !file.contains(' '))
        {
            self.file = file.to_owned();
        } else if let Some((count, word)) = count(line) {
            match word {
                "pass" => self.counts.0 = count,
                "fail" => self.counts.1 = count,
                // What is thrown outside of tests.
                "error" | "errors" => self.counts.1 += count,
                "skip" | "todo" => self.counts.2 += count,
                _ => {}
            }
        } else if is_end(line) {
            let (passed, failed, skipped) = std::mem::take(&mut self.counts);
            add(&mut self.sum, Some(passed), Some(failed), Some(skipped));
        }
    }

    fn end(self: Box<Self>) -> Option<Tests> {
        self.sum?;
        together(self.tests, self.sum)
    }
}

/// ` 2 pass`
fn executed(line: &str) -> Option<u64> {
    count(line).filter(|(_, word)| matches!(*word, "pass" | "fail")).map(|(count, _)| count)
}

/// The two words of a count.
fn count(line: &str) -> Option<(u64, &str)> {
    let (count, word) = line.trim().split_once(' ')?;
    Some((count.parse().ok()?, word))
}

/// `Ran 7 tests across 2 files. [133.00ms]`
fn is_end(line: &str) -> bool {
    line.strip_prefix("Ran ").is_some_and(|rest| rest.contains(" test") && rest.contains(" across "))
}

/// The test of a line, and how it ended.
fn test(line: &str) -> Option<(&str, TestOutcome)> {
    let marks = [
        ("(pass) ", TestOutcome::Passed),
        ("(fail) ", TestOutcome::Failed),
        ("(skip) ", TestOutcome::Skipped),
        ("(todo) ", TestOutcome::Skipped),
        ("✓ ", TestOutcome::Passed),
        ("✗ ", TestOutcome::Failed),
        ("» ", TestOutcome::Skipped),
        ("✎ ", TestOutcome::Skipped),
    ];
    let (name, outcome) = marks.iter().find_map(|(mark, is)| Some((line.strip_prefix(mark)?, *is)))?;
    let untimed = name.strip_suffix("ms]").or_else(|| name.strip_suffix("s]"));
    let name = untimed.and_then(|name| name.rsplit_once(" [")).map_or(name, |(name, _)| name);
    Some((name.trim(), outcome))
}

/// An error stands above the test that it failed.
fn failures(lines: &[&str]) -> Vec<TestFailure> {
    if !lines.iter().any(|line| line.starts_with("bun test v") || is_end(line)) {
        return Vec::new();
    }
    let mut failures = Vec::new();
    let mut from = 0;
    for (at, line) in lines.iter().enumerate() {
        let Some((name, outcome)) = test(line) else { continue };
        if outcome == TestOutcome::Failed {
            failures.push(block(name, lines.get(from..at).unwrap_or_default()));
        }
        from = at + 1;
    }
    failures
}

fn block(name: &str, above: &[&str]) -> TestFailure {
    let error = above.iter().find(|line| line.starts_with("error: ") || error_class(line).is_some());
    let message = error.map(|line| line.trim_start_matches("error: ").to_owned());
    let find = |label: &str| above.iter().find_map(|line| labelled(line, label));
    let class = error.and_then(|line| error_class(line));
    let asserts = message.as_ref().is_some_and(|message| message.starts_with("expect("));
    TestFailure {
        test: Some(name.to_owned()),
        expected: find("Expected:"),
        actual: find("Received:"),
        place: above.iter().find_map(|line| place_in_stack(line)),
        error_type: class.or_else(|| asserts.then(|| "assertion".to_owned())),
        message: message.unwrap_or_else(|| format!("{name} failed")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::terminal::plain;
    use crate::runners::results::printed;
    use crate::runners::{executed as all_executed, failures as all_failures, runs_tests};

    const RUN: &str = include_str!("fixtures/results/bun.txt");
    const COLORED: &str = include_str!("fixtures/results/bun-color.txt");

    #[test]
    fn results_of_a_real_run() {
        for output in [RUN, COLORED] {
            let reading = printed(&mut output.as_bytes());
            let tests = reading.tests.unwrap();
            assert_eq!(reading.formats, ["bun test"]);
            assert_eq!((tests.passed, tests.failed, tests.skipped), (2, 3, 2));
            let failed: Vec<&str> = tests.named(TestOutcome::Failed).collect();
            assert_eq!(
                failed,
                [
                    "cart.test.ts > alone",
                    "cart.test.ts > cart > empties",
                    "cart.test.ts > cart > vat > rounds"
                ]
            );
            assert_eq!(all_executed::executed(output), Some(5), "what is skipped was not run");
        }
        // Under an agent only what failed is named.
        let quiet: String =
            RUN.lines().filter(|line| !line.starts_with("(pass)")).map(|l| format!("{l}\n")).collect();
        let tests = printed(&mut quiet.as_bytes()).tests.unwrap();
        assert_eq!((tests.passed, tests.failed, tests.skipped), (2, 3, 2));
        assert_eq!(printed(&mut b"(pass) by anybody\n 2 pass\n".as_slice()).tests, None);
    }

    #[test]
    fn failures_of_a_real_run() {
        for output in [RUN, COLORED] {
            let read = all_failures::read(&plain(output.as_bytes())).unwrap();
            let told: Vec<String> = read
                .list
                .iter()
                .map(|failure| {
                    let text = |part: &Option<String>| part.clone().unwrap_or_else(|| "-".to_owned());
                    let parts = [
                        &failure.test,
                        &failure.expected,
                        &failure.actual,
                        &failure.place,
                        &failure.error_type,
                    ];
                    format!("{} | {}", failure.message, parts.map(text).join(" | "))
                })
                .collect();
            assert_eq!(
                told,
                [
                    "expect(received).toBe(expected) | cart > empties | 1 | 0 | /home/dev/shop/cart.test.ts:4 | assertion",
                    "TypeError: null is not an object (evaluating 'null.net') | cart > vat > rounds | - | - | /home/dev/shop/cart.test.ts:8 | TypeError",
                    "expect(received).toEqual(expected) | alone | - | - | /home/dev/shop/cart.test.ts:11 | assertion",
                ]
            );
            assert_eq!(read.source.alone("cart > empties").as_deref(), Some("bun test -t \"empties\""));
        }
    }

    #[test]
    fn what_weakens_a_run() {
        assert!(runs_tests("bun", "test", || false) && !runs_tests("bun", "install", || false));
        for option in ["--path-ignore-patterns", "--only"] {
            assert_eq!(
                crate::runners::weakening("bun", option, "x"),
                Some(Weakens::LeavesTestsOut),
                "{option}"
            );
        }
        assert_eq!(crate::runners::weakening("bun", "-u", ""), Some(Weakens::RewritesSnapshots));
        assert_eq!(crate::runners::weakening("bun", "--bail", ""), None);
    }
}
