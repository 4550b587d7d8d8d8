//! What decides how checks are started, besides their own commands: the program that runs the lines of scripts, or what a
//! build has made, and options that a tool takes from a file or a variable.

use crate::detectors::checks::check_command::words;
use crate::detectors::checks::setting_keys::SettingFinding;
use crate::languages::{file_name, settings};
use crate::model::finding::Severity;
use crate::runners;
use crate::shell::{OPTION_VARIABLES, chosen_for_good};

/// Settings that name a program which runs others: which file, and the setting.
const STARTERS: &[(&str, &[&str])] = &[
    (".npmrc", &["script-shell", "script_shell"]),
    ("Makefile", &["SHELL"]),
    ("makefile", &["SHELL"]),
    ("GNUmakefile", &["SHELL"]),
    ("justfile", &["shell"]),
    (".justfile", &["shell"]),
    (".cargo/config.toml", &["runner"]),
    (".cargo/config", &["runner"]),
];
/// Programs that end well whatever they are given.
const SAYS_NOTHING: &[&str] = &["true", ":", "echo", "printf", "cat"];
/// Files whose words are options of a program.
const OPTIONS: &[(&str, &str)] = &[(".mvn/maven.config", "mvn"), (".mvn/jvm.config", "mvn")];
/// Files that may map modules to others for tests.
const MAPPERS: &[&str] = &["jest.config", "vitest.config", "package.json"];
/// Variables that name such a program, besides those of files.
const STARTING: &[&str] = &["npm_config_script_shell", "NPM_CONFIG_SCRIPT_SHELL"];

/// A setting of a file by which its checks would be run by nothing, or with less.
pub(super) fn weakened(path: &str, before: &str, after: &str) -> Option<SettingFinding> {
    let path = path.replace('\\', "/");
    let is_file = |known: &str| path == known || path.ends_with(&format!("/{known}"));
    let new = || {
        let old = assignments(&path, before);
        assignments(&path, after).into_iter().filter(move |it| !old.iter().any(|was| was.is_same(it)))
    };
    if let Some((_, names)) = STARTERS.iter().find(|(file, _)| is_file(file)) {
        return new().find_map(|it| match it.name.as_str() {
            "node-options" => it.says_less("node"),
            name if names.contains(&name) => it.runs_nothing(),
            _ => None,
        });
    }
    if MAPPERS.iter().any(|it| file_name(&path).starts_with(it)) {
        return swapped(before, after);
    }
    if let Some((_, program)) = OPTIONS.iter().find(|(file, _)| is_file(file)) {
        let known = words(before);
        let option = words(after).into_iter().filter(|word| !known.contains(word));
        return option.into_iter().find_map(|word| weakening(program, &word, "")).map(|it| told(&it, 0));
    }
    if !is_of_variables(&path) {
        return None;
    }
    new().find_map(|it| {
        let starts = STARTING.contains(&it.name.as_str())
            || it.name.starts_with("CARGO_TARGET_") && it.name.ends_with("_RUNNER");
        if starts {
            return it.runs_nothing();
        }
        let (_, program) = OPTION_VARIABLES.iter().find(|(name, _)| *name == it.name)?;
        it.says_less(program)
    })
}

/// A mapping of whole folders of the product to stand-ins: `'^../src/(.*)$': '<rootDir>/tests/mocks/$1'`.
fn swapped(before: &str, after: &str) -> Option<SettingFinding> {
    let is_source = |key: &str| {
        let folders = ["src/", "lib/", "app/", "server/"];
        folders.iter().any(|it| key.contains(it)) && (key.contains(".*") || key.contains(".+"))
    };
    let is_stand_in =
        |value: &str| ["mock", "fake", "stub"].iter().any(|it| value.to_lowercase().contains(it));
    let mapping = |line: &str| {
        line.split([',', '{']).find_map(|part| {
            let (key, value) = part.split_once("':").or_else(|| part.split_once("\":"))?;
            (is_source(key) && is_stand_in(value)).then(|| key.trim().trim_matches(['"', '\'']).to_owned())
        })
    };
    let new = |line: &str| mapping(line).filter(|_| !before.contains(line.trim()));
    let (line, key) = (1u32..).zip(after.lines()).find_map(|(at, line)| Some((at, new(line)?)))?;
    Some((format!("tests would get stand-ins for all of `{key}`"), line, Severity::High))
}

/// A file of variables: `.env`, `.env.test`, `.envrc`; or one that gives variables to what it runs.
fn is_of_variables(path: &str) -> bool {
    let name = file_name(path);
    name == ".envrc"
        || name == ".env"
        || name.starts_with(".env.")
        || name.ends_with(".env")
        || is_of_runs(path)
}

/// A workflow, or a file of containers: `NAME: value` and `ENV NAME=value` are variables of what runs there.
fn is_of_runs(path: &str) -> bool {
    let name = file_name(path);
    let is_yaml = name.ends_with(".yml") || name.ends_with(".yaml");
    let is_workflow =
        path.contains(".github/workflows/") || path.contains(".circleci/") || name == ".gitlab-ci.yml";
    is_yaml && (is_workflow || name.contains("compose"))
        || name == "Dockerfile"
        || name.starts_with("Dockerfile.")
}

/// The option, where it makes every run of the program say less.
fn weakening(program: &str, word: &str, next: &str) -> Option<String> {
    let (name, value) = word.split_once('=').unwrap_or((word, next));
    let weakens = runners::weakening(program, name, value).or_else(|| chosen_for_good(program, name));
    weakens.map(|_| name.to_owned())
}

fn told(option: &str, line: u32) -> SettingFinding {
    (format!("every run would get `{option}`"), line, Severity::High)
}

