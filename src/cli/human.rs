//! What only a person may do.
//!
//! The hook denies an agent's call before it runs; this is the second lock on the same door, for what reached it by a
//! way that no text shows.

use std::io::IsTerminal;

use anyhow::{Result, bail};

use crate::lifecycle::gate_decision::Decider;

/// What a client puts into the environment of all that it starts.
const INSIDE: &[&str] = &["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_CHILD_SESSION"];
/// How many ancestors of this process are looked at.
const GENERATIONS: usize = 64;

/// Fails inside an agent's own shell: `what` names what would be done.
pub fn only(what: &str) -> Result<()> {
    if INSIDE.iter().any(|name| std::env::var_os(name).is_some()) || started_by_an_agent() {
        bail!("only a person can {what}: run this in a terminal outside the agent's session");
    }
    Ok(())
}

/// As [`only`], and fails too where no person sits at a terminal.
pub fn at_a_terminal(what: &str) -> Result<()> {
    only(what)?;
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        bail!("only a person can {what}: this needs a terminal, not a pipe or a script");
    }
    Ok(())
}

/// The person at this terminal, and what they say beside their decision.
pub fn decider(reason: Option<String>) -> Decider {
    let by = std::env::var("USER").ok().filter(|name| !name.is_empty());
    Decider { via: "terminal", by, reason, in_hook: false }
}

/// Whether any ancestor of this process was started by an agent's client: an emptied environment or a terminal that a
/// program made doesn't hide that.
#[cfg(target_os = "linux")]
fn started_by_an_agent() -> bool {
    let mut pid = std::os::unix::process::parent_id();
    for _ in 0..GENERATIONS {
        if pid <= 1 {
            return false;
        }
        // One that belongs to somebody else can't be read, and is no shell of the agent's.
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        let is_mark = |variable: &[u8]| {
            let name = variable.split(|byte| *byte == b'=').next().unwrap_or_default();
            INSIDE.iter().any(|inside| inside.as_bytes() == name)
        };
        if environment.split(|byte| *byte == 0).any(is_mark) {
            return true;
        }
        let Ok(stat) = std::fs::read_to_string(format!("/proc/{pid}/stat")) else { return false };
        // The name in brackets may hold anything, so the fields are counted from its end.
        let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse().ok());
        let Some(parent) = parent else { return false };
        pid = parent;
    }
    false
}

#[cfg(not(target_os = "linux"))]
fn started_by_an_agent() -> bool {
    let _ = GENERATIONS;
    false
}
