//! One run of the criterion in a copy: how it ended, and how each test ended by its name.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::loops::criteria::{Check, Criteria};
use crate::loops::verification;
use crate::loops::verification::VerificationResult;
use crate::metrics::{ReportReading, TestOutcome};
use crate::proof::naming::{RunReports, together};
use crate::runners::{failures, results};

/// So much of what a failing run printed is kept, in bytes.
const TAIL: usize = 2 << 10;

/// What a run gave.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Corner {
    /// Whether the criterion held.
    pub passed: bool,
    /// Why it did not, in a few words.
    pub reason: String,
    /// Every test that was named.
    pub tests: BTreeMap<String, TestOutcome>,
    /// What failing tests said, as far as that is known.
    pub messages: BTreeMap<String, String>,
    /// Whether passing tests were named, so that a missing one did not run.
    pub names_all: bool,
    /// Whether time ran out.
    pub timed_out: bool,
    /// Whether a program was missing.
    pub not_found: bool,
    /// How long it took, in milliseconds.
    pub millis: u64,
    /// The end of what it printed.
    pub tail: String,
}

impl Corner {
    /// How a test ended; nothing for one that did not run.
    pub fn outcome(&self, test: &str) -> Option<TestOutcome> {
        let named = self.tests.get(test).copied();
        named.or_else(|| (!self.names_all && self.passed).then_some(TestOutcome::Passed))
    }

    /// The tests that ended so.
    pub fn ended(&self, outcome: TestOutcome) -> impl Iterator<Item = &str> {
        self.tests.iter().filter(move |(_, is)| **is == outcome).map(|(name, _)| name.as_str())
    }
}

/// Where a run happens.
#[derive(Debug)]
pub struct RunSite<'a> {
    /// The copy.
    pub copy: &'a Path,
    /// The folder of the commands in it.
    pub folder: &'a Path,
    /// A folder for reports and for what tools build, outside of the copy.
    pub beside: PathBuf,
    /// What all its processes have in their environment.
    pub variables: &'a [(&'static str, String)],
}

impl RunSite<'_> {
    /// Runs the criterion. An error is why it could not be begun.
    pub fn run(&self, criteria: &Criteria, limit: Duration) -> Result<Corner, String> {
        let reports =
            RunReports::in_folder(self.beside.join("reports")).map_err(|error| error.to_string())?;
        let cwd = self.copy.join(self.folder);
        let named = Criteria {
            text: criteria.text.clone(),
            checks: criteria
                .checks
                .iter()
                .map(|check| with_command(check, |it| reports.named(it, &cwd)))
                .collect(),
        };
        let mut variables = self.variables.to_vec();
        // What Python compiles would be looked for beside sources that are linked.
        variables.push(("PYTHONPYCACHEPREFIX", self.beside.join("pycache").display().to_string()));
        let variables = together(variables.into_iter().chain(reports.variables()).collect());
        let env: Vec<(&str, &str)> = variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let verification = verification::run(&named, &cwd, limit, &env);
        Ok(self.corner(&verification, &reports))
    }

    fn corner(&self, verification: &VerificationResult, reports: &RunReports) -> Corner {
        let mut reading = ReportReading::default();
        for path in reports.written(self.copy) {
            if let Ok(file) = File::open(&path) {
                reading.merge(results::report(&mut BufReader::new(file)));
            }
        }
        let is_named =
            |reading: &ReportReading| reading.tests.as_ref().is_some_and(|tests| !tests.by_name.is_empty());
        if !is_named(&reading) {
            verification.checks.iter().for_each(|check| reading.merge(check.reading.clone()));
        }
        let first = verification.first_failure();
        let by_name = reading.tests.map(|tests| tests.by_name).unwrap_or_default();
        let mut corner = Corner {
            passed: verification.passed,
            reason: first.map(|check| check.reason.clone()).unwrap_or_default(),
            timed_out: verification.checks.iter().any(|check| check.timed_out),
            not_found: verification.checks.iter().any(|check| check.not_found),
            millis: verification.duration_ms,
            tail: first
                .map(|check| self.plain(verification::printed::tail(check.output(), TAIL)))
                .unwrap_or_default(),
            ..Corner::default()
        };
        for (name, outcome) in by_name {
            corner.tests.insert(self.plain(&name), outcome);
        }
        corner.names_all = corner.tests.values().any(|outcome| *outcome == TestOutcome::Passed);
        self.failing(&mut corner, verification);
        corner
    }

    /// What failing tests said; where the runner names no results, failing tests have their names from there.
    fn failing(&self, corner: &mut Corner, verification: &VerificationResult) {
        for check in verification.checks.iter().filter(|check| !check.passed) {
            let Some(read) = failures::read(check.output()) else { continue };
            for failure in read.list {
                let Some(test) = failure.test else { continue };
                let test = self.plain(&test);
                if corner.tests.is_empty() || !corner.names_all {
                    corner.tests.entry(test.clone()).or_insert(TestOutcome::Failed);
                }
                corner.messages.insert(test, self.plain(&failure.message));
            }
        }
    }

    /// A text without the place of the copy, which is another in each corner.
    fn plain(&self, text: &str) -> String {
        let root = self.copy.display().to_string();
        text.replace(&format!("{root}/"), "").replace(&root, ".")
    }
}

/// A check with another command.
fn with_command(check: &Check, change: impl Fn(&str) -> String) -> Check {
    let mut check = check.clone();
    match &mut check {
        Check::CommandPasses { command }
        | Check::CommandSilent { command, .. }
        | Check::CoverageAbove { command, .. } => *command = change(command),
    }
    check
}

/// Removes a copy and what lies beside it.
pub(crate) fn discard(path: &Path) {
    // What can't be removed now goes with the whole folder.
    fs::remove_dir_all(path).ok();
}
