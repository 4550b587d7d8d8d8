//! `state.json` on disk: read whatever is in it, written whole, and mended under the lock.
//!
//! - A field of the wrong type costs that field alone: what is sound of it stays, else the last good copy's value
//!   serves, else the default. No such fault disarms: detection is then on, and a regression that can't be read counts
//!   as open.
//! - A file that is no state is replaced by its last good copy, `state.json.bak`, and with that lost by what the log
//!   tells ([`rebuilding`]).
//! - Either way [`LoopState::recover`] keeps the file as `state.json.damaged-{time}`, and says so. With the log lost
//!   as well it is an error: a loop is never silently reset.
//! - A newer major version is read as far as it is understood, and never written.
//! - A process reads and parses a file once, as long as the same file stands in its place: an event looks at its loop
//!   several times (`read_before`).

use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::super::atomic::{self, Durability};
use super::super::damaged::set_aside;
use super::super::layout::Layout;
use super::super::lock::Lock;
use super::super::mending::{self, Mended};
use super::super::own_file::{self, Look};
use super::super::rebuilding;
use super::super::version::{VERSION, is_newer};
use super::witnessed;
use super::{LoopState, OutsideChange};

mod read_before;
mod seal;
mod unreadable;

use read_before::File;
use unreadable::{regressions, take_over};

/// Fields of which a state has at least one; without any an object is something else.
const BASE: [&str; 4] = ["loop_id", "status", "iteration", "task"];

/// What can be wrong with a state file.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is none.
    #[error("{path} does not exist", path = path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// Neither the file nor its backup is a state, and no log tells of it.
    #[error("{path} can't be read as a loop state ({reason}), nor can {copy}, and {log} tells nothing of it; mend or remove it by hand", path = path.display(), copy = backup(path).display(), log = log.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The parser's words.
        reason: String,
        /// The loop's log.
        log: PathBuf,
    },
    /// The file is from a newer version.
    #[error("{path} has version {version}, this is for 2.x: it is read but not written; update Steadfast", path = path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: String,
    },
    /// The disk said no.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// What was found on disk.
