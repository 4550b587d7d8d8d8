//! `go test`: `--- FAIL: Name (0.00s)` with the log below it, panics, and packages that don't build.

use crate::runners::failure::{TestFailure, indent, place_in_stack, place_of};

pub(super) fn read(lines: &[&str]) -> Vec<TestFailure> {
    let is_fail = |line: &&str| line.trim_start().starts_with("--- FAIL: ");
    let mut failures = Vec::new();
    if lines.iter().any(is_fail) {
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| is_fail(line)) {
            failures.extend(block(line, lines, at));
        }
        // A parent fails with its subtests: what counts are the leaves.
        let names: Vec<String> =
            failures.iter().filter_map(|failure: &TestFailure| failure.test.clone()).collect();
        failures.retain(|failure| {
            let prefix = failure.test.as_ref().map(|name| format!("{name}/")).unwrap_or_default();
            !names.iter().any(|name| name.starts_with(&prefix))
        });
    }
    let is_unbuilt = |line: &&str| {
        line.starts_with("FAIL\t") && (line.contains("[build failed]") || line.contains("[setup failed]"))
    };
    if lines.iter().any(is_unbuilt) {
        failures.extend(lines.iter().filter_map(|line| build_error(line)));
    }
    failures
}

fn block(line: &str, lines: &[&str], at: usize) -> Option<TestFailure> {
    let (name, _) = line.trim().strip_prefix("--- FAIL: ")?.split_once(" (")?;
    let depth = indent(line);
    let below = lines.get(at + 1..).unwrap_or_default();
    let body: Vec<&str> = below
        .iter()
        .take_while(|line| indent(line) > depth && !line.trim_start().starts_with("--- "))
        .map(|line| line.trim())
        .collect();
    // With -v the log stands above the verdict.
    let above = lines.get(..at).unwrap_or_default().iter().rev();
    let log: Vec<&str> = above.take_while(|line| indent(line) > depth).map(|line| line.trim()).collect();
    let told = body.iter().chain(log.iter().rev()).find(|line| line.contains(".go:")).copied();
    let panic = below.iter().find(|line| line.starts_with("panic: ")).copied();
    let (place, message) = match (told.and_then(|told| told.split_once(": ")), panic) {
        (Some((place, message)), _) => (place_of(place), message.to_owned()),
        (None, Some(panic)) => {
            let message = panic.split(" [recovered").next().unwrap_or(panic);
            (below.iter().find_map(|line| place_in_stack(line)), message.to_owned())
        }
        (None, None) => (None, body.first().copied().unwrap_or("failed").to_owned()),
    };
    let (actual, expected) = got_want(&message);
    let error_type = Some(if message.starts_with("panic") { "panic" } else { "assertion" }.to_owned());
    Some(TestFailure { test: Some(name.to_owned()), message, expected, actual, place, error_type })
}

/// Both sides of the house style `got 2, want 3` (`= 2; want 3`).
fn got_want(message: &str) -> (Option<String>, Option<String>) {
    let Some((before, want)) = message.rsplit_once("want ").or_else(|| message.rsplit_once("expected "))
    else {
        return (None, None);
    };
    let got = ["got ", "= "].iter().find_map(|mark| before.rsplit_once(mark));
    let got = got.map(|(_, got)| got.trim_end_matches([' ', ',', ';', '(']).to_owned());
    (got, Some(want.trim_end_matches(')').to_owned()))
}

/// `./x.go:5:2: undefined: foo`.
fn build_error(line: &str) -> Option<TestFailure> {
    let (place, message) = line.split_once(": ")?;
    let is_go = place.contains(".go:") && !line.starts_with(char::is_whitespace);
    let place = is_go.then(|| place_of(place)).flatten()?;
    Some(TestFailure {
        message: message.to_owned(),
        place: Some(place.trim_start_matches("./").to_owned()),
        error_type: Some("build error".to_owned()),
        ..TestFailure::default()
    })
}
