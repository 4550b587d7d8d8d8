//! Containers of the whole machine: a listing of all of them is handed to what removes or ends each. Other people's and
//! other projects' are among them.

use crate::shell::effects::services::matching::given;
use crate::shell::model::{Command, Effect, EffectKind};

/// Programs that choose some of what comes in.
const CHOOSERS: &[&str] =
    &["grep", "egrep", "fgrep", "rg", "head", "tail", "sed", "awk", "gawk", "fzf", "jq", "comm"];

/// What becomes of every container of the machine.
pub(crate) fn effect(earlier: &[Command], command: &Command) -> Option<Effect> {
    let verb = verb(command)?;
    let is_handed = command.words.iter().skip(1).any(|word| !word.known);
    let listed = earlier.iter().rposition(|other| lists_all(other, command.program()))?;
    let is_chosen = earlier.iter().skip(listed).any(|other| CHOOSERS.contains(&other.program()));
    (is_handed && !is_chosen).then_some(())?;
    let is_forced = given(command, "-f|--force").is_some();
    let kind = match verb {
        "kill" => EffectKind::LosesElsewhere,
        "rm" | "remove" if is_forced => EffectKind::LosesElsewhere,
        // One that runs is not removed without force, and the others are what a prune takes.
        "rm" | "remove" => EffectKind::ChangesElsewhere,
        _ => return None,
    };
    let detail = format!("{} {verb} of every container", command.program());
    Some(Effect::of(kind, command, &detail, &[], command.directory.as_deref()))
}

/// The order behind a client of containers: `docker rm`, `docker container rm`.
fn verb(command: &Command) -> Option<&str> {
    matches!(command.program(), "docker" | "podman" | "nerdctl").then_some(())?;
    let plain = command.words.iter().skip(1).map(|word| word.text.as_str()).filter(|it| !it.starts_with('-'));
    plain.into_iter().find(|text| *text != "container")
}

/// Whether a command prints the names of all containers, and of no project's or kind's alone.
fn lists_all(command: &Command, program: &str) -> bool {
    command.program() == program
        && matches!(verb(command), Some("ps" | "ls" | "list"))
        && given(command, "-q|--quiet|--format").is_some()
        && given(command, "-f|--filter|-l|--latest|-n|--last").is_none()
}
