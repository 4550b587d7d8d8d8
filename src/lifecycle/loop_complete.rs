//! `loop_complete`: a loop is over, whether it reached its goal, a limit, or a person ended it.
//!
//! The reports are written before the state says that the loop is over, so a crash between leaves a loop that can
//! still be finished.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::iteration_record::{earlier_learnings, read_snapshot};
use super::scene::change_state;
use super::tree;
use crate::agents::best_output;
use crate::project::Project;
use crate::ralph::report::{self, Best, IterationSummary, LoopSummary};
use crate::ralph::verification::Verification;
use crate::ralph::{analytics, task_type};
use crate::state::atomic::{self, Durability};
use crate::state::audit::{self, Line};
use crate::state::layout::{self, Layout};
use crate::state::lock::HOOK_WAIT;
use crate::state::loop_state::{LoopState, Status};
use crate::state::watch::Watch;
use crate::text::banner::{self, Aborted, Limit, LimitReached, Success};

/// How a loop ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The criteria hold and nothing is lost.
    Success,
    /// The last allowed iteration is done.
    MaxIterations,
    /// The time is used up.
    Timeout,
    /// A person ended it.
    Aborted,
    /// A person ended it and took its changes back.
    Reverted,
}

impl Ending {
    /// The loop's last status.
    pub fn status(self) -> Status {
        match self {
            Ending::Success => Status::Completed,
            Ending::MaxIterations | Ending::Timeout => Status::Failed,
            Ending::Aborted | Ending::Reverted => Status::Aborted,
        }
    }

    /// The word that people read.
    pub fn name(self) -> &'static str {
        match self {
            Ending::Success => "SUCCESS",
            Ending::MaxIterations => "MAX_ITERATIONS",
            Ending::Timeout => "TIMEOUT",
            Ending::Aborted | Ending::Reverted => "ABORTED",
        }
    }
}

/// Ends a loop: selects its best iteration, writes its reports, closes its state. Returns the banner for the person.
pub fn finish(
    project: &Project,
    layout: &Layout,
    loop_id: &str,
    ending: Ending,
    verification: Option<&Verification>,
    now: Timestamp,
) -> Result<String, String> {
    let state = LoopState::read(layout, loop_id).map_err(|error| error.to_string())?;
    if state.status.is_over() {
        return Err(format!("loop {loop_id} is {} already", state.status.name()));
    }
    let selection = best_output::select(&state.iteration_history);
    let paths = write_reports(project, layout, &state, ending, verification, now)
        .map_err(|error| error.to_string())?;
    let changed = change_state(layout, loop_id, HOOK_WAIT, Durability::Power, now, |state| {
        state.status = ending.status();
        state.completed_at = Some(now);
        state.detection_enabled = false;
        state.selected_iteration = selection.as_ref().map(|selection| selection.iteration);
        state.completion_report_path = Some(paths.report.clone());
        state.extra.insert("ending".to_owned(), json!(ending.name()));
        if let Some(selection) = &selection {
            state.extra.insert(
                "selection".to_owned(),
                json!({
                    "selected_iteration": selection.iteration,
                    "quality_score": selection.quality_score,
                    "total_iterations": state.iteration_history.len(),
                    "final_iteration": state.iteration_history.last().map(|record| record.iteration),
                    "reason": selection.reason,
                    "below_threshold": selection.below_threshold,
                }),
            );
        }
    })?;
    std::fs::remove_dir_all(layout.loop_dir(loop_id).join("questions")).ok();
    let line = Line {
        agents_invoked: vec!["progress-tracker".to_owned(), "best-output-selector".to_owned()],
        outcomes: vec![
            json!({"ending": ending.name(), "selected": selection.as_ref().map(|s| &s.reason)}),
            json!({
                "archive_iteration_history": format!("{}loops/{loop_id}/iterations", layout::ROOT),
                "iterations": state.iteration_history.len(),
            }),
        ],
        state_changes: Map::from_iter([
            ("status".to_owned(), json!(ending.status())),
            ("selected_iteration".to_owned(), json!(selection.map(|selection| selection.iteration))),
            ("completion_report_path".to_owned(), json!(paths.report)),
            ("detection_enabled".to_owned(), Value::from(false)),
        ]),
        ..Line::new("loop_complete", loop_id, changed.entry.iteration, now)
    };
    audit::append(&layout.log(loop_id), line).ok();
    Ok(banner(project, layout, &state, ending, verification, &paths, now))
}

/// Where the reports are, relative to the project.
struct Reports {
    report: String,
    completion: String,
}

fn write_reports(
    project: &Project,
    layout: &Layout,
    state: &LoopState,
    ending: Ending,
    verification: Option<&Verification>,
    now: Timestamp,
) -> std::io::Result<Reports> {
    let summary = summary(project, layout, state, ending, verification, now);
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
    Ok(Reports { report: relative(&report), completion: relative(&completion) })
}

