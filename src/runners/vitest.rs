//! Vitest: `Tests  1 failed | 3 passed (4)`, the names that it prints, below their file or in full, and blocks of
//! ` FAIL  file > suite > test`.

use crate::metrics::{ResultReader, TestOutcome, Tests};
use crate::runners::counts::{add, before, together, untimed};
use crate::runners::executed;
use crate::runners::failure::{TestFailure, error_class, last, place_in_stack, quoted};
use crate::runners::listing::starts;
use crate::runners::model::{
    Ecosystem, ListForm, ListSoFar, Naming, OutputReader, ProjectFiles, Runner, RunnerCommands,
    RunnerProgram, RunnerWords, TestLister, ToolConfiguration, WeakeningSettings,
};
use crate::runners::options::{Weakens, any, weakening};

const PACKAGE_RUNNERS: &[&str] = &["vitest", "npm", "pnpm", "yarn"];

/// The runner.
pub(crate) static RUNNER: Runner = Runner {
    name: "vitest",
    programs: &[RunnerProgram::always(&["vitest"])],
    words: RunnerWords::all(&["vitest"]),
    ecosystem: Ecosystem::Node,
    project: Some(project),
    list: Some(TestLister {
        of: Some(OutputReader { turn: 30, read: list_of }),
        form: ListForm::Tests(listed),
        known_by_form: Some(40),
        any_exit_code: false,
    }),
    results: Some(OutputReader { turn: 50, read: || Box::new(Vitest::default()) }),
    executed: Some(OutputReader { turn: 40, read: executed }),
    failures: Some(OutputReader { turn: 30, read: failures }),
    in_parallel: true,
    alone: Some(|test| Some(format!("npx vitest run -t {}", quoted(last(test))))),
    weakenings: &[
        weakening(Weakens::LeavesTestsOut, "--exclude", PACKAGE_RUNNERS, any),
        weakening(Weakens::RewritesSnapshots, "-u", &["vitest"], any),
        weakening(Weakens::RewritesSnapshots, "--update", PACKAGE_RUNNERS, any),
        weakening(Weakens::LowersThreshold, "--coverage.thresholds", &[], any),
    ],
    configuration: &[ToolConfiguration {
        tool: "vitest",
        files: &["vitest.config.ts", "vitest.config.js", "vitest.config.mts", "vitest.config.mjs"],
        keys: &[
            ("vite.config.ts", &["test"]),
            ("vite.config.js", &["test"]),
            ("vite.config.mts", &["test"]),
            ("vite.config.mjs", &["test"]),
        ],
    }],
    settings: WeakeningSettings {
        files: &["vitest.config*", "vite.config*"],
        switches: &[("dangerouslyIgnoreUnhandledErrors", "true"), ("allowOnly", "true")],
        ..WeakeningSettings::NONE
    },
    naming: Naming {
        options: Some("--reporter=default --reporter=json --outputFile.json={report}"),
        ..Naming::NONE
    },
    ..Runner::NOTHING
};

fn project(project: &dyn ProjectFiles) -> RunnerCommands {
    if !project.depends("vitest") && !project.script_has("vitest") {
        return RunnerCommands::default();
    }
    let measures = project.depends("@vitest/coverage-v8") || project.depends("@vitest/coverage-istanbul");
    let coverage = "npx --no-install vitest run --coverage --coverage.reportOnFailure \
                    --coverage.reporter=json-summary --coverage.reportsDirectory=\"$STEADFAST_REPORTS\"";
    RunnerCommands {
        list: Some("npx --no-install vitest list".to_owned()),
        coverage: measures.then(|| coverage.to_owned()),
    }
}

fn list_of(words: &[&str]) -> Option<String> {
    let listed: Vec<&str> = words.iter().map(|word| if *word == "run" { "list" } else { word }).collect();
    starts(words, "vitest").then(|| listed.join(" "))
}

/// `src/sum.test.ts > sum > adds`.
fn listed(line: &str, list: &mut ListSoFar) {
    if line.split_once(" > ").is_some_and(|(file, _)| file.contains('.') && !file.contains(' ')) {
        list.listing.add(line);
    }
}

