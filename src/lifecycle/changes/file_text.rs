//! Reading a file as text that can be judged, and when it was changed.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use jiff::Timestamp;

/// Larger files are not judged by their text, in bytes.
pub const READ_LIMIT: u64 = 8 * 1024 * 1024;

/// A file's text, if it is one that can be judged.
pub fn read_text(path: &Path) -> Option<String> {
    let metadata = fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > READ_LIMIT {
        return None;
    }
    fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// When a file's content or permissions changed last. No program can set it back.
pub fn changed_at(metadata: &Metadata) -> Timestamp {
    let nanoseconds = i32::try_from(metadata.ctime_nsec()).unwrap_or_default();
    Timestamp::new(metadata.ctime(), nanoseconds).unwrap_or_default()
}
