//! `post_tool_call`: after a tool ran. What it did is compared with what was kept before it.

use std::path::PathBuf;

use serde_json::{Map, json};

use crate::checkpoint::keep::{Request, keep_known};
use crate::checkpoint::manifest::{Manifest, Trigger};
use crate::checkpoint::settle;
use crate::checkpoint::settle::Call;
use crate::definitions::names::HookName;
use crate::lifecycle::call::decision::Act;
use crate::lifecycle::call::{decision, view};
use crate::lifecycle::changes::untracked_changes::{UntrackedChanges, judged};
use crate::lifecycle::changes::{touched, untracked_changes};
use crate::lifecycle::context::agent_messages::Heard;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::Record;
use crate::lifecycle::hooks::on_error::Source;
use crate::lifecycle::hooks::regression_detected::Detected;
use crate::lifecycle::hooks::{on_error, regression_detected};
use crate::lifecycle::regression::records::take_question;
use crate::lifecycle::regression::{mended, records};
use crate::model::event::{Action, ToolCall};
use crate::model::finding::Finding;
use crate::model::verdict::{Answer, Verdict};
use crate::state::atomic::Durability;
use crate::state::gate::GateDecision;
use crate::state::records::{HumanDecision, ToolCallRecord};
use crate::state::tool_calls;
use crate::text::verdicts;

const HOOK: &str = "post_tool_call";

/// Looks at what a call did. `error` is set when the tool failed; it may have done harm all the same.
pub fn run(context: &mut HookContext, tool_call: &ToolCall, error: Option<&str>) -> Answer {
    if context.bound.is_none() || context.paused() {
        context.log(HOOK, Record::default().outcome("pass: the loop is paused"));
        return Answer::default();
    }
    let ran = view::ran(context, tool_call);
    let kept = if ran.is_some() { settle(context, tool_call) } else { None };
    let Some(ran) = ran.filter(|ran| kept.is_some() || ran.names_changes || ran.runs_code) else {
        context.log(HOOK, Record::default().outcome("pass"));
        let guidance = error.and_then(|error| on_error::run(context, error, Source::Call(&named(tool_call))));
        return guidance.map(Verdict::Context).unwrap_or_default().into();
    };
    let untracked = untracked_changes::after_call(context, kept.as_ref(), ran.runs_code);
    untracked_changes::keep_found(context, tool_call, &ran.target, &untracked);
    touched::touch(context, &untracked.paths());
    let findings = judged(context, &untracked);
    let question = take_question(context, tool_call);
    if let Some(asked) = &question {
        records::note_dialog(context, asked, GateDecision::Approve);
    }
    let mode = context.config.detection.mode;
    let (stopping, rest): (Vec<Finding>, Vec<Finding>) =
        findings.into_iter().partition(|finding| decision::act_on(finding.severity, mode) == Act::Stop);
    let (approved, new): (Vec<Finding>, Vec<Finding>) = stopping.into_iter().partition(|finding| {
        question.as_ref().is_some_and(|asked| finding.lost_names().all(|name| asked.lost.contains(&name)))
    });
    let can_undo = !new.is_empty() && can_undo(context, tool_call, kept.as_ref(), &untracked);
    let target = ran.target.clone();
    let opened = record(context, tool_call, ran.target, &untracked, &new, &approved, &rest, error.is_some());
    let guidance = error.and_then(|error| on_error::run(context, error, Source::Call(&target)));
    match answer(tool_call, &new, &opened, can_undo) {
        answer @ Answer { verdict: Verdict::Pass, .. } => {
            Answer { verdict: guidance.map(Verdict::Context).unwrap_or_default(), ..answer }
        }
        other => other,
    }
}

/// What a call is about, when it can change nothing.
fn named(tool_call: &ToolCall) -> String {
    match &tool_call.action {
        Action::Shell { command, .. } => command.chars().take(200).collect(),
        _ => tool_call.tool.clone(),
    }
}

/// Records what the call left, so that an undo can tell it from newer work; returns what was kept before it.
fn settle(context: &mut HookContext, tool_call: &ToolCall) -> Option<Manifest> {
    let bound = context.bound.clone()?;
    let call =
        Call { loop_id: &bound.id, iteration: context.iteration(), tool_call_id: tool_call.id.as_deref() };
    match settle::settle(&context.store, call, &context.bounds(), context.env.now) {
        Ok(manifest) => manifest,
        Err(error) => {
            context.problems.push(error.to_string());
            None
        }
    }
}

