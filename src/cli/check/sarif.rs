//! A check's answer as SARIF 2.1.0.
//!
//! Invariant: every result names a rule of the run, and a finding keeps its fingerprint while other lines move.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::report::message;
use super::{DiffVerdict, PlacedFinding, detector, write_json};
use crate::checkpoint::objects::Digest;
use crate::detectors::DETECTORS;
use crate::model::finding::Severity;

pub(in crate::cli) const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Writes one run with all patterns as its rules.
pub(super) fn write(out: &mut dyn Write, verdict: &DiffVerdict) -> io::Result<()> {
    let rules = rules(verdict);
    let results: Vec<Value> = verdict.judged.iter().map(|judged| result(judged, &rules)).collect();
    let notes = verdict.unread.iter().map(|(path, why)| {
        json!({"level": "warning", "message": {"text": format!("{path} was not judged: {why}")}})
    });
    write_json(
        out,
        &json!({
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [{
                "tool": {"driver": {
                    "name": "Steadfast",
                    "version": env!("CARGO_PKG_VERSION"),
                    "rules": rules,
                }},
                "invocations": [{
                    "executionSuccessful": true,
                    "toolExecutionNotifications": notes.collect::<Vec<Value>>(),
                }],
                "results": results,
            }],
        }),
    )
}

/// All patterns of the catalogue; what a finding names besides is described by itself.
fn rules(verdict: &DiffVerdict) -> Vec<Value> {
    let of_catalogue = DETECTORS.iter().map(|detector| {
        json!({
            "id": detector.id,
            "name": detector.name,
            "shortDescription": {"text": detector.what},
            "fullDescription": {"text": format!("{} {}", detector.what, detector.why)},
            "help": {"text": detector.instead},
            "defaultConfiguration": {"level": level(detector.severity)},
        })
    });
    let mut rules: Vec<Value> = of_catalogue.collect();
    for judged in verdict.judged.iter().filter(|judged| detector(&judged.finding).is_none()) {
        let finding = &judged.finding;
        if !rules.iter().any(|rule| rule["id"] == finding.pattern_id) {
            rules.push(json!({
                "id": finding.pattern_id,
                "name": finding.pattern_name,
                "shortDescription": {"text": finding.pattern_name},
            }));
        }
    }
    rules
}

fn result(judged: &PlacedFinding, rules: &[Value]) -> Value {
    let finding = &judged.finding;
    let mut place = json!({"artifactLocation": {"uri": uri(&finding.path), "uriBaseId": "%SRCROOT%"}});
    if let Some(line) = judged.line_after
        && let Some(place) = place.as_object_mut()
    {
        place.insert("region".to_owned(), json!({"startLine": line}));
    }
    let cause = json!([finding.pattern_id, finding.path, finding.lost, finding.what]).to_string();
    json!({
        "ruleId": finding.pattern_id,
        "ruleIndex": rules.iter().position(|rule| rule["id"] == finding.pattern_id),
        "level": level(finding.severity),
        "message": {"text": message(judged)},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"steadfast/v1": Digest::of(cause.as_bytes()).to_string()},
        "properties": {"severity": finding.severity, "regression_type": finding.regression_type},
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical | Severity::High => "error",
        Severity::Medium => "warning",
        Severity::Low => "note",
    }
}

/// A path as a relative reference: what has a meaning in one is written as `%XX`.
pub(in crate::cli) fn uri(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~!$&'()*+,;=@".contains(&byte);
    let bytes = path.bytes().map(|byte| match byte {
        byte if is_plain(byte) => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    });
    bytes.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_references() {
        let cases = [("src/a.rs", "src/a.rs"), ("a b#c?.js", "a%20b%23c%3F.js"), ("ä:1", "%C3%A4%3A1")];
        for (path, expected) in cases {
            assert_eq!(uri(path), expected);
        }
    }
}
