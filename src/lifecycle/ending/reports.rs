//! The reports of a loop that has ended: for people, for programs, and where people look first.

use serde_json::{Value, json};

use crate::config::Config;
use crate::lifecycle::ending::best::select;
use crate::lifecycle::ending::ended_loop::EndedLoop;
use crate::lifecycle::ending::extent::ChangeExtent;
use crate::lifecycle::ending::spent::LoopCost;
use crate::lifecycle::iteration::record::read_snapshot;
use crate::loops::report::{Best, IterationSummary, LoopSummary, analytics};
use crate::loops::verification::VerificationResult;
use crate::loops::{report, task_type};
use crate::model::event::host_of;
use crate::state::atomic;
use crate::state::atomic::Durability;
use crate::state::history;
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;
use crate::state::records::{Artifact, HumanDecision, ProtocolOutcome, RecoveryOutcome};
use crate::text::gate as gate_text;

/// Where the reports are, relative to the project.
pub(crate) struct WrittenReports {
    pub(crate) report: String,
    pub(crate) completion: String,
    /// What the loop has changed.
    pub(crate) extent: ChangeExtent,
}

/// Writes the reports of a loop that ends.
pub(crate) fn write_reports(ended: &EndedLoop, costs: &LoopCost) -> std::io::Result<WrittenReports> {
    let EndedLoop { project, layout, state, now, .. } = *ended;
    let summary = summary(ended, costs);
    let analytics = layout.analytics(&state.loop_id);
    let stamp = now.strftime("%Y%m%dT%H%M%SZ").to_string();
    let report = analytics.join("report.md");
    let completion = layout.completion_report(&stamp);
    let relative = |path: &std::path::Path| {
        path.strip_prefix(project.root()).unwrap_or(path).to_string_lossy().into_owned()
    };
    let json = serde_json::to_vec_pretty(&analytics::analytics(&summary))?;
    atomic::write(&analytics.join("analytics.json"), &json, Durability::Power)?;
    atomic::write(&report, report::report(&summary).as_bytes(), Durability::Power)?;
    atomic::write(
        &completion,
        report::completion(&summary, &relative(&report)).as_bytes(),
        Durability::Power,
    )?;
    let LoopSummary { files, added, removed, others, .. } = summary;
    let extent = ChangeExtent { files, added, removed, others };
    Ok(WrittenReports { report: relative(&report), completion: relative(&completion), extent })
}

/// What the reports tell, from what was recorded.
fn summary(ended: &EndedLoop, costs: &LoopCost) -> LoopSummary {
    let EndedLoop { project, layout, state, .. } = *ended;
    let ChangeExtent { files, added, removed, others } = ChangeExtent::of(project, layout, state);
    let selection = select(state, &Config::read(project.root()).0);
    LoopSummary {
        loop_id: state.loop_id.clone(),
        host: state.session_id.as_deref().and_then(host_of).map(str::to_owned),
        task: state.task.clone(),
        task_type: task_type::recognise(&state.task).map(|task_type| task_type.name().to_owned()),
        status: ended.ending.name().to_owned(),
        criteria: state.completion_criteria.clone(),
        started: state.started_at,
        ended: ended.now,
        iterations: iterations(layout, state, ended.verification, costs),
        regression_events: findings(state),
        recovery_attempts: recoveries(state),
        decisions: decisions(layout, state),
        baseline: state.baseline_metrics.as_ref().map(|baseline| json!(baseline)),
        files,
        added,
        removed,
        others,
        best: selection.map(|selection| Best {
            iteration: selection.iteration,
            quality: Some(selection.quality_score),
            reason: selection.reason,
        }),
        costs: Some(report::Costs { tokens: costs.total.0, usd: costs.total.1 }),
    }
}

