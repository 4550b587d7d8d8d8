//! Why a check failed, in words: how many tests, what the first failure says, and what known messages mean.

use crate::loops::verification::CheckResult;
use crate::model::finding::counted;
use crate::model::words::first_of;
use crate::runners::failures::{Failures, TestFailure};

/// How many failing tests are named in a sentence.
const NAMED: usize = 5;

/// Why the check failed, as far as its output tells.
pub(super) fn why(check: &CheckResult, known: &Failures, first: &TestFailure) -> String {
    let place = first.place.as_ref().map(|place| format!(" at {place}")).unwrap_or_default();
    let cause = cause(check, first, &place);
    let tests: Vec<&str> = known.list.iter().filter_map(|failure| failure.test.as_deref()).collect();
    let many = match (tests.len(), known.list.len()) {
        (0, 1) => String::new(),
        (0, errors) => format!("{}, in {}. ", counted(errors, "error"), places(&known.list)),
        (1, _) => String::new(),
        (count, _) => format!("{count} tests fail: {}. ", named(&tests)),
    };
    format!("{many}{cause}")
}

/// The cause of one failure, by what it says.
fn cause(check: &CheckResult, first: &TestFailure, place: &str) -> String {
    let who = first.test.as_ref().map_or("The code".to_owned(), |test| format!("\"{test}\""));
    let class = first.error_type.as_deref().unwrap_or("error");
    match (&first.expected, &first.actual) {
        (Some(expected), Some(actual)) => return format!("{who} wants {expected} and gets {actual}{place}."),
        (Some(expected), None) => return format!("{who} wants {expected}{place}: {}.", stop(&first.message)),
        _ => {}
    }
    for (part, meaning) in MEANINGS {
        if first.message.contains(part) || class == *part {
            return format!("{meaning}{place}: {}.", stop(&first.message));
        }
    }
    if check.not_found {
        return format!(
            "The shell found no program to run in `{}`: {}.",
            check.command,
            stop(&first.message)
        );
    }
    format!("{who} ends in {}{place}: {}.", article(class), stop(&first.message))
}

/// What known messages mean.
const MEANINGS: &[(&str, &str)] = &[
    ("Cannot read propert", "Something that is null or undefined is used as an object"),
    ("is not a function", "Something is called that is no function"),
    ("is not defined", "A name is used that nothing defines"),
    ("called `Option::unwrap()` on a `None`", "An empty Option is unwrapped"),
    ("called `Result::unwrap()` on an `Err`", "An error is unwrapped"),
    ("index out of bounds", "An index is beyond the end"),
    ("nil pointer dereference", "A nil pointer is used"),
    ("Missing expected exception", "A call that must throw returns"),
    ("ModuleNotFoundError", "A module is imported that is not installed or not on the path"),
    ("Cannot find module", "A module is imported that is not installed or has another path"),
    ("ImportError", "An import does not find what it names"),
    ("mismatched types", "A value has another type than its place demands"),
    ("is not assignable to type", "A value has another type than its place demands"),
    ("does not exist on type", "A member is used that its type does not have"),
    ("cannot find", "A name is used that is not in scope"),
    ("undefined:", "A name is used that nothing defines"),
    ("borrow of moved value", "A value is used after it was moved"),
    ("ECONNREFUSED", "Nothing listens where a connection is opened"),
    ("EADDRINUSE", "A port is taken by another process"),
    ("No module named", "A module is run or imported that is not installed here"),
    ("Missing script", "The package has no script of that name"),
    ("SyntaxError", "The text does not parse"),
];

/// The first names, and how many more.
pub(super) fn named(names: &[&str]) -> String {
    first_of(names, NAMED)
}

fn places(list: &[TestFailure]) -> String {
    let mut files: Vec<&str> = Vec::new();
    for file in
        list.iter().filter_map(|failure| failure.place.as_deref()?.rsplit_once(':')).map(|(file, _)| file)
    {
        if !files.contains(&file) {
            files.push(file);
        }
    }
    if files.is_empty() { "places it does not name".to_owned() } else { named(&files) }
}

fn stop(message: &str) -> &str {
    message.trim_end_matches('.')
}

fn article(class: &str) -> String {
    let vowel = class.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
    format!("{} {class}", if vowel { "an" } else { "a" })
}
