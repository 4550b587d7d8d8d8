//! Whether a command changes what its words name and nothing besides; of any other only a look at the whole tree tells
//! what it changed.

use crate::shell::effects::command_class::CommandClass;
use crate::shell::model::{Command, Effect};

/// Programs that change nothing but what their words name.
const EXACT: &[&str] = &["rm", "rmdir", "mv", "cp", "tee", "sed", "gsed"];
/// Programs that change no file of a project.
const ELSEWHERE: &[&str] = &[
    "kill",
    "pkill",
    "killall",
    "open",
    "xdg-open",
    "systemctl",
    "launchctl",
    "crontab",
    "useradd",
    "say",
    "code",
    "ssh",
    "nc",
    "brew",
    "apt",
    "apt-get",
    "kubectl",
    "psql",
    "mysql",
    "redis-cli",
    "watchman",
];
/// Programs that do so only by these of their commands.
const CONTAINERS: &[&str] = &["docker", "podman", "docker-compose", "vagrant"];
const INTO_PROJECTS: &[&str] = &["run", "exec", "cp", "compose", "create", "start", "up", "ssh"];

/// Whether all that a command of this class changes in a project is what its effects name, each by a path of its own.
pub(super) fn is_exact(command: &Command, class: CommandClass, effects: &[Effect]) -> bool {
    let is_named =
        || effects.iter().flat_map(|effect| &effect.targets).all(|it| it.path.is_some() && !it.glob);
    match class {
        CommandClass::Reads | CommandClass::Checks => is_named(),
        CommandClass::Makes if command.remote => true,
        CommandClass::Makes if effects.is_empty() => is_elsewhere(command),
        CommandClass::Makes => EXACT.contains(&command.program()) && is_named(),
        CommandClass::RunsCode => false,
    }
}

fn is_elsewhere(command: &Command) -> bool {
    let program = command.program();
    let enters = || command.words.iter().any(|word| INTO_PROJECTS.contains(&word.text.as_str()));
    ELSEWHERE.contains(&program) || (CONTAINERS.contains(&program) && !enters())
}
