//! What a patch of several files would do: each file is looked at like an edit of its own, and all of them are judged
//! together, since what one loses another may have gained.

use std::path::{Path, PathBuf};

use crate::lifecycle::call::view::patched::patched;
use crate::lifecycle::call::view::{CallView, ViewedCall, file_view, read_text, shortened, view as view_of};
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::event::{Action, PatchOperation, PatchedFile, ShellDialect, ToolCall};
use crate::model::finding::Change;
use crate::model::shell_word::in_quotes;

/// Looks at a patch.
pub(super) fn view(context: &HookContext, call: &ToolCall, files: &[PatchedFile]) -> ViewedCall {
    let mut whole = CallView::default();
    for file in files {
        for part in parts(context, call, file) {
            whole.changes.extend(part.changes);
            whole.findings.extend(part.findings);
            let new = part.risks.into_iter().filter(|risk| !whole.risks.contains(risk));
            let new: Vec<_> = new.collect();
            whole.risks.extend(new);
            whole.keep.extend(part.keep);
        }
    }
    whole.target = target(context, files);
    ViewedCall::Changes(Box::new(whole))
}

/// The files of a patch, for messages and records.
pub(super) fn target(context: &HookContext, files: &[PatchedFile]) -> String {
    let names: Vec<String> = files.iter().map(|file| context.relative(&file.path)).collect();
    shortened(&names.join(", "))
}

fn parts(context: &HookContext, call: &ToolCall, file: &PatchedFile) -> Vec<CallView> {
    let path = &file.path;
    match &file.change {
        PatchOperation::Add(content) => {
            vec![file_view(context, call, (path, read_text(path)), |_| Some(content.clone()))]
        }
        PatchOperation::Delete => deletion(context, call, path).into_iter().collect(),
        PatchOperation::Update { chunks, moved_to } => {
            let after = |before: Option<&str>| patched(before?, chunks);
            match moved_to {
                None => vec![file_view(context, call, (path, read_text(path)), after)],
                Some(to) => moved(context, call, (path, to), after),
            }
        }
    }
}

/// A file that is gone afterwards, as the shell's word for it.
fn deletion(context: &HookContext, call: &ToolCall, path: &Path) -> Option<CallView> {
    let command = format!("rm -- {}", in_quotes(&path.to_string_lossy()));
    let action = Action::Shell { command, dialect: ShellDialect::Posix };
    match view_of(context, &ToolCall { action, ..call.clone() }) {
        ViewedCall::Changes(view) => Some(*view),
        ViewedCall::Nothing { .. } => None,
    }
}

/// A file that is elsewhere afterwards: what stands at the new place is new there, and the old name is free.
fn moved(
    context: &HookContext,
    call: &ToolCall,
    (from, to): (&PathBuf, &PathBuf),
    after: impl Fn(Option<&str>) -> Option<String>,
) -> Vec<CallView> {
    let before = read_text(from);
    let text = after(before.as_deref());
    let mut arrived = file_view(context, call, (to, read_text(to)), |_| text.clone());
    // What is left out on the way is missing from the file, whatever it is called.
    let mut left = file_view(context, call, (from, before.clone()), |_| text.clone());
    left.changes.clear();
    if text.is_some() && before.is_some() {
        arrived.changes.push(Change { path: left.target.clone(), before, after: None });
    }
    vec![arrived, left]
}
