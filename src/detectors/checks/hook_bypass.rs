//! Hooks of the repository: gone, emptied, or told to check less; which files they are, by name alone.
//!
//! A hook that moves to another hook's place, or that only gets more to do, passes.

use crate::detectors::checks::both_settings::both;
use crate::detectors::checks::check_command::is_check;
use crate::detectors::checks::setting_keys::has;
use crate::detectors::checks::successors::hook_takes_over;
use crate::detectors::checks::weaker_command;
use crate::detectors::{Case, Detector, Pattern, PatternProof};
use crate::languages::{SettingEntry, file_name};
use crate::model::finding::{Change, Finding, RegressionType, Severity};

/// Hooks switched off.
pub(crate) static BYPASSED: Detector = Detector {
    pattern: Pattern {
        id: "LP-R006",
        name: "Checks Bypassed",
        aliases: &["SF-014", "Hook Bypass"],
        regression_type: Some(RegressionType::TestSkipping),
        severity: Severity::High,
        what: "A hook that checks before a commit or a push is skipped, gone, can't be started, or checks less.",
        why: "What the hook would have stopped gets into the repository unseen.",
        instead: "What the hooks report can be mended first; then the commit passes with them.",
        proof: PatternProof::Changes,
    },
    detect,
};

/// Names of git's hooks that can stop something.
const NAMES: &[&str] = &[
    "pre-commit",
    "pre-push",
    "commit-msg",
    "prepare-commit-msg",
    "pre-merge-commit",
    "pre-rebase",
    "pre-receive",
    "update",
    "pre-applypatch",
    "applypatch-msg",
];
/// Folders of hooks.
const FOLDERS: &[&str] = &[".husky", ".githooks", ".git/hooks", ".git-hooks"];
/// Folders of hooks that an agent's client runs, whatever their names.
const FOLDERS_OF_CLIENTS: &[&str] = &[".claude/hooks", ".cursor/hooks", ".gemini/hooks"];
/// Files that say which hooks there are.
const SETTINGS: &[&str] = &[
    ".pre-commit-config.yaml",
    ".pre-commit-config.yml",
    "lefthook.yml",
    "lefthook.yaml",
    ".lefthook.yml",
    ".lefthook.yaml",
    "lefthook.toml",
    "lefthook.json",
    ".overcommit.yml",
    ".huskyrc",
    ".huskyrc.json",
    ".simple-git-hooks.json",
    "captainhook.json",
    "grumphp.yml",
    "hk.pkl",
];

/// Programs that put hooks into the repository.
const MANAGERS: &[&str] =
    &["husky", "lefthook", "simple-git-hooks", "pre-commit", "yorkie", "captainhook", "grumphp"];

/// Whether a path is a hook, a folder of hooks, or the file that says which hooks there are.
pub(crate) fn is_hook(path: &str) -> bool {
    let path = path.replace('\\', "/");
    let path = path.trim_end_matches("/*").trim_end_matches('/');
    let slashed = format!("/{path}");
    let in_folder = slashed.rsplit_once('/').is_some_and(|(folder, name)| {
        let is_in = |folders: &[&str]| folders.iter().any(|it| folder.ends_with(&format!("/{it}")));
        (NAMES.contains(&name) && is_in(FOLDERS)) || is_in(FOLDERS_OF_CLIENTS)
    });
    in_folder
        || FOLDERS.iter().any(|it| slashed.ends_with(&format!("/{it}")))
        || SETTINGS.contains(&file_name(path))
}

/// Whether a hook with this text lets everything pass.
pub(crate) fn says_nothing(text: &str) -> bool {
    commands(text)
        .iter()
        .all(|line| matches!(line.as_str(), "exit 0" | "exit" | "true" | ":" | "return 0" | "set -e"))
}

