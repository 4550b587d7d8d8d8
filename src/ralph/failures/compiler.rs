//! Compilers, type checkers and linters: rustc, tsc, eslint, and the `path:line:column: error: message` of the others.

use super::{Failure, place_of};

pub(super) fn read(lines: &[&str]) -> Vec<Failure> {
    let mut failures = Vec::new();
    let mut file = None;
    for (at, line) in lines.iter().enumerate() {
        // eslint writes the file once, and its messages below.
        if !line.starts_with(char::is_whitespace) {
            file = (line.contains('/') || line.contains('.')).then_some(*line);
        }
        let next = lines.get(at + 1).copied().unwrap_or_default();
        failures.extend(
            rustc(line, next).or_else(|| tsc(line)).or_else(|| eslint(line, file)).or_else(|| classic(line)),
        );
    }
    failures
}

/// `error[E0308]: mismatched types` with ` --> src/lib.rs:1:51` below.
fn rustc(line: &str, next: &str) -> Option<Failure> {
    let place = next.trim().strip_prefix("--> ").and_then(place_of)?;
    let rest = line.strip_prefix("error")?;
    let (code, message) = match rest.strip_prefix('[') {
        Some(rest) => rest.split_once("]: ")?,
        None => ("error", rest.strip_prefix(": ")?),
    };
    Some(error(message, Some(place), code))
}

/// `bad.ts(1,7): error TS2322: message`, or with `--pretty` `bad.ts:1:7 - error TS2322: message`.
fn tsc(line: &str) -> Option<Failure> {
    let (before, rest) = line.split_once("error TS")?;
    let (number, message) = rest.split_once(": ")?;
    if !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let before = before.trim_end_matches([' ', ':', '-']);
    let place = match before.split_once('(') {
        Some((path, position)) => Some(format!("{path}:{}", position.split(',').next()?)),
        None => place_of(before),
    };
    Some(error(message, place, &format!("TS{number}")))
}

/// `  1:5   error    'a' is assigned a value but never used  no-unused-vars`.
fn eslint(line: &str, file: Option<&str>) -> Option<Failure> {
    let mut words = line.split_whitespace();
    let (row, column) = words.next()?.split_once(':')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !line.starts_with(' ') || !is_number(row) || !is_number(column) || words.next()? != "error" {
        return None;
    }
    let (_, told) = line.split_once(" error ")?;
    let (message, rule) = told.trim().rsplit_once("  ").unwrap_or((told.trim(), "error"));
    Some(error(message.trim(), Some(format!("{}:{row}", file.unwrap_or("?"))), rule))
}

/// `x.c:3:5: error: message`, `x.py:3: error: message  [arg-type]`, `x.py:1:1: F401 message`.
fn classic(line: &str) -> Option<Failure> {
    let (place, rest) = line.split_once(": ")?;
    let place = place_of(place)?;
    if let Some(message) = rest.strip_prefix("error: ").or_else(|| rest.strip_prefix("fatal error: ")) {
        let code = message.rsplit_once('[').and_then(|(_, code)| code.strip_suffix(']')).unwrap_or("error");
        return Some(error(message, Some(place), code));
    }
    let (code, message) = rest.split_once(' ')?;
    let letters = code.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let is_code = letters.len() < code.len()
        && (1..=4).contains(&letters.len())
        && letters.bytes().all(|byte| byte.is_ascii_uppercase());
    is_code.then(|| error(message, Some(place), code))
}

fn error(message: &str, place: Option<String>, code: &str) -> Failure {
    Failure { message: message.to_owned(), place, error_type: Some(code.to_owned()), ..Failure::default() }
}
