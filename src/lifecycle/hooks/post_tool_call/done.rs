//! A call that has run: what it changed, what it lost, and what is recorded of it.

use std::collections::HashSet;
use std::path::PathBuf;

use serde_json::{Map, json};

use crate::checkpoint::catalogue;
use crate::checkpoint::keep::{KeepRequest, keep_known};
use crate::checkpoint::manifest::{Manifest, Trigger};
use crate::checkpoint::net::NetChanges;
use crate::definitions::names::HookName;
use crate::lifecycle::call::decision;
use crate::lifecycle::call::decision::CallDecision;
use crate::lifecycle::call::view::CallTraits;
use crate::lifecycle::changes::call_times::NAMES_ALL;
use crate::lifecycle::changes::untracked_changes::{UntrackedChanges, judged};
use crate::lifecycle::changes::{
    accounting, additions, emptied_folders, made_by_call, others, protected, touched, untracked_changes,
};
use crate::lifecycle::context::agent_messages::AgentReplies;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::HookRecord;
use crate::lifecycle::hooks::post_tool_call::known_figures;
use crate::lifecycle::hooks::post_tool_call::{HOOK, settle};
use crate::lifecycle::hooks::regression_detected::RecoveredLosses;
use crate::lifecycle::hooks::{on_error, regression_detected};
use crate::lifecycle::regression::questions::{DialogQuestion, question};
use crate::lifecycle::regression::{mended, questions, records};
use crate::model::event::{Action, ToolCall};
use crate::model::finding::{Change, Finding};
use crate::state::atomic::Durability;
use crate::state::gate::GateDecision;
use crate::state::records::{HumanDecision, ToolCallRecord};
use crate::state::tool_calls;

/// What is known of a call that has run before its files are judged.
pub(super) struct FinishedCall {
    pub(super) ran: CallTraits,
    /// What was kept before it.
    pub(super) kept: Option<Manifest>,
    /// What the net under it has caught.
    pub(super) caught: NetChanges,
}

/// A call that has run, and what came of it.
pub(super) struct CompletedCall<'c> {
    tool_call: &'c ToolCall,
    /// The file or the command, for messages and records.
    pub(super) target: String,
    /// What was kept before it.
    kept: Option<Manifest>,
    untracked: UntrackedChanges,
    /// What a person was asked about it.
    question: Option<DialogQuestion>,
    /// What it lost.
    pub(super) new: Vec<Finding>,
    /// What it lost with a person's consent.
    approved: Vec<Finding>,
    /// What is found in it and stops nothing.
    rest: Vec<Finding>,
    /// By how many files it left more than it found.
    more_files: i64,
    /// Whether it can have changed nothing but what it names.
    names_all: bool,
    /// Whether the tool failed.
    failed: bool,
}

impl<'c> CompletedCall<'c> {
    /// Compares the files with what was kept, and judges what is not the same.
    pub(super) fn of(
        context: &mut HookContext,
        tool_call: &'c ToolCall,
        found: FinishedCall,
        failed: bool,
    ) -> Self {
        let FinishedCall { ran, kept, caught } = found;
        let mut untracked = untracked_changes::after_call(context, kept.as_ref(), ran.runs_code, &caught);
        if !caught.is_whole {
            // What a whole net has not caught was no other before the call than it is now.
            untracked_changes::keep_found(context, tool_call, &ran.target, &untracked);
            accounting::note(context, tool_call);
        }
        touched::touch(context, &untracked.own_paths(), kept.as_ref(), &untracked.found);
        let mut findings = judged(context, &mut untracked);
        findings.extend(emptied_folders::emptied(context, &untracked));
        findings.extend(protected::written(context, &untracked, &caught));
        remember_additions(context, tool_call, &untracked, &caught);
        let question = question(context, tool_call);
        let mode = context.config.detection.mode;
        let (stopping, rest): (Vec<Finding>, Vec<Finding>) = findings
            .into_iter()
            .partition(|finding| decision::act_on(finding.severity, mode) == CallDecision::Stop);
        let (approved, new): (Vec<Finding>, Vec<Finding>) = stopping
            .into_iter()
            .partition(|finding| question.as_ref().is_some_and(|asked| asked.covers(finding)));
        let more_files = known_figures::more_files(context, kept.as_ref(), &caught);
        let (names_all, target) = (!ran.runs_code, ran.target);
        CompletedCall {
            tool_call,
            target,
            kept,
            untracked,
            question,
            new,
            approved,
            rest,
            more_files,
            names_all,
            failed,
        }
    }

