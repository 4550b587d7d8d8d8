//! minitest and Rails: `  1) Failure:` and `  2) Error:` with the test's name in the line below.
//!
//! A test alone would need its file, and that is not said of every failure.

use crate::runners::counts::before;
use crate::runners::failure::{TestFailure, error_class, labelled, place_in_stack, place_of};
use crate::runners::model::{OutputReader, Runner, WeakeningSettings};
use crate::runners::summary::{Summary, Told};

/// The runner.
pub(crate) static RUNNER: Runner = Runner {
    name: "minitest",
    results: Some(OutputReader { turn: 151, read: || Box::new(Summary::by(told)) }),
    failures: Some(OutputReader { turn: 110, read: failures }),
    settings: WeakeningSettings {
        lines: &[("test_helper.rb", "rescuenil", true)],
        ..WeakeningSettings::NONE
    },
    ..Runner::NOTHING
};

/// `5 runs, 9 assertions, 1 failures, 1 errors, 1 skips`; test-unit says `tests`.
fn told(line: &str) -> Option<Told> {
    let (first, rest) = line.trim().split_once(", ")?;
    let all: u64 = first.strip_suffix(" runs").or_else(|| first.strip_suffix(" tests"))?.parse().ok()?;
    before(rest, "assertions")?;
    let failed = before(rest, "failures")? + before(rest, "errors")?;
    let skipped =
        ["skips", "pendings", "omissions"].iter().filter_map(|word| before(rest, word)).sum::<u64>();
    Some(Told::all(all, failed, skipped))
}

fn failures(lines: &[&str]) -> Vec<TestFailure> {
    let mut failures = Vec::new();
    for (at, _) in lines.iter().enumerate().filter(|(_, line)| is_verdict(line)) {
        let body = lines.get(at + 1..).unwrap_or_default();
        let ends = |line: &str| line.trim().is_empty() || is_verdict(line);
        let end = body.iter().position(|line| ends(line)).unwrap_or(body.len());
        failures.extend(block(body.get(..end).unwrap_or_default()));
    }
    failures
}

/// `  1) Failure:`; Rails leaves the number out.
fn is_verdict(line: &str) -> bool {
    let text = line.trim();
    let counted = text.split_once(") ").filter(|(count, _)| count.bytes().all(|byte| byte.is_ascii_digit()));
    matches!(counted.map_or(text, |(_, verdict)| verdict), "Failure:" | "Error:")
}

fn block(body: &[&str]) -> Option<TestFailure> {
    let head = body.first()?.trim().trim_end_matches(':');
    // A failure's place stands behind its name: `CartTest#test_adds_up [test/cart_test.rb:6]:`.
    let (name, place) = head
        .split_once(" [")
        .map_or((head, None), |(name, place)| (name, place_of(place.trim_end_matches(']'))));
    if !name.contains('#') {
        return None;
    }
    let told = body.get(1).copied().unwrap_or_default().trim();
    let class = error_class(told);
    let find = |label: &str| body.iter().find_map(|line| labelled(line, label));
    let (expected, actual) = (find("Expected:"), find("Actual:"));
    let message = match (&expected, &actual) {
        (Some(expected), Some(actual)) => format!("expected {expected}, got {actual}"),
        _ => {
            class.as_ref().and_then(|_| told.split_once(": ")).map_or(told, |(_, message)| message).to_owned()
        }
    };
    Some(TestFailure {
        test: Some(name.to_owned()),
        message,
        expected,
        actual,
        place: place.or_else(|| body.iter().find_map(|line| place_in_stack(line))),
        error_type: Some(class.unwrap_or_else(|| "assertion".to_owned())),
    })
}
