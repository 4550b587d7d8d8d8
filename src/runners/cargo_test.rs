//! `cargo test`: `test name ... ok`, `test result: …` for each binary, blocks of `---- name stdout ----`, and the list of
//! `failures:`.
//!
//! What a binary's output shows indented is another run inside of it, as nextest quotes it.

use crate::metrics::{ResultReader, TestOutcome, Tests};
use crate::runners::counts::{add, before, together};
use crate::runners::executed;
use crate::runners::failure::{TestFailure, labelled, place_in_stack};
use crate::runners::model::{
    Ecosystem, ListForm, ListSoFar, Naming, OutputReader, ProjectFiles, Runner, RunnerCommands,
    RunnerProgram, TestLister, ToolConfiguration, WeakeningSettings,
};
use crate::runners::options::{Weakens, any, weakening};

/// The runner.
pub(crate) static RUNNER: Runner = Runner {
    name: "cargo test",
    programs: &[
        RunnerProgram::with(&["cargo"], &["test", "t", "llvm-cov", "tarpaulin"]),
        RunnerProgram::with(&["cargo"], &["insta"]).may_change_files(),
    ],
    ecosystem: Ecosystem::Rust,
    project: Some(project),
    list: Some(TestLister {
        of: Some(OutputReader { turn: 10, read: list_of }),
        form: ListForm::Tests(listed),
        known_by_form: Some(10),
        any_exit_code: false,
    }),
    results: Some(OutputReader { turn: 10, read: || Box::new(CargoTest::default()) }),
    executed: Some(OutputReader { turn: 10, read: executed }),
    failures: Some(OutputReader { turn: 10, read: failures }),
    in_parallel: true,
    alone: Some(|test| Some(format!("cargo test {test} -- --exact"))),
    weakenings: &[
        weakening(Weakens::LeavesTestsOut, "--skip", &["cargo"], any),
        weakening(Weakens::RewritesSnapshots, "--accept", &["cargo"], any),
        weakening(Weakens::RewritesSnapshots, "accept", &["cargo"], any),
        weakening(Weakens::LowersThreshold, "--fail-under-lines", &[], any),
    ],
    snapshot_variables: &["INSTA_UPDATE"],
    configuration: &[ToolConfiguration { tool: "cargo test", files: &[], keys: MANIFEST_KEYS }],
    settings: WeakeningSettings { switches: &[("autotests", "false")], ..WeakeningSettings::NONE },
    // A binary whose tests fail would keep those behind it from running.
    naming: Naming { options: Some("--no-fail-fast"), ..Naming::NONE },
    ..Runner::NOTHING
};

/// What in a manifest, or in the configuration beside it, says which tests run and how.
pub(crate) const MANIFEST_KEYS: &[(&str, &[&str])] = &[
    (
        "Cargo.toml",
        &[
            "package.autotests",
            "lib.test",
            "lib.harness",
            "lib.doctest",
            "test.test",
            "test.harness",
            "bin.test",
            "bin.harness",
        ],
    ),
    (".cargo/config.toml", STARTED_WITH),
    (".cargo/config", STARTED_WITH),
];
/// What cargo's own configuration starts tests with, or in the place of the compiler.
const STARTED_WITH: &[&str] = &["target.*", "env", "build.rustc*", "build.target"];

fn project(project: &dyn ProjectFiles) -> RunnerCommands {
    let Some(manifest) = project.text("Cargo.toml") else { return RunnerCommands::default() };
    let whole = if manifest.lines().any(|line| line.trim() == "[workspace]") { " --workspace" } else { "" };
    let reports = "--json --summary-only --output-path \"$STEADFAST_REPORTS/llvm-cov.json\"";
    RunnerCommands {
        list: Some(format!("cargo test{whole} -- --list")),
        coverage: Some(format!("cargo llvm-cov{whole} {reports}")),
    }
}

fn list_of(words: &[&str]) -> Option<String> {
    let command = words.join(" ");
    let own = command.split(" -- ").next().unwrap_or(&command);
    command.starts_with("cargo test").then(|| format!("{own} -- --list"))
}

/// `tests::adds: test`.
fn listed(line: &str, list: &mut ListSoFar) {
    match line.strip_suffix(": test") {
        Some(name) => list.listing.add(name),
        None => list.said_none |= line.ends_with(" benchmarks") || line.ends_with(" benchmark"),
    }
}

