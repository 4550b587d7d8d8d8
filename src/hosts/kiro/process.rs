//! A session that is known by its client's process, where no event names it.

use std::fs;
use std::os::unix::process::parent_id;

/// The session of the process that has called this hook.
pub(super) fn session() -> Option<String> {
    let client = parent_id();
    // Number 1 adopts what has lost its parent.
    (client > 1).then(|| format!("process-{client}-{}", began(client).unwrap_or_default()))
}

/// When a process began, in the system's own count: a number that is used again is another process.
fn began(process: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name in brackets may hold anything.
    text.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_client_is_the_same_session() {
        let session = session().unwrap();
        assert!(session.starts_with("process-"), "{session}");
        assert_eq!(super::session(), Some(session));
        assert!(began(std::process::id()).is_some_and(|began| began > 0));
    }
}
