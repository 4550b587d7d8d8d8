//! Advisory file locks with a deadline.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::damaged::clear_way;
use super::own_file;

/// How long a hook waits for a lock before it goes on without writing.
pub const HOOK_WAIT: Duration = Duration::from_millis(200);
/// How long the command line waits.
pub const CLI_WAIT: Duration = Duration::from_secs(10);

/// A held lock; released when dropped, also by the death of the process.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock at `path` (the file is made, and stays). `Ok(None)` when another process held it for all of
    /// `wait`.
    pub fn take(path: &Path, wait: Duration) -> io::Result<Option<Lock>> {
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory).or_else(|error| match clear_way(directory, Timestamp::now())? {
                true => fs::create_dir_all(directory),
                false => Err(error),
            })?;
        }
        let file = own_file::writable(path)?;
        let started = Instant::now();
        let mut pause = Duration::from_micros(200);
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Some(Lock { _file: file })),
                Err(TryLockError::WouldBlock) if started.elapsed() >= wait => return Ok(None),
                Err(TryLockError::WouldBlock) => std::thread::sleep(pause),
                Err(TryLockError::Error(error)) => return Err(error),
            }
            pause = (pause * 2).min(Duration::from_millis(5));
        }
    }
}
