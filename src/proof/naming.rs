//! What makes test runners name every test, so that results can be compared test by test: variables that their runs
//! obey, options at the end of a command that is nothing but such a run, and the reports that they write by themselves.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::runners;
use crate::runners::model::Naming;

/// Signs of a command that is more than one program's.
const SHELL_SIGNS: &[char] = &['|', '&', ';', '<', '>', '$', '(', ')', '`', '\n', '#', '{', '}', '*'];
/// Programs that run a script of `package.json`.
const PACKAGE_RUNNERS: &[&str] = &["npm", "pnpm", "yarn"];
/// How deep reports are looked for, and how many of them.
const DEEPEST: usize = 12;
const MOST_REPORTS: usize = 20_000;

/// Where reports of one run go.
#[derive(Debug)]
pub(crate) struct RunReports {
    folder: PathBuf,
}

impl RunReports {
    /// An empty folder for them.
    pub(crate) fn in_folder(folder: PathBuf) -> std::io::Result<RunReports> {
        fs::create_dir_all(&folder)?;
        Ok(RunReports { folder })
    }

    /// The variables, added to what they hold already.
    pub(crate) fn variables(&self) -> Vec<(&'static str, String)> {
        let named = runners::all().filter_map(|runner| Some((runner.name, runner.naming.variable?)));
        let variables = named.map(|(runner, (variable, options))| {
            let options = self.filled(options, runner);
            let known = env::var(variable).unwrap_or_default();
            (variable, if known.is_empty() { options } else { format!("{known} {options}") })
        });
        variables.collect()
    }

    /// A command with the options that name its tests, where it is nothing but a run of one runner.
    pub(crate) fn named(&self, command: &str, cwd: &Path) -> String {
        let Some((options, separator)) = options_of(command, cwd) else { return command.to_owned() };
        format!("{command}{separator} {}", self.filled(options, "run"))
    }

    fn filled(&self, options: &str, runner: &str) -> String {
        let name: String = runner.chars().map(|it| if it.is_alphanumeric() { it } else { '-' }).collect();
        options.replace("{report}", &self.folder.join(name).display().to_string())
    }

    /// The files that were written: here, and in the copy where runners write by themselves.
    pub(crate) fn written(&self, copy: &Path) -> Vec<PathBuf> {
        let here = fs::read_dir(&self.folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut found: Vec<PathBuf> = here.filter(|path| path.is_file()).collect();
        let places: Vec<(&str, &str)> = runners::all().filter_map(|runner| runner.naming.reports).collect();
        let walk = ignore::WalkBuilder::new(copy)
            .standard_filters(false)
            .max_depth(Some(DEEPEST))
            .filter_entry(|entry| !matches!(entry.file_name().to_str(), Some(".git" | "node_modules")))
            .build();
        let is_report = |path: &Path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let above = |folder: &str| path.components().any(|part| part.as_os_str() == folder);
            places
                .iter()
                .any(|(start, folder)| name.starts_with(start) && name.ends_with(".xml") && above(folder))
        };
        let reports = walk.flatten().map(ignore::DirEntry::into_path).filter(|path| is_report(path));
        found.extend(reports.take(MOST_REPORTS));
        found
    }
}

/// The options, and what stands before them.
fn options_of(command: &str, cwd: &Path) -> Option<(&'static str, &'static str)> {
    let words = simple(command)?;
    let (first, rest) = words.split_first()?;
    if PACKAGE_RUNNERS.contains(first) {
        let script = match rest {
            ["test" | "t"] => "test",
            ["run", script] => script,
            [script] if *first != "npm" => script,
            _ => return None,
        };
        let text = script_text(&cwd.join("package.json"), script)?;
        let options = naming(&simple(&text)?)?.options?;
        return Some((options, if *first == "yarn" { "" } else { " --" }));
    }
    Some((naming(&words)?.options?, ""))
}

fn script_text(file: &Path, script: &str) -> Option<String> {
    let package: Value = serde_json::from_slice(&fs::read(file).ok()?).ok()?;
    Some(package.get("scripts")?.get(script)?.as_str()?.to_owned())
}

/// The words of a command that is one program with its arguments.
fn simple(command: &str) -> Option<Vec<&str>> {
    (!command.contains(SHELL_SIGNS)).then(|| command.split_whitespace().collect())
}

/// What names the tests of the runner that the words start, perhaps through a program that only starts another.
fn naming(words: &[&str]) -> Option<&'static Naming> {
    let is_prefix = |word: &&&str| {
        matches!(**word, "npx" | "pnpx" | "exec" | "--no-install" | "--yes" | "-y" | "cross-env")
            || word
                .split_once('=')
                .is_some_and(|(name, _)| name.chars().all(|it| it.is_uppercase() || it == '_'))
    };
    let at = words.iter().take_while(is_prefix).count();
    let program = words.get(at)?;
    // What stands behind `--` is another program's.
    let rest = words.get(at + 1..).filter(|rest| !rest.contains(&"--"))?;
    let first = rest.first().copied().unwrap_or_default();
    runners::naming_of(program.rsplit('/').next().unwrap_or(program), first)
}

/// Adds the variables of a run to others, by name.
pub(crate) fn together(all: Vec<(&'static str, String)>) -> BTreeMap<&'static str, String> {
    let mut by_name: BTreeMap<&str, String> = BTreeMap::new();
    for (name, value) in all {
        let known = by_name.entry(name).or_default();
        *known = if known.is_empty() { value } else { format!("{known} {value}") };
    }
    by_name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_run_of_a_runner_gets_its_options() {
        let directory = tempfile::tempdir().unwrap();
        let package =
            r#"{"scripts": {"test": "vitest run", "all": "jest && eslint .", "unit": "CI=1 jest src"}}"#;
        fs::write(directory.path().join("package.json"), package).unwrap();
        let reports = RunReports { folder: PathBuf::from("/r") };
        for (command, named) in [
            ("npx jest src", "npx jest src --json --outputFile=/r/run"),
            ("jest | tee log", "jest | tee log"),
            ("npm test", "npm test -- --reporter=default --reporter=json --outputFile.json=/r/run"),
            ("yarn unit", "yarn unit --json --outputFile=/r/run"),
            ("npm run all", "npm run all"),
            ("node --test", "node --test"),
            ("cargo test --lib", "cargo test --lib --no-fail-fast"),
            ("cargo build --lib", "cargo build --lib"),
            ("cargo test -- --exact a", "cargo test -- --exact a"),
            ("make test", "make test"),
        ] {
            assert_eq!(reports.named(command, directory.path()), named);
        }
    }
}
