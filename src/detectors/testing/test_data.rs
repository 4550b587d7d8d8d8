//! Data of tests bent to what the code does now: answers rewritten, cases taken out, files emptied.
//!
//! Only data that was there before counts, and only while no product code of the session has changed: what the code
//! does differently is what recorded answers are rewritten for.

use std::collections::HashMap;

use serde_json::Value;

use crate::detectors::engine::hunks::hunks;
use crate::detectors::testing::changed_data;
use crate::detectors::testing::fitted_claims::fitted;
use crate::detectors::testing::fixture_texts::harmless;
use crate::detectors::testing::recorded_answers;
use crate::detectors::testing::reordered_inputs;
use crate::detectors::testing::test_inputs;
use crate::detectors::testing::test_inputs::is_product_change;
use crate::detectors::{Case, Detector, Pattern, PatternProof};
use crate::languages::{bare_lines, data_of_tests, file_name, is_test_path, subject};
use crate::model::finding::{Change, Finding, RegressionType, Severity};

/// The id of the pattern, which weighs more after a run that failed.
pub const TEST_DATA: &str = "LP-024";

/// Fixtures and recorded answers changed without the code.
pub(crate) static BENT: Detector = Detector {
    pattern: Pattern {
        id: TEST_DATA,
        name: "Test Data Manipulation",
        aliases: &["Fixture Tampering", "Snapshot Tampering"],
        regression_type: Some(RegressionType::AssertionWeakening),
        severity: Severity::Critical,
        what: "Fixtures, snapshots or recorded answers of tests are emptied, cut or rewritten while no product code changes.",
        why: "Tests that are given other data agree to whatever the code does now.",
        instead: "The code can be mended so that the data fits, or change first where the data is truly wrong: then this passes.",
        proof: PatternProof::Changes,
    },
    detect,
};

/// More lines than these, gone and new, rewrite a file.
const REWRITTEN: usize = 20;
/// Keys of what a case expects.
const ANSWERS: &[&str] = &[
    "expected",
    "expect",
    "want",
    "wanted",
    "output",
    "result",
    "answer",
    "expected_output",
    "expectedoutput",
    "expected_result",
    "should",
    "golden",
    "status",
    "code",
    "valid",
    "error",
];
/// Keys that name a case.
const NAMES: &[&str] = &["name", "id", "title", "description", "case", "input"];
/// More cases than these are data in bulk.
const MOST_CASES: usize = 1_000;
/// So few cases are picked out.
const FEW: usize = 3;
/// How many lost cases are named.
const NAMED: usize = 50;

fn detect(case: &Case, findings: &mut Vec<Finding>) {
    given(case, findings);
    texts(case, findings);
    let bent = case.evidence.changes.iter().filter(|change| data_of_tests(&change.path));
    for change in bent {
        let Some(before) = change.before.as_deref().filter(|text| !is_bare(text)) else { continue };
        if case.all_changes().any(is_product_change) {
            return;
        }
        let found = match change.after.as_deref() {
            None => gone(case, change, before),
            Some(after) if is_bare(after) => {
                Some((Severity::Critical, "the test data would be emptied".to_owned(), Vec::new()))
            }
            Some(after) => {
                cut(&change.path, before, after).or_else(|| rewritten(&change.path, before, after))
            }
        };
        findings.extend(found.map(|(severity, what, lost)| Finding {
            severity,
            lost,
            confidence: 0.7,
            ..BENT.finding(&change.path, what)
        }));
    }
}

/// What tests are given in their own file, made harmless.
fn given(case: &Case, findings: &mut Vec<Finding>) {
    for comparison in case.comparisons() {
        // What the tests claim less is told already.
        if findings.iter().any(|it| it.path == comparison.change.path) {
            continue;
        }
        let bent = test_inputs::bent(case, comparison)
            .or_else(|| changed_data::changed(case, comparison))
            .or_else(|| reordered_inputs::reordered(case, comparison));
        if bent.is_none()
            && let Some((line, said)) = fitted(comparison.change)
        {
            let what =
                format!("the expectation would be fitted to what the code does, as it says itself: `{said}`");
            let severity = Severity::High;
            findings.push(Finding {
                severity,
                line: Some(line),
                ..BENT.finding(&comparison.change.path, what)
            });
        }
        findings.extend(bent.map(|bent| Finding {
            severity: bent.severity,
            lost: bent.lost,
            line: Some(bent.line),
            confidence: 0.7,
            ..BENT.finding(&comparison.change.path, bent.what)
        }));
    }
}

/// Texts that tests are given, made harmless.
fn texts(case: &Case, findings: &mut Vec<Finding>) {
    for change in case.evidence.changes {
        if findings.iter().any(|it| it.path == change.path) {
            continue;
        }
        findings.extend(harmless(case, change).map(|bent| Finding {
            severity: bent.severity,
            line: Some(bent.line),
            confidence: 0.7,
            ..BENT.finding(&change.path, bent.what)
        }));
    }
}

type TestDataFinding = (Severity, String, Vec<String>);

