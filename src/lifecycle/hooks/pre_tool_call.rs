//! `pre_tool_call`: before a tool runs.
//!
//! Order matters: judge first, keep the bytes of what goes ahead, then record. A call that may change nothing leaves
//! no more than its line in the log of a loop that is open already.

mod judged;
mod keeping;
mod record;
mod verdict;

use std::path::PathBuf;

use serde_json::{Map, Value, json};

use crate::agents::laziness_detector;
use crate::config::Notes;
use crate::definitions::names::{self, HookName};
use crate::lifecycle::call::decision::CallDecision;
use crate::lifecycle::call::view::{CallView, ViewedCall};
use crate::lifecycle::call::{decision, view};
use crate::lifecycle::changes::call_times::UNJUDGED;
use crate::lifecycle::changes::{net, others};
use crate::lifecycle::context::agent_messages::AgentReplies;
use crate::lifecycle::context::failure;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::HookRecord;
use crate::lifecycle::criterion::{other_tree, scope};
use crate::lifecycle::gate::{allowance, holding, other_session};
use crate::lifecycle::hooks::pre_tool_call::judged::JudgedCall;
use crate::lifecycle::hooks::pre_tool_call::verdict::stop;
use crate::lifecycle::session::guarded_session;
use crate::model::event::{Action, ToolCall};
use crate::model::verdict::{Answer, Verdict};
use crate::project::exclude_from_git;
use crate::text::{gate as gate_text, verdicts};

const HOOK: &str = "pre_tool_call";

/// Judges a call before it runs.
pub fn run(context: &mut HookContext, tool_call: &ToolCall) -> Answer {
    shield_from_git(context, tool_call);
    let view = match view::view(context, tool_call) {
        ViewedCall::Changes(view) => *view,
        // What loses nothing may lie where the loop is not to write.
        ViewedCall::Nothing { reads_only: false } if scope::makes_outside(context, tool_call) => {
            CallView { target: view::named(tool_call), ..CallView::default() }
        }
        ViewedCall::Nothing { reads_only } => return changes_nothing(context, tool_call, reads_only),
    };
    if let Some(answer) = held_back(context, tool_call, &view) {
        return answer;
    }
    guarded_session::ensure_loop(context);
    let mut judged = JudgedCall::of(context, tool_call, view);
    judged.keep_bytes(context);
    judged.heard = ask_agents(context, &judged);
    let verdict = judged.verdict(context);
    judged.record(context, &verdict);
    if !matches!(verdict, Verdict::Deny(_)) {
        lay_net(context, tool_call, &judged.view.target, &judged.view.keep);
        others::begin(context, tool_call, &judged.touched, judged.view.runs_code);
    }
    if judged.act == CallDecision::Stop && matches!(verdict, Verdict::Deny(_)) {
        allowance::offer(context, tool_call, &judged.findings);
    }
    let human = told_beside(context, tool_call, &verdict);
    Answer { verdict, human, ..Answer::default() }
}

/// What the person reads beside a question: nothing, where the dialog says it all.
fn told_beside(context: &HookContext, tool_call: &ToolCall, verdict: &Verdict) -> Option<String> {
    let shown_as_edit = !matches!(tool_call.action, Action::Shell { .. });
    match verdict {
        Verdict::Ask(reason) if context.event.dialogs_hide_reasons && shown_as_edit => Some(reason.clone()),
        _ => None,
    }
}

/// A call that loses nothing passes; one that makes something waits at an open gate all the same.
fn changes_nothing(context: &mut HookContext, tool_call: &ToolCall, reads_only: bool) -> Answer {
    if holding::is_open(context)
        && let Some(target) = view::made(context, tool_call)
        && holding::holds(context)
    {
        return holding::hold_back(context, tool_call, &target, &[]);
    }
    if let Some(finding) = other_tree::judge_command(context, tool_call) {
        context.log(HOOK, HookRecord::default().outcome(json!({"pattern_id": finding.pattern_id})));
        let is_silent = context.config.notes == Notes::Off;
        let advice = || Verdict::Context(verdicts::advice(&[finding])).into();
        return if is_silent { Answer::default() } else { advice() };
    }
    if !reads_only && net::is_needed(context, tool_call) {
        guarded_session::ensure_loop(context);
        let target = view::made(context, tool_call).unwrap_or_else(|| view::named(tool_call));
        lay_net(context, tool_call, &target, &[]);
    } else if !reads_only {
        net::pass_over(context);
    }
    context.log(HOOK, HookRecord::default().outcome("pass"));
    Answer::default()
}

