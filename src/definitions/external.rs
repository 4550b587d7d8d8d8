//! An agent that is a program: one message on its stdin, one on its stdout.
//!
//! Whatever the program does, the call ends in time: what it may print is bounded, and when it is late its whole
//! process group is killed.

use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::envelope::{AgentRequest, Reply};

/// The most that a reply may have, bytes.
pub const REPLY_LIMIT: u64 = 1024 * 1024;
/// How much of stderr is kept for the failure's text, bytes.
const STDERR_LIMIT: u64 = 2_000;
/// How often it is looked whether a program has ended.
const POLL: Duration = Duration::from_millis(2);
/// How long the rest of what an ended program wrote is waited for.
const GRACE: Duration = Duration::from_millis(200);

/// Why a program gave no reply.
#[derive(Debug, thiserror::Error)]
pub enum ProgramFailure {
    /// The definition names no program.
    #[error("the command is empty")]
    NoCommand,
    /// It did not start.
    #[error("{program} could not be started: {source}")]
    NotStarted {
        /// The program.
        program: String,
        /// Why.
        source: io::Error,
    },
    /// It took too long and was killed.
    #[error("{program} had not answered after {limit_ms} ms and was ended")]
    TimedOut {
        /// The program.
        program: String,
        /// Its time.
        limit_ms: u128,
    },
    /// It ended with a failure, whatever it printed.
    #[error("{program} ended with {status}{}", said(stderr))]
    Failed {
        /// The program.
        program: String,
        /// Its exit code or signal.
        status: ExitStatus,
        /// The beginning of what it wrote to stderr.
        stderr: String,
    },
    /// It printed nothing.
    #[error("{program} printed no reply{}", said(stderr))]
    Silent {
        /// The program.
        program: String,
        /// The beginning of what it wrote to stderr.
        stderr: String,
    },
    /// It printed more than a reply may have.
    #[error("{program} printed more than {REPLY_LIMIT} bytes")]
    TooLong {
        /// The program.
        program: String,
    },
    /// It printed something else than a reply.
    #[error("{program} printed no reply of the agents' form: {reason}")]
    NotAReply {
        /// The program.
        program: String,
        /// What is wrong with it.
        reason: String,
    },
}

fn said(stderr: &str) -> String {
    if stderr.is_empty() { String::new() } else { format!(": {stderr}") }
}

/// Asks the program `command` (with its arguments) in the directory `cwd` and waits for its reply, `timeout` at most
/// (`None`: without limit). A relative program with a slash is looked for in `cwd`.
pub fn call(
    command: &[impl AsRef<str>],
    request: &AgentRequest,
    timeout: Option<Duration>,
    cwd: &Path,
) -> Result<Reply, ProgramFailure> {
    let deadline = Deadline { start: Instant::now(), timeout };
    let Some((program, arguments)) = command.split_first() else { return Err(ProgramFailure::NoCommand) };
    let program = program.as_ref();
    let start = if program.contains('/') { cwd.join(program) } else { program.into() };
    let child = Command::new(start)
        .args(arguments.iter().map(AsRef::as_ref))
        .current_dir(cwd)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .map_err(|source| ProgramFailure::NotStarted { program: program.to_owned(), source })?;
    let mut running = RunningProgram { child };
    let input = serde_json::to_vec(request).unwrap_or_default();
    running.converse(program, input, &deadline)
}

struct Deadline {
    start: Instant,
    timeout: Option<Duration>,
}

impl Deadline {
    fn is_over(&self) -> bool {
        self.timeout.is_some_and(|timeout| self.start.elapsed() >= timeout)
    }

    fn failure(&self, program: &str) -> ProgramFailure {
        let limit_ms = self.timeout.unwrap_or_default().as_millis();
        ProgramFailure::TimedOut { program: program.to_owned(), limit_ms }
    }
}

/// A started program. When this is dropped nothing of its process group runs any more.
struct RunningProgram {
    child: Child,
}

impl RunningProgram {
    fn converse(
        &mut self,
        program: &str,
        input: Vec<u8>,
        deadline: &Deadline,
    ) -> Result<Reply, ProgramFailure> {
        let mut stdin = self.child.stdin.take();
        // A program that doesn't read its input, or not all of it, may still answer.
        thread::spawn(move || stdin.as_mut().map(|stdin| stdin.write_all(&input)));
        let stderr = read_on(self.child.stderr.take(), STDERR_LIMIT);
        let stdout = read_on(self.child.stdout.take(), REPLY_LIMIT + 1);
        let printed = self.printed(&stdout, deadline).ok_or_else(|| deadline.failure(program))?;
        if printed.len() as u64 > REPLY_LIMIT {
            return Err(ProgramFailure::TooLong { program: program.to_owned() });
        }
        while !self.has_ended() {
            if deadline.is_over() {
                return Err(deadline.failure(program));
            }
            thread::sleep(POLL);
        }
        self.kill_group();
        let status = self.child.wait();
        let status =
            status.map_err(|source| ProgramFailure::NotStarted { program: program.to_owned(), source })?;
        let stderr = stderr.recv_timeout(GRACE).unwrap_or_default();
        let stderr = String::from_utf8_lossy(&stderr).trim().to_owned();
        if !status.success() {
            return Err(ProgramFailure::Failed { program: program.to_owned(), status, stderr });
        }
        if printed.trim_ascii().is_empty() {
            return Err(ProgramFailure::Silent { program: program.to_owned(), stderr });
        }
        serde_json::from_slice(&printed).map_err(|error| ProgramFailure::NotAReply {
            program: program.to_owned(),
            reason: error.to_string(),
        })
    }

    /// What the program printed until it closed its stdout or ended; `None` when it is too late. What it left running
    /// in the background is not waited for.
    fn printed(&self, stdout: &Receiver<Vec<u8>>, deadline: &Deadline) -> Option<Vec<u8>> {
        loop {
            match stdout.recv_timeout(POLL) {
                Ok(bytes) => return Some(bytes),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) if deadline.is_over() => return None,
                Err(RecvTimeoutError::Timeout) if self.has_ended() => {
                    self.kill_group();
                    return stdout.recv_timeout(GRACE).ok();
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Whether the program itself has ended. It is not reaped by that, so that its id stays its own.
    fn has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.pid().is_none_or(|pid| !matches!(waitid(WaitId::Pid(pid), options), Ok(None)))
    }

    fn kill_group(&self) {
        if let Some(group) = self.pid() {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    fn pid(&self) -> Option<Pid> {
        i32::try_from(self.child.id()).ok().and_then(Pid::from_raw)
    }
}

impl Drop for RunningProgram {
    fn drop(&mut self) {
        // Once it was waited for, the id may belong to another.
        if self.child.try_wait().is_ok_and(|status| status.is_none()) {
            self.kill_group();
            let _ = self.child.wait();
        }
    }
}

/// Reads a pipe to its end or to `limit`, beside whoever waits for it.
fn read_on(pipe: Option<impl Read + Send + 'static>, limit: u64) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(pipe) = pipe {
            let _ = pipe.take(limit).read_to_end(&mut bytes);
        }
        sender.send(bytes)
    });
    receiver
}

#[cfg(test)]
mod tests;
