//! The calls over a net that have not ended: what each of them has been found to change so far.
//!
//! Invariant: a call's record stays until its checkpoint is there, so that a death between the two loses nothing.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::checkpoint::Error;
use crate::checkpoint::catalogue::EndedCall;
use crate::checkpoint::manifest;
use crate::checkpoint::node::{Entry, Skipped};
use crate::checkpoint::store::{Store, is_absence};
use crate::state::atomic::{self, Durability};
use crate::state::folders;
use crate::state::own_file;

/// One call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OpenedCall {
    pub loop_id: String,
    pub iteration: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// The subagent that makes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Whether its agent has begun another call since, without a word of this one.
    #[serde(default)]
    pub is_passed: bool,
    pub tool: String,
    /// What it does, in a line.
    pub summary: String,
    pub began: Timestamp,
    /// What was there before, where that was found to be something else since; the bytes are kept.
    #[serde(default)]
    pub before: Vec<Entry>,
    /// Whether all that there was is known.
    #[serde(default)]
    pub is_whole: bool,
    /// What is something else since, and was not kept.
    #[serde(default)]
    pub unkept: Vec<Skipped>,
    /// What had changed before it began since the last look, by names that are text; `None` where that is not known.
    #[serde(default)]
    pub older: Option<Vec<String>>,
}

fn folder(store: &Store) -> PathBuf {
    store.layout().root().join("open-nets")
}

/// The records' files, in the order of their names.
pub(crate) fn files(store: &Store) -> Result<Vec<PathBuf>, Error> {
    let folder = folder(store);
    let children = match fs::read_dir(&folder) {
        Ok(children) => children,
        Err(error) if is_absence(&error) => return Ok(Vec::new()),
        Err(source) => return Err(Error::Io { doing: "read", path: folder, source }),
    };
    let mut files: Vec<PathBuf> = children.flatten().map(|child| child.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort_unstable();
    Ok(files)
}

/// The file of a call's record.
pub(crate) fn file(store: &Store, loop_id: &str, tool_call_id: Option<&str>) -> PathBuf {
    let label = tool_call_id.map_or_else(|| "call-without-id".to_owned(), manifest::call_label);
    folder(store).join(format!("{loop_id}.{label}.json"))
}

impl OpenedCall {
    /// The call as others name it.
    pub(crate) fn call(&self) -> EndedCall<'_> {
        EndedCall {
            loop_id: &self.loop_id,
            iteration: self.iteration,
            tool_call_id: self.tool_call_id.as_deref(),
        }
    }

    /// Reads a record; `None` when there is none that can be read.
    pub(crate) fn read(path: &Path) -> Option<OpenedCall> {
        serde_json::from_slice(&own_file::read(path).ok()?).ok()
    }

    /// Writes it.
    pub(crate) fn write(&self, store: &Store) -> Result<(), Error> {
        let path = file(store, &self.loop_id, self.tool_call_id.as_deref());
        let folder = folder(store);
        folders::make(&folder).map_err(Error::io("create", &folder))?;
        let write = || atomic::write(&path, &serde_json::to_vec(self)?, Durability::Process);
        write().map_err(Error::io("write", &path))
    }

    /// Adds what was found; of a path the first that was found is what the call began with.
    pub(crate) fn add(&mut self, before: &[Entry], unkept: &[Skipped]) {
        let known: BTreeSet<PathBuf> = (self.before.iter().map(|entry| &entry.path))
            .chain(self.unkept.iter().map(|skipped| &skipped.path))
            .cloned()
            .collect();
        self.before.extend(before.iter().filter(|entry| !known.contains(&entry.path)).cloned());
        self.unkept.extend(unkept.iter().filter(|skipped| !known.contains(&skipped.path)).cloned());
    }
}
