//! The error in what a tool printed: its type, its message, the first stack frame in the project's own code.
//!
//! Two errors with the same signature are the same fault: what changes from run to run is not in it.

use crate::loops::verification::printed;
use crate::runners::failures::{self, OutputSource, shorten};
use crate::runners::frames;

mod head;
pub mod signature;

/// The longest message, in letters.
const LONGEST: usize = 300;
/// How many stack frames are kept.
const FRAMES: usize = 10;
/// How many failing tests are kept.
const TESTS: usize = 50;
/// How many lines are looked at from either end.
const LINES: usize = 2_000;

/// One error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObservedError {
    /// `TypeError`, `panic`, `E0308`; `error` when the output names none.
    pub error_type: String,
    /// In one line.
    pub message: String,
    /// `path:line` of the first frame that is the project's own.
    pub place: Option<String>,
    /// The frames as printed, innermost first where the language prints so.
    pub stack_trace: Vec<String>,
    /// What is equal for the same fault.
    pub signature: String,
    /// The tests that failed.
    pub failing_tests: Vec<String>,
    /// How many failures the output tells of.
    pub failures: usize,
    /// Whether the output names an error, rather than merely being what a failed command said.
    pub named: bool,
}

/// Reads the error of an output; `None` when it says nothing.
pub fn read(output: &str) -> Option<ObservedError> {
    let plain = printed::plain(output.as_bytes());
    let lines = bounded(&plain);
    let text = lines.join("\n");
    let read = failures::read(&text);
    let first = read.as_ref().and_then(|failures| failures.list.first());
    let of_runner = first.filter(|_| read.as_ref().is_some_and(|read| read.source != OutputSource::Unknown));
    let (kind, message, named) = match (of_runner, head::read(&lines), first) {
        (Some(failure), _, _) => {
            let kind = failure.error_type.clone().unwrap_or_else(|| "test failure".to_owned());
            (kind, failure.message.clone(), true)
        }
        (None, Some((kind, message)), _) => (kind, message, true),
        (None, None, Some(failure)) => {
            let kind = failure.error_type.clone();
            let named = kind.is_some() || looks_like_an_error(&failure.message);
            (kind.unwrap_or_else(|| "error".to_owned()), failure.message.clone(), named)
        }
        (None, None, None) => return None,
    };
    let message = without_type(&message, &kind);
    let failing: Vec<String> =
        read.iter().flat_map(|read| &read.list).filter_map(|f| f.test.clone()).take(TESTS).collect();
    let place = of_runner
        .and_then(|failure| failure.place.clone())
        .or_else(|| own_place(&lines))
        .or_else(|| first.and_then(|failure| failure.place.clone()));
    let stack_trace = lines.iter().filter(|line| frames::of(line).is_some());
    Some(ObservedError {
        signature: signature(&kind, failing.first(), message, place.as_deref()),
        error_type: kind,
        message: shorten(message, LONGEST),
        place,
        stack_trace: stack_trace.take(FRAMES).map(|line| shorten(line, LONGEST)).collect(),
        failing_tests: failing,
        failures: read.as_ref().map_or(1, |read| read.total),
        named,
    })
}

/// `boom` of `TypeError: boom`, whose type is told beside it.
fn without_type<'a>(message: &'a str, kind: &str) -> &'a str {
    let (head, rest) = message.split_once(": ").unwrap_or((message, ""));
    let head = head.split(" [").next().unwrap_or(head);
    let is_type = head == kind || head.ends_with(&format!(".{kind}"));
    if is_type && !rest.is_empty() { rest } else { message }
}

/// What is equal for the same fault: its type, its message, the name of the file that it is in, and the first failing
/// test. A line moves with every edit and is left out; a number in a test's name tells it from its sister.
fn signature(kind: &str, test: Option<&String>, message: &str, place: Option<&str>) -> String {
    let path = place.and_then(|place| place.rsplit_once(':')).map(|(path, _)| signature::file(path));
    let file = path.as_deref().and_then(|path| path.rsplit('/').next()).filter(|file| !file.is_empty());
    let file = file.map(|file| format!(" in {file}")).unwrap_or_default();
    let test = test.map(|test| format!(" | {test}")).unwrap_or_default();
    format!("{}{test}", signature::normalise(&format!("{kind}: {message}{file}")))
}

/// The place of the error in the project's own code: its innermost frame there.
fn own_place(lines: &[&str]) -> Option<String> {
    let own: Vec<String> =
        lines.iter().filter_map(|line| frames::of(line)).filter(|it| it.own).map(|it| it.place).collect();
    // Python prints the innermost frame last.
    let is_python = lines.iter().any(|line| line.contains("Traceback (most recent call last)"));
    let place = if is_python { own.into_iter().next_back() } else { own.into_iter().next() };
    // A file that can't be read as code is named above the code.
    place.or_else(|| lines.iter().filter_map(|line| frames::alone(line)).find(|it| it.own).map(|it| it.place))
}

/// The lines of an output, without the host's exit code; of a very long one its two ends. A blank one ends them, so
/// that every line has a next one.
fn bounded(output: &str) -> Vec<&str> {
    let all: Vec<&str> = output.lines().filter(|line| !line.starts_with("Exit code ")).collect();
    let mut lines = match all.len() {
        many if many > 2 * LINES => {
            let (start, end) = (all.get(..LINES), all.get(many - LINES..));
            [start.unwrap_or_default(), end.unwrap_or_default()].concat()
        }
        _ => all,
    };
    lines.push("");
    lines
}

/// Whether a line without a class is an error's all the same.
fn looks_like_an_error(line: &str) -> bool {
    let lower = line.to_lowercase();
    let marks = [
        "error",
        "fatal",
        "failed",
        "failure",
        "not found",
        "no such file",
        "denied",
        "cannot ",
        "unable to",
        "refused",
        "timed out",
    ];
    marks.iter().any(|mark| lower.contains(mark))
}

#[cfg(test)]
mod tests;
