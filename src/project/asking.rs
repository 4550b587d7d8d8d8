//! One question to git as a process that is ended when its time is over.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::silence::{self, GitFault};
use crate::last_word;

/// Runs a command within the deadline; `None` if it can't start or must be killed.
pub(super) fn run(
    mut command: Command,
    input: Option<&[u8]>,
    deadline: Duration,
    longest: u64,
) -> Option<(i32, Vec<u8>)> {
    let stdin = if input.is_some() { Stdio::piped() } else { Stdio::null() };
    command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::null());
    // A large repository needs more address space than a hook allows itself.
    let child = last_word::with_inherited_limits(|| command.spawn());
    let mut child = child.inspect_err(|_| silence::note(GitFault::Absent)).ok()?;
    let started = Instant::now();
    if let (Some(mut pipe), Some(bytes)) = (child.stdin.take(), input.map(<[u8]>::to_vec)) {
        std::thread::spawn(move || pipe.write_all(&bytes));
    }
    let output = child.stdout.take()?;
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = output.take(longest).read_to_end(&mut bytes);
        // The receiver is gone when the deadline has passed.
        let _ = sender.send(read.map(|_| bytes));
    });
    let Ok(Ok(bytes)) = receiver.recv_timeout(deadline) else {
        silence::note(GitFault::TooSlow);
        end(&mut child);
        return None;
    };
    while started.elapsed() < deadline {
        if let Ok(Some(status)) = child.try_wait() {
            return Some((status.code()?, bytes));
        }
        std::thread::sleep(Duration::from_micros(100));
    }
    silence::note(GitFault::TooSlow);
    end(&mut child);
    None
}

fn end(child: &mut Child) {
    // Both fail only if the child is gone already.
    let _ = child.kill();
    let _ = child.wait();
}
