//! Jest: `Tests: 1 failed, 3 passed, 4 total`, the tree of names that it prints for one file or with `--verbose`, and
//! blocks of `● suite › test`.

use crate::metrics::{ResultReader, TestOutcome, Tests};
use crate::runners::counts::{add, before, together, untimed};
use crate::runners::executed;
use crate::runners::failure::{TestFailure, error_class, labelled, last, place_in_stack, quoted};
use crate::runners::listing::starts;
use crate::runners::model::{
    Ecosystem, ListForm, ListSoFar, Naming, OutputReader, ProjectFiles, Runner, RunnerCommands,
    RunnerProgram, RunnerWords, TestLister, ToolConfiguration, WeakeningSettings,
};
use crate::runners::options::{Weakens, any, weakening, zero};

/// The runner.
pub(crate) static RUNNER: Runner = Runner {
    name: "jest",
    programs: &[RunnerProgram::always(&["jest"])],
    words: RunnerWords::all(&["jest"]),
    ecosystem: Ecosystem::Node,
    project: Some(project),
    list: Some(TestLister {
        of: Some(OutputReader { turn: 40, read: list_of }),
        form: ListForm::Files(listed),
        known_by_form: None,
        any_exit_code: false,
    }),
    results: Some(OutputReader { turn: 60, read: || Box::new(Jest::default()) }),
    executed: Some(OutputReader { turn: 30, read: executed }),
    failures: Some(OutputReader { turn: 40, read: failures }),
    in_parallel: true,
    alone: Some(|test| Some(format!("npx jest -t {}", quoted(last(test))))),
    weakenings: &[
        weakening(Weakens::HidesFailure, "--passWithNoTests", &[], any),
        weakening(Weakens::HidesFailure, "--testTimeout", &[], zero),
        weakening(Weakens::LeavesTestsOut, "--testPathIgnorePatterns", &[], any),
        weakening(Weakens::RewritesSnapshots, "-u", &["jest", "npm", "pnpm", "yarn", "bun"], any),
        weakening(Weakens::RewritesSnapshots, "--updateSnapshot", &[], any),
        weakening(Weakens::LowersThreshold, "--coverageThreshold", &[], any),
    ],
    configuration: &[ToolConfiguration {
        tool: "jest",
        files: &[
            "jest.config.js",
            "jest.config.ts",
            "jest.config.mjs",
            "jest.config.cjs",
            "jest.config.json",
        ],
        keys: &[("package.json", &["jest"])],
    }],
    settings: WeakeningSettings {
        files: &["jest.config*", "package.json"],
        filters: &[
            "testPathIgnorePatterns",
            "modulePathIgnorePatterns",
            "testNamePattern",
            "testPathPattern",
        ],
        switches: &[("passWithNoTests", "true")],
        places: &["testMatch", "testRegex", "roots"],
        lines: &[],
    },
    naming: Naming { options: Some("--json --outputFile={report}"), ..Naming::NONE },
    ..Runner::NOTHING
};

fn project(project: &dyn ProjectFiles) -> RunnerCommands {
    if !project.depends("jest") && !project.script_has("jest") {
        return RunnerCommands::default();
    }
    let coverage = "npx --no-install jest --coverage --coverageReporters=json-summary \
                    --coverageDirectory=\"$STEADFAST_REPORTS\"";
    RunnerCommands {
        list: Some("npx --no-install jest --listTests".to_owned()),
        coverage: Some(coverage.to_owned()),
    }
}

fn list_of(words: &[&str]) -> Option<String> {
    starts(words, "jest").then(|| format!("{} --listTests", words.join(" ")))
}

/// A file by its whole path.
fn listed(line: &str, list: &mut ListSoFar) {
    if line.starts_with('/') || line.get(1..3) == Some(":\\") {
        list.listing.add(line);
    }
}

#[derive(Default)]
struct Jest {
    tests: Tests,
    sum: Option<(u64, u64, u64)>,
    file: Option<String>,
    /// The blocks that are open, with their indents.
    blocks: Vec<(usize, String)>,
}

