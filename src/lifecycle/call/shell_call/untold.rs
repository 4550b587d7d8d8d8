//! What a text writes beside what the targets of its effects tell: files that it makes, and what comes out behind links.

use std::path::{Path, PathBuf};

use crate::lifecycle::call::shell_call::protected;
use crate::model::event::ShellDialect;
use crate::shell;
use crate::shell::{Command, ScriptContext};

/// Programs whose last word is where they write.
const WRITES_LAST: &[&str] = &["ln", "rsync", "cp", "mv", "install"];

/// What a text writes beside what its targets tell.
#[derive(Debug, Default)]
pub(crate) struct UntoldPlaces {
    /// Files that it makes without taking anything from anybody.
    pub(crate) made: Vec<PathBuf>,
    /// Links that it makes, each with where it leads: what is written through one comes out there.
    pub(crate) links: Vec<(PathBuf, PathBuf)>,
}

/// What a text writes beside what its targets tell.
pub(crate) fn places(command: &str, dialect: ShellDialect, cwd: &Path, home: &Path) -> UntoldPlaces {
    let script = shell::read_knowing(command, dialect, (cwd, home), &ScriptContext::default());
    let made_by =
        |command: &Command| [protected::made_by(command, WRITES_LAST), redirected(command)].concat();
    UntoldPlaces {
        made: script.commands.iter().flat_map(made_by).collect(),
        links: script.commands.iter().filter_map(protected::links).collect(),
    }
}

/// The files into which a command's output goes.
fn redirected(command: &Command) -> Vec<PathBuf> {
    let Some(directory) = command.directory.as_ref().filter(|_| !command.remote) else { return Vec::new() };
    let targets = command.redirects.iter().map(|redirect| &redirect.target).filter(|target| target.known);
    targets.map(|target| shell::resolve(directory, &target.text)).collect()
}
