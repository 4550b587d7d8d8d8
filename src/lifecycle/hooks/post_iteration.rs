//! `post_iteration`: the agent wants to end its turn.
//!
//! A session's own loop goes on for an open regression alone, and only a few times. A loop of a person's goes on until
//! its command passes with nothing lost, or a limit is reached: never success on the agent's word.

use std::path::Path;

use serde_json::{Map, Value, json};

use crate::agents::prompt_reinforcement;
use crate::definitions::names::HookName;
use crate::lifecycle::call::decision;
use crate::lifecycle::changes::untracked_changes;
use crate::lifecycle::context::facts::Facts;
use crate::lifecycle::context::failure;
use crate::lifecycle::context::hook_context::{HookContext, Record};
use crate::lifecycle::context::triggers;
use crate::lifecycle::criterion::loop_contract;
use crate::lifecycle::gate::opening;
use crate::lifecycle::hooks::loop_complete;
use crate::lifecycle::hooks::loop_complete::Ending;
use crate::lifecycle::hooks::on_error;
use crate::lifecycle::hooks::post_tool_call::judged;
use crate::lifecycle::hooks::pre_iteration;
use crate::lifecycle::hooks::pre_iteration::ABSOLUTE_MAX_ITERATIONS;
use crate::lifecycle::hooks::{regression_detected, stuck_loop_detected};
use crate::lifecycle::iteration::metrics::Gathered;
use crate::lifecycle::iteration::record;
use crate::lifecycle::iteration::record::Iteration;
use crate::lifecycle::iteration::run;
use crate::lifecycle::iteration::run::Ran;
use crate::lifecycle::iteration::{commit, metrics, reflect, snapshot};
use crate::lifecycle::measuring::measure;
use crate::lifecycle::measuring::performance::COMMANDS;
use crate::lifecycle::regression::{cumulative_loss, measured, mended, records, recovery};
use crate::lifecycle::session::driver;
use crate::loops::task_type;
use crate::loops::verification;
use crate::loops::verification::Verification;
use crate::metrics::Outcome;
use crate::model::event::EventKind;
use crate::model::finding::Finding;
use crate::model::verdict::{Answer, Verdict};
use crate::state::atomic::Durability;
use crate::state::loop_state::LoopState;
use crate::state::records::IterationRecord;
use crate::state::registry::Kind;
use crate::state::test_record::TestRecord;
use crate::text::{banner, session as text, verdicts};

const HOOK: &str = "post_iteration";
/// The class of a failure whose program is not there.
const NOT_FOUND: &str = "not found";
/// So many turns with the same words, without a change and with the same failure are a standstill.
const SAME_TURNS: usize = 3;
/// How often a session without a loop is continued for open regressions before it may end.
const IMPLICIT_CONTINUATIONS: u32 = 3;

/// The main agent's turn ends.
pub fn run(context: &mut HookContext, last_message: &str) -> Answer {
    if context.bound.is_none() {
        return Answer::default();
    }
    if context.paused() {
        context.log(HOOK, Record::default().outcome("pass: the loop is paused"));
        return Answer::default();
    }
    // What commands leave is part of the iteration: they come before the one look at the tree.
    let ran = if ends_an_iteration(context) { run::run(context) } else { None };
    snapshot::look(context);
    look_at_everything(context);
    let aborted = failure::end_of_iteration(context);
    records::settle_questions(context);
    let is_driven = is_only_guarded(context);
    if opening::is_open(context) && (is_driven || !opening::wants_record(context)) {
        return opening::waits(context);
    }
    if context.in_explicit_loop() && matches!(context.event.kind, EventKind::Stop { waiting: true, .. }) {
        context.log(
            HOOK,
            Record::default().outcome("waits: work runs in the background; looked at again at its end"),
        );
        return Answer::default();
    }
    match context.bound.as_ref().map(|bound| bound.entry.kind) {
        Some(Kind::Explicit) if context.in_explicit_loop() => {
            if is_driven {
                return end_of_session_turn(context);
            }
            end_of_iteration(context, last_message, aborted, ran)
        }
        Some(Kind::Implicit) => end_of_session_turn(context),
        _ => {
            context.log(HOOK, Record::default().outcome("pass"));
            Answer::default()
        }
    }
}

/// Whether this turn's end is an iteration's, as far as that can be said before the tree is looked at.
fn ends_an_iteration(context: &HookContext) -> bool {
    context.in_explicit_loop()
        && !matches!(context.event.kind, EventKind::Stop { waiting: true, .. })
        && !is_only_guarded(context)
        && !opening::is_open(context)
}

/// Whether a driver ends the iterations of the session's loop: the sessions that it starts are only guarded.
fn is_only_guarded(context: &HookContext) -> bool {
    !driver::is_driver(context) && context.state().is_some_and(|state| driver::drives(&state))
}