/// Lays the net under a call that nobody knows the whole effect of, or that changes files which have other names, unless
/// the project keeps nothing before calls.
fn lay_net(context: &mut HookContext, tool_call: &ToolCall, summary: &str, files: &[PathBuf]) {
    if !does(context, names::Action::CreateRollbackCheckpoint) {
        return;
    }
    if net::is_needed(context, tool_call) || net::has_other_names(files) {
        // What nobody has read may sweep up what git does not know. In other trees than a repository's own it takes a
        // process of git to say where the line stands.
        if context.project.root().join(".git").is_dir() {
            exclude_from_git(context.project.root()).ok();
        }
        net::lay(context, tool_call, summary);
    } else {
        net::pass_over(context);
    }
}

/// The answer to a call that may change files while a failed hook, a person's pause or an open gate holds it back.
fn held_back(context: &mut HookContext, tool_call: &ToolCall, view: &CallView) -> Option<Answer> {
    if let Some((_, gate)) = other_session::held_by(context) {
        context.log(HOOK, HookRecord::default().outcome("deny: a person is asked in another session's loop"));
        return Some(Verdict::Deny(gate_text::held_back(Some(&gate))).into());
    }
    if let Some(reason) = failure::held(context) {
        context.log(HOOK, HookRecord::default().outcome("deny").outcome(reason.as_str()));
        return Some(Verdict::Deny(reason).into());
    }
    if context.paused() {
        return Some(paused(context, tool_call, view));
    }
    holding::holds(context).then(|| holding::hold_back(context, tool_call, &view.target, &view.findings))
}

/// Has git pass over the guard's state before a command that may sweep up what git does not know: the line that says so
/// may be gone.
fn shield_from_git(context: &HookContext, tool_call: &ToolCall) {
    let Action::Shell { command, .. } = &tool_call.action else { return };
    let sweeps = || ["clean", "stash", "add"].iter().any(|word| command.contains(word));
    if context.bound.is_some() && command.contains("git") && sweeps() {
        exclude_from_git(context.project.root()).ok();
    }
}

/// While a loop is paused everything passes but what would decide in a person's place or disarm the guard: the pause is
/// the person's, and its end is too.
fn paused(context: &mut HookContext, tool_call: &ToolCall, view: &CallView) -> Answer {
    let mut findings = view.findings.clone();
    findings.extend(laziness_detector::check(&view.changes, Vec::new, &context.config));
    findings.retain(|finding| {
        decision::GUARD.contains(&finding.pattern_id)
            && decision::act_on(finding.severity, context.config.detection.mode) == CallDecision::Stop
    });
    if findings.is_empty() {
        // Nobody judges it before the pause ends: until then it is no other session's work either.
        others::begin(context, tool_call, &view.touched(context), false);
        let outcome = if view.runs_code { UNJUDGED } else { "pass: the loop is paused" };
        context.log(HOOK, HookRecord::default().outcome(outcome));
        return Answer::default();
    }
    let verdict = stop(context, &findings);
    context.log(HOOK, HookRecord::default().outcome(verdict.name()).found(&findings));
    verdict.into()
}

/// Asks the agents about a risky call; nobody about any other.
fn ask_agents(context: &HookContext, judged: &JudgedCall) -> AgentReplies {
    let Some(level) = judged.worst() else { return AgentReplies::default() };
    let facts = context
        .facts()
        .with("tool_name", judged.tool_call.tool.as_str())
        .with("tool_target", judged.view.target.as_str())
        .with("risk", level.name());
    let found = judged
        .findings
        .iter()
        .map(|finding| json!({"pattern_id": finding.pattern_id, "severity": finding.severity}));
    let own = Map::from_iter([("findings".to_owned(), found.collect::<Value>())]);
    context.ask(HookName::PreToolCall, &facts, &own)
}

/// Whether the project's definitions leave an action in that they may leave out.
fn does(context: &HookContext, action: names::Action) -> bool {
    context.definitions().definitions.hook(HookName::PreToolCall).does(action)
}
