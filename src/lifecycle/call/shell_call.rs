//! The look at the disk for a shell call: what its words reach, what that would lose, and what to keep before it runs.
//!
//! A call that only reads costs no look at all. Nothing here changes a file.

mod aliases;
mod archive;
mod changes;
mod disk;
mod gather;
mod judge;
mod listing;
mod losses;
mod names;
mod own_package;
mod patch;
mod pattern;
mod place;
mod protected;
mod revisions;
pub(crate) mod temporary;
mod true_case;
pub(crate) mod untold;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::config::{Config, Globs};
use crate::detectors::commands::destructive_command;
use crate::lifecycle::call::shell_call::disk::Disk;
use crate::lifecycle::call::shell_call::judge::too_much;
use crate::model::event::ShellDialect;
use crate::model::finding::{Change, Finding};
use crate::project::Project;
use crate::shell;
use crate::shell::{ComputedEdit, Effect, EffectKind, ScriptContext, ShellReading, Target};

pub use crate::detectors::commands::destructive_command::Risk;
pub(super) use crate::lifecycle::call::shell_call::names::is_guard_program;
pub(crate) use crate::lifecycle::call::shell_call::names::is_output_name;
pub(in crate::lifecycle) use crate::lifecycle::call::shell_call::place::real;
pub(super) use crate::lifecycle::call::shell_call::place::{is_state_by_another_name, is_witness};
pub(super) use crate::lifecycle::call::shell_call::true_case::true_case;

/// What a shell call does, after a look at the disk.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ShellCall {
    /// What its words say.
    pub reading: ShellReading,
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
    pub edit: ComputedEdit,
}

/// A command with what is known of where it runs.
#[derive(Debug, Clone, Copy)]
pub struct CommandInPlace<'a> {
    /// The text.
    pub command: &'a str,
    /// Whose grammar it has.
    pub dialect: ShellDialect,
    /// Where it runs.
    pub cwd: &'a Path,
    /// The user's home.
    pub home: &'a Path,
    /// What is known besides the words: the texts of files that the session has written, say.
    pub known: &'a ScriptContext,
}

impl CommandInPlace<'_> {
    fn place(&self) -> (&Path, &Path) {
        (self.cwd, self.home)
    }
}

/// What is known of where a command runs, git's aliases there with it.
fn with_aliases<'s>(said: &'s CommandInPlace, project: &Project) -> Cow<'s, ScriptContext> {
    let aliases = aliases::of(said.command, said.cwd, project, said.home);
    if aliases.is_empty() {
        return Cow::Borrowed(said.known);
    }
    Cow::Owned(ScriptContext { git_aliases: aliases.into_iter().collect(), ..said.known.clone() })
}

/// Looks at a call that runs `command` in `cwd`.
pub fn inspect(
    command: &str,
    dialect: ShellDialect,
    cwd: &Path,
    project: &Project,
    home: &Path,
) -> ShellCall {
    look_at(&CommandInPlace { command, dialect, cwd, home, known: &ScriptContext::default() }, project)
}

/// Reads a call, and once more with the files that its loops give other names, where it has such loops.
fn with_files<T>(
    known: &ScriptContext,
    read: impl Fn(&ScriptContext) -> T,
    patterns: fn(&T) -> &[PathBuf],
) -> T {
    let found = read(known);
    if patterns(&found).is_empty() {
        return found;
    }
    let disk = Disk::default();
    let files = |pattern: &PathBuf| Some((pattern.clone(), disk.expand(pattern)?.to_vec()));
    let listings = patterns(&found).iter().filter_map(files).collect();
    read(&ScriptContext { listings, ..known.clone() })
}

fn look_at(said: &CommandInPlace, project: &Project) -> ShellCall {
    let known = with_aliases(said, project);
    let read =
        |known: &ScriptContext| shell::effects_knowing(said.command, said.dialect, said.place(), known);
    let reading = with_files(&known, read, |reading| &reading.patterns);
    let mut call = look(reading, &Permissions::default(), project, said.home);
    call.findings.extend(too_much(&call.reading));
    call
}