impl ResultReader for Jest {
    fn line(&mut self, line: &str) {
        let trimmed = line.trim_start();
        if let Some(counts) = line.strip_prefix("Tests:").filter(|counts| counts.contains(" total")) {
            let skipped = before(counts, "skipped").unwrap_or(0) + before(counts, "todo").unwrap_or(0);
            add(&mut self.sum, before(counts, "passed"), before(counts, "failed"), Some(skipped));
            self.file = None;
            return;
        }
        if let Some(file) = ["PASS ", "FAIL "].iter().find_map(|word| trimmed.strip_prefix(word)) {
            let file = file.trim().split(" (").next().unwrap_or_default();
            self.file = (file.contains('.') && !file.contains(" > ") && !file.contains(' '))
                .then(|| file.trim_start_matches("./").to_owned());
            self.blocks.clear();
        } else if self.file.is_some() {
            self.of_tree(line, trimmed);
        }
    }

    fn end(self: Box<Self>) -> Option<Tests> {
        // Without its own line of totals it may be anybody's tree.
        self.sum?;
        together(self.tests, self.sum)
    }
}

impl Jest {
    fn of_tree(&mut self, line: &str, trimmed: &str) {
        if trimmed.is_empty() {
            return;
        }
        let indent = line.len() - trimmed.len();
        if indent == 0 || trimmed.starts_with('●') {
            self.file = None;
            return;
        }
        while self.blocks.last().is_some_and(|(depth, _)| *depth >= indent) {
            self.blocks.pop();
        }
        let marks = [
            ("✓ ", TestOutcome::Passed),
            ("√ ", TestOutcome::Passed),
            ("✕ ", TestOutcome::Failed),
            ("× ", TestOutcome::Failed),
            ("○ skipped ", TestOutcome::Skipped),
            ("✎ todo ", TestOutcome::Skipped),
        ];
        match marks.iter().find_map(|(mark, outcome)| Some((trimmed.strip_prefix(mark)?, *outcome))) {
            Some((name, outcome)) => {
                let blocks = self.blocks.iter().map(|(_, block)| block.as_str());
                let path = self.file.as_deref().into_iter().chain(blocks);
                let path: Vec<&str> = path.chain([untimed(name)]).collect();
                self.tests.add(&path.join(" > "), outcome);
            }
            None if self.blocks.len() < 50 => self.blocks.push((indent, trimmed.to_owned())),
            None => {}
        }
    }
}

/// `Tests:       1 failed, 2 skipped, 4 passed, 7 total`
fn executed(line: &str) -> Option<u64> {
    let rest = line.strip_prefix("Tests:").filter(|rest| rest.contains("total"))?;
    Some(executed::before(rest, "passed").unwrap_or(0) + executed::before(rest, "failed").unwrap_or(0))
}

fn failures(lines: &[&str]) -> Vec<TestFailure> {
    let marks = ["Test Suites:", "FAIL ", "Tests:"];
    if !lines.iter().any(|line| marks.iter().any(|mark| line.starts_with(mark))) {
        return Vec::new();
    }
    let mut failures: Vec<TestFailure> = Vec::new();
    let title = |line: &str| line.strip_prefix("  ● ").map(str::trim).map(str::to_owned);
    for (at, line) in lines.iter().enumerate() {
        let Some(name) = title(line) else { continue };
        let name = name.replace(" › ", " > ");
        // The summary at the end repeats every block.
        if name.starts_with("Console") || failures.iter().any(|failure| failure.test.as_ref() == Some(&name))
        {
            continue;
        }
        let body = lines.get(at + 1..).unwrap_or_default();
        let ends = |line: &&str| title(line).is_some() || marks.iter().any(|mark| line.starts_with(mark));
        let end = body.iter().position(ends).unwrap_or(body.len());
        failures.push(block(name, body.get(..end).unwrap_or_default()));
    }
    failures
}

fn block(name: String, body: &[&str]) -> TestFailure {
    let message = body.iter().find(|line| !line.trim().is_empty()).copied().unwrap_or_default().trim();
    let find =
        |labels: &[&str]| body.iter().find_map(|line| labels.iter().find_map(|label| labelled(line, label)));
    let matcher = message.starts_with("expect(");
    TestFailure {
        // A file that can't be loaded has no test to name.
        test: (name != "Test suite failed to run").then_some(name),
        message: message.split(" // ").next().unwrap_or(message).to_owned(),
        expected: find(&["Expected:", "Expected substring:", "Expected length:", "Expected value:"]),
        actual: find(&["Received:", "Received string:", "Received length:", "Received value:"]),
        place: body.iter().find_map(|line| place_in_stack(line)),
        error_type: error_class(message).or_else(|| matcher.then(|| "AssertionError".to_owned())),
    }
}
