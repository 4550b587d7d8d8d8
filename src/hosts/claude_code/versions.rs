//! The versions of the client that Steadfast was tested with, and how a client says which it is.

/// A version, which compares as its numbers do.
pub type Version = [u32; 3];

/// The versions that the tests play sessions with, the oldest first. The newest knows every event of the table.
pub const TESTED: &[Version] = &[[2, 1, 197], KNOWS_EVERY_EVENT];

/// The version from which on the client knows every event that is registered.
pub const KNOWS_EVERY_EVENT: Version = [2, 1, 332];

/// The variable in which the client tells programs that it starts who it is.
pub const AGENT_VARIABLE: &str = "AI_AGENT";

/// What `claude --version` says: `2.1.332 (Claude Code)`.
pub fn parse(said: &str) -> Option<Version> {
    numbers(said.split_whitespace().next()?, '.')
}

/// What the client says of itself to a program: `claude-code_2-1-332_harness`.
pub fn of_agent(said: &str) -> Option<Version> {
    let version = said.strip_prefix("claude-code_")?;
    numbers(version.split('_').next()?, '-')
}

/// A version newer than all that were tested, as text, and the newest of those.
pub fn untested(version: Version) -> Option<(String, String)> {
    let newest = *TESTED.iter().max()?;
    (version > newest).then(|| (written(version), written(newest)))
}

/// Whether a version is older than all that were tested.
pub fn is_older(version: Version) -> bool {
    TESTED.iter().min().is_some_and(|oldest| version < *oldest)
}

fn numbers(text: &str, sign: char) -> Option<Version> {
    let mut numbers = text.split(sign).map(|number| number.parse().ok());
    Some([numbers.next()??, numbers.next()??, numbers.next()??])
}

/// A version as people write it.
pub fn written([major, minor, patch]: Version) -> String {
    format!("{major}.{minor}.{patch}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_and_told_apart() {
        for (said, version) in [
            ("2.1.332 (Claude Code)", Some([2, 1, 332])),
            ("2.2.0", Some([2, 2, 0])),
            ("sh: claude: not found", None),
            ("", None),
        ] {
            assert_eq!(parse(said), version, "{said}");
        }
        for (said, version) in [
            ("claude-code_2-1-332_harness", Some([2, 1, 332])),
            ("claude-code_3-0-1", Some([3, 0, 1])),
            ("claude-code_next", None),
            ("another_2-1-332", None),
        ] {
            assert_eq!(of_agent(said), version, "{said}");
        }
        for tested in TESTED {
            assert_eq!(untested(*tested), None, "{tested:?}");
        }
        assert_eq!(untested([2, 0, 999]), None);
        assert_eq!(untested([2, 10, 0]).map(|(version, _)| version).as_deref(), Some("2.10.0"));
    }
}