/// Whether a text holds nothing.
fn is_bare(text: &str) -> bool {
    matches!(text.trim(), "" | "{}" | "[]" | "null" | "---" | "exports = {};" | "// Jest Snapshot v1")
}

/// Deleted data. What has moved, or goes with the tests that are about it, is not meant.
fn gone(case: &Case, change: &Change, before: &str) -> Option<TestDataFinding> {
    let lines = counts(before);
    let is_moved = |other: &Change| {
        let there = other.after.as_deref().map(counts).unwrap_or_default();
        other.path != change.path && missing(&lines, &there) * 10 <= lines.values().sum::<usize>() * 4
    };
    let about = subject(&change.path);
    let of_subject = |other: &Change| is_test_path(&other.path) && subject(&other.path) == about;
    let of_tests = |other: &Change| {
        other.path != change.path
            && (of_subject(other) || is_test_path(&other.path) && names_file(other, &change.path))
    };
    let explained = case.all_changes().any(|other| is_moved(other) || of_tests(other));
    (!explained).then(|| (Severity::Medium, "the test data would be gone".to_owned(), Vec::new()))
}

/// Whether a test used the file before and does not any more.
fn names_file(test: &Change, path: &str) -> bool {
    let name = file_name(path);
    let names = |text: &Option<String>| text.as_deref().is_some_and(|text| text.contains(name));
    names(&test.before) && !names(&test.after)
}

/// Cases taken out of a list, with all others as they were.
fn cut(path: &str, before: &str, after: &str) -> Option<TestDataFinding> {
    let (old, new) = (cases(path, before)?, cases(path, after)?);
    if new.len() >= old.len() {
        return None;
    }
    let has_answers = old.iter().any(|case| answer(case).is_some());
    let mut left = new.clone();
    let gone: Vec<&Value> = old
        .iter()
        .filter(|case| match left.iter().position(|other| other == *case) {
            Some(at) => {
                left.swap_remove(at);
                false
            }
            None => true,
        })
        .collect();
    // One that is there in another form is no loss: the rewriting of it may be.
    let is_kept = |case: &&&Value| {
        named(case).is_some_and(|name| new.iter().any(|other| named(other).as_ref() == Some(&name)))
    };
    let lost: Vec<String> = gone
        .iter()
        .filter(|case| !is_kept(case))
        .take(NAMED)
        .enumerate()
        .map(|(at, case)| named(case).unwrap_or_else(|| format!("case {}", at + 1)))
        .collect();
    let what = format!("{} of {} recorded cases would be gone", old.len() - new.len(), old.len());
    // Data without answers may be too much of the same.
    let is_kept = new.iter().all(|case| old.contains(case));
    let severity = if has_answers || gone.len() <= FEW { Severity::High } else { Severity::Medium };
    (!lost.is_empty() && (has_answers || is_kept)).then_some((severity, what, lost))
}

/// Answers changed for the same questions, or most of a file written anew.
fn rewritten(path: &str, before: &str, after: &str) -> Option<TestDataFinding> {
    if is_same_value(path, before, after) {
        return None;
    }
    let changed = cases(path, before).zip(cases(path, after)).map(|(old, new)| answers_changed(&old, &new));
    if let Some(changed) = changed.filter(|changed| !changed.is_empty()) {
        let what = match changed.len() {
            1 => "a recorded answer would be another for the same question".to_owned(),
            several => format!("{several} recorded answers would be others for the same questions"),
        };
        return Some((Severity::Medium, what, changed));
    }
    let changed = cases(path, before).zip(cases(path, after)).map(|(old, new)| cases_changed(&old, &new));
    if let Some((name, severity)) = changed.flatten() {
        return Some((severity, format!("the recorded case `{name}` would be another one"), vec![name]));
    }
    let (old, new) = (counts(before), counts(after));
    let (gone, added) = (missing(&old, &new), missing(&new, &old));
    // What is mostly more is more data.
    if gone > REWRITTEN / 2 && gone + added > REWRITTEN {
        return Some((
            Severity::Medium,
            format!("{gone} lines of test data would be gone or different"),
            Vec::new(),
        ));
    }
    let other =
        recorded_answers::other_values(path, before, after).or_else(|| part_gone(path, before, after));
    other.map(|what| (Severity::Medium, what, Vec::new()))
}

/// A part of a document that is gone, with all else as it was.
fn part_gone(path: &str, before: &str, after: &str) -> Option<String> {
    const DOCUMENTS: &[&str] = &[
        "xml", "html", "htm", "yaml", "yml", "toml", "txt", "log", "sql", "ics", "eml", "rss", "svg", "ini",
    ];
    let extension = file_name(path).rsplit_once('.')?.1;
    let all = hunks("\u{0}", before, after).filter(|_| DOCUMENTS.contains(&extension))?;
    let gone: usize = all.iter().map(|it| it.gone.len()).sum();
    let is_cut = all.iter().all(|it| it.come.is_empty()) && (1..=REWRITTEN * 2).contains(&gone);
    (is_cut && before.lines().count() > 2 * gone).then(|| format!("{gone} lines of test data would be gone"))
}