/// Looks at a call in a project that may have a configuration. A command that the project permits is still kept for an undo; what
/// concerns the guard itself can't be permitted.
pub fn inspect_said(said: &CommandInPlace, project: &Project, config: &Config) -> ShellCall {
    let says_nothing = config.denied_commands.is_empty()
        && config.allowed_commands.is_empty()
        && config.protected_paths.is_empty()
        && config.build_folders.is_empty();
    if says_nothing {
        return look_at(said, project);
    }
    let denies =
        |command: &shell::Command| config.denied_commands.iter().any(|pattern| pattern.fits(command));
    let allows =
        |command: &shell::Command| config.allowed_commands.iter().any(|pattern| pattern.fits(command));
    let known = with_aliases(said, project);
    let read = |known: &ScriptContext| shell::read_knowing(said.command, said.dialect, said.place(), known);
    let script = with_files(&known, read, |script| &script.patterns);
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
    let mut call = look(shell::of_script(&script), &permissions, project, said.home);
    let denied = script.commands.iter().filter(|command| denies(command));
    let findings = denied.map(|command| destructive_command::denied(&command.source));
    call.findings.splice(0..0, findings);
    let untold = protected::untold(&script, &call, &permissions, project);
    call.findings.extend(untold);
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

fn look(mut reading: ShellReading, permissions: &Permissions, project: &Project, home: &Path) -> ShellCall {
    reading.effects.iter_mut().for_each(|effect| effect.move_from(Path::new(shell::TOP), project.root()));
    reading.effects.iter_mut().for_each(|effect| find_remotes(effect, project));
    reading.effects.iter_mut().for_each(stays_where_it_was);
    reading.effects.retain(|effect| !own_package::takes_out_its_own(effect, project));
    if reading.effects.is_empty() {
        return judge::of_words(reading);
    }
    let gathered = gather::gather(&reading, permissions, project, home);
    judge::judge(reading, gathered, permissions)
}

/// `rm -rf "$(git remote get-url origin)"`: a remote is a folder of this machine, or nothing that a path names.
fn find_remotes(effect: &mut Effect, project: &Project) {
    // A repository that is worked on by such a name is as good as not known.
    effect.directory = effect.directory.take().filter(|directory| !directory.starts_with(shell::REMOTES));
    let name_of = |target: &Target| {
        let below = target.path.as_deref()?.strip_prefix(shell::REMOTES).ok()?;
        Some(below.components().next()?.as_os_str().to_string_lossy().into_owned())
    };
    let names: BTreeSet<String> = effect.targets.iter().filter_map(name_of).collect();
    for name in names {
        let known = project.git().ask(&["remote", "get-url", &name]);
        let address = known.map(|text| String::from_utf8_lossy(&text).trim().to_owned()).unwrap_or_default();
        let path = address.strip_prefix("file://").unwrap_or(&address);
        let is_away = path.contains("://") || path.split('/').next().is_some_and(|host| host.contains(':'));
        let own = Path::new(shell::REMOTES).join(&name);
        if !path.is_empty() && !is_away {
            effect.move_from(&own, &shell::resolve(project.root(), path));
            continue;
        }
        for target in
            effect.targets.iter_mut().filter(|it| it.path.as_ref().is_some_and(|path| path.starts_with(&own)))
        {
            (target.path, target.text) = (None, address.clone());
        }
    }
}

/// `cd build; rm -rf *` where there is no such folder: what the shell says of that stops nothing, and the rest is done
/// where it stood.
fn stays_where_it_was(effect: &mut Effect) {
    use EffectKind::{Delete, DiscardGitWork, GitRemove};
    let Some(from) = effect.astray.take() else { return };
    let Some(to) = effect.directory.clone() else { return };
    let loses = matches!(effect.kind, Delete | DiscardGitWork | GitRemove);
    let is_near = to.starts_with(&from) || to.parent().is_some_and(Path::is_dir);
    if loses && from.is_dir() && is_near && !to.exists() {
        effect.move_from(&to, &from);
    }
}

#[cfg(test)]
mod cases;
#[cfg(test)]
mod reports;
