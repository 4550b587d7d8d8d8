//! Checking a definition file as a whole, the way it would be used.

use std::io::{self, Read};
use std::path::Path;

use serde::Serialize;

use super::builtin::BUILTIN;
use super::parse::parse;
use crate::state::own_file;
use crate::yaml::{LIMIT, Position, Problem, ProblemWeight, position_of};

/// What a check found.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct DefinitionsCheck {
    /// How many problems keep the file from being used.
    pub errors: usize,
    /// How many of its fields have no effect.
    pub warnings: usize,
    /// The hooks that the file names.
    pub hooks: Vec<&'static str>,
    /// The problems, in the order of its lines.
    pub problems: Vec<Problem>,
}

/// Checks a file; one that is not there is a problem too.
pub fn check_file(path: &Path) -> DefinitionsCheck {
    match read_text(path) {
        Ok(Some(text)) => check(&text),
        Ok(None) => report(Vec::new(), vec![unreadable("the file does not exist".to_owned())]),
        Err(problem) => report(Vec::new(), vec![problem]),
    }
}

/// Checks a file's text.
pub fn check(text: &str) -> DefinitionsCheck {
    let parsed = parse(text, &BUILTIN);
    report(parsed.named.iter().map(|(hook, _)| hook.name()).collect(), parsed.problems)
}

fn report(hooks: Vec<&'static str>, problems: Vec<Problem>) -> DefinitionsCheck {
    let errors = problems.iter().filter(|problem| problem.weight == ProblemWeight::Error).count();
    DefinitionsCheck { errors, warnings: problems.len() - errors, hooks, problems }
}

fn unreadable(message: String) -> Problem {
    Problem::new(ProblemWeight::Error, "", Position::START, message, None)
}

/// A file's text, bounded; `None` when there is no such file.
pub(super) fn read_text(path: &Path) -> Result<Option<String>, Problem> {
    let mut bytes = Vec::new();
    let read = own_file::open(path).and_then(|file| file.take(LIMIT as u64 + 1).read_to_end(&mut bytes));
    match read {
        Ok(_) => {}
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(unreadable(format!("the file can't be read: {error}"))),
    }
    if bytes.len() > LIMIT {
        return Err(unreadable(format!("the file is larger than {LIMIT} bytes")));
    }
    String::from_utf8(bytes).map(Some).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let (text, at) = (String::from_utf8_lossy(error.as_bytes()), position_of(error.as_bytes(), good));
        Problem::new(ProblemWeight::Error, &text, at, "the file is not UTF-8".to_owned(), None)
    })
}
