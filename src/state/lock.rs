//! Advisory file locks with a deadline.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::damaged::clear_way;
use super::folders;
use super::own_file;

/// How long a hook waits for a lock before it goes on without writing: on a machine with dozens of hooks at once each of
/// them has its turn by then.
pub const HOOK_WAIT: Duration = Duration::from_secs(4);
/// How long a process waits that has waited for a lock in vain: whoever holds it stands still, and a hook has to answer.
const WAIT_AGAIN: Duration = Duration::from_millis(50);

/// Whether this process has waited for a lock in vain.
static IN_VAIN: AtomicBool = AtomicBool::new(false);
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
        let file = match own_file::writable(path) {
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                make_room(path.parent().unwrap_or(path))?;
                own_file::writable(path)?
            }
            file => file?,
        };
        let wait = if IN_VAIN.load(Ordering::Relaxed) { wait.min(WAIT_AGAIN) } else { wait };
        if within(wait, || file.try_lock())? {
            return Ok(Some(Lock { _file: file }));
        }
        IN_VAIN.fetch_or(wait >= HOOK_WAIT, Ordering::Relaxed);
        Ok(None)
    }
}

/// Tries to take a lock for all of `wait`; answers whether it was had.
pub(crate) fn within(wait: Duration, take: impl Fn() -> Result<(), TryLockError>) -> io::Result<bool> {
    let started = Instant::now();
    let mut pause = Duration::from_micros(200);
    loop {
        match take() {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) if started.elapsed() >= wait => return Ok(false),
            Err(TryLockError::WouldBlock) => std::thread::sleep(pause),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

/// Makes a folder, and clears the way to it where something else stands there.
fn make_room(directory: &Path) -> io::Result<()> {
    folders::make(directory).or_else(|error| match clear_way(directory, Timestamp::now())? {
        true => folders::make(directory),
        false => Err(error),
    })
}
