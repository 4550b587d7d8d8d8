//! Mocha: the numbered list under `N failing`.

use crate::loops::failures::{Failure, error_class, indent, place_in_stack};

pub(crate) fn read(lines: &[&str]) -> Vec<Failure> {
    let is_count = |line: &str| {
        line.trim()
            .strip_suffix(" failing")
            .is_some_and(|count| count.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let Some(from) = lines.iter().position(|line| is_count(line)) else { return Vec::new() };
    let list = lines.get(from + 1..).unwrap_or_default();
    let starts: Vec<usize> =
        (0..list.len()).filter(|at| list.get(*at).is_some_and(|line| number(line).is_some())).collect();
    let mut failures = Vec::new();
    for (nth, at) in starts.iter().enumerate() {
        let end = starts.get(nth + 1).copied().unwrap_or(list.len());
        failures.extend(block(list.get(*at..end).unwrap_or_default()));
    }
    failures
}

/// `1) sum`: the list's own numbers stand two blanks in.
fn number(line: &str) -> Option<&str> {
    let (count, name) = line.trim().split_once(") ")?;
    (indent(line) == 2 && count.bytes().all(|byte| byte.is_ascii_digit())).then_some(name)
}

/// The title goes over several lines, each further in, until one ends with a colon.
fn block(lines: &[&str]) -> Option<Failure> {
    let mut path = vec![number(lines.first()?)?.trim_end_matches(':').to_owned()];
    let mut at = 1;
    if !lines.first()?.ends_with(':') {
        for line in lines.get(1..)? {
            at += 1;
            path.push(line.trim().trim_end_matches(':').to_owned());
            if line.ends_with(':') || path.len() > 20 {
                break;
            }
        }
    }
    let body = lines.get(at..)?;
    let message = body.iter().find(|line| !line.trim().is_empty())?.trim();
    let diff =
        body.iter().position(|line| line.trim() == "+ expected - actual").map_or(body.len(), |at| at + 1);
    let side = |sign: char| {
        body.iter()
            .skip(diff)
            .take_while(|line| !line.trim().starts_with("at "))
            .find_map(|line| line.trim().strip_prefix(sign).map(|value| value.trim().to_owned()))
    };
    Some(Failure {
        test: Some(path.join(" > ")),
        message: message.to_owned(),
        expected: side('+'),
        actual: side('-'),
        place: body.iter().find_map(|line| place_in_stack(line)),
        error_type: error_class(message),
    })
}
