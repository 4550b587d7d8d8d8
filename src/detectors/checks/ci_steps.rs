//! The steps and jobs of a CI server's configuration: what they run, and whether that checks something.

use crate::detectors::checks::check_command::is_check;
use crate::languages::{SettingEntry, file_name};

/// Keys whose values are commands.
const COMMANDS: &[&str] =
    &["run", "script", "command", "before_script", "after_script", "bash", "pwsh", "powershell", "commands"];
/// Words of steps that only report.
const REPORTS: &[&str] = &[
    "upload",
    "report",
    "codecov",
    "coveralls",
    "artifact",
    "publish",
    "comment",
    "notify",
    "nightly",
    "cache",
];

/// Whether the file is a CI server's.
pub(crate) fn is_workflow(path: &str) -> bool {
    let path = path.replace('\\', "/");
    let name = file_name(&path);
    let is_yaml = name.ends_with(".yml") || name.ends_with(".yaml");
    is_yaml
        && (format!("/{path}").contains("/.github/workflows/")
            || format!("/{path}").contains("/.circleci/")
            || format!("/{path}").contains("/.buildkite/")
            || matches!(
                name,
                ".gitlab-ci.yml"
                    | "azure-pipelines.yml"
                    | ".travis.yml"
                    | "bitbucket-pipelines.yml"
                    | ".drone.yml"
                    | "appveyor.yml"
                    | ".cirrus.yml"
                    | ".woodpecker.yml"
                    | ".woodpecker.yaml"
                    | "azure-pipelines.yaml"
                    | "codemagic.yaml"
                    | "bitrise.yml"
                    | "buildspec.yml"
                    | "cloudbuild.yaml"
            ))
}

/// Every command, by line.
pub(super) fn commands(entries: &[SettingEntry]) -> Vec<(String, u32)> {
    let is_command = |entry: &&SettingEntry| {
        COMMANDS.contains(&entry.name())
            || COMMANDS
                .iter()
                .any(|key| entry.key.rsplit_once('[').is_some_and(|(list, _)| list.ends_with(key)))
    };
    let lines = |entry: &SettingEntry| {
        let line = entry.line;
        entry.value.lines().map(|text| (text.trim().to_owned(), line)).collect::<Vec<_>>()
    };
    entries.iter().filter(is_command).flat_map(lines).filter(|(text, _)| !text.is_empty()).collect()
}

/// Whether a step or a job at this place checks something, and does not only report.
pub(super) fn checks(entries: &[SettingEntry], place: &str) -> bool {
    let below: Vec<&SettingEntry> = entries.iter().filter(|it| it.key.starts_with(place)).collect();
    let text = |it: &&&SettingEntry| COMMANDS.contains(&it.name()) || it.key.contains(".script[");
    let is_step = place.ends_with(']');
    let named = below.iter().filter(|it| it.key == format!("{place}.name")).any(|it| {
        let lower = it.value.to_lowercase();
        REPORTS.iter().any(|word| lower.contains(word))
    });
    let uses = below.iter().filter(|it| it.name() == "uses").any(|it| {
        let lower = it.value.to_lowercase();
        ["lint", "test", "clippy", "codeql", "check"].iter().any(|word| lower.contains(word))
            && !REPORTS.iter().any(|word| lower.contains(word))
    });
    let named = named || (!is_step && REPORTS.iter().any(|word| place.to_lowercase().contains(word)));
    !named && (uses || below.iter().filter(text).any(|it| is_check(&it.value)))
}

/// Whether the same step or job was there before: by its commands or its name.
pub(super) fn was_there(before: &[SettingEntry], after: &[SettingEntry], place: &str) -> bool {
    let marks = after.iter().filter(|it| {
        it.key.starts_with(place)
            && (COMMANDS.contains(&it.name()) || it.name() == "uses" || it.key.contains("script["))
    });
    let mut marks = marks.peekable();
    let named = |all: &[SettingEntry], name: &str| {
        all.iter().any(|it| matches!(it.name(), "name" | "displayName") && it.value == name)
    };
    let mut names = after.iter().filter(|it| {
        let own = it.key.strip_prefix(place).map(|rest| rest.trim_start_matches('.'));
        matches!(own, Some("name" | "displayName"))
    });
    marks.peek().is_some()
        && (marks.all(|mark| before.iter().any(|old| old.value == mark.value))
            || names.any(|it| named(before, &it.value)))
}
