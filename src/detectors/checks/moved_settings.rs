//! Settings of a tool that stand in another of the files now in which the tool looks for them: they are taken off a change's
//! text before, so that their loss is none.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::detectors::checks::both_settings::settings_of_code;
use crate::languages::{SettingEntry, file_name, settings};
use crate::model::finding::Change;

/// A place of a tool's settings: how the file's name begins, and what their keys begin with there.
type Home = (&'static str, &'static str);

/// Tools with the places in which they look. Tools that take each other's settings are one.
const TOOLS: &[&[Home]] = &[
    &[
        (".coveragerc", ""),
        ("setup.cfg", "coverage:"),
        ("tox.ini", "coverage:"),
        ("pyproject.toml", "tool.coverage."),
    ],
    &[
        ("pytest.ini", "pytest."),
        (".pytest.ini", "pytest."),
        ("setup.cfg", "tool:pytest."),
        ("tox.ini", "pytest."),
        ("pyproject.toml", "tool.pytest.ini_options."),
        ("pytest.toml", "pytest."),
    ],
    &[
        ("mypy.ini", "mypy."),
        (".mypy.ini", "mypy."),
        ("setup.cfg", "mypy."),
        ("pyproject.toml", "tool.mypy."),
    ],
    &[
        (".flake8", "flake8."),
        ("setup.cfg", "flake8."),
        ("tox.ini", "flake8."),
        ("pyproject.toml", "tool.flake8."),
    ],
    &[
        (".isort.cfg", "settings."),
        ("setup.cfg", "isort."),
        ("tox.ini", "isort."),
        ("pyproject.toml", "tool.isort."),
    ],
    &[("ruff.toml", ""), (".ruff.toml", ""), ("pyproject.toml", "tool.ruff.")],
    &[
        ("setup.cfg", "pydocstyle."),
        (".pydocstyle", "pydocstyle."),
        ("tox.ini", "pydocstyle."),
        ("pyproject.toml", "tool.pydocstyle."),
    ],
    &[
        (".bandit", "bandit."),
        ("setup.cfg", "bandit."),
        ("tox.ini", "bandit."),
        ("pyproject.toml", "tool.bandit."),
    ],
    &[("tox.ini", ""), ("pyproject.toml", "tool.tox."), ("tox.toml", "")],
    &[("jest.config", ""), ("package.json", "jest.")],
    &[("vitest.config", "test."), ("vite.config", "test.")],
    &[(".nycrc", ""), ("nyc.config", ""), (".c8rc", ""), ("package.json", "nyc."), ("package.json", "c8.")],
    &[(".mocharc", ""), ("package.json", "mocha.")],
    &[(".eslintrc", ""), ("eslint.config", ""), ("package.json", "eslintConfig.")],
    &[(".stylelintrc", ""), ("stylelint.config", ""), ("package.json", "stylelint.")],
    &[("ava.config", ""), ("package.json", "ava.")],
    &[("commitlint.config", ""), (".commitlintrc", ""), ("package.json", "commitlint.")],
    &[("lint-staged.config", ""), (".lintstagedrc", ""), ("package.json", "lint-staged.")],
    &[(".golangci.", "")],
    &[(".rubocop", "")],
    &[("phpstan", "parameters.")],
    &[("tsconfig", "compilerOptions.")],
    &[("biome.json", "")],
    &[("detekt", ""), (".detekt", "")],
    &[("codecov.yml", ""), (".codecov.yml", ""), ("codecov.yaml", "")],
    &[(".tarpaulin.toml", ""), ("tarpaulin.toml", "")],
    &[("clippy.toml", ""), (".clippy.toml", "")],
];
/// Numbers that ask for more the larger they are.
const FLOORS: &[&str] = &[
    "fail_under",
    "failunder",
    "branches",
    "lines",
    "functions",
    "statements",
    "threshold",
    "minimum",
    "level",
    "target",
];

/// The changes without the settings that one of `others` has now; `None` where there is none.
pub(crate) fn without_moved_settings(changes: &[Change], others: &[Change]) -> Option<Vec<Change>> {
    let mut all = changes.to_vec();
    let mut is_any = false;
    for slot in &mut all {
        let beside = changes.iter().chain(others).filter(|it| it.path != slot.path);
        if let Some(rest) = rest_of(slot, &beside.collect::<Vec<_>>()) {
            slot.before = Some(rest);
            is_any = true;
        }
    }
    is_any.then_some(all)
}

