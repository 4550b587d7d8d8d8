//! Containers and images of the whole machine: a listing of all of them is handed to what removes or ends each. Other
//! people's and other projects' are among them.

use crate::shell::effects::services::matching::given;
use crate::shell::model::{Command, Effect, EffectKind};

/// Programs that choose some of what comes in.
const CHOOSERS: &[&str] =
    &["grep", "egrep", "fgrep", "rg", "head", "tail", "sed", "awk", "gawk", "fzf", "jq", "comm"];

/// What becomes of every container, or every image, of the machine.
pub(crate) fn effect(earlier: &[Command], command: &Command) -> Option<Effect> {
    of_containers(earlier, command).or_else(|| of_images(earlier, command))
}

/// `docker rmi $(docker images -q)`: images can be pulled or built again, those of other projects too.
fn of_images(earlier: &[Command], command: &Command) -> Option<Effect> {
    let is_removal = matches!(words(command).as_slice(), ["rmi", ..] | ["image", "rm" | "remove", ..]);
    let is_handed = command.words.iter().skip(1).any(|word| !word.known);
    (is_client(command) && is_removal && is_handed).then_some(())?;
    let listed = earlier.iter().rposition(|other| lists_all_images(other, command.program()))?;
    let is_chosen = earlier.iter().skip(listed).any(|other| CHOOSERS.contains(&other.program()));
    (!is_chosen).then_some(())?;
    let detail = format!("{} rmi of every image", command.program());
    Some(Effect::of(EffectKind::ChangesElsewhere, command, &detail, &[], command.directory.as_deref()))
}

/// Whether a command prints the numbers of all images, and of no repository's alone.
fn lists_all_images(command: &Command, program: &str) -> bool {
    command.program() == program
        && matches!(words(command).as_slice(), ["images"] | ["image", "ls" | "list"])
        && given(command, "-q|--quiet|--format").is_some()
        && given(command, "-f|--filter").is_none()
}

fn is_client(command: &Command) -> bool {
    matches!(command.program(), "docker" | "podman" | "nerdctl")
}

/// The words of a command that are no options.
fn words(command: &Command) -> Vec<&str> {
    let plain = command.words.iter().skip(1).map(|word| word.text.as_str());
    plain.filter(|text| !text.starts_with('-')).collect()
}

fn of_containers(earlier: &[Command], command: &Command) -> Option<Effect> {
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
    is_client(command).then_some(())?;
    words(command).into_iter().find(|text| *text != "container")
}

/// Whether a command prints the names of all containers, and of no project's or kind's alone.
fn lists_all(command: &Command, program: &str) -> bool {
    command.program() == program
        && matches!(verb(command), Some("ps" | "ls" | "list"))
        && given(command, "-q|--quiet|--format").is_some()
        && given(command, "-f|--filter|-l|--latest|-n|--last").is_none()
}
