//! The look at the disk for a shell call: what its words reach, what that would lose, and what to keep before it runs.
//!
//! A call that only reads costs no look at all. Nothing here changes a file.

mod aliases;
mod changes;
mod disk;
mod gather;
mod judge;
mod listing;
mod losses;
mod names;
mod patch;
mod pattern;
mod place;
mod revisions;

use std::path::{Path, PathBuf};

use crate::config::{Config, Globs};
use crate::detectors::commands::destructive_command;
use crate::lifecycle::call::shell_call::judge::too_much;
use crate::model::event::Dialect;
use crate::model::finding::{Change, Finding};
use crate::project::Project;
use crate::shell;
use crate::shell::{Reading, TextEdit};

pub use crate::detectors::commands::destructive_command::Risk;
pub(super) use crate::lifecycle::call::shell_call::place::{is_state_by_another_name, real};

/// What a shell call does, after a look at the disk.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ShellCall {
    /// What its words say.
    pub reading: Reading,
    /// What would be lost.
    pub findings: Vec<Finding>,
    /// What is worth a warning.
    pub risks: Vec<Risk>,
    /// Files whose bytes must be kept before it runs, absolute, links resolved but for the last name, each once.
    pub keep: Vec<PathBuf>,
    /// Files before and after, where the result can be computed.
    pub changes: Vec<Change>,
    /// Edits of files that can't be read, or in which nothing fits.
    pub unseen: Vec<UnseenEdit>,
    /// Whether it may change files in ways that are not known.
    pub runs_code: bool,
    /// Whether it provably only reads.
    pub read_only: bool,
}

/// An edit whose file can't be read, or in which nothing fits it.
#[derive(Debug, Clone, PartialEq)]
pub struct UnseenEdit {
    /// The file, relative to the project, or as the command has it.
    pub path: String,
    /// The edit.
    pub edit: TextEdit,
}

/// Looks at a call that runs `command` in `cwd`.
pub fn inspect(command: &str, dialect: Dialect, cwd: &Path, project: &Project, home: &Path) -> ShellCall {
    let reading = match aliases::of(command, cwd, project, home) {
        none if none.is_empty() => shell::effects(command, dialect, cwd, home),
        aliases => shell::of_script(&shell::read_among(command, dialect, cwd, home, &aliases)),
    };
    let mut call = look(reading, &Permissions::default(), project, home);
    call.findings.extend(too_much(&call.reading));
    call
}

/// Looks at a call in a project that may have a configuration. A command that the project permits is still kept for an undo; what
/// concerns the guard itself can't be permitted.
pub fn inspect_with(
    command: &str,
    dialect: Dialect,
    cwd: &Path,
    project: &Project,
    home: &Path,
    config: &Config,
) -> ShellCall {
    let says_nothing = config.denied_commands.is_empty()
        && config.allowed_commands.is_empty()
        && config.protected_paths.is_empty()
        && config.build_folders.is_empty();
    if says_nothing {
        return inspect(command, dialect, cwd, project, home);
    }
    let denies =
        |command: &shell::Command| config.denied_commands.iter().any(|pattern| pattern.fits(command));
    let allows =
        |command: &shell::Command| config.allowed_commands.iter().any(|pattern| pattern.fits(command));
    let aliases = aliases::of(command, cwd, project, home);
    let script = shell::read_among(command, dialect, cwd, home, &aliases);
    let fitting = |fits: &dyn Fn(&shell::Command) -> bool| {
        script
            .commands
            .iter()
            .enumerate()
            .filter(|(_, command)| fits(command))
            .map(|(index, _)| index)
            .collect()
    };
    let permissions = Permissions {
        allowed: fitting(&|command| allows(command) && !denies(command)),
        protected: config.protected(),
        built: config.built(),
    };
    let mut call = look(shell::of_script(&script), &permissions, project, home);
    let denied = script.commands.iter().filter(|command| denies(command));
    let findings = denied.map(|command| destructive_command::denied(&command.source));
    call.findings.splice(0..0, findings);
    call.findings.extend(too_much(&call.reading));
    call.read_only &= call.findings.is_empty();
    call
}

/// What the project says about the commands of one text.
#[derive(Debug, Default)]
struct Permissions {
    /// Commands that are permitted, by index.
    allowed: Vec<usize>,
    /// Paths that no command may change.
    protected: Globs,
    /// Folders that tools make again.
    built: Globs,
}

fn look(mut reading: Reading, permissions: &Permissions, project: &Project, home: &Path) -> ShellCall {
    reading.effects.iter_mut().for_each(|effect| effect.move_from(Path::new(shell::TOP), project.root()));
    if reading.effects.is_empty() {
        return judge::of_words(reading);
    }
    let gathered = gather::gather(&reading, permissions, project, home);
    judge::judge(reading, gathered, permissions)
}

#[cfg(test)]
mod cases;
#[cfg(test)]
mod reports;
