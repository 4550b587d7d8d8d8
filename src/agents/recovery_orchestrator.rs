//! `recovery-orchestrator`: what a regression or a stuck loop comes from, and what follows.
//!
//! Pause, diagnose, adapt, retry, escalate. What a person has to decide is never tried again first.

use serde_json::{Map, Value, json};

use self::diagnosis::{DiagnosisFacts, LikelyCause, SURE, diagnose};
use self::panel::capitalised;
pub use self::panel::{RecoveryBackground, lost, panel, stuck_panel};
use self::plan::{Attempt, RecoveryPlan, approach, plan, retry_text};
use self::protocol::{ProtocolStep, take};
use super::{answer, input};
use crate::definitions::envelope::{AgentRequest, AgentVerdict, Reply};
use crate::state::records::RecoveryRecord;

pub mod diagnosis;
mod panel;
pub mod plan;
pub mod protocol;

/// The protocol's steps in their order.
pub const STEPS: [&str; 5] = ["PAUSE", "DIAGNOSE", "ADAPT", "RETRY", "ESCALATE"];

/// What a project says about recovery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecoveryPolicy {
    /// The most attempts at one incident.
    pub max_retries: u32,
    /// Whether a critical regression is a person's matter at once.
    pub escalate_critical: bool,
    /// Whether the agent may always try first: somebody sits before the session, and no loop runs on by itself.
    pub mend_first: bool,
}

impl Default for RecoveryPolicy {
    fn default() -> Self {
        RecoveryPolicy { max_retries: 3, escalate_critical: true, mend_first: false }
    }
}

/// Answers `regression_detected` and `stuck_loop_detected`.
pub fn reply(request: &AgentRequest) -> Reply {
    if request.metadata.hook_name == "stuck_loop_detected" {
        return stuck(request);
    }
    let facts = facts(request);
    let policy = policy(request);
    let diagnosis = diagnose(&facts);
    let plan = plan(diagnosis.id);
    let known = RecoveryBackground { cause: diagnosis.in_words(), tried: Vec::new() };
    let panel = panel(request.metadata.iteration.max(1), &facts.kind, input(request, "diff"), &known);
    let attempts = input(request, "incident_attempts").as_u64().unwrap_or(0) as u32;
    let escalation = escalation(&facts, &diagnosis, policy, attempts);
    let next = match &escalation {
        Some(reason) => ProtocolStep::Escalate(reason, &panel),
        None => ProtocolStep::Retry(retry_iteration(request), approach(&plan, 1)),
    };
    let record = begun(request, &diagnosis, &plan, next, policy);
    let recommended =
        if escalation.is_some() { "ESCALATE to human gate" } else { "RETRY with the adapted approach" };
    let content = match &escalation {
        Some(_) => format!("{}. {recommended}.", diagnosis.root_cause),
        None => retry_text(&plan, &first_attempt(&facts, &diagnosis, &lost(input(request, "diff")), policy)),
    };
    let verdict = if escalation.is_some() { AgentVerdict::Block } else { AgentVerdict::Warn };
    let strategy = record.protocol_steps.get("adapt").and_then(|adapt| adapt.get("strategy")).cloned();
    let mut reply = answer(
        content,
        Some(verdict),
        json!({
            "recovery_protocol": "PDARE",
            "steps": STEPS,
            "recovery_invoked": true,
            "diagnosis": diagnosis.root_cause,
            "recommended_action": recommended,
            "strategy": strategy,
            "protocol_steps": shown(&record.protocol_steps),
            "gate": escalation.as_ref().map(|_| "TERMINATE"),
        }),
    );
    reply.metadata.recommendations = vec![recommended.to_owned()];
    reply
}

/// The iteration of the first attempt: the one that follows, unless the request knows better.
fn retry_iteration(request: &AgentRequest) -> u32 {
    let known = input(request, "retry_iteration").as_u64().and_then(|known| u32::try_from(known).ok());
    known.unwrap_or(request.metadata.iteration + 1)
}

