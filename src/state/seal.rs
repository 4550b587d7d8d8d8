//! Seals: which bytes Steadfast wrote last to one of its files, so that what something else has written is known.
//!
//! Invariant: a seal is written before its file and names the bytes before too, so that a death between the two accuses
//! nobody.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::atomic::{self, Durability};
use super::audit::hash;
use super::own_file;

/// How many digests are kept: the newest, and those that a death or another writer may have left.
const KNOWN: usize = 3;

/// The seal of a file, which lies beside it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Seal {
    digests: Vec<String>,
    /// What the newest bytes held that is put back when something else changes it.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub(super) fields: Map<String, Value>,
}

impl Seal {
    /// The seal of the file at `path`; `None` for one that was never sealed.
    pub(super) fn read(path: &Path) -> Option<Seal> {
        serde_json::from_slice(&own_file::read(&place(path)).ok()?).ok()
    }

    /// Seals the bytes that are about to be written to `path`.
    pub(super) fn write(path: &Path, bytes: &[u8], fields: Map<String, Value>) -> io::Result<()> {
        let mut digests = vec![hash(bytes)];
        digests.extend(Seal::read(path).unwrap_or_default().digests);
        digests.dedup();
        digests.truncate(KNOWN);
        atomic::write(&place(path), &serde_json::to_vec(&Seal { digests, fields })?, Durability::Process)
    }

    /// Whether Steadfast wrote these bytes.
    pub(super) fn names(&self, bytes: &[u8]) -> bool {
        self.digests.contains(&hash(bytes))
    }
}

fn place(path: &Path) -> PathBuf {
    path.with_extension("seal")
}
