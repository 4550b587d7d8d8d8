//! `pre_tool_call`: before a tool runs.
//!
//! Order matters: judge first, keep the bytes of what goes ahead, then record. A call that may change nothing leaves
//! no more than its line in the log of a loop that is open already.

use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::agents::laziness_detector;
use crate::checkpoint::keep::{Kept, Request, keep};
use crate::checkpoint::manifest::Trigger;
use crate::checkpoint::walk::Bounds;
use crate::definitions::names::{Action, HookName};
use crate::languages;
use crate::lifecycle::call::decision::Act;
use crate::lifecycle::call::view::CallView;
use crate::lifecycle::call::{decision, own_runs, view};
use crate::lifecycle::changes::touched::elsewhere;
use crate::lifecycle::context::agent_messages::Heard;
use crate::lifecycle::context::failure;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::Record;
use crate::lifecycle::criterion::loop_contract;
use crate::lifecycle::gate::{allowance, holding};
use crate::lifecycle::regression::records;
use crate::lifecycle::session::guarded_session;
use crate::model::event::ToolCall;
use crate::model::finding::{Finding, Severity};
use crate::model::verdict::{Answer, Verdict};
use crate::project::exclude_from_git;
use crate::state::atomic::Durability;
use crate::state::false_alarms;
use crate::state::records::RiskyAction;
use crate::text::verdicts;

const HOOK: &str = "pre_tool_call";
/// When keeping bytes must be done, from the start of the process: what is not kept by then is asked about, while
/// there is still time to ask. How much is kept is bounded by files and bytes, long before.
const KEEPING: Duration = Duration::from_secs(45);

/// Judges a call before it runs.
pub fn run(context: &mut HookContext, tool_call: &ToolCall) -> Answer {
    shield_from_git(context, tool_call);
    let Some(mut view) = view::view(context, tool_call) else {
        if holding::is_open(context)
            && let Some(target) = view::made(context, tool_call)
            && holding::holds(context)
        {
            return holding::hold_back(context, tool_call, &target, &[]);
        }
        if let Some(finding) = loop_contract::judge_command(context, tool_call) {
            context.log(HOOK, Record::default().outcome(json!({"pattern_id": finding.pattern_id})));
            return Verdict::Context(verdicts::advice(&[finding])).into();
        }
        context.log(HOOK, Record::default().outcome("pass"));
        return Answer::default();
    };
    if let Some(reason) = failure::held(context) {
        context.log(HOOK, Record::default().outcome("deny").outcome(reason.as_str()));
        return Verdict::Deny(reason).into();
    }
    if context.paused() {
        return paused(context, &view);
    }
    if holding::holds(context) {
        return holding::hold_back(context, tool_call, &view.target, &view.findings);
    }
    guarded_session::ensure_loop(context);
    let mut findings = std::mem::take(&mut view.findings);
    findings.extend(laziness_detector::check(&view.changes, || elsewhere(context), &context.config));
    own_runs::weigh(context, &mut findings);
    say_counted(context, &view);
    let touched: Vec<String> = view.keep.iter().map(|path| context.relative(path)).collect();
    findings.extend(loop_contract::judge_call(context, &view.changes, &touched));
    findings.extend(loop_contract::judge_command(context, tool_call));
    false_alarms::silence(&context.layout, &mut findings, context.env.now);
    let mode = context.config.detection.mode;
    findings.retain(|finding| {
        decision::act_on(finding.severity, mode) != Act::Pass || finding.severity != Severity::Low
    });
    let mut act = decision::act_on_all(&findings, mode);
    if act == Act::Stop && allowance::used(context, tool_call, &findings) {
        findings.clear();
        act = Act::Pass;
    }

    let kept =
        if act == Act::Stop && !context.event.can_ask { None } else { keep_bytes(context, tool_call, &view) };
    if let Some(finding) = kept.as_ref().and_then(|kept| unkept(&view, kept)) {
        act = act.max(decision::act_on(finding.severity, mode));
        findings.push(finding);
    }
    let heard = ask_agents(context, tool_call, &view, &findings);
    let verdict = match heard.blocked_by_program() {
        Some(reply) if act < Act::Stop => {
            stop(context, format!("An agent of this project blocks the call. {}", reply.content))
        }
        _ => verdict(context, &view, &findings, act),
    };
    record(context, tool_call, &view, &findings, &verdict, kept.as_ref(), &heard);
    if act == Act::Stop && matches!(verdict, Verdict::Deny(_)) {
        allowance::offer(context, tool_call, &findings);
    }
    // A client's dialog about an edit shows the edit and not the reason, so the person is told beside it.
    let human = match &verdict {
        Verdict::Ask(reason) => Some(reason.clone()),
        _ => None,
    };
    Answer { verdict, human, ..Answer::default() }
}

