//! The registry while it is changed: read under its lock, and written back where it says something else.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Map, Value};

use super::reading::RegistryReading;
use super::{Error, Registry, witnessed};
use crate::state::atomic::{self, Durability};
use crate::state::damaged::set_aside;
use crate::state::layout::Layout;
use crate::state::lock::Lock;
use crate::state::seal::Seal;
use crate::state::version::is_newer;

/// The registry under its lock. What is the same for every change stands here, once in the executable.
pub(super) struct LockedRegistry {
    pub(super) registry: Registry,
    /// What is wrong with the file.
    pub(super) damage: Option<Error>,
    /// What the file says; nothing, where it is not sound.
    on_disk: Option<Registry>,
    _lock: Lock,
}

impl LockedRegistry {
    pub(super) fn open(layout: &Layout, wait: Duration) -> Result<Self, Error> {
        let lock_path = layout.root().join("registry.lock");
        let Some(lock) = Lock::take(&lock_path, wait).map_err(io_error(lock_path.clone()))? else {
            return Err(Error::Busy { path: lock_path });
        };
        let RegistryReading { registry, sound, damage } = RegistryReading::of(layout)?;
        if is_newer(&registry.version) {
            return Err(Error::Newer { path: layout.registry(), version: registry.version });
        }
        if !sound {
            set_aside(&layout.registry(), Timestamp::now()).map_err(io_error(layout.registry()))?;
        }
        let on_disk = (sound && layout.registry().exists()).then(|| registry.clone());
        Ok(LockedRegistry { registry, damage, on_disk, _lock: lock })
    }

    pub(super) fn write(self, layout: &Layout) -> Result<(), Error> {
        let registry = &self.registry;
        if self.on_disk.as_ref() == Some(registry) {
            return Ok(());
        }
        // One that can't be written says nothing, and the registry counts.
        layout.witness().map(|witness| witnessed::follow(&witness, &registry.loops, &registry.sessions).ok());
        let bytes = serde_json::to_vec_pretty(registry).unwrap_or_default();
        let path = layout.registry();
        Seal::write(&path, &bytes, &Map::<String, Value>::new()).map_err(io_error(path.clone()))?;
        atomic::write(&path, &bytes, Durability::Process).map_err(io_error(path))?;
        // What cannot be tidied now is tidied later.
        atomic::remove_leftovers(layout.root()).ok();
        Ok(())
    }
}

fn io_error(path: PathBuf) -> impl FnOnce(io::Error) -> Error {
    move |source| Error::Io { path, source }
}
