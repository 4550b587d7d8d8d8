//! The registry's file, read whatever is in it, and made again from the loops' own states where it is lost.

use std::cell::RefCell;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{Error, Registry, seal};
use crate::state::damaged::stands;
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;
use crate::state::mending::{self, MendedState};
use crate::state::own_file::{self, FileIdentity, LARGEST};
use crate::state::version::is_newer;

thread_local! {
    /// The sound registry that was read last, and how its file looked: the same file holds the same.
    static READ: RefCell<Option<(PathBuf, FileIdentity, Registry)>> = const { RefCell::new(None) };
}

/// The registry as it holds, whatever the file says.
pub(super) struct RegistryReading {
    pub(super) registry: Registry,
    /// Whether the file is sound as it is.
    pub(super) sound: bool,
    /// What is wrong with the file. Only under the lock is that certain: between two readings of who does not hold it
    /// several writers may have their turn.
    pub(super) damage: Option<Error>,
}

impl RegistryReading {
    /// Reads the file; a damaged one is made again in memory from the loops' own states.
    pub(super) fn of(layout: &Layout) -> Result<RegistryReading, Error> {
        match find(layout) {
            Ok((registry, sound)) => {
                let foreign = !sound && seal::is_foreign(layout);
                let damage = foreign.then(|| Error::Foreign { path: layout.registry() });
                Ok(RegistryReading { registry, sound, damage })
            }
            Err(damage @ Error::Damaged { .. }) => {
                Ok(RegistryReading { registry: rebuilt(layout), sound: false, damage: Some(damage) })
            }
            Err(error) => Err(error),
        }
    }
}

/// The registry, and whether the file is sound as it is. A part of the wrong type costs no more than itself, and what
/// the loops' own states say holds instead.
pub(super) fn find(layout: &Layout) -> Result<(Registry, bool), Error> {
    let path = layout.registry();
    if let Some(registry) = read_before(&path) {
        return Ok((registry, true));
    }
    let (bytes, look) = match own_file::read_seen(&path, LARGEST) {
        Ok(read) => read,
        // A loop that begins has its state before its line.
        Err(error) if error.kind() == io::ErrorKind::NotFound && !stands(&path) => {
            // Where nothing of the guard is, there is no loop to find either.
            if !stands(layout.root()) {
                return Ok((Registry::default(), true));
            }
            return Ok((rebuilt(layout), !seal::is_foreign(layout)));
        }
        Err(error) => return Err(Error::Damaged { path, reason: error.to_string() }),
    };
    let MendedState { value: mut registry, mended } = mending::read::<Registry>(&bytes)
        .map_err(|error| Error::Damaged { path: path.clone(), reason: error.to_string() })?;
    let is_ours = || seal::knows(layout, &bytes) || !seal::is_foreign(layout);
    if (mended.is_empty() && is_ours()) || is_newer(&registry.version) {
        READ.set(Some((path, look, registry.clone())));
        return Ok((registry, true));
    }
    let rebuilt = rebuilt(layout);
    registry.loops.extend(rebuilt.loops);
    for (session, id) in rebuilt.sessions {
        registry.sessions.entry(session).or_insert(id);
    }
    Ok((registry, false))
}

fn read_before(path: &Path) -> Option<Registry> {
    READ.with_borrow(|read| {
        let read = read.as_ref().filter(|(of, look, _)| of == path && FileIdentity::at(path) == Some(*look));
        read.map(|(_, _, registry)| registry.clone())
    })
}

/// A registry made again from the loops' own states, when the file is lost.
pub(super) fn rebuilt(layout: &Layout) -> Registry {
    let mut registry = Registry::default();
    let Ok(directories) = fs::read_dir(layout.loops()) else { return registry };
    for directory in directories.flatten() {
        let Some(id) = directory.file_name().to_str().map(str::to_owned) else { continue };
        let Ok(state) = LoopState::read(layout, &id) else { continue };
        if let Some(session) =
            state.session_id.as_deref().filter(|s| !s.is_empty() && !state.status.is_over())
        {
            registry.bind(session, &id);
        }
        registry.loops.insert(id, state.registry_entry());
    }
    registry
}
