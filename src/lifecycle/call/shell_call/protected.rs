//! Protected files that a text writes and no target tells: a revision, a patch or an archive brings them, or a program
//! makes them that takes nothing from anybody.

use std::path::{Path, PathBuf};

use crate::detectors::commands::destructive_command::of_a_protected_file;
use crate::lifecycle::call::shell_call::{Permissions, ShellCall, archive, real};
use crate::model::finding::Finding;
use crate::project::Project;
use crate::shell;
use crate::shell::{Command, Effect, Script};

/// Programs that make files out of nothing, and those whose last word is where they write.
const MAKES: &str = "touch";
const WRITES_LAST: &[&str] = &["ln", "rsync"];

/// The findings for such files, each once.
pub(super) fn untold(
    script: &Script,
    call: &ShellCall,
    permissions: &Permissions,
    project: &Project,
) -> Vec<Finding> {
    if permissions.protected.is_empty() {
        return Vec::new();
    }
    let is_permitted = |index: usize| permissions.allowed.contains(&index);
    let commands = script.commands.iter().enumerate().filter(|(index, _)| !is_permitted(*index));
    let made = commands.flat_map(|(_, command)| made(command));
    let effects = call.reading.effects.iter().filter(|effect| !is_permitted(effect.command));
    let unpacked = effects.flat_map(unpacked);
    let root = real(project.root());
    let name = |path: PathBuf| Some(real(&path).strip_prefix(&root).ok()?.to_string_lossy().into_owned());
    let mut names: Vec<String> = made.chain(unpacked).filter_map(name).collect();
    // Whose change it is its effect does not tell: what is permitted in part is left alone.
    if permissions.allowed.is_empty() {
        names.extend(call.changes.iter().map(|change| change.path.clone()));
    }
    names.sort();
    names.dedup();
    let is_told = |name: &str| {
        let mut told = call.findings.iter().map(|finding| finding.path.as_str());
        told.any(|path| name.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
    };
    names.retain(|name| permissions.protected.mean(name) && !is_told(name));
    names.iter().map(|name| of_a_protected_file(name)).collect()
}

/// The links that a command makes, each with where it leads.
pub(super) fn links(command: &Command) -> Option<(PathBuf, PathBuf)> {
    let directory = command.directory.as_ref().filter(|_| !command.remote && command.program() == "ln")?;
    let words: Vec<&str> = command.words.iter().skip(1).map(|word| word.text.as_str()).collect();
    let is_symbolic = |word: &&str| *word == "--symbolic" || word.starts_with('-') && word.contains('s');
    let mut names = words.iter().filter(|word| !word.starts_with('-'));
    let (Some(leads), Some(name), None) = (names.next(), names.next(), names.next()) else { return None };
    let mut link = shell::resolve(directory, name);
    if link.is_dir() {
        link = link.join(Path::new(leads).file_name()?);
    }
    let from = if words.iter().any(is_symbolic) { link.parent()?.to_owned() } else { directory.clone() };
    let leads = shell::resolve(&from, leads);
    Some((link, leads))
}

/// The files that a command makes without taking anything from anybody.
fn made(command: &Command) -> Vec<PathBuf> {
    made_by(command, WRITES_LAST)
}

/// The files that a command makes, where its last word says so if it is one of `last`.
pub(super) fn made_by(command: &Command, last: &[&str]) -> Vec<PathBuf> {
    let (Some(directory), false) = (&command.directory, command.remote) else { return Vec::new() };
    let words = command.words.iter().skip(1).filter(|word| word.known && !word.text.starts_with('-'));
    let mut paths: Vec<PathBuf> = words.map(|word| shell::resolve(directory, &word.text)).collect();
    if command.program() == MAKES {
        paths.retain(|path| path.symlink_metadata().is_err());
        return paths;
    }
    let tries = command.words.iter().any(|word| ["-n", "--dry-run"].contains(&word.text.as_str()));
    if !last.contains(&command.program()) || tries && command.program() == "rsync" || paths.len() < 2 {
        return Vec::new();
    }
    let Some(end) = paths.pop() else { return Vec::new() };
    if !end.is_dir() {
        return vec![end];
    }
    paths.iter().filter_map(|path| path.file_name()).map(|name| end.join(name)).collect()
}

/// The files that come out of an archive.
fn unpacked(effect: &Effect) -> Vec<PathBuf> {
    let [of, into] = effect.targets.as_slice() else { return Vec::new() };
    let (true, Some(of), Some(into)) = (effect.detail == "unpacking", &of.path, &into.path) else {
        return Vec::new();
    };
    archive::names(of).into_iter().map(|name| into.join(name)).collect()
}
