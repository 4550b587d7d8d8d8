//! What an installation changed, kept so that it can be taken back to the byte.
//!
//! The record lies in the user's state directory and not in the project: an installation leaves nothing in a project
//! but the hooks themselves.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::state::atomic::{self, Durability};
use crate::state::hex::hex;

/// The record of one settings file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct InstallRecord {
    /// The settings file.
    pub settings: PathBuf,
    /// Its text before the installation; `None` when there was no file.
    pub before: Option<String>,
    /// Its text after it. Only while the file still has this text can `before` be put back.
    pub after: String,
    /// Whether the installation set the variable that lifts the bound on continued turns.
    pub cap_is_ours: bool,
    /// Whether it made the directory of the settings file.
    pub directory_is_ours: bool,
    /// The line that it added to the repository's own list of ignored files, and that list.
    pub exclude: Option<(PathBuf, String)>,
    /// The slash commands.
    pub commands: CommandFiles,
}

/// The slash commands that an installation wrote, for the way back.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CommandFiles {
    /// Each file with its text.
    pub files: Vec<(PathBuf, String)>,
    /// The folders that were made, the innermost first.
    pub folders: Vec<PathBuf>,
    /// The line in the repository's own list of ignored files, and that list.
    pub exclude: Option<(PathBuf, String)>,
}

/// Where the record of the settings file at `settings` lies.
#[derive(Debug, Clone)]
pub struct RecordPlace(PathBuf);

impl RecordPlace {
    /// The place for `settings`: `$XDG_STATE_HOME/steadfast/installs/`, by default under `~/.local/state`.
    pub fn of(settings: &Path) -> Result<Self> {
        let state = match env::var_os("XDG_STATE_HOME").filter(|value| Path::new(value).is_absolute()) {
            Some(directory) => PathBuf::from(directory),
            None => home()?.join(".local/state"),
        };
        let digest = Sha256::digest(settings.as_os_str().as_encoded_bytes());
        let name = digest.get(..12).map(hex).unwrap_or_default();
        Ok(RecordPlace(state.join("steadfast/installs").join(format!("{name}.json"))))
    }

    /// The record, when there is one that can be read.
    pub fn load(&self) -> Result<Option<InstallRecord>> {
        match fs::read(&self.0) {
            // A record that can't be read only costs the exact way back: the hooks alone are then taken out.
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| format!("cannot read {}", self.0.display())),
        }
    }

    /// Keeps the record. Only its owner can read it: settings may hold secrets.
    pub fn save(&self, record: &InstallRecord) -> Result<()> {
        let bytes = serde_json::to_vec_pretty(record)?;
        atomic::write(&self.0, &bytes, Durability::Power)
            .with_context(|| format!("cannot write {}", self.0.display()))
    }

    /// Forgets the record.
    pub fn remove(&self) -> Result<()> {
        match fs::remove_file(&self.0) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("cannot remove {}", self.0.display()))
            }
            _ => Ok(()),
        }
    }
}

/// The user's home directory.
pub fn home() -> Result<PathBuf> {
    env::var_os("HOME").filter(|home| !home.is_empty()).map(PathBuf::from).context("HOME is not set")
}
