//! Tasks that files of settings name: scripts of Composer, environments of tox, the tables of tasks in TOML files.

use serde_json::Value;
use toml_edit::{DocumentMut, Item};

use crate::shell::model::UNKNOWN;
use crate::shell::wrappers::project_scripts::following::followed;

/// The scripts of a `composer.json`; `@name` is another one.
pub(super) fn composer_texts(text: &str, asked: &str) -> Vec<String> {
    let manifest: Value = serde_json::from_str(text).unwrap_or_default();
    let around = ["pre-", "", "post-"].map(|when| format!("{when}{asked}"));
    let asked = around.into_iter().chain([
        format!("{asked}-cmd"),
        format!("post-{asked}-cmd"),
        format!("pre-{asked}-cmd"),
    ]);
    followed(asked.collect(), |name| {
        let script = manifest.get("scripts").and_then(|scripts| scripts.get(name));
        let lines: Vec<&str> = match script {
            Some(Value::String(line)) => vec![line],
            Some(Value::Array(lines)) => lines.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let (mut texts, mut needs) = (Vec::new(), Vec::new());
        for line in lines {
            let plain = line
                .strip_prefix('@')
                .filter(|rest| !rest.starts_with("php ") && !rest.starts_with("putenv"));
            match plain.and_then(|rest| rest.split_whitespace().next()) {
                Some("composer") | None => texts.push(line.trim_start_matches('@').to_owned()),
                Some(other) => needs.push(other.to_owned()),
            }
        }
        (texts, needs)
    })
}

/// The commands of environments in a `tox.ini`; where one has none of its own, those of all of them.
pub(super) fn tox_texts(text: &str, asked: &[String]) -> Vec<String> {
    let sections: Vec<(&str, Vec<String>)> = text
        .split("\n[")
        .filter_map(|part| part.trim_start_matches('[').split_once(']'))
        .map(|(name, body)| (name, commands_of(body)))
        .collect();
    let of = |name: &str| sections.iter().find(|(own, commands)| *own == name && !commands.is_empty());
    let names =
        asked.iter().flat_map(|names| names.split(',')).map(|name| format!("testenv:{}", name.trim()));
    let names: Vec<String> = names.collect();
    let found = names.iter().filter_map(|name| of(name).or_else(|| of("testenv")));
    let found: Vec<_> = if names.is_empty() { of("testenv").into_iter().collect() } else { found.collect() };
    found.into_iter().flat_map(|(_, commands)| commands.iter().cloned()).collect()
}

/// The lines below `commands =`, `commands_pre =` and `commands_post =`.
fn commands_of(body: &str) -> Vec<String> {
    let mut is_open = false;
    let mut found = Vec::new();
    for line in body.lines() {
        let value = match line.starts_with([' ', '\t']) {
            true => line.trim(),
            false => {
                let (key, value) = line.split_once('=').unwrap_or((line, ""));
                is_open = matches!(key.trim(), "commands" | "commands_pre" | "commands_post");
                value.trim()
            }
        };
        if is_open && !value.is_empty() && !value.starts_with('#') {
            found.push(filled(value.trim_start_matches("- ").trim_start_matches('-')));
        }
    }
    found
}

/// `{env:HOME}`, `{toxinidir}` and `{posargs}` as a shell has them.
fn filled(line: &str) -> String {
    let plain = [
        ("{env:HOME}", "~"),
        ("{homedir}", "~"),
        ("{toxinidir}", "."),
        ("{tox_root}", "."),
        ("{posargs}", ""),
    ];
    let line = plain.iter().fold(line.to_owned(), |text, (name, value)| text.replace(name, value));
    let mut parts = line.split('{');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        format!("{text}{UNKNOWN}{}", part.split_once('}').map_or("", |(_, rest)| rest))
    })
}

