//! Words that make a test run say less than it should: hidden failures, tests left out, snapshots taken as right,
//! thresholds lowered. Declared as data: an option and the programs that know it.

pub(crate) mod hook_managers;
pub(crate) mod options;

use crate::shell::effects::weakened_test_runs::hook_managers::hooks_off;
use crate::shell::effects::weakened_test_runs::options::{SNAPSHOT_VARIABLES, WEAKENINGS};
use crate::shell::model::{Command, Effect, EffectKind, Word};

use EffectKind::{HidesFailure, RewritesSnapshots};

/// A family of test runners.
struct Runner {
    names: &'static [&'static str],
    /// First operands that make a test run of it; none means always.
    words: &'static [&'static str],
}

static RUNNERS: &[Runner] = &[
    Runner {
        names: &[
            "pytest",
            "py.test",
            "jest",
            "vitest",
            "mocha",
            "ava",
            "tap",
            "rspec",
            "phpunit",
            "pest",
            "ctest",
            "bats",
            "nose2",
            "tox",
            "nox",
            "karma",
            "jasmine",
            "gotestsum",
            "xctest",
        ],
        words: &[],
    },
    Runner { names: &["cargo"], words: &["test", "t", "nextest", "llvm-cov", "tarpaulin", "insta"] },
    Runner { names: &["npm", "pnpm", "yarn", "bun"], words: &["test", "t", "tst", "jest", "vitest"] },
    Runner {
        names: &["go", "deno", "swift", "zig", "dotnet", "mix", "stack", "cabal", "sbt"],
        words: &["test"],
    },
    Runner {
        names: &["mvn", "mvnw", "gradle", "gradlew"],
        words: &["test", "verify", "check", "build", "package"],
    },
    Runner { names: &["make", "just", "rake"], words: &["test", "tests", "check", "spec"] },
    Runner { names: &["playwright", "cypress"], words: &["test", "run"] },
    Runner { names: &["nyc", "c8", "coverage", "ruff", "pylint", "flake8", "eslint"], words: &[] },
    Runner { names: &["python", "python3"], words: &["-m"] },
];

/// Whether a command runs tests or checks that a project relies on.
pub(crate) fn is_test_run(command: &Command) -> bool {
    let program = command.program();
    let own = |word: &&Word| !matches!(word.text.chars().next(), Some('-' | '+'));
    let operands = command.words.get(1..).unwrap_or_default();
    let mut plain = operands.iter().filter(own).map(|word| word.text.as_str());
    let first = plain.next().unwrap_or_default();
    RUNNERS.iter().any(|runner| {
        runner.names.contains(&program)
            && match runner.words {
                [] => true,
                ["-m"] => operands
                    .windows(2)
                    .any(|pair| matches!(pair, [m, module] if m.text == "-m" && matches!(module.text.as_str(), "pytest" | "unittest" | "nose2"))),
                words => {
                    words.contains(&first)
                        || (matches!(first, "run" | "run-script")
                            && plain.next().is_some_and(|script| script.split([':', '-']).any(|part| part == "test")))
                }
            }
    })
}

