//! Gates and strict settings that another file of the session asks for now: `--fail-under=88` that became `fail_under = 88`,
//! a section of `package.json` that became a file of its own.

use std::borrow::Cow;

use crate::detectors::Case;
use crate::detectors::checks::check_command::is_check;
use crate::detectors::checks::ci_steps::is_workflow;
use crate::detectors::checks::command_words::{GATES, STRICT};
use crate::languages::file_name;
use crate::model::finding::Change;

/// Documents ask for nothing.
const PROSE: &[&str] = &[".md", ".rst", ".txt", ".adoc"];

/// A change with the flags taken off its old text that another file asks for now, so that their loss is none.
pub(super) fn without_moved<'c>(case: &Case, change: &'c Change) -> Cow<'c, Change> {
    let (Some(before), Some(after)) = (change.before.as_deref(), change.after.as_deref()) else {
        return Cow::Borrowed(change);
    };
    if !before.contains("--") {
        return Cow::Borrowed(change);
    }
    let count = |text: &str, flag: &str| {
        text.split_whitespace().filter(|word| word.trim_end_matches(['"', '\'', ',']) == flag).count()
    };
    let lost: Vec<(String, &str, Option<&str>)> = flags(before)
        .into_iter()
        .filter(|(written, ..)| {
            written.split(' ').next().is_some_and(|flag| count(before, flag) > count(after, flag))
        })
        // What a flag asks for can stand in a setting; that a runner is to run tests at all can't.
        .filter(|(_, name, _)| [GATES, STRICT].concat().contains(&&*format!("--{name}")))
        .collect();
    if lost.is_empty() {
        return Cow::Borrowed(change);
    }
    let moved: Vec<&String> = lost
        .iter()
        .filter(|(_, name, value)| asks_as_much(case, &change.path, name, *value))
        .map(|(written, ..)| written)
        .collect();
    if moved.is_empty() {
        return Cow::Borrowed(change);
    }
    let rest = moved.iter().fold(before.to_owned(), |text, flag| text.replacen(&format!(" {flag}"), "", 1));
    Cow::Owned(Change { path: change.path.clone(), before: Some(rest), after: change.after.clone() })
}

/// Whether an image's build leaves its checks to the server, which runs more of them than before.
pub(super) fn is_left_to_server(case: &Case, path: &str) -> bool {
    let name = file_name(path);
    let is_image = name.starts_with("Dockerfile") || name == "Containerfile";
    let checks = |text: Option<&str>| {
        let lines = text.unwrap_or_default().lines();
        lines.filter(|line| is_check(command_of(line))).count()
    };
    is_image
        && case.all_changes().any(|other| {
            is_workflow(&other.path) && checks(other.after.as_deref()) > checks(other.before.as_deref())
        })
}

/// The long flags of a text: as written, their names, and their values.
fn flags(text: &str) -> Vec<(String, &str, Option<&str>)> {
    let mut all = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
        for (at, word) in words.iter().enumerate() {
            let bare = word.trim_end_matches(['"', '\'', ',']);
            let Some(name) = bare.strip_prefix("--").filter(|name| name.len() > 3) else { continue };
            match name.split_once('=') {
                Some((name, value)) => all.push((bare.to_owned(), name, Some(value))),
                None => {
                    let value = words.get(at + 1).map(|it| it.trim_end_matches(['"', '\'', ',']));
                    let value = value.filter(|it| it.parse::<f64>().is_ok());
                    let written = value.map_or_else(|| bare.to_owned(), |value| format!("{bare} {value}"));
                    all.push((written, name, value));
                }
            }
        }
    }
    all
}

/// Whether another file of the session names something more often now: it has moved there.
pub(super) fn is_named_elsewhere(case: &Case, path: &str, name: &str) -> bool {
    let count = |text: &Option<String>| text.as_deref().map_or(0, |text| text.matches(name).count());
    let mut others = case.all_changes().filter(|other| other.path != path);
    !name.is_empty() && others.any(|other| count(&other.after) > count(&other.before))
}

