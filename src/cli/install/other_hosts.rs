//! Installation for hosts other than Claude Code, by what each says of itself in `hosts::installation`.

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::cli::install::documents::HostDocument;
use crate::cli::install::files::{
    parse, put_back, read, record_and_write, refusal, remove, replace, tidy_up,
};
use crate::cli::install::record::{InstallRecord, RecordPlace, home};
use crate::cli::install::say;
use crate::hosts::claude_code::registration::HOOK_BINARY;
use crate::hosts::installation::{InstallationScope, OwnFile, SettingsFormat, SettingsPlace};
use crate::hosts::registry::{HOSTS, named};
use crate::hosts::{Host, HostInstallation};

/// A host that is installed by what it says of itself.
#[derive(Clone, Copy)]
pub(in crate::cli) struct InstallableHost {
    pub(in crate::cli) host: &'static dyn Host,
    pub(in crate::cli) installation: &'static HostInstallation,
}

/// Every such host.
pub(in crate::cli) fn known() -> impl Iterator<Item = InstallableHost> {
    HOSTS.iter().filter_map(|host| Some(InstallableHost { host: *host, installation: host.installation()? }))
}

/// The host whose events stand in the file of another.
pub(super) fn registering(host: &'static dyn Host) -> &'static dyn Host {
    host.installed_as().and_then(named).unwrap_or(host)
}

impl InstallableHost {
    /// Whether the host is on this machine or in this project.
    pub(in crate::cli) fn is_here(&self, project: &Path) -> bool {
        let path = env::var_os("PATH").unwrap_or_default();
        let has = |program: &&str| env::split_paths(&path).any(|folder| folder.join(program).is_file());
        let roots = [Some(project.to_owned()), home().ok()];
        let folders = self.installation.folders;
        self.installation.programs.iter().any(has)
            || roots.iter().flatten().any(|root| folders.iter().any(|folder| root.join(folder).is_dir()))
    }

    /// The files in which our entries are, in this project and for this person.
    pub(in crate::cli) fn registered_in(&self, project: &Path) -> Vec<PathBuf> {
        let places = self.installation.places.iter().filter_map(|place| file_of(place, project).ok());
        places.filter(|file| self.is_registered_in(file)).collect()
    }

    fn is_registered_in(&self, file: &Path) -> bool {
        if let SettingsFormat::Files { files } = self.installation.form {
            return files("").iter().any(|own| {
                let text = read(&file.join(&own.name)).ok().flatten();
                text.is_some_and(|text| text.contains(HOOK_BINARY))
            });
        }
        let text = read(file).ok().flatten();
        let document = text.and_then(|text| HostDocument::parse(&self.installation.form, &text).ok());
        document.is_some_and(|document| document.has_ours())
    }

    /// Registers the hook at `binary`. Returns what a person is to hear.
    pub(super) fn install(
        &self,
        scope: Option<InstallationScope>,
        project: &Path,
        binary: &str,
    ) -> Result<Vec<String>> {
        let title = self.host.title();
        if let Some(file) = self.registered_as_claude_code(project) {
            return Ok(vec![format!(
                "{title} also runs the hooks of {}, which call Steadfast already. Nothing was registered twice; \
                 `steadfast uninstall` there first if you want {title}'s own.",
                file.display()
            )]);
        }
        let place = self.place(scope)?;
        let file = file_of(place, project)?;
        let mut says = match self.installation.form {
            SettingsFormat::Files { files } => self.write_files(&file, &files(binary))?,
            _ => vec![self.write_entries(place, &file, binary)?],
        };
        says.extend((!self.installation.trust.is_empty()).then(|| self.installation.trust.to_owned()));
        Ok(says)
    }

    /// Takes the hooks out again.
    pub(super) fn uninstall(&self, scope: Option<InstallationScope>, project: &Path) -> Result<()> {
        let file = file_of(self.place(scope)?, project)?;
        let kept = RecordPlace::of(&file)?;
        let record = kept.load()?.unwrap_or_default();
        match self.installation.form {
            SettingsFormat::Files { .. } => self.remove_files(&record)?,
            _ => self.remove_entries(&file, &record)?,
        }
        tidy_up(&file, &record);
        remove_folders(&record);
        kept.remove()
    }

    /// The settings of Claude Code that this host runs too and that hold our hooks.
    pub(in crate::cli) fn registered_as_claude_code(&self, project: &Path) -> Option<PathBuf> {
        let file = |scope: &InstallationScope| match scope {
            InstallationScope::Local => Some(project.join(".claude/settings.local.json")),
            InstallationScope::Project => Some(project.join(".claude/settings.json")),
            InstallationScope::User => Some(home().ok()?.join(".claude/settings.json")),
        };
        let is_ours = |file: &PathBuf| {
            let text = read(file).ok().flatten();
            parse(file, text.as_deref()).is_ok_and(|settings| settings.has_hooks())
        };
        self.installation.also_runs.iter().filter_map(file).find(is_ours)
    }

    pub(super) fn place(&self, scope: Option<InstallationScope>) -> Result<&'static SettingsPlace> {
        let places = self.installation.places;
        let Some(scope) = scope else { return places.first().context("the host has no place for hooks") };
        let names: Vec<&str> = places.iter().map(|place| name_of(place.scope)).collect();
        places.iter().find(|place| place.scope == scope).with_context(|| {
            format!(
                "{} has no hooks of the scope {}; it has {}",
                self.host.title(),
                name_of(scope),
                names.join(" and ")
            )
        })
    }

    fn write_entries(&self, place: &SettingsPlace, file: &Path, binary: &str) -> Result<String> {
        let before = read(file)?;
        let mut document = self.document(file, before.as_deref())?;
        let had_hooks = document.has_ours();
        document.add(registering(self.host), self.installation, binary).with_context(|| refusal(file))?;
        let after = document.text();
        let title = self.host.title();
        if before.as_deref() == Some(after.as_str()) {
            return Ok(format!("{title}: the hooks are already in {}; nothing to change.", file.display()));
        }
        let fresh = InstallRecord {
            settings: file.to_owned(),
            before,
            after,
            commands: super::record::CommandFiles { folders: missing_folders(file), ..Default::default() },
            ..InstallRecord::default()
        };
        record_and_write(file, fresh, had_hooks, place.scope == InstallationScope::Local)?;
        Ok(format!("{title}: hooks are in {}.", file.display()))
    }

    fn remove_entries(&self, file: &Path, record: &InstallRecord) -> Result<()> {
        let title = self.host.title();
        let Some(now) = read(file)? else {
            say(format_args!("{title}: {} does not exist; nothing to take out.", file.display()));
            return Ok(());
        };
        if put_back(file, record, &now)? {
            say(format_args!("{title}: {} is as it was before the installation.", file.display()));
            return Ok(());
        }
        let mut document = self.document(file, Some(&now))?;
        let had_hooks = document.has_ours();
        document.remove(self.installation);
        if document.is_empty() && had_hooks && record.before.is_none() {
            remove(file)?;
        } else if document.text() != now {
            replace(file, &document.text())?;
        }
        let what = if had_hooks { "the hooks are out of" } else { "there are no hooks in" };
        say(format_args!("{title}: {what} {}; everything else in it stays.", file.display()));
        Ok(())
    }

    pub(super) fn document(&self, file: &Path, text: Option<&str>) -> Result<HostDocument> {
        HostDocument::parse(&self.installation.form, text.unwrap_or_default()).with_context(|| refusal(file))
    }

    /// Writes files that are wholly ours. One that is somebody else's stays, and then nothing is written.
    fn write_files(&self, folder: &Path, files: &[OwnFile]) -> Result<Vec<String>> {
        let kept = RecordPlace::of(folder)?;
        let mut record = kept.load()?.unwrap_or_default();
        let earlier = std::mem::take(&mut record.commands.files);
        for own in files {
            let path = folder.join(&own.name);
            let Some(now) = read(&path)? else { continue };
            let is_ours = now == own.text || earlier.contains(&(path.clone(), now));
            ensure!(is_ours, "{} is somebody else's; nothing was changed", path.display());
        }
        record.settings = folder.to_owned();
        for own in files {
            let path = folder.join(&own.name);
            let missing = missing_folders(&path);
            let new = missing.into_iter().filter(|folder| !record.commands.folders.contains(folder));
            let new: Vec<PathBuf> = new.collect();
            record.commands.folders.extend(new);
            record.commands.files.push((path, own.text.clone()));
        }
        kept.save(&record)?;
        let mut says = Vec::new();
        for own in files {
            let path = folder.join(&own.name);
            replace(&path, &own.text)?;
            if own.executable {
                fs::set_permissions(&path, fs::Permissions::from_mode(0o755))
                    .with_context(|| format!("cannot make {} a program", path.display()))?;
            }
            says.push(format!("{}: {} calls the hook.", self.host.title(), path.display()));
        }
        Ok(says)
    }

    /// Removes the files of an installation. What somebody has changed since stays.
    fn remove_files(&self, record: &InstallRecord) -> Result<()> {
        if record.commands.files.is_empty() {
            say(format_args!("{}: nothing is installed there.", self.host.title()));
        }
        for (path, text) in &record.commands.files {
            match read(path)? {
                Some(now) if now == *text => {
                    remove(path)?;
                    say(format_args!("{}: {} is gone.", self.host.title(), path.display()));
                }
                Some(_) => {
                    say(format_args!("{} was changed since, so it stays.", path.display()));
                }
                None => {}
            }
        }
        Ok(())
    }
}

