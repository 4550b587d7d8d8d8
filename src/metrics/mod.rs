//! What the tools of a project report: test results, coverage, errors of types and style, one file for each format.
//!
//! Pure and total: readers take bytes as they come, keep a bounded part of them, and say what they could not read.
//! No number is made up: what a report does not tell is `None`.

use std::collections::BTreeMap;
use std::io::BufRead;

use serde::{Deserialize, Serialize};

pub mod coverage;
mod documents;
mod jest_json;
mod json;
mod junit;
mod linters;
mod mocha_json;
mod rspec_json;
mod sieve;
pub mod terminal;
pub mod transcript;
mod trx;
mod xml;

/// How many tests are kept by name; more are counted.
pub const NAMES: usize = 20_000;

/// How much of a test's name is kept, in bytes.
const LONGEST_NAME: usize = 1_000;

/// A name, or its beginning when it is too long to keep.
pub(crate) fn short(name: &str) -> &str {
    let end = (0..=LONGEST_NAME.min(name.len())).rev().find(|at| name.is_char_boundary(*at));
    name.get(..end.unwrap_or_default()).unwrap_or_default()
}

/// What one output or report told.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ReportReading {
    /// The formats that were recognised.
    pub formats: Vec<String>,
    /// Test results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tests: Option<Tests>,
    /// The total coverage as the tool itself gives it, percent: of lines, or of statements where it counts those.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<f64>,
    /// The coverage of branches, percent, where the tool counts them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branches: Option<f64>,
    /// Errors and warnings of a type checker.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub types: Option<Problems>,
    /// Errors and warnings of a linter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lint: Option<Problems>,
    /// What could not be read, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
}

/// The results of a test run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Tests {
    /// Tests that passed, or failed as they were expected to.
    pub passed: u64,
    /// Tests that failed or broke.
    pub failed: u64,
    /// Tests that did not run.
    pub skipped: u64,
    /// Whether more passed than are counted: Go names only what failed unless it is asked for all.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// Tests by the name that their runner gives them; not all runners name those that passed.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub by_name: BTreeMap<String, TestOutcome>,
}

/// How one test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TestOutcome {
    /// It passed.
    Passed,
    /// It did not run.
    Skipped,
    /// It failed or broke.
    Failed,
}

/// What a checker complained about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Problems {
    /// Errors.
    pub errors: u64,
    /// Warnings.
    pub warnings: u64,
}

impl Tests {
    /// All tests.
    pub fn total(&self) -> u64 {
        self.passed + self.failed + self.skipped
    }

    /// The names of the tests that ended so.
    pub fn named(&self, outcome: TestOutcome) -> impl Iterator<Item = &str> {
        self.by_name.iter().filter(move |(_, is)| **is == outcome).map(|(name, _)| name.as_str())
    }

    pub(crate) fn count(&mut self, outcome: TestOutcome) {
        *match outcome {
            TestOutcome::Passed => &mut self.passed,
            TestOutcome::Failed => &mut self.failed,
            TestOutcome::Skipped => &mut self.skipped,
        } += 1;
    }

    /// Notes a name; of two results of one test the worse counts.
    pub(crate) fn name(&mut self, name: &str, outcome: TestOutcome) {
        let name = short(name);
        if let Some(known) = self.by_name.get_mut(name) {
            *known = outcome.max(*known);
        } else if self.by_name.len() < NAMES {
            self.by_name.insert(name.to_owned(), outcome);
        }
    }

    /// Adds a test.
    pub(crate) fn add(&mut self, name: &str, outcome: TestOutcome) {
        self.count(outcome);
        self.name(name, outcome);
    }

    /// The greater of what a summary says and what was counted: an output may have lost either end.
    pub(crate) fn at_least(&mut self, summary: (u64, u64, u64)) {
        self.passed = self.passed.max(summary.0);
        self.failed = self.failed.max(summary.1);
        self.skipped = self.skipped.max(summary.2);
    }
}

