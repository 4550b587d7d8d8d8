//! What a person must hear besides the answer: a file that was mended, and once a session what is wrong with the
//! project's own files.
//!
//! Without anything wrong this reads and writes nothing.

use std::fs::{self, OpenOptions};
use std::io::Write;

use crate::lifecycle::context::hook_context::HookContext;
use crate::model::verdict::Answer;
use crate::project::exclude_from_git;
use crate::state::audit;

/// How many sessions are remembered as told, newest last.
const SESSIONS: usize = 200;

/// The answer with what the person must hear before it.
pub fn with(context: &mut HookContext, answer: Answer) -> Answer {
    let answer = Answer { attention: context.attention.take(), ..answer };
    let mut said = std::mem::take(&mut context.told);
    if !context.notices.is_empty() && !told_before(context) {
        said.append(&mut context.notices);
    }
    if said.is_empty() {
        return answer;
    }
    let human = answer.human.unwrap_or_default();
    said.retain(|said| !human.contains(said.as_str()));
    said.extend(Some(human).filter(|human| !human.is_empty()));
    Answer { human: Some(said.join("\n")), ..answer }
}

/// Whether this session has heard these notices; remembers that it has. One without an id hears them every time, and
/// so does every session where nothing can be remembered.
fn told_before(context: &HookContext) -> bool {
    let Some(session) = &context.event.session_id else { return false };
    let path = context.layout.root().join("notices.txt");
    let key = audit::hash(format!("{session}\n{}", context.notices.join("\n")).as_bytes());
    let known = fs::read_to_string(&path).unwrap_or_default();
    if known.lines().any(|line| line == key) {
        return true;
    }
    exclude_from_git(context.project.root()).ok();
    fs::create_dir_all(context.layout.root()).ok();
    let full = known.lines().count() >= SESSIONS;
    let file = OpenOptions::new().create(true).append(!full).write(true).truncate(full).open(&path);
    file.and_then(|mut file| file.write_all(format!("{key}\n").as_bytes())).ok();
    false
}
