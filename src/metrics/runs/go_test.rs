//! `go test`, as text with `-v` or without, and with `-json`: tests and subtests by name, and the verdict of packages.
//!
//! Without `-v` Go names only what failed. A test that has subtests is counted by them.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::{Run, Tests};
use crate::metrics::{NAMES, Outcome};

#[derive(Default)]
pub(super) struct GoTest {
    /// Results in the order of arrival; the package is filled in when its verdict comes.
    waiting: Vec<(String, Outcome)>,
    done: Vec<(String, Outcome)>,
    packages: u64,
    /// Packages that could not be built or broke off.
    broken: u64,
    json: bool,
    /// It was asked for every test.
    verbose: bool,
}

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(rename = "Action", borrow)]
    action: std::borrow::Cow<'a, str>,
    #[serde(rename = "Package", borrow, default)]
    package: std::borrow::Cow<'a, str>,
    #[serde(rename = "Test", borrow, default)]
    test: Option<std::borrow::Cow<'a, str>>,
}

impl Run for GoTest {
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
                Some("PASS") => Outcome::Passed,
                Some("FAIL") => Outcome::Failed,
                Some("SKIP") => Outcome::Skipped,
                _ => return,
            };
            let name = rest.split(": ").nth(1).unwrap_or_default().split(" (").next().unwrap_or_default();
            if self.waiting.len() < NAMES {
                self.waiting.push((name.to_owned(), outcome));
            }
            return;
        }
        let mut columns = line.split('\t');
        match (columns.next().map(str::trim_end), columns.next(), columns.next()) {
            (Some("ok"), Some(package), _) => self.package(package),
            (Some("FAIL"), Some(package), told) => {
                let failed = self.waiting.iter().any(|(_, outcome)| *outcome == Outcome::Failed);
                let builds =
                    !package.ends_with("failed]") && !told.is_some_and(|told| told.contains("failed]"));
                self.broken += u64::from(!failed || !builds);
                self.package(package.split(' ').next().unwrap_or(package));
            }
            _ => {}
        }
    }

    fn end(mut self: Box<Self>) -> Option<Tests> {
        self.package("");
        self.packages -= 1;
        let parents: BTreeSet<String> = self
            .done
            .iter()
            .filter_map(|(name, _)| name.rsplit_once('/').map(|(parent, _)| parent.to_owned()))
            .collect();
        let mut tests = Tests::default();
        for (name, outcome) in self.done.iter().filter(|(name, _)| !parents.contains(name)) {
            tests.add(name, *outcome);
        }
        tests.failed += self.broken;
        tests.partial = !self.json && !self.verbose;
        (self.packages > 0 || tests.total() > 0).then_some(tests)
    }
}

impl GoTest {
    fn event(&mut self, line: &str) {
        let Ok(event) = serde_json::from_str::<Event>(line) else { return };
        let outcome = match event.action.as_ref() {
            "pass" => Outcome::Passed,
            "fail" => Outcome::Failed,
            "skip" => Outcome::Skipped,
            _ => return,
        };
        self.json = true;
        match event.test {
            Some(test) if self.done.len() < NAMES => {
                self.done.push((format!("{}.{test}", event.package), outcome));
            }
            Some(_) => {}
            None => {
                let prefix = format!("{}.", event.package);
                let told =
                    self.done.iter().any(|(name, is)| *is == Outcome::Failed && name.starts_with(&prefix));
                self.broken += u64::from(outcome == Outcome::Failed && !told);
                self.packages += 1;
            }
        }
    }

    fn package(&mut self, package: &str) {
        self.packages += 1;
        let named = |name: String| if package.is_empty() { name } else { format!("{package}.{name}") };
        let waiting = std::mem::take(&mut self.waiting);
        self.done.extend(waiting.into_iter().map(|(name, outcome)| (named(name), outcome)));
    }
}