/// Whether the command that a Dockerfile loses, which a finding names, stands in another one that a workflow of the session
/// builds now.
pub(super) fn is_built_elsewhere(case: &Case, path: &str, what: &str) -> bool {
    let command = what.split('`').nth(1).filter(|_| what.ends_with("would not be run any more"));
    let Some(command) = command else { return false };
    if !file_name(path).starts_with("Dockerfile") {
        return is_run_by_workflow(case, path, command);
    }
    let is_built = |name: &str| {
        case.all_changes().filter(|it| is_workflow(&it.path)).any(|workflow| {
            let after = workflow.after.as_deref().unwrap_or_default();
            after.lines().any(|line| line.contains("docker") && line.contains(name))
        })
    };
    let mut others = case.all_changes().filter(|it| it.path != path);
    others.any(|other| {
        let name = file_name(&other.path);
        let has = other.after.as_deref().is_some_and(|text| text.contains(command));
        has && name.starts_with("Dockerfile.") && is_built(name)
    })
}

/// Whether a switch of a build, or a task that others need, which a finding says is gone from a file, stands in another
/// one of the session now: `allWarningsAsErrors = strict`.
pub(super) fn is_moved_on(case: &Case, path: &str, what: &str) -> bool {
    let name = what.split('`').nth(1).and_then(|it| it.split('=').next()).map_or("", str::trim);
    let is_name = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    let is_gone = ["would be gone", "with the others any more"].iter().any(|end| what.ends_with(end));
    is_gone && is_name && is_named_elsewhere(case, path, name)
}

/// Whether a workflow of the session runs a command in a line of its own more often now: a script left it to that.
fn is_run_by_workflow(case: &Case, path: &str, command: &str) -> bool {
    let is_it = |line: &&str| command_of(line) == command;
    let count = |text: &Option<String>| text.as_deref().map_or(0, |text| text.lines().filter(is_it).count());
    let mut workflows = case.all_changes().filter(|it| it.path != path && is_workflow(&it.path));
    workflows.any(|it| count(&it.after) > count(&it.before))
}

/// The command that a line of a workflow has, if it is one.
fn command_of(line: &str) -> &str {
    let bare = line.trim().trim_start_matches("- ");
    bare.strip_prefix("run:").unwrap_or(bare).trim()
}

/// Whether another file of the session asks for a setting of this name now, and for as much: a number that is no smaller,
/// the same value, or that it is on.
pub(super) fn asks_as_much(case: &Case, path: &str, name: &str, value: Option<&str>) -> bool {
    let name = spelled(name);
    let is_enough = |given: &str| match (value, value.and_then(number), number(given)) {
        (_, Some(least), Some(given)) => given >= least,
        (Some(value), ..) => given == value,
        (None, ..) => matches!(given, "true" | "True" | "1" | "yes" | "on" | "error"),
    };
    let asks = |text: &str| {
        // Attributes of XML stand beside each other.
        let pieces = text.lines().flat_map(|line| line.split(['{', '}', ',', ';', '<', '(']));
        let pieces = pieces.flat_map(|piece| piece.split("\" "));
        pieces
            .filter(|piece| {
                let Some((key, given)) = piece.split_once([':', '=', '>']) else {
                    return value.is_none() && piece.contains("--") && spelled(piece).ends_with(&name);
                };
                let given = given.trim_matches([' ', '"', '\'', '>', ')', '/', '=']);
                let key = spelled(key.rsplit([' ', '.']).find(|word| !word.is_empty()).unwrap_or(key));
                is_same_name(&key, &name) && is_enough(given)
            })
            .count()
    };
    let others = case.all_changes().filter(|other| other.path != path);
    others.filter(|other| !PROSE.iter().any(|end| other.path.ends_with(end))).any(|other| {
        let of = |text: &Option<String>| text.as_deref().map_or(0, asks);
        // What the runner's own configuration asks for is asked for twice.
        let is_said_twice = file_name(&other.path).starts_with("phpunit.xml") && of(&other.after) > 0;
        of(&other.after) > of(&other.before) || is_said_twice
    })
}

/// `cov-fail-under` and `fail_under` are one, and so are `lines` and `fail-under-lines`.
fn is_same_name(key: &str, name: &str) -> bool {
    let bare = |text: &'_ str| -> String {
        let text = text.strip_prefix("cov").filter(|rest| rest.len() > 3).unwrap_or(text);
        text.strip_prefix("failunder").filter(|rest| !rest.is_empty()).unwrap_or(text).to_owned()
    };
    !key.is_empty() && bare(key) == bare(name)
}

