//! The words in which a command, an effect and a risk are shown.

use crate::lifecycle::call::explain::{RunCommand, SeenEffect, SeenRisk};
use crate::lifecycle::call::shell_call;
use crate::model::shell_word;
use crate::project::Project;
use crate::shell;
use crate::shell::{Effect, EffectKind};

pub(crate) fn run_command(command: &shell::Command, project: &Project) -> RunCommand {
    let words = command.words.iter().map(|word| one_word(&word.shown()));
    let line = words.collect::<Vec<_>>().join(" ");
    RunCommand {
        line: if line.is_empty() { command.source.clone() } else { line },
        directory: command.directory.as_deref().map(|directory| project.name_of(directory)),
        remote: command.remote,
    }
}

/// A word as a shell would have to be given it, so that where one ends is seen.
fn one_word(text: &str) -> String {
    let plain = !text.is_empty() && !text.contains([' ', '\t', '\n', '\'', '"', ';', '|', '&', '<', '>']);
    if plain { text.to_owned() } else { shell_word::in_quotes(text) }
}

pub(crate) fn seen_effect(effect: &Effect, project: &Project) -> SeenEffect {
    let name = |target: &shell::Target| match &target.path {
        Some(path) if !is_git_work(effect.kind) => project.name_of(path),
        _ => target.text.clone(),
    };
    SeenEffect {
        does: does(effect.kind),
        by: effect.detail.clone(),
        targets: effect.targets.iter().map(name).collect(),
    }
}

fn is_git_work(kind: EffectKind) -> bool {
    matches!(kind, EffectKind::DiscardGitWork | EffectKind::RewriteHistory | EffectKind::Publish)
}

pub(crate) fn does(kind: EffectKind) -> &'static str {
    match kind {
        EffectKind::Delete => "deletes",
        EffectKind::Overwrite => "writes",
        EffectKind::Truncate => "empties or cuts",
        EffectKind::Move => "moves",
        EffectKind::Copy => "copies",
        EffectKind::EditInPlace => "edits in place",
        EffectKind::ChangeMode => "changes modes or owners of",
        EffectKind::DiscardGitWork => "gives up work in git",
        EffectKind::GitRemove => "takes out of git",
        EffectKind::RewriteHistory => "rewrites history",
        EffectKind::Publish => "replaces what is published",
        EffectKind::ApplyPatch => "applies a patch",
        EffectKind::BypassChecks => "skips checks",
        EffectKind::DisarmsGuard => "decides for the guard or stops it",
        EffectKind::RunsUnseen => "runs code that nobody has seen",
        EffectKind::ChoosesTests => "chooses tests by a pattern",
        EffectKind::SavesUnseen => "saves a script that nobody has read",
        EffectKind::DestroysVolume => "gives up a volume",
        EffectKind::LosesElsewhere => "gives up what a service or another machine holds",
        EffectKind::ChangesElsewhere => "changes what others rely on",
        EffectKind::Releases => "publishes for everybody",
        EffectKind::HidesFromGit => "hides changes from git",
        EffectKind::FillsDisk => "fills the disk",
        EffectKind::Floods => "starts processes without end",
        EffectKind::HidesFailure => "hides failures",
        EffectKind::LeavesTestsOut => "leaves tests out",
        EffectKind::RewritesSnapshots => "rewrites snapshots",
        EffectKind::LowersThreshold => "sets the bound of a check",
    }
}

/// The pieces without blanks around them, each once.
pub(crate) fn each_once(pieces: Vec<String>) -> Vec<String> {
    let mut once: Vec<String> = Vec::new();
    for piece in pieces.iter().map(|piece| piece.trim()).filter(|piece| !piece.is_empty()) {
        if !once.iter().any(|known| known == piece) {
            once.push(piece.to_owned());
        }
    }
    once
}

pub(crate) fn seen_risk(risk: &shell_call::Risk) -> SeenRisk {
    SeenRisk { class: risk.name.to_string(), target: risk.target.clone(), level: risk.level }
}
