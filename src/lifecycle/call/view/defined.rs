//! The risks that the project's own definitions see in a call, beside the built-in ones.

use crate::definitions::model::{Definitions, RiskRule};
use crate::definitions::names::HookName;
use crate::lifecycle::call::shell_call::Risk;
use crate::lifecycle::call::view::shortened;
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::event::{Action, ToolCall};
use crate::model::finding::Severity;
use crate::shell::Script;

/// The patterns of the project's own definitions. What the built-in ones mean is told by what a call does.
pub(crate) fn own_patterns<'s>(context: &'s HookContext) -> impl Iterator<Item = &'s RiskRule> {
    let built_in = &Definitions::builtin().hook(HookName::PreToolCall).risk_patterns;
    let loaded = context.definitions();
    let patterns = &loaded.definitions.hook(HookName::PreToolCall).risk_patterns;
    patterns.iter().filter(move |pattern| loaded.file.is_some() && !built_in.contains(pattern))
}

/// The client's own tool that does what a call does: definitions name tools by that.
fn alike(call: &ToolCall) -> &str {
    match &call.action {
        Action::Shell { .. } => "Bash",
        Action::Write { .. } => "Write",
        Action::Edit { .. } | Action::Patch { .. } => "Edit",
        Action::NotebookEdit { .. } | Action::Foreign { .. } | Action::Other => &call.tool,
    }
}

/// The risks that the project's own definitions see in a write to `target`, beside the built-in ones.
pub(crate) fn defined_risks(context: &HookContext, call: &ToolCall, target: &str) -> Vec<String> {
    let meant = own_patterns(context)
        .filter(|pattern| pattern.means_file(&call.tool, target) || pattern.means_file(alike(call), target));
    meant.map(|pattern| pattern.risk.to_string()).filter(|risk| risk != "test_file_modification").collect()
}

/// The risks that the project's own definitions see in the commands of a text, each once.
pub(crate) fn defined_command_risks(context: &HookContext, call: &ToolCall, script: &Script) -> Vec<Risk> {
    let mut risks: Vec<Risk> = Vec::new();
    for command in &script.commands {
        let words: Vec<&str> = command.words.iter().map(|word| word.text.as_str()).collect();
        let line = words.join(" ");
        let means = |pattern: &&RiskRule| {
            pattern.means_command(&call.tool, &line) || pattern.means_command(alike(call), &line)
        };
        for pattern in own_patterns(context).filter(means) {
            if !risks.iter().any(|risk| *risk.name == *pattern.risk) {
                risks.push(Risk {
                    name: pattern.risk.to_string().into(),
                    tool: call.tool.clone(),
                    target: shortened(&command.source),
                    level: Severity::Medium,
                });
            }
        }
    }
    risks
}