/// Whether an undo of the call brings back all that it changed. What its words did not tell was not kept before it:
/// the bytes that the comparison knows are kept now.
fn can_undo(
    context: &mut HookContext,
    tool_call: &ToolCall,
    kept: Option<&Manifest>,
    untracked: &UntrackedChanges,
) -> bool {
    let root = context.project.root().to_path_buf();
    if let Some(manifest) = kept {
        let names: Vec<PathBuf> =
            untracked.changes.iter().map(|change| context.store.name(&root.join(&change.path))).collect();
        return names.iter().all(|name| manifest.entry(name).is_some());
    }
    // A text with a replacement character is not known to the byte.
    let known: Option<Vec<(PathBuf, Option<Vec<u8>>)>> = untracked
        .changes
        .iter()
        .map(|change| {
            let exact = change.before.as_ref().is_none_or(|text| !text.contains('\u{FFFD}'));
            exact.then(|| (root.join(&change.path), change.before.clone().map(String::into_bytes)))
        })
        .collect();
    let (Some(known), Some(bound), Some(id)) = (known, context.bound.clone(), tool_call.id.as_deref()) else {
        return false;
    };
    let request = Request {
        store: &context.store,
        loop_id: &bound.id,
        iteration: context.iteration(),
        trigger: Trigger::PreRiskyOp,
        label: "",
        tool: Some(&tool_call.tool),
        tool_call_id: Some(id),
        summary: "what the call changed without saying so",
        paths: &[],
        bounds: context.bounds(),
        durability: Durability::Process,
        now: context.env.now,
    };
    let written = keep_known(&request, &known);
    if let Err(error) = &written {
        context.problems.push(error.to_string());
    }
    written.is_ok() && settle(context, tool_call).is_some()
}

#[expect(clippy::too_many_arguments, reason = "one record of everything the hook found")]
fn record(
    context: &mut HookContext,
    tool_call: &ToolCall,
    target: String,
    untracked: &UntrackedChanges,
    new: &[Finding],
    approved: &[Finding],
    rest: &[Finding],
    failed: bool,
) -> Detected {
    let now = context.env.now;
    let tests = untracked.tests();
    let call = ToolCallRecord {
        timestamp: now,
        iteration: context.iteration(),
        tool_use_id: tool_call.id.clone(),
        tool: tool_call.tool.clone(),
        target,
        before: tests.map(|(before, _)| before),
        after: tests.map(|(_, after)| after),
        verdict: if new.is_empty() { if rest.is_empty() { "PASS" } else { "WARN" } } else { "BLOCK" }
            .to_owned(),
        duration_ms: context.env.started.elapsed().as_millis() as u64,
    };
    if let Some(bound) = &context.bound
        && let Err(error) = tool_calls::append(&context.layout, &bound.id, &call)
    {
        context.problems.push(error.to_string());
    }
    let heard = if tests.is_some() { ask_detector(context, &call) } else { Heard::default() };
    let mut record = Record::of(&[])
        .heard(&heard)
        .outcome(call.verdict.clone())
        .change("tool_call_history", json!({"before": call.before, "after": call.after}));
    if failed {
        record = record.outcome("the tool failed");
    }
    context.change_state(Durability::Process, |state| {
        if !failed {
            on_error::forget(state, &call.target);
        }
        state.push_tool_call(call);
        let said = |finding: &&Finding| !records::is_known(state, finding);
        let unsaid: Vec<&Finding> = new.iter().chain(rest).filter(said).collect();
        for finding in unsaid {
            records::push_pattern(state, finding, "feedback", now);
        }
        records::open(state, approved, tests, Some(HumanDecision::Approve), now);
    });
    record.outcomes.extend(
        approved.iter().map(|finding| json!({"pattern_id": finding.pattern_id, "human_decision": "approve"})),
    );
    context.log(HOOK, record);
    if new.is_empty() {
        return Detected::default();
    }
    mended::keep_before(context, new, &untracked.changes);
    regression_detected::run(context, new, tests)
}

/// Asks the regression detector about a call that changed files with tests.
fn ask_detector(context: &HookContext, call: &ToolCallRecord) -> Heard {
    let facts = context
        .facts()
        .with("tool_name", call.tool.as_str())
        .with("tool_target", call.target.as_str())
        .with("current_metrics", json!({"test_count": call.after}))
        .with("baseline_metrics", json!({"test_count": call.before}));
    context.ask(HookName::PostToolCall, &facts, &Map::new())
}

fn answer(tool_call: &ToolCall, new: &[Finding], opened: &Detected, can_undo: bool) -> Answer {
    if new.is_empty() {
        return Answer::default();
    }
    let undo = tool_call.id.as_deref().filter(|_| can_undo && !opened.ids.is_empty());
    let lost = verdicts::lost_by_call(new, undo);
    let text = opened.told.iter().fold(lost, |text, told| format!("{text}\n\n{told}"));
    Verdict::Feedback(text).into()
}
