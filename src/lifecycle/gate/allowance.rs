//! A person allows a refused command once: the offer when it is refused, and its use when it comes again.
//!
//! The code goes to the person's screen alone. What concerns the guard itself is never offered.

use crate::lifecycle::call::decision::GUARD;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::Record;
use crate::lifecycle::gate::code;
use crate::model::event::{Action, ToolCall};
use crate::model::finding::Finding;
use crate::state::allowance;
use crate::state::gate::CodeHash;
use crate::state::lock::HOOK_WAIT;

/// Whether a person allowed exactly this command; then that is used up.
pub fn used(context: &mut HookContext, tool_call: &ToolCall, findings: &[Finding]) -> bool {
    let Some((call, _)) = named(context, tool_call).filter(|_| can_be_allowed(findings)) else {
        return false;
    };
    match allowance::take(&context.layout, &call, HOOK_WAIT) {
        Ok(Some(taken)) => {
            let via = taken.granted_via.unwrap_or_default();
            context.log("human_gate", Record::default().outcome(format!("allowed once by a person ({via})")));
            true
        }
        Ok(None) => false,
        Err(error) => {
            context.problems.push(format!("{}: {error}", context.layout.allowances().display()));
            false
        }
    }
}

/// Offers the person to allow a refused command once.
pub fn offer(context: &mut HookContext, tool_call: &ToolCall, findings: &[Finding]) {
    let Some((call, command)) = named(context, tool_call).filter(|_| can_be_allowed(findings)) else {
        return;
    };
    let code = code::new_code();
    let hash = CodeHash::of(&code, &code::random_word(16));
    match allowance::offer(&context.layout, call, &command, hash, context.env.now, HOOK_WAIT) {
        Ok(()) => context.tell_human(format!(
            "Steadfast stopped a command. To allow exactly this one, once, type here (the code is for you; the agent \
             doesn't see it): /steadfast:allow {code}\nOr in a terminal in this project: steadfast allow {code}"
        )),
        Err(error) => context.problems.push(format!("{}: {error}", context.layout.allowances().display())),
    }
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
        Record::default().outcome(match &granted {
            Ok(Some(_)) => "a command was allowed once",
            _ => "refused: a wrong code for a command was typed",
        }),
    );
    match granted {
        Ok(Some(command)) => format!("allowed once, exactly as it was: {command}"),
        Ok(None) => "this code is not one that was shown for a refused command.".to_owned(),
        Err(error) => format!("{}: {error}", context.layout.allowances().display()),
    }
}

fn can_be_allowed(findings: &[Finding]) -> bool {
    !findings.iter().any(|finding| GUARD.contains(&finding.pattern_id))
}

fn named(context: &HookContext, tool_call: &ToolCall) -> Option<(String, String)> {
    match &tool_call.action {
        Action::Shell { command, .. } => {
            Some((allowance::call_name(&tool_call.tool, &context.event.cwd, command), command.clone()))
        }
        _ => None,
    }
}
