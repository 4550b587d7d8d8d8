//! The time zone of the person: one small file, where a look through all zones would cost more than all else here.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use jiff::tz::TimeZone;

use crate::state::own_file;

/// Where the system's own zone stands, and all zones by name.
const SYSTEM: &str = "/etc/localtime";
const ZONES: &str = "/usr/share/zoneinfo";
/// No zone's file is longer, in bytes.
const LONGEST: u64 = 1 << 20;

/// The zone of the person, as `TZ` or the system says it; UTC where neither does.
pub(super) fn zone() -> TimeZone {
    static ZONE: LazyLock<TimeZone> = LazyLock::new(|| {
        let set = std::env::var("TZ").ok();
        let system = || of_file(Path::new(SYSTEM));
        set.as_deref().and_then(named).or_else(system).unwrap_or(TimeZone::UTC)
    });
    ZONE.clone()
}

/// What `TZ` may hold: the name of a zone, a file, or the rules themselves.
fn named(said: &str) -> Option<TimeZone> {
    let said = said.strip_prefix(':').unwrap_or(said);
    if said.is_empty() {
        return None;
    }
    let file: PathBuf = Path::new(ZONES).join(said);
    of_file(&file).or_else(|| TimeZone::posix(said).ok())
}

fn of_file(file: &Path) -> Option<TimeZone> {
    // The system's is a link, as a rule.
    let bytes = own_file::read_within(&file.canonicalize().ok()?, LONGEST).ok()?;
    TimeZone::tzif("here", &bytes).ok()
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    #[test]
    fn a_zone_is_a_name_or_rules() {
        let hour = |said: &str| named(said).map(|zone| Timestamp::UNIX_EPOCH.to_zoned_datetime(zone).hour());
        assert_eq!(hour("XXX-5"), Some(5));
        assert_eq!(hour(":XXX3"), Some(21));
        assert_eq!(hour(""), None);
        assert_eq!(hour("No/Such Zone"), None);
        // Not every system has the zones by name.
        assert!(matches!(hour("Asia/Tokyo"), Some(9) | None));
    }
}
