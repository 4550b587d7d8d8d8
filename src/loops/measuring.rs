//! The commands that measure a project: what lists its tests, its coverage, its errors of types and of style.
//!
//! Nothing is run here, and nothing is ever installed by what is named here: `npx` may only use what is there. Reports
//! that a tool writes go to the folder that `$STEADFAST_REPORTS` names.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::loops::project_facts::{CommandPurpose, ProjectFacts};
use crate::runners::{Runner, listing};

mod detected;

/// What a command measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// How many tests there are.
    Tests,
    /// How much the tests reach.
    Coverage,
    /// Errors of types.
    Types,
    /// Errors and warnings of a linter.
    Lint,
}

impl Measure {
    /// The field of the baseline that it gives.
    pub fn field(self) -> &'static str {
        match self {
            Measure::Tests => "test_count",
            Measure::Coverage => "coverage_percentage",
            Measure::Types => "type_errors",
            Measure::Lint => "lint_errors",
        }
    }

    /// All of them, in the order in which they are measured.
    pub const ALL: [Measure; 4] = [Measure::Tests, Measure::Types, Measure::Lint, Measure::Coverage];
}

/// One command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeasureCommand {
    /// What it measures.
    pub measure: Measure,
    /// The shell text.
    pub command: String,
    /// Whose list it prints; none for other measures.
    pub lister: Option<&'static Runner>,
    /// Whether the project's configuration names it.
    pub configured: bool,
}

/// What the configuration says in the place of what is detected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Configured<'a> {
    /// Lists the tests.
    pub list: Option<&'a str>,
    /// Runs the tests.
    pub test: Option<&'a str>,
    /// Measures coverage.
    pub coverage: Option<&'a str>,
    /// Checks types.
    pub types: Option<&'a str>,
    /// Runs the linter.
    pub lint: Option<&'a str>,
}

/// The commands that measure the project at `root`: the configured one of each kind, or all that are detected.
pub fn commands(root: &Path, facts: &ProjectFacts, configured: Configured) -> Vec<MeasureCommand> {
    let mut all = detected::commands(root, facts);
    for (kind, measure) in [
        (CommandPurpose::Coverage, Measure::Coverage),
        (CommandPurpose::Typecheck, Measure::Types),
        (CommandPurpose::Lint, Measure::Lint),
    ] {
        // A script of the project's own is the last resort: what it prints may be cut or coloured in any way.
        if !all.iter().any(|known| known.measure == measure)
            && let Some((_, command)) = facts.commands.iter().find(|(of, _)| *of == kind)
        {
            all.push(plain(measure, command));
        }
    }
    configure(&mut all, configured);
    all
}

/// Puts what is configured in the place of what was detected.
fn configure(all: &mut Vec<MeasureCommand>, configured: Configured) {
    let own = [
        (Measure::Coverage, configured.coverage),
        (Measure::Types, configured.types),
        (Measure::Lint, configured.lint),
    ];
    for (measure, command) in own {
        if let Some(command) = command {
            all.retain(|known| known.measure != measure);
            all.push(MeasureCommand { configured: true, ..plain(measure, command) });
        }
    }
    if let Some(command) = configured.list {
        all.retain(|known| known.measure != Measure::Tests);
        all.push(MeasureCommand { configured: true, lister: None, ..plain(Measure::Tests, command) });
    } else if let Some(command) = configured.test {
        all.retain(|known| known.measure != Measure::Tests);
        all.extend(listing_of(command));
    }
}

fn plain(measure: Measure, command: &str) -> MeasureCommand {
    MeasureCommand { measure, command: command.to_owned(), lister: None, configured: false }
}

/// What lists the tests that a command runs, where its runner can: `cargo test --lib` -> `cargo test --lib -- --list`.
fn listing_of(test: &str) -> Option<MeasureCommand> {
    if test.contains(['|', '&', ';', '>', '<', '`', '$']) {
        return None;
    }
    let words: Vec<&str> = test.split_whitespace().collect();
    let (runner, command) = listing::of_command(&words)?;
    Some(MeasureCommand { configured: true, lister: Some(runner), ..plain(Measure::Tests, &command) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(files: &[(&str, &str)], configured: Configured) -> Vec<String> {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::create_dir_all(root.path().join(name).parent().unwrap()).unwrap();
            std::fs::write(root.path().join(name), text).unwrap();
        }
        let facts = crate::loops::project_facts::read(root.path());
        let all = commands(root.path(), &facts, configured);
        all.into_iter().map(|one| format!("{:?}: {}", one.measure, one.command)).collect()
    }

    #[test]
    fn commands_of_projects() {
        let rust = of(&[("Cargo.toml", "[package]\n")], Configured::default());
        assert_eq!(rust[0], "Tests: cargo test -- --list");
        let vitest = of(
            &[
                (
                    "package.json",
                    r#"{"devDependencies":{"vitest":"3","@vitest/coverage-v8":"3"},"scripts":{"lint":"biome lint"}}"#,
                ),
                ("tsconfig.json", "{}"),
            ],
            Configured::default(),
        );
        let heads: Vec<&str> = vitest.iter().map(|line| line.split(" --c").next().unwrap()).collect();
        assert_eq!(
            heads,
            [
                "Tests: npx --no-install vitest list",
                "Coverage: npx --no-install vitest run",
                "Types: npx --no-install tsc --noEmit --pretty false",
                "Lint: npm run lint"
            ]
        );
        let python = of(
            &[
                (
                    "pyproject.toml",
                    "[tool.pytest.ini_options]\n[tool.coverage.run]\n[tool.mypy]\n[tool.ruff]\n",
                ),
                (".venv/bin/python", ""),
                (".venv/bin/pytest", ""),
            ],
            Configured::default(),
        );
        assert_eq!(python[0], "Tests: .venv/bin/pytest --collect-only -q");
        assert_eq!(python.len(), 4);
        assert_eq!(of(&[], Configured::default()), [""; 0]);
    }

    #[test]
    fn configuration_takes_the_place_of_what_is_detected() {
        let go = &[("go.mod", "module x")];
        let own =
            Configured { test: Some("go test ./pkg/..."), lint: Some("make lint"), ..Configured::default() };
        let lines = of(go, own);
        assert!(
            lines.contains(&"Tests: go test -list '^(Test|Example|Fuzz)' ./pkg/...".to_owned()),
            "{lines:?}"
        );
        assert!(
            lines.contains(&"Lint: make lint".to_owned()) && !lines.iter().any(|line| line.contains("vet"))
        );
        let rows = [
            ("cargo test --lib -- --nocapture", Some("cargo test --lib -- --list")),
            ("python -m pytest tests", Some("python -m pytest tests --collect-only -q")),
            ("npx vitest run src", Some("npx vitest list src")),
            ("make test", None),
            ("pytest | tail", None),
        ];
        for (test, expected) in rows {
            assert_eq!(listing_of(test).map(|made| made.command).as_deref(), expected, "{test}");
        }
    }
}