/// The protocol up to `next`: its first attempt, or the person.
fn begun(
    request: &AgentRequest,
    diagnosis: &LikelyCause,
    plan: &RecoveryPlan,
    next: ProtocolStep,
    policy: RecoveryPolicy,
) -> RecoveryRecord {
    let mut record = RecoveryRecord::default();
    let said = input(request, "pause_actions").as_array().into_iter().flatten();
    let mut actions: Vec<String> = said.filter_map(Value::as_str).map(str::to_owned).collect();
    if actions.is_empty() {
        actions = vec!["Blocked pending file operations".to_owned()];
    }
    let now = request.timestamp;
    let is_escalated = matches!(next, ProtocolStep::Escalate(..));
    let strategy = if is_escalated { "escalate_to_human_gate" } else { plan.strategy };
    let adapted = RecoveryPlan { strategy, ..*plan };
    for step in [
        ProtocolStep::Pause(&actions),
        ProtocolStep::Diagnose(diagnosis),
        ProtocolStep::Adapt(&adapted),
        next,
    ] {
        // The order is the protocol's own, and a first retry is only chosen where one is allowed.
        take(&mut record, step, policy.max_retries, now).ok();
    }
    record
}

/// Why a person has to decide now; `None` when the agent tries first.
pub fn escalation(
    facts: &DiagnosisFacts,
    diagnosis: &LikelyCause,
    policy: RecoveryPolicy,
    attempts: u32,
) -> Option<String> {
    let kind = facts.kind.replace('_', " ");
    if attempts >= policy.max_retries {
        return Some(match attempts {
            0 => format!("No retries are allowed: {kind}"),
            attempts => format!("All {attempts} retries are used up: {kind}"),
        });
    }
    if policy.mend_first {
        return None;
    }
    if facts.kind == "test_deletion" {
        return Some(format!("{} regression: test deletion", capitalised(&facts.severity)));
    }
    if policy.escalate_critical && facts.severity == "critical" {
        return Some(format!("Critical regression: {kind}"));
    }
    if policy.escalate_critical && diagnosis.id == "reward_hacking" {
        return Some(format!("{} ({:.0}% sure)", diagnosis.root_cause, diagnosis.confidence * 100.0));
    }
    (diagnosis.confidence < SURE).then(|| {
        format!(
            "The cause is not clear enough to try again ({:.0}% sure): {kind}",
            diagnosis.confidence * 100.0
        )
    })
}

fn first_attempt<'a>(
    facts: &'a DiagnosisFacts,
    diagnosis: &'a LikelyCause,
    lost: &'a [String],
    policy: RecoveryPolicy,
) -> Attempt<'a> {
    Attempt {
        number: 1,
        max: policy.max_retries,
        kind: &facts.kind,
        lost,
        root_cause: &diagnosis.root_cause,
        tried: &[],
    }
}

fn facts(request: &AgentRequest) -> DiagnosisFacts {
    let text = |name: &str| input(request, name).as_str().unwrap_or_default().to_owned();
    let flag = |name: &str| input(request, name).as_bool();
    let count = |name: &str| input(request, name).as_u64();
    DiagnosisFacts {
        kind: text("regression_type"),
        severity: text("severity"),
        tests_failing_before: flag("tests_failing_before"),
        source_changed: flag("source_changed"),
        subject_removed: flag("subject_removed"),
        files_touched: count("files_touched"),
        tool_calls: count("tool_calls"),
        compactions: count("compactions"),
        error_there: flag("error_there"),
        lost: count("lost_count"),
        same_error: count("consecutive_same_error"),
        criterion_testable: flag("criterion_testable"),
        protected: flag("protected"),
        brought_by_git: flag("brought_by_git"),
    }
}

fn policy(request: &AgentRequest) -> RecoveryPolicy {
    let default = RecoveryPolicy::default();
    RecoveryPolicy {
        max_retries: input(request, "max_retries").as_u64().map_or(default.max_retries, |max| max as u32),
        escalate_critical: input(request, "auto_escalate_on_critical")
            .as_bool()
            .unwrap_or(default.escalate_critical),
        mend_first: input(request, "mend_first").as_bool().unwrap_or(default.mend_first),
    }
}

/// The steps under the names that the documents' messages use.
fn shown(steps: &Map<String, Value>) -> Map<String, Value> {
    steps.iter().map(|(name, step)| (name.to_ascii_uppercase(), step.clone())).collect()
}

