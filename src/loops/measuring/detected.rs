//! The commands that measure a project as its files tell them, one language after the other.

use std::path::Path;

use crate::loops::measuring::{Measure, MeasureCommand, plain};
use crate::loops::project_facts::{CommandPurpose, ProjectFacts, has_ending, text_of};
use crate::runners;
use crate::runners::Ecosystem;
use crate::runners::model::{ProjectFiles, RunnerCommands};

/// All that are found.
pub(crate) fn commands(root: &Path, facts: &ProjectFacts) -> Vec<MeasureCommand> {
    let at = DetectedProject::at(root, facts);
    let mut all = Vec::new();
    cargo(&at, &mut all);
    node(&at, &mut all);
    python(&at, &mut all);
    if root.join("go.mod").is_file() {
        of_runners(&at, Ecosystem::Go, &mut all);
        all.push(plain(Measure::Lint, "go vet ./..."));
    }
    of_runners(&at, Ecosystem::Other, &mut all);
    all
}

/// The project at hand.
struct DetectedProject<'a> {
    root: &'a Path,
    facts: &'a ProjectFacts,
    /// `package.json`, or nothing.
    package: Option<serde_json::Value>,
    /// Where the programs of the project's own environment of Python stand.
    environment: Option<&'static str>,
}

impl<'a> DetectedProject<'a> {
    fn at(root: &'a Path, facts: &'a ProjectFacts) -> DetectedProject<'a> {
        let package =
            text_of(root, "package.json").map(|text| serde_json::from_str(&text).unwrap_or_default());
        let environment =
            [".venv/bin/", "venv/bin/"].into_iter().find(|folder| root.join(folder).join("python").exists());
        DetectedProject { root, facts, package, environment }
    }

    fn knows(&self, kind: CommandPurpose, beginning: &str) -> bool {
        self.facts.commands.iter().any(|(of, command)| *of == kind && command.starts_with(beginning))
    }
}

impl ProjectFiles for DetectedProject<'_> {
    fn is_file(&self, path: &str) -> bool {
        self.root.join(path).is_file()
    }

    fn text(&self, name: &str) -> Option<String> {
        text_of(self.root, name)
    }

    fn has_ending(&self, endings: &[&str]) -> bool {
        has_ending(self.root, endings)
    }

    fn depends(&self, package: &str) -> bool {
        ["dependencies", "devDependencies", "peerDependencies"].iter().any(|list| {
            self.package.as_ref().and_then(|own| own.get(*list)).and_then(|list| list.get(package)).is_some()
        })
    }

    fn script_has(&self, word: &str) -> bool {
        let scripts = self.package.as_ref().and_then(|own| own.get("scripts"));
        let test = scripts.and_then(|scripts| scripts.get("test")).and_then(serde_json::Value::as_str);
        test.unwrap_or_default().split_whitespace().any(|one| one == word)
    }

    fn tests_begin(&self, beginning: &str) -> bool {
        self.knows(CommandPurpose::Test, beginning)
    }

    /// What stands in the project's own environment is the one that its tests run in.
    fn program(&self, name: &str) -> String {
        match self.environment {
            Some(folder) if self.root.join(folder).join(name).exists() => format!("{folder}{name}"),
            _ => name.to_owned(),
        }
    }
}

/// What the runners of an ecosystem offer: first how they list, then how they measure coverage.
fn of_runners(at: &DetectedProject, ecosystem: Ecosystem, all: &mut Vec<MeasureCommand>) {
    for (runner, commands) in offers(at, ecosystem) {
        all.extend(listing(runner, &commands));
        all.extend(commands.coverage.map(|command| plain(Measure::Coverage, &command)));
    }
}

fn offers(
    at: &DetectedProject,
    ecosystem: Ecosystem,
) -> impl Iterator<Item = (&'static runners::Runner, RunnerCommands)> {
    let of_kind = runners::all().filter(move |runner| runner.ecosystem == ecosystem);
    of_kind.filter_map(|runner| Some((runner, runner.project?(at))))
}

fn listing(runner: &'static runners::Runner, commands: &RunnerCommands) -> Option<MeasureCommand> {
    let command = commands.list.as_deref()?;
    Some(MeasureCommand { lister: Some(runner), ..plain(Measure::Tests, command) })
}

fn cargo(at: &DetectedProject, all: &mut Vec<MeasureCommand>) {
    let Some(manifest) = at.text("Cargo.toml") else { return };
    let whole = if manifest.lines().any(|line| line.trim() == "[workspace]") { " --workspace" } else { "" };
    let clippy = format!("cargo clippy{whole} --all-targets --message-format=json");
    of_runners(at, Ecosystem::Rust, all);
    let lint_at = all.iter().position(|one| one.measure == Measure::Coverage).unwrap_or(all.len());
    all.insert(lint_at, plain(Measure::Lint, &clippy));
}

fn node(at: &DetectedProject, all: &mut Vec<MeasureCommand>) {
    if at.package.is_none() {
        return;
    }
    of_runners(at, Ecosystem::Node, all);
    if at.is_file("tsconfig.json") {
        all.push(plain(Measure::Types, "npx --no-install tsc --noEmit --pretty false"));
    }
    let has_lint = at.knows(CommandPurpose::Lint, "");
    if at.depends("eslint") && has_lint || ESLINT.iter().any(|name| at.is_file(name)) {
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

fn python(at: &DetectedProject, all: &mut Vec<MeasureCommand>) {
    of_runners(at, Ecosystem::Python, all);
    if at.knows(CommandPurpose::Typecheck, "mypy") {
        all.push(plain(Measure::Types, &format!("{} .", at.program("mypy"))));
    }
    if at.knows(CommandPurpose::Lint, "ruff") {
        all.push(plain(Measure::Lint, &format!("{} check . --output-format=json", at.program("ruff"))));
    }
}
