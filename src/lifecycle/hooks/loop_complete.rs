//! `loop_complete`: a loop is over, whether it reached its goal, a limit, or a person ended it.
//!
//! The reports are written before the state says that the loop is over, so a crash between leaves a loop that can
//! still be finished.

use std::io::Write;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::agents::best_output::{self, Selection, Wanted};
use crate::checkpoint::watch::Watch;
use crate::config::Config;
use crate::definitions::model::Definitions;
use crate::definitions::names::{Agent, HookName};
use crate::lifecycle::changes::tree;
use crate::lifecycle::context::agent_messages;
use crate::lifecycle::context::agent_messages::Heard;
use crate::lifecycle::context::hook_context::change_state;
use crate::lifecycle::iteration::record::{earlier_learnings, read_snapshot};
use crate::lifecycle::measuring::performance::PersistenceMetrics;
use crate::loops::report;
use crate::loops::report::analytics;
use crate::loops::report::{Best, IterationSummary, LoopSummary};
use crate::loops::task_type;
use crate::loops::verification::Verification;
use crate::metrics::transcript;
use crate::model::finding::Severity;
use crate::project::Project;
use crate::state::atomic::{self, Durability};
use crate::state::audit::{self, Filter, Line};
use crate::state::layout::Layout;
use crate::state::lock::HOOK_WAIT;
use crate::state::loop_state::{LoopState, Status};
use crate::state::records::{HumanDecision, ProtocolOutcome, RecoveryOutcome};
use crate::text::banner::{self, Aborted, Limit, LimitReached, Success};

/// What a program may take at the end of a loop.
const ASKING: Duration = Duration::from_secs(5);

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
    let (config, _) = Config::read(project.root());
    let heard = ask(project, &state, ending, now);
    let selection = chosen(&heard, &state).or_else(|| select(&state, &config));
    let costs = costs(&state, now);
    let paths = write_reports(project, layout, &state, ending, verification, &costs, now)
        .map_err(|error| error.to_string())?;
    let performance = performance(layout, &state, now);
    let changed = change_state(layout, loop_id, HOOK_WAIT, Durability::Power, now, |state| {
        state.status = ending.status();
        state.completed_at = Some(now);
        state.detection_enabled = false;
        state.selected_iteration = selection.as_ref().map(|selection| selection.iteration);
        state.completion_report_path = Some(paths.report.clone());
        state.ending = Some(ending.name().to_owned());
        performance.note(state);
        if let Some(selection) = &selection {
            state.selection = Some(json!(selection));
        }
        if let (Some(tokens), _) = costs.total {
            state.metrics.total_tokens = Some(tokens);
        }
        if let (_, Some(usd)) = costs.total {
            state.metrics.total_cost_usd = Some(usd);
        }
    })?;
    std::fs::remove_dir_all(layout.loop_dir(loop_id).join("questions")).ok();
    let archived = archive(layout, &state);
    crate::lifecycle::iteration::reflect::close(layout, loop_id, ending == Ending::Success, now);
    let mut line = Line {
        agents_invoked: heard.names(),
        outcomes: vec![
            json!({"ending": ending.name(), "selected": selection.as_ref().map(|s| &s.reason)}),
            json!({"selection": selection}),
            json!({"persistence_metrics": performance, "over_target": performance.breaches(&config.performance)}),
            json!({"archive_iteration_history": archived, "iterations": state.iteration_history.len()}),
        ],
        state_changes: Map::from_iter([
            ("status".to_owned(), json!(ending.status())),
            ("selected_iteration".to_owned(), json!(selection.map(|selection| selection.iteration))),
            ("completion_report_path".to_owned(), json!(paths.report)),
            ("detection_enabled".to_owned(), Value::from(false)),
        ]),
        ..Line::new("loop_complete", loop_id, changed.entry.iteration, now)
    };
    line.outcomes.extend(heard.failures.iter().map(|failure| Value::from(failure.as_str())));
    audit::append(&layout.log(loop_id), line).ok();
    Ok(banner(project, layout, &state, ending, verification, &paths, now))
}

/// What the guard cost, as its log tells.
fn performance(layout: &Layout, state: &LoopState, now: Timestamp) -> PersistenceMetrics {
    let ended = LoopState { completed_at: Some(now), ..state.clone() };
    let lines = audit::read(&layout.hook_log(&state.loop_id), Filter::default()).ok();
    PersistenceMetrics::of(&ended, lines.into_iter().flatten(), now)
}

/// Asks the agents of the loop's end. A failure of one is a line in the log: a loop that is over can't be held back.
fn ask(project: &Project, state: &LoopState, ending: Ending, now: Timestamp) -> Heard {
    let ended = LoopState { status: ending.status(), ..state.clone() };
    let definitions = Definitions::read(project.root());
    agent_messages::ask_of_loop(project, &definitions, HookName::LoopComplete, &ended, Some(ASKING), now)
}

/// The iteration that a program of the project chose in the selector's place.
fn chosen(heard: &Heard, state: &LoopState) -> Option<Selection> {
    let said = |name: &str| heard.program_says(Agent::BestOutputSelector, name);
    let number = said("iteration")?.as_u64()?;
    let record = state.iteration_history.iter().find(|record| u64::from(record.iteration) == number)?;
    let last = state.iteration_history.last()?;
    Some(Selection {
        iteration: record.iteration,
        quality_score: record.quality_score,
        total_iterations: state.iteration_history.len(),
        final_iteration: last.iteration,
        delta_from_final: record.quality_score - last.quality_score,
        degraded: last.quality_score < record.quality_score,
        reason: said("reason")
            .and_then(Value::as_str)
            .unwrap_or("chosen by the project's own program")
            .to_owned(),
        below_threshold: false,
    })
}

