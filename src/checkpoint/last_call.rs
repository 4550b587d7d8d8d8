//! `last-call.json`: the newest call that may have changed something, whether it did or not.
//!
//! "The last one" is that call to a person. Where it changed nothing, going back to an older one is not what was asked.

use std::io;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::checkpoint::store::Store;
use crate::state::atomic::{self, Durability};
use crate::state::own_file;

/// The call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastCall {
    /// The host's id of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// What it did, in a line.
    pub summary: String,
    /// When it ended.
    pub ended: Timestamp,
}

impl LastCall {
    /// Reads it; `None` when none is known.
    pub fn read(store: &Store) -> Option<LastCall> {
        serde_json::from_slice(&own_file::read(&path(store)).ok()?).ok()
    }

    /// Notes it.
    pub fn write(&self, store: &Store) -> io::Result<()> {
        atomic::write(&path(store), &serde_json::to_vec(self)?, Durability::Process)
    }
}

fn path(store: &Store) -> std::path::PathBuf {
    store.layout().root().join("last-call.json")
}