#[derive(Default)]
struct CargoTest {
    tests: Tests,
    sum: Option<(u64, u64, u64)>,
    /// The binary, which tells tests of one name apart.
    binary: String,
}

impl ResultReader for CargoTest {
    fn line(&mut self, line: &str) {
        if let Some(result) = line.strip_prefix("test result: ") {
            add(&mut self.sum, before(result, "passed"), before(result, "failed"), before(result, "ignored"));
        } else if let Some(test) = line.strip_prefix("test ") {
            self.test(test);
        } else if let Some(running) = line.trim_start().strip_prefix("Running ") {
            let path = running.strip_prefix("unittests ").unwrap_or(running);
            self.binary = path.split(" (").next().unwrap_or_default().trim().to_owned();
        } else if let Some(of) = line.trim_start().strip_prefix("Doc-tests ") {
            self.binary = format!("doc {of}");
        }
    }

    fn end(self: Box<Self>) -> Option<Tests> {
        together(self.tests, self.sum)
    }
}

impl CargoTest {
    fn test(&mut self, test: &str) {
        let Some((name, verdict)) = test.rsplit_once(" ... ") else { return };
        let outcome = match verdict.split([' ', ',']).next() {
            Some("ok") => TestOutcome::Passed,
            Some("FAILED" | "failed") => TestOutcome::Failed,
            Some("ignored") => TestOutcome::Skipped,
            _ => return,
        };
        let name = name.strip_suffix(" - should panic").unwrap_or(name);
        let full = if self.binary.is_empty() { name.to_owned() } else { format!("{} > {name}", self.binary) };
        self.tests.add(&full, outcome);
    }
}

/// `test result: ok. 4 passed; 1 failed; 2 ignored; 0 measured; 0 filtered out`
fn executed(line: &str) -> Option<u64> {
    let rest = line.strip_prefix("test result: ")?;
    Some(executed::before(rest, "passed")? + executed::before(rest, "failed")?)
}

fn failures(lines: &[&str]) -> Vec<TestFailure> {
    if !lines.iter().any(|line| line.starts_with("test result:") || line.starts_with("---- ")) {
        return Vec::new();
    }
    let mut failures: Vec<TestFailure> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if let Some(name) = line.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" stdout ----")) {
            failures.push(block(name, lines.get(at + 1..).unwrap_or_default()));
        }
    }
    // Tests whose block is cut off are still in the list of results.
    for line in lines {
        let name = line.strip_prefix("test ").and_then(|rest| rest.strip_suffix(" ... FAILED"));
        if let Some(name) = name
            && !failures.iter().any(|failure| failure.test.as_deref() == Some(name))
        {
            let message = format!("test {name} failed");
            failures.push(TestFailure { test: Some(name.to_owned()), message, ..TestFailure::default() });
        }
    }
    failures
}

fn block(name: &str, lines: &[&str]) -> TestFailure {
    let mut failure = TestFailure { test: Some(name.to_owned()), ..TestFailure::default() };
    let mut message: Vec<&str> = Vec::new();
    let mut panicked = false;
    let mut in_trace = false;
    for line in lines {
        if line.starts_with("---- ") || *line == "failures:" || line.starts_with("note: ") {
            break;
        }
        in_trace |= line.starts_with("stack backtrace:");
        if in_trace {
            // What panics in the standard library was called from the project.
            failure.place = failure.place.or_else(|| place_in_stack(line));
        } else if line.contains("panicked at ") {
            panicked = true;
            message.clear();
            failure.place = place_in_stack(line);
        } else if let Some(value) = labelled(line, "left:") {
            failure.actual = Some(value);
        } else if let Some(value) = labelled(line, "right:") {
            failure.expected = Some(value);
        } else if !line.trim().is_empty() {
            message.push(line);
        }
    }
    // Without a panic the test returned an error, or printed what it thought.
    let told =
        if panicked { message.join(" ") } else { message.last().copied().unwrap_or_default().to_owned() };
    failure.error_type = Some(if told.starts_with("assertion") { "assertion" } else { "panic" }.to_owned());
    failure.message = if told.is_empty() { format!("test {name} failed") } else { told };
    failure
}
