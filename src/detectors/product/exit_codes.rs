//! Programs and functions that end well where they ended with a code of failure.

use crate::detectors::Case;
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::refusals::has_tests_of;
use crate::languages::code::{bare, identifiers, may_refuse};
use crate::model::finding::Severity;

/// Calls that end a process with a code, without white space.
const ENDING: &[&str] = &[
    "sys.exit(",
    "process.exit(",
    "os.Exit(",
    "System.exit(",
    "exitProcess(",
    "Environment.Exit(",
    "std::process::exit(",
    "process::exit(",
    "ExitCode::from(",
    "System.halt(",
    "std::exit(",
    "os._exit(",
    "typer.Exit(code=",
    "process.exitCode=",
    "Environment.ExitCode=",
    "exit(",
];
/// Ways to end with a failure that have no number.
const FAILURES: &[&str] = &["ExitCode::FAILURE", "EXIT_FAILURE"];

/// The first failing end that an edit takes away where all else goes on.
pub(super) fn failure_lost(case: &Case, revision: &Revision) -> Option<LostCheck> {
    if let Some(lost) = code_forgotten(case, revision) {
        return Some(lost);
    }
    if !revision.hunks().iter().any(|hunk| hunk.gone.iter().any(|line| fails(line.text))) {
        return None;
    }
    let count = |text: &str| text.lines().filter(|line| fails(line.trim())).count();
    if count(revision.new) >= count(revision.old) {
        return None;
    }
    revision.hunks().iter().find_map(|hunk| {
        let line = hunk.gone.iter().find(|it| fails(it.text))?;
        let old = revision.owner_at(line.at)?;
        let new = revision.successor(old)?;
        let (function, after) = (revision.before.functions.get(old)?, revision.after.functions.get(new)?);
        let is_refused = hunk.come.iter().any(|it| {
            fails(it.text)
                || may_refuse(revision.words, it.text) && !is_log_of(it)
                || gives_named_code(revision.new, it.text)
        });
        let body = revision.new.get(after.body.clone()).unwrap_or_default();
        let is_well = body.lines().any(|it| ends_well(it.trim())) || !line.text.starts_with("return");
        let small = hunk.come.len() <= 3
            && hunk.gone.len() <= 6
            && (is_in_branch(hunk, line) || chooses(line.text, &bare(line.text)));
        (!is_refused && is_well && small && !has_tests_of(case, function.name)).then(|| {
            let what = format!("`{}` would be gone, and a failure end like a success", short(line.text));
            LostCheck::new(line.number, function.name, what, Severity::High)
        })
    })
}

/// Whether a line gives back a name that the file declares as a number other than 0: `return InvalidSpecExitCode;`.
fn gives_named_code(text: &str, line: &str) -> bool {
    let Some((_, rest)) = line.split_once("return ") else { return false };
    let name = rest.trim_end_matches(['}', ';', ' ']);
    let declares = |line: &str| {
        let (head, value) = line.split_once('=').unwrap_or_default();
        let value = value.trim().trim_end_matches([';', ',']);
        identifiers(head).last() == Some(name) && value != "0" && value.parse::<i32>().is_ok()
    };
    !name.is_empty() && text.lines().any(declares)
}

/// An end with a code that was worked out, which is the code of success now: `sys.exit(main())`, `os.Exit(code)`.
fn code_forgotten(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let code = |line: &CodeLine| {
        let text = bare(line.text);
        let (head, rest) = ENDING.iter().find_map(|head| Some((*head, text.split_once(head)?.1)))?;
        let rest = rest.trim_end_matches(';');
        Some((head, rest.strip_suffix(')').unwrap_or(rest).to_owned()))
    };
    let is_worked =
        |code: &str| code.starts_with(|c: char| c.is_alphabetic() || c == '_') && code != "EXIT_SUCCESS";
    revision.hunks().iter().filter(|hunk| hunk.gone.len() <= 4 && hunk.come.len() <= 4).find_map(|hunk| {
        let mut all = hunk.gone.iter().filter_map(|line| Some((line, code(line)?)));
        let (line, (head, _)) = all.find(|(_, (_, code))| is_worked(code))?;
        let is_well = hunk.come.iter().filter_map(code).any(|(other, code)| other == head && code == "0");
        let is_worked_still = hunk.come.iter().filter_map(code).any(|(_, code)| is_worked(&code));
        let owner = revision.old_function_at(line.at);
        let name = owner.map_or(line.text, |it| it.name);
        (is_well && !is_worked_still && !has_tests_of(case, name)).then(|| {
            let what = format!("`{}` would end well whatever has come of it", short(line.text));
            LostCheck::new(line.number, name, what, Severity::High)
        })
    })
}

/// A line that only tells of a fault says no by no code.
fn is_log_of(line: &CodeLine) -> bool {
    let text = line.text;
    !["raise", "throw", "return", "panic", "exit", "bail", "Err(", ".parse_args("]
        .iter()
        .any(|word| text.contains(word))
}

/// Whether something stands around a line that it depends on.
fn is_in_branch(hunk: &TextHunk, line: &CodeLine) -> bool {
    hunk.above.is_some() && hunk.below.is_some() || hunk.gone.iter().any(|it| it.at < line.at)
}

/// Whether a line ends with a code that says that something failed.
fn fails(line: &str) -> bool {
    let text = bare(line);
    let text = text.trim_end_matches(';');
    let number = |rest: &str| {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        let rest = rest.get(digits.len()..).unwrap_or_default();
        digits.parse::<u32>().is_ok_and(|it| (1..256).contains(&it))
            && (rest.is_empty() || rest.starts_with(')'))
    };
    FAILURES.iter().any(|it| text.contains(it))
        || chooses(line, text)
        || ENDING.iter().any(|head| text.split_once(head).is_some_and(|(_, rest)| number(rest)))
        || text
            .strip_prefix("return")
            .is_some_and(|rest| line.starts_with("return ") && rest.len() < 4 && number(rest))
}

/// Whether a line ends with one of two codes: `return 1 if failures else 0`, `process.exit(failed ? 1 : 0)`.
fn chooses(line: &str, text: &str) -> bool {
    let leaves = line.starts_with("return ") || ENDING.iter().any(|it| text.contains(it));
    let pairs = [
        ("1if", "else0"),
        ("0if", "else1"),
        ("?1:0", ""),
        ("?0:1", ""),
        ("{1}else{0}", ""),
        ("{0}else{1}", ""),
    ];
    leaves && pairs.iter().any(|(first, second)| text.contains(first) && text.contains(second))
}

/// Whether a line ends with the code of success.
fn ends_well(line: &str) -> bool {
    matches!(
        bare(line).trim_end_matches(';'),
        "return0"
            | "returnEXIT_SUCCESS"
            | "sys.exit(0)"
            | "process.exit(0)"
            | "os.Exit(0)"
            | "ExitCode::SUCCESS"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_of_failure_is_told_from_other_numbers() {
        for (line, expected) in [
            ("return 2", true),
            ("return 2;", true),
            ("sys.exit(1)", true),
            ("process.exitCode = 3;", true),
            ("return ExitCode::FAILURE;", true),
            ("return 1 if failures else 0", true),
            ("process.exit(failed ? 1 : 0);", true),
            ("return 0", false),
            ("return 1024", false),
            ("return 2 * x", false),
            ("sys.exit(main())", false),
            ("os.Exit(0)", false),
        ] {
            assert_eq!(fails(line), expected, "{line}");
        }
    }
}
