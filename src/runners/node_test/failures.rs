//! `node --test`: TAP (`not ok 1 - name` with a YAML block) and spec (`✖ name (1.2ms)` with the error below).

use crate::runners::failure::{TestFailure, error_class, indent, labelled, place_in_stack, place_of};

pub(super) fn read(lines: &[&str]) -> Vec<TestFailure> {
    let tap = tap(lines);
    if tap.is_empty() { spec(lines) } else { tap }
}

fn tap(lines: &[&str]) -> Vec<TestFailure> {
    let mut failures = Vec::new();
    // The suites that are open, by indentation; TAP names the parent before its children.
    let mut parents: Vec<(usize, &str)> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let depth = indent(line);
        let text = line.trim();
        if let Some(name) = text.strip_prefix("# Subtest: ") {
            parents.retain(|(outer, _)| *outer < depth);
            parents.push((depth, name));
        }
        let Some(name) =
            text.strip_prefix("not ok ").and_then(|rest| rest.split_once(" - ")).map(|(_, name)| name)
        else {
            continue;
        };
        // What is expected to fail is no failure.
        if name.contains(" # TODO") || name.contains(" # SKIP") {
            continue;
        }
        let body = lines.get(at + 1..).unwrap_or_default();
        let end = body.iter().position(|line| line.trim() == "...").unwrap_or(0);
        let failure = yaml_block(name, body.get(..end).unwrap_or_default());
        if failure.error_type.as_deref() != Some("subtestsFailed") {
            let path: Vec<&str> =
                parents.iter().filter(|(outer, _)| *outer < depth).map(|(_, name)| *name).collect();
            let test = path.into_iter().chain([name]).collect::<Vec<_>>().join(" > ");
            failures.push(TestFailure { test: Some(test), ..failure });
        }
    }
    failures
}

fn yaml_block(name: &str, body: &[&str]) -> TestFailure {
    let find = |label: &str| {
        body.iter().find_map(|line| labelled(line, label)).map(|value| value.trim_matches('\'').to_owned())
    };
    let mut message = find("error:").unwrap_or_default();
    if message.starts_with(['|', '>']) {
        let from = body.iter().position(|line| line.trim().starts_with("error:")).map_or(0, |at| at + 1);
        let depth = body.get(from).map_or(0, |line| indent(line));
        let block = body.iter().skip(from).take_while(|line| line.trim().is_empty() || indent(line) >= depth);
        message = block.map(|line| line.trim()).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    }
    if message.is_empty() {
        message = format!("{name} failed");
    }
    let kind = find("failureType:").filter(|kind| kind == "subtestsFailed");
    TestFailure {
        test: None,
        expected: find("expected:"),
        actual: find("actual:"),
        place: find("location:").and_then(|place| place_of(&place)),
        error_type: kind
            .or_else(|| find("name:"))
            .or_else(|| error_class(&message))
            .or_else(|| find("code:")),
        message,
    }
}

fn spec(lines: &[&str]) -> Vec<TestFailure> {
    let mut failures: Vec<TestFailure> = Vec::new();
    // The last part repeats every failure flat and without suites; a cut-off output may hold only this part.
    let repeated = lines.iter().position(|line| line.trim() == "✖ failing tests:");
    let first = lines.get(..repeated.unwrap_or(lines.len())).unwrap_or_default();
    let mut parents: Vec<(usize, &str)> = Vec::new();
    for (at, line) in first.iter().enumerate() {
        let depth = indent(line);
        if let Some(name) = line.trim().strip_prefix("▶ ") {
            parents.retain(|(outer, _)| *outer < depth);
            parents.push((depth, name));
        }
        if let Some(failure) = spec_block(line, lines.get(at + 1..).unwrap_or_default()) {
            let path = parents.iter().filter(|(outer, _)| *outer < depth).map(|(_, name)| *name);
            let test = path.chain(failure.test.as_deref()).collect::<Vec<_>>().join(" > ");
            failures.push(TestFailure { test: Some(test), ..failure });
        }
    }
    let flat = repeated.and_then(|from| lines.get(from + 1..)).unwrap_or_default();
    for (at, line) in flat.iter().enumerate() {
        let Some(mut failure) = spec_block(line, flat.get(at + 1..).unwrap_or_default()) else { continue };
        let name = failure.test.clone().unwrap_or_default();
        let known = |failure: &TestFailure| {
            failure.test.as_deref().is_some_and(|test| test == name || test.ends_with(&format!(" > {name}")))
        };
        if !failures.iter().any(known) {
            let above = at
                .checked_sub(1)
                .and_then(|above| flat.get(above))
                .and_then(|line| line.strip_prefix("test at "));
            failure.place = failure.place.or_else(|| above.and_then(place_of));
            failures.push(failure);
        }
    }
    failures
}

/// A failing test with its error below it, one step further in. A suite has no error of its own.
fn spec_block(line: &str, below: &[&str]) -> Option<TestFailure> {
    let depth = indent(line);
    let (name, time) = line.trim().strip_prefix("✖ ")?.rsplit_once(" (")?;
    if !time.ends_with("ms)") {
        return None;
    }
    let end =
        below.iter().position(|line| !line.trim().is_empty() && indent(line) <= depth).unwrap_or(below.len());
    let body = below.get(..end).unwrap_or_default();
    let told = body
        .iter()
        .map(|line| line.trim())
        .take_while(|line| !line.starts_with("at "))
        .filter(|line| !line.is_empty());
    let message = told.collect::<Vec<_>>().join(" ");
    if message.is_empty() {
        return None;
    }
    let find = |label: &str| {
        let value = body.iter().find_map(|line| labelled(line, label))?;
        let value = value.trim_end_matches(',').to_owned();
        (value != "undefined").then_some(value)
    };
    Some(TestFailure {
        test: Some(name.to_owned()),
        expected: find("expected:"),
        actual: find("actual:"),
        place: body.iter().find_map(|line| place_in_stack(line)),
        error_type: error_class(&message),
        message,
    })
}
