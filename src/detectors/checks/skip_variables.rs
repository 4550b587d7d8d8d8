//! Variables that are set for a run of tests, and that the tests themselves read as a word to skip:
//! `SKIP_API=1 node --test` beside `test('api', { skip: !!process.env.SKIP_API }, …)`.
//!
//! The words of a change are only a suspicion; a test that skips by the variable is the evidence.

use crate::detectors::checks::check_command::is_check;
use crate::detectors::checks::runner_tampering::WEAKENED;
use crate::languages::file_name;
use crate::model::finding::{Change, Finding};

/// The shortest name of a variable that is asked about.
const SHORTEST: usize = 3;
/// So many of one change are asked about.
const MOST: usize = 4;
/// Files of variables and of tasks, by a part of their name.
const NAMES: &[&str] = &[
    "package.json",
    "makefile",
    "justfile",
    "taskfile",
    ".env",
    ".envrc",
    "tox.ini",
    "pytest.ini",
    "setup.cfg",
    "pyproject.toml",
    "dockerfile",
    "compose",
    "jenkinsfile",
    "config.toml",
];
/// Words of tests that skip, as far as a line begins with or holds them.
const SKIPS: &[&str] = &["skip", "xit", "xtest", "xdescribe", "todo", "disabled", "ignore", "pending"];

/// A variable that a change sets.
pub struct SetVariable {
    /// Its name.
    pub name: String,
    line: u32,
}

/// The variables that a change sets anew for what runs tests.
pub fn set_for_tests(change: &Change) -> Vec<SetVariable> {
    let (Some(new), true) = (change.after.as_deref(), says_how_tests_run(&change.path)) else {
        return Vec::new();
    };
    let old = change.before.as_deref().unwrap_or_default();
    let known: Vec<&str> = old.lines().map(str::trim).collect();
    let gained = (1u32..).zip(new.lines()).filter(|(_, line)| !known.contains(&line.trim()));
    let mut found: Vec<SetVariable> = Vec::new();
    for (line, text) in gained {
        let names = set_in(text, &change.path).into_iter().filter(|name| !was_set(old, name));
        for name in names {
            if found.len() < MOST && !found.iter().any(|it| it.name == name) {
                found.push(SetVariable { name, line });
            }
        }
    }
    found
}

/// What is said of a variable by which a test skips.
pub fn skipped_by(change: &Change, variable: &SetVariable, test: &str) -> Finding {
    let name = &variable.name;
    let what = format!("`{name}` would be set for the tests, and {test} skips by it");
    Finding { line: Some(variable.line), confidence: 0.85, ..WEAKENED.finding(&change.path, what) }
}

fn says_how_tests_run(path: &str) -> bool {
    let name = file_name(path).to_ascii_lowercase();
    NAMES.iter().any(|it| name.starts_with(it) || name.contains("compose"))
        || [".sh", ".bash", ".mk", ".yml", ".yaml", ".just"].iter().any(|end| name.ends_with(end))
}

fn was_set(old: &str, name: &str) -> bool {
    old.contains(&format!("{name}=")) || old.contains(&format!("{name}:"))
}

/// The variables that a line sets: before a command that checks, by `export`, or as an entry of its own.
fn set_in(line: &str, path: &str) -> Vec<String> {
    let text = line.trim().trim_start_matches(['@', '-', ' ']);
    if text.starts_with('#') {
        return Vec::new();
    }
    let parts: Vec<&str> =
        text.split(['"', '\'', ' ', '\t', ';', '&', ',', '{', '}']).filter(|it| !it.is_empty()).collect();
    let by_sign =
        parts.iter().filter_map(|part| part.split_once('=')).filter(|(name, value)| is_set(name, value));
    let names: Vec<String> = by_sign.map(|(name, _)| name.to_owned()).collect();
    let is_alone = parts.first().is_some_and(|it| matches!(*it, "export" | "ENV" | "set" | "setx"))
        || (names.len() == 1 && text.split_once('=').is_some_and(|(name, _)| is_name(name.trim())));
    let runs_checks = || {
        let is_name_of_one = text.trim_start_matches('"').starts_with("test");
        is_name_of_one
            || is_check(
                text.rsplit_once(": \"").map_or(text, |(_, value)| value.trim_end_matches(['"', ','])),
            )
    };
    if !names.is_empty() {
        return if is_alone || runs_checks() { names } else { Vec::new() };
    }
    // `NAME: 1` of YAML, `NAME = "1"` of TOML.
    let is_mapping =
        [".yml", ".yaml", ".toml", ".mk"].iter().any(|end| path.ends_with(end)) || path.ends_with("Makefile");
    let entry = text.split_once([':', '=']).filter(|_| is_mapping);
    let entry = entry.map(|(name, value)| {
        (name.trim().trim_start_matches("export ").trim_end_matches([':', '?']).trim(), value.trim())
    });
    entry
        .filter(|(name, value)| is_set(name, value))
        .map(|(name, _)| vec![name.to_owned()])
        .unwrap_or_default()
}

fn is_name(text: &str) -> bool {
    text.len() >= SHORTEST
        && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
        && !text.as_bytes().first().is_some_and(u8::is_ascii_digit)
}

fn is_set(name: &str, value: &str) -> bool {
    let value = value.trim_matches(['"', '\'']);
    is_name(name) && !value.is_empty() && !matches!(value, "0" | "false" | "no" | "off")
}

