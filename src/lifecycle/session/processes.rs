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
    /// The number of its parent.
    pub(crate) parent: u32,
    /// The terminal that controls it; 0 for none.
    pub(crate) terminal: i32,
}

impl Process {
    /// The program's name, without its folder. Only where the system tells of processes does anything ask for it.
    #[cfg(any(test, target_os = "linux"))]
    pub(crate) fn name(&self) -> &str {
        let first = self.command.split([' ', ':']).next().unwrap_or_default();
        first.rsplit('/').next().unwrap_or_default().trim_start_matches('-')
    }

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
        // The name in brackets may hold anything, so the fields are counted from its end.
        let mut fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
        let parent = fields.nth(1).and_then(|field| field.parse().ok()).unwrap_or_default();
        let terminal = fields.nth(2).and_then(|field| field.parse().ok()).unwrap_or_default();
        let environment = fs::read(format!("/proc/{pid}/environ")).ok();
        found.push(Process { pid, command, environment, parent, terminal });
        if parent == 0 {
            break;
        }
        pid = parent;
    }
    found
}

/// The file that an interpreter runs as a process: its first argument, where that is one.
pub(crate) fn script(process: &Process) -> Option<PathBuf> {
    let name = process.command.split(' ').nth(1).filter(|word| !word.starts_with('-'))?;
    let file = fs::read_link(format!("/proc/{}/cwd", process.pid)).ok()?.join(name).canonicalize().ok()?;
    file.is_file().then_some(file)
}

/// The program that a process runs.
pub(crate) fn program(pid: u32) -> Option<PathBuf> {
    fs::read_link(format!("/proc/{pid}/exe")).ok()
}
