//! The files that an installation changes: the settings, and git's list of what it ignores.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::record::{InstallRecord, RecordPlace};
use super::settings::SettingsDocument;

/// The text of a file; `None` without one.
pub(super) fn read(file: &Path) -> Result<Option<String>> {
    match fs::read(file) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(text)),
            Err(_) => bail!("{} is not UTF-8; nothing was changed", file.display()),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", file.display())),
    }
}

/// Understands a settings file.
pub(super) fn parse(file: &Path, text: Option<&str>) -> Result<SettingsDocument> {
    SettingsDocument::parse(text.unwrap_or_default()).with_context(|| refusal(file))
}

/// What is said when a settings file can't be used.
pub(super) fn refusal(file: &Path) -> String {
    format!("{} cannot be used, nothing was changed", file.display())
}

/// Replaces the file in one step, with the mode it had; a new one gets the usual mode.
pub(super) fn replace(file: &Path, text: &str) -> Result<()> {
    let written = (|| {
        let directory = file.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(directory)?;
        let mode = fs::metadata(file).map(|metadata| metadata.permissions());
        let mut builder = tempfile::Builder::new();
        let mut temporary =
            builder.prefix(".settings-").permissions(Permissions::from_mode(0o666)).tempfile_in(directory)?;
        if let Ok(mode) = mode {
            temporary.as_file().set_permissions(mode)?;
        }
        temporary.write_all(text.as_bytes())?;
        temporary.as_file().sync_data()?;
        temporary.persist(file).map_err(|error| error.error)?;
        io::Result::Ok(())
    })();
    written.with_context(|| format!("cannot write {}", file.display()))
}

/// Keeps the way back, then writes the settings. A second installation keeps the first one's way back as long as
/// nobody else changed the file in between. A file of one person alone is kept out of git.
pub(super) fn record_and_write(
    file: &Path,
    fresh: InstallRecord,
    had_hooks: bool,
    is_local: bool,
) -> Result<()> {
    let place = RecordPlace::of(file)?;
    let mut record = fresh;
    if let Some(earlier) = place.load()?.filter(|_| had_hooks) {
        let untouched = record.before.as_deref() == Some(earlier.after.as_str());
        if untouched {
            record.before = earlier.before;
        }
        record.cap_is_ours |= earlier.cap_is_ours;
        record.directory_is_ours |= earlier.directory_is_ours;
        record.exclude = earlier.exclude;
        record.commands = earlier.commands;
    }
    place.save(&record)?;
    replace(file, &record.after)?;
    if is_local && record.exclude.is_none() {
        record.exclude = keep_out_of_git(file);
        place.save(&record)?;
    }
    Ok(())
}

/// Puts a file back as it was before the installation. `false` when it is not as the installation left it.
pub(super) fn put_back(file: &Path, record: &InstallRecord, now: &str) -> Result<bool> {
    let is_untouched = record.after == now && !now.is_empty();
    match &record.before {
        _ if !is_untouched => {}
        Some(before) => replace(file, before)?,
        None => remove(file)?,
    }
    Ok(is_untouched)
}

/// Removes a file.
pub(super) fn remove(file: &Path) -> Result<()> {
    fs::remove_file(file).with_context(|| format!("cannot remove {}", file.display()))
}

/// Adds a local settings file to the repository's own list of ignored files: it holds paths of this machine. `None`
/// when git ignores or tracks it already, or there is no repository.
fn keep_out_of_git(file: &Path) -> Option<(PathBuf, String)> {
    exclude_from_git(file.parent()?, file.file_name()?.to_str()?)
}

/// The same for what lies below a directory.
pub(super) fn exclude_from_git(directory: &Path, name: &str) -> Option<(PathBuf, String)> {
    let known = |args: &[&str]| git(directory, args).is_some();
    if known(&["check-ignore", "--quiet", name]) || known(&["ls-files", "--error-unmatch", name]) {
        return None;
    }
    let prefix = git(directory, &["rev-parse", "--show-prefix"])?;
    let exclude = directory.join(git(directory, &["rev-parse", "--git-path", "info/exclude"])?);
    let line = format!("/{prefix}{name}");
    let mut text = read(&exclude).ok()?.unwrap_or_default();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(&line);
    text.push('\n');
    replace(&exclude, &text).ok()?;
    Some((exclude, line))
}

/// What git prints, without the last newline; `None` when it fails or is missing.
fn git(directory: &Path, args: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    command.arg("-C").arg(directory).args(args).stdin(Stdio::null()).stderr(Stdio::null());
    // Set inside git's own hooks, they would name another repository.
    command.env_remove("GIT_DIR").env_remove("GIT_WORK_TREE").env_remove("GIT_INDEX_FILE");
    let output = command.output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim_end_matches('\n').to_owned())
}

/// Takes back what the installation did beside the settings. A failure here harms nothing and is not reported.
pub(super) fn tidy_up(file: &Path, record: &InstallRecord) {
    for (exclude, line) in record.exclude.iter().chain(&record.commands.exclude) {
        let Ok(Some(text)) = read(exclude) else { continue };
        let kept: String = text.split_inclusive('\n').filter(|one| one.trim_end() != line).collect();
        let _ = replace(exclude, &kept);
    }
    if let Some(directory) = file.parent().filter(|_| record.directory_is_ours) {
        // Refused by the system unless it is empty.
        let _ = fs::remove_dir(directory);
    }
}
