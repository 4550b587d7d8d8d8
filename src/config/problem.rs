//! What is wrong with a configuration file as a whole, in words for the person who wrote it.

use std::io;

use super::FILE;
use crate::yaml::{NotYaml, Problem, ProblemWeight, position_of, worst};

/// The file can't be read.
pub(super) fn unreadable(error: &io::Error) -> Problem {
    Problem::of_file(format!("can't be read: {error}; the built-in defaults hold"))
}

/// The file is no YAML.
pub(super) fn broken(text: &str, broken: NotYaml) -> Problem {
    let message = format!("the file can't be read as YAML: {}; the built-in defaults hold", broken.message);
    match broken.at {
        Some(at) => Problem::new(ProblemWeight::Error, text, at, message, None),
        None => Problem::of_file(message),
    }
}

/// The byte `at` of the file is no UTF-8.
pub(super) fn not_utf8(bytes: &[u8], at: usize) -> Problem {
    let message = "the file is not UTF-8; the built-in defaults hold".to_owned();
    let text = String::from_utf8_lossy(bytes);
    Problem::new(ProblemWeight::Error, &text, position_of(bytes, at), message, None)
}

/// One message about all of `problems`: the worst in full, the others by number.
pub fn notice(problems: &[Problem]) -> Option<String> {
    worst(FILE, problems.iter(), "steadfast config check")
}