impl ReportReading {
    /// Whether anything was recognised.
    pub fn is_empty(&self) -> bool {
        self.tests.is_none() && self.coverage.is_none() && self.types.is_none() && self.lint.is_none()
    }

    /// Adds what another reading of the same state of the project told: tests add up, a later coverage counts.
    pub fn merge(&mut self, other: ReportReading) {
        if let Some(more) = other.tests {
            let tests = self.tests.get_or_insert_default();
            tests.passed += more.passed;
            tests.failed += more.failed;
            tests.skipped += more.skipped;
            tests.partial |= more.partial;
            more.by_name.iter().for_each(|(name, outcome)| tests.name(name, *outcome));
        }
        self.coverage = other.coverage.or(self.coverage);
        self.branches = other.branches.or(self.branches);
        for (mine, theirs) in [(&mut self.types, other.types), (&mut self.lint, other.lint)] {
            if let Some(theirs) = theirs {
                let mine = mine.get_or_insert_default();
                mine.errors += theirs.errors;
                mine.warnings += theirs.warnings;
            }
        }
        self.formats.extend(other.formats);
        self.unread.extend(other.unread);
    }
}

/// The results of one runner, read line by line.
///
/// A reader takes a line only when it has its own runner's form, so that all of them can look at every line of an output
/// that several runners wrote.
pub trait ResultReader {
    /// Takes a line of plain text.
    fn line(&mut self, line: &str);
    /// What was found; `None` when the output is not of this runner.
    fn end(self: Box<Self>) -> Option<Tests>;
}

/// A reader of each runner's results, with the name of its format.
pub type ResultReaders = Vec<(&'static str, Box<dyn ResultReader>)>;

/// Reads what a command printed: whatever runners, coverage tools and checkers wrote one after the other.
pub(crate) fn printed(bytes: &mut dyn BufRead, runs: fn() -> ResultReaders) -> ReportReading {
    if let Some(reading) = documents::read(bytes) {
        return reading;
    }
    let mut runs = runs();
    let mut checkers = linters::all();
    let mut coverage = coverage::printed::PrintedTotal::default();
    let mut reading = ReportReading::default();
    let end = terminal::lines(bytes, |line| {
        runs.iter_mut().for_each(|(_, run)| run.line(line));
        checkers.iter_mut().for_each(|(_, _, checker)| checker.line(line));
        coverage.line(line);
    });
    for (name, run) in runs {
        if let Some(tests) = run.end() {
            reading.merge(ReportReading {
                formats: vec![name.to_owned()],
                tests: Some(tests),
                ..ReportReading::default()
            });
        }
    }
    for (name, kind, checker) in checkers {
        let Some(found) = checker.end() else { continue };
        let mut of = ReportReading { formats: vec![name.to_owned()], ..ReportReading::default() };
        *match kind {
            linters::CheckerKind::Types => &mut of.types,
            linters::CheckerKind::Lint => &mut of.lint,
        } = Some(found);
        reading.merge(of);
    }
    reading.branches = coverage.branches();
    reading.coverage = coverage.end();
    reading.unread.extend(end.err());
    reading
}

/// Reads a report file of any known format. A file of none is an empty reading that says so.
pub(crate) fn report(bytes: &mut dyn BufRead, runs: fn() -> ResultReaders) -> ReportReading {
    if let Some(reading) = documents::read(bytes) {
        return reading;
    }
    let start = bytes.fill_buf().unwrap_or_default();
    let reading = if start.starts_with(b"mode:") {
        coverage::go_profile::read(bytes)
    } else if [b"TN:".as_slice(), b"SF:"].iter().any(|mark| start.starts_with(mark)) {
        coverage::lcov::read(bytes)
    } else {
        printed(bytes, runs)
    };
    if reading.is_empty() && reading.unread.is_empty() {
        return ReportReading { unread: vec!["no known format".to_owned()], ..ReportReading::default() };
    }
    reading
}
