//! Writing a file so that a reader sees the old content or the new, and nothing between, whatever dies when.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Whether a write must survive a power cut, or only the death of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Flushed to the disk before it counts: file and directory entry.
    Power,
    /// Left to the operating system: enough against kill -9, and some milliseconds cheaper.
    Process,
}

/// Writes `bytes` to `path` by a temporary file in the same directory and a rename. Missing directories are made.
pub fn write(path: &Path, bytes: &[u8], durability: Durability) -> io::Result<()> {
    let directory = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(directory)?;
    let mut file = tempfile::Builder::new().prefix(".tmp-").tempfile_in(directory)?;
    file.write_all(bytes)?;
    if durability == Durability::Power {
        file.as_file().sync_data()?;
    }
    file.persist(path).map_err(|error| error.error)?;
    if durability == Durability::Power {
        File::open(directory)?.sync_all()?;
    }
    Ok(())
}
