//! `state.json` on disk: read whatever is in it, written whole, and mended under the lock.
//!
//! - A field of the wrong type costs that field alone: what is sound of it stays, else the last good copy's value
//!   serves, else the default. No such fault disarms: detection is then on, and a regression that can't be read counts
//!   as open.
//! - A file that is no state is replaced by its last good copy, `state.json.bak`, and with that lost by what the log
//!   tells (`state/rebuilding.rs`).
//! - Either way [`LoopState::recover`] keeps the file as `state.json.damaged-{time}`, and says so. With the log lost
//!   as well it is an error: a loop is never silently reset.
//! - A newer major version is read as far as it is understood, and never written.
//! - A process reads and parses a file once, as long as the same file stands in its place: an event looks at its loop
//!   several times (`read_before`).

use std::path::Path;
use std::rc::Rc;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use super::super::atomic::{self, Durability};
use super::super::damaged::set_aside;
use super::super::layout::Layout;
use super::super::lock::Lock;
use super::super::own_file::{self, FileIdentity};
use super::super::version::is_newer;
use super::witnessed;
use super::{LoopState, OutsideChange};

mod error;
mod finding;
mod read_before;
mod seal;
mod unreadable;

pub use error::Error;
use error::backup;
use finding::{StateOnDisk, find};
use read_before::ReadStateFile;

impl LoopState {
    /// Reads a loop's state and touches nothing: what is damaged is mended in memory.
    pub fn read(layout: &Layout, loop_id: &str) -> Result<LoopState, Error> {
        LoopState::read_shared(layout, loop_id).map(Rc::unwrap_or_clone)
    }

    /// As [`LoopState::read`], for who only looks: an unchanged file is read without a copy of what it holds.
    pub fn read_shared(layout: &Layout, loop_id: &str) -> Result<Rc<LoopState>, Error> {
        Ok(find(layout, loop_id)?.state)
    }

    /// Whether a loop's state is one that Steadfast has written.
    pub fn is_as_written(layout: &Layout, loop_id: &str) -> bool {
        let path = layout.state(loop_id);
        let Ok(file) = read_before::file(&path) else { return false };
        let is_known = file.as_written || seal::knows(layout, loop_id, &file.bytes);
        read_before::keep_file(path, ReadStateFile { as_written: is_known, ..file });
        is_known
    }

    /// What is wrong with a loop's state as it stands there; `None` for a sound one.
    pub fn fault(layout: &Layout, loop_id: &str) -> Option<String> {
        find(layout, loop_id).map_or_else(|error| Some(error.to_string()), |found| found.fault)
    }

    /// Reads a loop's state under its lock. A damaged file is set aside, the mended state takes its place, and the
    /// message names both.
    pub fn recover(
        layout: &Layout,
        loop_id: &str,
        _lock: &Lock,
        now: Timestamp,
    ) -> Result<(LoopState, Option<String>), Error> {
        let path = layout.state(loop_id);
        let StateOnDisk { state, fault, outside } = find(layout, loop_id)?;
        // It is about to be changed.
        read_before::forget();
        let mut state = Rc::unwrap_or_clone(state);
        if let Some(what) = outside {
            state.note_outside_change(OutsideChange { timestamp: now, file: "state".to_owned(), what });
        }
        let Some(fault) = fault else { return Ok((state, None)) };
        if is_newer(&state.version) {
            return Ok((state, Some(format!("{fault}; it is of a newer version, so it stays as it is"))));
        }
        let io_error = |source| Error::Io { path: path.clone(), source };
        let kept = match set_aside(&path, now).map_err(io_error)? {
            Some(aside) => format!("the file is kept as {}", aside.display()),
            None => "there is nothing to keep".to_owned(),
        };
        write_bytes(layout, &state, Durability::Power)?;
        Ok((state, Some(format!("{fault}; {kept}"))))
    }

    /// Writes the state; the file that is replaced stays as `state.json.bak`. A file of a newer version is not
    /// replaced, and a state of one not written.
    pub fn write(&self, layout: &Layout, durability: Durability) -> Result<(), Error> {
        #[derive(Deserialize)]
        struct OnDisk {
            #[serde(default)]
            version: Value,
        }
        witnessed::note(layout, self);
        let path = layout.state(&self.loop_id);
        let old = own_file::read(&path).ok().and_then(|old| serde_json::from_slice(&old).ok());
        let Some(OnDisk { version }) = old else {
            self.check_version(&path)?;
            return write_bytes(layout, self, durability);
        };
        match version.as_str().filter(|version| is_newer(version)) {
            Some(version) => Err(Error::Newer { path, version: version.to_owned() }),
            None => self.replace(layout, durability),
        }
    }

    /// As [`LoopState::write`], over the file that [`LoopState::recover`] has read under the same lock.
    pub fn replace(&self, layout: &Layout, durability: Durability) -> Result<(), Error> {
        let path = layout.state(&self.loop_id);
        self.check_version(&path)?;
        witnessed::note(layout, self);
        atomic::keep_as(&path, &backup(&path)).map_err(|source| Error::Io { path: path.clone(), source })?;
        write_bytes(layout, self, durability)
    }

    /// Remembers a state that was just written under its lock: this process need not read it again.
    pub fn remember_written(self, layout: &Layout) {
        let path = layout.state(&self.loop_id);
        let witness = witnessed::look(layout, &self.loop_id);
        if let Some(look) = FileIdentity::at(&path) {
            read_before::keep_state(path, (look, witness), Rc::new(self));
        }
    }

    fn check_version(&self, path: &Path) -> Result<(), Error> {
        if is_newer(&self.version) {
            return Err(Error::Newer { path: path.to_owned(), version: self.version.clone() });
        }
        Ok(())
    }
}

fn write_bytes(layout: &Layout, state: &LoopState, durability: Durability) -> Result<(), Error> {
    let path = &layout.state(&state.loop_id);
    let io_error = |source| Error::Io { path: path.to_owned(), source };
    let bytes = serde_json::to_vec_pretty(state).map_err(|error| io_error(error.into()))?;
    seal::write(layout, &bytes, state).map_err(io_error)?;
    atomic::write(path, &bytes, durability).map_err(io_error)
}

#[cfg(test)]
mod tests;
