//! Files that their names alone say enough about: hooks, and tests that are not there to be read.
//!
//! What can be read is judged by what is in it. A name says enough only where the command says it is there.

use super::finding::finding;
use super::reach::{Place, TargetFate, TargetReach};
use super::weakened_checks::{BYPASS, LEFT_OUT};
use crate::detectors::checks::hook_bypass;
use crate::detectors::testing::test_deletion;
use crate::languages;
use crate::model::finding::{Finding, RegressionType, Severity, counted};
use crate::shell::{Effect, EffectKind};

use Severity::{High, Medium};

/// What a target's name says.
pub(crate) fn by_name(effect: &Effect, reach: &TargetReach) -> Option<Finding> {
    if !matches!(reach.place, Place::Project | Place::Repository) || reach.partial {
        return None;
    }
    hook(effect, reach).or_else(|| missing_test(effect, reach))
}

/// Tests that a script of the project takes away, which the command only names.
pub fn by_a_script(tests: &[String]) -> Option<Finding> {
    let first = tests.first()?;
    let more = match tests.len() {
        1 => String::new(),
        count => format!(" and {}", counted(count - 1, "more file")),
    };
    let what = format!("a script of the project takes tests away: {first}{more}");
    Some(finding(&LEFT_OUT, Medium, first.clone(), what, 0.7))
}

/// A hook that is gone, moved away, emptied, or can't be started.
fn hook(effect: &Effect, reach: &TargetReach) -> Option<Finding> {
    let name = &reach.name;
    if !hook_bypass::is_hook(name) {
        return None;
    }
    let what = match (reach.role, effect.kind) {
        // A file that is there is judged by its text.
        (TargetFate::Gone | TargetFate::Written { .. }, kind)
            if reach.exists && !reach.directory && kind != EffectKind::Move =>
        {
            return None;
        }
        (TargetFate::Gone, EffectKind::GitRemove) if effect.detail == "git rm --cached" => return None,
        (TargetFate::Gone, _) => "would be gone",
        (TargetFate::Written { .. }, EffectKind::Move)
            if !is_destination(effect, reach) && !goes_to_hooks(effect) =>
        {
            "would be moved to where nothing starts it"
        }
        (TargetFate::Written { append: false }, EffectKind::Overwrite | EffectKind::Truncate)
            if effect.content.as_deref().is_some_and(hook_bypass::says_nothing) =>
        {
            "would let everything pass"
        }
        (TargetFate::Mode, _) if effect.detail == "chmod -x" => "could no longer be started",
        _ => return None,
    };
    Some(finding(BYPASS, High, name.clone(), format!("{name} is a hook and {what}"), 0.85))
}

fn is_destination(effect: &Effect, reach: &TargetReach) -> bool {
    effect.targets.last().is_some_and(|to| {
        let path = to.path.as_ref().map(|path| path.to_string_lossy().into_owned()).unwrap_or_default();
        path == reach.name || path.ends_with(&format!("/{}", reach.name.trim_end_matches('/')))
    })
}

fn goes_to_hooks(effect: &Effect) -> bool {
    effect.targets.last().is_some_and(|to| hook_bypass::is_hook(&to.text))
}

/// A test file that is not there: the command was written for one that is.
fn missing_test(effect: &Effect, reach: &TargetReach) -> Option<Finding> {
    if reach.exists || effect.detail == "git rm --cached" {
        return None;
    }
    let name = &reach.name;
    let is_test = languages::is_test_name(name);
    let last = name.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let is_folder = effect.recursive && !last.contains('*') && languages::is_test_path(&format!("{name}/x"));
    let (severity, what) = match (reach.role, effect.kind) {
        // `rm -f` is how one cleans up what may not be there; git removes only what it knows.
        (TargetFate::Gone, EffectKind::GitRemove) if is_test || is_folder => (High, "would be gone"),
        (TargetFate::Gone, EffectKind::Delete) if is_folder && !is_test => (Medium, "would be gone"),
        (TargetFate::Gone, _) if is_test => (if effect.forced { Medium } else { High }, "would be gone"),
        (TargetFate::Written { .. }, EffectKind::Move)
            if is_test && !is_destination(effect, reach) && !stays_a_test(effect, name) =>
        {
            (High, "would no longer be found by a test runner")
        }
        (TargetFate::Written { .. }, EffectKind::Truncate)
            if is_test && matches!(effect.program.as_str(), "cp" | "truncate") =>
        {
            (High, "would be empty")
        }
        _ => return None,
    };
    let mut found = finding(
        &test_deletion::DELETED.pattern,
        severity,
        name.clone(),
        format!("the test file {what}"),
        0.6,
    );
    found.regression_type = Some(RegressionType::TestDeletion);
    Some(found)
}

/// Whether a moved test has a name that a runner collects.
fn stays_a_test(effect: &Effect, name: &str) -> bool {
    effect.targets.last().is_some_and(|to| {
        let file = languages::file_name(&to.text);
        let is_folder = file.is_empty() || !file.contains('.') || file.chars().all(|it| it == '.');
        languages::is_test_name(&to.text) || (is_folder && languages::is_test_name(name))
    })
}