/// A name in lower case, with letters and digits alone.
fn spelled(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

fn number(value: &str) -> Option<f64> {
    value.trim_end_matches(['%', 'L', 'f']).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detectors::Evidence;

    fn change(path: &str, before: Option<&str>, after: &str) -> Change {
        Change { path: path.to_owned(), before: before.map(str::to_owned), after: Some(after.to_owned()) }
    }

    #[test]
    fn a_flag_that_a_setting_takes_over_is_no_loss() {
        let script =
            change("Makefile", Some("test:\n\tpytest --cov-fail-under=90 -q\n"), "test:\n\tpytest -q\n");
        for (path, setting, expected) in [
            ("pyproject.toml", "[tool.coverage.report]\nfail_under = 90\n", true),
            ("pyproject.toml", "[tool.coverage.report]\nfail_under = 80\n", false),
            ("notes.md", "fail_under = 90\n", false),
        ] {
            let others = [change(path, Some("[tool]\n"), setting)];
            let changes = [script.clone()];
            let case = Case::new(Evidence { changes: &changes, elsewhere: &others });
            let rest = without_moved(&case, &script);
            let is_off = !rest.before.as_deref().unwrap().contains("fail-under");
            assert_eq!(is_off, expected, "{path}: {setting}");
        }
    }

    #[test]
    fn attributes_of_xml_are_settings() {
        let script = change(
            "composer.json",
            Some(
                "{\n  \"scripts\": {\n    \"test\": \"phpunit --colors --fail-on-risky\",\n    \"x\": \"y\"\n  }\n}\n",
            ),
            "{\n  \"scripts\": {\n    \"test\": \"phpunit --colors\",\n    \"x\": \"y\"\n  }\n}\n",
        );
        for (said, expected) in [
            ("failOnWarning=\"true\" failOnRisky=\"true\"", true),
            ("failOnWarning=\"true\" failOnRisky=\"false\"", false),
        ] {
            let text = format!("<phpunit colors=\"true\" {said} bootstrap=\"a.php\">\n</phpunit>\n");
            let others = [change("phpunit.xml", Some("<phpunit>\n</phpunit>\n"), &text)];
            let changes = [script.clone()];
            let case = Case::new(Evidence { changes: &changes, elsewhere: &others });
            let rest = without_moved(&case, &script);
            assert_eq!(!rest.before.as_deref().unwrap().contains("risky"), expected, "{said}");
        }
    }

    #[test]
    fn that_tests_run_is_not_taken_over_by_a_mention() {
        let script = change("package.json", Some("{\"test\": \"node --test\"}"), "{\"test\": \"true\"}");
        let others = [change("rig.js", None, "text.replace('node --test', 'true');\n")];
        let changes = [script.clone()];
        let case = Case::new(Evidence { changes: &changes, elsewhere: &others });
        assert_eq!(*without_moved(&case, &script), script);
    }

    #[test]
    fn checks_of_an_image_may_move_to_another_that_is_built() {
        let image = change("Dockerfile", Some("FROM a\nRUN tox -q\n"), "FROM a\n");
        let checks = change("Dockerfile.tests", None, "FROM a\nRUN tox -q\n");
        let ci = |run: &str| {
            change(".github/workflows/ci.yml", Some("jobs: {}\n"), &format!("      - run: {run}\n"))
        };
        let changes = [image];
        let is_built = |others: &[Change]| {
            let case = Case::new(Evidence { changes: &changes, elsewhere: others });
            is_built_elsewhere(&case, "Dockerfile", "`tox -q` would not be run any more")
        };
        assert!(is_built(&[checks.clone(), ci("docker build -f Dockerfile.tests .")]));
        assert!(!is_built(&[checks.clone(), ci("docker build .")]), "nobody builds it");
        assert!(!is_built(&[ci("docker build -f Dockerfile.tests .")]), "it is not there");
    }

    #[test]
    fn a_section_that_becomes_a_file_asks_for_as_much() {
        let others = [change(
            "jest.config.js",
            None,
            "module.exports = {\n  coverageThreshold: { global: { branches: 80, lines: 88 } },\n};\n",
        )];
        let case = Case::new(Evidence { changes: &[], elsewhere: &others });
        assert!(asks_as_much(&case, "package.json", "branches", Some("80")));
        assert!(!asks_as_much(&case, "package.json", "branches", Some("90")));
        assert!(!asks_as_much(&case, "package.json", "functions", Some("80")));
    }
}
