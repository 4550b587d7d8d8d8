//! A loop's state as it is found: the file, else its copy, else what the log tells.

use std::io;
use std::path::Path;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::error::{Error, backup};
use super::read_before::{self, ReadStateFile};
use super::seal;
use super::unreadable::{regressions, take_over};
use crate::state::layout::Layout;
use crate::state::loop_state::{LoopState, witnessed};
use crate::state::mending::{self, MendedState};
use crate::state::own_file::{self, FileIdentity};
use crate::state::rebuilding;
use crate::state::version::{VERSION, is_newer};

/// Fields of which a state has at least one; without any an object is something else.
const BASE: [&str; 4] = ["loop_id", "status", "iteration", "task"];

/// Why a state that is not there can't be read.
const GONE: &str = "it does not exist";

/// What was found on disk.
pub(super) struct StateOnDisk {
    pub(super) state: Rc<LoopState>,
    /// What is wrong with the file, and what serves in its place. `None`: nothing.
    pub(super) fault: Option<String>,
    /// What something else has written into it.
    pub(super) outside: Option<String>,
}

/// A loop's state as it holds: the files', and what the witness outside of the project knows and they do not say.
pub(super) fn find(layout: &Layout, loop_id: &str) -> Result<StateOnDisk, Error> {
    let path = layout.state(loop_id);
    let witness = witnessed::look(layout, loop_id);
    if let Some(state) = read_before::state(&path, witness) {
        return Ok(StateOnDisk { state, fault: None, outside: None });
    }
    let mut look = None;
    let found = match find_in_project(layout, loop_id, &mut look) {
        Ok(found) => found,
        Err(error @ Error::Newer { .. }) => return Err(error),
        Err(error) => {
            let Some(state) = witnessed::known(layout, loop_id) else { return Err(error) };
            let outside =
                "its files were removed, and what was known of it outside of the project serves instead";
            let fault = format!("{error}; what was known of it outside of the project serves instead");
            return Ok(StateOnDisk { state, fault: Some(fault), outside: Some(outside.to_owned()) });
        }
    };
    let (state, lost) = witnessed::complete(layout, found.state);
    let outside = found.outside.into_iter().chain(lost.as_ref().map(|lost| format!("it did not say {lost}")));
    let outside = outside.reduce(|outside, lost| format!("{outside}; {lost}"));
    let lost = lost.map(|lost| {
        format!(
            "{} does not say what is known of it outside of the project, and that holds: {lost}",
            layout.state(loop_id).display()
        )
    });
    let fault = found.fault.into_iter().chain(lost).reduce(|fault, lost| format!("{fault}; {lost}"));
    if let Some(look) = look.filter(|_| fault.is_none() && outside.is_none()) {
        read_before::keep_state(path, (look, witness), Rc::clone(&state));
    }
    Ok(StateOnDisk { state, fault, outside })
}

/// What the project's own files say. `look` becomes the state file's, where that holds as it is.
fn find_in_project(
    layout: &Layout,
    loop_id: &str,
    look: &mut Option<FileIdentity>,
) -> Result<StateOnDisk, Error> {
    let path = &layout.state(loop_id);
    let log = layout.hook_log(loop_id);
    let reason = match read_before::file(path) {
        Ok(ReadStateFile { bytes, look: of_file, as_written }) => match parse(&bytes) {
            // One of a newer version is sealed, if at all, in a way that is not known here.
            Ok(read)
                if as_written || is_newer(&read.value.version) || seal::knows(layout, loop_id, &bytes) =>
            {
                *look = Some(of_file);
                return Ok(complete(read, path, loop_id));
            }
            Ok(read) => return Ok(foreign(layout, loop_id, complete(read, path, loop_id))),
            Err(reason) => reason,
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound && (backup(path).exists() || log.exists()) => {
            GONE.to_owned()
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(Error::Missing { path: path.to_owned() });
        }
        Err(error) => error.to_string(),
    };
    // A file is replaced and never removed: who takes it away is something else.
    let outside = (reason == GONE).then(|| "its file was removed".to_owned());
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
        return Ok(StateOnDisk { state: Rc::new(state), fault: Some(fault), outside });
    };
    let mut found = StateOnDisk { outside, ..complete(copy, path, loop_id) };
    let (path, copy) = (path.display(), backup(path));
    found.fault =
        Some(format!("{path} can't be read as a loop state ({reason}); {} serves instead", copy.display()));
    Ok(found)
}

/// A state that something else has written: what the loop is held to is put back, and it is told.
fn foreign(layout: &Layout, loop_id: &str, mut found: StateOnDisk) -> StateOnDisk {
    let path = layout.state(loop_id);
    let mut state = Rc::unwrap_or_clone(found.state);
    let fields = seal::put_back(layout, loop_id, &mut state);
    let what = match fields.as_slice() {
        [] => "nothing that the loop is held to".to_owned(),
        fields => format!("{}, which Steadfast has put back", fields.join(", ")),
    };
    let told = format!(
        "CRITICAL: the state {} was changed by something other than Steadfast: {what}",
        path.display()
    );
    found.fault = Some(found.fault.map_or(told.clone(), |fault| format!("{told}; {fault}")));
    StateOnDisk { state: Rc::new(state), outside: Some(what), ..found }
}

/// Reads a state as far as it is one; the error says why it is none.
fn parse(bytes: &[u8]) -> Result<MendedState<LoopState>, String> {
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
fn complete(read: MendedState<LoopState>, path: &Path, loop_id: &str) -> StateOnDisk {
    let MendedState { value: mut state, mended } = read;
    // Another id would be written over another loop.
    loop_id.clone_into(&mut state.loop_id);
    if mended.is_empty() {
        return StateOnDisk { state: Rc::new(state), fault: None, outside: None };
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
    StateOnDisk { state: Rc::new(state), fault: Some(fault), outside: None }
}
