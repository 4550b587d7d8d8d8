//! The report about a loop that does not get on: what keeps failing, what was tried, and what was changed.

use jiff::Timestamp;

use crate::state::loop_state::LoopState;
use crate::state::records::{ErrorRecord, IterationRecord, RecoveryRecord};

/// The newest errors that are listed.
const ERRORS: usize = 20;
/// The changed files that are listed.
const FILES: usize = 100;

/// A stuck loop.
#[derive(Debug, Clone, Copy)]
pub struct StuckLoop<'a> {
    /// The loop.
    pub state: &'a LoopState,
    /// What keeps failing.
    pub pattern: &'a str,
    /// What was counted.
    pub trigger: &'a str,
    /// Now.
    pub iteration: u32,
    /// Files that the loop has changed.
    pub changed: &'a [String],
    /// What was learned, oldest first.
    pub learned: &'a [String],
    /// The time.
    pub now: Timestamp,
}

/// The report, Markdown.
pub fn report(stuck: &StuckLoop<'_>) -> String {
    let state = stuck.state;
    let mut text = format!(
        "# Stuck loop: {}\n\n- Iteration: {} of {}\n- Time: {}\n- Trigger: {}\n- Task: {}\n- Done when: {}\n- Recovery \
         attempts: {}\n\n## What keeps failing\n\n{}\n",
        state.loop_id,
        stuck.iteration,
        state.configuration.max_iterations,
        stuck.now.strftime("%FT%TZ"),
        stuck.trigger,
        line(&state.task),
        line(&state.completion_criteria),
        state.recovery_attempts,
        fenced(stuck.pattern),
    );
    text.extend(state.last_error.as_ref().map(frames));
    section(&mut text, "Errors, newest first", state.error_history.iter().rev().take(ERRORS).map(error_line));
    section(&mut text, "Iterations", state.iteration_history.iter().map(iteration_line));
    section(&mut text, "Recoveries", state.recovery_history.iter().map(recovery_line));
    section(&mut text, "Learned", stuck.learned.iter().map(|learned| line(learned)));
    section(&mut text, "Changed files", stuck.changed.iter().take(FILES).map(|path| line(path)));
    text.push_str(NEXT);
    text
}

/// What a person can do.
const NEXT: &str = "
## What comes next

Nothing is written until a person decides: `steadfast gate` in a terminal of this project.

- continue: the loop goes on; the agent reads that a fundamentally different approach is needed, with the reason given
- manual_fix: the loop pauses; after the mending by hand `steadfast loop resume` measures anew and goes on
- abort: the loop ends; the changes stay
";

/// Where an error came from.
fn frames(error: &ErrorRecord) -> String {
    let place = error.place.as_ref().and_then(Option::as_deref).unwrap_or("unknown");
    let first = format!("\nFirst own frame: {}\n", line(place));
    match error.stack_trace.as_deref().unwrap_or_default() {
        [] => first,
        frames => format!("{first}\n{}\n", fenced(&frames.join("\n"))),
    }
}

fn iteration_line(record: &IterationRecord) -> String {
    let (result, action) = (line(&record.result), line(&record.action));
    format!("{}: {:.0}% {result}; tried: {action}", record.iteration, record.quality_score)
}

fn recovery_line(recovery: &RecoveryRecord) -> String {
    let outcome = recovery.outcome.map_or("open".to_owned(), |outcome| format!("{outcome:?}").to_lowercase());
    format!("iteration {}, {}: {outcome}", recovery.iteration, line(&recovery.trigger))
}

/// An error with its time, what was run, and where it is.
fn error_line(error: &ErrorRecord) -> String {
    let said = |text: &&str| !text.is_empty();
    let run = match (error.target.as_deref().filter(said), error.source.as_deref()) {
        (Some(target), _) => format!(", `{}`", line(target).replace('`', "'")),
        (None, Some("verification")) => ", verification".to_owned(),
        _ => String::new(),
    };
    let place = error.place.as_ref().and_then(Option::as_deref).filter(said);
    let place = place.map(|place| format!(" at {}", line(place))).unwrap_or_default();
    format!(
        "iteration {}, {}{run}: {}: {}{place}",
        error.iteration,
        error.timestamp.strftime("%TZ"),
        line(&error.error_type),
        line(&error.message)
    )
}

fn section(text: &mut String, title: &str, lines: impl Iterator<Item = String>) {
    let lines: Vec<String> = lines.collect();
    let body = if lines.is_empty() { "None.".to_owned() } else { format!("- {}", lines.join("\n- ")) };
    text.push_str(&format!("\n## {title}\n\n{body}\n"));
}

/// In one line, so that an output can't make a heading of its own.
fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn fenced(text: &str) -> String {
    format!("```text\n{}\n```", text.replace("```", "'''"))
}