fn detect(case: &Case, findings: &mut Vec<Finding>) {
    for change in case.evidence.changes.iter().filter(|change| change.before != change.after) {
        let found = match &change.after {
            None => gone(case, change),
            Some(_) => weaker(case, change),
        };
        findings.extend(found.map(|(what, line)| {
            let mut finding = BYPASSED.finding(&change.path, what);
            finding.line = Some(line).filter(|line| *line > 0);
            finding.confidence = 0.9;
            finding
        }));
    }
}

type BypassAtLine = (String, u32);

/// A hook that is deleted or moved to where nothing starts it.
fn gone(case: &Case, change: &Change) -> Option<BypassAtLine> {
    let before = change.before.as_deref().filter(|before| is_hook(&change.path) && !says_nothing(before))?;
    let old = commands(before);
    let is_elsewhere = case.all_changes().any(|other| {
        let after = other.after.as_deref().filter(|_| other.path != change.path && is_hook(&other.path));
        after.is_some_and(|after| {
            let new = commands(after);
            old.iter().any(|line| new.contains(line)) || (other.before.is_none() && !says_nothing(after))
        })
    });
    (!is_elsewhere).then(|| ("the hook would be gone".to_owned(), 0))
}

/// The script of a manifest that sets the hooks up when packages are installed.
fn set_up(change: &Change) -> Option<BypassAtLine> {
    let (before, after) = both(change)?;
    let sets_up = |entry: &&SettingEntry| {
        matches!(entry.key.as_str(), "scripts.prepare" | "scripts.postinstall" | "scripts.post-install-cmd")
            && MANAGERS.iter().any(|name| entry.value.contains(name))
    };
    let old = before.iter().find(sets_up)?;
    // Another manager, or one that is gone as a whole, is a choice.
    let is_kept = after.iter().any(|it| sets_up(&it))
        || MANAGERS.iter().any(|name| {
            let has = |all: &[SettingEntry]| {
                all.iter().any(|it| it.key.contains("ependencies.") && it.name() == *name)
            };
            has(&before) && !has(&after)
        });
    (!is_kept).then(|| (format!("`{}` would set up no hooks any more", old.key), old.line))
}

fn weaker(case: &Case, change: &Change) -> Option<BypassAtLine> {
    let (before, after) = (change.before.as_deref()?, change.after.as_deref()?);
    let name = file_name(&change.path);
    if matches!(name, "package.json" | "composer.json") {
        return set_up(change);
    }
    if SETTINGS.contains(&name) {
        return settings(change);
    }
    let path = format!("/{}", change.path.replace('\\', "/"));
    FOLDERS
        .iter()
        .chain(FOLDERS_OF_CLIENTS)
        .any(|folder| path.contains(&format!("/{folder}/")))
        .then(|| script(before, after, &|step| is_in_other_hook(case, &change.path, step)))
        .flatten()
}

fn settings(change: &Change) -> Option<BypassAtLine> {
    if change.after.as_deref().is_some_and(|after| after.trim().is_empty()) {
        return Some(("no hook would be left".to_owned(), 0));
    }
    let (before, after) = both(change)?;
    let ids = |all: &[SettingEntry]| -> Vec<(String, u32)> {
        all.iter().filter(|it| it.name() == "id").map(|it| (it.value.clone(), it.line)).collect()
    };
    let (was, is) = (ids(&before), ids(&after));
    let text = change.after.as_deref().unwrap_or_default();
    let is_left = |id: &str| is.iter().any(|(new, _)| new == id || hook_takes_over(id, new, text));
    if let Some((id, line)) = was.iter().find(|(id, _)| !is_left(id))
        && is.len() < was.len()
    {
        return Some((format!("the hook `{id}` would be gone"), *line));
    }
    let new = after.iter().find(|it| {
        let is_never = match it.name() {
            "stages" => it.value == "manual",
            "exclude" => matches!(it.value.as_str(), ".*" | "." | "^.*$" | ".+"),
            "files" => it.value == "^$",
            "skip" => it.value == "true",
            _ => false,
        };
        is_never && !has(&before, it)
    })?;
    Some((format!("`{}: {}` would keep a hook from running", new.name(), new.value), new.line))
}

