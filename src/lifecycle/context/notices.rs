//! What a person must hear besides the answer: a file that was mended, and once a session what is wrong with the
//! project's own files.
//!
//! Without anything wrong this reads and writes nothing.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use crate::lifecycle::context::hook_context::HookContext;
use crate::model::verdict::Answer;
use crate::project::exclude_from_git;
use crate::project::silence;
use crate::state::audit;
use crate::state::folders;
use crate::state::own_file;
use crate::text::health as text;

/// How many sessions are remembered as told, newest last.
const SESSIONS: usize = 200;

/// The answer with what the person must hear before it.
pub fn with(context: &mut HookContext, answer: Answer) -> Answer {
    let answer = Answer { attention: context.attention.take(), ..answer };
    let mut said = std::mem::take(&mut context.told);
    if !context.notices.is_empty() && !told_before(context, &context.notices.join("\n")) {
        said.append(&mut context.notices);
    }
    if let Some(fault) = silence::fault()
        && context.bound.is_some()
        && !told_before(context, fault.words())
    {
        said.push(text::git_is_silent(fault.words()));
    }
    let unrecorded = context.unrecorded.take();
    if let Some(why) = unrecorded.first().filter(|_| !told_before(context, "unrecorded")) {
        said.push(text::unrecorded(why));
    }
    if said.is_empty() {
        return answer;
    }
    let human = answer.human.unwrap_or_default();
    said.retain(|said| !human.contains(said.as_str()));
    said.extend(Some(human).filter(|human| !human.is_empty()));
    Answer { human: Some(said.join("\n")), ..answer }
}

/// Whether this session has heard what `said` stands for; remembers that it has. One without an id hears them every time, and
/// so does every session where nothing can be remembered.
pub(crate) fn told_before(context: &HookContext, said: &str) -> bool {
    let Some(session) = &context.event.session_id else { return false };
    let key = audit::hash(format!("{session}\n{said}").as_bytes());
    let in_project = context.layout.root().join("notices.txt");
    // Where the project's own files can't be written, it is remembered beside them.
    let outside = || remembered(&context.layout.outside()?.join("notices.txt"), &key);
    let before = remembered(&in_project, &key).or_else(|_| outside()).unwrap_or(false);
    if !before {
        exclude_from_git(context.project.root()).ok();
    }
    before
}

/// Whether `key` is in the file at `path`; it is afterwards.
fn remembered(path: &Path, key: &str) -> io::Result<bool> {
    let known = own_file::read_text(path).unwrap_or_default();
    if known.lines().any(|line| line == key) {
        return Ok(true);
    }
    folders::make(path.parent().unwrap_or(path))?;
    let full = known.lines().count() >= SESSIONS;
    let mut options = OpenOptions::new();
    let file = options.create(true).append(!full).write(true).truncate(full);
    own_file::regular(file, path)?.write_all(format!("{key}\n").as_bytes())?;
    Ok(false)
}