fn stuck(request: &AgentRequest) -> Reply {
    let pattern = input(request, "error_pattern").as_str().unwrap_or("the same failure").to_owned();
    let attempts = input(request, "attempts").as_u64().unwrap_or(0);
    let now = json!(request.timestamp);
    let message = stuck_panel(request.metadata.iteration, &pattern, attempts);
    let mut reply = answer(
        message.clone(),
        Some(AgentVerdict::Block),
        json!({
            "recovery_protocol": "PDARE",
            "recovery_invoked": true,
            "gate": "TERMINATE",
            "recommended_action": "ESCALATE to human gate",
            "options": ["continue", "abort", "manual_fix"],
            "protocol_steps": {
                "PAUSE": {"executed_at": now, "actions": ["Blocked pending file operations"]},
                "ESCALATE": {
                    "executed_at": now,
                    "reason": format!("The same failure keeps coming back: {pattern}"),
                    "gate_type": "TERMINATE",
                    "message": message,
                },
            },
        }),
    );
    reply.metadata.recommendations = vec!["ESCALATE to human gate".to_owned()];
    reply
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definitions::envelope::RequestMetadata;
    use jiff::Timestamp;

    fn ask(inputs: Value) -> Reply {
        let metadata = RequestMetadata {
            hook_name: "regression_detected".into(),
            loop_id: "l".into(),
            iteration: 7,
            inputs: inputs.as_object().cloned().unwrap_or_default(),
        };
        reply(&AgentRequest::new("Recover", metadata, Timestamp::UNIX_EPOCH))
    }

    #[test]
    fn deleted_tests_are_diagnosed_and_escalated_with_their_names() {
        let reply = ask(json!({
            "regression_type": "test_deletion", "severity": "critical", "iteration": 7,
            "diff": {"before_test_count": 150, "after_test_count": 148, "deleted_tests": ["a.test.ts: x", "a.test.ts: y"]},
        }));
        let facts = &reply.metadata.extra;
        assert_eq!(facts["recovery_protocol"], "PDARE");
        assert_eq!(facts["diagnosis"], "Agent deleted failing tests instead of fixing code");
        assert_eq!(facts["recommended_action"], "ESCALATE to human gate");
        let steps = facts["protocol_steps"].as_object().unwrap();
        assert_eq!(steps.keys().collect::<Vec<_>>(), ["PAUSE", "DIAGNOSE", "ADAPT", "ESCALATE"]);
        assert!(steps["DIAGNOSE"]["confidence"].as_f64().unwrap() >= 0.9);
        let message = steps["ESCALATE"]["message"].as_str().unwrap();
        for part in ["Iteration 7", "150 tests", "148 tests", "- a.test.ts: y", "[1]", "[2]", "[3]"] {
            assert!(message.contains(part), "{part} in {message}");
        }
    }

    #[test]
    fn facts_change_the_diagnosis_and_what_follows() {
        let rows = [
            (json!({"regression_type": "test_skipping", "severity": "high"}), "reward_hacking", true),
            (
                json!({"regression_type": "test_skipping", "severity": "high", "tests_failing_before": false}),
                "task_complexity",
                false,
            ),
            (
                json!({"regression_type": "assertion_weakening", "severity": "medium", "source_changed": true}),
                "specification_ambiguity",
                false,
            ),
            (json!({"regression_type": "coverage_regression", "severity": "high"}), "task_complexity", false),
            (
                json!({"regression_type": "coverage_regression", "severity": "critical"}),
                "task_complexity",
                true,
            ),
            (
                json!({"regression_type": "coverage_regression", "severity": "high", "incident_attempts": 3}),
                "task_complexity",
                true,
            ),
            (
                json!({"regression_type": "test_deletion", "severity": "medium", "subject_removed": true}),
                "genuine_fix",
                true,
            ),
        ];
        for (inputs, diagnosis, escalates) in rows {
            let reply = ask(inputs.clone());
            let steps = &reply.metadata.extra["protocol_steps"];
            assert_eq!(steps["DIAGNOSE"]["diagnosis"], diagnosis, "{inputs}");
            assert_eq!(steps.get("ESCALATE").is_some(), escalates, "{inputs}");
            assert_eq!(steps.get("RETRY").is_some(), !escalates, "{inputs}");
        }
    }
}
