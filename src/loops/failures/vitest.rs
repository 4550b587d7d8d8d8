//! Vitest: blocks of ` FAIL  file > suite > test`.

use crate::loops::failures::{Failure, error_class, place_in_stack};

pub(crate) fn read(lines: &[&str]) -> Vec<Failure> {
    if !lines.iter().any(|line| line.contains("⎯⎯") && line.contains("Failed")) {
        return Vec::new();
    }
    let name = |line: &str| {
        let name = line.trim().strip_prefix("FAIL ")?.trim();
        (line.starts_with(' ') && !name.is_empty()).then(|| name.to_owned())
    };
    let mut failures: Vec<Failure> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(name) = name(line) else { continue };
        let body = lines.get(at + 1..).unwrap_or_default();
        let end = body
            .iter()
            .position(|line| self::is_end(line) || line.starts_with(" FAIL "))
            .unwrap_or(body.len());
        failures.push(block(name, body.get(..end).unwrap_or_default()));
    }
    // Several tests with one error stand above one block.
    for at in (1..failures.len()).rev() {
        if let Some([one, next]) = failures.get_mut(at - 1..=at)
            && one.message.is_empty()
        {
            let test = one.test.take();
            *one = Failure { test, ..next.clone() };
        }
    }
    failures
}

fn is_end(line: &str) -> bool {
    line.starts_with("⎯⎯⎯")
}

fn block(name: String, body: &[&str]) -> Failure {
    let message = body.iter().find(|line| !line.trim().is_empty()).copied().unwrap_or_default().trim();
    let side = |sign: &str| {
        body.iter().skip(1).find_map(|line| {
            let value = line.strip_prefix(sign)?.trim();
            (!value.is_empty() && !matches!(value, "Expected" | "Received")).then(|| value.to_owned())
        })
    };
    Failure {
        test: Some(name),
        message: message.to_owned(),
        expected: side("- "),
        actual: side("+ "),
        place: body.iter().find_map(|line| place_in_stack(line)),
        error_type: error_class(message),
    }
}
