//! `cargo test`: blocks of `---- name stdout ----`, and the list of `failures:`.

use crate::loops::failures::{Failure, labelled, place_in_stack};

pub(crate) fn read(lines: &[&str]) -> Vec<Failure> {
    if !lines.iter().any(|line| line.starts_with("test result:") || line.starts_with("---- ")) {
        return Vec::new();
    }
    let mut failures: Vec<Failure> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if let Some(name) = line.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" stdout ----")) {
            failures.push(block(name, lines.get(at + 1..).unwrap_or_default()));
        }
    }
    // Tests whose block is cut off are still in the list of results.
    for line in lines {
        let name = line.strip_prefix("test ").and_then(|rest| rest.strip_suffix(" ... FAILED"));
        if let Some(name) = name
            && !failures.iter().any(|failure| failure.test.as_deref() == Some(name))
        {
            let message = format!("test {name} failed");
            failures.push(Failure { test: Some(name.to_owned()), message, ..Failure::default() });
        }
    }
    failures
}

fn block(name: &str, lines: &[&str]) -> Failure {
    let mut failure = Failure { test: Some(name.to_owned()), ..Failure::default() };
    let mut message: Vec<&str> = Vec::new();
    let mut panicked = false;
    let mut in_trace = false;
    for line in lines {
        if line.starts_with("---- ") || *line == "failures:" || line.starts_with("note: ") {
            break;
        }
        in_trace |= line.starts_with("stack backtrace:");
        if in_trace {
            // What panics in the standard library was called from the project.
            failure.place = failure.place.or_else(|| place_in_stack(line));
        } else if line.contains("panicked at ") {
            panicked = true;
            message.clear();
            failure.place = place_in_stack(line);
        } else if let Some(value) = labelled(line, "left:") {
            failure.actual = Some(value);
        } else if let Some(value) = labelled(line, "right:") {
            failure.expected = Some(value);
        } else if !line.trim().is_empty() {
            message.push(line);
        }
    }
    // Without a panic the test returned an error, or printed what it thought.
    let told =
        if panicked { message.join(" ") } else { message.last().copied().unwrap_or_default().to_owned() };
    failure.error_type = Some(if told.starts_with("assertion") { "assertion" } else { "panic" }.to_owned());
    failure.message = if told.is_empty() { format!("test {name} failed") } else { told };
    failure
}
