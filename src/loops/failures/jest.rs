//! Jest: blocks of `● suite › test`.

use crate::loops::failures::{Failure, error_class, labelled, place_in_stack};

pub(crate) fn read(lines: &[&str]) -> Vec<Failure> {
    let marks = ["Test Suites:", "FAIL ", "Tests:"];
    if !lines.iter().any(|line| marks.iter().any(|mark| line.starts_with(mark))) {
        return Vec::new();
    }
    let mut failures: Vec<Failure> = Vec::new();
    let title = |line: &str| line.strip_prefix("  ● ").map(str::trim).map(str::to_owned);
    for (at, line) in lines.iter().enumerate() {
        let Some(name) = title(line) else { continue };
        let name = name.replace(" › ", " > ");
        // The summary at the end repeats every block.
        if name.starts_with("Console") || failures.iter().any(|failure| failure.test.as_ref() == Some(&name))
        {
            continue;
        }
        let body = lines.get(at + 1..).unwrap_or_default();
        let ends = |line: &&str| title(line).is_some() || marks.iter().any(|mark| line.starts_with(mark));
        let end = body.iter().position(ends).unwrap_or(body.len());
        failures.push(block(name, body.get(..end).unwrap_or_default()));
    }
    failures
}

fn block(name: String, body: &[&str]) -> Failure {
    let message = body.iter().find(|line| !line.trim().is_empty()).copied().unwrap_or_default().trim();
    let find =
        |labels: &[&str]| body.iter().find_map(|line| labels.iter().find_map(|label| labelled(line, label)));
    let matcher = message.starts_with("expect(");
    Failure {
        test: Some(name),
        message: message.split(" // ").next().unwrap_or(message).to_owned(),
        expected: find(&["Expected:", "Expected substring:", "Expected length:", "Expected value:"]),
        actual: find(&["Received:", "Received string:", "Received length:", "Received value:"]),
        place: body.iter().find_map(|line| place_in_stack(line)),
        error_type: error_class(message).or_else(|| matcher.then(|| "AssertionError".to_owned())),
    }
}