#[derive(Default)]
struct Vitest {
    tests: Tests,
    sum: Option<(u64, u64, u64)>,
    file: Option<String>,
}

impl ResultReader for Vitest {
    fn line(&mut self, line: &str) {
        let trimmed = line.trim();
        if let Some(counts) = trimmed.strip_prefix("Tests ").filter(|counts| counts.ends_with(')')) {
            let skipped = before(counts, "skipped").unwrap_or(0) + before(counts, "todo").unwrap_or(0);
            add(&mut self.sum, before(counts, "passed"), before(counts, "failed"), Some(skipped));
            return;
        }
        // "❯ src/sum.test.ts (4 tests | 1 failed) 6ms", "✓ src/sum.test.ts (2 tests) 3ms"
        let is_file = trimmed.contains(" (") && trimmed.contains(" test");
        if is_file
            && let Some((file, _)) = trimmed.trim_start_matches(['❯', '✓', '×', '↓', ' ']).split_once(" (")
        {
            self.file = file.contains('.').then(|| file.trim().to_owned());
            return;
        }
        let marks = [("✓ ", TestOutcome::Passed), ("× ", TestOutcome::Failed), ("↓ ", TestOutcome::Skipped)];
        let found = marks.iter().find_map(|(mark, outcome)| Some((trimmed.strip_prefix(mark)?, *outcome)));
        let Some((name, outcome)) = found else { return };
        let name = untimed(name);
        let is_full = name.split(" > ").next().is_some_and(|file| file.contains('.') && !file.contains(' '));
        match &self.file {
            _ if is_full && name.contains(" > ") => self.tests.add(name, outcome),
            Some(file) => self.tests.add(&format!("{file} > {name}"), outcome),
            None => {}
        }
    }

    fn end(self: Box<Self>) -> Option<Tests> {
        self.sum?;
        together(self.tests, self.sum)
    }
}

/// `Tests  1 failed | 4 passed (5)`
fn executed(line: &str) -> Option<u64> {
    let rest = line.strip_prefix("Tests ").filter(|rest| rest.ends_with(')'))?;
    Some(executed::before(rest, "passed").unwrap_or(0) + executed::before(rest, "failed").unwrap_or(0))
}

fn failures(lines: &[&str]) -> Vec<TestFailure> {
    if !lines.iter().any(|line| line.contains("⎯⎯") && line.contains("Failed")) {
        return Vec::new();
    }
    let name = |line: &str| {
        let name = line.trim().strip_prefix("FAIL ")?.trim();
        (line.starts_with(' ') && !name.is_empty()).then(|| name.to_owned())
    };
    let mut failures: Vec<TestFailure> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(name) = name(line) else { continue };
        let body = lines.get(at + 1..).unwrap_or_default();
        let end = body
            .iter()
            .position(|line| self::is_end(line) || line.starts_with(" FAIL "))
            .unwrap_or(body.len());
        failures.push(block(name, body.get(..end).unwrap_or_default()));
    }
    // Several tests with one error stand above one block.
    for at in (1..failures.len()).rev() {
        if let Some([one, next]) = failures.get_mut(at - 1..=at)
            && one.message.is_empty()
        {
            let test = one.test.take();
            *one = TestFailure { test, ..next.clone() };
        }
    }
    failures
}

fn is_end(line: &str) -> bool {
    line.starts_with("⎯⎯⎯")
}

fn block(name: String, body: &[&str]) -> TestFailure {
    let message = body.iter().find(|line| !line.trim().is_empty()).copied().unwrap_or_default().trim();
    let side = |sign: &str| {
        body.iter().skip(1).find_map(|line| {
            let value = line.strip_prefix(sign)?.trim();
            (!value.is_empty() && !matches!(value, "Expected" | "Received")).then(|| value.to_owned())
        })
    };
    // ` FAIL  src/sum.test.ts [ src/sum.test.ts ]`: a file that can't be loaded has no test to name.
    let is_file = name.ends_with(" ]") && name.contains(" [ ");
    TestFailure {
        test: (!is_file).then_some(name),
        message: message.to_owned(),
        expected: side("- "),
        actual: side("+ "),
        place: body.iter().find_map(|line| place_in_stack(line)),
        error_type: error_class(message),
    }
}
