//! Regressions as the state records them: opening, accepting, and the files that a lost test may be in.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::checkpoint::manifest::call_label;
use crate::languages::Language;
use crate::lifecycle::call::view::read_text;
use crate::lifecycle::changes::tree;
use crate::lifecycle::context::hook_context::{HookContext, Record};
use crate::model::event::ToolCall;
use crate::model::finding::{Change, Finding, RegressionType};
use crate::state::atomic::{self, Durability};
use crate::state::gate::{Gate, GateDecision, GateSubject};
use crate::state::layout::Layout;
use crate::state::loop_id;
use crate::state::loop_state::LoopState;
use crate::state::records::{DetectedPattern, FILES, HumanDecision, RegressionEvent, lost_key};

/// How many other changed files are read to find where a test went.
const ELSEWHERE_LIMIT: usize = 200;
/// The file of a loop in which they are remembered.
const TOUCHED: &str = "touched.txt";

/// Adds a hit to `detected_patterns`.
pub fn push_pattern(state: &mut LoopState, finding: &Finding, verdict: &str, now: Timestamp) {
    let event_id = hit_id(state, finding, now);
    state.push_hit(DetectedPattern {
        pattern_id: finding.pattern_id.to_owned(),
        pattern_name: finding.pattern_name.to_owned(),
        iteration: state.iteration.max(1),
        timestamp: now,
        severity: finding.severity,
        false_positive: false,
        event_id: Some(event_id),
        path: Some(finding.path.clone()),
        what: Some(finding.what.clone()),
        lost: Some(finding.lost.clone()),
        verdict: Some(verdict.to_owned()),
        times: None,
        last_seen: None,
        extra: Map::new(),
    });
}

/// Whether the same was found in this iteration by a call that was let through, as a call's two events find it twice.
pub fn is_known(state: &LoopState, finding: &Finding) -> bool {
    let is_same = |hit: &DetectedPattern| {
        hit.pattern_id == finding.pattern_id
            && hit.iteration == state.iteration.max(1)
            && hit.verdict.as_deref() != Some("deny")
            && hit.path.as_deref().unwrap_or_default() == finding.path
            && hit.what.as_deref().unwrap_or_default() == finding.what
            && hit.lost.iter().flatten().eq(&finding.lost)
    };
    state.detected_patterns.iter().any(is_same)
}

/// Names a hit for a person who calls it a false alarm.
fn hit_id(state: &LoopState, finding: &Finding, now: Timestamp) -> String {
    let number = state.detected_patterns_total;
    loop_id::uuid(&format!("{} {number} {} {}", state.loop_id, finding.pattern_id, finding.path), now)
}

/// Opens a regression for each finding that is one: one event per type and iteration, so that a second loss of the
/// same kind joins the first. Returns the ids of the events that were opened or grew.
pub fn open(
    state: &mut LoopState,
    findings: &[Finding],
    tests: Option<(u64, u64)>,
    decision: Option<HumanDecision>,
    now: Timestamp,
) -> Vec<String> {
    let iteration = state.iteration.max(1);
    let mut touched = Vec::new();
    for finding in findings {
        let Some(kind) = finding.regression_type else { continue };
        let lost: Vec<String> = finding.lost_names().collect();
        let existing = state.regression_events.iter_mut().find(|event| {
            event.regression_type == kind
                && event.iteration == iteration
                && event.is_open()
                && decision.is_none()
        });
        let id = match existing {
            Some(event) => {
                join(event, &lost, &finding.path, tests);
                event.severity = event.severity.max(finding.severity);
                event.event_id.clone()
            }
            None => {
                let event = new_event(finding, kind, iteration, lost, tests, decision, now);
                let id = event.event_id.clone();
                state.regression_events.push(event);
                id
            }
        };
        if !touched.contains(&id) {
            touched.push(id);
        }
    }
    state.note_regressions();
    touched
}

