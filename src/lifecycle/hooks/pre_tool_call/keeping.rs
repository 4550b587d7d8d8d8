//! Keeping the bytes that a call can touch, before it runs.

use std::path::Path;
use std::time::Duration;

use crate::checkpoint::keep::{KeepRequest, KeptCheckpoint, keep};
use crate::checkpoint::manifest::Trigger;
use crate::checkpoint::walk::WalkBounds;
use crate::definitions::names;
use crate::detectors::session_patterns::BYTES_CANT_BE_KEPT;
use crate::lifecycle::call::view::CallView;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::hooks::pre_tool_call::does;
use crate::model::event::{Action, ToolCall};
use crate::model::finding::Finding;
use crate::shell;
use crate::shell::EffectKind;
use crate::state::atomic::Durability;

/// When keeping bytes must be done, from the start of the process: what is not kept by then is asked about, while
/// there is still time to ask. How much is kept is bounded by files and bytes, long before.
const KEEPING: Duration = Duration::from_secs(45);

/// What a command does to a file whose bytes are gone then.
const WRITING: &[EffectKind] = &[EffectKind::Overwrite, EffectKind::Truncate, EffectKind::EditInPlace];

/// Keeps the bytes of everything the call can touch. A failure is a problem to tell, never a reason to fail.
pub(super) fn keep_bytes(
    context: &mut HookContext,
    tool_call: &ToolCall,
    view: &CallView,
) -> Option<KeptCheckpoint> {
    let bound = context.bound.clone()?;
    if view.keep.is_empty() || !does(context, names::Action::CreateRollbackCheckpoint) {
        return None;
    }
    let tool = context.event.tool_name(tool_call);
    let request = KeepRequest {
        store: &context.store,
        loop_id: &bound.id,
        iteration: context.iteration(),
        trigger: Trigger::PreRiskyOp,
        label: "",
        tool: Some(&tool),
        tool_call_id: tool_call.id.as_deref(),
        summary: &view.target,
        paths: &view.keep,
        bounds: WalkBounds { deadline: Some(context.env.started + KEEPING), ..context.bounds() },
        durability: Durability::Process,
        now: context.env.now,
    };
    match keep(&request) {
        Ok(kept) => Some(kept),
        Err(error) => {
            context.not_recorded(error.to_string());
            None
        }
    }
}

/// What could not be kept though the call would destroy it.
pub(super) fn unkept(
    context: &HookContext,
    tool_call: &ToolCall,
    view: &CallView,
    kept: &KeptCheckpoint,
) -> Option<Finding> {
    if kept.skipped.is_empty()
        || (view.risks.is_empty()
            && !replaces_only_copy(context, tool_call)
            && !empties_only_copy(context, tool_call, kept))
    {
        return None;
    }
    let shown: Vec<String> = kept
        .skipped
        .iter()
        .take(5)
        .map(|skipped| format!("{} ({})", skipped.path.display(), skipped.reason))
        .collect();
    let what = format!("what this call replaces can't be kept for an undo: {}", shown.join(", "));
    Some(BYTES_CANT_BE_KEPT.finding(&view.target, what))
}

/// Whether a call writes over a whole file that no commit is known to have.
fn replaces_only_copy(context: &HookContext, tool_call: &ToolCall) -> bool {
    let Action::Write { path, .. } = &tool_call.action else { return false };
    is_only_copy(context, path)
}

/// Whether a command says that it writes over, empties or edits a file that was not kept and that no commit has.
fn empties_only_copy(context: &HookContext, tool_call: &ToolCall, kept: &KeptCheckpoint) -> bool {
    let Action::Shell { command, dialect } = &tool_call.action else { return false };
    let home = context.env.home.as_deref().unwrap_or(Path::new("/"));
    let reading = shell::effects(command, *dialect, &context.event.cwd, home);
    let root = context.project.root();
    let is_unkept = |path: &Path| kept.skipped.iter().any(|skipped| root.join(&skipped.path) == path);
    let writes = reading.effects.iter().filter(|effect| WRITING.contains(&effect.kind));
    let mut paths = writes.flat_map(|effect| &effect.targets).filter_map(|target| target.path.as_deref());
    paths.any(|path| is_unkept(path) && is_only_copy(context, path))
}

fn is_only_copy(context: &HookContext, path: &Path) -> bool {
    let path = path.to_path_buf();
    path.is_file() && context.project.git().tracked(&[path]).is_none_or(|files| files.is_empty())
}
