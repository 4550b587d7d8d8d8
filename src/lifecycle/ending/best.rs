//! Which iteration of a loop is its best: as the project's own program says, or by the configured measure.

use serde_json::Value;

use crate::agents::best_output;
use crate::agents::best_output::{IterationSelection, SelectionPolicy};
use crate::config::Config;
use crate::definitions::names::Agent;
use crate::lifecycle::context::agent_messages::AgentReplies;
use crate::model::finding::Severity;
use crate::state::loop_state::LoopState;

/// The iteration worth keeping, as the project wants it.
pub fn select(state: &LoopState, config: &Config) -> Option<IterationSelection> {
    let wanted = &config.best_output_selection;
    let critical = state.open_regressions().filter(|event| event.severity == Severity::Critical);
    let unresolved = critical.map(|event| event.iteration);
    best_output::select(
        &state.iteration_history,
        &SelectionPolicy {
            enabled: wanted.enabled,
            threshold: wanted.quality_threshold,
            verified_only: wanted.require_verification,
            unresolved: unresolved.collect(),
        },
    )
}

/// The iteration that a program of the project chose in the selector's place.
pub(crate) fn chosen(heard: &AgentReplies, state: &LoopState) -> Option<IterationSelection> {
    let said = |name: &str| heard.program_says(Agent::BestOutputSelector, name);
    let number = said("iteration")?.as_u64()?;
    let record = state.kept_iterations().find(|record| u64::from(record.iteration) == number)?;
    let last = state.kept_iterations().next_back()?;
    Some(IterationSelection {
        iteration: record.iteration,
        quality_score: record.quality_score,
        total_iterations: state.kept_iterations().count(),
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
