//! What a command for another machine or a container does there that can't be taken back.
//!
//! Nothing there can be looked at or kept. So what would be stopped here whatever lies on the disk is stopped there
//! too, and all that depends on the disk, on git, or on a path that is not absolute passes.

use std::path::{Component, Path};

use crate::model::folders;
use crate::shell::model::{Command, Effect, EffectKind, Word, first_line};

/// What of a command's effects elsewhere can't be taken back.
pub(crate) fn effect(command: &Command, effect: &Effect) -> Option<Effect> {
    use EffectKind::{
        ChangeMode, ChangesElsewhere, Delete, DestroysVolume, LosesElsewhere, Overwrite, Releases, Truncate,
    };
    let kind = match effect.kind {
        // A decision is no agent's on any machine.
        LosesElsewhere | ChangesElsewhere | Releases | EffectKind::DisarmsGuard => {
            return Some(effect.clone());
        }
        DestroysVolume => LosesElsewhere,
        Delete => effect
            .targets
            .iter()
            .filter_map(|target| deletion(effect, target))
            .max_by_key(|kind| *kind == LosesElsewhere)?,
        Overwrite | Truncate if effect.targets.iter().any(is_disk) => LosesElsewhere,
        ChangeMode
            if effect.recursive
                && effect.targets.iter().any(|target| target.path.as_deref().is_some_and(is_system)) =>
        {
            LosesElsewhere
        }
        EffectKind::RunsUnseen => ChangesElsewhere,
        _ => return None,
    };
    let line = command.words.iter().map(Word::shown).collect::<Vec<_>>().join(" ");
    Some(Effect { kind, detail: first_line(&line), targets: Vec::new(), ..effect.clone() })
}

fn deletion(effect: &Effect, target: &crate::shell::model::Target) -> Option<EffectKind> {
    let path = target.path.as_deref().filter(|path| path.is_absolute())?;
    let made_again = |path: &Path| {
        path.components().any(|part| {
            let name = part.as_os_str().to_string_lossy();
            folders::is_made_again(&name) || name == "cache"
        })
    };
    let temporary = ["/tmp", "/var/tmp", "/dev/shm", "/var/cache", "/run"]
        .iter()
        .any(|folder| path.starts_with(folder) && path != Path::new(folder));
    let file_in_system = !effect.recursive && is_system(path);
    match (temporary || made_again(path), effect.recursive && !target.partial) {
        (true, _) => None,
        (false, true) => Some(EffectKind::LosesElsewhere),
        (false, false) if file_in_system => Some(EffectKind::LosesElsewhere),
        (false, false) => Some(EffectKind::ChangesElsewhere),
    }
}

fn is_disk(target: &crate::shell::model::Target) -> bool {
    target.path.as_deref().is_some_and(|path| {
        path.starts_with("/dev") && !path.starts_with("/dev/shm") && path.components().count() > 2
    })
}

/// The root, a folder right below it, or anything in the system's own.
fn is_system(path: &Path) -> bool {
    const SYSTEM: &[&str] = &["etc", "usr", "bin", "sbin", "lib", "lib64", "boot", "sys", "proc", "var"];
    let mut names = path.components().filter_map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    match (names.next(), names.next()) {
        (_, None) => true,
        (Some(first), _) => SYSTEM.contains(&first),
        _ => false,
    }
}
