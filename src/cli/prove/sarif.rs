//! A proof as SARIF 2.1.0: one rule for each kind of what is noticed.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::{Value, json};

use super::report::said;
use crate::checkpoint::objects::Digest;
use crate::cli::check::sarif::{SCHEMA, uri};
use crate::cli::undo::write_json;
use crate::proof::judgement::{Judgement, Notice, NoticedTest, ProofVerdict};

pub(super) fn write(out: &mut dyn Write, judgement: &Judgement) -> io::Result<()> {
    let kinds: BTreeMap<Notice, usize> = judgement.tests.iter().map(|row| (row.kind, 0)).collect();
    let kinds: Vec<Notice> = kinds.into_keys().collect();
    let rules: Vec<Value> = kinds.iter().map(|kind| rule(*kind)).collect();
    let results: Vec<Value> = judgement.tests.iter().map(|row| result(row, judgement)).collect();
    let notes = judgement.reasons.iter().chain(&judgement.help);
    let level = if judgement.verdict == ProofVerdict::Proven { "note" } else { "warning" };
    let notes = notes.map(|note| json!({"level": level, "message": {"text": note}}));
    write_json(
        out,
        &json!({
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [{
                "tool": {"driver": {"name": "Steadfast prove", "version": env!("CARGO_PKG_VERSION"), "rules": rules}},
                "invocations": [{
                    "executionSuccessful": judgement.verdict != ProofVerdict::Undecided,
                    "toolExecutionNotifications": notes.collect::<Vec<Value>>(),
                }],
                "results": results,
            }],
        }),
    )
}

fn rule(kind: Notice) -> Value {
    json!({
        "id": id(kind),
        "shortDescription": {"text": format!("A test that {}", kind.words())},
        "defaultConfiguration": {"level": level(kind)},
    })
}

fn result(row: &NoticedTest, judgement: &Judgement) -> Value {
    // A test of no changed file is shown where the first file stands that decides and has changed.
    let file = row.file.as_ref().or_else(|| judgement.deciding.first().map(|decider| &decider.path));
    let locations: Vec<Value> = file
        .map(|file| {
            let mut place = json!({"artifactLocation": {"uri": uri(file), "uriBaseId": "%SRCROOT%"}});
            if let (Some(line), Some(place)) =
                (row.line.filter(|_| row.file.is_some()), place.as_object_mut())
            {
                place.insert("region".to_owned(), json!({"startLine": line}));
            }
            json!({"physicalLocation": place})
        })
        .into_iter()
        .collect();
    let cause = json!([id(row.kind), row.test]).to_string();
    json!({
        "ruleId": id(row.kind),
        "level": level(row.kind),
        "message": {"text": said(row)},
        "locations": locations,
        "partialFingerprints": {"steadfast/v1": Digest::of(cause.as_bytes()).to_string()},
    })
}

fn id(kind: Notice) -> String {
    format!("prove/{}", json!(kind).as_str().unwrap_or_default().replace('_', "-"))
}

fn level(kind: Notice) -> &'static str {
    match kind {
        kind if kind.refutes() => "error",
        kind if kind.leaves_open() => "warning",
        _ => "note",
    }
}
