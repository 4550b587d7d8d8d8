//! One shell command in a process group of its own, with a deadline and a bounded memory of what it prints.

use std::io::{self, PipeReader, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// How much of the end of an output is judged, in bytes.
const JUDGED: usize = 1 << 20;
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

/// A command that has ended.
#[derive(Debug)]
pub struct EndedProcess {
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
pub fn run_shell(
    command: &str,
    cwd: &Path,
    until: Instant,
    env: &[(&str, &str)],
) -> io::Result<EndedProcess> {
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
    Ok(EndedProcess { status, timed_out: !ended, output, output_bytes })
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
    kept: Arc<Mutex<OutputTail>>,
    abandoned: Arc<AtomicBool>,
    closed: mpsc::Receiver<()>,
}

#[derive(Default)]
struct OutputTail {
    end: Vec<u8>,
    bytes: u64,
}

impl Sink {
    fn drain(mut reader: PipeReader) -> io::Result<Sink> {
        let kept = Arc::new(Mutex::new(OutputTail::default()));
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
fn keep(kept: &Mutex<OutputTail>, bytes: &[u8]) {
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    kept.bytes += bytes.len() as u64;
    kept.end.extend_from_slice(bytes);
    if kept.end.len() > 2 * JUDGED {
        let surplus = kept.end.len() - JUDGED;
        kept.end.drain(..surplus);
    }
}