/// The cases of which nothing but the answer differs, by name.
fn answers_changed(old: &[Value], new: &[Value]) -> Vec<String> {
    let question = |case: &Value| {
        let mut case = case.clone();
        let fields = case.as_object_mut()?;
        let had = fields.len();
        fields.retain(|key, _| !is_answer(key));
        (fields.len() < had && !fields.is_empty()).then_some(case)
    };
    let asked: Vec<(Value, &Value)> = new.iter().filter_map(|case| Some((question(case)?, case))).collect();
    let others = old.iter().filter_map(|case| {
        let own = question(case)?;
        let (_, other) = asked.iter().find(|(question, _)| *question == own)?;
        (*other != case).then(|| named(case).unwrap_or_else(|| own.to_string()))
    });
    others.take(NAMED).collect()
}

/// A case that has its name and is another one: its question and perhaps its answer differ.
fn cases_changed(old: &[Value], new: &[Value]) -> Option<(String, Severity)> {
    let all = old.iter().filter_map(|case| {
        let name = named(case)?;
        let now = new.iter().find(|other| named(other).as_ref() == Some(&name))?;
        (now != case).then(|| (name, answer(case) != answer(now)))
    });
    let mut all: Vec<(String, bool)> = all.take(FEW + 1).collect();
    if all.len() > FEW || old.len() > new.len() {
        return None;
    }
    let (name, has_other_answer) = all.pop()?;
    Some((name, if has_other_answer { Severity::High } else { Severity::Medium }))
}

fn is_answer(key: &str) -> bool {
    ANSWERS.iter().any(|answer| key.eq_ignore_ascii_case(answer))
}

fn answer(case: &Value) -> Option<&Value> {
    case.as_object()?.iter().find(|(key, _)| is_answer(key)).map(|(_, value)| value)
}

fn named(case: &Value) -> Option<String> {
    let fields = case.as_object()?;
    let name = NAMES.iter().find_map(|name| fields.get(*name))?;
    Some(name.as_str().map_or_else(|| name.to_string(), str::to_owned))
}

/// The cases of a file: the longest list of objects in JSON, the lines of JSON lines, the rows of a table with a head.
/// `None` when there are too many to be told apart.
fn cases(path: &str, text: &str) -> Option<Vec<Value>> {
    all_cases(path, text).filter(|cases| cases.len() <= MOST_CASES)
}

fn all_cases(path: &str, text: &str) -> Option<Vec<Value>> {
    match file_name(path).rsplit_once('.')?.1 {
        "json" => longest(serde_json::from_str(text).ok()?),
        "jsonl" | "ndjson" => text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(|line| serde_json::from_str(line).ok())
            .collect(),
        "csv" => rows(text, separator(text)),
        "tsv" => rows(text, '\t'),
        _ => None,
    }
}

fn longest(value: Value) -> Option<Vec<Value>> {
    let (mut pending, mut found) = (vec![value], None::<Vec<Value>>);
    while let Some(value) = pending.pop() {
        match value {
            Value::Array(items) if items.iter().all(Value::is_object) && !items.is_empty() => {
                found = found.filter(|known| known.len() >= items.len()).or(Some(items));
            }
            Value::Object(fields) => pending.extend(fields.into_iter().map(|(_, value)| value)),
            Value::Array(items) => pending.extend(items),
            _ => {}
        }
    }
    found
}

/// What parts the fields of a table: most of its first line.
fn separator(text: &str) -> char {
    let head = text.lines().next().unwrap_or_default();
    [',', ';', '\t', '|'].into_iter().max_by_key(|sign| head.matches(*sign).count()).unwrap_or(',')
}

/// The rows of a table whose fields hold no separator themselves.
fn rows(text: &str, separator: char) -> Option<Vec<Value>> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let head: Vec<&str> = lines.next()?.split(separator).map(str::trim).collect();
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(separator).map(str::trim).collect();
        let pairs = head.iter().zip(&fields).map(|(key, value)| ((*key).to_owned(), Value::from(*value)));
        (fields.len() == head.len()).then(|| Value::Object(pairs.collect()))
    };
    if text.contains('"') { None } else { lines.map(row).collect() }
}

/// Whether both texts say the same in another form.
fn is_same_value(path: &str, before: &str, after: &str) -> bool {
    let value = |text| serde_json::from_str::<Value>(text).ok();
    path.ends_with(".json") && value(before).zip(value(after)).is_some_and(|(before, after)| before == after)
}

fn counts(text: &str) -> HashMap<u64, usize> {
    let mut counts = HashMap::new();
    for line in bare_lines(text) {
        *counts.entry(line).or_default() += 1;
    }
    counts
}

/// How many of the lines the others do not have.
fn missing(lines: &HashMap<u64, usize>, others: &HashMap<u64, usize>) -> usize {
    let beyond = |(line, count): (&u64, &usize)| count.saturating_sub(others.get(line).copied().unwrap_or(0));
    lines.iter().map(beyond).sum()
}
