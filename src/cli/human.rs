//! What only a person may do.
//!
//! The hook denies an agent's call before it runs; this is the second lock on the same door, for what reached it by a
//! way that no text shows.

use std::io::IsTerminal;

use anyhow::{Result, bail};

use crate::lifecycle::gate::decision::DecidedBy;
#[cfg(any(test, target_os = "linux"))]
use crate::lifecycle::session::processes::{self, Process};

/// What a client puts into the environment of all that it starts.
const INSIDE: &[&str] = &["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_CHILD_SESSION"];
/// How many ancestors of this process are looked at.
#[cfg(not(target_os = "linux"))]
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
pub fn decider(reason: Option<String>) -> DecidedBy {
    let by = std::env::var("USER").ok().filter(|name| !name.is_empty());
    DecidedBy { via: "terminal", by, reason, in_hook: false, force: false }
}

/// Whether any ancestor of this process was started by an agent's client: an emptied environment or a terminal that a
/// program made doesn't hide that. What has lost its parent hides where it came from, and is taken for the agent's.
#[cfg(target_os = "linux")]
fn started_by_an_agent() -> bool {
    let Some(parent) = rustix::process::getppid() else { return false };
    let above = processes::above(parent);
    // One that belongs to somebody else can't be read, and is no shell of the agent's.
    let is_marked = |process: &Process| INSIDE.iter().any(|mark| process.sets(mark) == Some(true));
    above.iter().any(is_marked) || is_orphan(&above)
}

/// What takes over a process that has lost its parent.
#[cfg(any(test, target_os = "linux"))]
const REAPERS: &[&str] =
    &["catatonit", "docker-init", "dumb-init", "init", "runit", "s6-svscan", "systemd", "tini"];
/// Programs that nobody starts as a service: below a reaper they have lost the one that started them.
#[cfg(any(test, target_os = "linux"))]
const NO_SERVICES: &[&str] = &[
    "ash", "bash", "csh", "dash", "env", "expect", "fish", "ksh", "node", "nohup", "perl", "python",
    "python3", "ruby", "script", "setsid", "sh", "socat", "tcsh", "timeout", "unbuffer", "zsh",
];

/// Whether what started this has lost its own parent (`setsid -f`, `nohup … &`), by the processes above, nearest first.
#[cfg(any(test, target_os = "linux"))]
fn is_orphan(above: &[Process]) -> bool {
    let is_reaper = |process: &Process| REAPERS.contains(&process.name());
    let Some(at) = above.iter().position(is_reaper) else { return false };
    let (Some(reaper), top) = (above.get(at), at.checked_sub(1).and_then(|at| above.get(at))) else {
        return false;
    };
    // A container may run a shell below its init, at the same terminal.
    let Some(top) = top else { return true };
    let shares = top.terminal != 0 && top.terminal == reaper.terminal;
    NO_SERVICES.contains(&top.name()) && !shares
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

    fn chain(names: &[(&str, i32)]) -> Vec<Process> {
        let process = |(at, (name, terminal)): (usize, &(&str, i32))| Process {
            pid: at as u32 + 10,
            command: format!("/usr/bin/{name} -x"),
            environment: None,
            parent: at as u32 + 11,
            terminal: *terminal,
        };
        names.iter().enumerate().map(process).collect()
    }

    #[test]
    fn what_has_lost_its_parent_is_told_from_a_person_and_a_service() {
        for (names, orphan) in [
            (&[("bash", 34), ("sshd", 0), ("systemd", 0)][..], false),
            (&[("zsh", 34), ("tmux", 0), ("systemd", 0)], false),
            (&[("bash", 34), ("gnome-terminal-server", 0), ("systemd", 0), ("systemd", 0)], false),
            (&[("sh", 0), ("cron", 0), ("systemd", 0)], false),
            (&[("bash", 5), ("tini", 5)], false),
            (&[("bash", 5)], false),
            (&[("systemd", 0)], true),
            (&[("sh", 0), ("systemd", 0)], true),
            (&[("sh", 34), ("script", 0), ("systemd", 0), ("systemd", 0)], true),
            (&[("sh", 0), ("python3", 0), ("tini", 5)], true),
        ] {
            assert_eq!(is_orphan(&chain(names)), orphan, "{names:?}");
        }
    }

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
