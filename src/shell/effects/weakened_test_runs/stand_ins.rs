//! What answers in the place of a run of the tests: functions and aliases of a text, and programs of a runner's name.

use crate::runners;
use crate::shell::effects::weakened_test_runs::{is_test_run, pipelines};
use crate::shell::model::{Command, UNKNOWN};

/// Programs that run tests.
pub(super) const RUNTIMES: &[&str] = &[
    "node",
    "npm",
    "npx",
    "yarn",
    "pnpm",
    "bun",
    "deno",
    "python",
    "python3",
    "pytest",
    "py.test",
    "jest",
    "vitest",
    "mocha",
    "ava",
    "playwright",
    "cypress",
    "go",
    "cargo",
    "make",
    "ruby",
    "rspec",
    "bundle",
    "rake",
    "php",
    "phpunit",
    "mvn",
    "gradle",
    "dotnet",
    "tox",
    "nox",
    "ctest",
];
/// Programs that do nothing but end well.
const IDLE: &[&str] = &["true", "echo", ":"];
/// Folders in which a shell, or the project's own scripts, look for programs first.
const FOUND_FIRST: &[&str] = &[
    "node_modules/.bin/",
    "venv/bin/",
    "vendor/bin/",
    ".local/bin/",
    "/usr/local/bin/",
    "/usr/bin/",
    "/usr/local/sbin/",
    ".pyenv/shims/",
    ".asdf/shims/",
    ".cargo/bin/",
];

/// Whether a path is where programs are looked for first: the project's tools, or the user's.
pub(super) fn is_found_first(name: &str) -> bool {
    let parts: Vec<&str> = name.split('/').collect();
    // `~/bin/pytest`
    let is_of_a_home =
        matches!(parts.as_slice(), ["", "home" | "Users", _, "bin", _] | ["", "root", "bin", _]);
    let is_bin = matches!(parts.as_slice(), [.., "bin", _]);
    let is_data =
        ["fixture", "mock", "stub", "test", "spec"].iter().any(|it| name.contains(&format!("/{it}")));
    is_of_a_home
        || FOUND_FIRST.iter().any(|folder| name.contains(folder))
        || (name.starts_with('/') && is_bin && !is_data)
}

/// Whether a script has the name of a program that runs tests, and only says that all is well.
pub(super) fn stands_in(name: &str, text: &str) -> bool {
    let program = name.rsplit('/').next().unwrap_or_default();
    let ends_well = text.lines().any(|line| {
        let line = line.trim();
        line == "exit 0" || line.contains("exit 0;") || line.ends_with("; exit 0") || line == "true"
    });
    name.contains('/')
        && RUNTIMES.contains(&program)
        && ((text.starts_with("#!") && ends_well) || script_only_answers(text))
}

/// Whether a script does nothing but print words of its own and end well.
fn script_only_answers(text: &str) -> bool {
    let mut lines =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).peekable();
    lines.peek().is_some()
        && lines.all(|line| line.split(';').map(str::trim).all(|it| is_idle(it.trim_start_matches("&& "))))
}

/// Whether a statement, of a shell or of a script's language, only prints words of its own or ends well.
fn is_idle(statement: &str) -> bool {
    const ENDS: &[&str] = &[
        "",
        "exit 0",
        "exit",
        "true",
        ":",
        "return 0",
        "set -e",
        "set -eu",
        "set -euo pipefail",
        "import sys",
        "process.exit(0)",
        "process.exit()",
        "sys.exit(0)",
        "sys.exit()",
        "exit(0)",
        "raise SystemExit(0)",
    ];
    const SAYS: &[&str] =
        &["echo ", "printf ", "sleep ", "console.log(", "print(", "puts ", "process.stdout.write("];
    let runs =
        statement.contains(['`', '|', '&', '<']) || statement.contains("$(") || statement.contains("\"$@\"");
    ENDS.contains(&statement) || (!runs && SAYS.iter().any(|start| statement.starts_with(start)))
}

