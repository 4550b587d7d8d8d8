//! Names of loops. An id becomes a directory name, so nothing reaches the disk that was not checked here.

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::hex::hex;

/// Why a loop id is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "loop id {id:?} is refused: use 1 to 100 letters, digits, dots, dashes and underscores, and start with a letter or digit"
)]
pub struct BadLoopId {
    id: String,
}

/// Checks an id that came from outside: `../x`, an absolute path and an empty name are refused.
pub fn check(id: &str) -> Result<(), BadLoopId> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let starts_well = id.chars().next().is_some_and(|c| c.is_ascii_alphanumeric());
    if starts_well && id.len() <= 100 && id.chars().all(allowed) {
        return Ok(());
    }
    Err(BadLoopId { id: id.to_owned() })
}

/// `ralph-{slug of the task}-{8 hex}`.
pub fn for_task(task: &str, now: Timestamp) -> String {
    let slug = slug(task);
    let slug = if slug.is_empty() { "loop" } else { &slug };
    format!("ralph-{slug}-{}", hex8(task, now))
}

/// `ralph-session-{8 hex}`: the loop that a guarded session without a Ralph loop gets.
pub fn for_session(session_id: &str, now: Timestamp) -> String {
    format!("ralph-session-{}", hex8(session_id, now))
}

/// A random-looking UUID (version 8) from what makes an event unique.
pub fn uuid(seed: &str, now: Timestamp) -> String {
    let mut d = digest(seed, now);
    d[6] = (d[6] & 0x0f) | 0x80;
    d[8] = (d[8] & 0x3f) | 0x80;
    let hex = hex(&d[..16]);
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

fn slug(task: &str) -> String {
    let mut slug = String::new();
    for word in task.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        if slug.len() + word.len() > 32 {
            break;
        }
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.push_str(&word.to_ascii_lowercase());
    }
    slug
}

fn hex8(seed: &str, now: Timestamp) -> String {
    hex(&digest(seed, now)[..4])
}

fn digest(seed: &str, now: Timestamp) -> [u8; 32] {
    Sha256::new()
        .chain_update(seed)
        .chain_update(now.as_nanosecond().to_le_bytes())
        .chain_update(std::process::id().to_le_bytes())
        .finalize()
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outside_ids_are_checked() {
        for good in ["ralph-fix-tests-a1b2c3d4", "x", "Loop_1.2"] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for bad in ["", ".", "..", "../x", "/etc", "a/b", "a\\b", "-x", "a b", "ü", &"a".repeat(101)] {
            assert!(check(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn made_ids_are_valid_and_readable() {
        let now = Timestamp::UNIX_EPOCH;
        for task in ["Fix all failing tests!", "", "日本語", "a".repeat(500).as_str()] {
            let id = for_task(task, now);
            assert_eq!(check(&id), Ok(()), "{id}");
        }
        assert!(for_task("Fix all failing tests!", now).starts_with("ralph-fix-all-failing-tests-"));
        assert_eq!(uuid("x", now).len(), 36);
    }
}