struct Found {
    state: Rc<LoopState>,
    /// What is wrong with the file, and what serves in its place. `None`: nothing.
    fault: Option<String>,
    /// What something else has written into it.
    outside: Option<String>,
}

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
        let is_known = file.as_written || seal::knows(&path, &file.bytes);
        read_before::keep_file(path, File { as_written: is_known, ..file });
        is_known
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
        let Found { state, fault, outside } = find(layout, loop_id)?;
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
        write_bytes(&path, &state, Durability::Power)?;
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
            return write_bytes(&path, self, durability);
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
        write_bytes(&path, self, durability)
    }

    /// Remembers a state that was just written under its lock: this process need not read it again.
    pub fn remember_written(self, layout: &Layout) {
        let path = layout.state(&self.loop_id);
        let witness = witnessed::look(layout, &self.loop_id);
        if let Some(look) = Look::at(&path) {
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

fn write_bytes(path: &Path, state: &LoopState, durability: Durability) -> Result<(), Error> {
    let io_error = |source| Error::Io { path: path.to_owned(), source };
    let bytes = serde_json::to_vec_pretty(state).map_err(|error| io_error(error.into()))?;
    seal::write(path, &bytes, state).map_err(io_error)?;
    atomic::write(path, &bytes, durability).map_err(io_error)
}

fn backup(path: &Path) -> PathBuf {
    path.with_extension("json.bak")
}

/// A loop's state as it holds: the files', and what the witness outside of the project knows and they do not say.
fn find(layout: &Layout, loop_id: &str) -> Result<Found, Error> {
    let path = layout.state(loop_id);
    let witness = witnessed::look(layout, loop_id);
    if let Some(state) = read_before::state(&path, witness) {
        return Ok(Found { state, fault: None, outside: None });
    }
    let mut look = None;
    let found = match find_in_project(layout, loop_id, &mut look) {
        Ok(found) => found,
        Err(error @ Error::Newer { .. }) => return Err(error),
        Err(error) => {
            let Some(state) = witnessed::known(layout, loop_id) else { return Err(error) };
            let fault = format!("{error}; what was known of it outside of the project serves instead");
            return Ok(Found { state, fault: Some(fault), outside: None });
        }
    };
    let (state, lost) = witnessed::complete(layout, found.state);
    let lost = lost.map(|lost| {
        format!(
            "{} does not say what is known of it outside of the project, and that holds: {lost}",
            layout.state(loop_id).display()
        )
    });
    let fault = found.fault.into_iter().chain(lost).reduce(|fault, lost| format!("{fault}; {lost}"));
    if let Some(look) = look.filter(|_| fault.is_none() && found.outside.is_none()) {
        read_before::keep_state(path, (look, witness), Rc::clone(&state));
    }
    Ok(Found { state, fault, outside: found.outside })
}

/// What the project's own files say. `look` becomes the state file's, where that holds as it is.
fn find_in_project(layout: &Layout, loop_id: &str, look: &mut Option<Look>) -> Result<Found, Error> {
    let path = &layout.state(loop_id);
    let log = layout.hook_log(loop_id);
    let reason = match read_before::file(path) {
        Ok(File { bytes, look: of_file, as_written }) => match parse(&bytes) {
            // One of a newer version is sealed, if at all, in a way that is not known here.
            Ok(read) if as_written || is_newer(&read.value.version) || seal::knows(path, &bytes) => {
                *look = Some(of_file);
                return Ok(complete(read, path, loop_id));
            }
            Ok(read) => return Ok(foreign(complete(read, path, loop_id), path)),
            Err(reason) => reason,
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound && (backup(path).exists() || log.exists()) => {
            "it does not exist".to_owned()
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(Error::Missing { path: path.to_owned() });
        }
        Err(error) => error.to_string(),
    };
    let copy = own_file::read(&backup(path)).ok().and_then(|bytes| parse(&bytes).ok());
    let Some(copy) = copy else {
        let Some(state) = rebuilding::from_log(layout, loop_id) else {
            return Err(Error::Damaged { path: path.to_owned(), reason, log });
        };
        let (path, copy, log) = (path.display(), backup(path), log.display());
        let copy = copy.display();
        let fault = format!(
            "{path} can't be read as a loop state ({reason}), nor can {copy}; what {log} tells serves instead"
        );
        return Ok(Found { state: Rc::new(state), fault: Some(fault), outside: None });
    };
    let mut found = complete(copy, path, loop_id);
    let (path, copy) = (path.display(), backup(path));
    found.fault =
        Some(format!("{path} can't be read as a loop state ({reason}); {} serves instead", copy.display()));
    Ok(found)
}

/// A state that something else has written: what the loop is held to is put back, and it is told.
fn foreign(mut found: Found, path: &Path) -> Found {
    let mut state = Rc::unwrap_or_clone(found.state);
    let fields = seal::put_back(path, &mut state);
    let what = match fields.as_slice() {
        [] => "nothing that the loop is held to".to_owned(),
        fields => format!("{}, which Steadfast has put back", fields.join(", ")),
    };
    let told = format!(
        "CRITICAL: the state {} was changed by something other than Steadfast: {what}",
        path.display()
    );
    found.fault = Some(found.fault.map_or(told.clone(), |fault| format!("{told}; {fault}")));
    Found { state: Rc::new(state), outside: Some(what), ..found }
}

/// Reads a state as far as it is one; the error says why it is none.
fn parse(bytes: &[u8]) -> Result<Mended<LoopState>, String> {
    let mut read = mending::read::<LoopState>(bytes).map_err(|error| error.to_string())?;
    let any_base = |fields: Map<String, Value>| BASE.iter().any(|field| fields.contains_key(*field));
    // Every field has a default, so an empty loop id is the sign of an object that may be anything.
    if read.value.loop_id.is_empty() && !serde_json::from_slice(bytes).is_ok_and(any_base) {
        return Err("it has none of a loop's fields".to_owned());
    }
    let major = read.value.version.split('.').next().and_then(|major| major.parse::<u64>().ok());
    if major.is_none_or(|major| major < 2) {
        read.value.version = VERSION.to_owned();
    }
    Ok(read)
}

/// Fills what was lost from the last good copy, and makes sure that nothing is disarmed by it.
fn complete(read: Mended<LoopState>, path: &Path, loop_id: &str) -> Found {
    let Mended { value: mut state, mended } = read;
    // Another id would be written over another loop.
    loop_id.clone_into(&mut state.loop_id);
    if mended.is_empty() {
        return Found { state: Rc::new(state), fault: None, outside: None };
    }
    let copy: Option<Map<String, Value>> =
        own_file::read(&backup(path)).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    for fault in &mended {
        let kept = copy.as_ref().and_then(|copy| copy.get(&fault.field));
        match kept.filter(|kept| fault.lost && mending::fits::<LoopState>(&fault.field, kept)) {
            Some(kept) => take_over(&mut state, &fault.field, kept),
            None if fault.field == "regression_events" => state.regression_events = regressions(&fault.raw),
            None if fault.field == "detection_enabled" => state.detection_enabled = true,
            None => {}
        }
    }
    let names: Vec<&str> = mended.iter().map(|fault| fault.field.as_str()).collect();
    let fault = format!(
        "{} has fields of the wrong type ({}); the values of {} or the defaults serve instead",
        path.display(),
        names.join(", "),
        backup(path).display()
    );
    Found { state: Rc::new(state), fault: Some(fault), outside: None }
}

#[cfg(test)]
mod tests;