/// A subagent ends: what it changed is looked at, no iteration is counted. A compaction is no subagent.
pub fn subagent(context: &mut HookContext, agent_type: &str) -> Answer {
    if agent_type.is_empty() || context.bound.is_none() || context.paused() {
        context.log("SubagentStop", Record::default().outcome("pass"));
        return Answer::default();
    }
    snapshot::look(context);
    let new = look_at_everything(context);
    context
        .log("SubagentStop", Record::of(&["regression-detector"]).outcome(json!({"regressions": new.len()})));
    Answer::default()
}

/// Judges what changed since the last look, whoever changed it, and closes what was mended.
fn look_at_everything(context: &mut HookContext) -> Vec<Finding> {
    let untracked = untracked_changes::all(context);
    records::touch(context, &untracked.paths());
    let mode = context.config.detection.mode;
    let mut new = judged(context, &untracked);
    new.retain(|finding| decision::act_on(finding.severity, mode) == decision::Act::Stop);
    let (eroded, since_start) = cumulative_loss::look(context);
    mended::keep_before(context, &eroded, &since_start);
    new.extend(eroded);
    // What a loop is judged by holds in every mode.
    new.extend(not_open_yet(context, loop_contract::judge_now(context)));
    if !new.is_empty() {
        let now = context.env.now;
        context.change_state(Durability::Process, |state| {
            for finding in &new {
                records::push_pattern(state, finding, "stop", now);
            }
        });
        mended::keep_before(context, &new, &untracked.changes);
        regression_detected::run(context, &new, untracked.tests());
    }
    let mended = mended::close(context);
    if !mended.is_empty() {
        context.log(HOOK, Record::default().outcome("mended").change("mended", json!(mended)));
    }
    new
}

/// Findings without those of which a regression is open, or was accepted by a person.
fn not_open_yet(context: &HookContext, mut findings: Vec<Finding>) -> Vec<Finding> {
    let Some(state) = context.state().filter(|_| !findings.is_empty()) else { return findings };
    let known: Vec<String> = state
        .regression_events
        .iter()
        .filter(|event| event.is_open() || event.human_decision.is_some())
        .flat_map(|event| event.lost())
        .collect();
    findings.retain(|finding| !finding.lost_names().all(|name| known.contains(&name)));
    findings
}

fn end_of_session_turn(context: &mut HookContext) -> Answer {
    let Some(state) = context.state() else { return Answer::default() };
    // What was measured is measured again by what ends the iteration; a turn can't mend it for itself.
    let open: Vec<_> = state.open_regressions().filter(|event| !measured::is_measured(event)).collect();
    if open.is_empty() {
        context.log(HOOK, Record::default().outcome("pass"));
        return Answer::default();
    }
    let reason = verdicts::open_regressions(&open);
    let advanced = recovery::at_turn_end(context);
    if advanced.escalated {
        return opening::waits(context);
    }
    let reason = advanced.attempts.iter().fold(reason, |reason, attempt| format!("{reason}\n\n{attempt}"));
    if state.continuations >= IMPLICIT_CONTINUATIONS {
        context.log(HOOK, Record::of(&["regression-detector"]).outcome("ended with open regressions"));
        return Answer::telling(reason);
    }
    context.change_state(Durability::Process, |state| state.continuations += 1);
    context.log(HOOK, Record::of(&["regression-detector"]).outcome("continued: open regressions"));
    Verdict::Continue(reason).into()
}