/// Has git pass over the guard's state before a command that may sweep up what git does not know: the line that says so
/// may be gone.
fn shield_from_git(context: &HookContext, tool_call: &ToolCall) {
    let crate::model::event::Action::Shell { command, .. } = &tool_call.action else { return };
    let sweeps = || ["clean", "stash", "add"].iter().any(|word| command.contains(word));
    if context.bound.is_some() && command.contains("git") && sweeps() {
        exclude_from_git(context.project.root()).ok();
    }
}

/// While a loop is paused everything passes but what would decide in a person's place or disarm the guard: the pause is
/// the person's, and its end is too.
fn paused(context: &mut HookContext, view: &CallView) -> Answer {
    let mut findings = view.findings.clone();
    findings.extend(laziness_detector::check(&view.changes, Vec::new, &context.config));
    findings.retain(|finding| {
        allowance::GUARD.contains(&finding.pattern_id)
            && decision::act_on(finding.severity, context.config.detection.mode) == Act::Stop
    });
    if findings.is_empty() {
        context.log(HOOK, Record::default().outcome("pass: the loop is paused"));
        return Answer::default();
    }
    let verdict = stop(context, verdicts::stopped(&findings, context.event.can_ask));
    let mut record = Record::default().outcome(verdict.name());
    record
        .outcomes
        .extend(findings.iter().map(|f| json!({"pattern_id": f.pattern_id, "path": f.path, "what": f.what})));
    context.log(HOOK, record);
    verdict.into()
}

/// Says of which files only tests and marks were counted: the person hears it once an iteration, the log each time.
fn say_counted(context: &mut HookContext, view: &CallView) {
    if context.config.detection.mode == crate::config::Mode::Off {
        return;
    }
    for change in &view.changes {
        let (before, after) = (change.before.as_deref(), change.after.as_deref());
        let counts = languages::counted(&change.path, before.unwrap_or_default(), after.unwrap_or_default());
        let Some(counts) = counts else { continue };
        let said = verdicts::counted_only(&change.path, counts);
        if !context.said_before(&format!("counted {}", change.path)) {
            context.tell_human(said.clone());
        }
        context.problems.push(said);
    }
}

/// Asks the agents about a risky call; nobody about any other.
fn ask_agents(context: &HookContext, tool_call: &ToolCall, view: &CallView, findings: &[Finding]) -> Heard {
    let Some(level) = worst(view, findings) else { return Heard::default() };
    let facts = context
        .facts()
        .with("tool_name", tool_call.tool.as_str())
        .with("tool_target", view.target.as_str())
        .with("risk", level.name());
    let found = findings
        .iter()
        .map(|finding| json!({"pattern_id": finding.pattern_id, "severity": finding.severity}));
    let own = Map::from_iter([("findings".to_owned(), found.collect::<Value>())]);
    context.ask(HookName::PreToolCall, &facts, &own)
}

/// The worst level of a call's findings and risks; `None` for a call that is not risky.
fn worst(view: &CallView, findings: &[Finding]) -> Option<Severity> {
    let levels =
        findings.iter().map(|finding| finding.severity).chain(view.risks.iter().map(|risk| risk.level));
    levels.max()
}

/// A person is asked, or the call denied where nobody can answer.
fn stop(context: &HookContext, reason: String) -> Verdict {
    if context.event.can_ask { Verdict::Ask(reason) } else { Verdict::Deny(reason) }
}

/// Whether the project's definitions leave an action in that they may leave out.
fn does(context: &HookContext, action: Action) -> bool {
    context.definitions().definitions.hook(HookName::PreToolCall).does(action)
}

/// Keeps the bytes of everything the call can touch. A failure is a problem to tell, never a reason to fail.
fn keep_bytes(context: &mut HookContext, tool_call: &ToolCall, view: &CallView) -> Option<Kept> {
    let bound = context.bound.clone()?;
    if view.keep.is_empty() || !does(context, Action::CreateRollbackCheckpoint) {
        return None;
    }
    let request = Request {
        store: &context.store,
        loop_id: &bound.id,
        iteration: context.iteration(),
        trigger: Trigger::PreRiskyOp,
        label: "",
        tool: Some(&tool_call.tool),
        tool_call_id: tool_call.id.as_deref(),
        summary: &view.target,
        paths: &view.keep,
        bounds: Bounds { deadline: Some(context.env.started + KEEPING), ..context.bounds() },
        durability: Durability::Process,
        now: context.env.now,
    };
    match keep(&request) {
        Ok(kept) => Some(kept),
        Err(error) => {
            context.problems.push(error.to_string());
            None
        }
    }
}