/// The iteration worth keeping, as the project wants it.
pub fn select(state: &LoopState, config: &Config) -> Option<Selection> {
    let wanted = &config.best_output_selection;
    let critical = state.open_regressions().filter(|event| event.severity == Severity::Critical);
    let unresolved = critical.map(|event| event.iteration);
    best_output::select(
        &state.iteration_history,
        &Wanted {
            enabled: wanted.enabled,
            threshold: wanted.quality_threshold,
            verified_only: wanted.require_verification,
            unresolved: unresolved.collect(),
        },
    )
}

/// Keeps all iterations' snapshots in one compressed file beside them. Answers its path, relative to the loop.
fn archive(layout: &Layout, state: &LoopState) -> Option<String> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    for record in &state.iteration_history {
        let path = layout.snapshot(&state.loop_id, record.iteration, record.snapshot_path.as_deref());
        let Ok(bytes) = std::fs::read(path) else { continue };
        let line: Value = serde_json::from_slice(&bytes).ok()?;
        writeln!(encoder, "{line}").ok()?;
    }
    if state.iteration_history.is_empty() {
        return None;
    }
    let bytes = encoder.finish().ok()?;
    let path = layout.iterations(&state.loop_id).join(ARCHIVE);
    atomic::write(&path, &bytes, Durability::Power).ok()?;
    Some(format!("iterations/{ARCHIVE}"))
}

/// All iterations' snapshots, a line each.
const ARCHIVE: &str = "history.jsonl.gz";

/// What a loop cost, in all and by iteration, as far as the host's transcripts tell.
#[derive(Debug, Default)]
struct Spent {
    total: (Option<u64>, Option<f64>),
    by_iteration: Vec<(Option<u64>, Option<f64>)>,
}

fn costs(state: &LoopState, now: Timestamp) -> Spent {
    let mut answers = Vec::new();
    for path in state.transcripts.iter().flatten() {
        if let Ok(file) = std::fs::File::open(path) {
            answers.extend(transcript::answers(&mut std::io::BufReader::new(file)));
        }
    }
    let mut from = state.started_at;
    let by_iteration = state.iteration_history.iter().map(|record| {
        let spent = transcript::spent(&answers, from, record.timestamp);
        from = record.timestamp;
        spent
    });
    Spent { by_iteration: by_iteration.collect(), total: transcript::spent(&answers, state.started_at, now) }
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
    costs: &Spent,
    now: Timestamp,
) -> std::io::Result<Reports> {
    let summary = summary(project, layout, state, ending, verification, costs, now);
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
    costs: &Spent,
    now: Timestamp,
) -> LoopSummary {
    let (files, added, removed) = extent(project, layout, &state.loop_id);
    let selection = select(state, &Config::read(project.root()).0);
    LoopSummary {
        loop_id: state.loop_id.clone(),
        task: state.task.clone(),
        task_type: task_type::recognise(&state.task).map(|task_type| task_type.name().to_owned()),
        status: ending.name().to_owned(),
        criteria: state.completion_criteria.clone(),
        started: state.started_at,
        ended: now,
        iterations: iterations(layout, state, verification, costs),
        regression_events: findings(state),
        recovery_attempts: recoveries(state),
        baseline: state.baseline_metrics.as_ref().map(|baseline| json!(baseline)),
        files,
        added,
        removed,
        best: selection.map(|selection| Best {
            iteration: selection.iteration,
            quality: Some(selection.quality_score),
            reason: selection.reason,
        }),
        costs: Some(report::Costs { tokens: costs.total.0, usd: costs.total.1 }),
    }
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
    last: Option<&Verification>,
    costs: &Spent,
) -> Vec<IterationSummary> {
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
            learning: record.lesson().cloned(),
            changed: record.artifacts.iter().map(|artifact| artifact.path.clone()).collect(),
            verification,
            quality: Some(record.quality_score),
            tokens: costs.by_iteration.get(n).and_then(|spent| spent.0),
            usd: costs.by_iteration.get(n).and_then(|spent| spent.1),
            metrics: record.metrics_snapshot.clone(),
        };
        started = record.timestamp;
        summary
    });
    summarised.collect()
}

/// What was found, and what became of it: what was stopped before it happened, and what had to be mended.
fn findings(state: &LoopState) -> Vec<report::RegressionEvent> {
    let stopped = state.detected_patterns.iter().filter_map(|hit| {
        let outcome = match hit.verdict.as_deref()? {
            "deny" => "denied",
            "ask" => "asked",
            _ => return None,
        };
        Some(report::RegressionEvent {
            iteration: hit.iteration,
            pattern_id: hit.pattern_id.clone(),
            regression_type: hit.pattern_name.clone(),
            severity: hit.severity.name().to_owned(),
            path: hit.path.clone().unwrap_or_default(),
            lost: hit.lost.clone().unwrap_or_default(),
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

/// Changed files, added and removed lines since the loop began.
fn extent(project: &Project, layout: &Layout, loop_id: &str) -> (usize, u64, u64) {
    let base = Watch::read(layout, loop_id).and_then(|watch| watch.base_commit);
    match base {
        Some(base) => tree::extent_since(project, &base),
        None => (tree::changed_files(project).len(), 0, 0),
    }
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
