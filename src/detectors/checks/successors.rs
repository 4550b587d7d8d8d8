//! Linters and formatters that took others' places, and several runs of one program that one run takes over.

use crate::detectors::checks::check_command::words;
use crate::detectors::checks::joined_tasks::joins_tasks;
use crate::detectors::checks::weaker_command::weaker;

/// A known successor: what it took over, and its own words, all of which a command has.
type Successor = (&'static [&'static str], &'static [&'static str]);

/// Linters of Python that one has taken over, as commands and as hooks.
const PYTHON_LINTERS: &[&str] = &[
    "flake8",
    "pycodestyle",
    "pyflakes",
    "pylint",
    "pydocstyle",
    "pyupgrade",
    "autoflake",
    "bandit",
    "isort",
];

/// As commands.
const COMMANDS: &[Successor] = &[
    (PYTHON_LINTERS, &["ruff", "check"]),
    (&["black", "yapf", "autopep8"], &["ruff", "format", "--check"]),
    (&["black", "yapf", "autopep8"], &["ruff", "format", "--diff"]),
    (&["eslint", "tslint", "jshint", "standard", "prettier"], &["biome", "ci"]),
    (&["eslint", "tslint", "jshint", "standard", "prettier"], &["biome", "check"]),
    (&["eslint", "tslint", "jshint", "standard"], &["biome", "lint"]),
    (&["eslint", "tslint", "jshint"], &["oxlint"]),
    (&["tslint", "jshint"], &["eslint"]),
    (&["golint", "gometalinter", "staticcheck", "vet", "errcheck", "gosec"], &["golangci-lint", "run"]),
    (&["golint"], &["revive"]),
    (&["golint"], &["staticcheck"]),
    (&["phpcs", "php-cs-fixer"], &["pint", "--test"]),
    (&["rubocop"], &["standardrb"]),
    (&["nosetests", "nose2"], &["pytest"]),
];
/// As hooks of a file that lists them by their ids.
const HOOKS: &[Successor] = &[
    (PYTHON_LINTERS, &["ruff", "ruff-check", "ruff-lint"]),
    (&["black", "yapf", "autopep8", "black-jupyter"], &["ruff-format"]),
    (&["eslint", "prettier", "tslint", "standard"], &["biome-check", "biome-ci"]),
    (&["eslint", "tslint", "standard"], &["biome-lint", "oxlint"]),
    (&["golint", "go-vet", "go-lint", "staticcheck", "go-critic"], &["golangci-lint", "golangci-lint-full"]),
    (&["terraform_tfsec", "tfsec"], &["terraform_trivy", "trivyconfig-docker"]),
];

/// Whether a new command does what an old one did: a known successor, or the same program with all that this was given.
pub(super) fn takes_over(old: &str, new: &str) -> bool {
    joins(old, new) || joins_tasks(old, new) || is_successor(old, new)
}

/// `pytest tests` and `pytest integration` as `pytest tests integration`.
fn joins(old: &str, new: &str) -> bool {
    let (was, is) = (words(old), words(new));
    let argument = |all: &[String], word: &str| {
        let at = all.iter().position(|it| it == word)?;
        let above = at.checked_sub(1).and_then(|at| all.get(at)).filter(|it| it.starts_with('-'));
        Some(above.cloned())
    };
    let mut given = was.iter().skip(1).filter(|word| !word.starts_with('-')).peekable();
    was.first() == is.first()
        && given.peek().is_some()
        && is.len() > was.len()
        && given.all(|word| argument(&is, word).is_some() && argument(&is, word) == argument(&was, word))
        && was.iter().all(|word| is.contains(word))
        && weaker(old, new).is_none()
}

fn is_successor(old: &str, new: &str) -> bool {
    let (was, is) = (words(old), words(new));
    let is_lax =
        is.iter().any(|word| matches!(word.as_str(), "--exit-zero" | "--fix-only" | "||" | ";" | "|"));
    let has = |all: &[String], name: &str| all.iter().any(|word| word.rsplit('/').next() == Some(name));
    !is_lax
        && COMMANDS.iter().any(|(names, own)| {
            let known = names.iter().find(|name| has(&was, name));
            known.is_some_and(|name| own.iter().all(|word| has(&is, word)) && selects(name, new))
        })
}

/// Whether the hook with an id does what one that is gone did; `settings` is the file.
pub(super) fn hook_takes_over(old: &str, new: &str, settings: &str) -> bool {
    HOOKS.iter().any(|(names, own)| names.contains(&old) && own.contains(&new)) && selects(old, settings)
}

/// Whether a text that says which rules there are has those of a tool. One that says nothing leaves it to another file.
fn selects(name: &str, text: &str) -> bool {
    let rule = match name {
        "isort" => "I",
        "pylint" => "PL",
        "bandit" => "S",
        "pydocstyle" => "D",
        "pyupgrade" => "UP",
        _ => return true,
    };
    let selected = text.split("select").skip(1).map(|rest| rest.lines().next().unwrap_or_default());
    let mut lists = selected.peekable();
    let is_rule =
        |word: &str| word == rule || word == "ALL" || word.starts_with(rule) && word.len() <= rule.len() + 4;
    lists.peek().is_none() || lists.any(|list| list.split(|c: char| !c.is_alphanumeric()).any(is_rule))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_taken_over_by_one_with_all_of_it() {
        for (old, new, expected) in [
            ("pytest unit", "pytest unit system", true),
            ("pytest unit", "pytest system", false),
            ("pytest unit", "pytest system --ignore unit", false),
            ("cargo test -p core", "cargo test -p core -p web", true),
            ("pytest", "pytest unit", false),
            ("isort --check lib", "ruff check lib", true),
            ("isort --check lib", "ruff check --select E,F lib", false),
            ("isort --check lib", "ruff check --select E,F,I lib", true),
            ("flake8 lib", "ruff check --exit-zero lib", false),
            ("black --check lib", "ruff format --check lib", true),
            ("black --check lib", "ruff format lib", false),
            ("prettier --check .", "biome ci .", true),
            ("eslint .", "prettier --check .", false),
            ("golint ./...", "golangci-lint run", true),
        ] {
            assert_eq!(takes_over(old, new), expected, "{old} -> {new}");
        }
        assert!(hook_takes_over("isort", "ruff", "args: [--select, \"E,I\"]"));
        assert!(!hook_takes_over("isort", "ruff", "args: [--select, \"E,F\"]"));
        assert!(!hook_takes_over("mypy", "ruff", ""));
    }
}
