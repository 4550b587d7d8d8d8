//! Commands that check something, told from those that build, fetch or only say something.
//!
//! A command is taken apart into words; text in quotes is one word.

use crate::detectors::checks::command_words::{BUILDS, CHECKS, FETCHERS, FETCHING, OTHERS};
use crate::detectors::checks::idle_commands::says_nothing;
pub(crate) use crate::detectors::checks::idle_commands::words;
use crate::runners;

/// Names of scripts that check.
const SCRIPTS: &[&str] = &[
    "test",
    "lint",
    "check",
    "typecheck",
    "ci",
    "coverage",
    "verify",
    "validate",
    "spec",
    "e2e",
    "tsc",
    "cover",
];

/// Whether a command, or one of several lines, checks something.
pub(crate) fn is_check(command: &str) -> bool {
    command.lines().flat_map(|line| line.split("&&")).any(|part| {
        let part = part.trim_start_matches(['@', '-', ' ', '\t']);
        // A comment runs nothing.
        if part.starts_with('#') {
            return false;
        }
        let words = words(part);
        if fetches(part, &words) {
            return false;
        }
        let first = words.iter().find(|word| !word.contains('='));
        // `test -f a` asks the shell.
        let asks = first.is_some_and(|word| word == "test" || word == "[")
            && words.get(1).is_some_and(|word| word.starts_with(['-', '$', '!']));
        let is_other = asks || first.is_none_or(|word| OTHERS.contains(&word.as_str()));
        let program = first.map(|word| word.rsplit(['/', '\\']).next().unwrap_or(word)).unwrap_or_default();
        let program = program.trim_end_matches(".bat").trim_end_matches(".cmd");
        let tasks = BUILDS.iter().find(|(name, _)| *name == program).map_or(&[][..], |(_, tasks)| tasks);
        let builds = words.iter().any(|word| tasks.contains(&word.as_str()))
            && !words.iter().any(|word| word.starts_with("-DskipTests") || word == "-x");
        // `connectedAndroidTest`, `:core:macosX64Test`.
        let is_task = |word: &String| {
            let task = word.rsplit(':').next().unwrap_or(word);
            !word.starts_with('-') && (task.ends_with("Test") || task.ends_with("Tests"))
        };
        let builds = builds || matches!(program, "gradle" | "gradlew") && words.iter().any(is_task);
        !is_other && (builds || words.iter().take(40).any(|word| is_check_word(word)))
    })
}

/// Whether a command only fetches programs: `python -m pip install tox` runs none of them.
fn fetches(part: &str, all: &[String]) -> bool {
    if part.contains([';', '|', '&']) {
        return false;
    }
    let mut names =
        all.iter().map(String::as_str).filter(|word| !word.starts_with('-') && !word.contains('='));
    let known = |word: &str| {
        let name = word
            .rsplit('/')
            .next()
            .unwrap_or(word)
            .trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        FETCHERS.contains(&name)
    };
    let heads =
        names.by_ref().take_while(|word| !FETCHING.contains(word)).take(4).map(known).collect::<Vec<_>>();
    let has_verb = all.iter().take(8).any(|word| FETCHING.contains(&word.as_str()));
    has_verb && !heads.is_empty() && heads.iter().all(|known| *known)
}

/// Whether a script's name, or a part of it, is one that checks.
pub(crate) fn is_check_name(name: &str) -> bool {
    name.split([':', '-', '_', '.']).any(|part| SCRIPTS.contains(&part))
}

fn is_check_word(word: &str) -> bool {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let is_known = |word: &str| CHECKS.contains(&word) || runners::is_check_word(word);
    is_known(name) || name.split([':', '-', '.']).any(is_known)
}

/// Whether a command only says something, or nothing.
pub(crate) fn is_nothing(command: &str) -> bool {
    command.split("&&").all(says_nothing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_told_from_other_commands() {
        for command in [
            "npm test",
            "cargo clippy -- -D warnings",
            "pnpm run test:unit",
            "make check",
            "go vet ./...",
            "npx eslint .",
        ] {
            assert!(is_check(command), "{command}");
        }
        for command in [
            "python3 -m pip install -q tox==4.2",
            "npm i -g jest",
            "cargo install cargo-audit --locked",
            "dotnet tool install -g coverlet",
            "uv tool install ruff",
            "go install honnef.co/go/tools/cmd/staticcheck@latest",
        ] {
            assert!(!is_check(command), "{command}");
        }
        assert!(is_check("pip install tox; tox -q") && is_check("npm run check -- install"));
        for command in ["npm ci", "echo test", "docker build -t test .", "cargo build", "", "node server.js"]
        {
            assert!(!is_check(command), "{command}");
        }
    }

    #[test]
    fn words_of_runners_stand_with_the_runners() {
        let twice: Vec<&&str> = CHECKS.iter().filter(|word| runners::is_check_word(word)).collect();
        assert!(twice.is_empty(), "{twice:?}");
        for command in ["prove -lr t", "npm run test:vitest", "cargo nextest run", "python -m unittest"] {
            assert!(is_check(command), "{command}");
        }
    }
}
