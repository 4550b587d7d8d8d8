//! What commands a project offers, read from the files at its root.
//!
//! Only the root is read, only well-known files, and each only up to a bound. Nothing is run.

use serde::{Deserialize, Serialize};
use std::io::Read;
use std::path::Path;

use crate::runners::dotnet;
use crate::state::own_file;

mod task_files;

/// The most that is read of one file, in bytes.
const LARGEST: u64 = 1 << 20;

/// What a command is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandPurpose {
    /// Runs the tests.
    Test,
    /// Builds.
    Build,
    /// Looks for faults of style and habit.
    Lint,
    /// Checks types.
    Typecheck,
    /// Prints the coverage.
    Coverage,
    /// Checks the formatting.
    Format,
}

/// The commands of one project.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProjectFacts {
    /// What each is for, and the shell text, best known first.
    pub commands: Vec<(CommandPurpose, String)>,
}

/// Names of scripts and of Makefile targets, and what they are for.
const NAMES: &[(&str, CommandPurpose)] = &[
    ("test", CommandPurpose::Test),
    ("tests", CommandPurpose::Test),
    ("unittest", CommandPurpose::Test),
    ("check", CommandPurpose::Test),
    ("build", CommandPurpose::Build),
    ("compile", CommandPurpose::Build),
    ("lint", CommandPurpose::Lint),
    ("typecheck", CommandPurpose::Typecheck),
    ("type-check", CommandPurpose::Typecheck),
    ("types", CommandPurpose::Typecheck),
    ("tsc", CommandPurpose::Typecheck),
    ("coverage", CommandPurpose::Coverage),
    ("cov", CommandPurpose::Coverage),
    ("test:coverage", CommandPurpose::Coverage),
    ("format:check", CommandPurpose::Format),
    ("fmt-check", CommandPurpose::Format),
];

/// The lock files that tell which program runs the scripts.
const RUNNERS: &[(&str, &str)] =
    &[("pnpm-lock.yaml", "pnpm"), ("yarn.lock", "yarn"), ("bun.lockb", "bun"), ("bun.lock", "bun")];

/// Reads the facts of the project at `root`. A file that is missing or can't be read adds nothing.
pub fn read(root: &Path) -> ProjectFacts {
    let mut facts = ProjectFacts::default();
    package_json(root, &mut facts);
    cargo(root, &mut facts);
    python(root, &mut facts);
    if root.join("go.mod").is_file() {
        facts.add(CommandPurpose::Test, "go test ./...");
        facts.add(CommandPurpose::Build, "go build ./...");
        facts.add(CommandPurpose::Lint, "go vet ./...");
    }
    others(root, &mut facts);
    task_files::makefile(root, &mut facts);
    task_files::justfile(root, &mut facts);
    facts
}

impl ProjectFacts {
    /// Puts the configured command of a kind in the place of those that were detected.
    pub fn configure(&mut self, kind: CommandPurpose, command: Option<&str>) {
        if let Some(command) = command {
            self.commands.retain(|(of, _)| *of != kind);
            self.commands.insert(0, (kind, command.to_owned()));
        }
    }

    fn add(&mut self, kind: CommandPurpose, command: &str) {
        if !self.commands.iter().any(|(_, known)| known == command) {
            self.commands.push((kind, command.to_owned()));
        }
    }

    fn has(&self, kind: CommandPurpose) -> bool {
        self.commands.iter().any(|(of, _)| *of == kind)
    }
}

fn package_json(root: &Path, facts: &mut ProjectFacts) {
    let Some(text) = text_of(root, "package.json") else { return };
    let Ok(package) = serde_json::from_str::<serde_json::Value>(&text) else { return };
    let runner =
        RUNNERS.iter().find(|(lock, _)| root.join(lock).is_file()).map_or("npm", |(_, runner)| runner);
    let scripts = package.get("scripts").and_then(serde_json::Value::as_object);
    for (name, kind) in NAMES {
        let script = scripts.and_then(|scripts| scripts.get(*name)).and_then(serde_json::Value::as_str);
        match script {
            // What `npm init` leaves: a test script that only fails.
            None => {}
            Some(script) if script.contains("no test specified") => {}
            // `bun test` is its own runner and not the script.
            Some(_) if *name == "test" && runner != "bun" => facts.add(*kind, &format!("{runner} test")),
            Some(_) => facts.add(*kind, &format!("{runner} run {name}")),
        }
    }
    if root.join("tsconfig.json").is_file() && !facts.has(CommandPurpose::Typecheck) {
        facts.add(CommandPurpose::Typecheck, "npx tsc --noEmit");
    }
}

