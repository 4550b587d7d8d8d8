//! Whether the programs that a criterion names are there: one that was mistyped could never pass.

use std::path::Path;

use crate::loops::criteria::{Criteria, RefusedCriterion, refused};
use crate::loops::project_facts::ProjectFacts;
use crate::model::event::ShellDialect;
use crate::model::words::is_assignment;
use crate::shell;

/// What the shell knows without a file.
const BUILTINS: &str = "\
    . : [ alias bg break cd command continue echo eval exec exit export false fg getopts hash if jobs kill \
    local printf pwd read readonly return set shift source test time times trap true type ulimit umask \
    unalias unset until wait while for case ! { (";

/// Refuses a criterion one of whose programs is nowhere. A script of the project may be what is to be made, so only a
/// plain name is looked for.
pub fn check(criteria: &Criteria, facts: &ProjectFacts) -> Result<(), RefusedCriterion> {
    for check in &criteria.checks {
        let command = check.command();
        if let Some(missing) = parts(command).into_iter().find_map(|part| missing(part, &is_on_path)) {
            let reason = format!(
                "there is no program `{missing}` here, so it could never pass. Where the task is to install it, --force \
                 starts the loop all the same."
            );
            return Err(refused(check.command(), &reason, facts));
        }
    }
    Ok(())
}

/// The commands that must all go well; the whole, where the text holds more than plain commands joined by `&&`.
fn parts(command: &str) -> Vec<&str> {
    let is_plain = !command.contains(|letter| "'\"`$;|(){}<>#\\\n".contains(letter));
    if is_plain { command.split("&&").map(str::trim).collect() } else { vec![command] }
}

/// The program that a command begins with, where it is a plain name and not there.
fn missing(command: &str, exists: &dyn Fn(&str) -> bool) -> Option<String> {
    if command.contains("||") {
        return None;
    }
    let read = shell::read(command, ShellDialect::Posix);
    let first = read.commands.first()?.words.iter().find(|word| !is_assignment(&word.text))?;
    let name = first.text.as_str();
    let is_name = first.known
        && !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-+".contains(&byte));
    let is_known = BUILTINS.split_whitespace().any(|builtin| builtin == name);
    // What the text does not begin with has come out of something that is not understood here.
    let stands_there = command.split_whitespace().any(|word| word == name);
    (is_name && stands_there && !is_known && !exists(name)).then(|| name.to_owned())
}

fn is_on_path(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    // Without a path nothing can be said.
    path.is_empty()
        || std::env::split_paths(&path).any(|folder: std::path::PathBuf| is_file(&folder.join(name)))
}

fn is_file(path: &Path) -> bool {
    path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_name_that_is_nowhere_is_missing() {
        let exists = |name: &str| matches!(name, "npm" | "sh" | "env");
        let rows = [
            ("nmp test", Some("nmp")),
            ("CI=1 nmp test", Some("nmp")),
            ("npm test", None),
            ("sh chek.sh", None),
            ("./check", None),
            ("scripts/check.py", None),
            ("cd x && npm test", None),
            ("test -f done", None),
            ("[ -f done ]", None),
            ("! npm test", None),
            ("nmp test || npm test", None),
            ("$RUNNER test", None),
            ("env CI=1 npm test", None),
            ("", None),
            ("sh check.sh && nmp test", Some("nmp")),
            ("cd x && CI=1 nmp test", Some("nmp")),
            ("sh -c 'a && nmp test'", None),
            ("f() { nmp; } && npm test", None),
        ];
        for (command, expected) in rows {
            let found = parts(command).into_iter().find_map(|part| missing(part, &exists));
            assert_eq!(found.as_deref(), expected, "{command}");
        }
    }
}
