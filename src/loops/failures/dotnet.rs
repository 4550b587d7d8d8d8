//! `dotnet test`: `Failed Shop.Tests.CartTests.AddsUp [12 ms]` with its `Error Message:` and `Stack Trace:`.

use crate::loops::failures::{Failure, error_class, labelled, place_in_stack};

pub(crate) fn read(lines: &[&str]) -> Vec<Failure> {
    let mut failures = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some((name, time)) = line.trim().strip_prefix("Failed ").and_then(|rest| rest.rsplit_once(" ["))
        else {
            continue;
        };
        let below = lines.get(at + 1..).unwrap_or_default();
        if !time.ends_with(']') || below.first().is_none_or(|line| line.trim() != "Error Message:") {
            continue;
        }
        let ends = |line: &str| line.trim().starts_with("Failed ") || line.trim().starts_with("Passed ");
        let body =
            below.get(1..below.iter().position(|line| ends(line)).unwrap_or(below.len())).unwrap_or_default();
        failures.push(block(name, body));
    }
    failures
}

fn block(name: &str, body: &[&str]) -> Failure {
    let trace = body.iter().position(|line| line.trim() == "Stack Trace:").unwrap_or(body.len());
    let told: Vec<&str> =
        body.iter().take(trace).map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
    let find = |label: &str| told.iter().find_map(|line| labelled(line, label));
    let message = told.first().copied().unwrap_or("failed");
    // xunit writes `System.Exception : message`.
    let class = error_class(&message.replacen(" : ", ": ", 1));
    let asserts =
        (message.starts_with("Assert.") || message.starts_with("Expected")).then(|| "assertion".to_owned());
    Failure {
        test: Some(name.to_owned()),
        message: message.to_owned(),
        expected: find("Expected:"),
        actual: find("Actual:").or_else(|| find("But was:")),
        place: body.iter().skip(trace).find_map(|line| place_in_stack(line)),
        error_type: class.or(asserts),
    }
}
