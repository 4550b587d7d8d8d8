//! Whether a failure at the loop's start says that the criterion itself can't be carried out: a script, a target or a file
//! that it names is not there. The task may be to make it, so a person is asked and nothing is refused.

use crate::loops::verification::CheckResult;

/// What programs print when what they are to run is not there.
const NOT_THERE: &[&str] = &[
    "missing script",
    "no rule to make target",
    "can't open file",
    "cannot open",
    "can't open",
    "cannot find module",
    "no such file or directory",
    "no such command",
    "no such subcommand",
    "unknown command",
    "command not found",
    ": not found",
    "no module named",
    "is not a task",
    "task not found",
    "could not determine executable to run",
    "unknown subcommand",
    "could not find `cargo.toml`",
    "does not contain recipe",
    "file or directory not found",
    "can't cd to",
    "go.mod file not found",
    "cannot find main module",
    "does not contain main module",
    "could not find '",
];

/// The question about a check that failed so; `None` where its failure is one of the work.
pub fn of(check: &CheckResult) -> Option<String> {
    if is_never_met(&check.command) {
        let command = &check.command;
        return Some(format!(
            "Is the criterion what was meant? `{command}` fails whatever is done, so the loop can't succeed. End it and start it anew \
             with a command that can pass."
        ));
    }
    let named = check.output_tail.lines().find(|line| {
        let lower = line.to_lowercase();
        NOT_THERE.iter().any(|phrase| lower.contains(phrase))
    });
    let named = named.filter(|_| check.not_found || names_its_own(check)).map(str::trim);
    let why = named.or(check.not_found.then_some(check.reason.as_str()))?;
    let why: String = why.chars().take(200).collect();
    Some(format!(
        "Is the criterion what was meant? `{}` can't be carried out as it is: {why}. Where the loop is not to make that, \
         end it and start it anew with the right command.",
        check.command
    ))
}

/// Whether a command fails by what it is: `false`, `exit 1`.
fn is_never_met(command: &str) -> bool {
    let words: Vec<&str> = command.split_whitespace().collect();
    match words.as_slice() {
        ["false"] => true,
        ["exit", code] => code.parse::<u32>().is_ok_and(|code| code != 0),
        _ => false,
    }
}

/// Whether the output speaks of a word of the command: a test that misses a file of its own is a failure of the work.
fn names_its_own(check: &CheckResult) -> bool {
    let lines = check.output_tail.lines().filter(|line| {
        let lower = line.to_lowercase();
        NOT_THERE.iter().any(|phrase| lower.contains(phrase))
    });
    let words: Vec<&str> = check
        .command
        .split(|letter: char| letter.is_whitespace() || "\"'`;&|()".contains(letter))
        .map(|word| word.trim_start_matches("./"))
        .filter(|word| word.len() > 1 && !word.starts_with('-'))
        .collect();
    // `npm test` names its script by a word of its own, `npm run x` too; a missing manifest is named by nobody.
    let manifest = |line: &str| line.contains("Cargo.toml") || line.contains("package.json");
    lines.into_iter().any(|line| manifest(line) || words.iter().any(|word| line.contains(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_asked_about() {
        let failed = |command: &str, code, output: &str| CheckResult {
            command: command.to_owned(),
            exit_code: Some(code),
            not_found: matches!(code, 126 | 127),
            reason: format!("exit code {code}"),
            output_tail: output.to_owned(),
            ..CheckResult::default()
        };
        for (command, code, output) in [
            ("npm run tets", 1, "npm ERR! Missing script: \"tets\"\n"),
            ("make tset", 2, "make: *** No rule to make target 'tset'.  Stop."),
            ("sh chek.sh", 2, "sh: 0: cannot open chek.sh: No such file"),
            ("python3 chek.py", 2, "python3: can't open file '/p/chek.py': [Errno 2]"),
            ("node chek.js", 1, "Error: Cannot find module '/p/chek.js'"),
            ("npm test", 127, "sh: 1: jest: not found"),
            ("python3 -m pytest -q", 1, "/usr/bin/python3: No module named pytest"),
            ("npx vitest-all", 1, "npm error could not determine executable to run for package vitest-all"),
            ("./check", 127, ""),
            ("cd nosuch && npm test", 2, "sh: 1: cd: can't cd to nosuch"),
            ("go test ./...", 1, "go: go.mod file not found in current directory or any parent directory"),
            (
                "go test ./...",
                1,
                "pattern ./...: directory prefix . does not contain main module or its selected dependencies",
            ),
            ("node --test nosuch.test.js", 1, "Could not find '/p/nosuch.test.js'"),
            ("cargo test", 101, "error: could not find `Cargo.toml` in `/p` or any parent directory"),
            ("false", 1, ""),
            ("exit 3", 3, ""),
        ] {
            assert!(of(&failed(command, code, output)).is_some(), "{command}");
        }
        for (command, code, output) in [
            ("npm test", 1, "FileNotFoundError: No such file or directory: 'data.json'"),
            ("sh check.sh", 1, "not done"),
            ("python3 -m pytest -q", 1, "ModuleNotFoundError: No module named 'src.money'"),
            ("pytest", 1, "1 failed in 0.1s"),
        ] {
            assert_eq!(of(&failed(command, code, output)), None, "{command}");
        }
    }
}
