//! `dotnet test`: `Failed!  - Failed: 1, Passed: 2, Skipped: 0, Total: 3, …` for each assembly, the older
//! `Total tests: 3`, names, and `Failed Shop.Tests.CartTests.AddsUp [12 ms]` with its `Error Message:` and
//! `Stack Trace:`.

use crate::metrics::{ResultReader, TestOutcome, Tests};
use crate::runners::counts::{behind, untimed};
use crate::runners::failure::{TestFailure, error_class, labelled, place_in_stack, quoted};
use crate::runners::model::{
    ListForm, ListSoFar, OutputReader, Runner, RunnerCommands, RunnerProgram, TestLister,
};

/// The runner.
pub(crate) static RUNNER: Runner = Runner {
    name: "dotnet test",
    programs: &[RunnerProgram::with(&["dotnet"], &["test"])],
    project: Some(|project| RunnerCommands {
        list: project.has_ending(PROJECTS).then(|| "dotnet test --list-tests".to_owned()),
        ..RunnerCommands::default()
    }),
    list: Some(TestLister {
        of: None,
        form: ListForm::Tests(listed),
        known_by_form: Some(50),
        any_exit_code: false,
    }),
    results: Some(OutputReader { turn: 110, read: || Box::new(Dotnet::default()) }),
    failures: Some(OutputReader { turn: 90, read: failures }),
    in_parallel: true,
    alone: Some(|test| {
        Some(format!("dotnet test --filter {}", quoted(&format!("FullyQualifiedName={test}"))))
    }),
    ..Runner::NOTHING
};

/// Endings of a solution or a project of .NET.
pub(crate) const PROJECTS: &[&str] = &["sln", "slnx", "csproj", "fsproj"];

/// Indented names below a headline.
fn listed(line: &str, list: &mut ListSoFar) {
    if line.starts_with("The following Tests are available:") {
        list.below = true;
        list.said_none = true;
    } else if list.below && line.starts_with("    ") {
        list.listing.add(line.trim());
    } else {
        list.below &= line.trim().is_empty();
    }
}

#[derive(Default)]
struct Dotnet {
    tests: Tests,
    seen: bool,
    /// The older form goes over several lines.
    older: bool,
}

impl ResultReader for Dotnet {
    fn line(&mut self, line: &str) {
        let trimmed = line.trim();
        let verdict = ["Passed!", "Failed!", "Skipped!"].iter().any(|word| trimmed.starts_with(word));
        if verdict && trimmed.contains("Total:") {
            let number = |label| behind(trimmed, label).unwrap_or(0);
            // "Failed!  - Failed: 1": the label is the one with a colon.
            self.tests.failed += number("Failed:");
            self.tests.passed += number("Passed:");
            self.tests.skipped += number("Skipped:");
            self.seen = true;
        } else if trimmed.starts_with("Total tests: ") {
            self.older = true;
            self.seen = true;
        } else if self.older {
            let count = |label: &str| trimmed.strip_prefix(label).and_then(|count| count.trim().parse().ok());
            self.tests.passed += count("Passed:").unwrap_or(0);
            self.tests.failed += count("Failed:").unwrap_or(0);
            self.tests.skipped += count("Skipped:").unwrap_or(0);
        } else if let Some((word, name)) = trimmed.split_once(' ')
            && line.starts_with("  ")
            && untimed_dotnet(name) != name
        {
            let outcome = match word {
                "Passed" => TestOutcome::Passed,
                "Failed" => TestOutcome::Failed,
                "Skipped" => TestOutcome::Skipped,
                _ => return,
            };
            self.tests.name(untimed_dotnet(name), outcome);
        }
    }

    fn end(self: Box<Self>) -> Option<Tests> {
        self.seen.then_some(self.tests)
    }
}

/// `Shop.Tests.Adds [< 1 ms]` without the time.
fn untimed_dotnet(name: &str) -> &str {
    match name.strip_suffix(']').and_then(|name| name.rsplit_once(" [")) {
        Some((name, _)) => name,
        None => untimed(name),
    }
}

fn failures(lines: &[&str]) -> Vec<TestFailure> {
    let mut failures = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some((name, time)) = line.trim().strip_prefix("Failed ").and_then(|rest| rest.rsplit_once(" ["))
        else {
            continue;
        };
        let below = lines.get(at + 1..).unwrap_or_default();
        if !time.ends_with(']') || below.first().is_none_or(|line| line.trim() != "Error Message:") {
            continue;
        }
        let ends = |line: &str| line.trim().starts_with("Failed ") || line.trim().starts_with("Passed ");
        let body =
            below.get(1..below.iter().position(|line| ends(line)).unwrap_or(below.len())).unwrap_or_default();
        failures.push(block(name, body));
    }
    failures
}

fn block(name: &str, body: &[&str]) -> TestFailure {
    let trace = body.iter().position(|line| line.trim() == "Stack Trace:").unwrap_or(body.len());
    let told: Vec<&str> =
        body.iter().take(trace).map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
    let find = |label: &str| told.iter().find_map(|line| labelled(line, label));
    let message = told.first().copied().unwrap_or("failed");
    // xunit writes `System.Exception : message`.
    let class = error_class(&message.replacen(" : ", ": ", 1));
    let asserts =
        (message.starts_with("Assert.") || message.starts_with("Expected")).then(|| "assertion".to_owned());
    TestFailure {
        test: Some(name.to_owned()),
        message: message.to_owned(),
        expected: find("Expected:"),
        actual: find("Actual:").or_else(|| find("But was:")),
        place: body.iter().skip(trace).find_map(|line| place_in_stack(line)),
        error_type: class.or(asserts),
    }
}
