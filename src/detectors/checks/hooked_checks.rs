//! Checks that a command runs which starts all hooks of a file: `pre-commit run --all-files`, as `.pre-commit-config.yaml` has
//! them.

use crate::detectors::checks::check_command::words;
use crate::languages::settings;

/// Programs that run hooks, with the files that list them, and the flags of which one makes them look at every file.
const STARTERS: &[(&str, &[&str], &[&str])] = &[
    ("pre-commit", &[".pre-commit-config.yaml"], &["--all-files", "-a"]),
    ("prek", &[".pre-commit-config.yaml", "prek.toml"], &["--all-files", "-a"]),
];

/// Whether one of the commands that have come runs all hooks over all files, and a hook for a check is among them: one with
/// the name of its program.
pub(super) fn is_a_hook(check: &str, come: &[&String], text: &dyn Fn(&str) -> Option<String>) -> bool {
    let Some(program) = program(check) else { return false };
    let runs_all = |command: &str| {
        let all = words(command);
        let starter = STARTERS.iter().find(|(name, ..)| all.iter().any(|it| it == name))?;
        let is_whole = all.iter().any(|it| starter.2.contains(&it.as_str()));
        (is_whole && all.iter().any(|it| it == "run") && !command.contains(['|', ';'])).then_some(starter.1)
    };
    let files = come.iter().filter_map(|it| runs_all(it)).flatten();
    files.into_iter().filter_map(|file| Some((*file, text(file)?))).any(|(file, text)| {
        let entries = settings(file, &text).unwrap_or_default();
        let ids = entries.iter().filter(|it| it.name() == "id");
        ids.into_iter().any(|it| it.value == program || it.value.strip_suffix("-check") == Some(&program))
    })
}

/// The program of a check, without what starts it.
fn program(check: &str) -> Option<String> {
    const STARTING: &[&str] = &["python", "python3", "-m", "npx", "uv", "poetry", "pipenv", "run", "exec"];
    words(check).into_iter().find(|word| !STARTING.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_hooks_of_a_file_may_run_a_check() {
        let hooks = "repos:\n  - repo: https://example.org/lint\n    rev: v1\n    hooks:\n      - id: pylint\n      - id: vulture\n";
        let is_run = |check: &str, command: &str| {
            let command = command.to_owned();
            is_a_hook(check, &[&command], &|file| {
                (file == ".pre-commit-config.yaml").then(|| hooks.to_owned())
            })
        };
        assert!(is_run("pylint shop", "pre-commit run --all-files"));
        assert!(is_run("python -m vulture shop", "uv run pre-commit run -a --show-diff-on-failure"));
        assert!(!is_run("pylint shop", "pre-commit run"), "only what is about to be committed");
        assert!(!is_run("pylint shop", "pre-commit run --all-files | tail"), "a failure is passed over");
        assert!(!is_run("bandit -r shop", "pre-commit run --all-files"), "no hook does it");
    }
}