/// What persons decided, those included that the state has let go.
fn decisions(layout: &Layout, state: &LoopState) -> Vec<report::ReportedDecision> {
    let state = history::whole(layout, state.clone());
    let decided = state.human_gates.iter().filter_map(|gate| {
        Some(report::ReportedDecision {
            iteration: gate.iteration,
            about: gate_text::about(gate).to_owned(),
            decision: gate.decision?.name().replace('_', " "),
            by: gate.decided_by.clone(),
            reason: gate.reason.clone(),
        })
    });
    decided.collect()
}

fn recoveries(state: &LoopState) -> Vec<report::RecoveryAttempt> {
    let attempts = state.recovery_history.iter().map(|recovery| {
        let step = |name: &str, field: &str| {
            let text = recovery.protocol_steps.get(name)?.get(field)?.as_str()?;
            Some(text.to_owned())
        };
        report::RecoveryAttempt {
            iteration: recovery.iteration,
            fault: recovery.trigger.clone(),
            action: step("adapt", "strategy").or_else(|| step("diagnose", "root_cause")).unwrap_or_default(),
            helped: recovery.outcome.map(|outcome| outcome == ProtocolOutcome::Success),
        }
    });
    attempts.collect()
}

fn iterations(
    layout: &Layout,
    state: &LoopState,
    last: Option<&VerificationResult>,
    costs: &LoopCost,
) -> Vec<IterationSummary> {
    let mut started = state.started_at;
    let count = state.iteration_history.len();
    let summarised = state.iteration_history.iter().enumerate().map(|(n, record)| {
        let verification = match last {
            Some(verification) if n + 1 == count && !record.is_reverted() => Some(verification.clone()),
            _ => read_snapshot(layout, &state.loop_id, record).and_then(|iteration| iteration.verification),
        };
        let summary = IterationSummary {
            number: record.iteration,
            started,
            ended: record.timestamp,
            action: record.action.clone(),
            result: record.result.clone(),
            learning: record.lesson().cloned(),
            changed: record.artifacts.iter().map(Artifact::in_words).collect(),
            verification,
            quality: Some(record.quality_score),
            tokens: costs.by_iteration.get(n).and_then(|spent| spent.0),
            usd: costs.by_iteration.get(n).and_then(|spent| spent.1),
            metrics: record.metrics_snapshot.clone(),
            taken_back: record.is_reverted(),
        };
        started = record.timestamp;
        summary
    });
    summarised.collect()
}

/// What was found, and what became of it: what was stopped before it happened, and what had to be mended.
fn findings(state: &LoopState) -> Vec<report::ReportedRegression> {
    let stopped = state.detected_patterns.iter().filter_map(|hit| {
        let outcome = match hit.verdict.as_deref()? {
            "deny" => "denied",
            "ask" => "asked",
            _ => return None,
        };
        Some(report::ReportedRegression {
            iteration: hit.iteration,
            pattern_id: hit.pattern_id.clone(),
            regression_type: hit.pattern_name.clone(),
            severity: hit.severity.name().to_owned(),
            path: hit.path.clone().unwrap_or_default(),
            lost: hit.lost.clone().unwrap_or_default(),
            outcome: outcome.to_owned(),
        })
    });
    let happened = state.regression_events.iter().map(|event| report::ReportedRegression {
        iteration: event.iteration,
        pattern_id: event.details.get("pattern_id").and_then(Value::as_str).unwrap_or_default().to_owned(),
        regression_type: event.regression_type.name().to_owned(),
        severity: event.severity.name().to_owned(),
        path: String::new(),
        lost: event.lost(),
        outcome: match (event.human_decision, event.recovery_outcome, event.is_open()) {
            (Some(HumanDecision::Approve), ..) => "approved by a person",
            (Some(HumanDecision::Reject), ..) => "rejected by a person",
            (Some(HumanDecision::Abort), ..) => "ended by a person",
            (None, Some(RecoveryOutcome::Skipped), _) => "recorded",
            (None, _, false) => "restored",
            (None, _, true) => "open",
        }
        .to_owned(),
    });
    stopped.chain(happened).collect()
}
