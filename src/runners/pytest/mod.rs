//! pytest.

mod failures;
mod results;

use crate::runners::executed;
use crate::runners::failure::quoted;
use crate::runners::listing::starts;
use crate::runners::model::{
    Ecosystem, ListForm, ListSoFar, Naming, OutputReader, ProjectFiles, Runner, RunnerCommands,
    RunnerProgram, RunnerWords, TestLister, ToolConfiguration, WeakeningSettings,
};
use crate::runners::options::{Weakens, any, negated, weakening};

const PROGRAMS: &[&str] = &["pytest", "py.test", "python", "python3", "tox"];

/// The runner.
pub(crate) static RUNNER: Runner = Runner {
    name: "pytest",
    programs: &[RunnerProgram::always(&["pytest", "py.test"]), RunnerProgram::module("pytest")],
    words: RunnerWords { commands: &["pytest", "py.test"], ..RunnerWords::all(&["pytest"]) },
    ecosystem: Ecosystem::Python,
    project: Some(project),
    list: Some(TestLister {
        of: Some(OutputReader { turn: 20, read: list_of }),
        form: ListForm::Tests(listed),
        known_by_form: Some(20),
        any_exit_code: true,
    }),
    results: Some(OutputReader { turn: 30, read: || Box::new(results::Pytest::default()) }),
    executed: Some(OutputReader { turn: 50, read: executed }),
    failures: Some(OutputReader { turn: 20, read: failures::read }),
    alone: Some(|test| Some(format!("pytest {}", quoted(test)))),
    weakenings: &[
        weakening(Weakens::HidesFailure, "--suppress-no-test-exit-code", &[], any),
        weakening(Weakens::LeavesTestsOut, "-k", PROGRAMS, negated),
        weakening(Weakens::LeavesTestsOut, "--deselect", PROGRAMS, any),
        weakening(Weakens::LeavesTestsOut, "--ignore", PROGRAMS, any),
        weakening(Weakens::LeavesTestsOut, "--ignore-glob", PROGRAMS, any),
        weakening(Weakens::RewritesSnapshots, "--snapshot-update", &[], any),
        weakening(Weakens::RewritesSnapshots, "--inline-snapshot", &[], |value| {
            matches!(value, "fix" | "update" | "create")
        }),
        weakening(Weakens::LowersThreshold, "--cov-fail-under", &[], any),
    ],
    configuration: &[ToolConfiguration {
        tool: "pytest",
        files: &["pytest.ini", ".coveragerc"],
        keys: &[
            ("pyproject.toml", &["tool.pytest", "tool.coverage"]),
            ("setup.cfg", &["tool:pytest", "coverage*"]),
            ("tox.ini", &["pytest", "coverage*"]),
        ],
    }],
    settings: WeakeningSettings {
        files: &["pyproject.toml", "pytest.ini", "setup.cfg", "tox.ini", "conftest.py"],
        filters: &["collect_ignore", "collect_ignore_glob", "norecursedirs", "ignore_glob"],
        switches: &[("xfail_strict", "false")],
        places: &["testpaths", "python_files"],
        lines: &[],
    },
    naming: Naming { variable: Some(("PYTEST_ADDOPTS", "--junitxml={report}")), ..Naming::NONE },
    ..Runner::NOTHING
};

fn project(project: &dyn ProjectFiles) -> RunnerCommands {
    if !project.tests_begin("pytest") {
        return RunnerCommands::default();
    }
    let pytest = project.program("pytest");
    let configures_coverage =
        ["pyproject.toml", "setup.cfg", "tox.ini", "requirements-dev.txt", "requirements.txt"]
            .iter()
            .filter_map(|name| project.text(name))
            .any(|text| {
                ["pytest-cov", "[tool.coverage", "[coverage:"].iter().any(|word| text.contains(word))
            });
    let report = "--cov --cov-report=json:\"$STEADFAST_REPORTS/coverage.json\"";
    let measures = configures_coverage || project.is_file(".coveragerc");
    RunnerCommands {
        list: Some(format!("{pytest} --collect-only -q")),
        coverage: measures.then(|| format!("{pytest} -q {report}")),
    }
}

fn list_of(words: &[&str]) -> Option<String> {
    starts(words, "pytest").then(|| format!("{} --collect-only -q", words.join(" ")))
}

/// `test_shop.py::test_adds`.
fn listed(line: &str, list: &mut ListSoFar) {
    if line.contains("::") && !line.starts_with(['=', ' ', '<']) {
        list.listing.add(line);
    } else {
        list.said_none |= line.starts_with("no tests collected") || line.contains(" tests collected");
    }
}

/// `==== 1 failed, 4 passed, 2 skipped in 0.12s ====`, and the same without bars under `-q`
fn executed(line: &str) -> Option<u64> {
    let rest = line.trim_matches(['=', ' ']);
    let rest = rest.rsplit_once(" in ").filter(|(_, time)| time.starts_with(|c: char| c.is_ascii_digit()))?.0;
    let count = |what| executed::before(rest, what);
    let (passed, failed) = (count("passed"), count("failed"));
    let ran = passed.or(failed).or(count("xfailed")).or(count("error"))?;
    let both = passed.unwrap_or(0) + failed.unwrap_or(0) + count("xpassed").unwrap_or(0);
    Some(both.max(if passed.is_some() || failed.is_some() { ran } else { 0 }))
}