fn end_of_iteration(
    context: &mut HookContext,
    last_message: &str,
    aborted: Option<String>,
    ran: Option<Ran>,
) -> Answer {
    let Some(state) = context.state() else {
        return Answer::telling(context.problems.join("\n"));
    };
    if let Some(next) = pre_iteration::due(&state) {
        // A person decided while this turn went on: it ends between two iterations.
        let reminder = pre_iteration::begin(context, next);
        let state = context.state().unwrap_or(state);
        return Verdict::Continue(text::loop_context(&state, reminder.as_deref())).into();
    }
    // A gate that was open when the turn ended is closed by what was seen since.
    let ran = ran.or_else(|| {
        let ran = run::run(context);
        snapshot::look(context);
        ran
    });
    let Some(ran) = ran else { return finish(context, Ending::Timeout, None) };
    if verification::is_interrupted() {
        context.log(HOOK, Record::default().outcome("interrupted by a person; the iteration does not count"));
        return Answer::default();
    }
    let Ran { verification, record, figures, began, millis } = ran;
    let state = context.state().unwrap_or(state);
    let gathered = metrics::gather(context, &state, &verification, figures, began);
    let gathered = measured(context, &state, gathered, record);
    let state = context.state().unwrap_or(state);
    let mut iteration = record::make(context, &state, &verification, &gathered, last_message);
    if let Some(reason) = &aborted {
        iteration.record.aborted = Some(reason.clone());
    }
    let number = iteration.record.iteration;
    let passed = verification.passed;
    let facts = facts(context, &state, &iteration);
    let heard = context.ask(HookName::PostIteration, &facts, &own_facts(&state, &iteration));
    let record = Record::of(&[])
        .heard(&heard)
        .outcome(json!({
            "iteration": number,
            "passed": passed,
            "quality_score": iteration.record.quality_score,
            "quality_delta": iteration.record.quality_delta,
            "regression_detected": iteration.record.regression_detected,
            COMMANDS: millis,
        }))
        .change("iteration_history", number)
        .change("progress", json!({"completion_checks": passed}));
    store(context, &iteration, &verification);
    reflect::after(context, &state, &iteration, &verification);
    // After the state, which says what is the best and must be kept.
    let record = match snapshot::after(context, number) {
        Some(manifest) => record.change("final_snapshot", manifest),
        None => record,
    };
    context.log(HOOK, record);
    if commit::iteration(context, &iteration.record) {
        // The project's own git hooks may have changed files.
        context.stirred.set(true);
    }
    if iteration.record.quality_delta > 0.0 {
        // Progress: what fails now has not been tried before.
        context.change_state(Durability::Process, |state| state.consecutive_same_error = 0);
    }
    if !passed && let Some(failure) = verification.first_failure() {
        on_error::run(context, &failure.output_tail, on_error::Source::Verification);
        stuck_loop_detected::at_iteration_end(context);
    }
    let advanced = recovery::at_turn_end(context);
    if opening::is_open(context) {
        opening::note_recorded(context);
        return opening::waits(context);
    }
    let Some(state) = context.state() else { return Answer::default() };
    let open = state.open_regressions().count();
    if passed && open == 0 && aborted.is_none() {
        return finish(context, Ending::Success, Some(&verification));
    }
    let max = state.configuration.max_iterations.min(ABSOLUTE_MAX_ITERATIONS);
    if number >= max {
        return finish(context, Ending::MaxIterations, Some(&verification));
    }
    if pre_iteration::time_left(&state, jiff::Timestamp::now()).is_none() {
        return finish(context, Ending::Timeout, Some(&verification));
    }
    go_on(context, &state, &iteration, &verification, advanced.attempts)
}

/// Records what measuring shows to be lost. A test that failed and passes on the same tree is labelled, and no loss.
fn measured(
    context: &mut HookContext,
    state: &LoopState,
    mut gathered: Gathered,
    record: TestRecord,
) -> Gathered {
    let failed = gathered.run.iter().flat_map(|run| run.named(Outcome::Failed));
    let flaky: Vec<&str> = failed.filter(|name| record.flaky.contains(*name)).collect();
    if !flaky.is_empty()
        && let Some(results) = gathered.test_results.as_object_mut()
    {
        results.insert("flaky".to_owned(), json!(flaky));
    }
    measured::look(context, &gathered, &record);
    remember(context, state, &gathered, record);
    gathered
}

