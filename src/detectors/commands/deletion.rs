//! Targets that are gone after a command: which of them nobody means to lose.

use super::finding::{finding, first_of};
use super::patterns::{BULK, DEVICE, GUARD, OUTSIDE, TOO_MUCH};
use super::reach::{CommandFacts, Place, TargetFate, TargetReach, holds_history};
use super::weakened_checks::BYPASS;
use crate::detectors::checks::hook_bypass;
use crate::detectors::pattern::Pattern;
use crate::model::finding::{Finding, Severity, counted};
use crate::shell::{Effect, EffectKind};

use Severity::{Critical, High, Medium};

/// Fewer tracked files than this are never "most of the project".
const FEWEST_FOR_MOST: usize = 3;
/// One nested folder with fewer files than this is a small deletion, also where it is most of a small project: it is
/// kept, and comes back with an undo.
const SMALL_FOLDER: usize = 10;
/// Top-level folders that hold a project's sources or tests.
const SOURCE_FOLDERS: &[&str] = &[
    "src",
    "lib",
    "app",
    "apps",
    "packages",
    "crates",
    "pkg",
    "cmd",
    "internal",
    "test",
    "tests",
    "spec",
    "specs",
    "e2e",
    "__tests__",
    "core",
    "server",
    "client",
    "api",
    "backend",
    "frontend",
    "components",
    "modules",
    "source",
    "sources",
];

/// The finding for a target that is gone.
pub(super) fn gone(effect: &Effect, reach: &TargetReach) -> Option<Finding> {
    let (pattern, severity, what) = judged(effect, reach)?;
    Some(finding(pattern, severity, reach.name.clone(), what, 0.9))
}

/// What a target's loss is called, how bad it is, and what is said of it.
type LossJudgement = Option<(&'static Pattern, Severity, String)>;

fn judged(effect: &Effect, reach: &TargetReach) -> LossJudgement {
    let name = &reach.name;
    // With links followed, what goes need not be below the folder that is named.
    if effect.detail == "find -L -delete" && matches!(reach.place, Place::Temporary | Place::Output) {
        let what = format!("links below {name} are followed, so what is deleted can be anywhere");
        return Some((&OUTSIDE, Medium, what));
    }
    // The guard's state comes to stand there before the command runs, if it is not there yet. Its program has several
    // usual places, and who names one of them means it.
    let is_to_come = (reach.place == Place::GuardState && effect.recursive)
        || (reach.place == Place::GuardProgram
            && matches!(effect.kind, EffectKind::Delete | EffectKind::Move));
    if !reach.exists && !is_to_come {
        // What is not there can't be lost; who names the repository's own files is told all the same.
        let is_told = reach.place == Place::Repository && holds_history(name);
        if is_of_the_machine(reach) && !reach.held {
            let what =
                format!("{name} is outside of the project, and nothing of that place is to be seen here");
            return Some((&OUTSIDE, Medium, what));
        }
        return is_told.then(|| (&BULK, Medium, format!("{name} would belong to the repository itself")));
    }
    // What is moved elsewhere on this machine can be moved back.
    if effect.kind == EffectKind::Move && matches!(reach.place, Place::System | Place::Outside) {
        let what = format!("{name} is outside of the project and would be moved away");
        return Some((&OUTSIDE, Medium, what));
    }
    by_place(effect, reach)
}

/// Whether a path belongs to the machine and not to its user.
fn is_of_the_machine(reach: &TargetReach) -> bool {
    const SHARED: &[&str] = &["/var/", "/opt/", "/srv/", "/Applications/"];
    reach.place == Place::System
        || (reach.place == Place::Outside && SHARED.iter().any(|folder| reach.name.starts_with(folder)))
}

/// What the place alone decides of a target that is there.
fn by_place(effect: &Effect, reach: &TargetReach) -> LossJudgement {
    let name = &reach.name;
    Some(match reach.place {
        Place::Root if reach.partial => return None,
        Place::Root => {
            (&BULK, Critical, format!("{name} is the whole project, which would be gone{}", tracked(reach)))
        }
        Place::Repository => return in_repository(name),
        Place::GuardState if effect.kind == EffectKind::DiscardGitWork => {
            let what =
                format!("{name} belongs to the guard, and git ignores it; with `-e .aiwg` it would stay");
            (&GUARD, Critical, what)
        }
        Place::GuardState | Place::GuardProgram | Place::HostSettings => {
            (&GUARD, Critical, format!("{name} belongs to the guard, and would be changed"))
        }
        Place::System => {
            let what = format!("{name} is outside of the project and belongs to the system or a home");
            (&OUTSIDE, Critical, what)
        }
        Place::Outside => (&OUTSIDE, High, format!("{name} is outside of the project")),
        Place::Device => (&DEVICE, Critical, format!("{name} is a device, and would be overwritten")),
        Place::Project => return in_project(effect, reach),
        Place::Output | Place::Temporary | Place::Unknown => return None,
    })
}

fn in_repository(name: &str) -> LossJudgement {
    if name.contains(".git/hooks/") {
        let what = || format!("{name} is one of the repository's hooks");
        return hook_bypass::is_hook(name).then(|| (BYPASS, High, what()));
    }
    // The index is made again from the last commit, and the files themselves stay.
    if name.ends_with(".git/index") {
        return None;
    }
    let what = format!(
        "{name} would be changed, and belongs to the repository itself: commits, branches and stashes"
    );
    Some((&BULK, Critical, what))
}

fn in_project(effect: &Effect, reach: &TargetReach) -> LossJudgement {
    let name = &reach.name;
    if reach.too_much {
        let what = format!("{name} holds more files than can be kept before the command runs");
        return Some((&TOO_MUCH, High, what));
    }
    if !is_source_folder(reach) || reach.partial || effect.kind == EffectKind::Copy {
        return None;
    }
    let holds = match reach.tracked {
        Some(count) => counted(count, "tracked file"),
        None => counted(reach.sources, "source file"),
    };
    Some((&BULK, High, format!("{name} would be gone, with {holds}")))
}

/// All deletions of the text together.
pub(super) fn most_of_the_project(facts: &CommandFacts) -> Option<Finding> {
    let total = facts.tracked_total?;
    let lost: Vec<&TargetReach> = facts
        .reaches
        .iter()
        .filter(|reach| reach.role == TargetFate::Gone && matches!(reach.place, Place::Project | Place::Root))
        .filter(|reach| !reach.partial && !facts.permitted.contains(&reach.effect))
        .collect();
    let count: usize = lost.iter().filter_map(|reach| reach.tracked).sum();
    let one_small_folder =
        matches!(lost.as_slice(), [only] if only.name.contains('/')) && count < SMALL_FOLDER && count < total;
    if count < FEWEST_FOR_MOST || count * 2 <= total || one_small_folder {
        return None;
    }
    let name = lost.first().map(|reach| reach.name.clone()).unwrap_or_default();
    let severity = if count >= total { Severity::Critical } else { Severity::High };
    let what = format!("{count} of the project's {} would be gone", counted(total, "tracked file"));
    Some(finding(&BULK, severity, name, what, 0.9))
}

/// Every tracked file of a source folder, file by file: what is kept comes back, and is told as the loss that it is.
pub(super) fn emptied(facts: &CommandFacts) -> impl Iterator<Item = Finding> + '_ {
    facts.emptied.iter().map(|(name, count)| {
        let what = match count {
            1 => format!("{name} would be left without a line"),
            count => format!(
                "every one of the {} of {name} would be gone or empty",
                counted(*count, "tracked file")
            ),
        };
        finding(&BULK, Medium, name.clone(), what, 0.85)
    })
}