fn new_event(
    finding: &Finding,
    kind: RegressionType,
    iteration: u32,
    lost: Vec<String>,
    tests: Option<(u64, u64)>,
    decision: Option<HumanDecision>,
    now: Timestamp,
) -> RegressionEvent {
    let (before, after) = tests.unzip();
    RegressionEvent {
        event_id: loop_id::uuid(&format!("{}{:?}", finding.path, lost), now),
        timestamp: now,
        iteration,
        regression_type: kind,
        severity: finding.severity,
        details: Map::from_iter([
            ("baseline_value".to_owned(), json!(before)),
            ("current_value".to_owned(), json!(after)),
            (
                "diff".to_owned(),
                json!({
                    lost_key(kind): lost,
                    "before_test_count": before,
                    "after_test_count": after,
                }),
            ),
            ("pattern_id".to_owned(), json!(finding.pattern_id)),
            (FILES.to_owned(), json!([finding.path])),
        ]),
        recovery_protocol_invoked: false,
        recovery_outcome: None,
        human_gate_invoked: decision.is_some(),
        human_decision: decision,
        ..RegressionEvent::new(kind, finding.severity)
    }
}

fn join(event: &mut RegressionEvent, lost: &[String], path: &str, tests: Option<(u64, u64)>) {
    if let Some(files) = event.details.get_mut(FILES).and_then(Value::as_array_mut)
        && !files.iter().any(|known| known == path)
    {
        files.push(json!(path));
    }
    let mut names = event.lost();
    names.extend(lost.iter().filter(|name| !names.contains(name)).cloned().collect::<Vec<_>>());
    let key = event.lost_key();
    let current = tests.map(|(before, after)| before.saturating_sub(after));
    let number = |details: &Map<String, Value>| details.get("current_value").and_then(Value::as_u64);
    let after = number(&event.details).zip(current).map(|(value, lost)| value.saturating_sub(lost));
    if let Some(diff) = event.details.get_mut("diff").and_then(Value::as_object_mut) {
        diff.insert(key.to_owned(), json!(names));
        if after.is_some() {
            diff.insert("after_test_count".to_owned(), json!(after));
        }
    }
    if after.is_some() {
        event.details.insert("current_value".to_owned(), json!(after));
    }
}

/// The files that changed since the session began, before and now: where a lost test may have gone. Those of the call are
/// among them, as they are without it.
pub fn elsewhere(context: &HookContext) -> Vec<Change> {
    // What the session has committed meanwhile is its work all the same.
    let began = context.watch().and_then(|watch| watch.base_commit).unwrap_or_else(|| "HEAD".to_owned());
    changed_files(context)
        .into_iter()
        .filter(|path| Language::of_path(path).is_some())
        .take(ELSEWHERE_LIMIT)
        .map(|path| Change {
            after: read_text(&context.project.root().join(&path)),
            before: tree::text_at(&context.project, &began, &path),
            path,
        })
        .collect()
}

/// What git says has changed, and what this session's calls touched.
pub fn changed_files(context: &HookContext) -> Vec<String> {
    let mut paths: Vec<String> = match &context.since_start {
        Some(files) => files.iter().map(|(path, _)| path.clone()).collect(),
        None => tree::changed_files(&context.project),
    };
    if let Some(bound) = &context.bound {
        paths.extend(touched(&context.layout, &bound.id));
    }
    let mut seen = BTreeSet::new();
    paths.retain(|path| seen.insert(path.clone()));
    paths
}

