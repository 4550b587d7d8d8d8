//! The commands that measure a project: what lists its tests, its coverage, its errors of types and of style.
//!
//! Nothing is run here, and nothing is ever installed by what is named here: `npx` may only use what is there. Reports
//! that a tool writes go to the folder that `$STEADFAST_REPORTS` names.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::loops::project_facts::{Kind, ProjectFacts, text_of};
use crate::metrics::listing::Lister;

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
pub struct Measuring {
    /// What it measures.
    pub measure: Measure,
    /// The shell text.
    pub command: String,
    /// Whose list it prints; none for other measures.
    pub lister: Option<Lister>,
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
pub fn commands(root: &Path, facts: &ProjectFacts, configured: Configured) -> Vec<Measuring> {
    let mut all = Vec::new();
    cargo(root, &mut all);
    node(root, facts, &mut all);
    python(root, facts, &mut all);
    if root.join("go.mod").is_file() {
        all.push(list("go test -list '^(Test|Example|Fuzz)' ./...", Lister::Go));
        all.push(plain(Measure::Coverage, "go test -coverprofile=\"$STEADFAST_REPORTS/cover.out\" ./..."));
        all.push(plain(Measure::Lint, "go vet ./..."));
    }
    others(root, &mut all);
    for (kind, measure) in
        [(Kind::Coverage, Measure::Coverage), (Kind::Typecheck, Measure::Types), (Kind::Lint, Measure::Lint)]
    {
        // A script of the project's own is the last resort: what it prints may be cut or coloured in any way.
        if !all.iter().any(|known| known.measure == measure)
            && let Some((_, command)) = facts.commands.iter().find(|(of, _)| *of == kind)
        {
            all.push(plain(measure, command));
        }
    }
    let own = [
        (Measure::Coverage, configured.coverage),
        (Measure::Types, configured.types),
        (Measure::Lint, configured.lint),
    ];
    for (measure, command) in own {
        if let Some(command) = command {
            all.retain(|known| known.measure != measure);
            all.push(Measuring { configured: true, ..plain(measure, command) });
        }
    }
    if let Some(command) = configured.list {
        all.retain(|known| known.measure != Measure::Tests);
        all.push(Measuring { configured: true, lister: None, ..plain(Measure::Tests, command) });
    } else if let Some(command) = configured.test {
        all.retain(|known| known.measure != Measure::Tests);
        all.extend(listing_of(command));
    }
    all
}

fn plain(measure: Measure, command: &str) -> Measuring {
    Measuring { measure, command: command.to_owned(), lister: None, configured: false }
}

fn list(command: &str, lister: Lister) -> Measuring {
    Measuring { lister: Some(lister), ..plain(Measure::Tests, command) }
}

/// What lists the tests that a command runs, where its runner can: `cargo test --lib` -> `cargo test --lib -- --list`.
fn listing_of(test: &str) -> Option<Measuring> {
    if test.contains(['|', '&', ';', '>', '<', '`', '$']) {
        return None;
    }
    let words: Vec<&str> = test.split_whitespace().collect();
    let command = words.join(" ");
    let has = |word: &str| words.iter().any(|one| *one == word || one.ends_with(&format!("/{word}")));
    let made = if command.starts_with("cargo test") {
        let own = command.split(" -- ").next().unwrap_or(&command);
        list(&format!("{own} -- --list"), Lister::Cargo)
    } else if has("pytest") {
        list(&format!("{command} --collect-only -q"), Lister::Pytest)
    } else if has("vitest") {
        let listed: Vec<&str> = words.iter().map(|word| if *word == "run" { "list" } else { word }).collect();
        list(&listed.join(" "), Lister::Vitest)
    } else if has("jest") {
        list(&format!("{command} --listTests"), Lister::JestFiles)
    } else if command.starts_with("go test") {
        list(&command.replacen("go test", "go test -list '^(Test|Example|Fuzz)'", 1), Lister::Go)
    } else if has("phpunit") {
        list(&format!("{command} --list-tests"), Lister::Phpunit)
    } else if has("rspec") || has("mocha") {
        list(&format!("{command} --dry-run"), Lister::DryRun)
    } else {
        return None;
    };
    Some(Measuring { configured: true, ..made })
}

fn cargo(root: &Path, all: &mut Vec<Measuring>) {
    let Some(manifest) = text_of(root, "Cargo.toml") else { return };
    let whole = if manifest.lines().any(|line| line.trim() == "[workspace]") { " --workspace" } else { "" };
    all.push(list(&format!("cargo test{whole} -- --list"), Lister::Cargo));
    all.push(plain(Measure::Lint, &format!("cargo clippy{whole} --all-targets --message-format=json")));
    let reports = "--json --summary-only --output-path \"$STEADFAST_REPORTS/llvm-cov.json\"";
    all.push(plain(Measure::Coverage, &format!("cargo llvm-cov{whole} {reports}")));
}

fn node(root: &Path, facts: &ProjectFacts, all: &mut Vec<Measuring>) {
    let Some(text) = text_of(root, "package.json") else { return };
    let package: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let depends = |name: &str| {
        ["dependencies", "devDependencies", "peerDependencies"]
            .iter()
            .any(|list| package.get(*list).and_then(|list| list.get(name)).is_some())
    };
    let scripts = package.get("scripts").and_then(serde_json::Value::as_object);
    let runs = |program: &str| {
        scripts.is_some_and(|scripts| {
            let test = scripts.get("test").and_then(serde_json::Value::as_str).unwrap_or_default();
            test.split_whitespace().any(|word| word == program)
        })
    };
    let uses = |program: &str| depends(program) || runs(program);
    if uses("vitest") {
        all.push(list("npx --no-install vitest list", Lister::Vitest));
        if depends("@vitest/coverage-v8") || depends("@vitest/coverage-istanbul") {
            all.push(plain(
                Measure::Coverage,
                "npx --no-install vitest run --coverage --coverage.reportOnFailure --coverage.reporter=json-summary \
                 --coverage.reportsDirectory=\"$STEADFAST_REPORTS\"",
            ));
        }
    }
    if uses("jest") {
        all.push(list("npx --no-install jest --listTests", Lister::JestFiles));
        all.push(plain(
            Measure::Coverage,
            "npx --no-install jest --coverage --coverageReporters=json-summary \
             --coverageDirectory=\"$STEADFAST_REPORTS\"",
        ));
    }
    if uses("mocha") {
        all.push(list("npx --no-install mocha --dry-run --reporter json", Lister::DryRun));
    }
    if root.join("tsconfig.json").is_file() {
        all.push(plain(Measure::Types, "npx --no-install tsc --noEmit --pretty false"));
    }
    let has_lint = facts.commands.iter().any(|(kind, _)| *kind == Kind::Lint);
    if depends("eslint") && has_lint || ESLINT.iter().any(|name| root.join(name).is_file()) {
        all.push(plain(Measure::Lint, "npx --no-install eslint . --format json"));
    }
}

/// Files that configure eslint.
const ESLINT: &[&str] = &[
    "eslint.config.js",
    "eslint.config.mjs",
    "eslint.config.cjs",
    "eslint.config.ts",
    ".eslintrc",
    ".eslintrc.js",
    ".eslintrc.cjs",
    ".eslintrc.json",
    ".eslintrc.yml",
    ".eslintrc.yaml",
];

fn python(root: &Path, facts: &ProjectFacts, all: &mut Vec<Measuring>) {
    // What stands in the project's own environment is the one that its tests run in.
    let folder = [".venv/bin/", "venv/bin/"].iter().find(|folder| root.join(folder).join("python").exists());
    let own = |program: &str| match folder {
        Some(folder) if root.join(folder).join(program).exists() => format!("{folder}{program}"),
        _ => program.to_owned(),
    };
    let known = |kind: Kind, word: &str| {
        facts.commands.iter().any(|(of, command)| *of == kind && command.starts_with(word))
    };
    if known(Kind::Test, "pytest") {
        let pytest = own("pytest");
        all.push(list(&format!("{pytest} --collect-only -q"), Lister::Pytest));
        let configured =
            ["pyproject.toml", "setup.cfg", "tox.ini", "requirements-dev.txt", "requirements.txt"]
                .iter()
                .filter_map(|name| text_of(root, name))
                .any(|text| {
                    text.contains("pytest-cov")
                        || text.contains("[tool.coverage")
                        || text.contains("[coverage:")
                });
        if configured || root.join(".coveragerc").is_file() {
            let report = "--cov --cov-report=json:\"$STEADFAST_REPORTS/coverage.json\"";
            all.push(plain(Measure::Coverage, &format!("{pytest} -q {report}")));
        }
    }
    if known(Kind::Typecheck, "mypy") {
        all.push(plain(Measure::Types, &format!("{} .", own("mypy"))));
    }
    if known(Kind::Lint, "ruff") {
        all.push(plain(Measure::Lint, &format!("{} check . --output-format=json", own("ruff"))));
    }
}

fn others(root: &Path, all: &mut Vec<Measuring>) {
    if root.join("vendor/bin/phpunit").is_file() {
        all.push(list("vendor/bin/phpunit --list-tests", Lister::Phpunit));
    }
    let gems = text_of(root, "Gemfile").unwrap_or_default();
    if gems.contains("rspec") {
        all.push(list("bundle exec rspec --dry-run", Lister::DryRun));
    } else if root.join(".rspec").is_file() {
        all.push(list("rspec --dry-run", Lister::DryRun));
    }
    if crate::loops::project_facts::has_dotnet(root) {
        all.push(list("dotnet test --list-tests", Lister::Dotnet));
    }
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
