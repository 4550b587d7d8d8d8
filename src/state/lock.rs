//! Advisory file locks with a deadline.

use std::fs::{File, TryLockError};
use std::io;
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
        let had = PATIENCE.within(wait, || file.try_lock())?;
        Ok(had.then_some(Lock { _file: file }))
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