fn commands(text: &str) -> Vec<String> {
    let code = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    code.map(str::to_owned).collect()
}

/// What a script runs. One line may run several commands, of which each can stop it.
fn steps(text: &str) -> Vec<String> {
    let all = commands(text);
    all.iter().flat_map(|line| line.split("&&")).map(|step| step.trim().to_owned()).collect()
}

/// Whether another of git's hooks that can stop something runs a step now, with all that it asks for.
fn is_in_other_hook(case: &Case, path: &str, step: &str) -> bool {
    let wanted: Vec<&str> = step.split_whitespace().collect();
    let is_same = |new: &String| {
        let is_longer = new.split_whitespace().collect::<Vec<_>>().starts_with(&wanted);
        is_longer && !new.contains(['|', ';', '&']) && weaker_command::weaker(step, new).is_none()
    };
    let runs = |text: Option<&str>| {
        let all = steps(text.unwrap_or_default());
        all.iter().take_while(|step| !ends(step)).any(is_same)
    };
    case.all_changes().filter(|other| other.path != path).any(|other| {
        let is_gits = is_hook(&other.path) && NAMES.contains(&file_name(&other.path));
        is_gits && runs(other.after.as_deref()) && !runs(other.before.as_deref())
    })
}

/// Whether a step ends a hook well.
fn ends(step: &str) -> bool {
    matches!(step, "exit 0" | "exit" | "return 0")
}

/// Whether a step only ends a hook well, tells something, or sets the shell up.
fn does_nothing(step: &str) -> bool {
    ends(step)
        || matches!(step, "true" | ":")
        || ["echo ", "printf ", "set -", ". "].iter().any(|it| step.starts_with(it))
}

/// A hook that is a shell script; what another hook runs now has moved.
fn script(before: &str, after: &str, is_moved: &dyn Fn(&str) -> bool) -> Option<BypassAtLine> {
    let (was, is) = (steps(before), steps(after));
    let exits = |all: &[String]| all.iter().position(|line| ends(line));
    let cut = exits(&is).filter(|at| *at + 1 < is.len() && exits(&was) != Some(*at));
    if cut.is_some() {
        return Some(("the hook would end before it has checked anything".to_owned(), 0));
    }
    let runs = |line: &String| is_check(line) || line.contains("lint-staged") || line.contains("pre-commit");
    let is_idle = is.iter().all(|step| does_nothing(step))
        && was.iter().any(|step| !does_nothing(step) && !is_moved(step));
    let was: Vec<&String> =
        was.iter().filter(|line| runs(line) && (is.contains(line) || !is_moved(line))).collect();
    let Some(lost) = was.iter().find(|line| !is.contains(line)) else {
        return is_idle.then(|| ("the hook would do nothing any more".to_owned(), 0));
    };
    let weaker = is.iter().find_map(|new| weaker_command::weaker(lost, new));
    let is_gone = is.iter().filter(|line| runs(line)).count() < was.len();
    match weaker {
        Some(how) => Some((format!("the hook's `{lost}` {how}"), 0)),
        None => is_gone.then(|| (format!("the hook would no longer run `{lost}`"), 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_are_known_by_their_names() {
        for path in [
            ".husky",
            ".husky/",
            ".husky/pre-commit",
            "app/.husky/pre-push",
            ".git/hooks/*",
            "/p/.git/hooks/commit-msg",
            ".pre-commit-config.yaml",
            "lefthook.yml",
            ".overcommit.yml",
        ] {
            assert!(is_hook(path), "{path}");
        }
        for path in [
            ".husky/pre-commit.bak",
            ".git/hooks/pre-commit.sample",
            ".husky/_/husky.sh",
            "hooks/pre-commit",
            "src/hooks",
            "docs/.pre-commit-config.yaml.md",
            ".husky/.gitignore",
            "husky",
        ] {
            assert!(!is_hook(path), "{path}");
        }
        assert!(says_nothing("#!/bin/sh\nexit 0\n") && says_nothing("") && !says_nothing("npm test\n"));
    }
}
