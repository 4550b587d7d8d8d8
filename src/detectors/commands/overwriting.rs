//! Targets that a command writes to, and those whose mode or owner it changes.

use super::finding::finding;
use super::patterns::{BULK, DEVICE, GUARD, OUTSIDE, TOO_MUCH};
use super::reach::{Place, TargetReach, holds_history};
use super::weakened_checks::{BYPASS, HIDDEN_FAILURE, LEFT_OUT};
use crate::detectors::checks::hook_bypass;
use crate::detectors::pattern::Pattern;
use crate::languages;
use crate::model::finding::{Finding, Severity};
use crate::runners;
use crate::shell::{self, Effect, EffectKind};

/// A pattern with the severity and the words of its finding.
type OverwriteJudgement = (&'static Pattern, Severity, String);

/// The finding for a target that is written to.
pub(super) fn written(effect: &Effect, reach: &TargetReach, append: bool) -> Option<Finding> {
    use Severity::{Critical, High, Medium};
    let name = &reach.name;
    let judged: Option<OverwriteJudgement> = match reach.place {
        Place::GuardState | Place::GuardProgram => {
            Some((&GUARD, Critical, format!("{name} belongs to the guard, and would be changed")))
        }
        Place::HostSettings if reach.exists => {
            Some((&GUARD, High, format!("{name} says which hooks run, and would be changed")))
        }
        Place::Device if reach.exists || names_a_disk(name) => {
            Some((&DEVICE, Critical, format!("{name} is a device, and would be overwritten")))
        }
        Place::Repository if holds_history(name) => {
            Some((&BULK, High, format!("{name} would be changed, and belongs to the repository itself")))
        }
        // A hook whose new text is known is judged by that.
        Place::Repository
            if hook_bypass::is_hook(name) && effect.content.is_none() && effect.edit.is_none() =>
        {
            let severity = if reach.exists { High } else { Medium };
            Some((BYPASS, severity, format!("{name} is one of the repository's hooks")))
        }
        Place::System | Place::Outside => beside_the_project(effect, reach, append),
        Place::Project | Place::Output | Place::Unknown => in_the_project(effect, reach, append),
        _ => None,
    };
    let (pattern, severity, what) = judged?;
    Some(finding(pattern, severity, name.clone(), what, 0.85))
}

fn beside_the_project(effect: &Effect, reach: &TargetReach, append: bool) -> Option<OverwriteJudgement> {
    use Severity::{High, Medium};
    let name = &reach.name;
    let found = |severity, what| Some((&OUTSIDE, severity, what));
    let weight = (reach.place == Place::Outside).then(|| start_file(reach, append)).flatten();
    if let Some(severity) = weight {
        return found(severity, format!("{name} is heeded unasked from then on, and would be changed"));
    }
    match reach.place {
        Place::System if reach.exists && !append => {
            found(High, format!("{name} belongs to the system and would be changed"))
        }
        Place::System if reach.exists => {
            found(Medium, format!("{name} belongs to the system and would be added to"))
        }
        Place::System if !append && name.starts_with("/etc/") => {
            found(Medium, format!("{name} belongs to the system and would be written"))
        }
        Place::Outside if reach.exists && !append => {
            let what = format!("{name} is outside of the project and would be overwritten");
            match reach.restorable {
                false => found(High, what),
                // Who edits by a pattern has seen none of the names.
                true if !reach.directory
                    && (effect.kind != EffectKind::EditInPlace
                        || effect.targets.iter().any(|target| target.glob)) =>
                {
                    found(Medium, what)
                }
                true => None,
            }
        }
        _ => None,
    }
}

/// How much it weighs that a file of the home is written which a person's shell, login or timer reads by itself.
fn start_file(reach: &TargetReach, append: bool) -> Option<Severity> {
    let name = reach.name.as_str();
    let is_key = name.ends_with("/.ssh/authorized_keys");
    match (is_key || reads_by_itself(name), name.ends_with("/.ssh/config")) {
        // Another text in the place of one that is there is a loss like any other.
        (true, _) if append || (reach.exists && reach.restorable) => Some(Severity::High),
        (true, _) if !reach.exists => Some(Severity::Medium),
        (_, true) if append => Some(Severity::Medium),
        _ => None,
    }
}

/// Whether a file is one that is run by itself; what belongs to a single folder asks its person first.
fn reads_by_itself(name: &str) -> bool {
    shell::runs_by_itself(name) && !name.ends_with("/.envrc") && !name.contains("/.git/")
}

fn in_the_project(effect: &Effect, reach: &TargetReach, append: bool) -> Option<OverwriteJudgement> {
    use Severity::{High, Medium};
    let name = &reach.name;
    match reach.place {
        Place::Project if reach.too_much => {
            let what = format!("more files than can be kept would be written, {name} among them");
            Some((&TOO_MUCH, High, what))
        }
        Place::Project | Place::Output if !append && replaces_a_runner(effect, name) => {
            // An edit of its text may be one of the path in its first line.
            let severity = if effect.kind == EffectKind::EditInPlace { Medium } else { High };
            Some((&HIDDEN_FAILURE, severity, format!("{name} starts the tests, and would be something else")))
        }
        Place::Project | Place::Unknown if goes_nobody_knows_where(effect, reach) => {
            let what = format!("{name} holds tests and would get a name that can't be reckoned");
            Some((&LEFT_OUT, Medium, what))
        }
        Place::Project if is_less_collected(effect, reach) => {
            let what = format!("{name} would get a name that most runners don't look for");
            Some((&LEFT_OUT, Medium, what))
        }
        Place::Project if leaves_the_tests(effect, reach) => {
            let what = format!("{name} would get a name under which no runner looks for tests");
            Some((&LEFT_OUT, High, what))
        }
        _ => None,
    }
}

/// Whether a program that starts tests, where the project's tools are installed, is written by hand.
fn replaces_a_runner(effect: &Effect, name: &str) -> bool {
    const FOLDERS: &[&str] = &["node_modules/.bin", "venv/bin", ".venv/bin", "vendor/bin"];
    let Some((folder, program)) = name.rsplit_once('/') else { return false };
    let writes = matches!(
        effect.kind,
        EffectKind::Overwrite
            | EffectKind::Truncate
            | EffectKind::Copy
            | EffectKind::Move
            | EffectKind::EditInPlace
    );
    writes
        && FOLDERS.iter().any(|own| folder == *own || folder.ends_with(&format!("/{own}")))
        && runners::runs_tests(program, "", || false)
}

/// Whether tests are moved to names that only the running command knows.
fn goes_nobody_knows_where(effect: &Effect, reach: &TargetReach) -> bool {
    let (name, is_unknown) = (reach.name.as_str(), reach.place == Place::Unknown);
    let holds = |name: &str| match is_unknown || reach.directory {
        true => languages::is_test_path(&format!("{}/x", name.trim_end_matches('/'))),
        false => languages::is_test_name(name),
    };
    effect.kind == EffectKind::Move
        && effect.targets.last().is_some_and(|to| to.path.is_none())
        && (reach.exists || is_unknown)
        && (holds(name) || (is_unknown && languages::is_test_path(name)))
}

/// `mv a.test.js a.tests.js`: the new name is one of a test to a reader, and to few runners.
fn is_less_collected(effect: &Effect, reach: &TargetReach) -> bool {
    let middle = |name: &str| {
        let (front, ending) = name.rsplit_once('.')?;
        let is_script = matches!(ending, "js" | "jsx" | "ts" | "tsx" | "mjs" | "cjs" | "mts" | "cts");
        is_script.then(|| front.rsplit_once('.').map(|(_, middle)| middle.to_owned())).flatten()
    };
    let [from, to] = effect.targets.as_slice() else { return false };
    effect.kind == EffectKind::Move
        && reach.exists
        && from.path.as_ref().is_some_and(|path| path.ends_with(&reach.name))
        && middle(&from.text).is_some_and(|middle| matches!(middle.as_str(), "test" | "spec"))
        && middle(&to.text).is_some_and(|middle| matches!(middle.as_str(), "tests" | "specs" | "test-d"))
}

/// Whether a folder of tests is moved to a place that is none.
fn leaves_the_tests(effect: &Effect, reach: &TargetReach) -> bool {
    let is_folder_of_tests =
        |name: &str| languages::is_test_path(&format!("{}/x", name.trim_end_matches('/')));
    let to = effect.targets.last().map_or("", |to| to.text.as_str());
    let into_one = to.ends_with('/') && languages::is_test_path(&format!("{to}x"));
    effect.kind == EffectKind::Move
        && reach.exists
        && reach.directory
        && reach.tracked != Some(0)
        && is_folder_of_tests(reach.name.trim_end_matches('/').rsplit('/').next().unwrap_or_default())
        // What is moved into a folder keeps its own name.
        && !(is_folder_of_tests(to) || into_one || keeps_its_name(&reach.name, to))
        && effect.targets.iter().rev().skip(1).any(|from| from.path.as_ref().is_some_and(|path| path.ends_with(reach.name.trim_end_matches('/'))))
}

fn keeps_its_name(name: &str, to: &str) -> bool {
    let last = |path: &str| path.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned();
    last(name) == last(to) || to.ends_with('/') || matches!(to, "." | "..")
}

/// The finding for a target whose mode or owner changes.
pub(super) fn mode(effect: &Effect, reach: &TargetReach) -> Option<Finding> {
    let name = reach.name.clone();
    // A test that can't be started is a test that is left out.
    if effect.detail == "chmod -x"
        && reach.exists
        && reach.place == Place::Project
        && languages::is_test_path(&name)
    {
        let what = format!("{name} could no longer be started");
        return Some(finding(&LEFT_OUT, Severity::Medium, name, what, 0.8));
    }
    match reach.place {
        Place::GuardState | Place::GuardProgram | Place::HostSettings => {
            let what = format!("{name} belongs to the guard, and would be changed");
            Some(finding(&GUARD, Severity::Critical, name, what, 0.8))
        }
        Place::System | Place::Outside if effect.recursive && reach.exists => {
            let what =
                format!("modes or owners of everything under {name} would change, outside of the project");
            Some(finding(&OUTSIDE, Severity::High, name, what, 0.85))
        }
        _ => None,
    }
}

/// Whether a path under `/dev` or `/proc` has the name of a disk, a partition, or of what stops the machine. A disk
/// need not be there when a text is judged.
fn names_a_disk(name: &str) -> bool {
    const DISKS: &[&str] =
        &["sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "dm-", "md", "loop", "pmem", "mapper/"];
    if matches!(name, "/proc/sysrq-trigger" | "/dev/mem" | "/dev/kmem" | "/dev/port" | "/dev/nvram") {
        return true;
    }
    let Some(device) = name.strip_prefix("/dev/") else { return false };
    DISKS.iter().any(|disk| {
        device.strip_prefix(disk).is_some_and(|rest| {
            let rest = rest.strip_suffix(['*', '?']).map_or(rest, |_| "0");
            (!rest.is_empty() || disk.ends_with('/'))
                && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        })
    })
}
