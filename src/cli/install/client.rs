//! Which version of the client the hooks are for: what an older one does not know is left out of its settings, because
//! it asks about an unknown event at each start.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::loops::verification::run_shell;

/// The version from which on the client knows every event of the table.
const KNOWS_EVERY_EVENT: [u32; 3] = [2, 1, 332];
/// How long the client may take to say its version.
const PATIENCE: Duration = Duration::from_secs(10);

/// Whether the client knows every event: by the version that a person named, else by what `claude` on PATH says. A
/// client that does not answer counts as an older one.
pub(super) fn knows_every_event(named: Option<&str>) -> bool {
    let said = named.map(str::to_owned).or_else(version);
    said.as_deref().and_then(parse).is_some_and(|version| version >= KNOWS_EVERY_EVENT)
}

fn version() -> Option<String> {
    let ran = run_shell("claude --version", Path::new("/"), Instant::now() + PATIENCE, &[]).ok()?;
    ran.status.filter(|status| status.success())?;
    Some(String::from_utf8_lossy(&ran.output).into_owned())
}

/// `2.1.332 (Claude Code)`.
fn parse(said: &str) -> Option<[u32; 3]> {
    let mut numbers = said.split_whitespace().next()?.split('.').map(|number| number.parse().ok());
    Some([numbers.next()??, numbers.next()??, numbers.next()??])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_told_apart() {
        for (said, knows) in [
            ("2.1.332 (Claude Code)", true),
            ("2.2.0", true),
            ("3.0.1", true),
            ("2.1.331", false),
            ("2.1.197 (Claude Code)", false),
            ("sh: claude: not found", false),
            ("", false),
        ] {
            assert_eq!(knows_every_event(Some(said)), knows, "{said}");
        }
    }
}