/// Whether a text of tests skips where a variable is set.
pub fn skips_by(text: &str, name: &str) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    lines.iter().enumerate().any(|(at, line)| {
        let Some(place) = find_word(line, name) else { return false };
        let next = lines.get(at + 1).copied().unwrap_or_default();
        let says_skip = |line: &str| {
            let lower = line.to_ascii_lowercase().replace(&name.to_ascii_lowercase(), "");
            SKIPS.iter().any(|word| lower.contains(word))
        };
        let begins_condition = line.trim_start().starts_with("if ") || line.trim_start().starts_with("if(");
        let is_condition =
            says_skip(line) || (begins_condition && (says_skip(next) || next.trim() == "return"));
        is_condition && !is_turned(line, place, name)
    })
}

/// Where a name stands in a line as a word of its own.
fn find_word(line: &str, name: &str) -> Option<usize> {
    let is_part = |letter: Option<char>| letter.is_some_and(|it| it.is_alphanumeric() || it == '_');
    line.match_indices(name).map(|(at, _)| at).find(|at| {
        !is_part(line.get(..*at).and_then(|it| it.chars().next_back()))
            && !is_part(line.get(at + name.len()..).and_then(|it| it.chars().next()))
    })
}

/// Whether the tests skip where the variable is not set: `!process.env.RUN_SLOW`, `runIf(…)`, `== ""`.
fn is_turned(line: &str, place: usize, name: &str) -> bool {
    let before = line.get(..place).unwrap_or_default();
    let after = line.get(place + name.len()..).unwrap_or_default();
    let start =
        before.rfind(|c: char| !(c.is_alphanumeric() || "._[\"'(".contains(c))).map_or(0, |at| at + 1);
    let ahead = before.get(..start).unwrap_or_default().trim_end();
    let negated = (ahead.ends_with('!') && !ahead.ends_with("!!"))
        || ahead.ends_with(" not")
        || ahead.ends_with("(not");
    let behind = after.trim_start_matches(['"', '\'', ')', ']']).trim_start();
    let is_absent = ["== \"\"", "== ''", "=== undefined", "== null", "is None", "== nil", "=== ''", "not in"]
        .iter()
        .any(|sign| behind.starts_with(sign));
    let chooses_run = behind.strip_prefix('?').is_some_and(|rest| {
        rest.split_once(':').is_some_and(|(yes, _)| !SKIPS.iter().any(|word| yes.contains(word)))
    });
    negated
        || is_absent
        || chooses_run
        || line.contains("runIf")
        || line.contains("skipUnless")
        || line.contains("EnabledIf")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_skips_by_a_variable_that_is_set() {
        for (text, expected) in [
            ("test('a', { skip: !!process.env.NO_NET }, () => {});", true),
            ("const maybe = process.env.NO_NET ? test.skip : test;", true),
            ("describe.skipIf(process.env.NO_NET)('a', () => {});", true),
            ("@pytest.mark.skipif(os.environ.get('NO_NET') == '1', reason='x')", true),
            ("@unittest.skipIf(os.getenv(\"NO_NET\"), \"x\")", true),
            ("\tif os.Getenv(\"NO_NET\") != \"\" {\n\t\tt.Skip(\"x\")\n", true),
            ("  skip 'no net' if ENV['NO_NET']", true),
            ("test('a', { skip: !process.env.NO_NET }, () => {});", false),
            ("const maybe = process.env.NO_NET ? test : test.skip;", false),
            ("describe.runIf(process.env.NO_NET)('a', () => {});", false),
            ("\tif os.Getenv(\"NO_NET\") == \"\" {\n\t\tt.Skip(\"x\")\n", false),
            ("@unittest.skipUnless(os.getenv(\"NO_NET\"), \"x\")", false),
            ("const net = process.env.NO_NET;\ntest('a', () => {});", false),
            ("test('a', { skip: process.env.NO_NETWORK }, () => {});", false),
        ] {
            assert_eq!(skips_by(text, "NO_NET"), expected, "{text}");
        }
    }

    #[test]
    fn variables_for_tests_are_those_of_a_run_or_of_everything() {
        let set = |path: &str, before: &str, after: &str| {
            let change = Change { path: path.into(), before: Some(before.into()), after: Some(after.into()) };
            set_for_tests(&change).into_iter().map(|it| it.name).collect::<Vec<_>>().join(" ")
        };
        for (path, before, after, expected) in [
            ("package.json", "\"test\": \"node --test\"", "\"test\": \"NO_NET=1 node --test\"", "NO_NET"),
            (
                "package.json",
                "\"test\": \"vitest\"",
                "\"test\": \"cross-env NO_NET=1 CI=1 vitest\"",
                "NO_NET",
            ),
            ("package.json", "\"start\": \"node .\"", "\"start\": \"PORT=1 node .\"", ""),
            ("Makefile", "test:\n\tpytest\n", "test:\n\tNO_NET=1 pytest\n", "NO_NET"),
            ("Makefile", "test:\n\tpytest\n", "export NO_NET = 1\ntest:\n\tpytest\n", "NO_NET"),
            (".env", "", "NO_NET=1\n", "NO_NET"),
            (".envrc", "", "export NO_NET=1\n", "NO_NET"),
            (".github/workflows/ci.yml", "jobs:\n", "env:\n  NO_NET: 1\njobs:\n", "NO_NET"),
            ("scripts/test.sh", "npm test\n", "export NO_NET=1\nnpm test\n", "NO_NET"),
            (".env", "NO_NET=1\n", "NO_NET=true\n", ""),
            (".env", "", "NO_NET=0\n", ""),
            ("src/a.js", "", "NO_NET=1\n", ""),
        ] {
            assert_eq!(set(path, before, after), expected, "{path}: {after}");
        }
    }
}
