//! The error in what a tool printed: its type, its message, the first stack frame in the project's own code.
//!
//! Two errors with the same signature are the same fault: what changes from run to run is not in it.

use super::failures::{self, Runner, shorten};
use super::signature;

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
pub struct Seen {
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

/// How a language writes an error's head line.
struct Shape {
    /// What the line begins with, blanks apart.
    begins: &'static str,
    /// What stands before the type in it.
    before: &'static str,
}

/// Head lines whose type stands before a colon. The first that fits counts.
static SHAPES: &[Shape] = &[
    Shape { begins: "Exception in thread ", before: "\" " },
    Shape { begins: "Caused by: ", before: "Caused by: " },
    Shape { begins: "Unhandled exception. ", before: "Unhandled exception. " },
    Shape { begins: "Unhandled Exception: ", before: "Unhandled Exception: " },
    Shape { begins: "PHP Fatal error:  Uncaught ", before: "Uncaught " },
    Shape { begins: "Fatal error: Uncaught ", before: "Uncaught " },
    Shape { begins: "Uncaught ", before: "Uncaught " },
];

/// Parts of a path or class that are not the project's.
static FOREIGN: &[&str] = &[
    "node_modules/",
    "node:",
    "internal/",
    "site-packages/",
    "dist-packages/",
    "/lib/python",
    "<frozen ",
    "/rustc/",
    ".cargo/registry",
    "/.rustup/",
    "/pkg/mod/",
    "/usr/local/go/",
    "/usr/lib/",
    "/go/src/runtime/",
    "java.base/",
    "at java.",
    "at javax.",
    "at jdk.",
    "at sun.",
    "at org.junit",
    "at org.gradle",
    "at System.",
    "at Microsoft.",
    "at Xunit.",
    "at NUnit.",
    "/gems/",
    "/vendor/",
    "<internal:",
];

/// Reads the error of an output; `None` when it says nothing.
pub fn read(output: &str) -> Option<Seen> {
    let lines = bounded(output);
    let text = lines.join("\n");
    let read = failures::read(&text);
    let runner = read.as_ref().map(|failures| failures.runner);
    let first = read.as_ref().and_then(|failures| failures.list.first());
    let head = head(&lines);
    let (kind, message, named) = match (&head, first) {
        (_, Some(failure)) if runner.is_some_and(|runner| runner != Runner::Any) => {
            let kind = failure.error_type.clone().unwrap_or_else(|| "test failure".to_owned());
            (kind, failure.message.clone(), true)
        }
        (Some((kind, message)), _) => (kind.clone(), message.clone(), true),
        (None, Some(failure)) => {
            let kind = failure.error_type.clone();
            let named = kind.is_some() || looks_like_an_error(&failure.message);
            (kind.unwrap_or_else(|| "error".to_owned()), failure.message.clone(), named)
        }
        (None, None) => return None,
    };
    let message = shorten(&message, LONGEST);
    let failing: Vec<String> =
        read.iter().flat_map(|read| &read.list).filter_map(|f| f.test.clone()).take(TESTS).collect();
    let frames: Vec<(String, &str)> = lines.iter().filter_map(|line| frame(line)).collect();
    let own: Vec<&(String, &str)> =
        frames.iter().filter(|(_, line)| !FOREIGN.iter().any(|mark| line.contains(mark))).collect();
    // Python prints the innermost frame last.
    let is_python = lines.iter().any(|line| line.starts_with("Traceback (most recent call last)"));
    let place = if is_python { own.last() } else { own.first() }.map(|(place, _)| place.clone());
    let place = place.or_else(|| first.and_then(|failure| failure.place.clone()));
    let test = failing.first().map(|test| format!("{test}: ")).unwrap_or_default();
    Some(Seen {
        signature: signature::normalise(&format!("{kind}: {test}{message}")),
        error_type: kind,
        message,
        place,
        stack_trace: frames.iter().take(FRAMES).map(|(_, line)| shorten(line, LONGEST)).collect(),
        failing_tests: failing,
        failures: read.as_ref().map_or(1, |read| read.list.len()),
        named,
    })
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

/// The type and message of the line that names an error by its language's own form.
fn head(lines: &[&str]) -> Option<(String, String)> {
    let mut pairs = lines.iter().zip(lines.iter().skip(1)).map(|(line, next)| (line.trim(), next.trim()));
    pairs.find_map(|(line, next)| {
        if let Some((_, rest)) = line.split_once("panicked at ") {
            // Since Rust 1.73 the message stands in the line below the place.
            let message = if rest.ends_with(':') { next } else { rest };
            return Some(("panic".to_owned(), message.to_owned()));
        }
        if let Some(message) = line.strip_prefix("panic: ") {
            let kind = if message.starts_with("runtime error") { "runtime error" } else { "panic" };
            return Some((kind.to_owned(), message.to_owned()));
        }
        if let Some(found) = ruby(line) {
            return Some(found);
        }
        let shape = SHAPES.iter().find(|shape| line.starts_with(shape.begins));
        let rest = match shape {
            Some(shape) => line.split_once(shape.before).map_or(line, |(_, rest)| rest),
            None => line,
        };
        let (class, message) = class(rest, shape.is_some())?;
        Some((class.to_owned(), message.to_owned()))
    })
}

/// `app.rb:3:in 'total': undefined method 'x' for nil (NoMethodError)`.
fn ruby(line: &str) -> Option<(String, String)> {
    let (before, class) = line.strip_suffix(')')?.rsplit_once(" (")?;
    let is_class = class.ends_with("Error") || class.ends_with("Exception");
    let (place, message) = before.split_once(": ")?;
    (is_class && place.contains(".rb:")).then(|| (class.to_owned(), message.to_owned()))
}

/// The class and message of `java.lang.NullPointerException: message`. Without one of the known beginnings the class
/// has to end like one.
fn class(text: &str, introduced: bool) -> Option<(&str, &str)> {
    let (head, message) = text.split_once(':').unwrap_or((text, ""));
    let head = head.split(" [").next().unwrap_or(head).trim();
    let is_name = !head.is_empty()
        && head.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'\\'));
    let ends = ["Error", "Exception", "Warning", "Interrupt"].iter().any(|end| head.ends_with(end));
    let last = head.rsplit(['.', '\\']).next().unwrap_or(head);
    // `Error:` alone is the class of JavaScript; a word of prose is none.
    let is_class =
        ends && (introduced || text.contains(": ")) && last.starts_with(|c: char| c.is_ascii_uppercase());
    let message = if message.trim().is_empty() { text } else { message.trim() };
    (is_name && is_class).then_some((last, message))
}

