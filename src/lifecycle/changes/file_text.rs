//! Reading a file as text that can be judged.

use std::fs;
use std::path::Path;

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
