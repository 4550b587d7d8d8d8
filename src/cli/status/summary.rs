//! A loop in a few lines, or in full.

use anstream::println;
use owo_colors::OwoColorize;

use crate::cli::columns;
use crate::cli::seen::works;
use crate::model::finding::counted;
use crate::state::audit::{self, Remark};
use crate::state::layout::Layout;
use crate::state::loop_state::{Level, LoopState, Status};
use crate::state::registry::Kind;
use crate::state::twice::Twice;
use crate::text::verdicts::short_id;
use crate::text::{gate, session};

/// Shows a loop. `full`: with all that was lost in it, and all of its iterations.
pub(super) fn show(state: &LoopState, full: bool, enabled: bool, layout: &Layout) {
    show_name(state);
    if state.kind == Kind::Explicit {
        show_task(state);
    }
    println!("  Hooks: {}", session::hooks_active(state, enabled));
    show_outside_changes(state, layout);
    show_gates(state);
    show_last_result(state);
    if state.kind == Kind::Explicit {
        println!("  Reminders: {}", reminders(state.reinforcement_level));
    }
    println!(
        "  {}, {}, {}",
        counted(usize::try_from(state.risky_actions_total).unwrap_or(usize::MAX), "risky call"),
        counted(usize::try_from(state.hits().0).unwrap_or(usize::MAX), "finding"),
        counted(state.open_regressions().count(), "open regression")
    );
    show_regressions(state, full);
    if full {
        show_iterations(state);
    }
    if let Some(report) = &state.completion_report_path {
        println!("  Report: {report}");
    }
    println!("  State: {}", layout.state(&state.loop_id).display());
}

fn show_name(state: &LoopState) {
    let status = match state.status {
        Status::Running => state.status.name().green().to_string(),
        Status::Failed | Status::Aborted | Status::Crashed => state.status.name().red().to_string(),
        _ => state.status.name().yellow().to_string(),
    };
    let name = match state.kind {
        Kind::Explicit => state.loop_id.clone(),
        Kind::Implicit => works::name(state.kind, &state.loop_id, state.session_id.as_deref()),
    };
    println!("{} {status}", name.bold());
}

fn show_task(state: &LoopState) {
    println!("  Task: {}", state.task);
    println!("  Done when: {}", state.completion_criteria);
    // After a person's decision the next one is due, whichever it is.
    let iteration = state.next_iteration.unwrap_or(state.iteration);
    println!("  Iteration: {iteration} of {}", state.configuration.max_iterations);
    let claimed = match &state.session_id {
        Some(session) => format!("session {session}"),
        None => "none yet; the next that starts in this project claims it".to_owned(),
    };
    println!("  Session: {claimed}");
}

fn show_gates(state: &LoopState) {
    for open in state.human_gates.iter().filter(|open| open.is_open()) {
        let asked = format!("{} in iteration {} waits for your decision", gate::about(open), open.iteration);
        println!("  Gate: {}, since {}: steadfast gate", asked.red(), columns::moment(open.opened_at));
    }
}

fn show_last_result(state: &LoopState) {
    let Some(last) = state.iteration_history.last() else { return };
    let gone = if last.is_reverted() { " (taken back)" } else { "" };
    println!("  Last result{gone}: {}", last.result);
    if !last.learnings.is_empty() {
        println!("  Learned: {}", last.learnings);
    }
}

fn show_regressions(state: &LoopState, full: bool) {
    for event in state.regression_events.iter().filter(|event| full || event.is_open()) {
        let end = if event.is_open() { "open".red().to_string() } else { "closed".to_owned() };
        let lost = Some(event.lost().len()).filter(|lost| *lost > 0);
        println!(
            "  [{}] iteration {} - {} ({}), {end}{}",
            short_id(&event.event_id),
            event.iteration,
            event.regression_type.name(),
            event.severity.name(),
            lost.map(|lost| format!(": {}", counted(lost, "test"))).unwrap_or_default()
        );
        for name in event.lost() {
            println!("    - {name}");
        }
    }
}

fn show_iterations(state: &LoopState) {
    for record in &state.iteration_history {
        let gone = if record.is_reverted() { ", taken back" } else { "" };
        println!("  Iteration {}{gone}: {:.0}% {}", record.iteration, record.quality_score, record.result);
    }
}

/// How strongly the agent is reminded, in words for people.
fn reminders(level: Level) -> &'static str {
    match level {
        Level::Off => "none",
        Level::Minimal => "short",
        Level::Standard => "usual",
        Level::Aggressive => "strong",
        Level::Adaptive => "as quality asks for",
    }
}

/// What is wrong with the loop's own files as they are now, and no hook has put right.
fn faults(state: &LoopState, layout: &Layout) -> Vec<String> {
    let of_state = LoopState::fault(layout, &state.loop_id);
    let of_state = of_state.map(|fault| fault.trim_start_matches("CRITICAL: ").to_owned());
    let of_state = of_state.map(|fault| format!("the state is not as it was left: {fault}"));
    let mut changed = Twice::of_loop(layout, &state.loop_id).differing();
    changed.extend(Twice::of_project(layout).differing());
    let changed = changed.into_iter().map(|name| {
        format!("{name}, of Steadfast's own state, was changed or removed by something else; the next hook puts it back")
    });
    of_state.into_iter().chain(changed).collect()
}

/// What something else has written into Steadfast's own files: as the hooks found it, and as the log is now.
fn show_outside_changes(state: &LoopState, layout: &Layout) {
    for change in state.outside_changes.iter().flatten() {
        let found = columns::moment(change.timestamp);
        let told = format!("the {} was changed by something else: {}", change.file, change.what);
        println!("  Critical: {}, found {found}", told.red());
    }
    for fault in faults(state, layout) {
        println!("  Critical: {}", fault.red());
    }
    let log = audit::verify_log(&layout.log(&state.loop_id)).ok();
    if let Some(fault) = log.and_then(|report| report.faults.first().map(Remark::in_words)) {
        let told = format!("the log was changed by something else: {fault}");
        println!("  Critical: {}; steadfast log verify {}", told.red(), state.loop_id);
    }
}
