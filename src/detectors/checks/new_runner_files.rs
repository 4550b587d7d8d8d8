//! New files that tell a runner what to run: those that name tests which are there already and leave them out.
//!
//! A file that is new may choose how it runs tests; what it names as left out was run before there was the file.

use crate::detectors::Case;
use crate::detectors::checks::both_settings::settings_of_code;
use crate::detectors::checks::check_command::words;
use crate::detectors::checks::collected_tests::collected;
use crate::detectors::checks::run_settings;
use crate::detectors::checks::searched_places::suspected;
use crate::detectors::checks::setting_keys::{SettingFinding, SettingRemark, is_filter};
use crate::languages::{SettingEntry, file_name, settings};
use crate::model::finding::Severity;
use crate::runners;

/// Options that leave out what they name.
const OPTIONS: &[&str] = &["--ignore", "--ignore-glob", "--deselect"];

/// A test that a new file of a runner leaves out, or what in it makes every run say less.
pub(super) fn leaving_out(case: &Case, path: &str, text: &str) -> Option<SettingRemark> {
    let name = file_name(path);
    if name == ".rspec" {
        return of_rspec("", text).map(SettingRemark::from);
    }
    if !runners::is_configuration(name) {
        return run_settings::weakened(path, "", text).map(SettingRemark::from);
    }
    let data = settings(path, text);
    let of_data = |all: &[SettingEntry]| {
        named_tests(path, all).or_else(|| collected(case, &[], all).map(SettingRemark::from))
    };
    data.as_deref()
        .and_then(of_data)
        .or_else(|| suspected(path, &[], &data.or_else(|| settings_of_code(path, text))?))
}

/// Tests that a runner's configuration names as left out.
fn named_tests(path: &str, all: &[SettingEntry]) -> Option<SettingRemark> {
    all.iter().find_map(|entry| {
        let left_out = match entry.name() {
            "addopts" => of_options(&entry.value),
            _ if is_filter(path, &entry.key) && names_tests(&entry.value) => Some(entry.value.clone()),
            _ => None,
        }?;
        let what = format!("`{}` would leave out `{left_out}`", entry.name());
        Some(SettingRemark::of_run(what, entry.line, &left_out))
    })
}

/// What options leave out by the name of a test's file, or of a test that is not to run.
fn of_options(options: &str) -> Option<String> {
    let words = words(options);
    words.iter().enumerate().find_map(|(at, word)| {
        let (flag, value) = word.split_once('=').map_or((word.as_str(), None), |(flag, it)| (flag, Some(it)));
        let value = value.or_else(|| words.get(at + 1).map(String::as_str))?;
        let is_left_out =
            OPTIONS.contains(&flag) && names_tests(value) || flag == "-k" && value.starts_with("not ");
        is_left_out.then(|| value.to_owned())
    })
}

/// Whether a value names files of tests, and not a folder or a kind of test.
fn names_tests(value: &str) -> bool {
    // An expression over names of tests, as nextest has it.
    if value.contains("not test(") {
        return true;
    }
    let file = value.split("::").next().unwrap_or_default();
    let name = file_name(file);
    let is_code = name.contains('.') && !name.starts_with('.');
    is_code && ["test", "spec"].iter().any(|word| name.to_lowercase().contains(word))
}

/// Options of RSpec that run a part of the examples only.
pub(super) fn of_rspec(before: &str, after: &str) -> Option<SettingFinding> {
    let (old, new) = (words(before), words(after));
    new.iter().enumerate().filter(|(_, word)| !old.contains(word)).find_map(|(at, word)| {
        let value = |flag: &str| match word.strip_prefix(flag)? {
            "" => new.get(at + 1).map(String::as_str),
            rest => rest.strip_prefix('='),
        };
        let part = value("--pattern").or_else(|| value("-P")).filter(|it| is_part(it));
        let left_out = value("--exclude-pattern").or(part);
        let told = left_out.map(|it| format!("`{}` would leave examples out", short(word, it)))?;
        Some((told, 0, Severity::High))
    })
}

fn short(word: &str, value: &str) -> String {
    if word.contains('=') { word.to_owned() } else { format!("{word} {value}") }
}

/// Whether a pattern names a folder below the one in which all examples are.
fn is_part(pattern: &str) -> bool {
    let folders = pattern.rsplit_once('/').map_or("", |(folders, _)| folders);
    folders.split('/').any(|part| !part.is_empty() && part != "spec" && part != "." && !part.contains('*'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(path: &str, text: &str) -> bool {
        match file_name(path) {
            ".rspec" => of_rspec("", text).is_some(),
            name => {
                runners::is_configuration(name)
                    && settings(path, text).is_some_and(|all| named_tests(path, &all).is_some())
            }
        }
    }

    #[test]
    fn only_what_is_named_as_left_out_is_a_loss() {
        let rows = [
            ("tox.ini", "[pytest]\naddopts = --ignore=tests/test_calc.py\n", true),
            ("pytest.ini", "[pytest]\naddopts = -q -k 'not slow_division'\n", true),
            ("pytest.ini", "[pytest]\naddopts = --deselect tests/test_a.py::test_b\n", true),
            ("pytest.ini", "[pytest]\naddopts = -ra -q -m 'not integration'\n", false),
            ("pytest.ini", "[pytest]\naddopts = --ignore=docs\ntestpaths = tests\n", false),
            ("setup.cfg", "[tool:pytest]\naddopts = --ignore=tests/integration\n", false),
            (".rspec", "--color\n--require spec_helper\n", false),
            (".rspec", "--pattern 'spec/none/**'\n", true),
            (".rspec", "--pattern spec/**/*_spec.rb\n", false),
            (".rspec", "--exclude-pattern 'spec/slow/*_spec.rb'\n", true),
            ("notes.txt", "addopts = --ignore=tests/test_calc.py\n", false),
        ];
        for (path, text, expected) in rows {
            assert_eq!(named(path, text), expected, "{path}: {text}");
        }
    }
}
