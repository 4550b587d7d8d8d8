//! The cases of a file of test data: what each asks, what it answers, and which of them are others now.

use serde_json::Value;

use crate::languages::file_name;
use crate::model::finding::Severity;

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
pub(super) const FEW: usize = 3;
/// How many lost cases are named.
pub(super) const NAMED: usize = 50;

pub(super) type TestDataFinding = (Severity, String, Vec<String>);

/// Cases taken out of a list, with all others as they were.
pub(super) fn cut(path: &str, before: &str, after: &str) -> Option<TestDataFinding> {
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
    // Fewer items of which some are others: two that became one.
    let severity = if has_answers || is_kept { severity } else { Severity::Medium };
    (!lost.is_empty()).then_some((severity, what, lost))
}

/// The cases of which nothing but the answer differs, by name.
pub(super) fn answers_changed(old: &[Value], new: &[Value]) -> Vec<String> {
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
pub(super) fn cases_changed(old: &[Value], new: &[Value]) -> Option<(String, Severity)> {
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
pub(super) fn cases(path: &str, text: &str) -> Option<Vec<Value>> {
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
