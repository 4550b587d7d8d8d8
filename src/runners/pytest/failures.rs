//! pytest: blocks under FAILURES and ERRORS, and the short summary.

use crate::runners::failure::{TestFailure, error_class};
use crate::runners::frames;

pub(super) fn read(lines: &[&str]) -> Vec<TestFailure> {
    let summary = lines.iter().filter_map(|line| {
        let rest = line.strip_prefix("FAILED ").or_else(|| line.strip_prefix("ERROR "))?;
        let (name, message) = rest.split_once(" - ").unwrap_or((rest, ""));
        (name.contains("::") || name.contains(".py")).then_some((name, message))
    });
    let blocks = blocks(lines);
    let mut failures = Vec::new();
    for (name, message) in summary {
        let key = name.split_once("::").map_or(name, |(_, test)| test).replace("::", ".");
        let block = blocks.iter().find(|(title, _)| {
            let around = title.strip_prefix("ERROR at ").and_then(|rest| rest.split_once(" of "));
            *title == key
                || around.is_some_and(|(_, of)| of == key)
                || title.ends_with(&format!("collecting {name}"))
        });
        let mut failure = block.map(|(_, body)| of_block(body)).unwrap_or_default();
        failure.test = Some(name.to_owned());
        if failure.message.is_empty() || !message.is_empty() && !message.ends_with("...") {
            failure.message = if message.is_empty() { format!("{name} failed") } else { message.to_owned() };
        }
        let asserts = failure.message.starts_with("assert ").then(|| "AssertionError".to_owned());
        failure.error_type = failure.error_type.or_else(|| error_class(&failure.message)).or(asserts);
        failure.place = failure.place.or_else(|| of_line(lines, &failure.message));
        failures.push(failure);
    }
    // Without the summary (`-rN`, or cut off) the blocks tell.
    if failures.is_empty() {
        for (title, body) in
            blocks.iter().filter(|(_, body)| body.iter().any(|line| line.starts_with("E   ")))
        {
            failures.push(TestFailure { test: Some((*title).to_owned()), ..of_block(body) });
        }
    }
    failures
}

/// Blocks by title: `____ TestCart.test_empty ____`.
fn blocks<'a>(lines: &'a [&'a str]) -> Vec<(&'a str, &'a [&'a str])> {
    let title = |line: &'a str| {
        let inner = line.strip_prefix("___")?.strip_suffix("___")?.trim_matches('_').trim();
        (!inner.is_empty()).then_some(inner)
    };
    let starts: Vec<(usize, &str)> =
        lines.iter().enumerate().filter_map(|(at, line)| Some((at, title(line)?))).collect();
    let mut blocks = Vec::new();
    for (at, name) in starts {
        let body = lines.get(at + 1..).unwrap_or_default();
        let end = body
            .iter()
            .position(|line| title(line).is_some() || line.starts_with("==="))
            .unwrap_or(body.len());
        blocks.push((name, body.get(..end).unwrap_or_default()));
    }
    blocks
}

fn of_block(body: &[&str]) -> TestFailure {
    // Of chained errors the last one is what nobody caught.
    let chained = |line: &str| {
        line.starts_with("The above exception was") || line.starts_with("During handling of the above")
    };
    let outer = body.iter().rposition(|line| chained(line)).map_or(0, |at| at + 1);
    let told: Vec<&str> = body
        .iter()
        .skip(outer)
        .filter_map(|line| line.strip_prefix("E   ").map(str::trim).filter(|told| !told.is_empty()))
        .collect();
    let mut failure = TestFailure {
        message: told.first().copied().unwrap_or_default().to_owned(),
        ..TestFailure::default()
    };
    failure.error_type = error_class(&failure.message);
    if let Some((actual, expected)) = comparison(&failure.message) {
        failure.actual = Some(actual.to_owned());
        failure.expected = Some(expected.to_owned());
        failure.error_type = Some("AssertionError".to_owned());
    }
    // "test_shop.py:7: KeyError"; the last one is the deepest, the first in the tests.
    let mut places = body.iter().filter_map(|line| {
        let (place, rest) =
            line.split_once(": ").or_else(|| line.strip_suffix(':').map(|place| (place, "")))?;
        Some((frames::own_place(place)?, rest.trim()))
    });
    if let Some((place, class)) = places.next_back() {
        failure.place = Some(place);
        let is_class = class.bytes().all(|byte| byte.is_ascii_alphanumeric()) && !class.is_empty();
        failure.error_type = failure.error_type.or_else(|| is_class.then(|| class.to_owned()));
    }
    failure
}

/// `--tb=line` has one line for each failure: `/app/test_cart.py:9: AssertionError: assert 2 == 3`.
fn of_line(lines: &[&str], message: &str) -> Option<String> {
    let told = message.trim_end_matches("...");
    let line = lines.iter().find(|line| {
        line.split_once(": ").is_some_and(|(place, rest)| place.contains(".py:") && rest.starts_with(told))
    })?;
    frames::own_place(line.split_once(": ")?.0)
}

/// Both sides of `assert 2 == 3`.
fn comparison(message: &str) -> Option<(&str, &str)> {
    let sides = message.strip_prefix("AssertionError: ").unwrap_or(message).strip_prefix("assert ")?;
    sides.split_once(" == ")
}
