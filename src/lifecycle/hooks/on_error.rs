//! `on_error`: a tool or a verification failed. The error is recorded, and named to the agent when it keeps coming.

use serde_json::json;

use crate::definitions::names::{Action, Agent, HookName};
use crate::lifecycle::context::agent_messages::AgentReplies;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::HookRecord;
use crate::lifecycle::context::{same_reflections, triggers};
use crate::lifecycle::hooks::stuck_loop_detected;
use crate::lifecycle::iteration::reinforcement;
use crate::loops::errors;
use crate::loops::errors::ObservedError;
use crate::state::atomic::Durability;
use crate::state::loop_state::{Level, LoopState};
use crate::state::records::ErrorRecord;

/// Tools whose success is a new try at what has failed.
const EDITORS: &[&str] = &["Edit", "Write", "MultiEdit", "NotebookEdit"];

/// Where an error comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorSource<'a> {
    /// A call; what was run or touched.
    Call(&'a str),
    /// The completion criteria's own commands.
    Verification,
}

impl ErrorSource<'_> {
    fn name(self) -> &'static str {
        match self {
            ErrorSource::Call(_) => "call",
            ErrorSource::Verification => "verification",
        }
    }
}

/// Records the error in `output` and returns what the agent reads: in a loop guidance from the first time that a call
/// meets an error of a name, elsewhere once the same one has come twice.
pub fn run(context: &mut HookContext, output: &str, source: ErrorSource) -> Option<String> {
    let seen = errors::read(output)?;
    let state = context.state()?;
    let times = in_a_row(&state, &seen, source);
    let error = record(context, &seen, source, times);
    let heard = ask(context, &state, &seen, times);
    context.change_state(Durability::Process, |state| {
        if counts(&seen, source) {
            state.consecutive_same_error = times;
        }
        state.push_error(error);
    })?;
    context.log("on_error", line(&seen, source, times, &heard));
    if let Some(told) = stuck(context, &seen, times) {
        return Some(told);
    }
    let guides =
        context.definitions().definitions.hook(HookName::OnError).does(Action::InjectRecoveryGuidance);
    let asked = state.reinforcement_level != Level::Off
        && context.in_explicit_loop()
        && matches!(source, ErrorSource::Call(_))
        && seen.error_type != "error";
    let reply = heard.of(Agent::PromptReinforcement.name()).filter(|_| guides && (times >= 2 || asked))?;
    reinforcement::deliver(context, &seen.signature, reply)
}

/// Asks the agents for guidance about the error.
fn ask(context: &HookContext, state: &LoopState, seen: &ObservedError, times: u32) -> AgentReplies {
    let facts = context.facts().with("error", json!({"type": seen.error_type, "message": seen.message}));
    let mut own = reinforcement::own(context, state, HookName::OnError, &seen.signature);
    // Its text is one of these levels, whatever the iteration's own is.
    let level = if times >= 3 { Level::Aggressive } else { Level::Standard };
    let budget = context.config.reinforcement.token_budgets.at(level);
    own.insert("token_budget".to_owned(), json!(budget));
    own.insert("place".to_owned(), json!(seen.place));
    own.insert("same_error".to_owned(), json!(times));
    context.ask(HookName::OnError, &facts, &own)
}

/// What the log says of the error.
fn line(seen: &ObservedError, source: ErrorSource, times: u32, heard: &AgentReplies) -> HookRecord {
    HookRecord::of(&[])
        .heard(heard)
        .outcome(json!({
            "error_type": seen.error_type,
            "message": seen.message,
            "place": seen.place,
            "same_error": times,
            "source": source.name(),
        }))
        .change("error_history", json!(seen.error_type))
        .change("last_error", json!(seen.message))
}

/// Asks a person where a condition of the definitions says that the loop is stuck. Answers what the agent reads then.
fn stuck(context: &mut HookContext, seen: &ObservedError, times: u32) -> Option<String> {
    let fired = triggers::fired(context, HookName::OnError, &context.facts());
    if !fired.contains(&HookName::StuckLoopDetected) {
        return None;
    }
    let pattern = format!("{}: {}", seen.error_type, seen.message);
    let reflections = context.state().map_or(0, |state| same_reflections::same_reflections(&state));
    let trigger = match times {
        0..3 if reflections >= 3 => same_reflections::same_reflection(reflections),
        times => format!("stuck_loop_detected: {} consecutive failures", times.max(2)),
    };
    stuck_loop_detected::detected(context, &pattern, &trigger)
}

fn record(context: &HookContext, seen: &ObservedError, source: ErrorSource, times: u32) -> ErrorRecord {
    let target = match source {
        ErrorSource::Call(target) => Some(target.to_owned()),
        ErrorSource::Verification => None,
    };
    ErrorRecord {
        timestamp: context.env.now,
        iteration: context.iteration(),
        error_type: seen.error_type.clone(),
        message: seen.message.clone(),
        signature: Some(signature_of(seen, source)),
        source: Some(source.name().to_owned()),
        in_a_row: Some(times.into()),
        stack_trace: Some(seen.stack_trace.clone()),
        place: Some(seen.place.clone()),
        target,
        failing_tests: (!seen.failing_tests.is_empty()).then(|| seen.failing_tests.clone()),
        ..ErrorRecord::default()
    }
}