/// What a person calls a scope.
pub(in crate::cli) fn name_of(scope: InstallationScope) -> &'static str {
    match scope {
        InstallationScope::Local => "local",
        InstallationScope::Project => "project",
        InstallationScope::User => "user",
    }
}

/// The file of a place, absolute; of files that are wholly ours the folder.
pub(super) fn file_of(place: &SettingsPlace, project: &Path) -> Result<PathBuf> {
    let folder = place.folder_in(project, home().ok().as_deref(), |name| env::var_os(name));
    let folder = std::path::absolute(folder.context("HOME is not set")?)?;
    let file = if place.file.is_empty() { folder } else { folder.join(place.file) };
    if file.is_dir() && !place.file.is_empty() {
        bail!("{} is a directory", file.display());
    }
    Ok(file.canonicalize().unwrap_or(file))
}

/// The folders of a file that are not there, the innermost first.
fn missing_folders(file: &Path) -> Vec<PathBuf> {
    file.ancestors().skip(1).take_while(|folder| !folder.exists()).map(Path::to_owned).collect()
}

/// Removes the folders that an installation made and that hold nothing.
fn remove_folders(record: &InstallRecord) {
    for folder in &record.commands.folders {
        // Refused by the system unless it is empty.
        let _ = fs::remove_dir(folder);
    }
}