/// The files that a loop's calls touched.
pub fn touched(layout: &Layout, loop_id: &str) -> Vec<String> {
    let text = fs::read_to_string(layout.loop_dir(loop_id).join(TOUCHED)).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// Remembers which files a call touched.
pub fn touch(context: &HookContext, paths: &[String]) {
    let Some(bound) = &context.bound else { return };
    let path = context.layout.loop_dir(&bound.id).join(TOUCHED);
    let known = fs::read_to_string(&path).unwrap_or_default();
    let new: String = paths
        .iter()
        .filter(|path| !path.contains(['\n', '\r']) && !known.lines().any(|line| line == *path))
        .map(|path| format!("{path}\n"))
        .collect();
    if new.is_empty() {
        return;
    }
    if let Ok(mut file) = fs::OpenOptions::new().create(true).append(true).open(&path) {
        std::io::Write::write_all(&mut file, new.as_bytes()).ok();
    }
}

/// A question that the host's own dialog put to a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// The lost names that were shown.
    pub lost: Vec<String>,
    /// The patterns that were shown.
    pub pattern_ids: Vec<String>,
    /// What the person read.
    #[serde(default)]
    pub message: String,
    /// When it was put.
    #[serde(default)]
    pub asked_at: Option<Timestamp>,
}

/// Remembers what a person is asked about a call: when the call runs after all, the person has approved it.
pub fn remember_question(context: &HookContext, call: &ToolCall, findings: &[Finding], message: &str) {
    let Some(path) = question_path(context, call) else { return };
    let question = Question {
        lost: findings.iter().flat_map(Finding::lost_names).collect(),
        pattern_ids: findings.iter().map(|finding| finding.pattern_id.to_owned()).collect(),
        message: message.to_owned(),
        asked_at: Some(context.env.now),
    };
    let bytes = serde_json::to_vec(&question).unwrap_or_default();
    atomic::write(&path, &bytes, Durability::Process).ok();
}

/// The question that was asked about a call, forgotten once it is taken.
pub fn take_question(context: &HookContext, call: &ToolCall) -> Option<Question> {
    let path = question_path(context, call)?;
    let bytes = fs::read(&path).ok()?;
    fs::remove_file(&path).ok();
    serde_json::from_slice(&bytes).ok()
}

/// Records the questions of calls that have not run: the person refused them.
pub fn settle_questions(context: &mut HookContext) {
    let Some(bound) = &context.bound else { return };
    let Ok(entries) = fs::read_dir(context.layout.loop_dir(&bound.id).join("questions")) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let asked = fs::read(&path).ok().and_then(|bytes| serde_json::from_slice::<Question>(&bytes).ok());
        fs::remove_file(&path).ok();
        if let Some(asked) = asked {
            note_dialog(context, &asked, GateDecision::Reject);
        }
    }
}

/// Records what a person answered in the host's own dialog, as a gate that was decided there.
pub fn note_dialog(context: &mut HookContext, asked: &Question, decision: GateDecision) {
    let now = context.env.now;
    let iteration = context.iteration();
    let gate = Gate {
        gate_id: loop_id::uuid(&format!("dialog{:?}", asked.lost), now),
        subject: GateSubject::DestructiveAction,
        gate_type: "TERMINATE".to_owned(),
        opened_at: asked.asked_at.unwrap_or(now),
        iteration,
        event_ids: Vec::new(),
        message: asked.message.clone(),
        choices: Vec::new(),
        decision: Some(decision),
        decided_at: Some(now),
        decided_by: (context.env.vars)("USER"),
        decided_via: Some("dialog".to_owned()),
        pattern_ids: Some(asked.pattern_ids.clone()),
        lost: Some(asked.lost.clone()),
        ..Gate::new(GateSubject::DestructiveAction, now)
    };
    let outcome = json!({
        "human_decision": decision.name(),
        "decided_via": "dialog",
        "pattern_ids": asked.pattern_ids,
        "lost": asked.lost,
    });
    context.change_state(Durability::Process, |state| state.human_gates.push(gate));
    context.log("human_gate", Record::default().outcome(outcome));
}

fn question_path(context: &HookContext, call: &ToolCall) -> Option<PathBuf> {
    let bound = context.bound.as_ref()?;
    let name = format!("{}.json", call_label(call.id.as_ref()?));
    Some(context.layout.loop_dir(&bound.id).join("questions").join(name))
}