/// A stack frame: its `path:line`, and the line that shows whose it is.
fn frame(line: &str) -> Option<(String, &str)> {
    let text = line.trim();
    if let Some((path, rest)) = text.strip_prefix("File \"").and_then(|rest| rest.split_once("\", line ")) {
        let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
        return Some((format!("{path}:{number}"), line));
    }
    if let Some((_, place)) = text.split_once("panicked at ") {
        return two(place.trim_end_matches(':')).map(|place| (place, line));
    }
    // C#: `at Shop.Cart.Add(Int32 n) in /src/Cart.cs:line 12`.
    if let Some((path, number)) =
        text.strip_prefix("at ").and_then(|f| f.rsplit_once(" in ")?.1.rsplit_once(":line "))
    {
        return Some((format!("{path}:{number}"), line));
    }
    // Java, JavaScript and Rust's backtraces: `at frame (place)` or `at place`.
    if let Some(rest) = text.strip_prefix("at ") {
        let place = rest.rsplit_once('(').map_or(rest, |(_, place)| place.trim_end_matches(')'));
        return two(place.trim_start_matches("file://").trim_start_matches("./")).map(|place| (place, line));
    }
    // Go: the function, then a tab and its place.
    if let Some(place) = line.strip_prefix('\t').filter(|place| place.contains(".go:")) {
        return two(place.split(" +0x").next().unwrap_or(place)).map(|place| (place, line));
    }
    // PHP: `#0 /app/src/Cart.php(12): Cart->add()`, and `... in /app/src/Cart.php:12`.
    if let Some(rest) = text.strip_prefix('#').and_then(|rest| rest.split_once(' ')).map(|(_, rest)| rest)
        && let Some((path, number)) = rest.split_once("): ").and_then(|(place, _)| place.rsplit_once('('))
    {
        return Some((format!("{path}:{number}"), line));
    }
    if let Some((_, place)) = text.rsplit_once(" in /").filter(|(_, place)| place.contains(".php:")) {
        return two(&format!("/{place}")).map(|place| (place, line));
    }
    // Ruby: `app.rb:3:in 'total'`, the outer ones behind `from`.
    if let Some((place, _)) =
        text.trim_start_matches("from ").split_once(":in ").filter(|(p, _)| p.contains(".rb:"))
    {
        return Some((place.to_owned(), line));
    }
    None
}

/// `path:line` of `path:line` or `path:line:column`.
fn two(place: &str) -> Option<String> {
    let mut parts = place.rsplitn(3, ':');
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (last, middle, first) = (parts.next()?, parts.next()?, parts.next());
    if !is_number(last) {
        return None;
    }
    let found = match first {
        Some(path) if is_number(middle) => format!("{path}:{middle}"),
        Some(path) => format!("{path}:{middle}:{last}"),
        None => format!("{middle}:{last}"),
    };
    found.contains('.').then_some(found)
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
