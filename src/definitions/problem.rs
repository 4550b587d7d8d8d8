//! What a person must hear of a definition file that is not used.

use crate::yaml::worst;
pub use crate::yaml::{Problem, ProblemWeight};

/// What a person must hear of `problems`: that the file is not used, and why. Warnings wait for `steadfast hooks check`.
pub fn notice(file: &str, problems: &[Problem]) -> Option<String> {
    let errors = problems.iter().filter(|problem| problem.weight == ProblemWeight::Error);
    let why = worst(file, errors, "steadfast hooks check")?;
    Some(format!("{why} The file is not used; the built-in definitions hold."))
}