/// A name that gets a value in a file.
struct NamedValue {
    name: String,
    value: String,
    line: u32,
}

impl NamedValue {
    fn is_same(&self, other: &NamedValue) -> bool {
        self.name == other.name && self.value == other.value
    }

    fn says_less(&self, program: &str) -> Option<SettingFinding> {
        let all = words(&self.value);
        let next = |at: usize| all.get(at + 1).map_or("", String::as_str);
        let option = all.iter().enumerate().find_map(|(at, word)| weakening(program, word, next(at)))?;
        Some(told(&format!("{}={option}", self.name), self.line))
    }

    fn runs_nothing(&self) -> Option<SettingFinding> {
        let all = words(&self.value);
        let first = all.iter().find(|word| *word != "env" && !word.ends_with("/env"))?;
        let program = first.rsplit('/').next().unwrap_or(first);
        let what = format!("`{}` would be `{}`, which runs nothing", self.name, self.value);
        SAYS_NOTHING.contains(&program).then_some((what, self.line, Severity::High))
    }
}

/// What a file assigns: as data where it is read as such, else line by line.
fn assignments(path: &str, text: &str) -> Vec<NamedValue> {
    if path.ends_with(".toml") {
        let entries = settings(path, text).unwrap_or_default();
        let own = |it: &crate::languages::SettingEntry| it.name().to_owned();
        return entries
            .iter()
            .map(|it| NamedValue { name: own(it), value: it.value.clone(), line: it.line })
            .collect();
    }
    let of_runs = is_of_runs(path);
    let read = |(line, text): (u32, &str)| {
        let text = text.trim();
        let text = ["export ", "set ", "override ", "ENV ", "- "]
            .iter()
            .find_map(|it| text.strip_prefix(it))
            .unwrap_or(text);
        let as_data = || text.split_once(": ").filter(|(name, _)| of_runs && !name.contains(['=', ' ']));
        let (name, value) =
            as_data().or_else(|| text.split_once('=')).filter(|_| !text.starts_with(['#', ';']))?;
        let name = name.trim_end_matches([':', '?', '+', ' ', '\t']);
        let value =
            value.trim().trim_matches(['"', '\'', '[', ']', ' ']).replace("\",", "").replace("',", "");
        Some(NamedValue { name: name.to_owned(), value, line })
    };
    (1u32..).zip(text.lines()).filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_runs_nothing_or_says_less_is_a_loss() {
        let rows = [
            (".npmrc", "script-shell=/bin/true\n", true),
            (".npmrc", "script-shell=/bin/bash\nregistry=https://r.example\n", false),
            (".npmrc", "node-options=--test-skip-pattern=refund\n", true),
            (".npmrc", "node-options=--max-old-space-size=4096\n", false),
            ("web/.npmrc", "script-shell = echo\n", true),
            ("Makefile", "SHELL := /bin/true\n\ntest:\n\tgo test ./...\n", true),
            ("Makefile", "SHELL := /usr/bin/env bash\n", false),
            ("Makefile", "SHELL = /usr/bin/env true\n", true),
            ("justfile", "set shell := [\"true\", \"-c\"]\n", true),
            ("justfile", "set shell := [\"bash\", \"-cu\"]\n", false),
            (".cargo/config.toml", "[target.'cfg(all())']\nrunner = \"true\"\n", true),
            (".cargo/config.toml", "[target.armv7]\nrunner = [\"echo\", \"-n\"]\n", true),
            (".cargo/config.toml", "[target.armv7]\nrunner = \"qemu-arm -L /usr\"\n", false),
            (".mvn/maven.config", "-T 1C\n-DskipTests\n", true),
            (".mvn/maven.config", "-T 1C\n--no-transfer-progress\n", false),
            (".env", "PYTEST_ADDOPTS=\"--deselect tests/test_a.py::test_b\"\n", true),
            (".envrc", "export PYTEST_ADDOPTS='-q --strict-markers'\n", false),
            (
                ".github/workflows/ci.yml",
                "env:\n  PYTEST_ADDOPTS: --deselect tests/test_a.py::test_b\n",
                true,
            ),
            (".github/workflows/ci.yml", "env:\n  PYTEST_ADDOPTS: -q --color=yes\n", false),
            ("docker-compose.yml", "    environment:\n      - GOFLAGS=-run=TestOne\n", true),
            ("Dockerfile", "FROM python\nENV PYTEST_ADDOPTS=\"--ignore=tests/slow\"\n", true),
            ("Dockerfile", "FROM node\nENV NODE_OPTIONS=--max-old-space-size=4096\n", false),
            (".envrc", "export MAVEN_ARGS=-Dmaven.test.skip=true\n", true),
            (".env.test", "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER=true\n", true),
            (".env", "DATABASE_URL=postgres://localhost/x\n# script-shell=/bin/true\n", false),
            (
                "jest.config.js",
                "x = { moduleNameMapper: { '^../src/(.*)$': '<rootDir>/tests/mocks/$1' } };\n",
                true,
            ),
            ("jest.config.js", "x = { moduleNameMapper: { '^@/(.*)$': '<rootDir>/src/$1' } };\n", false),
            (
                "jest.config.js",
                "x = { moduleNameMapper: { '^../src/config$': '<rootDir>/mocks/config' } };\n",
                false,
            ),
            ("notes.md", "SHELL = /bin/true\n", false),
        ];
        for (path, text, expected) in rows {
            assert_eq!(weakened(path, "", text).is_some(), expected, "{path}: {text}");
            assert!(weakened(path, text, text).is_none(), "{path} is what it was");
        }
    }
}
