//! Running the checks of a criterion.
//!
//! Each command runs in a process group of its own and never outlives the deadline; its output is bounded in memory
//! whatever it prints, and nothing that keeps the pipe open can make this wait.

pub mod doubt;
pub mod printed;
mod process;

use crate::loops::criteria::program;
use crate::loops::criteria::{BoundSense, Check, Criteria};
use crate::metrics::ReportReading;
pub use crate::runners::executed;
use crate::runners::results;
use serde::{Deserialize, Serialize};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::time::{Duration, Instant};

pub use process::{EndedProcess, interruption, is_interrupted, run_shell};

/// How much of the end of an output is handed on, in bytes.
const SHOWN: usize = 8 << 10;
/// What all checks gave.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct VerificationResult {
    /// Whether every check passed.
    pub passed: bool,
    /// One result for each check, in order.
    pub checks: Vec<CheckResult>,
    /// How long all of it took, in milliseconds.
    pub duration_ms: u64,
}

/// What one check gave.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct CheckResult {
    /// The shell text that ran.
    pub command: String,
    /// Whether the check holds.
    pub passed: bool,
    /// Why it holds or doesn't, as a fact: `exit code 1`, `coverage 75% is not above 80%`.
    pub reason: String,
    /// The exit code. `None` when it was killed, could not start or did not run.
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// Whether the deadline ended it, or left no time to start it.
    pub timed_out: bool,
    /// Whether the shell did not find the program, or may not run it.
    pub not_found: bool,
    /// How many tests had to run, without those that a person gave up, and how many did, where that is why it does not hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fewer_tests: Option<(u64, u64)>,
    /// The same where another loop has lost them: who has lost what.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost_elsewhere: Option<String>,
    /// The coverage that was printed, for a check of coverage.
    pub coverage: Option<f64>,
    /// The end of stdout and stderr together in the order of arrival, as plain text, at most 8 KiB.
    pub output_tail: String,
    /// All of it that is judged, which the record does not keep.
    #[serde(skip)]
    pub printed: String,
    /// How many bytes were printed in all.
    pub output_bytes: u64,
    /// What the output tells of tests, coverage, types and style.
    #[serde(default, skip_serializing_if = "ReportReading::is_empty")]
    pub reading: ReportReading,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
}

impl CheckResult {
    /// Whether it fails only by tests that did not run: what the others print says nothing of that.
    pub fn is_of_the_count(&self) -> bool {
        self.fewer_tests.is_some() || self.lost_elsewhere.is_some()
    }

    /// What it printed, as far as that is still known: a record holds the end alone.
    pub fn output(&self) -> &str {
        if self.printed.is_empty() { &self.output_tail } else { &self.printed }
    }
}

impl VerificationResult {
    /// The first check that does not hold.
    pub fn first_failure(&self) -> Option<&CheckResult> {
        self.checks.iter().find(|check| !check.passed)
    }
}

/// Runs every check of `criteria` in `cwd`, all within `deadline`, also those behind a failed one. `env` is added to
/// this process's own environment. Never fails: what could not run is a check that does not hold.
pub fn run(criteria: &Criteria, cwd: &Path, deadline: Duration, env: &[(&str, &str)]) -> VerificationResult {
    let started = Instant::now();
    let until = started + deadline;
    let checks: Vec<CheckResult> =
        criteria.checks.iter().map(|check| run_check(check, cwd, until, env)).collect();
    let passed = !checks.is_empty() && checks.iter().all(|check| check.passed);
    VerificationResult { passed, checks, duration_ms: millis(started) }
}

fn millis(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

fn run_check(check: &Check, cwd: &Path, until: Instant, env: &[(&str, &str)]) -> CheckResult {
    let started = Instant::now();
    let mut result = CheckResult { command: check.command().to_owned(), ..CheckResult::default() };
    if started >= until {
        result.timed_out = true;
        result.reason = "not run: the time for verification was used up by the checks before it".to_owned();
        return result;
    }
    let ran = match run_shell(check.command(), cwd, until, env) {
        Ok(ran) => ran,
        Err(error) => {
            result.reason = format!("could not start in {}: {error}", cwd.display());
            result.output_tail.clone_from(&result.reason);
            return result;
        }
    };
    let output = printed::plain(&ran.output);
    result.exit_code = ran.status.and_then(|status| status.code());
    result.signal = ran.status.and_then(|status| status.signal());
    result.timed_out = ran.timed_out;
    result.not_found = matches!(result.exit_code, Some(126 | 127));
    result.coverage = match check {
        Check::CoverageAbove { .. } => printed::coverage(&output),
        _ => None,
    };
    result.output_bytes = ran.output_bytes;
    result.reading = results::printed(&mut ran.output.as_slice());
    result.duration_ms = millis(started);
    (result.passed, result.reason) = judge(check, &result, &output);
    result.output_tail = printed::tail(&output, SHOWN).to_owned();
    if result.output_tail.len() < output.len() {
        result.printed = output;
    }
    result
}

/// Whether the check holds, and why.
fn judge(check: &Check, result: &CheckResult, output: &str) -> (bool, String) {
    if result.timed_out {
        return (false, format!("no result within {:.1} s; it was killed", seconds(result.duration_ms)));
    }
    let code = match (result.exit_code, result.signal) {
        (Some(code), _) => code,
        (None, Some(signal)) => return (false, format!("killed by signal {signal}")),
        (None, None) => return (false, "ended without an exit code".to_owned()),
    };
    let empty_search = code == 1 && program::is_search(check.command()) && output.trim().is_empty();
    let searched = empty_search && matches!(check, Check::CommandSilent { .. });
    if code != 0 && !searched {
        let missing = if result.not_found { ": the program was not found or may not be run" } else { "" };
        return (false, format!("exit code {code}{missing}"));
    }
    match check {
        Check::CommandPasses { .. } => (true, "exit code 0".to_owned()),
        Check::CommandSilent { silence, .. } => match printed::breaches(output, *silence) {
            0 => (true, format!("exit code {code}, and nothing was printed that must not be")),
            1 => (false, format!("exit code {code}, but 1 line was printed that must not be")),
            lines => (false, format!("exit code {code}, but {lines} lines were printed that must not be")),
        },
        Check::CoverageAbove { percent, bound, .. } => {
            let bound_name = if *bound == BoundSense::Above { "above" } else { "at least" };
            match result.coverage {
                None => (false, "exit code 0, but no total coverage was found in the output".to_owned()),
                Some(found) => {
                    let holds =
                        if *bound == BoundSense::Above { found > *percent } else { found >= *percent };
                    let is = if holds { "is" } else { "is not" };
                    (holds, format!("coverage {found}% {is} {bound_name} {percent}%"))
                }
            }
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds of a verification are far below 2^52")]
fn seconds(millis: u64) -> f64 {
    millis as f64 / 1000.0
}

#[cfg(test)]
mod tests;
