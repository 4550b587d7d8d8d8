//! Any other output: the line that looks most like the error.

use crate::runners::failure::{TestFailure, error_class, place_in_stack};
use crate::runners::frames;

/// What a line of an error begins with, most telling first. What wrappers print about the failure of a command that
/// they ran stands at the end, as it says nothing of the cause.
const BEGINNINGS: &[&str] = &[
    "error:",
    "error[",
    "fatal:",
    "fatal error:",
    "panic:",
    "exception in",
    "traceback",
    "failed:",
    "failure:",
    "fail ",
];

/// What the wrappers print.
const WRAPPERS: &[&str] =
    &["npm err!", "npm error", "make: ***", "make[", "error: process completed", "error command failed"];

/// Parts of a line that a shell or system prints for a failure.
const PARTS: &[&str] = &[
    ": not found",
    "command not found",
    "no such file or directory",
    "permission denied",
    "cannot find module",
    "connection refused",
    "address already in use",
    "out of memory",
    "timed out",
    "missing script",
    " failed",
];

pub(crate) fn read(lines: &[&str]) -> Vec<TestFailure> {
    let rank = |line: &str| {
        let lower = line.trim().to_lowercase();
        if WRAPPERS.iter().any(|start| lower.starts_with(start)) {
            return lower.contains("missing script").then_some(3);
        }
        if error_class(line.trim()).is_some() {
            return Some(0);
        }
        let begins =
            BEGINNINGS.iter().any(|start| lower.starts_with(start)) && !lower.starts_with("traceback");
        let holds = PARTS.iter().any(|part| lower.contains(part));
        begins.then_some(1).or_else(|| holds.then_some(2))
    };
    let best = lines.iter().enumerate().filter_map(|(at, line)| Some((rank(line)?, at))).min();
    let last = || lines.iter().rposition(|line| !line.trim().is_empty()).map(|at| (9, at));
    let Some((_, at)) = best.or_else(last) else { return Vec::new() };
    let message = lines.get(at).copied().unwrap_or_default().trim();
    let near = lines.get(at.saturating_sub(6)..(at + 12).min(lines.len())).unwrap_or_default();
    let stack = near.iter().find_map(|line| place_in_stack(line));
    let own = message.split_whitespace().find_map(frames::own_place);
    vec![TestFailure {
        message: message.to_owned(),
        place: own.or(stack),
        error_type: error_class(message),
        ..TestFailure::default()
    }]
}
