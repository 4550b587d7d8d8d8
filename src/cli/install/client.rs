//! Which version of the client the hooks are for: what an older one does not know is left out of its settings, because
//! it asks about an unknown event at each start.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::hosts::claude_code::versions::{self, KNOWS_EVERY_EVENT, Version};
use crate::loops::verification::run_shell;
use crate::text::health;

/// How long the client may take to say its version.
const PATIENCE: Duration = Duration::from_secs(10);

/// The client's version: the one that a person named, else what `claude` on PATH says.
pub(in crate::cli) fn version(named: Option<&str>) -> Option<Version> {
    let said = named.map(str::to_owned).or_else(said);
    said.as_deref().and_then(versions::parse)
}

/// Whether the client knows every event. One that does not answer counts as an older one.
pub(super) fn knows_every_event(version: Option<Version>) -> bool {
    version.is_some_and(|version| version >= KNOWS_EVERY_EVENT)
}

/// What a person is told of a client that is newer than all that were tested.
pub(in crate::cli) fn untested(version: Option<Version>) -> Option<String> {
    let (version, newest) = versions::untested(version?)?;
    Some(health::untested_client(&version, &newest))
}

fn said() -> Option<String> {
    let ran = run_shell("claude --version", Path::new("/"), Instant::now() + PATIENCE, &[]).ok()?;
    ran.status.filter(|status| status.success())?;
    Some(String::from_utf8_lossy(&ran.output).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_that_says_nothing_counts_as_an_older_one() {
        for (said, knows) in [
            ("2.1.332 (Claude Code)", true),
            ("2.2.0", true),
            ("3.0.1", true),
            ("2.1.331", false),
            ("2.1.197 (Claude Code)", false),
            ("sh: claude: not found", false),
        ] {
            assert_eq!(knows_every_event(version(Some(said))), knows, "{said}");
        }
    }
}
