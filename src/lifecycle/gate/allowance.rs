//! A person allows a refused call once: the offer when it is refused, and its use when it comes again.
//!
//! The code goes to the person's screen alone. What concerns the guard itself is never offered.

use std::path::Path;

use crate::lifecycle::call::decision::GUARD;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::HookRecord;
use crate::lifecycle::gate::code;
use crate::lifecycle::regression::questions;
use crate::model::event::{Action, ToolCall};
use crate::model::finding::Finding;
use crate::state::allowance;
use crate::state::allowance::{Allowance, RefusedFinding};
use crate::state::gate::CodeHash;
use crate::state::lock::HOOK_WAIT;
use crate::text::allowance as text;

/// Whether a person allowed exactly this command; then that is used up.
pub fn used(context: &mut HookContext, tool_call: &ToolCall, findings: &[Finding]) -> bool {
    let Some((call, _)) = named(context, tool_call).filter(|_| can_be_allowed(findings)) else {
        return false;
    };
    match allowance::take(&context.layout, &call, HOOK_WAIT) {
        Ok(Some(taken)) => {
            let via = taken.granted_via.unwrap_or_default();
            questions::remember_allowed(context, tool_call, findings, &via);
            context.log(
                "human_gate",
                HookRecord::default().outcome(format!("allowed once by a person ({via})")),
            );
            true
        }
        Ok(None) => false,
        Err(error) => {
            context.problems.push(format!("{}: {error}", context.layout.allowances().display()));
            false
        }
    }
}

/// Tells the person what was stopped, and offers to allow it once. What concerns the guard is the person's own to do.
pub fn offer(context: &mut HookContext, tool_call: &ToolCall, findings: &[Finding]) {
    let Some((call, command)) = named(context, tool_call) else { return };
    if !can_be_allowed(findings) {
        // Where nobody sits there is nobody whose own work it could be.
        if context.event.can_ask {
            context.tell_human(text::not_offered(findings, &command));
        }
        return;
    }
    let code = code::new_code();
    let hash = CodeHash::of(&code, &code::random_word(16));
    let mut refused = Allowance::new(call, &command, hash, context.env.now);
    if let Action::Shell { command, .. } = &tool_call.action {
        refused = refused.in_shell(command, &context.event.cwd);
    }
    refused.findings = findings.iter().map(RefusedFinding::from).collect();
    match allowance::offer(&context.layout, refused, HOOK_WAIT) {
        Ok(()) => context.tell_human(text::offered(findings, &command, &code)),
        Err(error) => context.problems.push(format!("{}: {error}", context.layout.allowances().display())),
    }
}

/// Whether a word is the code of a refused call that still waits.
pub fn is_known(context: &HookContext, word: &str) -> bool {
    let waits =
        |all: Vec<allowance::Allowance>| all.iter().any(|one| one.granted_at.is_none() && one.code.is(word));
    allowance::read(&context.layout).is_ok_and(waits)
}

/// What a person typed after the command's name, answered to them.
pub fn typed(context: &mut HookContext, code: &str) -> String {
    if context.event.headless {
        return "a session that a program drives can't allow anything; `steadfast allow` in a terminal can."
            .to_owned();
    }
    let code = code.trim();
    let granted = allowance::grant(&context.layout, code, "one-time code", context.env.now, HOOK_WAIT);
    context.log(
        "human_gate",
        HookRecord::default().outcome(match &granted {
            Ok(Some(_)) => "a call was allowed once",
            _ => "refused: a wrong code for a call was typed",
        }),
    );
    match granted {
        Ok(Some(command)) => format!("allowed once, exactly as it was: {command}"),
        Ok(None) => "this code is not one that was shown for a refused call, or the same call was refused again since: then \
                     the code that was shown last counts. `steadfast allow` in a terminal lists them."
            .to_owned(),
        Err(error) => format!("{}: {error}", context.layout.allowances().display()),
    }
}

fn can_be_allowed(findings: &[Finding]) -> bool {
    !findings.iter().any(|finding| GUARD.contains(&finding.pattern_id))
}

/// What names a call to the byte, and what it is in words.
fn named(context: &HookContext, tool_call: &ToolCall) -> Option<(String, String)> {
    let name = |text: &str| allowance::call_name(&tool_call.tool, &context.event.cwd, text);
    let of_file = |path: &Path, exactly: String| {
        Some((name(&exactly), format!("{} {}", tool_call.tool, context.relative(path))))
    };
    match &tool_call.action {
        Action::Shell { command, .. } => Some((name(command), command.clone())),
        Action::Write { path, content } => of_file(path, format!("write {path:?} {content}")),
        Action::Edit { path, edits } => of_file(path, format!("edit {path:?} {edits:?}")),
        Action::NotebookEdit { path, cell_id, mode, source } => {
            of_file(path, format!("notebook {path:?} {cell_id:?} {mode:?} {source}"))
        }
        Action::Patch { files } => Some((name(&format!("patch {files:?}")), tool_call.tool.clone())),
        Action::Foreign { paths } => Some((name(&format!("foreign {paths:?}")), tool_call.tool.clone())),
        Action::Other => None,
    }
}
