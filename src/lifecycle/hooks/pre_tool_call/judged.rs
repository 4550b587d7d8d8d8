//! A call under judgement: what is found in it, and what was kept before it goes ahead.

use crate::checkpoint::keep::KeptCheckpoint;
use crate::detectors::commands::destructive_command::{Risk, gives_up_only_files};
use crate::detectors::testing::test_process;
use crate::languages;
use crate::lifecycle::call::decision::CallDecision;
use crate::lifecycle::call::view::CallView;
use crate::lifecycle::call::{decision, own_runs};
use crate::lifecycle::changes::{additions, detected, plain_edits, twins, whose};
use crate::lifecycle::context::agent_messages::AgentReplies;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::criterion::{loop_contract, other_tree, scope};
use crate::lifecycle::gate::allowance;
use crate::lifecycle::hooks::pre_tool_call::keeping;
use crate::lifecycle::measuring::reports;
use crate::model::event::ToolCall;
use crate::model::finding::{Change, Finding, Severity};
use crate::state::false_alarms;
use crate::text::verdicts;

/// A call under judgement, and what is known of it so far.
pub(super) struct JudgedCall<'c> {
    pub(super) tool_call: &'c ToolCall,
    pub(super) view: CallView,
    pub(super) findings: Vec<Finding>,
    pub(super) act: CallDecision,
    /// The files that the call names, relative to the project.
    pub(super) touched: Vec<String>,
    /// What was kept of the bytes that the call can touch.
    pub(super) kept: Option<KeptCheckpoint>,
    /// What the agents said.
    pub(super) heard: AgentReplies,
}

impl<'c> JudgedCall<'c> {
    /// Judges what a call would do: the detectors, the loop's contract, and what a person allowed or silenced.
    pub(super) fn of(context: &mut HookContext, tool_call: &'c ToolCall, mut view: CallView) -> Self {
        let mut findings = std::mem::take(&mut view.findings);
        detected::add(context, &view.changes, &mut findings);
        findings.extend(view.changes.iter().filter_map(written_by_hand));
        own_runs::weigh(context, &view.changes, &mut findings);
        own_runs::weigh_snapshots(context, &mut findings);
        additions::spare(context, &view.changes, &mut findings);
        spare_own_work(context, &view, &mut findings);
        view.risks.retain(|risk| {
            risk.name != "uncommitted_work_replaced"
                || !is_own_work(context, std::slice::from_ref(&risk.target))
        });
        for risk in view.risks.iter_mut().filter(|risk| is_one_file_deleted(risk)) {
            if is_own_work(context, std::slice::from_ref(&risk.target)) {
                risk.level = Severity::Low;
            }
        }
        view.risks.retain(|risk| match risk.name.as_ref() {
            "file_deletion" | "version_control_deletion" => {
                !twins::stays(context, &view.changes, &risk.target)
            }
            "test_file_modification" => !plain_edits::is_plain(&view.changes, &risk.target),
            _ => true,
        });
        say_counted(context, &view);
        let touched = view.touched(context);
        findings.extend(of_contract(context, tool_call, &view.changes, &touched));
        findings.extend(other_tree::judge_command(context, tool_call));
        false_alarms::silence(&context.layout, &mut findings, context.env.now);
        let mode = context.config.detection.mode;
        findings.retain(|finding| {
            decision::act_on(finding.severity, mode) != CallDecision::Pass
                || finding.severity != Severity::Low
        });
        let mut act = decision::act_on_all(&findings, mode);
        if act == CallDecision::Stop && allowance::used(context, tool_call, &findings) {
            findings.clear();
            act = CallDecision::Pass;
        }
        JudgedCall { tool_call, view, findings, act, touched, kept: None, heard: AgentReplies::default() }
    }

    /// The worst level of the call's findings and risks; `None` for a call that is not risky.
    pub(super) fn worst(&self) -> Option<Severity> {
        let risks = self.view.risks.iter().map(|risk| risk.level);
        self.findings.iter().map(|finding| finding.severity).chain(risks).max()
    }

    /// Keeps the bytes that a call which goes ahead can touch. What can't be kept is a finding.
    pub(super) fn keep_bytes(&mut self, context: &mut HookContext) {
        if self.act == CallDecision::Stop && !decision::may_ask(&self.findings, context.event.can_ask) {
            return;
        }
        self.kept = keeping::keep_bytes(context, self.tool_call, &self.view);
        let unkept = |kept| keeping::unkept(context, self.tool_call, &self.view, kept);
        if let Some(finding) = self.kept.as_ref().and_then(unkept) {
            self.act = self.act.max(decision::act_on(finding.severity, context.config.detection.mode));
            self.findings.push(finding);
        }
    }
}

/// What a call would break of what its loop is held to, and write outside of the loop's scope.
fn of_contract(
    context: &HookContext,
    tool_call: &ToolCall,
    changes: &[Change],
    touched: &[String],
) -> Vec<Finding> {
    let mut findings = loop_contract::judge_call(context, changes);
    findings.extend(scope::judge_call(context, tool_call, changes, touched));
    findings
}

/// Whether a risk is about a file that goes by its name, and that can be kept.
fn is_one_file_deleted(risk: &Risk) -> bool {
    risk.name == "file_deletion"
        && risk.level == Severity::Medium
        && !matches!(risk.tool.as_str(), "shred" | "srm")
}

/// A report that says good things of a run, or better ones than before, given by the call itself: a run writes its own.
fn written_by_hand(change: &Change) -> Option<Finding> {
    let after = change.after.as_deref()?;
    let is_by_hand = match change.before.as_deref() {
        Some(before) => reports::is_bettered(&change.path, before, after),
        None => reports::is_made_up(&change.path, after),
    };
    is_by_hand.then(|| test_process::written_report(&change.path))
}

/// What a cleaning of the working tree takes may be the session's own: files that it made, and edits that it alone has made
/// since the commit.
fn spare_own_work(context: &HookContext, view: &CallView, findings: &mut Vec<Finding>) {
    if findings.iter().any(gives_up_only_files) && is_own_work(context, &view.touched(context)) {
        findings.retain(|finding| !gives_up_only_files(finding));
    }
}

fn is_own_work(context: &HookContext, paths: &[String]) -> bool {
    let edited = whose::own_since_commit(context, paths);
    let others: Vec<String> = paths.iter().filter(|path| !edited.contains(*path)).cloned().collect();
    !paths.is_empty() && (others.is_empty() || additions::are_own(context, &others))
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