fn cargo(root: &Path, facts: &mut ProjectFacts) {
    let Some(manifest) = text_of(root, "Cargo.toml") else { return };
    let all = if manifest.lines().any(|line| line.trim() == "[workspace]") { " --workspace" } else { "" };
    facts.add(CommandPurpose::Test, &format!("cargo test{all}"));
    facts.add(CommandPurpose::Build, &format!("cargo build{all}"));
    facts.add(CommandPurpose::Lint, &format!("cargo clippy{all} --all-targets -- -D warnings"));
    facts.add(CommandPurpose::Format, "cargo fmt --check");
}

fn python(root: &Path, facts: &mut ProjectFacts) {
    let pyproject = text_of(root, "pyproject.toml").unwrap_or_default();
    let setup = text_of(root, "setup.cfg").unwrap_or_default();
    let has = |header: &str| {
        pyproject.lines().chain(setup.lines()).any(|line| line.trim_start().starts_with(header))
    };
    let named = |package: &str| {
        let quoted =
            |line: &str| line.contains(&format!("\"{package}")) || line.contains(&format!("'{package}"));
        pyproject.lines().any(|line| quoted(line) || line.trim_start().starts_with(&format!("{package} =")))
    };
    let ini = ["pytest.ini", ".pytest.ini", "conftest.py"].iter().any(|name| root.join(name).is_file());
    if ini || has("[tool.pytest") || has("[tool:pytest") || named("pytest") {
        facts.add(CommandPurpose::Test, "pytest");
    }
    if root.join("tox.ini").is_file() {
        facts.add(CommandPurpose::Test, "tox");
    }
    if named("pytest-cov") {
        facts.add(CommandPurpose::Coverage, "pytest --cov");
    }
    if has("[tool.ruff") || root.join("ruff.toml").is_file() {
        facts.add(CommandPurpose::Lint, "ruff check .");
    }
    if has("[tool.mypy") || root.join("mypy.ini").is_file() {
        facts.add(CommandPurpose::Typecheck, "mypy .");
    }
}

/// Projects whose one file at the root says what they are built with.
fn others(root: &Path, facts: &mut ProjectFacts) {
    let is_file = |name: &str| root.join(name).is_file();
    if is_file("pom.xml") {
        let maven = if is_file("mvnw") { "./mvnw" } else { "mvn" };
        facts.add(CommandPurpose::Test, &format!("{maven} test"));
        facts.add(CommandPurpose::Build, &format!("{maven} package"));
    }
    if is_file("build.gradle") || is_file("build.gradle.kts") {
        let gradle = if is_file("gradlew") { "./gradlew" } else { "gradle" };
        facts.add(CommandPurpose::Test, &format!("{gradle} test"));
        facts.add(CommandPurpose::Build, &format!("{gradle} build"));
    }
    if is_file("mix.exs") {
        facts.add(CommandPurpose::Test, "mix test");
        facts.add(CommandPurpose::Build, "mix compile");
        facts.add(CommandPurpose::Coverage, "mix test --cover");
        facts.add(CommandPurpose::Format, "mix format --check-formatted");
    }
    if has_ending(root, dotnet::PROJECTS) {
        facts.add(CommandPurpose::Test, "dotnet test");
        facts.add(CommandPurpose::Build, "dotnet build");
    }
    composer(root, facts);
}

