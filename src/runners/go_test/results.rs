//! `go test`, as text with `-v` or without, and with `-json`: tests and subtests by name, and the verdict of packages.
//!
//! Without `-v` Go names only what failed. A test that has subtests is counted by them.

use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

use crate::metrics::{ResultReader, TestOutcome, Tests, short};

/// So many results wait for their package's verdict; of a larger one the first are counted before it.
const WAITING: usize = 100_000;
/// Packages that run side by side; more have no verdict any more.
const MOST_PACKAGES: usize = 1_000;

#[derive(Default)]
pub(super) struct GoTest {
    /// Results in the order of arrival, by package; as text does not name it before its verdict, by an empty name.
    waiting: BTreeMap<String, Vec<(String, TestOutcome)>>,
    tests: Tests,
    packages: u64,
    /// Whether a test failed in the package of the last verdict.
    failed_by_name: bool,
    json: bool,
    /// It was asked for every test.
    verbose: bool,
}

#[derive(Deserialize)]
struct GoTestEvent<'a> {
    #[serde(rename = "Action", borrow)]
    action: std::borrow::Cow<'a, str>,
    #[serde(rename = "Package", borrow, default)]
    package: std::borrow::Cow<'a, str>,
    #[serde(rename = "Test", borrow, default)]
    test: Option<std::borrow::Cow<'a, str>>,
}

impl ResultReader for GoTest {
    fn line(&mut self, line: &str) {
        if line.starts_with('{') {
            return self.event(line);
        }
        if self.json {
            return;
        }
        let trimmed = line.trim_start();
        self.verbose |= line.starts_with("=== RUN ") || trimmed.starts_with("--- PASS: ");
        if let Some(rest) = trimmed.strip_prefix("--- ") {
            let outcome = match rest.split(": ").next() {
                Some("PASS") => TestOutcome::Passed,
                Some("FAIL") => TestOutcome::Failed,
                Some("SKIP") => TestOutcome::Skipped,
                _ => return,
            };
            let name = rest.split(": ").nth(1).unwrap_or_default().split(" (").next().unwrap_or_default();
            return self.result("", name, outcome);
        }
        let mut columns = line.split('\t');
        match (columns.next().map(str::trim_end), columns.next(), columns.next()) {
            (Some("ok"), Some(package), _) => self.package("", package, false),
            (Some("FAIL"), Some(package), told) => {
                let builds =
                    !package.ends_with("failed]") && !told.is_some_and(|told| told.contains("failed]"));
                self.package("", package.split(' ').next().unwrap_or(package), true);
                self.tests.failed += u64::from(!builds && self.failed_by_name);
            }
            _ => {}
        }
    }

    fn end(mut self: Box<Self>) -> Option<Tests> {
        for package in self.waiting.keys().cloned().collect::<Vec<_>>() {
            self.count(&package, &package);
        }
        self.tests.partial = !self.json && !self.verbose;
        (self.packages > 0 || self.tests.total() > 0).then_some(self.tests)
    }
}

impl GoTest {
    fn event(&mut self, line: &str) {
        let Ok(event) = serde_json::from_str::<GoTestEvent>(line) else { return };
        let outcome = match event.action.as_ref() {
            "pass" => TestOutcome::Passed,
            "fail" => TestOutcome::Failed,
            "skip" => TestOutcome::Skipped,
            _ => return,
        };
        self.json = true;
        match event.test {
            Some(test) => self.result(&event.package, &test, outcome),
            None => self.package(&event.package, &event.package, outcome == TestOutcome::Failed),
        }
    }

    fn result(&mut self, package: &str, name: &str, outcome: TestOutcome) {
        let waiting = self.waiting.entry(short(package).to_owned()).or_default();
        waiting.push((short(name).to_owned(), outcome));
        if waiting.len() >= WAITING || self.waiting.len() > MOST_PACKAGES {
            self.count(package, package);
        }
    }

    /// A package's verdict. One that failed without a test that did could not be built, or broke off.
    fn package(&mut self, waits_as: &str, package: &str, failed: bool) {
        self.packages += 1;
        self.failed_by_name = self.count(waits_as, package);
        self.tests.failed += u64::from(failed && !self.failed_by_name);
    }

    /// Counts what waits; answers whether a test failed in it.
    fn count(&mut self, waits_as: &str, package: &str) -> bool {
        let results = self.waiting.remove(short(waits_as)).unwrap_or_default();
        let parents: BTreeSet<&str> =
            results.iter().filter_map(|(name, _)| Some(name.rsplit_once('/')?.0)).collect();
        for (name, outcome) in results.iter().filter(|(name, _)| !parents.contains(name.as_str())) {
            let full = if package.is_empty() { name.clone() } else { format!("{package}.{name}") };
            self.tests.add(&full, *outcome);
        }
        results.iter().any(|(_, outcome)| *outcome == TestOutcome::Failed)
    }
}