/// From this many tracked files on it is told that a pattern chooses them.
const FEWEST_CHOSEN: usize = 3;

/// Files that patterns choose, and of which the words therefore name none.
pub(super) fn chosen(facts: &CommandFacts) -> Option<Finding> {
    let (names, tracked) = &facts.chosen;
    let untracked = names.len().saturating_sub(*tracked);
    (*tracked >= FEWEST_CHOSEN || untracked > 0).then_some(())?;
    let first = names.first()?.clone();
    let listed = first_of(names, FEWEST_CHOSEN);
    let lost = if untracked > 0 { ", and no commit holds all of them" } else { "" };
    let what = format!("the command chooses by a pattern what would be gone or overwritten{lost}: {listed}");
    Some(finding(&BULK, Medium, first, what, 0.8))
}

/// Files of the project that differ and would all have one text.
pub(super) fn made_one(facts: &CommandFacts) -> Option<Finding> {
    let first = facts.made_one.first()?.clone();
    let listed = first_of(&facts.made_one, FEWEST_CHOSEN);
    let what = format!(
        "{} that differ would all have one text: {listed}",
        counted(facts.made_one.len(), "tracked file")
    );
    Some(finding(&BULK, Medium, first, what, 0.8))
}

fn is_source_folder(reach: &TargetReach) -> bool {
    let holds = reach.tracked.unwrap_or(0);
    // All that is in a folder is the folder.
    let name = reach.name.strip_suffix("/*").unwrap_or(&reach.name);
    let named = SOURCE_FOLDERS.contains(&name.trim_end_matches('/'));
    reach.directory && reach.top_level && ((named && holds > 0) || reach.sources >= FEWEST_FOR_MOST)
}

fn tracked(reach: &TargetReach) -> String {
    reach.tracked.map_or(String::new(), |count| format!(", with {}", counted(count, "tracked file")))
}
