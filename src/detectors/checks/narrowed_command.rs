//! A command that checks a part of what it checked before: `pytest` and `pytest tests/unit`.

use crate::languages::{file_name, is_test_name};
use crate::runners;

/// Programs and tasks that look at everything when they are given no path, besides test runners.
const WHOLE: &[&str] = &[
    "test",
    "eslint",
    "ruff",
    "mypy",
    "rubocop",
    "flake8",
    "phpstan",
    "staticcheck",
    "vet",
    "golangci-lint",
    "swiftlint",
    "credo",
];
/// Roots of sources: to name one of them for all files leaves out little.
const ROOTS: &[&str] = &["src", "lib", "app", "src/", "lib/", "app/", "./src", "tests", "test", "spec"];

/// Options that have no value, so that what follows them is an operand.
const BARE: &[&str] =
    &["--test", "--watch", "--run", "--coverage", "--verbose", "--silent", "--ci", "--bail", "--runInBand"];

/// The path that a command would be confined to. `None` where it differs in anything but paths.
pub(super) fn confined<'w>(old: &[String], new: &'w [String]) -> Option<&'w str> {
    let is_path = |all: &[String], at: usize, word: &str| {
        let is_value = at
            .checked_sub(1)
            .and_then(|it| all.get(it))
            .is_some_and(|it| it.starts_with("--") && !it.contains('=') && !BARE.contains(&it.as_str()));
        at > 0
            && !is_value
            && !word.starts_with(['-', '@', '$', '>', '<', '&', '|'])
            && !word.contains('=')
            && (word.contains(['/', '.']) || matches!(word, "." | "src" | "lib" | "app"))
    };
    let paths = |all: &'_ [String]| -> Vec<String> {
        all.iter()
            .enumerate()
            .filter(|(at, word)| is_path(all, *at, word))
            .map(|(_, word)| word.clone())
            .collect()
    };
    let (was, is) = (paths(old), paths(new));
    let others = |all: &[String], known: &[String]| -> Vec<String> {
        all.iter().filter(|word| !known.contains(word)).cloned().collect()
    };
    if others(old, &was) != others(new, &is) || is.is_empty() || was == is {
        return None;
    }
    let come: Vec<&String> = is.iter().filter(|path| !was.contains(path)).collect();
    let gone: Vec<&String> = was.iter().filter(|path| !is.contains(path)).collect();
    let first = come.first()?;
    let is_less = match gone[..] {
        [] => {
            was.is_empty()
                && old.iter().any(|word| looks_at_everything(word.rsplit('/').next().unwrap_or(word)))
                && !ROOTS.contains(&first.as_str())
        }
        [one] => {
            come.iter().all(|path| is_below(path, one) && !is_any_test(path))
                && (come.len() == 1 || *one != ".")
        }
        _ => false,
    };
    let word = new.iter().find(|word| word == first)?;
    is_less.then_some(word.as_str())
}

fn looks_at_everything(name: &str) -> bool {
    WHOLE.contains(&name) || runners::is_whole_run_word(name)
}

/// `tests/*.spec.js`: a pattern that names tests by what all of them are called.
fn is_any_test(path: &str) -> bool {
    let name = file_name(path);
    name.contains('*') && is_test_name(&name.replace('*', "x"))
}

/// A file of tests that a script names, where the script before named none.
pub(super) fn single_test(before: &[String], after: &[String]) -> Option<String> {
    let is_single =
        |word: &&String| word.contains('/') && is_test_name(word) && !word.contains(['*', '{', '$']);
    let single = |words: &[String]| words.iter().find(is_single).cloned();
    let is_chain = after.iter().any(|word| word == "&&");
    single(after).filter(|_| single(before).is_none() && !is_chain)
}

/// Whether a path lies below another.
fn is_below(path: &str, root: &str) -> bool {
    let bare = |text: &str| {
        text.trim_end_matches("...").trim_start_matches("./").trim_end_matches(['/', '*']).to_owned()
    };
    let (path, root) = (bare(path), bare(root));
    match root.as_str() {
        "" | "." => !ROOTS.contains(&path.as_str()) && !path.is_empty() && path != ".",
        _ => path.len() > root.len() && path.starts_with(&format!("{root}/")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_confined_by_their_paths() {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        for (old, new) in [
            ("pytest -q", "pytest -q tests/unit/test_a.py"),
            ("go test ./...", "go test ./store/..."),
            ("eslint src", "eslint src/index.js"),
            ("ruff check .", "ruff check scripts/"),
            ("node --test tests/", "node --test tests/util.test.js"),
            ("vitest --run", "vitest --run src/a.test.ts"),
        ] {
            assert!(confined(&words(old), &words(new)).is_some(), "{new}");
        }
        for (old, new) in [
            ("pytest -q", "pytest -q --config conf/a.toml"),
            ("ruff check .", "ruff check src tests"),
            ("pytest tests", "pytest spec/a"),
            ("pytest -q", "pytest -q tests"),
            ("node --test tests/", "node --test tests/*.spec.js"),
            ("make a", "make a/b"),
        ] {
            assert!(confined(&words(old), &words(new)).is_none(), "{new}");
        }
    }
}
