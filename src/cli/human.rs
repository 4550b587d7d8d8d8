//! What only a person may do.
//!
//! The hook denies an agent's call before it runs; this is the second lock on the same door, for what reached it by a
//! way that no text shows.

use std::io::IsTerminal;

use anyhow::{Result, bail};

use crate::lifecycle::gate::decision::Decider;

/// What a client puts into the environment of all that it starts.
const INSIDE: &[&str] = &["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_CHILD_SESSION"];
/// How many ancestors of this process are looked at.
const GENERATIONS: usize = 64;

/// Fails inside an agent's own shell: `what` names what would be done.
pub fn only(what: &str) -> Result<()> {
    if INSIDE.iter().any(|name| std::env::var_os(name).is_some()) || started_by_an_agent() {
        bail!(
            "only a person can {what}: run this in a terminal outside the agent's session. What is typed after `!` runs \
             inside of it; a code is typed as a prompt, without the `!`"
        );
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
    Decider { via: "terminal", by, reason, in_hook: false, force: false }
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

/// The same where there is no `/proc`: `ps` shows the environment of one's own processes beside their commands. What it
/// can't say counts as an agent's, since a wrong yes to a decision can't be taken back.
#[cfg(not(target_os = "linux"))]
fn started_by_an_agent() -> bool {
    let mut pid = std::os::unix::process::parent_id();
    for _ in 0..GENERATIONS {
        if pid <= 1 {
            return false;
        }
        let shown = std::process::Command::new("/bin/ps")
            .args(["-E", "-ww", "-o", "ppid=,command=", "-p", &pid.to_string()])
            .output();
        let Ok(shown) = shown else { return true };
        let Some((parent, marked)) = ancestor(&String::from_utf8_lossy(&shown.stdout)) else { return true };
        if marked {
            return true;
        }
        pid = parent;
    }
    true
}

/// The parent's number, and whether the line that `ps -E` shows of a process has an agent's mark.
#[cfg(any(test, not(target_os = "linux")))]
fn ancestor(shown: &str) -> Option<(u32, bool)> {
    let mut words = shown.split_whitespace();
    let parent = words.next()?.parse().ok()?;
    let is_mark = |word: &str| word.split_once('=').is_some_and(|(name, _)| INSIDE.contains(&name));
    // A system's own shell shows no environment; the client above it has its name.
    let is_client = |word: &str| word.rsplit('/').next() == Some("claude") || word.contains("/claude-code/");
    let mut words = words.enumerate();
    Some((parent, words.any(|(at, word)| is_mark(word) || (at < 2 && is_client(word)))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_ps_says_whose_child_it_is_and_whether_an_agent_started_it() {
        for (shown, expected) in [
            ("  501 -zsh TERM=xterm USER=ada HOME=/Users/ada\n", Some((501, false))),
            ("  777 /bin/bash -c steadfast gate CLAUDECODE=1 USER=ada", Some((777, true))),
            ("1 claude CLAUDE_CODE_SESSION_ID=abc", Some((1, true))),
            ("1 grep CLAUDECODE notes", Some((1, false))),
            ("612 /opt/homebrew/bin/claude --resume", Some((612, true))),
            ("612 node /usr/local/lib/node_modules/@anthropic-ai/claude-code/cli.js", Some((612, true))),
            ("612 vim notes about claude", Some((612, false))),
            ("", None),
            ("ps: illegal option", None),
        ] {
            assert_eq!(ancestor(shown), expected, "{shown}");
        }
    }
}
