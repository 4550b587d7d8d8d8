//! What measuring shows to be lost in the iteration that ends, and what the next one is compared with.

use std::collections::HashSet;

use serde_json::json;

use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::gate::escalation;
use crate::lifecycle::hooks::regression_detected;
use crate::lifecycle::iteration::metrics::GatheredMetrics;
use crate::lifecycle::measuring::measure;
use crate::lifecycle::regression::fallen::LISTED;
use crate::lifecycle::regression::records::push_pattern;
use crate::lifecycle::regression::{measured, unproven};
use crate::metrics::TestOutcome;
use crate::state::atomic::Durability;
use crate::state::loop_state::LoopState;
use crate::state::test_record::TestRecord;

/// Records what measuring shows to be lost. A test that failed and passes on the same tree is labelled, and no loss.
pub(super) fn measured(
    context: &mut HookContext,
    state: &LoopState,
    mut gathered: GatheredMetrics,
    record: TestRecord,
) -> GatheredMetrics {
    let failed = gathered.run.iter().flat_map(|run| run.named(TestOutcome::Failed));
    let flaky: Vec<&str> = failed.filter(|name| record.flaky.contains(*name)).collect();
    if !flaky.is_empty()
        && let Some(results) = gathered.test_results.as_object_mut()
    {
        results.insert("flaky".to_owned(), json!(flaky));
    }
    record_fallen(context, &gathered, &record);
    let asked = gathered.proof.as_ref().and_then(|proof| unproven::note(context, proof));
    if let Some((ids, message, severity)) = asked {
        escalation::escalate(context, &ids, message, severity);
    }
    remember(context, state, &gathered, record);
    gathered
}

/// Records what measuring shows to be lost, with the recovery protocol over what can be recovered.
fn record_fallen(context: &mut HookContext, gathered: &GatheredMetrics, record: &TestRecord) {
    let Some(found) = measured::compare(context, gathered, record) else { return };
    for one in &found.fallen {
        if let Some(finding) = found.to_recover(context, one) {
            let now = context.env.now;
            context.change_state(Durability::Process, |state| push_pattern(state, &finding, "stop", now));
            regression_detected::run(context, &[finding], None);
        }
        measured::record_fallen(context, one);
    }
    if let Some(finding) = found.gamed(context) {
        regression_detected::run(context, &[finding], None);
    }
    measured::close_what_is_back(context, gathered, record);
    ask_about_counts(context);
}

/// A count that fell without a lost name, and that a whole iteration did not bring back: a person is asked.
fn ask_about_counts(context: &mut HookContext) {
    let Some((id, message, severity)) = context.state().and_then(|state| measured::unmended_count(&state))
    else {
        return;
    };
    escalation::escalate(context, &[id], message, severity);
}

/// Keeps by name what stands at a new high-water mark of the tests.
fn note_added(gathered: &GatheredMetrics, record: &mut TestRecord) {
    let (Some(listed), Some((now, _))) = (&gathered.listed, gathered.tests) else { return };
    if gathered.are_listed && record.high_water.get(LISTED).is_none_or(|mark| now as f64 >= *mark) {
        let at_start: HashSet<&String> = record.listed.iter().collect();
        record.added_at_mark = listed.iter().filter(|name| !at_start.contains(name)).cloned().collect();
    }
}

/// Keeps what the next iteration is compared with.
fn remember(
    context: &mut HookContext,
    state: &LoopState,
    gathered: &GatheredMetrics,
    mut record: TestRecord,
) {
    let number = state.iteration.max(1);
    record.put_back = false;
    if let Some(run) = &gathered.run {
        for name in run.named(TestOutcome::Passed) {
            record.passed.entry(name.to_owned()).or_insert(number);
        }
    }
    if context.state().is_some_and(|state| state.open_regressions().next().is_none()) {
        let figures = [
            ("coverage_percentage", gathered.coverage),
            (measure::BRANCHES, gathered.branches),
            (LISTED, gathered.tests.map(|(now, _)| now as f64)),
        ];
        note_added(gathered, &mut record);
        for (name, figure) in figures {
            if let Some(figure) = figure {
                let mark = record.high_water.entry(name.to_owned()).or_insert(figure);
                *mark = mark.max(figure);
            }
        }
    }
    if let Err(error) = record.write(&context.layout, &state.loop_id) {
        context.problems.push(error.to_string());
    }
}
