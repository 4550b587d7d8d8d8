//! `go test`.

mod failures;
mod results;

use crate::runners::model::{
    Ecosystem, ListForm, ListSoFar, Naming, OutputReader, Runner, RunnerCommands, RunnerProgram, TestLister,
};
use crate::runners::options::{Weakens, any, not_off, weakening, zero};

/// The runner.
pub(crate) static RUNNER: Runner = Runner {
    name: "go test",
    programs: &[RunnerProgram::with(&["go"], &["test"])],
    ecosystem: Ecosystem::Go,
    project: Some(|_| RunnerCommands {
        list: Some("go test -list '^(Test|Example|Fuzz)' ./...".to_owned()),
        coverage: Some("go test -coverprofile=\"$STEADFAST_REPORTS/cover.out\" ./...".to_owned()),
    }),
    list: Some(TestLister {
        of: Some(OutputReader { turn: 50, read: list_of }),
        form: ListForm::Tests(listed),
        known_by_form: Some(60),
        any_exit_code: false,
    }),
    results: Some(OutputReader { turn: 40, read: || Box::new(results::GoTest::default()) }),
    failures: Some(OutputReader { turn: 60, read: failures::read }),
    alone: Some(alone),
    weakenings: &[
        weakening(Weakens::HidesFailure, "-timeout", &["go"], zero),
        weakening(Weakens::LeavesTestsOut, "-skip", &["go"], any),
        // The usual name of the flag by which tests write their golden files.
        weakening(Weakens::RewritesSnapshots, "-update", &["go"], not_off),
    ],
    naming: Naming { variable: Some(("GOFLAGS", "-v")), ..Naming::NONE },
    ..Runner::NOTHING
};

fn alone(test: &str) -> Option<String> {
    let parts: Vec<String> = test.split('/').map(|part| format!("^{}$", part.replace('\'', "."))).collect();
    Some(format!("go test ./... -run '{}'", parts.join("/")))
}

fn list_of(words: &[&str]) -> Option<String> {
    let command = words.join(" ");
    let lists = "go test -list '^(Test|Example|Fuzz)'";
    command.starts_with("go test").then(|| command.replacen("go test", lists, 1))
}

/// Names, and their package at the end. The tests of a package that does not build are not known.
fn listed(line: &str, list: &mut ListSoFar) {
    if line.starts_with("FAIL") {
        list.is_broken = true;
    } else if let Some(of) = line.strip_prefix("ok ").or_else(|| line.strip_prefix("?")) {
        let package = of.split('\t').nth(1).unwrap_or_default();
        for name in std::mem::take(&mut list.waiting) {
            list.listing.add(&format!("{package}.{name}"));
        }
        list.said_none = true;
    } else if ["Test", "Example", "Fuzz"].iter().any(|kind| line.starts_with(kind)) && !line.contains(' ') {
        list.waiting.push(line.to_owned());
    }
}