fn rest_of(change: &Change, others: &[&Change]) -> Option<String> {
    let (before, after) = (change.before.as_deref()?, change.after.as_deref()?);
    let homes: Vec<(&[Home], &str)> = homes_of(&change.path).collect();
    if homes.is_empty() {
        return None;
    }
    let (old, new) = (settings(&change.path, before)?, settings(&change.path, after)?);
    let moved: Vec<&SettingEntry> = old
        .iter()
        .filter(|it| !new.iter().any(|other| other.key == it.key && other.value == it.value))
        .filter(|it| homes.iter().any(|(tool, prefix)| is_there(it, (tool, prefix), change, others)))
        .collect();
    if moved.is_empty() {
        return None;
    }
    if let Ok(mut value) = serde_json::from_str::<Value>(before) {
        moved.iter().for_each(|it| take_out(&mut value, &it.key));
        return serde_json::to_string_pretty(&value).ok();
    }
    let blank: BTreeSet<u32> = moved.iter().map(|it| it.line).collect();
    let kept = (1u32..).zip(before.lines()).map(|(at, line)| if blank.contains(&at) { "" } else { line });
    Some(kept.collect::<Vec<_>>().join("\n") + "\n")
}

/// The tools that look into a file, and what their keys begin with there.
fn homes_of(path: &str) -> impl Iterator<Item = (&'static [Home], &'static str)> {
    let name = file_name(path).to_owned();
    TOOLS.iter().flat_map(move |tool| {
        let own: Vec<_> = tool
            .iter()
            .filter(|(file, _)| name.starts_with(file))
            .map(|(_, prefix)| (*tool, *prefix))
            .collect();
        own
    })
}

/// Whether a file of the same folder, or of one above, that the tool reads has a setting with at least the same value.
fn is_there(
    entry: &SettingEntry,
    (tool, prefix): (&[Home], &str),
    change: &Change,
    others: &[&Change],
) -> bool {
    let Some(key) = entry.key.strip_prefix(prefix) else { return false };
    let folder =
        |path: &'_ str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let after = change.after.as_deref().unwrap_or_default();
    // One of these counts only for the file that names it.
    let own = file_name(&change.path);
    let is_based = own.starts_with("tsconfig") || own.starts_with(".rubocop");
    let is_read = |other: &Change| {
        change.path.starts_with(&folder(&other.path)) && (!is_based || after.contains(file_name(&other.path)))
    };
    others.iter().filter(|other| is_read(other)).any(|other| {
        let Some(text) = other.after.as_deref() else { return false };
        let of_data = settings(&other.path, text);
        let is_code = of_data.is_none();
        let known = of_data.or_else(|| settings_of_code(&other.path, text)).unwrap_or_default();
        let prefixes =
            tool.iter().filter(|(file, _)| file_name(&other.path).starts_with(file)).map(|(_, it)| *it);
        let has = |prefix: &str| {
            known.iter().any(|it| {
                let is_key = match is_code {
                    true => it.name() == entry.name(),
                    false => it.key.strip_prefix(prefix) == Some(key),
                };
                is_key && is_as_strict(&entry.value, &it.value, entry.name())
            })
        };
        prefixes.into_iter().any(has)
    })
}

fn is_as_strict(old: &str, new: &str, name: &str) -> bool {
    let number = |it: &str| it.trim_end_matches('%').parse::<f64>().ok();
    let lower = name.to_lowercase();
    old == new
        || old.eq_ignore_ascii_case(new)
        || number(old).zip(number(new)).is_some_and(|(old, new)| {
            FLOORS.iter().any(|it| lower.contains(it)) && new >= old || lower.starts_with("max") && new <= old
        })
}

/// Takes the value under a key out of a document. A key may have dots in it.
fn take_out(value: &mut Value, key: &str) {
    let key = key.trim_end_matches("[]");
    let Value::Object(map) = value else { return };
    if map.remove(key).is_some() {
        return;
    }
    let name = map
        .keys()
        .find(|name| key.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('.')))
        .cloned();
    if let Some(name) = name
        && let Some(inner) = map.get_mut(&name)
    {
        take_out(inner, key.get(name.len() + 1..).unwrap_or_default());
        if inner.as_object().is_some_and(serde_json::Map::is_empty) {
            map.remove(&name);
        }
    }
}

/// The files in which the tools of a change's file look as well, beside it.
pub fn other_homes(path: &str) -> Vec<String> {
    let folder = path.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let own = file_name(path);
    let files =
        homes_of(path).flat_map(|(tool, _)| tool.iter().map(|(file, _)| *file)).filter(|it| *it != own);
    let mut all: Vec<String> = files.map(|it| format!("{folder}{it}")).collect();
    all.sort();
    all.dedup();
    all
}