/// What the reports tell, from what was recorded.
fn summary(
    project: &Project,
    layout: &Layout,
    state: &LoopState,
    ending: Ending,
    verification: Option<&Verification>,
    now: Timestamp,
) -> LoopSummary {
    let (files, added, removed) = extent(project, layout, &state.loop_id);
    let selection = best_output::select(&state.iteration_history);
    LoopSummary {
        loop_id: state.loop_id.clone(),
        task: state.task.clone(),
        task_type: task_type::recognise(&state.task).map(|task_type| task_type.name().to_owned()),
        status: ending.name().to_owned(),
        criteria: state.completion_criteria.clone(),
        started: state.started_at,
        ended: now,
        iterations: iterations(layout, state, verification),
        regression_events: findings(state),
        recovery_attempts: Vec::new(),
        files,
        added,
        removed,
        best: selection.map(|selection| Best {
            iteration: selection.iteration,
            quality: Some(selection.quality_score),
            reason: selection.reason,
        }),
        costs: None,
    }
}

fn iterations(layout: &Layout, state: &LoopState, last: Option<&Verification>) -> Vec<IterationSummary> {
    let mut started = state.started_at;
    let count = state.iteration_history.len();
    let summarised = state.iteration_history.iter().enumerate().map(|(n, record)| {
        let verification = match last {
            Some(verification) if n + 1 == count => Some(verification.clone()),
            _ => read_snapshot(layout, &state.loop_id, record).and_then(|iteration| iteration.verification),
        };
        let summary = IterationSummary {
            number: record.iteration,
            started,
            ended: record.timestamp,
            action: record.action.clone(),
            result: record.result.clone(),
            learning: record.extra.get("learning").and_then(|l| serde_json::from_value(l.clone()).ok()),
            changed: record.artifacts.iter().map(|artifact| artifact.path.clone()).collect(),
            verification,
            quality: Some(record.quality_score),
        };
        started = record.timestamp;
        summary
    });
    summarised.collect()
}

/// What was found, and what became of it: what was stopped before it happened, and what had to be mended.
fn findings(state: &LoopState) -> Vec<report::RegressionEvent> {
    let stopped = state.detected_patterns.iter().filter_map(|hit| {
        let text = |key: &str| hit.extra.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let outcome = match text("verdict").as_str() {
            "deny" => "denied",
            "ask" => "asked",
            _ => return None,
        };
        let lost = hit.extra.get("lost").and_then(Value::as_array).into_iter().flatten();
        Some(report::RegressionEvent {
            iteration: hit.iteration,
            pattern_id: hit.pattern_id.clone(),
            regression_type: hit.pattern_name.clone(),
            severity: hit.severity.name().to_owned(),
            path: text("path"),
            lost: lost.filter_map(Value::as_str).map(str::to_owned).collect(),
            outcome: outcome.to_owned(),
        })
    });
    let happened = state.regression_events.iter().map(|event| report::RegressionEvent {
        iteration: event.iteration,
        pattern_id: event.details.get("pattern_id").and_then(Value::as_str).unwrap_or_default().to_owned(),
        regression_type: event.regression_type.name().to_owned(),
        severity: event.severity.name().to_owned(),
        path: String::new(),
        lost: event.lost(),
        outcome: match (event.human_decision.is_some(), event.is_open()) {
            (true, _) => "approved by a person",
            (false, false) => "restored",
            (false, true) => "open",
        }
        .to_owned(),
    });
    stopped.chain(happened).collect()
}

/// Changed files, added and removed lines since the loop began.
fn extent(project: &Project, layout: &Layout, loop_id: &str) -> (usize, u64, u64) {
    let base = Watch::read(layout, loop_id).and_then(|watch| watch.base_commit);
    let mut files: BTreeSet<String> = tree::changed_files(project).into_iter().collect();
    let Some(base) = base else { return (files.len(), 0, 0) };
    files.extend(tree::changed_since(project, &base));
    let (added, removed) = tree::lines_changed(project, &base);
    (files.len(), added, removed)
}

fn banner(
    project: &Project,
    layout: &Layout,
    state: &LoopState,
    ending: Ending,
    verification: Option<&Verification>,
    paths: &Reports,
    now: Timestamp,
) -> String {
    let learnings = earlier_learnings(state);
    let seconds = now.duration_since(state.started_at).as_secs().max(0) as u64;
    let iterations = state.metrics.total_iterations;
    let (files, added, removed) = extent(project, layout, &state.loop_id);
    let state_path = layout.state(&state.loop_id).display().to_string();
    let limit = |limit| {
        banner::limit(&LimitReached {
            loop_id: &state.loop_id,
            task: &state.task,
            limit,
            iterations,
            max: state.configuration.max_iterations,
            last_attempt: state.iteration_history.last().map_or("", |record| &record.action),
            verification,
            learnings: &learnings,
            state: &state_path,
            report: &paths.completion,
        })
    };
    match ending {
        Ending::MaxIterations => limit(Limit::MaxIterations),
        Ending::Timeout => limit(Limit::Timeout),
        Ending::Success => banner::success(&Success {
            task: &state.task,
            iterations,
            seconds,
            verification: verification.unwrap_or(&Verification::default()),
            files,
            added,
            removed,
            report: &paths.completion,
        }),
        Ending::Aborted | Ending::Reverted => banner::aborted(&Aborted {
            loop_id: &state.loop_id,
            task: &state.task,
            iterations,
            seconds,
            reason: "",
            reverted: ending == Ending::Reverted,
            files,
            learnings: &learnings,
            report: &paths.completion,
            state: &state_path,
        }),
    }
}