/// Whether a file at the root has one of these endings.
pub(crate) fn has_ending(root: &Path, endings: &[&str]) -> bool {
    let names = std::fs::read_dir(root).into_iter().flatten().flatten().take(2_000);
    names.map(|entry| entry.path()).any(|path| {
        path.extension().and_then(|ending| ending.to_str()).is_some_and(|ending| endings.contains(&ending))
    })
}

fn composer(root: &Path, facts: &mut ProjectFacts) {
    let Some(text) = text_of(root, "composer.json") else { return };
    let Ok(package) = serde_json::from_str::<serde_json::Value>(&text) else { return };
    for (name, kind) in NAMES {
        if package.get("scripts").and_then(|scripts| scripts.get(*name)).is_some() {
            facts.add(*kind, &format!("composer {name}"));
        }
    }
    let needs = |name: &str| package.get("require-dev").and_then(|list| list.get(name)).is_some();
    if needs("phpunit/phpunit") && !facts.has(CommandPurpose::Test) {
        facts.add(CommandPurpose::Test, "vendor/bin/phpunit");
    }
    if needs("phpstan/phpstan") && !facts.has(CommandPurpose::Typecheck) {
        facts.add(CommandPurpose::Typecheck, "vendor/bin/phpstan analyse");
    }
}

pub(crate) fn text_of(root: &Path, name: &str) -> Option<String> {
    let file = own_file::open(&root.join(name)).ok()?;
    let mut bytes = Vec::new();
    file.take(LARGEST).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_projects() {
        let cases: &[(&[(&str, &str)], &str)] = &[
            (&[], ""),
            (
                &[("package.json", r#"{"scripts":{"test":"jest","lint":"eslint .","dev":"vite"}}"#)],
                "npm test|npm run lint",
            ),
            (&[("package.json", r#"{"scripts":{"test":"jest"}}"#), ("pnpm-lock.yaml", "")], "pnpm test"),
            (
                &[("package.json", r#"{"scripts":{"test":"echo \"Error: no test specified\" && exit 1"}}"#)],
                "",
            ),
            (&[("package.json", "{"), ("tsconfig.json", "{}")], ""),
            (&[("package.json", r#"{"scripts":7}"#), ("tsconfig.json", "{}")], "npx tsc --noEmit"),
            (
                &[("Cargo.toml", "[workspace]\nmembers=[]\n")],
                "cargo test --workspace|cargo build --workspace|cargo clippy --workspace --all-targets -- -D warnings|cargo fmt --check",
            ),
            (&[("pyproject.toml", "[tool.pytest.ini_options]\n[tool.ruff]\n")], "pytest|ruff check ."),
            (&[("pytest.ini", "")], "pytest"),
            (&[("go.mod", "module x")], "go test ./...|go build ./...|go vet ./..."),
            (
                &[("Makefile", "CC := gcc\ntest lint: all\n\techo check: x\n.PHONY: build\n")],
                "make test|make lint",
            ),
            (&[("pom.xml", ""), ("mvnw", "")], "./mvnw test|./mvnw package"),
            (&[("build.gradle.kts", "")], "gradle test|gradle build"),
            (&[("mix.exs", "")], "mix test|mix compile|mix test --cover|mix format --check-formatted"),
            (&[("Shop.sln", "")], "dotnet test|dotnet build"),
            (
                &[("composer.json", r#"{"scripts":{"lint":"x"},"require-dev":{"phpunit/phpunit":"*"}}"#)],
                "composer lint|vendor/bin/phpunit",
            ),
            (&[("justfile", "x := '1'\ntest *args: build\n  echo\n@lint:\n  echo\n")], "just test|just lint"),
            (
                &[("Makefile", "test:\n\tgo test\n"), ("go.mod", "module x")],
                "go test ./...|go build ./...|go vet ./...",
            ),
        ];
        for (files, expected) in cases {
            let root = tempfile::tempdir().expect("directory");
            for (name, text) in *files {
                std::fs::write(root.path().join(name), text).expect("file");
            }
            let commands: Vec<String> =
                read(root.path()).commands.into_iter().map(|(_, command)| command).collect();
            assert_eq!(commands.join("|"), *expected, "{files:?}");
        }
    }
}
