//! `cargo nextest`: `PASS [ 0.006s] (1/3) crate name`, and a `Summary`.

use crate::metrics::{ResultReader, TestOutcome, Tests};
use crate::runners::cargo_test::MANIFEST_KEYS;
use crate::runners::counts::{add, before, together};
use crate::runners::model::{
    Ecosystem, OutputReader, Runner, RunnerProgram, RunnerWords, ToolConfiguration, WeakeningSettings,
};
use crate::runners::options::{Weakens, negated, weakening};

/// The runner.
pub(crate) static RUNNER: Runner = Runner {
    name: "nextest",
    programs: &[RunnerProgram::with(&["cargo"], &["nextest"])],
    words: RunnerWords { checks: &["nextest"], ..RunnerWords::NONE },
    ecosystem: Ecosystem::Rust,
    results: Some(OutputReader { turn: 20, read: || Box::new(Nextest::default()) }),
    weakenings: &[
        weakening(Weakens::LeavesTestsOut, "-E", &["cargo"], negated),
        weakening(Weakens::LeavesTestsOut, "--filter-expr", &["cargo"], negated),
    ],
    configuration: &[ToolConfiguration {
        tool: "cargo nextest",
        files: &[".config/nextest.toml"],
        keys: MANIFEST_KEYS,
    }],
    settings: WeakeningSettings {
        files: &["nextest.toml"],
        filters: &["default-filter"],
        ..WeakeningSettings::NONE
    },
    ..Runner::NOTHING
};

#[derive(Default)]
struct Nextest {
    tests: Tests,
    sum: Option<(u64, u64, u64)>,
}

impl ResultReader for Nextest {
    fn line(&mut self, line: &str) {
        let line = line.trim_start();
        let Some((word, rest)) = line.split_once(" [") else { return };
        let Some((time, rest)) = rest.split_once("] ") else { return };
        if !time.trim().ends_with('s') {
            return;
        }
        if word.trim() == "Summary" {
            // "3 tests run: 2 passed (1 slow), 1 failed, 1 timed out, 1 skipped"
            let failed = before(rest, "failed").unwrap_or(0) + number_timed_out(rest);
            add(&mut self.sum, before(rest, "passed"), Some(failed), before(rest, "skipped"));
            return;
        }
        let outcome = match word.trim() {
            "PASS" | "LEAK" => TestOutcome::Passed,
            "FAIL" | "TIMEOUT" | "ABORT" | "SIGSEGV" | "SIGABRT" | "LEAK-FAIL" => TestOutcome::Failed,
            "SKIP" => TestOutcome::Skipped,
            _ => return,
        };
        // The list of failures at the end repeats them.
        let name = match rest.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')')) {
            Some((_, name)) => name.trim(),
            None => rest.trim(),
        };
        if !self.tests.by_name.contains_key(name) {
            self.tests.count(outcome);
        }
        self.tests.name(name, outcome);
    }

    fn end(self: Box<Self>) -> Option<Tests> {
        together(self.tests, self.sum)
    }
}

fn number_timed_out(summary: &str) -> u64 {
    let before = summary.split(" timed out").next().filter(|before| before.len() < summary.len());
    before.and_then(|before| before.rsplit(' ').next()).and_then(|count| count.parse().ok()).unwrap_or(0)
}
