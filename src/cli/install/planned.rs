//! What an installation would change of the files of another host than Claude Code, worked out without changing any.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::files::{read, refusal};
use super::other_hosts::{InstallableHost, file_of, registering};
use crate::cli::checkpoint::patch::{Patch, PathSide};
use crate::hosts::installation::{InstallationScope, SettingsFormat};

/// A file before and after.
pub(super) struct PlannedFile {
    path: PathBuf,
    before: Option<String>,
    after: String,
}

/// What an installation changes for one host.
pub(super) struct PlannedHost {
    known: InstallableHost,
    changes: Vec<PlannedFile>,
}

impl PlannedHost {
    /// Works it out. Nothing changes where the host runs Claude Code's hooks already.
    pub(super) fn of(
        known: InstallableHost,
        scope: Option<InstallationScope>,
        project: &Path,
        binary: &str,
    ) -> Result<PlannedHost> {
        if known.registered_as_claude_code(project).is_some() {
            return Ok(PlannedHost { known, changes: Vec::new() });
        }
        let file = file_of(known.place(scope)?, project)?;
        let changes = match known.installation.form {
            SettingsFormat::Files { files } => files(binary)
                .into_iter()
                .map(|own| {
                    let path = file.join(&own.name);
                    Ok(PlannedFile { before: read(&path)?, after: own.text, path })
                })
                .collect::<Result<Vec<_>>>()?,
            _ => {
                let before = read(&file)?;
                let mut document = known.document(&file, before.as_deref())?;
                document
                    .add(registering(known.host), known.installation, binary)
                    .with_context(|| refusal(&file))?;
                vec![PlannedFile { after: document.text(), before, path: file }]
            }
        };
        Ok(PlannedHost { known, changes })
    }

    fn is_changed(&self) -> bool {
        self.changes.iter().any(|one| one.before.as_deref() != Some(one.after.as_str()))
    }

    /// Shows each file's change as a patch.
    pub(super) fn show(&self) -> Result<()> {
        let title = self.known.host.title();
        if !self.is_changed() {
            super::say(format_args!("{title}: nothing to change."));
        }
        let coloured = anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never;
        for one in self.changes.iter().filter(|one| one.before.as_deref() != Some(one.after.as_str())) {
            let before = match &one.before {
                Some(text) => PathSide::File(text.as_str().into(), 0o644),
                None => PathSide::Absent,
            };
            let path = one.path.display().to_string().trim_start_matches('/').to_owned();
            let patch = Patch { path, before, after: PathSide::File(one.after.as_str().into(), 0o644) };
            patch.write(&mut anstream::stdout().lock(), coloured)?;
        }
        Ok(())
    }

    /// The same for programs. `says` is what a person would read of it.
    pub(super) fn as_json(&self, dry_run: bool, says: &[String]) -> Value {
        let files: Vec<Value> = self
            .changes
            .iter()
            .map(|one| json!({"path": one.path, "before": one.before, "after": one.after}))
            .collect();
        json!({
            "host": self.known.host.name(),
            "dry_run": dry_run,
            "changed": self.is_changed(),
            "files": files,
            "says": says,
        })
    }
}
