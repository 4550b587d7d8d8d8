//! The verdict about a call: what stops it, what is advised, and what is merely warned of.

use std::collections::BTreeSet;
use std::path::Path;

use crate::checkpoint::keep::KeptCheckpoint;
use crate::config::{Mode, Notes};
use crate::definitions::names::Action;
use crate::detectors::commands::destructive_command::Risk;
use crate::lifecycle::call::decision;
use crate::lifecycle::call::decision::CallDecision;
use crate::lifecycle::call::view::CallView;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::hooks::pre_tool_call::does;
use crate::lifecycle::hooks::pre_tool_call::judged::JudgedCall;
use crate::model::finding::{Finding, Severity};
use crate::model::verdict::Verdict;
use crate::text::verdicts;
use crate::text::verdicts::Safety;

/// So many tracked files that a call deletes by their names are worth a word; of fewer a record says enough.
const SEVERAL: usize = 3;

impl JudgedCall<'_> {
    /// What is answered, by the findings, the risks and what the project's own agents say.
    pub(super) fn verdict(&self, context: &HookContext) -> Verdict {
        match self.heard.blocked_by_program() {
            Some(reply) if self.act < CallDecision::Stop => {
                let reason = format!("An agent of this project blocks the call. {}", reply.content);
                if context.event.can_ask { Verdict::Ask(reason) } else { Verdict::Deny(reason) }
            }
            _ if self.act == CallDecision::Pass => {
                warning(context, &self.view, self.kept.as_ref(), self.tool_call.id.as_deref())
            }
            _ => by_act(context, &self.findings, self.act),
        }
    }
}

/// A person is asked, or the call denied: where nobody can answer, and where a quick yes must not be enough.
pub(super) fn stop(context: &HookContext, findings: &[Finding]) -> Verdict {
    let asks = decision::may_ask(findings, context.event.can_ask);
    let reason = verdicts::stopped(findings, asks);
    if asks { Verdict::Ask(reason) } else { Verdict::Deny(reason) }
}

fn by_act(context: &HookContext, findings: &[Finding], act: CallDecision) -> Verdict {
    let mode = context.config.detection.mode;
    match act {
        CallDecision::Stop => {
            let stopping: Vec<Finding> = findings
                .iter()
                .filter(|finding| decision::act_on(finding.severity, mode) == CallDecision::Stop)
                .cloned()
                .collect();
            stop(context, &stopping)
        }
        CallDecision::Advise => {
            let advice: Vec<Finding> = findings
                .iter()
                .filter(|f| decision::act_on(f.severity, mode) == CallDecision::Advise)
                .filter(|f| !context.said_before(&format!("{} {}", f.pattern_id, f.path)))
                .cloned()
                .collect();
            if advice.is_empty() || context.config.notes == Notes::Off {
                Verdict::Pass
            } else {
                Verdict::Context(verdicts::advice(&advice))
            }
        }
        CallDecision::Pass => Verdict::Pass,
    }
}

/// Whether a warning was given already. That a file is one of tests is the same word for each of them, and for the whole
/// session.
fn was_said(context: &HookContext, risk: &str, target: &str) -> bool {
    match risk {
        "test_file_modification" => context.said_in_session(risk),
        _ => context.said_before(&format!("{risk} {target}")),
    }
}

/// Whether nothing is at a place outside of the project, which a copy could not show.
fn is_absent(target: &str) -> bool {
    let path = Path::new(target);
    path.is_absolute() && !target.contains('…') && path.symlink_metadata().is_err()
}

/// One warning per file and iteration for a risky target in which nothing was found.
fn warning(
    context: &HookContext,
    view: &CallView,
    kept: Option<&KeptCheckpoint>,
    tool_call_id: Option<&str>,
) -> Verdict {
    if context.config.detection.mode == Mode::Off
        || context.config.notes == Notes::Off
        || !does(context, Action::InjectWarningPrompt)
    {
        return Verdict::Pass;
    }
    let undo = tool_call_id.map_or_else(|| "--last".to_owned(), |id| format!("--tool-call {id}"));
    let safety = match kept {
        Some(KeptCheckpoint { files: 0, skipped, .. }) if skipped.is_empty() => Safety::Nothing,
        Some(KeptCheckpoint { files, skipped, .. }) if skipped.is_empty() => {
            Safety::Kept { files: *files, undo: &undo }
        }
        _ => Safety::NotKept,
    };
    let mut texts: Vec<String> = view
        .risks
        .iter()
        .filter(|risk| risk.level >= Severity::Medium && !was_said(context, &risk.name, &risk.target))
        .map(|risk| {
            let safety = if is_absent(&risk.target) { Safety::Nothing } else { safety };
            verdicts::risk(&risk.target, &risk.name, risk.level, safety)
        })
        .collect();
    let deleted = several_deleted(context, view);
    if let Some(first) = deleted.first()
        && !context.said_before(&format!("deleted {first}"))
    {
        texts.push(verdicts::several_deleted(&deleted, safety));
    }
    if texts.is_empty() { Verdict::Pass } else { Verdict::Context(texts.join("\n")) }
}

/// The tracked files that a call deletes by their names, where they are more than a file or two.
fn several_deleted(context: &HookContext, view: &CallView) -> Vec<String> {
    let is_deletion = |risk: &&Risk| {
        risk.level == Severity::Low
            && matches!(risk.name.as_ref(), "file_deletion" | "version_control_deletion")
    };
    let named: BTreeSet<&str> =
        view.risks.iter().filter(is_deletion).map(|risk| risk.target.as_str()).collect();
    if named.len() < SEVERAL {
        return Vec::new();
    }
    let root = context.project.root();
    let there = named.iter().map(|path| root.join(path)).filter(|path| path.is_file());
    let tracked = context.project.git().tracked(&there.collect::<Vec<_>>()).unwrap_or_default();
    if tracked.len() < SEVERAL {
        return Vec::new();
    }
    tracked.iter().map(|path| context.relative(path)).collect()
}
