//! Questions about a call that the host's own dialog puts to a person, and what the person answered there.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::checkpoint::manifest::call_label;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::HookRecord;
use crate::model::event::{Event, EventKind, ToolCall};
use crate::model::finding::Finding;
use crate::state::atomic::Durability;
use crate::state::gate::{Gate, GateDecision, GateSubject};
use crate::state::loop_id;
use crate::state::twice::DoubledFiles;

/// The folder of a loop's questions.
const FOLDER: &str = "questions";

/// A question that the host's own dialog put to a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DialogQuestion {
    /// The lost names that were shown.
    pub lost: Vec<String>,
    /// The patterns that were shown.
    pub pattern_ids: Vec<String>,
    /// What the person read.
    #[serde(default)]
    pub message: String,
    /// When it was put.
    #[serde(default)]
    pub asked_at: Option<Timestamp>,
    /// The subagent whose call it is about.
    #[serde(default)]
    pub agent: Option<String>,
    /// The answer was no, and the model has not been told yet.
    #[serde(default)]
    pub refused: bool,
    /// How a person had allowed exactly this call before it came, where it was not by the dialog.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_via: Option<String>,
    /// The files in which the person was shown what would be lost.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
}

impl DialogQuestion {
    fn about(context: &HookContext, findings: &[Finding], message: &str) -> DialogQuestion {
        DialogQuestion {
            lost: findings.iter().flat_map(Finding::lost_names).collect(),
            pattern_ids: findings.iter().map(|finding| finding.pattern_id.to_owned()).collect(),
            message: message.to_owned(),
            asked_at: Some(context.env.now),
            agent: context.event.agent_id.clone(),
            refused: false,
            allowed_via: None,
            paths: findings.iter().map(|finding| finding.path.clone()).collect(),
        }
    }

    /// Whether the person who let the call run knew of this loss: by its names, or, of a call that was allowed as it
    /// was to the byte, by a file or folder that it was refused for.
    pub fn covers(&self, finding: &Finding) -> bool {
        let is_below = |path: &String| {
            let rest = finding.path.strip_prefix(path.trim_end_matches('/'));
            !path.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        finding.lost_names().all(|name| self.lost.contains(&name))
            || self.allowed_via.is_some() && self.paths.iter().any(is_below)
    }
}

/// Remembers what a person is asked about a call: when the call runs after all, the person has approved it.
pub fn remember_question(context: &HookContext, call: &ToolCall, findings: &[Finding], message: &str) {
    let Some((twice, name)) = question_file(context, call) else { return };
    write(&twice, &name, &DialogQuestion::about(context, findings, message));
}

/// Remembers that a person has allowed a call that comes now: what it loses, it loses with their consent.
pub fn remember_allowed(context: &HookContext, call: &ToolCall, findings: &[Finding], via: &str) {
    let Some((twice, name)) = question_file(context, call) else { return };
    let told: Vec<&str> = findings.iter().map(|finding| finding.what.as_str()).collect();
    let asked = DialogQuestion::about(context, findings, &told.join("\n"));
    write(&twice, &name, &DialogQuestion { allowed_via: Some(via.to_owned()), ..asked });
}

fn write(twice: &DoubledFiles, name: &str, question: &DialogQuestion) {
    let bytes = serde_json::to_vec(question).unwrap_or_default();
    twice.write(name, &bytes, Durability::Process).ok();
}

/// The question that was asked about a call.
pub fn question(context: &HookContext, call: &ToolCall) -> Option<DialogQuestion> {
    let (twice, name) = question_file(context, call)?;
    serde_json::from_slice(&twice.read(&name).ok()?).ok()
}

/// Forgets the question that was asked about a call, once the answer is recorded.
pub fn forget(context: &HookContext, call: &ToolCall) {
    if let Some((twice, name)) = question_file(context, call) {
        twice.remove(&name);
    }
}

/// Records the questions whose answer can only have been no, since what asked them has ended without the call. The model
/// hears of them with the next prompt.
pub fn settle(context: &mut HookContext) {
    let Some(twice) = files(context) else { return };
    for (name, asked) in remembered(&twice) {
        if asked.allowed_via.is_none() && !asked.refused && is_over(&asked, context.event) {
            note_dialog(context, &asked, GateDecision::Reject);
            write(&twice, &name, &DialogQuestion { refused: true, ..asked });
        }
    }
}

/// What was refused since the model was last told: what the person had read each time. It is told once.
pub fn refused(context: &HookContext) -> Vec<String> {
    let Some(twice) = files(context) else { return Vec::new() };
    let refused = remembered(&twice).into_iter().filter(|(_, asked)| asked.refused);
    refused
        .map(|(name, asked)| {
            twice.remove(&name);
            asked.message
        })
        .collect()
}

/// Whether an event tells that a question has been answered with no. The end of a turn does for the turn's own; a
/// subagent may still wait for its answer then, in the background.
fn is_over(asked: &DialogQuestion, event: &Event) -> bool {
    match (&asked.agent, &event.kind) {
        (None, EventKind::SubagentStop { .. }) => false,
        (Some(agent), EventKind::SubagentStop { .. }) => event.agent_id.as_ref() == Some(agent),
        (Some(_), EventKind::Stop { waiting, .. }) => !waiting,
        (asking, _) => asking.is_none(),
    }
}

/// The questions that are on record, each with its name; one that can't be read goes.
fn remembered(twice: &DoubledFiles) -> Vec<(String, DialogQuestion)> {
    let read = |name: String| {
        let asked = twice.read(&name).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        if asked.is_none() {
            twice.remove(&name);
        }
        Some((name, asked?))
    };
    twice.names_in(FOLDER).into_iter().filter_map(read).collect()
}

fn files(context: &HookContext) -> Option<DoubledFiles> {
    Some(DoubledFiles::of_loop(&context.layout, &context.bound.as_ref()?.id))
}

/// Records what a person answered about a call, in the host's own dialog or by the code of its refusal, as a gate that
/// was decided there.
pub fn note_dialog(context: &mut HookContext, asked: &DialogQuestion, decision: GateDecision) {
    let now = context.env.now;
    let iteration = context.iteration();
    let via = asked.allowed_via.clone().unwrap_or_else(|| "dialog".to_owned());
    let gate = Gate {
        gate_id: loop_id::uuid(&format!("dialog{:?}", asked.lost), now),
        subject: GateSubject::DestructiveAction,
        gate_type: "TERMINATE".to_owned(),
        opened_at: asked.asked_at.unwrap_or(now),
        iteration,
        event_ids: Vec::new(),
        message: asked.message.clone(),
        choices: Vec::new(),
        decision: Some(decision),
        decided_at: Some(now),
        decided_by: (context.env.vars)("USER"),
        decided_via: Some(via.clone()),
        pattern_ids: Some(asked.pattern_ids.clone()),
        lost: Some(asked.lost.clone()),
        ..Gate::new(GateSubject::DestructiveAction, now)
    };
    let outcome = json!({
        "human_decision": decision.name(),
        "decided_via": via,
        "pattern_ids": asked.pattern_ids,
        "lost": asked.lost,
    });
    context.change_state(Durability::Process, |state| state.human_gates.push(gate));
    context.log("human_gate", HookRecord::default().outcome(outcome));
}

fn question_file(context: &HookContext, call: &ToolCall) -> Option<(DoubledFiles, String)> {
    let name = format!("{FOLDER}/{}.json", call_label(call.id.as_ref()?));
    Some((files(context)?, name))
}