/// What a test run leaves out or hides.
pub(crate) fn effects(command: &Command) -> Vec<Effect> {
    if let Some(effect) = hooks_off(command) {
        return vec![effect];
    }
    if !is_test_run(command) {
        return Vec::new();
    }
    let mut effects: Vec<Effect> = Vec::new();
    let mut add = |kind: EffectKind, detail: String| {
        if !effects.iter().any(|effect| effect.kind == kind) {
            effects.push(Effect::of(kind, command, &detail, &[], command.directory.as_deref()));
        }
    };
    let asks_help =
        command.words.iter().any(|word| matches!(word.text.as_str(), "--help" | "-h" | "--version"));
    if asks_help {
        return Vec::new();
    }
    for (index, word) in command.words.iter().enumerate().skip(1) {
        let (name, glued) = match word.text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word.text.as_str(), None),
        };
        let next = command.words.get(index + 1).map_or("", |word| word.text.as_str());
        let found = WEAKENINGS.iter().find(|weakening| {
            (weakening.option == name
                || (weakening.option.ends_with('s')
                    && name.strip_prefix(weakening.option).is_some_and(|rest| rest.starts_with('.'))))
                && (weakening.programs.is_empty() || weakening.programs.contains(&command.program()))
                && (weakening.value)(glued.unwrap_or(next))
        });
        if let Some(weakening) = found {
            add(weakening.kind, name.to_owned());
        }
    }
    let snapshot = command.assignments.iter().find(|(name, value)| {
        SNAPSHOT_VARIABLES.contains(&name.as_str())
            && !matches!(value.as_deref(), Some("0" | "no" | "false" | "new" | "unseen"))
    });
    if let Some((name, _)) = snapshot {
        add(RewritesSnapshots, name.clone());
    }
    if command.failure_hidden {
        add(HidesFailure, "the command after it".to_owned());
    }
    effects
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::event::Dialect;
    use crate::shell::effects::dispatch::effects as reading;
    use crate::shell::model::EffectKind::{LeavesTestsOut, LowersThreshold};
    use std::path::Path;

    fn kinds(text: &str) -> Vec<EffectKind> {
        let reading = reading(text, Dialect::Posix, Path::new("/w"), Path::new("/h"));
        reading.effects.iter().map(|effect| effect.kind).collect()
    }

    #[test]
    fn runs_that_say_less_are_found() {
        for (text, kind) in [
            ("npm test || true", HidesFailure),
            ("pytest -q; true", HidesFailure),
            ("cargo test || :", HidesFailure),
            ("cd app && npm test 2>&1 || exit 0", HidesFailure),
            ("npx jest --passWithNoTests", HidesFailure),
            ("ruff check --exit-zero", HidesFailure),
            ("mocha --timeout 0", HidesFailure),
            ("bash -c 'pytest || true'", HidesFailure),
            ("pytest -k 'not slow'", LeavesTestsOut),
            ("python -m pytest --deselect tests/a.py::test_x", LeavesTestsOut),
            ("pytest --ignore=tests/old", LeavesTestsOut),
            ("cargo test -- --skip parser", LeavesTestsOut),
            ("npx jest --testPathIgnorePatterns e2e", LeavesTestsOut),
            ("vitest run --exclude 'e2e/**'", LeavesTestsOut),
            ("mvn package -DskipTests", LeavesTestsOut),
            ("npx jest -u", RewritesSnapshots),
            ("vitest run --update", RewritesSnapshots),
            ("npm test -- -u", RewritesSnapshots),
            ("INSTA_UPDATE=always cargo test", RewritesSnapshots),
            ("cargo insta accept", RewritesSnapshots),
            ("pytest --cov-fail-under=10", LowersThreshold),
            ("vitest run --coverage.thresholds.lines=10", LowersThreshold),
        ] {
            assert_eq!(kinds(text), [kind], "{text}");
        }
    }

    #[test]
    fn plain_runs_and_look_alikes_are_not() {
        for text in [
            "npm test",
            "pytest -k parser",
            "pytest -k 'nothing or notes'",
            "cargo test -- --nocapture",
            "cargo test 2>&1 | tail -20",
            "grep -q x f || true",
            "rm -f /tmp/x || true",
            "npm test && true",
            "npm ci || true; npm test",
            "git commit -m 'pytest || true'",
            "echo 'npm test || true'",
            "jest --help",
            "npm install -u",
            "INSTA_UPDATE=no cargo test",
            "mocha --timeout 5000",
            "go test ./... || echo failed",
        ] {
            let found = kinds(text);
            let weak = [HidesFailure, LeavesTestsOut, RewritesSnapshots, LowersThreshold];
            assert!(!found.iter().any(|kind| weak.contains(kind)), "{text}: {found:?}");
        }
    }
}
