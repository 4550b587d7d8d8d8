//! The processes above this one, as the system tells of them. Where it tells nothing there are none.

use std::fs;
use std::path::PathBuf;

use rustix::process::Pid;

/// How many ancestors are looked at.
const GENERATIONS: usize = 32;
/// So much of a command is shown.
const SHOWN: usize = 120;

/// A process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Process {
    /// Its number.
    pub(crate) pid: u32,
    /// What it was called with, shortened.
    pub(crate) command: String,
    /// The environment that it began with; `None` where that can't be read.
    pub(crate) environment: Option<Vec<u8>>,
}

impl Process {
    /// Whether it began with a variable; `None` where nobody can say.
    pub(crate) fn sets(&self, name: &str) -> Option<bool> {
        let is_it = |variable: &[u8]| variable.split(|byte| *byte == b'=').next() == Some(name.as_bytes());
        self.environment.as_ref().map(|all| all.split(|byte| *byte == 0).any(is_it))
    }
}

/// A process and its ancestors, nearest first.
pub(crate) fn above(parent: Pid) -> Vec<Process> {
    let mut found = Vec::new();
    let mut pid = u32::try_from(parent.as_raw_nonzero().get()).unwrap_or_default();
    while found.len() < GENERATIONS {
        let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else { break };
        let command = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let words: Vec<String> = command
            .split(|byte| *byte == 0)
            .filter(|word| !word.is_empty())
            .map(|word| String::from_utf8_lossy(word).into_owned())
            .collect();
        let command = words.join(" ").chars().take(SHOWN).collect();
        found.push(Process { pid, command, environment: fs::read(format!("/proc/{pid}/environ")).ok() });
        // The name in brackets may hold anything, so the fields are counted from its end.
        let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse().ok());
        match parent {
            Some(parent) if parent > 0 => pid = parent,
            _ => break,
        }
    }
    found
}

/// The program that a process runs.
pub(crate) fn program(pid: u32) -> Option<PathBuf> {
    fs::read_link(format!("/proc/{pid}/exe")).ok()
}
