//! What a host had no way to tell its model at an event: the session's next event that takes a text brings it.
//!
//! Claude Code takes a text wherever one is given, so nothing is looked for there.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use crate::lifecycle::context::hook_context::HookContext;
use crate::model::event::CLAUDE_CODE;
use crate::model::verdict::{Answer, Verdict};
use crate::state::own_file;

/// Keeps a text for the session's next event. A session without a loop of its own has no place for it.
pub(crate) fn keep(context: &HookContext, text: &str) {
    let Some(file) = place(context) else { return };
    // What can't be kept is read by the person alone.
    let written =
        own_file::append(&file).and_then(|mut file| file.write_all(format!("{text}\n\n").as_bytes()));
    written.ok();
}

/// The answer with what was kept before, where the event takes a text.
pub(crate) fn with(context: &HookContext, answer: Answer) -> Answer {
    if context.event.host == CLAUDE_CODE || !context.event.takes_context() {
        return answer;
    }
    let rest = match &answer.verdict {
        Verdict::Pass => "",
        Verdict::Context(text) => text.as_str(),
        _ => return answer,
    };
    let Some(kept) = take(context) else { return answer };
    let text = if rest.is_empty() { kept } else { format!("{kept}\n\n{rest}") };
    Answer { verdict: Verdict::Context(text), ..answer }
}

/// Takes what was kept, so that it is said once: of several hooks at once one has the file.
fn take(context: &HookContext) -> Option<String> {
    let file = place(context)?;
    let taken = file.with_extension(std::process::id().to_string());
    fs::rename(&file, &taken).ok()?;
    let text = own_file::read_text(&taken).ok();
    fs::remove_file(&taken).ok();
    text.map(|text| text.trim_end().to_owned()).filter(|text| !text.is_empty())
}

fn place(context: &HookContext) -> Option<PathBuf> {
    Some(context.layout.loop_dir(&context.bound.as_ref()?.id).join("unsaid.txt"))
}
