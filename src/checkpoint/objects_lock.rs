//! The lock over kept bytes: while something is kept no blob is removed.

use std::fs::{File, TryLockError};
use std::time::Duration;

use crate::checkpoint::Error;
use crate::checkpoint::store::Store;
use crate::state::folders;
use crate::state::lock::{CLI_WAIT, HOOK_WAIT, Patience};
use crate::state::own_file;

/// While it lives no blob is removed.
#[derive(Debug)]
pub(crate) struct ObjectsLock {
    _file: File,
}

/// So long after a wait in vain nobody waits again.
static PATIENCE: Patience = Patience::with(Duration::ZERO, Duration::from_secs(30));

/// To be held from the first blob until the manifest that names it is there.
pub(crate) fn writing(store: &Store) -> Result<ObjectsLock, Error> {
    lock(store, HOOK_WAIT, File::try_lock_shared).map(|file| ObjectsLock { _file: file })
}

/// While it lives nothing is kept and nothing removed by others.
pub(crate) fn alone(store: &Store) -> Result<ObjectsLock, Error> {
    lock(store, CLI_WAIT, File::try_lock).map(|file| ObjectsLock { _file: file })
}

fn lock(store: &Store, wait: Duration, take: fn(&File) -> Result<(), TryLockError>) -> Result<File, Error> {
    let path = store.layout().root().join("objects.lock");
    folders::make(store.layout().root()).map_err(Error::io("create", store.layout().root()))?;
    let opened = own_file::writable(&path);
    let file = opened.map_err(Error::io("lock", &path))?;
    match PATIENCE.within(wait, || take(&file)).map_err(Error::io("lock", &path))? {
        true => Ok(file),
        false => Err(Error::Collecting),
    }
}