/// How many tries in a row have now ended with this error. To look at one failure twice is one try: another counts
/// when something was edited since, or the very same call was made again.
fn in_a_row(state: &LoopState, seen: &ObservedError, source: ErrorSource) -> u32 {
    if !counts(seen, source) {
        return 0;
    }
    let last = state.error_history.iter().rev().find(|error| error.source.as_deref() == Some(source.name()));
    // A person's decision, or the call that failed going well, ended the count.
    let Some(last) = last.filter(|last| {
        state.consecutive_same_error > 0 && last.signature.as_deref() == Some(&*signature_of(seen, source))
    }) else {
        return 1;
    };
    let counted = last.in_a_row.unwrap_or(1) as u32;
    match source {
        ErrorSource::Verification => counted + 1,
        ErrorSource::Call(target) => {
            let edited = state
                .tool_call_history
                .iter()
                .any(|call| call.timestamp > last.timestamp && EDITORS.contains(&call.tool.as_str()));
            counted + u32::from(edited || last.target.as_deref().unwrap_or_default() == target)
        }
    }
}

/// Whether this can repeat: a verification that fails always can, a command that merely says no is no error.
fn counts(seen: &ObservedError, source: ErrorSource) -> bool {
    seen.named || source == ErrorSource::Verification
}

/// What is equal for the same fault. A verification's tells how much fails as well: fewer failures are progress.
fn signature_of(seen: &ObservedError, source: ErrorSource) -> String {
    match source {
        ErrorSource::Call(_) => seen.signature.clone(),
        ErrorSource::Verification => {
            format!("{} | {} failures: {}", seen.signature, seen.failures, seen.failing_tests.join(", "))
        }
    }
}

/// Ends the count when the call that failed has now gone well.
pub fn forget(state: &mut LoopState, target: &str) {
    let failed = state.last_error.as_ref().and_then(|error| error.target.as_deref());
    if state.consecutive_same_error > 0 && failed == Some(target) {
        state.consecutive_same_error = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::records::ToolCallRecord;
    use jiff::Timestamp;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn fail(state: &mut LoopState, second: i64, output: &str, source: ErrorSource) -> u32 {
        let seen = errors::read(output).unwrap();
        let times = in_a_row(state, &seen, source);
        if counts(&seen, source) {
            state.consecutive_same_error = times;
        }
        state.push_error(ErrorRecord {
            timestamp: at(second),
            signature: Some(signature_of(&seen, source)),
            source: Some(source.name().to_owned()),
            in_a_row: Some(times.into()),
            target: Some(if let ErrorSource::Call(target) = source {
                target.to_owned()
            } else {
                String::new()
            }),
            ..ErrorRecord::default()
        });
        times
    }

    #[test]
    fn the_same_error_counts_by_tries_and_another_begins_anew() {
        let state = &mut LoopState::default();
        assert_eq!(fail(state, 1, "TypeError: x", ErrorSource::Call("npm test")), 1);
        assert_eq!(fail(state, 2, "TypeError: x", ErrorSource::Call("npm test")), 2, "the same call again");
        assert_eq!(
            fail(state, 3, "TypeError: x", ErrorSource::Call("npm test -- a")),
            2,
            "another look at it"
        );
        state.push_tool_call(ToolCallRecord {
            timestamp: at(4),
            tool: "Edit".into(),
            ..ToolCallRecord::default()
        });
        assert_eq!(fail(state, 5, "TypeError: x", ErrorSource::Call("npm test -- b")), 3, "an edit is a try");
        assert_eq!(fail(state, 6, "RangeError: y", ErrorSource::Call("npm test")), 1);
        assert_eq!(
            fail(state, 7, "TypeError: x", ErrorSource::Call("npm test")),
            1,
            "three in a row, not in all"
        );
        forget(state, "npm test");
        assert_eq!(state.consecutive_same_error, 0);
        assert_eq!(fail(state, 8, "TypeError: x", ErrorSource::Call("npm test")), 1);
    }

    #[test]
    fn verifications_are_counted_by_themselves_and_a_plain_no_never() {
        let state = &mut LoopState::default();
        assert_eq!(fail(state, 1, "TypeError: x", ErrorSource::Verification), 1);
        assert_eq!(fail(state, 2, "TypeError: x", ErrorSource::Call("npm test")), 1);
        assert_eq!(fail(state, 3, "TypeError: x", ErrorSource::Verification), 2);
        assert_eq!(fail(state, 4, "TypeError: x", ErrorSource::Verification), 3);
        for second in 5..9 {
            assert_eq!(fail(state, second, "12", ErrorSource::Call("wc -l x")), 0);
        }
    }
}