    /// Whether an undo of the call brings back all that it changed. What its words did not tell was not kept before
    /// it: the bytes that the comparison knows are kept now.
    pub(super) fn can_undo(&self, context: &mut HookContext) -> bool {
        let root = context.project.root().to_path_buf();
        let changes = self.untracked.changes.iter();
        let caught = self.tool_call.id.as_deref().and_then(|id| catalogue::find(&context.store, id).ok());
        if let Some(manifest) = caught.as_ref().or(self.kept.as_ref()) {
            let names: Vec<PathBuf> =
                changes.map(|change| context.store.name(&root.join(&change.path))).collect();
            return names.iter().all(|name| manifest.entry(name).is_some());
        }
        // A text with a replacement character is not known to the byte.
        let known: Option<Vec<(PathBuf, Option<Vec<u8>>)>> = changes
            .map(|change| {
                let exact = change.before.as_ref().is_none_or(|text| !text.contains('\u{FFFD}'));
                exact.then(|| (root.join(&change.path), change.before.clone().map(String::into_bytes)))
            })
            .collect();
        let (Some(known), Some(bound), Some(id)) =
            (known, context.bound.clone(), self.tool_call.id.as_deref())
        else {
            return false;
        };
        self.keep_afterwards(context, &known, &bound.id, id)
    }

    /// Keeps the bytes of before the call, now that they are known.
    fn keep_afterwards(
        &self,
        context: &mut HookContext,
        known: &[(PathBuf, Option<Vec<u8>>)],
        loop_id: &str,
        tool_call_id: &str,
    ) -> bool {
        let tool = context.event.tool_name(self.tool_call);
        let request = KeepRequest {
            store: &context.store,
            loop_id,
            iteration: context.iteration(),
            trigger: Trigger::PreRiskyOp,
            label: "",
            tool: Some(&tool),
            tool_call_id: Some(tool_call_id),
            summary: "what the call changed without saying so",
            paths: &[],
            bounds: context.bounds(),
            durability: Durability::Process,
            now: context.env.now,
        };
        let written = keep_known(&request, known);
        if let Err(error) = &written {
            context.problems.push(error.to_string());
        }
        let is_settled = written.is_ok() && settle(context, self.tool_call).is_some();
        if is_settled && !self.untracked.older.is_empty() {
            accounting::note_older(context, self.tool_call, &self.untracked.older);
        }
        is_settled
    }

    /// Records the call and its findings, with the recovery protocol over what it lost. Only then the record of the
    /// files moves on: a process that dies before that finds the same at the turn's end.
    pub(super) fn record(&self, context: &mut HookContext) -> RecoveredLosses {
        let detected = self.record_findings(context);
        if let Some(asked) = &self.question {
            questions::note_dialog(context, asked, GateDecision::Approve);
        }
        untracked_changes::move_on(context, &self.untracked);
        questions::forget(context, self.tool_call);
        others::end(context, self.tool_call);
        detected
    }

    fn record_findings(&self, context: &mut HookContext) -> RecoveredLosses {
        let (now, tests) = (context.env.now, self.untracked.tests());
        let call = self.as_recorded(context, tests);
        if let Some(id) = context.bound.as_ref().map(|bound| bound.id.clone())
            && let Err(error) = tool_calls::append(&context.layout, &id, &call)
        {
            context.not_recorded(error.to_string());
        }
        let layout = context.layout.clone();
        let heard = if tests.is_some() { ask_detector(context, &call) } else { AgentReplies::default() };
        let record = self.line(&call, &heard);
        context.change_state(Durability::Process, |state| {
            if !self.failed {
                on_error::forget(state, &call.target);
            }
            state.push_tool_call(call);
            // Without the record it is counted all the same.
            if tool_calls::count(&layout, state).is_err() {
                state.tool_calls_total += 1;
            }
            let said = |finding: &&Finding| !records::is_known(state, finding);
            let unsaid: Vec<&Finding> = self.new.iter().chain(&self.rest).filter(said).collect();
            for finding in unsaid {
                records::push_pattern(state, finding, "feedback", now);
            }
            records::open(state, &self.approved, tests, Some(HumanDecision::Approve), now);
        });
        context.log(HOOK, record);
        if self.new.is_empty() {
            return RecoveredLosses::default();
        }
        mended::keep_before(context, &self.new, &self.untracked.changes, &self.untracked.moved);
        regression_detected::run(context, &self.new, tests)
    }

