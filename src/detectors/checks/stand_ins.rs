//! Programs and modules that take the place of a test runner: they have its name, stand where it is looked for first, and
//! say that all is well.

use std::path::Path;

use crate::detectors::{Case, Detector, Pattern, PatternProof};
use crate::languages::file_name;
use crate::model::event::ShellDialect;
use crate::model::finding::{Change, RegressionType, Severity};
use crate::{runners, shell};

/// Something else in a runner's place.
pub(crate) static PUT: Detector = Detector {
    pattern: Pattern {
        id: "LP-R007",
        name: "Stand-In Test Runner",
        aliases: &["Runner Shadowed"],
        regression_type: Some(RegressionType::TestSkipping),
        severity: Severity::Critical,
        what: "A program or a module with the name of a test runner is put where it is found before the real one, and runs no test.",
        why: "What runs nothing fails nothing.",
        instead: "A script that starts the real runner, under a name of its own, passes.",
        proof: PatternProof::Changes,
    },
    detect,
};

/// Folders in which programs are found.
const PROGRAMS: &[&str] = &["bin", ".bin", "Scripts", "sbin"];
/// Folders of installed packages.
const FOLDERS: &[&str] = &["node_modules/", "site-packages/"];
/// Programs that start a project's checks, besides runners.
const STARTERS: &[&str] = &[
    "npm", "npx", "pnpm", "yarn", "bun", "node", "python", "python3", "cargo", "go", "make", "mvn", "gradle",
];
/// Modules of Python that run tests or measure them.
const MODULES: &[&str] = &["pytest", "unittest", "coverage", "nose2", "tox", "pytest_cov"];
/// Programs that say something, or nothing.
const SAYS_NOTHING: &[&str] = &["echo", "printf", "exit", "true", ":", "cat", "sleep"];

fn detect(case: &Case, findings: &mut Vec<crate::model::finding::Finding>) {
    for change in case.evidence.changes.iter().filter(|change| change.before != change.after) {
        let Some(what) = program(change).or_else(|| module(change)) else { continue };
        findings.push(PUT.finding(&change.path, what));
    }
}

/// `bin/npm`, of which no command is more than words.
fn program(change: &Change) -> Option<String> {
    if let Some(package) = installed(&change.path) {
        return Some(format!("the installed {package}, which runs the tests, would be another"));
    }
    let text = change.after.as_deref()?;
    let path = change.path.replace('\\', "/");
    let mut parts = path.rsplit('/').skip(1);
    let name = file_name(&path);
    let stem = name.strip_suffix(".cmd").or(name.strip_suffix(".sh")).unwrap_or(name);
    let runs = STARTERS.contains(&stem) || (!stem.is_empty() && runners::runs_tests(stem, "test", || true));
    if !runs || !parts.next().is_some_and(|folder| PROGRAMS.contains(&folder)) || !text.starts_with("#!") {
        return None;
    }
    let first = text.lines().next().unwrap_or_default();
    let is_shell = first.ends_with("sh") || first.contains("sh ");
    let says_nothing = match is_shell {
        true => {
            let commands = shell::read(text, ShellDialect::Posix).commands;
            commands.iter().all(|command| SAYS_NOTHING.contains(&command.program()))
        }
        // What a package installs loads its own code.
        false => !text.contains("import ") && !text.contains("require(") && !text.contains("exec"),
    };
    says_nothing.then(|| format!("{path} would be run in the place of the real {stem}, and runs nothing"))
}

/// The installed runner that a file is part of: `node_modules/jest/bin/jest.js`, `site-packages/_pytest/main.py`.
fn installed(path: &str) -> Option<String> {
    let path = path.replace('\\', "/");
    let rest = FOLDERS.iter().find_map(|folder| path.rsplit_once(folder)).map(|(_, rest)| rest)?;
    let package = rest.split('/').next()?.trim_start_matches('_');
    let is_runner = rest.contains('/')
        && (matches!(package, "@jest" | "@vitest" | "pytest")
            || runners::runs_tests(package, "test", || false));
    is_runner.then(|| package.to_owned())
}

/// `pytest.py` at the top, which Python finds before the installed one.
fn module(change: &Change) -> Option<String> {
    let text = change.after.as_deref().filter(|_| change.before.is_none())?;
    let path = change.path.replace('\\', "/");
    let stem = match Path::new(&path).parent().filter(|parent| !parent.as_os_str().is_empty()) {
        None => path.strip_suffix(".py")?,
        Some(parent) if path.ends_with("/__init__.py") => parent.to_str()?,
        Some(_) => return None,
    };
    (MODULES.contains(&stem) && !text.trim().is_empty())
        .then(|| format!("{path} would be imported in the place of the real {stem}"))
}
