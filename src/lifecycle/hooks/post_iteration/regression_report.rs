//! What the record of an iteration says of its comparison with the loop's start, also where nothing was lost.

use serde_json::{Map, Value, json};

use crate::definitions::envelope::AgentVerdict;
use crate::definitions::names::Agent;
use crate::lifecycle::context::agent_messages::AgentReplies;
use crate::lifecycle::regression::fallen::{LINES, LISTED};
use crate::state::loop_state::LoopState;
use crate::state::records::IterationRecord;

/// The figures that are compared.
const COMPARED: &[&str] = &[LISTED, LINES];

/// The report; `None` where no detector was asked. A loss that the figures don't show is one all the same.
pub(super) fn of(state: &LoopState, record: &IterationRecord, heard: &AgentReplies) -> Option<Value> {
    let reply = heard.of(Agent::RegressionDetector.name())?;
    let said = |name: &str| reply.metadata.extra.get(name).cloned();
    let verdict = reply.metadata.verdict.unwrap_or(AgentVerdict::Pass);
    let is_clean = verdict == AgentVerdict::Pass && !record.regression_detected;
    let verdict = if record.regression_detected { verdict.max(AgentVerdict::Block) } else { verdict };
    let baseline = json!(state.baseline_metrics);
    let figures = |of: &dyn Fn(&str) -> Option<Value>| -> Map<String, Value> {
        COMPARED.iter().map(|name| ((*name).to_owned(), of(name).unwrap_or_default())).collect()
    };
    Some(json!({
        "verdict": verdict,
        "detected": !is_clean,
        "regressions": said("regressions").unwrap_or_else(|| json!([])),
        "baseline": figures(&|name| baseline.get(name).cloned()),
        "current": figures(&|name| record.metrics_snapshot.get(name).cloned()),
    }))
}
