//! Ways to die on demand, so that the last word can be tested on the real process. Debug builds only.
//!
//! `STEADFAST_FAULT` is `panic`, `abort`, `overflow`, `oom` or `hang`, with `guarded` before it as if a loop ran, or `watched` as in any session;
//! `limits` reports the address space that a child gets. `STEADFAST_FAULT_LOG` names a file for the log's line.

use std::env;
use std::fs::{File, OpenOptions};
use std::hint::black_box;
use std::io::{self, Write};
use std::process::{self, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::last_word;
use crate::lifecycle::Env;

/// A deadline that a test can wait for.
const SHORT: Duration = Duration::from_millis(100);

/// Fails in the way that the environment asks for, if it does.
pub(super) fn provoke(env: &Env) {
    let Some(wanted) = (env.vars)("STEADFAST_FAULT") else { return };
    if let Some(file) = log() {
        last_word::set_log(file, b"{\"cause\":\"".to_vec(), b"\"}\n".to_vec());
    }
    for word in wanted.split_whitespace() {
        match word {
            "guarded" => (env.guard)(true),
            "watched" => (env.guard)(false),
            "limits" => report_limits(),
            "panic" => fail(),
            "abort" => process::abort(),
            "overflow" => _ = black_box(overflow(0)),
            "oom" => exhaust(),
            "hang" => {
                last_word::set_deadline(Some(SHORT));
                loop {
                    thread::sleep(SHORT);
                }
            }
            _ => {}
        }
    }
}

fn log() -> Option<File> {
    OpenOptions::new().create(true).append(true).open(env::var_os("STEADFAST_FAULT_LOG")?).ok()
}

fn report_limits() {
    let Some(mut log) = log() else { return };
    let mut report = |whose: &str, output: io::Result<process::Output>| {
        let kilobytes = output.map(|output| output.stdout).unwrap_or_default();
        let _ = write!(log, "{whose} {}", String::from_utf8_lossy(&kilobytes));
    };
    let ask = || Command::new("/bin/sh").args(["-c", "ulimit -S -v"]).stdin(Stdio::null()).output();
    report("inherited", last_word::with_inherited_limits(ask));
    report("own", ask());
}

#[expect(clippy::panic, reason = "the fault that is asked for")]
fn fail() {
    panic!("asked for");
}

#[expect(unconditional_recursion, reason = "the fault that is asked for")]
fn overflow(depth: u64) -> u64 {
    let frame = black_box([depth; 512]);
    overflow(depth + 1) + frame.iter().sum::<u64>()
}

fn exhaust() {
    let mut hoard = Vec::new();
    loop {
        hoard.push(black_box(vec![1_u8; 64 * 1024 * 1024]));
    }
}