/// What could not be kept though the call would destroy it.
fn unkept(view: &CallView, kept: &Kept) -> Option<Finding> {
    if kept.skipped.is_empty() || view.risks.is_empty() {
        return None;
    }
    let shown: Vec<String> = kept
        .skipped
        .iter()
        .take(5)
        .map(|skipped| format!("{} ({})", skipped.path.display(), skipped.reason))
        .collect();
    Some(Finding {
        pattern_id: "SF-003",
        pattern_name: "Bytes Can't Be Kept",
        regression_type: None,
        severity: Severity::High,
        path: view.target.clone(),
        line: None,
        lost: Vec::new(),
        what: format!("what this call replaces can't be kept for an undo: {}", shown.join(", ")),
        mend: "A copy made beforehand outside the project, or a smaller target, would let it be undone."
            .to_owned(),
        confidence: 1.0,
    })
}

fn verdict(context: &HookContext, view: &CallView, findings: &[Finding], act: Act) -> Verdict {
    let mode = context.config.detection.mode;
    match act {
        Act::Stop => {
            let stopping: Vec<Finding> = findings
                .iter()
                .filter(|finding| decision::act_on(finding.severity, mode) == Act::Stop)
                .cloned()
                .collect();
            stop(context, verdicts::stopped(&stopping, context.event.can_ask))
        }
        Act::Advise => {
            let advice: Vec<Finding> = findings
                .iter()
                .filter(|f| decision::act_on(f.severity, mode) == Act::Advise)
                .filter(|f| !context.said_before(&format!("{} {}", f.pattern_id, f.path)))
                .cloned()
                .collect();
            if advice.is_empty() { Verdict::Pass } else { Verdict::Context(verdicts::advice(&advice)) }
        }
        Act::Pass => warning(context, view),
    }
}

/// One warning per file and iteration for a risky target in which nothing was found.
fn warning(context: &HookContext, view: &CallView) -> Verdict {
    if context.config.detection.mode == crate::config::Mode::Off
        || !does(context, Action::InjectWarningPrompt)
    {
        return Verdict::Pass;
    }
    let texts: Vec<String> = view
        .risks
        .iter()
        .filter(|risk| {
            risk.level >= Severity::Medium && !context.said_before(&format!("{} {}", risk.name, risk.target))
        })
        .map(|risk| verdicts::risk(&risk.target, &risk.name, risk.level))
        .collect();
    if texts.is_empty() { Verdict::Pass } else { Verdict::Context(texts.join("\n")) }
}

fn record(
    context: &mut HookContext,
    tool_call: &ToolCall,
    view: &CallView,
    findings: &[Finding],
    verdict: &Verdict,
    kept: Option<&Kept>,
    heard: &Heard,
) {
    let risky = !view.risks.is_empty() || !findings.is_empty();
    let checkpoint = kept.map(|kept| kept.checkpoint_id.clone());
    let mut record = Record::of(&[]).heard(heard).outcome(verdict.name());
    record
        .outcomes
        .extend(findings.iter().map(|f| json!({"pattern_id": f.pattern_id, "path": f.path, "what": f.what})));
    record.outcomes.extend(checkpoint.iter().map(|name| Value::from(format!("kept: {name}"))));
    if risky {
        let action = risky_action(context, tool_call, view, findings, verdict, checkpoint);
        record = record.change(
            "last_risky_action",
            json!({"tool": action.tool, "target": action.target, "risk_level": action.risk_level}),
        );
        let now = context.env.now;
        context.change_state(Durability::Process, |state| {
            state.push_risky_action(action);
            for finding in findings {
                records::push_pattern(state, finding, verdict.name(), now);
            }
        });
        if let Verdict::Ask(reason) = verdict {
            records::remember_question(context, tool_call, findings, reason);
        }
    }
    context.log(HOOK, record);
}

fn risky_action(
    context: &HookContext,
    tool_call: &ToolCall,
    view: &CallView,
    findings: &[Finding],
    verdict: &Verdict,
    checkpoint: Option<String>,
) -> RiskyAction {
    let worst_risk = view.risks.iter().max_by_key(|risk| risk.level);
    let level = worst(view, findings).unwrap_or(Severity::Low);
    let risk = worst_risk
        .map(|risk| risk.name.as_ref())
        .or_else(|| findings.first().map(|f| f.regression_type.map_or(f.pattern_id, |kind| kind.name())));
    RiskyAction {
        timestamp: context.env.now,
        iteration: context.iteration(),
        tool_use_id: tool_call.id.clone(),
        tool: tool_call.tool.clone(),
        target: view.target.clone(),
        risk: risk.unwrap_or_default().to_owned(),
        risk_level: level.name().to_owned(),
        verdict: verdict.name().to_owned(),
        checkpoint,
    }
}
