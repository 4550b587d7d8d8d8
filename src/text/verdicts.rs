//! What a finding, a risk or a regression says to the model and to the person.
//!
//! Facts, not orders: newer models take imperatives in hook text for an injection. Every text names its pattern id.

use crate::model::finding::{Finding, Severity, counted};
use crate::state::records::RegressionEvent;

/// How many lost things are named before the rest is counted.
const NAMED: usize = 20;

/// The reason of an Ask or a Deny.
pub fn stopped(findings: &[Finding], asked: bool) -> String {
    let mut text = String::from(if asked {
        "Steadfast asks a person about this call."
    } else {
        "Steadfast stopped this call."
    });
    for finding in findings {
        text.push_str("\n\n");
        text.push_str(&described(finding));
    }
    text
}

/// Advice about findings that do not stop a call.
pub fn advice(findings: &[Finding]) -> String {
    let all: Vec<String> = findings.iter().map(described).collect();
    format!("Steadfast notes: {}", all.join("\n\n"))
}

/// What the model reads when a call has already lost something.
pub fn lost_by_call(findings: &[Finding], undo_id: Option<&str>) -> String {
    let mut text = String::from("Steadfast compared the files before and after this call.");
    for finding in findings {
        text.push_str("\n\n");
        text.push_str(&described(finding));
    }
    if let Some(id) = undo_id {
        text.push_str(&format!(
            "\n\nThe bytes from before the call are kept: `steadfast undo --tool-call {id}` brings them back. \
             The work does not count as done while this is open."
        ));
    }
    text
}

/// What was judged of a file that is too large to be read in full: tests, and marks that may skip them.
pub fn counted_only(path: &str, [tests, marks]: [(usize, usize); 2]) -> String {
    format!(
        "Steadfast judged {path} by counting alone, since it is too large to be read in full: tests {} before and {} \
         after, words that may skip or focus tests {} before and {} after.",
        tests.0, tests.1, marks.0, marks.1
    )
}

/// A warning about a risky target in which nothing was found.
pub fn risk(target: &str, class: &str, level: Severity, kept: bool) -> String {
    let what = match class {
        "test_file_modification" => {
            format!(
                "{target} is a test file. A change here is expected to be a fix of the test itself, not the removal, skipping or weakening of a check that fails"
            )
        }
        "validation_modification" => {
            format!(
                "{target}: this edit takes lines out of validation code. Input that was refused before may now be accepted"
            )
        }
        "version_control_deletion" => format!("{target} would leave the working tree and the next commit"),
        "bulk_deletion" | "file_deletion" => format!("{target} would be deleted"),
        _ => format!("{target} would be changed in a way that has no undo of its own"),
    };
    let kept = if kept {
        "What is there now is kept; `steadfast undo --last` brings it back."
    } else {
        "What is there now is not kept, so no undo brings it back."
    };
    format!("Steadfast: {what} ({class}, {level}). {kept}", level = level.name())
}

/// Why the turn does not end: regressions are open.
pub fn open_regressions(events: &[&RegressionEvent]) -> String {
    let mut text = format!(
        "Steadfast: {} in this session {} not been mended, so the work does not count as done.",
        counted(events.len(), "regression"),
        if events.len() == 1 { "has" } else { "have" }
    );
    for event in events {
        let lost = event.lost();
        text.push_str(&format!(
            "\n\n[{}] {} ({}): {} lost",
            short_id(&event.event_id),
            event.regression_type.name(),
            event.severity.name(),
            counted(lost.len(), if event.lost_key().ends_with("tests") { "test" } else { "thing" })
        ));
        list_names(&mut text, lost.iter().map(String::as_str));
    }
    text.push_str(
        "\n\nA test that is back under its name, running, closes its regression. Where a loss is right, only a person can accept it.",
    );
    text
}

/// The first part of a UUID, as people type it.
pub fn short_id(id: &str) -> &str {
    id.split('-').next().unwrap_or(id)
}

fn described(finding: &Finding) -> String {
    let mut text = format!(
        "{} {} ({}): {}",
        finding.pattern_id,
        finding.pattern_name,
        finding.severity.name(),
        finding.what
    );
    let names: Vec<String> = finding.lost_names().collect();
    list_names(&mut text, names.iter().map(String::as_str));
    if !finding.mend.is_empty() {
        text.push('\n');
        text.push_str(&finding.mend);
    }
    text
}

fn list_names<'a>(text: &mut String, names: impl Iterator<Item = &'a str>) {
    let names: Vec<&str> = names.collect();
    for name in names.iter().take(NAMED) {
        text.push_str("\n  - ");
        text.push_str(name);
    }
    if names.len() > NAMED {
        text.push_str(&format!("\n  - and {} more", names.len() - NAMED));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_pattern_and_every_lost_test() {
        let finding = Finding {
            pattern_id: "LP-001",
            pattern_name: "Complete Test File Deletion",
            regression_type: None,
            severity: Severity::Critical,
            path: "math.test.js".into(),
            line: Some(3),
            lost: (0..22).map(|n| format!("case {n}")).collect(),
            what: "22 of 30 tests would be gone".into(),
            mend: "A test that moves is added at its new place first.".into(),
            confidence: 1.0,
        };
        let text = stopped(std::slice::from_ref(&finding), false);
        assert!(text.contains("LP-001"));
        assert!(text.contains("  - math.test.js: case 0\n"));
        assert!(text.contains("and 2 more"));
        assert!(text.ends_with("first."));
    }
}
