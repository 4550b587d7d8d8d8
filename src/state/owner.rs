//! The process of the client whose session a loop belongs to, and whether it still runs.

use std::fs;

use rustix::process::{Pid, getppid, test_kill_process};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A process. Its number alone would mean another process one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Owner {
    /// Its number.
    pub pid: i32,
    /// When it began, in the kernel's ticks since boot; `None` where the system does not tell.
    #[serde(default)]
    pub began: Option<u64>,
}

impl Owner {
    /// In place of the process of a session that has said that it ends: the client may live on with another session.
    pub const ENDED: Owner = Owner { pid: 0, began: None };

    /// The process that has started this one: the client, which calls its hooks without a shell. `None` when it is gone
    /// already.
    pub fn parent() -> Option<Owner> {
        let pid = getppid().map(Pid::as_raw_nonzero).map(i32::from).filter(|pid| *pid > 1)?;
        Some(Owner { pid, began: began(pid) })
    }

    /// Whether the process runs. One that can't be asked counts as running.
    pub fn lives(&self) -> bool {
        if let (Some(then), Some(now)) = (self.began, began(self.pid)) {
            return then == now;
        }
        let Some(pid) = Pid::from_raw(self.pid) else { return false };
        test_kill_process(pid) != Err(rustix::io::Errno::SRCH)
    }
}

/// When a process began. The name before it is in parentheses and may hold anything.
fn began(pid: i32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(19)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_lives_until_it_ends_and_its_number_alone_proves_nothing() {
        let parent = Owner::parent().unwrap();
        assert!(parent.lives());
        assert!(!Owner { began: parent.began.map(|began| began + 1), ..parent }.lives());
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let pid = i32::try_from(child.id()).unwrap();
        let owner = Owner { pid, began: began(pid) };
        assert!(owner.lives() && Owner { began: None, ..owner }.lives());
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!owner.lives() && !Owner { began: None, ..owner }.lives());
        assert!(!Owner { pid: -5, began: None }.lives());
    }
}