/// Keeps what the next iteration is compared with.
fn remember(context: &mut HookContext, state: &LoopState, gathered: &Gathered, mut record: TestRecord) {
    let number = state.iteration.max(1);
    if let Some(run) = &gathered.run {
        record.passed.extend(run.named(Outcome::Passed).map(|name| (name.to_owned(), number)));
    }
    if context.state().is_some_and(|state| state.open_regressions().next().is_none()) {
        let figures = [
            ("coverage_percentage", gathered.coverage),
            (measure::BRANCHES, gathered.branches),
            ("test_count", gathered.tests.map(|(now, _)| now as f64)),
        ];
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

/// Continues the turn with the next iteration, unless the host would end it anyway.
fn go_on(
    context: &mut HookContext,
    state: &LoopState,
    iteration: &Iteration,
    verification: &Verification,
    attempts: Vec<String>,
) -> Answer {
    if let Some(why) = stalled(state) {
        context.log(HOOK, Record::default().outcome(format!("waits: {why}")));
        return Answer::telling(text::waits_for_a_person(state, why));
    }
    // One below the client's own cap, so that it is this guard that speaks and not the client's.
    if context.event.continuation_cap.is_some_and(|cap| state.continuations.saturating_add(1) >= cap.max(1)) {
        context.log(HOOK, Record::default().outcome("waits: the client's cap of continuations is reached"));
        return Answer::telling(text::waits_at_cap(state));
    }
    let next = iteration.record.iteration + 1;
    let stale = pre_iteration::plateau(state, &context.config.reinforcement);
    let fired = triggers::fired(context, HookName::PostIteration, &facts(context, state, iteration));
    if stale || fired.contains(&HookName::ReinforcementEscalation) {
        let points = context.config.reinforcement.quality_plateau_threshold * 100.0;
        pre_iteration::escalate(context, &prompt_reinforcement::plateau_reason(points));
    }
    let open: Vec<_> = state.open_regressions().collect();
    let previous = record::earlier_learnings(state);
    // The newest of them is this iteration's own, which the banner shows apart.
    let previous = previous.split_last().map_or(&[][..], |(_, earlier)| earlier);
    let task_type = task_type::recognise(&state.task);
    let window = previous.len().saturating_sub(task_type::window(task_type));
    let changed: Vec<String> =
        iteration.record.artifacts.iter().map(|artifact| artifact.path.clone()).collect();
    let banner = banner::iteration(&banner::Iteration {
        loop_id: &state.loop_id,
        task: &state.task,
        number: iteration.record.iteration,
        max: state.configuration.max_iterations,
        previous: previous.get(window..).unwrap_or_default(),
        approach: &iteration.record.action,
        changed: &changed,
        verification,
        learning: iteration.record.lesson(),
        role: task_type.map_or("software-implementer", |task_type| task_type.role()),
    });
    let mut parts = vec![banner];
    if !open.is_empty() {
        parts.push(verdicts::open_regressions(&open));
    }
    parts.extend(attempts);
    context.change_state(Durability::Process, |state| state.continuations += 1);
    parts.extend(reflect::before(context, state));
    parts.extend(pre_iteration::begin(context, next));
    Verdict::Continue(parts.join("\n\n")).into()
}

/// Why another iteration would only repeat the last ones; it is then a person's turn.
fn stalled(state: &LoopState) -> Option<&'static str> {
    let learnings = record::earlier_learnings(state);
    let newest = |count: usize| {
        state
            .iteration_history
            .len()
            .checked_sub(count)
            .map(|from| state.iteration_history.get(from..).unwrap_or_default())
    };
    let missing = learnings
        .iter()
        .rev()
        .take_while(|learning| learning.error_type.as_deref() == Some(NOT_FOUND))
        .count();
    if missing >= 2 {
        return Some("the completion command can't be started");
    }
    let [first, rest @ ..] = newest(SAME_TURNS)? else { return None };
    let idle = |record: &IterationRecord| record.artifacts.is_empty() && !record.action.is_empty();
    let same = |record: &IterationRecord| {
        idle(record) && record.action == first.action && record.result == first.result
    };
    (idle(first) && rest.iter().all(same))
        .then_some("the agent has said the same three times and changed nothing")
}

/// What conditions and agents can know of the iteration that has ended.
fn facts(context: &HookContext, state: &LoopState, iteration: &Iteration) -> Facts {
    let record = &iteration.record;
    let changed: Vec<&String> = iteration.files.keys().collect();
    Facts::of(state)
        .with("iteration", record.iteration)
        .with("quality", record.quality_score)
        .with("quality_delta", record.quality_delta / 100.0)
        .with("regression_detected", record.regression_detected)
        .with("current_metrics", json!(record.metrics_snapshot))
        .with("modified_files", json!(changed))
        .with("iteration_artifacts", json!(record.artifacts))
        .with("test_output", record.result.as_str())
        .with("cwd", context.project.root().to_string_lossy().into_owned())
}

fn own_facts(state: &LoopState, iteration: &Iteration) -> Map<String, Value> {
    Map::from_iter([
        ("current_metrics".to_owned(), json!(iteration.record.metrics_snapshot)),
        ("quality_delta".to_owned(), json!(iteration.record.quality_delta)),
        ("best_iteration".to_owned(), json!(state.best_iteration)),
    ])
}

fn finish(context: &mut HookContext, ending: Ending, verification: Option<&Verification>) -> Answer {
    let Some(bound) = context.bound.clone() else { return Answer::default() };
    let now = jiff::Timestamp::now();
    let (Ok(human) | Err(human)) =
        loop_complete::finish(&context.project, &context.layout, &bound.id, ending, verification, now);
    Answer::telling(human)
}

/// Remembers where the host keeps its record of the session: the report tells from it what the loop cost.
fn note_transcript(state: &mut LoopState, path: Option<&Path>) {
    let Some(path) = path.and_then(Path::to_str) else { return };
    let known = state.transcripts.get_or_insert_default();
    if !known.iter().any(|known| known == path) {
        known.push(path.to_owned());
    }
}

/// Writes the finished iteration: its snapshot file first, so that the state never points at nothing.
fn store(context: &mut HookContext, iteration: &Iteration, verification: &Verification) {
    let Some(bound) = context.bound.clone() else { return };
    if let Err(error) = record::write_snapshot(&context.layout, &bound.id, iteration) {
        context.problems.push(error.to_string());
    }
    let now = jiff::Timestamp::now();
    let transcript = context.event.transcript.clone();
    context.change_state(Durability::Power, |state| {
        record::apply(state, iteration, verification, now);
        note_transcript(state, transcript.as_deref());
    });
}
