//! Advisory file locks with a deadline.

use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::damaged::clear_way;
use super::folders;
use super::own_file;

/// How long a hook waits for a lock before it goes on without writing: on a machine with dozens of hooks at once each of
/// them has its turn by then.
pub const HOOK_WAIT: Duration = Duration::from_secs(4);
/// How often a lock's file may be cleared away while somebody waits for it. Where a file system gives its files no lasting
/// numbers, that is said each time.
const CLEARED: u32 = 20;
/// Of a process that has waited for one of these locks in vain, for as long as it lives.
static PATIENCE: Patience = Patience::with(Duration::from_millis(50), Duration::MAX);
/// How long the command line waits.
pub const CLI_WAIT: Duration = Duration::from_secs(10);

/// A held lock; released when dropped, also by the death of the process.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock at `path` (the file is made, and stays until it is cleared). `Ok(None)` when another process held it for all of
    /// `wait`.
    pub fn take(path: &Path, wait: Duration) -> io::Result<Option<Lock>> {
        let mut left = CLEARED;
        loop {
            let file = opened(path)?;
            if !PATIENCE.within(wait, || file.try_lock())? {
                return Ok(None);
            }
            if left == 0 || is_at(&file, path) {
                return Ok(Some(Lock { _file: file }));
            }
            // It was cleared away meanwhile: whoever comes next would take another one.
            left -= 1;
        }
    }

    /// Removes a lock's file where nobody holds it. Who waits for it takes the next one.
    pub fn clear(path: &Path) {
        let Some(file) = path.is_file().then(|| own_file::writable(path).ok()).flatten() else { return };
        if file.try_lock().is_ok() && is_at(&file, path) {
            std::fs::remove_file(path).ok();
        }
    }
}

/// A lock's file, made where it is not there.
fn opened(path: &Path) -> io::Result<File> {
    match own_file::writable(path) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            make_room(path.parent().unwrap_or(path))?;
            own_file::writable(path)
        }
        file => file,
    }
}

/// Whether an open file still stands at its path. Where that can't be said, it does.
fn is_at(file: &File, path: &Path) -> bool {
    let Ok(own) = file.metadata() else { return true };
    match std::fs::metadata(path) {
        Ok(there) => (own.dev(), own.ino()) == (there.dev(), there.ino()),
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    }
}

/// A process waits less once it has waited in vain: whoever holds a lock stands still for the next wait too, and a hook
/// has to answer.
#[derive(Debug)]
pub(crate) struct Patience {
    /// How long it waits then.
    again: Duration,
    /// For how long that holds.
    lasts: Duration,
    in_vain: Mutex<Option<Instant>>,
}

impl Patience {
    pub(crate) const fn with(again: Duration, lasts: Duration) -> Patience {
        Patience { again, lasts, in_vain: Mutex::new(None) }
    }

    /// Tries to take a lock for all of `wait`, or for what patience is left; answers whether it was had.
    pub(crate) fn within(
        &self,
        wait: Duration,
        take: impl Fn() -> Result<(), TryLockError>,
    ) -> io::Result<bool> {
        let last = *self.in_vain();
        let is_spent = last.is_some_and(|at| at.elapsed() < self.lasts);
        let wait = if is_spent { wait.min(self.again) } else { wait };
        let had = within(wait, take)?;
        if !had && wait >= HOOK_WAIT {
            *self.in_vain() = Some(Instant::now());
        }
        Ok(had)
    }

    fn in_vain(&self) -> MutexGuard<'_, Option<Instant>> {
        self.in_vain.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tries to take a lock for all of `wait`; answers whether it was had.
pub(super) fn within(wait: Duration, take: impl Fn() -> Result<(), TryLockError>) -> io::Result<bool> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_that_is_cleared_away_is_held_by_one_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.lock");
        let held = Lock::take(&path, Duration::ZERO).unwrap().unwrap();
        Lock::clear(&path);
        assert!(path.exists(), "one that is held stays");
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| Lock::take(&path, Duration::from_secs(20)).unwrap());
            std::thread::sleep(Duration::from_millis(50));
            std::fs::remove_file(&path).unwrap();
            drop(held);
            let own = waiter.join().unwrap();
            assert!(own.is_some() && Lock::take(&path, Duration::ZERO).unwrap().is_none());
        });
        Lock::clear(&path);
        assert!(!path.exists());
        assert!(Lock::take(&path, Duration::ZERO).unwrap().is_some());
    }
}
