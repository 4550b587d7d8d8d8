//! The first look at a change of code: whether it may weaken anything, from its changed lines alone.
//!
//! It suspects too much and decides nothing; what it lets pass is not parsed.

/// Words of which there are fewer after, when something is lost.
const LOST: &[&str] = &[
    "throw", "raise", "panic", "bail", "Err", "err", "error", "Error", "catch", "except", "abort", "next",
    "reject", "def", "function", "fn", "func", "class", "log", "logger", "console", "validate", "sanitize",
    "verify",
];
/// Words of which there are more after, when something is hidden.
const GAINED: &[&str] = &[
    "catch",
    "except",
    "suppress",
    "ok",
    "unwrap_or_default",
    "_",
    "false",
    "False",
    "pass",
    "todo",
    "unimplemented",
    "NotImplementedError",
    "Unimplemented",
    "env",
    "environ",
    "cfg",
    "modules",
    "testing",
    "Getenv",
    "TODO",
    "FIXME",
    "eslint",
    "ts",
    "type",
    "noqa",
    "nolint",
    "pragma",
    "istanbul",
    "c8",
    "v8",
    "tarpaulin_include",
    "coverage",
    "allow",
    "exit",
    "_exit",
    "Exit",
    "any",
    "verify",
    "InsecureSkipVerify",
    "rejectUnauthorized",
    "test",
    "placeholder",
    "mock",
    "Mock",
    "dummy",
    "existing",
    "unchanged",
    "remaining",
    "Simulated",
    "simulated",
    "__eq__",
    "__ne__",
    "implementation",
    "implemented",
    "implement",
    "pytest",
    "pytest_runtest_call",
    "pytest_runtest_makereport",
    "pytest_collection_modifyitems",
    "pytest_sessionfinish",
    "collect_ignore",
    "collect_ignore_glob",
    "perf_counter",
    "retryTimes",
    "equals",
    "Equals",
    "eq",
    "setattr",
    "pylint",
    "mypy",
    "pyright",
    "biome",
    "lint",
    "flake8",
    "ruff",
];

/// Whether the change may take away an error, a check or a feature. `false` is certain as far as the detectors go.
pub fn may_weaken(before: &str, after: &str) -> bool {
    let (old, new) = middle(before, after);
    if old.is_empty() && new.is_empty() {
        return false;
    }
    // A piece of code that shrank.
    let (code_before, code_after) = (code_lines(old), code_lines(new));
    if code_after + 2 <= code_before || (code_after < code_before && comment_lines(new) > comment_lines(old))
    {
        return true;
    }
    let (mut lost, mut gained) = ([0i32; LOST.len()], [0i32; GAINED.len()]);
    count(old, LOST, &mut lost, 1);
    count(new, LOST, &mut lost, -1);
    count(new, GAINED, &mut gained, 1);
    count(old, GAINED, &mut gained, -1);
    lost.iter().chain(&gained).any(|count| *count > 0) || early_returns(new) > early_returns(old)
}

/// What is left of both texts without the lines that they begin and end with alike.
fn middle<'t>(before: &'t str, after: &'t str) -> (&'t str, &'t str) {
    let (old, new) = (before.as_bytes(), after.as_bytes());
    let same = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let start = old.get(..same).unwrap_or_default().iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
    let most = old.len().min(new.len()) - start;
    let tail = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let from = old.len() - tail;
    let tail = old.get(from..).unwrap_or_default().iter().position(|b| *b == b'\n').map_or(0, |at| tail - at);
    let cut = |text: &'t str| text.get(start..text.len() - tail).unwrap_or(text);
    (cut(before), cut(after))
}

/// Lines with code on them, comments left out as far as a glance tells.
fn code_lines(text: &str) -> usize {
    let is_code = |line: &&str| {
        let line = line.trim_start();
        line.len() > 2 && !["//", "#", "*", "/*", "\"\"\""].iter().any(|mark| line.starts_with(mark))
    };
    text.lines().filter(is_code).count()
}

fn comment_lines(text: &str) -> usize {
    text.lines()
        .filter(|line| ["//", "#", "/*"].iter().any(|mark| line.trim_start().starts_with(mark)))
        .count()
}

fn count(text: &str, words: &[&str], counts: &mut [i32], step: i32) {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    for word in text.split(|c| !is_part(c)).filter(|word| !word.is_empty()) {
        if let Some(slot) = words.iter().position(|known| *known == word).and_then(|at| counts.get_mut(at)) {
            *slot += step;
        }
    }
}

/// Returns of nothing or of a constant.
fn early_returns(text: &str) -> usize {
    text.match_indices("return")
        .filter(|(at, _)| {
            let rest = text.get(at + 6..).unwrap_or_default().trim_start_matches([' ', '\t']);
            let word: String = rest.chars().take_while(|c| c.is_alphabetic()).collect();
            rest.is_empty()
                || rest.starts_with(|c: char| !c.is_alphabetic() && !matches!(c, '(' | '_'))
                || matches!(
                    word.as_str(),
                    "null"
                        | "None"
                        | "nil"
                        | "true"
                        | "false"
                        | "True"
                        | "False"
                        | "undefined"
                        | "Default"
                        | "Ok"
                )
        })
        .count()
}
