//! Gradle: `CartTest > parses() FAILED` with the error and its place below it.

use crate::runners::counts::before;
use crate::runners::failure::{TestFailure, error_class, indent, place_in_stack, quoted};
use crate::runners::model::{
    Naming, OutputReader, Runner, RunnerProgram, ToolConfiguration, WeakeningSettings,
};
use crate::runners::summary::{Summary, Told};

/// The runner.
pub(crate) static RUNNER: Runner = Runner {
    name: "gradle",
    programs: &[
        RunnerProgram::with(&["gradle", "gradlew"], &["test", "check", "build"]),
        RunnerProgram::with(&["gradle", "gradlew"], &["verify", "package"]).may_change_files(),
    ],
    results: Some(OutputReader { turn: 152, read: || Box::new(Summary::by(told)) }),
    failures: Some(OutputReader { turn: 80, read: failures }),
    in_parallel: true,
    alone: Some(|test| {
        let test = format!("*{}", test.replace(" > ", ".").trim_end_matches("()"));
        Some(format!("gradle test --tests {}", quoted(&test)))
    }),
    settings: WeakeningSettings {
        lines: &[
            ("build.gradle", "test.enabled=false", true),
            ("build.gradle", "ignoreFailures=true", true),
            ("build.gradle", "enabled=false", true),
            ("build.gradle.kts", "ignoreFailures=true", true),
            ("build.gradle.kts", "enabled=false", true),
            ("build.gradle", "exclude(\"**/", true),
            ("build.gradle", "exclude'**/", true),
            ("build.gradle.kts", "exclude(\"**/", true),
            ("build.gradle", "excludeTags", true),
            ("build.gradle.kts", "excludeTags", true),
            ("build.gradle", "excludeTestsMatching", true),
            ("build.gradle.kts", "excludeTestsMatching", true),
            ("build.gradle.kts", "onlyIf{false}", true),
            ("build.gradle", "onlyIf{false}", true),
            ("build.gradle.kts", "allWarningsAsErrors=false", true),
            ("build.gradle", "allWarningsAsErrors=false", true),
            ("build.gradle.kts", "allWarningsAsErrors.set(false)", true),
            ("build.gradle.kts", "warningsAsErrors=false", true),
            ("build.gradle", "warningsAsErrors=false", true),
        ],
        ..WeakeningSettings::NONE
    },
    configuration: &[ToolConfiguration { tool: "gradle", files: &[], keys: BUILD }],
    naming: Naming { reports: Some(("TEST-", "test-results")), ..Naming::NONE },
    ..Runner::NOTHING
};

/// The blocks of a build that say which tests run and how.
const BUILD: &[(&str, &[&str])] =
    &[("build.gradle", &["test", "Test", "testing"]), ("build.gradle.kts", &["test", "Test", "testing"])];

/// `12 tests completed, 3 failed, 1 skipped`, which it says where one failed.
fn told(line: &str) -> Option<Told> {
    let (first, rest) = line.split_once(" completed, ")?;
    let (count, tests) = first.split_once(' ')?;
    let all: u64 = count.parse().ok().filter(|_| matches!(tests, "test" | "tests"))?;
    let (failed, skipped) = (before(rest, "failed")?, before(rest, "skipped").unwrap_or_default());
    Some(Told::all(all, failed, skipped))
}

fn failures(lines: &[&str]) -> Vec<TestFailure> {
    let mut failures = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(name) = line.trim_end().strip_suffix(" FAILED").filter(|name| name.contains(" > ")) else {
            continue;
        };
        if line.starts_with([' ', '>']) {
            continue;
        }
        let below = lines.get(at + 1..).unwrap_or_default().iter();
        let body: Vec<&str> = below.take_while(|line| indent(line) > 0).map(|line| line.trim()).collect();
        let told = body.first().copied().unwrap_or_default();
        // Without the whole trace the place stands behind the class: `java.lang.AssertionError at CartTest.java:9`.
        let (told, short) =
            told.rsplit_once(" at ").map_or((told, None), |(told, place)| (told, Some(place)));
        let class = error_class(told).or_else(|| class_alone(told));
        let place = body.iter().find_map(|line| place_in_stack(line));
        let message = told.split_once(": ").map_or(told, |(_, message)| message);
        failures.push(TestFailure {
            test: Some(name.trim().to_owned()),
            message: if message.is_empty() { "failed".to_owned() } else { message.to_owned() },
            place: place.or_else(|| short.map(str::to_owned)),
            error_type: class,
            ..TestFailure::default()
        });
    }
    failures
}

/// `AssertionError` of `java.lang.AssertionError`.
fn class_alone(told: &str) -> Option<String> {
    let last = told.rsplit('.').next()?;
    (!told.contains(' ') && told.contains('.')).then(|| last.to_owned())
}
