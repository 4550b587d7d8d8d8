//! Flags that mean one thing to a test runner and another to a program of their own: `shellcheck -x` follows what a
//! script reads, and leaves nothing out.

use crate::detectors::checks::command_words::CHECKS;
use crate::runners;

/// Programs with flags of theirs that leave nothing out, though flags of these names do elsewhere.
const OTHERWISE: &[(&str, &[&str])] = &[
    ("shellcheck", &["-x"]),
    ("bash", &["-x", "-E", "-m"]),
    ("sh", &["-x", "-m"]),
    ("zsh", &["-x", "-E", "-m"]),
    ("set", &["-x", "-E", "-m"]),
    ("bats", &["-x", "-t"]),
    ("gcovr", &["-x"]),
    ("black", &["-t", "-x"]),
    ("golangci-lint", &["-E"]),
    ("curl", &["-k", "-x", "-m", "-E", "-t"]),
    ("make", &["-k"]),
    ("gmake", &["-k"]),
    ("ninja", &["-k", "-t"]),
    ("timeout", &["-k"]),
    ("prove", &["-m", "-t"]),
    ("rubocop", &["-E", "-x"]),
    ("mocha", &["-t"]),
    ("isort", &["-m"]),
    ("psalm", &["-m"]),
    ("rake", &["-t", "-m"]),
    ("docker", &["-t", "-m"]),
    ("git", &["-m", "-E"]),
    ("grep", &["-E", "-m", "-x"]),
    ("sed", &["-E"]),
    ("gcc", &["-x"]),
    ("g++", &["-x"]),
    ("clang", &["-x"]),
    ("clang++", &["-x"]),
    ("tsc", &["-t", "-m"]),
];

/// Whether the flag at a place among a command's words leaves nothing out, by the program that it is given to.
pub(super) fn means_otherwise(all: &[String], at: usize) -> bool {
    let Some(flag) = all.get(at) else { return false };
    let name = |word: &'_ String| word.rsplit('/').next().unwrap_or(word).to_owned();
    let before = all.get(..at).unwrap_or_default().iter().rev().map(name);
    let owner = before.into_iter().find(|word| {
        let is_check = CHECKS.contains(&word.as_str()) || runners::is_check_word(word);
        is_check || matches!(word.as_str(), "&&" | "||" | "|") || of(word).is_some()
    });
    owner.as_deref().and_then(of).is_some_and(|flags| flags.contains(&flag.as_str()))
}

fn of(program: &str) -> Option<&'static [&'static str]> {
    OTHERWISE.iter().find(|(name, _)| *name == program).map(|(_, flags)| *flags)
}

#[cfg(test)]
mod tests {
    use crate::detectors::checks::weaker_command::weaker;

    #[test]
    fn a_flag_is_read_by_its_program() {
        for (before, after, is_weaker) in [
            ("shellcheck bin/*.sh", "shellcheck -x bin/*.sh", false),
            ("shellcheck -S warning bin/*.sh", "shellcheck -S style -x bin/*.sh", false),
            ("bats test", "bats -x test", false),
            ("make check", "make -k check", false),
            ("golangci-lint run ./...", "golangci-lint run -E gosec ./...", false),
            ("black --check .", "black --check -t py311 .", false),
            ("pytest", "pytest -k fast", true),
            ("set -e; pytest", "set -e; pytest -k fast", true),
            ("gradle check", "gradle check -x test", true),
        ] {
            assert_eq!(weaker(before, after).is_some(), is_weaker, "{before} -> {after}");
        }
    }
}
