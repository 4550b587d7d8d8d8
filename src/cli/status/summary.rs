//! A loop in a few lines, or in full.

use std::io::{self, Write};

use owo_colors::OwoColorize;

use crate::cli::columns;
use crate::cli::seen::works;
use crate::model::finding::{RegressionType, counted};
use crate::state::audit::{self, LineRemark};
use crate::state::layout::Layout;
use crate::state::loop_state::{Level, LoopState, Status};
use crate::state::registry::Kind;
use crate::state::twice::DoubledFiles;
use crate::text::verdicts::short_id;
use crate::text::{gate, session};

/// So many lost things are named unless all are wanted.
const NAMED: usize = 10;

/// Shows a loop. `full`: with all that was lost in it, and all of its iterations.
pub(super) fn show(
    out: &mut dyn Write,
    state: &LoopState,
    full: bool,
    enabled: bool,
    layout: &Layout,
) -> io::Result<()> {
    show_name(out, state)?;
    if state.kind == Kind::Explicit {
        show_task(out, state)?;
    }
    writeln!(out, "  Hooks: {}", session::hooks_active(state, enabled))?;
    show_outside_changes(out, state, layout)?;
    show_gates(out, state)?;
    show_last_result(out, state)?;
    if state.kind == Kind::Explicit {
        writeln!(out, "  Reminders: {}", reminders(state.reinforcement_level))?;
    }
    writeln!(
        out,
        "  {}, {}, {}",
        counted(usize::try_from(state.risky_actions_total).unwrap_or(usize::MAX), "risky call"),
        counted(usize::try_from(state.hits().0).unwrap_or(usize::MAX), "finding"),
        counted(state.open_regressions().count(), "open regression")
    )?;
    show_regressions(out, state, full)?;
    if full {
        show_iterations(out, state)?;
    }
    if let Some(report) = &state.completion_report_path {
        writeln!(out, "  Report: {report}")?;
    }
    writeln!(out, "  State: {}", layout.state(&state.loop_id).display())
}

fn show_name(out: &mut dyn Write, state: &LoopState) -> io::Result<()> {
    let status = match state.status {
        Status::Running => state.status.name().green().to_string(),
        Status::Failed | Status::Aborted | Status::Crashed => state.status.name().red().to_string(),
        _ => state.status.name().yellow().to_string(),
    };
    let name = match state.kind {
        Kind::Explicit => state.loop_id.clone(),
        Kind::Implicit => works::name(state.kind, &state.loop_id, state.session_id.as_deref()),
    };
    writeln!(out, "{} {status}", name.bold())
}

fn show_task(out: &mut dyn Write, state: &LoopState) -> io::Result<()> {
    writeln!(out, "  Task: {}", state.task)?;
    writeln!(out, "  Done when: {}", state.completion_criteria)?;
    // After a person's decision the next one is due, whichever it is.
    let iteration = state.next_iteration.unwrap_or(state.iteration);
    writeln!(out, "  Iteration: {iteration} of {}", state.configuration.max_iterations)?;
    let claimed = match &state.session_id {
        Some(session) => session.clone(),
        None => "none yet; the next that starts in this project claims it".to_owned(),
    };
    writeln!(out, "  Session: {claimed}")
}

fn show_gates(out: &mut dyn Write, state: &LoopState) -> io::Result<()> {
    for open in state.human_gates.iter().filter(|open| open.is_open()) {
        let asked = format!("{} in iteration {} waits for your decision", gate::about(open), open.iteration);
        writeln!(out, "  Gate: {}, since {}: steadfast gate", asked.red(), columns::moment(open.opened_at))?;
    }
    Ok(())
}

fn show_last_result(out: &mut dyn Write, state: &LoopState) -> io::Result<()> {
    let Some(last) = state.iteration_history.last() else { return Ok(()) };
    let gone = if last.is_reverted() { " (taken back)" } else { "" };
    writeln!(out, "  Last result{gone}: {}", last.result)?;
    if !last.learnings.is_empty() {
        writeln!(out, "  Learned: {}", last.learnings)?;
    }
    Ok(())
}

fn show_regressions(out: &mut dyn Write, state: &LoopState, full: bool) -> io::Result<()> {
    for event in state.regression_events.iter().filter(|event| full || event.is_open()) {
        let end = if event.is_open() { "open".red().to_string() } else { "closed".to_owned() };
        let lost = event.lost();
        let count = match event.regression_type {
            _ if lost.is_empty() => String::new(),
            RegressionType::TestDeletion | RegressionType::TestSkipping => {
                format!(": {}", counted(lost.len(), "test"))
            }
            _ => format!(": {} lost", lost.len()),
        };
        let when = match state.kind {
            Kind::Explicit => format!(" in iteration {}", event.iteration),
            Kind::Implicit => String::new(),
        };
        let (id, kind) = (short_id(&event.event_id), event.regression_type.name().replace('_', " "));
        writeln!(out, "  [{id}] {kind}{when} ({}), {end}{count}", event.severity.name())?;
        let most = if full { usize::MAX } else { NAMED };
        let said = event.said();
        for name in said.iter().take(most) {
            writeln!(out, "    - {name}")?;
        }
        if said.len() > most {
            writeln!(out, "    - and {} more: steadfast status {}", said.len() - most, state.loop_id)?;
        }
    }
    Ok(())
}

fn show_iterations(out: &mut dyn Write, state: &LoopState) -> io::Result<()> {
    for record in &state.iteration_history {
        let gone = if record.is_reverted() { ", taken back" } else { "" };
        writeln!(
            out,
            "  Iteration {}{gone}: {:.0}% {}",
            record.iteration, record.quality_score, record.result
        )?;
    }
    Ok(())
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
    let mut changed = DoubledFiles::of_loop(layout, &state.loop_id).differing();
    changed.extend(DoubledFiles::of_project(layout).differing());
    let changed = changed.into_iter().map(|name| {
        format!("{name}, of Steadfast's own state, was changed or removed by something else; the next hook puts it back")
    });
    of_state.into_iter().chain(changed).collect()
}

/// What something else has written into Steadfast's own files: as the hooks found it, and as the log is now.
fn show_outside_changes(out: &mut dyn Write, state: &LoopState, layout: &Layout) -> io::Result<()> {
    for change in state.outside_changes.iter().flatten() {
        let found = columns::moment(change.timestamp);
        let told = format!("the {} was changed by something else: {}", change.file, change.what);
        writeln!(out, "  Critical: {}, found {found}", told.red())?;
    }
    for fault in faults(state, layout) {
        writeln!(out, "  Critical: {}", fault.red())?;
    }
    let log = audit::verify_log(&layout.log(&state.loop_id)).ok();
    if let Some(fault) = log.and_then(|report| report.faults.first().map(LineRemark::in_words)) {
        let told = format!("the log was changed by something else: {fault}");
        writeln!(out, "  Critical: {}; steadfast log verify {}", told.red(), state.loop_id)?;
    }
    Ok(())
}
