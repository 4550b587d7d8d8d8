//! Running the checks of a criterion.
//!
//! Each command runs in a process group of its own and never outlives the deadline; its output is bounded in memory
//! whatever it prints, and nothing that keeps the pipe open can make this wait.

pub mod printed;
#[cfg(test)]
mod tests;

use crate::loops::criteria::program;
use crate::loops::criteria::{Bound, Check, Criteria};
use crate::metrics::Reading;
pub use crate::runners::executed;
use crate::runners::results;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use serde::{Deserialize, Serialize};
use std::io::{self, PipeReader, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

/// How much of the end of an output is judged, in bytes.
const JUDGED: usize = 1 << 20;
/// How much of the end of an output is handed on, in bytes.
const SHOWN: usize = 8 << 10;
/// How long a pipe may stay open after its command has ended.
const GRACE: Duration = Duration::from_millis(500);
/// How long a killed command may take to disappear.
const DEATH: Duration = Duration::from_secs(2);

/// Set by a process that a person interrupts: what runs is ended, and nothing counts as its result.
static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// The flag that a handler of signals sets.
pub fn interruption() -> Arc<AtomicBool> {
    Arc::clone(&INTERRUPTED)
}

/// Whether a person has interrupted this process.
pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// What all checks gave.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Verification {
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
    /// How many tests had to run and how many did, where that is why it does not hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fewer_tests: Option<(u64, u64)>,
    /// The coverage that was printed, for a check of coverage.
    pub coverage: Option<f64>,
    /// The end of stdout and stderr together in the order of arrival, as plain text, at most 8 KiB.
    pub output_tail: String,
    /// How many bytes were printed in all.
    pub output_bytes: u64,
    /// What the output tells of tests, coverage, types and style.
    #[serde(default, skip_serializing_if = "Reading::is_empty")]
    pub reading: Reading,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
}

impl Verification {
    /// The first check that does not hold.
    pub fn first_failure(&self) -> Option<&CheckResult> {
        self.checks.iter().find(|check| !check.passed)
    }
}

/// Runs every check of `criteria` in `cwd`, all within `deadline`, also those behind a failed one. `env` is added to
/// this process's own environment. Never fails: what could not run is a check that does not hold.
pub fn run(criteria: &Criteria, cwd: &Path, deadline: Duration, env: &[(&str, &str)]) -> Verification {
    let started = Instant::now();
    let until = started + deadline;
    let checks: Vec<CheckResult> =
        criteria.checks.iter().map(|check| run_check(check, cwd, until, env)).collect();
    let passed = !checks.is_empty() && checks.iter().all(|check| check.passed);
    Verification { passed, checks, duration_ms: millis(started) }
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
            let bound_name = if *bound == Bound::Above { "above" } else { "at least" };
            match result.coverage {
                None => (false, "exit code 0, but no total coverage was found in the output".to_owned()),
                Some(found) => {
                    let holds = if *bound == Bound::Above { found > *percent } else { found >= *percent };
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

/// A command that has ended.
#[derive(Debug)]
pub struct Ran {
    /// How it ended; `None` when that is not known.
    pub status: Option<ExitStatus>,
    /// Whether the deadline ended it.
    pub timed_out: bool,
    /// The end of what it printed, stdout and stderr together.
    pub output: Vec<u8>,
    /// How many bytes it printed in all.
    pub output_bytes: u64,
}

/// Runs shell text in a process group of its own, which ends with it, until `until` at the latest.
pub fn run_shell(command: &str, cwd: &Path, until: Instant, env: &[(&str, &str)]) -> io::Result<Ran> {
    let (reader, writer) = io::pipe()?;
    let mut shell = Command::new("/bin/sh");
    shell.arg("-c").arg(command).current_dir(cwd).envs(env.iter().copied());
    shell.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer).process_group(0);
    let sink = Sink::drain(reader)?;
    let mut child = shell.spawn()?;
    // It holds the writing ends: as long as they are open here, the pipe never ends.
    drop(shell);
    let group = Pid::from_child(&child);
    let ended = wait_until(&child, until);
    // The ended shell is not reaped yet, so its number can't belong to another group.
    let left_open = ended && !sink.closed_within(GRACE.min(until.saturating_duration_since(Instant::now())));
    if !ended || left_open {
        let _gone = kill_process_group(group, Signal::KILL);
        sink.closed_within(GRACE);
    }
    let status = reap(&mut child);
    let (output, output_bytes) = sink.take();
    Ok(Ran { status, timed_out: !ended, output, output_bytes })
}

/// Waits for the end of `child` without reaping it. `false` at the deadline, or when a person interrupts.
fn wait_until(child: &Child, until: Instant) -> bool {
    let id = WaitId::Pid(Pid::from_child(child));
    let mut pause = Duration::from_millis(1);
    loop {
        match waitid(id.clone(), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG) {
            Ok(Some(_)) => return true,
            Err(error) if error != rustix::io::Errno::INTR => return true,
            _ => {}
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() || is_interrupted() {
            return false;
        }
        std::thread::sleep(pause.min(left));
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Takes the exit status. A process that even a kill can't end (stuck in the kernel) is left behind.
fn reap(child: &mut Child) -> Option<ExitStatus> {
    let started = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if started.elapsed() < DEATH => std::thread::sleep(Duration::from_millis(2)),
            _ => return None,
        }
    }
}

/// The reading end of a pipe, drained by a thread into a bounded end of the output.
struct Sink {
    kept: Arc<Mutex<Kept>>,
    abandoned: Arc<AtomicBool>,
    closed: mpsc::Receiver<()>,
}

#[derive(Default)]
struct Kept {
    end: Vec<u8>,
    bytes: u64,
}

impl Sink {
    fn drain(mut reader: PipeReader) -> io::Result<Sink> {
        let kept = Arc::new(Mutex::new(Kept::default()));
        let abandoned = Arc::new(AtomicBool::new(false));
        let (close, closed) = mpsc::channel();
        let (writes, stop) = (Arc::clone(&kept), Arc::clone(&abandoned));
        std::thread::Builder::new().spawn(move || {
            let mut buffer = vec![0; 64 << 10];
            while !stop.load(Ordering::Relaxed) {
                match reader.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(count) => keep(&writes, buffer.get(..count).unwrap_or_default()),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(_) => break,
                }
            }
            let _unheard = close.send(());
        })?;
        Ok(Sink { kept, abandoned, closed })
    }

    fn closed_within(&self, wait: Duration) -> bool {
        !matches!(self.closed.recv_timeout(wait), Err(mpsc::RecvTimeoutError::Timeout))
    }

    /// What came so far. A process that left the group may hold the pipe for ever: the thread is not waited for, and
    /// ends with the next byte or with this process.
    fn take(self) -> (Vec<u8>, u64) {
        self.abandoned.store(true, Ordering::Relaxed);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        (std::mem::take(&mut kept.end), kept.bytes)
    }
}

/// Appends, and lets go of the front when twice of what is judged has gathered.
fn keep(kept: &Mutex<Kept>, bytes: &[u8]) {
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    kept.bytes += bytes.len() as u64;
    kept.end.extend_from_slice(bytes);
    if kept.end.len() > 2 * JUDGED {
        let surplus = kept.end.len() - JUDGED;
        kept.end.drain(..surplus);
    }
}
