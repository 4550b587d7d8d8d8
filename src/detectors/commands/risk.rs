//! What is no finding and yet worth a warning and a copy of the bytes.

use super::reach::{Place, Risk, TargetFate, TargetReach};
use crate::languages;
use crate::model::finding::Severity;
use crate::shell::{Effect, EffectKind};

/// The risk of an effect at a target.
pub(super) fn risk(effect: &Effect, reach: &TargetReach) -> Option<Risk> {
    if matches!(reach.place, Place::Output | Place::Temporary | Place::Device) {
        return None;
    }
    let (name, level) = match reach.role {
        TargetFate::Gone => gone(effect, reach)?,
        // These are made so that nothing brings the bytes back.
        _ if is_shredder(effect) => ("file_deletion", Severity::Medium),
        TargetFate::Written { append } => written(effect, reach, append)?,
        // One file is meant by its name.
        TargetFate::Mode
            if effect.kind == EffectKind::ChangeMode
                && effect.detail == "chmod for everybody"
                && reach.exists
                && (effect.recursive || is_one_of_many(effect)) =>
        {
            ("open_to_everybody", Severity::Medium)
        }
        _ => return None,
    };
    Some(Risk { name: name.into(), tool: effect.detail.clone(), target: reach.name.clone(), level })
}

/// The risk of what would be gone.
fn gone(effect: &Effect, reach: &TargetReach) -> Option<(&'static str, Severity)> {
    let is_test = languages::is_test_path(&reach.name);
    Some(match effect.kind {
        // Without force git takes no file that differs from the last commit, and none that isn't there.
        EffectKind::GitRemove if !reach.exists && !effect.forced => return None,
        EffectKind::GitRemove => {
            let is_all = reach.place == Place::Root || languages::is_test_path(&format!("{}/x", reach.name));
            ("version_control_deletion", git_rm_level(effect, reach, is_test || (reach.directory && is_all)))
        }
        // What a tool has fetched or built, and makes again, is nobody's work.
        EffectKind::Delete if effect.made_again && (!reach.exists || reach.tracked == Some(0)) => {
            return None;
        }
        // Which files go is the choice of other commands.
        EffectKind::Delete if is_left_open(effect, reach) => ("bulk_deletion", Severity::Medium),
        // What the text makes before is no mistake about a name.
        EffectKind::Delete if !reach.exists && is_no_mistake(effect, reach) => return None,
        _ if is_bulk(effect, reach) => ("bulk_deletion", Severity::High),
        // What is not there is only recorded.
        _ if !reach.exists && reach.place == Place::Project && !is_shredder(effect) => {
            ("file_deletion", Severity::Low)
        }
        _ if is_test => ("file_deletion", Severity::High),
        _ if is_shredder(effect) || reach.only_here => ("file_deletion", Severity::Medium),
        _ => ("file_deletion", Severity::Low),
    })
}

/// The risk of what would be written to.
fn written(effect: &Effect, reach: &TargetReach, append: bool) -> Option<(&'static str, Severity)> {
    if effect.empties_its_input && (reach.exists || reach.place == Place::Unknown) {
        return Some(("emptied_before_read", Severity::Medium));
    }
    match effect.kind {
        // What is written there comes from elsewhere; what is replaced is nowhere else.
        EffectKind::Move | EffectKind::Copy
            if !append
                && reach.exists
                && reach.place == Place::Project
                && !reach.directory
                && !reach.restorable =>
        {
            Some(("uncommitted_work_replaced", Severity::Medium))
        }
        EffectKind::Overwrite | EffectKind::Truncate if !append && reach.only_here => {
            Some(("uncommitted_work_replaced", Severity::Medium))
        }
        EffectKind::EditInPlace
            if effect.edit.is_none() && reach.exists && says_how_checks_run(&reach.name) =>
        {
            Some(("unread_edit", Severity::Medium))
        }
        EffectKind::Overwrite
            if !append
                && effect.edit.is_none()
                && effect.content.is_none()
                && effect.sources.is_empty()
                && reach.exists
                && reach.place == Place::Project
                && says_how_checks_run(&reach.name) =>
        {
            Some(("unread_edit", Severity::Medium))
        }
        _ if languages::is_test_path(&reach.name) && reach.exists => {
            // What moves stays as it is, and data that tests read checks nothing by itself: on record alone.
            let is_replaced = effect
                .targets
                .last()
                .is_some_and(|to| to.path.as_ref().is_some_and(|path| path.ends_with(&reach.name)));
            let is_mild =
                (effect.kind == EffectKind::Move && !is_replaced) || languages::data_of_tests(&reach.name);
            Some(("test_file_modification", if is_mild { Severity::Low } else { Severity::Medium }))
        }
        _ => None,
    }
}

/// Whether nobody who deletes what is not there is mistaken about it: the text makes it first, or it is a file beside
/// what else goes.
fn is_no_mistake(effect: &Effect, reach: &TargetReach) -> bool {
    let is_file = languages::file_name(&reach.name).trim_start_matches('.').contains('.');
    effect.made_here || (reach.place != Place::Unknown && is_file && effect.targets.len() > 1)
}

fn git_rm_level(effect: &Effect, reach: &TargetReach, is_test: bool) -> Severity {
    match effect.detail.as_str() {
        // The files stay on the disk; tests leave the repository all the same.
        "git rm --cached" if is_test => Severity::Medium,
        "git rm --cached" => Severity::Low,
        _ if is_test => Severity::High,
        // A single file is meant by its name, and the last commit has it.
        _ if !reach.directory && !reach.partial => Severity::Low,
        _ => Severity::Medium,
    }
}

fn is_shredder(effect: &Effect) -> bool {
    matches!(effect.program.as_str(), "shred" | "srm")
}

/// Whether other commands say which files are meant, and these may be many.
fn is_left_open(effect: &Effect, reach: &TargetReach) -> bool {
    let is_handed = || effect.targets.iter().any(|target| target.path.is_none() && target.partial);
    let of_a_folder = matches!(reach.place, Place::Project | Place::Root) && reach.partial && reach.directory;
    !effect.recursive && (of_a_folder || (reach.place == Place::Unknown && is_handed()))
}

/// Whether a file says how checks run, by its name.
fn says_how_checks_run(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "Makefile",
        "makefile",
        "GNUmakefile",
        "justfile",
        "package.json",
        "pyproject.toml",
        "setup.cfg",
        "tox.ini",
        "pytest.ini",
        ".coveragerc",
        ".gitlab-ci.yml",
        "Jenkinsfile",
        "azure-pipelines.yml",
        "noxfile.py",
    ];
    let file = languages::file_name(name);
    let is_configuration =
        ["jest.config.", "vitest.config.", ".eslintrc", "eslint.config.", "playwright.config."]
            .iter()
            .any(|start| file.starts_with(start));
    NAMES.contains(&file)
        || is_configuration
        || name.contains(".github/workflows/")
        || name.contains(".circleci/")
}

fn is_one_of_many(effect: &Effect) -> bool {
    effect.targets.iter().any(|target| target.glob || target.below)
}

/// A folder with all that is in it, or a pattern's many files.
fn is_bulk(effect: &Effect, reach: &TargetReach) -> bool {
    let is_open = reach.directory || reach.place == Place::Unknown;
    effect.recursive && (effect.forced || is_open || effect.targets.iter().any(|target| target.glob))
}