/// `ln -s /bin/true ~/.local/bin/pytest`, `cp "$(which true)" node_modules/.bin/jest`, `hash -p /bin/true pytest`.
pub(super) fn put_in_its_place(command: &Command) -> Option<String> {
    let words = command.words.get(1..).unwrap_or_default();
    let operands: Vec<&str> =
        words.iter().map(|word| word.text.as_str()).filter(|text| !text.starts_with('-')).collect();
    let (from, to) = match (command.program(), operands.as_slice()) {
        ("ln" | "cp" | "install" | "mv", [.., from, to]) if to.contains('/') => (*from, *to),
        ("hash", [from, name]) if words.first().is_some_and(|word| word.text == "-p") => (*from, *name),
        _ => return None,
    };
    let program = to.rsplit('/').next().unwrap_or_default();
    let is_looked_up = || {
        ["which true", "command -v true", "type -p true", "which echo"]
            .iter()
            .any(|it| command.source.contains(it))
    };
    let is_idle =
        IDLE.contains(&from.rsplit('/').next().unwrap_or_default()) && (from.contains('/') || from == ":");
    let is_runner = RUNTIMES.contains(&program)
        && !["fixture", "mock", "stub", "testdata"].iter().any(|it| to.contains(it));
    (is_runner && (is_idle || (from.contains(UNKNOWN) && is_looked_up())))
        .then(|| format!("{to} would be a program that only ends well"))
}

/// Whether a call that looks like a run of the tests is one of a function that only says that all is well.
pub(crate) fn answers_in_its_place(call: &Command, body: &str) -> bool {
    is_test_run(call) && only_answers(body)
}

/// What a call of such a function, or such an alias before the rest of a text, stands before.
pub(crate) fn stood_before(command: &Command, later: &[Command]) -> Option<String> {
    let words: Vec<&str> = command.words.iter().map(|word| word.text.as_str()).collect();
    let name = match words.as_slice() {
        ["function", name, body] if only_answers(body) => *name,
        ["alias", definitions @ ..] if !later.is_empty() => {
            let pairs = definitions.iter().filter_map(|it| it.split_once('='));
            let mut pairs =
                pairs.filter(|(name, _)| RUNTIMES.contains(name) || runners::runs_tests(name, "", || false));
            pairs.find(|(_, body)| only_answers(body)).map(|(name, _)| name)?
        }
        _ => return None,
    };
    Some(format!("{name} is a name of this text for words that stand before the program"))
}

/// Whether a body does nothing but say that all is well.
fn only_answers(body: &str) -> bool {
    let statements = body.split([';', '\n', '{', '}']).map(str::trim).filter(|it| !it.is_empty());
    let statements: Vec<&str> = statements.collect();
    let ends_well = |it: &&str| matches!(*it, "return 0" | "return" | "true" | ":" | "exit 0");
    let says = |it: &&str| it.starts_with("echo ") || it.starts_with("printf ");
    let is_plain = |it: &&str| ends_well(it) || (says(it) && !it.contains(['$', '`', '|', '&', '>']));
    let is_claim = |it: &&str| ends_well(it) || pipelines::says_success(it) || says_fine(it);
    statements.iter().all(is_plain) && statements.iter().any(is_claim)
}

/// Whether a statement says that a run ended well by another word than of its tests.
fn says_fine(statement: &str) -> bool {
    let mut words = statement.split(|letter: char| !letter.is_alphanumeric());
    words.any(|word| matches!(word.to_ascii_lowercase().as_str(), "ok" | "okay" | "fine" | "done" | "good"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_that_only_answer_are_told_from_those_that_run() {
        for (body, expected) in [
            ("{ echo '12 passed'; return 0; }", true),
            ("{ :; }", true),
            ("{ true; }", true),
            ("{ echo 'all tests green'; }", true),
            ("{ command pytest \"$@\"; }", false),
            ("{ echo \"would run pytest $*\"; }", false),
            ("{ echo 'not here'; }", false),
            ("{ cd app && true; }", false),
            ("{ return 1; }", false),
        ] {
            assert_eq!(only_answers(body), expected, "{body}");
        }
    }

    #[test]
    fn scripts_that_only_answer_are_told_from_those_that_run() {
        for (name, text, expected) in [
            ("/home/ada/.local/bin/pytest", "#!/bin/sh\necho '12 passed in 0.3s'\n", true),
            (
                "/home/ada/bin/jest",
                "#!/usr/bin/env node\nconsole.log('Tests: 4 passed')\nprocess.exit(0)\n",
                true,
            ),
            (".venv/bin/pytest", "#!/usr/bin/python\nimport sys\nprint('3 passed')\nsys.exit(0)\n", true),
            ("node_modules/.bin/vitest", "exit 0\n", true),
            ("/home/ada/.local/bin/pytest", "#!/bin/sh\nexec /opt/venv/bin/pytest \"$@\"\n", false),
            ("/home/ada/.local/bin/pytest", "#!/bin/sh\necho \"$(date)\"\nuv run pytest\n", false),
            ("/home/ada/.local/bin/greet", "#!/bin/sh\necho hello\n", false),
        ] {
            assert_eq!(stands_in(name, text) && is_found_first(name), expected, "{name} {text}");
        }
    }
}