    fn as_recorded(&self, context: &HookContext, tests: Option<(u64, u64)>) -> ToolCallRecord {
        let verdict = match (self.new.is_empty(), self.rest.is_empty()) {
            (false, _) => "BLOCK",
            (true, false) => "WARN",
            (true, true) => "PASS",
        };
        ToolCallRecord {
            timestamp: context.env.now,
            iteration: context.iteration(),
            tool_use_id: self.tool_call.id.clone(),
            tool: self.tool_call.tool.clone(),
            target: self.target.clone(),
            before: tests.map(|(before, _)| before),
            after: tests.map(|(_, after)| after),
            current_metrics: known_figures::known(context, self.more_files, tests.map(|(_, after)| after)),
            verdict: verdict.to_owned(),
            duration_ms: context.env.started.elapsed().as_millis() as u64,
        }
    }

    /// What the log says of the call.
    fn line(&self, call: &ToolCallRecord, heard: &AgentReplies) -> HookRecord {
        let mut record = HookRecord::of(&[])
            .heard(heard)
            .outcome(call.verdict.clone())
            .change("tool_call_history", json!({"before": call.before, "after": call.after}));
        let said = [(self.names_all, NAMES_ALL), (self.failed, "the tool failed")];
        for (_, said) in said.into_iter().filter(|(holds, _)| *holds) {
            record = record.outcome(said);
        }
        let approved = self.approved.iter();
        record.outcomes.extend(
            approved.map(|finding| json!({"pattern_id": finding.pattern_id, "human_decision": "approve"})),
        );
        record
    }
}

/// Remembers what the call has added itself, which the session may take away again.
fn remember_additions(
    context: &HookContext,
    tool_call: &ToolCall,
    untracked: &UntrackedChanges,
    caught: &NetChanges,
) {
    let (mut made, mut own) = written_by(tool_call, untracked);
    let by_code = made_by_call::test_files(context, tool_call, caught);
    for paths in [&mut made, &mut own] {
        paths.extend(by_code.iter().map(|change| change.path.clone()));
    }
    let changes: Vec<&Change> = untracked.changes.iter().chain(&by_code).collect();
    additions::remember(context, &changes, &made, &own);
}

/// The files that a call has made, and all those that it has written: of a command only what its own text says, since it
/// may have moved what somebody else wrote.
fn written_by(tool_call: &ToolCall, untracked: &UntrackedChanges) -> (Vec<String>, Vec<String>) {
    let (mut made, mut own) = (untracked.made.clone(), untracked.own_paths());
    match &tool_call.action {
        Action::Write { .. } | Action::Edit { .. } | Action::Patch { .. } | Action::NotebookEdit { .. } => {}
        Action::Shell { command, .. } => {
            let is_said = |path: &String| {
                let mut changes = untracked.changes.iter();
                changes.any(|change| change.path == *path && says(command, change))
            };
            own.retain(is_said);
            made.retain(|path| own.contains(path));
        }
        _ => (made, own) = Default::default(),
    }
    (made, own)
}

/// Whether a command has every line that is new in a file: a here-document, an `echo`, code with the text in it.
fn says(command: &str, change: &Change) -> bool {
    let before = change.before.as_deref().unwrap_or_default();
    let after = change.after.as_deref().unwrap_or_default();
    let known: HashSet<&str> = before.lines().map(str::trim).collect();
    let mut new = after.lines().map(str::trim).filter(|line| !known.contains(line)).peekable();
    new.peek().is_some() && new.all(|line| command.contains(line))
}

/// Asks the regression detector about a call that changed files with tests.
fn ask_detector(context: &HookContext, call: &ToolCallRecord) -> AgentReplies {
    let facts = context
        .facts()
        .with("tool_name", call.tool.as_str())
        .with("tool_target", call.target.as_str())
        .with("current_metrics", json!(call.current_metrics))
        .with("baseline_metrics", json!({"test_count": call.before}));
    context.ask(HookName::PostToolCall, &facts, &Map::new())
}