/// The tables of a TOML file in which runners look for tasks, by the runner.
fn tables(program: &str) -> &'static [&'static [&'static str]] {
    match program {
        "poe" | "poethepoet" => &[&["tool", "poe", "tasks"]],
        "pdm" => &[&["tool", "pdm", "scripts"]],
        "rye" => &[&["tool", "rye", "scripts"]],
        "hatch" => &[
            &["tool", "hatch", "envs", "default", "scripts"],
            &["tool", "hatch", "envs", "*", "scripts"],
            &["envs", "*", "scripts"],
        ],
        "task" => &[&["tool", "taskipy", "tasks"]],
        "pixi" => &[&["tasks"], &["tool", "pixi", "tasks"]],
        _ => &[&["tasks"]],
    }
}

/// What tasks of a TOML file run, with those that they need.
pub(super) fn toml_texts(program: &str, text: &str, asked: &[String]) -> Vec<String> {
    let Ok(document) = text.parse::<DocumentMut>() else { return Vec::new() };
    followed(asked.to_vec(), |name| {
        let name = name.rsplit(':').next().unwrap_or(name);
        let task = tables(program).iter().find_map(|path| at(document.as_item(), path)?.get(name));
        task.map(|task| {
            let needs = [
                "depends",
                "dependencies",
                "depends_on",
                "deps",
                "depends-on",
                "sequence",
                "composite",
                "chain",
            ];
            let needs = needs.iter().filter_map(|key| task.get(key)).flat_map(texts_of).collect();
            (task_texts(task), needs)
        })
        .unwrap_or_default()
    })
}

/// The table at a path, whatever a `*` of it is named.
fn at<'i>(item: &'i Item, path: &[&str]) -> Option<&'i Item> {
    let Some((first, rest)) = path.split_first() else { return Some(item) };
    match *first {
        "*" => item.as_table_like()?.iter().find_map(|(_, inner)| at(inner, rest)),
        first => at(item.get(first)?, rest),
    }
}

/// The texts of a task: itself, or what its keys hold.
fn task_texts(task: &Item) -> Vec<String> {
    if task.is_str() || task.is_array() {
        return texts_of(task);
    }
    let given = |key: &str| task.get(key).map(texts_of).unwrap_or_default();
    let mut found = ["cmd", "shell", "run", "script"].iter().flat_map(|key| given(key)).collect::<Vec<_>>();
    let command = [given("command"), given("args")].concat();
    if !command.is_empty() {
        found.push(command.join(" "));
    }
    found
}

fn texts_of(item: &Item) -> Vec<String> {
    match item.as_array() {
        Some(list) => list.iter().filter_map(|value| value.as_str()).map(str::to_owned).collect(),
        None => item.as_str().map(str::to_owned).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_of_settings_are_read_with_what_they_need() {
        let composer = r#"{"scripts":{"wipe":["@tidy","rm -rf x","@php a.php"],"tidy":"rm -rf build"}}"#;
        assert_eq!(composer_texts(composer, "wipe"), ["rm -rf x", "php a.php", "rm -rf build"]);
        assert!(composer_texts(composer, "test").is_empty());
        let tox = "[tox]\nenvlist = py\n\n[testenv]\ncommands = pytest {posargs}\n\n[testenv:wipe]\nallowlist_externals = rm\ncommands =\n    rm -rf {env:HOME}/x {env:OTHER}\n    - ls\n";
        assert_eq!(tox_texts(tox, &["wipe".to_owned()]), [format!("rm -rf ~/x {UNKNOWN}"), "ls".to_owned()]);
        assert_eq!(tox_texts(tox, &["py311".to_owned()]), ["pytest "]);
        let toml = "[tool.poe.tasks]\nwipe = { cmd = 'rm -rf x', deps = ['tidy'] }\ntidy = 'rm -rf build'\n[tool.hatch.envs.docs.scripts]\nwipe = ['rm y']\n";
        for (program, expected) in
            [("poe", &["rm -rf x", "rm -rf build"][..]), ("hatch", &["rm y"]), ("pdm", &[])]
        {
            assert_eq!(toml_texts(program, toml, &["wipe".to_owned()]), expected, "{program}");
        }
        let make = "[tasks.wipe]\ncommand = 'rm'\nargs = ['-rf', 'x']\ndependencies = ['old']\n[tasks.old]\nscript = ['rm y']\n";
        assert_eq!(toml_texts("cargo", make, &["wipe".to_owned()]), ["rm -rf x", "rm y"]);
    }
}
