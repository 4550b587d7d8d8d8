//! Seals: which bytes Steadfast wrote last to one of its files, so that what something else has written is known.
//!
//! Invariant: a seal is written before its file and names the bytes before too, so that a death between the two accuses
//! nobody.

use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::atomic::{self, Durability};
use super::audit::hash;
use super::own_file;

/// How many digests are kept: the newest, and those that a death or another writer may have left.
const KNOWN: usize = 3;

/// The seal of a file, which lies beside it: its digests in a line, and what it held in the next. Who asks for the
/// digests parses nothing else.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Seal {
    digests: Vec<String>,
}

/// What the newest bytes held that is put back when something else changes it. Older versions have it in one object
/// with the digests.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct SealedFields<F> {
    fields: F,
}

impl Seal {
    /// The seal of the file at `path`; `None` for one that was never sealed.
    pub(super) fn read(path: &Path) -> Option<Seal> {
        Seal::of(&own_file::read(&place(path)).ok()?)
    }

    /// The seal that these bytes of a seal's file say.
    pub(super) fn of(bytes: &[u8]) -> Option<Seal> {
        first_value(bytes)
    }

    /// What the sealed file held, as these bytes of a seal's file say.
    pub(super) fn fields_of(bytes: &[u8]) -> Option<Map<String, Value>> {
        let line = bytes.iter().position(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        first_value::<SealedFields<_>>(&bytes[line..]).map(|held| held.fields)
    }

    /// The seal's file for bytes that are about to be written, with what they hold, after the seal of those before.
    pub(super) fn next(before: Option<Seal>, bytes: &[u8], fields: &impl Serialize) -> io::Result<Vec<u8>> {
        let mut digests = vec![hash(bytes)];
        digests.extend(before.unwrap_or_default().digests);
        digests.dedup();
        digests.truncate(KNOWN);
        let mut written = serde_json::to_vec(&Seal { digests })?;
        written.push(b'\n');
        serde_json::to_writer(&mut written, &SealedFields { fields })?;
        Ok(written)
    }

    /// Seals the bytes that are about to be written to `path`, with what they hold.
    pub(super) fn write(path: &Path, bytes: &[u8], fields: &impl Serialize) -> io::Result<()> {
        atomic::write(&place(path), &Seal::next(Seal::read(path), bytes, fields)?, Durability::Process)
    }

    /// Whether Steadfast wrote these bytes.
    pub(super) fn names(&self, bytes: &[u8]) -> bool {
        self.digests.contains(&hash(bytes))
    }
}

/// The first value of a file with a value a line.
fn first_value<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    serde_json::Deserializer::from_slice(bytes).into_iter().next()?.ok()
}

fn place(path: &Path) -> PathBuf {
    path.with_extension("seal")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::json;

    use super::*;

    #[test]
    fn a_seal_names_what_was_written_and_gives_back_what_it_held() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("state.json");
        let fields = || Seal::fields_of(&fs::read(place(&path)).unwrap_or_default());
        assert!(Seal::read(&path).is_none() && fields().is_none());
        for n in 0..5 {
            Seal::write(&path, n.to_string().as_bytes(), &json!({"n": n})).unwrap();
        }
        let seal = Seal::read(&path).unwrap();
        assert_eq!(
            [1, 2, 4, 9].map(|n: u32| seal.names(n.to_string().as_bytes())),
            [false, true, true, false]
        );
        assert_eq!(Value::from(fields().unwrap()), json!({"n": 4}));
        let one_object = json!({"digests": [hash(b"old")], "fields": {"status": "running"}});
        fs::write(place(&path), one_object.to_string()).unwrap();
        assert!(Seal::read(&path).unwrap().names(b"old"));
        assert_eq!(fields().unwrap()["status"], "running");
    }
}
