//! The place outside of a project where its loops are known a second time.
//!
//! `.aiwg` can be lost, moved or rewritten by anything that an agent runs. What must not be forgotten with it lies in
//! the user's state directory as well, one folder a project: `registry.json`, and a file for each loop. The witness is
//! written before the project's own files: after a death in between it is the one that is right.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::UNIX_EPOCH;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use super::atomic::{self, Durability};
use super::hex::hex;
use super::own_file;

/// Where the witnesses of this process lie; nowhere until [`keep_below`] says so.
static PLACE: OnceLock<PathBuf> = OnceLock::new();

/// Keeps witnesses for this process in the user's state directory: `state_home`, by default `.local/state` in `home`.
/// Without either there is none.
pub fn keep_below(state_home: Option<OsString>, home: Option<OsString>) {
    let absolute = |value: OsString| Some(PathBuf::from(value)).filter(|path| path.is_absolute());
    let state = state_home.and_then(absolute);
    let state = state.or_else(|| home.and_then(absolute).map(|home| home.join(".local/state")));
    if let Some(state) = state {
        // A second word of the same process says the same.
        PLACE.set(state.join("steadfast/projects")).ok();
    }
}

/// Where the witnesses of all projects lie, for who judges what would be written there.
pub fn known_place() -> Option<PathBuf> {
    place()
}

/// Where the witnesses of all projects lie.
pub(super) fn place() -> Option<PathBuf> {
    PLACE.get().cloned()
}

/// The witness of one project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Witness {
    folder: PathBuf,
    project: PathBuf,
}

impl Witness {
    /// The witness below `place` of the project at `project`; `None` when there is no such folder.
    pub(super) fn of(place: &Path, project: &Path) -> Option<Witness> {
        let project = project.canonicalize().ok()?;
        let folder = place.join(name_of(project.as_os_str().as_encoded_bytes()));
        Some(Witness { folder, project })
    }

    /// What tells this folder from one that is made anew in its place.
    pub(super) fn identity(&self) -> String {
        let Ok(metadata) = fs::metadata(&self.project) else { return String::new() };
        let made = metadata.created().ok().and_then(|made| made.duration_since(UNIX_EPOCH).ok());
        format!("{}:{}:{}", metadata.dev(), metadata.ino(), made.unwrap_or_default().as_nanos())
    }

    /// Where it lies.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// What is kept of the loops as a whole.
    pub(super) fn registry(&self) -> PathBuf {
        self.folder.join("registry.json")
    }

    /// What is kept of one loop.
    pub(super) fn loop_file(&self, loop_id: &str) -> PathBuf {
        self.folder.join(format!("loop-{}.json", name_of(loop_id.as_bytes())))
    }

    /// Where the chain of a loop's log stands.
    pub(super) fn log_head(&self, loop_id: &str) -> PathBuf {
        self.folder.join(format!("log-{}.head", name_of(loop_id.as_bytes())))
    }

    /// What calls the guard and how it is set, as it holds for one loop.
    pub(super) fn in_force(&self, loop_id: &str) -> PathBuf {
        self.folder.join(format!("in-force-{}.json", name_of(loop_id.as_bytes())))
    }

    /// Where second copies of a loop's files lie, or of those that hold for all loops of this very folder.
    pub(super) fn copies(&self, loop_id: Option<&str>) -> PathBuf {
        let (of, folder) = (loop_id.unwrap_or_default(), self.identity());
        self.folder.join(format!("{}{}", copies_of(of), name_of(folder.as_bytes())))
    }

    /// Removes the second copies of a loop's files, whichever folder they were of.
    pub(super) fn forget_copies(&self, loop_id: &str) {
        let prefix = copies_of(loop_id);
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            if entry.file_name().to_str().is_some_and(|name| name.starts_with(&prefix)) {
                fs::remove_dir_all(entry.path()).ok();
            }
        }
    }

    /// Removes what is kept of a loop.
    pub(super) fn forget(&self, loop_id: &str) {
        self.forget_copies(loop_id);
        for path in [self.loop_file(loop_id), self.log_head(loop_id)] {
            fs::remove_file(path).ok();
        }
        self.forget_in_force(loop_id);
    }

    /// Removes what is kept of how a loop was guarded: another one of its name begins with what holds now.
    pub(super) fn forget_in_force(&self, loop_id: &str) {
        let in_force = self.in_force(loop_id);
        for path in [in_force.with_extension("texts.json"), in_force.with_extension("alarm"), in_force] {
            fs::remove_file(path).ok();
        }
    }
}

/// Reads a file of a witness; what can't be read says nothing.
pub(super) fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&own_file::read(path).ok()?).ok()
}

/// Writes a file of a witness. One that can't be written is removed, where that goes: an old word is worse than none.
pub(super) fn write<T: Serialize>(path: &Path, value: &T) -> io::Result<()> {
    let written = serde_json::to_vec(value).map_err(io::Error::from);
    let written = written.and_then(|bytes| atomic::write(path, &bytes, Durability::Process));
    written.inspect_err(|_| {
        fs::remove_file(path).ok();
    })
}

/// How the names of the folders begin that hold second copies of a loop's files.
fn copies_of(loop_id: &str) -> String {
    format!("own-{}-", name_of(loop_id.as_bytes()))
}

/// A name for files that stands for any bytes.
fn name_of(bytes: &[u8]) -> String {
    Sha256::digest(bytes).get(..12).map(hex).unwrap_or_default()
}
